#include "engine/pipe_engine.h"

#include <optional>
#include <utility>

#include "engine/pipe_client.h"
#include "engine/pipe_protocol.h"

namespace twinset {

namespace {

class PipeEngine : public Engine {
 public:
  explicit PipeEngine(PipeClient client) : client_(std::move(client)) {}

  EngineInfo Info() const override { return client_.info(); }

  Result<EngineAnswer> Query(const EngineQuery& query) override {
    TWINSET_ASSIGN(const auto reply, client_.Ask([&](uint64_t id) {
      return QueryRequest(id, query);
    }));
    return AnswerOf(reply, query.limit);
  }

  Result<EnginePage> Fetch(const std::string& url) override {
    TWINSET_ASSIGN(const auto reply, client_.Ask([&](uint64_t id) {
      return FetchRequest(id, url);
    }));
    return PageOf(reply);
  }

 private:
  PipeClient client_;
};

class PipeBuilder : public EngineBuilder {
 public:
  explicit PipeBuilder(PipeClient client) : client_(std::move(client)) {}

  Result<bool> Add(const EngineDocument& document) override {
    TWINSET_ASSIGN(const auto reply,
                   Ask([&](uint64_t id) { return AddRequest(id, document); }));
    return AddedOf(reply);
  }

  Status Finish() override {
    TWINSET_TRY(Ask([](uint64_t id) { return FinishRequest(id); }));
    client_.Close();
    return {};
  }

 private:
  Result<Json> Ask(const std::function<std::string(uint64_t id)>& request) {
    if (error_) return tl::unexpected(*error_);
    auto reply = client_.Ask(request);
    if (reply) return reply;
    error_ = reply.error();
    client_.Close();
    return reply;
  }

  PipeClient client_;
  std::optional<Error> error_;  // the first
};

}  // namespace

Result<std::unique_ptr<Engine>> OpenPipeEngine(
    const PipeEngineOptions& options) {
  TWINSET_ASSIGN(PipeClient client, PipeClient::Open(options));
  return std::make_unique<PipeEngine>(std::move(client));
}

Result<std::unique_ptr<EngineBuilder>> OpenPipeBuilder(
    const PipeEngineOptions& options) {
  TWINSET_ASSIGN(PipeClient client, PipeClient::Open(options));
  return std::make_unique<PipeBuilder>(std::move(client));
}

}  // namespace twinset
