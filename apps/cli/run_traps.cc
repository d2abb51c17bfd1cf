// twinset traps.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunTraps(const Request& request) {
  (void)request;
  return TellError("traps", {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
