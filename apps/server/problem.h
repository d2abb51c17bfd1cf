// Responses that servers have in common: refusals as problem documents (RFC
// 9457), JSON, pages.
#ifndef TWINSET_APPS_SERVER_PROBLEM_H_
#define TWINSET_APPS_SERVER_PROBLEM_H_

#include <string>

#include "server/http.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset::server {

inline constexpr char kProblemType[] = "application/problem+json";

// {"type":"about:blank","title","status","detail"}; a remedy where there is
// one.
HttpResponse Problem(int status, std::string detail, std::string remedy = {});
// The server has too much to do; the same request may succeed in a second.
HttpResponse Overload(std::string detail);
// What an error of the library is to a client.
HttpResponse ProblemOf(const Error& error);

HttpResponse JsonResponse(const Json& json, int status = 200);

// A page, which may load what its server has, and nothing else.
HttpResponse PageResponse(std::string html, int status = 200);
HttpResponse StyleResponse(std::string style);

// Nothing of an answer is to be kept, guessed at, or shown inside the page of
// another.
HttpResponse Guarded(HttpResponse response);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_PROBLEM_H_
