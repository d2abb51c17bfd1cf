#include "study/short_items.h"

#include <algorithm>

#include "base/hash.h"

namespace twinset::inline v1 {
namespace {

// Of tokens in their order.
uint64_t Extend(uint64_t hash, const std::string& token) {
  return Mix64(hash ^ Hash64(token)) + 1;
}

}  // namespace

void ShortItems::Add(size_t item, const std::vector<std::string>& tokens) {
  uint64_t hash = 0;
  for (const std::string& token : tokens) hash = Extend(hash, token);
  by_hash_.emplace(hash, items_.size());
  longest_ = std::max(longest_, tokens.size());
  items_.push_back({item, tokens});
}

void ShortItems::Find(
    const std::vector<std::string>& tokens,
    const std::function<void(size_t, size_t, size_t)>& found) const {
  for (size_t begin = 0; begin < tokens.size(); ++begin) {
    uint64_t hash = 0;
    const size_t end = std::min(tokens.size(), begin + longest_);
    for (size_t at = begin; at < end; ++at) {
      hash = Extend(hash, tokens[at]);
      const auto [first, last] = by_hash_.equal_range(hash);
      for (auto entry = first; entry != last; ++entry) {
        const Item& item = items_[entry->second];
        if (item.tokens.size() == at + 1 - begin &&
            std::equal(item.tokens.begin(), item.tokens.end(),
                       tokens.begin() + static_cast<ptrdiff_t>(begin)))
          found(item.number, begin, item.tokens.size());
      }
    }
  }
}

}  // namespace twinset::inline v1
