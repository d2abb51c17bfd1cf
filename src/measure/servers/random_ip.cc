#include "servers/random_ip.h"

#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "base/lists/list_text.h"
#include "base/stop.h"
#include "engine/http_fetcher.h"
#include "net/url.h"

namespace twinset {

namespace {

constexpr uint64_t kMostHostsBytes = 16 << 20;  // of --hosts
constexpr size_t kMostHosts = 100000;  // whose last answer is remembered

// Keeps the delay of every host across probes, and remembers why the last
// request failed: politeness tells of robots.txt alone, which it asks for
// first.
class PacedFetcher : public Fetcher {
 public:
  PacedFetcher(std::unique_ptr<Fetcher> http, uint32_t delay_ms, Clock* clock)
      : http_(std::move(http)), delay_ms_(delay_ms), clock_(clock) {}

  Result<FetchResponse> Get(const std::string& url) override {
    const std::string host = UrlHost(url);
    if (const auto last = last_ms_.find(host); last != last_ms_.end())
      clock_->WaitSince(last->second, delay_ms_);
    auto response = http_->Get(url);
    if (last_ms_.size() >= kMostHosts) last_ms_.clear();
    last_ms_[host] = clock_->NowMs();
    failure = response ? "" : response.error().message;
    return response;
  }

  std::string failure;

 private:
  std::unique_ptr<Fetcher> http_;
  uint32_t delay_ms_;
  Clock* clock_;
  std::map<std::string, uint64_t> last_ms_;
};

// The politeness of one probe: what robots.txt said is not remembered for the
// next, so that its outcome does not depend on those before.
class ProbeFetcher : public Fetcher {
 public:
  ProbeFetcher(PacedFetcher* paced, Clock* clock) : paced_(paced) {
    PolitenessOptions options;
    options.delay_ms = 0;  // the paced one's affair
    options.retries = 0;   // an address that does not answer is an outcome
    polite_ = MakePolite(std::make_unique<Passing>(paced), options, clock);
  }
  Result<FetchResponse> Get(const std::string& url) override {
    auto response = polite_->Get(url);
    if (!response && response.error().code == ErrorCode::kUnavailable &&
        !paced_->failure.empty())
      response.error().message = paced_->failure;
    return response;
  }

 private:
  class Passing : public Fetcher {
   public:
    explicit Passing(Fetcher* inner) : inner_(inner) {}
    Result<FetchResponse> Get(const std::string& url) override {
      return inner_->Get(url);
    }

   private:
    Fetcher* inner_;
  };
  PacedFetcher* paced_;
  std::unique_ptr<Fetcher> polite_;
};

Status AddFromFiles(const std::vector<std::string>& files,
                    std::vector<std::string>* networks) {
  for (const std::string& file : files) {
    TWINSET_ASSIGN(const auto more, ReadNetworks(file));
    networks->insert(networks->end(), more.begin(), more.end());
  }
  return {};
}

Status CheckOptions(const RandomIpOptions& options) {
  if (options.out.empty()) {
    return Fail(ErrorCode::kUsage, "no folder for the sample is given", "",
                "add --out DIR");
  }
  if (options.port < 1 || options.port > 65535 || options.max_pages == 0 ||
      options.max_sites == 0 || !std::isfinite(options.rate) ||
      options.rate < 0) {
    return Fail(ErrorCode::kUsage,
                "--port, --max-pages, --max-sites or --rate makes no sense");
  }
  return {};
}

}  // namespace

Result<RandomIpSummary> v1::ProbeRandomAddresses(
    const RandomIpOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  std::vector<std::string> networks = options.networks;
  std::vector<std::string> excluded = options.excluded;
  TWINSET_TRY(AddFromFiles(options.network_files, &networks));
  TWINSET_TRY(AddFromFiles(options.excluded_files, &excluded));
  TWINSET_ASSIGN(const AddressSpace space,
                 AddressSpace::Make(networks, excluded));
  HostTable hosts;
  if (!options.hosts.empty()) {
    TWINSET_ASSIGN(const std::string text,
                   ReadListText(options.hosts, kMostHostsBytes));
    TWINSET_ASSIGN(hosts, HostTable::Parse(text, options.hosts));
  }
  HttpOptions http;
  http.connect_timeout_ms = options.timeout_ms;
  http.timeout_ms = options.timeout_ms;
  http.max_redirects = 0;  // politeness follows them
  http.networks = http.only = space.Blocks();
  http.resolve = hosts.Entries(options.port);
  TWINSET_ASSIGN(auto fetcher, OpenHttpFetcher(http));
  PacedFetcher paced(std::move(fetcher), options.delay_ms, SystemClock());
  return RunProbes(
      options, space, hosts,
      [&] { return std::make_unique<ProbeFetcher>(&paced, SystemClock()); },
      SystemClock());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
