#include "verify/verifier.h"

#include <cstring>
#include <span>
#include <vector>

#include "kernels/kernels.h"

namespace twinset {
namespace {

// A blob as its elements; owns a copy only when the bytes are not aligned.
class Elements {
 public:
  explicit Elements(std::string_view blob) {
    const size_t count = blob.size() / sizeof(uint64_t);
    if (reinterpret_cast<uintptr_t>(blob.data()) % alignof(uint64_t) == 0) {
      values_ = {reinterpret_cast<const uint64_t*>(blob.data()), count};
      return;
    }
    copy_.resize(count);
    std::memcpy(copy_.data(), blob.data(), count * sizeof(uint64_t));
    values_ = copy_;
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  std::span<const uint64_t> values() const { return values_; }

 private:
  std::vector<uint64_t> copy_;
  std::span<const uint64_t> values_;
};

class SetVerifier : public Verifier {
 public:
  SetVerifier(Measure measure, double threshold)
      : measure_(measure), threshold_(threshold) {}

  Verdict Compare(std::string_view a, std::string_view b) const override {
    const Elements left(a), right(b);
    Verdict verdict;
    verdict.overlap.a = left.values().size();
    verdict.overlap.b = right.values().size();
    if (verdict.overlap.a == 0 || verdict.overlap.b == 0) return verdict;
    verdict.overlap.common =
        kernels::IntersectionSize(left.values(), right.values());
    verdict.score = Score(measure_, verdict.overlap);
    verdict.accepted = verdict.score >= threshold_;
    return verdict;
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return twinset::CanReach(measure_, size_a, size_b, threshold_);
  }

 private:
  const Measure measure_;
  const double threshold_;
};

class BytesVerifier : public Verifier {
 public:
  Verdict Compare(std::string_view a, std::string_view b) const override {
    Verdict verdict;
    verdict.accepted = a == b;
    verdict.score = verdict.accepted ? 1.0 : 0.0;
    verdict.overlap =
        Overlap{a.size(), b.size(), verdict.accepted ? a.size() : 0};
    return verdict;
  }
  bool CanReach(uint64_t size_a, uint64_t size_b) const override {
    return size_a == size_b;
  }
};

}  // namespace

Verifier::~Verifier() = default;

std::unique_ptr<Verifier> MakeSetVerifier(Measure measure, double threshold) {
  return std::make_unique<SetVerifier>(measure, threshold);
}

std::unique_ptr<Verifier> MakeBytesVerifier() {
  return std::make_unique<BytesVerifier>();
}

}  // namespace twinset
