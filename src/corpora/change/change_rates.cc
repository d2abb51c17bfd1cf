#include "change/change_rates.h"

#include <string>
#include <unordered_map>

#include "base/ascii.h"
#include "base/for_each.h"
#include "base/keyed_hash.h"
#include "change/page_names.h"
#include "estimate/rank_correlation.h"

namespace twinset {
namespace {

ChangeCorrelation Correlate(std::string with, const std::vector<double>& x,
                            const std::vector<double>& y) {
  ChangeCorrelation row;
  row.with = std::move(with);
  row.pages = x.size();
  row.tau = KendallTauB(x, y);
  row.p = KendallTwoSided(x, y);
  return row;
}

}  // namespace

Status ChangeRates::See(const PageHistory& page, std::string_view address,
                        std::optional<uint64_t> visits) {
  const uint64_t host =
      EqualityHash::OfProcess().Short(ToLowerAscii(HostOfAddress(address)));
  TWINSET_TRY(hosts_.Add({host}));
  has_visits_ = has_visits_ || visits.has_value();
  const size_t followed = page.captures.size() - 1;
  if (followed == 0 || pages_.size() == kMostPages) return {};
  Page row;
  row.host = host;
  row.depth = static_cast<double>(DepthOf(address));
  row.visits = static_cast<double>(visits.value_or(0));
  double changed = 0, amount = 0;
  for (size_t i = 1; i <= followed; ++i) {
    const double similarity = page.jaccard(i);
    changed += similarity < 1;
    amount += 1 - similarity;
  }
  row.rate = changed / static_cast<double>(followed);
  row.amount = changed > 0 ? amount / changed : 0;
  pages_.push_back(row);
  return {};
}

// Pages of the host of each page of the sample.
Result<std::vector<double>> ChangeRates::CountHosts() {
  std::unordered_map<uint64_t, double> counts;
  for (const Page& page : pages_) counts[page.host] = 0;
  TWINSET_TRY(hosts_.Finish());
  TWINSET_TRY(ForEach<Host>(&hosts_, [&](const Host& host) {
    const auto at = counts.find(host.hash);
    if (at != counts.end()) ++at->second;
  }));
  std::vector<double> pages;
  for (const Page& page : pages_) pages.push_back(counts[page.host]);
  return pages;
}

Result<std::vector<ChangeCorrelation>> ChangeRates::Finish() {
  TWINSET_ASSIGN(const std::vector<double> of_hosts, CountHosts());
  std::vector<double> rates, depths, visits, changing, amounts;
  for (const Page& page : pages_) {
    rates.push_back(page.rate);
    depths.push_back(page.depth);
    visits.push_back(page.visits);
    if (page.rate == 0) continue;
    changing.push_back(page.rate);
    amounts.push_back(page.amount);
  }
  std::vector<ChangeCorrelation> rows;
  rows.push_back(Correlate("depth", rates, depths));
  rows.push_back(Correlate("pages_of_host", rates, of_hosts));
  rows.push_back(Correlate("amount", changing, amounts));
  if (has_visits_) rows.push_back(Correlate("visits", rates, visits));
  return rows;
}

}  // namespace twinset
