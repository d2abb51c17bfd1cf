// What happened to the inputs of a run over files.
#ifndef TWINSET_RUN_SUMMARY_H_
#define TWINSET_RUN_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/result_page.h"

namespace twinset {
inline namespace v1 {

struct RunSummary {
  uint64_t records = 0, documents = 0, skipped = 0, quarantined = 0, empty = 0;
  bool complete = true;  // false: an input could not be read to its end
  std::vector<std::string> warnings;  // one line each, for stderr
  std::vector<std::string> notices;   // what is worth a look, one line each
  Json json;                          // what summary.json holds
  ResultPage page;                    // the finding
  double seconds = 0;
  std::optional<JudgementCounts> judgements;  // of the listed pairs
};

inline const Json& SummaryJson(const RunSummary& summary) {
  return summary.json;
}

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_RUN_SUMMARY_H_
