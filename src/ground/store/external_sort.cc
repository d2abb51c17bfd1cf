#include "store/external_sort.h"

#include <algorithm>

namespace twinset {

RawSorter::RawSorter(ExternalSortOptions options, MemoryBudget* budget,
                     size_t record_bytes)
    : options_(std::move(options)),
      reservation_(budget->ReserveUpTo(
          std::max(options_.memory_bytes, kExternalSortMinimumBytes),
          kExternalSortMinimumBytes)),
      record_bytes_(record_bytes) {}

// A run that cannot be removed here goes with its folder; there is nobody to
// tell.
RawSorter::~RawSorter() {
  for (const std::string& path : runs_) (void)RemoveFile(path);
}

size_t RawSorter::FanIn(uint64_t bytes) const {
  const uint64_t each =
      kRunBlockBytes + sizeof(Source) + record_bytes_ + sizeof(size_t) + 256;
  return std::clamp<uint64_t>(bytes / each, 2, kMaxFanIn);
}

Status RawSorter::MakeRoom() {
  if (finished_)
    return Fail(ErrorCode::kInternal, "record added to a finished sort");
  if (!reservation_.ok())
    return Fail(ErrorCode::kInternal, "record added to a moved-from sort");
  if (size_ > 0) {
    SortBuffer();
    // Enough equal records are gone to sort the rest again with what comes.
    return size_ <= Capacity() / 2 ? Status() : Spill();
  }
  TWINSET_ASSIGN(buffer_, LazyBuffer::Map(Capacity() * record_bytes_));
  room_ = Capacity();
  return {};
}

Result<bool> RawSorter::NextBlock(Source* source) {
  size_t bytes = 0;
  TWINSET_ASSIGN(const void* block, source->reader->NextBlock(&bytes));
  if (block == nullptr) {
    source->reader.reset();
    return false;
  }
  source->next = static_cast<const char*>(block);
  source->end = source->next + bytes;
  return true;
}

// Opens the `count` oldest runs for merging.
Status RawSorter::OpenRuns(size_t count) {
  CloseSources();
  sources_.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    TWINSET_ASSIGN(
        auto reader,
        RawRunReader::Open(runs_[i], static_cast<uint32_t>(record_bytes_),
                           options_.parameters_hash));
    Source& source = sources_.emplace_back();
    source.reader.emplace(std::move(reader));
    TWINSET_ASSIGN(const bool more, NextBlock(&source));
    if (!more) sources_.pop_back();
  }
  BeginMerge();
  return {};
}

void RawSorter::CloseSources() {
  sources_.clear();
  EndMerge();
}

// Makes one more run of what `append` gives its writer. A failed one leaves no
// file.
Status RawSorter::WriteRun(const std::function<Status(RawRunWriter*)>& append) {
  const std::string path = options_.directory + "/" + options_.name + "-" +
                           std::to_string(runs_created_++) + ".run";
  const auto write = [&]() -> Status {
    TWINSET_ASSIGN(auto writer, RawRunWriter::Create(
                                    path, static_cast<uint32_t>(record_bytes_),
                                    options_.parameters_hash));
    TWINSET_TRY(append(&writer));
    return writer.Finish(/*sync=*/false);
  };
  runs_.push_back(path);
  Status written = write();
  if (!written) {
    (void)RemoveFile(path);  // `written` says what is wrong
    runs_.pop_back();
  }
  return written;
}

// Writes the buffer, which is sorted.
Status RawSorter::Spill() {
  TWINSET_TRY(WriteRun([&](RawRunWriter* writer) {
    return writer->AppendMany(buffer_.data(), size_);
  }));
  size_ = 0;
  return {};
}

// Replaces the `count` oldest runs by their merge, which becomes the youngest.
Status RawSorter::MergePass(size_t count) {
  TWINSET_TRY(OpenRuns(count));
  const Status written =
      WriteRun([&](RawRunWriter* writer) { return MergeInto(writer); });
  CloseSources();
  TWINSET_TRY(written);
  return RemoveRuns(count);
}

Status RawSorter::RemoveRuns(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    TWINSET_TRY(RemoveFile(runs_[i]));
  }
  runs_.erase(runs_.begin(),
              runs_.begin() + static_cast<std::ptrdiff_t>(count));
  return {};
}

Status RawSorter::Finish() {
  if (finished_) return Fail(ErrorCode::kInternal, "sort finished twice");
  Tell();
  SortBuffer();
  if (runs_.empty()) {
    next_ = 0;
    ready_ = size_;
  } else {
    if (size_ > 0) TWINSET_TRY(Spill());
    buffer_.Reset();  // the readers take its place
    room_ = 0;
    // A pass that writes has one block less for reading. Each takes just as
    // many runs as bring the rest down to one final merge.
    const size_t final_runs = FanIn(reservation_.bytes());
    const size_t pass_runs = FanIn(reservation_.bytes() - kRunBlockBytes);
    while (runs_.size() > final_runs) {
      TWINSET_TRY(
          MergePass(std::min(pass_runs, runs_.size() - final_runs + 1)));
    }
    TWINSET_TRY(OpenRuns(runs_.size()));
  }
  finished_ = true;
  room_ = size_;  // a further Add fails
  return {};
}

Error RawSorter::NotFinished() {
  return {ErrorCode::kInternal, "sort read before it was finished"};
}

Status RawSorter::GiveBack() {
  CloseSources();
  buffer_.Reset();
  size_ = room_ = next_ = ready_ = 0;
  reservation_.Reset();
  return RemoveRuns(runs_.size());
}

}  // namespace twinset
