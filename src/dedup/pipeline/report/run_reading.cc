#include "pipeline/report/run_reading.h"

#include "base/file.h"
#include "documents/document_options.h"
#include "pipeline/read/read_against.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr uint64_t kMostSummaryBytes = 64 << 20;

}  // namespace

Result<Json> ReadRunSummary(const std::string& folder,
                            const std::string& remedy) {
  const std::string path = folder + "/summary.json";
  if (!FileExists(path)) {
    return Fail(ErrorCode::kUsage, "there is no finished run", NameText(folder),
                remedy);
  }
  TWINSET_ASSIGN(const std::string text,
                 ReadWholeFile(path, kMostSummaryBytes));
  Json summary = Json::Parse(text);
  for (const char* part : {"parameters", "records", "documents", "run"}) {
    if (summary[part].is_object()) continue;
    return Fail(ErrorCode::kUsage,
                "its summary.json is of a command without a report",
                NameText(folder), remedy);
  }
  return summary;
}

std::vector<std::string> InputsOfRun(const Json& summary) {
  const Json& run = summary["run"];
  std::vector<std::string> inputs;
  for (const Json& name :
       run.contains("arguments") ? run["arguments"] : run["inputs"]) {
    const auto text = name.get<std::string>();
    inputs.push_back(NameBytes(text).value_or(text));
  }
  return inputs;
}

Result<RunReading> ReadingOfRun(const Json& summary, const PlanOptions& options,
                                const InputsNow& now) {
  RunReading reading;
  reading.options = options;
  reading.options.input.networks = now.networks;
  auto& all = reading.options.input.inputs;
  all = InputsOfRun(summary);
  if (!summary["run"].contains("arguments") &&
      summary["sources"].size() == all.size()) {
    for (const Json& row : summary["sources"])
      reading.names.push_back(row.value("source", ""));
  }
  reading.records = summary["records"]["read"].get<uint64_t>();
  const Json& parameters = summary["parameters"];
  reading.first_side = parameters["inputs_of_a"].get<uint64_t>();
  if (!now.inputs.empty()) {
    all = now.inputs;
    reading.names.clear();
    if (IsMatch(summary)) {
      TWINSET_ASSIGN(const auto first, ListInputs(reading.options.input));
      reading.first_side = first.size();
    }
    all.insert(all.end(), now.against.begin(), now.against.end());
  }
  TWINSET_ASSIGN(const ReadOptions read,
                 MakeReadOptions(reading.options.input));
  TWINSET_ASSIGN(const AgainstOptions of_b,
                 AgainstOfJson(parameters["against"]));
  TWINSET_ASSIGN(reading.read_against,
                 ReadAgainst(reading.options.input, of_b, read));
  return reading;
}

}  // namespace twinset
