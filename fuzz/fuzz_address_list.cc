// Lists of addresses, CDX and CDXJ of any bytes: every line is an address, is
// passed over, or says why it is none.
#include "read/rows/address_reader.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(address_list) {
  const auto reader = twinset::ReadAddressListFromMemory(
      std::string(reinterpret_cast<const char*>(data), size), {});
  twinset::FoundAddress found;
  uint64_t last = 0;
  for (;;) {
    const auto more = reader->Next(&found);
    if (!more || !*more) return 0;
    twinset::Require(found.number > last);
    twinset::Require(!found.why.empty() || !found.address.empty());
    last = found.number;
  }
}
