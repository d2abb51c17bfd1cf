// Zip archives.
#include <string>

#include "read_bundle.h"
#include "target.h"

TWINSET_FUZZ_TARGET(zip) {
  twinset::ReadBundle(std::string(reinterpret_cast<const char*>(data), size),
                      "input.zip");
  return 0;
}
