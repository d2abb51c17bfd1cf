#include "base/lists/wide_text.h"

namespace twinset {
namespace {

using std::string_view_literals::operator""sv;

struct Form {
  std::string_view coding, mark, marked_coding;
  size_t width;  // bytes of a unit
  size_t low;    // place of the one that counts least
};
// The mark of UTF-32LE begins as that of UTF-16LE.
constexpr Form kForms[] = {
    {"UTF-32LE", "\xff\xfe\0\0"sv, "UTF-32", 4, 0},
    {"UTF-32BE", "\0\0\xfe\xff"sv, "UTF-32", 4, 3},
    {"UTF-16LE", "\xff\xfe"sv, "UTF-16", 2, 0},
    {"UTF-16BE", "\xfe\xff"sv, "UTF-16", 2, 1},
};

// The Latin-1 character of the unit at `at`; 0 where it is another.
unsigned char LatinAt(const Form& form, std::string_view bytes, size_t at) {
  for (size_t i = 0; i < form.width; ++i)
    if (i != form.low && bytes[at + i] != '\0') return 0;
  return static_cast<unsigned char>(bytes[at + form.low]);
}

size_t LatinBytes(const Form& form, std::string_view bytes) {
  size_t at = 0;
  while (at + form.width <= bytes.size() && LatinAt(form, bytes, at) != 0)
    at += form.width;
  return at;
}

std::string AsciiOf(const Form& form, std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() / form.width);
  for (size_t at = 0; at + form.width <= bytes.size(); at += form.width) {
    const unsigned char c = LatinAt(form, bytes, at);
    text += c > 0 && c < 0x80 ? static_cast<char>(c) : '?';
  }
  return text;
}

}  // namespace

WideText ReadWideText(std::string_view bytes) {
  constexpr size_t kLeastUnits = 2;
  for (const Form& form : kForms) {
    if (!bytes.starts_with(form.mark)) continue;
    bytes.remove_prefix(form.mark.size());
    return {form.marked_coding, true, 0, AsciiOf(form, bytes)};
  }
  for (const Form& form : kForms) {
    const size_t latin = LatinBytes(form, bytes);
    if (latin >= kLeastUnits * form.width)
      return {form.coding, false, latin, AsciiOf(form, bytes)};
  }
  return {};
}

}  // namespace twinset
