// Raw bytes as they lie on disk or come through a pipe, below any
// decompression.
#ifndef TWINSET_SRC_STAGES_READ_BYTE_SOURCE_H_
#define TWINSET_SRC_STAGES_READ_BYTE_SOURCE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes; 0 only at the end.
  virtual Result<size_t> Read(char* to, size_t size) = 0;
  // Returns true iff Seek works (regular files and memory, not pipes).
  virtual bool seekable() const = 0;
  virtual Status Seek(uint64_t offset) = 0;
  // Exactly `size` bytes from `offset` on, if it is seekable. Any thread.
  virtual Status ReadAt(uint64_t /*offset*/, char* /*to*/,
                        size_t /*size*/) const {
    return Fail(ErrorCode::kIo, "a pipe cannot be sought");
  }
  // Where its end is, if it is seekable.
  virtual Result<uint64_t> Size() const {
    return Fail(ErrorCode::kIo, "a pipe has no size");
  }
};

// "-": standard input. Read is kInterrupted once `stop` is set, also while a
// pipe has nothing to say. `once`: what was read of a file leaves the page
// cache.
Result<std::unique_ptr<ByteSource>> OpenByteSource(
    const std::string& path, const std::atomic<bool>* stop = nullptr,
    bool once = false);
// The same of an input, which may be remote.
struct InputFile;
Result<std::unique_ptr<ByteSource>> OpenByteSource(
    const InputFile& input, const std::atomic<bool>* stop, bool once);
std::unique_ptr<ByteSource> ByteSourceFromMemory(std::string bytes);

// A buffer of unread bytes that can grow at its end. Amortised O(1) a byte
// however it is used.
class ByteBuffer {
 public:
  std::string_view unread() const {
    return {data_.get() + begin_, end_ - begin_};
  }
  size_t size() const { return end_ - begin_; }
  void Consume(size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }
  // Room for at least `room` more bytes behind the unread ones. Invalidates
  // views.
  char* Room(size_t room);
  // Room for at least `step` more bytes on the way to `want` unread ones, at
  // most twice what is there: a reader that asks for much gets memory only as
  // bytes arrive.
  void GrowTowards(size_t want, size_t step) {
    const size_t missing = want > size() ? want - size() : 0;
    Room(missing <= size() + step ? (missing > step ? missing : step)
                                  : size() + step);
  }
  size_t room() const { return capacity_ - end_; }
  void Commit(size_t n) { end_ += n; }
  // Takes back the last n unread bytes.
  void Retract(size_t n) { end_ -= n; }

 private:
  std::unique_ptr<char[]> data_;
  size_t capacity_ = 0, begin_ = 0, end_ = 0;
};

// A window over a source that can go back: any distance if the source is
// seekable, else as far as the last kHistory bytes. Memory: kCapacity.
class SourceWindow {
 public:
  static constexpr size_t kCapacity = 1 << 20;
  static constexpr size_t kHistory = 384 << 10;
  static constexpr size_t kLookahead = 256 << 10;

  explicit SourceWindow(std::unique_ptr<ByteSource> source);

  std::string_view unread() const {
    return {data_.get() + begin_, end_ - begin_};
  }
  uint64_t position() const { return base_ + begin_; }
  // Returns true iff Rewind reaches every position.
  bool seekable() const { return source_->seekable(); }
  bool at_eof() const { return eof_ && begin_ == end_; }
  const ByteSource& source() const { return *source_; }
  void Consume(size_t n) { begin_ += n; }

  // Reads once more from the source; false at its end. Unread bytes must be
  // below kLookahead.
  Result<bool> Fill();
  // Fills until `n` <= kLookahead bytes are unread or the source ends.
  Status Require(size_t n);
  // Up to `size` bytes behind those of the window, all of which are consumed,
  // past it; 0 only at the end. Rewind cannot go back over them.
  Result<size_t> ReadPast(char* to, size_t size) {
    return source_->Read(to, size);
  }
  // Goes to an earlier position, or as near to it as the history allows.
  Status Rewind(uint64_t position);

 private:
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<char[]> data_;
  size_t begin_ = 0, end_ = 0;
  uint64_t base_ = 0;  // source position of data_[0]
  bool eof_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_BYTE_SOURCE_H_
