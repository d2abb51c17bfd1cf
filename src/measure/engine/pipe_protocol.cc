#include "engine/pipe_protocol.h"

#include <limits>
#include <utility>
#include <vector>

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

Json Request(uint64_t id, const char* operation) {
  Json request;
  request["id"] = id;
  request["op"] = operation;
  return request;
}

std::string Line(const Json& request) { return request.dump() + "\n"; }

tl::unexpected<Error> Bad(const std::string& what) {
  return Fail(ErrorCode::kCorrupt, "the program's reply " + what);
}

// A number that is not negative, at most `most`.
Result<uint64_t> NumberOf(const Json& object, const char* key, uint64_t most) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned() ||
      found->get<uint64_t>() > most)
    return Bad(std::string("has no fitting \"") + key + "\"");
  return found->get<uint64_t>();
}

Result<std::vector<std::string>> TextsOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array())
    return Bad(std::string("has no list \"") + key + "\"");
  std::vector<std::string> texts;
  texts.reserve(found->size());
  for (const Json& text : *found) {
    if (!text.is_string())
      return Bad(std::string("has something else than text in \"") + key +
                 "\"");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

}  // namespace

Result<std::string> HelloRequest(uint64_t id, std::string_view configuration) {
  Json json = Json::Parse(configuration);
  if (!json.is_object()) {
    return Fail(ErrorCode::kUsage,
                "the configuration of the engine is no JSON object");
  }
  Json request = Request(id, "hello");
  request["protocol"] = kPipeProtocol;
  request["configuration"] = std::move(json);
  return Line(request);
}

std::string QueryRequest(uint64_t id, const EngineQuery& query) {
  Json request = Request(id, "query");
  request["terms"] = query.terms;
  request["conjunctive"] = query.conjunctive;
  request["limit"] = query.limit;
  return Line(request);
}

std::string FetchRequest(uint64_t id, const std::string& url) {
  Json request = Request(id, "fetch");
  request["url"] = url;
  return Line(request);
}

std::string GetRequest(uint64_t id, const std::string& url) {
  Json request = Request(id, "get");
  request["url"] = url;
  return Line(request);
}

std::string AddRequest(uint64_t id, const EngineDocument& document) {
  Json json;
  json["url"] = document.page.url;
  json["text"] = document.page.text;
  json["title"] = document.page.title;
  json["date"] = document.page.date;
  json["language"] = document.page.language;
  json["fields"] = Json::array();
  for (const auto& [name, value] : document.page.fields)
    json["fields"].push_back({name, value});
  json["tokens"] = document.tokens;
  Json request = Request(id, "add");
  request["document"] = std::move(json);
  return Line(request);
}

std::string FinishRequest(uint64_t id) { return Line(Request(id, "finish")); }

Result<Json> ParseReply(std::string_view line, uint64_t id) {
  Json reply = Json::Parse(line);
  if (!reply.is_object()) return Bad("is no JSON object");
  const auto same = NumberOf(reply, "id", id);
  if (!same || *same != id) return Bad("is to another question");
  const auto ok = reply.find("ok");
  if (ok == reply.end() || !ok->is_boolean()) return Bad("has no \"ok\"");
  return reply;
}

std::optional<Error> ReportedError(const Json& reply) {
  if (reply.value("ok", false)) return std::nullopt;
  const auto found = reply.find("error");
  if (found == reply.end() || !found->is_object())
    return Bad("says neither ok nor an error").value();
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

Result<EngineInfo> HelloOf(const Json& reply) {
  TWINSET_ASSIGN(
      const uint64_t protocol,
      NumberOf(reply, "protocol", std::numeric_limits<uint64_t>::max()));
  if (protocol != kPipeProtocol) {
    return Fail(ErrorCode::kUnsupported,
                "the program speaks protocol " + std::to_string(protocol) +
                    ", not " + std::to_string(kPipeProtocol),
                "", "use the program that came with this twinset");
  }
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  EngineInfo info;
  info.type = reply.value("type", "");
  if (reply.contains("max_results")) {
    TWINSET_ASSIGN(const uint64_t value, NumberOf(reply, "max_results", kMost));
    info.max_results = static_cast<uint32_t>(value);
  }
  if (reply.contains("max_terms")) {
    TWINSET_ASSIGN(const uint64_t value, NumberOf(reply, "max_terms", kMost));
    info.max_terms = static_cast<uint32_t>(value);
  }
  if (reply.contains("documents")) {
    TWINSET_ASSIGN(
        const uint64_t value,
        NumberOf(reply, "documents", std::numeric_limits<int64_t>::max()));
    info.documents = static_cast<int64_t>(value);
  }
  return info;
}

Result<EngineAnswer> AnswerOf(const Json& reply, uint32_t limit) {
  EngineAnswer answer;
  TWINSET_ASSIGN(answer.urls, TextsOf(reply, "urls"));
  if (answer.urls.size() > limit) return Bad("has more results than asked for");
  answer.hits_known = reply.contains("hits");
  if (answer.hits_known) {
    TWINSET_ASSIGN(answer.hits, NumberOf(reply, "hits",
                                         std::numeric_limits<int64_t>::max()));
  }
  return answer;
}

Result<EnginePage> PageOf(const Json& reply) {
  const auto found = reply.find("page");
  if (found == reply.end() || !found->is_object())
    return Bad("has no \"page\"");
  const Json& json = *found;
  EnginePage page;
  page.url = json.value("url", "");
  if (page.url.empty()) return Bad("has a page without address");
  page.text = json.value("text", "");
  page.title = json.value("title", "");
  page.date = json.value("date", "");
  page.language = json.value("language", "");
  const auto fields = json.find("fields");
  if (fields == json.end()) return page;
  if (!fields->is_array()) return Bad("has no list \"fields\"");
  for (const Json& field : *fields) {
    if (!field.is_array() || field.size() != 2 || !field[0].is_string() ||
        !field[1].is_string() ||
        Json::Parse(field[1].get<std::string>()).is_discarded())
      return Bad("has a field that is not a name and a JSON text");
    page.fields.emplace_back(field[0].get<std::string>(),
                             field[1].get<std::string>());
  }
  return page;
}

Result<FetchResponse> ResponseOf(const Json& reply) {
  FetchResponse response;
  response.url = reply.value("url", "");
  if (response.url.empty()) return Bad("has no address");
  TWINSET_ASSIGN(response.redirects, TextsOf(reply, "redirects"));
  TWINSET_ASSIGN(const uint64_t status, NumberOf(reply, "status", 999));
  response.status = static_cast<int>(status);
  response.content_type = reply.value("content_type", "");
  response.date = reply.value("date", "");
  response.location = reply.value("location", "");
  if (reply.contains("retry_after_s")) {
    TWINSET_ASSIGN(const uint64_t seconds,
                   NumberOf(reply, "retry_after_s", 1 << 30));
    response.retry_after_s = static_cast<int>(seconds);
  }
  return response;
}

Result<uint64_t> BodyBytesOf(const Json& reply, uint64_t most) {
  return NumberOf(reply, "body_bytes", most);
}

Result<bool> AddedOf(const Json& reply) {
  const auto found = reply.find("added");
  if (found == reply.end() || !found->is_boolean())
    return Bad("has no \"added\"");
  return found->get<bool>();
}

}  // namespace twinset
