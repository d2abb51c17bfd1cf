#include "server/service.h"

#include <array>
#include <ctime>
#include <utility>

#include "twinset/json.h"

namespace twinset::server {

void LastDecisions::Add(Decision decision) {
  const std::lock_guard lock(mutex_);
  decisions_.push_front(std::move(decision));
  if (decisions_.size() > kMost) decisions_.pop_back();
}

std::vector<Decision> LastDecisions::All() const {
  const std::lock_guard lock(mutex_);
  return {decisions_.begin(), decisions_.end()};
}

std::string NowText() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  std::array<char, 32> text{};
  ::gmtime_r(&now, &parts);
  return {text.data(), std::strftime(text.data(), text.size(),
                                     "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string AccessLine(const HttpDone& done) {
  const std::string* const agent = done.request->Header("User-Agent");
  const Json row = {{"time", NowText()},
                    {"peer", done.request->peer},
                    {"method", done.request->method},
                    {"path", done.request->path},
                    {"status", done.status},
                    {"bytes", done.bytes},
                    {"seconds", done.seconds},
                    {"agent", agent == nullptr ? "" : *agent}};
  return row.dump() + "\n";
}

}  // namespace twinset::server
