// Decoders: UTF-16, x-user-defined and replacement here, single-byte encodings
// through tables made once from ICU's data and corrected to the standard's
// indexes, multi-byte ones through ICU converters.
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucnv_err.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "text/charset.h"

namespace twinset {
namespace {

constexpr char32_t kBad = 0xFFFD;

// Canonical name and the ICU converter that has its index.
using IcuName = std::pair<std::string_view, const char*>;

constexpr IcuName kSingleByte[] = {
    {"IBM866", "ibm-866_P100-1995"},
    {"ISO-8859-2", "ISO-8859-2"},
    {"ISO-8859-3", "ISO-8859-3"},
    {"ISO-8859-4", "ISO-8859-4"},
    {"ISO-8859-5", "ISO-8859-5"},
    {"ISO-8859-6", "ISO-8859-6"},
    {"ISO-8859-7", "ibm-9005_X110-2007"},
    {"ISO-8859-8", "ISO-8859-8"},
    {"ISO-8859-8-I", "ISO-8859-8"},
    {"ISO-8859-10", "ISO-8859-10"},
    {"ISO-8859-13", "ISO-8859-13"},
    {"ISO-8859-14", "ISO-8859-14"},
    {"ISO-8859-15", "ISO-8859-15"},
    {"ISO-8859-16", nullptr},  // kLatin10
    {"KOI8-R", "KOI8-R"},
    {"KOI8-U", "KOI8-U"},
    {"macintosh", "macintosh"},
    {"windows-874", "windows-874-2000"},
    {"windows-1250", "ibm-5346_P100-1998"},
    {"windows-1251", "ibm-5347_P100-1998"},
    {"windows-1252", "ibm-5348_P100-1997"},
    {"windows-1253", "ibm-5349_P100-1998"},
    {"windows-1254", "ibm-5350_P100-1998"},
    {"windows-1255", "ibm-9447_P100-2002"},
    {"windows-1256", "ibm-9448_X100-2005"},
    {"windows-1257", "ibm-9449_P100-2002"},
    {"windows-1258", "ibm-5354_P100-1998"},
    {"x-mac-cyrillic", "macos-7_3-10.2"},
};

// Where ICU's tables and the standard's indexes differ.
struct Correction {
  std::string_view charset;
  unsigned char byte;
  char32_t code_point;
};
constexpr Correction kCorrections[] = {
    {"KOI8-U", 0xAE, 0x045E},     {"KOI8-U", 0xBE, 0x040E},
    {"windows-1253", 0xAA, kBad}, {"windows-1255", 0xCA, 0x05BA},
    {"windows-874", 0xDB, kBad},  {"windows-874", 0xDC, kBad},
    {"windows-874", 0xDD, kBad},  {"windows-874", 0xDE, kBad},
    {"windows-874", 0xFC, kBad},  {"windows-874", 0xFD, kBad},
    {"windows-874", 0xFE, kBad},  {"windows-874", 0xFF, kBad},
};

// ISO-8859-16 from 0xA0 on; ICU 72 does not have it.
constexpr uint16_t kLatin10[96] = {
    0x00A0, 0x0104, 0x0105, 0x0141, 0x20AC, 0x201E, 0x0160, 0x00A7, 0x0161,
    0x00A9, 0x0218, 0x00AB, 0x0179, 0x00AD, 0x017A, 0x017B, 0x00B0, 0x00B1,
    0x010C, 0x0142, 0x017D, 0x201D, 0x00B6, 0x00B7, 0x017E, 0x010D, 0x0219,
    0x00BB, 0x0152, 0x0153, 0x0178, 0x017C, 0x00C0, 0x00C1, 0x00C2, 0x0102,
    0x00C4, 0x0106, 0x00C6, 0x00C7, 0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC,
    0x00CD, 0x00CE, 0x00CF, 0x0110, 0x0143, 0x00D2, 0x00D3, 0x00D4, 0x0150,
    0x00D6, 0x015A, 0x0170, 0x00D9, 0x00DA, 0x00DB, 0x00DC, 0x0118, 0x021A,
    0x00DF, 0x00E0, 0x00E1, 0x00E2, 0x0103, 0x00E4, 0x0107, 0x00E6, 0x00E7,
    0x00E8, 0x00E9, 0x00EA, 0x00EB, 0x00EC, 0x00ED, 0x00EE, 0x00EF, 0x0111,
    0x0144, 0x00F2, 0x00F3, 0x00F4, 0x0151, 0x00F6, 0x015B, 0x0171, 0x00F9,
    0x00FA, 0x00FB, 0x00FC, 0x0119, 0x021B, 0x00FF,
};

constexpr IcuName kMultiByte[] = {
    {"GBK", "gb18030"},
    {"gb18030", "gb18030"},
    {"Big5", "ibm-1375_P100-2008"},
    {"EUC-JP", "euc-jp-2007"},
    {"ISO-2022-JP", "ISO-2022-JP"},
    {"Shift_JIS", "ibm-943_P15A-2003"},
    {"EUC-KR", "windows-949-2000"},
};

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Result<Converter> OpenConverter(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(name, &status));
  if (U_FAILURE(status)) {
    return Fail(ErrorCode::kInternal,
                std::string("ICU cannot open its converter ") + name + ": " +
                    u_errorName(status));
  }
  return converter;
}

// Code points of the bytes 0x80 to 0xFF; kBad where the index has none.
using UpperHalf = std::array<char32_t, 128>;

Result<UpperHalf> BuildTable(std::string_view charset, const char* icu_name) {
  UpperHalf table;
  table.fill(kBad);
  if (icu_name == nullptr) {
    for (size_t i = 0; i < 32; ++i) table[i] = static_cast<char32_t>(0x80 + i);
    for (size_t i = 0; i < 96; ++i) table[32 + i] = kLatin10[i];
    return table;
  }
  TWINSET_ASSIGN(const Converter converter, OpenConverter(icu_name));
  for (size_t i = 0; i < 128; ++i) {
    const char byte = static_cast<char>(0x80 + i);
    UChar units[4];
    UErrorCode status = U_ZERO_ERROR;
    const int32_t count =
        ucnv_toUChars(converter.get(), units, 4, &byte, 1, &status);
    if (U_SUCCESS(status) && count == 1) table[i] = units[0];
  }
  for (const Correction& correction : kCorrections) {
    if (correction.charset == charset) {
      table[correction.byte - 0x80u] = correction.code_point;
    }
  }
  return table;
}

// Tables are built on first use and live as long as the program.
Result<const UpperHalf*> TableFor(size_t index) {
  constexpr size_t kCount = std::size(kSingleByte);
  static std::mutex mutex;
  static std::array<std::unique_ptr<const UpperHalf>, kCount> tables;
  const std::lock_guard<std::mutex> lock(mutex);
  if (tables[index] == nullptr) {
    TWINSET_ASSIGN(
        const UpperHalf table,
        BuildTable(kSingleByte[index].first, kSingleByte[index].second));
    tables[index] = std::make_unique<const UpperHalf>(table);
  }
  return tables[index].get();
}

void DecodeSingleByte(const UpperHalf& table, std::string_view bytes,
                      DecodedText* decoded) {
  decoded->text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      decoded->text.push_back(c);
      continue;
    }
    const char32_t code_point = table[byte - 0x80u];
    decoded->malformed |= code_point == kBad;
    AppendCodePoint(code_point, &decoded->text);
  }
}

// Turns UTF-16 code units, in pieces, into UTF-8.
class Utf16Sink {
 public:
  explicit Utf16Sink(DecodedText* decoded) : decoded_(decoded) {}
  void Put(uint16_t unit) {
    const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (high_ != 0 && low) {
      const char32_t code_point =
          0x10000 + ((high_ - char32_t{0xD800}) << 10) + (unit - 0xDC00u);
      high_ = 0;
      AppendCodePoint(code_point, &decoded_->text);
      return;
    }
    Finish();
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      high_ = unit;
    } else if (low) {
      Bad();
    } else {
      AppendCodePoint(unit, &decoded_->text);
    }
  }
  void Finish() {
    if (high_ != 0) Bad();
    high_ = 0;
  }
  void Bad() {
    decoded_->malformed = true;
    AppendCodePoint(kBad, &decoded_->text);
  }

 private:
  DecodedText* decoded_;
  uint16_t high_ = 0;
};

void DecodeUtf16(std::string_view bytes, bool big_endian,
                 DecodedText* decoded) {
  Utf16Sink sink(decoded);
  const auto byte = [&](size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[i]));
  };
  size_t at = 0;
  for (; at + 2 <= bytes.size(); at += 2) {
    const unsigned first = byte(at), second = byte(at + 1);
    sink.Put(static_cast<uint16_t>(big_endian ? first << 8 | second
                                              : second << 8 | first));
  }
  if (at < bytes.size()) {
    sink.Finish();
    sink.Bad();
  } else {
    sink.Finish();
  }
}

// What the callback below needs to know and to say.
struct Repair {
  bool keep_ascii = false;  // a trailing ASCII byte is not part of the error
  bool* malformed = nullptr;
};

// A malformed or unmapped sequence becomes one U+FFFD (ICU's own callback
// writes U+001A for some converters); if it ends with an ASCII byte that byte
// stands for itself, so that an error can never swallow a tag.
void ReplaceMalformed(const void* context, UConverterToUnicodeArgs* args,
                      const char* bytes, int32_t length,
                      UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;  // reset, close, clone: nothing to do
  const Repair* const repair = static_cast<const Repair*>(context);
  *repair->malformed = true;
  *status = U_ZERO_ERROR;
  UChar units[2] = {static_cast<UChar>(kBad), 0};
  int32_t count = 1;
  if (repair->keep_ascii && length == 2 && (bytes[1] & 0x80) == 0) {
    units[count++] = static_cast<UChar>(bytes[1]);
  }
  ucnv_cbToUWriteUChars(args, units, count, 0, status);
}

// IBM's table of Shift_JIS turns three control characters in a circle; this
// turns them back.
UChar RestoreControl(UChar unit) {
  switch (unit) {
    case 0x1C:
      return 0x1A;
    case 0x7F:
      return 0x1C;
    case 0x1A:
      return 0x7F;
    default:
      return unit;
  }
}

Status DecodeMultiByte(std::string_view charset, const char* icu_name,
                       std::string_view bytes, DecodedText* decoded) {
  TWINSET_ASSIGN(const Converter converter, OpenConverter(icu_name));
  const bool shift_jis = charset == "Shift_JIS";
  // ICU gives C1 controls to single bytes and private use characters to
  // unassigned pairs where the standard has an error.
  const bool strict =
      charset == "EUC-JP" || charset == "EUC-KR" || charset == "Big5";
  const Repair repair{charset != "ISO-2022-JP", &decoded->malformed};
  UErrorCode status = U_ZERO_ERROR;
  ucnv_setToUCallBack(converter.get(), ReplaceMalformed, &repair, nullptr,
                      nullptr, &status);
  decoded->text.reserve(bytes.size() + bytes.size() / 2);
  Utf16Sink sink(decoded);
  std::array<UChar, 2048> units;
  const char* from = bytes.data();
  const char* const end = from + bytes.size();
  do {
    status = U_ZERO_ERROR;
    UChar* to = units.data();
    ucnv_toUnicode(converter.get(), &to, units.data() + units.size(), &from,
                   end, nullptr, /*flush=*/true, &status);
    for (const UChar* unit = units.data(); unit != to; ++unit) {
      if (strict && ((*unit >= 0x80 && *unit <= 0x9F) ||
                     (*unit >= 0xE000 && *unit <= 0xF8FF))) {
        sink.Finish();
        sink.Bad();
      } else {
        sink.Put(shift_jis ? RestoreControl(*unit) : *unit);
      }
    }
  } while (status == U_BUFFER_OVERFLOW_ERROR);
  sink.Finish();
  if (U_FAILURE(status)) {
    return Fail(ErrorCode::kInternal, std::string("ICU converter ") + icu_name +
                                          " failed: " + u_errorName(status));
  }
  return {};
}

}  // namespace

Result<DecodedText> DecodeFrom(std::string_view charset,
                               std::string_view bytes) {
  DecodedText decoded;
  decoded.charset = charset;
  if (charset == CharsetForBom(bytes)) {
    bytes.remove_prefix(charset == "UTF-8" ? 3 : 2);
  }
  if (charset == "UTF-8") {
    decoded.text.reserve(bytes.size());
    decoded.malformed = !AppendValidUtf8(bytes, &decoded.text);
    return decoded;
  }
  if (charset == "UTF-16LE" || charset == "UTF-16BE") {
    DecodeUtf16(bytes, charset == "UTF-16BE", &decoded);
    return decoded;
  }
  if (charset == "x-user-defined") {
    for (const char c : bytes) {
      const unsigned char byte = static_cast<unsigned char>(c);
      AppendCodePoint(byte < 0x80 ? byte : 0xF780u + byte - 0x80u,
                      &decoded.text);
    }
    return decoded;
  }
  if (charset == "replacement") {
    decoded.malformed = !bytes.empty();
    if (decoded.malformed) AppendCodePoint(kBad, &decoded.text);
    return decoded;
  }
  for (size_t i = 0; i < std::size(kSingleByte); ++i) {
    if (kSingleByte[i].first != charset) continue;
    TWINSET_ASSIGN(const UpperHalf* table, TableFor(i));
    DecodeSingleByte(*table, bytes, &decoded);
    return decoded;
  }
  for (const auto& [name, icu_name] : kMultiByte) {
    if (name != charset) continue;
    TWINSET_TRY(DecodeMultiByte(name, icu_name, bytes, &decoded));
    return decoded;
  }
  return Fail(ErrorCode::kInternal,
              "no decoder for charset " + std::string(charset));
}

}  // namespace twinset
