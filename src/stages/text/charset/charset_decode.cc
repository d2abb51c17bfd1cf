// Decoding from an encoding that is known: views of what is UTF-8 already,
// single-byte encodings, UTF-16, x-user-defined and replacement.
#include "text/charset/charset_decode.h"

#include <utility>

#include "base/ascii.h"
#include "text/charset/charset.h"

namespace twinset {
namespace charset_internal {
namespace {

// A single-byte encoding has the index of its name in lower case;
// ISO-8859-8-I differs from ISO-8859-8 in the order of display only.
std::string IndexName(std::string_view charset) {
  return ToLowerAscii(charset == "ISO-8859-8-I" ? "ISO-8859-8" : charset);
}

bool DecodeSingleByte(const CodePointIndex& index, std::string_view bytes,
                      size_t first, std::string* storage) {
  // The whole index, so that a lookup needs no check.
  EncodedPoint table[128];
  std::copy_n(index.points.begin(),
              std::min(index.points.size(), std::size(table)), table);
  const auto step = [&table](std::string_view from, size_t at,
                             Utf8Output* out) -> size_t {
    const EncodedPoint point =
        table[static_cast<unsigned char>(from[at]) & 0x7F];
    if (point.exists()) {
      out->Put(point);
    } else {
      out->PutBad();
    }
    return 1;
  };
  return DecodeAsciiBased(bytes, first, index.widest, step, storage);
}

bool DecodeUserDefined(std::string_view bytes, size_t first,
                       std::string* storage) {
  const auto step = [](std::string_view from, size_t at,
                       Utf8Output* out) -> size_t {
    out->Put(EncodePoint(0xF780 - 0x80 +
                         char32_t{static_cast<unsigned char>(from[at])}));
    return 1;
  };
  return DecodeAsciiBased(bytes, first, 3, step, storage);
}

// The shared UTF-16 decoder. A document cut off inside a character is one
// error, be it within a unit, a pair or both.
template <bool kBigEndian>
bool DecodeUtf16(std::string_view bytes, std::string* storage) {
  constexpr size_t kBlock = 4096;
  const auto unit_at = [bytes](size_t at) -> char32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return kBigEndian ? char32_t{first} << 8 | second
                      : char32_t{second} << 8 | first;
  };
  const size_t size = bytes.size();
  Utf8Output out(size + size / 4 + std::min(size, kBlock), storage);
  size_t at = 0;
  while (at + 1 < size) {
    const size_t stop = std::min(size, at + kBlock);
    out.Ensure(3 * (stop - at));
    for (; at + 1 < stop; at += 2) {
      const char32_t unit = unit_at(at);
      if (unit < 0x80) {
        out.PutByte(static_cast<unsigned char>(unit));
      } else if ((unit & 0xF800) != 0xD800) {
        out.Put(EncodePoint(unit));
      } else if (unit >= 0xDC00) {
        out.PutBad();
      } else if (at + 3 >= size) {
        out.PutBad();
        return out.Finish();
      } else {
        const char32_t low = unit_at(at + 2);
        if ((low & 0xFC00) == 0xDC00) {
          out.Put(
              EncodePoint(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)));
          at += 2;
        } else {
          out.PutBad();
        }
      }
    }
  }
  if (at < size) {
    out.Ensure(3);
    out.PutBad();
  }
  return out.Finish();
}

// Decodes all but UTF-8; `charset` is a canonical name.
bool DecodeLegacy(std::string_view charset, std::string_view bytes,
                  size_t first, std::string* storage, bool* well_formed) {
  if (DecodeMultiByte(charset, bytes, first, storage, well_formed)) return true;
  if (charset == "UTF-16LE") {
    *well_formed = DecodeUtf16<false>(bytes, storage);
  } else if (charset == "UTF-16BE") {
    *well_formed = DecodeUtf16<true>(bytes, storage);
  } else if (charset == "x-user-defined") {
    *well_formed = DecodeUserDefined(bytes, first, storage);
  } else if (charset == "replacement") {
    *well_formed = bytes.empty();
    *storage = *well_formed ? "" : "\xEF\xBF\xBD";
  } else if (const CodePointIndex* index = FindIndex(IndexName(charset))) {
    *well_formed = DecodeSingleByte(*index, bytes, first, storage);
  } else {
    return false;
  }
  return true;
}

// Returns true iff bytes < 0x80 alone are ASCII text.
bool IsAsciiBased(std::string_view charset) {
  return charset != "UTF-16LE" && charset != "UTF-16BE" &&
         charset != "ISO-2022-JP" && charset != "replacement";
}

}  // namespace
}  // namespace charset_internal

Result<DecodedView> DecodeInto(std::string_view charset, std::string_view bytes,
                               std::string* storage) {
  using namespace charset_internal;
  DecodedView decoded{bytes, CharsetForLabel(charset), false};
  if (charset.empty() || decoded.charset != charset) {
    return Fail(ErrorCode::kInternal,
                "no decoder for charset " + std::string(charset));
  }
  if (charset == CharsetForBom(bytes)) {
    bytes.remove_prefix(charset == "UTF-8" ? 3 : 2);
    decoded.text = bytes;
  }
  if (charset == "UTF-8") {
    const size_t valid = ValidUtf8Prefix(bytes);
    if (valid == bytes.size()) return decoded;
    storage->clear();
    storage->reserve(bytes.size() + bytes.size() / 16);
    storage->append(bytes.substr(0, valid));
    decoded.malformed = !AppendValidUtf8(bytes.substr(valid), storage);
  } else {
    const size_t first = AsciiPrefix(bytes);
    if (first == bytes.size() && IsAsciiBased(charset)) return decoded;
    bool well_formed = true;
    if (!DecodeLegacy(charset, bytes, first, storage, &well_formed)) {
      return Fail(ErrorCode::kInternal,
                  "no index for charset " + std::string(charset));
    }
    decoded.malformed = !well_formed;
  }
  decoded.text = *storage;
  return decoded;
}

Result<DecodedText> DecodeFrom(std::string_view charset,
                               std::string_view bytes) {
  DecodedText decoded;
  TWINSET_ASSIGN(const DecodedView view,
                 DecodeInto(charset, bytes, &decoded.text));
  if (view.text.data() != decoded.text.data()) decoded.text = view.text;
  decoded.charset = view.charset;
  decoded.malformed = view.malformed;
  return decoded;
}

}  // namespace twinset
