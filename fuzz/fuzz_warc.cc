// WARC in any state: no crash, no loss of bytes, every ordinal once.
#include "read_archive.h"
#include "target.h"

TWINSET_FUZZ_TARGET(warc) {
  twinset::ReadArchive(data, size, twinset::MakeWarcReader);
  return 0;
}
