#include "read/json_check.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace twinset {
namespace {

// Value of four hex digits, -1 if they are not.
int HexQuad(std::string_view digits) {
  if (digits.size() < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = digits[i];
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = 16 * value + (c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = 16 * value + (lower - 'a' + 10);
    } else {
      return -1;
    }
  }
  return value;
}

bool IsHigh(int unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLow(int unit) { return unit >= 0xdc00 && unit < 0xe000; }

// Finds quotes, backslashes and control characters among eight bytes. The
// lowest bit that is set stands in the first of them; bits above it may be
// wrong (the usual has-less and has-zero tricks). Bytes from 0x80 on are none.
uint64_t FindSpecial(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101ull, kHighs = kOnes * 0x80;
  const auto zero = [](uint64_t w) { return (w - kOnes) & ~w & kHighs; };
  return zero(word ^ (kOnes * '"')) | zero(word ^ (kOnes * '\\')) |
         ((word - kOnes * 0x20) & ~word & kHighs);
}

// Returns true iff kBlock bytes hold one, by the vectors that the compiler
// makes of it.
constexpr size_t kBlock = 64;
bool BlockHasSpecial(const char* bytes) {
  uint8_t any = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const auto c = static_cast<uint8_t>(bytes[i]);
    any |= static_cast<uint8_t>(c == '"') | static_cast<uint8_t>(c == '\\') |
           static_cast<uint8_t>(c < 0x20);
  }
  return any != 0;
}

// Where the first of them may stand from `at` on: exact but for the last seven
// bytes, in front of which it stops.
size_t SkipPlain(std::string_view text, size_t at) {
  constexpr size_t kLongRun = 8;  // words, behind which blocks are worth trying
  for (size_t words = 0; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if (const uint64_t special = FindSpecial(word); special != 0)
      return at + static_cast<size_t>(std::countr_zero(special)) / 8;
    if (++words % kLongRun != 0) continue;
    while (at + 8 + kBlock <= text.size() &&
           !BlockHasSpecial(text.data() + at + 8)) {
      at += kBlock;
    }
  }
  return at;
}

class Checker {
 public:
  explicit Checker(std::string_view json) : json_(json) {}

  JsonCheck RunFirst(size_t* end) {
    result_.ok = Value();
    *end = at_;
    return result_;
  }

  JsonCheck Run() {
    result_.ok = Value() && AtEnd();
    return result_;
  }

 private:
  bool Bad(std::string_view message) {
    result_.error_at = at_;
    result_.message = message;
    return false;
  }
  char Here() const { return at_ < json_.size() ? json_[at_] : '\0'; }
  void SkipSpace() {
    while (at_ < json_.size() && (json_[at_] == ' ' || json_[at_] == '\t' ||
                                  json_[at_] == '\n' || json_[at_] == '\r')) {
      ++at_;
    }
  }
  bool AtEnd() {
    SkipSpace();
    return at_ == json_.size() || Bad("more behind the value");
  }

  // Iterative: open_ holds one bit an open container, true for objects.
  bool Value() {
    for (;;) {
      SkipSpace();
      const char c = Here();
      if (c == '{' || c == '[') {
        if (open_.size() == kMaxJsonDepth) return Bad("nested too deeply");
        ++at_;
        open_.push_back(c == '{');
        SkipSpace();
        if (Here() != (c == '{' ? '}' : ']')) {
          if (c == '{' && !Key()) return false;
          continue;
        }
        ++at_;
        open_.pop_back();
      } else if (!Scalar(c)) {
        return false;
      }
      bool next_value = false;
      if (!CloseContainers(&next_value)) return false;
      if (!next_value) return true;
    }
  }

  // Behind a value: a comma (then *next_value), closing brackets, or the end of
  // it all.
  bool CloseContainers(bool* next_value) {
    while (!open_.empty()) {
      SkipSpace();
      const bool object = open_.back();
      if (Here() == ',') {
        ++at_;
        *next_value = true;
        SkipSpace();
        return !object || Key();
      }
      if (Here() != (object ? '}' : ']')) {
        return Bad(object ? "expected , or }" : "expected , or ]");
      }
      ++at_;
      open_.pop_back();
    }
    return true;
  }

  bool Key() {
    if (Here() != '"') return Bad("expected a key");
    escaped_ = false;
    if (!String()) return false;
    result_.escaped_key |= escaped_;
    SkipSpace();
    if (Here() != ':') return Bad("expected :");
    ++at_;
    return true;
  }

  bool Scalar(char c) {
    if (c == '"') return String();
    if (c == 't') return Word("true");
    if (c == 'f') return Word("false");
    if (c == 'n') return Word("null");
    if (c == '-' || (c >= '0' && c <= '9')) return Number();
    return Bad("expected a value");
  }

  bool Word(std::string_view word) {
    if (json_.substr(at_, word.size()) != word) return Bad("expected a value");
    at_ += word.size();
    return true;
  }

  bool Digits() {
    const size_t begin = at_;
    while (Here() >= '0' && Here() <= '9') ++at_;
    return at_ > begin || Bad("expected a digit");
  }

  bool Number() {
    if (Here() == '-') ++at_;
    if (Here() == '0') {
      ++at_;
    } else if (!Digits()) {
      return false;
    }
    if (Here() == '.') {
      ++at_;
      if (!Digits()) return false;
    }
    if (Here() == 'e' || Here() == 'E') {
      ++at_;
      if (Here() == '+' || Here() == '-') ++at_;
      if (!Digits()) return false;
    }
    return true;
  }

  bool String() {
    ++at_;
    for (;;) {
      at_ = SkipPlain(json_, at_);
      if (at_ >= json_.size()) return Bad("unterminated string");
      const char c = json_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!Escape()) return false;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        return Bad("control character in a string");
      } else {
        ++at_;
      }
    }
  }

  bool Escape() {
    escaped_ = true;
    const char c = at_ + 1 < json_.size() ? json_[at_ + 1] : '\0';
    if (c == 'u') {
      const int unit = HexQuad(json_.substr(at_ + 2));
      if (unit < 0) return Bad("bad \\u escape");
      at_ += 6;
      if (IsHigh(unit) && json_.substr(at_, 2) == "\\u" &&
          IsLow(HexQuad(json_.substr(at_ + 2)))) {
        at_ += 6;
      } else if (IsHigh(unit) || IsLow(unit)) {
        result_.lone_surrogate = true;
      }
      return true;
    }
    switch (c) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        at_ += 2;
        return true;
      default:
        return Bad("bad escape");
    }
  }

  const std::string_view json_;
  size_t at_ = 0;
  bool escaped_ = false;  // a string since it was last set held a backslash
  std::vector<bool> open_;
  JsonCheck result_;
};

}  // namespace

JsonCheck CheckJson(std::string_view json) { return Checker(json).Run(); }

JsonCheck CheckJsonValue(std::string_view json, size_t* end) {
  return Checker(json).RunFirst(end);
}

void ReplaceLoneSurrogates(std::string* json) {
  const std::string_view view = *json;
  for (size_t at = view.find('\\'); at != std::string_view::npos;
       at = view.find('\\', at)) {
    if (view.substr(at, 2) != "\\u") {
      at += 2;
      continue;
    }
    const int unit = HexQuad(view.substr(at + 2));
    if (IsHigh(unit) && view.substr(at + 6, 2) == "\\u" &&
        IsLow(HexQuad(view.substr(at + 8)))) {
      at += 12;
      continue;
    }
    if (IsHigh(unit) || IsLow(unit)) {
      std::memcpy(json->data() + at + 2, "fffd", 4);
    }
    at += 6;
  }
}

}  // namespace twinset
