#include "pipeline/pairs/identical_pairs.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "base/sort_records.h"
#include "pipeline/read/kept_documents.h"

namespace twinset {

namespace {

// A document among those with its fingerprint.
struct Equal {
  Hash128Value fingerprint;  // with the --within value
  ScopeValues scope;
  uint64_t rank = 0, document = 0;
  std::array<uint64_t, 2> SortWords() const {
    return {fingerprint.low, fingerprint.high};
  }
  friend bool operator<(const Equal& x, const Equal& y) {
    return std::tie(x.fingerprint, x.scope.seconds, x.rank) <
           std::tie(y.fingerprint, y.scope.seconds, y.rank);
  }
};

class Finder {
 public:
  Finder(Run* run, HotBuckets* hot)
      : run_(run),
        plan_(run->plan),
        kept_(*run),
        limit_(plan_.options.method.bucket_limit),
        hot_(hot),
        pairs_(SortOptions("identical", 4), &run->budget) {}

  Status Do() {
    if (!plan_.has_classes() && !run_->parts.complete) TWINSET_TRY(Find());
    return WriteRun(*run_, "identical.run", &pairs_);
  }

 private:
  ExternalSortOptions SortOptions(const char* name, uint64_t parts) const {
    ExternalSortOptions options = run_->SortOptions(name, parts);
    options.unique = true;
    return options;
  }

  Status Find() {
    TWINSET_TRY(SortDocuments());
    const auto open = [&] { return OpenRun<Equal>(*run_, "equal.run"); };
    TWINSET_ASSIGN(auto reader, open());
    TWINSET_ASSIGN(behind_, open());
    Equal equal;
    for (uint64_t place = 0;; ++place) {
      TWINSET_ASSIGN(const bool more, reader.Next(&equal));
      if (!more) return Close();
      if (!group_.empty() && group_[0].fingerprint != equal.fingerprint)
        TWINSET_TRY(Close());
      TWINSET_TRY(Add(equal, place));
      if (place % 65536 == 0) TWINSET_TRY(run_->CheckStop());
    }
  }

  // equal.run: documents that may have a partner, by fingerprint.
  Status SortDocuments() {
    ExternalSorter<Equal> sorter(run_->SortOptions("equal-documents", 4),
                                 &run_->budget);
    TWINSET_ASSIGN(auto ranks, OpenRun<uint64_t>(*run_, "ranks.run"));
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) -> Status {
          uint64_t rank = 0;
          TWINSET_TRY(ranks.Next(&rank));
          const bool undated =
              plan_.scope.window_seconds != 0 && info.seconds == kNoDate;
          if (info.empty || undated) return {};
          Hash128Value fingerprint = info.fingerprint;
          MixScope(info.within, &fingerprint);
          return sorter.Add({fingerprint,
                             {info.within, info.across, info.seconds},
                             rank,
                             document});
        }));
    return WriteRun(*run_, "equal.run", &sorter);
  }

  Status Add(const Equal& equal, uint64_t place) {
    if (members_ == 0) begin_ = place;
    ++members_;
    if (limit_ == 0 || members_ <= limit_) {
      group_.push_back(equal);
      return {};
    }
    if (members_ == limit_ + 1) {
      for (uint64_t i = 0; i < limit_; ++i)
        TWINSET_TRY(Chain(group_[i], begin_ + i));
      group_.resize(1);  // its fingerprint is the group's
    }
    return Chain(equal, place);
  }

  Status Close() {
    if (limit_ != 0 && members_ > limit_) {
      ++hot_->count;
      hot_->members += members_;
      hot_->pairs_possible += members_ / 2 * (members_ - 1);
      hot_->pairs_compared += emitted_;
    } else {
      for (size_t j = 1; j < group_.size(); ++j) {
        for (size_t i = 0; i < j; ++i) TWINSET_TRY(Pair(group_[i], group_[j]));
      }
    }
    group_.clear();
    members_ = emitted_ = 0;
    last_.reset();
    other_.reset();
    return {};
  }

  // Members of a large group in order. A stretch of members that cannot pair
  // with each other because they are alike in --across ends with the first that
  // is not: the nearest partner behind each of them. The nearest before it is
  // the last of the stretch before.
  Status Chain(const Equal& equal, uint64_t place) {
    if (last_ && Differ(*last_, equal)) {
      TWINSET_TRY(behind_->Seek(stretch_));
      Equal member;
      for (uint64_t at = stretch_; at < place; ++at) {
        TWINSET_TRY(behind_->Next(&member));
        TWINSET_TRY(Pair(member, equal));
      }
      other_ = last_;
      stretch_ = place;
    } else if (!last_) {
      stretch_ = place;
    } else if (other_) {
      TWINSET_TRY(Pair(*other_, equal));
    }
    last_ = equal;
    return {};
  }

  bool Differ(const Equal& x, const Equal& y) const {
    return plan_.scope.across.kind == ScopeField::kNone ||
           x.scope.across != y.scope.across;
  }

  Status Pair(const Equal& x, const Equal& y) {
    const CandidatePair pair = CandidatePair::Of(x.document, y.document);
    if (!ScopesAllow(plan_, x.scope, y.scope) || kept_.AreDecided(pair))
      return {};
    ++emitted_;
    return pairs_.Add(pair);
  }

  Run* run_;
  const Plan& plan_;
  const KeptDocuments kept_;
  const uint64_t limit_;
  HotBuckets* hot_;
  ExternalSorter<CandidatePair> pairs_;
  std::vector<Equal> group_;  // of one fingerprint; of a large one the first
  uint64_t members_ = 0, emitted_ = 0;
  uint64_t begin_ = 0, stretch_ = 0;  // places in equal.run
  std::optional<Equal> last_, other_;
  std::optional<RunReader<Equal>> behind_;
};

}  // namespace

bool ScopesAllow(const Plan& plan, const ScopeValues& x, const ScopeValues& y) {
  if (x.within != y.within) return false;
  if (plan.scope.across.kind != ScopeField::kNone && x.across == y.across)
    return false;
  if (plan.scope.window_seconds == 0) return true;
  if (x.seconds == kNoDate || y.seconds == kNoDate) return false;
  return std::max(x.seconds, y.seconds) - std::min(x.seconds, y.seconds) <=
         plan.scope.window_seconds;
}

Status FindIdenticalPairs(Run* run, HotBuckets* hot) {
  return Finder(run, hot).Do();
}

Result<IdenticalPairs> IdenticalPairs::Open(const Run& run) {
  TWINSET_ASSIGN(auto reader, OpenRun<CandidatePair>(run, "identical.run"));
  IdenticalPairs pairs(std::move(reader));
  TWINSET_TRY(pairs.Advance());
  return pairs;
}

Status IdenticalPairs::Advance() {
  CandidatePair pair;
  TWINSET_ASSIGN(const bool more, pairs_.Next(&pair));
  next_ = more ? std::optional(pair) : std::nullopt;
  return {};
}

Result<bool> IdenticalPairs::Contains(const CandidatePair& pair,
                                      const Sink& passed) {
  while (next_ && *next_ < pair) {
    TWINSET_TRY(passed(*next_));
    TWINSET_TRY(Advance());
  }
  if (!next_ || *next_ != pair) return false;
  TWINSET_TRY(Advance());
  return true;
}

Status IdenticalPairs::Finish(const Sink& passed) {
  while (next_) {
    TWINSET_TRY(passed(*next_));
    TWINSET_TRY(Advance());
  }
  return {};
}

}  // namespace twinset
