// ARC in any state: no crash, no loss of bytes, every ordinal once.
#include "read_archive.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  twinset::ReadArchive(data, size, twinset::MakeArcReader);
  return 0;
}
