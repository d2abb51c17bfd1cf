// The files of --attributes: one for each input, or one alone.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_ATTRIBUTE_FILES_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_ATTRIBUTE_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "pipeline/run/run.h"
#include "report/corpus_writer.h"
#include "twinset/error.h"

namespace twinset {

// A file of lines, compressed as its name says.
class LineFile {
 public:
  static Result<LineFile> Create(const std::string& path, mode_t mode,
                                 int level) {
    TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path, mode));
    return LineFile(CompressionOf(path), level, std::move(file));
  }
  Status Write(std::string_view line) {
    members_.Add(line);
    return members_.full() ? Flush() : Status();
  }
  Status Commit() {
    TWINSET_TRY(Flush());
    return file_.Commit();
  }

 private:
  LineFile(OutputCompression compression, int level, OutputFile file)
      : compression_(compression),
        level_(level),
        members_(compression, /*member_per_record=*/false),
        file_(std::move(file)) {}
  Status Flush() {
    for (const WrittenMember& member : members_.Take()) {
      TWINSET_ASSIGN(const std::string bytes,
                     CompressMember(compression_, member.bytes, level_));
      TWINSET_TRY(file_.Write(bytes));
    }
    return {};
  }
  OutputCompression compression_;
  int level_;
  MemberCutter members_;
  OutputFile file_;
};

// Rows come in input order.
class AttributeFiles {
 public:
  // `sources`: so many of the inputs, from the first, have rows.
  static Result<AttributeFiles> Open(const Run& run, uint64_t sources);

  // The row of a document at `place`; `line` ends with a line feed.
  Status Write(const Provenance& place, std::string_view line);
  // Also makes the files of inputs without a document.
  Status Commit();

 private:
  AttributeFiles(const Run& run, uint64_t sources);
  // Opens the files of all sources before `end`; that of the last one stays.
  Status GoTo(uint64_t end);
  const Run* run_;
  uint64_t sources_;
  bool is_one_file_;
  uint64_t next_ = 0;  // source whose file is not begun
  std::optional<LineFile> file_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_ATTRIBUTE_FILES_H_
