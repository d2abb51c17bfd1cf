#include "pipeline/saved/recut_stages.h"

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "pipeline/pairs/order_stage.h"
#include "pipeline/read/ingest.h"
#include "pipeline/saved/save_run.h"

namespace twinset {

namespace {

constexpr double kBelowAll = 0;

tl::unexpected<Error> WrongManifest(const SavedRun& saved) {
  return Fail(ErrorCode::kCorrupt,
              "the manifest of the saved run does not fit its files",
              saved.Path(SavedRun::kManifest),
              "make it again with dedup --save");
}

// The files that later stages read, as the manifest names them: of the saved
// run and nowhere else.
Status TakeFiles(const SavedRun& saved, Run* run) {
  const Json& current = saved.description()["current"];
  for (const auto& [name, to] : {std::pair{"documents", &run->documents_file},
                                 std::pair{"features", &run->features_file},
                                 std::pair{"views", &run->views_file}}) {
    current[name].get_to(*to);
    if (!saved.Has(*to)) return WrongManifest(saved);
  }
  current["texts"].get_to(run->texts_file);
  const bool has_texts = run->plan.checks_texts();
  if (has_texts && !saved.Has(run->texts_file)) return WrongManifest(saved);
  if (run->plan.options.kinds) {
    if (!saved.Has(run->judged_file)) return WrongManifest(saved);
    TWINSET_ASSIGN(const auto judged, OpenBlob(*run, run->judged_file));
    if (judged.count() != run->documents()) return WrongManifest(saved);
  }
  // Tables are as long as the documents are many.
  TWINSET_ASSIGN(const auto documents, OpenBlob(*run, run->documents_file));
  return documents.count() == run->documents() ? Status()
                                               : WrongManifest(saved);
}

}  // namespace

Result<RunCounts> SavedCounts(const SavedRun& saved, size_t sources) {
  RunCounts counts;
  const Json& json = saved.description()["counts"];
  if (!SavedCountsFromJson(json, sources, &counts)) return WrongManifest(saved);
  return counts;
}

Status TakeSaved(const SavedRun& saved, Run* run) {
  const Json& from = saved.description();
  TWINSET_ASSIGN(run->counts,
                 SavedCounts(saved, run->plan.inputs.files.size()));
  run->saved = saved.folder();
  TWINSET_TRY(TakeFiles(saved, run));
  from["input_bytes"].get_to(run->input_bytes);
  // The fields that this run asks for, in its own order.
  run->counts.read.sides[0].TakeFields(run->plan.scope.field_places);
  return saved.Has("model.blob") ? run->journal.FinishStage("prepare", {}, "{}")
                                 : Status();
}

namespace {

class Deciding {
 public:
  Deciding(const SavedRun& saved, Run* run)
      : saved_(saved), run_(run), plan_(run->plan), old_(SavedHashes(saved)) {}

  Result<bool> Do() {
    const bool reorders = plan_.hashes.order != old_.order;
    if (reorders) {
      TWINSET_TRY(Reorder());
    } else if (run_->counts.order.keep_missing.size() !=
               plan_.scope.priority.Names().size()) {
      return WrongManifest(saved_);
    }
    if (plan_.hashes.pairs == old_.pairs) return false;
    if (MustMakeAgain(reorders)) {
      TWINSET_TRY(CandidateStage(run_));
      TWINSET_TRY(VerifyStage(run_));
      return true;
    }
    TWINSET_TRY(FilterPairs());
    return false;
  }

 private:
  double OldThreshold() const {
    return saved_.description()["parameters"]["threshold"].get<double>();
  }

  Status Reorder() {
    TWINSET_TRY(AssignRanks(run_));
    const auto open = [this] {
      return RunReader<Copy>::Open(saved_.Path("copies.run"),
                                   old_.Of("copies.run"));
    };
    TWINSET_ASSIGN(auto classes, open());
    TWINSET_ASSIGN(auto behind, open());
    if (classes.count() > 0) {
      TWINSET_ASSIGN(leaders_, PagedArray<uint64_t>::Create(
                                   run_->Path("leaders.tmp"),
                                   std::max<uint64_t>(1, run_->documents()),
                                   run_->Share(8), &run_->budget));
    }
    return LeadClassesAnew(run_, std::move(classes), std::move(behind),
                           [this](uint64_t old_leader, uint64_t leader) {
                             return leaders_->Set(old_leader, leader + 1);
                           });
  }

  // What is compared in a hot bucket depends on ranks and threshold, and a
  // method's own filter may depend on the threshold. Documents of one class may
  // have sketches that differ where these see more than what is verified.
  bool MustMakeAgain(bool reorders) const {
    const RunCounts& counts = run_->counts;
    const bool hot = counts.candidate.hot_buckets.count > 0;
    const bool raises = plan_.options.method.threshold != OldThreshold();
    if (hot && (reorders || raises)) return true;
    if (raises && run_->parts.filter != nullptr && !run_->parts.complete)
      return true;
    const bool copies = counts.order.copies > 0;
    return reorders && copies && !run_->parts.complete &&
           !SketchesFollowFeatures();
  }

  // Returns true iff equal features make equal sketches.
  bool SketchesFollowFeatures() const {
    const auto& views = plan_.features.views;
    for (const size_t view : run_->parts.sketch_views) {
      if (view == 0) continue;
      const bool same_shingles = plan_.features.extractors[0] != nullptr &&
                                 plan_.features.extractors[view] != nullptr &&
                                 plan_.features.extractors[view]->kinds() ==
                                     plan_.features.extractors[0]->kinds();
      const bool same_form = views[view].form == FeatureForm::kShingles ||
                             views[view].form == views[0].form;
      if (!same_shingles || !same_form) return false;
    }
    return true;
  }

  Result<uint64_t> LeaderOf(uint64_t document) {
    if (!leaders_) return document;
    TWINSET_ASSIGN(const uint64_t leader, leaders_->Get(document));
    return leader == 0 ? document : leader - 1;
  }

  Status FilterPairs() {
    // Estimates of a method that decides by its sketches do not decide.
    const bool decides =
        plan_.options.method.verify || run_->parts.filter == nullptr;
    const double least = decides && IsHashed(plan_.features.form)
                             ? plan_.options.method.threshold
                             : kBelowAll;
    TWINSET_ASSIGN(auto pairs,
                   RunReader<VerifiedPair>::Open(saved_.Path("verified.run"),
                                                 old_.Of("verified.run")));
    ExternalSorter<VerifiedPair> sorter(run_->SortOptions("pairs-again", 4),
                                        &run_->budget);
    VerifiedPair pair;
    for (;;) {
      TWINSET_ASSIGN(const bool more, pairs.Next(&pair));
      if (!more) break;
      if (pair.score < least) continue;
      TWINSET_ASSIGN(const uint64_t a, LeaderOf(pair.a));
      TWINSET_ASSIGN(const uint64_t b, LeaderOf(pair.b));
      TWINSET_TRY(sorter.Add(VerifiedPair::Of(a, b, pair.score, pair.shared)));
    }
    TWINSET_TRY(WriteRun<VerifiedPair>(*run_, "verified.run", &sorter));
    run_->counts.verify.accepted = sorter.added();
    return {};
  }

  const SavedRun& saved_;
  Run* run_;
  const Plan& plan_;
  const StageHashes old_;
  std::optional<PagedArray<uint64_t>> leaders_;  // new leader + 1, by the old
};

}  // namespace

Result<bool> DecideAgain(const SavedRun& saved, Run* run) {
  return Deciding(saved, run).Do();
}

}  // namespace twinset
