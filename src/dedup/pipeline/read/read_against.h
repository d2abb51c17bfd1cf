// How the second side of a match is read.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_READ_AGAINST_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_READ_AGAINST_H_

#include "read/reader.h"
#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// As the first side, whose options are `input` and `of_a`, but for what is said
// of the second.
Result<ReadOptions> ReadAgainst(const InputOptions& input,
                                const AgainstOptions& against,
                                const ReadOptions& of_a);

// What is said, as summary.json has it, and back.
Json AgainstJson(const AgainstOptions& against);
Result<AgainstOptions> AgainstOfJson(const Json& json);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_READ_AGAINST_H_
