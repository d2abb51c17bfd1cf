// Probes of random addresses as a journal, and what follows from them.
#ifndef TWINSET_SRC_MEASURE_SERVERS_RANDOM_IP_H_
#define TWINSET_SRC_MEASURE_SERVERS_RANDOM_IP_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/fetcher.h"
#include "report/kept_page.h"
#include "servers/server_probe.h"
#include "twinset/error.h"
#include "twinset/measure/random_ip.h"

namespace twinset {

// One line of probes.jsonl, and back. kCorrupt for what is no such line.
std::string ProbeLine(uint64_t probe, const ProbeFacts& facts);
Result<ProbeFacts> ParseProbeLine(std::string_view line, uint64_t probe);

// What the probes say of a space of `addresses`. Memory: the servers alone are
// kept. Feed in order, then Summarise.
class ProbeTotals {
 public:
  void Add(const ProbeFacts& facts);
  // `seed`: of the bootstrap. Fills all but port and page.
  RandomIpSummary Summarise(uint64_t addresses, uint64_t seed) const;

 private:
  // One server.
  struct Hit {
    double sites = 0, pages = 0;  // each site with weight 1 / its addresses
  };
  uint64_t probes_ = 0, requests_ = 0, incomplete_ = 0;
  std::array<uint64_t, kChoices<ProbeOutcome>.size()> counts_ = {};
  std::vector<Hit> hits_;
  uint64_t unweighted_ = 0, first_site_ = 0;  // pages
  std::vector<uint64_t> site_pages_;
};

// The fetcher of one probe: polite or not is the caller's affair.
using MakeProbeFetcher = std::function<std::unique_ptr<Fetcher>()>;

// The run itself.
Result<RandomIpSummary> RunProbes(const RandomIpOptions& options,
                                  const AddressSpace& space,
                                  const HostTable& hosts,
                                  const MakeProbeFetcher& fetcher,
                                  Clock* clock);

// In words and tables, for a terminal.
KeptPage RandomIpPage(const RandomIpSummary& summary);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SERVERS_RANDOM_IP_H_
