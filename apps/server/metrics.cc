#include "server/metrics.h"

#include <fmt/format.h>

#include <chrono>

namespace twinset::server {
namespace {

void Describe(std::string* text, std::string_view name, std::string_view type,
              std::string_view help) {
  *text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

int64_t SecondNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void AppendMetric(std::string* text, std::string_view name,
                  std::string_view type, std::string_view help, double value) {
  Describe(text, name, type, help);
  *text += fmt::format("{} {}\n", name, value);
}

void Metrics::Count(std::string_view route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  Times& times = times_[std::string(route)];
  ++times.count;
  times.sum += seconds;
  for (size_t i = 0; i < kSeconds.size(); ++i)
    times.up_to[i] += seconds <= kSeconds[i];
}

void Metrics::CountAnswer(std::string_view kind, uint64_t documents) {
  const std::lock_guard lock(mutex_);
  answers_[std::string(kind)] += documents;
  const int64_t now = SecondNow();
  Second& second = seconds_[static_cast<size_t>(now) % seconds_.size()];
  if (second.number != now) second = {now, 0};
  second.count += documents;
}

uint64_t Metrics::AnswersInLastMinute() const {
  const std::lock_guard lock(mutex_);
  const int64_t now = SecondNow();
  uint64_t count = 0;
  for (const Second& second : seconds_)
    if (second.number >= 0 && second.number > now - 60) count += second.count;
  return count;
}

std::string Metrics::Text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  Describe(&text, "twinset_http_requests_total", "counter",
           "Requests that were answered.");
  for (const auto& [key, count] : requests_)
    text += fmt::format(
        "twinset_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
        key.first, key.second, count);
  Describe(&text, "twinset_http_request_duration_seconds", "histogram",
           "From the headers of a request to the end of its answer.");
  for (const auto& [route, times] : times_) {
    const auto bucket = [&, &name = route](const std::string& le, uint64_t n) {
      text += fmt::format(
          "twinset_http_request_duration_seconds_bucket{{route=\"{}\",le=\"{}"
          "\"}} {}\n",
          name, le, n);
    };
    for (size_t i = 0; i < kSeconds.size(); ++i)
      bucket(fmt::format("{}", kSeconds[i]), times.up_to[i]);
    bucket("+Inf", times.count);
    text += fmt::format(
        "twinset_http_request_duration_seconds_sum{{route=\"{0}\"}} {1}\n"
        "twinset_http_request_duration_seconds_count{{route=\"{0}\"}} {2}\n",
        route, times.sum, times.count);
  }
  Describe(&text, "twinset_answers_total", "counter",
           "Documents that were asked for or added, by what was answered.");
  for (const auto& [kind, count] : answers_)
    text +=
        fmt::format("twinset_answers_total{{answer=\"{}\"}} {}\n", kind, count);
  return text;
}

}  // namespace twinset::server
