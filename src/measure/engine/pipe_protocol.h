// What engines that are programs are asked and answer: one JSON object a line
// (docs/methods/engine-programs.md). Replies are untrusted.
#ifndef TWINSET_SRC_MEASURE_ENGINE_PIPE_PROTOCOL_H_
#define TWINSET_SRC_MEASURE_ENGINE_PIPE_PROTOCOL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/pipe_reply.h"
#include "engine/engine.h"
#include "engine/memory_engine.h"
#include "net/fetcher.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

inline constexpr int kPipeProtocol = 1;

// Requests, each a line with its line feed. `id` comes back in the reply.
// kUsage when `configuration` is no JSON object.
Result<std::string> HelloRequest(uint64_t id, std::string_view configuration);
std::string QueryRequest(uint64_t id, const EngineQuery& query);
std::string FetchRequest(uint64_t id, const std::string& url);
std::string GetRequest(uint64_t id, const std::string& url);
std::string AddRequest(uint64_t id, const EngineDocument& document);
std::string FinishRequest(uint64_t id);

// What a reply without error holds. What is missing or of another type is
// kCorrupt, another version of the protocol kUnsupported. info.name stays
// empty.
Result<EngineInfo> HelloOf(const Json& reply);
// More addresses than `limit` are kCorrupt.
Result<EngineAnswer> AnswerOf(const Json& reply, uint32_t limit);
Result<EnginePage> PageOf(const Json& reply);
// The response but its body.
Result<FetchResponse> ResponseOf(const Json& reply);
Result<bool> AddedOf(const Json& reply);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_PIPE_PROTOCOL_H_
