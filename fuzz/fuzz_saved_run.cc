// A manifest made of any bytes is refused or parsed, and names no file outside
// of its folder; bytes with a good check reach the parser behind it. What it
// says of counts is refused too, or comes back from JSON as it was.
#include "base/bytes.h"
#include "base/hash.h"
#include "pipeline/run/counts.h"
#include "scratch_file.h"
#include "store/saved_run.h"
#include "target.h"

TWINSET_FUZZ_TARGET(saved_run) {
  twinset::FuzzInput input(data, size);
  const bool with_check = input.Number(1) % 2 == 1;
  std::string text(input.Rest());
  if (with_check) {
    const std::string check = twinset::ToHex(twinset::Hash64(text));
    text += ",\"check\":\"" + check + "\"}\n";
  }
  const auto run = twinset::SavedRun::Parse(text, "fuzz");
  if (!run) return 0;
  twinset::Require(run->description().is_object());
  for (const twinset::ManifestFile& file : run->files())
    twinset::Require(twinset::IsInsideFolder(file.name));
  const size_t sources = run->description()["inputs"].get<uint8_t>();
  twinset::RunCounts counts, again;
  const twinset::Json& json = run->description()["counts"];
  if (!twinset::SavedCountsFromJson(json, sources, &counts)) return 0;
  twinset::Require(counts.read.source_documents.size() == sources);
  const std::string kept = twinset::SavedCountsToJson(counts).dump();
  twinset::Require(twinset::SavedCountsFromJson(twinset::Json::Parse(kept),
                                                sources, &again));
  twinset::Require(twinset::SavedCountsToJson(again).dump() == kept);
  return 0;
}
