// Estimates the number of web servers in networks, and of their pages, from
// random addresses (docs/methods/random-ip.md).
#ifndef TWINSET_MEASURE_RANDOM_IP_H_
#define TWINSET_MEASURE_RANDOM_IP_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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

// An estimate with its interval of 95 %.
struct NetworkEstimate {
  double value = 0, low = 0, high = 0;
  // Why there is no interval of 95 % (docs/studies/intervals.md); empty: low
  // and high are its ends.
  std::string no_interval = {};
};

struct RandomIpSummary {
  uint64_t addresses = 0, probes = 0, requests = 0;
  // "server", "no-answer", "refused", "login", "excluded", "no-page",
  // "elsewhere", in this order.
  std::vector<std::pair<std::string, uint64_t>> outcomes;
  NetworkEstimate servers;  // addresses with a public site
  NetworkEstimate sites;    // each counts once, however many addresses it has
  NetworkEstimate pages;    // of the sites
  // The product of servers and pages if several addresses of one site count as
  // several sites, and if only the first site of an address is seen.
  double pages_unweighted = 0, pages_first_site = 0;
  // Pages of the sites found.
  double mean_pages = 0, median_pages = 0;
  uint64_t largest_pages = 0;
  double largest_share = 0;  // of all pages found
  bool fitted = false;       // a power law
  // Its exponent with the interval, 0 to 0 when there are too few values for
  // one.
  double exponent = 0, exponent_low = 0, exponent_high = 0;
  uint64_t incomplete = 0;  // sites that have more pages than were counted
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;
};

inline const Json& SummaryJson(const RandomIpSummary& summary) {
  return summary.json;
}

// Probes addresses in a random order without repetition and writes
// probes.jsonl, sample.jsonl, servers.jsonl and summary.json into options.out
// (docs/methods/random-ip.md). The same network and options give the same
// bytes. kUsage for options that make no sense or when the folder holds another
// run; kIo; kInterrupted when `stop` was set (resumable).
Result<RandomIpSummary> ProbeRandomAddresses(const RandomIpOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_RANDOM_IP_H_
