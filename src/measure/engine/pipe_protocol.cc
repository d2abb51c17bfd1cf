#include "engine/pipe_protocol.h"

#include <limits>
#include <utility>
#include <vector>

namespace twinset {

namespace {

Json Request(uint64_t id, const char* operation) {
  Json request;
  request["id"] = id;
  request["op"] = operation;
  return request;
}

std::string Line(const Json& request) { return request.dump() + "\n"; }

Result<std::vector<std::string>> TextsOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array())
    return BadReply(std::string("has no list \"") + key + "\"");
  std::vector<std::string> texts;
  texts.reserve(found->size());
  for (const Json& text : *found) {
    if (!text.is_string())
      return BadReply(std::string("has something else than text in \"") + key +
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

Result<EngineInfo> HelloOf(const Json& reply) {
  TWINSET_ASSIGN(
      const uint64_t protocol,
      ReplyNumber(reply, "protocol", std::numeric_limits<uint64_t>::max()));
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
    TWINSET_ASSIGN(const uint64_t value,
                   ReplyNumber(reply, "max_results", kMost));
    info.max_results = static_cast<uint32_t>(value);
  }
  if (reply.contains("max_terms")) {
    TWINSET_ASSIGN(const uint64_t value,
                   ReplyNumber(reply, "max_terms", kMost));
    info.max_terms = static_cast<uint32_t>(value);
  }
  if (reply.contains("documents")) {
    TWINSET_ASSIGN(
        const uint64_t value,
        ReplyNumber(reply, "documents", std::numeric_limits<int64_t>::max()));
    info.documents = static_cast<int64_t>(value);
  }
  return info;
}

Result<EngineAnswer> AnswerOf(const Json& reply, uint32_t limit) {
  EngineAnswer answer;
  TWINSET_ASSIGN(answer.urls, TextsOf(reply, "urls"));
  if (answer.urls.size() > limit)
    return BadReply("has more results than asked for");
  answer.hits_known = reply.contains("hits");
  if (answer.hits_known) {
    TWINSET_ASSIGN(
        answer.hits,
        ReplyNumber(reply, "hits", std::numeric_limits<int64_t>::max()));
  }
  return answer;
}

Result<EnginePage> PageOf(const Json& reply) {
  const auto found = reply.find("page");
  if (found == reply.end() || !found->is_object())
    return BadReply("has no \"page\"");
  const Json& json = *found;
  EnginePage page;
  page.url = json.value("url", "");
  if (page.url.empty()) return BadReply("has a page without address");
  page.text = json.value("text", "");
  page.title = json.value("title", "");
  page.date = json.value("date", "");
  page.language = json.value("language", "");
  const auto fields = json.find("fields");
  if (fields == json.end()) return page;
  if (!fields->is_array()) return BadReply("has no list \"fields\"");
  for (const Json& field : *fields) {
    if (!field.is_array() || field.size() != 2 || !field[0].is_string() ||
        !field[1].is_string() ||
        Json::Parse(field[1].get<std::string>()).is_discarded())
      return BadReply("has a field that is not a name and a JSON text");
    page.fields.emplace_back(field[0].get<std::string>(),
                             field[1].get<std::string>());
  }
  return page;
}

Result<FetchResponse> ResponseOf(const Json& reply) {
  FetchResponse response;
  response.url = reply.value("url", "");
  if (response.url.empty()) return BadReply("has no address");
  TWINSET_ASSIGN(response.redirects, TextsOf(reply, "redirects"));
  TWINSET_ASSIGN(const uint64_t status, ReplyNumber(reply, "status", 999));
  response.status = static_cast<int>(status);
  response.content_type = reply.value("content_type", "");
  response.date = reply.value("date", "");
  response.location = reply.value("location", "");
  if (reply.contains("retry_after_s")) {
    TWINSET_ASSIGN(const uint64_t seconds,
                   ReplyNumber(reply, "retry_after_s", 1 << 30));
    response.retry_after_s = static_cast<int>(seconds);
  }
  return response;
}

Result<bool> AddedOf(const Json& reply) {
  const auto found = reply.find("added");
  if (found == reply.end() || !found->is_boolean())
    return BadReply("has no \"added\"");
  return found->get<bool>();
}

}  // namespace twinset
