// JSON Lines, as read_rows.h checks them.
#include "read_rows.h"
#include "target.h"

TWINSET_FUZZ_TARGET(jsonl) {
  twinset::ReadRows(data, size, twinset::InputFormat::kJsonl);
  return 0;
}
