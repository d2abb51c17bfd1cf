// twinset/mirrors.h: clusters of a run, addresses of its inputs
// (docs/methods/mirrors.md).
#include "twinset/mirrors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "base/file.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"
#include "documents/result_places.h"
#include "documents/text_lines.h"
#include "net/url_rules.h"
#include "options/resources.h"
#include "pipeline/report/result_rows.h"
#include "study/mirror_index.h"
#include "study/mirror_report.h"
#include "study/pass_progress.h"
#include "twinset/json.h"
#include "twinset/names.h"

namespace twinset::inline v1 {
namespace {

// What a page takes beside its texts, in the index and in the tables by id.
constexpr uint64_t kBytesAPage = sizeof(MirrorPage) + 240;

Status CheckOptions(const MirrorsOptions& options) {
  if (options.run.empty())
    return Fail(ErrorCode::kUsage, "no run is given", {},
                "twinset mirrors RUN");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  if (options.least_pages < 1)
    return Fail(ErrorCode::kUsage, "a mirror has one page at least");
  return {};
}

Result<Json> SummaryOf(const std::string& run) {
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

class Pages {
 public:
  // `on_progress` outlives the pages.
  Pages(uint64_t memory_bytes, const ProgressSink& on_progress)
      : most_bytes_(memory_bytes / 2), on_progress_(on_progress) {}

  Status ReadClusters(const std::string& run, uint64_t* clusters) {
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
      status = Add(row.value("id", ""), row.value("url", ""));
      pages_.back().cluster = number;
      pages_.back().similarity = row.value("similarity", 0.0);
      clustered_.insert(pages_.back().id);
      return status.has_value();
    }));
    *clusters = numbers.size();
    return status;
  }

  // The documents that are in no cluster.
  Status ReadInputs(const InputOptions& input, const std::atomic<bool>* stop) {
    PassProgress progress(on_progress_, "inputs", "", "documents");
    return ForEachInputDocument(
        input, {},
        [&](Record* record, const std::string& source) -> Result<bool> {
          progress.Add();
          Document& document = record->document;
          GiveId(source, &document);
          document.id = names_.NameOf(document.id);
          if (stop != nullptr && *stop)
            return Fail(ErrorCode::kInterrupted,
                        "stopped; nothing was written");
          if (clustered_.contains(document.id)) return true;
          TWINSET_TRY(Add(document.id, document.provenance.url));
          return true;
        },
        {});
  }

  std::vector<MirrorPage> Take() { return std::move(pages_); }
  uint64_t size() const { return pages_.size(); }

 private:
  Status Add(std::string id, std::string url) {
    MirrorPage page;
    page.address = MirrorAddress(url, id);
    page.id = std::move(id);
    page.url = std::move(url);
    bytes_ += kBytesAPage + page.address.size() + 3 * page.id.size() +
              page.url.size();
    pages_.push_back(std::move(page));
    if (bytes_ <= most_bytes_) return {};
    return Fail(ErrorCode::kMemory,
                "the addresses of the run do not fit into half of the memory",
                {}, "give more --memory");
  }

  uint64_t most_bytes_, bytes_ = 0;
  const ProgressSink& on_progress_;
  std::vector<MirrorPage> pages_;
  std::unordered_set<std::string> clustered_;  // ids
  IdNumbering names_;
};

// Where the inputs of the run are, if nothing else is said.
InputOptions InputsOf(const MirrorsOptions& options, const Json& summary) {
  InputOptions input = options.input;
  if (!input.inputs.empty()) return input;
  const Json& run = summary["run"];
  for (const Json& name :
       run.contains("arguments") ? run["arguments"] : run["inputs"]) {
    const auto text = name.get<std::string>();
    input.inputs.push_back(NameBytes(text).value_or(text));
  }
  return input;
}

// Documents without a URL are named by their paths; empty for what is neither.
std::string DeadAddress(std::string_view text, MirrorIndex* index) {
  if (index->Find(text) != nullptr) return std::string(text);
  if (WhyNoAddress(text).empty()) return MirrorAddress(text, {});
  const bool is_path = text.find('/') != std::string_view::npos &&
                       text.find("://") == std::string_view::npos;
  return is_path ? std::string(text) : std::string();
}

Status ReadDead(const MirrorsOptions& options, MirrorIndex* index,
                MirrorsResult* result) {
  std::unordered_set<std::string> dead;
  TWINSET_TRY(ForEachTextLine(options.dead, [&](const TextLine& line) {
    const std::string_view url = Trim(line.text);
    if (url.empty() && line.problem.empty()) return true;
    const std::string address = DeadAddress(url, index);
    if (address.empty()) {
      ++result->bad_dead;
    } else if (dead.insert(address).second) {
      result->dead.push_back({std::string(url), {}});
    }
    return true;
  }));
  for (DeadPage& page : result->dead) {
    page.alternatives =
        AlternativesOf(DeadAddress(page.url, index), result->mirrors, index,
                       [&dead](const MirrorPage& other) {
                         return dead.contains(other.address);
                       });
    result->rescued += !page.alternatives.empty();
  }
  return {};
}

}  // namespace

Result<MirrorsResult> FindMirrors(const MirrorsOptions& options) {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(const Json summary, SummaryOf(options.run));
  const InputOptions input = InputsOf(options, summary);
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = input.inputs;
    inputs.push_back(options.run);
    if (!options.dead.empty()) inputs.push_back(options.dead);
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(OutRequest("mirrors", options), inputs));
    folder.emplace(std::move(opened));
  }
  MirrorsResult result;
  Pages pages(MemoryBesideWindow(options.resources, options.input),
              options.on_progress);
  TWINSET_TRY(pages.ReadClusters(options.run, &result.clusters));
  result.clustered = pages.size();
  const Status read = pages.ReadInputs(input, options.stop);
  if (!read) {
    if (read.error().code == ErrorCode::kMemory ||
        read.error().code == ErrorCode::kInterrupted)
      return tl::unexpected(read.error());
    result.warnings.push_back("pages in no cluster are not known: " +
                              read.error().ToString());
  }
  result.documents = pages.size();
  MirrorIndex index(pages.Take());
  TWINSET_ASSIGN(result.mirrors,
                 MirrorsOf(options, &index, &result.cut_clusters));
  for (const MirrorPage& page : index.pages())
    result.mirrored += page.degree > 0;
  if (!options.dead.empty()) TWINSET_TRY(ReadDead(options, &index, &result));
  result.summary_json = MirrorSummary(options, result);
  if (folder)
    TWINSET_TRY(WriteMirrors(options, result, index.pages(), &*folder));
  return result;
}

}  // namespace twinset::inline v1
