#include "read/bundle/zip_bytes.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/bytes.h"

namespace twinset {

namespace {

// A part of a file that can be sought, as a gzip member.
class AsGzip : public ByteSource {
 public:
  AsGzip(ByteSource* file, uint64_t begin, const ZipFile& entry)
      : file_(file),
        at_(begin),
        left_(entry.packed),
        is_stored_(entry.method == 0) {
    ready_.assign("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    AppendLE(&trailer_, entry.crc);
    AppendLE(&trailer_, static_cast<uint32_t>(entry.size));
    if (is_stored_ && left_ == 0) ready_.append("\1\0\0\xff\xff", 5);
  }

  Result<size_t> Read(char* to, size_t size) override {
    if (done_ == ready_.size() && left_ == 0) {
      ready_ = std::exchange(trailer_, {});
      done_ = 0;
    }
    if (done_ == ready_.size() && is_stored_ && left_ > 0 && block_ == 0)
      BeginBlock();
    if (done_ < ready_.size()) {
      const size_t n = std::min(size, ready_.size() - done_);
      std::memcpy(to, ready_.data() + done_, n);
      done_ += n;
      return n;
    }
    const uint64_t most = is_stored_ ? block_ : left_;
    if (most == 0) return size_t{0};
    TWINSET_TRY(file_->Seek(at_));
    TWINSET_ASSIGN(
        const size_t n,
        file_->Read(to, static_cast<size_t>(std::min<uint64_t>(size, most))));
    at_ += n;
    left_ = n == 0 ? 0 : left_ - n;
    block_ -= is_stored_ ? n : 0;
    if (n == 0) trailer_.clear();  // the file ends first
    return n;
  }
  bool seekable() const override { return false; }
  Status Seek(uint64_t) override {
    return Fail(ErrorCode::kIo, "a member of an archive cannot be sought");
  }

 private:
  // The head of a stored block of DEFLATE (RFC 1951, 3.2.4).
  void BeginBlock() {
    block_ = std::min<uint64_t>(left_, 0xffff);
    ready_.assign(1, block_ == left_ ? '\1' : '\0');
    AppendLE(&ready_, static_cast<uint16_t>(block_));
    AppendLE(&ready_, static_cast<uint16_t>(~block_));
    done_ = 0;
  }

  ByteSource* const file_;
  uint64_t at_, left_;
  const bool is_stored_;
  uint64_t block_ = 0;  // left of a stored one
  std::string ready_, trailer_;
  size_t done_ = 0;  // of ready_
};

// A part of a file, for methods with checksums of their own.
class Part : public ByteSource {
 public:
  Part(ByteSource* file, uint64_t begin, uint64_t size)
      : file_(file), at_(begin), left_(size) {}
  Result<size_t> Read(char* to, size_t size) override {
    if (left_ == 0) return size_t{0};
    TWINSET_TRY(file_->Seek(at_));
    TWINSET_ASSIGN(
        const size_t n,
        file_->Read(to, static_cast<size_t>(std::min<uint64_t>(size, left_))));
    at_ += n;
    left_ = n == 0 ? 0 : left_ - n;
    return n;
  }
  bool seekable() const override { return false; }
  Status Seek(uint64_t) override {
    return Fail(ErrorCode::kIo, "a member of an archive cannot be sought");
  }

 private:
  ByteSource* const file_;
  uint64_t at_, left_;
};

}  // namespace

Compression CompressionOfZip(uint16_t method) {
  switch (method) {
    case 0:
    case 8:
      return Compression::kGzip;  // AsGzip
    case 12:
      return Compression::kBzip2;
    case 93:
      return Compression::kZstd;
    case 95:
      return Compression::kXz;
    default:
      return Compression::kNone;
  }
}

std::unique_ptr<ByteSource> ZipBytes(ByteSource* archive, uint64_t begin,
                                     const ZipFile& entry) {
  if (CompressionOfZip(entry.method) == Compression::kGzip)
    return std::make_unique<AsGzip>(archive, begin, entry);
  return std::make_unique<Part>(archive, begin, entry.packed);
}

}  // namespace twinset
