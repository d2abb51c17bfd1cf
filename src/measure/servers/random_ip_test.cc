// Random addresses: the space, the order, what stands at an address, and what
// follows from the probes.
#include "servers/random_ip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AddressSpace MustMake(const std::vector<std::string>& networks,
                      const std::vector<std::string>& excluded = {}) {
  auto space = AddressSpace::Make(networks, excluded);
  EXPECT_TRUE(space) << space.error().ToString();
  return *std::move(space);
}

TEST(AddressSpace, IsTheUnionWithoutTheExcluded) {
  const AddressSpace space =
      MustMake({"10.0.0.0/29", "10.0.0.4/30", "9.9.9.9", "10.0.0.8/31"},
               {"10.0.0.2/31", "10.0.0.9"});
  std::vector<std::string> all;
  for (uint64_t i = 0; i < space.size(); ++i)
    all.push_back(AddressText(space.At(i)));
  EXPECT_THAT(all, ElementsAre("9.9.9.9", "10.0.0.0", "10.0.0.1", "10.0.0.4",
                               "10.0.0.5", "10.0.0.6", "10.0.0.7", "10.0.0.8"));
  EXPECT_THAT(space.Blocks(), ElementsAre("9.9.9.9/32", "10.0.0.0/31",
                                          "10.0.0.4/30", "10.0.0.8/32"));
  EXPECT_FALSE(space.Contains(*ParseAddress("10.0.0.3")));
  EXPECT_TRUE(space.Contains(*ParseAddress("10.0.0.8")));
  EXPECT_FALSE(space.Contains(*ParseAddress("10.0.0.9")));
}

TEST(AddressSpace, ReachesBothEnds) {
  const AddressSpace space =
      MustMake({"0.0.0.0/0"}, {"0.0.0.0", "128.0.0.0/1"});
  EXPECT_EQ(space.size(), (uint64_t{1} << 31) - 1);
  EXPECT_EQ(space.At(0), 1u);
  const AddressSpace top = MustMake({"255.255.255.254/31"});
  EXPECT_EQ(top.At(1), 0xffffffffu);
  EXPECT_THAT(MustMake({"0.0.0.0/0"}).Blocks(), ElementsAre("0.0.0.0/0"));
}

TEST(AddressSpace, RefusesWhatIsNoNetwork) {
  for (const char* bad :
       {"", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.256", "10.0.0.1/24",
        "010.0.0.0/8", "10.0.0.0/8 ", "::1", "a.b.c.d", "10.0.0.0.0", "1.2.3."})
    EXPECT_FALSE(AddressSpace::Make({bad}, {})) << bad;
  EXPECT_FALSE(AddressSpace::Make({}, {}));
  EXPECT_FALSE(AddressSpace::Make({"10.0.0.0/8"}, {"10.0.0.0/7", "8.0.0.0/6"}));
}

TEST(RandomOrder, IsAPermutation) {
  for (const uint64_t size : {1, 2, 3, 7, 64, 65, 1000, 4097}) {
    const RandomOrder order(size, 5);
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < size; ++i) {
      const uint64_t place = order.At(i);
      EXPECT_LT(place, size);
      EXPECT_TRUE(seen.insert(place).second);
    }
  }
}

// The first draws of many seeds fall evenly: chi-square with 15 degrees of
// freedom is below 37.7 but once in a thousand times.
TEST(RandomOrder, IsUniformOverSeeds) {
  constexpr int kSeeds = 4000;
  for (const uint64_t draw : {0, 1, 500}) {
    std::vector<int> counts(16);
    for (int seed = 0; seed < kSeeds; ++seed)
      ++counts[RandomOrder(1000, seed).At(draw) * 16 / 1000];
    double chi = 0;
    for (int i = 0; i < 16; ++i) {
      const double expected =
          kSeeds * ((i + 1) * 1000 / 16 - i * 1000 / 16) / 1000.0;
      chi += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    EXPECT_LT(chi, 45) << draw;
  }
}

TEST(HostTable, ReadsHostsFiles) {
  const auto table = HostTable::Parse(
      "# names\n10.0.0.2 www.a.example B.example # x\n\n10.0.0.1\tb.example\n",
      "hosts");
  ASSERT_TRUE(table) << table.error().ToString();
  EXPECT_THAT(table->Entries(80), ElementsAre("b.example:80:10.0.0.1,10.0.0.2",
                                              "www.a.example:80:10.0.0.2"));
  for (const char* bad : {"x y\n", "10.0.0.1\n", "10.0.0.1 10.0.0.2\n",
                          "10.0.0.1 a=b\n", "::1 localhost\n"}) {
    const auto refused =
        HostTable::Parse(std::string("1.1.1.1 a\n") + bad, "h");
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(refused.error().ToString(), HasSubstr("h:2"));
  }
}

// ---- a web behind a fetcher ----

class FakeWeb : public Fetcher {
 public:
  Result<FetchResponse> Get(const std::string& url) override {
    ++requests;
    const auto at = pages.find(url);
    if (at == pages.end())
      return Fail(ErrorCode::kUnavailable, "connection refused", url);
    FetchResponse response = at->second;
    if (response.status == -1)
      return Fail(ErrorCode::kUnsupported, "excluded by robots.txt", url);
    if (response.status == -2)
      return Fail(ErrorCode::kUnavailable, "no answer in time", url);
    if (response.url.empty()) response.url = url;
    return response;
  }
  void Add(const std::string& url, const std::string& body, int status = 200,
           const std::string& to = "") {
    FetchResponse response;
    response.status = status;
    response.content_type = "text/html";
    response.body = body;
    response.url = to;
    pages[url] = response;
  }
  std::map<std::string, FetchResponse> pages;
  uint64_t requests = 0;
};

std::string Page(const std::string& text,
                 const std::vector<std::string>& links) {
  std::string page = "<html><body><p>" + text + "</p>";
  for (const std::string& link : links)
    page += "<a href=\"" + link + "\">x</a>";
  return page + "</body></html>";
}

class ProbeTest : public ::testing::Test {
 protected:
  ProbeFacts Look(const std::string& address, ProbeRules rules = {}) {
    const AddressSpace space = MustMake({"10.0.0.0/24"});
    const auto hosts = HostTable::Parse(hosts_, "hosts");
    const auto reader = TextReader::Make({});
    return ProbeAddress(*ParseAddress(address), rules, space, *hosts, *reader,
                        &web_);
  }
  FakeWeb web_;
  std::string hosts_;
};

TEST_F(ProbeTest, TellsOutcomes) {
  web_.Add("http://10.0.0.2/", "", 401);
  web_.Add("http://10.0.0.3/", "", -1);
  web_.Add("http://10.0.0.4/", "", -2);
  web_.Add("http://10.0.0.5/", "", 404);
  web_.Add("http://10.0.0.6/", Page("x", {}), 200, "http://far.example/");
  web_.Add("http://10.0.0.7/", Page("x", {}));
  EXPECT_EQ(Look("10.0.0.1").outcome, ProbeOutcome::kRefused);
  EXPECT_EQ(Look("10.0.0.2").outcome, ProbeOutcome::kLogin);
  EXPECT_EQ(Look("10.0.0.3").outcome, ProbeOutcome::kExcluded);
  EXPECT_EQ(Look("10.0.0.4").outcome, ProbeOutcome::kNoAnswer);
  EXPECT_EQ(Look("10.0.0.5").outcome, ProbeOutcome::kNoPage);
  EXPECT_EQ(Look("10.0.0.6").outcome, ProbeOutcome::kElsewhere);
  EXPECT_EQ(Look("10.0.0.7").outcome, ProbeOutcome::kServer);
}

TEST_F(ProbeTest, CrawlsWithinTheHost) {
  web_.Add("http://10.0.0.1/",
           Page("a", {"/b", "b#x", "/gone", "http://10.0.0.2/", "mailto:x"}));
  web_.Add("http://10.0.0.1/b", Page("b", {"/", "/c", "/d"}));
  web_.Add("http://10.0.0.1/c", Page("c", {}), 200, "http://10.0.0.1/b");
  web_.Add("http://10.0.0.1/d", Page("d", {}));
  web_.Add("http://10.0.0.2/", Page("other", {}));
  const ProbeFacts facts = Look("10.0.0.1");
  ASSERT_EQ(facts.sites.size(), 1u);
  EXPECT_EQ(facts.sites[0].pages, 3u);
  EXPECT_TRUE(facts.sites[0].complete);
  const ProbeFacts cut = Look("10.0.0.1", {80, 2, 20});
  EXPECT_EQ(cut.sites[0].pages, 2u);
  EXPECT_FALSE(cut.sites[0].complete);
}

TEST_F(ProbeTest, FindsNamesAndOtherAddresses) {
  hosts_ =
      "10.0.0.1 one.example two.example\n10.0.0.2 one.example\n"
      "10.0.0.3 one.example\n10.0.0.1 far.example\n10.1.0.0 far.example\n";
  const std::string one =
      Page("one", {"/p", "http://two.example/x", "http://far.example/"});
  web_.Add("http://10.0.0.1/", one);
  web_.Add("http://10.0.0.1/p",
           Page("p", {"http://one.example/", "http://unknown.example/"}));
  web_.Add("http://10.0.0.2/", one);
  web_.Add("http://one.example/", one);
  web_.Add("http://one.example/p", Page("p", {}));
  web_.Add("http://two.example/", Page("two", {}));
  web_.Add("http://far.example/", Page("far", {}));
  const ProbeFacts facts = Look("10.0.0.1");
  ASSERT_EQ(facts.sites.size(), 2u);
  // The site without a name is one.example, which answers at two of its three
  // addresses.
  EXPECT_EQ(facts.sites[0].host, "one.example");
  EXPECT_EQ(facts.sites[0].addresses, 2u);
  EXPECT_EQ(facts.sites[0].pages, 2u);
  EXPECT_EQ(facts.sites[1].host, "two.example");
  EXPECT_EQ(facts.sites[1].addresses, 1u);
}

TEST(ProbeLine, GoesThereAndBack) {
  ProbeFacts facts;
  facts.address = *ParseAddress("10.0.0.9");
  facts.outcome = ProbeOutcome::kServer;
  facts.status = 200;
  facts.requests = 12;
  facts.sites = {{"a.example", 7, false, 3, "00ff"},
                 {"b.example", 0, true, 1, ""}};
  const std::string line = ProbeLine(4, facts);
  const auto back = ParseProbeLine(line, 4);
  ASSERT_TRUE(back) << back.error().ToString();
  EXPECT_EQ(*back, facts);
  EXPECT_FALSE(ParseProbeLine(line, 5));
  for (size_t i = 0; i < line.size(); ++i) {
    EXPECT_FALSE(ParseProbeLine(line.substr(0, i), 4));
    std::string bad = line;
    bad[i] = '\x01';
    const auto read = ParseProbeLine(bad, 4);
    if (read) {
      EXPECT_FALSE(read->sites.empty());
    }
  }
}

// ---- a network with known truth ----

// Addresses 10.0.0.0 to 10.0.15.255: an eighth have a server; a site of two
// addresses stands at 8k and 8k + 1 for odd k.
class FakeNetwork : public Fetcher {
 public:
  static uint64_t PagesOf(uint32_t site) {
    SplitMix64 random(site);
    return 1 + random.Below(4) * random.Below(4);
  }
  static bool HasServer(uint32_t address) {
    return address % 8 == 0 || (address % 8 == 1 && address / 8 % 2 == 1);
  }
  static std::string Name(uint32_t site) {
    return "s" + std::to_string(site) + ".example";
  }
  Result<FetchResponse> Get(const std::string& url) override {
    const size_t end = url.find('/', 7);
    const std::string host = url.substr(7, end - 7);
    uint32_t site = 0;
    if (const auto address = ParseAddress(host)) {
      if (!HasServer(*address))
        return Fail(ErrorCode::kUnavailable, "no answer in time", url);
      site = *address / 8;
    } else {
      site = static_cast<uint32_t>(std::stoul(host.substr(1)));
    }
    FetchResponse response;
    response.url = url;
    response.status = 200;
    response.content_type = "text/html";
    std::vector<std::string> links;
    if (url.substr(end) == "/") {
      for (uint64_t i = 1; i < PagesOf(site); ++i)
        links.push_back("/p" + std::to_string(i));
      if (site % 2 == 1) links.push_back("http://" + Name(site) + "/");
    }
    response.body =
        Page("site " + std::to_string(site) + url.substr(end), links);
    return response;
  }
};

class NoClock : public Clock {
 public:
  uint64_t NowMs() override { return now_ms; }
  void SleepMs(uint64_t ms) override { now_ms += ms; }
  uint64_t now_ms = 0;
};

class NetworkTest : public ::testing::Test {
 protected:
  NetworkTest() : space_(MustMake({"10.0.0.0/20"})) {
    std::string text;
    for (uint64_t i = 0; i < space_.size(); ++i) {
      const uint32_t address = space_.At(i), site = address / 8;
      if (!FakeNetwork::HasServer(address)) continue;
      ++servers_;
      if (address % 8 == 0) ++sites_, pages_ += FakeNetwork::PagesOf(site);
      if (site % 2 == 1)
        text += AddressText(address) + " " + FakeNetwork::Name(site) + "\n";
    }
    hosts_ = *HostTable::Parse(text, "hosts");
  }
  Result<RandomIpSummary> Run(uint64_t probes, uint64_t seed,
                              bool resume = false) {
    RandomIpOptions options;
    options.probes = probes;
    options.seed = seed;
    options.rate = 0;
    options.out = folder_ / "out";
    options.overwrite = !resume;
    options.resume = resume;
    return RunProbes(options, space_, hosts_, Web(), &clock_);
  }
  static MakeProbeFetcher Web() {
    return [] { return std::make_unique<FakeNetwork>(); };
  }
  TestDir folder_;
  AddressSpace space_;
  HostTable hosts_;
  NoClock clock_;
  double servers_ = 0, sites_ = 0, pages_ = 0;
};

TEST_F(NetworkTest, AllAddressesGiveTheTruth) {
  const auto summary = Run(space_.size(), 1);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_DOUBLE_EQ(summary->servers.value, servers_);
  EXPECT_NEAR(summary->sites.value, sites_, 1e-6);
  EXPECT_NEAR(summary->pages.value, pages_, 1e-6);
  EXPECT_GT(summary->pages_unweighted, 1.3 * pages_);
}

// Intervals of 95 % miss for 7 or more of 40 seeds with a chance below .001.
TEST_F(NetworkTest, IntervalsHoldTheTruth) {
  const int seeds = TWINSET_SLOW_BUILD ? 8 : 40;
  int missed[3] = {};
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto summary = Run(600, seed);
    ASSERT_TRUE(summary) << summary.error().ToString();
    const NetworkEstimate* estimates[] = {&summary->servers, &summary->sites,
                                          &summary->pages};
    const double truths[] = {servers_, sites_, pages_};
    for (int i = 0; i < 3; ++i)
      missed[i] +=
          estimates[i]->low > truths[i] || estimates[i]->high < truths[i];
  }
  for (int i = 0; i < 3; ++i) EXPECT_LE(missed[i], 6) << i;
}

TEST_F(NetworkTest, AStoppedRunGoesOnToTheSameBytes) {
  ASSERT_TRUE(Run(300, 3));
  const auto whole = *ReadWholeFile(folder_ / "out/probes.jsonl");
  const auto summary = *ReadWholeFile(folder_ / "out/summary.json");
  const auto sample = *ReadWholeFile(folder_ / "out/sample.jsonl");
  for (const size_t cut : {whole.size() / 2, whole.size() / 3, size_t{5}}) {
    ASSERT_TRUE(
        WriteWholeFile(folder_ / "out/probes.jsonl", whole.substr(0, cut)));
    const auto again = Run(300, 3, true);
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(*ReadWholeFile(folder_ / "out/probes.jsonl"), whole);
    EXPECT_EQ(*ReadWholeFile(folder_ / "out/summary.json"), summary);
    EXPECT_EQ(*ReadWholeFile(folder_ / "out/sample.jsonl"), sample);
  }
  const auto other = Run(300, 4, true);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kUsage);
}

TEST_F(NetworkTest, KeepsToItsRate) {
  RandomIpOptions options;
  options.probes = 20;
  options.rate = 4;
  options.out = folder_ / "rate";
  ASSERT_TRUE(RunProbes(options, space_, hosts_, Web(), &clock_));
  EXPECT_EQ(clock_.now_ms, 19u * 250);
}

TEST(RandomIp, WantsNetworks) {
  RandomIpOptions options;
  options.out = "x";
  const auto refused = ProbeRandomAddresses(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().ToString(), HasSubstr("--networks"));
}

}  // namespace
}  // namespace twinset
