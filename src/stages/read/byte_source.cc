#include "read/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/stop.h"
#include "read/table_helpers.h"

namespace twinset {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(File file, bool regular, const std::atomic<bool>* stop, bool once)
      : file_(std::move(file)),
        regular_(regular),
        seekable_(regular && file_.path() != "-"),
        once_(once && seekable_),
        stop_(stop) {}
  Result<size_t> Read(char* to, size_t size) override {
    constexpr int kWaitMs = 100;
    for (;;) {
      TWINSET_TRY(CheckStop(stop_));
      if (regular_ || stop_ == nullptr) break;
      pollfd waiting = {file_.fd(), POLLIN, 0};
      const int ready = poll(&waiting, 1, kWaitMs);
      if (ready > 0 || (ready < 0 && errno != EINTR)) break;
    }
    TWINSET_ASSIGN(const size_t n, file_.Read(to, size));
    at_ += n;
    if (once_ && (n == 0 || at_ - kept_ >= kKeptBytes)) Drop();
    return n;
  }
  bool seekable() const override { return seekable_; }
  Status Seek(uint64_t offset) override {
    TWINSET_TRY(file_.Seek(offset));
    at_ = kept_ = offset;
    return {};
  }
  Status ReadAt(uint64_t offset, char* to, size_t size) const override {
    return file_.ReadAt(offset, to, size);
  }
  Result<uint64_t> Size() const override {
    struct stat status = {};
    if (fstat(file_.fd(), &status) != 0)
      return tl::unexpected<Error>(IoError("look at", file_.path(), errno));
    return static_cast<uint64_t>(status.st_size);
  }

 private:
  static constexpr uint64_t kKeptBytes = 8 << 20;

  // Only advice: whether it was taken is nobody's concern.
  void Drop() {
    (void)::posix_fadvise(file_.fd(), static_cast<off_t>(kept_),
                          static_cast<off_t>(at_ - kept_), POSIX_FADV_DONTNEED);
    kept_ = at_;
  }

  File file_;
  uint64_t at_ = 0, kept_ = 0;  // what stands between is in the page cache
  const bool regular_;
  // Standard input may be a file that was already read in part: its position is
  // not ours.
  const bool seekable_;
  const bool once_;
  const std::atomic<bool>* const stop_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<size_t> Read(char* to, size_t size) override {
    const size_t n = std::min(size, bytes_.size() - position_);
    std::memcpy(to, bytes_.data() + position_, n);
    position_ += n;
    return n;
  }
  bool seekable() const override { return true; }
  Status Seek(uint64_t offset) override {
    position_ = static_cast<size_t>(std::min<uint64_t>(offset, bytes_.size()));
    return {};
  }
  Status ReadAt(uint64_t offset, char* to, size_t size) const override {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      return Fail(ErrorCode::kCorrupt, "the bytes end before");
    std::memcpy(to, bytes_.data() + offset, size);
    return {};
  }
  Result<uint64_t> Size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  size_t position_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenByteSource(
    const std::string& path, const std::atomic<bool>* stop, bool once) {
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  struct stat status = {};
  const bool regular =
      fstat(file.fd(), &status) == 0 && S_ISREG(status.st_mode);
  return std::make_unique<FileSource>(std::move(file), regular, stop, once);
}

Result<std::unique_ptr<ByteSource>> OpenByteSource(
    const InputFile& input, const std::atomic<bool>* stop, bool once) {
  return IsRemote(input.path) ? OpenRemoteSource(input, stop)
                              : OpenByteSource(input.path, stop, once);
}

std::unique_ptr<ByteSource> ByteSourceFromMemory(std::string bytes) {
  return std::make_unique<MemorySource>(std::move(bytes));
}

char* ByteBuffer::Room(size_t room) {
  const size_t unread = size();
  if (capacity_ - end_ < room) {
    // Moving pays only when at least as many bytes were consumed as are moved.
    if (begin_ >= unread && capacity_ - unread >= room) {
      std::memmove(data_.get(), data_.get() + begin_, unread);
    } else {
      const size_t capacity = std::max<size_t>(2 * unread, unread + room);
      std::unique_ptr<char[]> data(new char[capacity]);
      if (unread > 0) std::memcpy(data.get(), data_.get() + begin_, unread);
      data_ = std::move(data);
      capacity_ = capacity;
    }
    begin_ = 0;
    end_ = unread;
  }
  return data_.get() + end_;
}

SourceWindow::SourceWindow(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), data_(new char[kCapacity]) {}

Result<bool> SourceWindow::Fill() {
  if (eof_) return false;
  if (kCapacity - end_ < kLookahead) {
    const size_t keep = begin_ - std::min(begin_, kHistory);
    std::memmove(data_.get(), data_.get() + keep, end_ - keep);
    begin_ -= keep;
    end_ -= keep;
    base_ += keep;
  }
  TWINSET_ASSIGN(const size_t n,
                 source_->Read(data_.get() + end_,
                               std::min(kLookahead, kCapacity - end_)));
  end_ += n;
  eof_ = n == 0;
  return n > 0;
}

Status SourceWindow::Require(size_t n) {
  while (end_ - begin_ < n && !eof_) TWINSET_TRY(Fill());
  return {};
}

Status SourceWindow::Rewind(uint64_t position) {
  if (position >= base_) {
    begin_ = static_cast<size_t>(std::min<uint64_t>(position - base_, end_));
    return {};
  }
  if (!source_->seekable()) {
    begin_ = 0;
    return {};
  }
  TWINSET_TRY(source_->Seek(position));
  base_ = position;
  begin_ = end_ = 0;
  eof_ = false;
  return {};
}

}  // namespace twinset
