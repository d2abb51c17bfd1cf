// twinset-http: pages over HTTP, and values out of pages, for twinset over a
// pipe (docs/methods/engine-programs.md). libcurl and libxml2 live here alone.
#include <memory>
#include <optional>
#include <utility>

#include "engines/extract.h"
#include "engines/http_client.h"
#include "engines/pipe_server.h"

namespace twinset {
namespace {

constexpr uint64_t kMostMs = uint64_t{3600} * 1000;
constexpr uint64_t kMostBytes = 1 << 30;

Result<HttpLimits> LimitsOf(const Json& configuration) {
  TWINSET_TRY(CheckMembers(
      configuration,
      {"connect_timeout_ms", "timeout_ms", "max_body_bytes", "max_redirects",
       "user_agent", "networks", "only", "resolve"}));
  HttpLimits limits;
  const auto number = [&](const char* name, uint64_t most,
                          uint64_t* value) -> Status {
    TWINSET_ASSIGN(*value, NumberMemberOr(configuration, name, *value, most));
    return {};
  };
  TWINSET_TRY(
      number("connect_timeout_ms", kMostMs, &limits.connect_timeout_ms));
  TWINSET_TRY(number("timeout_ms", kMostMs, &limits.timeout_ms));
  TWINSET_TRY(number("max_body_bytes", kMostBytes, &limits.max_body_bytes));
  TWINSET_TRY(number("max_redirects", 100, &limits.max_redirects));
  limits.user_agent =
      TextMemberOr(configuration, "user_agent", limits.user_agent);
  TWINSET_ASSIGN(const auto named, TextsMemberOr(configuration, "networks"));
  TWINSET_ASSIGN(limits.guard.named, ParseNetworks(named));
  TWINSET_ASSIGN(const auto only, TextsMemberOr(configuration, "only"));
  TWINSET_ASSIGN(limits.guard.only, ParseNetworks(only));
  TWINSET_ASSIGN(limits.resolve, TextsMemberOr(configuration, "resolve"));
  return limits;
}

PipeReply ReplyOf(HttpPage page) {
  PipeReply reply;
  reply.json["url"] = page.url;
  reply.json["redirects"] = page.redirects;
  reply.json["status"] = page.status;
  reply.json["content_type"] = page.content_type;
  reply.json["date"] = page.date;
  if (page.retry_after_s >= 0) reply.json["retry_after_s"] = page.retry_after_s;
  reply.json["location"] = page.location;
  reply.has_body = true;
  reply.body = std::move(page.body);
  return reply;
}

Result<PipeReply> Extract(const PipeRequest& request) {
  TWINSET_ASSIGN(const std::string format, TextMember(request.json, "format"));
  TWINSET_ASSIGN(const auto expressions,
                 TextsMemberOr(request.json, "expressions"));
  TWINSET_ASSIGN(
      const auto values,
      ReadPageValues(format, TextMemberOr(request.json, "content_type", ""),
                     request.body));
  PipeReply reply;
  reply.json["values"] = Json::array();
  for (const std::string& expression : expressions) {
    TWINSET_ASSIGN(auto found, values->Find(expression));
    reply.json["values"].push_back(found);
  }
  return reply;
}

int Run() {
  std::optional<HttpClient> client;
  PipeOperations operations;
  operations["hello"] = [&](const PipeRequest& request) -> Result<PipeReply> {
    TWINSET_ASSIGN(const HttpLimits limits, LimitsOf(request.json));
    TWINSET_ASSIGN(client, HttpClient::Make(limits));
    PipeReply reply;
    reply.json["type"] = "http";
    return reply;
  };
  operations["get"] = [&](const PipeRequest& request) -> Result<PipeReply> {
    TWINSET_ASSIGN(const std::string url, TextMember(request.json, "url"));
    TWINSET_ASSIGN(HttpPage page, client->Get(url));
    return ReplyOf(std::move(page));
  };
  operations["extract"] = Extract;
  return ServePipe(operations);
}

}  // namespace
}  // namespace twinset

int main() { return twinset::Run(); }
