#include "server/routes.h"

#include <charconv>
#include <utility>

#include "twinset/plain_words.h"

namespace twinset::server {
namespace {

constexpr ParameterRow kLimit = {
    "limit", "integer",
    "at most so many matches; 0: all. Of check, 1 or more."};
constexpr ParameterRow kWhy = {"why", "boolean",
                               "how the most similar one differs"};
constexpr ParameterRow kWithinTag = {"within_tag", "array",
                                     "only documents of one of these sets"};
constexpr ParameterRow kWithoutTag = {"without_tag", "array",
                                      "none of these sets"};
constexpr ParameterRow kOfBody[] = {
    {"id", "string", "of a document that is the body itself"},
    {"url", "string", "its address, likewise"},
    {"date", "string", "its date, likewise"},
    {"tag", "string", "the set that it belongs to, likewise"},
    {"digest", "string", "SHA-1 of the payload in base 32, likewise"}};

template <Asked kAsked>
HttpResponse Answer(Service* service, const Call& call) {
  return AnswerDocument(service, call, kAsked);
}

template <Asked kAsked>
Route DocumentRoute(std::string_view path, std::string_view name, Scope scope,
                    std::string_view help, std::string_view schema,
                    std::vector<ParameterRow> parameters) {
  parameters.insert(parameters.end(), std::begin(kOfBody), std::end(kOfBody));
  return {.method = "POST",
          .path = path,
          .name = name,
          .scope = scope,
          .help = help,
          .body = BodyKind::kDocument,
          .asked = kAsked,
          .parameters = std::move(parameters),
          .answer_schema = schema,
          .statuses = {200, 413, 415, 422},
          .answer = Answer<kAsked>};
}

std::vector<Route> DocumentRoutes() {
  return {
      DocumentRoute<Asked::kCheck>(
          "/v1/check", "check", Scope::kRead,
          "Has this document been seen? Tells the kept documents that are "
          "similar to it, the most similar first. Stores nothing.",
          "CheckAnswer", {kLimit, kWithinTag, kWithoutTag, kWhy}),
      DocumentRoute<Asked::kCheckAndAdd>(
          "/v1/check-and-add", "checkAndAdd", Scope::kWrite,
          "Stores the document and tells whether it is new, in one step. The "
          "answer comes when it is on the disk. The same id with the same "
          "content is not stored again, so that a request may be repeated.",
          "AddAnswer",
          {{"replace", "boolean",
            "other content with the id of a stored document replaces it; else "
            "it is stored as id#2"},
           kWhy}),
      DocumentRoute<Asked::kQuery>(
          "/v1/query", "query", Scope::kRead,
          "Lists every stored document at the threshold, dropped and equal "
          "ones too.",
          "QueryAnswer",
          {kLimit,
           {"kept_only", "boolean", "none of those that were dropped"},
           kWithinTag,
           kWithoutTag,
           kWhy})};
}

std::vector<Route> StoredRoutes() {
  return {
      {.method = "GET",
       .path = "/v1/documents/{id}",
       .name = "getDocument",
       .help = "A stored document: when it was seen, for which one it was "
               "dropped and, if asked for, its text.",
       .parameters = {{"text", "boolean", "with the text that is compared"}},
       .answer_schema = "StoredDocument",
       .statuses = {200, 404},
       .answer = AnswerFind},
      {.method = "DELETE",
       .path = "/v1/documents/{id}",
       .name = "removeDocument",
       .scope = Scope::kWrite,
       .help = "Removes a document. Nothing is decided again: what had been "
               "dropped because of it stays so, and is told.",
       .answer_schema = "Removal",
       .statuses = {200, 404},
       .answer = AnswerRemove},
      {.method = "DELETE",
       .path = "/v1/tags/{tag}",
       .name = "removeTag",
       .scope = Scope::kWrite,
       .help = "Removes all documents of a tag.",
       .answer_schema = "Removal",
       .statuses = {200, 404},
       .answer = AnswerRemoveTag},
      {.method = "GET",
       .path = "/v1/explain",
       .name = "explain",
       .help = "Everything about a pair of stored documents, as twinset "
               "explain --json.",
       .parameters = {{"a", "string", "the id of one", true},
                      {"b", "string", "the id of the other", true}},
       .answer_schema = "Explanation",
       .statuses = {200, 404},
       .answer = AnswerExplain}};
}

std::vector<Route> OperatorRoutes() {
  return {
      {.method = "GET",
       .path = "/v1/stats",
       .name = "stats",
       .help = "How much is stored, under which parameters.",
       .answer_schema = "Stats",
       .answer = AnswerStats},
      {.method = "GET",
       .path = "/cdx",
       .name = "cdx",
       .help = "Captures of an address, or of a digest, as a CDX server tells "
               "them: for warcprox and Heritrix.",
       .parameters = {{"url", "string", "the address, as it came"},
                      {"digest", "string", "of the payload"},
                      {"output", "string", "text or json"},
                      {"fl", "string", "the fields, with commas"},
                      {"filter", "string",
                       "[!]FIELD:VALUE; those with (without) this value"},
                      {"limit", "string", "of the first; below 0: of the last"},
                      {"closest", "string",
                       "a timestamp: the nearest in time come first"},
                      {"from", "string", "a timestamp, or its beginning"},
                      {"to", "string", "likewise"}},
       .is_lenient = true,
       .answer_type = "text/plain; charset=utf-8",
       .statuses = {200},
       .answer = AnswerCdx},
      {.method = "POST",
       .path = "/v1/snapshots",
       .name = "makeSnapshot",
       .scope = Scope::kWrite,
       .help = "Makes an index with the same content in a folder below that "
               "of --snapshots; others wait for the moment that takes.",
       .body = BodyKind::kJson,
       .answer_schema = "Snapshot",
       .statuses = {201, 409, 413, 415, 422},
       .answer = AnswerSnapshot},
      {.method = "GET",
       .path = "/healthz",
       .name = "health",
       .scope = Scope::kOpen,
       .help = "Does the index work?",
       .answer_schema = "Health",
       .answer = AnswerHealth,
       .waits = false},
      {.method = "GET",
       .path = "/metrics",
       .name = "metrics",
       .help = "Counts and times, as Prometheus reads them.",
       .answer_type = "text/plain; version=0.0.4; charset=utf-8",
       .answer_schema = "",
       .answer = AnswerMetrics,
       .waits = false},
      {.method = "GET",
       .path = "/openapi.json",
       .name = "openApi",
       .scope = Scope::kOpen,
       .help = "This document.",
       .answer = AnswerOpenApi,
       .waits = false}};
}

std::vector<Route> PageRoutes() {
  return {{.method = "GET",
           .path = "/",
           .name = "page",
           .help = "The page for people: a form, and how much is stored.",
           .parameters = {{"id", "string", "a stored document that it shows"}},
           .answer_type = "text/html; charset=utf-8",
           .statuses = {200, 404},
           .answer = AnswerPage},
          {.method = "POST",
           .path = "/",
           .name = "askPage",
           .help = "The same with the answer to a text, an address (text) or a "
                   "file (file); stores nothing.",
           .body = BodyKind::kForm,
           .answer_type = "text/html; charset=utf-8",
           .statuses = {200, 413, 415, 422},
           .answer = AnswerForm},
          {.method = "GET",
           .path = "/style.css",
           .name = "style",
           .scope = Scope::kOpen,
           .help = "How the page looks.",
           .answer_type = "text/css; charset=utf-8",
           .answer = AnswerStyle,
           .waits = false}};
}

// Returns true iff the path is of the template. `variable` becomes what stands
// in the place of its variable.
bool IsOf(std::string_view path, std::string_view pattern,
          std::string_view* variable) {
  const size_t brace = pattern.find('{');
  if (brace == std::string_view::npos) return path == pattern;
  if (path.size() <= brace || path.substr(0, brace) != pattern.substr(0, brace))
    return false;
  *variable = path.substr(brace);
  return true;
}

}  // namespace

const std::vector<Route>& Routes() {
  static const std::vector<Route> routes = [] {
    std::vector<Route> all;
    for (auto& some :
         {DocumentRoutes(), StoredRoutes(), OperatorRoutes(), PageRoutes()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return routes;
}

const Route* FindRoute(std::string_view method, std::string_view path,
                       std::string_view* variable, std::string* allowed) {
  if (method == "HEAD") method = "GET";
  for (const Route& route : Routes()) {
    if (!IsOf(path, route.path, variable)) continue;
    if (route.method == method) return &route;
    if (!allowed->empty()) *allowed += ", ";
    *allowed += route.method;
    if (route.method == "GET") *allowed += ", HEAD";
  }
  return nullptr;
}

Result<DocumentQuery> QueryOf(const Route& route,
                              const Parameters& parameters) {
  DocumentQuery query;
  for (const auto& [name, value] : parameters) {
    std::vector<std::string_view> names;
    const ParameterRow* row = nullptr;
    for (const ParameterRow& one : route.parameters) {
      names.push_back(one.name);
      if (one.name == name) row = &one;
    }
    if (row == nullptr) {
      if (route.is_lenient) continue;
      return Fail(ErrorCode::kUsage,
                  "there is no parameter '" + Printable(name) + "'", {},
                  DidYouMean(name, names));
    }
    if (name == "within_tag") query.within_tags.push_back(value);
    if (name == "without_tag") query.without_tags.push_back(value);
    if (name == "kept_only") query.kept_only = value == "true";
    if (name == "replace") query.replaces = value == "true";
    if (name == "why") query.why = value == "true";
    if (row->type == "boolean" && value != "true" && value != "false")
      return Fail(ErrorCode::kUsage, name + " is true or false");
    if (row->type != "integer") continue;
    uint64_t number = 0;
    const char* const end = value.data() + value.size();
    const auto parsed = std::from_chars(value.data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end)
      return Fail(ErrorCode::kUsage, name + " is a whole number");
    if (name == "limit") query.limit = number;
  }
  for (const ParameterRow& row : route.parameters) {
    const auto* value = FindParameterNamed(parameters, row.name);
    if (row.required && (value == nullptr || value->empty()))
      return Fail(ErrorCode::kUsage,
                  "the parameter " + std::string(row.name) + " is missing");
  }
  return query;
}

}  // namespace twinset::server
