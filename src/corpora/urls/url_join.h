// Joins two sorted lists of addresses and counts what they share
// (docs/methods/url-overlap.md).
#ifndef TWINSET_SRC_CORPORA_URLS_URL_JOIN_H_
#define TWINSET_SRC_CORPORA_URLS_URL_JOIN_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "store/external_sort.h"
#include "store/run_file.h"
#include "twinset/corpora/urls.h"
#include "twinset/error.h"
#include "urls/url_forms.h"

namespace twinset {

// Bits of HostTally::kind.
inline constexpr uint32_t kTallyOfB = 1, kTallyJudged = 2;
inline constexpr uint32_t kTallyRaw = 4;    // the other list has it as written
inline constexpr uint32_t kTallyFound = 8;  // ... under all rules

// So many lines of a host are of one kind.
struct HostTally {
  uint64_t host = 0;
  uint32_t kind = 0, lines = 0;
  std::array<uint64_t, 1> SortWords() const { return {host}; }
  friend auto operator<=>(const HostTally&, const HostTally&) = default;
};

// Lines that are spelled alike.
struct UrlSpelling {
  UrlLine line;  // without flags
  uint64_t a = 0, b = 0, judged_a = 0, judged_b = 0;
};

// Takes lines in their order. What shares a key is held together as far as its
// spellings are few, else in sorters of its own below `folder`.
class UrlJoin {
 public:
  // Whatever is handed over outlives the join.
  UrlJoin(std::string folder, MemoryBudget* budget,
          ExternalSorter<HostTally>* tallies);
  ~UrlJoin();

  Status Add(const UrlLine& line);
  Status Finish();  // behind the last line

  // After Finish: of a form of url_forms.h, kKeyForm included.
  UrlOverlap Of(size_t form) const;

  // Spellings of one key that are held in memory; for tests.
  void set_most_held(size_t most) { most_held_ = most; }

 private:
  using Spelling = UrlSpelling;
  struct FormCount {
    uint64_t number = 0, a = 0, b = 0;
    std::array<uint64_t, 1> SortWords() const { return {number}; }
    friend auto operator<=>(const FormCount&, const FormCount&) = default;
  };
  struct Large;  // a key with too many spellings

  static void Count(uint64_t a, uint64_t b, UrlOverlap* overlap);
  Status EndSpelling();
  Status EndKey();
  Status EndLarge();
  Status Hold(const Spelling& spelling);
  void CountForm(size_t form);
  Status Tally(const Spelling& spelling, bool a_found, bool b_found);
  Status Tally(uint64_t host, uint32_t kind, uint64_t lines);

  std::string folder_;
  MemoryBudget* budget_;
  ExternalSorter<HostTally>* tallies_;
  size_t most_held_ = 1 << 14;
  std::optional<Spelling> open_;
  std::vector<Spelling> held_;  // of one key
  std::unique_ptr<Large> large_;
  uint64_t key_a_ = 0, key_b_ = 0;  // lines of the key
  uint64_t larges_ = 0;
  std::vector<FormCount> counts_;  // kept for its memory
  std::array<UrlOverlap, kUrlForms + 1> overlaps_ = {};
  UrlOverlap alike_;  // of keys with one spelling: the same for all forms
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_URLS_URL_JOIN_H_
