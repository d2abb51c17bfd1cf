// The decoders as the WHATWG Encoding Standard writes them: a handler that is
// given one byte after the other and may restore bytes to the queue. Of the
// engine they share the indexes only, whose identity charset_index_test proves.
#include "text/charset/charset_reference.h"

#include <cctype>
#include <initializer_list>
#include <map>
#include <vector>

#include "text/charset/charset.h"
#include "text/charset/charset_index.h"

namespace twinset::naive {
namespace {

constexpr int kEnd = -1;    // end-of-queue
constexpr int kNull = -1;   // no code point, no pointer
constexpr int kError = -2;  // results of a handler
constexpr int kContinue = -3;
constexpr int kFinished = -4;

bool In(int byte, int low, int high) { return byte >= low && byte <= high; }

// Code points by pointer, kNull where there is none.
const std::vector<int>& Index(const std::string& name) {
  static std::map<std::string, std::vector<int>> indexes;
  std::vector<int>& index = indexes[name];
  if (!index.empty()) return index;
  for (const auto& point : charset_internal::FindIndex(name)->points) {
    int code_point = kNull;
    if (point.exists()) {
      code_point = point.bytes[0] & (0x7F >> point.size());
      for (size_t i = 1; i < point.size(); ++i) {
        code_point = code_point << 6 | (point.bytes[i] & 0x3F);
      }
    }
    index.push_back(code_point);
  }
  return index;
}

class Decoder {
 public:
  explicit Decoder(std::string_view charset) : charset_(charset) {
    std::string lower(charset == "ISO-8859-8-I" ? "ISO-8859-8" : charset);
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    if (charset_internal::FindIndex(lower) != nullptr) single_ = &Index(lower);
  }

  std::string Run(std::string_view bytes, bool* malformed) {
    std::string out;
    *malformed = false;
    queue_.assign(bytes.rbegin(), bytes.rend());
    while (true) {
      int byte = kEnd;
      if (!queue_.empty()) {
        byte = static_cast<unsigned char>(queue_.back());
        queue_.pop_back();
      }
      const int result = Handle(byte);
      if (result == kFinished) return out;
      if (result == kContinue) continue;
      *malformed |= result == kError;
      AppendCodePoint(result == kError ? 0xFFFD : static_cast<char32_t>(result),
                      &out);
      if (second_point_ != 0) AppendCodePoint(second_point_, &out);
      second_point_ = 0;
    }
  }

 private:
  int Handle(int byte) {
    if (charset_ == "UTF-8") return Utf8(byte);
    if (charset_ == "GBK" || charset_ == "gb18030") return Gb18030(byte);
    if (charset_ == "Big5") return Big5(byte);
    if (charset_ == "EUC-JP") return EucJp(byte);
    if (charset_ == "ISO-2022-JP") return Iso2022Jp(byte);
    if (charset_ == "Shift_JIS") return ShiftJis(byte);
    if (charset_ == "EUC-KR") return EucKr(byte);
    if (charset_ == "UTF-16BE") return Utf16(byte, true);
    if (charset_ == "UTF-16LE") return Utf16(byte, false);
    if (charset_ == "replacement") {
      if (byte == kEnd || flag_) return kFinished;
      flag_ = true;
      return kError;
    }
    if (byte == kEnd) return kFinished;
    if (byte < 0x80) return byte;
    if (charset_ == "x-user-defined") return 0xF780 + byte - 0x80;
    const int code_point = (*single_)[static_cast<size_t>(byte - 0x80)];
    return code_point == kNull ? kError : code_point;
  }

  void Restore(std::initializer_list<int> bytes) {
    for (const int* at = bytes.end(); at != bytes.begin();) {
      if (*--at != kEnd) queue_.push_back(static_cast<char>(*at));
    }
  }
  static int Lookup(const char* index, int pointer) {
    const std::vector<int>& points = Index(index);
    if (pointer < 0 || static_cast<size_t>(pointer) >= points.size()) {
      return kNull;
    }
    return points[static_cast<size_t>(pointer)];
  }
  // The end of every handler of pairs.
  int PointOrError(int code_point, int byte) {
    if (code_point != kNull) return code_point;
    if (byte < 0x80) Restore({byte});
    return kError;
  }
  // How the handlers of pairs treat the end and take a lead byte.
  int AtEnd() {
    if (lead_ == 0) return kFinished;
    lead_ = 0;
    return kError;
  }
  int TakeLead() {
    const int lead = lead_;
    lead_ = 0;
    return lead;
  }

  int Utf8(int byte) {
    if (byte == kEnd) {
      if (needed_ == 0) return kFinished;
      needed_ = 0;
      return kError;
    }
    if (needed_ == 0) {
      if (byte < 0x80) return byte;
      if (!In(byte, 0xC2, 0xF4)) return kError;
      needed_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      code_point_ = byte & (0x3F >> needed_);
      seen_ = 0;
      lower_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
      upper_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
      return kContinue;
    }
    if (!In(byte, lower_, upper_)) {
      needed_ = 0;
      Restore({byte});
      return kError;
    }
    lower_ = 0x80;
    upper_ = 0xBF;
    code_point_ = code_point_ << 6 | (byte & 0x3F);
    if (++seen_ != needed_) return kContinue;
    needed_ = 0;
    return code_point_;
  }

  int Gb18030(int byte) {
    if (byte == kEnd) {
      const bool finished = lead_ == 0;
      lead_ = second_ = third_ = 0;
      return finished ? kFinished : kError;
    }
    if (third_ != 0) {
      if (!In(byte, 0x30, 0x39)) {
        Restore({second_, third_, byte});
        lead_ = second_ = third_ = 0;
        return kError;
      }
      const int pointer = (lead_ - 0x81) * (10 * 126 * 10) +
                          (second_ - 0x30) * (10 * 126) + (third_ - 0x81) * 10 +
                          byte - 0x30;
      lead_ = second_ = third_ = 0;
      return Gb18030Ranges(pointer);
    }
    if (second_ != 0) {
      if (In(byte, 0x81, 0xFE)) {
        third_ = byte;
        return kContinue;
      }
      Restore({second_, byte});
      lead_ = second_ = 0;
      return kError;
    }
    if (lead_ != 0) {
      if (In(byte, 0x30, 0x39)) {
        second_ = byte;
        return kContinue;
      }
      const int lead = TakeLead();
      int pointer = kNull;
      if (In(byte, 0x40, 0x7E) || In(byte, 0x80, 0xFE)) {
        pointer = (lead - 0x81) * 190 + (byte - (byte < 0x7F ? 0x40 : 0x41));
      }
      return PointOrError(Lookup("gb18030", pointer), byte);
    }
    if (byte < 0x80) return byte;
    if (byte == 0x80) return 0x20AC;
    if (byte == 0xFF) return kError;
    lead_ = byte;
    return kContinue;
  }
  static int Gb18030Ranges(int pointer) {
    if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) {
      return kError;
    }
    if (pointer == 7457) return 0xE7C7;
    int code_point = kError;
    for (const auto& range : charset_internal::Gb18030Ranges()) {
      const int start = static_cast<int>(range.pointer);
      if (start > pointer) break;
      code_point = static_cast<int>(range.code_point) + pointer - start;
    }
    return code_point;
  }

  int Big5(int byte) {
    if (byte == kEnd) return AtEnd();
    if (lead_ != 0) {
      const int lead = TakeLead();
      int pointer = kNull;
      if (In(byte, 0x40, 0x7E) || In(byte, 0xA1, 0xFE)) {
        pointer = (lead - 0x81) * 157 + (byte - (byte < 0x7F ? 0x40 : 0x62));
      }
      if (pointer == 1133 || pointer == 1135) {
        second_point_ = pointer == 1133 ? 0x304 : 0x30C;
        return 0xCA;
      }
      if (pointer == 1164 || pointer == 1166) {
        second_point_ = pointer == 1164 ? 0x304 : 0x30C;
        return 0xEA;
      }
      return PointOrError(Lookup("big5", pointer), byte);
    }
    if (byte < 0x80) return byte;
    if (!In(byte, 0x81, 0xFE)) return kError;
    lead_ = byte;
    return kContinue;
  }

  int EucJp(int byte) {
    if (byte == kEnd) return AtEnd();
    if (lead_ == 0x8E && In(byte, 0xA1, 0xDF)) {
      lead_ = 0;
      return 0xFF61 - 0xA1 + byte;
    }
    if (lead_ == 0x8F && In(byte, 0xA1, 0xFE)) {
      flag_ = true;
      lead_ = byte;
      return kContinue;
    }
    if (lead_ != 0) {
      const int lead = TakeLead();
      int code_point = kNull;
      if (In(lead, 0xA1, 0xFE) && In(byte, 0xA1, 0xFE)) {
        code_point = Lookup(flag_ ? "jis0212" : "jis0208",
                            (lead - 0xA1) * 94 + byte - 0xA1);
      }
      flag_ = false;
      return PointOrError(code_point, byte);
    }
    if (byte < 0x80) return byte;
    if (byte != 0x8E && byte != 0x8F && !In(byte, 0xA1, 0xFE)) return kError;
    lead_ = byte;
    return kContinue;
  }

  enum class State {
    kAscii,
    kRoman,
    kKatakana,
    kLead,
    kTrail,
    kStart,
    kEscape
  };

  int Iso2022Jp(int byte) {
    switch (state_) {
      case State::kStart:
        if (byte == 0x24 || byte == 0x28) {
          lead_ = byte;
          state_ = State::kEscape;
          return kContinue;
        }
        Restore({byte});
        flag_ = false;
        state_ = output_state_;
        return kError;
      case State::kEscape:
        return Escape(byte);
      case State::kTrail:
        if (byte == 0x1B) {
          state_ = State::kStart;
          return kError;
        }
        state_ = State::kLead;
        if (!In(byte, 0x21, 0x7E)) return kError;
        return Iso2022JpPair(byte);
      default:
        return Iso2022JpOutput(byte);
    }
  }
  int Iso2022JpPair(int byte) {
    const int code_point = Lookup("jis0208", (lead_ - 0x21) * 94 + byte - 0x21);
    return code_point == kNull ? kError : code_point;
  }
  // ASCII, Roman, katakana and leading byte.
  int Iso2022JpOutput(int byte) {
    if (byte == kEnd) return kFinished;
    if (byte == 0x1B) {
      state_ = State::kStart;
      return kContinue;
    }
    flag_ = false;
    if (state_ == State::kKatakana) {
      return In(byte, 0x21, 0x5F) ? 0xFF61 - 0x21 + byte : kError;
    }
    if (state_ == State::kLead) {
      if (!In(byte, 0x21, 0x7E)) return kError;
      lead_ = byte;
      state_ = State::kTrail;
      return kContinue;
    }
    if (state_ == State::kRoman && byte == 0x5C) return 0xA5;
    if (state_ == State::kRoman && byte == 0x7E) return 0x203E;
    return byte > 0x7F || byte == 0x0E || byte == 0x0F ? kError : byte;
  }
  int Escape(int byte) {
    const int lead = TakeLead();
    State state = State::kEscape;  // null
    if (lead == 0x28 && byte == 0x42) state = State::kAscii;
    if (lead == 0x28 && byte == 0x4A) state = State::kRoman;
    if (lead == 0x28 && byte == 0x49) state = State::kKatakana;
    if (lead == 0x24 && (byte == 0x40 || byte == 0x42)) state = State::kLead;
    if (state != State::kEscape) {
      state_ = output_state_ = state;
      const bool output = flag_;
      flag_ = true;
      return output ? kError : kContinue;
    }
    Restore({lead, byte});
    flag_ = false;
    state_ = output_state_;
    return kError;
  }

  int ShiftJis(int byte) {
    if (byte == kEnd) return AtEnd();
    if (lead_ != 0) {
      const int lead = TakeLead();
      int pointer = kNull;
      if (In(byte, 0x40, 0x7E) || In(byte, 0x80, 0xFC)) {
        pointer = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + byte -
                  (byte < 0x7F ? 0x40 : 0x41);
      }
      if (In(pointer, 8836, 10715)) return 0xE000 - 8836 + pointer;
      return PointOrError(Lookup("jis0208", pointer), byte);
    }
    if (byte <= 0x80) return byte;
    if (In(byte, 0xA1, 0xDF)) return 0xFF61 - 0xA1 + byte;
    if (!In(byte, 0x81, 0x9F) && !In(byte, 0xE0, 0xFC)) return kError;
    lead_ = byte;
    return kContinue;
  }

  int EucKr(int byte) {
    if (byte == kEnd) return AtEnd();
    if (lead_ != 0) {
      const int lead = TakeLead();
      int pointer = kNull;
      if (In(byte, 0x41, 0xFE)) pointer = (lead - 0x81) * 190 + (byte - 0x41);
      return PointOrError(Lookup("euc-kr", pointer), byte);
    }
    if (byte < 0x80) return byte;
    if (!In(byte, 0x81, 0xFE)) return kError;
    lead_ = byte;
    return kContinue;
  }

  int Utf16(int byte, bool big_endian) {
    if (byte == kEnd) {
      const bool finished = !flag_ && surrogate_ == 0;
      flag_ = false;
      surrogate_ = 0;
      return finished ? kFinished : kError;
    }
    if (!flag_) {
      flag_ = true;
      lead_ = byte;
      return kContinue;
    }
    flag_ = false;
    const int unit = big_endian ? (lead_ << 8) + byte : (byte << 8) + lead_;
    if (surrogate_ != 0) {
      const int leading = surrogate_;
      surrogate_ = 0;
      if (In(unit, 0xDC00, 0xDFFF)) {
        return 0x10000 + ((leading - 0xD800) << 10) + (unit - 0xDC00);
      }
      Restore({lead_, byte});
      return kError;
    }
    if (In(unit, 0xD800, 0xDBFF)) {
      surrogate_ = unit;
      return kContinue;
    }
    return In(unit, 0xDC00, 0xDFFF) ? kError : unit;
  }

  const std::string charset_;
  const std::vector<int>* single_ = nullptr;
  std::string queue_;  // reversed
  char32_t second_point_ = 0;
  int lead_ = 0, second_ = 0, third_ = 0, surrogate_ = 0;
  int needed_ = 0, seen_ = 0, code_point_ = 0, lower_ = 0, upper_ = 0;
  bool flag_ = false;
  State state_ = State::kAscii, output_state_ = State::kAscii;
};

}  // namespace

std::string Decode(std::string_view charset, std::string_view bytes,
                   bool* malformed) {
  return Decoder(charset).Run(bytes, malformed);
}

}  // namespace twinset::naive
