// Pages of graphs from documents and from a web that answers from memory.
#include "web/live_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "base/file.h"
#include "base/test_dir.h"
#include "net/recorded_fetcher.h"
#include "store/file_identity.h"
#include "web/page_graph.h"
#include "web/pagerank_walk.h"
#include "web/webwalker.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A site of three pages, a redirect, an image, a page that is gone, a host that
// does not answer, and a calendar without end.
class FakeWeb : public Fetcher {
 public:
  explicit FakeWeb(int* requests) : requests_(requests) {}
  Result<FetchResponse> Get(const std::string& url) override {
    ++*requests_;
    FetchResponse response;
    response.url = url;
    response.status = 200;
    response.content_type = "text/html";
    const std::string calendar = "http://site/cal/";
    if (url.starts_with(calendar)) {
      const int day = std::stoi(url.substr(calendar.size()));
      response.body = "<html><body><a href='" + std::to_string(day + 1) +
                      "'>next</a><p>Day of the calendar</p></body></html>";
      return response;
    }
    if (url == "http://site/down")
      return Fail(ErrorCode::kUnavailable, "no answer in time", url);
    if (url == "http://site/old") {
      response.url = "http://site/a";
      response.redirects = {url};
    } else if (url == "http://site/pic.png") {
      response.content_type = "image/png";
      response.body = "\x89PNG\r\n\x1a\n\x01\x02";
    } else if (pages_.count(url) == 0) {
      response.status = 404;
    } else {
      response.body = pages_.at(url);
    }
    return response;
  }

 private:
  int* requests_;
  const std::map<std::string, std::string> pages_ = {
      {"http://site/",
       "<html><body><p>Home of the site</p><a href='/a#top'>a</a> "
       "<a href='B?x=1'>b</a> <a href=old>old</a> <a href='/a'>a</a> "
       "<a href='pic.png'>pic</a> <a href=gone>gone</a> <a href=down>down</a> "
       "<a href='http://other/'>other</a> <a href='mailto:x@y'>mail</a> "
       "<a rel=nofollow href='cal/1'>calendar</a></body></html>"},
      {"http://site/a", "<html><body><a href='.'>home</a></body></html>"},
      {"http://site/B?x=1",
       "<html><head><base href='/sub/'></head><body><a href='../a'>a</a>"
       "</body></html>"}};
};

LiveSource Open(int* requests, LiveOptions options) {
  options.scope = {"http://site/"};
  auto reader = TextReader::Make({});
  EXPECT_TRUE(reader);
  return LiveSource(std::make_unique<FakeWeb>(requests), std::move(*reader),
                    std::move(options));
}

std::vector<std::string> Urls(const LiveSource& web,
                              const std::vector<NodeId>& nodes) {
  std::vector<std::string> urls;
  for (const NodeId node : nodes) urls.push_back(web.Url(node));
  return urls;
}

TEST(LiveSource, FindsLinksAsTheyAreAskedFor) {
  int requests = 0;
  LiveSource web = Open(&requests, {});
  const NodeId home = *web.Find("HTTP://SITE:80#x");
  const auto links = web.OutLinks(home);
  ASSERT_TRUE(links);
  EXPECT_THAT(
      Urls(web, *links),
      ElementsAre("http://site/a", "http://site/B?x=1", "http://site/old",
                  "http://site/pic.png", "http://site/gone", "http://site/down",
                  "http://site/cal/1"));
  EXPECT_EQ(requests, 1);
  ASSERT_TRUE(web.OutLinks(home));
  EXPECT_EQ(requests, 1);  // once a page
  EXPECT_EQ(web.counts().out_of_scope, 1u);
  EXPECT_EQ(web.counts().links.unresolved, 1u);  // mailto
  EXPECT_EQ(web.counts().links.nofollow, 1u);
  EXPECT_FALSE(web.complete());
  const NodeId b = (*links)[1];
  EXPECT_THAT(Urls(web, *web.OutLinks(b)), ElementsAre("http://site/a"));
  EXPECT_THAT(Urls(web, *web.OutLinks((*links)[2])),
              ElementsAre("http://site/a"));
  EXPECT_EQ(web.counts().redirects, 1u);
  EXPECT_TRUE(web.OutLinks((*links)[3])->empty());
  EXPECT_EQ(web.counts().not_pages, 1u);
  EXPECT_EQ(web.OutLinks((*links)[4]).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(web.OutLinks((*links)[5]).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(web.OutLinks((*links)[5]).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(web.counts().failures, 1u);
  // Who links to a page: those that were read.
  EXPECT_EQ(web.BackLinks((*links)[0])->size(), 3u);
  EXPECT_FALSE(web.Find("http://other/"));
  EXPECT_FALSE(web.Find("mailto:x"));
  EXPECT_FALSE(web.OutLinks(10000));
}

TEST(LiveSource, RulesOfLinksAndTheIndex) {
  int requests = 0;
  LiveOptions options;
  options.links.follow_nofollow = false;
  options.back_links = [](const std::string& url) {
    EXPECT_EQ(url, "http://site/");
    return std::vector<std::string>{"http://site/z", "http://other/",
                                    "http://site/", "http://SITE/z"};
  };
  LiveSource web = Open(&requests, options);
  const NodeId home = *web.Find("http://site/");
  EXPECT_EQ(web.OutLinks(home)->size(), 6u);
  EXPECT_THAT(Urls(web, *web.BackLinks(home)), ElementsAre("http://site/z"));
}

WalkBudget Budget(NodeId start, uint64_t moves) {
  WalkBudget budget;
  budget.starts = {start};
  budget.moves = moves;
  return budget;
}

TEST(LiveSource, TheBudgetEndsTheWalkAndIsTold) {
  int requests = 0;
  LiveOptions options;
  options.max_pages = 60;
  LiveSource web = Open(&requests, options);
  const NodeId home = *web.Find("http://site/");
  PageRankWalkOptions walk;
  const auto trace = WalkPageRank(&web, walk, Budget(home, 100000));
  ASSERT_TRUE(trace) << trace.error().ToString();
  EXPECT_EQ(requests, 60);
  EXPECT_THAT(trace->stopped, HasSubstr("the budget of 60 pages is used up"));
  EXPECT_GT(trace->failures, 0u);
  // It was in the calendar and came back out of it.
  bool deep = false, back = false;
  for (const Visit& visit : trace->visits) {
    deep |= web.Url(visit.page).starts_with("http://site/cal/5");
    back |= deep && visit.page == home;
  }
  EXPECT_TRUE(deep && back);
}

// A page with more links than the memory has room for: the rest is counted,
// and no further page is asked for.
TEST(LiveSource, TheMemoryEndsTheWalkAndIsTold) {
  int requests = 0;
  LiveOptions options;
  options.memory_bytes = 1000;
  LiveSource web = Open(&requests, options);
  const NodeId home = *web.Find("http://site/");
  const auto links = web.OutLinks(home);
  ASSERT_TRUE(links);
  EXPECT_LT(links->size(), 7u);
  EXPECT_GT(links->size(), 0u);
  // Eight links of the page are in scope; that to /a stands twice.
  EXPECT_EQ(web.counts().left_out, 8 - links->size());
  const auto next = web.OutLinks((*links)[0]);
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code, ErrorCode::kInterrupted);
  EXPECT_THAT(next.error().message, HasSubstr("memory"));
  EXPECT_EQ(requests, 1);
}

TEST(RecordedFetcher, RepeatsAndGoesOn) {
  const TestDir dir;
  const std::string path = dir / "answers";
  int requests = 0;
  const std::vector<std::string> urls = {"http://site/", "http://site/old",
                                         "http://site/pic.png",
                                         "http://site/gone"};
  std::vector<std::string> first;
  {
    auto fetcher =
        OpenRecordedFetcher(std::make_unique<FakeWeb>(&requests), path);
    ASSERT_TRUE(fetcher);
    for (const std::string& url : urls)
      first.push_back(FetchRecordLine(url, *(*fetcher)->Get(url)));
    EXPECT_FALSE((*fetcher)->Get("http://site/down"));
  }
  EXPECT_EQ(requests, 5);
  // A line that was cut off by a crash is written again.
  std::string bytes = *ReadWholeFile(path);
  ASSERT_TRUE(WriteWholeFile(path, bytes + "{\"asked\":\"http"));
  {
    auto fetcher =
        OpenRecordedFetcher(std::make_unique<FakeWeb>(&requests), path);
    ASSERT_TRUE(fetcher);
    for (size_t i = 0; i < urls.size(); ++i)
      EXPECT_EQ(FetchRecordLine(urls[i], *(*fetcher)->Get(urls[i])), first[i]);
    EXPECT_EQ(requests, 5);
    EXPECT_TRUE((*fetcher)->Get("http://site/a"));
    EXPECT_EQ(requests, 6);
  }
  const auto offline = OpenRecordedFetcher(nullptr, path);
  ASSERT_TRUE(offline);
  EXPECT_TRUE((*offline)->Get("http://site/a"));
  EXPECT_EQ((*offline)->Get("http://site/x").error().code,
            ErrorCode::kUnavailable);
  ASSERT_TRUE(WriteWholeFile(path, bytes + "{}\n"));
  const auto damaged = OpenRecordedFetcher(nullptr, path);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(damaged.error().where, HasSubstr("answers:6"));
  ASSERT_TRUE(WriteWholeFile(path, "something else\n"));
  EXPECT_FALSE(OpenRecordedFetcher(nullptr, path));
}

TEST(RecordedFetcher, WhatIsNotOursStaysAsItIs) {
  const TestDir dir;
  int requests = 0;
  const auto record = [&](const std::string& path) {
    return OpenRecordedFetcher(std::make_unique<FakeWeb>(&requests), path);
  };
  ASSERT_TRUE(WriteWholeFile(dir / "s", "{\"mine\":1}\n"));
  ASSERT_EQ(::link((dir / "s").c_str(), (dir / "t").c_str()), 0);
  EXPECT_FALSE(record(dir / "s"));
  EXPECT_EQ(*FindIdentity(dir / "s"), *FindIdentity(dir / "t"));
  EXPECT_EQ(*ReadWholeFile(dir / "s"), "{\"mine\":1}\n");
  // What is cut off inside the name of our first line may be anybody's.
  const std::string first =
      "{\"magic\":\"twinset-page-answers\",\"version\":1}\n";
  const size_t named = first.find(',');
  for (size_t size = 1; size < first.size(); ++size) {
    const std::string begin = first.substr(0, size);
    ASSERT_TRUE(WriteWholeFile(dir / "cut", begin));
    ASSERT_EQ(record(dir / "cut").has_value(), size >= named) << size;
    EXPECT_EQ(*ReadWholeFile(dir / "cut"), size < named ? begin : first);
  }
  // One run at a time; other names of a file of ours keep what they have.
  ASSERT_TRUE(record(dir / "a"));
  ASSERT_EQ(::link((dir / "a").c_str(), (dir / "b").c_str()), 0);
  const auto fetcher = record(dir / "a");
  ASSERT_TRUE(fetcher);
  EXPECT_THAT(record(dir / "a").error().ToString(), HasSubstr("another run"));
  const std::string before = *ReadWholeFile(dir / "b");
  ASSERT_TRUE((*fetcher)->Get("http://site/"));
  EXPECT_EQ(*ReadWholeFile(dir / "b"), before);
  EXPECT_GT(ReadWholeFile(dir / "a")->size(), before.size());
}

TEST(PageGraph, LinksOfFilesAndOfPages) {
  const TestDir dir;
  ASSERT_TRUE(MakeDirectories(dir / "in"));
  ASSERT_TRUE(WriteWholeFile(
      dir / "in/pages.jsonl",
      R"({"id":"1","url":"http://h/","html":"<a href=b>b</a><a href=c>c</a>"})"
      "\n"
      R"({"id":"2","url":"http://h/b","html":"<p>b<a href='/'>home</a>"})"
      "\n"
      R"({"id":"3","url":"http://H:80/","html":"<a href=z>again</a>"})"
      "\n"));
  GraphOptions options;
  options.input.inputs = {dir / "in"};
  options.input.html_field = "html";
  GraphFacts facts;
  auto graph = ReadPageGraph(options, 0, &facts);
  ASSERT_TRUE(graph) << graph.error().ToString();
  EXPECT_THAT(graph->urls, ElementsAre("http://h/", "http://h/b"));
  EXPECT_EQ(graph->graph.arcs(), 2u);
  EXPECT_EQ(facts.documents, 3u);
  EXPECT_EQ(facts.repeated_urls, 1u);
  EXPECT_EQ(facts.dangling, 1u);
  options.keep_dangling = true;
  facts = {};
  graph = ReadPageGraph(options, 0, &facts);
  ASSERT_TRUE(graph);
  EXPECT_THAT(graph->urls,
              ElementsAre("http://h/", "http://h/b", "http://h/c"));
  facts = {};
  const auto large = ReadPageGraph(options, 100, &facts);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kMemory);
}

TEST(PageGraph, AFolderOfFilesLinksAmongItself) {
  const TestDir dir;
  ASSERT_TRUE(MakeDirectories(dir / "site/sub"));
  ASSERT_TRUE(WriteWholeFile(dir / "site/index.html",
                             "<html><body><a href='sub/p q.html'>p</a>"));
  ASSERT_TRUE(WriteWholeFile(dir / "site/sub/p q.html",
                             "<html><body><a href='../index.html#x'>up</a>"));
  GraphOptions options;
  options.input.inputs = {dir / "site"};
  GraphFacts facts;
  const auto graph = ReadPageGraph(options, 0, &facts);
  ASSERT_TRUE(graph) << graph.error().ToString();
  EXPECT_EQ(graph->graph.nodes(), 2u);
  EXPECT_EQ(graph->graph.arcs(), 2u);
}

}  // namespace
}  // namespace twinset
