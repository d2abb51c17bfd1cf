// twinset engine.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunEngine(const Request& request) {
  (void)request;
  return TellError("engine",
                   {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
