#include "pipeline/pairs/many_pairs.h"

#include <algorithm>

#include "base/parallel.h"

namespace twinset {
namespace {

// From so many pairs per document on encoding its set takes less than it saves.
constexpr uint64_t kManyPairs = 8;
constexpr size_t kLeastSets = 64, kSample = 256;
// Memory of a set beside its words.
constexpr uint64_t kSetBytes = 128;

std::span<const uint64_t> SetOf(const BlobBatch& batch, uint64_t document) {
  const std::string_view blob = batch.Get(document);
  return {reinterpret_cast<const uint64_t*>(blob.data()),
          blob.size() / sizeof(uint64_t)};
}

}  // namespace

bool ManyPairs::Prepare(std::span<const CandidatePair> pairs,
                        const BlobBatch& batch) {
  constexpr double kEnough = .5;
  if (!verifier_.GoesByCommon()) return false;
  if (batch.size() < batch_sets_) pairs_ = 0;
  batch_sets_ = batch.size();
  pairs_ += pairs.size();
  if (batch_sets_ < kLeastSets || pairs_ < kManyPairs * batch_sets_)
    return false;
  if (memory_.bytes() == 0) memory_ = budget_->ReserveUpTo(memory_bytes_, 0);
  double in_core = 0;
  FindSets(pairs);
  if (!core_.empty() && Encode(batch, &in_core) && in_core >= kEnough)
    return true;
  // The first ones, other ones than before, or more than there is room for.
  Forget();
  FindSets(pairs);
  if (ChooseCore(batch) && Encode(batch, &in_core)) return true;
  Forget();
  pairs_ = 0;  // not to try it soon again
  return false;
}

void ManyPairs::FindSets(std::span<const CandidatePair> pairs) {
  const auto number_of = [this](uint64_t document) {
    const auto [at, is_new] =
        numbers_.try_emplace(document, static_cast<uint32_t>(sets_.size()));
    if (is_new) sets_.push_back({document, 0, {}});
    return at->second;
  };
  pairs_of_batch_.clear();
  for (const CandidatePair& pair : pairs) {
    const bool same = !pairs_of_batch_.empty() &&
                      sets_[pairs_of_batch_.back().first].document == pair.a;
    const uint32_t a = same ? pairs_of_batch_.back().first : number_of(pair.a);
    pairs_of_batch_.emplace_back(a, number_of(pair.b));
  }
}

// While no set is encoded.
bool ManyPairs::ChooseCore(const BlobBatch& batch) {
  std::vector<std::span<const uint64_t>> sample;
  const size_t step = sets_.size() / kSample + 1;
  for (size_t i = 0; i < sets_.size(); i += step)
    sample.push_back(SetOf(batch, sets_[i].document));
  core_ = SetCore::Of(sample);
  return !core_.empty();
}

// Those of the batch that are not yet; false when memory does not hold them.
// `in_core`: the share of their elements that the core has.
bool ManyPairs::Encode(const BlobBatch& batch, double* in_core) {
  constexpr size_t kTogether = 256;
  uint64_t elements = 0, rest = 0;
  while (encoded_ < sets_.size()) {
    const size_t end = std::min(sets_.size(), encoded_ + kTogether);
    ParallelFor(end - encoded_, 8, threads_, [&](size_t first, size_t last) {
      for (size_t i = encoded_ + first; i < encoded_ + last; ++i) {
        const auto set = SetOf(batch, sets_[i].document);
        sets_[i].size = set.size();
        sets_[i].encoded = core_.Encode(set);
      }
    });
    for (; encoded_ < end; ++encoded_) {
      const CoredSet& set = sets_[encoded_];
      elements += set.size;
      rest += set.encoded.size() - core_.words();
      encoded_bytes_ += kSetBytes + set.encoded.size() * sizeof(uint64_t);
    }
    if (encoded_bytes_ > memory_.bytes()) return false;
  }
  *in_core = elements == 0 ? 1
                           : 1 - static_cast<double>(rest) /
                                     static_cast<double>(elements);
  return true;
}

void ManyPairs::Forget() {
  core_ = SetCore();
  numbers_.clear();
  std::vector<CoredSet>().swap(sets_);
  encoded_ = 0;
  encoded_bytes_ = 0;
}

Verifier::Verdict ManyPairs::Compare(size_t i, bool fully) const {
  const CoredSet& a = sets_[pairs_of_batch_[i].first];
  const CoredSet& b = sets_[pairs_of_batch_[i].second];
  const uint64_t least = fully ? 0 : verifier_.LeastCommon(a.size, b.size);
  return verifier_.VerdictOf(
      {a.size, b.size, core_.Common(a.encoded, b.encoded, least)});
}

}  // namespace twinset
