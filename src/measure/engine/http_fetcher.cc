#include "engine/http_fetcher.h"

#include <algorithm>
#include <utility>

#include "engine/pipe_client.h"
#include "engine/pipe_protocol.h"
#include "net/url.h"
#include "twinset/json.h"

namespace twinset {

namespace {

// The program keeps its own time; this is for a program that does not.
constexpr uint32_t kGraceMs = 10000;
constexpr uint64_t kBodyShare = 32;  // of the memory: a body has one

class HttpFetcher : public Fetcher {
 public:
  HttpFetcher(PipeClient client, uint64_t max_body_bytes)
      : client_(std::move(client)), max_body_bytes_(max_body_bytes) {}

  Result<FetchResponse> Get(const std::string& url) override {
    const std::string normal = NormaliseUrl(url);
    if (!IsHttpUrl(normal))
      return Fail(ErrorCode::kUsage, "no address of http or https", url);
    std::string body;
    TWINSET_ASSIGN(
        const auto reply,
        client_.Ask([&](uint64_t id) { return GetRequest(id, normal); }, &body,
                    max_body_bytes_));
    TWINSET_ASSIGN(FetchResponse response, ResponseOf(reply));
    response.body = std::move(body);
    return response;
  }

 private:
  PipeClient client_;
  uint64_t max_body_bytes_;
};

}  // namespace

Result<std::unique_ptr<Fetcher>> OpenHttpFetcher(const HttpOptions& options) {
  Json configuration;
  configuration["connect_timeout_ms"] = options.connect_timeout_ms;
  configuration["timeout_ms"] = options.timeout_ms;
  configuration["max_body_bytes"] = options.max_body_bytes;
  configuration["max_redirects"] = options.max_redirects;
  configuration["user_agent"] = options.user_agent;
  configuration["networks"] = options.networks;
  configuration["only"] = options.only;
  configuration["resolve"] = options.resolve;
  PipeEngineOptions pipe;
  pipe.program = "twinset-http";
  pipe.configuration = configuration.dump();
  pipe.timeout_ms = options.timeout_ms + kGraceMs;
  pipe.name = "http";
  TWINSET_ASSIGN(PipeClient client, PipeClient::Open(pipe));
  return std::make_unique<HttpFetcher>(std::move(client),
                                       options.max_body_bytes);
}

Result<std::unique_ptr<Fetcher>> OpenPoliteFetcher(const FetchOptions& fetching,
                                                   PolitenessOptions politeness,
                                                   uint64_t memory_bytes) {
  HttpOptions http;
  if (memory_bytes != 0) {
    http.max_body_bytes =
        std::min<uint64_t>(http.max_body_bytes, memory_bytes / kBodyShare);
  }
  http.max_redirects = 0;  // politeness follows them
  http.networks = fetching.networks;
  http.timeout_ms = fetching.timeout_ms.value_or(http.timeout_ms);
  TWINSET_ASSIGN(auto fetcher, OpenHttpFetcher(http));
  politeness.delay_ms = fetching.delay_ms.value_or(politeness.delay_ms);
  return MakePolite(std::move(fetcher), politeness, SystemClock());
}

}  // namespace twinset
