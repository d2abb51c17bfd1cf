// Traps (docs/methods/traps.md): near-duplicate clusters by host, their
// addresses as patterns.
#include "twinset/traps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/machine.h"
#include "net/url.h"
#include "pipeline/plan.h"
#include "pipeline/read_outcome.h"
#include "pipeline/result_places.h"
#include "pipeline/text_lines.h"
#include "pipeline/watched_inputs.h"
#include "sample/trap_evidence.h"
#include "sample/traps_report.h"
#include "sample/url_pattern.h"
#include "store/scratch_folder.h"
#include "twinset/dedup.h"
#include "twinset/json.h"

namespace twinset {
namespace {

// One address of the input.
struct Address {
  AddressParts parts;
  TrapPage page;
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

// The addresses of the input and the words of their pages are held in memory: a
// trap is judged by all addresses of its host. Half of --memory is theirs, the
// other half is for reading.
class AddressMemory {
 public:
  explicit AddressMemory(uint64_t memory_bytes)
      : most_bytes_(MemoryOr(memory_bytes) / 2) {}

  // An address of a cluster: in it, by cluster, by host, by shape and in parts.
  Status AddClustered(const std::string& url) {
    return Add(5 * url.size() + 600);
  }
  // One of its host.
  Status AddOfHost(const std::string& url) { return Add(2 * url.size() + 400); }
  Status Add(uint64_t bytes) {
    used_bytes_ += bytes;
    if (used_bytes_ <= most_bytes_) return {};
    return Fail(ErrorCode::kMemory,
                "the addresses of the input and the words of their pages need "
                "more than half of the memory",
                {}, "raise --memory, or give the pages of fewer hosts at once");
  }

 private:
  const uint64_t most_bytes_;
  uint64_t used_bytes_ = 0;
};

// Rows of the clusters hold an address of at most --max-field, escaped.
constexpr uint64_t kMostRowBytes = 4 << 20;

// Clusters of two or more different addresses of one host.
Result<std::vector<Cluster>> ReadClusters(const std::string& path,
                                          AddressMemory* memory) {
  std::map<std::string, Cluster> by_id;
  Status status;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        const Json row = Json::Parse(line.text);
        if (row.is_discarded() || !row.is_object()) {
          status = Fail(ErrorCode::kInternal,
                        "a row of the clusters cannot be read", path);
          return false;
        }
        const std::string url = NormaliseUrl(row.value("url", ""));
        if (UrlHost(url).empty()) return true;
        Cluster& cluster = by_id[row.value("cluster", "")];
        cluster.host = UrlHost(url);
        if (row.value("is_representative", false)) cluster.representative = url;
        if (cluster.addresses.insert(url).second)
          status = memory->AddClustered(url);
        return status.has_value();
      },
      kMostRowBytes));
  TWINSET_TRY(status);
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
    const UrlPattern pattern = GeneraliseUrls(alike);
    const auto places = pattern.VaryingPlaces();
    const bool any =
        std::find(places.begin(), places.end(), Varying::kAny) != places.end();
    // Few session ids of one page may be many of all pages.
    const bool enough =
        urls.size() >= least_urls || (urls.size() > 1 && pattern.IsSession());
    if (!enough || any) {
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

TrapEvidence EvidenceOf(const Cluster& cluster, const Host& host) {
  std::vector<const TrapPage*> pages;
  for (const std::string& url : cluster.addresses) {
    const auto at = host.find(url);
    if (at != host.end()) pages.push_back(&at->second.page);
  }
  return JudgePages(pages);
}

UrlPattern PatternOf(const Cluster& cluster) {
  std::vector<AddressParts> parts;
  for (const std::string& url : cluster.addresses)
    parts.push_back(SplitAddress(url));
  return GeneraliseUrls(parts);
}

// Pages of a host that are the same but for numbers, dates and their own
// address are one cluster with all that they are alike to.
void JoinSkeletons(const std::map<std::string, Host>& hosts,
                   uint64_t least_urls, std::vector<Cluster>* clusters) {
  std::unordered_map<std::string, size_t> cluster_of;
  for (size_t i = 0; i < clusters->size(); ++i)
    for (const std::string& url : (*clusters)[i].addresses) cluster_of[url] = i;
  for (const auto& [name, host] : hosts) {
    std::map<uint64_t, std::vector<const std::string*>> by_skeleton;
    for (const auto& [url, address] : host) {
      if (address.page.skeleton != 0)
        by_skeleton[address.page.skeleton].push_back(&url);
    }
    for (const auto& [skeleton, urls] : by_skeleton) {
      if (urls.size() < least_urls) continue;
      Cluster joined{name, *urls.front(), {}};
      for (const std::string* url : urls) {
        joined.addresses.insert(*url);
        const auto known = cluster_of.find(*url);
        if (known == cluster_of.end()) continue;
        Cluster& other = (*clusters)[known->second];
        if (other.addresses.empty()) continue;
        joined.representative = other.representative;
        joined.addresses.merge(other.addresses);
        other.addresses.clear();
      }
      for (const std::string& url : joined.addresses)
        cluster_of[url] = clusters->size();
      clusters->push_back(std::move(joined));
    }
  }
}

Trap MakeTrap(const Cluster& cluster, const Host& host, std::string kind,
              const TrapEvidence& evidence, const TrapsOptions& options) {
  const UrlPattern pattern = PatternOf(cluster);
  Trap trap;
  trap.host = cluster.host;
  trap.pattern = pattern.ToString();
  trap.kind = std::move(kind);
  trap.urls = cluster.addresses.size();
  for (const auto& [url, address] : host)
    trap.of += pattern.Matches(address.parts);
  trap.of = std::max(trap.of, trap.urls);
  trap.share = static_cast<double>(trap.urls) / static_cast<double>(trap.of);
  trap.tokens = evidence.tokens;
  trap.new_words = evidence.new_words;
  trap.representative = cluster.representative.empty()
                            ? *cluster.addresses.begin()
                            : cluster.representative;
  for (const std::string& url : cluster.addresses) {
    if (trap.samples.size() == options.samples) break;
    trap.samples.push_back(url);
  }
  return trap;
}

// The traps of a host. Session ids on many pages are one trap, of addresses
// that look alike, not one for each page.
class HostTraps {
 public:
  HostTraps(const Host& host, const TrapsOptions& options, TrapsResult* result)
      : host_(host), options_(options), result_(result) {}

  void Add(const Cluster& cluster) {
    for (Cluster& part : SplitByShape(cluster, options_.least_urls)) {
      const TrapEvidence evidence = EvidenceOf(part, host_);
      const std::string kind =
          TrapKind(PatternOf(part), evidence, options_.short_tokens);
      if (kind.empty()) continue;
      if (kind == "session") {
        AddSession(std::move(part), evidence);
      } else if (part.addresses.size() >= options_.least_urls) {
        Tell(MakeTrap(part, host_, kind, evidence, options_));
      }
    }
  }

  void Finish() {
    for (const auto& [shape, session] : sessions_) {
      if (session.pages.addresses.size() < options_.least_urls) continue;
      Trap trap =
          MakeTrap(session.pages, host_, "session", session.evidence, options_);
      trap.pages = session.count;
      Tell(std::move(trap));
    }
  }

 private:
  struct Session {
    Cluster pages;
    TrapEvidence evidence;  // of the page with the most addresses
    size_t most = 0;
    uint64_t count = 0;
  };

  void AddSession(Cluster part, const TrapEvidence& evidence) {
    const std::string shape =
        AddressShape(SplitAddress(*part.addresses.begin()));
    Session& session = sessions_[shape];
    ++session.count;
    if (part.addresses.size() > session.most) {
      session.most = part.addresses.size();
      session.evidence = evidence;
      session.pages.representative = part.representative;
    }
    session.pages.host = part.host;
    session.pages.addresses.merge(part.addresses);
  }

  void Tell(Trap trap) {
    if (trap.share < options_.share) return;
    result_->trapped += trap.urls;
    result_->traps.push_back(std::move(trap));
  }

  const Host& host_;
  const TrapsOptions& options_;
  TrapsResult* result_;
  std::map<std::string, Session> sessions_;  // by shape
};

Result<std::map<std::string, Host>> ReadAddresses(
    const TrapsOptions& options, const std::vector<Cluster>& clusters,
    const std::function<void(const RejectedRecord&)>& on_rejected,
    AddressMemory* memory, TrapsResult* result) {
  std::unordered_set<std::string_view> clustered;
  for (const Cluster& cluster : clusters)
    clustered.insert(cluster.addresses.begin(), cluster.addresses.end());
  std::map<std::string, Host> hosts;
  bool stopped = false;
  Status status;
  ReadOutcome outcome;
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(options.features));
  TWINSET_TRY(ForEachText(
      options.input, options.features, TextDetails(),
      [&](const DocumentText& document) {
        ++result->documents;
        const std::string url = NormaliseUrl(document.url);
        const std::string host = UrlHost(url);
        if (host.empty()) {
          ++result->without_url;
        } else {
          Address& address = hosts[host][url];
          if (address.parts.segments.empty()) {
            address.parts = SplitAddress(url);
            status = memory->AddOfHost(url);
          }
          address.page =
              ReadTrapPage(reader, document, url, options.short_tokens,
                           clustered.contains(url));
          address.page.words.shrink_to_fit();
          if (status)
            status = memory->Add(address.page.words.size() * sizeof(uint32_t));
        }
        stopped = options.stop != nullptr && *options.stop;
        return !stopped && status;
      },
      outcome.Counting(on_rejected)));
  if (stopped)
    return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
  TWINSET_TRY(status);
  outcome.documents = result->documents;
  TWINSET_TRY(CheckAnyDocument(outcome, "the input"));
  return hosts;
}

Result<ResultFolder> OpenOut(const TrapsOptions& options) {
  FolderRequest request;
  request.path = options.out;
  request.flag = "--out";
  request.command = "traps";
  request.overwrite = options.overwrite;
  return OpenResultFolder(std::move(request), options.input.inputs);
}

}  // namespace

Result<TrapsResult> FindTraps(
    const TrapsOptions& options,
    const std::function<void(const RejectedRecord&)>& on_rejected) {
  TWINSET_TRY(CheckOptions(options));
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    TWINSET_ASSIGN(ResultFolder opened, OpenOut(options));
    folder.emplace(std::move(opened));
  }
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, ".twinset-traps-"));
  TWINSET_ASSIGN(const WatchedInputs inputs,
                 WatchedInputs::Begin(options.input));
  TWINSET_TRY(RunDedup(options, work / "dedup"));
  AddressMemory memory(options.resources.memory_bytes);
  TWINSET_ASSIGN(std::vector<Cluster> clusters,
                 ReadClusters(work / "dedup/clusters.jsonl", &memory));
  TrapsResult result;
  TWINSET_ASSIGN(const auto hosts, ReadAddresses(options, clusters, on_rejected,
                                                 &memory, &result));
  TWINSET_TRY(inputs.Check());
  result.hosts = hosts.size();
  result.clusters = clusters.size();
  JoinSkeletons(hosts, options.least_urls, &clusters);
  std::map<std::string, std::vector<const Cluster*>> by_host;
  for (const Cluster& cluster : clusters)
    if (cluster.addresses.size() > 1) by_host[cluster.host].push_back(&cluster);
  for (const auto& [name, of_host] : by_host) {
    const auto host = hosts.find(name);
    if (host == hosts.end()) continue;
    HostTraps traps(host->second, options, &result);
    for (const Cluster* cluster : of_host) traps.Add(*cluster);
    traps.Finish();
  }
  std::sort(result.traps.begin(), result.traps.end(),
            [](const Trap& a, const Trap& b) {
              if (a.urls != b.urls) return a.urls > b.urls;
              return std::tie(a.host, a.pattern, a.representative) <
                     std::tie(b.host, b.pattern, b.representative);
            });
  if (folder) TWINSET_TRY(WriteTraps(options, result, &*folder));
  return result;
}

}  // namespace twinset
