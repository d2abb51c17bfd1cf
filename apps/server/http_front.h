// Speaks HTTP/1.1 to clients, by libmicrohttpd, which this file alone knows:
// connections and their limits, time, the sockets of a service manager, the
// end.
#ifndef TWINSET_APPS_SERVER_HTTP_FRONT_H_
#define TWINSET_APPS_SERVER_HTTP_FRONT_H_

#include <cstdint>
#include <memory>

#include "server/http.h"
#include "server/listener.h"
#include "twinset/error.h"

namespace twinset::server {

struct FrontOptions {
  int connections = 256;  // more of them are told to come again
  double timeout = 30;    // seconds: headers, a body, a silence, the end
};

// A thread for each connection. Runs until it is destroyed.
class HttpFront {
 public:
  static Result<std::unique_ptr<HttpFront>> Start(Listener listener,
                                                  HttpHandler* handler,
                                                  const FrontOptions& options);
  HttpFront(const HttpFront&) = delete;
  // Takes no new connections, lets requests that have begun come to their end,
  // for `timeout` at most, and closes.
  ~HttpFront();

  // Ends connections that are too slow. Call it about once a second.
  void Sweep();
  uint64_t connections() const;

 private:
  struct Parts;
  explicit HttpFront(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_HTTP_FRONT_H_
