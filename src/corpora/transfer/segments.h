// Which part of B a document is in.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_SEGMENTS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_SEGMENTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transfer/study_plan.h"
#include "twinset/error.h"

namespace twinset {

// The segment of ids that the expression does not match.
inline constexpr char kNoSegment[] = "(none)";

// The documents of B are told in their order; then each id has its segment. By
// a pattern nothing is kept; without one 16 bytes per document.
class Segments {
 public:
  // kUsage for an expression that is none.
  static Result<Segments> Make(const StudyPlan& plan, uint64_t most_bytes);
  Segments(Segments&&) noexcept;
  Segments& operator=(Segments&&) noexcept;
  ~Segments();

  // `input`: its number among the inputs of B. kUsage for more segments than
  // kMostSegments, kMemory for more documents than fit.
  Status Add(std::string_view id, size_t input);
  // Behind the last document: orders segments by name where a pattern tells
  // them, as a crawl's numbers do; inputs stay in their order.
  void Finish();

  const std::vector<std::string>& names() const { return names_; }
  // Documents of each.
  const std::vector<uint64_t>& sizes() const { return sizes_; }
  // kInternal for an id that was not added.
  Result<uint32_t> Of(std::string_view id) const;

 private:
  struct Pattern;
  Segments();
  Result<std::string> NameOf(std::string_view id) const;

  std::unique_ptr<Pattern> pattern_;
  uint64_t most_bytes_ = 0;
  std::vector<std::string> names_;
  std::vector<uint64_t> sizes_;
  std::vector<std::pair<uint64_t, uint32_t>> of_ids_;  // hash, segment
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_SEGMENTS_H_
