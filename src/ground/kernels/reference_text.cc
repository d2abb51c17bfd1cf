// The definitions of CountCharacters, LowerAscii, CollapseSpaces and
// FindTokens.
#include "base/utf8.h"
#include "kernels/kernels.h"
#include "kernels/unicode_class.h"

namespace twinset::kernels::reference {

CharacterCounts CountCharacters(std::string_view text) {
  CharacterCounts counts;
  for (const char c : text) {
    counts.code_points += !IsContinuation(c);
    const bool usual = (c >= '\b' && c <= '\r') || c == '\x1b';
    counts.controls += c >= 0 && c < ' ' && !usual;
  }
  return counts;
}

size_t LowerAscii(std::string_view text, char* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (static_cast<uint8_t>(text[i]) >= 0x80) return i;
    const bool upper = text[i] >= 'A' && text[i] <= 'Z';
    out[i] = static_cast<char>(upper ? text[i] | 0x20 : text[i]);
  }
  return text.size();
}

size_t CollapseSpaces(std::string_view text, char* out) {
  size_t size = 0;
  bool after_space = false;
  for (const char c : text) {
    const bool space =
        c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
    if (!space || !after_space) out[size++] = space ? ' ' : c;
    after_space = space;
  }
  return size;
}

namespace {

// Class of the code point at `at`, kOther at the end and for malformed bytes.
CodePointClass ClassAt(std::string_view text, size_t at) {
  if (at >= text.size()) return CodePointClass::kOther;
  const CodePoint c = DecodeUtf8(text.data() + at, text.data() + text.size());
  return c.valid ? ClassOf(c.value) : CodePointClass::kOther;
}

// Returns true iff `joiner` stands in a token between code points of these
// classes.
bool Joins(char joiner, CodePointClass before, CodePointClass after) {
  if (joiner == '\'' || joiner == '.') {
    if (before == CodePointClass::kLetter && after == CodePointClass::kLetter) {
      return true;
    }
  }
  return (joiner == ',' || joiner == '.') && before == CodePointClass::kDigit &&
         after == CodePointClass::kDigit;
}

}  // namespace

size_t FindTokens(std::string_view text, uint32_t* begins, uint32_t* ends) {
  size_t count = 0;
  bool in_token = false;
  CodePointClass before = CodePointClass::kOther;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = DecodeUtf8(text.data() + i, text.data() + text.size());
    const CodePointClass now =
        c.valid ? ClassOf(c.value) : CodePointClass::kOther;
    bool belongs = false;  // to a run
    switch (now) {
      case CodePointClass::kLetter:
      case CodePointClass::kDigit:
      case CodePointClass::kNumber:
        belongs = true;
        break;
      case CodePointClass::kMark:
        belongs = in_token;
        break;
      case CodePointClass::kSingle:
        break;
      case CodePointClass::kOther:
        belongs = c.size == 1 && Joins(text[i], before, ClassAt(text, i + 1));
        break;
    }
    const auto at = static_cast<uint32_t>(i);
    if (in_token && !belongs) ends[count++] = at;
    if (!in_token && belongs) begins[count] = at;
    if (now == CodePointClass::kSingle) {
      begins[count] = at;
      ends[count++] = at + c.size;
    }
    in_token = belongs;
    before = now;
    i += c.size;
  }
  if (in_token) ends[count++] = static_cast<uint32_t>(text.size());
  return count;
}

}  // namespace twinset::kernels::reference
