// What stands at one address: no server, one that is not for everybody, or
// sites with their pages (docs/methods/random-ip.md).
#ifndef TWINSET_SRC_MEASURE_SERVERS_SERVER_PROBE_H_
#define TWINSET_SRC_MEASURE_SERVERS_SERVER_PROBE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "documents/page_text.h"
#include "net/fetcher.h"
#include "servers/address_space.h"
#include "twinset/error.h"
#include "twinset/measure/random_ip.h"

namespace twinset {

// Names and their addresses, as in /etc/hosts.
class HostTable {
 public:
  // "ADDRESS NAME..." a line, '#' begins a comment. kCorrupt with the line.
  static Result<HostTable> Parse(std::string_view text,
                                 const std::string& where);
  bool empty() const { return addresses_.empty(); }
  // Ascending; empty when the name is not known. Names in lower case.
  const std::vector<uint32_t>& AddressesOf(const std::string& name) const;
  // "NAME:PORT:ADDRESS[,ADDRESS...]" by name: how the fetcher takes them.
  std::vector<std::string> Entries(int port) const;

 private:
  std::map<std::string, std::vector<uint32_t>> addresses_;
};

struct SiteFacts {
  std::string host;  // a name, or the address when it has none
  uint64_t pages = 0;
  bool complete = true;    // false: there are more pages than `pages`
  uint32_t addresses = 1;  // that answer, of those its name has
  std::string digest;      // of its first page

  static void Fields(auto& site, auto& field) {
    field("host", site.host);
    field("pages", site.pages);
    field("complete", site.complete);
    field("addresses", site.addresses);
    field("digest", site.digest);
  }
  friend bool operator==(const SiteFacts&, const SiteFacts&) = default;
};

struct ProbeFacts {
  uint32_t address = 0;
  ProbeOutcome outcome = ProbeOutcome::kNoAnswer;
  int status = 0;                // of the first answer; 0: none
  uint64_t requests = 0;         // made
  std::vector<SiteFacts> sites;  // of kServer; the first is the one without
                                 // a name asked for
  friend bool operator==(const ProbeFacts&, const ProbeFacts&) = default;
};

struct ProbeRules {
  int port = 80;
  uint64_t max_pages = 1000;
  uint32_t max_sites = 20;
};

// Asks for the first page at `address`, crawls its site within the host, and
// the sites of names that its pages link to and that `hosts` has at this
// address. Two hosts with the same first page are one site. Errors of single
// requests are outcomes. At most (2 max_pages + 16) requests per site.
ProbeFacts ProbeAddress(uint32_t address, const ProbeRules& rules,
                        const AddressSpace& space, const HostTable& hosts,
                        const TextReader& reader, Fetcher* fetcher);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SERVERS_SERVER_PROBE_H_
