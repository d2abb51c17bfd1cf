// The routes of the server: one table, from which come dispatch, refusals and
// the OpenAPI document.
#ifndef TWINSET_APPS_SERVER_ROUTES_H_
#define TWINSET_APPS_SERVER_ROUTES_H_

#include <string>
#include <string_view>
#include <vector>

#include "server/documents.h"
#include "server/guard.h"
#include "server/http.h"
#include "server/request_parts.h"
#include "server/service.h"
#include "twinset/json.h"

namespace twinset::server {

// A request that is complete and may be answered.
struct Call {
  const HttpRequest* request = nullptr;
  std::string name;  // what the path has in place of {id} or {tag}, decoded
  Parameters parameters;
  std::string type;  // the Content-Type of the body
  std::string body;
};

// What a body is.
enum class BodyKind {
  kNone,
  kDocument,  // JSON, or the document itself; NDJSON for many
  kJson,
  kForm
};

struct ParameterRow {
  std::string_view name;
  // "string", "integer", "boolean" of JSON Schema; "array": a string that may
  // be given several times.
  std::string_view type;
  std::string_view help;
  bool required = false;
};

struct Route {
  std::string_view method;
  std::string_view path;  // "/v1/documents/{id}"; the variable is the last part
  std::string_view name;  // of the operation
  Scope scope = Scope::kRead;
  std::string_view help;
  BodyKind body = BodyKind::kNone;
  Asked asked = Asked::kCheck;  // of kDocument
  std::vector<ParameterRow> parameters = {};
  // Parameters that are not named are passed over, as those of other servers.
  bool is_lenient = false;
  std::string_view answer_type = "application/json";
  std::string_view answer_schema = "object";  // of openapi.cc
  // Statuses that this route has beside those of all.
  std::vector<int> statuses = {200};
  HttpResponse (*answer)(Service* service, const Call& call) = nullptr;
  bool waits = true;  // at the gate
};

const std::vector<Route>& Routes();

// The route of a method and a path, and what the path has for its variable,
// still encoded; null where there is none. `allowed` becomes the methods that
// the path has.
const Route* FindRoute(std::string_view method, std::string_view path,
                       std::string_view* variable, std::string* allowed);

Json OpenApi(const GuardOptions& guard);

// The parameters that route tables name, as they are asked for.
Result<DocumentQuery> QueryOf(const Route& route, const Parameters& parameters);

// What answers the routes (answers.cc, cdx.cc, page.cc).
HttpResponse AnswerDocument(Service* service, const Call& call, Asked asked);
HttpResponse AnswerFind(Service* service, const Call& call);
HttpResponse AnswerRemove(Service* service, const Call& call);
HttpResponse AnswerRemoveTag(Service* service, const Call& call);
HttpResponse AnswerExplain(Service* service, const Call& call);
HttpResponse AnswerStats(Service* service, const Call& call);
HttpResponse AnswerSnapshot(Service* service, const Call& call);
HttpResponse AnswerHealth(Service* service, const Call& call);
HttpResponse AnswerMetrics(Service* service, const Call& call);
HttpResponse AnswerOpenApi(Service* service, const Call& call);
HttpResponse AnswerCdx(Service* service, const Call& call);
HttpResponse AnswerPage(Service* service, const Call& call);
HttpResponse AnswerForm(Service* service, const Call& call);
HttpResponse AnswerStyle(Service* service, const Call& call);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_ROUTES_H_
