// CSV and TSV, as read_rows.h checks them.
#include "read_rows.h"
#include "target.h"

TWINSET_FUZZ_TARGET(csv) {
  twinset::ReadRows(data, size, twinset::InputFormat::kCsv);
  return 0;
}
