#include "engine/pipe_client.h"

#include <utility>

#include "engine/pipe_protocol.h"

namespace twinset {

namespace {

// Longer replies are none: the page of one document is in it.
constexpr uint64_t kMaxLineBytes = 64 << 20;

}  // namespace

Result<PipeClient> PipeClient::Open(const PipeEngineOptions& options) {
  PipeClient client;
  client.options_ = options;
  TWINSET_TRY(HelloRequest(0, options.configuration));
  TWINSET_ASSIGN(client.path_, FindProgram(options.program));
  TWINSET_TRY(client.Greet());
  return client;
}

Error PipeClient::Drop(Error error) {
  child_.Kill();
  ++failures_;
  if (error.where.empty()) error.where = options_.program;
  return error;
}

Result<Json> PipeClient::Converse(uint64_t id, const std::string& request,
                                  std::string* body, uint64_t max_body_bytes) {
  const auto deadline = ChildProcess::Deadline(options_.timeout_ms);
  TWINSET_TRY(child_.Write(request, deadline));
  TWINSET_ASSIGN(const std::string line,
                 child_.ReadLine(kMaxLineBytes, deadline));
  TWINSET_ASSIGN(Json reply, ParseReply(line, id));
  if (body != nullptr && !ReportedError(reply)) {
    TWINSET_ASSIGN(const uint64_t size, BodyBytesOf(reply, max_body_bytes));
    TWINSET_TRY(child_.ReadBytes(size, deadline, body));
  }
  return reply;
}

Status PipeClient::Greet() {
  TWINSET_ASSIGN(child_, ChildProcess::Start(path_, options_.arguments));
  const uint64_t id = next_id_++;
  TWINSET_ASSIGN(const std::string request,
                 HelloRequest(id, options_.configuration));
  auto reply = Converse(id, request, nullptr, 0);
  if (!reply) return tl::unexpected(Drop(reply.error()));
  if (auto error = ReportedError(*reply))
    return tl::unexpected(Drop(*std::move(error)));
  auto info = HelloOf(*reply);
  if (!info) return tl::unexpected(Drop(info.error()));
  info_ = *std::move(info);
  info_.name = options_.name;
  return {};
}

Result<Json> PipeClient::Ask(
    const std::function<std::string(uint64_t id)>& request, std::string* body,
    uint64_t max_body_bytes) {
  if (closed_) {
    return Fail(ErrorCode::kUnavailable, "the program has been ended",
                options_.program);
  }
  if (!child_.running()) {
    if (failures_ >= kMostFailures) {
      return Fail(ErrorCode::kUnavailable,
                  "the program failed " + std::to_string(failures_) +
                      " times without an answer between; it is not started "
                      "again",
                  options_.program);
    }
    TWINSET_TRY(Greet());
  }
  const uint64_t id = next_id_++;
  auto reply = Converse(id, request(id), body, max_body_bytes);
  if (!reply) return tl::unexpected(Drop(reply.error()));
  failures_ = 0;
  if (auto error = ReportedError(*reply))
    return tl::unexpected(*std::move(error));
  return reply;
}

void PipeClient::Close() {
  closed_ = true;
  child_ = {};
}

}  // namespace twinset
