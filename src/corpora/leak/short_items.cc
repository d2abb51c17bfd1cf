#include "leak/short_items.h"

#include <algorithm>

#include "base/hash.h"
#include "base/keyed_hash.h"

namespace twinset {
namespace {

// Tokens of a text that are held at a time.
constexpr size_t kTokensHeld = 8192;
constexpr size_t kWordsAround = 5;  // an item, in its excerpt

// Extends a hash of tokens in their order.
uint64_t Extend(uint64_t hash, const std::string& token) {
  return Mix64(hash ^ EqualityHash::OfProcess().Short(token)) + 1;
}

}  // namespace

std::string ShortPlace::Excerpt() const {
  std::string words;
  const size_t first = begin < kWordsAround ? 0 : begin - kWordsAround;
  for (size_t i = first; i < tokens.size() && i < begin + count + kWordsAround;
       ++i)
    words += (words.empty() ? "" : " ") + tokens[i];
  return words;
}

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

// The window ends with enough words behind the last item that it is looked
// through for.
void ShortItems::ForEachPlace(
    std::string_view text, const FeatureExtractor& extractor,
    const std::function<void(const ShortPlace&)>& found) const {
  if (empty()) return;
  std::vector<std::string> window;
  size_t from = 0;
  const auto look = [&](size_t until) {
    Find(window, from, until,
         [&](std::span<const size_t> items, size_t begin, size_t count) {
           found({items, window, begin, count});
         });
    const size_t keep = until < kWordsAround ? 0 : until - kWordsAround;
    window.erase(window.begin(),
                 window.begin() + static_cast<std::ptrdiff_t>(keep));
    from = until - keep;
  };
  const size_t behind = longest_ + kWordsAround;
  extractor.ForEachToken(text, [&](const TokenView& token) {
    window.emplace_back(token.text);
    if (window.size() >= kTokensHeld + behind) look(window.size() - behind);
  });
  look(window.size());
}

}  // namespace twinset
