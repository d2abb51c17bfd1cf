#include "web/bow_tie.h"

#include <algorithm>
#include <numeric>

namespace twinset {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

// One run of Tarjan's algorithm over all nodes. `calls_` is the stack of the
// recursion: a node, and which of its links comes next.
class Tarjan {
 public:
  explicit Tarjan(const Graph& graph)
      : graph_(graph),
        order_(graph.nodes(), kNone),
        low_(graph.nodes()),
        component_(graph.nodes(), kNone) {}

  std::vector<uint32_t> Run(uint32_t* count) {
    for (uint32_t root = 0; root < graph_.nodes(); ++root) {
      if (order_[root] != kNone) continue;
      Open(root);
      while (!calls_.empty()) Step();
    }
    *count = closed_;
    return std::move(component_);
  }

 private:
  struct Call {
    uint32_t node, next;
  };

  void Open(uint32_t node) {
    order_[node] = low_[node] = opened_++;
    stack_.push_back(node);
    calls_.push_back({node, 0});
  }

  void Step() {
    const uint32_t node = calls_.back().node;
    const auto links = graph_.Out(node);
    while (calls_.back().next < links.size()) {
      const uint32_t target = links[calls_.back().next++];
      if (order_[target] == kNone) return Open(target);
      if (component_[target] == kNone)
        low_[node] = std::min(low_[node], order_[target]);
    }
    calls_.pop_back();
    if (!calls_.empty()) {
      const uint32_t parent = calls_.back().node;
      low_[parent] = std::min(low_[parent], low_[node]);
    }
    if (low_[node] == order_[node]) Close(node);
  }

  void Close(uint32_t node) {
    uint32_t member = kNone;
    do {
      member = stack_.back();
      stack_.pop_back();
      component_[member] = closed_;
    } while (member != node);
    ++closed_;
  }

  const Graph& graph_;
  std::vector<uint32_t> order_, low_, component_, stack_;
  std::vector<Call> calls_;
  uint32_t opened_ = 0, closed_ = 0;
};

// Marks what is reached, breadth first, and returns how many nodes that are.
uint64_t Search(const Graph& graph, const std::vector<uint32_t>& starts,
                bool forward, bool backward, std::vector<uint8_t>* seen) {
  uint64_t found = 0;
  std::vector<uint32_t> now, next;
  const auto add = [&](uint32_t node, std::vector<uint32_t>* to) {
    if ((*seen)[node] != 0) return;
    (*seen)[node] = 1;
    ++found;
    to->push_back(node);
  };
  for (const uint32_t node : starts) add(node, &now);
  while (!now.empty()) {
    next.clear();
    for (const uint32_t node : now) {
      if (forward)
        for (const uint32_t target : graph.Out(node)) add(target, &next);
      if (backward)
        for (const uint32_t source : graph.In(node)) add(source, &next);
    }
    std::swap(now, next);
  }
  return found;
}

void CountWeakComponents(const Graph& graph, BowTie* tie) {
  std::vector<uint8_t> seen(graph.nodes(), 0);
  for (uint32_t root = 0; root < graph.nodes(); ++root) {
    if (seen[root] != 0) continue;
    const uint64_t size = Search(graph, {root}, true, true, &seen);
    ++tie->weak_components;
    tie->largest_weak = std::max(tie->largest_weak, size);
  }
}

// Nodes of the largest component; of equal ones, of that with the smallest
// node.
std::vector<uint32_t> Core(const std::vector<uint32_t>& component,
                           uint32_t count) {
  std::vector<uint64_t> sizes(count, 0);
  for (const uint32_t c : component) ++sizes[c];
  uint32_t core = component.empty() ? 0 : component.front();
  for (const uint32_t c : component)
    if (sizes[c] > sizes[core]) core = c;
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < component.size(); ++i)
    if (component[i] == core) nodes.push_back(i);
  return nodes;
}

}  // namespace

std::string_view BowTiePartName(BowTiePart part) {
  constexpr std::string_view kNames[kBowTieParts] = {
      "scc", "in", "out", "tendrils", "tubes", "fringe", "islands"};
  return kNames[static_cast<size_t>(part)];
}

std::vector<uint32_t> StrongComponents(const Graph& graph, uint32_t* count) {
  return Tarjan(graph).Run(count);
}

std::vector<uint8_t> Reached(const Graph& graph,
                             const std::vector<uint32_t>& starts, bool forward,
                             bool backward) {
  std::vector<uint8_t> seen(graph.nodes(), 0);
  Search(graph, starts, forward, backward, &seen);
  return seen;
}

BowTie FindBowTie(const Graph& graph) {
  BowTie tie;
  CountWeakComponents(graph, &tie);
  uint32_t components = 0;
  const std::vector<uint32_t> component = StrongComponents(graph, &components);
  const std::vector<uint32_t> core = Core(component, components);
  tie.strong_components = components;
  const auto forward = Reached(graph, core, true, false);
  const auto backward = Reached(graph, core, false, true);
  const auto weak = Reached(graph, core, true, true);
  std::vector<uint32_t> in, out;
  for (uint32_t i = 0; i < graph.nodes(); ++i) {
    if (backward[i] != 0 && forward[i] == 0) in.push_back(i);
    if (forward[i] != 0 && backward[i] == 0) out.push_back(i);
  }
  const auto from_in = Reached(graph, in, true, false);
  const auto to_out = Reached(graph, out, false, true);
  tie.parts.resize(graph.nodes());
  for (uint32_t i = 0; i < graph.nodes(); ++i) {
    BowTiePart part = BowTiePart::kIsland;
    if (forward[i] != 0 && backward[i] != 0) {
      part = BowTiePart::kCore;
    } else if (backward[i] != 0) {
      part = BowTiePart::kIn;
    } else if (forward[i] != 0) {
      part = BowTiePart::kOut;
    } else if (from_in[i] != 0 && to_out[i] != 0) {
      part = BowTiePart::kTube;
    } else if (from_in[i] != 0 || to_out[i] != 0) {
      part = BowTiePart::kTendril;
    } else if (weak[i] != 0) {
      part = BowTiePart::kFringe;
    }
    tie.parts[i] = part;
    ++tie.sizes[static_cast<size_t>(part)];
  }
  return tie;
}

}  // namespace twinset
