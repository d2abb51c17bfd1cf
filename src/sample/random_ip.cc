#include "sample/random_ip.h"

#include <cmath>
#include <memory>
#include <utility>

#include "base/file.h"

namespace twinset {

namespace {

// Passes on, and remembers why the last request failed: politeness asks for
// robots.txt first and tells of that alone.
class Recorder : public Fetcher {
 public:
  Recorder(Fetcher* inner, std::string* failure)
      : inner_(inner), failure_(failure) {}
  Result<FetchResponse> Get(const std::string& url) override {
    auto response = inner_->Get(url);
    *failure_ = response ? "" : response.error().message;
    return response;
  }

 private:
  Fetcher* inner_;
  std::string* failure_;
};

// Polite anew for every address, so that nothing piles up.
class ProbeFetcher : public Fetcher {
 public:
  ProbeFetcher(std::unique_ptr<Fetcher> http, const PolitenessOptions& options,
               Clock* clock)
      : http_(std::move(http)), options_(options), clock_(clock) {
    Renew();
  }

  Result<FetchResponse> Get(const std::string& url) override {
    if (++requests_ % kRenewedAfter == 0) Renew();
    auto response = polite_->Get(url);
    if (!response && response.error().code == ErrorCode::kUnavailable &&
        !failure_.empty())
      response.error().message = failure_;
    return response;
  }

 private:
  static constexpr uint64_t kRenewedAfter = 100000;
  void Renew() {
    polite_ = MakePolite(std::make_unique<Recorder>(http_.get(), &failure_),
                         options_, clock_);
  }

  std::unique_ptr<Fetcher> http_;
  PolitenessOptions options_;
  Clock* clock_;
  std::string failure_;
  std::unique_ptr<Fetcher> polite_;
  uint64_t requests_ = 0;
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

Result<RandomIpSummary> ProbeRandomAddresses(const RandomIpOptions& options) {
  TWINSET_TRY(CheckOptions(options));
  std::vector<std::string> networks = options.networks;
  std::vector<std::string> excluded = options.excluded;
  TWINSET_TRY(AddFromFiles(options.network_files, &networks));
  TWINSET_TRY(AddFromFiles(options.excluded_files, &excluded));
  TWINSET_ASSIGN(const AddressSpace space,
                 AddressSpace::Make(networks, excluded));
  HostTable hosts;
  if (!options.hosts.empty()) {
    TWINSET_ASSIGN(const std::string text, ReadWholeFile(options.hosts));
    TWINSET_ASSIGN(hosts, HostTable::Parse(text, options.hosts));
  }
  HttpOptions http;
  http.connect_timeout_ms = options.timeout_ms;
  http.timeout_ms = options.timeout_ms;
  http.max_redirects = 0;  // politeness follows them
  http.networks = space.Blocks();
  http.resolve = hosts.Entries(options.port);
  TWINSET_ASSIGN(auto fetcher, OpenHttpFetcher(http));
  PolitenessOptions politeness;
  politeness.delay_ms = options.delay_ms;
  politeness.retries = 0;  // an address that does not answer is an outcome
  ProbeFetcher polite(std::move(fetcher), politeness, SystemClock());
  return RunProbes(options, space, hosts, &polite, SystemClock());
}

}  // namespace twinset
