// Replies of programs that are asked over a pipe, one JSON object a line
// (docs/methods/engine-programs.md). They are untrusted.
#ifndef TWINSET_SRC_GROUND_BASE_PROCESS_PIPE_REPLY_H_
#define TWINSET_SRC_GROUND_BASE_PROCESS_PIPE_REPLY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// A reply to request `id`, "ok" or not; anything else is kCorrupt: the program
// is out of step.
Result<Json> ParseReply(std::string_view line, uint64_t id);
// The error that the program reports, if it does; kCorrupt stands for codes
// that are not of the protocol.
std::optional<Error> ReportedError(const Json& reply);

// How many bytes follow the line; more than `most` are kCorrupt.
Result<uint64_t> BodyBytesOf(const Json& reply, uint64_t most);
// A number of a reply that is not negative, at most `most`.
Result<uint64_t> ReplyNumber(const Json& object, const char* key,
                             uint64_t most);
// kCorrupt: "the program's reply " and what is wrong with it.
tl::unexpected<Error> BadReply(const std::string& what);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_PROCESS_PIPE_REPLY_H_
