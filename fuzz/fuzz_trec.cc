// TREC files, as read_rows.h checks them.
#include "read_rows.h"
#include "target.h"

TWINSET_FUZZ_TARGET(trec) {
  twinset::ReadRows(data, size, twinset::InputFormat::kTrec);
  return 0;
}
