// twinset auction.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunAuction(const Request& request) {
  (void)request;
  return TellError("auction",
                   {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
