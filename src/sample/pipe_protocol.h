// What engines that are programs are asked and answer: one JSON object a line
// (docs/formats/engine-pipe.md). Answers are untrusted.
#ifndef TWINSET_SRC_SAMPLE_PIPE_PROTOCOL_H_
#define TWINSET_SRC_SAMPLE_PIPE_PROTOCOL_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "sample/engine.h"
#include "sample/fetcher.h"
#include "sample/memory_engine.h"
#include "twinset/error.h"

namespace twinset {

inline constexpr int kPipeProtocol = 1;

// Requests, each a line with its line feed. `id` comes back in the answer.
// kUsage when `configuration` is no JSON object.
Result<std::string> HelloRequest(uint64_t id, std::string_view configuration);
std::string QueryRequest(uint64_t id, const EngineQuery& query);
std::string FetchRequest(uint64_t id, const std::string& url);
std::string GetRequest(uint64_t id, const std::string& url);
std::string AddRequest(uint64_t id, const EngineDocument& document);
std::string FinishRequest(uint64_t id);

// Answers. An error that the program reports comes back with its code; what
// breaks the protocol is kCorrupt, another version of it kUnsupported.
// info.name stays empty.
Result<EngineInfo> ReadHello(std::string_view line, uint64_t id);
// More addresses than `limit` are kCorrupt.
Result<EngineAnswer> ReadAnswer(std::string_view line, uint64_t id,
                                uint32_t limit);
Result<EnginePage> ReadPage(std::string_view line, uint64_t id);
// The response but its body, of which `body_bytes` follow the line; more than
// `max_body_bytes` are kCorrupt.
Result<FetchResponse> ReadResponse(std::string_view line, uint64_t id,
                                   uint64_t max_body_bytes,
                                   uint64_t* body_bytes);
Result<bool> ReadAdded(std::string_view line, uint64_t id);
Status ReadFinished(std::string_view line, uint64_t id);

// Whether an error came from the program by the rules of the protocol, so that
// the next question can be asked of it; `line` is what ReadX was given.
bool IsReported(std::string_view line, uint64_t id);

}  // namespace twinset

#endif  // TWINSET_SRC_SAMPLE_PIPE_PROTOCOL_H_
