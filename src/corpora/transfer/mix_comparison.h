// What mixes of n-grams find, beside each other: from which judged documents
// each of them found, segment by segment.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_MIX_COMPARISON_H_
#define TWINSET_SRC_CORPORA_TRANSFER_MIX_COMPARISON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/id_table.h"
#include "transfer/study_plan.h"
#include "twinset/corpora/study_mixes.h"
#include "twinset/error.h"

namespace twinset {

// By number of the judged document, a bit a segment: where it has a candidate,
// where a near-duplicate.
struct FoundMasks {
  std::string mix;  // "complete" for the join
  std::vector<uint64_t> found, near;
};

// Rows "document,found,near" of documents with a candidate, both hexadecimal.
Status WriteMasks(const FoundMasks& masks, const IdTable& judged,
                  const std::string& path);
// kCorrupt for what WriteMasks did not write.
Result<FoundMasks> ReadMasks(std::string mix, const IdTable& judged,
                             const std::string& path);

// What one finds and another misses, recall against the complete join where it
// is among them, capture-recapture of documents with a near-duplicate, and the
// share of found documents whose address B has too (`same_address`, by number).
StudyMixes CompareMixes(const std::vector<FoundMasks>& mixes,
                        const std::vector<char>& same_address);

// Fits on some segments, judged at all of them; where B is a part of a whole,
// fits on all of them, read there (`whole`).
StudyExtrapolation ExtrapolateMixes(const std::vector<FoundMasks>& mixes,
                                    uint32_t segments, const StudyPlan& plan);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_MIX_COMPARISON_H_
