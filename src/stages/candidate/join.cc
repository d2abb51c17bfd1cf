#include "candidate/join.h"

#include <algorithm>
#include <utility>

namespace twinset {

namespace {

uint64_t PairsOf(uint64_t members) {
  const auto pairs =
      static_cast<unsigned __int128>(members) * (members - 1) / 2;
  return pairs > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(pairs);
}

uint64_t SaturatingAdd(uint64_t a, uint64_t b) {
  return a + b < a ? UINT64_MAX : a + b;
}

}  // namespace

Status ProbeBucket(const Posting& query, std::span<const Posting> bucket,
                   const JoinRules& rules, const PairSink& sink) {
  for (const Posting& other : bucket) {
    if (other.document() == query.document()) continue;
    if (rules.may_pair && !rules.may_pair(query, other)) continue;
    TWINSET_TRY(sink(CandidatePair::Of(query.document(), other.document())));
  }
  return {};
}

Status BucketJoin::Add(const Posting& posting) {
  if (posting.key != key_ || (bucket_.empty() && !is_hot_)) {
    TWINSET_TRY(Close());
    key_ = posting.key;
  }
  if (is_hot_) return AddToHot(posting);
  bucket_.push_back(posting);
  if (rules_.bucket_limit == 0 || bucket_.size() <= rules_.bucket_limit)
    return {};
  is_hot_ = true;
  for (const Posting& member : std::exchange(bucket_, {}))
    TWINSET_TRY(AddToHot(member));
  return {};
}

Status BucketJoin::AddToHot(const Posting& posting) {
  if (rules_.hot) return rules_.hot(posting);
  ++hot_members_;
  bool is_member = false;
  for (const Posting& leader : leaders_) {
    if (rules_.may_pair && !rules_.may_pair(posting, leader)) continue;
    ++hot_.pairs_compared;
    has_compared_ = true;
    TWINSET_ASSIGN(const bool similar,
                   rules_.similar(leader.document(), posting.document()));
    if (!similar) continue;
    is_member = true;
    TWINSET_TRY(
        sink_(CandidatePair::Of(posting.document(), leader.document())));
  }
  if (!is_member && leaders_.size() < rules_.max_leaders)
    leaders_.push_back(posting);
  return {};
}

Status BucketJoin::Close() {
  if (is_hot_) {
    ++buckets_;
    // Where no pair may be, none is missed.
    if (has_compared_) {
      ++hot_.count;
      hot_.members += hot_members_;
      hot_.pairs_possible =
          SaturatingAdd(hot_.pairs_possible, PairsOf(hot_members_));
    }
  } else if (bucket_.size() > 1) {
    ++buckets_;
    const std::span<const Posting> bucket(bucket_);
    for (size_t i = 1; i < bucket.size(); ++i) {
      TWINSET_TRY(ProbeBucket(bucket[i], bucket.first(i), rules_, sink_));
    }
  }
  bucket_.clear();
  leaders_.clear();
  hot_members_ = 0;
  is_hot_ = has_compared_ = false;
  return {};
}

Status BucketJoin::Finish() { return Close(); }

StoredPostings::StoredPostings(std::vector<Posting> postings)
    : postings_(std::move(postings)) {
  std::sort(postings_.begin(), postings_.end());
}

std::span<const Posting> StoredPostings::Bucket(uint64_t key) const {
  const auto by_key = [](const Posting& p, uint64_t k) { return p.key < k; };
  const auto begin =
      std::lower_bound(postings_.begin(), postings_.end(), key, by_key);
  auto end = begin;
  while (end != postings_.end() && end->key == key) ++end;
  return {begin, end};
}

}  // namespace twinset
