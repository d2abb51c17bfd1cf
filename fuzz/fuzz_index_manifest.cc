// A manifest of an index made of any bytes, with a good checksum or not, is
// refused or parsed, and its ranges follow each other.
#include "base/bytes.h"
#include "base/hash.h"
#include "scratch_file.h"
#include "segments/index_manifest.h"
#include "store/file_header.h"
#include "target.h"

TWINSET_FUZZ_TARGET(index_manifest) {
  twinset::FuzzInput input(data, size);
  const bool is_whole = input.Number(1) % 2 == 1;
  std::string bytes(input.Rest());
  if (is_whole) {
    const auto header = twinset::EncodeFileHeader({"index", 1, 0, 0});
    const uint64_t sum = twinset::Hash64(bytes);
    bytes.insert(0, header.data(), header.size());
    twinset::AppendLE(&bytes, sum);
  }
  const auto manifest = twinset::IndexManifest::Parse(bytes, "fuzz");
  if (!manifest) return 0;
  for (const auto* ranges : {&manifest->logs, &manifest->runs}) {
    uint64_t begin = 0;
    for (const twinset::IndexRange& range : *ranges) {
      twinset::Require(range.begin == begin && range.end > begin);
      begin = range.end;
    }
  }
  twinset::Require(manifest->covered() >= manifest->sealed());
  (void)twinset::IndexFileOfName(bytes);
  return 0;
}
