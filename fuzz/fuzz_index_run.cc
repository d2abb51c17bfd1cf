// A run of postings made of any bytes is refused or read; one that was damaged
// is refused or read as it was written. A page may have a good checksum.
#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/hash.h"
#include "scratch_file.h"
#include "segments/posting_run.h"
#include "target.h"

namespace {

using twinset::IndexPosting;

constexpr uint64_t kParameters = 7;

std::string Path() { return twinset::ScratchFolder() + "/run"; }

// All postings, or false when the run is refused anywhere.
bool ReadRun(std::vector<IndexPosting>* postings) {
  twinset::MemoryBudget budget(1 << 20);
  const auto run = twinset::PostingRun::Open(Path(), kParameters, &budget);
  if (!run) return false;
  std::vector<uint64_t> values;
  const std::array<uint64_t, 3> keys = {0, uint64_t{1} << 46, ~uint64_t{0}};
  (void)(*run)->Screen(keys);  // of keys that do not ascend it may say anything
  for (const uint64_t key : keys)
    if (!(*run)->Find(key, 100, &values)) return false;
  const auto read =
      (*run)->ForEach([&](const IndexPosting& posting) -> twinset::Status {
        postings->push_back(posting);
        return {};
      });
  return read && (*run)->CheckFilters();
}

}  // namespace

TWINSET_FUZZ_TARGET(index_run) {
  twinset::FuzzInput input(data, size);
  const bool with_sums = input.Number(1) % 2 == 0;
  std::vector<IndexPosting> written, read;
  const uint64_t count = input.Number(2) % 3000, width = input.Number(1) % 48;
  twinset::SplitMix64 random(1);
  for (uint64_t i = 0; i < count; ++i)
    written.push_back(
        {random.Next() >> (63 - width) >> 1, random.Next() >> 24});
  std::sort(written.begin(), written.end());
  auto writer = twinset::PostingRunWriter::Create(Path(), kParameters);
  twinset::Require(writer.has_value());
  for (const IndexPosting& posting : written)
    twinset::Require(writer->Append(posting).has_value());
  twinset::Require(writer->Finish().has_value());
  std::string bytes = twinset::ReadScratch(Path());
  twinset::Damage(&input, &bytes);
  // What somebody wrote who can make checksums.
  for (uint64_t page = 0; with_sums && (page + 1) * 4096 + 64 <= bytes.size();
       ++page) {
    char* const at = bytes.data() + 64 + page * 4096;
    twinset::StoreLE(at + 4088, twinset::Hash64({at, 4088}, page));
  }
  twinset::WriteScratch(Path(), bytes);
  const bool is_read = ReadRun(&read);
  twinset::Require(with_sums || !is_read || read == written);
  return 0;
}
