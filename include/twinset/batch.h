// Documents side by side, as columns of a table lay them out. A batch points
// into memory of the caller, which must outlive what is made of it.
#ifndef TWINSET_BATCH_H_
#define TWINSET_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/document.h"
#include "twinset/error.h"

namespace twinset {
inline namespace v1 {

// Which rows of a column are null, as the validity bitmap of Arrow says: bit
// offset + i, the lowest of a byte first, is 1 where row i has a value. Without
// bits every row has one.
struct NullMask {
  std::span<const uint8_t> bits;
  uint64_t offset = 0;

  bool IsNull(size_t i) const {
    if (bits.empty()) return false;
    const uint64_t bit = offset + i;
    return (bits[bit / 8] >> (bit % 8) & 1) == 0;
  }
};

// A string of the type string_view of Arrow: up to 12 bytes stand in place,
// longer ones in a buffer.
struct ArrowStringView {
  int32_t size = 0;
  char place[12] = {};  // or the first 4 bytes, the buffer's number, the offset
};
static_assert(sizeof(ArrowStringView) == 16);

// A column of texts. The layouts of Arrow are taken as they are, its signed
// offsets too.
class TextBatch {
 public:
  TextBatch() = default;  // of no rows
  // Text i is the bytes from offsets[i] to offsets[i + 1]: one offset more than
  // rows, or none at all.
  TextBatch(std::string_view bytes, std::span<const uint64_t> offsets,
            NullMask nulls = {})
      : form_(kOffsets64), bytes_(bytes), nulls_(nulls) {
    SetRows(offsets.data(), offsets.empty() ? 0 : offsets.size() - 1);
  }
  TextBatch(std::string_view bytes, std::span<const uint32_t> offsets,
            NullMask nulls = {})
      : form_(kOffsets32), bytes_(bytes), nulls_(nulls) {
    SetRows(offsets.data(), offsets.empty() ? 0 : offsets.size() - 1);
  }
  TextBatch(std::string_view bytes, std::span<const int64_t> offsets,
            NullMask nulls = {})
      : form_(kOffsets64), bytes_(bytes), nulls_(nulls) {
    SetRows(offsets.data(), offsets.empty() ? 0 : offsets.size() - 1);
  }
  TextBatch(std::string_view bytes, std::span<const int32_t> offsets,
            NullMask nulls = {})
      : form_(kOffsets32), bytes_(bytes), nulls_(nulls) {
    SetRows(offsets.data(), offsets.empty() ? 0 : offsets.size() - 1);
  }
  // Strings of C++, wherever their bytes are.
  explicit TextBatch(std::span<const std::string_view> texts,
                     NullMask nulls = {})
      : form_(kViews), nulls_(nulls) {
    SetRows(texts.data(), texts.size());
  }
  explicit TextBatch(std::span<const std::string> texts, NullMask nulls = {})
      : form_(kStrings), nulls_(nulls) {
    SetRows(texts.data(), texts.size());
  }
  // Views of Arrow into `buffers`.
  TextBatch(std::span<const ArrowStringView> texts,
            std::span<const std::string_view> buffers, NullMask nulls = {})
      : form_(kArrowViews), buffers_(buffers), nulls_(nulls) {
    SetRows(texts.data(), texts.size());
  }

  size_t size() const { return size_; }
  bool IsNull(size_t i) const { return nulls_.IsNull(i); }
  // Text i; empty where it is null. Only of a batch that Check accepts.
  std::string_view operator[](size_t i) const;
  // kUsage where offsets descend or leave their bytes, or the mask is too
  // short. What takes a batch calls it.
  Status Check() const;

 private:
  enum Form : uint8_t { kOffsets64, kOffsets32, kViews, kStrings, kArrowViews };
  void SetRows(const void* rows, size_t size) {
    rows_ = rows;
    size_ = size;
  }
  template <typename T>
  const T* Rows() const {
    return static_cast<const T*>(rows_);
  }
  // The text in a buffer, or false where it leaves that.
  bool TakeArrowView(size_t i, std::string_view* text) const;

  Form form_ = kOffsets64;
  std::string_view bytes_;
  const void* rows_ = nullptr;
  size_t size_ = 0;
  std::span<const std::string_view> buffers_;
  NullMask nulls_;
};

// Documents with what belongs to them. A column without rows says nothing of
// any document; of others, a null is as if it were empty, but for a null text,
// whose document is rejected.
struct DocumentBatch {
  TextBatch texts;
  TextBatch ids, urls, dates;
  std::vector<std::pair<std::string, TextBatch>> fields;  // by name
  ContentKind kind = ContentKind::kText;                  // of all texts

  size_t size() const { return texts.size(); }
  // kUsage for a column that cannot be read, or with another number of rows.
  Status Check() const;
  // Fills a document, which is empty, with row i.
  void Take(size_t i, Document* document) const;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_BATCH_H_
