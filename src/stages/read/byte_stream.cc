#include "read/byte_stream.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "read/byte_source.h"
#include "read/codec.h"
#include "read/input_list.h"
#include "read/member_stream.h"

namespace twinset {
namespace {

constexpr size_t kPlainStep = 256 << 10;
constexpr size_t kDetectBytes = 64 << 10;

// Uncompressed bytes: what the detection has read, then the source itself.
class PlainStream : public ByteStream {
 public:
  PlainStream(SourceWindow window, const std::atomic<bool>* stop)
      : window_(std::move(window)), stop_(stop) {}

  Result<std::string_view> Peek(size_t want) override {
    while (buffer_.size() < want && !done_) {
      if (buffer_.room() < kPlainStep) buffer_.GrowTowards(want, kPlainStep);
      TWINSET_TRY(Fill());
    }
    return buffer_.unread();
  }
  void Consume(size_t n) override {
    offset_ += n;
    buffer_.Consume(n);
  }
  bool AtGap() const override { return false; }
  StreamFault TakeFault() override { return {}; }
  uint64_t offset() const override { return offset_; }
  uint64_t compressed_offset() const override { return offset_; }
  Compression compression() const override { return Compression::kNone; }

 private:
  Status Fill() {
    TWINSET_TRY(CheckStop(stop_));
    const std::string_view bytes = window_.unread();
    if (window_.at_eof()) {
      done_ = true;
      return {};
    }
    if (bytes.empty()) {
      TWINSET_ASSIGN(const size_t n,
                     window_.ReadPast(buffer_.Room(kPlainStep), kPlainStep));
      buffer_.Commit(n);
      done_ = n == 0;
      return {};
    }
    std::copy(bytes.begin(), bytes.end(), buffer_.Room(bytes.size()));
    buffer_.Commit(bytes.size());
    window_.Consume(bytes.size());
    return {};
  }

  SourceWindow window_;
  const std::atomic<bool>* const stop_;
  ByteBuffer buffer_;
  uint64_t offset_ = 0;
  bool done_ = false;
};

Result<std::unique_ptr<ByteStream>> Open(std::unique_ptr<ByteSource> source,
                                         const std::string& path,
                                         const ByteStreamOptions& options) {
  SourceWindow window(std::move(source));
  TWINSET_TRY(window.Require(kDetectBytes));
  const Compression compression = DetectCompression(window.unread(), path);
  if (compression == Compression::kNone) {
    return std::make_unique<PlainStream>(std::move(window), options.stop);
  }
  return MakeMemberStream(std::move(window), compression, options);
}

}  // namespace

Result<std::unique_ptr<ByteStream>> OpenByteStream(
    const std::string& path, const ByteStreamOptions& options) {
  TWINSET_ASSIGN(auto source, OpenByteSource(path, options.stop, options.once));
  return Open(std::move(source), path, options);
}

Result<std::unique_ptr<ByteStream>> OpenByteStream(
    const InputFile& input, const ByteStreamOptions& options) {
  TWINSET_ASSIGN(auto source,
                 OpenByteSource(input, options.stop, options.once));
  return Open(std::move(source), input.path, options);
}

std::unique_ptr<ByteStream> ByteStreamFromMemory(
    std::string bytes, const ByteStreamOptions& options) {
  // Reading from memory cannot fail.
  return std::move(Open(ByteSourceFromMemory(std::move(bytes)), "", options))
      .value();
}

}  // namespace twinset
