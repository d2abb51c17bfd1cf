// Systems made of search engines: the same topics asked in several ways
// (docs/methods/run-evaluation.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_ENGINE_RUNS_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_ENGINE_RUNS_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "retrieval/study_lines.h"
#include "twinset/error.h"

namespace twinset {

// A number and the words of a query.
struct StudyTopic {
  std::string id, query;
};

// Lines "ID:QUERY" or "ID<tab>QUERY". Lines without an id or a query, with
// white space in the id, and repeated ids are left out and counted.
Status ReadTopics(const std::string& path, const LineReadOptions& lines,
                  LineCounts* counts, std::vector<StudyTopic>* topics);

// The answers of an engine to one topic, best first, by configuration.
using AskEngine = std::function<Result<std::vector<std::string>>(
    const std::vector<std::string>& terms, bool conjunctive)>;

inline constexpr size_t kConfigurations = 8;
// "all", "any", "all-then-any", "first-two", "longest-two", "long-words",
// "votes", "fused".
std::string_view ConfigurationName(size_t configuration);

// At most `depth` pages for each configuration. `terms` is not empty. Asks each
// different question once.
Result<std::vector<std::vector<std::string>>> RankConfigurations(
    const std::vector<std::string>& terms, size_t depth, const AskEngine& ask);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_ENGINE_RUNS_H_
