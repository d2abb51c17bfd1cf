// The loop of a program that twinset asks over a pipe: one JSON object a line
// in, one out (docs/methods/engine-programs.md).
#ifndef TWINSET_APPS_ENGINES_PIPE_SERVER_H_
#define TWINSET_APPS_ENGINES_PIPE_SERVER_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

struct PipeReply {
  Json json = Json::object();
  bool has_body = false;
  std::string body;  // follows the line
};
// A request with the bytes that followed it, if any.
struct PipeRequest {
  Json json;
  std::string body;
};
using PipeOperation = std::function<Result<PipeReply>(const PipeRequest&)>;
// By the name of the operation. "hello" is given the configuration; its reply
// holds what the engine says of itself.
using PipeOperations = std::map<std::string, PipeOperation>;

// Answers requests until the input ends; exceptions of operations become
// errors. Returns the exit code of the program.
int ServePipe(const PipeOperations& operations);

// Members of the configuration and of requests; kUsage names what is missing
// or of another type.
Result<std::string> TextMember(const Json& object, const std::string& name);
std::string TextMemberOr(const Json& object, const std::string& name,
                         std::string otherwise);
Result<uint64_t> NumberMemberOr(const Json& object, const std::string& name,
                                uint64_t otherwise, uint64_t most);
Result<bool> FlagMemberOr(const Json& object, const std::string& name,
                          bool otherwise);
Result<std::vector<std::string>> TextsMemberOr(const Json& object,
                                               const std::string& name);
// kUsage for a member that is none of `names`: a slip of the pen in a
// configuration would go unnoticed.
Status CheckMembers(const Json& object,
                    std::initializer_list<const char*> names);

// What "query" asks for.
struct PipeQuery {
  std::vector<std::string> terms;
  bool conjunctive = true;
  uint32_t limit = 0;
};
Result<PipeQuery> QueryOf(const Json& request);

// What "add" brings.
struct PipeDocument {
  std::string url, text, title, date, language;
  std::string fields;  // the list of pairs as a JSON text
  std::vector<std::string> tokens;
};
Result<PipeDocument> DocumentOf(const Json& request);
// The page of it as one line of JSON, and back; what was not written so is
// kCorrupt.
std::string PageText(const PipeDocument& document);
Result<PipeReply> PageReply(const std::string& page_text);

// A token as an index holds it that takes terms of at most `most_bytes` (above
// 100) and no zero bytes: itself, or if it is longer its beginning and a hash.
std::string IndexTerm(const std::string& token, size_t most_bytes);

}  // namespace twinset

#endif  // TWINSET_APPS_ENGINES_PIPE_SERVER_H_
