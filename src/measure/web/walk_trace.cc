#include "web/walk_trace.h"

#include <algorithm>
#include <utility>

namespace twinset {

bool CountingSource::Take(Result<std::vector<NodeId>> answer,
                          std::vector<NodeId>* links) {
  links->clear();
  if (answer) {
    *links = std::move(*answer);
    return true;
  }
  if (answer.error().code == ErrorCode::kInterrupted) {
    trace_->stopped = answer.error().message;
    return false;
  }
  ++trace_->failures;
  return true;
}

bool CountingSource::OutLinks(NodeId node, std::vector<NodeId>* links) {
  if (!Take(web_->OutLinks(node), links)) return false;
  ++trace_->pages_asked;
  return true;
}

bool CountingSource::BackLinks(NodeId node, std::vector<NodeId>* links) {
  if (!Take(web_->BackLinks(node), links)) return false;
  ++trace_->index_asked;
  return true;
}

SplitMix64 RandomOf(uint64_t seed, NodeId page) {
  return SplitMix64(Mix64(Mix64(seed) + page));
}

double UnitAbove0(SplitMix64* random) {
  return static_cast<double>((random->Next() >> 11) + 1) * 0x1p-53;
}

std::vector<NodeId> Choose(std::vector<NodeId> items, uint64_t count,
                           SplitMix64* random) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  if (items.size() <= count) return items;
  for (uint64_t i = 0; i < count; ++i)
    std::swap(items[i], items[i + random->Below(items.size() - i)]);
  items.resize(count);
  std::sort(items.begin(), items.end());
  return items;
}

size_t BurnIn(const WalkTrace& trace, double share) {
  const auto visits = static_cast<double>(trace.visits.size());
  return std::min(trace.visits.size(), static_cast<size_t>(visits * share));
}

std::vector<VisitRange> ChainsOf(const WalkTrace& trace, double burn_in) {
  std::vector<VisitRange> ranges;
  for (size_t k = 0; k <= trace.chains.size(); ++k) {
    const size_t first = k == 0 ? 0 : trace.chains[k - 1];
    const size_t end =
        k == trace.chains.size() ? trace.visits.size() : trace.chains[k];
    const auto left =
        static_cast<size_t>(static_cast<double>(end - first) * burn_in);
    ranges.push_back({first, std::min(first + left, end), end});
  }
  return ranges;
}

void AddChain(WalkTrace chain, WalkTrace* trace) {
  trace->chains.push_back(trace->visits.size());
  trace->visits.insert(trace->visits.end(), chain.visits.begin(),
                       chain.visits.end());
  trace->steps += chain.steps;
  trace->pages_asked += chain.pages_asked;
  trace->index_asked += chain.index_asked;
  trace->failures += chain.failures;
  trace->jumps += chain.jumps;
  trace->dropped_edges += chain.dropped_edges;
  if (!chain.stopped.empty()) trace->stopped = std::move(chain.stopped);
  for (std::string& warning : chain.warnings) {
    if (std::find(trace->warnings.begin(), trace->warnings.end(), warning) ==
        trace->warnings.end())
      trace->warnings.push_back(std::move(warning));
  }
}

std::vector<WalkDraw> DrawFromWalk(const WalkTrace& trace, double burn_in,
                                   uint64_t size) {
  std::vector<WalkDraw> draws;
  const size_t first = BurnIn(trace, burn_in), end = trace.visits.size();
  double time = 0, mass = 0;
  for (size_t i = first; i < end; ++i) {
    const Visit& visit = trace.visits[i];
    time += visit.hold;
    mass += visit.hold * visit.weight;
    if (size == 0) draws.push_back({visit.page, visit.hold * visit.weight, i});
  }
  if (size == 0) return draws;
  const uint64_t wanted =
      static_cast<double>(size) > time ? static_cast<uint64_t>(time) : size;
  double passed = 0;  // mass before the end of visit i
  for (size_t i = first; i < end && draws.size() < wanted; ++i) {
    const Visit& visit = trace.visits[i];
    passed += visit.hold * visit.weight;
    while (draws.size() < wanted &&
           (static_cast<double>(draws.size()) + 0.5) * mass <
               passed * static_cast<double>(wanted)) {
      draws.push_back({visit.page, 1, i});
    }
  }
  return draws;
}

}  // namespace twinset
