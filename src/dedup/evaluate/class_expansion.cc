#include "evaluate/class_expansion.h"

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline/run/class_table.h"

namespace twinset {

namespace {

class Expansion {
 public:
  using Sink = std::function<Status(const VerifiedPair&)>;
  Expansion(Run* run, const Sink& sink) : run_(run), sink_(sink) {}

  // Counts the pairs within classes.
  Status CheckClasses() {
    uint64_t pairs = 0, leader = kNoDocument, members = 1;
    return ForEachRecord<Copy>(*run_, kCopies, [&](const Copy& copy) -> Status {
      members = copy.leader == leader ? members + 1 : 1;
      leader = copy.leader;
      pairs += members;  // with the leader and the copies before it
      return pairs > kMaxEvaluatedPairs ? TooMany() : Status();
    });
  }

  Status Across(ClassTable* classes, const VerifiedPair& pair) {
    if (pair.a != last_) TWINSET_TRY(Members(classes, pair.a, &of_a_));
    last_ = pair.a;
    TWINSET_TRY(Members(classes, pair.b, &of_b_));
    for (const uint64_t x : of_a_) {
      for (const uint64_t y : of_b_) TWINSET_TRY(Emit(x, y, pair.score));
    }
    return {};
  }

  Status Within() {
    std::vector<uint64_t> members;
    const auto flush = [&]() -> Status {
      for (size_t i = 0; i < members.size(); ++i) {
        for (size_t j = 0; j < i; ++j)
          TWINSET_TRY(Emit(members[i], members[j], 1.0));
      }
      return run_->CheckStop();
    };
    TWINSET_TRY(
        ForEachRecord<Copy>(*run_, kCopies, [&](const Copy& copy) -> Status {
          if (members.empty() || members[0] != copy.leader) {
            TWINSET_TRY(flush());
            members.assign(1, copy.leader);
          }
          members.push_back(copy.document);
          return {};
        }));
    return flush();
  }

 private:
  static constexpr uint64_t kNoDocument = ~uint64_t{0};
  static constexpr char kCopies[] = "copies.run";
  // Between looks at whether the run is to stop.
  static constexpr uint64_t kPairsUnheard = 1 << 16;

  static Status TooMany() {
    return Fail(
        ErrorCode::kUsage,
        "more than " + std::to_string(kMaxEvaluatedPairs) + " pairs are named",
        "", "evaluate on a sample of the corpus");
  }

  static Status Members(ClassTable* classes, uint64_t leader,
                        std::vector<uint64_t>* members) {
    members->assign(1, leader);
    if (classes->empty()) return {};
    return classes->ForEachCopy(leader, [&](const Copy& copy) -> Status {
      members->push_back(copy.document);
      return {};
    });
  }

  Status Emit(uint64_t x, uint64_t y, double score) {
    if (++emitted_ > kMaxEvaluatedPairs) return TooMany();
    if (emitted_ % kPairsUnheard == 0) TWINSET_TRY(run_->CheckStop());
    return sink_({std::min(x, y), std::max(x, y), score});
  }

  Run* const run_;
  const Sink& sink_;
  uint64_t emitted_ = 0;
  uint64_t last_ = kNoDocument;
  std::vector<uint64_t> of_a_, of_b_;
};

}  // namespace

Status ExpandClasses(Run* run,
                     const std::function<Result<bool>(VerifiedPair*)>& next,
                     const std::function<Status(const VerifiedPair&)>& sink) {
  Expansion expansion(run, sink);
  TWINSET_TRY(expansion.CheckClasses());
  TWINSET_ASSIGN(auto classes, ClassTable::Open(*run, &run->budget));
  VerifiedPair pair;
  for (;;) {
    TWINSET_ASSIGN(const bool more, next(&pair));
    if (!more) break;
    TWINSET_TRY(expansion.Across(&classes, pair));
  }
  return expansion.Within();
}

}  // namespace twinset
