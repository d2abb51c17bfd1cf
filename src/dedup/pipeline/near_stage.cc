// Similar units: the stages of a run over documents, over units in place of
// them.
#include "pipeline/near_stage.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/for_each.h"
#include "pipeline/run/plan_features.h"
#include "pipeline/run/run.h"
#include "pipeline/run_control.h"
#include "pipeline/units/unit_stages.h"
#include "twinset/collection.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

const Stage kNearStages[] = {kReadStage,      kPrepareStage, kOrderStage,
                             kCandidateStage, kVerifyStage,  kClusterStage};

// The stored units of a run as documents.
class UnitSource : public Source {
 public:
  static Result<UnitSource> Open(const Run& run) {
    TWINSET_ASSIGN(auto features, OpenBlob(run, run.features_file));
    return UnitSource(std::move(features));
  }

  Result<bool> Next(Document* document) override {
    StoredUnit unit;
    for (;;) {
      if (units_) {
        TWINSET_ASSIGN(const bool more, units_->Next(&unit));
        if (more) break;
      }
      std::string_view bytes;
      TWINSET_ASSIGN(const bool more, features_.Next(&bytes));
      if (!more) return false;
      ++place_.document;
      TWINSET_ASSIGN(units_, StoredUnits::Open(bytes));
    }
    place_.unit = unit.number;
    document->payload = unit.normalised;
    return true;
  }
  // The place of the unit that was given last.
  const UnitPlace& place() const { return place_; }

 private:
  explicit UnitSource(BlobReader features) : features_(std::move(features)) {}
  BlobReader features_;
  UnitPlace place_ = {UINT64_MAX, 0};
  std::optional<StoredUnits> units_;  // of its document
};

// What a run over the units of `run` is asked for. The first unit of those that
// are similar stays.
PlanOptions NearOptions(Run* run) {
  const PlanOptions& of = run->plan.options;
  PlanOptions options;
  options.features.tokens = TokenRule::kWhitespace;  // they are normalised
  options.features.shingle = of.features.shingle;
  options.features.content = ContentMode::kAll;
  options.method.threshold = of.method.threshold;
  options.keep = {"first"};
  options.resources.threads = run->plan.machine.threads;
  options.resources.memory_bytes = of.resources.memory_bytes;
  options.resources.simd = of.resources.simd;
  options.stop = of.stop;
  if (of.on_progress) {
    options.on_progress = [run](const Progress& progress) {
      run->step = progress.stage;
      run->Report(progress);
    };
  }
  options.resume = of.resume;
  return options;
}

// Goes on with the work folder of a run that was stopped behind its read stage,
// or begins a new one.
Result<Journal> BeginNear(const std::string& work, PlanOptions* options) {
  if (options->resume) {
    auto journal = Journal::Open(work);
    if (journal && journal->IsDone("read")) return journal;
  }
  options->resume = false;
  TWINSET_TRY(RemoveTree(work));
  TWINSET_TRY(MakeDirectories(work));
  return Journal::Create(work, "{}");
}

// Makes cuts and repeated units of the memberships of units in clusters.
class NearUnits {
 public:
  NearUnits(Run* run, Run* near)
      : run_(run),
        near_(near),
        cuts_(run->SortOptions("cuts", 8), &run->budget),
        repeated_(run->SortOptions("repeated", 8), &run->budget) {}

  Status Do() {
    TWINSET_TRY(LoadPlaces());
    uint64_t representative = UINT64_MAX;
    TWINSET_TRY(ForEachRecord<Membership>(
        *near_, "memberships.run", [&](const Membership& member) -> Status {
          if (member.representative != representative) {
            TWINSET_TRY(Close());
            representative = member.representative;
            TWINSET_ASSIGN(open_.first, places_->Get(representative));
            TWINSET_TRY(AddPlace(open_.first, 1));
          }
          TWINSET_ASSIGN(const UnitPlace place, places_->Get(member.document));
          return AddPlace(place, member.score);
        }));
    TWINSET_TRY(Close());
    run_->counts.unit = {repeated_.added(), occurrences_, cuts_.added(), 0};
    TWINSET_TRY(WriteRun<UnitCut>(*run_, "cuts.run", &cuts_));
    return WriteRun<RepeatedUnit>(*run_, "repeated.run", &repeated_);
  }

 private:
  // A place of the cluster that is open, in input order.
  Status AddPlace(const UnitPlace& place, double similarity) {
    ++open_.count;
    open_.documents += open_.count == 1 || place.document != last_document_;
    open_.similarity = std::min(open_.similarity, similarity);
    last_document_ = place.document;
    const UnitCut cut = {place, open_.first, 1, similarity};
    const uint64_t copies = run_->plan.options.min_copies;
    if (open_.count > copies) return Cut(cut);
    held_.push_back(cut);
    if (open_.count < copies) return {};
    for (const UnitCut& held : held_) TWINSET_TRY(Cut(held));
    held_.clear();
    return {};
  }

  Status Cut(const UnitCut& cut) {
    const UnitAction action = run_->plan.options.unit_action;
    const bool stays =
        action == UnitAction::kList ||
        (action == UnitAction::kKeepFirst && cut.place == cut.first);
    return stays ? Status() : cuts_.Add(cut);
  }

  Status Close() {
    const RepeatedUnit unit = std::exchange(open_, {});
    held_.clear();
    if (unit.count < run_->plan.options.min_copies) return {};
    occurrences_ += unit.count;
    return repeated_.Add(unit);
  }

  Status LoadPlaces() {
    TWINSET_ASSIGN(places_, PagedArray<UnitPlace>::Create(
                                near_->Path("places.tmp"),
                                std::max<uint64_t>(1, near_->documents()),
                                near_->Share(8), &near_->budget));
    TWINSET_ASSIGN(UnitSource units, UnitSource::Open(*run_));
    Document unit;
    uint64_t passed = 0;
    return ForEachDocument(
        *near_, [&](uint64_t document, const DocumentInfo& info) -> Status {
          for (; passed <= info.provenance.ordinal; ++passed)
            TWINSET_TRY(units.Next(&unit));
          return places_->Set(document, units.place());
        });
  }

  Run* run_;
  Run* near_;
  std::optional<PagedArray<UnitPlace>> places_;  // by number in near_
  ExternalSorter<UnitCut> cuts_;
  ExternalSorter<RepeatedUnit> repeated_;
  RepeatedUnit open_;          // the cluster that is read
  std::vector<UnitCut> held_;  // its places, while they are too few
  uint64_t last_document_ = 0;
  uint64_t occurrences_ = 0;
};

}  // namespace

Status NearStage(Run* run) {
  const std::string work = run->Path("near");
  PlanOptions options = NearOptions(run);
  TWINSET_ASSIGN(Journal journal, BeginNear(work, &options));
  TWINSET_ASSIGN(UnitSource source, UnitSource::Open(*run));
  TWINSET_ASSIGN(Plan plan, MakeSourcePlan(options, {&source}, work));
  // A resumed run has hashes that were made before.
  TWINSET_TRY(SetKey(plan.options, run->plan.features.key, &plan.features));
  // Any text may be a unit, and the memory is that of the run.
  plan.inputs.read.max_document_bytes = UINT64_MAX;
  plan.machine.memory_bytes = run->budget.available_bytes();
  PlanHot(&plan);
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  Run near(std::move(plan), std::move(journal));
  TWINSET_TRY(RunStages(&near, kNearStages));
  run->step = "rows";
  NearUnits units(run, &near);
  TWINSET_TRY(units.Do());
  Json state = FieldsToJson(run->counts.unit);
  const uint64_t left_out = run->counts.suspect.considered - near.documents();
  if (left_out > 0) {
    const std::string warning =
        CountText(left_out, "unit") + " could not be compared";
    run->warnings.push_back(warning);
    state[Run::kStageWarnings].push_back(warning);
  }
  return run->journal.FinishStage("unit", {"cuts.run", "repeated.run"},
                                  state.dump());
}

}  // namespace twinset
