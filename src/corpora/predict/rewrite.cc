#include "predict/rewrite.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.h"
#include "estimate/intervals.h"
#include "mirrors/mirror_index.h"
#include "net/url_rules.h"

namespace twinset {

double RewriteRule::low() const {
  return WilsonInterval(support - errors, support).low;
}

namespace {

constexpr size_t kMostPart = 64;  // bytes of from and to
constexpr size_t kMostAddress = 4096;
constexpr std::string_view kDelimiters = "/?&=.-_;,:~+";

bool IsDelimiter(char c) {
  return kDelimiters.find(c) != std::string_view::npos;
}

std::string_view NameOfParameter(std::string_view part) {
  return part.substr(0, part.find('='));
}

// Parts of the query, without its question mark; what they view lives on.
std::vector<std::string_view> PartsOfQuery(std::string_view address,
                                           const UrlPlaces& at) {
  std::vector<std::string_view> parts;
  if (at.query_end <= at.path_end) return parts;
  std::string_view rest =
      address.substr(at.path_end + 1, at.query_end - at.path_end - 1);
  for (;;) {
    const size_t end = std::min(rest.find('&'), rest.size());
    parts.push_back(rest.substr(0, end));
    if (end == rest.size()) return parts;
    rest.remove_prefix(end + 1);
  }
}

std::string WithoutParameter(std::string_view address, std::string_view name) {
  const UrlPlaces at = FindUrlPlaces(address);
  std::string kept(address.substr(0, at.path_end));
  char before = '?';
  for (const std::string_view part : PartsOfQuery(address, at)) {
    if (NameOfParameter(part) == name) continue;
    kept += before;
    kept += part;
    before = '&';
  }
  kept += address.substr(at.query_end);
  return kept;
}

std::string OtherPrefix(std::string_view address, const RewriteRule& rule) {
  const size_t host = FindUrlPlaces(address).host;
  std::string_view rest = address.substr(host);
  if (!rest.starts_with(rule.from) ||
      (rest.size() > rule.from.size() && rest[rule.from.size()] != '/'))
    return std::string(address);
  std::string other(address.substr(0, host));
  other += rule.to;
  return other.append(rest.substr(rule.from.size()));
}

std::string OtherPart(std::string_view address, const RewriteRule& rule) {
  std::string other(address);
  const size_t begin = FindUrlPlaces(address).authority_end;
  const size_t found = other.find(rule.from, begin);
  if (rule.from.empty() || found == std::string::npos) return other;
  other.replace(found, rule.from.size(), rule.to);
  // Without the slash behind the host it would be another host.
  if (begin < other.size() && other[begin] != '/' && other[begin] != '?')
    other.insert(begin, "/");
  return other;
}

// The one parameter that x and y have not alike; none when there are several.
std::optional<std::string> OddParameter(std::string_view x,
                                        std::string_view y) {
  const UrlPlaces at_x = FindUrlPlaces(x), at_y = FindUrlPlaces(y);
  if (x.substr(0, at_x.path_end) != y.substr(0, at_y.path_end)) return {};
  std::map<std::string_view, std::array<std::string, 2>> values;
  const auto add = [&](const auto& parts, size_t side) {
    for (const std::string_view part : parts)
      values[NameOfParameter(part)][side].append(part) += '&';
  };
  add(PartsOfQuery(x, at_x), 0);
  add(PartsOfQuery(y, at_y), 1);
  std::optional<std::string> odd;
  for (const auto& [name, of] : values) {
    if (of[0] == of[1]) continue;
    if (odd || name.empty() || name.size() > kMostPart) return {};
    odd = name;
  }
  return odd;
}

// What stands between the common ends of two addresses of one host, each
// widened to delimiters, so that "7" alone is never a rule.
std::optional<RewriteRule> OddPart(std::string_view x, std::string_view y) {
  if (x.size() < y.size() || (x.size() == y.size() && x < y)) std::swap(x, y);
  const size_t least = FindUrlPlaces(x).authority_end;
  size_t begin = static_cast<size_t>(
      std::mismatch(x.begin(), x.end(), y.begin(), y.end()).first - x.begin());
  if (begin < least) return {};
  if (begin == x.size()) return {};
  while (begin > least && !IsDelimiter(x[begin])) --begin;
  size_t tail = 0;
  while (tail < y.size() - begin &&
         x[x.size() - 1 - tail] == y[y.size() - 1 - tail])
    ++tail;
  while (tail > 0 && !IsDelimiter(x[x.size() - tail - 1])) --tail;
  RewriteRule rule;
  rule.kind = RewriteKind::kSubstring;
  rule.from = x.substr(begin, x.size() - tail - begin);
  rule.to = y.substr(begin, y.size() - tail - begin);
  if (rule.from.size() > kMostPart || rule.to.size() > kMostPart) return {};
  return rule;
}

}  // namespace

std::optional<std::string> PlainAddress(std::string_view text) {
  text = Trim(text);
  if (text.size() > kMostAddress || !WhyNoAddress(text).empty()) return {};
  std::string address(text);
  ApplyUrlRule(UrlRule::kRfc3986, &address);
  if (!FindUrlPlaces(address).has_scheme) return {};
  return address;
}

std::string_view HostOf(std::string_view address) {
  return HostIn(address, FindUrlPlaces(address));
}

std::optional<std::string> Rewrite(const RewriteRule& rule,
                                   std::string_view address) {
  std::string other;
  switch (rule.kind) {
    case RewriteKind::kSpelling: {
      const auto spelling = FindChoice<UrlRule>(rule.from);
      other = address;
      if (!spelling || !ApplyUrlRule(*spelling, &other)) return {};
      break;
    }
    case RewriteKind::kParameter:
      other = WithoutParameter(address, rule.from);
      break;
    case RewriteKind::kMirror:
      other = OtherPrefix(address, rule);
      break;
    case RewriteKind::kSubstring:
      other = OtherPart(address, rule);
      break;
  }
  if (other == address) return {};
  return other;
}

std::string RuleName(const RewriteRule& rule) {
  std::string name = std::string(ChoiceName(rule.kind)) + " " + rule.from;
  if (!rule.to.empty()) name += " to " + rule.to;
  if (!rule.host.empty()) name += " at " + rule.host;
  return name;
}

std::vector<RewriteRule> SuggestRules(std::string_view x, std::string_view y) {
  std::vector<RewriteRule> rules;
  const auto add = [&](RewriteKind kind, std::string_view from,
                       std::string_view to) {
    RewriteRule& rule = rules.emplace_back();
    rule.kind = kind;
    rule.from = from;
    rule.to = to;
  };
  for (const auto& [spelling, name] : kChoices<UrlRule>) {
    if (spelling == UrlRule::kRfc3986) continue;
    std::string of_x(x), of_y(y);
    ApplyUrlRule(spelling, &of_x);
    ApplyUrlRule(spelling, &of_y);
    if (of_x == of_y) add(RewriteKind::kSpelling, name, {});
  }
  if (!rules.empty()) return rules;  // it is enough to say so
  if (const auto odd = OddParameter(x, y)) {
    add(RewriteKind::kParameter, *odd, {});
    return rules;
  }
  if (HostOf(x) == HostOf(y)) {
    if (auto rule = OddPart(x, y)) rules.push_back(*std::move(rule));
  }
  const std::string_view rest_x = x.substr(FindUrlPlaces(x).host),
                         rest_y = y.substr(FindUrlPlaces(y).host);
  const SplitPair split = SplitParallel(rest_x, rest_y);
  if (!split.a.empty() && split.a != split.b &&
      std::max(split.a.size(), split.b.size()) <= 4 * kMostPart) {
    const auto [to, from] = std::minmax(split.a, split.b);
    add(RewriteKind::kMirror, from, to);
  }
  return rules;
}

}  // namespace twinset
