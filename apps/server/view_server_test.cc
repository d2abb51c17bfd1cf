#include "server/view_server.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "server/server_testing.h"
#include "twinset/dedup.h"

namespace twinset::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class ViewServerTest : public testing::Test {
 protected:
  ViewServerTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "twinset-view-XXXXXX")
            .string();
    folder_ = ::mkdtemp(name.data());
    std::ofstream rows(folder_ + "/in.jsonl");
    for (const char* id : {"a", "b<", "c&"})
      rows << Json{{"id", id}, {"text", kBridge}}.dump() << "\n";
    rows.close();
    DedupOptions run;
    run.input.inputs = {folder_ + "/in.jsonl"};
    run.out = folder_ + "/run";
    EXPECT_TRUE(Dedup(run));
    RunViewOptions options;
    options.folder = run.out;
    auto view = RunView::Open(options);
    EXPECT_TRUE(view);
    view_ = std::move(*view);
    server_ = std::make_unique<ViewServer>(view_.get(), ViewServerOptions());
  }
  ~ViewServerTest() override {
    server_.reset();
    view_.reset();
    std::filesystem::remove_all(folder_);
  }

  HttpResponse Get(const std::string& target, const std::string& method = "GET",
                   const std::string& host = "localhost:1") {
    HttpRequest request;
    request.method = method;
    const size_t mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != std::string::npos) request.query = target.substr(mark + 1);
    request.headers = {{"Host", host}};
    auto begun = server_->Begin(request);
    EXPECT_TRUE(begun.response);
    return std::move(*begun.response);
  }

  std::string folder_;
  std::unique_ptr<RunView> view_;
  std::unique_ptr<ViewServer> server_;
};

TEST_F(ViewServerTest, AnswersWithPages) {
  for (const char* target :
       {"/", "/?least=&most=&kind=&host=", "/?least=2&kind=equal",
        "/documents?q=b%3C", "/documents?q=bridge&in=texts", "/cluster?id=a",
        "/document?id=b%3C", "/pairs?low=.5&high=1", "/pair?a=a&b=c%26"}) {
    const HttpResponse page = Get(target);
    EXPECT_EQ(page.status, 200) << target;
    EXPECT_THAT(HeaderOf(page, "Content-Security-Policy"),
                HasSubstr("default-src 'self';"));
    EXPECT_EQ(HeaderOf(page, "Cache-Control"), "no-store");
    EXPECT_THAT(page.body, Not(HasSubstr("<script")));
    EXPECT_THAT(page.body, Not(HasSubstr("style=")));
  }
  EXPECT_EQ(Get("/", "HEAD").status, 200);
  EXPECT_THAT(Get("/style.css").body, HasSubstr("nav"));
  EXPECT_THAT(Get("/documents?q=b%3C").body, HasSubstr("/document?id=b%3C"));
}

TEST_F(ViewServerTest, RefusesWhatMakesNoSense) {
  for (const char* target :
       {"/?x=1", "/?least=-1", "/?least=many", "/?kind=none", "/?host=%",
        "/documents?in=files", "/documents?in=texts", "/documents?from=7",
        "/pairs?low=high", "/pairs?low=nan", "/pairs?from=3", "/pairs?id=a"})
    EXPECT_EQ(Get(target).status, 400) << target;
  for (const char* target : {"/none", "/v1/stats", "/cluster?id=b%3C",
                             "/cluster", "/document?id=none", "/pair?a=a&b=d"})
    EXPECT_EQ(Get(target).status, 404) << target;
  EXPECT_THAT(Get("/document?id=%3Cb%3E").body, HasSubstr("&lt;b&gt;"));
  EXPECT_EQ(Get("/", "GET", "evil.example").status, 403);
  const HttpResponse posted = Get("/", "POST");
  EXPECT_EQ(posted.status, 405);
  EXPECT_EQ(HeaderOf(posted, "Allow"), "GET, HEAD");
}

}  // namespace
}  // namespace twinset::server
