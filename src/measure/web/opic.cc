#include "web/opic.h"

#include "base/hash.h"

namespace twinset {

namespace {

struct Bank {
  std::vector<double> cash, history;
  double root_cash = 0;
};

void VisitPage(const Graph& graph, double to_root, uint32_t page, Bank* bank) {
  const double cash = bank->cash[page];
  bank->history[page] += cash;
  bank->cash[page] = 0;
  const auto links = graph.Out(page);
  if (links.empty()) {
    bank->root_cash += cash;
    return;
  }
  const auto count = static_cast<double>(links.size());
  const double root = to_root > 0 ? cash * to_root : cash / (count + 1);
  bank->root_cash += root;
  const double each = (cash - root) / count;
  for (const uint32_t target : links) bank->cash[target] += each;
}

void VisitRoot(Bank* bank) {
  const double each = bank->root_cash / static_cast<double>(bank->cash.size());
  bank->root_cash = 0;
  for (double& cash : bank->cash) cash += each;
}

}  // namespace

Result<std::vector<double>> ComputeOpic(const Graph& graph,
                                        const OpicOptions& options) {
  if (!(options.to_root >= 0 && options.to_root <= 1)) {
    return Fail(ErrorCode::kUsage,
                "the share of the virtual page is not within 0 and 1");
  }
  if (options.sweeps == 0)
    return Fail(ErrorCode::kUsage, "0 sweeps give no importance");
  const uint32_t nodes = graph.nodes();
  if (nodes == 0) return std::vector<double>();
  Bank bank{std::vector<double>(nodes, 1.0 / nodes),
            std::vector<double>(nodes, 0), 0};
  SplitMix64 random(options.seed);
  for (uint32_t sweep = 0; sweep < options.sweeps; ++sweep) {
    for (uint32_t i = 0; i < nodes; ++i) {
      const bool cycle = options.policy == OpicOptions::Policy::kCycle;
      VisitPage(graph, options.to_root,
                cycle ? i : static_cast<uint32_t>(random.Below(nodes)), &bank);
    }
    VisitRoot(&bank);
  }
  std::vector<double> importance(nodes);
  double sum = 0;
  for (uint32_t i = 0; i < nodes; ++i) {
    importance[i] = bank.history[i] + bank.cash[i];
    sum += importance[i];
  }
  for (double& value : importance) value /= sum;
  return importance;
}

}  // namespace twinset
