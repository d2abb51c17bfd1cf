// twinset rescue.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunRescue(const Request& request) {
  (void)request;
  return TellError("rescue",
                   {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
