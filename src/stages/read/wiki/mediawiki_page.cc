#include "read/wiki/mediawiki_page.h"

#include <algorithm>

#include "base/ascii.h"

namespace twinset {
namespace {

constexpr size_t npos = std::string_view::npos;
constexpr std::string_view kSpace = " \t\r\n";

bool IsHttp(std::string_view address) {
  return address.starts_with("http://") || address.starts_with("https://");
}

}  // namespace

std::string WikiAddressPrefix(std::string_view base) {
  base = Trim(base, kSpace);
  if (!IsHttp(base)) return {};
  constexpr std::string_view kTitle = "title=";
  const size_t title = base.find(kTitle);
  if (title != npos) return std::string(base.substr(0, title + kTitle.size()));
  const size_t slash = base.rfind('/');
  // Behind the host, not in front of it.
  const bool has_path = slash > base.find("//") + 1;
  return has_path ? std::string(base.substr(0, slash + 1))
                  : std::string(base) + "/";
}

std::string WikiAddress(std::string_view prefix, std::string_view title) {
  if (prefix.empty()) return std::string(title);
  static constexpr std::string_view kEscaped = "%?#\"<>[]\\^`{|}+&";
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string address(prefix);
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      address += '_';
    } else if (byte < 0x20 || byte == 0x7F || kEscaped.find(c) != npos) {
      address += '%';
      address += kHex[byte >> 4];
      address += kHex[byte & 15];
    } else {
      address += c;
    }
  }
  return address;
}

std::optional<std::string> WikiRedirect(std::string_view text) {
  constexpr size_t kLongestWord = 64;
  text = text.substr(std::min(text.find_first_not_of(kSpace), text.size()));
  if (!text.starts_with('#')) return std::nullopt;
  text.remove_prefix(1);
  // A word right behind the '#': "#[[x]]" and "# [[x]]" are items of a list.
  const size_t word = text.find_first_of(": \t[\n");
  if (word == npos || word < 2 || word > kLongestWord) return std::nullopt;
  text.remove_prefix(word);
  text.remove_prefix(std::min(text.find_first_not_of(": \t"), text.size()));
  if (!text.starts_with("[[")) return std::nullopt;
  text.remove_prefix(2);
  const size_t end = text.find("]]");
  if (end == npos || text.substr(0, end).find('\n') != npos)
    return std::nullopt;
  text = text.substr(0, end);
  text = text.substr(0, std::min(text.find_first_of("#|"), text.size()));
  text = Trim(text, ": \t");
  if (text.empty()) return std::nullopt;
  return std::string(text);
}

}  // namespace twinset
