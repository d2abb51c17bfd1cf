// Getting pages by address: the one door to the network
// (docs/methods/polite-fetching.md).
#ifndef TWINSET_SRC_GROUND_NET_FETCHER_H_
#define TWINSET_SRC_GROUND_NET_FETCHER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// What a server sent. Every HTTP status is an answer, 404 and 503 too; only
// what is no answer (refused, timed out, cut off, too large) is an error.
struct FetchResponse {
  std::string url;                     // after redirects
  std::vector<std::string> redirects;  // addresses on the way, the asked first
  int status = 0;
  std::string content_type;
  std::string date;        // Last-Modified, as sent; empty: not known
  int retry_after_s = -1;  // as sent with 429 and 503; -1: not said
  std::string location;    // where a redirect leads that was not followed
  std::string body;        // transfer and content codings undone
};

// Not thread-safe.
class Fetcher {
 public:
  virtual ~Fetcher() = default;
  // kUnavailable: no answer in time, connection refused; kNotFound: the host
  // has no address; kUsage: no http(s) address; kUnsupported: outside the
  // networks, excluded by robots.txt, or too large.
  virtual Result<FetchResponse> Get(const std::string& url) = 0;
};

// The fetch was refused because its address is not in the networks that may be
// asked: nothing was sent, and nothing is known of the page.
bool IsOutsideNetworks(const Error& error);

struct PolitenessOptions {
  uint32_t delay_ms = 1000;    // least time between two requests to one host
  uint32_t retries = 3;        // after 429, 503 and errors of kUnavailable
  uint32_t backoff_ms = 1000;  // doubled each time; Retry-After goes before
  uint32_t most_wait_ms = 60000;
  bool robots = true;  // ask robots.txt of each origin first (RFC 9309)
  // Followed here, so that every host on the way is treated alike. Takes effect
  // on an inner fetcher that follows none.
  uint32_t max_redirects = 5;
  // What redirects may lead to; empty: anything. One that leads elsewhere is
  // not followed: the answer is the redirect with its `location`. The
  // robots.txt of an origin may always move within it.
  std::function<bool(const std::string& url)> may_follow;
  std::string agent = "twinset";  // the name in robots.txt
};
// Time, to be simulated in tests. Milliseconds.
struct Clock {
  virtual ~Clock() = default;
  virtual uint64_t NowMs() = 0;           // parts of a millisecond left out
  virtual void SleepMs(uint64_t ms) = 0;  // long enough for any part left out
  // Returns when at least `delay_ms` have passed since NowMs() said `since_ms`.
  void WaitSince(uint64_t since_ms, uint64_t delay_ms) {
    const uint64_t passed_ms = NowMs() - since_ms;
    if (passed_ms <= delay_ms) SleepMs(delay_ms - passed_ms);
  }
};
Clock* SystemClock();
// `inner` with rate limit, retries and robots.txt; a page that robots.txt
// forbids is kUnsupported "excluded by robots.txt". `clock` outlives it.
std::unique_ptr<Fetcher> MakePolite(std::unique_ptr<Fetcher> inner,
                                    const PolitenessOptions& options,
                                    Clock* clock);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_FETCHER_H_
