#include "web/walk_discovery.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::vector<DiscoveryPoint> CurveOf(const WalkTrace& trace,
                                    const std::vector<VisitRange>& chains) {
  size_t longest = 0;
  for (const VisitRange& chain : chains)
    longest = std::max(longest, chain.end - chain.begin);
  std::unordered_set<NodeId> seen;
  std::vector<DiscoveryPoint> curve;
  uint64_t moves = 0;
  for (size_t i = 0; i < longest; ++i) {
    for (const VisitRange& chain : chains) {
      if (chain.begin + i >= chain.end) continue;
      seen.insert(trace.visits[chain.begin + i].page);
      ++moves;
    }
    // The places i + 1 = longest * k / kCurvePoints, rounded up.
    if ((i + 1) * kCurvePoints / longest > i * kCurvePoints / longest)
      curve.push_back({moves, seen.size()});
  }
  return curve;
}

std::string InPercent(double share) {
  const auto tenths = static_cast<int64_t>(share * 1000 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

}  // namespace

Discovery FindDiscovery(const WalkTrace& trace, double burn_in) {
  Discovery discovery;
  const std::vector<VisitRange> chains = ChainsOf(trace, 0);
  discovery.curve = CurveOf(trace, chains);
  std::unordered_map<NodeId, uint64_t> times;
  for (const Visit& visit : trace.visits) ++times[visit.page];
  double weight = 0, once = 0, second = 0, fresh = 0;
  for (const VisitRange& chain : ChainsOf(trace, burn_in)) {
    // The first half begins with the chain: what was seen was seen.
    const size_t whole = chain.first, middle = (chain.begin + chain.end) / 2;
    std::unordered_set<NodeId> seen;
    for (size_t i = whole; i < middle; ++i) seen.insert(trace.visits[i].page);
    for (size_t i = chain.begin; i < chain.end; ++i) {
      const Visit& visit = trace.visits[i];
      weight += WeightOf(visit);
      if (times[visit.page] == 1) once += WeightOf(visit);
      if (i < middle) continue;
      second += WeightOf(visit);
      if (!seen.contains(visit.page)) fresh += WeightOf(visit);
    }
  }
  if (weight > 0) discovery.good_turing = once / weight;
  if (second > 0) discovery.unseen = fresh / second;
  return discovery;
}

std::string WhyNoInterval(const WalkTrace& trace, const Discovery& discovery,
                          WeightTrust trust, double r_hat) {
  if (trace.weights == "none") return "the visits have no weights";
  if (trust == WeightTrust::kNear) {
    return "a walk that returns to its start does not get to the pages far "
           "from it, and cannot know what it misses";
  }
  if (trust == WeightTrust::kVisited) {
    return "the weights of a PageRank walk are ranks among the pages that it "
           "visited; on some webs they are wrong however long it is";
  }
  const std::vector<VisitRange> chains = ChainsOf(trace, 0);
  const bool is_short =
      std::any_of(chains.begin(), chains.end(), [](const VisitRange& chain) {
        return chain.end - chain.first < kLeastMoves;
      });
  const double most =
      trust == WeightTrust::kKnown ? kMostUnseenExact : kMostUnseenEstimated;
  if (discovery.unseen > most) {
    return "the walk still comes to new pages: " + InPercent(discovery.unseen) +
           " of the weight of its second half is on pages that the first half "
           "had not seen, and intervals hold from " +
           InPercent(most) + " down";
  }
  if (is_short) {
    return "chains of fewer than " + CountText(kLeastMoves, "move") +
           ": those that seem to have seen most may sit in a corner";
  }
  if (r_hat > kMostRHat)
    return "parts of the walk disagree (R-hat above 1.1): it has not mixed";
  return "";
}

}  // namespace twinset
