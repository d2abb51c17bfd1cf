// Probes as lines, and estimates from them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/math/pinned_math.h"
#include "core/field_list.h"
#include "estimate/bootstrap.h"
#include "estimate/power_law.h"
#include "estimate/skewed_total.h"
#include "servers/random_ip.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr uint32_t kReplicas = 1000;
constexpr size_t kLeastForLaw = 10;

// Totals of a space of N addresses from n probes: N / n times the sum over the
// servers. Drawn again with replacement among all probes, of which those
// without a server add nothing. The interval is that of the studentised
// logarithm (Efron and Tibshirani 1993, 12.5): of values as skewed as these it
// misses the truth less often than percentiles do.
class Bootstrap {
 public:
  Bootstrap(uint64_t addresses, uint64_t probes, uint64_t hits, uint64_t seed)
      : addresses_(static_cast<double>(addresses)),
        probes_(static_cast<double>(probes)),
        hits_(hits),
        random_(seed) {
    if (hits == 0) return;
    const BinomialDraw draw(probes, static_cast<double>(hits) / probes_);
    for (uint32_t i = 0; i < kReplicas; ++i)
      sizes_.push_back(hits == probes ? probes : draw(&random_));
  }

  template <typename Value>  // of a server
  NetworkEstimate Total(const Value& value) {
    if (hits_ == 0) return {};
    Sums sums;
    for (uint64_t i = 0; i < hits_; ++i) sums.Add(value(i));
    const Mean mean = MeanOf(sums);
    NetworkEstimate estimate;
    estimate.value = addresses_ * mean.value;
    std::vector<double> replicas;
    for (const uint64_t size : sizes_) {
      Sums again;
      for (uint64_t i = 0; i < size; ++i)
        again.Add(value(random_.Below(hits_)));
      const Mean drawn = MeanOf(again);
      if (drawn.value > 0 && drawn.error > 0)
        replicas.push_back(PinnedLog(drawn.value / mean.value) / drawn.error);
    }
    estimate.low = estimate.high = estimate.value;
    if (replicas.size() < kReplicas / 2 || mean.error == 0) return estimate;
    const Interval t = PercentileInterval(std::move(replicas));
    estimate.low = estimate.value * PinnedExp(-t.high * mean.error);
    estimate.high = estimate.value * PinnedExp(-t.low * mean.error);
    return estimate;
  }

 private:
  struct Sums {
    double sum = 0, squares = 0;
    void Add(double value) {
      sum += value;
      squares += value * value;
    }
  };
  struct Mean {
    double value = 0, error = 0;  // standard error / value
  };
  // Over all probes.
  Mean MeanOf(const Sums& sums) const {
    const double mean = sums.sum / probes_;
    const double variance = sums.squares / probes_ - mean * mean;
    if (!(mean > 0) || !(variance > 0)) return {mean, 0};
    return {mean, std::sqrt(variance / probes_) / mean};
  }

  double addresses_, probes_;
  uint64_t hits_;
  SplitMix64 random_;
  std::vector<uint64_t> sizes_;
};

// A line of probes.jsonl.
struct ProbeRow {
  uint64_t probe = 0;
  std::string address;
  ProbeOutcome outcome = ProbeOutcome::kNoAnswer;
  uint64_t status = 0, requests = 0;
  std::optional<std::vector<SiteFacts>> sites;

  static void Fields(auto& row, auto& field) {
    field("probe", row.probe);
    field("address", row.address);
    field("outcome", row.outcome);
    field("status", row.status);
    field("requests", row.requests);
    field("sites", row.sites);
  }
};

constexpr uint64_t kFewHits = 30;

PagesPerSite FindSkew(const std::vector<uint64_t>& pages, uint64_t seed) {
  PagesPerSite found;
  if (pages.empty()) return found;
  std::vector<double> sorted(pages.begin(), pages.end());
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double value : sorted) sum += value;
  found.mean = sum / static_cast<double>(sorted.size());
  found.median = SortedQuantile(sorted, 0.5);
  found.largest = static_cast<uint64_t>(sorted.back());
  found.largest_share = sum > 0 ? sorted.back() / sum : 0;
  if (pages.size() < kLeastForLaw) return found;
  BootstrapOptions options;
  options.seed = seed;
  options.replicas = 100;
  if (const auto fit = FitPowerLaw(pages, options)) {
    FittedExponent& exponent = found.exponent.emplace();
    exponent.value = fit->law.alpha;
    if (fit->law.tail < kLeastTailForInterval) return found;
    exponent.low = fit->alpha.low;
    exponent.high = fit->alpha.high;
  }
  return found;
}

}  // namespace

std::string ProbeLine(uint64_t probe, const ProbeFacts& facts) {
  ProbeRow row{probe,          AddressText(facts.address),
               facts.outcome,  static_cast<uint64_t>(facts.status),
               facts.requests, {}};
  if (!facts.sites.empty()) row.sites = facts.sites;
  return FieldsToJson(row).dump();
}

Result<ProbeFacts> ParseProbeLine(std::string_view line, uint64_t probe) {
  const auto corrupt = [](const std::string& message) {
    return Fail(ErrorCode::kCorrupt, message);
  };
  constexpr uint64_t kMost = uint64_t{1} << 40;
  ProbeRow row;
  if (!FieldsFromJson(Json::Parse(line), 0, &row))
    return corrupt("not the line of a probe");
  const auto address = ParseAddress(row.address);
  if (row.probe != probe || !address || row.status > 999 ||
      row.requests > kMost)
    return corrupt("not the line of probe " + std::to_string(probe));
  ProbeFacts facts;
  facts.address = *address;
  facts.outcome = row.outcome;
  facts.status = static_cast<int>(row.status);
  facts.requests = row.requests;
  if (row.sites) facts.sites = *std::move(row.sites);
  if (facts.sites.empty() == (row.outcome == ProbeOutcome::kServer))
    return corrupt("sites do not fit the outcome");
  for (const SiteFacts& site : facts.sites)
    if (site.pages > kMost || site.addresses == 0)
      return corrupt("a site that is none");
  return facts;
}

void ProbeTotals::Add(const ProbeFacts& facts) {
  ++probes_;
  requests_ += facts.requests;
  ++counts_[static_cast<size_t>(facts.outcome)];
  if (facts.sites.empty()) return;
  Hit hit;
  for (const SiteFacts& site : facts.sites) {
    const auto pages = static_cast<double>(site.pages);
    hit.sites += 1.0 / site.addresses;
    hit.pages += pages / site.addresses;
    unweighted_ += site.pages;
    incomplete_ += !site.complete;
    site_pages_.push_back(site.pages);
  }
  first_site_ += facts.sites[0].pages;
  hits_.push_back(hit);
}

RandomIpSummary ProbeTotals::Summarise(uint64_t addresses,
                                       uint64_t seed) const {
  RandomIpSummary summary;
  summary.seed = seed;
  summary.addresses = addresses;
  summary.probes = probes_;
  summary.requests = requests_;
  summary.incomplete = incomplete_;
  summary.outcomes = counts_;
  const auto space = static_cast<double>(addresses);
  const uint64_t hits = hits_.size();
  const double scale = probes_ == 0 ? 0 : space / static_cast<double>(probes_);
  const Interval share = WilsonInterval(hits, probes_);
  summary.servers = {scale * static_cast<double>(hits), space * share.low,
                     space * share.high};
  Bootstrap bootstrap(addresses, probes_, hits, seed);
  summary.sites = bootstrap.Total([&](uint64_t i) { return hits_[i].sites; });
  std::vector<double> pages;
  for (const Hit& hit : hits_) pages.push_back(hit.pages);
  if (hits > 0 && probes_ > 1) {
    const Estimated total = SkewedTotal(space, pages, probes_);
    summary.pages = {total.value, total.interval.low, total.interval.high};
  }
  summary.pages_unweighted = scale * static_cast<double>(unweighted_);
  summary.pages_first_site = scale * static_cast<double>(first_site_);
  summary.pages_per_site = FindSkew(site_pages_, seed);
  if (hits == 0) {
    summary.warnings.push_back(
        "no server was found: there is an upper bound only");
    summary.sites.no_interval = summary.pages.no_interval =
        "no server was found";
  } else if (hits < kFewHits) {
    summary.sites.no_interval = summary.pages.no_interval =
        "few servers were found (" + std::to_string(hits) + ")";
    summary.warnings.push_back(
        summary.pages.no_interval +
        ": sites and pages have no interval that would hold");
  } else if (hits < kLeastForSkewedMean) {
    summary.pages.no_interval =
        "fewer than 1000 servers were found: the largest may not be among them";
  } else if (summary.pages_per_site.exponent &&
             summary.pages_per_site.exponent->value <= kLeastExponentForMean) {
    summary.pages.no_interval =
        "the exponent of the fitted law is at most 2.6: sites that were not "
        "met may hold most pages";
  }
  if (hits >= kFewHits && summary.pages_per_site.largest_share > 0.2) {
    summary.warnings.push_back(
        "one site holds more than a fifth of the pages found: their mean "
        "depends on whether such sites were met");
  }
  if (incomplete_ > 0) {
    summary.warnings.push_back(std::to_string(incomplete_) +
                               " sites have more pages than were counted: the "
                               "number of pages is too low");
  }
  return summary;
}

Json v1::SummaryJson(const RandomIpSummary& summary) {
  return FieldsToJson(summary);
}

}  // namespace twinset
