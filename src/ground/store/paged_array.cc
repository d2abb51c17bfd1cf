#include "store/paged_array.h"

#include <algorithm>
#include <limits>

namespace twinset {

Result<RawPagedArray> RawPagedArray::Create(const std::string& path,
                                            uint64_t count,
                                            uint32_t element_bytes,
                                            uint64_t memory_bytes,
                                            MemoryBudget* budget) {
  if (element_bytes == 0 || element_bytes > kPageBytes) {
    return Fail(ErrorCode::kInternal,
                "an array cannot hold elements of " +
                    std::to_string(element_bytes) + " bytes",
                path);
  }
  RawPagedArray array;
  array.count_ = count;
  array.element_bytes_ = element_bytes;
  array.per_page_ = kPageBytes / element_bytes;
  const uint64_t pages =
      count / array.per_page_ + (count % array.per_page_ != 0);
  if (pages > std::numeric_limits<uint64_t>::max() / kPageBytes / 2) {
    return Fail(
        ErrorCode::kInternal,
        "an array of " + std::to_string(count) + " elements is too large",
        path);
  }
  // The cache never needs less than the minimum, so neither does the array in
  // memory.
  const uint64_t total = count * element_bytes;
  const uint64_t table = pages * sizeof(uint32_t);
  constexpr uint64_t kFrameCost = kPageBytes + sizeof(Frame);
  const uint64_t minimum = kMinimumFrames * kFrameCost + table;
  if (total <= minimum) {
    array.reservation_ = budget->ReserveUpTo(total, total);
  } else if (total <= memory_bytes && total <= budget->limit_bytes()) {
    array.reservation_ = budget->TryReserve(total);
  }
  if (array.reservation_.ok()) {
    TWINSET_ASSIGN(array.memory_, LazyBuffer::Map(total));
    return array;
  }
  array.reservation_ = budget->ReserveUpTo(memory_bytes, minimum);
  const uint64_t frames = std::min<uint64_t>(
      {pages, (array.reservation_.bytes() - table) / kFrameCost,
       std::numeric_limits<uint32_t>::max() - 2});
  TWINSET_ASSIGN(array.memory_, LazyBuffer::Map(frames * kPageBytes));
  array.frames_.resize(frames);
  array.page_table_.resize(pages);
  TWINSET_ASSIGN(array.file_, File::Create(path));
  array.path_ = path;
  return array;
}

RawPagedArray& RawPagedArray::operator=(RawPagedArray&& other) noexcept {
  std::swap(count_, other.count_);
  std::swap(element_bytes_, other.element_bytes_);
  std::swap(per_page_, other.per_page_);
  std::swap(reservation_, other.reservation_);
  std::swap(memory_, other.memory_);
  std::swap(frames_, other.frames_);
  std::swap(page_table_, other.page_table_);
  std::swap(hand_, other.hand_);
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

// A file that cannot be removed here goes with its folder; there is nobody to
// tell.
RawPagedArray::~RawPagedArray() {
  if (file_.is_open()) (void)RemoveFile(path_);
}

tl::unexpected<Error> RawPagedArray::OutOfRange(uint64_t index) const {
  return Fail(
      ErrorCode::kInternal,
      "element " + std::to_string(index) + " of " + std::to_string(count_),
      path_);
}

Result<char*> RawPagedArray::AtPaged(uint64_t index, bool write) {
  const uint64_t page = index / per_page_;
  uint32_t entry = page_table_[page];
  if (entry <= kOnDisk) {
    TWINSET_ASSIGN(const uint32_t loaded, Load(page));
    entry = loaded + 2;
  }
  Frame& frame = frames_[entry - 2];
  frame.used = true;
  frame.dirty |= write;
  return FrameData(entry - 2) + index % per_page_ * element_bytes_;
}

// A frame without a page: a fresh one, or the first that the hand finds unused
// since its last turn, written back if dirty. On an error nothing is lost and
// the call may be repeated.
Result<uint32_t> RawPagedArray::FreeFrame() {
  for (;;) {
    const auto number = static_cast<uint32_t>(hand_);
    Frame& frame = frames_[number];
    if (frame.page != ~uint64_t{0} && frame.used) {
      frame.used = false;
    } else {
      if (frame.page != ~uint64_t{0} && frame.dirty) {
        TWINSET_TRY(file_.WriteAt(frame.page * kPageBytes,
                                  {FrameData(number), size_t{kPageBytes}}));
        page_table_[frame.page] = kOnDisk;
      } else if (frame.page != ~uint64_t{0}) {
        page_table_[frame.page] = frame.on_disk ? kOnDisk : kNeverWritten;
      }
      frame = Frame();
      return number;
    }
    hand_ = hand_ + 1 == frames_.size() ? 0 : hand_ + 1;
  }
}

Result<uint32_t> RawPagedArray::Load(uint64_t page) {
  TWINSET_ASSIGN(const uint32_t number, FreeFrame());
  const bool on_disk = page_table_[page] == kOnDisk;
  if (on_disk) {
    TWINSET_TRY(file_.ReadAt(page * kPageBytes, FrameData(number), kPageBytes));
  } else {
    std::memset(FrameData(number), 0, kPageBytes);
  }
  frames_[number].page = page;
  frames_[number].on_disk = on_disk;
  page_table_[page] = number + 2;
  hand_ = hand_ + 1 == frames_.size() ? 0 : hand_ + 1;
  return number;
}

}  // namespace twinset
