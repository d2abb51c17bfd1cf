#include "server/problem.h"

#include <utility>

namespace twinset::server {

HttpResponse Problem(int status, std::string detail, std::string remedy) {
  Json problem = {{"type", "about:blank"},
                  {"title", std::string(StatusText(status))},
                  {"status", status},
                  {"detail", std::move(detail)}};
  if (!remedy.empty()) problem["remedy"] = std::move(remedy);
  HttpResponse response;
  response.status = status;
  response.content_type = kProblemType;
  response.body = problem.dump() + "\n";
  return response;
}

HttpResponse Overload(std::string detail) {
  HttpResponse response = Problem(503, std::move(detail), "try again later");
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

HttpResponse ProblemOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUsage:
    case ErrorCode::kUnsupported:
      return Problem(422, error.message, error.remedy);
    case ErrorCode::kNotFound:
      return Problem(404, error.message, error.remedy);
    case ErrorCode::kMemory:
    case ErrorCode::kUnavailable:
    case ErrorCode::kInterrupted:
      return Overload(error.message);
    case ErrorCode::kIo:
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal:
      break;
  }
  // The folder of the index is nobody's business.
  HttpResponse response =
      Problem(503, "the index does not work: " + error.message,
              "its operator finds the reason in the log of the server");
  response.headers.emplace_back("Retry-After", "60");
  return response;
}

HttpResponse JsonResponse(const Json& json, int status) {
  HttpResponse response;
  response.status = status;
  response.body = json.dump() + "\n";
  return response;
}

HttpResponse PageResponse(std::string html, int status) {
  HttpResponse response;
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.headers = {{"Content-Security-Policy",
                       "default-src 'self'; base-uri 'none'; form-action "
                       "'self'; frame-ancestors 'none'"},
                      // Without any referrer a browser would hide where a form
                      // comes from (Origin: null), and the guard refuses that.
                      {"Referrer-Policy", "same-origin"}};
  response.body = std::move(html);
  return response;
}

HttpResponse StyleResponse(std::string style) {
  HttpResponse response;
  response.content_type = "text/css; charset=utf-8";
  response.body = std::move(style);
  return response;
}

HttpResponse Guarded(HttpResponse response) {
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  return response;
}

}  // namespace twinset::server
