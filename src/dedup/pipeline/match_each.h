// A match against several saved runs, one after the other
// (docs/formats/results.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_MATCH_EACH_H_
#define TWINSET_SRC_DEDUP_PIPELINE_MATCH_EACH_H_

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/error.h"

namespace twinset {

// Returns true iff these are two saved runs or more, and nothing else.
bool AreSavedRuns(const std::vector<std::string>& against);

// The match against one of them, into a folder of its own.
MatchOptions MatchOfRun(const MatchOptions& options, const std::string& run,
                        const std::string& folder);

// kUsage for what a match against each alone cannot be put together from.
Status CheckMatchEach(const MatchOptions& options);

// Matches against each run of options.against alone. Lists are those of these
// matches one after the other, and each row has the name of its run; a document
// of A is dropped if it is in any of them. Memory: that of one match, and half
// a megabyte.
Result<MatchSummary> MatchEach(const MatchOptions& options,
                               std::span<const std::string> names,
                               std::chrono::steady_clock::time_point begin);

// Match, where results know each of options.against by one of `names`. Its time
// counts from `begin` on.
Result<MatchSummary> MatchNamed(const MatchOptions& options,
                                std::span<const std::string> names,
                                std::chrono::steady_clock::time_point begin);

// The errors of Match that its inputs alone, unread, decide.
Status CheckMatch(const MatchOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_MATCH_EACH_H_
