#include "leak/wanted_documents.h"

#include <string_view>

namespace twinset {

Wanted* WantedDocuments::Want(const std::string& name) {
  const auto [wanted, is_new] = wanted_.try_emplace(name);
  if (is_new) {
    bytes_ += 3 * name.size() + 250;
    // So that documents of its id are counted, whatever number it got.
    ids_.insert(name);
    ids_.insert(name.substr(0, name.rfind('#')));
    std::string_view base;
    any_numbered_ |= NumberInId(name, &base).has_value();
  }
  return &*wanted;
}

void WantedDocuments::Hold(Wanted* document, Holding holding) {
  bytes_ += 2 * sizeof(Holding);
  document->second.push_back(holding);
}

bool WantedDocuments::MayOwn(const std::string& id) const {
  std::string_view base;
  return NumberInId(id, &base) && ids_.contains(std::string(base));
}

void WantedDocuments::Own(const std::string& id) {
  owned_.Own(id);
  bytes_ += 2 * id.size() + 100;
}

void WantedDocuments::EraseIdle() {
  std::erase_if(wanted_, [](const auto& one) { return one.second.empty(); });
}

Wanted* WantedDocuments::Pass::Next(const std::string& id) {
  const auto at = all_.wanted_.find(names_.NameOf(id));
  return at == all_.wanted_.end() ? nullptr : &*at;
}

}  // namespace twinset
