// A run made of any bytes is refused or read; a run that was damaged is refused
// or read as it was written.
#include <vector>

#include "base/hash.h"
#include "scratch_file.h"
#include "store/run_file.h"
#include "target.h"

namespace {

using twinset::FuzzInput;

constexpr uint32_t kElementBytes = 12;
constexpr uint64_t kParameters = 7;

std::string Path() { return twinset::ScratchFolder() + "/run"; }

// All records, or nothing when the run was refused anywhere.
bool ReadRun(std::vector<std::string>* records) {
  auto reader = twinset::RawRunReader::Open(Path(), kElementBytes, kParameters);
  if (!reader) return false;
  for (;;) {
    const auto record = reader->Next();
    if (!record) return false;
    if (*record == nullptr) break;
    records->emplace_back(static_cast<const char*>(*record), kElementBytes);
  }
  twinset::Require(records->size() == reader->count());
  const auto seek = reader->Seek(reader->count() / 2);
  return seek.has_value();
}

// Any body between a header and a footer that are intact.
std::string AnyBody(FuzzInput* input) {
  const auto header =
      twinset::EncodeFileHeader({"run", 1, kElementBytes, kParameters});
  const uint64_t count = input->Number(8), chain = input->Number(8);
  const auto footer = twinset::EncodeFileFooter({count, chain});
  std::string bytes(header.data(), header.size());
  // One block with a good checksum.
  bytes.append(input->Rest());
  const uint64_t checksum = twinset::Hash64(input->Rest(), 0);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  bytes.append(footer.data(), footer.size());
  return bytes;
}

}  // namespace

TWINSET_FUZZ_TARGET(run_file) {
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 3;
  std::vector<std::string> records;
  if (mode == 0) {
    twinset::WriteScratch(Path(), input.Rest());
    ReadRun(&records);
    return 0;
  }
  if (mode == 1) {
    twinset::WriteScratch(Path(), AnyBody(&input));
    ReadRun(&records);
    return 0;
  }
  std::vector<std::string> written;
  twinset::SplitMix64 random(1);
  auto writer =
      twinset::RawRunWriter::Create(Path(), kElementBytes, kParameters);
  twinset::Require(writer.has_value());
  for (uint64_t count = input.Number(2) % 6000; count > 0; --count) {
    const uint64_t words[2] = {random.Next(), random.Next()};
    written.emplace_back(reinterpret_cast<const char*>(words), kElementBytes);
    twinset::Require(writer->Append(written.back().data()).has_value());
  }
  twinset::Require(writer->Finish(/*sync=*/false).has_value());
  std::string bytes = twinset::ReadScratch(Path());
  const std::string good = bytes;
  twinset::Damage(&input, &bytes);
  twinset::WriteScratch(Path(), bytes);
  const bool read = ReadRun(&records);
  twinset::Require(read ? records == written : bytes != good);
  return 0;
}
