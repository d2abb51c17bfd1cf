#include "arrow_in.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace twinset::python {
namespace {

template <typename T>
T ValueAt(const void* buffer, int64_t at) {
  T value;
  std::memcpy(&value,
              static_cast<const char*>(buffer) + at * int64_t{sizeof(T)},
              sizeof(T));
  return value;
}

bool BitAt(const void* buffer, int64_t at) {
  return (static_cast<const uint8_t*>(buffer)[at / 8] >> (at % 8) & 1) != 0;
}

// The day `days` after 1970-01-01 in the calendar that ISO 8601 prescribes
// (H. Hinnant, chrono-compatible low-level date algorithms).
std::string DateText(int64_t days) {
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t day_of_era = days - era * 146097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 +
                               day_of_era / 36524 - day_of_era / 146096) /
                              365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * shifted + 2) / 5 + 1;
  const int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
  return fmt::format("{:04}-{:02}-{:02}",
                     year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
                     day);
}

std::string TimeText(int64_t value, int64_t units_per_second) {
  const auto floor = [](int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
  };
  const int64_t seconds = floor(value, units_per_second);
  const int64_t days = floor(seconds, 86400);
  const int64_t rest = seconds - days * 86400;
  return fmt::format("{}T{:02}:{:02}:{:02}Z", DateText(days), rest / 3600,
                     rest / 60 % 60, rest % 60);
}

}  // namespace

Result<ArrowColumn> ArrowColumn::Make(const ArrowSchema& schema,
                                      const ArrowArray& array, int64_t first) {
  ArrowColumn column;
  column.first_ = first;
  column.array_ = &array;
  if (schema.dictionary != nullptr && array.dictionary != nullptr) {
    TWINSET_ASSIGN(ArrowColumn values,
                   Make(*schema.dictionary, *array.dictionary));
    column.dictionary_ = std::make_shared<ArrowColumn>(std::move(values));
  }
  const std::string_view format = schema.format;
  const auto number = [&](Kind kind, int width) {
    column.kind_ = kind;
    column.width_ = width;
  };
  if (format == "u") {
    column.kind_ = Kind::kText32;
  } else if (format == "U") {
    column.kind_ = Kind::kText64;
  } else if (format == "vu") {
    column.kind_ = Kind::kTextView;
  } else if (format.size() == 1 &&
             std::string_view("csil").find(format) != std::string_view::npos) {
    number(Kind::kSigned, 1 << std::string_view("csil").find(format));
  } else if (format.size() == 1 &&
             std::string_view("CSIL").find(format) != std::string_view::npos) {
    number(Kind::kUnsigned, 1 << std::string_view("CSIL").find(format));
  } else if (format == "f" || format == "g") {
    column.kind_ = format == "f" ? Kind::kFloat : Kind::kDouble;
  } else if (format == "b") {
    column.kind_ = Kind::kBool;
  } else if (format == "n") {
    column.kind_ = Kind::kNull;
  } else if (format == "tdD") {
    number(Kind::kDays, 4);
  } else if (format == "tdm" || format.starts_with("ts")) {
    number(Kind::kTime, 8);
    const char unit = format == "tdm"     ? 'm'
                      : format.size() > 2 ? format[2]
                                          : 's';
    column.units_per_second_ = unit == 's'   ? 1
                               : unit == 'm' ? 1000
                               : unit == 'u' ? 1000000
                                             : 1000000000;
  } else {
    return Fail(
        ErrorCode::kUnsupported,
        fmt::format("the column \"{}\" has the Arrow type {}, which has "
                    "no text",
                    schema.name == nullptr ? "" : schema.name, format),
        {}, "make it a column of strings or numbers");
  }
  const bool is_index =
      column.kind_ == Kind::kSigned || column.kind_ == Kind::kUnsigned;
  if (column.dictionary_ != nullptr && is_index) {
    // The width stays: that of the index into the dictionary.
    if (column.kind_ == Kind::kUnsigned) column.units_per_second_ = 0;
    column.kind_ = Kind::kDictionary;
  }
  return column;
}

bool ArrowColumn::IsNull(int64_t at) const {
  if (kind_ == Kind::kNull) return true;
  const void* const valid =
      array_->n_buffers > 0 ? array_->buffers[0] : nullptr;
  return array_->null_count != 0 && valid != nullptr && !BitAt(valid, at);
}

int64_t ArrowColumn::SignedAt(int64_t at) const {
  const void* const values = array_->buffers[1];
  switch (width_) {
    case 1:
      return ValueAt<int8_t>(values, at);
    case 2:
      return ValueAt<int16_t>(values, at);
    case 4:
      return ValueAt<int32_t>(values, at);
    default:
      return ValueAt<int64_t>(values, at);
  }
}

uint64_t ArrowColumn::UnsignedAt(int64_t at) const {
  const auto value = static_cast<uint64_t>(SignedAt(at));
  return width_ == 8 ? value : value & ((uint64_t{1} << width_ * 8) - 1);
}

bool ArrowColumn::IsText() const {
  if (kind_ == Kind::kDictionary) return dictionary_->IsText();
  return kind_ == Kind::kText32 || kind_ == Kind::kText64 ||
         kind_ == Kind::kTextView || kind_ == Kind::kNull;
}

std::optional<int64_t> ArrowColumn::Number(int64_t row) const {
  const int64_t at = row + first_ + array_->offset;
  if (IsNull(at)) return std::nullopt;
  if (kind_ == Kind::kSigned) return SignedAt(at);
  if (kind_ != Kind::kUnsigned || UnsignedAt(at) >> 63 != 0)
    return std::nullopt;
  return static_cast<int64_t>(UnsignedAt(at));
}

// A view holds a length and either up to 12 bytes, or the number of a buffer
// and a place in it.
std::string ArrowColumn::View(int64_t at) const {
  const char* const view =
      static_cast<const char*>(array_->buffers[1]) + at * 16;
  int32_t length = 0, buffer = 0, offset = 0;
  std::memcpy(&length, view, 4);
  if (length <= 12) return {view + 4, static_cast<size_t>(length)};
  std::memcpy(&buffer, view + 8, 4);
  std::memcpy(&offset, view + 12, 4);
  return {static_cast<const char*>(array_->buffers[2 + buffer]) + offset,
          static_cast<size_t>(length)};
}

std::optional<std::string> ArrowColumn::Text(int64_t row) const {
  const int64_t at = row + first_ + array_->offset;
  if (IsNull(at)) return std::nullopt;
  const auto text = [&]<typename Offset>(Offset) {
    const auto begin = ValueAt<Offset>(array_->buffers[1], at);
    const auto end = ValueAt<Offset>(array_->buffers[1], at + 1);
    const char* const bytes = static_cast<const char*>(array_->buffers[2]);
    return end == begin
               ? std::string()
               : std::string(bytes + begin, static_cast<size_t>(end - begin));
  };
  switch (kind_) {
    case Kind::kText32:
      return text(int32_t{});
    case Kind::kText64:
      return text(int64_t{});
    case Kind::kTextView:
      return View(at);
    case Kind::kSigned:
      return fmt::format("{}", SignedAt(at));
    case Kind::kUnsigned:
      return fmt::format("{}", UnsignedAt(at));
    case Kind::kFloat:
      return fmt::format("{}", ValueAt<float>(array_->buffers[1], at));
    case Kind::kDouble:
      return fmt::format("{}", ValueAt<double>(array_->buffers[1], at));
    case Kind::kBool:
      return BitAt(array_->buffers[1], at) ? "true" : "false";
    case Kind::kDays:
      return DateText(SignedAt(at));
    case Kind::kTime:
      return TimeText(SignedAt(at), units_per_second_);
    case Kind::kDictionary:
      return dictionary_->Text(units_per_second_ == 0
                                   ? static_cast<int64_t>(UnsignedAt(at))
                                   : SignedAt(at));
    case Kind::kNull:
      break;
  }
  return std::nullopt;
}

ArrowTable::ArrowTable(ArrowArrayStream* stream)
    : stream_(std::exchange(*stream, ArrowArrayStream{})) {}

ArrowTable::~ArrowTable() {
  if (batch_.release != nullptr) batch_.release(&batch_);
  if (schema_.release != nullptr) schema_.release(&schema_);
  if (stream_.release != nullptr) stream_.release(&stream_);
}

Status ArrowTable::StreamError(int code) const {
  auto* const stream = const_cast<ArrowArrayStream*>(&stream_);
  const char* const said = stream->get_last_error(stream);
  return Fail(ErrorCode::kIo,
              fmt::format("the table cannot be read: {}",
                          said == nullptr ? std::strerror(code) : said));
}

Status ArrowTable::Choose(const std::vector<std::string>& names) {
  if (const int code = stream_.get_schema(&stream_, &schema_); code != 0)
    return StreamError(code);
  if (std::string_view(schema_.format) != "+s") {
    // One column without a name: a series or a chunked array.
    chosen_.assign(1, -1);
    if (names.size() == 1) return {};
    return Fail(ErrorCode::kUsage,
                "the data is one column, and others were named");
  }
  for (const std::string& name : names) {
    int64_t at = 0;
    while (at < schema_.n_children && name != schema_.children[at]->name) ++at;
    if (at < schema_.n_children) {
      chosen_.push_back(at);
      continue;
    }
    std::string there;
    for (int64_t i = 0; i < schema_.n_children; ++i)
      there += (i > 0 ? ", " : "") + std::string(schema_.children[i]->name);
    return Fail(ErrorCode::kUsage,
                fmt::format("there is no column \"{}\"", name), {},
                "the columns are " + there);
  }
  return {};
}

Result<bool> ArrowTable::Next() {
  columns_.clear();
  if (batch_.release != nullptr) batch_.release(&batch_);
  batch_ = {};
  if (const int code = stream_.get_next(&stream_, &batch_); code != 0)
    return tl::unexpected(StreamError(code).error());
  if (batch_.release == nullptr) return false;
  rows_ = batch_.length;
  for (const int64_t child : chosen_) {
    TWINSET_ASSIGN(
        ArrowColumn column,
        child < 0 ? ArrowColumn::Make(schema_, batch_)
                  : ArrowColumn::Make(*schema_.children[child],
                                      *batch_.children[child], batch_.offset));
    columns_.push_back(std::move(column));
  }
  return true;
}

}  // namespace twinset::python
