// Flags of `twinset sample --sampler random-ip`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Number;
using setters::Repeated;
using setters::Text;
using setters::TextList;

// clang-format off
std::vector<Flag> RandomIpFlags() {
  return {
      {"--networks-file", 0, "FILE", "random-ip: networks, one a line", "May be repeated.", "(none)", kSampleBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->random_ip.network_files; }>},
      {"--exclude", 0, "CIDR,...", "random-ip: networks that are left alone", "May be repeated.", "(none)", kSampleBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, true,
       TextList<[](Request& r) -> auto& { return r.study->random_ip.excluded; }>},
      {"--exclude-file", 0, "FILE", "random-ip: networks that are left alone, one a line", "May be repeated.",
       "(none)", kSampleBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->random_ip.excluded_files; }>},
      {"--hosts", 0, "FILE", "random-ip: names of addresses, as /etc/hosts has them",
       "Stands for a name server: sites are then counted by name, and once however many addresses they have.",
       "(none)", kSampleBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->random_ip.hosts; }>},
      {"--port", 0, "P", "random-ip: port of the servers", "", "80", kSampleBit, FlagGroup::kStudy, ValueKind::kWord,
       {}, false,
       Int<[](Request& r) -> auto& { return r.study->random_ip.port; }, 1, 65535>},
      {"--probes", 0, "N", "random-ip: addresses to draw, without repetition", "", "1000", kSampleBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->random_ip.probes; }>},
      {"--rate", 0, "X", "random-ip: most addresses asked in a second; 0: any number", "", "10", kSampleBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Number<[](Request& r) -> auto& { return r.study->random_ip.rate; }>},
      {"--max-pages", 0, "N", "random-ip: pages of one site that are counted", "", "1000", kSampleBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->random_ip.max_pages; }>},
      {"--max-sites", 0, "N", "random-ip: sites of one address that are counted", "", "20", kSampleBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->random_ip.max_sites; }, 1, 100000>},
  };
}
// clang-format on

}  // namespace twinset::cli
