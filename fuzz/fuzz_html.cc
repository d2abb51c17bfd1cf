// Any markup on both paths: valid UTF-8, offsets inside the source that ascend
// in the text, and the same text with and without offsets.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/charset.h"
#include "text/html.h"

namespace {

void Check(std::string_view html, const twinset::CleanText& with,
           const twinset::CleanText& without) {
  if (with.text != without.text || with.links != without.links) std::abort();
  if (twinset::ValidUtf8Prefix(with.text) != with.text.size()) std::abort();
  uint32_t last = 0;
  for (size_t i = 0; i < with.offsets.size(); ++i) {
    const auto& entry = with.offsets[i];
    if (i > 0 && entry.clean <= last) std::abort();
    if (entry.clean >= with.text.size()) std::abort();
    last = entry.clean;
  }
  for (uint32_t i = 0; i < with.text.size(); ++i) {
    if (twinset::SourceOffset(with, i) > html.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace twinset;
  std::string html;
  AppendValidUtf8({reinterpret_cast<const char*>(data), size}, &html);
  CleanText with, without;
  ExtractHtml(html, true, &with);
  ExtractHtml(html, false, &without);
  Check(html, with, without);
  CleanText stripped_with, stripped_without;
  StripHtml(html, true, &stripped_with);
  StripHtml(html, false, &stripped_without);
  Check(html, stripped_with, stripped_without);
  return 0;
}
