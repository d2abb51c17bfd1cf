#include "store/counts/frequency_counter.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace twinset {
namespace {

struct Counted {
  uint64_t feature = 0;
  uint32_t frequency = 0;
};

// Is x worth more in the table than y?
bool Outranks(const Counted& x, const Counted& y) {
  return x.frequency > y.frequency;
}

// The most frequent of what is added, at most `limit`: all of one frequency or
// none, so that hashes decide nothing. A heap whose first is the worst.
class Best {
 public:
  explicit Best(size_t limit) : limit_(limit) { heap_.reserve(limit); }

  void Add(const Counted& counted) {
    if (heap_.size() == limit_) {
      if (limit_ == 0 || !Outranks(counted, heap_.front())) {
        most_left_out_ = std::max(most_left_out_, counted.frequency);
        return;
      }
      most_left_out_ = std::max(most_left_out_, heap_.front().frequency);
      std::pop_heap(heap_.begin(), heap_.end(), Outranks);
      heap_.pop_back();
    }
    heap_.push_back(counted);
    std::push_heap(heap_.begin(), heap_.end(), Outranks);
  }
  std::vector<Counted> Take() {
    std::erase_if(heap_, [this](const Counted& counted) {
      return counted.frequency <= most_left_out_;
    });
    return std::move(heap_);
  }

 private:
  size_t limit_;
  uint32_t most_left_out_ = 0;
  std::vector<Counted> heap_;
};

}  // namespace

FrequencyCounter::FrequencyCounter(const ExternalSortOptions& options,
                                   MemoryBudget* budget)
    : occurrences_(options, budget), budget_(budget) {}

Status FrequencyCounter::Add(std::span<const uint64_t> features) {
  ++documents_;
  for (size_t i = 0; i < features.size(); ++i) {
    if (i == 0 || features[i] != features[i - 1])
      TWINSET_TRY(occurrences_.Add(features[i]));
  }
  return {};
}

Result<FrequencyTable> FrequencyCounter::Finish() {
  TWINSET_TRY(occurrences_.Finish());
  // A feature that is held occurs twice at least.
  const uint64_t limit =
      std::min(FrequencyTable::kMaxFeatures, occurrences_.added() / 2);
  const uint64_t bytes = limit * (sizeof(Counted) + 8 + 4);
  const Reservation room = budget_->ReserveUpTo(bytes, bytes);
  Best best(limit);
  Counted group;
  for (;;) {
    uint64_t feature = 0;
    TWINSET_ASSIGN(const bool more, occurrences_.Next(&feature));
    if (!more || feature != group.feature) {
      if (group.frequency >= 2) best.Add(group);
      group = {feature, 0};
    }
    if (!more) break;
    if (group.frequency < std::numeric_limits<uint32_t>::max())
      ++group.frequency;
  }
  std::vector<Counted> held = best.Take();
  std::sort(held.begin(), held.end(), [](const Counted& x, const Counted& y) {
    return x.feature < y.feature;
  });
  std::vector<uint64_t> features;
  std::vector<uint32_t> frequencies;
  features.reserve(held.size());
  frequencies.reserve(held.size());
  for (const Counted& counted : held) {
    features.push_back(counted.feature);
    frequencies.push_back(counted.frequency);
  }
  return FrequencyTable(documents_, std::move(features),
                        std::move(frequencies));
}

}  // namespace twinset
