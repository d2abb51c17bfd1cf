// For tests only: a server over an index of its own, asked without sockets.
#ifndef TWINSET_APPS_SERVER_SERVER_TESTING_H_
#define TWINSET_APPS_SERVER_SERVER_TESTING_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "server/server.h"
#include "twinset/index.h"
#include "twinset/json.h"

namespace twinset::server {

inline constexpr char kBridge[] =
    "the old stone bridge over the river was closed to all traffic on monday "
    "after a crack was found in one of its arches";
inline constexpr char kNearBridge[] =
    "the old stone bridge over the river was closed to all traffic on monday "
    "after a crack was found in one of its pillars";
inline constexpr char kOther[] =
    "nothing that is written here has anything to do with what the other "
    "three documents have to say about their town";

inline std::string HeaderOf(const HttpResponse& response,
                            std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return {};
}

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "twinset-server-XXXXXX")
            .string();
    folder_ = ::mkdtemp(name.data());
    EXPECT_TRUE(Index::Create(folder_ + "/ix"));
    index_ = *Index::Open(folder_ + "/ix");
    Start({});
  }
  ~ServerTest() override {
    server_.reset();
    index_.reset();
    std::filesystem::remove_all(folder_);
  }

  void Start(ServiceOptions options) {
    server_ = std::make_unique<Server>(index_.get(), std::move(options));
  }

  using Headers = std::vector<std::pair<std::string, std::string>>;
  static HttpRequest RequestOf(const std::string& method,
                               const std::string& target,
                               const Headers& headers = {}) {
    HttpRequest request;
    request.method = method;
    const size_t mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != std::string::npos) request.query = target.substr(mark + 1);
    request.headers = headers;
    if (request.Header("Host") == nullptr)
      request.headers.emplace_back("Host", "localhost:7411");
    return request;
  }
  // `piece`: bytes of the body that arrive together.
  HttpResponse Ask(const HttpRequest& request, const std::string& body = "",
                   size_t piece = 7) {
    auto begun = server_->Begin(request);
    if (begun.response) return std::move(*begun.response);
    for (size_t at = 0; at < body.size(); at += piece)
      if (auto early =
              begun.exchange->Take(std::string_view(body).substr(at, piece)))
        return std::move(*early);
    HttpResponse response = begun.exchange->Finish();
    server_->Done({&request, response.status, response.body.size(), .001});
    return response;
  }
  HttpResponse Get(const std::string& target) {
    return Ask(RequestOf("GET", target));
  }
  HttpResponse Post(const std::string& target, const std::string& body,
                    const std::string& type = "application/json",
                    Headers headers = {}) {
    headers.emplace_back("Content-Type", type);
    return Ask(RequestOf("POST", target, headers), body);
  }
  HttpResponse Add(const std::string& id, const std::string& text,
                   const std::string& tag = "") {
    Json document = {{"id", id}, {"text", text}, {"date", "2026-01-02"}};
    if (!tag.empty()) document["tag"] = tag;
    return Post("/v1/check-and-add", document.dump());
  }
  static Json JsonOf(const HttpResponse& response) {
    return Json::Parse(response.body);
  }

  std::string folder_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<Server> server_;
};

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_SERVER_TESTING_H_
