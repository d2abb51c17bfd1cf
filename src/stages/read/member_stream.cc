#include "read/member_stream.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "read/ahead_members.h"

namespace twinset {
namespace {

constexpr size_t kStep = 64 << 10;         // output decoded at once
constexpr size_t kProbeOutput = 16 << 10;  // what a candidate member must yield
constexpr uint64_t kRatioFrom = 1 << 20;
constexpr uint64_t kQuickSlackBytes = 1 << 10;
constexpr uint64_t kRewindFactor = 8, kRewindFree = 16 << 20;

class MemberStream : public MemberByteStream {
 public:
  MemberStream(SourceWindow window, Compression compression,
               const ByteStreamOptions& options)
      : window_(std::move(window)),
        compression_(compression),
        options_(options),
        codec_(MakeCodec(compression, options.max_window_bytes, &dictionary_)) {
    if (options.quick && compression == Compression::kGzip &&
        window_.seekable())
      quick_ = MakeQuickCodec(DeflateFraming::kGzip);
  }

  Result<std::string_view> Peek(size_t want) override {
    while (out_.size() - unsure() < want && !fault_ && state_ != State::kDone) {
      if (out_.room() < kStep) {
        out_.GrowTowards(want + unsure(), kStep);
      }
      TWINSET_TRY(Produce());
    }
    return out_.unread().substr(0, out_.size() - unsure());
  }
  uint64_t compressed_offset() const override { return window_.position(); }
  Compression compression() const override { return compression_; }
  void SetMaxRatio(uint64_t max_ratio) override {
    options_.max_ratio = max_ratio;
  }
  std::vector<WholeMember> TakeWhole() override {
    return std::exchange(noticed_, {});
  }
  void DecodeAhead() override {
    // What has no end mark is one member.
    if (compression_ != Compression::kLzw)
      ahead_ = std::make_unique<AheadMembers>(&window_.source(), compression_,
                                              window_.position(), options_);
  }

 private:
  // Members that need a dictionary cannot be copied without it.
  void NoteWhole() {
    if (dictionary_.get() != nullptr) return;
    const WholeMember member = {member_offset_, end_offset(), member_position_,
                                window_.position()};
    whole_.Add(member);
    if (options_.ahead_threads > 0) noticed_.push_back(member);
  }

  enum class State { kBetween, kMember, kDone };

  // The last bytes of out_, which are not shown yet: those of a member that may
  // turn out damaged, of which the quick decoder gives too many.
  size_t unsure() const {
    if (!is_quick_ || state_ != State::kMember) return 0;
    return static_cast<size_t>(
        std::min<uint64_t>({member_out_, kMostUnsureBytes, out_.size()}));
  }

  Status Produce() {
    TWINSET_TRY(CheckStop(options_.stop));
    return state_ == State::kBetween ? BeginMember() : DecodeStep();
  }

  // Zeros between members are padding; anything else that is no member is
  // damage.
  Status BeginMember() {
    for (;;) {
      const std::string_view view = window_.unread();
      const size_t zeros = std::min(view.find_first_not_of('\0'), view.size());
      window_.Consume(zeros);
      if (zeros < view.size()) break;
      TWINSET_ASSIGN(const bool more, window_.Fill());
      if (!more) {
        state_ = State::kDone;
        return {};
      }
    }
    TWINSET_TRY(window_.Require(kMagicBytes));
    member_offset_ = end_offset();
    if (!BeginsMember(compression_, window_.unread())) return SkipJunk();
    member_position_ = window_.position();
    member_out_ = 0;
    state_ = State::kMember;
    if (ahead_ && options_.max_ratio == 0 && dictionary_.get() == nullptr)
      given_ = ahead_->Take(member_position_);
    is_quick_ = !given_ && quick_ != nullptr && quick_->Reset();
    return is_quick_ || given_ ? Status() : ResetCodec();
  }

  Status ResetCodec() {
    if (codec_->Reset()) return {};
    return Fail(ErrorCode::kMemory, "cannot allocate a decompressor");
  }

  // Decodes the member once more by the definition: the quick decoder says only
  // that something is wrong with it. What readers took stays taken.
  Status DecodeAgain() {
    const uint64_t taken = std::max(offset_, member_offset_) - member_offset_;
    out_.Retract(end_offset() - std::max(offset_, member_offset_));
    skipped_ = taken;
    member_out_ = 0;
    is_quick_ = false;
    TWINSET_TRY(window_.Rewind(member_position_));
    return ResetCodec();
  }

  Status SkipJunk() {
    const uint64_t begin = window_.position();
    TWINSET_ASSIGN(const bool found, Search());
    const bool trailing = !found && members_ > 0;
    fault_ =
        StreamFault{trailing ? StreamFault::kTrailingJunk : StreamFault::kData,
                    begin, member_offset_,
                    std::to_string(window_.position() - begin) +
                        (trailing ? " bytes behind the last member"
                                  : " bytes that do not begin a member")};
    return {};
  }

  // Hands on a step of a member that was decoded ahead, and passes it in the
  // source behind the last one.
  Status GiveStep() {
    const std::string_view left = std::string_view(given_->bytes)
                                      .substr(static_cast<size_t>(member_out_));
    const size_t n = std::min(left.size(), kStep);
    std::copy_n(left.begin(), n, out_.Room(kStep));
    out_.Commit(n);
    member_out_ += n;
    if (n < left.size()) return {};
    while (window_.position() < given_->end) {
      const uint64_t size = given_->end - window_.position();
      window_.Consume(static_cast<size_t>(
          std::min<uint64_t>(size, window_.unread().size())));
      if (window_.position() == given_->end) break;
      TWINSET_ASSIGN(const bool more, window_.Fill());
      if (!more) break;  // the file was cut: that is noticed behind its end
    }
    given_.reset();
    EndMember();
    return {};
  }

  void EndMember() {
    ++members_;
    NoteWhole();
    state_ = State::kBetween;
  }

  Status DecodeStep() {
    if (given_) return GiveStep();
    char* out = out_.Room(1);
    const size_t room =
        std::min<size_t>(out_.room(), kStep - member_out_ % kStep);
    Codec& codec = is_quick_ ? *quick_ : *codec_;
    Codec::Step step = codec.Decode(window_.unread(), out, room);
    window_.Consume(step.consumed);
    out_.Commit(step.produced);
    member_out_ += step.produced;
    if (skipped_ > 0) {  // then out_ holds nothing else
      const uint64_t again = std::min<uint64_t>(skipped_, step.produced);
      out_.Consume(again);
      skipped_ -= again;
    }
    if (is_quick_ && step.state == Codec::State::kBadData) return DecodeAgain();
    switch (step.state) {
      case Codec::State::kEnd:
        EndMember();
        return {};
      case Codec::State::kBadData:
        return Damage(StreamFault::kData, std::move(step.detail));
      case Codec::State::kBadChecksum:
        return ChecksumDamage(step);
      case Codec::State::kMore:
        break;
    }
    if (TooDense()) {
      if (is_quick_) return DecodeAgain();
      return Damage(StreamFault::kRatio,
                    "more than " + std::to_string(options_.max_ratio) +
                        " times the compressed size");
    }
    if (step.produced > 0 || step.consumed > 0) return {};
    TWINSET_ASSIGN(const bool more, window_.Fill());
    if (more) return {};
    if (is_quick_) return DecodeAgain();
    if (codec_->MayEnd()) {
      ++members_;
      state_ = State::kDone;
      return {};
    }
    return Damage(StreamFault::kTruncated, "the source ends inside a member");
  }

  // The quick decoder may have read some bytes more or less.
  bool TooDense() const {
    const uint64_t in = window_.position() - member_position_;
    const uint64_t slack = is_quick_ ? kQuickSlackBytes : 0;
    return options_.max_ratio > 0 && member_out_ > kRatioFrom &&
           member_out_ % kStep == 0 &&
           member_out_ / options_.max_ratio + slack > in;
  }

  // A wrong checksum right in front of a next member, or of the end, leaves the
  // framing intact.
  Status ChecksumDamage(const Codec::Step& step) {
    const uint64_t noticed = window_.position();
    TWINSET_TRY(window_.Require(step.rest + kMagicBytes));
    const std::string_view view = window_.unread();
    if (step.at_end && view.size() >= step.rest) {
      const std::string_view behind = view.substr(step.rest);
      if (behind.empty() || (behind.size() >= kMagicBytes &&
                             BeginsMember(compression_, behind))) {
        window_.Consume(step.rest);
        fault_ = StreamFault{StreamFault::kChecksum, noticed, member_offset_,
                             step.detail};
        ++members_;
        state_ = State::kBetween;
        return {};
      }
    }
    return Damage(StreamFault::kChecksum, step.detail);
  }

  // Notes the fault and goes to the next member that can be found.
  Status Damage(StreamFault::Kind kind, std::string detail) {
    const uint64_t noticed = window_.position();
    ++members_;
    if (kind != StreamFault::kRatio) {
      const uint64_t back = noticed - (member_position_ + 1);
      furthest_ = std::max(furthest_, noticed);
      if (noticed > member_position_ &&
          rewound_ + back <= kRewindFactor * furthest_ + kRewindFree) {
        rewound_ += back;
        TWINSET_TRY(window_.Rewind(member_position_ + 1));
      }
      // A decoder may refuse a member without having consumed any of it.
      if (window_.position() == member_position_) window_.Consume(1);
    }
    TWINSET_ASSIGN(const bool found, Search());
    if (kind == StreamFault::kTruncated && found) {
      kind = StreamFault::kData;
      detail = "the member runs over others to the end of the source";
    }
    fault_ = StreamFault{kind, noticed, member_offset_, std::move(detail)};
    return {};
  }

  // Moves to the next position at which a member decodes; false at the end of
  // the source.
  Result<bool> Search() {
    state_ = State::kBetween;
    for (;;) {
      TWINSET_TRY(window_.Require(kMagicBytes));
      const std::string_view view = window_.unread();
      const size_t at = FindMember(compression_, view);
      if (at == std::string_view::npos) {
        // A magic may begin in the last bytes, unless the source ends there.
        const size_t keep = std::min(view.size(), kMagicBytes - 1);
        window_.Consume(view.size() - keep);
        TWINSET_ASSIGN(const bool more, window_.Fill());
        if (more) continue;
        window_.Consume(window_.unread().size());
        state_ = State::kDone;
        return false;
      }
      window_.Consume(at);
      TWINSET_ASSIGN(const bool good, Probe());
      if (good) return true;
      window_.Consume(1);
    }
  }

  // Returns true iff the member at the window's position decodes: to its end,
  // or kProbeOutput bytes of it, or all that the lookahead holds, or at least
  // something in front of the end.
  Result<bool> Probe() {
    if (!probe_) {
      probe_ = MakeCodec(compression_, options_.max_window_bytes, &dictionary_);
      scratch_.reset(new char[kProbeOutput]);
    }
    if (!probe_->Reset()) {
      return Fail(ErrorCode::kMemory, "cannot allocate a decompressor");
    }
    size_t taken = 0, produced = 0;
    for (;;) {
      const Codec::Step step =
          probe_->Decode(window_.unread().substr(taken), scratch_.get(),
                         kProbeOutput - produced);
      taken += step.consumed;
      produced += step.produced;
      if (step.state == Codec::State::kEnd) return true;
      if (step.state != Codec::State::kMore) return false;
      if (produced >= kProbeOutput) return true;
      if (step.consumed > 0 || step.produced > 0) continue;
      if (window_.unread().size() >= SourceWindow::kLookahead) return true;
      TWINSET_ASSIGN(const bool more, window_.Fill());
      if (!more) return produced > 0;
    }
  }

  SourceWindow window_;
  const Compression compression_;
  ByteStreamOptions options_;
  ZstdDictionary dictionary_;
  std::unique_ptr<Codec> codec_, probe_;
  std::unique_ptr<Codec> quick_;  // if there is one
  bool is_quick_ = false;         // decodes this member
  uint64_t skipped_ = 0;  // bytes of this member that were delivered before it
                          // was decoded again, and come once more
  std::unique_ptr<char[]> scratch_;
  State state_ = State::kBetween;
  uint64_t members_ = 0;  // begun so far
  uint64_t member_position_ =
      0;  // compressed position of the member's first byte
  uint64_t member_offset_ = 0;  // its stream offset
  uint64_t member_out_ = 0;     // bytes it has yielded
  uint64_t rewound_ = 0, furthest_ = 0;
  std::vector<WholeMember> noticed_;
  std::optional<AheadMembers::Member> given_;  // this member, decoded ahead
  // Uses the window's source.
  std::unique_ptr<AheadMembers> ahead_;
};

}  // namespace

std::unique_ptr<ByteStream> MakeMemberStream(SourceWindow window,
                                             Compression compression,
                                             const ByteStreamOptions& options) {
  const bool is_ahead = options.ahead_threads > 0 && window.seekable();
  auto stream =
      std::make_unique<MemberStream>(std::move(window), compression, options);
  if (is_ahead) return MakeAheadStream(std::move(stream), options);
  return stream;
}

}  // namespace twinset
