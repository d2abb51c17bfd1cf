#include "web/webwalker.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/math/pinned_math.h"

namespace twinset {

namespace {

struct Page {
  bool visited = false;
  std::vector<NodeId> neighbours;  // before the first visit: who chose it
};

class WebWalker {
 public:
  WebWalker(LinkSource* web, const WebWalkerOptions& options,
            const WalkBudget& budget)
      : source_(web, &trace_),
        options_(options),
        budget_(budget),
        random_(budget.seed) {}

  Result<WalkTrace> Run() {
    if (options_.degree == 0)
      return Fail(ErrorCode::kUsage, "the degree is not above 0");
    NodeId at = budget_.starts[random_.Below(budget_.starts.size())];
    while (trace_.visits.size() < budget_.moves && !OutOfSteps()) {
      if (budget_.stop != nullptr && *budget_.stop)
        return Fail(ErrorCode::kInterrupted, "interrupted");
      Page& page = pages_[at];
      if (!page.visited) {
        if (!Fix(at, &page)) break;  // the web is at its budget
        TWINSET_TRY(CheckDegree(at, page));
      }
      if (page.neighbours.empty()) return Stuck(at);
      at = page.neighbours[Stay(at, page)];
      TWINSET_TRY(late_);
    }
    trace_.weights =
        options_.loops == LoopRule::kExpected ? "exact" : "uniform";
    if (Periodic()) {
      trace_.warnings.push_back(
          "no page has a self-loop and the graph is bipartite: the walk comes "
          "to each half at every second step and never forgets its start; "
          "raise --degree");
    }
    return std::move(trace_);
  }

 private:
  bool OutOfSteps() const {
    return budget_.steps != 0 &&
           trace_.steps >= static_cast<double>(budget_.steps);
  }

  // False when the web is at its budget.
  bool Fix(NodeId at, Page* page) {
    std::vector<NodeId> links, back;
    if (!source_.OutLinks(at, &links)) return false;
    if (options_.in_links > 0) {
      if (!source_.BackLinks(at, &back)) return false;
      SplitMix64 random = RandomOf(budget_.seed, at);
      back = Choose(std::move(back), options_.in_links, &random);
      links.insert(links.end(), back.begin(), back.end());
    }
    std::unordered_set<NodeId> known(page->neighbours.begin(),
                                     page->neighbours.end());
    known.insert(at);
    for (const NodeId link : links) {
      if (!known.insert(link).second) continue;
      Page& other = pages_[link];
      if (other.visited && options_.late == LateLinkRule::kDrop) {
        ++trace_.dropped_edges;
        continue;
      }
      other.neighbours.push_back(at);
      page->neighbours.push_back(link);
      if (other.visited && late_) late_ = CheckDegree(link, other);
    }
    page->visited = true;
    return true;
  }

  Status CheckDegree(NodeId at, const Page& page) const {
    if (page.neighbours.size() <= options_.degree) return {};
    return Fail(ErrorCode::kUsage,
                "page " + source_.web()->Url(at) + " has " +
                    std::to_string(page.neighbours.size()) +
                    " neighbours, more than the degree " +
                    std::to_string(options_.degree),
                {}, "raise --degree");
  }

  tl::unexpected<Error> Stuck(NodeId at) const {
    return Fail(
        ErrorCode::kUsage,
        "the walk cannot leave its start " + source_.web()->Url(at) +
            ": it has no links" +
            (options_.in_links > 0 ? " and the index knows none to it" : ""),
        {},
        options_.in_links > 0 ? "choose another --start"
                              : "choose another --start or --in-links");
  }

  // Notes the visit with its self-loops; returns which neighbour comes next.
  uint64_t Stay(NodeId at, const Page& page) {
    const uint64_t ways = page.neighbours.size();
    const auto degree = static_cast<double>(options_.degree);
    Visit visit{at, 1, 1, static_cast<uint32_t>(ways)};
    uint64_t next = 0;
    switch (options_.loops) {
      case LoopRule::kDrawn:
        while ((next = random_.Below(options_.degree)) >= ways) {
          if (budget_.steps != 0 &&
              trace_.steps + visit.hold >= static_cast<double>(budget_.steps))
            break;
          visit.hold += 1;
        }
        trace_.steps += visit.hold;
        next %= ways;
        break;
      case LoopRule::kGeometric:
        next = random_.Below(ways);
        visit.hold += Loops(static_cast<double>(ways) / degree);
        trace_.steps += visit.hold;
        break;
      case LoopRule::kExpected:
        next = random_.Below(ways);
        visit.weight = degree / static_cast<double>(ways);
        trace_.steps += visit.weight;
        break;
    }
    trace_.visits.push_back(visit);
    return next;
  }

  // Failures before the first success of probability p.
  double Loops(double p) {
    const double unit = UnitAbove0(&random_);
    if (p >= 1) return 0;
    const double loops = PinnedLog(unit) / PinnedLog(1 - p);
    return static_cast<double>(static_cast<uint64_t>(loops));
  }

  // Returns true iff the visited pages, none of which has self-loops, fall into
  // two halves with edges only between them.
  bool Periodic() const {
    std::unordered_map<NodeId, bool> side;
    std::vector<NodeId> todo;
    for (const Visit& visit : trace_.visits) {
      if (visit.degree != options_.degree) return false;
      if (side.empty()) {
        side.emplace(visit.page, false);
        todo.push_back(visit.page);
      }
    }
    while (!todo.empty()) {
      const NodeId at = todo.back();
      todo.pop_back();
      for (const NodeId next : pages_.at(at).neighbours) {
        const auto [found, is_new] = side.emplace(next, !side.at(at));
        if (is_new) {
          todo.push_back(next);
        } else if (found->second == side.at(at)) {
          return false;
        }
      }
    }
    return !trace_.visits.empty();
  }

  WalkTrace trace_;
  CountingSource source_;
  const WebWalkerOptions& options_;
  const WalkBudget& budget_;
  SplitMix64 random_;
  std::unordered_map<NodeId, Page> pages_;
  Status late_;  // of an edge that was one too many for a visited page
};

}  // namespace

Result<WalkTrace> WalkWebWalker(LinkSource* web,
                                const WebWalkerOptions& options,
                                const WalkBudget& budget) {
  if (budget.starts.empty())
    return Fail(ErrorCode::kUsage, "the walk has no start", {}, "add --start");
  return WebWalker(web, options, budget).Run();
}

}  // namespace twinset
