// What --kinds keeps of a document, made of any bytes: refused, or read and
// written back the same.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/read/judged_text.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(judged_text) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<uint64_t> layout;
  const auto text = twinset::DecodeJudged(bytes, &layout);
  if (text) twinset::Require(twinset::EncodeJudged(*text, layout) == bytes);
  return 0;
}
