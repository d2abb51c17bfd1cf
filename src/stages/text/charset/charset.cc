// Which encoding a document is in.
#include "text/charset/charset.h"

#include <uchardet/uchardet.h>

#include <algorithm>
#include <memory>

#include "text/charset/charset_decode.h"

namespace twinset {
namespace {

constexpr size_t kDetectBytes = 256 << 10;

struct DeleteDetector {
  void operator()(uchardet* detector) const { uchardet_delete(detector); }
};

std::string_view AskUchardet(std::string_view bytes) {
  const std::unique_ptr<uchardet, DeleteDetector> detector(uchardet_new());
  if (detector == nullptr) return {};
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) {
    return {};
  }
  uchardet_data_end(detector.get());
  return CharsetForLabel(uchardet_get_charset(detector.get()));
}

// Returns true iff the first units of `bytes`, read with `high` the place of a
// unit's high byte, can only be text in UTF-16: at least half are ASCII text
// and none is NUL, a control character, a noncharacter or half a pair.
bool IsUtf16Text(std::string_view bytes, size_t high) {
  constexpr size_t kUnits = 512, kFewest = 8;
  const size_t units = std::min(bytes.size() / 2, kUnits);
  size_t ascii = 0;
  bool in_pair = false;
  for (size_t i = 0; i < units; ++i) {
    const auto byte = [&](size_t place) -> char32_t {
      return static_cast<unsigned char>(bytes[2 * i + place]);
    };
    const char32_t unit = byte(high) << 8 | byte(1 - high);
    const bool low_surrogate = (unit & 0xFC00) == 0xDC00;
    if (low_surrogate != in_pair || unit >= 0xFFFE) return false;
    in_pair = (unit & 0xFC00) == 0xD800;
    if (unit >= 0x7F) {
      if (unit <= 0x9F) return false;
    } else if (unit >= 0x20 || (unit >= 0x09 && unit <= 0x0D)) {
      ++ascii;
    } else {
      return false;
    }
  }
  return units >= kFewest && 2 * ascii >= units;
}

std::string_view Utf16WithoutMark(std::string_view bytes) {
  // Half of the units have a NUL, so the first few of them have one.
  if (bytes.substr(0, 1024).find('\0') == std::string_view::npos) return {};
  if (IsUtf16Text(bytes, 1)) return "UTF-16LE";
  if (IsUtf16Text(bytes, 0)) return "UTF-16BE";
  return {};
}

// ISO-2022-JP is the one encoding of the standard whose text looks like ASCII.
bool IsIso2022Jp(std::string_view ascii) {
  const size_t escape = ascii.find('\x1B');
  if (escape == std::string_view::npos) return false;
  const std::string_view rest = ascii.substr(escape);
  return (rest.find("\x1B$") != std::string_view::npos ||
          rest.find("\x1B(") != std::string_view::npos) &&
         AskUchardet(ascii.substr(0, kDetectBytes)) == "ISO-2022-JP";
}

// Byte order mark, label, markup; empty if none of them says anything.
std::string_view DeclaredCharset(std::string_view bytes,
                                 std::string_view declared, bool is_html) {
  std::string_view charset = CharsetForBom(bytes);
  if (charset.empty() && !declared.empty()) charset = CharsetForLabel(declared);
  if (charset.empty() && is_html) charset = PrescanMarkup(bytes);
  return charset;
}

// What the bytes themselves say, and a <meta> beyond the prescan.
struct Detection {
  std::string_view charset;
  bool is_valid_utf8 = false;  // and the charset UTF-8
};

Detection Detect(std::string_view bytes, bool is_html) {
  const std::string_view utf16 = Utf16WithoutMark(bytes);
  if (!utf16.empty()) return {utf16};
  const size_t valid = ValidUtf8Prefix(bytes);
  const size_t first = charset_internal::AsciiPrefix(bytes.substr(0, valid));
  if (is_html && (first == bytes.size() || valid < bytes.size())) {
    const std::string_view late = LateMetaCharset(bytes);
    if (!late.empty()) return {late};
  }
  if (valid == bytes.size()) {
    if (first == valid && IsIso2022Jp(bytes)) return {"ISO-2022-JP"};
    return {"UTF-8", true};
  }
  const std::string_view guess = AskUchardet(bytes.substr(first, kDetectBytes));
  // uchardet knows UTF-16 by its mark only, which is not there; the encodings
  // that the standard replaces wholesale would lose the document.
  if (guess.empty() || guess == "replacement" || guess == "UTF-16LE" ||
      guess == "UTF-16BE" || guess == "x-user-defined") {
    return {"windows-1252"};
  }
  return {guess};
}

}  // namespace

std::string_view CharsetForBom(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") return "UTF-8";
  if (bytes.substr(0, 2) == "\xFE\xFF") return "UTF-16BE";
  if (bytes.substr(0, 2) == "\xFF\xFE") return "UTF-16LE";
  return {};
}

std::string_view ChooseCharset(std::string_view bytes,
                               std::string_view declared, bool is_html) {
  const std::string_view charset = DeclaredCharset(bytes, declared, is_html);
  return charset.empty() ? Detect(bytes, is_html).charset : charset;
}

Result<DecodedView> DecodeDocument(std::string_view bytes,
                                   std::string_view declared, bool is_html,
                                   std::string* storage) {
  std::string_view charset = DeclaredCharset(bytes, declared, is_html);
  if (charset.empty()) {
    const Detection detected = Detect(bytes, is_html);
    if (detected.is_valid_utf8) return DecodedView{bytes, "UTF-8", false};
    charset = detected.charset;
  }
  return DecodeInto(charset, bytes, storage);
}

}  // namespace twinset
