#include "web/live_web.h"

#include <utility>

#include "base/machine.h"
#include "engine/http_fetcher.h"
#include "engine/open_engine.h"
#include "net/recorded_fetcher.h"
#include "net/url.h"

namespace twinset {

namespace {

constexpr uint32_t kMostBackLinks = 100;  // engines show no more

}  // namespace

Result<LiveWeb> OpenLiveWeb(const WalkOptions& options) {
  const std::string& first = options.graph.input.inputs.front();
  LiveOptions live;
  live.max_pages = options.max_pages;
  const uint64_t memory = MemoryOr(options.graph.memory_bytes);
  // A page takes many times its bytes while its links are read.
  live.memory_bytes = memory / 2;
  live.links = {options.graph.follow_nofollow, options.graph.follow_hidden};
  for (const std::string& prefix : options.scope)
    live.scope.push_back(NormaliseUrl(prefix));
  if (live.scope.empty()) live.scope.push_back(UrlOrigin(first) + "/");
  PolitenessOptions polite;
  polite.may_follow = [scope = live.scope](const std::string& url) {
    return InScope(scope, url);
  };
  polite.robots = options.robots;
  TWINSET_ASSIGN(
      std::unique_ptr<Fetcher> fetcher,
      OpenPoliteFetcher(options.fetching, std::move(polite), memory));
  TWINSET_ASSIGN(TextReader reader, TextReader::Make(options.graph.features));
  LiveWeb web;
  if (!options.back_links.empty()) {
    OpenEngineOptions opening;
    opening.fetching = options.fetching;
    TWINSET_ASSIGN(web.back_links, OpenEngine(options.back_links, opening));
    live.back_links = BackLinksOf(web.back_links.get(), kMostBackLinks);
  }
  if (!options.record.empty()) {
    TWINSET_ASSIGN(fetcher,
                   OpenRecordedFetcher(std::move(fetcher), options.record));
  }
  web.source = std::make_unique<LiveSource>(std::move(fetcher),
                                            std::move(reader), std::move(live));
  std::vector<std::string> starts = options.starts;
  starts.insert(starts.begin(), first);
  for (const std::string& start : starts) {
    TWINSET_ASSIGN(const NodeId node, web.source->Find(start));
    web.starts.push_back(node);
  }
  return web;
}

Json LiveJson(const LiveCounts& counts) {
  return {{"requests", counts.requests},
          {"pages", counts.pages},
          {"redirects", counts.redirects},
          {"not_pages", counts.not_pages},
          {"refused", counts.refused},
          {"failures", counts.failures},
          {"out_of_scope", counts.out_of_scope},
          {"longest_url", counts.longest_url},
          {"left_out", counts.left_out}};
}

}  // namespace twinset
