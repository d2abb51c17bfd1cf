// Answers requests over an index. It knows nothing of sockets (http_front.h).
#ifndef TWINSET_APPS_SERVER_SERVER_H_
#define TWINSET_APPS_SERVER_SERVER_H_

#include <memory>
#include <string>

#include "server/http.h"
#include "server/routes.h"
#include "server/service.h"

namespace twinset::server {

// Thread-safe.
class Server : public HttpHandler {
 public:
  Server(Index* index, ServiceOptions options);

  Begun Begin(const HttpRequest& request) override;
  HttpResponse TooSlow() override;
  HttpResponse TooMany() override;
  void Done(const HttpDone& done) override;

 private:
  std::optional<HttpResponse> Refuse(const HttpRequest& request,
                                     const Route& route) const;

  Service service_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_SERVER_H_
