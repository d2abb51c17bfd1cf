// Any bytes, any declared label: the result is valid UTF-8 of bounded size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/charset.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace twinset;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  // The first line is the label, the rest the document.
  const size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  const std::string_view label = input.substr(0, line);
  const std::string_view bytes = input.substr(line + 1);
  for (const bool is_html : {false, true}) {
    const std::string_view charset = ChooseCharset(bytes, label, is_html);
    const auto decoded = DecodeFrom(charset, bytes);
    if (!decoded || decoded->text.size() > 3 * bytes.size() + 3 ||
        ValidUtf8Prefix(decoded->text) != decoded->text.size()) {
      std::abort();
    }
  }
  return 0;
}
