// What decides the bytes of each work file, as a chain of hashes
// (docs/formats/saved-run.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_STAGE_HASHES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_STAGE_HASHES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/json.h"

namespace twinset {

// One hash a link: of the parameters that the link adds, seeded by the links
// that it rests on. Two runs with an equal link and equal inputs leave equal
// files there.
struct StageHashes {
  uint64_t read = 0;    // documents and the features that are verified
  uint64_t order = 0;   // after read: ranks and who leads a class
  uint64_t sketch = 0;  // after read: sketches, or views that are sketched
  uint64_t pairs = 0;   // after order and sketch: candidates, verified pairs
  uint64_t all = 0;     // after pairs: clusters, rows, what is written

  // The link that made work file `name` (PATH.idx is as PATH).
  uint64_t Of(std::string_view name) const;
  friend bool operator==(const StageHashes&, const StageHashes&) = default;
};

// `parameters`: as in summary.json; one that no later link names belongs to
// read. `features` says what is verified, so that methods that verify alike
// share the link.
StageHashes ChainOf(const Json& parameters, const std::string& features);

// Returns true iff `parameter`, a name in `parameters`, belongs to the link.
bool DecidesOrder(std::string_view parameter);
bool DecidesSketch(std::string_view parameter);
bool DecidesPairs(std::string_view parameter);
bool DecidesRows(std::string_view parameter);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_STAGE_HASHES_H_
