#include "candidate/hamming_join.h"

#include <string>

namespace twinset {

namespace {

constexpr int kMaxBits = 128;
constexpr uint64_t kMaxRows = 0xfffffffe;

template <typename V>
class JoinOf : public HammingJoin {
 public:
  explicit JoinOf(const HammingJoinOptions& options)
      : options_(options), first_(options.budget), second_(options.budget) {}

  Status Add(uint64_t low, uint64_t high, bool second_set) override {
    V value = low;
    if constexpr (sizeof(V) > 8) value |= V{high} << 64;
    const int unused = static_cast<int>(sizeof(V) * 8) - options_.bits;
    value = value << unused >> unused;
    ValueColumn<V>& column = second_set ? second_ : first_;
    if (column.size() == kMaxRows)
      return Fail(ErrorCode::kUnsupported,
                  "a set of more than 2^32 - 2 fingerprints");
    const Status added = column.Append(value);
    if (added || !CanSpill() || added.error().code != ErrorCode::kMemory)
      return added;
    TWINSET_TRY(Spill());
    return column.Append(value);
  }

  bool HasRoom() const override {
    return FitsIntoMemory() || first_.on_disk() || CanSpill();
  }

  Status Join(const RowPairSink& sink) override {
    if (!FitsIntoMemory() && CanSpill()) TWINSET_TRY(Spill());
    TWINSET_TRY(first_.Finish());
    TWINSET_TRY(second_.Finish());
    const ValueColumn<V>* const second = options_.two_sets ? &second_ : nullptr;
    NearList<V> found(options_.budget);
    TWINSET_TRY(FindNearValues(first_, second, options_.distance,
                               options_.threads, options_.budget, &found,
                               NearDesign::kAuto, options_.stop));
    return ExpandRows(first_, second, options_.threads, options_.budget, &found,
                      sink);
  }

 private:
  bool FitsIntoMemory() const {
    return HammingJoinBytes(first_.size() + second_.size(), options_.bits,
                            options_.threads) <= options_.budget->limit_bytes();
  }
  bool CanSpill() const {
    return options_.make_scratch && !first_.on_disk() &&
           JoinsOnDisk<V>(options_.distance);
  }
  Status Spill() {
    TWINSET_ASSIGN(const std::string folder, options_.make_scratch());
    TWINSET_TRY(first_.Spill(folder + "/first.values"));
    if (options_.two_sets)
      TWINSET_TRY(second_.Spill(folder + "/second.values"));
    return {};
  }

  const HammingJoinOptions options_;
  ValueColumn<V> first_, second_;
};

// Documents by row; their fingerprints are in a HammingJoin.
class CollectionHammingJoin : public CollectionJoin {
 public:
  static Result<std::unique_ptr<CollectionJoin>> Make(
      size_t sketch, int bits, int distance,
      const CollectionJoinContext& context) {
    auto made = std::make_unique<CollectionHammingJoin>();
    made->sketch_ = sketch;
    made->bits_ = bits;
    made->budget_ = std::make_unique<MemoryBudget>(context.memory_bytes);
    made->memory_bytes_ = context.memory_bytes;
    made->threads_ = context.threads;
    made->shared_budget_ = context.budget;
    HammingJoinOptions options;
    options.bits = bits;
    options.distance = distance;
    options.threads = context.threads;
    options.two_sets = context.two_collections;
    options.budget = made->budget_.get();
    TWINSET_ASSIGN(made->join_, HammingJoin::Make(options));
    made->first_ = std::make_unique<Documents>(options.budget);
    if (options.two_sets)
      made->second_ = std::make_unique<Documents>(options.budget);
    return std::unique_ptr<CollectionJoin>(std::move(made));
  }

  Status Add(const JoinMember& member) override {
    // What is known now is refused now: the caller has another way only until
    // Join.
    if (rows_++ == 0) paid_ = shared_budget_->TryReserve(memory_bytes_);
    const uint64_t documents = rows_ * 4 * sizeof(uint64_t);
    if (!paid_.ok() ||
        HammingJoinBytes(rows_, bits_, threads_) + documents > memory_bytes_)
      return Fail(ErrorCode::kMemory, "no room for the Hamming join");
    const Sketch& sketch = member.sketches[sketch_];
    uint64_t halves[2] = {0, 0};
    const size_t words = (static_cast<size_t>(bits_) + 31) / 32;
    if (sketch.size() < words)
      return Fail(ErrorCode::kInternal, "a fingerprint is too short");
    for (size_t i = 0; i < words; ++i)
      halves[i / 2] |= uint64_t{sketch[i]} << (i % 2 * 32);
    const bool second = second_ != nullptr && member.stored;
    TWINSET_TRY(join_->Add(halves[0], halves[1], second));
    return (second ? second_ : first_)->Append(member.document);
  }

  Status Join(const PairSink& sink) override {
    const std::vector<uint64_t> first = Flat(*first_);
    const std::vector<uint64_t> second =
        second_ ? Flat(*second_) : std::vector<uint64_t>();
    const std::vector<uint64_t>& others = second_ ? second : first;
    return join_->Join([&](uint64_t a, uint64_t b, int) {
      return sink(CandidatePair::Of(first[a], others[b]));
    });
  }

 private:
  using Documents = ValueColumn<uint64_t>;

  static std::vector<uint64_t> Flat(const Documents& documents) {
    std::vector<uint64_t> flat;
    flat.reserve(documents.size());
    for (size_t c = 0; c < documents.chunks(); ++c)
      flat.insert(flat.end(), documents.Chunk(c).begin(),
                  documents.Chunk(c).end());
    return flat;
  }

  size_t sketch_ = 0;
  int bits_ = 0;
  int threads_ = 1;
  uint64_t rows_ = 0, memory_bytes_ = 0;
  MemoryBudget* shared_budget_ = nullptr;
  Reservation paid_;                      // of the shared budget
  std::unique_ptr<MemoryBudget> budget_;  // that share
  std::unique_ptr<Documents> first_, second_;
  std::unique_ptr<HammingJoin> join_;
};

}  // namespace

Result<std::unique_ptr<HammingJoin>> HammingJoin::Make(
    const HammingJoinOptions& options) {
  if (options.bits < 1 || options.bits > kMaxBits)
    return Fail(ErrorCode::kUsage,
                "fingerprints of " + std::to_string(options.bits) + " bits", {},
                "1 to 128 bits");
  if (options.distance < 0 || options.distance > options.bits)
    return Fail(ErrorCode::kUsage,
                "a distance of " + std::to_string(options.distance) +
                    " between fingerprints of " + std::to_string(options.bits) +
                    " bits",
                {}, "0 to " + std::to_string(options.bits));
  if (options.bits <= 64) return std::make_unique<JoinOf<uint64_t>>(options);
  return std::make_unique<JoinOf<Wide>>(options);
}

uint64_t HammingJoinBytes(uint64_t rows, int bits, int threads) {
  const uint64_t bytes = rows * (bits <= 64 ? 8 : 16);
  // The last chunk of each column may be all but empty.
  constexpr uint64_t kChunk = 16 << 20, kFirst = 64 << 10;
  const uint64_t slack = 2 * std::min(bytes + kFirst, kChunk);
  return bytes + slack +
         (bits <= 64 ? NearValuesBytes<uint64_t>(rows, threads)
                     : NearValuesBytes<Wide>(rows, threads));
}

CollectionJoinFactory MakeHammingJoinFactory(size_t sketch, int bits,
                                             int distance) {
  return [=](const CollectionJoinContext& context) {
    return CollectionHammingJoin::Make(sketch, bits, distance, context);
  };
}

}  // namespace twinset
