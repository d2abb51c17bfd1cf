// A lexicon made of any bytes is refused or read; what was read is written back
// the same. So too what methods learn: frequencies and the chunks of SPEX.
#include "base/bytes.h"
#include "base/hash.h"
#include "core/frequency_table.h"
#include "scratch_file.h"
#include "sketch/learnt/i_match.h"
#include "sketch/learnt/lexicon.h"
#include "sketch/learnt/spex.h"
#include "store/file_header.h"
#include "target.h"

namespace {

using twinset::FuzzInput;

// With the checksum that belongs to it at the end.
std::string Sealed(std::string bytes) {
  twinset::AppendLE<uint64_t>(&bytes, twinset::Hash64(bytes));
  return bytes;
}

void ReadLexicon(const std::string& bytes) {
  const auto lexicon = twinset::Lexicon::Decode(bytes, "lexicon");
  if (!lexicon) return;
  twinset::Require(lexicon->Encode() == bytes);
  const auto hashes = lexicon->SortedHashes();
  const auto sketcher = twinset::MakeIMatchSketcher(hashes, {});
  twinset::Require(sketcher.has_value());
  twinset::Sketch sketch;
  (*sketcher)->Compute({reinterpret_cast<const char*>(hashes.data()),
                        hashes.size() * sizeof(uint64_t)},
                       &sketch);
  for (const auto& term : lexicon->terms) (void)lexicon->Idf(term);
}

void ReadFrequencies(const std::string& bytes) {
  const auto table = twinset::FrequencyTable::Decode(bytes);
  if (!table) return;
  twinset::Require(table->Encode() == bytes);
  for (const uint64_t feature : table->features()) (void)table->Idf(feature);
}

void ReadChunks(const std::string& bytes) {
  const auto model = twinset::SpexModel::Decode(bytes);
  if (!model) return;
  std::vector<uint64_t> chunks;
  const std::vector<uint64_t> tokens = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  model->Chunks(tokens, &chunks);
  twinset::Require(chunks.size() <= tokens.size());
}

}  // namespace

TWINSET_FUZZ_TARGET(lexicon) {
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 6;
  std::string bytes(input.Rest());
  if (mode == 1) {
    // Any body behind an intact header.
    const auto header = twinset::EncodeFileHeader({"lexicon", 2, 0, 0});
    bytes.insert(0, header.data(), header.size());
  }
  if (mode % 2 == 1) bytes = Sealed(std::move(bytes));
  if (mode < 2) ReadLexicon(bytes);
  if (mode == 2 || mode == 3) ReadFrequencies(bytes);
  if (mode == 4 || mode == 5) ReadChunks(bytes);
  return 0;
}
