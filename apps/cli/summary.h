// What a finished `dedup` tells a human.
#ifndef TWINSET_APPS_CLI_SUMMARY_H_
#define TWINSET_APPS_CLI_SUMMARY_H_

#include <cstdint>
#include <string>

#include "cli/flags/flags.h"
#include "twinset/dedup.h"

namespace twinset::cli {

// A short text that ends with what to try next. Counts come from `summary`,
// details from its JSON as far as it has them. `bytes` of input were read (0:
// unknown).
std::string SummaryText(const Request& request, const DedupSummary& summary,
                        uint64_t bytes);
std::string SummaryText(const Request& request, const CutSummary& summary,
                        uint64_t bytes);

// The rows that say where the results of a run are.
std::string PlaceRows(const FlagOptions& options);
// How to see its pairs, unless it has written a report.
std::string PageAdvice(const FlagOptions& options);

// One line on why a run that ended is not complete.
std::string IncompleteText(const Request& request, const RunSummary& summary);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_SUMMARY_H_
