// Tar archives, as they are and with every header's checksum made right.
#include <algorithm>
#include <cstdio>
#include <string>

#include "read_bundle.h"
#include "target.h"

TWINSET_FUZZ_TARGET(tar) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  twinset::ReadBundle(bytes, "input.tar");
  for (size_t at = 0; at + 512 <= bytes.size(); at += 512) {
    if (bytes.compare(at + 257, 5, "ustar") != 0) continue;
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at) + 148, 8, ' ');
    unsigned sum = 0;
    for (size_t i = 0; i < 512; ++i) sum += static_cast<uint8_t>(bytes[at + i]);
    char text[8];
    std::snprintf(text, sizeof text, "%06o", sum);
    bytes.replace(at + 148, 7, std::string(text, 7));
  }
  twinset::ReadBundle(bytes, "input.tar");
  return 0;
}
