// Savings of predicted duplicates, and the files of rules, by the definitions.
#include "predict/fetch_savings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"
#include "predict/known_pages.h"
#include "predict/rewrite.h"
#include "predict/rules_file.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

RewriteRule Rule(RewriteKind kind, const std::string& from,
                 const std::string& to, const std::string& host,
                 uint64_t support, uint64_t errors) {
  RewriteRule rule;
  rule.kind = kind;
  rule.from = from;
  rule.to = to;
  rule.host = host;
  rule.support = support;
  rule.errors = errors;
  return rule;
}

const std::vector<RewriteRule>& Rules() {
  static const std::vector<RewriteRule> rules = {
      Rule(RewriteKind::kParameter, "sid", "", "", 100, 2),
      Rule(RewriteKind::kParameter, "sid", "", "b.org", 40, 35),
      Rule(RewriteKind::kSpelling, "www", "", "", 30, 10),
      Rule(RewriteKind::kMirror, "m.org/x", "a.org", "", 9, 0),
      Rule(RewriteKind::kSubstring, "/print/", "/", "a.org", 20, 1)};
  return rules;
}

std::vector<AddressedPage> RandomPages(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  std::set<std::string> seen;
  std::vector<AddressedPage> pages;
  while (pages.size() < count) {
    static const std::string kHosts[] = {"a.org", "www.a.org", "b.org",
                                         "m.org/x"};
    std::string address = "http://" + kHosts[random.Below(4)] +
                          (random.Below(3) == 0 ? "/print/p" : "/p") +
                          std::to_string(random.Below(8));
    if (random.Below(3) == 0)
      address += "?sid=" + std::to_string(random.Below(3));
    if (!seen.insert(address).second) continue;
    AddressedPage& page = pages.emplace_back();
    page.address = address;
    if (random.Below(4) > 0) page.cluster = random.Below(10);
  }
  return pages;
}

// The most probable page that any rule makes one with the address: all pages
// under all rules.
double BestProbability(const std::vector<std::string>& known,
                       const std::string& address) {
  double best = -1;
  for (const std::string& other : known) {
    if (other == address) return 1;
    // Where several rules do this, that of the host of the address afterwards
    // counts.
    for (const RewriteRule& action : Rules()) {
      const auto x = Rewrite(action, address), y = Rewrite(action, other);
      const std::string after = x.value_or(address);
      if (!(x || y) || after != y.value_or(other)) continue;
      const RewriteRule* of_host = nullptr;
      const RewriteRule* any = nullptr;
      for (const RewriteRule& rule : Rules()) {
        if (rule.kind != action.kind || rule.from != action.from ||
            rule.to != action.to)
          continue;
        if (rule.host.empty()) any = &rule;
        if (!rule.host.empty() && rule.host == HostOf(after)) of_host = &rule;
      }
      const RewriteRule* rule = of_host != nullptr ? of_host : any;
      if (rule != nullptr) best = std::max(best, rule->probability());
    }
  }
  return best;
}

TEST(FetchSavingsTest, SavingsAreThoseOfTheCrawlByHand) {
  uint64_t saved = 0, lost = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const auto pages = RandomPages(seed, 60);
    AddressedPages train, test;
    for (size_t i = 0; i < pages.size(); ++i)
      (i % 2 == 0 ? train : test).push_back(&pages[i]);
    for (const double probability : kSavingProbabilities) {
      std::vector<std::string> known;
      std::set<uint64_t> fetched, all;
      Saving expected;
      for (const AddressedPage* page : train) {
        known.push_back(page->address);
        fetched.insert(page->cluster);
        all.insert(page->cluster);
      }
      fetched.erase(AddressedPage::kAlone);
      all.erase(AddressedPage::kAlone);
      for (const AddressedPage* page : test) {
        const bool alone = page->cluster == AddressedPage::kAlone;
        ++expected.pages;
        expected.duplicates += all.contains(page->cluster);
        if (!alone) all.insert(page->cluster);
        if (BestProbability(known, page->address) >= probability) {
          ++(fetched.contains(page->cluster) ? expected.saved : expected.lost);
          continue;
        }
        known.push_back(page->address);
        if (!alone) fetched.insert(page->cluster);
      }
      const Saving saving = SavingOf(train, test, Rules(), probability);
      EXPECT_EQ(saving.pages, expected.pages);
      EXPECT_EQ(saving.duplicates, expected.duplicates);
      EXPECT_EQ(saving.saved, expected.saved) << seed << " " << probability;
      EXPECT_EQ(saving.lost, expected.lost) << seed << " " << probability;
      EXPECT_EQ(saving.probability, probability);
      saved += saving.saved;
      lost += saving.lost;
    }
  }
  EXPECT_GT(saved, 20u);
  EXPECT_GT(lost, 20u);
}

// Each page is held out in one fold, whichever way they are divided.
TEST(FetchSavingsTest, FoldsCoverEveryPageOnce) {
  const auto pages = RandomPages(3, 80);
  AddressedPages all;
  for (const AddressedPage& page : pages) all.push_back(&page);
  std::sort(all.begin(), all.end(), [](const auto* x, const auto* y) {
    return x->address < y->address;
  });
  RuleLearning learning;
  learning.least_support = 2;
  for (const uint64_t folds : {2, 3, 5}) {
    const auto validation = ValidateRules(all, learning, folds, 7);
    ASSERT_TRUE(validation);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(validation->pages[i].pages, pages.size());
      EXPECT_EQ(validation->hosts[i].pages, pages.size());
      EXPECT_EQ(validation->pages[i].probability, kSavingProbabilities[i]);
      EXPECT_LE(validation->pages[i].saved + validation->pages[i].lost,
                pages.size());
    }
    const auto again = ValidateRules(all, learning, folds, 7);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->pages[0].saved, validation->pages[0].saved);
    EXPECT_EQ(again->pages[0].lost, validation->pages[0].lost);
  }
}

// ---- files ----

TEST(RulesTextTest, RulesComeBack) {
  std::vector<RewriteRule> rules = Rules();
  rules.push_back(Rule(RewriteKind::kSubstring, "\"\\\n文", "", "ü.org",
                       ~uint64_t{0} >> 1, 0));
  const auto read = ParseRules(RulesText(rules), "rules.jsonl");
  ASSERT_TRUE(read) << read.error().ToString();
  ASSERT_EQ(read->size(), rules.size());
  for (size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(WhatItDoes((*read)[i]), WhatItDoes(rules[i]));
    EXPECT_EQ((*read)[i].support, rules[i].support);
    EXPECT_EQ((*read)[i].errors, rules[i].errors);
  }
  EXPECT_TRUE(ParseRules(RulesText({}), "x")->empty());
}

TEST(RulesTextTest, RowsThatAreNoRulesAreToldWithTheirLine) {
  const std::string head = RulesText({});
  const auto refused = [&](const std::string& text) {
    const auto rules = ParseRules(text, "rules.jsonl");
    if (rules) return std::string();
    EXPECT_EQ(rules.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(rules.error().where, "rules.jsonl");
    return rules.error().message;
  };
  EXPECT_THAT(refused(""), HasSubstr("it is no file of rules"));
  EXPECT_THAT(refused("{}\n"), HasSubstr("line 1: it is no file of rules"));
  EXPECT_THAT(refused("{\"magic\":\"twinset-url-rules\",\"version\":2}\n"),
              HasSubstr("another version"));
  const auto row = [&](const std::string& text) {
    return refused(head + text);
  };
  EXPECT_THAT(row("no json\n"), HasSubstr("line 2: its kind is not known"));
  const std::string counts = ",\"support\":3,\"errors\":1}\n";
  EXPECT_EQ(row(R"({"rule":"parameter","from":"x")" + counts), "");
  EXPECT_THAT(row(R"({"rule":"parameter")" + counts),
              HasSubstr("'from' is missing"));
  EXPECT_THAT(row(R"({"rule":"spelling","from":"wwww")" + counts),
              HasSubstr("no such spelling"));
  EXPECT_THAT(row(R"({"rule":"mirror","from":"a")" + counts),
              HasSubstr("'to' is missing"));
  for (const char* bad : {"-1", "1.5", "\"3\"", "null"})
    EXPECT_THAT(row(R"({"rule":"parameter","from":"x","errors":0,"support":)" +
                    std::string(bad) + "}\n"),
                HasSubstr("no counts"));
  EXPECT_THAT(row(R"({"rule":"parameter","from":"x","support":1,"errors":2})"),
              HasSubstr("more errors than pages"));
}

// Jeffreys' posterior and Wilson's interval of one's and zero's.
TEST(RulesTextTest, ProbabilitiesOfFewPagesAreCareful) {
  const RewriteRule none = Rule(RewriteKind::kParameter, "x", "", "", 0, 0);
  EXPECT_EQ(none.probability(), 0.5);
  EXPECT_EQ(none.error_rate(), 1);
  double before = 0;
  for (const uint64_t support : {1, 10, 100, 1000}) {
    const RewriteRule rule =
        Rule(RewriteKind::kParameter, "x", "", "", support, 0);
    EXPECT_GT(rule.low(), before);
    EXPECT_LT(rule.low(), rule.probability());
    EXPECT_LT(rule.probability(), 1);
    before = rule.low();
  }
  EXPECT_DOUBLE_EQ(
      Rule(RewriteKind::kParameter, "x", "", "", 3, 1).probability(), 0.625);
}

}  // namespace
}  // namespace twinset
