#include "leak/short_items.h"

#include <algorithm>

#include "base/hash.h"
#include "base/keyed_hash.h"

namespace twinset {
namespace {

// Extends a hash of tokens in their order.
uint64_t Extend(uint64_t hash, const std::string& token) {
  return Mix64(hash ^ EqualityHash::OfProcess().Short(token)) + 1;
}

}  // namespace

const ShortItems::Group* ShortItems::FindGroup(
    uint64_t hash, std::span<const std::string> tokens) const {
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    const Group& group = groups_[entry->second];
    if (std::equal(group.tokens.begin(), group.tokens.end(), tokens.begin(),
                   tokens.end()))
      return &group;
  }
  return nullptr;
}

void ShortItems::Add(size_t item, const std::vector<std::string>& tokens) {
  uint64_t hash = 0;
  for (const std::string& token : tokens) hash = Extend(hash, token);
  longest_ = std::max(longest_, tokens.size());
  const Group* group = FindGroup(hash, tokens);
  if (group == nullptr) {
    by_hash_.emplace(hash, groups_.size());
    group = &groups_.emplace_back(Group{tokens, {}});
  }
  groups_[static_cast<size_t>(group - groups_.data())].items.push_back(item);
}

void ShortItems::Find(
    const std::vector<std::string>& tokens, size_t from, size_t until,
    const std::function<void(std::span<const size_t>, size_t, size_t)>& found)
    const {
  const std::span<const std::string> all(tokens);
  for (size_t begin = from; begin < std::min(until, all.size()); ++begin) {
    uint64_t hash = 0;
    const size_t most = std::min(all.size() - begin, longest_);
    for (size_t count = 1; count <= most; ++count) {
      hash = Extend(hash, all[begin + count - 1]);
      if (const Group* const group = FindGroup(hash, all.subspan(begin, count)))
        found(group->items, begin, count);
    }
  }
}

}  // namespace twinset
