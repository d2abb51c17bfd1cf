// Zip archives.
#include <string>

#include "read_bundle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  twinset::ReadBundle(std::string(reinterpret_cast<const char*>(data), size),
                      "input.zip");
  return 0;
}
