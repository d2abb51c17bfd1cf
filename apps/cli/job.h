// What the commands that write a result folder have in common.
#ifndef TWINSET_APPS_CLI_JOB_H_
#define TWINSET_APPS_CLI_JOB_H_

#include <cstdint>
#include <string_view>

#include "flags.h"
#include "output.h"
#include "twinset/error.h"

namespace twinset::cli {

// Inputs and a folder are given, and no flags that contradict each other.
Status CheckJob(const Request& request);

// The options of a run over the operands of the command.
template <typename Options>
Options RunOptionsOf(const Request& request) {
  Options options;
  CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions,
            ClusterOptions, ScopeOptions, UnitOptions>(request.options,
                                                       &options);
  options.checkpoint_seconds =
      SecondsFor("TWINSET_CHECKPOINT_SECONDS", options.checkpoint_seconds);
  options.input.inputs = request.operands;
  return options;
}

// After a signal that came when the run stood at `last`: says what is kept and
// how to go on, returns the exit code.
int TellInterrupted(std::string_view command, const Request& request,
                    const Progress& last, int signal);

// One line about quarantined records, if there are any.
void TellQuarantined(std::string_view command, const Request& request,
                     uint64_t quarantined);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_JOB_H_
