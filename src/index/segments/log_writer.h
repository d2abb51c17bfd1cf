// The part of the log that grows: frames as in a blob file, which a seal turns
// into one (docs/formats/index.md).
#ifndef TWINSET_SRC_INDEX_SEGMENTS_LOG_WRITER_H_
#define TWINSET_SRC_INDEX_SEGMENTS_LOG_WRITER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "twinset/error.h"

namespace twinset {

// What was found behind the whole frames of a log when it was opened.
struct LogTail {
  uint64_t frames = 0;
  uint64_t torn_bytes = 0;  // of a frame that was being written
};

using FrameSink =
    std::function<Status(uint64_t number, std::string_view record)>;

// Reads the frames of the log at `path` that are whole, in order, up to the
// first that is not. A log whose first `known_bytes` bytes hold less than whole
// frames is kCorrupt: these were acknowledged. `ends` becomes where each frame
// ends.
Result<LogTail> ReadLog(const std::string& path, uint64_t parameters_hash,
                        uint64_t known_bytes, const FrameSink& sink,
                        std::vector<uint64_t>* ends);

// Appends records. One thread at a time, but for Sync, which may run beside
// Append and Flush, and ReadOne, which may run beside other ReadOne.
class LogWriter {
 public:
  static Result<LogWriter> Create(const std::string& path,
                                  uint64_t parameters_hash);
  // Goes on behind the frames that ReadLog found; what is behind them goes.
  static Result<LogWriter> Continue(const std::string& path,
                                    uint64_t parameters_hash,
                                    std::vector<uint64_t> ends);

  // The same frames to be read only: the file stays as it is.
  static Result<LogWriter> View(const std::string& path,
                                std::vector<uint64_t> ends);

  // Buffers a record; Flush hands what is buffered to the system.
  void Append(std::string_view record);
  Status Flush();
  // Returns what syncs what was flushed before it is called, from any thread
  // and beside everything else, while it lives.
  std::shared_ptr<File> syncing() const { return synced_; }
  Status Sync();

  // The record number `number`, flushed or not.
  Status ReadOne(uint64_t number, std::string* record) const;
  uint64_t count() const { return ends_.size(); }
  uint64_t bytes() const;  // with what is buffered
  // Makes a blob file of the log.
  Status Seal();

 private:
  File file_;
  std::shared_ptr<File> synced_;  // the same file: read and synced
  uint64_t parameters_hash_ = 0;
  uint64_t flushed_bytes_ = 0;
  std::string buffer_;
  std::vector<uint64_t> ends_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_SEGMENTS_LOG_WRITER_H_
