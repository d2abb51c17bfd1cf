#include "candidate/complete/prefix_join.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "candidate/complete/folded_sets.h"
#include "candidate/complete/leading_counts.h"
#include "candidate/complete/posting_slices.h"
#include "candidate/complete/prefix_postings.h"
#include "candidate/complete/rarity.h"
#include "candidate/complete/shared_sink.h"
#include "candidate/complete/slice_join.h"
#include "store/lazy_buffer.h"

namespace twinset {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

class PrefixJoin : public CollectionJoin {
 public:
  PrefixJoin(const OverlapBounds& bounds, FeatureIdf idf,
             const CollectionJoinContext& context)
      : bounds_(bounds),
        idf_(std::move(idf)),
        context_(context),
        maker_(bounds_, idf_, &rarity_) {}

  Status Begin() {
    uint64_t elements = 0, largest = 0, beside = 0;
    TWINSET_TRY(context_.sizes([&](uint64_t size) {
      elements += size;
      largest = std::max(largest, size);
      most_postings_ += PrefixMaker::MostPostings(bounds_, size);
      beside = std::max(beside, PrefixMaker::BytesBeside(bounds_, size));
    }));
    const auto reserve = [&](uint64_t document_bytes) {
      memory_ = context_.budget->ReserveUpTo(MemoryBeside(document_bytes),
                                             4 * kMegabyte);
      slices_ = SliceMemory(memory_.bytes(), context_.threads);
    };
    reserve(beside);
    const double leading = PrefixMaker::LeadingShare(bounds_);
    // With a third of the best counters the prefixes are hardly longer.
    constexpr uint64_t kShortage = 3;
    const uint64_t best = Rarity::BytesFor(elements, leading);
    const uint64_t counters = std::min(best, memory_.bytes() / 4 * 3);
    if (best / counters >= kShortage) {
      memory_.Reset();
      reserve(beside + largest);  // a byte for each count of a large document
      return BeginFiles(elements, leading);
    }
    room_bytes_ = memory_.bytes() - counters;
    return rarity_.Map({elements, leading, counters, context_.two_collections,
                        context_.threads});
  }

  bool reads_sketches() const override { return false; }

  void Prepare(const JoinMember& member,
               std::vector<uint64_t>* prepared) override {
    std::unique_ptr<PrefixMaker> maker = TakeMaker();
    if (leading_) {
      if (!counted_) maker->CountTrailing(member);
      if (IsOfSequences(bounds_.measure()))
        JoinElements(bounds_.measure(), member.features, prepared, nullptr);
    } else if (!counted_) {
      maker->Count(member);
    } else {
      maker->Choose(maker->ElementsOf(member), prepared);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    makers_.push_back(std::move(maker));
  }

  Status Add(const JoinMember& member) override {
    if (member.document > PrefixPosting::kMaxDocument)
      return Fail(ErrorCode::kUsage, "there are more than 2^40 documents");
    return leading_ ? AddInStep(member) : StorePostings(member);
  }

  Result<bool> EndPass() override {
    if (counted_) return false;
    counted_ = true;
    if (leading_) TWINSET_TRY(leading_->Count(context_.stop));
    const auto threads = static_cast<uint64_t>(slices_.threads());
    room_ = std::min<uint64_t>(room_bytes_ / sizeof(PrefixPosting),
                               slices_.MostPostings() * threads);
    // Else half of it is for blocks of files.
    if (most_postings_ > room_) room_ = room_bytes_ / 2 / sizeof(PrefixPosting);
    TWINSET_ASSIGN(buffer_, LazyBuffer::Map(room_ * sizeof(PrefixPosting)));
    buffer_.PreferHugePages();
    return true;
  }

  Status Join(const PairSink& sink) override {
    rarity_ = Rarity();
    leading_.reset();
    makers_.clear();
    SharedSink shared(sink, context_.hot, context_.stop);
    const SliceJoin join(bounds_, context_, slices_, stored_, &shared);
    if (spilled_) {
      TWINSET_TRY(Spill());
      buffer_.Reset();
      TWINSET_TRY(spilled_->Finish());
      join.JoinFiles(&*spilled_);
      return shared.status();
    }
    TWINSET_ASSIGN(LazyBuffer room,
                   LazyBuffer::Map(size_ * sizeof(PrefixPosting)));
    room.PreferHugePages();
    join.JoinInMemory({Postings(&buffer_), size_}, {Postings(&room), size_});
    return shared.status();
  }

 private:
  // What to take so that a document of so many bytes stays within the promise
  // (docs/methods/external-memory.md), which leaves some room beyond the budget
  // for one that does not fit.
  uint64_t MemoryBeside(uint64_t document_bytes) const {
    constexpr uint64_t kBeyond = 32 * kMegabyte;
    const uint64_t room = context_.budget->available_bytes() + kBeyond;
    return std::clamp(room - std::min(room, document_bytes),
                      context_.memory_bytes / 4, context_.memory_bytes);
  }

  static PrefixPosting* Postings(LazyBuffer* buffer) {
    return reinterpret_cast<PrefixPosting*>(buffer->data());
  }

  std::unique_ptr<PrefixMaker> TakeMaker() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!makers_.empty()) {
        auto maker = std::move(makers_.back());
        makers_.pop_back();
        return maker;
      }
    }
    return std::make_unique<PrefixMaker>(bounds_, idf_, &rarity_);
  }

  // ---- counts in files ----

  // Only counts of a sample of the documents stay in memory.
  Status BeginFiles(uint64_t elements, double leading) {
    const uint64_t sample = std::max(2 * kMegabyte, memory_.bytes() / 8);
    Rarity::Options trailing{elements, leading, sample,
                             context_.two_collections, context_.threads};
    trailing.trailing_only = true;
    TWINSET_TRY(rarity_.Map(trailing));
    LeadingCounts::Options options;
    options.directory = context_.directory;
    options.parameters_hash = context_.parameters_hash;
    options.elements =
        static_cast<uint64_t>(static_cast<double>(elements) * leading);
    options.leading = leading;
    options.memory_bytes = memory_.bytes() - sample;
    options.two_collections = context_.two_collections;
    options.threads = context_.threads;
    TWINSET_TRY(leading_.emplace().Create(options));
    room_bytes_ = options.memory_bytes - leading_->BlockBytes();
    return {};
  }

  // Documents in order, as the files have them.
  Status AddInStep(const JoinMember& member) {
    PrefixMaker::Elements elements = maker_.ElementsOf(member);
    if (!counted_)
      return leading_->Append(elements.Leading(), elements.scope,
                              member.stored);
    TWINSET_TRY(leading_->Read(elements.Leading(), elements.scope, &counts_));
    elements.are_counted = true;
    elements.counts = counts_;
    maker_.Choose(elements, &prefix_);
    JoinMember chosen = member;
    chosen.prepared = prefix_;
    TWINSET_TRY(StorePostings(chosen));
    constexpr size_t kKept = 1 << 16;  // of a large document nothing is kept
    if (counts_.size() > kKept) std::vector<uint8_t>().swap(counts_);
    if (prefix_.size() > kKept) std::vector<uint64_t>().swap(prefix_);
    return {};
  }

  // ---- postings ----

  // Stores the postings of a member's prefix, which is prepared.
  Status StorePostings(const JoinMember& member) {
    return PrefixMaker::ForEachPosting(
        bounds_, member,
        [this](const PrefixPosting& posting) { return Store(posting); });
  }

  Status Store(const PrefixPosting& posting) {
    if (size_ == room_) TWINSET_TRY(Spill());
    Postings(&buffer_)[size_++] = posting;
    ++stored_;
    return {};
  }

  // What is in memory goes to files.
  Status Spill() {
    if (!spilled_) {
      spilled_.emplace();
      TWINSET_TRY(spilled_->Create(
          {context_.directory, "prefixes", context_.parameters_hash}, "",
          slices_.FilesFor(most_postings_, room_bytes_ / 2,
                           /*writers=*/1),
          /*bits_done=*/0));
    }
    for (size_t i = 0; i < size_; ++i)
      TWINSET_TRY(spilled_->Append(Postings(&buffer_)[i]));
    size_ = 0;
    return {};
  }

  const OverlapBounds bounds_;
  const FeatureIdf idf_;
  const CollectionJoinContext context_;
  Reservation memory_;
  Rarity rarity_;
  std::optional<LeadingCounts> leading_;  // where memory is short
  PrefixMaker maker_;                     // of Add, as what follows
  std::vector<uint8_t> counts_;
  std::vector<uint64_t> prefix_;
  SliceMemory slices_;
  uint64_t most_postings_ = 0, room_bytes_ = 0;
  bool counted_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PrefixMaker>> makers_;  // guarded by mutex_
  LazyBuffer buffer_;  // of postings, until they are in files
  size_t size_ = 0, room_ = 0;
  uint64_t stored_ = 0;  // postings, in files too
  std::optional<PostingFiles> spilled_;
};

}  // namespace

CollectionJoinFactory MakePrefixJoinFactory(JoinMeasure measure,
                                            double threshold, FeatureIdf idf) {
  const OverlapBounds bounds(measure, threshold);
  return [bounds, idf = std::move(idf)](const CollectionJoinContext& context)
             -> Result<std::unique_ptr<CollectionJoin>> {
    auto join = std::make_unique<PrefixJoin>(bounds, idf, context);
    TWINSET_TRY(join->Begin());
    return join;
  };
}

namespace {

// The rarest first; of equally rare ones, the smallest.
void OrderByRarity(const Rarity& rarity, std::vector<uint64_t>* elements,
                   std::vector<uint32_t>* counts) {
  struct Element {
    uint32_t rarity, count;
    uint64_t value;
  };
  for (const uint64_t element : *elements) rarity.Prefetch(element);
  std::vector<Element> order(elements->size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = {rarity[(*elements)[i]], counts->empty() ? 1 : (*counts)[i],
                (*elements)[i]};
  std::sort(order.begin(), order.end(), [](const auto& x, const auto& y) {
    return x.rarity != y.rarity ? x.rarity < y.rarity : x.value < y.value;
  });
  for (size_t i = 0; i < order.size(); ++i) {
    (*elements)[i] = order[i].value;
    if (!counts->empty()) (*counts)[i] = order[i].count;
  }
}

}  // namespace

void PrefixKeys(const OverlapBounds& bounds, const FeatureIdf& idf,
                std::string_view features, std::vector<uint64_t>* keys,
                const Rarity* rarity) {
  std::vector<uint32_t> counts;
  JoinElements(bounds.measure(), features, keys, &counts);
  if (rarity != nullptr) OrderByRarity(*rarity, keys, &counts);
  const uint64_t size = features.size() / sizeof(uint64_t);
  if (size == 0 || bounds.measure() == JoinMeasure::kContainment) return;
  if (bounds.measure() != JoinMeasure::kCosineTf) {
    keys->resize(std::min<uint64_t>(
        keys->size(), LengthOfPrefix(size, bounds.RequiredAsLarger(size))));
    return;
  }
  Square whole = 0, rest = 0;
  for (size_t i = 0; i < keys->size(); ++i)
    whole += SquaredWeight(idf, (*keys)[i], counts[i]);
  const double least = bounds.LeastSquare(static_cast<double>(whole));
  size_t length = keys->size();
  for (; length > 1; --length) {
    rest += SquaredWeight(idf, (*keys)[length - 1], counts[length - 1]);
    if (static_cast<double>(rest) >= least) break;
  }
  keys->resize(length);
}

}  // namespace twinset
