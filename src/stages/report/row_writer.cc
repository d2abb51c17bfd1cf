#include "report/row_writer.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"

namespace twinset {

void AppendCsvField(std::string* to, std::string_view text) {
  bool needs_quotes = false;  // looked for in all bytes, many at a time
  for (const char c : text)
    needs_quotes |= (c == ',') | (c == '"') | (c == '\r') | (c == '\n');
  if (!needs_quotes) {
    to->append(text);
    return;
  }
  *to += '"';
  for (const char c : text) {
    if (c == '"') *to += '"';
    *to += c;
  }
  *to += '"';
}

// ---- the text ----

std::string_view RowText::NumberTexts::Of(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  Entry& entry = entries_[Mix64(bits) % entries_.size()];
  if (entry.length == 0 || std::bit_cast<uint64_t>(entry.value) != bits) {
    std::string text;
    AppendDouble(&text, value);
    entry.value = value;
    entry.length =
        static_cast<uint8_t>(text.copy(entry.text, sizeof entry.text));
  }
  return {entry.text, entry.length};
}

RowText& RowText::Text(std::string_view key, std::string_view value) {
  if (!csv_) {
    json_.Text(key, value);
  } else {
    Separate();
    // An empty first field still begins the line.
    if (lines_.size() == row_begin_ && value.empty()) lines_ += "\"\"";
    AppendCsvField(&lines_, value);
  }
  return *this;
}

RowText& RowText::Integer(std::string_view key, uint64_t value) {
  if (!csv_) {
    json_.Integer(key, value);
  } else {
    Separate();
    lines_ += std::to_string(value);
  }
  return *this;
}

RowText& RowText::Number(std::string_view key, double value) {
  if (!csv_) {
    json_.Value(key, numbers_.Of(value));
  } else {
    Separate();
    lines_ += numbers_.Of(value);
  }
  return *this;
}

RowText& RowText::Bool(std::string_view key, bool value) {
  if (!csv_) {
    json_.Bool(key, value);
  } else {
    Separate();
    lines_ += value ? "true" : "false";
  }
  return *this;
}

void RowText::EndRow() {
  if (!csv_) return json_.EndLine();
  lines_ += '\n';
  row_begin_ = lines_.size();
}

void RowText::Clear() {
  json_.Clear();
  lines_.clear();
  row_begin_ = 0;
}

// ---- the file ----

Result<RowWriter> RowWriter::Create(const std::string& directory,
                                    const std::string& name,
                                    OutputFormat format,
                                    const std::string& csv_header) {
  RowWriter writer(format);
  TWINSET_ASSIGN(writer.file_,
                 OutputFile::Create(directory + "/" + name + "." +
                                    std::string(ChoiceName(format))));
  if (format == OutputFormat::kCsv)
    TWINSET_TRY(writer.file_.Write(csv_header + "\n"));
  return writer;
}

Status RowWriter::WriteRows(
    size_t count, int threads, MemoryBudget* budget,
    const std::function<void(size_t, RowText*)>& format) {
  constexpr size_t kRowsAPart = 512;
  constexpr size_t kMostText = 64 << 10;  // and a row, whatever its length
  struct Part {
    size_t next = 0, end = 0;  // rows that are not in `text` yet
    RowText text;
  };
  const size_t parts = (count + kRowsAPart - 1) / kRowsAPart;
  const int workers = static_cast<int>(
      std::min<size_t>(parts, static_cast<size_t>(std::max(1, threads))));
  const size_t places = workers <= 1 ? 1 : 2 * static_cast<size_t>(workers);
  const Reservation memory = budget->ReserveUpTo(places * 2 * kMostText, 0);
  std::vector<Part> in_flight(places, Part{0, 0, RowText(format_)});
  const auto fill = [&](Part* part) {
    while (part->next < part->end && part->text.text().size() < kMostText)
      format(part->next++, &part->text);
  };
  // Part n has the place of part n - places, which is written by then.
  size_t begun = 0;
  const auto source = [&]() -> PipelineItem {
    if (begun == parts) return nullptr;
    Part* const part = &in_flight[begun % places];
    part->next = begun++ * kRowsAPart;
    part->end = std::min(count, part->next + kRowsAPart);
    return {PipelineItem(), part};
  };
  // A part with very long rows takes several turns.
  Status written;
  const auto sink = [&](void* item) {
    Part* const part = static_cast<Part*>(item);
    for (;;) {
      written = file_.Write(part->text.text());
      part->text.Clear();
      if (!written || part->next == part->end) return written.has_value();
      fill(part);
    }
  };
  OrderedPipeline(
      workers, places, source,
      [&](void* item) { fill(static_cast<Part*>(item)); }, sink);
  return written;
}

}  // namespace twinset
