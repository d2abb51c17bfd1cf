#include "cli/commands/corpora/line_counts.h"

#include <fmt/format.h>

#include <string>

#include "cli/output.h"
#include "cli/values.h"
#include "twinset/plain_words.h"

namespace twinset::cli {

Json LineCountsJson(const LineCounts& counts) {
  return {{"lines", counts.lines},
          {"used", counts.used},
          {"left_out", Json(counts.left_out)},
          {"files", SidesJson(counts.files)},
          {"problems", Json(counts.problems)}};
}

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

std::vector<SideRead> SidesOf(std::initializer_list<CountedSide> counted) {
  std::vector<SideRead> sides;
  for (const auto& [side, counts] : counted) {
    for (SideRead file : counts->files) {
      file.side = side;
      sides.push_back(std::move(file));
    }
  }
  return sides;
}

void WriteSides(const std::vector<SideRead>& sides, Output* out) {
  if (!sides.empty()) out->Line("read: " + Printable(SidesText(sides)));
}

}  // namespace twinset::cli
