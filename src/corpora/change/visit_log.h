// Visits of addresses, joined to pages, and how many of them go to content
// that stands at several addresses (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_VISIT_LOG_H_
#define TWINSET_SRC_CORPORA_CHANGE_VISIT_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>

#include "base/hash.h"
#include "retrieval/study_lines.h"
#include "store/external_sort.h"
#include "twinset/corpora/change.h"

namespace twinset {

class VisitLog {
 public:
  // Makes two sorts, each with `sort.memory_bytes` of memory.
  VisitLog(const ExternalSortOptions& sort, MemoryBudget* budget);

  // Lines url,count; a first line that ends in a word is a header. What is no
  // such line is counted in `lines`.
  Status Read(const StudyText& text, LineCounts* lines);

  // The first address, for messages.
  const std::string& first_url() const { return first_url_; }

  // Visits of an address. Call with ascending hashes.
  Result<uint64_t> Take(const Hash128Value& address);
  // A page of the last snapshot, which has text.
  Status SeeLast(const Hash128Value& content, uint64_t visits);

  // Behind the last page.
  Result<ChangeVisits> Finish();

 private:
  struct Visit {
    Hash128Value key;  // of the address, or of the content
    uint64_t count = 0;
    friend bool operator<(const Visit& x, const Visit& y) {
      return std::tie(x.key.high, x.key.low, x.count) <
             std::tie(y.key.high, y.key.low, y.count);
    }
  };
  Status Move();

  ExternalSorter<Visit> visits_, contents_;
  Visit next_;
  bool has_next_ = false, is_begun_ = false;
  ChangeVisits sums_;
  std::string first_url_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_VISIT_LOG_H_
