// Lists of hosts and the choice of seeds against plain searches.
#include "seeds/host_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "net/url.h"
#include "seeds/seed_choice.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Is `place` below an entry: a host stands for all that end with it, a path for
// what begins with it and ends there or goes on behind a delimiter.
bool IsUnder(const std::string& host, const std::string& path,
             const std::string& entry) {
  const size_t slash = entry.find('/');
  if (slash == std::string::npos)
    return host == entry || host.ends_with("." + entry);
  const std::string place = host + path;
  if (!place.starts_with(entry)) return false;
  return place.size() == entry.size() ||
         std::string("/?&").find(place[entry.size()]) != std::string::npos;
}

TEST(HostListByDefinitionTest, FindsWhatAPlainSearchFinds) {
  SplitMix64 random(2);
  const std::vector<std::string> hosts = {"a.example",     "b.a.example",
                                          "ba.example",    "c.b.a.example",
                                          "other.example", "example"};
  const std::vector<std::string> paths = {
      "/", "/x", "/x/y", "/xy", "/x?a=1", "/x?a=1&b=2", "/x/y/z"};
  size_t found = 0, missed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::string text;
    std::vector<std::string> entries;
    for (uint64_t n = random.Below(4); n > 0; --n) {
      std::string entry = hosts[random.Below(hosts.size())];
      if (entry == "example") continue;
      if (random.Below(2) == 0) entry += paths[1 + random.Below(5)];
      entries.push_back(entry);
      text += entry + "\n";
    }
    HostList list;
    HostListFacts facts;
    std::vector<std::string> problems;
    ASSERT_TRUE(list.ReadText(text, &facts, &problems));
    EXPECT_EQ(facts.bad, 0u);
    const std::set<std::string> different(entries.begin(), entries.end());
    EXPECT_LE(list.size(), different.size());
    for (const std::string& host : hosts) {
      for (const std::string& path : paths) {
        bool under = false;
        for (const std::string& entry : entries)
          under = under || IsUnder(host, path, entry);
        for (const std::string prefix : {"http://", "HTTPS://"}) {
          const HostList::Entry* entry = list.Find(prefix + host + path);
          EXPECT_EQ(entry != nullptr, under) << text << host << path;
          if (entry != nullptr) {
            EXPECT_TRUE(IsUnder(host, path, entry->name));
          }
        }
        (under ? found : missed) += 1;
      }
    }
  }
  EXPECT_GT(found, 1000u);
  EXPECT_GT(missed, 1000u);
}

TEST(HostListByDefinitionTest, WhatAnEntryNamesIsUnderItHoweverItIsWritten) {
  for (const std::string entry :
       {"http://A.Example:port/B", "http://a\xa4.example:x/../B/",
        "HTTP://a.example:99/B", "*.a.example", "http://a.example:x"}) {
    HostList list;
    HostListFacts facts;
    std::vector<std::string> problems;
    ASSERT_TRUE(list.ReadText(entry + "\n", &facts, &problems)) << entry;
    const HostList::Entry* found =
        list.Find(entry.find('\xa4') == entry.npos ? "http://a.example/B"
                                                   : "http://a\xa4.example/B");
    ASSERT_NE(found, nullptr) << entry;
    EXPECT_EQ(list.Find("http://" + found->name), found) << found->name;
  }
}

TEST(HostListByDefinitionTest, PercentilesAtTheLimitAreSpared) {
  HostList list(70);
  HostListFacts facts;
  std::vector<std::string> problems;
  ASSERT_TRUE(
      list.ReadText("69.9 a.example\n70 b.example\n100 c.example\n0 d.example\n"
                    "e.example\nx f.example\n1 2 g.example\n-5 h.example\n",
                    &facts, &problems));
  const auto has = [&](const std::string& host) {
    return list.Find("http://" + host + "/") != nullptr;
  };
  EXPECT_TRUE(has("a.example"));
  EXPECT_FALSE(has("b.example"));
  EXPECT_FALSE(has("c.example"));
  EXPECT_TRUE(has("d.example"));
  EXPECT_TRUE(has("e.example")) << "a line without a number always counts";
  EXPECT_TRUE(has("h.example"));
  EXPECT_EQ(facts.spared, 2u);
  EXPECT_EQ(facts.bad, 2u);
  EXPECT_EQ(facts.entries, 4u);
  EXPECT_EQ(facts.lines, 8u);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(problems[0], HasSubstr("list:6"));
}

// ---- the choice ----

struct Chosen {
  SeedsResult result;
  std::vector<std::string> seeds, refused;
};

Chosen Choose(const std::vector<std::string>& given, uint64_t size,
              uint64_t per_host, const std::string& blacklist = "",
              const std::string& spam = "") {
  SeedsOptions options;
  options.size = size;
  options.per_host = per_host;
  SeedProposals proposals;
  proposals.given = given;
  HostList black, of_spam;
  HostListFacts facts;
  std::vector<std::string> problems;
  EXPECT_TRUE(black.ReadText(blacklist, &facts, &problems));
  EXPECT_TRUE(of_spam.ReadText(spam, &facts, &problems));
  Chosen chosen;
  SeedChoice choice(
      options, proposals, black, of_spam,
      [&](const SeedVerdict& verdict) -> Status {
        if (verdict.refusal)
          chosen.refused.push_back(verdict.address + " " +
                                   std::string(ChoiceName(*verdict.refusal)));
        else
          chosen.seeds.push_back(verdict.address);
        return {};
      });
  EXPECT_TRUE(choice.Run(1 << 20, &chosen.result));
  uint64_t on_hosts = 0;
  for (const auto& [host, seeds] : choice.hosts()) on_hosts += seeds;
  EXPECT_EQ(on_hosts, chosen.seeds.size());
  EXPECT_EQ(chosen.result.hosts, choice.hosts().size());
  return chosen;
}

TEST(SeedChoiceTest, GivenAddressesInTheirOrderByThePlainRules) {
  SplitMix64 random(6);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<std::string> given;
    for (int i = 0; i < 25; ++i) {
      static const std::string kHosts[] = {"a.example", "b.example",
                                           "bad.example", "s.example"};
      given.push_back("http://" + kHosts[random.Below(4)] + "/" +
                      std::to_string(random.Below(4)));
      if (random.Below(8) == 0) given.back() = "ftp://x.example/";
    }
    const uint64_t size = random.Below(10), per_host = random.Below(4);
    std::vector<std::string> seeds;
    std::map<std::string, uint64_t> of_host;
    std::set<std::string> seen;
    size_t refused = 0;
    for (const std::string& url : given) {
      if (seeds.size() >= size) break;
      if (!seen.insert(url).second) continue;
      const std::string host = UrlHost(url);
      if (url.starts_with("ftp") || host == "bad.example" ||
          host == "s.example" || (per_host > 0 && of_host[host] >= per_host)) {
        ++refused;
        continue;
      }
      ++of_host[host];
      seeds.push_back(url);
    }
    const Chosen chosen =
        Choose(given, size, per_host, "bad.example\n", "s.example\n");
    EXPECT_EQ(chosen.seeds, seeds) << trial;
    EXPECT_EQ(chosen.refused.size(), refused);
    EXPECT_EQ(chosen.result.seeds, seeds.size());
    EXPECT_EQ(chosen.result.enough, seeds.size() >= size);
    uint64_t counted = 0;
    for (const uint64_t count : chosen.result.refused) counted += count;
    EXPECT_EQ(counted, refused);
    EXPECT_EQ(chosen.result.by_source[0], seeds.size());
  }
}

TEST(SeedChoiceTest, OneAddressInSeveralSpellingsIsOneSeed) {
  const Chosen chosen =
      Choose({"HTTP://A.example:80/x", "http://a.example/x#part",
              "http://a.example/x", "http://a.example/%78"},
             10, 0);
  EXPECT_THAT(chosen.seeds, ElementsAre("http://a.example/x"));
  EXPECT_FALSE(chosen.result.enough);
}

TEST(SeedChoiceTest, BlacklistsComeBeforeSpamAndHosts) {
  const Chosen chosen =
      Choose({"http://x.example/1", "http://x.example/2", "http://y.example/",
              "mailto:a@b", "http://z.example/"},
             10, 1, "x.example/2\n", "x.example/2\ny.example\n");
  EXPECT_THAT(chosen.seeds,
              ElementsAre("http://x.example/1", "http://z.example/"));
  EXPECT_THAT(chosen.refused,
              ElementsAre("http://x.example/2 blacklist",
                          "http://y.example/ spam", "mailto:a@b no-address"));
}

TEST(SeedChoiceTest, WhatDoesNotFitIntoTheMemoryIsTold) {
  SeedsOptions options;
  options.size = 1000;
  SeedProposals proposals;
  for (int i = 0; i < 1000; ++i)
    proposals.given.push_back("http://h" + std::to_string(i) + ".example/");
  const HostList none;
  SeedChoice choice(options, proposals, none, none,
                    [](const SeedVerdict&) { return Status(); });
  SeedsResult result;
  const Status status = choice.Run(10'000, &result);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kMemory);
  EXPECT_THAT(status.error().remedy, HasSubstr("fewer seeds"));
}

}  // namespace
}  // namespace twinset
