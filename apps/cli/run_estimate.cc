// twinset estimate.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunEstimate(const Request& request) {
  (void)request;
  return TellError("estimate",
                   {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
