#include "candidate/complete/slice_join.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/for_each.h"
#include "base/parallel.h"
#include "candidate/complete/meeting_rule.h"
#include "store/lazy_buffer.h"

namespace twinset {
namespace {

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
  // join has ended. The indexed ones come to the front, in order; returns how
  // many they are.
  size_t Join(std::span<PrefixPosting> fold) {
    constexpr size_t kMany = 1 << 10;
    size_t indexed = 0;
    for (size_t i = 0; i < fold.size(); ++i) {
      if (i % kMany == kMany - 1 && !sink_->status()) break;
      const PrefixPosting large = fold[i];
      rule_.ForEachMet(fold.first(indexed), large,
                       [&](const PrefixPosting& small) { Take(small, large); });
      if (large.indexed()) std::swap(fold[indexed++], fold[i]);
    }
    return indexed;
  }

  // All pairs of a fold that is not needed any more.
  void JoinFold(std::span<PrefixPosting> fold) {
    constexpr size_t kFew = 32;
    if (two_collections_ && fold.size() > kFew)
      JoinAcross(fold);
    else
      Join(fold);
  }

  // The same pairs of a fold of two collections, whose order is lost. Cost: not
  // that of the pairs of one side, which may be many and are none.
  void JoinAcross(std::span<PrefixPosting> fold) {
    const auto before = [](const PrefixPosting& x, const PrefixPosting& y) {
      return x.stored() != y.stored() ? y.stored() : x < y;
    };
    std::sort(fold.begin(), fold.end(), before);
    const auto middle = std::partition_point(
        fold.begin(), fold.end(),
        [](const auto& posting) { return !posting.stored(); });
    const size_t own = static_cast<size_t>(middle - fold.begin());
    Side sides[] = {{fold.first(own)}, {fold.subspan(own)}};
    for (size_t i = 0; i < fold.size() && sink_->status(); ++i) {
      const bool second =
          sides[0].IsAtEnd() ||
          (!sides[1].IsAtEnd() && sides[1].Next() < sides[0].Next());
      Side& side = sides[second];
      const PrefixPosting large = side.Next();
      rule_.ForEachMet(sides[!second].Indexed(), large,
                       [&](const PrefixPosting& small) { Take(small, large); });
      side.Pass();
    }
  }

  // One more posting of the same fold, with each of the others, of which the
  // first `indexed` are.
  void JoinWith(std::span<const PrefixPosting> fold, size_t indexed,
                const PrefixPosting& other) {
    for (const PrefixPosting& posting :
         other.indexed() ? fold : fold.first(indexed)) {
      const auto& [small, large] = std::minmax(posting, other);
      if (small.size() >= rule_.LeastPartner(large.size()) &&
          rule_.Meets(small, large))
        Take(small, large);
    }
  }

 private:
  static constexpr size_t kParcel = 1 << 12;  // pairs, 64 KB

  // The postings of one side, of which some have passed.
  struct Side {
    std::span<PrefixPosting> postings;
    size_t at = 0, indexed = 0;

    bool IsAtEnd() const { return at == postings.size(); }
    const PrefixPosting& Next() const { return postings[at]; }
    std::span<const PrefixPosting> Indexed() const {
      return postings.first(indexed);
    }
    void Pass() {
      if (postings[at].indexed()) std::swap(postings[indexed++], postings[at]);
      ++at;
    }
  };

  void Take(const PrefixPosting& small, const PrefixPosting& large) {
    if (two_collections_ && small.stored() == large.stored()) return;
    pairs_.push_back(CandidatePair::Of(small.document(), large.document()));
    if (pairs_.size() == kParcel) sink_->Take(&pairs_);
  }

  const MeetingRule rule_;
  const bool two_collections_;
  SharedSink* const sink_;
  std::vector<CandidatePair> pairs_;
};

PrefixPosting* Postings(LazyBuffer* buffer) {
  return reinterpret_cast<PrefixPosting*>(buffer->data());
}

// The least size of indexed documents among those of a fold.
class LeastIndexed {
 public:
  void See(std::span<const PrefixPosting> postings) {
    for (const PrefixPosting& posting : postings)
      if (posting.indexed()) least_ = std::min(least_, posting.size());
  }
  // Drops the postings of all postings seen that can meet none of them; those
  // that stay keep their order.
  std::span<PrefixPosting> DropLonely(const MeetingRule& rule,
                                      std::span<PrefixPosting> postings) const {
    const auto end = std::remove_if(postings.begin(), postings.end(),
                                    [&](const PrefixPosting& posting) {
                                      return !rule.CanMeet(posting, least_);
                                    });
    return postings.first(static_cast<size_t>(end - postings.begin()));
  }

 private:
  uint64_t least_ = UINT64_MAX;
};

}  // namespace

void SliceJoin::JoinFiles(PostingFiles* files) const {
  auto& all = files->files();
  ParallelFor(all.size(), 1, memory_.threads(), [&](size_t first, size_t last) {
    for (size_t i = first; i < last && sink_->status(); ++i) {
      sink_->Note(JoinFile(std::move(all[i]), files->bits_done(),
                           std::to_string(i) + "."));
    }
  });
}

// Postings that agree in the first `bits_done` bits of their folds.
Status SliceJoin::JoinFile(PostingFile file, int bits_done,
                           const std::string& number) const {
  TWINSET_TRY(sink_->status());
  if (file.count() < 2) return {};
  if (file.count() > memory_.MostPostings()) {
    if (bits_done >= PrefixPosting::kFoldBits) return JoinLargeFold(file);
    TWINSET_ASSIGN(PostingFiles parts,
                   Divide(std::move(file), bits_done, number));
    for (size_t i = 0; i < parts.files().size(); ++i) {
      TWINSET_TRY(JoinFile(std::move(parts.files()[i]), parts.bits_done(),
                           number + std::to_string(i) + "."));
    }
    return {};
  }
  const uint64_t bytes = file.count() * sizeof(PrefixPosting);
  TWINSET_ASSIGN(LazyBuffer postings, LazyBuffer::Map(bytes));
  TWINSET_ASSIGN(LazyBuffer room, LazyBuffer::Map(bytes));
  TWINSET_ASSIGN(auto reader, file.Open());
  const std::span<PrefixPosting> all(Postings(&postings), file.count());
  TWINSET_TRY(PostingFile::Read(&reader, all));
  JoinInMemory(all, {Postings(&room), all.size()}, bits_done, 1);
  return {};
}

// Parts of the file, which is removed.
Result<PostingFiles> SliceJoin::Divide(PostingFile file, int bits_done,
                                       const std::string& number) const {
  PostingFiles parts;
  TWINSET_TRY(parts.Create(
      {context_.directory, "prefixes-" + number, context_.parameters_hash}, "",
      memory_.PartsFor(file.count()), bits_done));
  TWINSET_ASSIGN(auto reader, file.Open());
  TWINSET_TRY(ForEach<PrefixPosting>(
      &reader, [&](const auto& posting) { return parts.Append(posting); }));
  TWINSET_TRY(parts.Finish());
  return parts;
}

// One fold that memory does not hold, to the sink of hot ones.
Status SliceJoin::TakeHot(const PostingFile& file,
                          std::span<PrefixPosting> block) const {
  const auto for_each_block = [&](const auto& body) -> Status {
    TWINSET_ASSIGN(auto reader, file.Open());
    for (;;) {
      TWINSET_TRY(sink_->status());
      TWINSET_ASSIGN(const size_t read, PostingFile::Read(&reader, block));
      if (read == 0) return {};
      body(block.first(read));
    }
  };
  LeastIndexed least;
  TWINSET_TRY(for_each_block(
      [&](std::span<PrefixPosting> postings) { least.See(postings); }));
  const MeetingRule rule(bounds_);
  return for_each_block([&](std::span<PrefixPosting> postings) {
    sink_->TakeHot(least.DropLonely(rule, postings));
  });
}

// One fold that memory does not hold: each block of its postings against
// itself and all that come behind it.
Status SliceJoin::JoinLargeFold(const PostingFile& file) const {
  const size_t most = memory_.MostPostings();
  TWINSET_ASSIGN(LazyBuffer buffer,
                 LazyBuffer::Map(most * sizeof(PrefixPosting)));
  if (IsHot(file.count())) return TakeHot(file, {Postings(&buffer), most});
  Meeting meeting(bounds_, context_.two_collections, sink_);
  for (uint64_t begin = 0; begin < file.count(); begin += most) {
    TWINSET_ASSIGN(auto reader, file.Open());
    TWINSET_TRY(reader.Seek(begin));
    std::span<PrefixPosting> block(Postings(&buffer), most);
    TWINSET_ASSIGN(const size_t read, PostingFile::Read(&reader, block));
    block = block.first(read);
    std::sort(block.begin(), block.end());
    const size_t indexed = meeting.Join(block);
    PrefixPosting other;
    for (;;) {
      TWINSET_TRY(sink_->status());
      TWINSET_ASSIGN(const bool more, reader.Next(&other));
      if (!more) break;
      meeting.JoinWith(block, indexed, other);
    }
  }
  return {};
}

void SliceJoin::JoinInMemory(std::span<PrefixPosting> postings,
                             std::span<PrefixPosting> room, int bits_done,
                             int threads) const {
  constexpr size_t kOfPart = 1 << 16, kMostParts = 1 << 12;
  const size_t parts =
      std::min(kMostParts, std::bit_ceil(postings.size() / kOfPart + 1));
  const auto begins = GroupByFold(postings, room, bits_done, parts, threads);
  const MeetingRule rule(bounds_);
  ParallelFor(parts, 1, threads, [&](size_t first, size_t last) {
    Meeting meeting(bounds_, context_.two_collections, sink_);
    for (size_t part = first; part < last && sink_->status(); ++part) {
      const size_t count = begins[part + 1] - begins[part];
      ForEachFold(room.subspan(begins[part], count),
                  postings.subspan(begins[part], count),
                  bits_done + std::countr_zero(parts),
                  [&](std::span<PrefixPosting> fold) {
                    if (IsHot(fold.size())) {
                      LeastIndexed least;
                      least.See(fold);
                      fold = least.DropLonely(rule, fold);
                    }
                    if (IsHot(fold.size())) {
                      sink_->TakeHot(fold);
                    } else {
                      meeting.JoinFold(fold);
                    }
                  });
      if (!context_.told) continue;
      sink_->Pass(
          count, [this](uint64_t passed) { context_.told(passed, postings_); });
    }
  });
}

}  // namespace twinset
