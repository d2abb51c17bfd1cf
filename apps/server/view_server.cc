#include "server/view_server.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "server/problem.h"
#include "server/request_parts.h"
#include "twinset/plain_words.h"

namespace twinset::server {
namespace {

// What a parameter of an address sets; false for a value that makes no sense.
struct ViewParameter {
  std::string_view name;
  bool (*set)(const std::string& value, RunViewAsked* asked);
};

template <auto kMember>
bool SetText(const std::string& value, RunViewAsked* asked) {
  asked->*kMember = value;
  return true;
}

// An empty field of a form asks for nothing.
template <auto kMember>
bool SetNumber(const std::string& value, RunViewAsked* asked) {
  if (value.empty()) return true;
  const char* const end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, asked->*kMember);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

bool SetIn(const std::string& value, RunViewAsked* asked) {
  asked->in_texts = value == "texts";
  return value.empty() || asked->in_texts;
}

constexpr ViewParameter kId = {"id", SetText<&RunViewAsked::id>};
constexpr ViewParameter kFrom = {"from", SetNumber<&RunViewAsked::from>};
constexpr ViewParameter kKind = {"kind", SetText<&RunViewAsked::kind>};
constexpr ViewParameter kHost = {"host", SetText<&RunViewAsked::host>};
constexpr ViewParameter kLeast = {"least", SetNumber<&RunViewAsked::least>};
constexpr ViewParameter kMost = {"most", SetNumber<&RunViewAsked::most>};

struct ViewRoute {
  std::string_view path;
  std::optional<RunViewPage> page;  // nothing: the style
  std::vector<ViewParameter> parameters;
};

const std::vector<ViewRoute>& ViewRoutes() {
  static const std::vector<ViewRoute> routes = {
      {"/", RunViewPage::kClusters, {kLeast, kMost, kKind, kHost, kFrom}},
      {"/documents",
       RunViewPage::kDocuments,
       {{"q", SetText<&RunViewAsked::text>},
        {"in", SetIn},
        kLeast,
        kMost,
        kKind,
        kHost,
        kFrom}},
      {"/cluster", RunViewPage::kCluster, {kId, kFrom}},
      {"/document", RunViewPage::kDocument, {kId}},
      {"/pairs",
       RunViewPage::kPairs,
       {{"low", SetNumber<&RunViewAsked::low>},
        {"high", SetNumber<&RunViewAsked::high>},
        kKind,
        kFrom}},
      {"/pair",
       RunViewPage::kPair,
       {{"a", SetText<&RunViewAsked::id>},
        {"b", SetText<&RunViewAsked::other>}}},
      {"/style.css", {}, {}}};
  return routes;
}

HttpResponse Failed(int status, const Error& error) {
  return PageResponse(RunView::DrawError(error), status);
}

HttpResponse Wrong(std::string message) {
  return Failed(400, {ErrorCode::kUsage, std::move(message), {}, {}});
}

int StatusOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kUsage:
      return 400;
    default:
      return 503;
  }
}

}  // namespace

ViewServer::ViewServer(const RunView* run, ViewServerOptions options)
    : run_(run),
      guard_(std::move(options.guard)),
      gate_(options.at_work, options.waiting) {}

HttpResponse ViewServer::Answer(const HttpRequest& request) {
  if (auto refused = guard_.Refuse(request, Scope::kOpen))
    return std::move(*refused);
  const ViewRoute* route = nullptr;
  for (const ViewRoute& one : ViewRoutes())
    if (one.path == request.path) route = &one;
  if (route == nullptr)
    return Failed(404, {ErrorCode::kNotFound, "there is nothing here", {}, {}});
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse response =
        Problem(405, Printable(request.method) + " is not for this address");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
  }
  const auto parameters = ParseParameters(request.query);
  if (!parameters) return Wrong("the address has a % that escapes nothing");
  RunViewAsked asked;
  for (const auto& [name, value] : *parameters) {
    const ViewParameter* parameter = nullptr;
    for (const ViewParameter& one : route->parameters)
      if (one.name == name) parameter = &one;
    if (parameter == nullptr)
      return Wrong("there is no parameter '" + Printable(name) + "'");
    if (!parameter->set(value, &asked))
      return Wrong("'" + Printable(value) + "' is no value of " + name);
  }
  if (!route->page) return StyleResponse(RunView::Style());
  asked.page = *route->page;
  const Gate::Place place = gate_.Enter();
  if (!place) return Overload("too many requests wait");
  auto page = run_->Draw(asked);
  return page ? PageResponse(std::move(*page))
              : Failed(StatusOf(page.error()), page.error());
}

HttpHandler::Begun ViewServer::Begin(const HttpRequest& request) {
  return {Guarded(Answer(request))};
}

HttpResponse ViewServer::TooSlow() {
  return Guarded(Problem(408, "the request took too long"));
}

HttpResponse ViewServer::TooMany() {
  return Guarded(Overload("there are too many connections"));
}

}  // namespace twinset::server
