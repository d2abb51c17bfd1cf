// The legacy multi-byte decoders of the WHATWG Encoding Standard. One step
// takes one sequence; where the standard restores bytes to its queue, the step
// consumes fewer.
#include "text/charset/charset_decode.h"

namespace twinset::charset_internal {
namespace {

constexpr bool Between(unsigned byte, unsigned low, unsigned high) {
  return byte - low <= high - low;
}

unsigned ByteAt(std::string_view bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// What follows from a lead byte and the entry found for it and its trail byte
// (none if the trail byte is out of range): an error keeps a trail byte that is
// ASCII.
size_t PutPair(const EncodedPoint& point, unsigned trail, Utf8Output* out) {
  if (point.exists()) {
    out->Put(point);
    return 2;
  }
  out->PutBad();
  return trail < 0x80 ? 1 : 2;
}

size_t PutError(size_t consumed, Utf8Output* out) {
  out->PutBad();
  return consumed;
}

// The sequence at `at` is a lead byte in [low, high] and a trail byte, which
// exists; otherwise one byte is an error.
bool IsPair(std::string_view bytes, size_t at, unsigned low, unsigned high) {
  return Between(ByteAt(bytes, at), low, high) && at + 1 < bytes.size();
}

struct Big5Step {
  const CodePointIndex& index;
  size_t operator()(std::string_view bytes, size_t at, Utf8Output* out) const {
    if (!IsPair(bytes, at, 0x81, 0xFE)) return PutError(1, out);
    const unsigned lead = ByteAt(bytes, at), trail = ByteAt(bytes, at + 1);
    EncodedPoint point;
    if (Between(trail, 0x40, 0x7E) || Between(trail, 0xA1, 0xFE)) {
      const unsigned pointer =
          (lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
      point = index.At(pointer);
      if (!point.exists() && PutTwo(pointer, out)) return 2;
    }
    return PutPair(point, trail, out);
  }
  // The four pointers that stand for two code points.
  static bool PutTwo(unsigned pointer, Utf8Output* out) {
    const bool capital = pointer == 1133 || pointer == 1135;
    if (!capital && pointer != 1164 && pointer != 1166) return false;
    const bool macron = pointer == 1133 || pointer == 1164;
    out->Put(EncodePoint(capital ? 0xCA : 0xEA));
    out->Put(EncodePoint(macron ? 0x304 : 0x30C));
    return true;
  }
};

struct EucKrStep {
  const CodePointIndex& index;
  size_t operator()(std::string_view bytes, size_t at, Utf8Output* out) const {
    if (!IsPair(bytes, at, 0x81, 0xFE)) return PutError(1, out);
    const unsigned lead = ByteAt(bytes, at), trail = ByteAt(bytes, at + 1);
    EncodedPoint point;
    if (Between(trail, 0x41, 0xFE)) {
      point = index.At((lead - 0x81) * 190 + trail - 0x41);
    }
    return PutPair(point, trail, out);
  }
};

struct ShiftJisStep {
  const CodePointIndex& jis0208;
  size_t operator()(std::string_view bytes, size_t at, Utf8Output* out) const {
    const unsigned lead = ByteAt(bytes, at);
    if (lead == 0x80 || Between(lead, 0xA1, 0xDF)) {
      out->Put(EncodePoint(lead == 0x80 ? 0x80 : 0xFF61 - 0xA1 + lead));
      return 1;
    }
    if (lead == 0xA0 || !IsPair(bytes, at, 0x81, 0xFC)) return PutError(1, out);
    const unsigned trail = ByteAt(bytes, at + 1);
    EncodedPoint point;
    if (Between(trail, 0x40, 0x7E) || Between(trail, 0x80, 0xFC)) {
      const unsigned pointer = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 +
                               trail - (trail < 0x7F ? 0x40 : 0x41);
      // Characters that users of Windows defined: private use.
      point = Between(pointer, 8836, 10715)
                  ? EncodePoint(0xE000 - 8836 + pointer)
                  : jis0208.At(pointer);
    }
    return PutPair(point, trail, out);
  }
};

struct EucJpStep {
  const CodePointIndex& jis0208;
  const CodePointIndex& jis0212;
  size_t operator()(std::string_view bytes, size_t at, Utf8Output* out) const {
    const unsigned lead = ByteAt(bytes, at);
    if (lead == 0x8E || lead == 0x8F) return Shifted(lead, bytes, at, out);
    if (!IsPair(bytes, at, 0xA1, 0xFE)) return PutError(1, out);
    const unsigned trail = ByteAt(bytes, at + 1);
    return PutPair(Find(jis0208, lead, trail), trail, out);
  }
  // After 0x8E half-width katakana, after 0x8F a pair of JIS X 0212.
  size_t Shifted(unsigned shift, std::string_view bytes, size_t at,
                 Utf8Output* out) const {
    if (at + 1 == bytes.size()) return PutError(1, out);
    const unsigned second = ByteAt(bytes, at + 1);
    if (shift == 0x8E && Between(second, 0xA1, 0xDF)) {
      out->Put(EncodePoint(0xFF61 - 0xA1 + second));
      return 2;
    }
    if (shift == 0x8E || !Between(second, 0xA1, 0xFE)) {
      return PutPair({}, second, out);
    }
    if (at + 2 == bytes.size()) return PutError(2, out);
    const unsigned third = ByteAt(bytes, at + 2);
    return 1 + PutPair(Find(jis0212, second, third), third, out);
  }
  static EncodedPoint Find(const CodePointIndex& index, unsigned row,
                           unsigned cell) {
    if (!Between(cell, 0xA1, 0xFE)) return {};
    return index.At((row - 0xA1) * 94 + cell - 0xA1);
  }
};

struct Gb18030Step {
  const CodePointIndex& index;
  size_t operator()(std::string_view bytes, size_t at, Utf8Output* out) const {
    const unsigned first = ByteAt(bytes, at);
    if (first == 0x80) {
      out->Put(EncodePoint(0x20AC));
      return 1;
    }
    if (!IsPair(bytes, at, 0x81, 0xFE)) return PutError(1, out);
    const unsigned second = ByteAt(bytes, at + 1);
    if (Between(second, 0x30, 0x39)) return Four(bytes, at, out);
    EncodedPoint point;
    if (Between(second, 0x40, 0x7E) || Between(second, 0x80, 0xFE)) {
      point = index.At((first - 0x81) * 190 + second -
                       (second < 0x7F ? 0x40 : 0x41));
    }
    return PutPair(point, second, out);
  }
  // A lead byte and a digit: four bytes, or the lead byte alone is an error.
  static size_t Four(std::string_view bytes, size_t at, Utf8Output* out) {
    const size_t left = bytes.size() - at;
    if (left > 2 && !Between(ByteAt(bytes, at + 2), 0x81, 0xFE)) {
      return PutError(1, out);
    }
    if (left < 4) return PutError(left, out);  // cut off: one error for all
    const unsigned fourth = ByteAt(bytes, at + 3);
    if (!Between(fourth, 0x30, 0x39)) return PutError(1, out);
    const uint32_t pointer = (ByteAt(bytes, at) - 0x81) * 12600 +
                             (ByteAt(bytes, at + 1) - 0x30) * 1260 +
                             (ByteAt(bytes, at + 2) - 0x81) * 10 + fourth -
                             0x30;
    const char32_t code_point = Gb18030RangesCodePoint(pointer);
    if (code_point == 0) return PutError(4, out);
    out->Put(EncodePoint(code_point));
    return 4;
  }
};

// The ISO-2022-JP decoder. Its three states within a sequence (trail byte,
// escape start, escape) are the steps taken at once.
class Iso2022Jp {
 public:
  Iso2022Jp(std::string_view bytes, const CodePointIndex& jis0208,
            std::string* storage)
      : bytes_(bytes),
        jis0208_(jis0208),
        out_(bytes.size() + bytes.size() / 2, storage) {}

  bool Run() {
    constexpr size_t kBlock = 4096;
    while (at_ < bytes_.size()) {
      const size_t stop = std::min(bytes_.size(), at_ + kBlock);
      out_.Ensure(3 * (stop - at_));
      while (at_ < stop) Step();
    }
    return out_.Finish();
  }

 private:
  enum class State { kAscii, kRoman, kKatakana, kPairs };

  void Step() {
    const unsigned byte = ByteAt(bytes_, at_++);
    if (byte == 0x1B) return Escape();
    escaped_ = false;
    switch (state_) {
      case State::kAscii:
      case State::kRoman:
        return Single(byte);
      case State::kKatakana:
        if (!Between(byte, 0x21, 0x5F)) return out_.PutBad();
        return out_.PutCodePoint(0xFF61 - 0x21 + byte);
      case State::kPairs:
        return Pair(byte);
    }
  }
  void Single(unsigned byte) {
    const bool roman = state_ == State::kRoman;
    if (byte > 0x7F || byte == 0x0E || byte == 0x0F) {
      out_.PutBad();
    } else if (roman && byte == 0x5C) {
      out_.PutCodePoint(0xA5);
    } else if (roman && byte == 0x7E) {
      out_.PutCodePoint(0x203E);
    } else {
      out_.PutByte(static_cast<unsigned char>(byte));
    }
  }
  void Pair(unsigned lead) {
    if (!Between(lead, 0x21, 0x7E) || at_ == bytes_.size()) {
      return out_.PutBad();
    }
    const unsigned trail = ByteAt(bytes_, at_);
    if (trail == 0x1B) return out_.PutBad();  // and the escape comes next
    ++at_;
    EncodedPoint point;
    if (Between(trail, 0x21, 0x7E)) {
      point = jis0208_.At((lead - 0x21) * 94 + trail - 0x21);
    }
    if (point.exists()) {
      out_.Put(point);
    } else {
      out_.PutBad();
    }
  }
  // After ESC. Two escapes with nothing between them are an error.
  void Escape() {
    const std::string_view name = bytes_.substr(at_, 2);
    if (name == "(B") {
      state_ = State::kAscii;
    } else if (name == "(J") {
      state_ = State::kRoman;
    } else if (name == "(I") {
      state_ = State::kKatakana;
    } else if (name == "$@" || name == "$B") {
      state_ = State::kPairs;
    } else {
      escaped_ = false;
      return out_.PutBad();  // what follows ESC stands for itself
    }
    at_ += 2;
    if (escaped_) out_.PutBad();
    escaped_ = true;
  }

  const std::string_view bytes_;
  const CodePointIndex& jis0208_;
  Utf8Output out_;
  State state_ = State::kAscii;
  bool escaped_ = false;  // the standard's output flag
  size_t at_ = 0;
};

}  // namespace

bool DecodeMultiByte(std::string_view charset, std::string_view bytes,
                     size_t first, std::string* storage, bool* well_formed) {
  const auto run = [&](const auto& step) {
    // Pairs of two high bytes, by far the most, become three bytes.
    *well_formed = DecodeAsciiBased(bytes, first, 2, step, storage);
  };
  if (charset == "GBK" || charset == "gb18030") {
    run(Gb18030Step{*FindIndex("gb18030")});
  } else if (charset == "Big5") {
    run(Big5Step{*FindIndex("big5")});
  } else if (charset == "EUC-KR") {
    run(EucKrStep{*FindIndex("euc-kr")});
  } else if (charset == "Shift_JIS") {
    run(ShiftJisStep{*FindIndex("jis0208")});
  } else if (charset == "EUC-JP") {
    run(EucJpStep{*FindIndex("jis0208"), *FindIndex("jis0212")});
  } else if (charset == "ISO-2022-JP") {
    *well_formed = Iso2022Jp(bytes, *FindIndex("jis0208"), storage).Run();
  } else {
    return false;
  }
  return true;
}

}  // namespace twinset::charset_internal
