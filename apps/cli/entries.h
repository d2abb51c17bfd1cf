// Commands that list what is inside: methods, presets.
#ifndef TWINSET_APPS_CLI_ENTRIES_H_
#define TWINSET_APPS_CLI_ENTRIES_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.h"
#include "cli/generate.h"
#include "cli/output.h"
#include "twinset/json.h"

namespace twinset::cli {

// Prints a line for each entry, or, when operands name some, all that is said
// of these; with --json the rows. `more` is what naming one tells. Returns the
// exit code.
template <typename Item, typename Row, typename Text>
int TellEntries(std::string_view command, const Request& request,
                const std::vector<Item>& entries, const Row& row,
                const Text& text, std::string_view more) {
  constexpr size_t kColumn = 22;
  const std::vector<std::string>& asked = request.operands;
  Json rows = Json::array();
  std::string said;
  for (const Item& entry : entries) {
    if (!asked.empty() && std::ranges::find(asked, entry.name) == asked.end())
      continue;
    rows.push_back(row(entry));
    said += asked.empty() ? Entry(entry.name, entry.summary, kColumn)
                          : (said.empty() ? "" : "\n") + text(entry);
  }
  if (asked.empty())
    said += "\ntwinset " + std::string(command) +
            " NAME says more: " + std::string(more) + ".\n";
  Output out;
  out.Write(request.json ? rows.dump(2) + "\n" : said);
  return out.Finish(command);
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_ENTRIES_H_
