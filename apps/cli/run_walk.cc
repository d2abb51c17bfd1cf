// twinset walk.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunWalk(const Request& request) {
  (void)request;
  return TellError("walk", {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
