// The stage that finds repeated passages (--unit substring): repeated windows
// are joined to runs, each run is compared with its first place byte for byte,
// and cuts and passages are made of the runs. See docs/methods/units.md.
#include <algorithm>

#include "base/for_each.h"
#include "pipeline/units/substring_check.h"
#include "pipeline/units/substring_places.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {

namespace {

// The windows of one document that stand first beside each other.
struct DocumentRun {
  uint64_t document = 0, first = 0, windows = 0;
  std::array<uint64_t, 3> SortWords() const {
    return {document, first, windows};
  }
};

// From window `place` on, so many more places and documents have what stands
// there.
struct CountChange {
  uint64_t place = 0;
  int64_t count = 0, documents = 0;
  std::array<uint64_t, 3> SortWords() const {
    return {place, static_cast<uint64_t>(count),
            static_cast<uint64_t>(documents)};
  }
};

// A run whose tokens may go.
struct CutRun {
  uint64_t place = 0, windows = 0;
  UnitPlace first;
  std::array<uint64_t, 1> SortWords() const { return {place}; }
};

class SubstringUnits {
 public:
  SubstringUnits(Run* run, uint64_t attempt)
      : run_(run),
        tokens_(run->plan.options.min_tokens),
        attempt_(attempt),
        by_first_(run->SortOptions("runs-by-first", 16), &run->budget),
        by_document_(run->SortOptions("runs-by-document", 16), &run->budget) {}

  // False: two different passages had the same hash.
  Result<bool> FindRuns() {
    SubstringCheck check(run_);
    TWINSET_ASSIGN(auto texts, TokensOfPlaces::Open(*run_));
    WindowRun open;
    TWINSET_TRY(ForEachRepeatedWindow(
        run_, tokens_, attempt_, [&](const WindowPlace& window) -> Status {
          if (open.windows > 0 && window.place == open.place + open.windows &&
              window.first == open.first + open.windows) {
            ++open.windows;
            return {};
          }
          TWINSET_TRY(AddRun(open, &texts, &check));
          open = {window.first, window.place, 1, 0};
          return {};
        }));
    TWINSET_TRY(AddRun(open, &texts, &check));
    return check.AreEqual();
  }

  // cuts.run and repeated.run.
  Status MakeUnits() {
    ExternalSorter<CountChange> changes(run_->SortOptions("changes", 4),
                                        &run_->budget);
    ExternalSorter<CutRun> cuts(run_->SortOptions("cut-runs", 4),
                                &run_->budget);
    TWINSET_TRY(by_document_.Finish());
    TWINSET_TRY(CountDocuments(&changes));
    TWINSET_TRY(by_first_.Finish());
    TWINSET_TRY(CountPlaces(&changes, &cuts));
    TWINSET_TRY(changes.Finish());
    TWINSET_TRY(WritePassages(&changes));
    TWINSET_TRY(cuts.Finish());
    return WriteCuts(&cuts);
  }

 private:
  bool Overlaps(uint64_t first, uint64_t place) const {
    return place - first < tokens_;
  }

  Status AddRun(WindowRun run, TokensOfPlaces* texts, SubstringCheck* check) {
    if (run.windows == 0) return {};
    TWINSET_ASSIGN(const std::string_view text,
                   texts->Some(run.place, run.windows + tokens_ - 1));
    run.document = texts->document();
    TWINSET_TRY(by_first_.Add(run));
    TWINSET_TRY(by_document_.Add({run.document, run.first, run.windows}));
    if (run.first == run.place) return {};
    return check->Add(run.first, run.place, text);
  }

  // In how many documents each window stands: runs of one document may have the
  // same windows.
  Status CountDocuments(ExternalSorter<CountChange>* changes) {
    uint64_t document = UINT64_MAX, begin = 0, end = 0;
    const auto close = [&]() -> Status {
      if (begin == end) return {};
      TWINSET_TRY(changes->Add({begin, 0, 1}));
      return changes->Add({end, 0, -1});
    };
    TWINSET_TRY(ForEach<DocumentRun>(
        &by_document_, [&](const DocumentRun& run) -> Status {
          if (run.document != document || run.first > end) {
            TWINSET_TRY(close());
            document = run.document;
            begin = end = run.first;
          }
          end = std::max(end, run.first + run.windows);
          return {};
        }));
    return close();
  }

  Status CountPlaces(ExternalSorter<CountChange>* changes,
                     ExternalSorter<CutRun>* cuts) {
    const UnitAction action = run_->plan.options.unit_action;
    TWINSET_ASSIGN(auto documents, DocumentsOfPlaces::Open(*run_));
    return ForEach<WindowRun>(&by_first_, [&](const WindowRun& run) -> Status {
      TWINSET_TRY(changes->Add({run.first, 1, 0}));
      TWINSET_TRY(changes->Add({run.first + run.windows, -1, 0}));
      const bool stays =
          action == UnitAction::kList ||
          (action == UnitAction::kKeepFirst && Overlaps(run.first, run.place));
      if (stays) return {};
      TWINSET_ASSIGN(const UnitPlace first, documents.Of(run.first));
      return cuts->Add({run.place, run.windows, first});
    });
  }

  // Passages between two changes have the same places for each of their
  // windows, and so they are as long as they can be.
  Status WritePassages(ExternalSorter<CountChange>* changes) {
    RepeatedUnitCounts& counts = run_->counts.unit;
    TWINSET_ASSIGN(auto documents, DocumentsOfPlaces::Open(*run_));
    TWINSET_ASSIGN(auto passages,
                   CreateRun<RepeatedUnit>(*run_, "repeated.run"));
    CountChange sum;
    TWINSET_TRY(
        ForEach<CountChange>(changes, [&](const CountChange& change) -> Status {
          if (change.place > sum.place && sum.count > 0) {
            TWINSET_ASSIGN(const UnitPlace first, documents.Of(sum.place));
            TWINSET_TRY(
                passages.Append({first, static_cast<uint64_t>(sum.count),
                                 static_cast<uint64_t>(sum.documents),
                                 change.place - sum.place + tokens_ - 1}));
            counts.occurrences += static_cast<uint64_t>(sum.count);
          }
          sum = {change.place, sum.count + change.count,
                 sum.documents + change.documents};
          return {};
        }));
    counts.repeated = passages.count();
    return passages.Finish();
  }

  // Runs beside each other overlap; of the cuts no two have a token in common.
  Status WriteCuts(ExternalSorter<CutRun>* runs) {
    TWINSET_ASSIGN(auto documents, DocumentsOfPlaces::Open(*run_));
    TWINSET_ASSIGN(auto cuts, CreateRun<UnitCut>(*run_, "cuts.run"));
    uint64_t cut_to = 0;
    TWINSET_TRY(ForEach<CutRun>(runs, [&](const CutRun& run) -> Status {
      const uint64_t begin = std::max(cut_to, run.place);
      const uint64_t end = run.place + run.windows + tokens_ - 1;
      TWINSET_ASSIGN(const UnitPlace place, documents.Of(begin));
      const UnitPlace first = {run.first.document,
                               run.first.unit + (begin - run.place)};
      cut_to = end;
      return cuts.Append({place, first, end - begin});
    }));
    run_->counts.unit.cut = cuts.count();
    return cuts.Finish();
  }

  Run* run_;
  const uint64_t tokens_;  // of a window
  const uint64_t attempt_;
  ExternalSorter<WindowRun> by_first_;
  ExternalSorter<DocumentRun> by_document_;
};

}  // namespace

Status SubstringStage(Run* run) {
  run->counts.unit = {};
  for (uint64_t attempt = 0;; ++attempt) {
    SubstringUnits units(run, attempt);
    TWINSET_ASSIGN(const bool are_equal, units.FindRuns());
    if (!are_equal) {
      ++run->counts.unit.collisions;
      continue;
    }
    TWINSET_TRY(units.MakeUnits());
    return run->FinishStage("unit", {"cuts.run", "repeated.run"},
                            run->counts.unit);
  }
}

}  // namespace twinset
