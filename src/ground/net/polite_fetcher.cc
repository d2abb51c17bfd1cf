#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "net/fetcher.h"
#include "net/robots.h"
#include "net/url.h"

namespace twinset {

namespace {

// RFC 9309, 2.4: not longer than a day.
constexpr uint64_t kRobotsFreshMs = 24ull * 3600 * 1000;
// Hosts remembered; a study of more begins anew with those.
constexpr size_t kMostHosts = 100000;

class RealClock : public Clock {
 public:
  uint64_t NowMs() override {
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now().time_since_epoch())
            .count());
  }
  void SleepMs(uint64_t ms) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms + 1));
  }
};

// What robots.txt of one origin said.
struct Robots {
  enum Kind { kRules, kUnreachable };
  Kind kind = kRules;
  RobotsRules rules;
  Error refused;          // of kUnreachable: why there was no answer
  uint64_t until_ms = 0;  // asked for again after this
};

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 ||
         status == 308;
}

class PoliteFetcher : public Fetcher {
 public:
  PoliteFetcher(std::unique_ptr<Fetcher> inner,
                const PolitenessOptions& options, Clock* clock)
      : inner_(std::move(inner)), options_(options), clock_(clock) {}

  Result<FetchResponse> Get(const std::string& url) override {
    return Follow(url, options_.robots);
  }

 private:
  // With `robots`, each address on the way is asked about first.
  Result<FetchResponse> Follow(const std::string& url, bool robots) {
    std::vector<std::string> passed;
    std::string next = url;
    while (true) {
      if (robots) TWINSET_TRY(CheckRobots(next));
      TWINSET_ASSIGN(FetchResponse response, GetOften(next));
      response.redirects.insert(response.redirects.begin(), passed.begin(),
                                passed.end());
      if (!IsRedirect(response.status) || response.location.empty())
        return response;
      TWINSET_ASSIGN(std::string target,
                     ResolveUrl(response.url, response.location));
      if (!MayFollow(url, target, robots)) return response;
      if (passed.size() >= options_.max_redirects) {
        return Fail(ErrorCode::kUnavailable,
                    "more than " + std::to_string(options_.max_redirects) +
                        " redirects",
                    url);
      }
      if (!IsHttpUrl(target)) {
        return Fail(ErrorCode::kUnsupported,
                    "it redirects to what is not of http or https", target);
      }
      passed = std::move(response.redirects);
      passed.push_back(std::exchange(next, std::move(target)));
    }
  }

  bool MayFollow(const std::string& from, const std::string& to,
                 bool robots) const {
    if (!options_.may_follow || options_.may_follow(to)) return true;
    return !robots && UrlOrigin(from) == UrlOrigin(to);
  }

  // Once, and again after 429, 503 and errors that may pass.
  Result<FetchResponse> GetOften(const std::string& url) {
    for (uint32_t tries = 0;; ++tries) {
      auto response = GetOnce(url);
      const bool refused = response.has_value() &&
                           (response->status == 429 || response->status == 503);
      const bool failed = !response.has_value() &&
                          response.error().code == ErrorCode::kUnavailable;
      if ((!refused && !failed) || tries >= options_.retries) return response;
      const uint64_t said_s =
          refused && response->retry_after_s >= 0
              ? static_cast<uint64_t>(response->retry_after_s)
              : 0;
      uint64_t wait_ms = said_s * 1000;
      if (!refused || response->retry_after_s < 0) {
        wait_ms = std::min<uint64_t>(
            uint64_t{options_.backoff_ms} << std::min(tries, 20u),
            options_.most_wait_ms);
      }
      // A host that wants to be left alone for longer is.
      if (wait_ms > options_.most_wait_ms) return response;
      clock_->SleepMs(wait_ms);
    }
  }

  // Not sooner than the delay after the last answer of the host.
  Result<FetchResponse> GetOnce(const std::string& url) {
    const std::string host = UrlHost(url);
    const auto last = last_ms_.find(host);
    if (last != last_ms_.end())
      clock_->WaitSince(last->second, options_.delay_ms);
    auto response = inner_->Get(url);
    if (last_ms_.size() >= kMostHosts) last_ms_.clear();
    last_ms_[host] = clock_->NowMs();
    return response;
  }

  Status CheckRobots(const std::string& url) {
    const std::string normal = NormaliseUrl(url);
    const std::string origin = UrlOrigin(normal);
    if (origin.empty() || !IsHttpUrl(normal))
      return Fail(ErrorCode::kUsage, "no address of http or https", url);
    auto known = robots_.find(origin);
    if (known == robots_.end() || known->second.until_ms < clock_->NowMs()) {
      TWINSET_ASSIGN(Robots robots, AskRobots(origin));
      if (robots_.size() >= kMostHosts) robots_.clear();
      known = robots_.insert_or_assign(origin, std::move(robots)).first;
    }
    if (known->second.kind == Robots::kUnreachable) {
      if (IsOutsideNetworks(known->second.refused))
        return tl::unexpected(known->second.refused);
      return Fail(ErrorCode::kUnavailable,
                  "robots.txt cannot be had, so nothing may be fetched", url);
    }
    if (!RobotsAllow(known->second.rules, normal))
      return Fail(ErrorCode::kUnsupported, "excluded by robots.txt", url);
    return {};
  }

  // kNotFound when the host has no address; every other end is remembered.
  Result<Robots> AskRobots(const std::string& origin) {
    auto response = Follow(origin + "/robots.txt", false);
    Robots robots;
    robots.until_ms = clock_->NowMs() + kRobotsFreshMs;
    if (!response && response.error().code == ErrorCode::kNotFound)
      return tl::unexpected(response.error());
    const int status = response ? response->status : 0;
    if (status >= 200 && status < 300) {
      robots.rules = ParseRobots(response->body, options_.agent);
    } else if (status < 400 || status >= 500 || status == 429) {
      robots.kind = Robots::kUnreachable;
      robots.until_ms = clock_->NowMs() + options_.most_wait_ms;
      if (!response) robots.refused = response.error();
    }
    return robots;
  }

  std::unique_ptr<Fetcher> inner_;
  PolitenessOptions options_;
  Clock* clock_;
  std::map<std::string, uint64_t> last_ms_;  // by host: the last answer
  std::map<std::string, Robots> robots_;     // by origin
};

}  // namespace

Clock* SystemClock() {
  static RealClock clock;
  return &clock;
}

std::unique_ptr<Fetcher> MakePolite(std::unique_ptr<Fetcher> inner,
                                    const PolitenessOptions& options,
                                    Clock* clock) {
  return std::make_unique<PoliteFetcher>(std::move(inner), options, clock);
}

bool IsOutsideNetworks(const Error& error) {
  return error.code == ErrorCode::kUnsupported &&
         error.message.find("outside the networks") != std::string::npos;
}

}  // namespace twinset
