// Which items leak by a document, and where they stand in it, for documents one
// by one: all items are held (docs/methods/leak.md).
#ifndef TWINSET_SRC_CORPORA_LEAK_ITEM_SEARCH_H_
#define TWINSET_SRC_CORPORA_LEAK_ITEM_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "leak/leak_rules.h"
#include "text/tokens/features.h"
#include "twinset/corpora/leak.h"
#include "twinset/error.h"
#include "verify/verifier.h"

namespace twinset {

struct FoundItem {
  uint32_t item = 0;  // in the order of Add
  LeakKind kind = LeakKind::kEmbedded;
  double share = 0;  // of its shingles, or by the rule of its words
};

// A stretch of a text, in bytes or words.
struct TextStretch {
  size_t begin = 0, end = 0;
  friend bool operator==(const TextStretch&, const TextStretch&) = default;
};

// In this order: Make, Add for each item, Index, and then, by any threads at
// once, Find and WhatStays. Memory: see bytes(); a call takes kTimesText bytes
// for each byte of its text beside.
class ItemSearch {
 public:
  static constexpr uint64_t kTimesText = 48;

  // `secret`: under which shingles are compared.
  static Result<ItemSearch> Make(const LeakOptions& options,
                                 const HashKey& secret);
  void Add(std::string_view text);
  void Index();
  uint64_t bytes() const;
  size_t size() const { return items_.size(); }

  // For a rule with most_documents, behind Index: every document is to be
  // counted, once, by the numbers of the items' shingles in it, which are the
  // same under every secret; then IgnoreFrequent. False for numbers of none.
  // One thread.
  bool ignores_frequent() const { return rule_.most_documents > 0; }
  std::vector<uint64_t> CountedIn(std::string_view text);
  bool CountDocument(std::span<const uint64_t> shingles);
  void IgnoreFrequent();

  // Every item that leaks by this document, in their order. `tokens`, if not
  // null, gets those of the text.
  std::vector<FoundItem> Find(std::string_view text,
                              uint64_t* tokens = nullptr) const;

  // For each of `found`, in a text where it was found, its passages, ascending,
  // in bytes: words in shingles of the item, with at most `gap` others between
  // two where the item goes on, and of these stretches the long ones, or all if
  // none is; each goes on at its ends as Places::Widen says.
  std::vector<std::vector<TextStretch>> Passages(
      std::string_view text, const std::vector<FoundItem>& found) const;

  // What stays of a text when all passages are cut, again and again until no
  // item leaks by it.
  struct Cut {
    std::string text;
    bool goes = false;  // by most_pieces, or cutting does not end
  };
  Cut WhatStays(std::string_view text) const;

 private:
  struct Item {
    std::vector<uint64_t> shingles;  // that count: ascending, distinct
    std::vector<uint64_t> in_order;  // all
    std::vector<uint64_t> in_words;  // hashes of its words
    uint64_t words = 0;
  };
  class Places;
  ItemSearch() = default;
  Features FeaturesOf(std::string_view text) const;
  std::vector<uint64_t> WordsOf(std::string_view text) const;
  void NumberShingles();
  std::vector<uint32_t> Candidates(const std::vector<uint64_t>& shingles) const;
  double ShareOf(const Item& item, const Features& features) const;
  double CoveredShare(const Item& item, const Features& features) const;
  // In words.
  std::vector<std::vector<TextStretch>> PassagesAt(
      const Places& places, const std::vector<FoundItem>& found) const;
  Cut CutOnce(std::string_view text, const std::vector<FoundItem>& found) const;

  LeakRuleInfo rule_;
  double whole_ = 0;   // the share of an item that is the whole document
  uint32_t gram_ = 0;  // words of a shingle
  std::unique_ptr<FeatureExtractor> open_, secret_;
  std::unique_ptr<Verifier> verifier_;
  std::vector<Item> items_;
  // A document by which an item leaks has one of these shingles of it: by
  // shingle, the numbers of such items.
  std::unordered_map<uint64_t, std::vector<uint32_t>> index_;
  // While documents are counted: numbers of shingles, in the order of the items
  // and their texts, and by number how many documents have each.
  std::unordered_map<uint64_t, uint64_t> numbers_;
  std::vector<uint64_t> documents_;
  uint64_t words_ = 0, entries_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_LEAK_ITEM_SEARCH_H_
