// The prune stage (--max-df N): shingles in more than N documents do not count.
// Common text such as navigation and licences thus stops making strangers
// alike.
// See docs/methods/common-text.md.
#include <algorithm>

#include "base/bytes.h"
#include "pipeline/ingest.h"
#include "pipeline/run.h"
#include "pipeline/view_store.h"
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
    const auto values = AsHashes(aligned);
    if (run->plan.form != FeatureForm::kSequence) {
      uint64_t last = 0;
      bool first = true;
      for (const uint64_t value : values) {
        if (first || value != last) TWINSET_TRY(hashes.Add(value));
        last = value;
        first = false;
      }
      continue;
    }
    std::vector<uint64_t> distinct(values.begin(), values.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()),
                   distinct.end());
    for (const uint64_t value : distinct) TWINSET_TRY(hashes.Add(value));
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

// What is left of stored hashes without those in `common` (ascending).
std::string Without(const std::vector<uint64_t>& common,
                    std::string_view hashes) {
  const std::string aligned(hashes);
  std::vector<uint64_t> kept;
  for (const uint64_t hash : AsHashes(aligned)) {
    if (!std::binary_search(common.begin(), common.end(), hash))
      kept.push_back(hash);
  }
  return EncodeHashes(kept);
}

// Copies the other views likewise, as far as they are made of the same
// shingles.
Status RewriteViews(Run* run, const std::vector<uint64_t>& common,
                    const std::string& suffix) {
  const auto& views = run->plan.views;
  if (views.size() == 1) return {};
  const uint64_t hash = run->plan.parameters_hash;
  TWINSET_ASSIGN(auto reader,
                 BlobReader::Open(run->Path(run->views_file), hash));
  const std::string name = "views-" + suffix + ".blob";
  TWINSET_ASSIGN(auto writer, BlobWriter::Create(run->Path(name), hash));
  std::vector<std::string_view> stored;
  std::vector<std::string> kept;
  std::string_view bytes;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader.Next(&bytes));
    if (!more) break;
    stored.clear();
    kept.clear();
    if (bytes.empty()) {
      TWINSET_TRY(writer.Append(bytes));
      continue;
    }
    TWINSET_TRY(DecodeViews(bytes, views.size() - 1, &stored));
    for (size_t i = 0; i < stored.size(); ++i) {
      const FeatureView& view = views[i + 1];
      const bool same = IsHashed(view.form) && view.hash == views[0].hash &&
                        run->plan.extractors[i + 1]->kinds() ==
                            run->plan.extractors[0]->kinds();
      kept.push_back(same ? Without(common, stored[i])
                          : std::string(stored[i]));
    }
    TWINSET_TRY(writer.Append(EncodeViews(kept)));
  }
  TWINSET_TRY(writer.Finish());
  run->views_file = name;
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
  std::string encoded;
  uint64_t empty = 0;
  TWINSET_TRY(
      ForEachDocument(*run, [&](uint64_t, const DocumentInfo& old) -> Status {
        std::string_view bytes;
        TWINSET_TRY(features.Next(&bytes));
        DocumentInfo info = old;
        encoded = Without(common, bytes);
        info.feature_count = encoded.size() / sizeof(uint64_t);
        info.empty = encoded.empty();
        if (!info.empty)
          info.fingerprint = FeatureFingerprint(run->plan.form, encoded);
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
  return RewriteViews(run, common, suffix);
}

}  // namespace

void UsePruned(Run* run) {
  const Json& counts = run->counts["prune"];
  run->documents_file = counts["documents_file"].get<std::string>();
  run->features_file = counts["features_file"].get<std::string>();
  run->views_file = counts["views_file"].get<std::string>();
  run->counts["read"]["empty"] = counts["empty"];
}

Status PruneStage(Run* run) {
  run->counts["prune"] = Json::object();
  if (run->plan.options.max_df == 0 || !IsHashed(run->plan.form)) {
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
  counts["views_file"] = run->views_file;
  UsePruned(run);
  return run->journal.FinishStage(
      "prune",
      {run->documents_file, run->documents_file + ".idx", run->features_file,
       run->features_file + ".idx", run->views_file, run->views_file + ".idx"},
      counts.dump());
}

}  // namespace twinset
