// Which judged documents of a list of addresses stand in another one, as pairs
// of their ids (docs/formats/urls.md).
#ifndef TWINSET_SRC_CORPORA_URLS_ADDRESS_PAIRS_H_
#define TWINSET_SRC_CORPORA_URLS_ADDRESS_PAIRS_H_

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/lists/number_set.h"
#include "base/memory_budget.h"
#include "store/external_sort.h"
#include "twinset/error.h"
#include "urls/url_forms.h"

namespace twinset {

// Takes the judged lines of A, then all of B, of which it keeps those with the
// key of one of them. One thread at a time.
class AddressPairs {
 public:
  // Work files in `folder`; up to `bytes` of the budget, which outlives it.
  AddressPairs(std::string folder, uint64_t bytes, MemoryBudget* budget);

  // A line of A whose id is judged.
  Status AddJudged(const UrlLine& line, std::string_view id);
  void EndOfA() { keys_.Finish(); }
  // A line of B; one without an id is in no pair.
  Status AddOther(const UrlLine& line, std::string_view id);
  // Writes a row for each two of one key: by key, then in the order of A, then
  // of B. `rules`: those of the lines. Returns how many rows there are.
  Result<uint64_t> Write(const std::string& path,
                         const std::vector<UrlRule>& rules);

 private:
  struct Line {
    uint64_t key_high = 0, key_low = 0;
    uint64_t is_b = 0;
    uint64_t id_at = 0, id_bytes = 0;  // in the file of ids, in their order
    std::array<uint32_t, kUrlForms> forms = {};
    uint32_t unused = 0;
    std::array<uint64_t, 2> SortWords() const { return {key_high, key_low}; }
    bool IsOfKey(const Line& other) const {
      return key_high == other.key_high && key_low == other.key_low;
    }
    friend auto operator<=>(const Line&, const Line&) = default;
  };
  static_assert(sizeof(Line) == 5 * 8 + (kUrlForms + 1) * 4);

  Status Add(const UrlLine& line, bool is_b, std::string_view id);
  Status Flush();
  Result<std::string> IdOf(const Line& line) const;

  std::string folder_;
  NumberSet keys_;
  ExternalSorter<Line> lines_;
  File ids_;
  std::string buffer_;  // the end of the ids
  uint64_t written_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_URLS_ADDRESS_PAIRS_H_
