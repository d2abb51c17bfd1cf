// Items of fewer words than a shingle, found in any text word by word.
#ifndef TWINSET_SRC_STUDY_SHORT_ITEMS_H_
#define TWINSET_SRC_STUDY_SHORT_ITEMS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace twinset::inline v1 {

class ShortItems {
 public:
  // `tokens` are not none.
  void Add(size_t item, const std::vector<std::string>& tokens);
  bool empty() const { return items_.empty(); }

  // Calls `found` with each item that stands in the text, once for each of its
  // places, the token at which it begins and how many it has. Time: tokens
  // times the longest item.
  void Find(const std::vector<std::string>& tokens,
            const std::function<void(size_t item, size_t begin, size_t count)>&
                found) const;

 private:
  struct Item {
    size_t number;
    std::vector<std::string> tokens;
  };
  size_t longest_ = 0;
  std::vector<Item> items_;
  std::unordered_multimap<uint64_t, size_t> by_hash_;  // indices of items_
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_STUDY_SHORT_ITEMS_H_
