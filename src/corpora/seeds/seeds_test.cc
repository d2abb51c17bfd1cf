#include "twinset/corpora/seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "engine/answer_json.h"
#include "engine/answer_log.h"
#include "seeds/answer_results.h"
#include "seeds/host_list.h"
#include "twinset/corpora/crawls.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

HostList ListOf(const std::string& lines, HostListFacts* facts = nullptr,
                bool percentiles = false) {
  HostList list = percentiles ? HostList(70) : HostList();
  HostListFacts own;
  std::vector<std::string> problems;
  EXPECT_TRUE(list.ReadText(lines, facts == nullptr ? &own : facts, &problems));
  return list;
}

std::string EntryOf(const HostList& list, std::string_view url) {
  const HostList::Entry* entry = list.Find(url);
  return entry == nullptr ? "" : entry->name + " " + entry->source;
}

TEST(HostList, NetworkAddressesAndStarsStandForNothingElse) {
  HostListFacts facts;
  const HostList list =
      ListOf("10.0.0.1\n[2001:db8::1]\nbad*.example\n1\n", &facts);
  EXPECT_EQ(facts.bad, 1u);
  EXPECT_EQ(EntryOf(list, "http://10.0.0.1/x"), "10.0.0.1 list:1");
  EXPECT_EQ(EntryOf(list, "http://[2001:DB8::1]:80/"),
            "[2001:0db8:0000:0000:0000:0000:0000:0001] list:2");
  EXPECT_EQ(EntryOf(list, "http://badly.example/"), "");
  EXPECT_EQ(EntryOf(list, "http://10.0.0.2/"), "");
}

TEST(HostList, HostsStandForThoseBelowAndPathsForWhatBeginsSo) {
  HostListFacts facts;
  const HostList list = ListOf(
      "# bad ones\n\nBad.example\n*.worse.example.\nhttps://a.example:8080/x/\n"
      "a.example/q?id=1\nbad.example\ntwo words\n:\n",
      &facts);
  EXPECT_EQ(facts.lines, 7u);
  EXPECT_EQ(facts.entries, 4u);
  EXPECT_EQ(facts.bad, 2u);
  EXPECT_EQ(EntryOf(list, "http://bad.example/"), "bad.example list:3");
  EXPECT_EQ(EntryOf(list, "https://www.BAD.example:81/p"),
            "bad.example list:3");
  EXPECT_EQ(EntryOf(list, "http://bad.example./"), "bad.example list:3");
  EXPECT_EQ(EntryOf(list, "http://x.worse.example/"), "worse.example list:4");
  EXPECT_EQ(EntryOf(list, "http://notbad.example/"), "");
  EXPECT_EQ(EntryOf(list, "http://bad.example.org/"), "");
  EXPECT_EQ(EntryOf(list, "http://a.example/x"), "a.example/x list:5");
  EXPECT_EQ(EntryOf(list, "http://a.example/x/y"), "a.example/x list:5");
  EXPECT_EQ(EntryOf(list, "http://a.example/x?y"), "a.example/x list:5");
  EXPECT_EQ(EntryOf(list, "http://a.example/xy"), "");
  EXPECT_EQ(EntryOf(list, "http://www.a.example/x"), "");
  EXPECT_EQ(EntryOf(list, "http://a.example/q?id=1&p=2"),
            "a.example/q?id=1 list:6");
  EXPECT_EQ(EntryOf(list, "http://a.example/q?id=12"), "");
  EXPECT_EQ(EntryOf(list, "no address"), "");
}

TEST(HostList, PercentilesBelowTheLimitAreSpam) {
  HostListFacts facts;
  const HostList list = ListOf(
      "69 a.example\n70 b.example\n c.example\nx d.example\n", &facts, true);
  EXPECT_EQ(facts.entries, 2u);
  EXPECT_EQ(facts.spared, 1u);
  EXPECT_EQ(facts.bad, 1u);
  EXPECT_NE(list.Find("http://a.example/"), nullptr);
  EXPECT_EQ(list.Find("http://b.example/"), nullptr);
  EXPECT_NE(list.Find("http://c.example/"), nullptr);
  HostListFacts plain;
  ListOf("69 a.example\n", &plain);
  EXPECT_EQ(plain.bad, 1u);
}

void Record(const std::string& path,
            const std::vector<std::pair<EngineQuery, std::vector<std::string>>>&
                asked) {
  AnswersOf of;
  of.engine = "e";
  of.info.name = "engine";
  auto log = AnswerLog::OpenOrCreate(path, of);
  ASSERT_TRUE(log);
  for (const auto& [query, urls] : asked) {
    EngineAnswer answer;
    answer.urls = urls;
    ASSERT_TRUE(log->Append(QuestionText(query),
                            AnswerText(Result<EngineAnswer>(answer))));
  }
  const Result<EngineAnswer> down = Fail(ErrorCode::kUnavailable, "down");
  ASSERT_TRUE(
      log->Append(QuestionText(EngineQuery{{"down"}}), AnswerText(down)));
  const Result<EnginePage> gone = Fail(ErrorCode::kNotFound, "gone");
  ASSERT_TRUE(log->Append(QuestionText("http://x.example/"), AnswerText(gone)));
}

TEST(AnswerResults, CountsDifferentQuestionsOfEachEngine) {
  const TestDir dir;
  const std::string a = "http://a.example/", b = "http://b.example/",
                    c = "http://c.example/";
  Record(dir / "one", {{{{"x", "y"}}, {b, a, b}},
                       {{{"x", "y"}, true, 5}, {a}},   // the same question
                       {{{"x", "y"}, false}, {c, b}},  // another: either word
                       {{{"z"}}, {}}});
  Record(dir / "two", {{{{"x", "y"}}, {"HTTP://b.example:80", c}}});
  ASSERT_TRUE(WriteWholeFile(dir / "run",
                             "7 Q0 http://a.example/ 1 0.5 s\n"
                             "7 Q0 http://d.example/ 2 0.9 s\nbroken\n"));
  SeedsResult result;
  AnswerResults answers(0, 1 << 20, nullptr);
  for (const char* name : {"one", "two", "run"})
    ASSERT_TRUE(answers.Read(dir / name, &result));
  const auto pages = answers.Ranked(&result);
  ASSERT_TRUE(result.answers);
  EXPECT_EQ(result.answers->questions, 3u + 1 + 2 + 1);  // with the failed ones
  EXPECT_EQ(result.answers->answered, 4u);
  EXPECT_EQ(result.answers->failed, 2u);
  EXPECT_EQ(result.answers->results, 8u);
  EXPECT_EQ(result.problems.size(), 1u);
  std::vector<std::string> order;
  for (const ReturnedAddress& page : pages)
    order.push_back(answers.addresses()[page.address] + " " +
                    std::to_string(page.queries) + " " +
                    std::to_string(page.best));
  EXPECT_THAT(order, ElementsAre(b + " 3 1", a + " 2 1", c + " 2 1",
                                 "http://d.example/ 1 1"));
  EXPECT_THAT(answers.QuestionsOf(pages[0], 2), ElementsAre("x y", "x OR y"));
  EXPECT_THAT(answers.QuestionsOf(pages[1], 9), ElementsAre("x y", "7"));

  AnswerResults first(1, 1 << 20, nullptr);
  SeedsResult of_first;
  ASSERT_TRUE(first.Read(dir / "one", &of_first));
  EXPECT_EQ(first.Ranked(&of_first).size(), 3u);  // b, a of the second, c
  AnswerResults small(0, 100, nullptr);
  EXPECT_EQ(small.Read(dir / "one", &of_first).error().code,
            ErrorCode::kMemory);
}

// A world of addresses: a graph, answers, a list and what is not wanted.
struct World {
  std::vector<std::string> urls;  // of the nodes
  std::vector<double> ranks;
  std::vector<std::vector<std::string>> answers;
  std::vector<std::string> given;
  std::set<std::string> bad_hosts, spam_hosts;
};

std::string HostOf(const std::string& url) {
  return url.substr(7, url.find('/', 7) - 7);
}

// By the definition: whole lists, looked through from the front each time.
std::vector<std::string> NaiveSeeds(const World& world, size_t size,
                                    uint64_t per_host) {
  std::map<std::string, std::pair<int, size_t>> seen;  // queries, best place
  std::vector<std::string> returned;
  for (const auto& answer : world.answers) {
    std::set<std::string> once;
    for (size_t i = 0; i < answer.size(); ++i) {
      auto& [queries, best] = seen[answer[i]];
      if (queries == 0) returned.push_back(answer[i]);
      best = queries == 0 ? i : std::min(best, i);
      queries += once.insert(answer[i]).second;
    }
  }
  std::stable_sort(returned.begin(), returned.end(),
                   [&](const std::string& x, const std::string& y) {
                     return seen[x].first != seen[y].first
                                ? seen[x].first > seen[y].first
                                : seen[x].second < seen[y].second;
                   });
  std::vector<size_t> order(world.urls.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    return world.ranks[x] > world.ranks[y];
  });
  std::vector<std::string> ranked;
  for (const size_t node : order) ranked.push_back(world.urls[node]);
  std::vector<std::string> seeds;
  std::map<std::string, uint64_t> hosts;
  const auto take = [&](const std::vector<std::string>& from) {
    if (seeds.size() == size) return false;
    for (const std::string& url : from) {
      const std::string host = HostOf(url);
      if (std::count(seeds.begin(), seeds.end(), url) > 0) continue;
      if (world.bad_hosts.count(host) + world.spam_hosts.count(host) > 0)
        continue;
      if (per_host > 0 && hosts[host] >= per_host) continue;
      seeds.push_back(url);
      ++hosts[host];
      return true;
    }
    return false;
  };
  while (take(world.given)) {
  }
  for (bool more = true; more;) {
    more = take(returned);
    more |= take(ranked);
  }
  return seeds;
}

std::vector<std::string> LinesOf(const std::string& path) {
  std::vector<std::string> lines;
  const std::string text = *ReadWholeFile(path);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST(Seeds, AreTheNaiveOnes) {
  uint64_t bound = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const TestDir dir;
    SplitMix64 random(seed);
    World world;
    const auto address = [&] {
      return "http://h" + std::to_string(random.Below(6)) + ".example/" +
             std::to_string(random.Below(9));
    };
    std::set<std::string> known;
    std::string nodes, edges = "0 1\n", given;
    while (known.size() < 25) {
      const std::string url = address();
      if (!known.insert(url).second) continue;
      nodes += std::to_string(world.urls.size()) + "\t" + url + "\n";
      world.urls.push_back(url);
    }
    for (int i = 0; i < 60; ++i)
      edges += std::to_string(random.Below(25)) + " " +
               std::to_string(random.Below(25)) + "\n";
    std::vector<std::pair<EngineQuery, std::vector<std::string>>> asked;
    for (int i = 0; i < 6; ++i) {
      std::vector<std::string> urls;
      for (int k = 0; k < 8; ++k) urls.push_back(address());
      world.answers.push_back(urls);
      asked.push_back({EngineQuery{{"q" + std::to_string(i)}}, urls});
    }
    for (int i = 0; i < 3; ++i) world.given.push_back(address());
    for (const std::string& url : world.given) given += url + "\n";
    world.bad_hosts = {"h0.example"};
    world.spam_hosts = {"h1.example"};
    Record(dir / "log", asked);
    ASSERT_TRUE(WriteWholeFile(dir / "nodes", nodes));
    ASSERT_TRUE(WriteWholeFile(dir / "edges", edges));
    ASSERT_TRUE(WriteWholeFile(dir / "given", given));
    ASSERT_TRUE(WriteWholeFile(dir / "black", "h0.example\n"));
    ASSERT_TRUE(WriteWholeFile(dir / "spam", "5 h1.example\n99 h2.example\n"));
    RankOptions rank;
    rank.graph.input.inputs = {dir / "edges"};
    rank.graph.nodes = dir / "nodes";
    rank.graph.keep_dangling = false;
    rank.out = dir / "ranks";
    ASSERT_TRUE(RankGraph(rank));
    for (const std::string& row : LinesOf(rank.out))
      world.ranks.push_back(Json::Parse(row).value("pagerank", 0.0));
    SeedsOptions options;
    options.graph = rank.graph;
    options.answers = {dir / "log"};
    options.given = {dir / "given"};
    options.blacklists = {dir / "black"};
    options.spam = {dir / "spam"};
    options.size = 8 + random.Below(20);
    options.per_host = random.Below(5);
    options.out = dir / "out";
    const auto result = PickSeeds(options);
    ASSERT_TRUE(result) << result.error().ToString();
    const auto naive = NaiveSeeds(world, options.size, options.per_host);
    ASSERT_EQ(LinesOf(dir / "out/seeds.txt"), naive) << seed;
    EXPECT_EQ(result->seeds, naive.size());
    EXPECT_EQ(result->enough, naive.size() == options.size);
    EXPECT_EQ(LinesOf(dir / "out/seeds.jsonl").size(), naive.size());
    uint64_t refused = 0;
    for (const uint64_t count : result->refused) refused += count;
    EXPECT_EQ(LinesOf(dir / "out/left-out.jsonl").size(), refused);
    bound += result->refused[static_cast<size_t>(SeedRefusal::kPerHost)] > 0;
  }
  EXPECT_GT(bound, 2u);  // the limit of hosts was felt
}

TEST(Seeds, RowsSayWhy) {
  const TestDir dir;
  const std::string a = "http://a.example/", b = "http://b.example/";
  Record(dir / "log",
         {{{{"tea", "cup"}}, {"file:///x", a, b}}, {{{"tea"}}, {b}}});
  ASSERT_TRUE(WriteWholeFile(dir / "edges", "1 2\n3 2\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "nodes", "1 " + a + "\n2 " + b + "\n3 3\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "black", "a.example\n?\n"));
  SeedsOptions options;
  options.graph.input.inputs = {dir / "edges"};
  options.graph.nodes = dir / "nodes";
  options.answers = {dir / "log"};
  options.blacklists = {dir / "black"};
  options.out = dir / "out";
  options.report = true;
  const auto result = PickSeeds(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_THAT(
      LinesOf(dir / "out/seeds.jsonl"),
      ElementsAre(testing::MatchesRegex(
          R"(\{"url":"http://b.example/","seed":1,"source":"answers","rank":1,)"
          R"("pagerank":0\.[0-9]+,"queries":2,"best":1,)"
          R"("some_queries":\["tea cup","tea"\]\})")));
  EXPECT_THAT(
      LinesOf(dir / "out/left-out.jsonl"),
      ElementsAre(
          HasSubstr(R"("url":"http://a.example/","why":"blacklist","entry":)"
                    R"("a.example","line":")"),
          HasSubstr(R"("url":"3","why":"no-address","source":"ranks")"),
          HasSubstr(R"("url":"file:///x","why":"no-address")")));
  EXPECT_THAT(result->warnings,
              ElementsAre("1 line of the blacklist without a host",
                          "the sources give only 1 seed"));
  EXPECT_THAT(*ReadWholeFile(dir / "out/report.html"),
              AllOf(HasSubstr("1 seed on 1 host."),
                    HasSubstr("2 queries, best place 1")));
  EXPECT_EQ(PickSeeds(options).error().code, ErrorCode::kUsage);  // it exists
  options.overwrite = true;
  EXPECT_TRUE(PickSeeds(options));
  options.graph.memory_bytes = 1;
  EXPECT_EQ(PickSeeds(options).error().code, ErrorCode::kMemory);
  options.graph.memory_bytes = 0;
  options.graph.nodes.clear();
  EXPECT_EQ(PickSeeds(options).error().code, ErrorCode::kUsage);
  options = {};
  options.out = dir / "other";
  EXPECT_EQ(PickSeeds(options).error().code, ErrorCode::kUsage);
  EXPECT_FALSE(FileExists(dir / "other"));
}

TEST(Crawls, OverlapByDepth) {
  const TestDir dir;
  // 1 and 4 both lead to 3, 1 through 2.
  ASSERT_TRUE(WriteWholeFile(dir / "edges", "1 2\n2 3\n4 3\n3 5\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "a", "1\n1\n77\n"));
  ASSERT_TRUE(WriteWholeFile(dir / "b", "{\"url\":\"4\"}\n{}\n"));
  CrawlOverlapOptions options;
  options.graph.input.inputs = {dir / "edges"};
  options.first = dir / "a";
  options.second = dir / "b";
  options.out = dir / "out";
  const auto result = CompareCrawls(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->first.seeds, 1u);
  EXPECT_EQ(result->first.unknown, 1u);
  EXPECT_EQ(result->second.bad, 1u);
  EXPECT_EQ(*ReadWholeFile(dir / "out/overlap.csv"),
            "depth,first,second,both,jaccard,first_in_second,second_in_first\n"
            "0,1,1,0,0,0,0\n"
            "1,2,2,0,0,0,0\n"
            "2,3,3,1,0.2,0.333333,0.333333\n"
            "3,4,3,2,0.4,0.5,0.666667\n");
  options.out.clear();
  options.depth = 1;
  EXPECT_EQ(CompareCrawls(options)->depths.size(), 2u);
  options.per_host = 1;  // of nodes without addresses
  EXPECT_EQ(CompareCrawls(options).error().code, ErrorCode::kUsage);
  options.per_host = 0;
  ASSERT_TRUE(WriteWholeFile(dir / "b", "99\n"));
  EXPECT_EQ(CompareCrawls(options).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace twinset
