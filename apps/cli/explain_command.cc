#include "explain_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "twinset/choices.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

// More inputs than this would bury the suggested command.
constexpr size_t kInputsToRepeat = 4;

// The lines of a file, one by one; none when it cannot be opened.
class FileLines {
 public:
  explicit FileLines(const std::string& path)
      : file_(std::fopen(path.c_str(), "re")) {}
  FileLines(const FileLines&) = delete;
  ~FileLines() {
    if (file_ != nullptr) std::fclose(file_);
    std::free(buffer_);
  }
  // The next line without its line feed; false at the end.
  bool Next(std::string* line) {
    if (file_ == nullptr) return false;
    const auto size = ::getline(&buffer_, &room_, file_);
    if (size < 0) return false;
    line->assign(buffer_, static_cast<size_t>(size));
    if (line->ends_with('\n')) line->pop_back();
    return true;
  }

 private:
  std::FILE* file_;
  char* buffer_ = nullptr;
  size_t room_ = 0;
};

// The first `wanted` values of a CSV row, of which the writer quotes what needs
// it (RFC 4180).
std::vector<std::string> FirstCells(const std::string& row, size_t wanted) {
  std::vector<std::string> cells;
  size_t at = 0;
  while (cells.size() < wanted && at <= row.size()) {
    std::string cell;
    bool quoted = at < row.size() && row[at] == '"';
    if (quoted) ++at;
    for (; at < row.size(); ++at) {
      if (quoted && row[at] == '"') {
        if (at + 1 < row.size() && row[at + 1] == '"')
          cell += row[++at];
        else
          quoted = false;
      } else if (!quoted && row[at] == ',') {
        break;
      } else {
        cell += row[at];
      }
    }
    ++at;
    cells.push_back(cell);
  }
  return cells;
}

// Ids of the first pair in the result folder; empty when there is none.
std::vector<std::string> FirstPair(const FlagOptions& options) {
  std::string line;
  if (options.output_format == OutputFormat::kCsv) {
    FileLines file(options.out + "/pairs.csv");
    if (!file.Next(&line) || !file.Next(&line)) return {};
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> ids = FirstCells(line, 2);
    return ids.size() == 2 ? ids : std::vector<std::string>{};
  }
  FileLines file(options.out + "/pairs.jsonl");
  if (!file.Next(&line)) return {};
  const Json row = Json::Parse(line);
  const std::string *a = row["a"].if_string(), *b = row["b"].if_string();
  if (a == nullptr || b == nullptr) return {};
  return {*a, *b};
}

// Up to so many inputs all are named, so that repeated ids have their numbers.
constexpr size_t kInputsToName = 4;

// The sources of the documents `ids`, as the rows of clusters say.
std::map<std::string, std::string> SourcesOf(
    const FlagOptions& options, const std::vector<std::string>& ids) {
  std::map<std::string, std::string> sources;
  const bool is_csv = options.output_format == OutputFormat::kCsv;
  FileLines rows(options.out + (is_csv ? "/clusters.csv" : "/clusters.jsonl"));
  constexpr size_t kSourceColumn = 5;
  std::string line;
  while (sources.size() < ids.size() && rows.Next(&line)) {
    for (const std::string& id : ids) {
      if (is_csv) {
        const auto cells = FirstCells(line, kSourceColumn + 1);
        if (cells.size() > kSourceColumn && cells[0] == id)
          sources[id] = cells[kSourceColumn];
      } else if (line.starts_with("{\"id\":" + Json(id).dump() + ",")) {
        const Json row = Json::Parse(line);
        if (const std::string* source = row["source"].if_string())
          sources[id] = *source;
      }
    }
  }
  return sources;
}

// The argument of which the file was read as `source`: the file, or the folder
// that `source` begins with.
std::string ArgumentOf(const std::string& path, const std::string& source) {
  const size_t slash = source.find('/');
  if (slash == std::string::npos) return path;
  const std::string below = source.substr(slash);
  const size_t at = path.rfind(below);
  // Behind the source stands at most the suffix of a compression.
  if (at == std::string::npos ||
      path.find('/', at + below.size()) != std::string::npos)
    return path;
  return path.substr(0, at);
}

// Inputs that hold the documents `ids` of the finished run, of which `summary`
// is summary.json: its own and those of saved runs. Empty when one is not there
// any more, or when they do not say by themselves which documents are meant.
std::vector<std::string> InputsOfPair(const FlagOptions& options,
                                      const std::vector<std::string>& ids,
                                      const Json& summary) {
  const Json& run = summary["run"];
  const Json& paths = run["inputs"];
  const Json& sources = summary["sources"];
  if (!paths.is_array() || !sources.is_array() ||
      paths.size() != sources.size())
    return {};
  const bool names_all = paths.size() <= kInputsToName;
  const auto wanted = SourcesOf(options, ids);
  if (wanted.size() < ids.size()) return {};
  std::vector<std::string> inputs;
  for (size_t i = 0; i < paths.size(); ++i) {
    const auto path = NameBytes(paths[i].get<std::string>());
    const auto source = sources[i]["source"].get<std::string>();
    const bool holds =
        std::any_of(wanted.begin(), wanted.end(),
                    [&](const auto& of_id) { return of_id.second == source; });
    if (!holds && !names_all) continue;
    std::error_code error;
    if (!path || !std::filesystem::exists(*path, error)) return {};
    const std::string argument =
        ArgumentOf(*path, NameBytes(source).value_or(source));
    if (std::find(inputs.begin(), inputs.end(), argument) == inputs.end())
      inputs.push_back(argument);
  }
  const bool is_numbered = std::any_of(
      ids.begin(), ids.end(),
      [](const std::string& id) { return id.find('#') != std::string::npos; });
  if (is_numbered && !names_all) return {};
  return inputs;
}

// The flags of `explain`, each behind a blank, that the run had from the saved
// run: those that nobody gave and that are not at their defaults.
std::string InheritedFlags(const Request& request) {
  std::map<std::string, std::string> values;
  const auto add = [&](const std::string& name, const std::string& value,
                       const std::string& standard) {
    if (value != standard) values["--" + name] = value;
  };
  const InputOptions& input = request.options.input;
  const InputOptions standard;
  add("id-field", input.id_field, standard.id_field);
  add("text-field", input.text_field, standard.text_field);
  add("html-field", input.html_field, standard.html_field);
  add("features-field", input.features_field, standard.features_field);
  add("url-field", input.url_field, standard.url_field);
  add("date-field", input.date_field, standard.date_field);
  add("input-format", std::string(ChoiceName(input.format)),
      std::string(ChoiceName(standard.format)));
  if (input.preset) add("preset", std::string(ChoiceName(*input.preset)), "");
  const ParameterValues run = ValuesOf(request.options);
  const ParameterValues none;
  for (const Parameter& parameter : Parameters()) {
    if (parameter.value.empty() || parameter.group == ParameterGroup::kUnits)
      continue;
    add(std::string(parameter.name), ParameterText(parameter, run),
        ParameterText(parameter, none));
  }
  std::string text;
  for (const Flag* flag : FlagsOf(*FindCommand("explain"))) {
    const std::string name(flag->name);
    const auto found = values.find(name);
    const bool is_given = std::any_of(
        request.given.begin(), request.given.end(),
        [&](const auto& given) { return given.first == flag->name; });
    if (found == values.end() || is_given || flag->IsSwitch()) continue;
    text += fmt::format(" {} {}", name, ShellQuoted(found->second));
  }
  return text;
}

}  // namespace

std::string ExplainCommand(const Request& request, const Json& summary) {
  std::vector<std::string> ids = FirstPair(request.options);
  if (ids.empty()) return {};
  const bool adds = !request.options.add.empty();
  const std::vector<std::string> inputs =
      adds ? InputsOfPair(request.options, ids, summary) : request.operands;
  if (inputs.empty() || inputs.size() > kInputsToRepeat) return {};
  if (std::find(inputs.begin(), inputs.end(), "-") != inputs.end()) return {};
  // In a match, explain numbers ids that come again.
  if (ids[0] == ids[1]) ids[1] += "#2";
  std::string command = "twinset explain";
  for (const std::string& input : inputs)
    command += " --in " + ShellQuoted(input);
  for (const auto& [name, value] : request.given) {
    for (const Flag* flag : FlagsOf(*FindCommand("explain")))
      if (flag->name == name && !flag->IsSwitch() &&
          flag->group != FlagGroup::kRun && flag->group != FlagGroup::kOutput &&
          name != "--against")
        command += fmt::format(" {} {}", name, ShellQuoted(value));
  }
  if (adds) command += InheritedFlags(request);
  // An id that looks like a flag is none.
  if (ids[0][0] == '-' || ids[1][0] == '-') command += " --";
  return fmt::format("{} {} {}", command, ShellQuoted(ids[0]),
                     ShellQuoted(ids[1]));
}

}  // namespace twinset::cli
