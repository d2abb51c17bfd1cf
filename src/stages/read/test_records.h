// Reading all records of bytes in memory, for tests.
#ifndef TWINSET_SRC_STAGES_READ_TEST_RECORDS_H_
#define TWINSET_SRC_STAGES_READ_TEST_RECORDS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "read/reader.h"

namespace twinset::test {

inline std::vector<Record> DrainReader(RecordReader* reader) {
  std::vector<Record> records;
  for (;;) {
    Record record;
    const Result<bool> more = reader->Next(&record);
    EXPECT_TRUE(more.has_value()) << more.error().ToString();
    if (!more || !*more) break;
    EXPECT_EQ(record.document.provenance.ordinal, records.size());
    records.push_back(std::move(record));
  }
  return records;
}

inline std::vector<Record> ReadAll(std::string bytes, const std::string& name,
                                   const ReadOptions& options = {}) {
  return DrainReader(
      ReadRecordsFromMemory(std::move(bytes), name, options).get());
}

// "id:payload" of a document, "!reason" of a quarantined record.
inline std::vector<std::string> Briefly(const std::vector<Record>& records) {
  std::vector<std::string> brief;
  for (const Record& record : records) {
    brief.push_back(record.kind == RecordKind::kDocument
                        ? record.document.id + ":" + record.document.payload
                        : std::string(1, '!').append(record.reason));
  }
  return brief;
}

inline std::string Raws(const std::vector<Record>& records) {
  std::string all;
  for (const Record& record : records) all += record.raw;
  return all;
}

}  // namespace twinset::test

#endif  // TWINSET_SRC_STAGES_READ_TEST_RECORDS_H_
