#include "web/page_graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "net/page_links.h"
#include "net/url.h"
#include "web/edge_list.h"

namespace twinset {

namespace {

class Builder {
 public:
  Builder(const GraphOptions& options, uint64_t memory_bytes, GraphFacts* facts)
      : options_(options), memory_bytes_(memory_bytes), facts_(facts) {}

  bool Add(const DocumentText& page) {
    ++facts_->documents;
    const std::string url = NormaliseUrl(
        page.url.empty() ? std::string(kFileScheme) + page.id : page.url);
    if (!IsPageUrl(url)) {
      ++facts_->without_url;
      Problem(page, "no address of a page");
      return true;
    }
    const uint32_t node = Number(url);
    if (node < is_page_.size() && is_page_[node]) {
      ++facts_->repeated_urls;
      return true;
    }
    is_page_.resize(names_.size(), false);
    is_page_[node] = true;
    order_.push_back(node);
    for (const std::string& target :
         LinksOf(page, url, {options_.follow_nofollow, options_.follow_hidden},
                 &counts_)) {
      arcs_.emplace_back(node, Number(target));
    }
    is_page_.resize(names_.size(), false);
    return !TooLarge();
  }

  Result<NamedGraph> Finish() {
    facts_->links = counts_.links;
    facts_->nofollow = counts_.nofollow;
    facts_->hidden = counts_.hidden;
    facts_->unresolved = counts_.unresolved;
    if (TooLarge()) {
      return Fail(ErrorCode::kMemory,
                  "the graph of the first " +
                      std::to_string(facts_->documents) + " pages needs " +
                      std::to_string((Needed() >> 20) + 1) + "M",
                  {}, "raise --memory");
    }
    if (order_.empty()) {
      return Fail(ErrorCode::kCorrupt, "no input has a page with an address",
                  {}, "give --url-field, or archives of the web");
    }
    return Graphed();
  }

 private:
  uint32_t Number(const std::string& url) {
    const auto [at, is_new] =
        numbers_.try_emplace(url, static_cast<uint32_t>(names_.size()));
    if (is_new) {
      names_.push_back(&at->first);
      name_bytes_ += 2 * url.size() + 64;
    }
    return at->second;
  }

  void Problem(const DocumentText& page, const std::string& what) {
    if (facts_->problems.size() < kMostProblems)
      facts_->problems.push_back(page.source + ": " + page.id + ": " + what);
  }

  uint64_t Needed() const {
    return arcs_.size() * 24 + names_.size() * 80 + name_bytes_;
  }
  bool TooLarge() const {
    return memory_bytes_ != 0 && Needed() > memory_bytes_;
  }

  // Pages first, then what else is linked, if wanted.
  Result<NamedGraph> Graphed() {
    constexpr uint32_t kNone = UINT32_MAX;
    std::vector<uint32_t> place(names_.size(), kNone);
    NamedGraph graph;
    const auto add = [&](uint32_t node) {
      place[node] = static_cast<uint32_t>(graph.urls.size());
      graph.urls.push_back(*names_[node]);
    };
    for (const uint32_t node : order_) add(node);
    std::vector<std::pair<uint32_t, uint32_t>> kept;
    kept.reserve(arcs_.size());
    for (const auto& [from, to] : arcs_) {
      if (!is_page_[to]) {
        ++facts_->dangling;
        if (!options_.keep_dangling) continue;
        if (place[to] == kNone) add(to);
      }
      kept.emplace_back(place[from], place[to]);
    }
    TWINSET_ASSIGN(graph.graph,
                   Graph::FromArcs(static_cast<uint32_t>(graph.urls.size()),
                                   std::move(kept)));
    return graph;
  }

  const GraphOptions& options_;
  const uint64_t memory_bytes_;
  GraphFacts* facts_;
  LinkCounts counts_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<const std::string*> names_;
  std::vector<bool> is_page_;
  std::vector<uint32_t> order_;
  std::vector<std::pair<uint32_t, uint32_t>> arcs_;
  uint64_t name_bytes_ = 0;
};

}  // namespace

Result<NamedGraph> ReadPageGraph(const GraphOptions& options,
                                 uint64_t memory_bytes, GraphFacts* facts) {
  Builder builder(options, memory_bytes, facts);
  TextDetails details;
  details.facts = true;
  PassProgress progress(options.on_progress, "graph", "", "documents");
  TWINSET_ASSIGN(SideCounter counter,
                 SideCounter::Make("graph", options.input));
  TWINSET_TRY(ForEachText(
      options.input, options.features, details,
      [&](const DocumentText& page) {
        progress.Add();
        counter.Document(page.source, /*is_wordless=*/false);
        return builder.Add(page);
      },
      counter.Counting([&](const RejectedRecord&) { ++facts->rejected; })));
  facts->warnings = counter.Warnings();
  return builder.Finish();
}

}  // namespace twinset
