#include "net/robots.h"

#include <cstring>
#include <utility>

#include "base/ascii.h"

namespace twinset {

namespace {

bool IsUnreserved(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// Value of a hex digit, or -1.
int HexValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = ToLowerAscii(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void AppendEscaped(char c, std::string* to) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  *to += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
}

// One form for patterns and targets: escapes of unreserved characters undone,
// other escapes in upper case, bytes outside printable ASCII escaped; after "?"
// escaped delimiters are undone too, so that https://x and https%3A%2F%2Fx are
// one value. "*" and "$" are escaped where they have no special meaning: in
// targets, and inside patterns those written so and "$" before the end.
std::string Canonical(std::string_view text, bool is_pattern) {
  std::string result;
  bool in_query = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool escaped = false;
    if (c == '%' && i + 2 < text.size() && HexValue(text[i + 1]) >= 0 &&
        HexValue(text[i + 2]) >= 0) {
      c = static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
      escaped = true;
      i += 2;
    }
    if (c == '?' && !escaped) in_query = true;
    const bool special = c == '*' || c == '$';
    const bool meant = is_pattern && !escaped &&
                       (c == '*' || (c == '$' && i + 1 == text.size()));
    const bool delimiter =
        std::string_view(":/?@[]").find(c) != std::string_view::npos;
    const bool printable = c > ' ' && c < 127;
    bool plain = printable;
    if (escaped) plain = IsUnreserved(c) || (in_query && delimiter);
    if (special) plain = meant;
    if (c == '*' && meant && result.ends_with('*')) continue;
    if (plain) {
      result += c;
    } else {
      AppendEscaped(c, &result);
    }
  }
  return result;
}

// Every piece between stars at its first place after the one before; that is
// enough, since a later place leaves less for the rest.
bool Matches(std::string_view pattern, std::string_view target) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  bool first = true;
  while (true) {
    const size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    if (last && anchored) {
      return first ? target == piece : target.ends_with(piece);
    }
    if (first) {
      if (!target.starts_with(piece)) return false;
      target.remove_prefix(piece.size());
    } else if (!piece.empty()) {
      // memmem is linear whatever the bytes.
      const void* found = target.empty()
                              ? nullptr
                              : ::memmem(target.data(), target.size(),
                                         piece.data(), piece.size());
      if (found == nullptr) return false;
      const auto at =
          static_cast<size_t>(static_cast<const char*>(found) - target.data());
      target.remove_prefix(at + piece.size());
    }
    if (last) return true;
    pattern.remove_prefix(star + 1);
    first = false;
  }
}

// Takes the next line off the front, its comment and end cut off.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find_first_of("\r\n");
  std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return Trim(line.substr(0, line.find('#')), kBlanks);
}

// The letters, "_" and "-" at the front: what robots are called by.
std::string_view ProductToken(std::string_view value) {
  size_t size = 0;
  while (size < value.size() && (IsAsciiLetter(value[size]) ||
                                 value[size] == '_' || value[size] == '-'))
    ++size;
  return value.substr(0, size);
}

// Path and query of an address; "/" when there are none.
std::string_view TargetOf(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const size_t slashes = url.find("//");
  const size_t start = slashes == std::string_view::npos ? 0 : slashes + 2;
  const size_t path = url.find_first_of("/?", start);
  return path == std::string_view::npos ? "/" : url.substr(path);
}

}  // namespace

RobotsRules ParseRobots(std::string_view text, std::string_view agent) {
  text = text.substr(0, kMostRobotsBytes);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  agent = ProductToken(agent);
  RobotsRules ours, everyones;
  bool named = false;  // some group is ours
  bool in_names = false, for_us = false, for_all = false;
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = Trim(line.substr(0, colon), kBlanks);
    const std::string_view value = Trim(line.substr(colon + 1), kBlanks);
    if (EqualsIgnoreCase(key, "user-agent")) {
      if (!in_names) for_us = for_all = false;
      in_names = true;
      for_all |= value == "*";
      for_us |= !agent.empty() && EqualsIgnoreCase(ProductToken(value), agent);
      named |= for_us;
      continue;
    }
    const bool allow = EqualsIgnoreCase(key, "allow");
    if (!allow && !EqualsIgnoreCase(key, "disallow")) continue;
    in_names = false;
    if (value.empty()) continue;  // forbids nothing
    if (!for_us && !for_all) continue;
    RobotsRule rule{Canonical(value, true), allow};
    if (for_us) ours.push_back(rule);
    if (for_all) everyones.push_back(std::move(rule));
  }
  return named ? ours : everyones;
}

bool RobotsAllow(const RobotsRules& rules, std::string_view url) {
  std::string_view path = TargetOf(url);
  if (path == "/robots.txt") return true;
  std::string target = Canonical(path, false);
  if (!target.starts_with('/')) target.insert(0, 1, '/');
  bool allow = true;
  size_t most = 0;
  for (const RobotsRule& rule : rules) {
    const size_t octets = rule.pattern.size();
    if (octets < most || (octets == most && !rule.allow)) continue;
    if (!Matches(rule.pattern, target)) continue;
    most = octets;
    allow = rule.allow;
  }
  return allow;
}

}  // namespace twinset
