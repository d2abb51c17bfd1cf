// Traps (docs/methods/traps.md): near-duplicate clusters by host, their
// addresses as patterns.
#include "twinset/measure/traps.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "documents/watched_inputs.h"
#include "engine/http_fetcher.h"
#include "net/recorded_fetcher.h"
#include "net/url.h"
#include "store/scratch_folder.h"
#include "traps/made_up_address.h"
#include "traps/trap_clusters.h"
#include "traps/trap_memory.h"
#include "traps/trap_probe.h"
#include "traps/traps_report.h"
#include "twinset/dedup.h"
#include "twinset/inspect.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

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
  if (!options.record.empty() && !options.probe)
    return wrong("no answers to record: nobody is asked", "add --probe");
  return {};
}

TrapEvidence EvidenceOf(const TrapCluster& cluster, const TrapHost& host) {
  std::vector<const TrapPage*> pages;
  for (const std::string& url : cluster.addresses) {
    const auto at = host.find(url);
    if (at != host.end()) pages.push_back(&at->second.page);
  }
  return JudgePages(pages);
}

Trap MakeTrap(const TrapCluster& cluster, const TrapHost& host, TrapType kind,
              const TrapEvidence& evidence, const TrapsOptions& options) {
  const UrlPattern pattern = PatternOf(cluster);
  Trap trap;
  trap.host = cluster.host;
  trap.pattern = pattern.ToString();
  trap.kind = kind;
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
  HostTraps(const TrapHost& host, const TrapsOptions& options,
            std::vector<FoundTrap>* found)
      : host_(host), options_(options), found_(found) {}

  void Add(const TrapCluster& cluster) {
    for (TrapCluster& part : SplitByShape(cluster, options_.least_urls)) {
      const TrapEvidence evidence = EvidenceOf(part, host_);
      const std::optional<TrapType> kind =
          TrapKind(PatternOf(part), evidence, options_.short_tokens);
      if (!kind) continue;
      if (*kind == TrapType::kSession) {
        AddSession(std::move(part), evidence);
      } else if (part.addresses.size() >= options_.least_urls) {
        Tell(MakeTrap(part, host_, *kind, evidence, options_), part, evidence);
      }
    }
  }

  void Finish() {
    for (const auto& [shape, session] : sessions_) {
      if (session.pages.addresses.size() < options_.least_urls) continue;
      Trap trap = MakeTrap(session.pages, host_, TrapType::kSession,
                           session.evidence, options_);
      trap.pages = session.count;
      Tell(std::move(trap), session.pages, session.evidence);
    }
  }

 private:
  struct Session {
    TrapCluster pages;
    TrapEvidence evidence;  // of the page with the most addresses
    size_t most = 0;
    uint64_t count = 0;
  };

  void AddSession(TrapCluster part, const TrapEvidence& evidence) {
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

  void Tell(Trap trap, const TrapCluster& cluster,
            const TrapEvidence& evidence) {
    if (trap.share < options_.share) return;
    FoundTrap found;
    found.trap = std::move(trap);
    if (options_.probe) PrepareProbe(cluster, evidence, &found);
    found_->push_back(std::move(found));
  }

  void PrepareProbe(const TrapCluster& cluster, const TrapEvidence& evidence,
                    FoundTrap* found) const {
    const UrlPattern pattern = PatternOf(cluster);
    found->pages_say_none = evidence.error;
    found->takes_anything = TakesAnything(pattern);
    // The one with the most parameters has the most values that vary.
    const std::string* like = nullptr;
    size_t most = 0;
    for (const std::string& url : cluster.addresses) {
      const auto at = host_.find(url);
      if (at == host_.end()) continue;
      const TrapAddress& address = at->second;
      if (address.page.skeleton != 0)
        found->skeletons.insert(address.page.skeleton);
      if (like != nullptr && address.parts.parameters.size() <= most) continue;
      like = &url;
      most = address.parts.parameters.size();
    }
    std::vector<const AddressParts*> crawled;
    for (const auto& [url, address] : host_) crawled.push_back(&address.parts);
    found->trap.probe.emplace();
    if (like != nullptr) {
      found->trap.probe->url =
          MakeUpAddress(pattern, *like, crawled,
                        Hash64(found->trap.host + found->trap.pattern));
    }
  }

  const TrapHost& host_;
  const TrapsOptions& options_;
  std::vector<FoundTrap>* found_;
  std::map<std::string, Session> sessions_;  // by shape
};

Status Stopped() {
  return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
}

Result<std::map<std::string, TrapHost>> ReadAddresses(
    const TrapsOptions& options, const TextReader& reader,
    const std::vector<TrapCluster>& clusters, AddressMemory* memory,
    TrapsResult* result) {
  std::unordered_set<std::string_view> clustered;
  for (const TrapCluster& cluster : clusters)
    clustered.insert(cluster.addresses.begin(), cluster.addresses.end());
  std::map<std::string, TrapHost> hosts;
  bool stopped = false;
  Status status;
  PassProgress progress(options.on_progress, "addresses", "", "documents");
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options.input));
  TWINSET_TRY(ForEachText(
      options.input, options.features, TextDetails(),
      [&](const DocumentText& document) {
        ++result->documents;
        progress.Add();
        counter.Document(document.source, /*is_wordless=*/false);
        const std::string url = NormaliseUrl(document.url);
        const std::string host = UrlHost(url);
        if (host.empty()) {
          ++result->without_url;
        } else {
          TrapAddress& address = hosts[host][url];
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
      counter.Counting([result](const RejectedRecord& record) {
        result->quarantined += record.quarantined;
      })));
  if (stopped) TWINSET_TRY(Stopped());
  TWINSET_TRY(status);
  TWINSET_TRY(CheckSide(counter.Whole("the input")));
  result->warnings = counter.Warnings();
  return hosts;
}

// The texts of the representatives, in one more pass.
Status ReadRepresentatives(const TrapsOptions& options,
                           const TextReader& reader, AddressMemory* memory,
                           std::vector<FoundTrap>* found) {
  std::unordered_map<std::string, std::vector<FoundTrap*>> wanted;
  for (FoundTrap& trap : *found)
    wanted[trap.trap.representative].push_back(&trap);
  bool stopped = false;
  Status status;
  PassProgress progress(options.on_progress, "representatives", "",
                        "documents");
  TWINSET_TRY(ForEachText(
      options.input, options.features, TextDetails(),
      [&](const DocumentText& document) {
        progress.Add();
        stopped = options.stop != nullptr && *options.stop;
        const auto at = wanted.find(NormaliseUrl(document.url));
        if (at == wanted.end() || stopped) return !stopped;
        const auto shingles = reader.Shingles(document.text);
        for (FoundTrap* trap : at->second) {
          trap->shingles = shingles;
          if (status) status = memory->Add(shingles.size() * sizeof(uint64_t));
        }
        return status.has_value();
      },
      [](const RejectedRecord&) {}));
  if (stopped) return Stopped();
  return status;
}

// Asks hosts of the input alone, also where they redirect.
Result<std::unique_ptr<Fetcher>> OpenFetcher(
    const TrapsOptions& options, const std::map<std::string, TrapHost>& hosts) {
  PolitenessOptions politeness;
  politeness.retries = 1;
  politeness.may_follow = [&hosts](const std::string& url) {
    return hosts.contains(UrlHost(url));
  };
  TWINSET_ASSIGN(auto fetcher,
                 OpenPoliteFetcher(options.fetching, std::move(politeness),
                                   MemoryOr(options.resources.memory_bytes)));
  if (options.record.empty()) return fetcher;
  return OpenRecordedFetcher(std::move(fetcher), options.record);
}

Status CheckRecord(const TrapsOptions& options) {
  if (options.record.empty()) return {};
  return CheckResultFile(
      {.path = options.record, .flag = "--record", .append = true},
      options.input.inputs);
}

Result<ResultFolder> OpenOut(const TrapsOptions& options) {
  std::vector<std::string> inputs = options.input.inputs;
  if (!options.record.empty()) inputs.push_back(options.record);
  return OpenResultFolder(OutRequest("traps", options), inputs);
}

std::vector<FoundTrap> TrapsOf(const std::map<std::string, TrapHost>& hosts,
                               const std::vector<TrapCluster>& clusters,
                               const TrapsOptions& options) {
  std::map<std::string, std::vector<const TrapCluster*>> by_host;
  for (const TrapCluster& cluster : clusters)
    if (cluster.addresses.size() > 1) by_host[cluster.host].push_back(&cluster);
  std::vector<FoundTrap> found;
  for (const auto& [name, of_host] : by_host) {
    const auto host = hosts.find(name);
    if (host == hosts.end()) continue;
    HostTraps traps(host->second, options, &found);
    for (const TrapCluster* cluster : of_host) traps.Add(*cluster);
    traps.Finish();
  }
  std::sort(found.begin(), found.end(),
            [](const FoundTrap& x, const FoundTrap& y) {
              const Trap &a = x.trap, &b = y.trap;
              if (a.urls != b.urls) return a.urls > b.urls;
              return std::tie(a.host, a.pattern, a.representative) <
                     std::tie(b.host, b.pattern, b.representative);
            });
  return found;
}

void WarnOf(TrapsResult* result) {
  if (result->without_url > 0)
    result->warnings.push_back(CountText(result->without_url, "document") +
                               " without an address; they are in no trap");
  uint64_t silent = 0;
  std::string reason;
  for (const Trap& trap : result->traps) {
    if (!trap.probe || trap.probe->status != 0) continue;
    if (silent++ == 0) reason = trap.probe->reason;
  }
  if (silent > 0)
    result->warnings.push_back(CountText(silent, "probe") +
                               " without an answer; the first: " + reason);
}

}  // namespace

Result<TrapsResult> v1::FindTraps(const TrapsOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_TRY(CheckRecord(options));
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    TWINSET_ASSIGN(ResultFolder opened, OpenOut(options));
    folder.emplace(std::move(opened));
  }
  std::map<std::string, TrapHost> hosts;
  std::unique_ptr<Fetcher> fetcher;
  if (options.probe) {
    TWINSET_ASSIGN(fetcher, OpenFetcher(options, hosts));
  }
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, ".twinset-traps-"));
  TWINSET_ASSIGN(const WatchedInputs inputs,
                 WatchedInputs::Begin(options.input));
  TWINSET_ASSIGN([[maybe_unused]] const DedupSummary summary,
                 Dedup(TrapDedup(options, work / "dedup")));
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(options.features));
  AddressMemory memory(options.resources.memory_bytes);
  TWINSET_ASSIGN(std::vector<TrapCluster> clusters,
                 ReadTrapClusters(work / "dedup/clusters.jsonl", &memory));
  TrapsResult result;
  TWINSET_ASSIGN(hosts,
                 ReadAddresses(options, reader, clusters, &memory, &result));
  result.hosts = hosts.size();
  result.clusters = clusters.size();
  JoinSkeletons(hosts, options.least_urls, &clusters);
  std::vector<FoundTrap> found = TrapsOf(hosts, clusters, options);
  if (options.probe && !found.empty())
    TWINSET_TRY(ReadRepresentatives(options, reader, &memory, &found));
  TWINSET_TRY(inputs.Check());
  if (options.probe) {
    const TrapProbeRules rules = {options.threshold, options.short_tokens,
                                  options.stop};
    TWINSET_TRY(ProbeTraps(rules, reader, fetcher.get(), &found));
  }
  for (FoundTrap& trap : found) {
    result.trapped += trap.trap.urls;
    result.traps.push_back(std::move(trap.trap));
  }
  WarnOf(&result);
  result.page = ResultPage(TrapsPage(options, result));
  if (folder) TWINSET_TRY(WriteTraps(options, result, &*folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
