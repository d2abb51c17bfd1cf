// Another text in a record, for what cuts passages out of texts: of a row only
// its text field changes, everything else stays byte for byte.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_TEXT_IN_RECORD_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_TEXT_IN_RECORD_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/csv_row.h"
#include "read/formats.h"

namespace twinset {

// The records of one source, in their order. Not thread-safe.
class TextInRecord {
 public:
  explicit TextInRecord(const ReadOptions& read) : read_(read) {}

  void BeginSource(InputFormat format);
  // Bytes of `raw` up to the end of the header row, which must stay; 0 where it
  // was in an earlier record. To be called once for each record.
  size_t HeaderIn(std::string_view raw);
  // `raw`, whose header row ends at `header`, with another text. Nothing if it
  // has no text field.
  std::optional<std::string> Replaced(std::string_view raw, size_t header,
                                      std::string_view text) const;

 private:
  bool IsCsv() const {
    return format_ == InputFormat::kCsv || format_ == InputFormat::kTsv;
  }
  std::string InTable(std::string_view raw, std::string_view text) const;
  std::optional<std::string> InCsv(std::string_view raw, size_t at,
                                   std::string_view text) const;
  std::optional<std::string> InJson(std::string_view raw,
                                    std::string_view text) const;

  const ReadOptions& read_;
  InputFormat format_ = InputFormat::kAuto;
  CsvForm form_{','};
  bool has_header_ = false;  // it was found
  size_t column_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_TEXT_IN_RECORD_H_
