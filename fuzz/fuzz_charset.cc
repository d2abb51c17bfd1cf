// Any bytes, any declared label: the result is valid UTF-8 of bounded size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "target.h"
#include "text/charset/charset.h"

TWINSET_FUZZ_TARGET(charset) {
  using namespace twinset;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  // The first line is the label, the rest the document.
  const size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  const std::string_view label = input.substr(0, line);
  const std::string_view bytes = input.substr(line + 1);
  std::string storage;
  for (const bool is_html : {false, true}) {
    const std::string_view charset = ChooseCharset(bytes, label, is_html);
    const auto decoded = DecodeFrom(charset, bytes);
    if (!decoded || decoded->text.size() > 3 * bytes.size() + 3 ||
        ValidUtf8Prefix(decoded->text) != decoded->text.size()) {
      std::abort();
    }
    const auto document = DecodeDocument(bytes, label, is_html, &storage);
    if (!document || document->text != decoded->text ||
        document->charset != charset ||
        document->malformed != decoded->malformed) {
      std::abort();
    }
  }
  // The whole standard: the first byte of the input picks the encoding too.
  constexpr const char* kLabels[] = {"gb18030",     "big5",          "euc-jp",
                                     "iso-2022-jp", "sjis",          "euc-kr",
                                     "utf-16le",    "utf-16be",      "utf-8",
                                     "koi8-r",      "x-user-defined"};
  const std::string_view charset =
      CharsetForLabel(kLabels[data[0] % std::size(kLabels)]);
  const auto decoded = DecodeInto(charset, bytes, &storage);
  if (!decoded || decoded->text.size() > 3 * bytes.size() + 3 ||
      ValidUtf8Prefix(decoded->text) != decoded->text.size()) {
    std::abort();
  }
  return 0;
}
