// Lines of the small files of a study, with what is wrong in them.
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_STUDY_LINES_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_STUDY_LINES_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/corpora/qrels.h"
#include "twinset/error.h"
#include "twinset/progress.h"

namespace twinset {

// A group of duplicates stands on one line.
inline constexpr uint64_t kMaxStudyLineBytes = 16 << 20;

// The memory that the lists of one command may take together. A line is counted
// with what is made of it: tables, graphs and ids. One thread at a time.
class StudyMemory {
 public:
  // 0: what a command uses by default.
  explicit StudyMemory(uint64_t memory_bytes);
  void Take(uint64_t line_bytes) { used_ += kLineBytes + 2 * line_bytes; }
  bool is_over() const { return used_ > most_; }
  // kMemory, naming an amount that is enough for what was taken.
  Status Refuse(const std::string& path) const;
  uint64_t used() const { return used_; }
  // What was taken since `used` was so much is given back.
  void GoBack(uint64_t used) { used_ = used; }

 private:
  static constexpr uint64_t kLineBytes = 400;
  uint64_t most_, used_ = 0;
};

struct LineReadOptions {
  bool strict = false;  // the first line that is left out is the error
  StudyMemory* memory = nullptr;  // null: a caller that has its own budget
  // How far it is in each file, and who may stop it.
  std::string stage = {};
  ProgressSink on_progress = {};
  const std::atomic<bool>* stop = nullptr;
};
// What a command of this name is asked to do with its lines.
template <typename Options>
LineReadOptions LinesOfCommand(std::string command, const Options& options,
                               StudyMemory* memory) {
  return {options.strict, memory, std::move(command), options.on_progress,
          options.stop};
}

// Counts what is left out, by reason, and where the first of it stands.
class LineLog {
 public:
  // `unit`: what a line that counts is, for messages.
  LineLog(LineCounts* counts, const LineReadOptions& options,
          std::string unit = "line")
      : counts_(counts), options_(options), unit_(std::move(unit)) {}
  // "FILE:LINE".
  static std::string Where(const std::string& path, uint64_t line);
  // kCorrupt when bad lines are fatal.
  Status LeaveOut(const std::string& reason, const std::string& where,
                  const std::string& what);
  LineCounts& counts() { return *counts_; }
  const LineReadOptions& options() const { return options_; }
  const std::string& unit() const { return unit_; }

 private:
  LineCounts* counts_;
  LineReadOptions options_;
  std::string unit_;
};

// kCorrupt when no line of the file that was read last counts.
Status CheckLastFile(const LineCounts& counts, const std::string& remedy);

// What is read: a file, or bytes in memory under a name, for tests and fuzz
// targets.
struct StudyText {
  // A path is what nearly all callers have. NOLINTNEXTLINE(*-explicit-*)
  StudyText(std::string path) : name(std::move(path)) {}
  StudyText(std::string called, std::string content)
      : name(std::move(called)), bytes(std::move(content)) {}
  std::string name;
  std::optional<std::string> bytes;
};

// Calls on_line for each line that is not blank, without blanks around it;
// lines that are damaged or too long are left out. What was read of the file is
// then the last of LineCounts::files. kIo for files that cannot be read. The
// same memory as ForEachTextLine.
Status ForEachStudyLine(const StudyText& text, LineLog* log,
                        const std::function<Status(std::string_view line,
                                                   uint64_t number)>& on_line);

// An id or address as it stands in a column of a line, whose white space would
// begin another column or line: each such byte is %HH.
std::string DocumentName(const std::string& id);

// The columns of a line between spaces and tabs; `columns` is used again.
void SplitColumns(std::string_view line,
                  std::vector<std::string_view>* columns);
// A whole number of 32 bits, without anything around it.
std::optional<int32_t> ParseGrade(std::string_view text);
std::optional<double> ParseFinite(std::string_view text);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_STUDY_LINES_H_
