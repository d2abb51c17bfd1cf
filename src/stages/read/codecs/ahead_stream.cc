// A stream whose members are decoded ahead of its reader (member_stream.h).
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <utility>

#include "base/parallel.h"
#include "read/ahead_members.h"
#include "read/member_stream.h"

namespace twinset {

namespace {

constexpr uint64_t kRingBytes = 4 << 20;

// What one step of the stream yields.
struct Block {
  std::string bytes;
  std::optional<StreamFault> fault;  // behind the bytes
  bool is_end = false;
  std::optional<Error> error;
  uint64_t compressed_offset = 0;
  std::vector<WholeMember> whole;
};

// Whoever finds the ring too empty makes the next step: the thread, or the
// reader, which so needs no thread to come to the end.
class AheadStream : public BufferedMembers {
 public:
  AheadStream(std::unique_ptr<MemberByteStream> stream,
              const ByteStreamOptions& options)
      : stream_(std::move(stream)),
        compression_(stream_->compression()),
        from_(options.ahead_from) {}
  ~AheadStream() override {
    {
      const std::lock_guard lock(mutex_);
      quits_ = true;
    }
    changed_.notify_all();
  }

  Result<std::string_view> Peek(size_t want) override {
    while (out_.size() < want && !fault_ && !at_end_) TWINSET_TRY(Pull());
    return out_.unread();
  }
  uint64_t compressed_offset() const override { return compressed_offset_; }
  Compression compression() const override { return compression_; }
  // Who holds a member whole says so before the thread has begun.
  void SetMaxRatio(uint64_t max_ratio) override {
    if (thread_ == nullptr) stream_->SetMaxRatio(max_ratio);
  }

 private:
  // Takes the next block.
  Status Pull() {
    if (error_) return tl::unexpected(*error_);
    if (thread_ == nullptr && end_offset() >= from_) {
      stream_->DecodeAhead();
      thread_ = std::make_unique<SideThread>([this] { Work(); });
    }
    Block block = NextBlock();
    compressed_offset_ = block.compressed_offset;
    for (const WholeMember& member : block.whole) whole_.Add(member);
    std::copy(block.bytes.begin(), block.bytes.end(),
              out_.Room(std::max<size_t>(block.bytes.size(), 1)));
    out_.Commit(block.bytes.size());
    fault_ = std::move(block.fault);
    at_end_ = block.is_end;
    error_ = std::move(block.error);
    if (error_) return tl::unexpected(*error_);
    return {};
  }

  Block NextBlock() {
    if (thread_ == nullptr) return Step();
    std::unique_lock lock(mutex_);
    while (ring_.empty()) {
      if (is_stepping_) {
        changed_.wait(lock);
      } else {
        StepInto(&lock);
      }
    }
    Block block = std::move(ring_.front());
    ring_.pop_front();
    ring_bytes_ -= block.bytes.size();
    changed_.notify_all();
    return block;
  }

  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] {
        return quits_ ||
               (!is_stepping_ && !is_last_ && ring_bytes_ < kRingBytes);
      });
      if (quits_) return;
      StepInto(&lock);
    }
  }

  void StepInto(std::unique_lock<std::mutex>* lock) {
    is_stepping_ = true;
    lock->unlock();
    Block block;
    try {
      block = Step();
    } catch (const std::bad_alloc&) {
      block.error = Error{ErrorCode::kMemory, "out of memory"};
    }
    lock->lock();
    is_stepping_ = false;
    is_last_ = block.is_end || block.error;
    ring_bytes_ += block.bytes.size();
    ring_.push_back(std::move(block));
    changed_.notify_all();
  }

  Block Step() {
    Block block;
    const auto view = stream_->Peek(1);
    if (!view) {
      block.error = view.error();
      return block;
    }
    block.bytes = *view;
    stream_->Consume(view->size());
    if (stream_->AtGap()) {
      block.fault = stream_->TakeFault();
    } else {
      block.is_end = view->empty();
    }
    block.compressed_offset = stream_->compressed_offset();
    block.whole = stream_->TakeWhole();
    return block;
  }

  const std::unique_ptr<MemberByteStream> stream_;
  const Compression compression_;
  const uint64_t from_;

  // What the reader alone uses.
  bool at_end_ = false;
  std::optional<Error> error_;
  uint64_t compressed_offset_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool quits_ = false;
  bool is_stepping_ = false;  // somebody uses stream_
  bool is_last_ = false;      // no step follows
  std::deque<Block> ring_;
  uint64_t ring_bytes_ = 0;
  // Last, so that it ends first.
  std::unique_ptr<SideThread> thread_;
};

}  // namespace

std::unique_ptr<ByteStream> MakeAheadStream(
    std::unique_ptr<MemberByteStream> stream,
    const ByteStreamOptions& options) {
  return std::make_unique<AheadStream>(std::move(stream), options);
}

uint64_t AheadBytes(int threads) {
  return kRingBytes + AheadMembers::BytesOf(threads);
}

}  // namespace twinset
