#include "retrieval/feature_rows.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"

namespace twinset {

namespace {

// What follows "docid =" in the comment of a row, up to a blank.
std::string_view DocumentOf(std::string_view comment) {
  constexpr std::string_view kName = "docid";
  const size_t at = comment.find(kName);
  if (at == comment.npos) return {};
  comment = Trim(comment.substr(at + kName.size()));
  if (comment.empty() || comment.front() != '=') return {};
  comment = Trim(comment.substr(1));
  return comment.substr(0, comment.find_first_of(kAsciiSpaces));
}

// "12:0.5".
bool ParseFeature(std::string_view text, uint32_t* column, float* value) {
  const size_t colon = text.find(':');
  if (colon == text.npos) return false;
  const char* const end = text.data() + colon;
  const auto [stop, error] = std::from_chars(text.data(), end, *column);
  const auto number = ParseFinite(text.substr(colon + 1));
  if (error != std::errc() || stop != end || *column == 0 ||
      *column > kMostFeatures || !number || *number > 1e38 || *number < -1e38)
    return false;
  *value = static_cast<float>(*number);
  return true;
}

class FeatureParser {
 public:
  FeatureParser(std::string name, const LineReadOptions& lines,
                StudyNames* names, LineCounts* counts, FeatureRows* rows)
      : name_(std::move(name)),
        names_(names),
        log_(counts, lines, "feature row"),
        rows_(rows) {}

  LineLog* log() { return &log_; }

  Status Take(std::string_view line, uint64_t number) {
    const auto leave_out = [&](const std::string& reason,
                               const std::string& what) {
      return log_.LeaveOut(reason, LineLog::Where(name_, number), what);
    };
    const size_t hash = line.find('#');
    if (hash == 0) return {};
    const std::string_view document = hash == line.npos
                                          ? std::string_view()
                                          : DocumentOf(line.substr(hash + 1));
    SplitColumns(line.substr(0, hash), &columns_);
    if (document.empty())
      return leave_out("missing-id", "no '# docid = ID' at the end");
    if (columns_.size() < 2 || !columns_[1].starts_with("qid:") ||
        columns_[1].size() == 4)
      return leave_out("missing-columns", "no label and qid at the front");
    const auto grade = ParseGrade(columns_[0]);
    if (!grade) return leave_out("bad-grade", "the label is no whole number");
    std::vector<float> values;
    for (size_t i = 2; i < columns_.size(); ++i) {
      uint32_t column = 0;
      float value = 0;
      if (!ParseFeature(columns_[i], &column, &value))
        return leave_out("bad-feature", "a feature is not COLUMN:NUMBER");
      if (values.size() < column) values.resize(column);
      values[column - 1] = value;
    }
    const RelevanceJudgement label{
        names_->topics.NumberOf(columns_[1].substr(4)),
        names_->documents.NumberOf(document), *grade,
        static_cast<uint32_t>(number)};
    if (!rows_->seen.insert(JudgementKey(label.topic, label.document)).second)
      return leave_out("repeated-id", std::string(document) +
                                          " stands under its topic "
                                          "already");
    ++log_.counts().used;
    rows_->columns =
        std::max(rows_->columns, static_cast<uint32_t>(values.size()));
    rows_->labels.push_back(label);
    rows_->values.push_back(std::move(values));
    return {};
  }

 private:
  const std::string name_;
  StudyNames* const names_;
  LineLog log_;
  FeatureRows* const rows_;
  std::vector<std::string_view> columns_;
};

}  // namespace

Status ReadFeatures(const StudyText& text, const LineReadOptions& lines,
                    StudyNames* names, LineCounts* counts, FeatureRows* rows) {
  FeatureParser parser(text.name, lines, names, counts, rows);
  return ForEachStudyLine(text, parser.log(),
                          [&](std::string_view line, uint64_t number) {
                            return parser.Take(line, number);
                          });
}

}  // namespace twinset
