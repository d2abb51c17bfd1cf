// TREC files, as read_rows.h checks them.
#include "read_rows.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  twinset::ReadRows(data, size, twinset::InputFormat::kTrec);
  return 0;
}
