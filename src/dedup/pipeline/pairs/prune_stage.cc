// The prune stage (--max-df N): shingles in more than N documents do not count.
// Common text such as navigation and licences thus stops making strangers
// alike.
// See docs/methods/common-text.md.
#include <algorithm>
#include <functional>
#include <span>

#include "base/bytes.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/view_store.h"
#include "pipeline/run/run.h"
#include "sketch/sketcher.h"

namespace twinset {

namespace {

struct CommonShingle {
  uint64_t hash = 0, documents = 0;
};

// Calls `body` with the hashes of view `view` of every document.
Status ForEachHashes(
    Run* run, size_t view,
    const std::function<Status(std::span<const uint64_t>)>& body) {
  TWINSET_ASSIGN(auto reader, OpenBlob(*run, view == 0 ? run->features_file
                                                       : run->views_file));
  std::string aligned;
  std::vector<std::string_view> views;
  for (;;) {
    std::string_view bytes;
    TWINSET_ASSIGN(const bool more, reader.Next(&bytes));
    if (!more) return {};
    aligned = bytes;
    if (view == 0 || aligned.empty()) {
      TWINSET_TRY(body(AsHashes(aligned)));
      continue;
    }
    views.clear();
    TWINSET_TRY(
        DecodeViews(aligned, run->plan.features.views.size() - 1, &views));
    TWINSET_TRY(body(AsHashes(views[view - 1])));
  }
}

struct TopShingles {
  std::vector<std::pair<uint64_t, uint64_t>>
      rows;  // (documents, hash), most frequent first
  void Add(const CommonShingle& shingle) {
    rows.emplace_back(shingle.documents, shingle.hash);
    std::sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) {
      return std::tie(y.first, x.second) < std::tie(x.first, y.second);
    });
    if (rows.size() > 10) rows.pop_back();
  }
};

// Run file `name`: the shingles of `view` that do not count, by hash. Returns
// how many.
Result<uint64_t> FindCommon(Run* run, size_t view, const std::string& name,
                            TopShingles* top) {
  ExternalSorter<uint64_t> hashes(run->SortOptions("shingles", 2),
                                  &run->budget);
  std::vector<uint64_t> distinct;
  TWINSET_TRY(
      ForEachHashes(run, view, [&](std::span<const uint64_t> values) -> Status {
        distinct.assign(values.begin(), values.end());
        if (run->plan.features.views[view].form == FeatureForm::kSequence)
          std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()),
                       distinct.end());
        for (const uint64_t value : distinct) TWINSET_TRY(hashes.Add(value));
        return {};
      }));
  TWINSET_TRY(hashes.Finish());
  TWINSET_ASSIGN(auto writer, CreateRun<CommonShingle>(*run, name));
  CommonShingle group;
  const auto close = [&]() -> Status {
    if (group.documents <= run->plan.options.max_df) return {};
    top->Add(group);
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
  return writer.count();
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

// Copies the other views without the shingles in `common` (ascending), as far
// as they are made of the shingles of view 0.
Status RewriteViews(Run* run, const std::vector<uint64_t>& common,
                    const std::string& suffix) {
  const auto& views = run->plan.features.views;
  TWINSET_ASSIGN(auto reader, OpenBlob(*run, run->views_file));
  const std::string name = "views-" + suffix + ".blob";
  TWINSET_ASSIGN(auto writer, CreateBlob(*run, name));
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
                        run->plan.features.extractors[i + 1]->kinds() ==
                            run->plan.features.extractors[0]->kinds();
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
Status RewriteFeatures(Run* run, const std::vector<uint64_t>& common,
                       const std::string& suffix) {
  TWINSET_ASSIGN(auto features, OpenBlob(*run, run->features_file));
  const std::string documents_file = "documents-" + suffix + ".blob";
  const std::string features_file = "features-" + suffix + ".blob";
  TWINSET_ASSIGN(auto documents_out, CreateBlob(*run, documents_file));
  TWINSET_ASSIGN(auto features_out, CreateBlob(*run, features_file));
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
          info.fingerprint =
              FeatureFingerprint(run->plan.features.form, encoded);
        empty += info.empty;
        TWINSET_TRY(features_out.Append(encoded));
        EncodeDocumentInfo(info, &encoded);
        return documents_out.Append(encoded);
      }));
  TWINSET_TRY(documents_out.Finish());
  TWINSET_TRY(features_out.Finish());
  run->documents_file = documents_file;
  run->features_file = features_file;
  run->counts.prune->empty = empty;
  return {};
}

// Calls `rewrite` with as many shingles of run file `name` at a time as the
// budget holds, at least once; each slice is one pass.
Status RewriteInSlices(
    Run* run, const std::string& name,
    const std::function<Status(Run*, const std::vector<uint64_t>&,
                               const std::string&)>& rewrite) {
  const Reservation room = run->budget.ReserveUpTo(run->Share(4), 1 << 20);
  std::vector<uint64_t> common;
  uint64_t passes = 0;
  const auto pass = [&]() -> Status {
    Status status = rewrite(run, common, "pruned-" + std::to_string(passes++));
    common.clear();
    return status;
  };
  TWINSET_TRY(ForEachRecord<CommonShingle>(
      *run, name, [&](const CommonShingle& shingle) -> Status {
        if (common.size() * sizeof(uint64_t) >= room.bytes())
          TWINSET_TRY(pass());
        common.push_back(shingle.hash);
        return {};
      }));
  return pass();
}

}  // namespace

void UsePruned(Run* run) {
  const PruneCounts& counts = *run->counts.prune;
  run->documents_file = counts.documents_file;
  run->features_file = counts.features_file;
  run->views_file = counts.views_file;
  run->counts.read.empty = counts.empty;
}

Status PruneStage(Run* run) {
  auto& counts = run->counts.prune;
  if (run->plan.options.max_df == 0 || !IsHashed(run->plan.features.form))
    return run->FinishStage("prune", {}, counts);
  counts.emplace();
  // Counted and listed by public hashes; under the secret the same shingles are
  // common.
  const size_t open_view = run->plan.features.public_view;
  TopShingles top, secret_top;
  TWINSET_ASSIGN(counts->common_shingles,
                 FindCommon(run, open_view, "common.run", &top));
  for (const auto& [documents, value] : top.rows)
    counts->most_frequent.push_back({ToHex(value), documents});
  std::string of_features = "common.run";
  if (open_view != 0) {
    of_features = "common-secret.run";
    TWINSET_TRY(FindCommon(run, 0, of_features, &secret_top));
  }
  TWINSET_TRY(RewriteInSlices(run, of_features, RewriteFeatures));
  if (run->plan.features.views.size() > 1)
    TWINSET_TRY(RewriteInSlices(run, "common.run", RewriteViews));
  counts->documents_file = run->documents_file;
  counts->features_file = run->features_file;
  counts->views_file = run->views_file;
  UsePruned(run);
  return run->FinishStage(
      "prune",
      {run->documents_file, run->documents_file + ".idx", run->features_file,
       run->features_file + ".idx", run->views_file, run->views_file + ".idx"},
      counts);
}

}  // namespace twinset
