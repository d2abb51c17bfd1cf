// A blob file and index made of any bytes are refused or read; damaged ones are
// refused or read as they were written, in order, at random and in batches.
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "scratch_file.h"
#include "store/blob_file.h"
#include "store/blob_frame.h"
#include "target.h"

namespace {

using twinset::FuzzInput;
using Blobs = std::vector<std::string>;

constexpr uint64_t kParameters = 7;

std::string Path() { return twinset::ScratchFolder() + "/blob"; }

bool ReadInOrder(twinset::BlobReader* reader, Blobs* blobs) {
  std::string_view bytes;
  for (;;) {
    const auto more = reader->Next(&bytes);
    if (!more) return false;
    if (!*more) return true;
    blobs->emplace_back(bytes);
  }
}

bool ReadBehindEachOther(twinset::BlobReader* reader, Blobs* blobs) {
  std::string bytes;
  for (;;) {
    const size_t begin = bytes.size();
    const auto more = reader->AppendNext(&bytes);
    if (!more) return false;
    if (!*more) return true;
    blobs->push_back(bytes.substr(begin));
  }
}

bool ReadAtRandom(const twinset::BlobReader& reader, Blobs* blobs) {
  blobs->resize(reader.count());
  for (uint64_t i = reader.count(); i-- > 0;) {
    if (!reader.ReadOne(i, &(*blobs)[i])) return false;
  }
  return true;
}

bool ReadInBatch(const twinset::BlobReader& reader, Blobs* blobs) {
  twinset::MemoryBudget budget(1 << 20);
  twinset::BlobBatch batch(&reader, 1 << 20, &budget);
  for (uint64_t i = 0; i < reader.count(); ++i) {
    const auto taken = batch.Request(i);
    if (!taken || !*taken) return false;
  }
  if (!batch.Load(1)) return false;
  for (uint64_t i = 0; i < reader.count(); ++i)
    blobs->emplace_back(batch.Get(i));
  return true;
}

// Each way of reading gives `expected` or an error; with null anything is fine.
void ReadAll(const Blobs* expected) {
  auto reader = twinset::BlobReader::Open(Path(), kParameters);
  if (!reader) return;
  Blobs in_order, in_turn, at_random, in_batch;
  if (ReadInOrder(&*reader, &in_order) && expected)
    twinset::Require(in_order == *expected);
  if (reader->Seek(0) && ReadBehindEachOther(&*reader, &in_turn) && expected)
    twinset::Require(in_turn == *expected);
  if (ReadAtRandom(*reader, &at_random) && expected)
    twinset::Require(at_random == *expected);
  if (ReadInBatch(*reader, &in_batch) && expected)
    twinset::Require(in_batch == *expected);
}

// Any frames and any one page of the index between headers and footers that are
// intact.
void WriteAnyBody(FuzzInput* input) {
  const uint64_t count = input->Number(1);
  const std::string_view page = input->Take(8 + 8 * count);
  const std::string_view frames = input->Rest();
  const auto footer = twinset::EncodeFileFooter({count, frames.size()});
  const std::string end(footer.data(), footer.size());
  const auto header =
      twinset::EncodeFileHeader(twinset::BlobHeader(kParameters));
  twinset::WriteScratch(
      Path(),
      std::string(header.data(), header.size()).append(frames).append(end));
  const auto index_header =
      twinset::EncodeFileHeader(twinset::BlobIndexHeader(kParameters));
  std::string index(index_header.data(), index_header.size());
  if (count > 0) {
    index.append(page);
    twinset::AppendLE<uint64_t>(
        &index, twinset::BlobPageChecksum(page.data(), page.size(), 0));
  }
  twinset::WriteScratch(twinset::BlobIndexPath(Path()), index.append(end));
}

}  // namespace

TWINSET_FUZZ_TARGET(blob_file) {
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 3;
  if (mode == 0) {
    const std::string_view blob = input.Take(input.Number(2));
    twinset::WriteScratch(Path(), blob);
    twinset::WriteScratch(twinset::BlobIndexPath(Path()), input.Rest());
    ReadAll(nullptr);
    return 0;
  }
  if (mode == 1) {
    WriteAnyBody(&input);
    ReadAll(nullptr);
    return 0;
  }
  Blobs written;
  twinset::SplitMix64 random(1);
  auto writer = twinset::BlobWriter::Create(Path(), kParameters);
  twinset::Require(writer.has_value());
  for (uint64_t count = input.Number(1) * 3; count > 0; --count) {
    written.emplace_back(random.Below(40), static_cast<char>(random.Next()));
    twinset::Require(writer->Append(written.back()).has_value());
  }
  twinset::Require(writer->Finish().has_value());
  const uint64_t cut = input.Number(2);
  FuzzInput to_data(reinterpret_cast<const uint8_t*>(input.Rest().data()),
                    std::min<size_t>(cut, input.Rest().size()));
  input.Take(cut);
  std::string bytes = twinset::ReadScratch(Path());
  twinset::Damage(&to_data, &bytes);
  twinset::WriteScratch(Path(), bytes);
  std::string index = twinset::ReadScratch(twinset::BlobIndexPath(Path()));
  twinset::Damage(&input, &index);
  twinset::WriteScratch(twinset::BlobIndexPath(Path()), index);
  ReadAll(&written);
  return 0;
}
