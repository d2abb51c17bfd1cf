#include "study/change/moves.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/for_each.h"
#include "verify/elements.h"
#include "verify/verifier.h"

namespace twinset::inline v1 {
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

// Of `size` ascending shingles, so many of the first that two sets of a Jaccard
// of at least `near` share one of them: they share near * size at least, so no
// more than the rest can lie in front of the first that both have (the prefix
// filter of Chaudhuri, Ganti and Kaushik, ICDE 2006).
size_t FirstShingles(size_t size, double near) {
  const auto shared =
      static_cast<size_t>(near * static_cast<double>(size) - 1e-9);
  return size - std::min(std::max<size_t>(shared, 1), size) + 1;
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

Status MoveFinder::Find(const BlobReader& shingles, double near,
                        std::vector<ChangeStep>* steps,
                        ExternalSorter<Move>* moves, uint64_t* left_out) {
  TWINSET_TRY(FindEqual(shingles, near, steps, moves));
  TWINSET_TRY(Pair(near, left_out));
  return Verify(shingles, near, steps, moves);
}

// Equal contents are equal sets of shingles but for a chance of 2^-128 a pair.
Status MoveFinder::FindEqual(const BlobReader& shingles, double near,
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
    return MarkFirst(shingles, near, end);
  });
}

Status MoveFinder::MarkFirst(const BlobReader& shingles, double near,
                             const End& end) {
  std::string blob;
  TWINSET_TRY(shingles.ReadOne(end.number, &blob));
  const Elements elements(blob);
  const auto values = elements.values();
  const auto size = static_cast<uint32_t>(values.size());
  for (const uint64_t value : values.first(FirstShingles(size, near)))
    TWINSET_TRY(marks_.Add({value, end.number, end.to, end.came, size}));
  return {};
}

// The ends of one step that share a shingle.
class MoveFinder::Group {
 public:
  bool Holds(const Mark& mark) const {
    return total_[0] + total_[1] > 0 && mark.to == to_ && mark.value == value_;
  }
  void Begin(const Mark& mark) {
    to_ = mark.to;
    value_ = mark.value;
    ends_[0].clear();
    ends_[1].clear();
    total_[0] = total_[1] = 0;
  }
  void Add(const Mark& mark) {
    ++total_[mark.came];
    if (ends_[mark.came].size() < kMostCompared)
      ends_[mark.came].push_back(mark);
  }
  Status Pair(double near, ExternalSorter<Candidate>* candidates,
              uint64_t* left_out) const {
    *left_out += total_[0] * total_[1] - ends_[0].size() * ends_[1].size();
    for (const Mark& left : ends_[0])
      for (const Mark& came : ends_[1])
        if (CanReach(Measure::kJaccard, left.shingles, came.shingles, near))
          TWINSET_TRY(candidates->Add({left.number, came.number, to_}));
    return {};
  }

 private:
  uint32_t to_ = 0;
  uint64_t value_ = 0;
  std::vector<Mark> ends_[2];  // by whether they came: the first ones
  uint64_t total_[2] = {};
};

Status MoveFinder::Pair(double near, uint64_t* left_out) {
  TWINSET_TRY(marks_.Finish());
  Group group;
  TWINSET_TRY(ForEach<Mark>(&marks_, [&](const Mark& mark) -> Status {
    if (!group.Holds(mark)) {
      TWINSET_TRY(group.Pair(near, &candidates_, left_out));
      group.Begin(mark);
    }
    group.Add(mark);
    return {};
  }));
  return group.Pair(near, &candidates_, left_out);
}

Status MoveFinder::Verify(const BlobReader& shingles, double near,
                          std::vector<ChangeStep>* steps,
                          ExternalSorter<Move>* moves) {
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
        if (!any || pair.left != best.from_number) {
          TWINSET_TRY(close());
          TWINSET_TRY(shingles.ReadOne(pair.left, &left));
          best = {pair.to, false, pair.left, 0, -1};
          any = true;
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

}  // namespace twinset::inline v1
