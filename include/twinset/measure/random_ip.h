// Estimates the number of web servers in networks, and of their pages, from
// random addresses (docs/methods/random-ip.md).
#ifndef TWINSET_MEASURE_RANDOM_IP_H_
#define TWINSET_MEASURE_RANDOM_IP_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct RandomIpOptions {
  // IPv4 networks as CIDR blocks, and files of such blocks, one per line. Only
  // addresses inside them are asked; when none is stated, nothing is asked.
  std::vector<std::string> networks, network_files;
  std::vector<std::string> excluded, excluded_files;
  // File with the names of addresses, as in /etc/hosts, used instead of a name
  // server. Sites are then counted by name; without it, each address counts as
  // one site.
  std::string hosts;
  int port = 80;
  uint64_t probes = 1000;
  uint64_t seed = 1;
  double rate = 10;          // most probes per second; 0: no limit
  uint32_t delay_ms = 1000;  // least time between two requests to one host
  uint32_t timeout_ms = 5000;
  uint64_t max_pages = 1000;  // of one site; more are not counted
  uint32_t max_sites = 20;    // of one address
  std::string out;            // result folder
  bool overwrite = false, resume = false;
  std::function<void(const Progress&)> on_progress;  // documents: probes
  const std::atomic<bool>* stop = nullptr;
};

// What a probe of an address ended with.
enum class ProbeOutcome : uint8_t {
  kServer,     // at least one page for everybody
  kNoAnswer,   // nothing in time, or nothing that is HTTP
  kRefused,    // nothing listens
  kLogin,      // 401 or 403
  kExcluded,   // robots.txt
  kNoPage,     // an answer without a page, such as 404
  kElsewhere,  // sent to a name that is not of this address
};
template <>
inline constexpr auto kChoices<ProbeOutcome> =
    std::to_array<NamedChoice<ProbeOutcome>>(
        {{ProbeOutcome::kServer, "server"},
         {ProbeOutcome::kNoAnswer, "no-answer"},
         {ProbeOutcome::kRefused, "refused"},
         {ProbeOutcome::kLogin, "login"},
         {ProbeOutcome::kExcluded, "excluded"},
         {ProbeOutcome::kNoPage, "no-page"},
         {ProbeOutcome::kElsewhere, "elsewhere"}});

// An estimate with its interval of 95 %.
struct NetworkEstimate {
  double value = 0, low = 0, high = 0;
  // Why there is no interval of 95 % (docs/studies/intervals.md); empty: low
  // and high are its ends.
  std::string no_interval = {};

  static void Fields(auto& estimate, auto& field) {
    const bool known = estimate.no_interval.empty();
    const auto end = [known](double value) {
      return known ? std::optional(value) : std::nullopt;
    };
    field("value", estimate.value);
    field.OrNull("low", end(estimate.low));
    field.OrNull("high", end(estimate.high));
    field.Derived("no_interval",
                  known ? std::nullopt : std::optional(estimate.no_interval));
  }
};

// The exponent of a fitted power law. There is no interval when there are too
// few values for one.
struct FittedExponent {
  double value = 0;
  std::optional<double> low, high;

  static void Fields(auto& exponent, auto& field) {
    field("value", exponent.value);
    field.OrNull("low", exponent.low);
    field.OrNull("high", exponent.high);
  }
};

// Pages of the sites found.
struct PagesPerSite {
  double mean = 0, median = 0;
  uint64_t largest = 0;
  double largest_share = 0;  // of all pages found
  std::optional<FittedExponent> exponent;

  static void Fields(auto& pages, auto& field) {
    field("mean", pages.mean);
    field("median", pages.median);
    field("largest", pages.largest);
    field("largest_share", pages.largest_share);
    field("exponent", pages.exponent);
  }
};

struct RandomIpSummary {
  uint64_t seed = 1;
  int port = 80;
  uint64_t addresses = 0, probes = 0, requests = 0;
  std::array<uint64_t, kChoices<ProbeOutcome>.size()> outcomes = {};
  NetworkEstimate servers;  // addresses with a public site
  NetworkEstimate sites;    // each counts once, however many addresses it has
  NetworkEstimate pages;    // of the sites
  // The product of servers and pages if several addresses of one site count as
  // several sites, and if only the first site of an address is seen.
  double pages_unweighted = 0, pages_first_site = 0;
  PagesPerSite pages_per_site;
  uint64_t incomplete = 0;  // sites that have more pages than were counted
  std::vector<std::string> warnings;
  ResultPage page;

  static void Fields(auto& summary, auto& field) {
    field.Derived("sampler", std::string("random-ip"));
    field("seed", summary.seed);
    field("port", summary.port);
    field("addresses", summary.addresses);
    field("probes", summary.probes);
    field("requests", summary.requests);
    field.template ByChoice<ProbeOutcome>("outcomes", summary.outcomes);
    field("servers", summary.servers);
    field("sites", summary.sites);
    field("pages", summary.pages);
    field("pages_unweighted", summary.pages_unweighted);
    field("pages_first_site", summary.pages_first_site);
    field("pages_per_site", summary.pages_per_site);
    field("incomplete", summary.incomplete);
    field("warnings", summary.warnings);
  }
};

Json SummaryJson(const RandomIpSummary& summary);

// Probes addresses in a random order without repetition and writes
// probes.jsonl, sample.jsonl, servers.jsonl and summary.json into options.out
// (docs/methods/random-ip.md). The same network and options give the same
// bytes. kUsage for options that make no sense or when the folder holds another
// run; kIo; kInterrupted when `stop` was set (resumable).
Result<RandomIpSummary> ProbeRandomAddresses(const RandomIpOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_RANDOM_IP_H_
