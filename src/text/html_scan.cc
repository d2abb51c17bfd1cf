#include "text/html_scan.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"

namespace twinset {
namespace {

constexpr size_t kNone = std::string_view::npos;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsHtmlSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsHtmlSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char l, char c) { return l == ToLowerAscii(c); });
}

bool IsHidingAttribute(std::string_view name, std::string_view value) {
  if (EqualsIgnoringCase(name, "hidden")) return true;
  if (!EqualsIgnoringCase(name, "style")) return false;
  bool none = false;  // by the last declaration of display
  while (!value.empty()) {
    const size_t end = std::min(value.find(';'), value.size());
    const std::string_view declaration = value.substr(0, end);
    value.remove_prefix(std::min(end + 1, value.size()));
    const size_t colon = declaration.find(':');
    if (colon == kNone ||
        !EqualsIgnoringCase(Trim(declaration.substr(0, colon)), "display")) {
      continue;
    }
    std::string_view what = declaration.substr(colon + 1);
    what = Trim(what.substr(0, what.find('!')));
    none = EqualsIgnoringCase(what, "none");
  }
  return none;
}

bool IsCanonicalRel(std::string_view rel) {
  constexpr std::string_view kSpace = " \t\n\f\r";
  constexpr std::string_view kWord = "canonical";
  for (size_t at = 0; (at = rel.find_first_not_of(kSpace, at)) != rel.npos;) {
    const size_t end = std::min(rel.find_first_of(kSpace, at), rel.size());
    const std::string_view word = rel.substr(at, end - at);
    if (std::equal(word.begin(), word.end(), kWord.begin(), kWord.end(),
                   [](char c, char lower) {
                     return (c >= 'A' && c <= 'Z' ? c + 32 : c) == lower;
                   })) {
      return true;
    }
    at = end;
  }
  return false;
}

}  // namespace twinset
