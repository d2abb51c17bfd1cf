// What is counted of requests, as Prometheus reads it.
#ifndef TWINSET_APPS_SERVER_METRICS_H_
#define TWINSET_APPS_SERVER_METRICS_H_

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace twinset::server {

// One row of an exposition: what it is, and its value.
void AppendMetric(std::string* text, std::string_view name,
                  std::string_view type, std::string_view help, double value);

class Metrics {
 public:
  static constexpr std::array<double, 13> kSeconds = {
      .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10};

  // `route` is the template of the path, of which there are few.
  void Count(std::string_view route, int status, double seconds);
  void CountAnswer(std::string_view kind, uint64_t documents = 1);
  uint64_t AnswersInLastMinute() const;
  // The text, version 0.0.4.
  std::string Text() const;

 private:
  struct Times {
    std::array<uint64_t, kSeconds.size()> up_to{};
    uint64_t count = 0;
    double sum = 0;
  };
  // What came in one second, counted from some moment.
  struct Second {
    int64_t number = -1;
    uint64_t count = 0;
  };
  mutable std::mutex mutex_;
  std::array<Second, 60> seconds_{};
  std::map<std::pair<std::string, int>, uint64_t> requests_;
  std::map<std::string, Times, std::less<>> times_;
  std::map<std::string, uint64_t, std::less<>> answers_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_METRICS_H_
