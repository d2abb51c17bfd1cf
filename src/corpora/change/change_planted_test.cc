// Webs of known lives, as archives of records: every state equals the plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "change/change_testing.h"
#include "change/moves.h"
#include "twinset/corpora/change.h"

namespace twinset {
namespace {

using test::CsvOf;
using test::DrawnWords;
using test::ShinglesOf;
using test::WeekOf;

constexpr int kSnapshots = 30;

// What an address answers with: a text, or where it leads to.
struct Answer {
  std::string text, redirect;
};
using Web = std::map<std::string, Answer>;

std::string RecordOf(const std::string& type, const std::string& url,
                     const std::string& date, const std::string& block) {
  return "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Target-URI: " + url +
         "\r\nWARC-Date: " + date + "\r\nWARC-Record-ID: <urn:x:" + url + date +
         ">\r\nContent-Type: application/http\r\nContent-Length: " +
         std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
}

// A page that was found.
std::string PageOf(const std::string& url, const std::string& words,
                   const std::string& date) {
  return RecordOf(
      "response", url, date,
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + words);
}

std::string ArchiveOf(const Web& web, const std::string& date) {
  std::string warc = RecordOf("request", "https://a.org/", date, "GET /\r\n");
  warc += RecordOf("response", "https://gone.org/", date,
                   "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n"
                   "Location: https://a.org/home\r\n\r\nno\r\n");
  for (const auto& [url, answer] : web)
    warc +=
        RecordOf("response", url, date,
                 answer.redirect.empty()
                     ? "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" +
                           answer.text
                     : "HTTP/1.1 301 Moved\r\nLocation: " + answer.redirect +
                           "\r\n\r\n");
  return warc;
}

// What becomes of page `i`, of those whose lives are drawn, at its end.
void EndPage(size_t i, bool is_first, const std::string& text, Web* web) {
  const std::string url = "https://a.org/p/" + std::to_string(i);
  const std::string other = "https://b.org/t/moved/" + std::to_string(i);
  switch (i % 7) {
    case 0:  // to a page of its own, for all
      (*web)[url].redirect = "/home";
      break;
    case 1:  // to its text, over two further redirects
      (*web)[url].redirect = "https://b.org/r/1/" + std::to_string(i);
      (*web)["https://b.org/r/1/" + std::to_string(i)].redirect =
          "../2/" + std::to_string(i);
      (*web)["https://b.org/r/2/" + std::to_string(i)].redirect = other;
      (*web)[other].text = text;
      break;
    case 2:  // to what is not there, or to itself
      (*web)[url].redirect = i % 2 == 0 ? url : "https://c.org/none";
      break;
    case 3:
      if (is_first) (*web)[other].text = text;
      break;
    case 4:
      if (is_first) (*web)[other].text = text + "and a word more";
      break;
    case 5:  // too little of it
      if (is_first) (*web)[other].text = text.substr(0, text.size() / 2);
      break;
    default:
      break;
  }
}

// 280 pages of which a tenth ends each week, one whose advertisement rotates,
// one with a lasting paragraph more each week, and one that is away at times.
std::vector<Web> PlantedArchives() {
  std::vector<Web> webs(kSnapshots);
  SplitMix64 random(12);
  for (size_t i = 0; i < 280; ++i) {
    int life = 1;
    while (random.Below(10) != 0) ++life;
    const std::string text = DrawnWords(100 + i, 60);
    for (int s = 0; s < kSnapshots; ++s) {
      Web& web = webs[static_cast<size_t>(s)];
      if (s < life)
        web["https://a.org/p/" + std::to_string(i)].text = text;
      else
        EndPage(i, s == life, text, &web);
    }
  }
  std::string log = DrawnWords(1, 60);
  for (int s = 0; s < kSnapshots; ++s) {
    Web& web = webs[static_cast<size_t>(s)];
    const auto week = static_cast<uint64_t>(s);
    web["https://a.org/home"].text = DrawnWords(9, 30);
    web["https://ad.com/"].text =
        DrawnWords(2, 60) + DrawnWords(5000 + week, 20);
    log += DrawnWords(6000 + week, 20);
    web["https://log.com/weekly"].text = log;
    if (s % 7 < 4) web["https://back.org/"].text = DrawnWords(4, 40);
  }
  return webs;
}

double JaccardOfTexts(const std::string& a, const std::string& b) {
  const auto x = ShinglesOf(a), y = ShinglesOf(b);
  const auto common = static_cast<double>(
      std::count_if(x.begin(), x.end(),
                    [&y](const auto& shingle) { return y.contains(shingle); }));
  return common / (static_cast<double>(x.size() + y.size()) - common);
}

bool HasText(const Web& web, const std::string& url) {
  const auto found = web.find(url);
  return found != web.end() && found->second.redirect.empty();
}

std::string Resolved(const std::string& url, const std::string& target) {
  if (target.starts_with("https:")) return target;
  if (target == "/home") return "https://a.org/home";
  return "https://b.org/r/2/" + url.substr(url.rfind('/') + 1);
}

struct Expected {
  std::string state, to;
  double jaccard = -1;
};

// Says by the definition what became of an address that has no text in `web`
// and had one.
Expected Departure(const Web& before, const Web& web, const std::string& url) {
  std::string at = url;
  for (int hop = 0;
       hop < 32 && web.contains(at) && !web.at(at).redirect.empty(); ++hop)
    at = Resolved(at, web.at(at).redirect);
  const std::string& text = before.at(url).text;
  if (web.contains(url))
    return {"redirected", at,
            HasText(web, at) ? JaccardOfTexts(text, web.at(at).text) : -1};
  Expected best = {"gone", "", -1};
  for (const auto& [other, answer] : web) {
    if (!HasText(web, other) || HasText(before, other)) continue;
    const double jaccard = JaccardOfTexts(text, answer.text);
    if (jaccard >= .9 && jaccard > best.jaccard)
      best = {"moved", other, jaccard};
  }
  return best;
}

class ChangeArchives : public ::testing::Test {
 protected:
  Result<ChangeResult> Measure(const std::vector<std::string>& snapshots,
                               const std::string& suffix) {
    options_.features.content = ContentMode::kAll;
    options_.resources.memory_bytes = 64 << 20;
    for (size_t s = 0; s < snapshots.size(); ++s) {
      options_.snapshots.push_back(dir_.path() + "/" + std::to_string(100 + s) +
                                   suffix);
      EXPECT_TRUE(WriteWholeFile(options_.snapshots.back(), snapshots[s]));
    }
    options_.out = dir_.path() + "/out";
    return MeasureChange(options_);
  }
  Result<ChangeResult> MeasureWebs(const std::vector<Web>& webs) {
    std::vector<std::string> archives;
    for (size_t s = 0; s < webs.size(); ++s)
      archives.push_back(ArchiveOf(webs[s], WeekOf(static_cast<int>(s))));
    return Measure(archives, ".warc");
  }
  std::vector<std::vector<std::string>> Changes() const {
    return CsvOf(options_.out + "/changes.csv");
  }

  const TestDir dir_;
  ChangeOptions options_;
};

void ExpectBandsHold(const ChangeResult& result) {
  size_t seen = 0, outside = 0;
  for (const ChangeCurve& curve : result.curves) {
    if (curve.what != "address" || curve.group != "depth:2") continue;
    EXPECT_EQ(curve.watched, 280u);
    double truth = 1;
    int week = 0;
    for (const ChangeCurve::Step& step : curve.steps) {
      for (; week < step.days / 7; ++week) truth *= .9;
      ++seen;
      outside += truth < step.low || truth > step.high;
    }
  }
  EXPECT_GT(seen, 15u);
  EXPECT_LE(outside, 3u);
}

// A redirect shows both texts where it leads to a page, else the first.
void ExpectRedirectsAreShown(const std::string& path) {
  const Json page = Json::Parse(ReadWholeFile(path, 10 << 20).value());
  std::string state;
  std::map<std::string, int> pairs;
  for (const Json& block : page["blocks"]) {
    if (block.contains("heading"))
      state = block["heading"]["text"].get<std::string>();
    if (!block.contains("pair")) continue;
    const Json& pair = block["pair"];
    const bool landed = pair["title"] != "Nothing to compare";
    EXPECT_FALSE(pair["left"]["text"].empty());
    EXPECT_EQ(pair["right"]["text"].empty(), !landed);
    EXPECT_FALSE(pair["right"]["name"].get<std::string>().empty());
    EXPECT_TRUE(pair["tags"][0].get<std::string>().starts_with("seen 2024-"));
    ++pairs[state.substr(0, state.find(':')) + (landed ? "" : " to nothing")];
  }
  EXPECT_EQ(pairs["Redirected"] + pairs["Redirected to nothing"], 5);
  EXPECT_GT(pairs["Redirected"], 0);
  EXPECT_GT(pairs["Redirected to nothing"], 0);
  EXPECT_GT(pairs["Back again"], 0);
}

TEST_F(ChangeArchives, StatesEqualThePlan) {
  const std::vector<Web> webs = PlantedArchives();
  const auto result = MeasureWebs(webs);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->quarantined, 0u);
  EXPECT_EQ(result->moves_left_out, 0u);
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> rows;
  for (const auto& row : Changes()) rows[{row[0], row[1]}] = row;
  std::set<std::string> known;
  std::map<std::string, uint64_t> sums, expected_sums;
  size_t compared = 0;
  for (size_t s = 0; s < webs.size(); ++s) {
    const auto expect = [&](const std::string& url, const Expected& expected) {
      const auto& row = rows[{WeekOf(static_cast<int>(s)), url}];
      ASSERT_EQ(row.size(), 8u) << url << " " << s;
      ++compared;
      EXPECT_EQ(row[2], expected.state) << url << " " << s;
      EXPECT_EQ(row[7], expected.to) << url << " " << s;
      EXPECT_EQ(row[3].empty() ? -1 : std::stod(row[3]), expected.jaccard);
      ++expected_sums[expected.state];
      expected_sums["moved near"] +=
          expected.state == "moved" && expected.jaccard < 1;
      const bool follows =
          expected.state == "redirected" && expected.jaccard >= 0;
      expected_sums["followed"] += follows;
      expected_sums["followed near"] += follows && expected.jaccard >= .9;
    };
    for (const auto& [url, answer] : webs[s]) {
      if (!HasText(webs[s], url)) continue;
      const bool is_known = !known.insert(url).second;
      if (s == 0) continue;
      Expected expected = {is_known ? "returned" : "new", "", -1};
      if (is_known) expected.jaccard = 1;  // what returns is as it was
      if (HasText(webs[s - 1], url)) {
        expected.jaccard =
            JaccardOfTexts(webs[s - 1].at(url).text, answer.text);
        expected.state = expected.jaccard == 1    ? "exact"
                         : expected.jaccard >= .9 ? "near"
                                                  : "changed";
      }
      expect(url, expected);
    }
    if (s == 0) continue;
    for (const auto& [url, answer] : webs[s - 1])
      if (HasText(webs[s - 1], url) && !HasText(webs[s], url))
        expect(url, Departure(webs[s - 1], webs[s], url));
    const ChangeStep& step = result->steps[s - 1];
    for (const auto& choice : kChoices<PageState>)
      sums[std::string(choice.name)] += step.of(choice.value);
    sums["moved near"] += step.moved_near;
    sums["followed"] += step.redirects_followed;
    sums["followed near"] += step.redirects_near;
  }
  EXPECT_EQ(compared + 1, rows.size());  // the head
  EXPECT_EQ(sums, expected_sums);
  for (const char* each :
       {"moved", "moved near", "gone", "redirected", "followed",
        "followed near", "returned", "changed", "near"})
    EXPECT_GT(sums[each], 3u) << each;
  ExpectBandsHold(*result);
  ExpectRedirectsAreShown(options_.out + "/page.json");
  const auto recrawl = CsvOf(options_.out + "/recrawl.csv");
  EXPECT_EQ(recrawl[1][0], "https://log.com/weekly");
  for (const auto& row : recrawl) {
    if (row[0] != "https://ad.com/") continue;
    EXPECT_EQ(row[2], "new text does not last");
  }
}

// Every text is nearly the same as every other: the first of each side are
// compared, and the others are counted.
TEST_F(ChangeArchives, TextsThatAllPagesShareAreCompared) {
  constexpr uint64_t kPages = 120;
  std::vector<Web> webs(2);
  for (uint64_t i = 0; i < kPages; ++i)
    for (size_t s = 0; s < 2; ++s)
      webs[s]["https://a.org/" + std::to_string(s) + "/" + std::to_string(i)]
          .text =
          DrawnWords(1, 150) + "own" + std::to_string(s) + std::to_string(i);
  const auto result = MeasureWebs(webs);
  ASSERT_TRUE(result) << result.error().ToString();
  const ChangeStep& step = result->steps[0];
  EXPECT_GE(step.moved_near, MoveFinder::kMostCompared);
  EXPECT_LT(step.moved_near, kPages);
  EXPECT_EQ(step.of(PageState::kMoved), step.moved_near);
  EXPECT_EQ(step.of(PageState::kGone), kPages - step.moved_near);
  EXPECT_EQ(result->moves_left_out, kPages - step.moved_near);
}

TEST_F(ChangeArchives, PagesOfAWikiAreSnapshotsToo) {
  const auto page = [](const std::string& title, const std::string& day,
                       const std::string& rest, const std::string& text) {
    return "<page><title>" + title + "</title>" + rest +
           "<revision><timestamp>2024-01-" + day +
           "T00:00:00Z</timestamp><text>" + text + "</text></revision></page>";
  };
  const std::string head =
      "<mediawiki><siteinfo><base>https://w.org/wiki/Main</base></siteinfo>";
  const std::string text = DrawnWords(1, 40);
  const auto result =
      Measure({head + page("Old name", "01", "", text) +
                   page("B", "02", "", "b") + "</mediawiki>",
               head +
                   page("Old name", "08", "<redirect title=\"New name\" />",
                        "#REDIRECT [[New name]]") +
                   page("New name", "09", "", text) + page("B", "02", "", "b") +
                   "</mediawiki>"},
              ".xml");
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->redirects, 1u);
  EXPECT_EQ(result->dates[1], "2024-01-09T00:00:00Z");
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& row : Changes()) rows[row[1]] = row;
  const auto& old = rows["https://w.org/wiki/Old_name"];
  ASSERT_EQ(old.size(), 8u);
  EXPECT_EQ(old[2], "redirected");
  EXPECT_EQ(old[3], "1");
  EXPECT_EQ(old[7], "https://w.org/wiki/New_name");
  EXPECT_EQ(rows["https://w.org/wiki/New_name"][2], "new");
  EXPECT_EQ(rows["https://w.org/wiki/B"][2], "exact");
}

// The last of several answers in a snapshot counts, however many there are.
TEST_F(ChangeArchives, OfRepeatedRedirectsTheLastCounts) {
  const std::string a = "https://a.org/", text = DrawnWords(1, 40);
  const auto moved = [&](const std::string& to) {
    return RecordOf("response", a, WeekOf(1),
                    "HTTP/1.1 301 Moved\r\nLocation: " + to + "\r\n\r\n");
  };
  std::string second = PageOf("https://a.org/right", text, WeekOf(1));
  for (int i = 0; i < 100; ++i) second += moved("/wrong" + std::to_string(i));
  const auto result =
      Measure({PageOf(a, text, WeekOf(0)), second + moved("/right")}, ".warc");
  ASSERT_TRUE(result) << result.error().ToString();
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& row : Changes()) rows[row[1]] = row;
  ASSERT_EQ(rows[a].size(), 8u);
  EXPECT_EQ(rows[a][2], "redirected");
  EXPECT_EQ(rows[a][7], "https://a.org/right");
}

// A revisit stands for the capture before it, whatever comes between and
// behind.
TEST_F(ChangeArchives, RevisitsAreAsThePageWas) {
  const std::string a = "https://a.org/", text = DrawnWords(1, 40);
  const auto page = [&](const std::string& words, int week) {
    return PageOf(a, words, WeekOf(week));
  };
  const auto revisit = [&](const std::string& url, int week,
                           const std::string& refers_to) {
    std::string record = RecordOf("revisit", url, WeekOf(week), "");
    if (!refers_to.empty())
      record.insert(record.find("WARC-Date"),
                    "WARC-Refers-To-Target-URI: " + refers_to + "\r\n");
    return record;
  };
  const std::string other = DrawnWords(2, 40);
  const auto result = Measure(
      {revisit(a, 0, "") + page(text, 0), revisit(a, 1, a), revisit(a, 2, ""),
       page(other, 3) + revisit(a, 3, a), revisit(a, 4, "https://b.org/x"),
       revisit(a, 5, a) + revisit("https://c.org/", 5, "")},
      ".warc");
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->revisits, 7u);
  // The first, which no page precedes; that of another address; a new one.
  EXPECT_EQ(result->unknown_revisits, 3u);
  EXPECT_EQ(result->repeated, 1u);
  EXPECT_EQ(result->warnings.size(), 1u);
  std::vector<std::string> states;
  for (const ChangeStep& step : result->steps)
    for (size_t s = 0; s < step.states.size(); ++s)
      if (step.states[s] > 0)
        states.emplace_back(ChoiceName(static_cast<PageState>(s)));
  EXPECT_EQ(states, (std::vector<std::string>{"exact", "exact", "changed",
                                              "gone", "returned"}));
  EXPECT_EQ(result->steps[1].mean_jaccard, 1);
}

// A crawler that keeps digests refers to the capture by its date.
TEST_F(ChangeArchives, RevisitsReferToACaptureByItsDate) {
  const std::string a = "https://a.org/";
  const auto page = [&](uint64_t seed, int week) {
    return PageOf(a, DrawnWords(seed, 40), WeekOf(week));
  };
  const auto revisit = [&](int week, int of_week) {
    std::string record = RecordOf("revisit", a, WeekOf(week), "");
    record.insert(record.find("WARC-Date"),
                  "WARC-Refers-To-Date: " + WeekOf(of_week) + "\r\n");
    return record;
  };
  const auto result = Measure({page(1, 0), page(2, 1), revisit(2, 0),
                               revisit(3, 1), revisit(4, 1), revisit(5, 9)},
                              ".warc");
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->revisits, 4u);
  EXPECT_EQ(result->unknown_revisits, 1u);
  std::vector<std::string> states;
  for (const auto& row : Changes())
    if (row[0] != "to") states.push_back(row[2]);
  EXPECT_EQ(states, (std::vector<std::string>{"changed", "changed", "changed",
                                              "exact", "gone"}));
}

// What a revisit record says of an error or of a redirect is no page.
TEST_F(ChangeArchives, ARevisitOfAnErrorIsNoPage) {
  const auto page = [](const std::string& url, uint64_t seed, int week) {
    return PageOf(url, DrawnWords(seed, 40), WeekOf(week));
  };
  const auto revisit = [](const std::string& url, int week,
                          const std::string& head) {
    return RecordOf("revisit", url, WeekOf(week), head);
  };
  const std::string a = "https://a.org/", b = "https://b.org/";
  const std::string gone = "HTTP/1.1 404 Not Found\r\n\r\n";
  const std::string away = "HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n";
  const std::string same = "HTTP/1.1 304 Not Modified\r\n\r\n";
  const std::string fine = "HTTP/1.1 200 OK\r\n\r\n";
  const auto result = Measure(
      {page(a, 1, 0) + page(b, 2, 0), revisit(a, 1, gone) + revisit(b, 1, away),
       revisit(a, 2, same) + revisit(b, 2, fine)},
      ".warc");
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->revisits, 2u);
  EXPECT_EQ(result->redirects, 1u);
  std::multiset<std::string> states;
  for (const auto& row : Changes())
    if (row[0] != "to") states.insert(row[2]);
  EXPECT_EQ(states, (std::multiset<std::string>{"gone", "redirected",
                                                "returned", "returned"}));
}

// Revisits share the number of a capture: still each departure moves to what
// came in its own snapshot.
TEST_F(ChangeArchives, RevisitsMoveAtTheirOwnSnapshots) {
  const std::string text = DrawnWords(1, 200);
  const auto page = [](const std::string& url, const std::string& words,
                       int week) { return PageOf(url, words, WeekOf(week)); };
  const std::string a = "https://a.org/", filler = "https://f.org/";
  const std::string other = DrawnWords(2, 30);
  // a leaves twice; what comes instead is nearly its text.
  const auto result = Measure(
      {page(a, text, 0) + page(filler, other, 0),
       page("https://b.org/1", text + " one", 1) + page(filler, other, 1),
       RecordOf("revisit", a, WeekOf(2), "") + page(filler, other, 2),
       page("https://b.org/3", text + " three", 3) + page(filler, other, 3)},
      ".warc");
  ASSERT_TRUE(result) << result.error().ToString();
  std::map<std::string, std::string> moved_to;
  for (const auto& row : Changes())
    if (row[1] == a && row[2] == "moved") moved_to[row[0]] = row[7];
  EXPECT_EQ(moved_to, (std::map<std::string, std::string>{
                          {WeekOf(1), "https://b.org/1"},
                          {WeekOf(3), "https://b.org/3"}}));
}

}  // namespace
}  // namespace twinset
