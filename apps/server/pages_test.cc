// Answers that are not JSON: captures, and the page for people.
#include <gmock/gmock.h>

#include <string>

#include "server/server_testing.h"

namespace twinset::server {
namespace {

using testing::HasSubstr;

TEST_F(ServerTest, AnswersAsACdxServer) {
  const auto add = [&](const char* id, const char* url, const char* date,
                       const std::string& text, const char* digest = nullptr) {
    Json document = {{"id", id}, {"url", url}, {"date", date}, {"text", text}};
    if (digest != nullptr) document["digest"] = digest;
    EXPECT_EQ(Post("/v1/check-and-add", document.dump()).status, 200);
  };
  add("1", "http://a/", "2026-01-02T03:04:05Z", kBridge);
  add("2", "http://a/", "2026-03-01", kNearBridge, "sha1:NEWEST");
  add("3", "http://a/", "2026-02-01", kOther, "MIDDLE");
  add("4", "http://b/ c", "2026-02-01", kOther, "MIDDLE");
  const std::string first = CaptureDigest(kBridge);
  EXPECT_EQ(first.size(), 32u);
  // As warcprox asks.
  EXPECT_EQ(Get("/cdx?url=http%3A%2F%2Fa%2F&fl=timestamp%2Cdigest&filter=%21"
                "mimetype%3Awarc%2Frevisit&limit=-1")
                .body,
            "20260301000000 NEWEST\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&fl=timestamp,digest").body,
            "20260102030405 " + first +
                "\n20260201000000 MIDDLE\n20260301000000 NEWEST\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&limit=1").body,
            "http://a/ 20260102030405 http://a/ - - " + first + " -\n");
  EXPECT_EQ(Get("/cdx?digest=sha1:MIDDLE&fl=original").body,
            "http://a/\nhttp://b/_c\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&digest=MIDDLE&fl=timestamp").body,
            "20260201000000\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&filter=digest:sha1:NEWEST&fl=digest").body,
            "NEWEST\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&closest=2026013112&limit=1&fl=digest").body,
            "MIDDLE\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&from=2026&to=202601&fl=digest").body,
            first + "\n");
  EXPECT_EQ(Get("/cdx?url=http://a/&output=json&fl=digest&limit=-1").body,
            "[[\"digest\"],[\"NEWEST\"]]\n");
  EXPECT_EQ(Get("/cdx?url=http://none/").body, "");
  EXPECT_EQ(Get("/cdx?url=http://none/&output=json").body, "[]\n");
  for (const char* bad : {"", "?url=", "?url=a&limit=x", "?url=a&filter=x",
                          "?url=a&filter=digest:.*", "?url=a&closest=today",
                          "?url=a&matchType=prefix"})
    EXPECT_EQ(Get(std::string("/cdx") + bad).status, 400) << bad;
  // What is removed, and what a compaction takes out, is found no more.
  Ask(RequestOf("DELETE", "/v1/documents/2"));
  ASSERT_TRUE(index_->Compact());
  EXPECT_EQ(Get("/cdx?url=http://a/&fl=digest&limit=-1").body, "MIDDLE\n");
  EXPECT_EQ(Get("/cdx?digest=NEWEST").body, "");
  EXPECT_TRUE(index_->Verify()->empty());
}

TEST_F(ServerTest, ComputesDigests) {
  EXPECT_EQ(CaptureDigest(""), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(CaptureDigest("abc"), "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
}

TEST_F(ServerTest, ShowsAPage) {
  Add("<b>a</b>", kBridge);
  Add("b", std::string(kNearBridge) + " </textarea><script>");
  const HttpResponse home = Get("/");
  EXPECT_EQ(home.status, 200);
  EXPECT_EQ(HeaderOf(home, "Content-Security-Policy").substr(0, 18),
            "default-src 'self'");
  EXPECT_EQ(HeaderOf(home, "Referrer-Policy"), "same-origin");
  for (const char* said : {"2 documents are stored.", "&lt;b&gt;a&lt;/b&gt;",
                           "<form action=\"/\" method=\"post\" "
                           "enctype=\"multipart/form-data\">"})
    EXPECT_THAT(home.body, HasSubstr(said));
  const std::string form = "application/x-www-form-urlencoded";
  const HttpResponse seen = Post(
      "/", "text=" + std::string(kBridge) + "%3C%2Ftextarea%3E%3Cscript%3E",
      form);
  EXPECT_EQ(seen.status, 200);
  EXPECT_THAT(seen.body, HasSubstr("Seen: &lt;b&gt;a&lt;/b&gt; is"));
  EXPECT_THAT(seen.body, HasSubstr("<div class=\"two\">"));
  EXPECT_THAT(Post("/", "text=" + std::string(kOther), form).body,
              HasSubstr("New: nothing like it is stored."));
  EXPECT_THAT(Post("/", "text=", form).body, HasSubstr("too short"));
  const HttpResponse dropped = Get("/?id=b");
  EXPECT_THAT(dropped.body, HasSubstr("b was dropped</b> for &lt;b&gt;a"));
  EXPECT_THAT(dropped.body, HasSubstr("href=\"/?id=%3Cb%3Ea%3C%2Fb%3E\""));
  EXPECT_EQ(Get("/?id=none").status, 404);
  EXPECT_EQ(Post("/", "text=%", form).status, 400);
  for (const HttpResponse* page : {&home, &seen, &dropped}) {
    EXPECT_THAT(page->body, testing::Not(HasSubstr("<script")));
    EXPECT_THAT(page->body, testing::Not(HasSubstr("style=")));
  }
  EXPECT_THAT(Get("/style.css").body, HasSubstr("textarea"));
}

TEST_F(ServerTest, TakesFilesAndAddressesOfForms) {
  const std::string url = "http://example.org/bridge";
  EXPECT_EQ(Post("/v1/check-and-add",
                 Json{{"id", "a"}, {"text", kBridge}, {"url", url}}.dump())
                .status,
            200);
  const auto sent = [&](const std::string& name, const std::string& file,
                        const std::string& text = "") {
    return Post(
        "/",
        "--B\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n" + text +
            "\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; "
            "filename=\"" +
            name + "\"\r\nContent-Type: application/octet-stream\r\n\r\n" +
            file + "\r\n--B--\r\n",
        "multipart/form-data; boundary=B");
  };
  const std::string html =
      std::string("<!DOCTYPE html><title>x</title><p>") + kBridge + "</p>";
  const std::string http =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html;
  const std::string warc =
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://b/\r\n"
      "WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:x>\r\n"
      "Content-Type: application/http; msgtype=response\r\nContent-Length: " +
      std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n";
  for (const auto& [name, file] :
       {std::pair<std::string, std::string>("a.txt", kBridge),
        {"a.html", html},
        {"<b>.warc", warc}}) {
    const HttpResponse seen = sent(name, file, "not asked for");
    EXPECT_EQ(seen.status, 200) << name;
    EXPECT_THAT(seen.body, HasSubstr("Seen: a is the same")) << name;
    EXPECT_THAT(seen.body, testing::Not(HasSubstr("<b>.warc")));
  }
  EXPECT_THAT(sent("b.txt", kOther).body,
              HasSubstr("New: nothing like it is stored.</b> The file b.txt"));
  // No file was chosen.
  EXPECT_THAT(sent("", "", kBridge).body, HasSubstr("Seen: a is the same"));
  EXPECT_THAT(sent("", "", url).body, HasSubstr("a is kept."));
  EXPECT_EQ(sent("", "", "http://none/").status, 404);
  const HttpResponse several = sent("two.warc", warc + warc);
  EXPECT_EQ(several.status, 422);
  EXPECT_THAT(several.body, HasSubstr("The file holds several documents."));
  EXPECT_EQ(sent("none.warc", warc.substr(0, 100)).status, 422);
  EXPECT_EQ(Post("/", "--B\r\n", "multipart/form-data; boundary=B").status,
            400);
}

}  // namespace
}  // namespace twinset::server
