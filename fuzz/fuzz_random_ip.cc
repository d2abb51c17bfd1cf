// Probes, networks and names made of any bytes are refused, or mean the same
// when they are written and read again.
#include <string>

#include "scratch_file.h"
#include "servers/random_ip.h"
#include "target.h"

namespace {

void ReadProbe(const std::string& bytes) {
  const auto facts = twinset::ParseProbeLine(bytes, 0);
  if (!facts) return;
  const auto again = twinset::ParseProbeLine(twinset::ProbeLine(0, *facts), 0);
  if (!again || again->address != facts->address ||
      again->sites.size() != facts->sites.size())
    std::abort();
}

void ReadHosts(const std::string& bytes) {
  const auto hosts = twinset::HostTable::Parse(bytes, "hosts");
  if (hosts) (void)hosts->Entries(80);
}

void ReadNetwork(const std::string& bytes) {
  const auto space = twinset::AddressSpace::Make({bytes}, {});
  if (!space) return;
  const auto again = twinset::AddressSpace::Make(space->Blocks(), {});
  if (!again || again->size() != space->size() ||
      again->At(space->size() - 1) != space->At(space->size() - 1))
    std::abort();
}

}  // namespace

TWINSET_FUZZ_TARGET(random_ip) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ReadProbe(bytes);
  ReadHosts(bytes);
  ReadNetwork(bytes);
  return 0;
}
