#include "cli/commands/corpora/line_counts.h"

#include <fmt/format.h>

#include <string>

#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {

namespace {

void TellLineCounts(std::string_view command, std::string_view what,
                    const LineCounts& counts) {
  const uint64_t all = counts.left_out_in_all();
  if (all == 0) return;
  std::string reasons;
  for (const auto& [reason, count] : counts.left_out)
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ",
                           NumberText(count), reason);
  Tell(command, fmt::format("{} of {} left out: {}", CountText(all, "line"),
                            what, reasons));
  for (const std::string& problem : counts.problems) Tell(command, problem);
  if (all > counts.problems.size())
    Tell(command,
         fmt::format("and {} more", NumberText(all - counts.problems.size())));
}

}  // namespace

void TellLinesRead(std::string_view command, const LinesRead& read) {
  for (const LinesOf& of : read)
    TellLineCounts(command, of.name.empty() ? of.side : of.side + " " + of.name,
                   *of.counts);
}

}  // namespace twinset::cli
