#include "text/clean_text.h"

#include <algorithm>

#include "text/charset.h"
#include "text/html.h"

namespace twinset {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;  // times 3 fits an offset

// Binary data declared as text: more than one character in 32, and at least
// four, are NULs or control characters that no text has. (Bytes drawn at random
// have one in nine; a text in the wrong charset has none.)
bool IsBinary(std::string_view text) {
  uint64_t controls = 0, characters = 0;
  while (!text.empty()) {
    // Counters of one byte, so that the compiler counts a vector at a time.
    const std::string_view block = text.substr(0, 192);
    uint8_t block_controls = 0, block_characters = 0;
    for (const char c : block) {
      const auto byte = static_cast<unsigned char>(c);
      block_characters += (byte & 0xC0) != 0x80;
      // Below space, but not \b \t \n \v \f \r or ESC.
      block_controls +=
          (byte < 0x20) & ((byte < 0x08) | (byte > 0x0D)) & (byte != 0x1B);
    }
    controls += block_controls;
    characters += block_characters;
    text.remove_prefix(block.size());
  }
  return controls >= 4 && controls * 32 > characters;
}

}  // namespace

Result<CleanText> ExtractText(const Document& document,
                              const TextOptions& options) {
  if (document.kind == ContentKind::kBytes) {
    return Fail(ErrorCode::kUnsupported,
                "no text can be made of type " +
                    (document.mime.empty() ? "unknown" : document.mime));
  }
  if (document.payload.size() > kMaxTextBytes) {
    return Fail(ErrorCode::kUnsupported, "documents above 1 GB have no text");
  }
  CleanText clean;
  if (document.kind == ContentKind::kText) {
    clean.charset = "UTF-8";
    clean.text.reserve(document.payload.size());
    clean.malformed = !AppendValidUtf8(document.payload, &clean.text);
    if (IsBinary(clean.text)) {
      return Fail(ErrorCode::kUnsupported, "binary data declared as text");
    }
    if (options.keep_offsets) clean.offsets.push_back({0, 0});
    return clean;
  }
  const bool is_html = document.kind == ContentKind::kHtml;
  const std::string_view charset =
      ChooseCharset(document.payload, document.charset, is_html);
  TWINSET_ASSIGN(DecodedText decoded, DecodeFrom(charset, document.payload));
  if (IsBinary(decoded.text)) {
    return Fail(ErrorCode::kUnsupported, "binary data declared as text");
  }
  clean.charset = decoded.charset;
  clean.malformed = decoded.malformed;
  if (is_html) {
    ExtractHtml(decoded.text, options.keep_offsets, &clean);
  } else {
    clean.text = std::move(decoded.text);
    if (options.keep_offsets) clean.offsets.push_back({0, 0});
  }
  return clean;
}

uint32_t SourceOffset(const CleanText& text, uint32_t clean) {
  const auto after =
      std::upper_bound(text.offsets.begin(), text.offsets.end(), clean,
                       [](uint32_t position, const OffsetEntry& entry) {
                         return position < entry.clean;
                       });
  if (after == text.offsets.begin()) return clean;
  const OffsetEntry& entry = *(after - 1);
  return entry.source + (clean - entry.clean);
}

}  // namespace twinset
