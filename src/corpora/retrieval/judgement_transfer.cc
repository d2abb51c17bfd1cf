#include "retrieval/judgement_transfer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace twinset {

namespace {

constexpr uint32_t kNoLink = UINT32_MAX;  // the two are in one group

struct Source {
  uint32_t judgement = 0, link = kNoLink;
};

struct Target {
  uint32_t topic = 0, document = 0;
  std::vector<Source> sources;  // in the order of the judgements
};

// Targets and who reaches them.
class Reach {
 public:
  Reach(const TransferInput& input, const TransferCriterion& criterion)
      : input_(input), criterion_(criterion) {}

  Status Find(TransferCounts* counts) {
    const auto& judgements = input_.source->judgements;
    for (uint32_t i = 0; i < judgements.size(); ++i) {
      const uint64_t before = steps_;
      TWINSET_TRY(From(i, judgements[i]));
      ++(steps_ > before ? counts->sources : counts->without_link);
    }
    return {};
  }
  std::vector<Target>& targets() { return targets_; }

 private:
  Status From(uint32_t place, const RelevanceJudgement& judgement) {
    const DuplicateGraph& graph = *input_.graph;
    for (const auto& edge : graph.EdgesOf(judgement.document)) {
      const DuplicateLink& link = graph.list().links[edge.link];
      if (!input_.both_ways && link.a != judgement.document) continue;
      if (criterion_.Passes(link))
        TWINSET_TRY(Add(judgement.topic, edge.other, {place, edge.link}));
    }
    if (!criterion_.PassesGroups()) return {};
    for (const uint32_t group : graph.GroupsOf(judgement.document)) {
      for (const uint32_t other : graph.list().groups[group])
        if (other != judgement.document)
          TWINSET_TRY(Add(judgement.topic, other, {place, kNoLink}));
    }
    return {};
  }

  Status Add(uint32_t topic, uint32_t document, const Source& source) {
    if (++steps_ > kMostTransferSteps)
      return Fail(ErrorCode::kMemory,
                  "the duplicates connect too many judgements", {},
                  "transfer fewer topics at a time, or give smaller groups");
    const auto [place, is_new] = places_.emplace(
        JudgementKey(topic, document), static_cast<uint32_t>(targets_.size()));
    if (is_new) targets_.push_back({topic, document, {}});
    auto& sources = targets_[place->second].sources;
    if (sources.empty() || sources.back().judgement != source.judgement) {
      sources.push_back(source);
    } else if (IsCloser(source, sources.back())) {
      sources.back() = source;  // the pair stands twice in the list
    }
    return {};
  }

  bool IsCloser(const Source& x, const Source& y) const {
    if (x.link == kNoLink || y.link == kNoLink) return y.link == kNoLink;
    const auto& links = input_.graph->list().links;
    return links[x.link].similarity > links[y.link].similarity;
  }

  const TransferInput& input_;
  const TransferCriterion& criterion_;
  uint64_t steps_ = 0;
  std::vector<Target> targets_;
  std::unordered_map<uint64_t, uint32_t> places_;
};

// Decides one target after the other.
class Settling {
 public:
  Settling(const TransferInput& input, ConflictRule rule,
           JudgedTarget judged_target,
           const std::function<Status(const TransferStep&)>& on_step,
           TransferOutcome* outcome)
      : input_(input),
        rule_(rule),
        replaces_(judged_target == JudgedTarget::kReplace),
        on_step_(on_step),
        outcome_(outcome) {}

  Status Settle(const Target& target) {
    CountAgreement(target);
    const RelevanceJudgement* own =
        input_.judged == nullptr
            ? nullptr
            : input_.judged->Find(target.topic, target.document);
    if (own != nullptr && !replaces_) return Refuse(target, *own);
    grades_.clear();
    const size_t own_at = own == nullptr ? 0 : PlaceOfOwn(target, *own);
    for (size_t i = 0; i < target.sources.size(); ++i) {
      if (own != nullptr && i == own_at) grades_.push_back({own->grade, 1});
      grades_.push_back({JudgementOf(target.sources[i]).grade,
                         SimilarityOf(target.sources[i])});
    }
    if (own != nullptr && own_at == target.sources.size())
      grades_.push_back({own->grade, 1});
    const SettledGrade settled = SettleGrades(rule_, grades_);
    if (settled.stands < 0) return Drop(target, own);
    auto stands = static_cast<size_t>(settled.stands);
    // Among the sources; their number: the target's own judgement stands.
    if (own != nullptr && stands == own_at)
      stands = target.sources.size();
    else if (own != nullptr && stands > own_at)
      --stands;
    return Stand(target, own, stands,
                 grades_[static_cast<size_t>(settled.stands)].grade);
  }

 private:
  const RelevanceJudgement& JudgementOf(const Source& source) const {
    return input_.source->judgements[source.judgement];
  }
  double SimilarityOf(const Source& source) const {
    return source.link == kNoLink
               ? kUnsaid
               : input_.graph->list().links[source.link].similarity;
  }
  // In front of how many sources the target's own judgement came.
  size_t PlaceOfOwn(const Target& target, const RelevanceJudgement& own) const {
    if (input_.judged != input_.source) return 0;
    const auto place =
        static_cast<uint32_t>(&own - input_.source->judgements.data());
    size_t before = 0;
    for (const Source& source : target.sources)
      before += source.judgement < place;
    return before;
  }

  void CountAgreement(const Target& target) {
    if (target.sources.size() < 2) return;
    const int32_t first = JudgementOf(target.sources.front()).grade;
    const bool agree = std::all_of(
        target.sources.begin(), target.sources.end(),
        [&](const Source& s) { return JudgementOf(s).grade == first; });
    ++(agree ? outcome_->targets_agree : outcome_->targets_conflict);
  }

  Status Tell(const Target& target, const Source& source, TransferAction action,
              const int32_t* was, const int32_t* is) {
    if (!on_step_) return {};
    return on_step_({action, JudgementOf(source), target.document,
                     SimilarityOf(source), was, is});
  }

  Status Refuse(const Target& target, const RelevanceJudgement& own) {
    TransferCounts& counts = outcome_->counts;
    counts.refused_judged += target.sources.size();
    for (const Source& source : target.sources) {
      ++(JudgementOf(source).grade == own.grade ? counts.judged_agree
                                                : counts.judged_conflict);
      TWINSET_TRY(Tell(target, source, TransferAction::kRefusedJudged,
                       &own.grade, &own.grade));
    }
    return {};
  }

  Status Drop(const Target& target, const RelevanceJudgement* own) {
    outcome_->counts.refused_conflict += target.sources.size();
    if (own != nullptr) {
      ++outcome_->counts.removed;
      outcome_->removed.push_back(*own);
    }
    for (const Source& source : target.sources)
      TWINSET_TRY(Tell(target, source,
                       own == nullptr ? TransferAction::kRefusedConflict
                                      : TransferAction::kRemoved,
                       own == nullptr ? nullptr : &own->grade, nullptr));
    return {};
  }

  Status Stand(const Target& target, const RelevanceJudgement* own,
               size_t stands, int32_t grade) {
    TransferCounts& counts = outcome_->counts;
    const RelevanceJudgement judgement{target.topic, target.document, grade};
    if (own == nullptr) {
      outcome_->transferred.push_back(judgement);
    } else if (own->grade != grade) {
      ++counts.replaced;
      outcome_->replaced.push_back(judgement);
    }
    for (size_t i = 0; i < target.sources.size(); ++i) {
      TransferAction action = TransferAction::kMerged;
      if (i == stands && own == nullptr) action = TransferAction::kTransferred;
      if (i == stands && own != nullptr && own->grade != grade)
        action = TransferAction::kReplaced;
      counts.merged += action == TransferAction::kMerged;
      TWINSET_TRY(Tell(target, target.sources[i], action,
                       own == nullptr ? nullptr : &own->grade, &grade));
    }
    return {};
  }

  const TransferInput& input_;
  const ConflictRule rule_;
  const bool replaces_;
  const std::function<Status(const TransferStep&)>& on_step_;
  TransferOutcome* const outcome_;
  std::vector<MeetingGrade> grades_;
};

uint64_t CountLinks(const DuplicateList& list,
                    const TransferCriterion& criterion) {
  uint64_t count = 0;
  for (const DuplicateLink& link : list.links) count += criterion.Passes(link);
  if (criterion.PassesGroups())
    for (const auto& group : list.groups)
      count += uint64_t{group.size()} * (group.size() - 1) / 2;
  return count;
}

}  // namespace

bool TransferCriterion::Passes(const DuplicateLink& link) const {
  switch (under) {
    case TransferUnder::kSimilarity:
      return !(link.similarity < least);  // one that is not said passes
    case TransferUnder::kGrade:
      return link.grade >= least;
    case TransferUnder::kLabel:
      return link.label >= least;
  }
  return false;
}

SettledGrade SettleGrades(ConflictRule rule,
                          std::span<const MeetingGrade> grades) {
  std::map<int32_t, uint64_t> votes;
  for (const MeetingGrade& one : grades) ++votes[one.grade];
  SettledGrade settled{0, votes.size() > 1};
  if (rule == ConflictRule::kFirst) return settled;
  if (rule == ConflictRule::kDrop && settled.is_conflict) return {-1, true};
  int32_t grade = votes.rbegin()->first;
  if (rule == ConflictRule::kMajority) {
    for (const auto& [candidate, count] : votes)
      if (count >= votes[grade] &&
          !(count == votes[grade] && candidate < grade))
        grade = candidate;
  }
  settled.stands = -1;
  for (size_t i = 0; i < grades.size(); ++i) {
    if (grades[i].grade != grade) continue;
    if (settled.stands < 0 ||
        grades[i].similarity >
            grades[static_cast<size_t>(settled.stands)].similarity)
      settled.stands = static_cast<int>(i);
  }
  return settled;
}

Result<TransferOutcome> TransferJudgements(
    const TransferInput& input, const TransferCriterion& criterion,
    ConflictRule rule, JudgedTarget judged_target,
    const std::function<Status(const TransferStep&)>& on_step) {
  TransferOutcome outcome;
  outcome.counts.under = criterion.under;
  outcome.counts.least = criterion.least;
  outcome.counts.links = CountLinks(input.graph->list(), criterion);
  Reach reach(input, criterion);
  TWINSET_TRY(reach.Find(&outcome.counts));
  Settling settling(input, rule, judged_target, on_step, &outcome);
  for (const Target& target : reach.targets())
    TWINSET_TRY(settling.Settle(target));
  outcome.counts.transferred = CountGrades(outcome.transferred);
  return outcome;
}

}  // namespace twinset
