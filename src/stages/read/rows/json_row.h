// A row of JSON to what a record has of it.
#ifndef TWINSET_SRC_STAGES_READ_ROWS_JSON_ROW_H_
#define TWINSET_SRC_STAGES_READ_ROWS_JSON_ROW_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "read/reader.h"

namespace twinset {

// One thread at a time. Memory: some times the row, which is given back behind
// a large one.
class JsonRowParser {
 public:
  explicit JsonRowParser(const ReadOptions& options);
  ~JsonRowParser();

  // Makes a document, or what is quarantined, of `row` and of a record that has
  // its place.
  void Parse(std::string_view row, Record* record);

  // Paths of the first values of the row parsed last, if it was one.
  std::vector<std::string> FieldNames() const;

 private:
  struct Parts;
  void Fill(Record* record);

  const ReadOptions options_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ROWS_JSON_ROW_H_
