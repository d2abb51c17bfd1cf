// A patch made of any bytes is refused or read; one that is changed after it
// was written is refused or read as it was. What is decoded of a frame is
// written and decoded the same.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "patch/patch_file.h"
#include "patch/patch_reading.h"
#include "scratch_file.h"
#include "target.h"

namespace {

using namespace twinset;  // NOLINT: the target's subject

std::string Path() { return ScratchFolder() + "/patch"; }

void DecodeFrames(std::string_view bytes, uint64_t first) {
  std::vector<PatchEntry> entries, again;
  if (DecodePatchEntries(first, bytes, &entries)) {
    Require(
        DecodePatchEntries(first, EncodePatchEntries(first, entries), &again)
            .has_value());
    Require(again == entries);
  }
  std::vector<PatchInput> inputs;
  if (DecodePatchInputs(bytes, &inputs)) {
    std::vector<PatchInput> same;
    Require(DecodePatchInputs(EncodePatchInputs(inputs), &same).has_value());
    Require(same.size() == inputs.size());
  }
  const auto head = DecodePatchHead(bytes);
  if (!head) return;
  Require(DecodePatchHead(EncodePatchHead(*head)).has_value());
  (void)OptionsOfReading(head->read);
  (void)FieldsOfReading(head->read);
}

// The entries of a patch that can be read to its end.
std::optional<std::vector<PatchEntry>> EntriesOf(PatchReader* reader) {
  std::vector<PatchEntry> entries;
  for (;;) {
    PatchEntry entry;
    const auto more = reader->Next(&entry);
    if (!more) return {};
    if (!*more) break;
    Require(entry.source < reader->inputs().size());
    Require(entry.link < reader->head().entries);
    entries.push_back(std::move(entry));
  }
  Require(entries.size() == reader->head().entries);
  return entries;
}

void Read() {
  auto reader = PatchReader::Open(Path(), 1 << 20);
  if (!reader) return;
  const auto entries = EntriesOf(&*reader);
  if (!entries) return;
  const std::string path = ScratchFolder() + "/again";
  auto writer = PatchWriter::Create(path, reader->head());
  Require(writer.has_value());
  for (const PatchInput& input : reader->inputs())
    Require(writer->AddInput(input).has_value());
  for (const PatchEntry& entry : *entries) {
    if (!writer->AddEntry(entry)) return;  // longer than one that is written
  }
  Require(writer->Finish(nullptr).has_value());
  auto again = PatchReader::Open(path, 1 << 20);
  Require(again.has_value());
  Require(EntriesOf(&*again) == entries);
}

// A small patch, changed as the input says; with a good checksum if `repairs`.
void ReadDamaged(FuzzInput* input, bool repairs) {
  PatchHead head;
  head.read = Json::object();
  head.inputs = 1;
  head.entries = 3;
  auto writer = PatchWriter::Create(Path(), head);
  Require(writer.has_value());
  PatchInput file;
  file.name = "a.jsonl";
  Require(writer->AddInput(file).has_value());
  for (uint64_t i = 0; i < head.entries; ++i) {
    PatchEntry entry;
    entry.kind = i == 0 ? PatchKind::kKeep : PatchKind::kDrop;
    entry.ordinal = i;
    entry.id = "d" + std::to_string(i);
    Require(writer->AddEntry(entry).has_value());
  }
  Require(writer->Finish(nullptr).has_value());
  std::string bytes = ReadScratch(Path());
  Damage(input, &bytes);
  if (repairs && bytes.size() > kFileFooterBytes) {
    const size_t end = bytes.size() - kFileFooterBytes;
    Hasher64 hash;
    hash.Update(std::string_view(bytes).substr(0, end));
    const auto footer = EncodeFileFooter({head.entries, hash.Digest()});
    bytes.replace(end, footer.size(), footer.data(), footer.size());
  }
  WriteScratch(Path(), bytes);
  Read();
}

}  // namespace

TWINSET_FUZZ_TARGET(patch) {
  FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 4;
  if (mode == 0) {
    DecodeFrames(input.Rest(), 0);
  } else if (mode == 1) {
    WriteScratch(Path(), input.Rest());
    Read();
  } else {
    ReadDamaged(&input, mode == 3);
  }
  return 0;
}
