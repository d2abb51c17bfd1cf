// twinset version
#include "twinset/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "twinset/json.h"
#include "twinset/methods.h"

namespace twinset::cli {
namespace {

int RunVersion(const Request& request) {
  Output out;
  const std::vector<std::string> targets = SimdTargets();
  if (request.json)
    out.Line(Json{{"name", "twinset"},
                  {"version", kVersion},
                  {"spec", kSpecNumber},
                  {"simd", targets}}
                 .dump(2));
  else
    out.Write(fmt::format(
        "twinset {}\nspec {}\nSIMD targets of this machine, best first: {}\n",
        kVersion, kSpecText, fmt::join(targets, ", ")));
  return out.Finish("version");
}

Command VersionCommand() {
  return {
      .name = "version",
      .group = CommandGroup::kShelf,
      .help = "version, spec and the SIMD targets of this machine",
      .long_help =
          "The spec is a number that pins everything a result depends on: two "
          "programs of one spec give the same bytes.",
      .everyday = {"--json"},
      .shared = {"--json"},
      .texts = {kOneJsonDocument, kOnlyTheAnswer},
      .refusals = {kReadsNoDocuments},
      .run = RunVersion};
}

}  // namespace

const Registration kVersion(VersionCommand);

}  // namespace twinset::cli
