// Traps (docs/methods/traps.md): near-duplicate clusters by host, their
// addresses as patterns.
#include "twinset/traps.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/file.h"
#include "net/url.h"
#include "pipeline/watched_inputs.h"
#include "report/html_report.h"
#include "sample/url_pattern.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

// A folder of its own for the run, removed with what is in it.
class WorkDirectory {
 public:
  static Result<WorkDirectory> Make(const std::string& parent) {
    TWINSET_TRY(MakeDirectories(parent));
    std::string path = parent + "/twinset-traps-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr)
      return tl::unexpected<Error>(IoError("make a folder in", parent, errno));
    return WorkDirectory(std::move(path));
  }
  WorkDirectory(WorkDirectory&& other) noexcept
      : path_(std::exchange(other.path_, {})) {}
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory() {
    if (!path_.empty()) (void)RemoveTree(path_);
  }
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  explicit WorkDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// One address of the input.
struct Address {
  AddressParts parts;
  uint64_t tokens = 0;
};
using Host = std::map<std::string, Address>;  // by normalised address

struct Cluster {
  std::string host, representative;
  std::set<std::string> addresses;
};

Status CheckOptions(const TrapsOptions& options) {
  const auto wrong = [](std::string message, std::string remedy) {
    return Fail(ErrorCode::kUsage, std::move(message), {}, std::move(remedy));
  };
  if (options.input.inputs.empty())
    return wrong("no input is given", "twinset traps INPUT...");
  for (const std::string& input : options.input.inputs)
    if (input == "-")
      return wrong("traps reads its input twice; standard input has one go",
                   "store it in a file");
  if (options.least_urls < 2)
    return wrong("one address is no trap", "give 2 addresses or more");
  if (options.report && options.out.empty())
    return wrong("a report needs a folder", "add --out DIR");
  if (!options.out.empty() && FileExists(options.out) && !options.overwrite)
    return Fail(ErrorCode::kUsage, "the folder exists", options.out,
                "choose another one, or add --overwrite");
  return {};
}

Status RunDedup(const TrapsOptions& options, const std::string& out) {
  DedupOptions dedup;
  dedup.input = options.input;
  dedup.features = options.features;
  dedup.resources = options.resources;
  dedup.resources.tmp.clear();
  dedup.method.threshold = options.threshold;
  dedup.within = "host";
  dedup.action = "report";
  dedup.pairs = "star";
  dedup.keep = {"shortest-url"};
  dedup.out = out;
  dedup.stop = options.stop;
  TWINSET_ASSIGN([[maybe_unused]] const DedupSummary summary, Dedup(dedup));
  return {};
}

// Clusters of two or more different addresses of one host.
Result<std::vector<Cluster>> ReadClusters(const std::string& path) {
  TWINSET_ASSIGN(const std::string rows, ReadWholeFile(path));
  std::map<std::string, Cluster> by_id;
  std::string_view rest = rows;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const Json row = Json::Parse(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (row.is_discarded() || !row.is_object())
      return Fail(ErrorCode::kInternal, "a row of the clusters cannot be read",
                  path);
    const std::string url = NormaliseUrl(row.value("url", ""));
    if (UrlHost(url).empty()) continue;
    Cluster& cluster = by_id[row.value("cluster", "")];
    cluster.host = UrlHost(url);
    if (row.value("is_representative", false)) cluster.representative = url;
    cluster.addresses.insert(url);
  }
  std::vector<Cluster> clusters;
  for (auto& [id, cluster] : by_id)
    if (cluster.addresses.size() > 1) clusters.push_back(std::move(cluster));
  return clusters;
}

// One page may be the end of several traps, as two views of one calendar: those
// addresses of a cluster that look alike, if they are enough and vary by
// numbers, dates or random-looking values only; then the rest.
std::vector<Cluster> SplitByShape(const Cluster& cluster, uint64_t least_urls) {
  std::map<std::string, std::vector<std::string>> by_shape;
  for (const std::string& url : cluster.addresses)
    by_shape[AddressShape(SplitAddress(url))].push_back(url);
  std::vector<Cluster> parts;
  Cluster rest{cluster.host, cluster.representative, {}};
  for (const auto& [shape, urls] : by_shape) {
    std::vector<AddressParts> alike;
    for (const std::string& url : urls) alike.push_back(SplitAddress(url));
    const auto places = GeneraliseUrls(alike).VaryingPlaces();
    const bool any =
        std::find(places.begin(), places.end(), Varying::kAny) != places.end();
    if (urls.size() < least_urls || any) {
      rest.addresses.insert(urls.begin(), urls.end());
      continue;
    }
    const bool has =
        std::binary_search(urls.begin(), urls.end(), cluster.representative);
    parts.push_back({cluster.host,
                     has ? cluster.representative : urls.front(),
                     {urls.begin(), urls.end()}});
  }
  if (rest.addresses.size() >= least_urls) parts.push_back(std::move(rest));
  return parts;
}

std::string KindOf(const UrlPattern& pattern, uint64_t tokens,
                   const TrapsOptions& options) {
  const auto places = pattern.VaryingPlaces();
  const bool walks =
      std::all_of(places.begin(), places.end(), [](Varying varying) {
        return varying == Varying::kNumber || varying == Varying::kDate;
      });
  if (pattern.IsSession()) return "session";
  if (walks && !places.empty()) return "calendar";
  const bool any =
      std::find(places.begin(), places.end(), Varying::kAny) != places.end();
  return any && tokens <= options.short_tokens ? "soft-404" : "other";
}

Trap MakeTrap(const Cluster& cluster, const Host& host,
              const TrapsOptions& options) {
  std::vector<AddressParts> parts;
  std::vector<uint64_t> tokens;
  for (const std::string& url : cluster.addresses) {
    const auto at = host.find(url);
    parts.push_back(at == host.end() ? SplitAddress(url) : at->second.parts);
    tokens.push_back(at == host.end() ? 0 : at->second.tokens);
  }
  const UrlPattern pattern = GeneraliseUrls(parts);
  Trap trap;
  trap.host = cluster.host;
  trap.pattern = pattern.ToString();
  trap.urls = cluster.addresses.size();
  for (const auto& [url, address] : host)
    trap.of += pattern.Matches(address.parts);
  trap.of = std::max(trap.of, trap.urls);
  trap.share = static_cast<double>(trap.urls) / static_cast<double>(trap.of);
  const auto middle =
      tokens.begin() + static_cast<ptrdiff_t>(tokens.size() / 2);
  std::nth_element(tokens.begin(), middle, tokens.end());
  trap.tokens = *middle;
  trap.kind = KindOf(pattern, trap.tokens, options);
  trap.representative = cluster.representative.empty()
                            ? *cluster.addresses.begin()
                            : cluster.representative;
  for (const std::string& url : cluster.addresses) {
    if (trap.samples.size() == options.samples) break;
    trap.samples.push_back(url);
  }
  return trap;
}

Result<std::map<std::string, Host>> ReadAddresses(
    const TrapsOptions& options,
    const std::function<void(const RejectedRecord&)>& on_rejected,
    TrapsResult* result) {
  std::map<std::string, Host> hosts;
  bool stopped = false;
  TextDetails details;
  details.tokens = true;
  TWINSET_TRY(ForEachText(
      options.input, options.features, details,
      [&](const DocumentText& document) {
        ++result->documents;
        const std::string url = NormaliseUrl(document.url);
        const std::string host = UrlHost(url);
        if (host.empty()) {
          ++result->without_url;
        } else {
          Address& address = hosts[host][url];
          if (address.parts.segments.empty()) address.parts = SplitAddress(url);
          address.tokens = document.tokens.size();
        }
        stopped = options.stop != nullptr && *options.stop;
        return !stopped;
      },
      on_rejected));
  if (stopped)
    return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
  return hosts;
}

// ---- Results ----

Json TrapRow(const Trap& trap) {
  return {{"host", trap.host},      {"pattern", trap.pattern},
          {"kind", trap.kind},      {"urls", trap.urls},
          {"of", trap.of},          {"share", trap.share},
          {"tokens", trap.tokens},  {"representative", trap.representative},
          {"samples", trap.samples}};
}

std::string Dumped(const Json& row, int indent) {
  return row.dump(indent) + "\n";
}

std::string ReportOf(const TrapsOptions& options, const TrapsResult& result) {
  using html::Cell;
  HtmlReport report("Traps");
  html::KeyValues counts;
  counts.rows = {{"documents", Cell::Count(result.documents)},
                 {"without an address", Cell::Count(result.without_url)},
                 {"hosts", Cell::Count(result.hosts)},
                 {"clusters", Cell::Count(result.clusters)},
                 {"traps", Cell::Count(result.traps.size())},
                 {"addresses in traps", Cell::Count(result.trapped)},
                 {"resemblance from", Cell::Number(options.threshold)},
                 {"addresses from", Cell::Count(options.least_urls)},
                 {"share from", Cell::Number(options.share)}};
  report.Add(counts);
  html::Table table;
  table.caption = "Traps, by number of addresses";
  table.columns = {{"host"},        {"pattern"},       {"kind"},
                   {"urls", true},  {"of", true},      {"share", true},
                   {"words", true}, {"representative"}};
  for (const Trap& trap : result.traps)
    table.rows.push_back(
        {Cell::Text(trap.host), Cell::Text(trap.pattern), Cell::Text(trap.kind),
         Cell::Count(trap.urls), Cell::Count(trap.of),
         Cell::Percent(trap.urls, trap.of), Cell::Count(trap.tokens),
         Cell::Text(trap.representative)});
  report.Add(table);
  return std::move(report).Finish();
}

Status WriteResults(const TrapsOptions& options, const TrapsResult& result) {
  TWINSET_TRY(MakeDirectories(options.out));
  std::string rows;
  for (const Trap& trap : result.traps) rows += Dumped(TrapRow(trap), -1);
  TWINSET_TRY(WriteWholeFile(options.out + "/traps.jsonl", rows));
  if (options.report)
    TWINSET_TRY(WriteWholeFile(options.out + "/report.html",
                               ReportOf(options, result)));
  const Json summary = {{"documents", result.documents},
                        {"without_url", result.without_url},
                        {"hosts", result.hosts},
                        {"clusters", result.clusters},
                        {"traps", result.traps.size()},
                        {"trapped", result.trapped},
                        {"parameters",
                         {{"threshold", options.threshold},
                          {"least_urls", options.least_urls},
                          {"share", options.share},
                          {"short_tokens", options.short_tokens},
                          {"samples", options.samples},
                          {"tokens", options.features.tokens},
                          {"shingle", options.features.shingle},
                          {"content", options.features.content}}}};
  return WriteWholeFile(options.out + "/summary.json", Dumped(summary, 2));
}

}  // namespace

Result<TrapsResult> FindTraps(
    const TrapsOptions& options,
    const std::function<void(const RejectedRecord&)>& on_rejected) {
  TWINSET_TRY(CheckOptions(options));
  std::error_code ignored;
  const std::string parent =
      !options.resources.tmp.empty()
          ? options.resources.tmp
          : std::filesystem::temp_directory_path(ignored).string();
  TWINSET_ASSIGN(const WorkDirectory work, WorkDirectory::Make(parent));
  TWINSET_ASSIGN(const WatchedInputs inputs,
                 WatchedInputs::Begin(options.input));
  TWINSET_TRY(RunDedup(options, work / "dedup"));
  TWINSET_ASSIGN(const std::vector<Cluster> clusters,
                 ReadClusters(work / "dedup/clusters.jsonl"));
  TrapsResult result;
  TWINSET_ASSIGN(const auto hosts,
                 ReadAddresses(options, on_rejected, &result));
  TWINSET_TRY(inputs.Check());
  result.hosts = hosts.size();
  result.clusters = clusters.size();
  for (const Cluster& cluster : clusters) {
    if (cluster.addresses.size() < options.least_urls) continue;
    const auto host = hosts.find(cluster.host);
    if (host == hosts.end()) continue;
    for (const Cluster& part : SplitByShape(cluster, options.least_urls)) {
      Trap trap = MakeTrap(part, host->second, options);
      if (trap.share < options.share) continue;
      result.trapped += trap.urls;
      result.traps.push_back(std::move(trap));
    }
  }
  std::sort(result.traps.begin(), result.traps.end(),
            [](const Trap& a, const Trap& b) {
              if (a.urls != b.urls) return a.urls > b.urls;
              return std::tie(a.host, a.pattern, a.representative) <
                     std::tie(b.host, b.pattern, b.representative);
            });
  if (!options.out.empty()) TWINSET_TRY(WriteResults(options, result));
  return result;
}

}  // namespace twinset
