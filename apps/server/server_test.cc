#include "server/server.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "server/routes.h"
#include "server/server_testing.h"

namespace twinset::server {
namespace {

using testing::HasSubstr;

TEST_F(ServerTest, AddsAndChecks) {
  const Json first = JsonOf(Add("a", kBridge, "one"));
  EXPECT_TRUE(first["new"].get<bool>());
  const Json near = JsonOf(Add("b", kNearBridge));
  EXPECT_FALSE(near["new"].get<bool>());
  EXPECT_EQ(near["kept_id"].get<std::string>(), "a");
  EXPECT_TRUE(JsonOf(Add("a", kBridge))["repeated"].get<bool>());

  const HttpResponse checked =
      Post("/v1/check", Json{{"text", kBridge}}.dump());
  EXPECT_EQ(checked.status, 200);
  EXPECT_EQ(JsonOf(checked)["kept_id"].get<std::string>(), "a");
  EXPECT_EQ(JsonOf(checked)["tags"][0].get<std::string>(), "one");
  EXPECT_TRUE(JsonOf(Post("/v1/check", Json{{"text", kOther}}.dump()))["new"]
                  .get<bool>());
}

TEST_F(ServerTest, QueriesListDroppedDocuments) {
  Add("a", kBridge);
  Add("b", kNearBridge);
  const std::string asked = Json{{"id", "q"}, {"text", kBridge}}.dump();
  EXPECT_EQ(JsonOf(Post("/v1/query", asked))["matches"].size(), 2u);
  EXPECT_EQ(JsonOf(Post("/v1/query?limit=1", asked))["matches"].size(), 1u);
  EXPECT_EQ(JsonOf(Post("/v1/query?kept_only=true", asked))["matches"].size(),
            1u);
}

TEST_F(ServerTest, AsksWithinSetsAndTellsTheDifferences) {
  for (const auto& [id, text, tag] :
       {std::tuple("a", kBridge, "one"), std::tuple("b", kNearBridge, "two")})
    EXPECT_EQ(Post("/v1/check-and-add",
                   Json{{"id", id}, {"text", text}, {"tag", tag}}.dump())
                  .status,
              200);
  const std::string asked = Json{{"text", kBridge}}.dump();
  const auto kept = [&](const std::string& query) {
    return JsonOf(Post("/v1/check" + query, asked)).value("kept_id", "");
  };
  EXPECT_EQ(kept("?within_tag=one&within_tag=two"), "a");
  EXPECT_EQ(kept("?within_tag=two"), "b");
  EXPECT_EQ(kept("?without_tag=one"), "b");
  EXPECT_EQ(kept("?without_tag=one&without_tag=two"), "");
  const HttpResponse unknown = Post("/v1/check?within_tag=none", asked);
  EXPECT_EQ(unknown.status, 422);
  EXPECT_NE(unknown.body.find("none"), std::string::npos);
  for (const char* query : {"?within_tag=two&why=true", "?within_tag=two"}) {
    EXPECT_EQ(JsonOf(Post("/v1/check" + std::string(query), asked))
                  .contains("differences"),
              std::string(query).ends_with("true"));
    EXPECT_EQ(
        JsonOf(Post("/v1/query" + std::string(query), asked))["matches"][0]
            .contains("differences"),
        std::string(query).ends_with("true"));
  }
}

TEST_F(ServerTest, TakesPagesAsTheyAre) {
  const std::string page = std::string("<p>") + kBridge + "</p>";
  EXPECT_EQ(Post("/v1/check-and-add?id=p&url=http%3A%2F%2Fa%2F&tag=t", page,
                 "text/html; charset=utf-8")
                .status,
            200);
  const Json stored = JsonOf(Get("/v1/documents/p?text=true"));
  EXPECT_EQ(stored["url"].get<std::string>(), "http://a/");
  EXPECT_EQ(stored["tag"].get<std::string>(), "t");
  EXPECT_EQ(stored["text"].get<std::string>(), kBridge);
  EXPECT_EQ(JsonOf(Post("/v1/check", kBridge, "text/plain"))["kept_id"]
                .get<std::string>(),
            "p");
}

TEST_F(ServerTest, TellsOfADocument) {
  Add("http://a/?x=1", kBridge);
  Add("b", kNearBridge);
  const Json kept = JsonOf(Get("/v1/documents/http%3A%2F%2Fa%2F%3Fx%3D1"));
  EXPECT_EQ(kept["kept_for"].get<std::string>(), "http://a/?x=1");
  EXPECT_FALSE(kept.contains("text"));
  const Json dropped = JsonOf(Get("/v1/documents/b"));
  EXPECT_FALSE(dropped["kept"].get<bool>());
  EXPECT_EQ(dropped["kept_for"].get<std::string>(), "http://a/?x=1");
  EXPECT_EQ(Get("/v1/documents/nobody").status, 404);
  EXPECT_EQ(Get("/v1/documents/").status, 404);
}

TEST_F(ServerTest, ExplainsAPair) {
  Add("a", kBridge);
  Add("b", kNearBridge);
  const Json pair = JsonOf(Get("/v1/explain?a=a&b=b"));
  EXPECT_EQ(pair["a"].get<std::string>(), "a");
  EXPECT_GT(pair["jaccard"].get<double>(), .8);
  EXPECT_EQ(Get("/v1/explain?a=a&b=c").status, 404);
  EXPECT_EQ(Get("/v1/explain?a=a").status, 400);
}

TEST_F(ServerTest, Removes) {
  Add("a", kBridge, "old");
  Add("b", kNearBridge, "new");
  Add("c", kOther, "old");
  const Json removed = JsonOf(Ask(RequestOf("DELETE", "/v1/documents/a")));
  EXPECT_EQ(removed["removed"].get<int>(), 1);
  EXPECT_EQ(removed["dropped"][0]["id"].get<std::string>(), "b");
  EXPECT_EQ(Ask(RequestOf("DELETE", "/v1/documents/a")).status, 404);
  EXPECT_TRUE(JsonOf(Get("/v1/documents/b"))["kept_for"].is_null());
  EXPECT_EQ(
      JsonOf(Ask(RequestOf("DELETE", "/v1/tags/old")))["removed"].get<int>(),
      1);
  EXPECT_EQ(Ask(RequestOf("DELETE", "/v1/tags/none")).status, 404);
  EXPECT_EQ(JsonOf(Get("/v1/stats"))["documents"].get<int>(), 1);
}

TEST_F(ServerTest, AnswersAStreamLineByLine) {
  std::string lines = Json{{"id", "a"}, {"text", kBridge}}.dump() + "\n\n" +
                      "{broken\n" + Json{{"id", "x"}, {"txt", "?"}}.dump() +
                      "\r\n" + Json{{"id", "b"}, {"text", kNearBridge}}.dump();
  const HttpResponse answered =
      Post("/v1/check-and-add", lines, "application/x-ndjson");
  EXPECT_EQ(answered.status, 200);
  EXPECT_EQ(answered.content_type, "application/x-ndjson");
  std::vector<Json> rows;
  for (size_t at = 0; at < answered.body.size();) {
    const size_t end = answered.body.find('\n', at);
    rows.push_back(Json::Parse(answered.body.substr(at, end - at)));
    at = end + 1;
  }
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows[0]["new"].get<bool>());
  EXPECT_EQ(rows[1]["rejected"].get<std::string>(), "bad-json");
  EXPECT_EQ(rows[1]["line"].get<int>(), 3);
  EXPECT_EQ(rows[2]["rejected"].get<std::string>(), "bad-document");
  EXPECT_THAT(rows[2]["detail"].get<std::string>(),
              HasSubstr("did you mean 'text'"));
  EXPECT_EQ(rows[3]["kept_id"].get<std::string>(), "a");
}

// Whatever the pieces in which it arrives; and more rows than memory holds.
TEST_F(ServerTest, AnswersLongStreams) {
  std::string lines;
  constexpr int kDocuments = 1500;
  const std::string long_id(400, 'i');
  for (int i = 0; i < kDocuments; ++i)
    lines += Json{{"id", std::to_string(i) + long_id},
                  {"text", "word" + std::to_string(i % 10) + " " + kOther}}
                 .dump() +
             "\n";
  HttpRequest request = RequestOf("POST", "/v1/check-and-add",
                                  {{"Content-Type", "application/x-ndjson"}});
  const HttpResponse answered = Ask(request, lines, 100'003);
  ASSERT_GE(answered.file, 0);
  std::string rows(answered.file_bytes, '\0');
  EXPECT_EQ(::pread(answered.file, rows.data(), rows.size(), 0),
            static_cast<ssize_t>(rows.size()));
  ::close(answered.file);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), kDocuments);
  EXPECT_EQ(rows.rfind("{\"id\":\"0" + long_id + "\",\"new\":true", 0), 0u);
  EXPECT_EQ(index_->Stats().documents, static_cast<uint64_t>(kDocuments));
}

TEST_F(ServerTest, PassesOverALineThatIsTooLong) {
  ServiceOptions options;
  options.max_body = 200;
  Start(options);
  const std::string lines = Json{{"id", "a"}, {"text", kBridge}}.dump() +
                            "\n{\"text\":\"" + std::string(5000, 'x') +
                            "\"}\n" +
                            Json{{"id", "b"}, {"text", kBridge}}.dump();
  const HttpResponse answered =
      Post("/v1/check-and-add", lines, "application/x-ndjson");
  EXPECT_EQ(answered.status, 200);
  EXPECT_THAT(answered.body,
              HasSubstr("{\"line\":2,\"rejected\":\"too-large\""));
  EXPECT_EQ(index_->Stats().documents, 2u);
}

struct Refused {
  std::string method, target, type, body;
  int status;
  std::string says;
};

TEST_F(ServerTest, RefusesWithAProblem) {
  const std::string json = "application/json";
  const std::vector<Refused> table = {
      {"GET", "/nothing", "", "", 404, "openapi.json"},
      {"GET", "/v1/check", "", "", 405, "GET is not for this address"},
      {"POST", "/v1/stats", json, "{}", 405, ""},
      {"PATCH", "/v1/documents/a", json, "{}", 405, ""},
      {"POST", "/v1/check", json, "{", 400, "no JSON"},
      {"POST", "/v1/check", json, "", 400, "no JSON"},
      {"POST", "/v1/check", json, "[]", 422, "no JSON object"},
      {"POST", "/v1/check", json, "{}", 422, "no text and no html"},
      {"POST", "/v1/check", json, "{\"text\":1}", 422, "text is no string"},
      {"POST", "/v1/check", json, "{\"text\":\"a\",\"html\":\"b\"}", 422,
       "text and html"},
      {"POST", "/v1/check", json, "{\"txet\":\"a\"}", 422,
       "did you mean 'text'"},
      {"POST", "/v1/check", "", "{}", 415, ""},
      {"POST", "/v1/check", "image/png", "x", 415, "image/png"},
      {"POST", "/v1/check?limit=x", json, "{\"text\":\"\"}", 400,
       "limit is a whole number"},
      {"POST", "/v1/check?limti=1", json, "{\"text\":\"\"}", 400,
       "did you mean 'limit'"},
      {"POST", "/v1/check?limit=%zz", json, "{\"text\":\"\"}", 400, "escapes"},
      {"GET", "/v1/documents/%4", "", "", 400, "escapes"},
      {"POST", "/v1/snapshots", json, "", 403, "--snapshots"},
      {"GET", "/v1/documents/a?text=yes", "", "", 400, "true or false"},
  };
  for (const Refused& one : table) {
    SCOPED_TRACE(one.method + " " + one.target + " " + one.body);
    Headers headers;
    if (!one.type.empty()) headers.emplace_back("Content-Type", one.type);
    const HttpResponse answer =
        Ask(RequestOf(one.method, one.target, headers), one.body);
    EXPECT_EQ(answer.status, one.status);
    EXPECT_EQ(answer.content_type, "application/problem+json");
    const Json problem = JsonOf(answer);
    EXPECT_EQ(problem["status"].get<int>(), one.status);
    EXPECT_FALSE(problem.value("title", "").empty());
    EXPECT_THAT(answer.body, HasSubstr(one.says));
    EXPECT_EQ(answer.status == 405, !HeaderOf(answer, "Allow").empty());
  }
  EXPECT_EQ(HeaderOf(Ask(RequestOf("PUT", "/v1/documents/a")), "Allow"),
            "GET, HEAD, DELETE");
}

TEST_F(ServerTest, LimitsBodies) {
  ServiceOptions options;
  options.max_body = 100;
  Start(options);
  const std::string large(101, ' ');
  EXPECT_EQ(Post("/v1/check", large).status, 413);
  // Before it is sent, where its length is told.
  auto request = RequestOf("POST", "/v1/check",
                           {{"Content-Type", "application/json"},
                            {"Content-Length", "99999999999999999999999"}});
  EXPECT_EQ(server_->Begin(request).response->status, 413);

  options.max_body = 1000;
  options.held_bytes = 150;
  Start(options);
  auto first = server_->Begin(
      RequestOf("POST", "/v1/check", {{"Content-Type", "application/json"}}));
  EXPECT_FALSE(first.exchange->Take(std::string(100, ' ')));
  const HttpResponse second = Post("/v1/check", std::string(60, ' '));
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(HeaderOf(second, "Retry-After"), "1");
  first.exchange.reset();
  EXPECT_EQ(Post("/v1/check", std::string(60, ' ')).status, 400);
}

TEST_F(ServerTest, NeedsTokens) {
  ServiceOptions options;
  options.guard.read_tokens = {"reading-token-0123"};
  options.guard.write_tokens = {"writing-token-0123", "another-token-0123"};
  Start(options);
  const auto status = [&](const std::string& method, const std::string& target,
                          const std::string& authorization) {
    Headers headers = {{"Content-Type", "application/json"}};
    if (!authorization.empty())
      headers.emplace_back("authorization", authorization);
    return Ask(RequestOf(method, target, headers), "{\"text\":\"a b c d e f\"}")
        .status;
  };
  EXPECT_EQ(status("GET", "/healthz", ""), 200);
  EXPECT_EQ(status("GET", "/v1/stats", ""), 401);
  EXPECT_EQ(status("GET", "/v1/stats", "Bearer wrong"), 401);
  EXPECT_EQ(status("GET", "/v1/stats", "Bearer reading-token-012"), 401);
  EXPECT_EQ(status("GET", "/v1/stats", "Bearer reading-token-0123"), 200);
  EXPECT_EQ(status("GET", "/v1/stats", "bearer  another-token-0123"), 200);
  // user:reading-token-0123
  EXPECT_EQ(
      status("GET", "/v1/stats", "Basic dXNlcjpyZWFkaW5nLXRva2VuLTAxMjM="),
      200);
  EXPECT_EQ(status("GET", "/v1/stats", "Basic %%%"), 401);
  EXPECT_EQ(status("POST", "/v1/check-and-add", ""), 401);
  EXPECT_EQ(status("POST", "/v1/check-and-add", "Bearer reading-token-0123"),
            403);
  EXPECT_EQ(status("POST", "/v1/check-and-add", "Bearer writing-token-0123"),
            200);
  EXPECT_EQ(HeaderOf(Get("/v1/stats"), "WWW-Authenticate"), "Bearer");
}

TEST_F(ServerTest, KnowsItsNames) {
  ServiceOptions options;
  options.guard.hosts = {"Dup.example.org", "[fd00::1]:7411"};
  Start(options);
  const auto status = [&](const Headers& headers,
                          const std::string& method = "GET") {
    Headers all = headers;
    all.emplace_back("Content-Type", "application/json");
    return Ask(RequestOf(method, method == "GET" ? "/v1/stats" : "/v1/check",
                         all),
               "{\"text\":\"\"}")
        .status;
  };
  for (const char* host : {"localhost", "127.0.0.1:99", "[::1]:7411",
                           "dup.example.org:443", "[fd00::1]"})
    EXPECT_EQ(status({{"Host", host}}), 200) << host;
  for (const char* host : {"evil.example", "", "localhost.evil.example"})
    EXPECT_EQ(status({{"Host", host}}), 403) << host;
  EXPECT_EQ(status({{"Origin", "https://dup.example.org"}}, "POST"), 200);
  for (const char* origin : {"https://evil.example", "null", ""})
    EXPECT_EQ(status({{"Origin", origin}}, "POST"), 403) << origin;
  EXPECT_EQ(status({{"Origin", "https://evil.example"}}, "GET"), 200);
}

TEST_F(ServerTest, MakesSnapshots) {
  ServiceOptions options;
  options.snapshots = folder_;
  Start(options);
  Add("a", kBridge);
  EXPECT_EQ(Post("/v1/snapshots", "{\"name\":\"s1\"}").status, 201);
  EXPECT_EQ(Post("/v1/snapshots", "{\"name\":\"s1\"}").status, 409);
  EXPECT_EQ((*Index::Open(folder_ + "/s1"))->Stats().documents, 1u);
  EXPECT_EQ(Post("/v1/snapshots", "").status, 201);
  for (const char* name : {"../up", "", ".", "a/b", "a b"})
    EXPECT_EQ(Post("/v1/snapshots", Json{{"name", name}}.dump()).status, 422)
        << name;
}

TEST_F(ServerTest, OnlyReadsIfAskedTo) {
  ServiceOptions options;
  options.read_only = true;
  Start(options);
  EXPECT_EQ(Add("a", kBridge).status, 403);
  EXPECT_EQ(Post("/v1/check", Json{{"text", kBridge}}.dump()).status, 200);
}

TEST_F(ServerTest, CountsWhatItAnswers) {
  Add("a", kBridge);
  Add("b", kNearBridge);
  Get("/nothing");
  const std::string text = Get("/metrics").body;
  EXPECT_THAT(text, HasSubstr("twinset_index_documents 2\n"));
  EXPECT_THAT(text, HasSubstr("twinset_index_kept 1\n"));
  EXPECT_THAT(text, HasSubstr("twinset_answers_total{answer=\"dropped\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("twinset_http_requests_total{route=\"/v1/"
                              "check-and-add\",status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("duration_seconds_bucket{route=\"/v1/"
                              "check-and-add\",le=\"+Inf\"} 2\n"));
}

// Where nobody may wait, whoever comes while one is at work is refused, but for
// who is patient.
TEST(GateTest, DeclaresOverload) {
  Gate gate(1, 0);
  auto one = std::make_unique<Gate::Place>(gate.Enter());
  EXPECT_TRUE(*one);
  EXPECT_FALSE(gate.Enter());
  std::thread patient([&] { EXPECT_TRUE(gate.Enter(true)); });
  while (gate.waiting() == 0) std::this_thread::yield();
  one.reset();
  patient.join();
  EXPECT_TRUE(gate.Enter());
}

TEST_F(ServerTest, FailsWithTheIndexAndSaysSo) {
  EXPECT_EQ(Get("/healthz").status, 200);
  ASSERT_TRUE(index_->Close());
  const HttpResponse refused = Add("a", kBridge);
  EXPECT_EQ(refused.status, 422);
}

TEST_F(ServerTest, DescribesItself) {
  const Json document = JsonOf(Get("/openapi.json"));
  EXPECT_EQ(document["openapi"].get<std::string>(), "3.1.0");
  std::set<std::string> described, names;
  for (const auto& [path, methods] : document["paths"].items()) {
    for (const auto& [method, operation] : methods.items()) {
      std::string upper = method;
      for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
      std::string_view variable;
      std::string allowed;
      const Route* const route = FindRoute(upper, path, &variable, &allowed);
      ASSERT_NE(route, nullptr) << upper << " " << path;
      described.insert(upper + " " + path);
      EXPECT_TRUE(names.insert(operation.value("operationId", "")).second);
      EXPECT_TRUE(operation["responses"].contains("503"));
      // What it refers to is there.
      const std::string text = operation.dump();
      constexpr std::string_view kRef = "#/components/schemas/";
      for (size_t at = text.find(kRef); at != std::string::npos;
           at = text.find(kRef, at + 1)) {
        const size_t begin = at + kRef.size();
        const std::string name =
            text.substr(begin, text.find('"', begin) - begin);
        EXPECT_TRUE(document["components"]["schemas"].contains(name)) << name;
      }
    }
  }
  for (const Route& route : Routes())
    EXPECT_TRUE(described.contains(std::string(route.method) + " " +
                                   std::string(route.path)))
        << route.path;
}

// Only what a token opens is said to need one.
TEST_F(ServerTest, DescribesTokensWhereThereAreSome) {
  const auto needs = [&](const char* path, const char* method) {
    const Json api = JsonOf(Get("/openapi.json"));
    return api["paths"][path][method]["security"].size();
  };
  EXPECT_EQ(needs("/v1/check", "post"), 0u);
  GuardOptions guard;
  guard.write_tokens = {std::string(16, 'w')};
  const Json api = OpenApi(guard);
  EXPECT_EQ(api["paths"]["/v1/check"]["post"]["security"].size(), 0u);
  EXPECT_EQ(api["paths"]["/v1/check-and-add"]["post"]["security"].size(), 1u);
  EXPECT_EQ(api["paths"]["/healthz"]["get"]["security"].size(), 0u);
}

// Tokens are a list like all others, which nobody else may read.
TEST(Tokens, AreLinesOfAFileThatItsOwnerAloneReads) {
  const std::string path =
      testing::TempDir() + "tokens-" + std::to_string(::getpid());
  const auto read = [&](const std::string& content, mode_t mode) {
    std::ofstream(path) << content;
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    auto tokens = ReadTokens(path);
    ::unlink(path.c_str());
    return tokens;
  };
  const std::string one(16, 'a'), two(40, 'b');
  const auto tokens = read("\xef\xbb\xbf" + one + "\r\n\n" + two + "\n", 0600);
  ASSERT_TRUE(tokens) << tokens.error().ToString();
  EXPECT_EQ(*tokens, (std::vector<std::string>{one, two}));
  EXPECT_FALSE(read(one + "\n", 0640));
  EXPECT_FALSE(read("short\n", 0600));
  EXPECT_FALSE(read("\n", 0600));
  EXPECT_FALSE(ReadTokens(path));  // it is gone
}

}  // namespace
}  // namespace twinset::server
