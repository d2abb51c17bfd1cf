// The stages that find repeated units: by hash first, then by their bytes, both
// with nothing but sorts. See docs/methods/units.md.
#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <optional>

#include "base/for_each.h"
#include "base/keyed_hash.h"
#include "base/sort_records.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {

namespace {

// Texts of one hash that are no copies of each other are compared with what
// fits here.
constexpr uint64_t kMaxCollisionBytes = 8 << 20;

struct UnitHash {
  Hash128Value hash;
  UnitPlace place;
  std::array<uint64_t, 4> SortWords() const {
    return {hash.low, hash.high, place.document, place.unit};
  }
};

// A piece of the normalised text of a suspected unit: a line is mostly one, a
// longer unit as many as it needs.
struct UnitPiece {
  static constexpr uint32_t kBytes = 88;
  uint64_t group = 0;
  UnitPlace place;
  uint32_t number = 0;  // within the unit, from 0
  uint32_t rest = 0;    // bytes from here to the end of the unit
  char text[kBytes] = {};
  std::array<uint64_t, 4> SortWords() const {
    return {group, place.document, place.unit, number};
  }
};

// Gives the windows of --unit-window units of a document as one unit each, if
// they have --min-tokens; without that flag its units.
class Windows {
 public:
  Windows(const UnitOptions& options, StoredUnits units)
      : length_(options.unit_window),
        min_tokens_(options.min_tokens),
        units_(std::move(units)) {}

  Result<bool> Next(StoredUnit* window) {
    if (length_ == 1) return units_.Next(window);
    StoredUnit unit;
    for (;;) {
      TWINSET_ASSIGN(const bool more, units_.Next(&unit));
      if (!more) return false;
      last_.push_back(unit);
      if (last_.size() > length_) last_.pop_front();
      if (last_.size() == length_ && Join(window)) return true;
    }
  }

 private:
  // Returns true iff they have enough tokens.
  bool Join(StoredUnit* window) {
    text_.clear();
    *window = last_.front();
    window->tokens = 0;
    for (const StoredUnit& unit : last_) {
      text_ += unit.normalised;
      text_ += '\n';  // in no token
      window->tokens += unit.tokens;
    }
    window->normalised = text_;
    return window->tokens >= min_tokens_;
  }
  const uint64_t length_, min_tokens_;
  StoredUnits units_;
  std::deque<StoredUnit> last_;
  std::string text_;
};

// Calls `body` for every unit or window of the corpus in input order.
Status ForEachStoredUnit(
    Run* run,
    const std::function<Status(const UnitPlace&, const StoredUnit&)>& body,
    const std::function<Result<bool>(uint64_t document)>& wanted) {
  return ForEachStored(
      run, [&](uint64_t document, std::string_view bytes) -> Status {
        TWINSET_ASSIGN(const bool is_wanted, wanted(document));
        if (!is_wanted) return {};
        TWINSET_ASSIGN(StoredUnits units, StoredUnits::Open(bytes));
        Windows windows(run->plan.options, std::move(units));
        return ForEach<StoredUnit>(&windows, [&](const StoredUnit& unit) {
          return body({document, unit.number}, unit);
        });
      });
}

// Gives every unit whose hash stands twice the number of that hash.
Status SuspectEqualHashes(Run* run, ExternalSorter<UnitHash>* hashes,
                          ExternalSorter<SuspectedUnit>* suspects) {
  UnitHash held, next;
  bool is_repeated = false;
  uint64_t group = 0;
  TWINSET_ASSIGN(bool more, hashes->Next(&held));
  for (uint64_t count = 0; more; held = next) {
    if (++count % (1 << 20) == 0) TWINSET_TRY(run->CheckStop());
    TWINSET_ASSIGN(more, hashes->Next(&next));
    const bool equal = more && next.hash == held.hash;
    if (equal || is_repeated) TWINSET_TRY(suspects->Add({held.place, group}));
    if (!equal && is_repeated) ++group;
    is_repeated = equal;
  }
  return {};
}

// Puts the pieces of units together again.
class PieceJoiner {
 public:
  PieceJoiner(Run* run, UnitGroups* groups) : run_(run), groups_(groups) {}

  Status Add(const UnitPiece& piece) {
    if (piece.number == 0) {
      text_.clear();
      if (piece.rest > memory_.bytes() && piece.rest > (64 << 10)) {
        memory_.Reset();
        memory_ = run_->budget.ReserveUpTo(piece.rest, piece.rest);
      }
    }
    const uint32_t bytes = std::min(piece.rest, UnitPiece::kBytes);
    text_.append(piece.text, bytes);
    return piece.rest == bytes ? groups_->Add(piece.group, piece.place, text_)
                               : Status();
  }

 private:
  Run* run_;
  UnitGroups* groups_;
  std::string text_;
  Reservation memory_;
};

// The pieces of all suspected units.
Status CutIntoPieces(Run* run, ExternalSorter<UnitPiece>* pieces) {
  using Suspects = RecordsByPlace<SuspectedUnit, &SuspectedUnit::place>;
  TWINSET_ASSIGN(auto suspects, Suspects::Open(*run, "suspects.run"));
  return ForEachStoredUnit(
      run,
      [&](const UnitPlace& place, const StoredUnit& unit) -> Status {
        TWINSET_ASSIGN(const SuspectedUnit* suspect, suspects.Find(place));
        if (suspect == nullptr) return {};
        UnitPiece piece;
        piece.group = suspect->group;
        piece.place = place;
        std::string_view rest = unit.normalised;
        for (;; ++piece.number) {
          piece.rest = static_cast<uint32_t>(rest.size());
          const size_t bytes = std::min<size_t>(rest.size(), UnitPiece::kBytes);
          std::memset(piece.text, 0, sizeof piece.text);
          std::memcpy(piece.text, rest.data(), bytes);
          TWINSET_TRY(pieces->Add(piece));
          rest.remove_prefix(bytes);
          if (rest.empty()) return {};
        }
      },
      [&](uint64_t document) { return suspects.Has(document); });
}

// The units of the windows that are cut, each once. Returns how many.
Result<uint64_t> WriteCuts(Run* run, ExternalSorter<UnitCut>* windows) {
  TWINSET_ASSIGN(auto cuts, CreateRun<UnitCut>(*run, "cuts.run"));
  TWINSET_TRY(windows->Finish());
  UnitPlace next;  // the first that was not cut yet
  TWINSET_TRY(ForEach<UnitCut>(windows, [&](const UnitCut& window) -> Status {
    UnitCut cut = window;
    for (uint64_t i = 0; i < run->plan.options.unit_window; ++i) {
      if (!(cut.place < next)) {
        TWINSET_TRY(cuts.Append(cut));
        next = {cut.place.document, cut.place.unit + 1};
      }
      ++cut.place.unit;
      ++cut.first.unit;
    }
    return {};
  }));
  TWINSET_TRY(cuts.Finish());
  return cuts.count();
}

}  // namespace

Status ForEachStored(
    Run* run,
    const std::function<Status(uint64_t document, std::string_view)>& body) {
  TWINSET_ASSIGN(auto features, OpenBlob(*run, run->features_file));
  std::string_view bytes;
  for (uint64_t document = 0;; ++document) {
    TWINSET_ASSIGN(const bool more, features.Next(&bytes));
    if (!more) return {};
    if (document % 1024 == 0) {
      TWINSET_TRY(run->CheckStop());
      run->Report("documents", document, features.count());
    }
    TWINSET_TRY(body(document, bytes));
  }
}

Status SuspectStage(Run* run) {
  if (run->plan.options.unit == UnitKind::kSubstring)
    return SuspectWindows(run);
  ExternalSorter<SuspectedUnit> suspects(run->SortOptions("suspects", 4),
                                         &run->budget);
  ExternalSorter<UnitHash> hashes(run->SortOptions("unit-hashes", 2),
                                  &run->budget);
  const KeyedDigest digest(run->plan.features.key);
  const bool near = run->plan.options.near_units;
  uint64_t considered = 0;
  TWINSET_TRY(ForEachStoredUnit(
      run,
      [&](const UnitPlace& place, const StoredUnit& unit) {
        ++considered;
        return near ? Status() : hashes.Add({digest(unit.normalised), place});
      },
      [](uint64_t) { return true; }));
  TWINSET_TRY(hashes.Finish());
  TWINSET_TRY(SuspectEqualHashes(run, &hashes, &suspects));
  run->counts.suspect = {considered, suspects.added()};
  TWINSET_TRY(WriteRun<SuspectedUnit>(*run, "suspects.run", &suspects));
  return run->FinishStage("suspect", {"suspects.run"}, run->counts.suspect);
}

Status UnitStage(Run* run) {
  if (run->plan.options.unit == UnitKind::kSubstring)
    return SubstringStage(run);
  const UnitAction action = run->plan.options.unit_action;
  ExternalSorter<UnitCut> cuts(run->SortOptions("cuts", 8), &run->budget);
  ExternalSorter<RepeatedUnit> repeated(run->SortOptions("repeated", 8),
                                        &run->budget);
  uint64_t occurrences = 0;
  const RepeatRule rule = {run->plan.options.min_copies,
                           run->plan.options.unit_window};
  UnitGroups groups(
      rule, kMaxCollisionBytes, &run->budget,
      [&](const UnitPlace& first, const UnitPlace& place) -> Status {
        ++occurrences;
        const bool stays =
            action == UnitAction::kList ||
            (action == UnitAction::kKeepFirst && rule.Overlap(first, place));
        return stays ? Status() : cuts.Add({place, first});
      },
      [&](const RepeatedUnit& unit) { return repeated.Add(unit); });
  {
    ExternalSorter<UnitPiece> pieces(run->SortOptions("pieces", 2),
                                     &run->budget);
    TWINSET_TRY(CutIntoPieces(run, &pieces));
    TWINSET_TRY(pieces.Finish());
    PieceJoiner joiner(run, &groups);
    UnitPiece piece;
    for (uint64_t count = 0;; ++count) {
      if (count % (1 << 20) == 0) TWINSET_TRY(run->CheckStop());
      TWINSET_ASSIGN(const bool more, pieces.Next(&piece));
      if (!more) break;
      TWINSET_TRY(joiner.Add(piece));
    }
  }
  TWINSET_TRY(groups.Finish());
  TWINSET_ASSIGN(const uint64_t cut, WriteCuts(run, &cuts));
  run->counts.unit = {repeated.added(), occurrences, cut, groups.collisions()};
  TWINSET_TRY(WriteRun<RepeatedUnit>(*run, "repeated.run", &repeated));
  return run->FinishStage("unit", {"cuts.run", "repeated.run"},
                          run->counts.unit);
}

}  // namespace twinset
