#include "segments/log_writer.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/blob_file.h"
#include "store/blob_frame.h"
#include "store/file_header.h"

namespace twinset {

namespace {

constexpr uint64_t kStepBytes = 1 << 20;

// Reads a log front to back through one buffer.
class LogScan {
 public:
  LogScan(const File& file, uint64_t size) : file_(file), size_(size) {}

  // The bytes from `offset` on, `bytes` of them; empty where the file ends.
  Result<std::string_view> At(uint64_t offset, uint64_t bytes) {
    if (offset > size_ || size_ - offset < bytes) return std::string_view();
    if (offset < begin_ || offset + bytes > begin_ + buffer_.size()) {
      begin_ = offset;
      buffer_.resize(
          std::min(size_ - offset, std::max<uint64_t>(bytes, kStepBytes)));
      TWINSET_TRY(file_.ReadAt(begin_, buffer_.data(), buffer_.size()));
    }
    return std::string_view(buffer_).substr(offset - begin_, bytes);
  }

 private:
  const File& file_;
  const uint64_t size_;
  uint64_t begin_ = 0;
  std::string buffer_;
};

// The frame number `number` at `offset`; empty when it is not whole.
Result<std::string_view> WholeFrame(LogScan* scan, uint64_t number,
                                    uint64_t offset, const std::string& path) {
  TWINSET_ASSIGN(const std::string_view head, scan->At(offset, kBlobHeadBytes));
  if (head.empty()) return head;
  const auto length = LoadLE<uint32_t>(head.data() + 8);
  TWINSET_ASSIGN(const std::string_view frame,
                 scan->At(offset, kBlobFrameBytes + length));
  if (frame.empty() ||
      !CheckBlobFrame(frame.data(), number, length, offset, path))
    return std::string_view();
  return frame;
}

}  // namespace

Result<LogTail> ReadLog(const std::string& path, uint64_t parameters_hash,
                        uint64_t known_bytes, const FrameSink& sink,
                        std::vector<uint64_t>* ends) {
  TWINSET_ASSIGN(const File file, File::OpenRead(path));
  TWINSET_TRY(ReadFileHeader(file, BlobHeader(parameters_hash)));
  TWINSET_ASSIGN(const uint64_t size, file.Size());
  LogScan scan(file, size);
  LogTail tail;
  uint64_t offset = kFileHeaderBytes;
  for (;;) {
    TWINSET_ASSIGN(const std::string_view frame,
                   WholeFrame(&scan, tail.frames, offset, path));
    if (frame.empty()) break;
    TWINSET_TRY(
        sink(tail.frames,
             frame.substr(kBlobHeadBytes, frame.size() - kBlobFrameBytes)));
    offset += frame.size();
    ends->push_back(offset);
    ++tail.frames;
  }
  tail.torn_bytes = size - offset;
  if (offset < known_bytes) {
    return Fail(ErrorCode::kCorrupt,
                "the log is damaged: " + std::to_string(known_bytes) +
                    " bytes of it were acknowledged",
                PlaceInFile(path, offset),
                "bring the index back from a snapshot");
  }
  return tail;
}

Result<LogWriter> LogWriter::Create(const std::string& path,
                                    uint64_t parameters_hash) {
  TWINSET_ASSIGN(File file, File::Create(path));
  const auto header = EncodeFileHeader(BlobHeader(parameters_hash));
  TWINSET_TRY(file.Write({header.data(), header.size()}));
  TWINSET_TRY(file.Sync());
  TWINSET_TRY(
      SyncDirectory(std::filesystem::path(path).parent_path().string()));
  file = File();
  return Continue(path, parameters_hash, {});
}

Result<LogWriter> LogWriter::Continue(const std::string& path,
                                      uint64_t parameters_hash,
                                      std::vector<uint64_t> ends) {
  TWINSET_ASSIGN(LogWriter log, View(path, std::move(ends)));
  TWINSET_ASSIGN(log.file_, File::OpenReadWrite(path));
  log.parameters_hash_ = parameters_hash;
  TWINSET_TRY(log.file_.Truncate(log.flushed_bytes_));
  TWINSET_TRY(log.file_.Seek(log.flushed_bytes_));
  return log;
}

Result<LogWriter> LogWriter::View(const std::string& path,
                                  std::vector<uint64_t> ends) {
  LogWriter log;
  TWINSET_ASSIGN(File read, File::OpenRead(path));
  log.synced_ = std::make_shared<File>(std::move(read));
  log.flushed_bytes_ = ends.empty() ? kFileHeaderBytes : ends.back();
  log.ends_ = std::move(ends);
  return log;
}

uint64_t LogWriter::bytes() const { return flushed_bytes_ + buffer_.size(); }

void LogWriter::Append(std::string_view record) {
  const size_t begin = buffer_.size();
  AppendLE<uint64_t>(&buffer_, count());
  AppendSized(&buffer_, record);
  AppendLE<uint64_t>(&buffer_, Hash64(std::string_view(buffer_).substr(begin)));
  ends_.push_back(bytes());
}

Status LogWriter::Flush() {
  TWINSET_TRY(file_.Write(buffer_));
  flushed_bytes_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status LogWriter::Sync() { return synced_->Sync(); }

Status LogWriter::ReadOne(uint64_t number, std::string* record) const {
  const uint64_t begin = number == 0 ? kFileHeaderBytes : ends_[number - 1];
  const uint64_t bytes = ends_[number] - begin;
  record->resize(bytes);
  if (begin >= flushed_bytes_) {
    record->assign(buffer_, begin - flushed_bytes_, bytes);
  } else {
    TWINSET_TRY(synced_->ReadAt(begin, record->data(), bytes));
  }
  TWINSET_TRY(CheckBlobFrame(record->data(), number,
                             static_cast<uint32_t>(bytes - kBlobFrameBytes),
                             begin, synced_->path()));
  record->erase(0, kBlobHeadBytes);
  record->resize(bytes - kBlobFrameBytes);
  return {};
}

Status LogWriter::Seal() {
  TWINSET_TRY(Flush());
  return BlobWriter::Seal(std::move(file_), parameters_hash_, ends_);
}

}  // namespace twinset
