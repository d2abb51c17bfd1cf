#include "candidate/complete/prefix_join.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/for_each.h"
#include "base/parallel.h"
#include "candidate/complete/folded_sets.h"
#include "candidate/complete/meeting_rule.h"
#include "candidate/complete/posting_slices.h"
#include "candidate/complete/prefix_postings.h"
#include "candidate/complete/rarity.h"
#include "candidate/complete/shared_sink.h"
#include "store/lazy_buffer.h"

namespace twinset::inline v1 {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

// The pairs of postings of one element. One for each thread.
class Meeting {
 public:
  Meeting(const OverlapBounds& bounds, bool two_collections, SharedSink* sink)
      : rule_(bounds), two_collections_(two_collections), sink_(sink) {
    pairs_.reserve(kParcel);
  }
  ~Meeting() { sink_->Take(&pairs_); }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // All pairs of a fold's postings, which come by size and document. Unless the
  // join has ended.
  void Join(std::span<const PrefixPosting> fold) {
    constexpr size_t kMany = 1 << 10;
    for (size_t i = 1; i < fold.size(); ++i) {
      if (i % kMany == 0 && !sink_->status()) return;
      const PrefixPosting& large = fold[i];
      const uint64_t least = rule_.LeastPartner(large.size());
      for (size_t j = i; j-- > 0 && fold[j].size() >= least;)
        Compare(fold[j], large);
    }
  }

  // One more posting of the same fold, with each of the others.
  void JoinWith(std::span<const PrefixPosting> fold,
                const PrefixPosting& other) {
    for (const PrefixPosting& posting : fold) {
      const auto& [small, large] = std::minmax(posting, other);
      if (small.size() >= rule_.LeastPartner(large.size()))
        Compare(small, large);
    }
  }

 private:
  static constexpr size_t kParcel = 1 << 12;  // pairs, 64 KB

  void Compare(const PrefixPosting& small, const PrefixPosting& large) {
    if (!rule_.Meets(small, large)) return;
    if (two_collections_ && small.stored() == large.stored()) return;
    pairs_.push_back(CandidatePair::Of(small.document(), large.document()));
    if (pairs_.size() == kParcel) sink_->Take(&pairs_);
  }

  const MeetingRule rule_;
  const bool two_collections_;
  SharedSink* const sink_;
  std::vector<CandidatePair> pairs_;
};

class PrefixJoin : public CollectionJoin {
 public:
  PrefixJoin(const OverlapBounds& bounds, FeatureIdf idf,
             const CollectionJoinContext& context)
      : bounds_(bounds), idf_(std::move(idf)), context_(context) {}

  Status Begin() {
    uint64_t elements = 0, beside = 0;
    TWINSET_TRY(context_.sizes([&](uint64_t size) {
      elements += size;
      most_postings_ += PrefixMaker::MostPostings(bounds_, size);
      beside = std::max(beside, PrefixMaker::BytesBeside(bounds_, size));
    }));
    memory_ = context_.budget->ReserveUpTo(MemoryBeside(beside), 4 * kMegabyte);
    const double leading = PrefixMaker::LeadingShare(bounds_);
    const uint64_t counters =
        std::min(Rarity::BytesFor(elements, leading), memory_.bytes() / 4 * 3);
    TWINSET_TRY(rarity_.Map({elements, leading, counters,
                             context_.two_collections, context_.threads}));
    room_bytes_ = memory_.bytes() - counters;
    slices_ = SliceMemory(memory_.bytes(), context_.threads);
    return {};
  }

  bool reads_sketches() const override { return false; }

  void Prepare(const JoinMember& member,
               std::vector<uint64_t>* prepared) override {
    std::unique_ptr<PrefixMaker> maker = TakeMaker();
    if (!counted_) {
      maker->Count(member);
    } else {
      maker->Choose(member, prepared);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    makers_.push_back(std::move(maker));
  }

  Status Add(const JoinMember& member) override {
    if (member.document > PrefixPosting::kMaxDocument)
      return Fail(ErrorCode::kUsage, "there are more than 2^40 documents");
    return PrefixMaker::ForEachPosting(
        bounds_, member,
        [this](const PrefixPosting& posting) { return Store(posting); });
  }

  Result<bool> EndPass() override {
    if (counted_) return false;
    counted_ = true;
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
    makers_.clear();
    SharedSink shared(sink, context_.hot, context_.stop);
    if (spilled_) {
      TWINSET_TRY(Spill());
      buffer_.Reset();
      TWINSET_TRY(spilled_->Finish());
      JoinFiles(&*spilled_, &shared);
      return shared.status();
    }
    TWINSET_ASSIGN(LazyBuffer room,
                   LazyBuffer::Map(size_ * sizeof(PrefixPosting)));
    room.PreferHugePages();
    JoinInMemory({Postings(&buffer_), size_}, {Postings(&room), size_},
                 /*bits_done=*/0, slices_.threads(), &shared);
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

  // ---- postings ----

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
      TWINSET_TRY(
          spilled_->Create(SliceOptionsOf("prefixes"), "",
                           slices_.FilesFor(most_postings_, room_bytes_ / 2,
                                            /*writers=*/1),
                           /*bits_done=*/0));
    }
    for (size_t i = 0; i < size_; ++i)
      TWINSET_TRY(spilled_->Append(Postings(&buffer_)[i]));
    size_ = 0;
    return {};
  }

  SliceOptions SliceOptionsOf(const std::string& name) const {
    return {context_.directory, name, context_.parameters_hash};
  }

  // ---- pairs ----

  void JoinFiles(PostingFiles* files, SharedSink* sink) {
    auto& all = files->files();
    ParallelFor(all.size(), 1, slices_.threads(),
                [&](size_t first, size_t last) {
                  for (size_t i = first; i < last && sink->status(); ++i) {
                    sink->Note(JoinFile(std::move(all[i]), files->bits_done(),
                                        std::to_string(i) + ".", sink));
                  }
                });
  }

  // Postings that agree in the first `bits_done` bits of their folds.
  Status JoinFile(PostingFile file, int bits_done, const std::string& number,
                  SharedSink* sink) {
    TWINSET_TRY(sink->status());
    if (file.count() < 2) return {};
    if (file.count() > slices_.MostPostings()) {
      if (bits_done >= PrefixPosting::kFoldBits)
        return JoinLargeFold(file, sink);
      TWINSET_ASSIGN(PostingFiles parts,
                     Divide(std::move(file), bits_done, number));
      for (size_t i = 0; i < parts.files().size(); ++i) {
        TWINSET_TRY(JoinFile(std::move(parts.files()[i]), parts.bits_done(),
                             number + std::to_string(i) + ".", sink));
      }
      return {};
    }
    const uint64_t bytes = file.count() * sizeof(PrefixPosting);
    TWINSET_ASSIGN(LazyBuffer postings, LazyBuffer::Map(bytes));
    TWINSET_ASSIGN(LazyBuffer room, LazyBuffer::Map(bytes));
    TWINSET_ASSIGN(auto reader, file.Open());
    const std::span<PrefixPosting> all(Postings(&postings), file.count());
    TWINSET_TRY(PostingFile::Read(&reader, all));
    JoinInMemory(all, {Postings(&room), all.size()}, bits_done, 1, sink);
    return {};
  }

  // Parts of the file, which is removed.
  Result<PostingFiles> Divide(PostingFile file, int bits_done,
                              const std::string& number) const {
    PostingFiles parts;
    TWINSET_TRY(parts.Create(SliceOptionsOf("prefixes-" + number), "",
                             slices_.PartsFor(file.count()), bits_done));
    TWINSET_ASSIGN(auto reader, file.Open());
    TWINSET_TRY(ForEach<PrefixPosting>(
        &reader, [&](const auto& posting) { return parts.Append(posting); }));
    TWINSET_TRY(parts.Finish());
    return parts;
  }

  bool IsHot(uint64_t postings) const {
    return context_.hot && postings > context_.hot_limit;
  }

  static Status TakeHot(const PostingFile& file, std::span<PrefixPosting> block,
                        SharedSink* sink) {
    TWINSET_ASSIGN(auto reader, file.Open());
    for (;;) {
      TWINSET_TRY(sink->status());
      TWINSET_ASSIGN(const size_t read, PostingFile::Read(&reader, block));
      if (read == 0) return {};
      sink->TakeHot(block.first(read));
    }
  }

  // One fold that memory does not hold: each block of its postings against
  // itself and all that come behind it.
  Status JoinLargeFold(const PostingFile& file, SharedSink* sink) {
    const size_t most = slices_.MostPostings();
    TWINSET_ASSIGN(LazyBuffer buffer,
                   LazyBuffer::Map(most * sizeof(PrefixPosting)));
    if (IsHot(file.count()))
      return TakeHot(file, {Postings(&buffer), most}, sink);
    Meeting meeting(bounds_, context_.two_collections, sink);
    for (uint64_t begin = 0; begin < file.count(); begin += most) {
      TWINSET_ASSIGN(auto reader, file.Open());
      TWINSET_TRY(reader.Seek(begin));
      std::span<PrefixPosting> block(Postings(&buffer), most);
      TWINSET_ASSIGN(const size_t read, PostingFile::Read(&reader, block));
      block = block.first(read);
      std::sort(block.begin(), block.end());
      meeting.Join(block);
      PrefixPosting other;
      for (;;) {
        TWINSET_TRY(sink->status());
        TWINSET_ASSIGN(const bool more, reader.Next(&other));
        if (!more) break;
        meeting.JoinWith(block, other);
      }
    }
    return {};
  }

  void JoinInMemory(std::span<PrefixPosting> postings,
                    std::span<PrefixPosting> room, int bits_done, int threads,
                    SharedSink* sink) const {
    constexpr size_t kOfPart = 1 << 16, kMostParts = 1 << 12;
    const size_t parts =
        std::min(kMostParts, std::bit_ceil(postings.size() / kOfPart + 1));
    const auto begins = GroupByFold(postings, room, bits_done, parts);
    ParallelFor(parts, 1, threads, [&](size_t first, size_t last) {
      Meeting meeting(bounds_, context_.two_collections, sink);
      for (size_t part = first; part < last && sink->status(); ++part) {
        const size_t count = begins[part + 1] - begins[part];
        ForEachFold(room.subspan(begins[part], count),
                    postings.subspan(begins[part], count),
                    bits_done + std::countr_zero(parts),
                    [&](std::span<const PrefixPosting> fold) {
                      if (IsHot(fold.size())) {
                        sink->TakeHot(fold);
                      } else {
                        meeting.Join(fold);
                      }
                    });
        if (!context_.told) continue;
        sink->Pass(count,
                   [this](uint64_t passed) { context_.told(passed, stored_); });
      }
    });
  }

  const OverlapBounds bounds_;
  const FeatureIdf idf_;
  const CollectionJoinContext context_;
  Reservation memory_;
  Rarity rarity_;
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
  return [bounds, idf](const CollectionJoinContext& context)
             -> Result<std::unique_ptr<CollectionJoin>> {
    auto join = std::make_unique<PrefixJoin>(bounds, idf, context);
    TWINSET_TRY(join->Begin());
    return join;
  };
}

void PrefixKeys(const OverlapBounds& bounds, const FeatureIdf& idf,
                std::string_view features, std::vector<uint64_t>* keys) {
  std::vector<uint32_t> counts;
  JoinElements(bounds.measure(), features, keys, &counts);
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

}  // namespace twinset::inline v1
