#include "base/process/pipe_reply.h"

#include <utility>

namespace twinset {

namespace {

constexpr std::pair<const char*, ErrorCode> kCodes[] = {
    {"usage", ErrorCode::kUsage},
    {"io", ErrorCode::kIo},
    {"corrupt", ErrorCode::kCorrupt},
    {"unsupported", ErrorCode::kUnsupported},
    {"unavailable", ErrorCode::kUnavailable},
    {"not-found", ErrorCode::kNotFound},
};

}  // namespace

tl::unexpected<Error> BadReply(const std::string& what) {
  return Fail(ErrorCode::kCorrupt, "the program's reply " + what);
}

Result<uint64_t> ReplyNumber(const Json& object, const char* key,
                             uint64_t most) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned() ||
      found->get<uint64_t>() > most)
    return BadReply(std::string("has no fitting \"") + key + "\"");
  return found->get<uint64_t>();
}

Result<Json> ParseReply(std::string_view line, uint64_t id) {
  Json reply = Json::Parse(line);
  if (!reply.is_object()) return BadReply("is no JSON object");
  const auto same = ReplyNumber(reply, "id", id);
  if (!same || *same != id) return BadReply("is to another question");
  const auto ok = reply.find("ok");
  if (ok == reply.end() || !ok->is_boolean()) return BadReply("has no \"ok\"");
  return reply;
}

std::optional<Error> ReportedError(const Json& reply) {
  if (reply.value("ok", false)) return std::nullopt;
  const auto found = reply.find("error");
  if (found == reply.end() || !found->is_object())
    return BadReply("says neither ok nor an error").value();
  Error error;
  error.code = ErrorCode::kCorrupt;
  const std::string name = found->value("code", "");
  for (const auto& [code_name, code] : kCodes)
    if (name == code_name) error.code = code;
  error.message = found->value("message", "");
  error.where = found->value("where", "");
  error.remedy = found->value("remedy", "");
  if (error.message.empty()) error.message = "the program gives no reason";
  for (std::string* text : {&error.message, &error.where, &error.remedy}) {
    if (text->size() > 1000) text->resize(1000);
    for (char& c : *text)
      if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  }
  return error;
}

Result<uint64_t> BodyBytesOf(const Json& reply, uint64_t most) {
  return ReplyNumber(reply, "body_bytes", most);
}

}  // namespace twinset
