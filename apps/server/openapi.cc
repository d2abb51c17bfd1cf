// The OpenAPI document, made from the table of routes.
#include <string>
#include <utility>

#include "server/problem.h"
#include "server/routes.h"
#include "twinset/version.h"

namespace twinset::server {
namespace {

Json Typed(const char* type, const char* description = "") {
  Json schema = {{"type", type}};
  if (*description != '\0') schema["description"] = description;
  return schema;
}

Json Ref(std::string_view name) {
  return Json{{"$ref", "#/components/schemas/" + std::string(name)}};
}

// An object; all properties whose names are in `required` are there.
Json Object(Json properties, const std::vector<std::string>& required,
            bool is_closed = false) {
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = required;
  if (is_closed) schema["additionalProperties"] = false;
  return schema;
}

Json ListOf(Json items) {
  return Json{{"type", "array"}, {"items", std::move(items)}};
}

Json DocumentSchema() {
  Json properties = Json::object();
  properties["id"] =
      Typed("string", "without one it has its arrival number as id");
  properties["text"] = Typed("string", "the text itself");
  properties["html"] = Typed("string", "a page, instead of text");
  properties["url"] = Typed("string");
  properties["date"] = Typed("string", "when it was seen; none: now");
  properties["tag"] = Typed("string", "the set that it belongs to");
  properties["digest"] = Typed(
      "string",
      "SHA-1 of the payload in base 32, by which /cdx finds it; computed of "
      "what has a url, where it is missing");
  Json schema = Object(std::move(properties), {}, true);
  schema["oneOf"] = Json::array({Json{{"required", Json::array({"text"})}},
                                 Json{{"required", Json::array({"html"})}}});
  return schema;
}

// What every answer says of a stored document.
Json MatchProperties() {
  Json properties = Json::object();
  properties["url"] = Typed("string");
  properties["similarity"] = Typed("number");
  properties["contained"] = Typed(
      "number", "share of the features of the asked document that it has");
  properties["contains"] = Typed("number", "the other way");
  properties["copies"] = Typed("integer");
  properties["first_seen"] = Typed("string");
  properties["last_seen"] = Typed("string");
  properties["tags"] = ListOf(Typed("string"));
  properties["differences"] =
      ListOf(Object(Json{{"in", Typed("string",
                                      "a: the asked document alone; b: the "
                                      "stored one")},
                         {"tokens", Typed("integer")},
                         {"text", Typed("string")}},
                    {"in", "text"}));
  properties["more_differences"] = Typed("integer");
  return properties;
}

Json AnswerSchema(bool of_add) {
  Json properties = MatchProperties();
  properties["id"] = Typed("string");
  properties["new"] = Typed("boolean", "no kept document is similar to it");
  properties["kept_id"] =
      Typed("string", "the kept document that is most similar");
  properties["bounded"] =
      Typed("boolean", "it was compared with a few of very many alone");
  properties["empty"] = Typed("boolean", "it has no features");
  if (of_add) {
    properties["repeated"] =
        Typed("boolean", "the same id with the same content was there");
    properties["replaced"] = ListOf(Typed("string"));
  } else {
    properties["more"] = ListOf(Object(MatchProperties(), {"similarity"}));
  }
  return Object(std::move(properties), {"new"});
}

Json QuerySchema() {
  Json match = MatchProperties();
  match["id"] = Typed("string");
  match["kept"] = Typed("boolean");
  Json properties = Json::object();
  properties["id"] = Typed("string");
  properties["matches"] =
      ListOf(Object(std::move(match), {"id", "similarity"}));
  properties["bounded"] = Typed("boolean");
  properties["empty"] = Typed("boolean");
  return Object(std::move(properties), {"matches"});
}

Json StoredSchema() {
  Json properties = Json::object();
  for (const char* name :
       {"id", "url", "date", "tag", "digest", "seen", "text"})
    properties[name] = Typed("string");
  for (const char* name : {"arrival", "copies", "features", "text_bytes"})
    properties[name] = Typed("integer");
  properties["kept"] = Typed("boolean");
  properties["kept_for"] = {
      {"type", Json::array({"string", "null"})},
      {"description",
       "the document for which it was dropped; itself if it is kept; null "
       "when that one was removed"}};
  return Object(std::move(properties),
                {"id", "seen", "kept", "kept_for", "copies", "text_bytes"});
}

Json RemovalSchema() {
  Json properties = Json::object();
  properties["removed"] = Typed("integer");
  properties["ids"] = ListOf(Typed("string"));
  properties["left_dropped"] = Typed(
      "integer", "documents that were dropped because of what was removed");
  properties["dropped"] = ListOf(
      Object(Json{{"id", Typed("string")}, {"because_of", Typed("string")}},
             {"id", "because_of"}));
  return Object(std::move(properties), {"removed", "left_dropped"});
}

Json StatsSchema() {
  Json properties = Json::object();
  for (const char* name : {"documents", "kept", "dropped", "empty", "declared",
                           "arrivals", "runs", "bytes"})
    properties[name] = Typed("integer");
  properties["tags"] = ListOf(Typed("string"));
  properties["expected_recall"] = Typed("number");
  properties["parameters"] = Typed("object");
  return Object(std::move(properties),
                {"documents", "kept", "dropped", "bytes", "parameters"});
}

Json Schemas() {
  Json schemas = Json::object();
  schemas["Document"] = DocumentSchema();
  schemas["CheckAnswer"] = AnswerSchema(false);
  schemas["AddAnswer"] = AnswerSchema(true);
  schemas["QueryAnswer"] = QuerySchema();
  schemas["StoredDocument"] = StoredSchema();
  schemas["Removal"] = RemovalSchema();
  schemas["Stats"] = StatsSchema();
  schemas["Explanation"] = Object(Json{{"a", Typed("string")},
                                       {"b", Typed("string")},
                                       {"jaccard", Typed("number")},
                                       {"diff", ListOf(Typed("object"))}},
                                  {"a", "b", "jaccard"});
  schemas["SnapshotRequest"] = Object(
      Json{{"name", Typed("string", "letters, digits, and - . _ in between")}},
      {}, true);
  schemas["Snapshot"] = Object(
      Json{{"name", Typed("string")}, {"seconds", Typed("number")}}, {"name"});
  schemas["Health"] = Object(Json{{"status", Typed("string")}}, {"status"});
  schemas["Problem"] = Object(Json{{"type", Typed("string")},
                                   {"title", Typed("string")},
                                   {"status", Typed("integer")},
                                   {"detail", Typed("string")},
                                   {"remedy", Typed("string")}},
                              {"type", "title", "status", "detail"});
  return schemas;
}

Json Content(std::string_view type, Json schema) {
  Json of = Json::object();
  of["schema"] = std::move(schema);
  Json content = Json::object();
  content[type] = std::move(of);
  return content;
}

Json BodyOf(const Route& route) {
  Json content = Json::object();
  if (route.body == BodyKind::kJson)
    content = Content("application/json", Ref("SnapshotRequest"));
  if (route.body == BodyKind::kForm) {
    content = Content("application/x-www-form-urlencoded", Typed("object"));
    content.update(Content("multipart/form-data", Typed("object")));
  }
  if (route.body == BodyKind::kDocument) {
    content = Content("application/json", Ref("Document"));
    content.update(Content(
        "application/x-ndjson",
        Typed("string", "a document a line; the answer has one row for each")));
    content.update(Content("text/html", Typed("string", "a page, as it is")));
    content.update(Content("text/plain", Typed("string", "a text, as it is")));
  }
  return Json{{"required", route.body != BodyKind::kJson},
              {"content", std::move(content)}};
}

Json ParametersOf(const Route& route) {
  Json parameters = Json::array();
  const size_t brace = route.path.find('{');
  if (brace != std::string_view::npos) {
    const std::string_view name =
        route.path.substr(brace + 1, route.path.size() - brace - 2);
    parameters.push_back(Json{{"name", std::string(name)},
                              {"in", "path"},
                              {"required", true},
                              {"schema", Typed("string")}});
  }
  for (const ParameterRow& row : route.parameters) {
    Json schema = Json{{"type", std::string(row.type)}};
    if (row.type == "integer") schema["minimum"] = 0;
    if (row.required) schema["minLength"] = 1;
    if (row.type == "array") schema["items"] = Typed("string");  // said again
    parameters.push_back(Json{{"name", std::string(row.name)},
                              {"in", "query"},
                              {"required", row.required},
                              {"description", std::string(row.help)},
                              {"schema", std::move(schema)}});
  }
  return parameters;
}

Json AnswerOf(const Route& route, int status) {
  Json answer = {{"description", std::string(StatusText(status))}};
  if (status >= 400) {
    answer["content"] = Content(kProblemType, Ref("Problem"));
    if (status == 404 && route.answer_type.starts_with("text/html"))
      answer["content"].update(Content(route.answer_type, Typed("string")));
    if (status == 503 || status == 429)
      answer["headers"] = {{"Retry-After", Json{{"schema", Typed("integer")}}}};
    return answer;
  }
  const bool is_json = route.answer_type == "application/json";
  answer["content"] =
      Content(route.answer_type, !is_json ? Typed("string")
                                 : route.answer_schema == "object"
                                     ? Typed("object")
                                     : Ref(route.answer_schema));
  if (route.name == "cdx")
    answer["content"].update(
        Content("application/json", ListOf(ListOf(Typed("string")))));
  if (route.body == BodyKind::kDocument)
    answer["content"].update(Content("application/x-ndjson", Typed("string")));
  return answer;
}

bool NeedsToken(Scope scope, const GuardOptions& guard) {
  return scope != Scope::kOpen &&
         !(scope == Scope::kRead ? guard.read_tokens : guard.write_tokens)
              .empty();
}

Json OperationOf(const Route& route, const GuardOptions& guard) {
  Json answers = Json::object();
  std::vector<int> statuses = route.statuses;
  // Every request may have these: a bad address, a host or origin of others,
  // slowness.
  statuses.insert(statuses.end(), {400, 403, 408, 503});
  if (NeedsToken(route.scope, guard)) statuses.push_back(401);
  for (const int status : statuses)
    answers[std::to_string(status)] = AnswerOf(route, status);
  Json operation = {{"operationId", std::string(route.name)},
                    {"summary", std::string(route.help)},
                    {"responses", std::move(answers)}};
  Json parameters = ParametersOf(route);
  if (!parameters.empty()) operation["parameters"] = std::move(parameters);
  if (route.body != BodyKind::kNone) operation["requestBody"] = BodyOf(route);
  operation["security"] = Json::array();
  if (NeedsToken(route.scope, guard))
    operation["security"].push_back(
        Json{{route.scope == Scope::kRead ? "read" : "write", Json::array()}});
  return operation;
}

}  // namespace

Json OpenApi(const GuardOptions& guard) {
  Json paths = Json::object();
  for (const Route& route : Routes()) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    paths[route.path][method] = OperationOf(route, guard);
  }
  const auto scheme = [](const char* help) {
    return Json{{"type", "http"}, {"scheme", "bearer"}, {"description", help}};
  };
  return Json{
      {"openapi", "3.1.0"},
      {"info", Json{{"title", "twinset serve"},
                    {"version", kVersion},
                    {"summary", "Has this document been seen?"},
                    {"license", Json{{"name", "Apache-2.0"},
                                     {"identifier", "Apache-2.0"}}}}},
      {"paths", std::move(paths)},
      {"components",
       Json{{"schemas", Schemas()},
            {"securitySchemes",
             Json{{"read", scheme("a token of --read-token-file, or one that "
                                  "writes")},
                  {"write", scheme("a token of --write-token-file")}}}}}};
}

}  // namespace twinset::server
