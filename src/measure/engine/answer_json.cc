#include "engine/answer_json.h"

#include <iterator>
#include <utility>

#include "twinset/json.h"

namespace twinset {

namespace {

// By ErrorCode.
constexpr const char* kCodes[] = {"usage",       "io",          "corrupt",
                                  "memory",      "unsupported", "interrupted",
                                  "unavailable", "not-found",   "internal"};

std::string ErrorText(const Error& error) {
  return Json{{"error", kCodes[static_cast<size_t>(error.code)]},
              {"message", error.message},
              {"where", error.where},
              {"remedy", error.remedy}}
      .dump();
}

tl::unexpected<Error> Broken(bool* broken) {
  *broken = true;
  return Fail(ErrorCode::kCorrupt, "an answer is damaged", {},
              "move the file of answers away to ask anew");
}

bool TakeText(const Json& json, const char* name, std::string* text) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) return false;
  *text = found->get<std::string>();
  return true;
}

// The error that an answer is, if it is one.
bool TakeError(const Json& json, Error* error) {
  std::string code;
  if (!TakeText(json, "error", &code)) return false;
  for (size_t i = 0; i < std::size(kCodes); ++i) {
    if (code != kCodes[i]) continue;
    error->code = static_cast<ErrorCode>(i);
    return TakeText(json, "message", &error->message) &&
           TakeText(json, "where", &error->where) &&
           TakeText(json, "remedy", &error->remedy);
  }
  return false;
}

}  // namespace

std::string QuestionText(const EngineQuery& query) {
  return Json{{"terms", query.terms},
              {"all", query.conjunctive},
              {"limit", query.limit}}
      .dump();
}

std::string QuestionText(const std::string& fetched_url) {
  return Json{{"fetch", fetched_url}}.dump();
}

std::string JoinedTerms(const std::vector<std::string>& terms) {
  std::string text;
  for (const std::string& term : terms)
    text += (text.empty() ? "" : " ") + term;
  return text;
}

std::string AnswerText(const Result<EngineAnswer>& answer) {
  if (!answer) return ErrorText(answer.error());
  Json json = {{"urls", answer->urls}};
  json["hits"] = answer->hits_known ? Json(answer->hits) : Json();
  return json.dump();
}

std::string AnswerText(const Result<EnginePage>& page) {
  if (!page) return ErrorText(page.error());
  Json fields = Json::object();
  for (const auto& [name, text] : page->fields) fields[name] = text;
  Json json = {{"url", page->url},   {"title", page->title},
               {"date", page->date}, {"language", page->language},
               {"fields", fields},   {"text", page->text}};
  if (!page->other_addresses.empty())
    json["other_addresses"] = page->other_addresses;
  return json.dump();
}

Result<EngineAnswer> ParseAnswer(std::string_view text, bool* broken) {
  const Json json = Json::Parse(text);
  Error error;
  if (!json.is_object()) return Broken(broken);
  if (TakeError(json, &error)) return tl::unexpected(std::move(error));
  const auto urls = json.find("urls"), hits = json.find("hits");
  if (urls == json.end() || !urls->is_array() || hits == json.end() ||
      !(hits->is_null() || hits->is_number_unsigned())) {
    return Broken(broken);
  }
  EngineAnswer answer;
  for (const Json& url : *urls) {
    if (!url.is_string()) return Broken(broken);
    answer.urls.push_back(url.get<std::string>());
  }
  answer.hits_known = !hits->is_null();
  if (answer.hits_known) answer.hits = hits->get<uint64_t>();
  return answer;
}

Result<EnginePage> ParsePage(std::string_view text, bool* broken) {
  const Json json = Json::Parse(text);
  Error error;
  if (!json.is_object()) return Broken(broken);
  if (TakeError(json, &error)) return tl::unexpected(std::move(error));
  EnginePage page;
  const auto fields = json.find("fields");
  if (!TakeText(json, "url", &page.url) ||
      !TakeText(json, "title", &page.title) ||
      !TakeText(json, "date", &page.date) ||
      !TakeText(json, "language", &page.language) ||
      !TakeText(json, "text", &page.text) || fields == json.end() ||
      !fields->is_object()) {
    return Broken(broken);
  }
  for (const auto& [name, value] : fields->items()) {
    if (!value.is_string()) return Broken(broken);
    page.fields.emplace_back(name, value.get<std::string>());
  }
  if (const auto others = json.find("other_addresses"); others != json.end()) {
    if (!others->is_array()) return Broken(broken);
    for (const Json& url : *others) {
      if (!url.is_string()) return Broken(broken);
      page.other_addresses.push_back(url.get<std::string>());
    }
  }
  return page;
}

}  // namespace twinset
