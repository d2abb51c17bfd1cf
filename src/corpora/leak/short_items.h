// Items of fewer words than a shingle, found in any text word by word.
#ifndef TWINSET_SRC_CORPORA_LEAK_SHORT_ITEMS_H_
#define TWINSET_SRC_CORPORA_LEAK_SHORT_ITEMS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokens/features.h"

namespace twinset {

// Where items of the same tokens stand in a text, for the time of a call.
struct ShortPlace {
  std::span<const size_t> items;
  const std::vector<std::string>& tokens;  // a part of the text
  size_t begin = 0, count = 0;             // in it

  // The tokens with some words around them.
  std::string Excerpt() const;
};

class ShortItems {
 public:
  // `tokens` are not none.
  void Add(size_t item, const std::vector<std::string>& tokens);
  bool empty() const { return groups_.empty(); }

  size_t longest() const { return longest_; }

  // Calls `found` once for each place from token `from` up to `until` where
  // items stand: all items of these tokens, the token at which they begin and
  // how many they have. Time: tokens times the longest item, however many items
  // are equal.
  void Find(const std::vector<std::string>& tokens, size_t from, size_t until,
            const std::function<void(std::span<const size_t> items,
                                     size_t begin, size_t count)>& found) const;
  // The same in a whole text, of which a window is held, however long it is.
  void ForEachPlace(std::string_view text, const FeatureExtractor& extractor,
                    const std::function<void(const ShortPlace&)>& found) const;

 private:
  struct Group {
    std::vector<std::string> tokens;
    std::vector<size_t> items;
  };
  // Null when there is none.
  const Group* FindGroup(uint64_t hash,
                         std::span<const std::string> tokens) const;

  size_t longest_ = 0;
  std::vector<Group> groups_;
  std::unordered_multimap<uint64_t, size_t> by_hash_;  // indices of groups_
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_SHORT_ITEMS_H_
