#include "read/ahead_members.h"

#include <algorithm>
#include <new>
#include <utility>

namespace twinset {

AheadMembers::AheadMembers(const ByteSource* source, Compression compression,
                           uint64_t position, const ByteStreamOptions& options)
    : source_(source),
      compression_(compression),
      options_(options),
      size_(source->Size().value_or(0)),
      asked_(position / kChunk),
      next_(asked_ + 1) {
  for (int i = 0; i < options.ahead_threads; ++i)
    threads_.push_back(std::make_unique<SideThread>([this] { Work(); }));
}

AheadMembers::~AheadMembers() {
  {
    const std::lock_guard lock(mutex_);
    quits_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

std::optional<AheadMembers::Member> AheadMembers::Take(uint64_t position) {
  std::unique_lock lock(mutex_);
  if (position / kChunk > asked_) {
    asked_ = position / kChunk;
    // What no thread has begun by now the reader decodes.
    next_ = std::max(next_, asked_ + 1);
    chunks_.erase(chunks_.begin(), chunks_.lower_bound(asked_));
    changed_.notify_all();
  }
  const auto chunk = chunks_.find(asked_);
  if (chunk == chunks_.end()) return std::nullopt;
  changed_.wait(lock, [&] { return chunk->second.is_done; });
  const auto member = chunk->second.members.extract(position);
  if (member.empty()) return std::nullopt;
  return std::move(member.mapped());
}

void AheadMembers::Work() {
  const std::unique_ptr<Codec> codec = NewCodec();
  const uint64_t most =
      static_cast<uint64_t>(options_.ahead_threads) + kFurther;
  ByteBuffer scratch;
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto may_begin = [&] {
      return next_ * kChunk < size_ && next_ <= asked_ + most;
    };
    changed_.wait(lock, [&] { return quits_ || may_begin(); });
    if (quits_) return;
    const uint64_t number = next_++;
    chunks_[number];
    lock.unlock();
    Members members;
    try {
      members = Decode(number, codec.get(), &scratch);
    } catch (const std::bad_alloc&) {  // the reader decodes them itself
    }
    lock.lock();
    const auto chunk = chunks_.find(number);
    if (chunk == chunks_.end()) continue;  // the reader has passed it
    chunk->second.members = std::move(members);
    chunk->second.is_done = true;
    changed_.notify_all();
  }
}

std::unique_ptr<Codec> AheadMembers::NewCodec() const {
  std::unique_ptr<Codec> codec;
  if (compression_ == Compression::kGzip && options_.quick)
    codec = MakeQuickCodec(DeflateFraming::kGzip);
  if (codec != nullptr) return codec;
  return MakeCodec(compression_,
                   std::min(options_.max_window_bytes, kMostWindow));
}

namespace {

// Decodes the member at the beginning of `in`; how many bytes it has, 0 where
// it does not end there or yields more than `most` bytes.
size_t DecodeWhole(std::string_view in, uint64_t most, Codec* codec,
                   ByteBuffer* out) {
  constexpr size_t kDecodedStep = 256 << 10;
  if (!codec->Reset()) return 0;
  size_t taken = 0;
  for (;;) {
    if (out->size() > most) return 0;
    if (out->room() < kDecodedStep)
      out->GrowTowards(out->size() + kDecodedStep, kDecodedStep);
    const Codec::Step step =
        codec->Decode(in.substr(taken), out->Room(1), out->room());
    taken += step.consumed;
    out->Commit(step.produced);
    if (step.state == Codec::State::kEnd) return taken;
    if (step.state != Codec::State::kMore) return 0;
    if (step.consumed == 0 && step.produced == 0) return 0;
  }
}

}  // namespace

AheadMembers::Members AheadMembers::Decode(uint64_t chunk, Codec* codec,
                                           ByteBuffer* scratch) const {
  Members members;
  const uint64_t begin = chunk * kChunk;
  const size_t size =
      static_cast<size_t>(std::min(kChunk + kBeyond, size_ - begin));
  const std::unique_ptr<char[]> bytes(new char[size]);
  // What cannot be read the reader will find out itself.
  if (!source_->ReadAt(begin, bytes.get(), size)) return members;
  const std::string_view all(bytes.get(), size);
  uint64_t left = kMostChunkOutput;
  bool follows = false;  // a member ends at `at`
  for (size_t at = 0; at < std::min<uint64_t>(kChunk, size);) {
    if (!follows || !BeginsMember(compression_, all.substr(at))) {
      const size_t found = FindMember(compression_, all.substr(at));
      if (found >= kChunk - at) break;
      at += found;
    }
    // The frames behind it need what it holds.
    if (compression_ == Compression::kZstd &&
        ZstdDictionary::IsFrame(all.substr(at)))
      break;
    scratch->Consume(scratch->size());
    const size_t taken = DecodeWhole(all.substr(at), left, codec, scratch);
    follows = taken > 0;
    if (follows && scratch->size() <= left) {
      left -= scratch->size();
      members.emplace(begin + at, Member{begin + at + taken,
                                         std::string(scratch->unread())});
    }
    at += follows ? taken : 1;
  }
  return members;
}

}  // namespace twinset
