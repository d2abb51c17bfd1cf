#include "twinset/batch.h"

#include <algorithm>

#include "base/stop.h"

namespace twinset {

namespace {

// Do offsets ascend within the bytes?
template <typename Offset>
bool AreOffsets(const Offset* offsets, size_t rows, size_t bytes) {
  return rows == 0 || (std::is_sorted(offsets, offsets + rows + 1) &&
                       offsets[rows] <= bytes);
}

Status CheckColumn(const std::string& name, const TextBatch& column,
                   size_t rows) {
  TWINSET_TRY(column.Check());
  if (column.size() == 0 || column.size() == rows) return {};
  return Fail(ErrorCode::kUsage, "column " + name + " of a batch has " +
                                     std::to_string(column.size()) +
                                     " rows, its texts are " +
                                     std::to_string(rows));
}

}  // namespace

bool TextBatch::TakeArrowView(size_t i, std::string_view* text) const {
  const ArrowStringView& row = Rows<ArrowStringView>()[i];
  if (row.size < 0) return false;
  const auto size = static_cast<size_t>(row.size);
  if (size <= sizeof row.place) {
    *text = {row.place, size};
    return true;
  }
  uint32_t buffer, offset;  // of negative ones too large a number is made
  std::memcpy(&buffer, row.place + 4, sizeof buffer);
  std::memcpy(&offset, row.place + 8, sizeof offset);
  if (buffer >= buffers_.size() || offset > buffers_[buffer].size() ||
      buffers_[buffer].size() - offset < size)
    return false;
  *text = buffers_[buffer].substr(offset, size);
  return true;
}

std::string_view TextBatch::operator[](size_t i) const {
  if (IsNull(i)) return {};
  switch (form_) {
    case kOffsets64: {
      const uint64_t* const offsets = Rows<uint64_t>() + i;
      return bytes_.substr(offsets[0], offsets[1] - offsets[0]);
    }
    case kOffsets32: {
      const uint32_t* const offsets = Rows<uint32_t>() + i;
      return bytes_.substr(offsets[0], offsets[1] - offsets[0]);
    }
    case kViews:
      return Rows<std::string_view>()[i];
    case kStrings:
      return Rows<std::string>()[i];
    case kArrowViews: {
      std::string_view text;
      TakeArrowView(i, &text);
      return text;
    }
  }
  return {};
}

Status TextBatch::Check() const try {
  const uint64_t bits = nulls_.bits.size() * uint64_t{8};
  if (bits != 0 && (nulls_.offset > bits || bits - nulls_.offset < size_)) {
    return Fail(ErrorCode::kUsage,
                "the null mask of a batch has fewer bits than it has rows");
  }
  bool is_good = true;
  if (form_ == kOffsets64) {
    is_good = AreOffsets(Rows<uint64_t>(), size_, bytes_.size());
  } else if (form_ == kOffsets32) {
    is_good = AreOffsets(Rows<uint32_t>(), size_, bytes_.size());
  } else if (form_ == kArrowViews) {
    std::string_view text;
    for (size_t i = 0; is_good && i < size_; ++i)
      is_good = IsNull(i) || TakeArrowView(i, &text);
  }
  if (is_good) return {};
  return Fail(ErrorCode::kUsage,
              "the offsets of a batch descend or leave its bytes");
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status DocumentBatch::Check() const try {
  TWINSET_TRY(texts.Check());
  TWINSET_TRY(CheckColumn("ids", ids, size()));
  TWINSET_TRY(CheckColumn("urls", urls, size()));
  TWINSET_TRY(CheckColumn("dates", dates, size()));
  for (const auto& [name, column] : fields)
    TWINSET_TRY(CheckColumn(name, column, size()));
  return {};
} catch (const std::bad_alloc&) {
  return NoMemory();
}

void DocumentBatch::Take(size_t i, Document* document) const {
  document->payload = texts[i];
  document->has_text = !texts.IsNull(i);
  document->kind = kind;
  if (ids.size() != 0) document->id = ids[i];
  if (urls.size() != 0) document->provenance.url = urls[i];
  if (dates.size() != 0) document->provenance.date = dates[i];
  for (const auto& [name, column] : fields)
    if (column.size() != 0) document->fields.emplace_back(name, column[i]);
}

}  // namespace twinset
