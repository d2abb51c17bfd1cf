// Answers requests for the pages of a finished run. It knows nothing of sockets
// (http_front.h).
#ifndef TWINSET_APPS_SERVER_VIEW_SERVER_H_
#define TWINSET_APPS_SERVER_VIEW_SERVER_H_

#include <functional>
#include <string>

#include "server/gate.h"
#include "server/guard.h"
#include "server/http.h"
#include "twinset/run_view.h"

namespace twinset::server {

struct ViewServerOptions {
  GuardOptions guard;
  uint64_t at_work = 4, waiting = 64;  // requests
};

// Thread-safe. Every answer is a page, and nothing that is asked changes
// anything.
class ViewServer : public HttpHandler {
 public:
  ViewServer(const RunView* run, ViewServerOptions options);

  Begun Begin(const HttpRequest& request) override;
  HttpResponse TooSlow() override;
  HttpResponse TooMany() override;
  void Done(const HttpDone&) override {}

 private:
  HttpResponse Answer(const HttpRequest& request);

  const RunView* const run_;
  const Guard guard_;
  Gate gate_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_VIEW_SERVER_H_
