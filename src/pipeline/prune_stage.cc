// The prune stage (--max-df N): shingles in more than N documents do not count.
// Common text such as navigation and licences thus stops making strangers
// alike.
// See docs/methods/common-text.md.
#include <algorithm>

#include "base/bytes.h"
#include "pipeline/ingest.h"
#include "pipeline/run.h"
#include "sketch/sketcher.h"

namespace twinset {

namespace {

struct CommonShingle {
  uint64_t hash = 0, documents = 0;
};

// common.run: the shingles that do not count, by hash; lists the ten most
// frequent.
Status FindCommon(Run* run) {
  const uint64_t hash = run->plan.parameters_hash;
  ExternalSorter<uint64_t> hashes(run->SortOptions("shingles", 2),
                                  &run->budget);
  TWINSET_ASSIGN(auto features,
                 BlobReader::Open(run->Path("features.blob"), hash));
  std::string aligned;
  for (;;) {
    std::string_view bytes;
    TWINSET_ASSIGN(const bool more, features.Next(&bytes));
    if (!more) break;
    aligned = bytes;
    for (const uint64_t value : AsHashes(aligned))
      TWINSET_TRY(hashes.Add(value));
  }
  TWINSET_TRY(hashes.Finish());
  TWINSET_ASSIGN(auto writer, RunWriter<CommonShingle>::Create(
                                  run->Path("common.run"), hash));
  std::vector<std::pair<uint64_t, uint64_t>>
      top;  // (documents, hash), most frequent first
  CommonShingle group;
  const auto close = [&]() -> Status {
    if (group.documents <= run->plan.options.max_df) return {};
    top.emplace_back(group.documents, group.hash);
    std::sort(top.begin(), top.end(), [](const auto& x, const auto& y) {
      return std::tie(y.first, x.second) < std::tie(x.first, y.second);
    });
    if (top.size() > 10) top.pop_back();
    return writer.Append(group);
  };
  for (;;) {
    uint64_t value = 0;
    TWINSET_ASSIGN(const bool more, hashes.Next(&value));
    if (!more || value != group.hash) {
      TWINSET_TRY(close());
      group = {value, 0};
    }
    if (!more) break;
    ++group.documents;
  }
  TWINSET_TRY(writer.Finish());
  Json& counts = run->counts["prune"];
  counts["common_shingles"] = writer.count();
  counts["most_frequent"] = Json::array();
  for (const auto& [documents, value] : top) {
    counts["most_frequent"].push_back(
        {{"shingle", ToHex(value)}, {"documents", documents}});
  }
  return {};
}

// Copies documents and features without the shingles in `common` (ascending).
Status Rewrite(Run* run, const std::vector<uint64_t>& common,
               const std::string& suffix) {
  const uint64_t hash = run->plan.parameters_hash;
  TWINSET_ASSIGN(auto features,
                 BlobReader::Open(run->Path(run->features_file), hash));
  const std::string documents_file = "documents-" + suffix + ".blob";
  const std::string features_file = "features-" + suffix + ".blob";
  TWINSET_ASSIGN(auto documents_out,
                 BlobWriter::Create(run->Path(documents_file), hash));
  TWINSET_ASSIGN(auto features_out,
                 BlobWriter::Create(run->Path(features_file), hash));
  std::string aligned, encoded;
  uint64_t empty = 0;
  TWINSET_TRY(
      ForEachDocument(*run, [&](uint64_t, const DocumentInfo& old) -> Status {
        std::string_view bytes;
        TWINSET_TRY(features.Next(&bytes));
        aligned = bytes;
        std::vector<uint64_t> kept;
        const auto hashes = AsHashes(aligned);
        std::set_difference(hashes.begin(), hashes.end(), common.begin(),
                            common.end(), std::back_inserter(kept));
        DocumentInfo info = old;
        info.feature_count = kept.size();
        info.empty = kept.empty();
        encoded = EncodeHashes(kept);
        if (!info.empty)
          info.fingerprint =
              FeatureFingerprint(FeatureForm::kShingles, encoded);
        empty += info.empty;
        TWINSET_TRY(features_out.Append(encoded));
        EncodeDocumentInfo(info, &encoded);
        return documents_out.Append(encoded);
      }));
  TWINSET_TRY(documents_out.Finish());
  TWINSET_TRY(features_out.Finish());
  run->documents_file = documents_file;
  run->features_file = features_file;
  run->counts["prune"]["empty"] = empty;
  return {};
}

}  // namespace

void UsePruned(Run* run) {
  const Json& counts = run->counts["prune"];
  run->documents_file = counts["documents_file"].get<std::string>();
  run->features_file = counts["features_file"].get<std::string>();
  run->counts["read"]["empty"] = counts["empty"];
}

Status PruneStage(Run* run) {
  run->counts["prune"] = Json::object();
  if (run->plan.options.max_df == 0 ||
      run->plan.form != FeatureForm::kShingles) {
    return run->journal.FinishStage("prune", {}, "{}");
  }
  TWINSET_TRY(FindCommon(run));
  // As many common shingles at a time as the budget holds; each slice is one
  // pass.
  const Reservation room = run->budget.ReserveUpTo(run->Share(4), 1 << 20);
  std::vector<uint64_t> common;
  uint64_t passes = 0;
  const auto pass = [&]() -> Status {
    const Status status =
        Rewrite(run, common, "pruned-" + std::to_string(passes++));
    common.clear();
    return status;
  };
  TWINSET_TRY(ForEachRecord<CommonShingle>(
      *run, "common.run", [&](const CommonShingle& shingle) -> Status {
        if (common.size() * sizeof(uint64_t) >= room.bytes())
          TWINSET_TRY(pass());
        common.push_back(shingle.hash);
        return {};
      }));
  TWINSET_TRY(pass());
  Json& counts = run->counts["prune"];
  counts["documents_file"] = run->documents_file;
  counts["features_file"] = run->features_file;
  UsePruned(run);
  return run->journal.FinishStage(
      "prune",
      {run->documents_file, run->documents_file + ".idx", run->features_file,
       run->features_file + ".idx"},
      counts.dump());
}

}  // namespace twinset
