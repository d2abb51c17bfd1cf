#include "leak/test_items.h"

#include <utility>

#include "base/keyed_hash.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "pipeline/run/run_key.h"
#include "twinset/inspect.h"

namespace twinset {

Status LeakMemory::Check() const {
  if (items + documents + places + search <= most) return {};
  return Fail(ErrorCode::kMemory,
              "the items and the names of the documents that have them do not "
              "fit into half of the memory",
              {}, "give more --memory, or fewer items");
}

Status TestItems::Read(uint32_t words, LeakResult* result) {
  TWINSET_ASSIGN(extractor_, MakeExtractor(options_.features));
  list_.emplace(extractor_.get(), words);
  TWINSET_TRY(ForEachLeakItem(
      options_, *extractor_, result,
      [&](const DocumentText& text, const std::string& split) {
        const size_t number = list_->size();
        const std::vector<std::string> all = list_->Add(text, split, result);
        if (!all.empty()) short_.Add(number, all);
        states_.emplace_back();
        memory_->items = list_->bytes() + states_.size() * sizeof(ItemState);
        return memory_->Check();
      }));
  list_->NameAll();
  for (size_t i = 0; i < list_->size(); ++i) by_id_.emplace((*list_)[i].id, i);
  return {};
}

std::optional<size_t> TestItems::Find(const std::string& id) const {
  const auto at = by_id_.find(id);
  if (at == by_id_.end()) return std::nullopt;
  return at->second;
}

Result<ItemSearch*> TestItems::Search() {
  if (!search_) TWINSET_TRY(MakeSearch());
  return &*search_;
}

Status TestItems::MakeSearch() {
  TWINSET_ASSIGN(HashKey key, GivenKey(options_.resources));
  if (key == HashKey()) {
    TWINSET_ASSIGN(key, DrawHashKey());
  }
  TWINSET_ASSIGN(ItemSearch made, ItemSearch::Make(options_, key));
  search_.emplace(std::move(made));
  Status status;
  const Status read =
      ForEachText(LeakTestInput(options_), options_.features, {},
                  [&](const DocumentText& text) {
                    search_->Add(text.text);
                    memory_->search = search_->bytes();
                    status = memory_->Check();
                    if (status) status = CheckStop(options_.stop);
                    return status.has_value();
                  },
                  {});
  TWINSET_TRY(status);
  TWINSET_TRY(read);
  if (search_->size() != size())
    return Fail(ErrorCode::kIo, "the test items have changed", {},
                "run the command again");
  search_->Index();
  memory_->search = search_->bytes();
  return memory_->Check();
}

}  // namespace twinset
