// twinset sample.
#include "commands.h"
#include "output.h"
#include "studies.h"

namespace twinset::cli {

int RunSample(const Request& request) {
  (void)request;
  return TellError("sample",
                   {ErrorCode::kUnsupported, "not there yet", {}, {}});
}

}  // namespace twinset::cli
