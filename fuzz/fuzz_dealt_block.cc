// A block of a shard made of any bytes is refused, or comes back from its own
// bytes as it was.
#include "pipeline/read/dealt_block.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(dealt_block) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  twinset::DealtBlock block, again;
  if (!twinset::DecodeDealtBlock(bytes, &block)) return 0;
  const std::string kept = twinset::EncodeDealtBlock(block);
  twinset::Require(twinset::DecodeDealtBlock(kept, &again));
  twinset::Require(twinset::EncodeDealtBlock(again) == kept);
  return 0;
}
