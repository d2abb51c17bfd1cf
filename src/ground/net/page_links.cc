#include "net/page_links.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "net/url.h"

namespace twinset {

namespace {

bool HasWord(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t end = std::min(list.find_first_of(" \t,"), list.size());
    if (EqualsIgnoreCase(list.substr(0, end), word)) return true;
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return false;
}

// What `href` leads to from here; empty when it is no page of the web.
std::string Target(const std::string& base, const std::string& href) {
  const auto target = ResolveUrl(base, href);
  return target && IsPageUrl(*target) ? *target : std::string();
}

// What the links of the page are relative to.
std::string BaseOf(const DocumentText& page, const std::string& url) {
  if (page.base.empty()) return url;
  return ResolveUrl(url, page.base).value_or(url);
}

}  // namespace

bool IsPageUrl(std::string_view url) {
  return IsHttpUrl(url) || url.starts_with(kFileScheme);
}

std::vector<std::string> OtherAddressesOf(const DocumentText& page,
                                          const std::string& url) {
  const std::string base = BaseOf(page, url);
  std::vector<std::string> addresses;
  const auto add = [&](const std::string& href) {
    if (href.empty()) return;
    std::string target = Target(base, href);
    if (target.empty() || target == NormaliseUrl(url)) return;
    if (std::find(addresses.begin(), addresses.end(), target) ==
        addresses.end())
      addresses.push_back(std::move(target));
  };
  constexpr size_t kMostAddresses = 100;
  add(page.canonical);
  add(page.redirect);
  for (const DocumentLink& link : page.links)
    if (link.frame && addresses.size() < kMostAddresses) add(link.href);
  return addresses;
}

std::vector<std::string> LinksOf(const DocumentText& page,
                                 const std::string& url, const LinkRules& rules,
                                 LinkCounts* counts) {
  const std::string base = BaseOf(page, url);
  const bool page_nofollow =
      HasWord(page.robots, "nofollow") || HasWord(page.robots, "none");
  std::vector<std::string> targets;
  const auto add = [&](const std::string& href) {
    std::string target = Target(base, href);
    if (target.empty()) {
      ++counts->unresolved;
    } else {
      targets.push_back(std::move(target));
    }
  };
  for (const DocumentLink& link : page.links) {
    ++counts->links;
    const bool nofollow = page_nofollow || HasWord(link.rel, "nofollow");
    counts->nofollow += nofollow;
    counts->hidden += link.hidden;
    if ((nofollow && !rules.follow_nofollow) ||
        (link.hidden && !rules.follow_hidden)) {
      continue;
    }
    add(link.href);
  }
  if (!page.redirect.empty()) add(page.redirect);
  return targets;
}

}  // namespace twinset
