#include "read/bundle/member_bytes.h"

#include <algorithm>
#include <utility>

#include "read/codec.h"
#include "read/member_stream.h"
#include "read/record_base.h"

namespace twinset {

namespace {

class MemberSlice : public ByteStream {
 public:
  MemberSlice(ByteStream* archive, std::shared_ptr<MemberState> state)
      : archive_(archive),
        state_(std::move(state)),
        begin_(archive->offset()) {}

  Result<std::string_view> Peek(size_t want) override {
    if (state_->is_lost) return std::string_view();
    const uint64_t most = std::min<uint64_t>(want, state_->left);
    if (most == 0) return std::string_view();
    // As far as readers of rows look for damage behind what they take.
    const size_t ahead = std::max(static_cast<size_t>(most), kHoldBack);
    TWINSET_ASSIGN(const std::string_view view, archive_->Peek(ahead));
    const std::string_view own = view.substr(
        0, static_cast<size_t>(std::min<uint64_t>(view.size(), state_->left)));
    if (view.size() < ahead && !fault_) Look(own.size(), own.size() < most);
    return own;
  }
  void Consume(size_t n) override {
    archive_->Consume(n);
    state_->left -= n;
    unread_ -= std::min(unread_, n);
  }
  bool AtGap() const override { return fault_ && unread_ == 0; }
  StreamFault TakeFault() override {
    if (is_broken_) {
      state_->is_lost = true;
      if (archive_->AtGap()) archive_->TakeFault();
    }
    StreamFault fault = *std::move(fault_);
    fault_.reset();
    return fault;
  }
  const StreamFault* UpcomingFault() const override {
    return fault_ ? &*fault_ : nullptr;
  }
  uint64_t offset() const override { return archive_->offset() - begin_; }
  uint64_t compressed_offset() const override {
    return archive_->compressed_offset();
  }
  Compression compression() const override { return Compression::kNone; }

 private:
  // `unread` bytes of the member are left in front of a gap or the end of the
  // archive, which `is_broken` says is inside the member. A gap behind it
  // matters when it makes the member doubtful.
  void Look(size_t unread, bool is_broken) {
    const StreamFault* fault = archive_->UpcomingFault();
    if (!is_broken && (fault == nullptr || unread < state_->left ||
                       !Poisons(*fault, archive_->offset() + unread)))
      return;
    is_broken_ = is_broken;
    unread_ = unread;
    if (fault == nullptr) {
      fault_ =
          StreamFault{StreamFault::kTruncated, archive_->compressed_offset(), 0,
                      "the archive ends inside a member"};
      return;
    }
    fault_ = *fault;
    fault_->member_begin -= std::min(fault_->member_begin, begin_);
  }

  ByteStream* const archive_;
  const std::shared_ptr<MemberState> state_;
  const uint64_t begin_;
  size_t unread_ = 0;       // in front of fault_
  bool is_broken_ = false;  // fault_ cuts the member
  std::optional<StreamFault> fault_;
};

// A stream as the source of a decompressor, up to its first gap.
class StreamSource : public ByteSource {
 public:
  StreamSource(std::unique_ptr<ByteStream> stream,
               std::shared_ptr<MemberState> state)
      : stream_(std::move(stream)), state_(std::move(state)) {}

  Result<size_t> Read(char* to, size_t size) override {
    if (state_->untold) return size_t{0};
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(1));
    const size_t n = std::min(size, view.size());
    std::copy_n(view.data(), n, to);
    stream_->Consume(n);
    if (n == 0 && stream_->AtGap()) state_->untold = stream_->TakeFault();
    return n;
  }
  bool seekable() const override { return false; }
  Status Seek(uint64_t) override {
    return Fail(ErrorCode::kIo, "a member of an archive cannot be sought");
  }

 private:
  const std::unique_ptr<ByteStream> stream_;
  const std::shared_ptr<MemberState> state_;
};

}  // namespace

std::unique_ptr<ByteStream> MemberOf(ByteStream* archive,
                                     std::shared_ptr<MemberState> state) {
  return std::make_unique<MemberSlice>(archive, std::move(state));
}

Result<std::unique_ptr<ByteStream>> Decompressed(
    std::unique_ptr<ByteStream> bytes, const std::string& name,
    std::shared_ptr<MemberState> state, const ByteStreamOptions& options) {
  constexpr size_t kDetectBytes = 64 << 10;
  TWINSET_ASSIGN(const std::string_view view, bytes->Peek(kDetectBytes));
  const Compression compression = DetectCompression(view, name);
  if (compression == Compression::kNone) return bytes;
  return MakeMemberStream(SourceWindow(std::make_unique<StreamSource>(
                              std::move(bytes), std::move(state))),
                          compression, options);
}

}  // namespace twinset
