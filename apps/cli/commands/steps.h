// Steps as --steps prints them.
#ifndef TWINSET_APPS_CLI_COMMANDS_STEPS_H_
#define TWINSET_APPS_CLI_COMMANDS_STEPS_H_

#include "cli/flags/flags.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/steps.h"

namespace twinset::cli {

// Aligned columns, or Markdown with --markdown.
inline void WriteSteps(const Request& request, const WrittenSteps& steps,
                       Output* out) {
  out->Write(Printable(request.markdown ? steps.markdown : steps.text,
                       /*lines=*/true));
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_STEPS_H_
