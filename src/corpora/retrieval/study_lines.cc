#include "retrieval/study_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/ascii.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using OnLine = std::function<Status(std::string_view line, uint64_t number)>;

// Lines that count, and those that would if none before said the same.
uint64_t Usable(const LineCounts& counts) {
  uint64_t usable = counts.used;
  for (const char* reason : {"duplicate", "conflict", "unknown-id"})
    if (const auto found = counts.left_out.find(reason);
        found != counts.left_out.end())
      usable += found->second;
  return usable;
}

// What ForEachTextLine calls; the first error is kept.
class LineFilter {
 public:
  LineFilter(std::string name, LineLog* log, const OnLine& on_line)
      : name_(std::move(name)),
        log_(log),
        on_line_(on_line),
        used_before_(Usable(log->counts())),
        left_before_(log->counts().left_out_in_all()),
        problems_before_(log->counts().problems.size()),
        progress_(log->options().on_progress, log->options().stage,
                  FileName(name_), "lines") {}

  bool Take(const TextLine& line) {
    ++log_->counts().lines;
    progress_.Add();
    status_ = CheckStop(log_->options().stop);
    if (!status_) return false;
    if (!line.problem.empty()) {
      status_ = log_->LeaveOut("damaged", LineLog::Where(name_, line.number),
                               line.problem);
      return status_.has_value();
    }
    const std::string_view text = Trim(line.text);
    StudyMemory* const memory = log_->options().memory;
    if (memory != nullptr && !text.empty()) {
      memory->Take(text.size());
      // Goes on to the end of the list, to say how much would do.
      if (memory->is_over()) return true;
    }
    records_ += !text.empty();
    if (!text.empty()) status_ = on_line_(text, line.number);
    return status_.has_value();
  }
  Status Finish(Status read) {
    LineCounts& counts = log_->counts();
    SideRead& file = counts.files.emplace_back();
    file.input = name_;
    file.unit = log_->unit();
    file.used = Usable(counts) - used_before_;
    file.quarantined = counts.left_out_in_all() - left_before_;
    file.records = std::max(records_, file.quarantined);
    if (counts.problems.size() > problems_before_)
      file.problem = counts.problems[problems_before_];
    TWINSET_TRY(std::move(status_));
    TWINSET_TRY(std::move(read));
    const StudyMemory* const memory = log_->options().memory;
    return memory != nullptr && memory->is_over() ? memory->Refuse(name_)
                                                  : Status();
  }

 private:
  const std::string name_;
  LineLog* const log_;
  const OnLine& on_line_;
  const uint64_t used_before_, left_before_;
  const size_t problems_before_;
  PassProgress progress_;
  uint64_t records_ = 0;
  Status status_;
};

}  // namespace

StudyMemory::StudyMemory(uint64_t memory_bytes)
    : most_(MemoryOr(memory_bytes) / 8 * 7) {}

Status StudyMemory::Refuse(const std::string& path) const {
  const uint64_t enough = used_ / 7 * 8;
  return Fail(ErrorCode::kMemory,
              "the lists so far do not fit into " +
                  std::to_string(most_ / 7 * 8 >> 20) + "M",
              NameText(path),
              "give --memory " + std::to_string((enough >> 20) + 1) +
                  "M or more, or a part of the topics");
}

uint64_t v1::LineCounts::left_out_in_all() const {
  uint64_t sum = 0;
  for (const auto& [reason, count] : left_out) sum += count;
  return sum;
}

std::vector<SideRead> v1::SidesOf(const LinesRead& lines) {
  std::vector<SideRead> sides;
  for (const LinesOf& of : lines) {
    for (SideRead file : of.counts->files) {
      file.side = of.side;
      sides.push_back(std::move(file));
    }
  }
  return sides;
}

std::string LineLog::Where(const std::string& path, uint64_t line) {
  return NameText(path) + ":" + std::to_string(line);
}

Status LineLog::LeaveOut(const std::string& reason, const std::string& where,
                         const std::string& what) {
  ++counts_->left_out[reason];
  if (counts_->problems.size() < kMostLineProblems)
    counts_->problems.push_back(where + ": " + what);
  if (!options_.strict) return {};
  return Fail(ErrorCode::kCorrupt, what, where,
              "correct the line, or leave --strict away");
}

Status ForEachStudyLine(const StudyText& text, LineLog* log,
                        const OnLine& on_line) {
  LineFilter filter(text.name, log, on_line);
  const auto take = [&](const TextLine& line) { return filter.Take(line); };
  return filter.Finish(
      text.bytes ? ForEachTextLineOf(*text.bytes, take, kMaxStudyLineBytes)
                 : ForEachTextLine(text.name, take, kMaxStudyLineBytes));
}

std::string DocumentName(const std::string& id) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string name;
  for (const char c : id) {
    if (!IsAsciiSpace(c)) {
      name += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    name += '%';
    name += kDigits[byte >> 4];
    name += kDigits[byte & 15];
  }
  return name;
}

Status CheckLastFile(const LineCounts& counts, const std::string& remedy) {
  if (counts.files.empty()) return {};
  return CheckSide(counts.files.back(), remedy);
}

void SplitColumns(std::string_view line,
                  std::vector<std::string_view>* columns) {
  columns->clear();
  for (size_t at = 0;;) {
    at = line.find_first_not_of(kAsciiSpaces, at);
    if (at == line.npos) return;
    const size_t end =
        std::min(line.find_first_of(kAsciiSpaces, at), line.size());
    columns->push_back(line.substr(at, end - at));
    at = end;
  }
}

namespace {
template <typename T>
std::optional<T> ParseWhole(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return {};
  return value;
}
}  // namespace

std::optional<int32_t> ParseGrade(std::string_view text) {
  return ParseWhole<int32_t>(text);
}

std::optional<double> ParseFinite(std::string_view text) {
  const auto value = ParseWhole<double>(text);
  if (!value || !std::isfinite(*value)) return {};
  return value;
}

}  // namespace twinset
