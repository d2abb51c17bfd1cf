// Lists of captures, and WACZ files, of any bytes: every line has an address
// and a digest in its one form, or says why it has not.
#include "read/bundle/capture_list.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(capture_list) {
  const auto list = twinset::ReadCaptureListFromMemory(
      std::string(reinterpret_cast<const char*>(data), size), {});
  if (!list) return 0;
  twinset::ListedCapture capture;
  for (;;) {
    const auto more = (*list)->Next(&capture);
    if (!more || !*more) return 0;
    if (!capture.why.empty()) continue;
    twinset::Require(!capture.url.empty());
    twinset::Require(twinset::DigestOfList(capture.digest) == capture.digest);
  }
}
