#include "predict/known_pages.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/keyed_hash.h"
#include "predict/rewrite.h"

namespace twinset {
namespace {

constexpr uint64_t kBytesAPage = 80, kBytesANumber = 40;

uint64_t NumberUnder(std::string_view address, size_t action) {
  return EqualityHash::OfProcess().Short(address) ^ Mix64(action);
}

}  // namespace

const RewriteRule* RewriteRules::Action::RuleFor(
    std::string_view rewritten) const {
  const auto at = hosts.find(HostOf(rewritten));
  if (at != hosts.end()) return &at->second;
  return any ? &*any : nullptr;
}

RewriteRules::RewriteRules(const std::vector<RewriteRule>& rules) {
  std::map<std::tuple<RewriteKind, std::string, std::string>, size_t> numbers;
  for (const RewriteRule& rule : rules) {
    const auto [at, is_new] = numbers.try_emplace(
        std::tuple(rule.kind, rule.from, rule.to), actions_.size());
    if (is_new) actions_.push_back({rule, {}, {}});
    Action& action = actions_[at->second];
    if (rule.host.empty())
      action.any = rule;
    else
      action.hosts.emplace(rule.host, rule);
  }
  for (size_t i = 0; i < actions_.size(); ++i) {
    const Action& action = actions_[i];
    const RewriteRule& what = action.what;
    if (what.kind == RewriteKind::kMirror) {
      const std::string from(HostOf(what.from)), to(HostOf(what.to));
      of_host_[from].push_back(i);
      if (from != to) of_host_[to].push_back(i);
    } else if (action.any || what.kind == RewriteKind::kSpelling) {
      general_.push_back(i);
    } else {
      for (const auto& [host, rule] : action.hosts) of_host_[host].push_back(i);
    }
  }
}

std::vector<size_t> RewriteRules::For(std::string_view address) const {
  std::vector<size_t> numbers = general_;
  const auto at = of_host_.find(std::string(HostOf(address)));
  if (at == of_host_.end()) return numbers;
  numbers.insert(numbers.end(), at->second.begin(), at->second.end());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void KnownPages::Add(std::string address) {
  const auto number = static_cast<uint32_t>(pages_.size());
  bytes_ += kBytesAPage + kBytesANumber + address.size();
  numbers_.try_emplace(NumberUnder(address, 0), number);
  for (const size_t action : rules_.For(address)) {
    const auto other = Rewrite(rules_.actions()[action].what, address);
    if (!other) continue;
    bytes_ += kBytesANumber;
    numbers_.try_emplace(NumberUnder(*other, action + 1), number);
  }
  pages_.push_back(std::move(address));
}

const std::string* KnownPages::At(std::string_view address,
                                  size_t action) const {
  const auto at = numbers_.find(NumberUnder(address, action));
  if (at == numbers_.end()) return nullptr;
  const std::string& page = pages_[at->second];
  if (action == 0) return page == address ? &page : nullptr;
  const auto other = Rewrite(rules_.actions()[action - 1].what, page);
  return other && *other == address ? &page : nullptr;
}

KnownTwin KnownPages::Find(const std::string& address) const {
  if (const std::string* same = At(address, 0)) return {same, nullptr, 1};
  KnownTwin best;
  best.probability = -1;
  for (const size_t number : rules_.For(address)) {
    const RewriteRules::Action& action = rules_.actions()[number];
    const auto other = Rewrite(action.what, address);
    // What it makes is known, or is what a known page becomes.
    const std::string* page = other ? At(*other, 0) : nullptr;
    if (page == nullptr) page = At(other ? *other : address, number + 1);
    if (page == nullptr) continue;
    const RewriteRule* const rule = action.RuleFor(other ? *other : address);
    if (rule != nullptr && rule->probability() > best.probability)
      best = {page, rule, rule->probability()};
  }
  return best;
}

}  // namespace twinset
