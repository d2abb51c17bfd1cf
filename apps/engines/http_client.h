// One page over HTTP, by libcurl, within limits.
#ifndef TWINSET_APPS_ENGINES_HTTP_CLIENT_H_
#define TWINSET_APPS_ENGINES_HTTP_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engines/networks.h"
#include "twinset/error.h"

namespace twinset {

struct HttpLimits {
  uint64_t connect_timeout_ms = 5000, timeout_ms = 20000;
  uint64_t max_body_bytes = 8 << 20;
  uint64_t max_redirects = 5;  // 0: not followed
  std::string user_agent = "twinset/1";
  NetworkGuard guard;                // judges every connection
  std::vector<std::string> resolve;  // "name:port:address"
};

struct HttpPage {
  std::string url;
  std::vector<std::string> redirects;
  int status = 0;
  std::string content_type, date, location;
  int64_t retry_after_s = -1;
  std::string body;
};

// http and https alone; no proxy, cookies or passwords of the surroundings.
// Connections are kept for the next page. The guard is asked with the address
// that each socket is connected to, after names are resolved and at every
// redirect, before a byte is sent.
class HttpClient {
 public:
  static Result<HttpClient> Make(const HttpLimits& limits);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  // kNotFound: no address; kUnsupported: refused by the guard, or larger than
  // allowed (asking again helps neither); kUsage: no address of http;
  // kUnavailable: everything else that is no answer. The time is for all
  // redirects together.
  Result<HttpPage> Get(const std::string& url);

 private:
  struct Parts;
  explicit HttpClient(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace twinset

#endif  // TWINSET_APPS_ENGINES_HTTP_CLIENT_H_
