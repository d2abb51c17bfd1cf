#include "sketch/simhash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string>
#include <utility>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset {

// The IDF of every feature, looked up by its leading bits first: hashes are
// spread evenly, so that few are left to search.
class SimHash::Weights {
 public:
  explicit Weights(std::shared_ptr<const FrequencyTable> table)
      : table_(std::move(table)),
        // What the table does not hold has frequency 1.
        of_others_(table_->documents() > 1 ? Log2Fixed(table_->documents())
                                           : 0),
        starts_((size_t{1} << kLeadingBits) + 1, 0) {
    for (const uint64_t feature : table_->features()) {
      idf_.push_back(table_->Idf(feature));
      ++starts_[(feature >> kShift) + 1];
    }
    for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  }

  // One look-up for a run of equal ones.
  void LookUp(std::span<const uint64_t> features, uint32_t* weights) const {
    for (size_t i = 0; i < features.size(); ++i) {
      const bool repeated = i > 0 && features[i] == features[i - 1];
      weights[i] = repeated ? weights[i - 1] : Of(features[i]);
    }
  }

 private:
  static constexpr int kLeadingBits = 16, kShift = 64 - kLeadingBits;

  uint32_t Of(uint64_t feature) const {
    const auto features = table_->features().begin();
    const auto end = features + starts_[(feature >> kShift) + 1];
    const auto at =
        std::lower_bound(features + starts_[feature >> kShift], end, feature);
    if (at == end || *at != feature) return of_others_;
    return idf_[static_cast<size_t>(at - features)];
  }

  std::shared_ptr<const FrequencyTable> table_;
  uint32_t of_others_;
  std::vector<uint32_t> starts_;  // by leading bits
  std::vector<uint32_t> idf_;     // in the order of the table's features
};

namespace {

// Features are taken in blocks of this size wherever something is derived from
// them, so that it stays on the stack and in the cache.
constexpr size_t kBlock = 512;

// Number `number` (not 0) of the sequence that SplitMix64 begins at `feature`.
uint64_t Derived(uint64_t feature, size_t number) {
  return Mix64(feature + number * 0x9e3779b97f4a7c15ull);
}

class SimHashSketcher : public Sketcher {
 public:
  // `weighted`: features come with their weights.
  explicit SimHashSketcher(SimHash simhash, bool weighted = false)
      : simhash_(std::move(simhash)), weighted_(weighted) {}
  std::string name() const override { return "simhash"; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    *sketch = simhash_.Fingerprint(VotesOf(features));
  }
  SketchLayout layout() const override {
    return {.comparison = SketchLayout::kByBit,
            .value_bits = simhash_.bits(),
            .values = 1};
  }
  // Each bit is equal with the probability of the estimate (Charikar 2002).
  std::optional<double> StandardError(SketchView a,
                                      SketchView b) const override {
    const SketchAgreement agreement = CompareSketches(layout(), a, b);
    if (agreement.compared == 0) return std::nullopt;
    return ShareStandardError(agreement.share(), agreement.compared);
  }

 protected:
  std::vector<int64_t> VotesOf(std::string_view features) const {
    return weighted_ ? simhash_.WeightedVotes(AsHashes(features))
                     : simhash_.Votes(AsHashes(features));
  }
  const SimHash simhash_;

 private:
  const bool weighted_;
};

class VoteSketcher : public SimHashSketcher {
 public:
  using SimHashSketcher::SimHashSketcher;
  std::string name() const override { return "simhash-votes"; }
  void Compute(std::string_view features, Sketch* sketch) const override {
    const std::vector<int64_t> votes = VotesOf(features);
    *sketch = simhash_.Fingerprint(votes);
    uint64_t largest = 0;
    for (const int64_t vote : votes) {
      largest = std::max(largest, Magnitude(vote));
    }
    const int shift =
        std::max(0, static_cast<int>(std::bit_width(largest)) - 32);
    for (const int64_t vote : votes) {
      sketch->push_back(static_cast<uint32_t>(Magnitude(vote) >> shift));
    }
  }

 private:
  static uint64_t Magnitude(int64_t vote) {
    return static_cast<uint64_t>(vote < 0 ? -vote : vote);
  }
};

Status CheckBits(int bits) {
  if (bits >= 1 && bits <= kMaxFingerprintBits) return {};
  return Fail(ErrorCode::kUsage,
              "--bits is " + std::to_string(bits) + " but must be from 1 to " +
                  std::to_string(kMaxFingerprintBits),
              "", "32, 64 and 128 are the usual sizes");
}

}  // namespace

SimHash::SimHash(int bits, std::shared_ptr<const FrequencyTable> idf)
    : bits_(bits) {
  if (idf) weights_ = std::make_shared<const Weights>(std::move(idf));
}

namespace {

// Fills in the weights of the block of features that begins at `begin`.
using WeighBlock = std::function<void(
    size_t begin, std::span<const uint64_t> block, uint32_t* weights)>;

// Without `weigh` each feature weighs 1.
std::vector<int64_t> SumVotes(int bits, std::span<const uint64_t> features,
                              const WeighBlock& weigh) {
  const size_t numbers = (static_cast<size_t>(bits) + 63) / 64;
  std::vector<uint64_t> sums(64 * numbers, 0);
  uint64_t total = weigh ? 0 : features.size();
  std::array<uint32_t, kBlock> weights;
  std::array<uint64_t, kBlock> derived;
  // 64 bits without weights need no derived numbers: one block.
  const size_t step =
      weigh || numbers > 1 ? kBlock : std::max<size_t>(features.size(), 1);
  for (size_t begin = 0; begin < features.size(); begin += step) {
    const auto block =
        features.subspan(begin, std::min(step, features.size() - begin));
    if (weigh) {
      weigh(begin, block, weights.data());
      for (size_t i = 0; i < block.size(); ++i) total += weights[i];
    }
    for (size_t number = 0; number < numbers; ++number) {
      std::span<const uint64_t> values = block;
      if (number > 0) {
        for (size_t i = 0; i < block.size(); ++i) {
          derived[i] = Derived(block[i], number);
        }
        values = {derived.data(), block.size()};
      }
      uint64_t* const to = sums.data() + 64 * number;
      if (weigh) {
        kernels::BitSums(values, {weights.data(), block.size()}, to);
      } else {
        kernels::BitCounts(values, to);
      }
    }
  }
  std::vector<int64_t> votes(static_cast<size_t>(bits));
  for (int place = 0; place < bits; ++place) {
    // The bit of the value, counted from its highest.
    const uint64_t sum =
        sums[static_cast<size_t>(place / 64 * 64 + 63 - place % 64)];
    votes[FingerprintBit(bits, place)] =
        2 * static_cast<int64_t>(sum) - static_cast<int64_t>(total);
  }
  return votes;
}

}  // namespace

std::vector<int64_t> SimHash::Votes(std::span<const uint64_t> features) const {
  if (!weights_) return SumVotes(bits_, features, nullptr);
  return SumVotes(
      bits_, features,
      [this](size_t, std::span<const uint64_t> block, uint32_t* weights) {
        weights_->LookUp(block, weights);
      });
}

std::vector<int64_t> SimHash::WeightedVotes(
    std::span<const uint64_t> pairs) const {
  std::vector<uint64_t> features;
  features.reserve(pairs.size() / 2);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) features.push_back(pairs[i]);
  return SumVotes(bits_, features,
                  [pairs](size_t begin, std::span<const uint64_t> block,
                          uint32_t* weights) {
                    for (size_t i = 0; i < block.size(); ++i) {
                      weights[i] =
                          static_cast<uint32_t>(pairs[2 * (begin + i) + 1]);
                    }
                  });
}

Sketch SimHash::Fingerprint(std::span<const int64_t> votes) const {
  Sketch sketch(FingerprintWords(bits_), 0);
  for (size_t bit = 0; bit < votes.size(); ++bit) {
    if (votes[bit] > 0) sketch[bit / 32] |= uint32_t{1} << (bit % 32);
  }
  return sketch;
}

Result<std::unique_ptr<Sketcher>> MakeSimHashSketcher(
    int bits, std::shared_ptr<const FrequencyTable> idf) {
  TWINSET_TRY(CheckBits(bits));
  return std::make_unique<SimHashSketcher>(SimHash(bits, std::move(idf)));
}

Result<std::unique_ptr<Sketcher>> MakeVoteSketcher(
    int bits, std::shared_ptr<const FrequencyTable> idf) {
  TWINSET_TRY(CheckBits(bits));
  return std::make_unique<VoteSketcher>(SimHash(bits, std::move(idf)));
}

Result<std::unique_ptr<Sketcher>> MakeWeightedSimHashSketcher(int bits,
                                                              bool votes) {
  TWINSET_TRY(CheckBits(bits));
  if (votes) return std::make_unique<VoteSketcher>(SimHash(bits), true);
  return std::make_unique<SimHashSketcher>(SimHash(bits), true);
}

}  // namespace twinset
