// Addresses of near-duplicates by host, and the patterns in them
// (docs/methods/traps.md).
#ifndef TWINSET_SRC_MEASURE_TRAPS_TRAP_CLUSTERS_H_
#define TWINSET_SRC_MEASURE_TRAPS_TRAP_CLUSTERS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "net/url_pattern.h"
#include "traps/trap_evidence.h"
#include "traps/trap_memory.h"
#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/measure/traps.h"
#include "twinset/options.h"

namespace twinset {

// One address of the input.
struct TrapAddress {
  AddressParts parts;
  TrapPage page;
};
using TrapHost = std::map<std::string, TrapAddress>;  // by normalised address

struct TrapCluster {
  std::string host, representative;
  std::set<std::string> addresses;
};

// The run whose clusters are looked at, with its results in `out`. The pages of
// a trap are alike by the thousand: sketches find their cluster without a look
// at every pair, which is all that is asked for.
DedupOptions TrapDedup(const TrapsOptions& options, const std::string& out);

// Clusters of two or more different addresses of one host, of the file
// clusters.jsonl of a dedup run.
Result<std::vector<TrapCluster>> ReadTrapClusters(const std::string& path,
                                                  AddressMemory* memory);

// Pages of a host that are the same but for numbers, dates and their own
// address are one cluster with all that they are alike to.
void JoinSkeletons(const std::map<std::string, TrapHost>& hosts,
                   uint64_t least_urls, std::vector<TrapCluster>* clusters);

// One page may be the end of several traps, as two views of one calendar: those
// addresses of a cluster that look alike, if they are enough and vary by
// numbers, dates or random-looking values only; then the rest.
std::vector<TrapCluster> SplitByShape(const TrapCluster& cluster,
                                      uint64_t least_urls);

UrlPattern PatternOf(const TrapCluster& cluster);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_TRAPS_TRAP_CLUSTERS_H_
