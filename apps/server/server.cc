#include "server/server.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "server/problem.h"
#include "server/stream.h"
#include "twinset/plain_words.h"

namespace twinset::server {
namespace {

bool IsNdjson(const std::string& type) {
  return type == "application/x-ndjson" || type == "application/ndjson" ||
         type == "application/jsonl";
}

bool Takes(const Route& route, const std::string& type) {
  switch (route.body) {
    case BodyKind::kNone:
      return true;
    case BodyKind::kJson:
      return type == "application/json";
    case BodyKind::kForm:
      return type == "application/x-www-form-urlencoded" ||
             type == "multipart/form-data";
    case BodyKind::kDocument:
      return type == "application/json" || type == "text/html" ||
             type == "text/plain" || IsNdjson(type);
  }
  return false;
}

std::string TypeOf(const HttpRequest& request) {
  const std::string* const type = request.Header("Content-Type");
  return type == nullptr ? std::string() : *type;
}

// Collects a body and answers when it is there.
class WholeBody : public HttpExchange {
 public:
  WholeBody(Service* service, const Route* route, Call call,
            HttpRequest request)
      : service_(service),
        route_(route),
        request_(std::move(request)),
        call_(std::move(call)),
        held_(&service->held) {
    call_.request = &request_;
  }

  std::optional<HttpResponse> Take(std::string_view piece) override {
    const uint64_t size = call_.body.size() + piece.size();
    if (size > service_->options.max_body)
      return Guarded(Problem(413, "the body is larger than --max-body"));
    if (!held_.Set(size))
      return Guarded(Overload("too much is sent to the server at a time"));
    call_.body += piece;
    return {};
  }

  HttpResponse Finish() override {
    if (!route_->waits) return Guarded(route_->answer(service_, call_));
    const Gate::Place place = service_->gate.Enter();
    if (!place) return Guarded(Overload("too many requests wait"));
    return Guarded(route_->answer(service_, call_));
  }

 private:
  Service* const service_;
  const Route* const route_;
  const HttpRequest request_;
  Call call_;
  ByteAllowance::Share held_;
};

class Stream : public DocumentStream {
 public:
  using DocumentStream::DocumentStream;
  std::optional<HttpResponse> Take(std::string_view piece) override {
    auto response = DocumentStream::Take(piece);
    if (response) response = Guarded(std::move(*response));
    return response;
  }
  HttpResponse Finish() override { return Guarded(DocumentStream::Finish()); }
};

}  // namespace

Server::Server(Index* index, ServiceOptions options)
    : service_(index, std::move(options)) {}

std::optional<HttpResponse> Server::Refuse(const HttpRequest& request,
                                           const Route& route) const {
  if (auto refused = service_.guard.Refuse(request, route.scope))
    return refused;
  if (route.scope == Scope::kWrite && service_.options.read_only)
    return Problem(403, "the server only reads",
                   "ask the one that writes to the index");
  const std::string type = MediaType(TypeOf(request));
  if (!Takes(route, type)) {
    return Problem(
        415,
        "there is nothing for a body of type '" + Printable(type) + "' here",
        "send Content-Type: application/json");
  }
  const std::string* const length = request.Header("Content-Length");
  uint64_t bytes = 0;
  if (length != nullptr && !IsNdjson(type)) {
    const auto parsed =
        std::from_chars(length->data(), length->data() + length->size(), bytes);
    if (parsed.ec == std::errc::result_out_of_range)
      bytes = std::numeric_limits<uint64_t>::max();
  }
  if (bytes > service_.options.max_body)
    return Problem(
        413, "the body is larger than " + BytesText(service_.options.max_body),
        "start the server with a larger --max-body");
  return {};
}

HttpHandler::Begun Server::Begin(const HttpRequest& request) {
  std::string_view variable;
  std::string allowed;
  const Route* const route =
      FindRoute(request.method, request.path, &variable, &allowed);
  if (route == nullptr) {
    if (auto refused = service_.guard.Refuse(request, Scope::kOpen))
      return {Guarded(std::move(*refused))};
    if (allowed.empty())
      return {Guarded(Problem(404, "there is nothing here",
                              "/openapi.json lists the rest"))};
    HttpResponse response =
        Problem(405, Printable(request.method) + " is not for this address");
    response.headers.emplace_back("Allow", allowed);
    return {Guarded(std::move(response))};
  }
  if (auto refused = Refuse(request, *route))
    return {Guarded(std::move(*refused))};
  Call call;
  auto parameters = ParseParameters(request.query);
  auto name = PercentDecoded(variable);
  if (!parameters || !name)
    return {Guarded(Problem(400, "the address has a % that escapes nothing"))};
  const auto query = QueryOf(*route, *parameters);
  if (!query)
    return {Guarded(Problem(400, query.error().message, query.error().remedy))};
  call.name = std::move(*name);
  call.parameters = std::move(*parameters);
  call.type = TypeOf(request);
  if (route->body == BodyKind::kDocument && IsNdjson(MediaType(call.type)))
    return {{}, std::make_unique<Stream>(&service_, route->asked, *query)};
  return {
      {},
      std::make_unique<WholeBody>(&service_, route, std::move(call), request)};
}

HttpResponse Server::TooSlow() {
  return Guarded(Problem(408, "the request took longer than --timeout"));
}

HttpResponse Server::TooMany() {
  return Guarded(Overload("there are too many connections"));
}

void Server::Done(const HttpDone& done) {
  std::string_view variable;
  std::string allowed;
  const Route* const route =
      FindRoute(done.request->method, done.request->path, &variable, &allowed);
  service_.metrics.Count(route == nullptr ? "other" : route->path, done.status,
                         done.seconds);
  if (!service_.options.access_log) return;
  service_.options.access_log(AccessLine(done));
}

}  // namespace twinset::server
