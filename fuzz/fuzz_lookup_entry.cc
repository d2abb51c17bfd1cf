// An entry of lookup.blob made of any bytes is refused, or comes back as it
// was; and what it may share with another is no more than either has.
#include "pipeline/pairs/lookup_file.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(lookup_entry) {
  twinset::FuzzInput input(data, size);
  const bool are_folds = input.Number(1) % 2 == 1;
  const std::string_view bytes = input.Rest();
  twinset::LookupEntry entry;
  if (!twinset::DecodeLookupEntry(bytes, are_folds, &entry)) return 0;
  std::string again;
  twinset::EncodeLookupEntry(entry, are_folds, &again);
  twinset::Require(again == bytes);
  const uint64_t other[] = {0x0123456789abcdef, 0};
  const uint64_t most =
      twinset::MostShared(entry.elements, entry.bits, 40, other);
  twinset::Require(!are_folds || most <= 40);
  return 0;
}
