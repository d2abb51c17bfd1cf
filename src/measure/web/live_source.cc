#include "web/live_source.h"

#include <algorithm>
#include <unordered_set>

#include "net/url.h"

namespace twinset {

namespace {

// Memory per page that was only named: its place in the table and in the lists.
constexpr uint64_t kPageBytes = 256;
constexpr uint64_t kLinkBytes = 24;  // both ways

}  // namespace

bool InScope(const std::vector<std::string>& scope, const std::string& url) {
  return std::any_of(
      scope.begin(), scope.end(),
      [&](const std::string& prefix) { return url.starts_with(prefix); });
}

NodeId LiveSource::Add(const std::string& url) {
  const auto [at, is_new] = numbers_.try_emplace(url, urls_.size());
  if (is_new) {
    urls_.push_back(&at->first);
    pages_.emplace_back();
    held_bytes_ += kPageBytes + url.size();
    counts_.longest_url = std::max<uint64_t>(counts_.longest_url, url.size());
  }
  return at->second;
}

Result<NodeId> LiveSource::Find(const std::string& url) {
  const std::string normal = NormaliseUrl(url);
  if (!IsHttpUrl(normal))
    return Fail(ErrorCode::kUsage, "'" + url + "' is no http address");
  if (!InScope(options_.scope, normal)) {
    return Fail(ErrorCode::kUsage, "'" + url + "' is outside the scope", {},
                "name its prefix in --scope");
  }
  return Add(normal);
}

// Where the links of the page lead, within the scope or not.
Result<std::vector<std::string>> LiveSource::Targets(const std::string& url) {
  ++counts_.requests;
  auto response = fetcher_->Get(url);
  if (!response) {
    ++counts_.failures;
    return tl::unexpected<Error>(std::move(response).error());
  }
  // A redirect that was not followed, since it leads out of the scope.
  if (response->status >= 300 && response->status <= 399 &&
      !response->location.empty()) {
    ++counts_.redirects;
    TWINSET_ASSIGN(std::string target,
                   ResolveUrl(response->url, response->location));
    return std::vector<std::string>{std::move(target)};
  }
  if (response->status < 200 || response->status > 299) {
    ++counts_.refused;
    return Fail(ErrorCode::kNotFound,
                "the server answers " + std::to_string(response->status), url);
  }
  const std::string reached = NormaliseUrl(response->url);
  if (reached != url) {
    ++counts_.redirects;
    return std::vector<std::string>{reached};
  }
  TextDetails details;
  details.facts = true;
  const auto page = reader_.Read(
      {url, response->content_type, std::move(response->body), response->date},
      details);
  if (!page) {
    ++counts_.not_pages;
    return std::vector<std::string>();
  }
  ++counts_.pages;
  return LinksOf(*page, url, options_.links, &counts_.links);
}

void LiveSource::Ask(NodeId node) {
  pages_[node].asked = true;
  auto targets = Targets(*urls_[node]);
  if (!targets) {
    pages_[node].error = std::make_unique<Error>(std::move(targets).error());
    return;
  }
  std::unordered_set<NodeId> known = {node};
  std::vector<NodeId> links;
  for (const std::string& target : *targets) {
    if (!InScope(options_.scope, target)) {
      ++counts_.out_of_scope;
      continue;
    }
    if (Full()) {
      ++counts_.left_out;
      continue;
    }
    const NodeId to = Add(target);
    if (!known.insert(to).second) continue;
    held_bytes_ += kLinkBytes;
    links.push_back(to);
    pages_[to].seen_from.push_back(node);
  }
  pages_[node].links = std::move(links);
}

Result<std::vector<NodeId>> LiveSource::OutLinks(NodeId node) {
  if (node >= pages_.size())
    return Fail(ErrorCode::kNotFound, "no page " + std::to_string(node));
  if (!pages_[node].asked) {
    if (counts_.requests >= options_.max_pages) {
      return Fail(ErrorCode::kInterrupted,
                  "the budget of " + std::to_string(options_.max_pages) +
                      " pages is used up");
    }
    if (Full()) {
      return Fail(ErrorCode::kInterrupted,
                  "the memory for addresses and links is used up, of " +
                      std::to_string(urls_.size()) + " pages",
                  {}, "raise --memory");
    }
    Ask(node);
  }
  const Page& page = pages_[node];
  if (page.error != nullptr) return tl::unexpected<Error>(*page.error);
  return page.links;
}

Result<std::vector<NodeId>> LiveSource::BackLinks(NodeId node) {
  if (node >= pages_.size())
    return Fail(ErrorCode::kNotFound, "no page " + std::to_string(node));
  if (!options_.back_links) return pages_[node].seen_from;
  TWINSET_ASSIGN(const std::vector<std::string> from,
                 options_.back_links(*urls_[node]));
  std::vector<NodeId> pages;
  std::unordered_set<NodeId> known = {node};
  for (const std::string& url : from) {
    const std::string normal = NormaliseUrl(url);
    if (!InScope(options_.scope, normal)) continue;
    const NodeId page = Add(normal);
    if (known.insert(page).second) pages.push_back(page);
  }
  return pages;
}

std::function<Result<std::vector<std::string>>(const std::string& url)>
BackLinksOf(Engine* engine, uint32_t limit) {
  return [engine,
          limit](const std::string& url) -> Result<std::vector<std::string>> {
    EngineQuery query;
    query.terms = {"link:" + url};
    query.limit = limit;
    TWINSET_ASSIGN(EngineAnswer answer, engine->Query(query));
    return std::move(answer.urls);
  };
}

}  // namespace twinset
