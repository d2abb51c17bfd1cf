// Records in a file that a join needs while it runs
// (docs/methods/complete.md).
#ifndef TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SLICE_FILE_H_
#define TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SLICE_FILE_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/file.h"
#include "store/run_file.h"

namespace twinset {

// Where slices are kept: files DIRECTORY/NAME-N.run, removed when they are
// done with.
struct SliceOptions {
  std::string directory, name;
  uint64_t parameters_hash = 0;
};

// How many files, a power of two, a share of the memory has blocks for, when so
// many threads have files open.
inline size_t MostSliceFiles(uint64_t memory_bytes, int threads) {
  constexpr uint64_t kMost = 256;  // the usual limit of a process is 1024
  const auto sharing = static_cast<uint64_t>(threads);
  return std::bit_floor(
      std::clamp<uint64_t>(memory_bytes / kRunBlockBytes, 2,
                           std::max<uint64_t>(2, kMost / sharing)));
}

// Written once, then read as often as needed. Removes the file at the end.
template <typename T>
class SliceFile {
 public:
  static Result<SliceFile> Create(const SliceOptions& options,
                                  const std::string& number) {
    std::string path =
        options.directory + "/" + options.name + "-" + number + ".run";
    auto writer = RunWriter<T>::Create(path, options.parameters_hash);
    if (!writer) {
      (void)RemoveFile(path);  // it may have been made
      return tl::unexpected(writer.error());
    }
    return SliceFile(std::move(path), options.parameters_hash,
                     std::move(*writer));
  }
  SliceFile(SliceFile&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        hash_(other.hash_),
        count_(other.count_),
        writer_(std::move(other.writer_)) {}
  SliceFile& operator=(SliceFile&&) = delete;
  // A file that cannot be removed here goes with its folder; there is nobody to
  // tell.
  ~SliceFile() {
    if (!path_.empty()) (void)RemoveFile(path_);
  }

  Status Append(const T& record) { return writer_->Append(record); }
  Status Append(std::span<const T> records) { return writer_->Append(records); }
  Status Finish() {
    TWINSET_TRY(writer_->Finish(/*sync=*/false));
    count_ = writer_->count();
    writer_.reset();
    return {};
  }

  // For a finished file.
  uint64_t count() const { return count_; }
  const std::string& path() const { return path_; }
  Result<RunReader<T>> Open() const {
    TWINSET_ASSIGN(auto reader, RunReader<T>::Open(path_, hash_));
    if (reader.count() != count_)
      return Fail(ErrorCode::kCorrupt, "is not the slice that was written",
                  path_);
    return reader;
  }
  // At most as many records as there is room for, from where the reader is; how
  // many there were.
  static Result<size_t> Read(RunReader<T>* reader, std::span<T> records) {
    size_t read = 0;
    for (; read < records.size(); ++read) {
      TWINSET_ASSIGN(const bool more, reader->Next(&records[read]));
      if (!more) break;
    }
    return read;
  }

 private:
  SliceFile(std::string path, uint64_t hash, RunWriter<T> writer)
      : path_(std::move(path)), hash_(hash), writer_(std::move(writer)) {}
  std::string path_;
  uint64_t hash_ = 0, count_ = 0;
  std::optional<RunWriter<T>> writer_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_CANDIDATE_COMPLETE_SLICE_FILE_H_
