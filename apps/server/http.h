// What a request and a response are, whoever speaks HTTP (http_front.h).
#ifndef TWINSET_APPS_SERVER_HTTP_H_
#define TWINSET_APPS_SERVER_HTTP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset::server {

struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // still percent-encoded, without the query
  std::string query;   // likewise, without "?"
  std::vector<std::pair<std::string, std::string>> headers;
  std::string peer;  // the address of the client

  // The value of the first header of this name, whatever its case; null when
  // there is none.
  const std::string* Header(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  // Not -1: an open file that holds the body from its beginning on. Whoever
  // sends the response closes it.
  int file = -1;
  uint64_t file_bytes = 0;
  bool closes = false;  // nothing more is read from this connection
};

// A request whose headers are there, while its body arrives. One thread.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  // A piece of the body. A response ends the request before its body does.
  virtual std::optional<HttpResponse> Take(std::string_view piece) = 0;
  // The body is complete.
  virtual HttpResponse Finish() = 0;
  // A body may take as long as its pieces come, instead of --timeout in all.
  virtual bool is_stream() const { return false; }
};

// How a request ended, for the access log and the metrics.
struct HttpDone {
  const HttpRequest* request = nullptr;
  int status = 0;  // 0: the client went away before there was a response
  uint64_t bytes = 0;
  double seconds = 0;
};

// Called by many threads.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // An exchange, or a response that needs no body.
  struct Begun {
    std::optional<HttpResponse> response = {};
    std::unique_ptr<HttpExchange> exchange = nullptr;
  };
  virtual Begun Begin(const HttpRequest& request) = 0;
  // The response to a request that took too long, and to one that comes while
  // there are too many connections.
  virtual HttpResponse TooSlow() = 0;
  virtual HttpResponse TooMany() = 0;
  virtual void Done(const HttpDone& done) = 0;
};

// "Not Found"; empty for an unknown one.
std::string_view StatusText(int status);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_HTTP_H_
