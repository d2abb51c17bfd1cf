#include "mirrors/run_pages.h"

#include <unordered_map>
#include <utility>

#include "base/file.h"
#include "documents/document_pass.h"
#include "documents/pass_progress.h"
#include "documents/side_check.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/report/run_reading.h"
#include "read/table_helpers.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

// What a page takes beside its texts, in the index and in the tables by id.
constexpr uint64_t kBytesAPage = sizeof(MirrorPage) + 240;

// An id that was made of a file and a number is no path of the document.
bool IsPath(std::string_view id, std::string_view source) {
  const bool is_made = id.size() > source.size() && id.starts_with(source) &&
                       id[source.size()] == ':';
  return id.find('/') != std::string_view::npos && !is_made;
}

}  // namespace

Result<Json> ReadRunSummary(const std::string& run) {
  const std::string path = run + "/summary.json";
  if (!FileExists(path))
    return Fail(ErrorCode::kUsage, "it holds no finished run", run,
                "give the folder of dedup --out");
  TWINSET_ASSIGN(const std::string text, ReadWholeFile(path, 64 << 20));
  Json summary = Json::Parse(text);
  if (!summary.is_object())
    return Fail(ErrorCode::kCorrupt, "the summary cannot be read", path);
  if (!FileExists(run + "/clusters.jsonl") &&
      !FileExists(run + "/clusters.csv"))
    return Fail(ErrorCode::kUsage, "the run has no clusters", run,
                "give the folder of dedup --out");
  return summary;
}

Result<Measure> MeasureOfRun(const Json& summary) {
  const Json parameters = summary.value("parameters", Json::object());
  const Json name =
      parameters.is_object() ? parameters.value("measure", Json()) : Json();
  const auto measure = FindChoice<Measure>(
      name.is_string() ? name.get<std::string>() : std::string());
  if (!measure)
    return Fail(ErrorCode::kCorrupt, "the summary of the run names no measure",
                "", "run dedup again");
  return *measure;
}

InputOptions RunInputs(const InputOptions& given, const Json& summary) {
  InputOptions input = given;
  if (input.inputs.empty()) input.inputs = InputsOfRun(summary);
  return input;
}

Status RunPages::ReadClusters(const std::string& run) {
  std::unordered_map<std::string, uint64_t> numbers;
  PassProgress progress(on_progress_, "clusters", "", "documents");
  Status status;
  TWINSET_TRY(ForEachResultRow(run, "clusters", [&](const Json& row) {
    progress.Add();
    const auto name = row.value("cluster", "");
    if (name.empty() || row.value("id", "").empty()) {
      status = Fail(ErrorCode::kCorrupt,
                    "a row of its clusters names no document or no cluster",
                    run, "run dedup again");
      return false;
    }
    const uint64_t number =
        numbers.try_emplace(name, numbers.size()).first->second;
    status =
        Add(row.value("id", ""), row.value("url", ""), row.value("source", ""));
    pages_.back().cluster = number;
    pages_.back().similarity = row.value("similarity", 0.0);
    pages_.back().represents = row.value("is_representative", false);
    pages_.back().is_estimated = row.value("estimated", false);
    clustered_.insert(pages_.back().id);
    return status.has_value();
  }));
  clusters_ = numbers.size();
  return status;
}

Status RunPages::ReadInputs(const InputOptions& input,
                            const std::atomic<bool>* stop,
                            std::vector<std::string>* warnings) {
  const Status read = ReadAlone(input, stop);
  if (read || EndsReading(read.error())) return read;
  warnings->push_back("pages in no cluster are not known: " +
                      read.error().ToString());
  return {};
}

Status RunPages::ReadAlone(const InputOptions& input,
                           const std::atomic<bool>* stop) {
  PassProgress progress(on_progress_, "inputs", "", "documents");
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", input));
  Status read = ForEachInputDocument(
      input, {},
      [&](Record* record, const std::string& source) -> Result<bool> {
        progress.Add();
        Document& document = record->document;
        document.id = names_.NameOf(document.id);
        if (stop != nullptr && *stop)
          return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
        counter.Document(source, /*is_wordless=*/false);
        if (first_id_.empty()) first_id_ = document.id;
        if (clustered_.contains(document.id)) {
          any_known_ = true;
          return true;
        }
        TWINSET_TRY(Add(document.id, document.provenance.url, source));
        return true;
      },
      counter.Counting({}));
  inputs_ = counter.Whole("inputs");
  empty_inputs_ = counter.Warnings();
  return read;
}

Status RunPages::CheckPlaces(const std::string& run) const {
  if (placed_ > 0) return {};
  return Fail(
      ErrorCode::kCorrupt,
      "none of its " + CountText(pages_.size(), "document") + " has an address",
      run,
      "run dedup on documents with addresses; --url-field names their "
      "field");
}

Status RunPages::Add(std::string id, std::string url, std::string_view source) {
  placed_ += !url.empty() || IsPath(id, source);
  MirrorPage page;
  page.address = MirrorAddress(url, id);
  page.id = std::move(id);
  page.url = std::move(url);
  bytes_ +=
      kBytesAPage + page.address.size() + 3 * page.id.size() + page.url.size();
  pages_.push_back(std::move(page));
  if (bytes_ <= most_bytes_) return {};
  return Fail(ErrorCode::kMemory,
              "the addresses of the run do not fit into half of the memory", {},
              "give more --memory");
}

}  // namespace twinset
