// What all requests share: the index, the limits, what is counted.
#ifndef TWINSET_APPS_SERVER_SERVICE_H_
#define TWINSET_APPS_SERVER_SERVICE_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "server/gate.h"
#include "server/guard.h"
#include "server/http.h"
#include "server/metrics.h"
#include "twinset/index.h"

namespace twinset::server {

struct ServiceOptions {
  GuardOptions guard;
  uint64_t max_body = 16 << 20;     // of a document, in bytes
  uint64_t held_bytes = 256 << 20;  // of the bodies of all requests together
  uint64_t at_work = 16, waiting = 128;  // requests
  bool read_only = false;
  std::string snapshots;  // the folder for them; empty: none are made
  // Takes a line for each request; none: there is no log.
  std::function<void(const std::string&)> access_log;
  // How many connections there are, for the metrics.
  std::function<uint64_t()> connections;
};

// One of the last answers to check-and-add.
struct Decision {
  std::string time, id, kept_id;
  bool is_new = false;
  double similarity = 0;
};

class LastDecisions {
 public:
  static constexpr size_t kMost = 20;

  void Add(Decision decision);
  // The newest first.
  std::vector<Decision> All() const;

 private:
  mutable std::mutex mutex_;
  std::deque<Decision> decisions_;
};

// Thread-safe.
struct Service {
  Service(Index* asked, ServiceOptions given)
      : index(asked),
        options(std::move(given)),
        guard(options.guard),
        gate(options.at_work, options.waiting),
        held(options.held_bytes) {}

  Index* const index;
  const ServiceOptions options;
  const Guard guard;
  Gate gate;
  ByteAllowance held;
  Metrics metrics;
  LastDecisions decisions;
  const std::chrono::steady_clock::time_point begun =
      std::chrono::steady_clock::now();
};

// "2026-11-28T09:30:00Z"
std::string NowText();
// A line of the access log.
std::string AccessLine(const HttpDone& done);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_SERVICE_H_
