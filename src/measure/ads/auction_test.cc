#include "twinset/measure/auction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ads/ad_match.h"
#include "ads/bids.h"
#include "ads/query_log.h"
#include "ads/search_page.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Files {
 public:
  std::string Put(const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteWholeFile(dir_ / name, text));
    return dir_ / name;
  }

 private:
  TestDir dir_;
};

// "advertiser price outcome" of each ad.
std::vector<std::string> Shown(const Result<AuctionResult>& result) {
  if (!result) return {result.error().ToString()};
  std::vector<std::string> rows;
  for (const AuctionAd& ad : result->ads)
    rows.push_back(ad.advertiser + " " +
                   (ad.outcome == AdOutcome::kShown
                        ? MoneyText(ad.price_cents)
                        : std::string(ChoiceName(ad.outcome))));
  return rows;
}

TEST(Auction, GoldenTableFromAFile) {
  Files files;
  AuctionOptions options;
  options.bids = files.Put("bids.csv",
                           "advertiser,bid,ctr\nA,4.00,0.01\nB,3.00,0.03\n"
                           "C,2.00,0.06\nD,1.00,0.08\n");
  EXPECT_THAT(Shown(HoldAuction(options)),
              ElementsAre("C 1.51", "B 2.68", "D 0.51", "A 0.01"));
}

TEST(Auction, GotoRanksTheDivorceLawyerAndGspDoesNot) {
  Files files;
  AuctionOptions options;
  options.bids =
      files.Put("bids.csv",
                "advertiser,bid,ctr,keywords\n"
                "Counsellor,0.40,0.045,does my husband cheat|husband\n"
                "Divorce Lawyer,4.00,0,does my husband cheat\n"
                "Other,9.00,0.5,wife\n");
  options.query = "Does my husband cheat?";
  options.mechanism = AuctionMechanism::kGoto;
  EXPECT_THAT(
      Shown(HoldAuction(options)),
      ElementsAre("Divorce Lawyer 4.00", "Counsellor 0.40", "Other no-match"));
  options.mechanism = AuctionMechanism::kGsp;
  EXPECT_THAT(Shown(HoldAuction(options)),
              ElementsAre("Counsellor 0.01", "Divorce Lawyer no-clicks",
                          "Other no-match"));
}

// The fourteen dearest searches of the sources: each is an auction of its own.
TEST(Auction, TopBidsListKeepsItsOrder) {
  const std::vector<std::pair<std::string, std::string>> top = {
      {"mesothelioma treatment options", "69.1"},
      {"personal injury lawyer michigan", "65.9"},
      {"student loans consolidation", "62.6"},
      {"car accident attorney los angeles", "61.4"},
      {"online car insurance quotes", "59.4"},
      {"arizona dui lawyer", "59.4"},
      {"asbestos cancer", "46.4"},
      {"home equity line of credit", "40.1"},
      {"life insurance quotes", "39.8"},
      {"refinancing", "39.2"},
      {"equity line of credit", "38.7"},
      {"lasik eye surgery new york city", "38.0"},
      {"2nd mortgage", "37.0"},
      {"free car insurance quote", "35.9"}};
  std::string csv = "advertiser,bid,ctr,keywords,match\n";
  for (const auto& [query, bid] : top)
    csv += query + " inc,$" + bid + ",0.02," + query + ",phrase\n";
  Files files;
  AuctionOptions options;
  options.bids = files.Put("top.csv", csv);
  options.mechanism = AuctionMechanism::kGoto;
  const auto all = HoldAuction(options);
  ASSERT_TRUE(all) << all.error().ToString();
  ASSERT_EQ(all->ads.size(), top.size());
  EXPECT_EQ(all->ads.front().price_cents, 6910);
  EXPECT_EQ(all->ads.back().price_cents, 3590);
  for (size_t i = 1; i < top.size(); ++i)
    EXPECT_LE(all->ads[i].price_cents, all->ads[i - 1].price_cents);
  // "home equity line of credit" holds "equity line of credit".
  options.mechanism = AuctionMechanism::kGsp;
  options.query = "home equity line of credit";
  const auto one = HoldAuction(options);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->ads[0].match, KeywordMatch::kExact);
  EXPECT_EQ(one->ads[0].price_cents, 3871);
  EXPECT_EQ(one->ads[1].match, KeywordMatch::kPhrase);
  EXPECT_EQ(one->ads[1].price_cents, 1);
  EXPECT_EQ(one->ads[2].outcome, AdOutcome::kNoMatch);
}

TEST(Auction, RatesAreSmoothedAndFactorsMultiply) {
  EXPECT_EQ(ads::SmoothedRate(1, 10, {1, 100}), ads::Ratio::Of(2, 110));
  EXPECT_EQ(ads::SmoothedRate(0, 0, {0, 0}), ads::Ratio());
  EXPECT_EQ(ads::SmoothedRate(2, 1, {1, 100}), std::nullopt);
  Files files;
  AuctionOptions options;
  options.bids = files.Put(
      "bids.csv",
      "advertiser,bid,impressions,clicks,landing_quality,load_ms,landing\n"
      "lucky,1.00,1,1,,100,http://l/\nproven,1.00,10000,500,1.5,4000,http://p/"
      "a\n");
  options.prior_clicks = 0, options.prior_impressions = 0;
  EXPECT_EQ(HoldAuction(options)->ads[0].advertiser, "lucky");
  options.prior_clicks = 1, options.prior_impressions = 100;
  const auto smoothed = HoldAuction(options);
  EXPECT_EQ(smoothed->ads[0].advertiser, "proven");
  EXPECT_EQ(smoothed->ads[0].quality, 1.5);
  options.factors = files.Put(
      "factors.csv",
      "advertiser,factor,value,times\n*,load,1000,0.5\n*,load,3000,0.25\n"
      "proven,place,DE,2\nproven,hour,22-5,0.5\n*,landing,http://p,0.5\n"
      "lucky,place,DE,9\n");
  EXPECT_EQ(HoldAuction(options)->ads[1].quality, 1.5 * 0.25 * 0.5);
  options.place = "DE", options.hour = 23;
  const auto german = HoldAuction(options);
  EXPECT_EQ(german->ads[0].advertiser, "lucky");
  EXPECT_EQ(german->ads[1].quality, 1.5 * 0.25 * 0.5 * 2 * 0.5);
}

TEST(Auction, TrademarksRefuseKeywordsOfOthers) {
  Files files;
  AuctionOptions options;
  options.bids = files.Put(
      "bids.csv",
      "advertiser,bid,ctr,keywords\nGEICO,1,0.1,geico\n"
      "Rival,5,0.1,Geico insurance|car insurance\nShark,9,0.1,geico\n");
  options.trademarks = files.Put("marks.csv", "term,owner\ngeico,GEICO\n");
  options.query = "geico car insurance";
  const auto result = HoldAuction(options);
  EXPECT_THAT(Shown(result),
              ElementsAre("Rival 1.01", "GEICO 0.01", "Shark trademark"));
  EXPECT_EQ(result->refused_keywords, 2u);
  EXPECT_EQ(result->ads[0].keyword, "car insurance");
  EXPECT_EQ(result->ads[0].trademark, "geico");
}

TEST(Auction, ArbitrageIsAPriceBelowWhatTheLandingPageEarns) {
  Files files;
  AuctionOptions options;
  options.bids = files.Put(
      "bids.csv",
      "advertiser,bid,ctr,landing\nshop,2,0.1,http://shop.example/\n"
      "adpage,1,0.1,HTTP://ads.example:80/x\nedge,0.50,0.1,http://e.example/\n"
      "last,0.40,0.1,http://z.example/\n");
  // Prices: shop 1.01, adpage .51, edge .41, last .01.
  options.landings =
      files.Put("landings.csv",
                "landing,visits,ad_revenue\nhttp://ads.example/x,1000,520\n"
                "http://e.example/,100,41\nhttp://shop.example/,1000,3.00\n");
  const auto result = HoldAuction(options);
  ASSERT_TRUE(result) << result.error().ToString();
  std::vector<bool> flagged;
  for (const AuctionAd& ad : result->ads) flagged.push_back(ad.arbitrage);
  // What is paid and earned for "edge" is equal: no gain.
  EXPECT_THAT(flagged, ElementsAre(false, true, false, false));
}

TEST(Auction, AdsMatchThePage) {
  Files files;
  AuctionOptions options;
  options.bids =
      files.Put("bids.csv",
                "advertiser,bid,ctr,title,text\n"
                "music,1,0.01,Beastie Boys tickets,Album and tour\n"
                "phones,1,0.01,Ringtones,Download to your cell phone\n");
  options.page = files.Put(
      "page.txt",
      "Beastie Boys recording a political album. The group is in the middle of "
      "a tour, says the band. Tickets are sold out.");
  const auto result = HoldAuction(options);
  EXPECT_THAT(Shown(result), ElementsAre("music 0.01", "phones no-match"));
  EXPECT_GE(result->ads[0].relevance, 0.8);
  EXPECT_FALSE(result->page_terms.empty());
}

TEST(AdMatch, StrictestMatchFirst) {
  using ads::Match;
  const ads::Terms query = {"buy", "red", "car", "now"};
  EXPECT_EQ(ads::MatchKeyword(query, query), Match::kExact);
  EXPECT_EQ(ads::MatchKeyword({"red", "car"}, query), Match::kPhrase);
  EXPECT_EQ(ads::MatchKeyword({"car", "red"}, query), Match::kBroad);
  EXPECT_EQ(ads::MatchKeyword({"red", "red"}, query), std::nullopt);
  EXPECT_EQ(ads::MatchKeyword({}, query), std::nullopt);
  EXPECT_EQ(ads::FixedLog2(8, 1), 3u * 65536);
  EXPECT_EQ(ads::FixedLog2(3, 2), 38336u);  // log2(1.5) = .58496
  EXPECT_EQ(ads::FixedLog2(5, 5), 0u);
}

TEST(Bids, BadRowsAreLocatedAndRefused) {
  Files files;
  AuctionOptions options;
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"A,1.005,0.1", "bid '1.005'"},   {"A,1,1.1", "ctr '1.1'"},
      {"A,-1,0.1", "bid '-1'"},         {",1,0.1", "no advertiser"},
      {"A,1", "has 2 fields"},          {"A,1,0.1,9", "has 4 fields"},
      {"A,1,nan", "ctr 'nan'"},         {"\"A,1,0.1", "never closed"},
      {"A,99999999,0.1", "bid '99999"}, {"A,1,", "ctr ''"}};
  for (const auto& [row, message] : bad) {
    options.skip_bad = false;
    options.bids = files.Put(
        "bids.csv", "advertiser,bid,ctr\nB,1,0.1\n\"C\nx\",1,0.1\n" + row);
    const auto refused = HoldAuction(options);
    ASSERT_FALSE(refused) << row;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_THAT(refused.error().ToString(),
                AllOf(HasSubstr(message), HasSubstr("bids.csv line 5")));
    options.skip_bad = true;
    const auto skipped = HoldAuction(options);
    ASSERT_TRUE(skipped) << skipped.error().ToString();
    EXPECT_EQ(skipped->rows, 3u);
    ASSERT_EQ(skipped->bad.size(), 1u);
    EXPECT_EQ(skipped->bad[0].line, 5u);
    EXPECT_EQ(skipped->ads.size(), 2u);
  }
  for (const char* header :
       {"", "advertiser", "advertiser,bid,ctr,quallity", "advertiser,bid,bid",
        "advertiser,bid,ctr,clicks", "advertiser,bid,clicks", "advertiser,bid"})
    EXPECT_FALSE(
        HoldAuction({.bids = files.Put("b.csv", std::string(header) + "\n")}))
        << header;
}

// ---- Logs ----

TEST(QueryLog, SharesByFrequencyAndDecile) {
  // 20 queries: one asked 100 times, nine 10 times, ten once.
  std::string log;
  for (int i = 0; i < 100; ++i) log += "Yahoo!\n";
  for (int i = 0; i < 90; ++i) log += "mid " + std::to_string(i % 9) + "\r\n";
  for (int i = 0; i < 10; ++i) log += "rare " + std::to_string(i) + "\n";
  log += "!?\n";
  Files files;
  const auto result = MeasureQueryLog({.log = files.Put("log.txt", log)});
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->queries, 200u);
  EXPECT_EQ(result->empty, 1u);
  EXPECT_EQ(result->types, 20u);
  EXPECT_EQ(result->rare_types, 10u);
  EXPECT_EQ(result->rare_queries, 10u);
  EXPECT_EQ(result->types_by_frequency[0], 10u);
  EXPECT_EQ(result->deciles[0].types, 2u);
  EXPECT_EQ(result->deciles[0].queries, 110u);
  EXPECT_EQ(result->deciles[9].types, 2u);
  EXPECT_EQ(result->deciles[9].queries, 2u);
  EXPECT_EQ(result->head[0].query, "yahoo");
  EXPECT_EQ(result->head[0].count, 100u);
  EXPECT_FALSE(result->users);
}

// Zipf: the share of rare queries against a count with another container.
TEST(QueryLog, EqualsTheNaiveCountOnAZipfLog) {
  SplitMix64 random(4);
  std::string log = "query,user,count\n";
  std::map<std::string, uint64_t> counts;
  for (int i = 0; i < 4000; ++i) {
    // P(rank > r) about 1 / r.
    const uint64_t rank = 100000 / (1 + random.Below(100000));
    const std::string query = "q" + std::to_string(rank);
    log += "\"" + query + "\",u" + std::to_string(random.Below(50)) + ",2\n";
    counts[query] += 2;
  }
  uint64_t rare = 0;
  for (const auto& [query, count] : counts) rare += count <= 5;
  Files files;
  const auto result = MeasureQueryLog({.log = files.Put("log.csv", log)});
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->types, counts.size());
  EXPECT_EQ(result->rare_types, rare);
  EXPECT_EQ(result->queries, 8000u);
  uint64_t types = 0, queries = 0;
  for (const QueryDecile& one : result->deciles)
    types += one.types, queries += one.queries;
  EXPECT_EQ(types, result->types);
  EXPECT_EQ(queries, result->queries);
}

std::string LogOfUsers(bool everybody) {
  // 100 users with 20 common queries each; 200 rare ones, two of each user or
  // twenty of every tenth.
  std::string log = "user\tquery\n";
  SplitMix64 random(6);
  for (int user = 0; user < 100; ++user)
    for (int i = 0; i < 20; ++i)
      log += std::to_string(user) + "\tcommon " +
             std::to_string(random.Below(40)) + "\n";
  for (int i = 0; i < 200; ++i)
    log += std::to_string(everybody ? i % 100 : i % 10 * 10) + "\trare " +
           std::to_string(i) + "\n";
  return log;
}

TEST(QueryLog, TellsTheTwoExplanationsApart) {
  Files files;
  const auto every =
      MeasureQueryLog({.log = files.Put("every.tsv", LogOfUsers(true))});
  ASSERT_TRUE(every) << every.error().ToString();
  EXPECT_EQ(every->users->verdict, TailVerdict::kEveryUser);
  EXPECT_EQ(every->users->rows[0].share.observed, 1);
  EXPECT_LT(every->users->top_tenth.observed, every->users->top_tenth.low);
  const auto few =
      MeasureQueryLog({.log = files.Put("few.tsv", LogOfUsers(false))});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->users->verdict, TailVerdict::kFewUsers);
  EXPECT_EQ(few->users->rows[0].share.observed, 0.1);
  EXPECT_EQ(few->users->top_tenth.observed, 1);
  EXPECT_LT(few->users->rows[0].share.observed, few->users->rows[0].share.low);
  // Everything but the draws by chance is one with the seed; with it, all.
  const auto again =
      MeasureQueryLog({.log = files.Put("few.tsv", LogOfUsers(false))});
  EXPECT_EQ(again->users->ratio, few->users->ratio);
}

TEST(QueryLog, RefusesWhatDoesNotFitAndBadRows) {
  Files files;
  std::string log;
  for (int i = 0; i < 5000; ++i) log += "query " + std::to_string(i) + "\n";
  const auto full = MeasureQueryLog(
      {.log = files.Put("log.txt", log), .memory_bytes = 100000});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kMemory);
  const auto bad =
      MeasureQueryLog({.log = files.Put("bad.tsv", "user\tquery\n1\ta\n2\n")});
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().ToString(), HasSubstr("line 3"));
  EXPECT_FALSE(
      MeasureQueryLog({.log = files.Put("c.csv", "query,count\na,0\n")}));
}

// ---- Pages ----

TEST(SearchPage, EscapesEverythingAndKeepsAdsApart) {
  const std::string evil = "<script>alert('x')</script>\"&";
  ads::SearchPage page;
  page.query = evil;
  page.engine = evil;
  page.hits_known = true;
  page.hits = 12345;
  ads::PageResult result{"javascript:alert(1)", evil, evil, {}};
  result.similar.push_back({"https://b.example/?a=1&b=\"2\"", "", "", {}});
  page.results = {result};
  page.ads = {{evil, evil, "http://ad.example/x", evil},
              {"", "", "javascript:alert(2)", "Someone"}};
  const std::string html = ads::RenderSearchPage(page);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"javascript")));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(html, HasSubstr("1 similar result<"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(html, HasSubstr("rel=\"sponsored"));
  // Ads stand behind the end of the results, nowhere else.
  const size_t main_end = html.find("</main>");
  EXPECT_EQ(html.substr(0, main_end).find("sponsored"), std::string::npos);
  EXPECT_GT(html.find("<aside"), main_end);
  // Tags open and close in pairs.
  for (const char* tag :
       {"html",    "head", "body", "header", "main",  "aside", "ol",
        "ul",      "li",   "h1",   "h2",     "h3",    "a",     "details",
        "summary", "cite", "span", "div",    "style", "title"}) {
    const auto count = [&](const std::string& what) {
      size_t times = 0;
      for (size_t at = html.find(what); at != std::string::npos;
           at = html.find(what, at + 1))
        times += what.back() == '>' || html[at + what.size()] == ' ' ||
                 html[at + what.size()] == '>';
      return times;
    };
    EXPECT_EQ(count("<" + std::string(tag)), count("</" + std::string(tag)))
        << tag;
  }
}

TEST(SearchPage, SimilarResultsAreBehindTheFirst) {
  std::vector<ads::PageResult> results(5);
  for (size_t i = 0; i < 5; ++i) results[i].url = std::to_string(i);
  const auto kept = ads::CollapseSimilar(
      results, [](size_t x, size_t y) { return x % 2 == y % 2; });
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].url, "0");
  ASSERT_EQ(kept[0].similar.size(), 2u);
  EXPECT_EQ(kept[0].similar[1].url, "4");
}

TEST(SearchPage, SnippetsAreCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "\xc3\xa4\xe2\x82\xac";
  for (const std::string& all : {text, "a" + text, "ab" + text + " needle"}) {
    const std::string cut = ads::Snippet(all, {"needle"});
    EXPECT_LT(cut.size(), 220u);
    // No character of another start than those of the text.
    for (size_t i = 0; i < cut.size(); ++i) {
      const auto byte = static_cast<unsigned char>(cut[i]);
      const size_t size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : 3;
      ASSERT_NE(byte & 0xc0, 0x80) << i;
      ASSERT_LE(i + size, cut.size());
      i += size - 1;
    }
  }
  EXPECT_EQ(ads::Snippet("  a\n b ", {}), "a b");
  EXPECT_THAT(ads::Snippet(std::string(500, 'x') + " Needle end", {"needle"}),
              HasSubstr("Needle end"));
}

}  // namespace
}  // namespace twinset
