#include "web/directed_sampling.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace twinset {

namespace {

struct Page {
  std::vector<NodeId> ways;  // links; of an undirected walk, neighbours
  uint64_t visits = 0;
  double mass = 0;     // sum over all steps of the probability to come next
  bool known = false;  // its links have been read
};

using Pages = std::unordered_map<NodeId, Page>;

Status CheckBudget(const WalkBudget& budget) {
  if (!budget.starts.empty()) return {};
  return Fail(ErrorCode::kUsage, "the walk has no start", {}, "add --start");
}

uint64_t Moves(const WalkBudget& budget) {
  return budget.steps == 0 ? budget.moves
                           : std::min(budget.moves, budget.steps);
}

bool Stopped(const WalkBudget& budget) {
  return budget.stop != nullptr && *budget.stop;
}

// `order`: visited pages by first visit, so that sums have one order.
void EstimateLaw(const std::vector<NodeId>& order,
                 const std::vector<NodeId>& starts, double damping,
                 uint64_t steps, Pages* pages) {
  const auto total = static_cast<double>(steps);
  double returns = 0;
  for (const NodeId at : order) {
    const Page& page = (*pages)[at];
    const double share = static_cast<double>(page.visits) / total;
    if (page.ways.empty()) {
      returns += share;
      continue;
    }
    returns += share * (1 - damping);
    const double each = share * damping / static_cast<double>(page.ways.size());
    for (const NodeId next : page.ways) {
      const auto found = pages->find(next);
      if (found != pages->end()) found->second.mass += each;
    }
  }
  for (const NodeId start : starts) {
    const auto found = pages->find(start);
    if (found != pages->end())
      found->second.mass += returns / static_cast<double>(starts.size());
  }
}

// The neighbours of a page come to be known in both directions: what the index
// does not tell of a visited page, the links of others do.
class UndirectedPages {
 public:
  explicit UndirectedPages(CountingSource* source) : source_(source) {}

  // Null when the web is at its budget.
  const Page* Visit(NodeId at) {
    Page& page = pages_[at];
    if (!page.known && !Learn(at, &page)) return nullptr;
    ++page.visits;
    return &page;
  }
  uint64_t degree(NodeId at) const { return pages_.at(at).ways.size(); }

 private:
  bool Learn(NodeId at, Page* page) {
    std::vector<NodeId> links, back;
    if (!source_->OutLinks(at, &links) || !source_->BackLinks(at, &back))
      return false;
    page->known = true;
    std::unordered_set<NodeId> neighbours(page->ways.begin(), page->ways.end());
    neighbours.insert(at);
    links.insert(links.end(), back.begin(), back.end());
    for (const NodeId link : links) {
      if (!neighbours.insert(link).second) continue;
      page->ways.push_back(link);
      // The other page has this edge too, whether it was visited or will be.
      pages_[link].ways.push_back(at);
    }
    return true;
  }

  CountingSource* source_;
  Pages pages_;
};

}  // namespace

Result<WalkTrace> WalkDirected(LinkSource* web, double damping,
                               const WalkBudget& budget) {
  TWINSET_TRY(CheckBudget(budget));
  if (!(damping >= 0 && damping < 1))
    return Fail(ErrorCode::kUsage, "the damping is not at least 0 and below 1");
  WalkTrace trace;
  CountingSource source(web, &trace);
  SplitMix64 random(budget.seed);
  Pages pages;
  std::vector<NodeId> order;
  const auto start = [&] {
    return budget.starts[random.Below(budget.starts.size())];
  };
  NodeId at = start();
  while (trace.visits.size() < Moves(budget)) {
    if (Stopped(budget)) return Fail(ErrorCode::kInterrupted, "interrupted");
    Page& page = pages[at];
    if (!page.known) {
      if (!source.OutLinks(at, &page.ways)) break;
      page.known = true;
      order.push_back(at);
    }
    ++page.visits;
    trace.visits.push_back({at, 1, 1, static_cast<uint32_t>(page.ways.size())});
    if (page.ways.empty() || UnitAbove0(&random) > damping) {
      at = start();
      ++trace.jumps;
    } else {
      at = page.ways[random.Below(page.ways.size())];
    }
  }
  trace.steps = static_cast<double>(trace.visits.size());
  EstimateLaw(order, budget.starts, damping, trace.visits.size(), &pages);
  const auto count = static_cast<double>(order.size());
  for (Visit& visit : trace.visits) {
    const Page& page = pages[visit.page];
    // No visited page leads to it: it was the first one, seen by its visits.
    const double law = page.mass > 0
                           ? page.mass
                           : static_cast<double>(page.visits) / trace.steps;
    visit.weight = 1 / (law * count);
  }
  trace.weights = "estimated";
  return trace;
}

Result<WalkTrace> WalkUndirected(LinkSource* web, const WalkBudget& budget) {
  TWINSET_TRY(CheckBudget(budget));
  WalkTrace trace;
  CountingSource source(web, &trace);
  SplitMix64 random(budget.seed);
  UndirectedPages pages(&source);
  NodeId at = budget.starts[random.Below(budget.starts.size())];
  while (trace.visits.size() < Moves(budget)) {
    if (Stopped(budget)) return Fail(ErrorCode::kInterrupted, "interrupted");
    const Page* page = pages.Visit(at);
    if (page == nullptr) break;
    trace.visits.push_back({at, 1, 1, 0});
    if (page->ways.empty()) {
      return Fail(ErrorCode::kUsage,
                  "the walk cannot leave its start " + web->Url(at) +
                      ": it has no links and the index knows none to it",
                  {}, "choose another --start");
    }
    at = page->ways[random.Below(page->ways.size())];
  }
  trace.steps = static_cast<double>(trace.visits.size());
  for (Visit& visit : trace.visits) {
    const uint64_t degree = pages.degree(visit.page);
    visit.degree = static_cast<uint32_t>(degree);
    visit.weight = 1 / static_cast<double>(degree);
  }
  trace.weights = "estimated";
  return trace;
}

}  // namespace twinset
