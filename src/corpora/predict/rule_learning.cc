#include "predict/rule_learning.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "estimate/intervals.h"
#include "predict/rewrite.h"

namespace twinset {
namespace {

constexpr size_t kMostTwins = 32;     // pages of a cluster that are paired
constexpr size_t kMostGeneral = 200;  // rules that are tried on all pages
constexpr size_t kMostOfHost = 200;
constexpr uint64_t kSuggestionBytes = 160;
constexpr double kLeastLow = 0.5;

struct ByWhatItDoes {
  bool operator()(const RewriteRule& x, const RewriteRule& y) const {
    return WhatItDoes(x) < WhatItDoes(y);
  }
};

struct Suggestion {
  uint64_t pairs = 0;
  std::string host;  // of its first pair
  bool several_hosts = false;
};
using Suggestions = std::map<RewriteRule, Suggestion, ByWhatItDoes>;

// Counts of one rule, by the host of the rewritten addresses.
struct RuleTally {
  uint64_t support = 0, errors = 0;
};
using HostTallies = std::map<std::string, RuleTally, std::less<>>;

tl::unexpected<Error> Stopped() {
  return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
}

class RuleLearner {
 public:
  RuleLearner(const AddressedPages& pages, const RuleLearning& learning)
      : pages_(pages), learning_(learning) {
    for (const AddressedPage* page : pages_) {
      known_.emplace(page->address, page);
      by_host_[HostOf(page->address)].push_back(page);
    }
  }

  Status Suggest() {
    AddressedPages twins;
    for (const AddressedPage* page : pages_)
      if (page->cluster != AddressedPage::kAlone) twins.push_back(page);
    std::stable_sort(twins.begin(), twins.end(),
                     [](const AddressedPage* x, const AddressedPage* y) {
                       return x->cluster < y->cluster;
                     });
    for (size_t begin = 0, end = 0; begin < twins.size(); begin = end) {
      while (end < twins.size() && twins[end]->IsTwinOf(*twins[begin])) ++end;
      const size_t last = std::min(end, begin + kMostTwins);
      for (size_t i = begin; i < last; ++i)
        for (size_t j = i + 1; j < last; ++j)
          TWINSET_TRY(AddPair(twins[i]->address, twins[j]->address));
      if (IsStopped()) return Stopped();
    }
    return {};
  }

  Result<std::vector<RewriteRule>> Learn() {
    for (const auto& [rule, pages] : Trials()) {
      Settle(rule, Try(rule, *pages));
      if (IsStopped()) return Stopped();
    }
    std::sort(rules_.begin(), rules_.end(),
              [](const RewriteRule& x, const RewriteRule& y) {
                if (x.support != y.support) return x.support > y.support;
                return WhatItDoes(x) < WhatItDoes(y);
              });
    return std::move(rules_);
  }

 private:
  using Trial = std::pair<RewriteRule, const AddressedPages*>;

  bool IsStopped() const {
    return learning_.stop != nullptr && *learning_.stop;
  }

  Status AddPair(const std::string& x, const std::string& y) {
    for (RewriteRule& rule : SuggestRules(x, y)) {
      const uint64_t bytes =
          kSuggestionBytes + rule.from.size() + rule.to.size();
      const auto [at, is_new] = suggestions_.try_emplace(std::move(rule));
      Suggestion& suggestion = at->second;
      const std::string_view host = HostOf(x);
      if (is_new) {
        suggestion.host = host;
        bytes_ += bytes + host.size();
      }
      ++suggestion.pairs;
      suggestion.several_hosts |= suggestion.host != host;
    }
    if (bytes_ <= learning_.most_bytes) return {};
    return Fail(ErrorCode::kMemory,
                "the rules that duplicates suggest do not fit into a quarter "
                "of the memory",
                {}, "give more --memory");
  }

  // Which rules are tried on which pages: the most frequent of each host, and
  // of those of several hosts. Spellings may change the host, so they are
  // tried on all pages.
  std::vector<Trial> Trials() const {
    std::vector<Suggestions::const_iterator> order;
    for (auto at = suggestions_.begin(); at != suggestions_.end(); ++at)
      if (at->second.pairs * 2 >= learning_.least_support) order.push_back(at);
    std::stable_sort(order.begin(), order.end(), [](auto x, auto y) {
      return x->second.pairs > y->second.pairs;
    });
    std::vector<Trial> trials;
    size_t general = 0;
    std::map<std::string_view, size_t> of_host;
    for (const auto at : order) {
      const RewriteRule& rule = at->first;
      if (rule.kind == RewriteKind::kSpelling) {
        trials.emplace_back(rule, &pages_);
      } else if (rule.kind == RewriteKind::kMirror) {
        const auto pages = by_host_.find(HostOf(rule.from));
        if (pages != by_host_.end() && ++of_host[pages->first] <= kMostOfHost)
          trials.emplace_back(rule, &pages->second);
      } else if (at->second.several_hosts) {
        if (++general <= kMostGeneral) trials.emplace_back(rule, &pages_);
      } else {
        const auto pages = by_host_.find(at->second.host);
        if (++of_host[pages->first] <= kMostOfHost)
          trials.emplace_back(rule, &pages->second);
      }
    }
    return trials;
  }

  HostTallies Try(const RewriteRule& rule, const AddressedPages& pages) const {
    HostTallies tallies;
    std::unordered_map<std::string, const AddressedPage*> firsts;
    for (const AddressedPage* page : pages) {
      const auto other = Rewrite(rule, page->address);
      if (!other) continue;
      const AddressedPage* twin = nullptr;
      if (const auto at = known_.find(*other); at != known_.end()) {
        twin = at->second;
      } else if (const auto [first, is_new] = firsts.try_emplace(*other, page);
                 !is_new) {
        twin = first->second;
      }
      if (twin == nullptr) continue;
      RuleTally& tally = tallies[std::string(HostOf(*other))];
      ++tally.support;
      tally.errors += !page->IsTwinOf(*twin);
    }
    return tallies;
  }

  bool IsGood(const RewriteRule& rule) const {
    return rule.support >= learning_.least_support && rule.low() >= kLeastLow;
  }

  void Settle(RewriteRule rule, const HostTallies& tallies) {
    for (const auto& [host, tally] : tallies) {
      rule.support += tally.support;
      rule.errors += tally.errors;
    }
    const bool is_mirror = rule.kind == RewriteKind::kMirror;
    const bool is_general = IsGood(rule) && (is_mirror || tallies.size() > 1);
    if (is_general) rules_.push_back(rule);
    if (is_mirror) return;
    for (const auto& [host, tally] : tallies) {
      RewriteRule own = rule;
      own.host = host;
      own.support = tally.support;
      own.errors = tally.errors;
      const bool differs =
          own.support >= learning_.least_support &&
          !WilsonInterval(own.errors, own.support).Contains(rule.error_rate());
      if (is_general ? differs : IsGood(own)) rules_.push_back(std::move(own));
    }
  }

  const AddressedPages& pages_;
  const RuleLearning& learning_;
  std::unordered_map<std::string_view, const AddressedPage*> known_;
  std::map<std::string_view, AddressedPages> by_host_;
  Suggestions suggestions_;
  uint64_t bytes_ = 0;
  std::vector<RewriteRule> rules_;
};

}  // namespace

Result<std::vector<RewriteRule>> LearnRules(const AddressedPages& pages,
                                            const RuleLearning& learning) {
  RuleLearner learner(pages, learning);
  TWINSET_TRY(learner.Suggest());
  return learner.Learn();
}

}  // namespace twinset
