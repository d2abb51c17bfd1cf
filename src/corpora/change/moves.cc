#include "change/moves.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/for_each.h"
#include "candidate/prefix_keys.h"
#include "verify/elements.h"
#include "verify/verifier.h"

namespace twinset {
namespace {

ExternalSortOptions MoveSort(ExternalSortOptions sort, std::string name,
                             uint64_t share, bool unique = false) {
  sort.name = std::move(name);
  sort.memory_bytes /= share;
  sort.unique = unique;
  return sort;
}

void CountMove(uint32_t to, bool is_near, std::vector<ChangeStep>* steps) {
  ChangeStep& step = (*steps)[to - 1];
  --step.states[static_cast<size_t>(PageState::kGone)];
  ++step.states[static_cast<size_t>(PageState::kMoved)];
  step.moved_near += is_near;
}

}  // namespace

Result<double> JaccardOf(const BlobReader& shingles, uint64_t a, uint64_t b) {
  std::string of_a, of_b;
  TWINSET_TRY(shingles.ReadOne(a, &of_a));
  TWINSET_TRY(shingles.ReadOne(b, &of_b));
  if (of_a.empty() && of_b.empty()) return 1.0;
  return MakeSetVerifier(Measure::kJaccard, 0)->CompareFully(of_a, of_b).score;
}

MoveFinder::MoveFinder(const ExternalSortOptions& sort, MemoryBudget* budget)
    : ends_(MoveSort(sort, "ends", 1), budget),
      marks_(MoveSort(sort, "marks", 2), budget),
      candidates_(MoveSort(sort, "move-candidates", 2, true), budget) {}

Status MoveFinder::Add(const PageCapture& capture, uint32_t to, uint32_t came) {
  if (capture.shingles == 0) return {};
  return ends_.Add({capture.content, to, came, capture.number});
}

Status MoveFinder::Find(const BlobReader& shingles, const BlobReader& marks,
                        double near, std::vector<ChangeStep>* steps,
                        ExternalSorter<Move>* moves, uint64_t* left_out) {
  TWINSET_TRY(FindEqual(marks, near, steps, moves));
  TWINSET_TRY(Pair(near));
  return Verify(shingles, near, steps, moves, left_out);
}

// Equal contents are equal sets of shingles but for a chance of 2^-128 per
// pair.
Status MoveFinder::FindEqual(const BlobReader& marks, double near,
                             std::vector<ChangeStep>* steps,
                             ExternalSorter<Move>* moves) {
  TWINSET_TRY(ends_.Finish());
  End came;
  bool any = false;
  return ForEach<End>(&ends_, [&](const End& end) -> Status {
    const bool same = any && came.content == end.content && came.to == end.to;
    if (end.came == 0 && same) {
      CountMove(end.to, false, steps);
      return moves->Add({end.to, false, end.number, came.number, 1});
    }
    if (end.came != 0 && !same) {
      came = end;
      any = true;
    }
    return MarkFirst(marks, near, end);
  });
}

Status MoveFinder::MarkFirst(const BlobReader& marks, double near,
                             const End& end) {
  std::string blob;
  TWINSET_TRY(marks.ReadOne(end.number, &blob));
  // Two sets of a Jaccard of at least `near` share one of these.
  const Elements elements(blob);
  const auto values = elements.values();
  const auto size = static_cast<uint32_t>(values.size());
  for (const uint64_t value : values.first(PrefixLength(size, near)))
    TWINSET_TRY(marks_.Add({value, end.number, end.to, end.came, size}));
  return {};
}

// The ends of one step that share a shingle, those that came first.
class MoveFinder::Group {
 public:
  Group(double near, ExternalSorter<Candidate>* candidates)
      : near_(near), candidates_(candidates) {}

  Status Add(const Mark& mark) {
    if (mark.to != to_ || mark.value != value_) {
      to_ = mark.to;
      value_ = mark.value;
      came_.clear();
      all_came_ = all_left_ = 0;
    }
    if (mark.came != 0) {
      if (++all_came_ <= kMostCompared) came_.push_back(mark);
      return {};
    }
    const bool is_compared = ++all_left_ <= kMostCompared;
    if (all_came_ > kMostCompared || (all_came_ > 0 && !is_compared))
      TWINSET_TRY(candidates_->Add({mark.number, kMore, to_}));
    if (!is_compared) return {};
    for (const Mark& came : came_)
      if (CanReach(Measure::kJaccard, mark.shingles, came.shingles, near_))
        TWINSET_TRY(candidates_->Add({mark.number, came.number, to_}));
    return {};
  }

 private:
  double near_;
  ExternalSorter<Candidate>* candidates_;
  uint32_t to_ = 0;  // of no mark
  uint64_t value_ = 0;
  std::vector<Mark> came_;  // the first ones
  uint64_t all_came_ = 0, all_left_ = 0;
};

Status MoveFinder::Pair(double near) {
  TWINSET_TRY(marks_.Finish());
  Group group(near, &candidates_);
  return ForEach<Mark>(&marks_,
                       [&](const Mark& mark) { return group.Add(mark); });
}

Status MoveFinder::Verify(const BlobReader& shingles, double near,
                          std::vector<ChangeStep>* steps,
                          ExternalSorter<Move>* moves, uint64_t* left_out) {
  TWINSET_TRY(candidates_.Finish());
  const auto verifier = MakeSetVerifier(Measure::kJaccard, near);
  Move best;
  std::string left, came;
  const auto close = [&]() -> Status {
    if (best.jaccard < 0) return {};
    CountMove(best.to, true, steps);
    return moves->Add(best);
  };
  bool any = false;
  TWINSET_TRY(
      ForEach<Candidate>(&candidates_, [&](const Candidate& pair) -> Status {
        if (!any || pair.left != best.from_number || pair.to != best.to) {
          TWINSET_TRY(close());
          TWINSET_TRY(shingles.ReadOne(pair.left, &left));
          best = {pair.to, false, pair.left, 0, -1};
          any = true;
        }
        if (pair.came == kMore) {
          *left_out += best.jaccard < 0;
          return {};
        }
        TWINSET_TRY(shingles.ReadOne(pair.came, &came));
        const Verifier::Verdict verdict = verifier->Compare(left, came);
        if (!verdict.accepted || verdict.score <= best.jaccard) return {};
        best.to_number = pair.came;
        best.jaccard = verdict.score;
        return {};
      }));
  return close();
}

}  // namespace twinset
