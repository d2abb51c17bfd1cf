// The journal of probes: made, gone on with, and turned into results.
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "documents/result_places.h"
#include "sample/sample_rows.h"
#include "servers/random_ip.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr char kJournal[] = "/probes.jsonl";

// What must be the same when a run goes on.
std::string HeaderLine(const RandomIpOptions& options,
                       const AddressSpace& space) {
  Json json;
  json["twinset"] = "random-ip";
  json["version"] = 1;
  json["networks"] = space.Blocks();
  json["addresses"] = space.size();
  json["seed"] = options.seed;
  json["port"] = options.port;
  json["max_pages"] = options.max_pages;
  json["max_sites"] = options.max_sites;
  if (!options.hosts.empty()) json["hosts"] = options.hosts;
  return json.dump();
}

class ProbeRun {
 public:
  ProbeRun(const RandomIpOptions& options, const AddressSpace& space,
           const HostTable& hosts, const MakeProbeFetcher& fetcher,
           Clock* clock)
      : options_(options),
        space_(space),
        hosts_(hosts),
        fetcher_(fetcher),
        clock_(clock),
        order_(space.size(), options.seed) {}

  Result<RandomIpSummary> Do() {
    FeatureOptions features;
    features.content = ContentMode::kAll;
    TWINSET_ASSIGN(reader_, TextReader::Make(features));
    TWINSET_ASSIGN(ResultFolder folder, OpenOut());
    TWINSET_TRY(OpenJournal(&folder));
    TWINSET_TRY(GoOn());
    RandomIpSummary summary = totals_.Summarise(space_.size(), options_.seed);
    summary.port = options_.port;
    summary.page = ResultPage(RandomIpPage(summary));
    TWINSET_TRY(WriteRows());
    TWINSET_TRY(WriteWholeFile(options_.out + "/summary.json",
                               SummaryJson(summary).dump(2) + "\n"));
    return summary;
  }

 private:
  std::string JournalPath() const { return options_.out + kJournal; }

  Result<ResultFolder> OpenOut() const {
    FolderRequest request = OutRequest("sample", options_);
    request.resume = options_.resume;
    request.resumable = true;
    std::vector<std::string> inputs = options_.network_files;
    inputs.insert(inputs.end(), options_.excluded_files.begin(),
                  options_.excluded_files.end());
    inputs.push_back(options_.hosts);
    return OpenResultFolder(std::move(request), inputs);
  }

  Status OpenJournal(ResultFolder* folder) {
    const std::string path = JournalPath();
    if (options_.resume && !FileExists(path)) {
      return Fail(ErrorCode::kUsage, "there is nothing to go on with",
                  options_.out, "run the command without --resume");
    }
    TWINSET_TRY(folder->Begin(
        {kJournal + 1, "sample.jsonl", "servers.jsonl", "summary.json"}));
    if (options_.resume) return ReadJournal();
    TWINSET_ASSIGN(journal_, File::Create(path));
    return journal_.Write(HeaderLine(options_, space_) + "\n");
  }

  // Takes over the lines of an earlier run; one that was cut is dropped.
  Status ReadJournal() {
    const std::string path = JournalPath();
    TWINSET_ASSIGN(const std::string bytes, ReadWholeFile(path));
    size_t begin = 0;
    uint64_t number = 0;
    for (size_t end; (end = bytes.find('\n', begin)) != std::string::npos;
         begin = end + 1, ++number) {
      const std::string line = bytes.substr(begin, end - begin);
      const std::string where = path + ":" + std::to_string(number + 1);
      if (number == 0) {
        if (line == HeaderLine(options_, space_)) continue;
        return Fail(ErrorCode::kUsage,
                    "the probes are of other networks or options", where,
                    "give those, or start anew with --overwrite");
      }
      auto facts = ParseProbeLine(line, number - 1);
      if (!facts) {
        return Fail(ErrorCode::kCorrupt, facts.error().message, where,
                    "start anew with --overwrite");
      }
      if (facts->address != AddressOf(number - 1)) {
        return Fail(ErrorCode::kCorrupt, "another address than was drawn",
                    where, "start anew with --overwrite");
      }
      if (number - 1 < options_.probes) Take(*std::move(facts));
    }
    TWINSET_ASSIGN(journal_, File::OpenReadWrite(path));
    TWINSET_TRY(journal_.Truncate(begin));
    TWINSET_TRY(journal_.Seek(begin));
    if (number > 0) return {};
    return journal_.Write(HeaderLine(options_, space_) + "\n");
  }

  uint32_t AddressOf(uint64_t probe) const {
    return space_.At(order_.At(probe));
  }

  void Take(ProbeFacts facts) {
    totals_.Add(facts);
    ++done_;
    if (!facts.sites.empty()) servers_.push_back({done_ - 1, std::move(facts)});
  }

  Status GoOn() {
    const ProbeRules rules = {options_.port, options_.max_pages,
                              options_.max_sites};
    std::optional<uint64_t> last_ms;
    const auto gap_ms =
        options_.rate > 0 ? static_cast<uint64_t>(1000 / options_.rate) : 0;
    while (done_ < options_.probes) {
      if (options_.stop != nullptr && *options_.stop) {
        TWINSET_TRY(journal_.Sync());
        return Fail(ErrorCode::kInterrupted, "stopped by a signal", "",
                    "the same command with --resume goes on");
      }
      if (gap_ms > 0 && last_ms) clock_->WaitSince(*last_ms, gap_ms);
      last_ms = clock_->NowMs();
      const auto fetcher = fetcher_();
      ProbeFacts facts = ProbeAddress(AddressOf(done_), rules, space_, hosts_,
                                      *reader_, fetcher.get());
      TWINSET_TRY(journal_.Write(ProbeLine(done_, facts) + "\n"));
      Take(std::move(facts));
      if (options_.on_progress) {
        Progress progress;
        progress.stage = "probing";
        progress.unit = "addresses";
        progress.done = done_;
        options_.on_progress(progress);
      }
    }
    return journal_.Sync();
  }

  // sample.jsonl: a row per site; servers.jsonl: a row per server.
  Status WriteRows() const {
    TWINSET_ASSIGN(auto sample,
                   OutputFile::Create(options_.out + "/sample.jsonl"));
    TWINSET_ASSIGN(auto servers,
                   OutputFile::Create(options_.out + "/servers.jsonl"));
    SampleHeader header;
    header.sampler = "random-ip";
    header.engine = std::to_string(space_.size()) + " addresses";
    header.seed = options_.seed;
    TWINSET_TRY(sample.Write(SampleHeaderLine(header) + "\n"));
    const auto url = [&](const std::string& host) {
      return "http://" + host +
             (options_.port == 80 ? "" : ":" + std::to_string(options_.port)) +
             "/";
    };
    for (const auto& [probe, facts] : servers_) {
      uint64_t pages = 0;
      for (const SiteFacts& site : facts.sites) {
        SampleRow row;
        row.url = url(site.host);
        row.weight = 1.0 / site.addresses;
        row.draw = probe;
        row.fields = {{"pages", std::to_string(site.pages)},
                      {"addresses", std::to_string(site.addresses)},
                      {"complete", site.complete ? "true" : "false"}};
        TWINSET_TRY(sample.Write(SampleRowLine(row) + "\n"));
        pages += site.pages;
      }
      const Json row = {{"url", url(AddressText(facts.address))},
                        {"pages", pages}};
      TWINSET_TRY(servers.Write(row.dump() + "\n"));
    }
    TWINSET_TRY(sample.Commit());
    return servers.Commit();
  }

  struct Server {
    uint64_t probe = 0;
    ProbeFacts facts;
  };

  const RandomIpOptions& options_;
  const AddressSpace& space_;
  const HostTable& hosts_;
  const MakeProbeFetcher& fetcher_;
  Clock* clock_;
  RandomOrder order_;
  std::optional<TextReader> reader_;
  File journal_;
  uint64_t done_ = 0;  // probes in the journal
  ProbeTotals totals_;
  std::vector<Server> servers_;
};

}  // namespace

Result<RandomIpSummary> RunProbes(const RandomIpOptions& options,
                                  const AddressSpace& space,
                                  const HostTable& hosts,
                                  const MakeProbeFetcher& fetcher,
                                  Clock* clock) {
  if (options.probes == 0 || options.probes > space.size()) {
    return Fail(ErrorCode::kUsage,
                std::to_string(options.probes) + " probes of " +
                    std::to_string(space.size()) + " addresses",
                "", "give --probes from 1 to the number of addresses");
  }
  return ProbeRun(options, space, hosts, fetcher, clock).Do();
}

}  // namespace twinset
