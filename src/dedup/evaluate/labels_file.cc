#include "evaluate/labels_file.h"

#include <algorithm>

#include "documents/text_lines.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr std::string_view kMagic = "twinset-labels";
constexpr uint64_t kVersion1 = 1;
constexpr uint64_t kBeginLines = 8;  // that may stand before the magic

tl::unexpected<Error> Bad(const std::string& name, const std::string& what) {
  return Fail(ErrorCode::kCorrupt, what, name, "export the labels again");
}

// An answer that is not given is null or missing.
bool ReadAnswer(const Json& value, std::optional<LabelAnswer>* answer) {
  if (value.is_null()) return true;
  const std::string* text = value.if_string();
  if (text == nullptr) return false;
  *answer = FindChoice<LabelAnswer>(*text);
  return answer->has_value();
}

bool ReadLabel(const Json& row, PairLabel* label) {
  if (!row["pair"].is_number_unsigned()) return false;
  label->pair = row["pair"].get<uint64_t>();
  label->a = row.value("a", "");
  label->b = row.value("b", "");
  label->time = row.value("time", "");
  label->seconds = row.value("seconds", 0.0);
  if (label->pair == 0 || label->a.empty() || label->b.empty()) return false;
  for (const auto& [question, name] : kChoices<LabelQuestion>)
    if (!ReadAnswer(row[name], &label->answers[static_cast<size_t>(question)]))
      return false;
  return true;
}

}  // namespace

Result<LabelsFile> ParseLabels(std::string_view text, const std::string& name) {
  const Json json = Json::Parse(text);
  if (json["magic"] != kMagic) return Bad(name, "it is no file of labels");
  if (json["version"] != kVersion1)
    return Fail(ErrorCode::kCorrupt, "labels of another version", name,
                "this program reads version 1");
  LabelsFile file;
  file.sample = json.value("sample", "");
  file.assessor = json.value("assessor", "");
  if (!json["labels"].is_array()) return Bad(name, "it has no list of labels");
  for (const Json& row : json["labels"]) {
    PairLabel label;
    if (!ReadLabel(row, &label))
      return Bad(name, "label " + std::to_string(file.labels.size() + 1) +
                           " is none: it needs pair, a, b and answers of yes, "
                           "no or unsure");
    file.labels.push_back(std::move(label));
  }
  std::sort(
      file.labels.begin(), file.labels.end(),
      [](const PairLabel& x, const PairLabel& y) { return x.pair < y.pair; });
  for (size_t i = 1; i < file.labels.size(); ++i)
    if (file.labels[i - 1].pair == file.labels[i].pair)
      return Bad(name, "pair " + std::to_string(file.labels[i].pair) +
                           " is labelled twice");
  return file;
}

Result<LabelsFile> ReadLabelsFile(const std::string& path) {
  std::string text;
  std::string problem;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        text.append(line.text) += '\n';
        problem = line.problem;
        if (text.size() > kMostLabelBytes) problem = "longer than 64 MB";
        return problem.empty();
      },
      kMostLabelBytes));
  if (!problem.empty()) return Bad(path, problem);
  return ParseLabels(text, path);
}

bool LooksLikeLabels(const std::string& path) {
  bool is_found = false;
  const Status read = ForEachTextLine(path, [&](const TextLine& line) {
    is_found = line.text.find(kMagic) != line.text.npos &&
               line.text.find("\"magic\"") != line.text.npos;
    return !is_found && line.number < kBeginLines;
  });
  return read && is_found;
}

}  // namespace twinset
