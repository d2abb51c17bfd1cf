#include "engines/pipe_server.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>
#include <utility>

namespace twinset {

namespace {

constexpr int kProtocol = 1;
constexpr uint64_t kMostBodyBytes = 64 << 20;

const char* CodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kNotFound:
      return "not-found";
    default:
      return "corrupt";
  }
}

Json ErrorReply(const Error& error) {
  Json json;
  json["ok"] = false;
  json["error"]["code"] = CodeName(error.code);
  json["error"]["message"] = error.message;
  json["error"]["where"] = error.where;
  json["error"]["remedy"] = error.remedy;
  return json;
}

void Send(const Json& id, const Json& values, const std::string& body) {
  Json json;
  json["id"] = id;
  json.update(values);
  const std::string line = json.dump() + "\n";
  std::cout.write(line.data(), static_cast<std::streamsize>(line.size()));
  std::cout.write(body.data(), static_cast<std::streamsize>(body.size()));
  std::cout.flush();
}

tl::unexpected<Error> BadMember(const std::string& name,
                                const std::string& what) {
  return Fail(ErrorCode::kUsage, "\"" + name + "\" must be " + what);
}

Result<PipeReply> Greet(const PipeOperations& operations,
                        const PipeRequest& request) {
  const auto protocol = request.json.find("protocol");
  if (protocol == request.json.end() || *protocol != kProtocol) {
    return Fail(ErrorCode::kUnsupported,
                "this program speaks protocol " + std::to_string(kProtocol));
  }
  const auto configuration = request.json.find("configuration");
  if (configuration == request.json.end() || !configuration->is_object())
    return BadMember("configuration", "an object");
  const auto found = operations.find("hello");
  PipeReply reply;
  if (found != operations.end()) {
    TWINSET_ASSIGN(reply, found->second({*configuration, ""}));
  }
  reply.json["protocol"] = kProtocol;
  return reply;
}

Result<PipeReply> Answer(const PipeOperations& operations,
                         const PipeRequest& request, bool greeted) {
  TWINSET_ASSIGN(const std::string name, TextMember(request.json, "op"));
  if (name == "hello") return Greet(operations, request);
  const auto found = operations.find(name);
  if (found == operations.end()) {
    return Fail(ErrorCode::kUnsupported,
                "this program has no operation \"" + name + "\"");
  }
  if (!greeted) return Fail(ErrorCode::kUsage, "\"hello\" comes first");
  return found->second(request);
}

Result<PipeReply> AnswerSafely(const PipeOperations& operations,
                               const PipeRequest& request, bool greeted) {
  try {
    return Answer(operations, request, greeted);
  } catch (const std::exception& exception) {
    return Fail(ErrorCode::kCorrupt, exception.what());
  }
}

// Reads what follows the request; false at an early end.
bool ReadBody(PipeRequest* request) {
  const auto found = request->json.find("body_bytes");
  if (found == request->json.end()) return true;
  if (!found->is_number_unsigned() || found->get<uint64_t>() > kMostBodyBytes)
    return false;
  request->body.resize(found->get<uint64_t>());
  std::cin.read(request->body.data(),
                static_cast<std::streamsize>(request->body.size()));
  return static_cast<bool>(std::cin);
}

}  // namespace

int ServePipe(const PipeOperations& operations) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  bool greeted = false;
  std::string line;
  while (std::getline(std::cin, line)) {
    PipeRequest request;
    request.json = Json::Parse(line);
    if (!request.json.is_object() || !ReadBody(&request)) {
      std::cerr << "a request is no JSON object\n";
      return 1;
    }
    const Json id = request.json.value("id", Json(0));
    const Result<PipeReply> reply = AnswerSafely(operations, request, greeted);
    if (!reply) {
      Send(id, ErrorReply(reply.error()), "");
      continue;
    }
    greeted = true;
    Json values;
    values["ok"] = true;
    values.update(reply->json);
    if (reply->has_body) values["body_bytes"] = reply->body.size();
    Send(id, values, reply->body);
  }
  return 0;
}

Result<std::string> TextMember(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string())
    return BadMember(name, "a text");
  return found->get<std::string>();
}

std::string TextMemberOr(const Json& object, const std::string& name,
                         std::string otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::move(otherwise);
}

Result<uint64_t> NumberMemberOr(const Json& object, const std::string& name,
                                uint64_t otherwise, uint64_t most) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if (!found->is_number_unsigned() || found->get<uint64_t>() > most)
    return BadMember(name, "a whole number from 0 to " + std::to_string(most));
  return found->get<uint64_t>();
}

Result<bool> FlagMemberOr(const Json& object, const std::string& name,
                          bool otherwise) {
  const auto found = object.find(name);
  if (found == object.end()) return otherwise;
  if (!found->is_boolean()) return BadMember(name, "true or false");
  return found->get<bool>();
}

Result<std::vector<std::string>> TextsMemberOr(const Json& object,
                                               const std::string& name) {
  std::vector<std::string> texts;
  const auto found = object.find(name);
  if (found == object.end()) return texts;
  if (!found->is_array()) return BadMember(name, "a list of texts");
  for (const Json& text : *found) {
    if (!text.is_string()) return BadMember(name, "a list of texts");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

Status CheckMembers(const Json& object,
                    std::initializer_list<const char*> names) {
  for (const auto& member : object.items()) {
    if (std::find(names.begin(), names.end(), member.key) != names.end())
      continue;
    std::string known;
    for (const char* name : names)
      known += (known.empty() ? "" : ", ") + std::string(name);
    return Fail(ErrorCode::kUsage,
                "there is no parameter \"" + member.key + "\"", "",
                "known are " + known);
  }
  return {};
}

Result<PipeQuery> QueryOf(const Json& request) {
  PipeQuery query;
  TWINSET_ASSIGN(query.terms, TextsMemberOr(request, "terms"));
  TWINSET_ASSIGN(query.conjunctive, FlagMemberOr(request, "conjunctive", true));
  TWINSET_ASSIGN(const uint64_t limit,
                 NumberMemberOr(request, "limit", 100,
                                std::numeric_limits<uint32_t>::max()));
  query.limit = static_cast<uint32_t>(limit);
  return query;
}

Result<PipeDocument> DocumentOf(const Json& request) {
  const auto found = request.find("document");
  if (found == request.end() || !found->is_object())
    return BadMember("document", "an object");
  PipeDocument document;
  TWINSET_ASSIGN(document.url, TextMember(*found, "url"));
  document.text = TextMemberOr(*found, "text", "");
  document.title = TextMemberOr(*found, "title", "");
  document.date = TextMemberOr(*found, "date", "");
  document.language = TextMemberOr(*found, "language", "");
  const auto fields = found->find("fields");
  document.fields = fields == found->end() ? "[]" : fields->dump();
  TWINSET_ASSIGN(document.tokens, TextsMemberOr(*found, "tokens"));
  return document;
}

std::string PageText(const PipeDocument& document) {
  Json page;
  page["url"] = document.url;
  page["text"] = document.text;
  page["title"] = document.title;
  page["date"] = document.date;
  page["language"] = document.language;
  page["fields"] = Json::Parse(document.fields);
  if (!page["fields"].is_array()) page["fields"] = Json::array();
  return page.dump();
}

Result<PipeReply> PageReply(const std::string& page_text) {
  Json page = Json::Parse(page_text);
  if (!page.is_object())
    return Fail(ErrorCode::kCorrupt, "what is stored is no page of twinset");
  PipeReply reply;
  reply.json["page"] = std::move(page);
  return reply;
}

std::string IndexTerm(const std::string& token, size_t most_bytes) {
  std::string term = token;
  for (char& c : term)
    if (c == 0) c = ' ';
  if (term.size() <= most_bytes) return term;
  uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  for (const char c : token)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  size_t cut = most_bytes - 20;
  // Not inside a character.
  while (cut > 0 && (static_cast<unsigned char>(term[cut]) & 0xC0) == 0x80)
    --cut;
  char digits[32];
  std::snprintf(digits, sizeof digits, " %016llx",
                static_cast<unsigned long long>(hash));
  return term.substr(0, cut) + digits;
}

}  // namespace twinset
