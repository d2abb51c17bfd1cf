// Blocks that repeat on the pages of a site: which they are, what is compared
// without them, and what rows and summary say. The reference counts with a map.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "support/dedup_fixture.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

std::string Words(uint64_t seed, size_t count) {
  SplitMix64 random(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : " ") + SyntheticCorpus::Word(random.Below(100000));
  return text;
}

// A page of blocks, each a line of its own.
struct Page {
  std::string id, url, field;
  std::vector<std::string> blocks;

  std::string Html() const {
    std::string html = "<html><body>";
    for (const std::string& block : blocks) html += "<div>" + block + "</div>";
    return html + "</body></html>";
  }
  std::string Row() const {
    return "{\"id\":\"" + id + "\",\"url\":\"" + url + "\",\"crawl\":\"" +
           field + "\",\"html\":\"" + Html() + "\"}\n";
  }
};

std::string RowsOf(const std::vector<Page>& pages) {
  std::string rows;
  for (const Page& page : pages) rows += page.Row();
  return rows;
}

// `count` pages of one host with a footer and text of their own.
std::vector<Page> Site(const std::string& host, size_t count,
                       const std::string& footer, uint64_t seed) {
  std::vector<Page> pages;
  for (size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    pages.push_back({host + "-" + n,
                     "https://" + host + "/" + n,
                     "",
                     {Words(seed + i, 60), footer}});
  }
  return pages;
}

// What the definition says, in as many words.
struct Reference {
  std::vector<std::string> whole, left;  // of each page, blocks by line feeds
  std::vector<std::set<std::string>> removed;
  size_t template_blocks = 0, cut = 0, whole_pages = 0;

  Reference(const std::vector<Page>& pages,
            const std::function<std::string(const Page&)>& site_of) {
    std::map<std::string, std::map<std::string, std::set<size_t>>> sites;
    std::map<std::string, size_t> sizes;
    for (size_t i = 0; i < pages.size(); ++i) {
      const std::string site = site_of(pages[i]);
      ++sizes[site];
      for (const std::string& block : pages[i].blocks)
        sites[site][block].insert(i);
    }
    const auto is_template = [&](const std::string& site, size_t count) {
      return !site.empty() && count >= 20 &&
             static_cast<double>(count) >=
                 0.05 * static_cast<double>(sizes[site]) - 1e-9;
    };
    for (const auto& [site, blocks] : sites) {
      for (const auto& [block, on] : blocks)
        template_blocks += is_template(site, on.size());
    }
    for (const Page& page : pages) {
      const std::string site = site_of(page);
      std::string all, rest;
      std::set<std::string> dropped;
      for (const std::string& block : page.blocks) {
        all += (all.empty() ? "" : "\n") + block;
        if (is_template(site, sites[site][block].size())) {
          dropped.insert(block);
        } else {
          rest += (rest.empty() ? "" : "\n") + block;
        }
      }
      const auto separators = std::count_if(rest.begin(), rest.end(),
                                            [](char c) { return c < 'a'; });
      const bool enough = !rest.empty() && separators + 1 >= 25;
      const bool cuts = !dropped.empty() && enough;
      cut += cuts;
      whole_pages += !dropped.empty() && !enough;
      whole.push_back(all);
      left.push_back(cuts ? rest : all);
      removed.push_back(cuts ? dropped : std::set<std::string>());
    }
  }
};

std::string HostOf(const Page& page) {
  return page.url.substr(0, page.url.find('/', 8));
}

std::vector<std::string> Spaced(std::vector<std::string> texts) {
  for (std::string& text : texts)
    std::replace(text.begin(), text.end(), '\n', ' ');
  return texts;
}

// Random small sites: blocks drawn from a few that many pages have and many
// that few have, pages copied with changes.
std::vector<Page> RandomSites(uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Page> pages;
  const size_t sites = 2 + random.Below(3);
  for (size_t site = 0; site < sites; ++site) {
    const std::string host = "host" + std::to_string(site) + ".example";
    const size_t count = 15 + random.Below(40);
    const size_t common = random.Below(5), first = pages.size();
    for (size_t i = 0; i < count; ++i) {
      Page page;
      page.id = host + "-" + std::to_string(i);
      page.url = "https://" + host + "/" + std::to_string(i);
      if (i > 0 && random.Below(4) == 0) {
        page.blocks = pages[first + random.Below(i)].blocks;
      } else {
        const size_t own = random.Below(4);
        for (size_t b = 0; b < own; ++b)
          page.blocks.push_back(Words(random.Next(), 5 + random.Below(60)));
      }
      // Frames that differ from page to page, in any place, some twice.
      for (size_t b = 0; b < common; ++b) {
        if (random.Below(10) < 3) continue;
        const auto at = page.blocks.begin() +
                        static_cast<long>(random.Below(page.blocks.size() + 1));
        page.blocks.insert(at, Words(1000 * site + b, 4 + 30 * b));
      }
      if (page.blocks.empty()) page.blocks.push_back(Words(random.Next(), 3));
      pages.push_back(page);
    }
  }
  // Hosts take turns, as in a crawl.
  for (size_t i = pages.size(); i > 1; --i)
    std::swap(pages[i - 1], pages[random.Below(i)]);
  return pages;
}

class TemplateTest : public ::testing::Test {
 protected:
  DedupOptions Options(const std::string& out = "out") {
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / out);
    options.input.html_field = "html";
    options.features.content = ContentMode::kAll;
    options.overwrite = true;
    return options;
  }
  DedupSummary Run(const std::vector<Page>& pages,
                   const std::function<void(DedupOptions*)>& set = {}) {
    Write(folder_ / "in.jsonl", RowsOf(pages));
    DedupOptions options = Options();
    if (set) set(&options);
    return MustDedup(options);
  }
  // A match of what stands in a.jsonl and b.jsonl.
  void RunMatch(const std::function<void(MatchOptions*)>& set = {}) {
    MatchOptions options = PageMatchOptions(folder_);
    options.features.content = ContentMode::kAll;
    if (set) set(&options);
    MustMatch(options);
  }
  Json Template() {
    return Json::parse(Read(folder_ / "out/summary.json"))["template"];
  }
  TemporaryFolder folder_;
};

TEST_F(TemplateTest, ABlockOnTwentyPagesOfItsSiteIsTemplate) {
  const std::string footer = Words(1, 12);
  for (const auto& [pages, blocks] : {std::pair{19, 0}, {20, 1}}) {
    Run(Site("a.example", static_cast<size_t>(pages), footer, 100));
    EXPECT_EQ(Template()["blocks"], blocks);
    EXPECT_EQ(Template()["pages_cut"], blocks * pages);
    EXPECT_EQ(Template()["code_points_dropped"].get<size_t>(),
              static_cast<size_t>(blocks * pages) * (footer.size() + 1));
  }
  const Json row = Template()["most_frequent"][0];
  EXPECT_EQ(row["text"], footer.substr(0, 120));
  EXPECT_EQ(row["site"], "a.example");
  EXPECT_EQ(row["pages"], 20);
  EXPECT_EQ(row["share"], 1);
}

TEST_F(TemplateTest, AndOnOneInTwenty) {
  for (const auto& [pages, blocks] : {std::pair{400, 1}, {401, 0}}) {
    std::vector<Page> site =
        Site("a.example", static_cast<size_t>(pages), "", 100);
    for (Page& page : site) page.blocks.pop_back();
    for (size_t i = 0; i < 20; ++i) site[3 * i].blocks.push_back("see also");
    Run(site);
    EXPECT_EQ(Template()["blocks"], blocks) << pages;
  }
}

// What the model holds to be main content stays, on however many pages.
TEST_F(TemplateTest, OfMainContentItTakesWhatIsNotLikely) {
  // A small page keeps all but navigation, so these too.
  const std::string buttons =
      "<div class='share social'><a href='1'>Facebook</a> <a href='2'>Twitter"
      "</a></div>";
  const std::string said = "<p>" + Words(7, 60) + ".</p>";
  for (const bool has_buttons : {false, true}) {
    std::string rows;
    for (size_t i = 0; i < 25; ++i) {
      const std::string number = std::to_string(i);
      const std::string own = "<p>" + Words(700 + i, 60) + ".</p>";
      rows += R"({"id":"p)" + number + R"(","url":"https://a.example/)" +
              number + R"(","html":"<body><article><h1>News</h1>)" + own;
      if (!has_buttons) rows += said + own;
      rows += "</article>";
      if (has_buttons) rows += buttons;
      rows += "</body>\"}\n";
    }
    Write(folder_ / "in.jsonl", rows);
    DedupOptions options = Options();
    options.features.content = ContentMode::kMain;
    MustDedup(options);
    EXPECT_EQ(Template()["blocks"], 2);
    EXPECT_EQ(Template()["pages_cut"], has_buttons ? 25 : 0);
  }
}

// 420 pages with text of their own, of which the first have the menu of a
// section: short lines that are on less than one page in twenty.
std::vector<Page> SiteWithSection(size_t pages_of_section, size_t entries) {
  std::vector<Page> site = Site("a.example", 420, "", 100);
  for (size_t i = 0; i < site.size(); ++i) {
    site[i].blocks.pop_back();
    if (i >= pages_of_section) continue;
    for (size_t entry = 0; entry < entries; ++entry)
      site[i].blocks.push_back(Words(9000 + entry, 3));
  }
  return site;
}

TEST_F(TemplateTest, ARowOfFourEntriesOnTenPagesIsAMenu) {
  struct Case {
    size_t pages, entries, cut;
  };
  for (const Case& one :
       {Case{9, 6, 0}, Case{10, 3, 0}, Case{10, 4, 10}, Case{19, 60, 19}}) {
    SCOPED_TRACE(std::to_string(one.pages) + " " + std::to_string(one.entries));
    const std::vector<Page> site = SiteWithSection(one.pages, one.entries);
    Run(site);
    EXPECT_EQ(Template()["blocks"], 0);
    EXPECT_EQ(Template()["pages_cut"], one.cut);
    size_t code_points = 0;
    for (size_t i = 0; i < one.cut; ++i) {
      for (size_t b = 1; b < site[i].blocks.size(); ++b)
        code_points += site[i].blocks[b].size() + 1;
    }
    EXPECT_EQ(Template()["code_points_dropped"], code_points);
  }
}

TEST_F(TemplateTest, EntriesOfAMenuFollowEachOtherAndAreShort) {
  std::vector<Page> site = SiteWithSection(15, 6);
  // The same lines in another order on each page are no menu.
  for (size_t i = 0; i < 15; ++i) {
    std::vector<std::string>& blocks = site[i].blocks;
    SplitMix64 random(i);
    for (size_t b = blocks.size() - 1; b > 1; --b)
      std::swap(blocks[b], blocks[1 + random.Below(b)]);
  }
  Run(site);
  EXPECT_EQ(Template()["pages_cut"], 0);
  // Nor are paragraphs.
  site = SiteWithSection(15, 6);
  for (size_t i = 0; i < 15; ++i) {
    for (size_t b = 1; b < site[i].blocks.size(); ++b)
      site[i].blocks[b] = Words(b, 20);
  }
  Run(site);
  EXPECT_EQ(Template()["pages_cut"], 0);
}

TEST_F(TemplateTest, PagesDifferByWhatIsBesideTheMenu) {
  std::vector<Page> site = SiteWithSection(19, 150);
  // The same text in two sections is a pair, other text beside one menu not.
  site[300].blocks = site[3].blocks = {site[3].blocks[0]};
  for (size_t entry = 0; entry < 150; ++entry)
    site[3].blocks.push_back(Words(9000 + entry, 3));
  const DedupSummary summary = Run(site);
  EXPECT_EQ(summary.dropped, 1u);
  const auto pairs = ReadRows(folder_ / "out/pairs.jsonl");
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0]["a"], "a.example-3");
  EXPECT_EQ(pairs[0]["b"], "a.example-300");
  EXPECT_EQ(pairs[0]["template_differs"], true);
}

TEST_F(TemplateTest, APageThatIsLeftWithLittleKeepsItsMenu) {
  std::vector<Page> site = SiteWithSection(12, 40);
  site[5].blocks[0] = Words(1, 7);
  site[6].blocks[0] = Words(1, 8);
  Run(site);
  EXPECT_EQ(Template()["pages_cut"], 11);
  EXPECT_EQ(Template()["pages_whole"], 0);
}

TEST_F(TemplateTest, ABlockIsCountedOnceAPageAndAlsoWhereItIsNotKept) {
  std::vector<Page> site = Site("a.example", 19, "next page", 100);
  for (Page& page : site) page.blocks.push_back("next page");
  Run(site);
  EXPECT_EQ(Template()["blocks"], 0);
  // Main content leaves the navigation out, on whatever page; it is counted.
  std::string rows;
  for (size_t i = 0; i < 25; ++i) {
    const std::string text = Words(500 + i, 200);
    rows += "{\"id\":\"p" + std::to_string(i) +
            "\",\"url\":\"https://a.example/" + std::to_string(i) +
            "\",\"html\":\"<body><nav><ul><li><a href='/'>home</a></li><li><a "
            "href='/x'>contact</a></li></ul></nav><main><p>" +
            text + ".</p></main></body>\"}\n";
  }
  Write(folder_ / "in.jsonl", rows);
  DedupOptions options = Options();
  options.features.content = ContentMode::kMain;
  MustDedup(options);
  EXPECT_EQ(Template()["blocks"], 2);
  EXPECT_EQ(Template()["most_frequent"][0]["text"], "home");
}

TEST_F(TemplateTest, APageThatIsLeftWithLittleIsComparedWholeAndTold) {
  const std::string frame = Words(1, 80);
  std::vector<Page> site = Site("a.example", 30, frame, 100);
  for (size_t i = 0; i < 5; ++i) site[i].blocks = {frame};
  site[5].blocks = {frame, Words(7, 24)};
  site[6].blocks = {frame, Words(7, 25)};
  const DedupSummary summary = Run(site);
  EXPECT_EQ(Template()["pages_whole"], 6);
  EXPECT_EQ(Template()["pages_cut"], 24);
  EXPECT_EQ(summary.clusters, 1u);  // the five that are frame alone
  EXPECT_EQ(Template()["clusters_mostly_template"], 1);
  ASSERT_EQ(summary.notices.size(), 1u);
  EXPECT_NE(summary.notices.back().find("mostly the template"),
            std::string::npos)
      << summary.notices.back();
  EXPECT_TRUE(ReadLines(folder_ / "out/empty.txt").empty());
}

TEST_F(TemplateTest, SitesAreCountedApart) {
  const std::string footer = Words(1, 12);
  std::vector<Page> both = Site("a.example", 15, footer, 100);
  for (const Page& page : Site("b.example", 15, footer, 200))
    both.push_back(page);
  Run(both);
  EXPECT_EQ(Template()["sites"], 2);
  EXPECT_EQ(Template()["blocks"], 0);
  for (Page& page : both) page.field = "spring";
  Run(both, [](DedupOptions* o) { o->features.site = "crawl"; });
  EXPECT_EQ(Template()["sites"], 1);
  EXPECT_EQ(Template()["blocks"], 1);
  Run(both, [](DedupOptions* o) { o->features.site = "source"; });
  EXPECT_EQ(Template()["pages_cut"], 30);
  // A document without a value has no site.
  for (size_t i = 0; i < 11; ++i) both[i].field = "";
  Run(both, [](DedupOptions* o) { o->features.site = "crawl"; });
  EXPECT_EQ(Template()["pages"], 19);
  EXPECT_EQ(Template()["blocks"], 0);
}

TEST_F(TemplateTest, WithoutASiteNothingIsDropped) {
  std::vector<Page> site = Site("a.example", 30, Words(1, 12), 100);
  for (Page& page : site) page.url = "";
  Run(site);
  EXPECT_FALSE(
      Json::parse(Read(folder_ / "out/summary.json")).contains("template"));
  for (Page& page : site) page.url = "https://a.example/";
  Run(site, [](DedupOptions* o) {
    o->features.template_blocks = TemplateRule::kKeep;
  });
  EXPECT_FALSE(
      Json::parse(Read(folder_ / "out/summary.json")).contains("template"));
}

TEST_F(TemplateTest, FilesAreOfTheFolderThatWasGiven) {
  for (const char* name : {"one", "two"})
    std::filesystem::create_directories(folder_ / (std::string(name) + "/sub"));
  const std::vector<Page> site = Site("a.example", 24, Words(1, 12), 100);
  for (size_t i = 0; i < site.size(); ++i) {
    Write(folder_ / ((i < 12 ? "one/" : "one/sub/") + site[i].id + ".html"),
          site[i].Html());
    Write(folder_ / ("two/" + site[i].id + ".html"), site[i].Html());
  }
  DedupOptions options = Options();
  options.input.html_field = "";
  options.input.inputs = {folder_ / "one", folder_ / "two"};
  MustDedup(options);
  EXPECT_EQ(Template()["sites"], 2);
  EXPECT_EQ(Template()["blocks"], 2);
  EXPECT_EQ(Template()["largest_sites"][0]["site"], "one");
  EXPECT_EQ(Template()["largest_sites"][1]["site"], "two");
  // Files that are named one by one are of the folder they lie in.
  options.input.inputs.clear();
  for (size_t i = 0; i < 20; ++i)
    options.input.inputs.push_back(folder_ / ("two/" + site[i].id + ".html"));
  MustDedup(options);
  EXPECT_EQ(Template()["sites"], 1);
  EXPECT_EQ(Template()["pages_cut"], 20);
}

TEST_F(TemplateTest, SidesOfAMatchAreCountedApart) {
  const std::string footer = Words(1, 12);
  Write(folder_ / "a.jsonl", RowsOf(Site("a.example", 15, footer, 100)));
  Write(folder_ / "b.jsonl", RowsOf(Site("a.example", 25, footer, 100)));
  RunMatch();
  EXPECT_EQ(Template()["sites"], 2);
  EXPECT_EQ(Template()["blocks"], 1);
  EXPECT_EQ(Template()["most_frequent"][0]["side"], "b");
  EXPECT_EQ(Template()["pages_cut"], 25);
}

// Passages stand where they stood in the whole text.
TEST_F(TemplateTest, PassagesKeepTheirPlaces) {
  std::vector<Page> site = Site("a.example", 20, Words(2, 12), 100);
  for (Page& page : site)
    page.blocks.insert(page.blocks.begin(), "na\xC3\xAFve menu");
  Write(folder_ / "a.jsonl", RowsOf(site));
  Write(folder_ / "b.jsonl",
        "{\"id\":\"b\",\"text\":\"" + site[3].blocks[1] + "\"}\n");
  RunMatch([](MatchOptions* options) {
    options->against_input.text_field = "text";
    options->method.measure = Measure::kContainment;
  });
  const auto rows = ReadRows(folder_ / "out/passages.jsonl");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["a_begin"], 11);
  EXPECT_EQ(rows[0]["a_end"].get<size_t>(), 11 + site[3].blocks[1].size());
  EXPECT_EQ(rows[0]["b_begin"], 0);
}

TEST_F(TemplateTest, PairsAlikeOnlyWithoutTemplateSaySo) {
  std::vector<Page> site = Site("a.example", 40, "", 100);
  const std::string text = Words(9, 40), spring = Words(1, 30),
                    autumn = Words(2, 30);
  for (size_t i = 0; i < 40; ++i) site[i].blocks[1] = i < 20 ? spring : autumn;
  site[3].blocks[0] = site[7].blocks[0] = site[25].blocks[0] = text;
  Run(site);
  const auto pairs = ReadRows(folder_ / "out/pairs.jsonl");
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_FALSE(pairs[0].contains("template_differs"));  // 3 and 7
  EXPECT_EQ(pairs[1]["template_differs"], true);
  EXPECT_EQ(pairs[2]["template_differs"], true);
  const auto rows = ReadRows(folder_ / "out/clusters.jsonl");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_FALSE(rows[0].contains("template_differs"));
  EXPECT_FALSE(rows[1].contains("template_differs"));
  EXPECT_EQ(rows[2]["template_differs"], true);
  Run(site, [](DedupOptions* o) { o->output_format = OutputFormat::kCsv; });
  EXPECT_EQ(ReadLines(folder_ / "out/pairs.csv"),
            (std::vector<std::string>{"a,b,similarity,template_differs",
                                      "a.example-3,a.example-7,1,false",
                                      "a.example-3,a.example-25,1,true",
                                      "a.example-7,a.example-25,1,true"}));
  // Two frames that are nearly the same are no difference.
  for (size_t i = 20; i < 40; ++i) site[i].blocks[1] = spring + " too";
  Run(site);
  for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl"))
    EXPECT_FALSE(row.contains("template_differs")) << row;
}

// Which pairs, at which similarity, and what is said of them: by definition.
TEST_F(TemplateTest, RandomSitesAreWhatTheReferenceSays) {
  size_t pairs_seen = 0, cut = 0, whole = 0, differ = 0;
  constexpr uint64_t kSites = TWINSET_SLOW_BUILD ? 8 : 25;
  for (uint64_t seed = 1; seed <= kSites; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Page> pages = RandomSites(seed);
    const Reference reference(pages, HostOf);
    Run(pages, [](DedupOptions*) {});
    EXPECT_EQ(Template()["blocks"], reference.template_blocks);
    EXPECT_EQ(Template()["pages_cut"], reference.cut);
    EXPECT_EQ(Template()["pages_whole"], reference.whole_pages);
    const NaiveTruth left(Spaced(reference.left)), all(Spaced(reference.whole));
    const auto expected = left.Pairs(0.8);
    const auto rows = ReadRows(folder_ / "out/pairs.jsonl");
    ASSERT_EQ(rows.size(), expected.size());
    size_t i = 0;
    for (const auto& [pair, similarity] : expected) {
      const Json& row = rows[i++];
      EXPECT_EQ(row["a"], pages[pair.first].id);
      EXPECT_EQ(row["b"], pages[pair.second].id);
      EXPECT_EQ(row["similarity"], similarity);
      const bool differs =
          reference.removed[pair.first] != reference.removed[pair.second] &&
          all.Jaccard(pair.first, pair.second) < 0.8;
      EXPECT_EQ(row.value("template_differs", false), differs) << row;
      differ += differs;
    }
    pairs_seen += rows.size();
    cut += reference.cut;
    whole += reference.whole_pages;
  }
  // The draw has all cases.
  EXPECT_GT(pairs_seen, 20 * kSites);
  EXPECT_GT(cut, 20 * kSites);
  EXPECT_GT(whole, 2 * kSites);
  EXPECT_GT(differ, kSites / 5);
}

// Every method sees the text that is left, and nothing else.
TEST_F(TemplateTest, EveryMethodComparesWhatIsLeft) {
  const std::vector<Page> pages = RandomSites(3);
  const Reference reference(pages, HostOf);
  ASSERT_GT(reference.cut, 20u);
  std::string texts;
  for (size_t i = 0; i < pages.size(); ++i) {
    std::string text = reference.left[i];
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;
         at += 2)
      text.replace(at, 1, "\\n");
    texts += "{\"id\":\"" + pages[i].id + "\",\"url\":\"" + pages[i].url +
             "\",\"text\":\"" + text + "\"}\n";
  }
  Write(folder_ / "in.jsonl", RowsOf(pages));
  Write(folder_ / "text.jsonl", texts);
  size_t found = 0;
  const auto expect_same = [&](const std::string& what,
                               const std::function<void(DedupOptions*)>& set) {
    SCOPED_TRACE(what);
    DedupOptions options = Options("pages");
    set(&options);
    MustDedup(options);
    options.input.html_field = "";
    options.input.inputs = {folder_ / "text.jsonl"};
    options.out = folder_ / "texts";
    MustDedup(options);
    auto of_pages = ReadRows(folder_ / "pages/pairs.jsonl");
    for (Json& row : of_pages) row.erase("template_differs");
    EXPECT_EQ(of_pages, ReadRows(folder_ / "texts/pairs.jsonl"));
    for (const char* name : {"keep.txt", "drop.txt", "empty.txt"}) {
      EXPECT_EQ(Read(folder_ / (std::string("pages/") + name)),
                Read(folder_ / (std::string("texts/") + name)));
    }
    found += of_pages.size();
  };
  for (const MethodInfo& method : Methods()) {
    // They compare bytes.
    if (method.name == "exact" || method.name == "rabin-mod-prime") continue;
    expect_same(method.name,
                [&](DedupOptions* o) { o->method.name = method.name; });
  }
  for (const char* level : {"text", "tokens"}) {
    expect_same(level, [&](DedupOptions* o) {
      o->method.name = "exact";
      o->method.level = *FindChoice<CopyLevel>(level);
    });
  }
  for (const char* measure : {"cosine-tf", "edit"}) {
    expect_same(measure, [&](DedupOptions* o) {
      o->method.measure = *FindChoice<Measure>(measure);
    });
  }
  expect_same("verify text",
              [](DedupOptions* o) { o->method.verify_text = true; });
  expect_same("verify none", [](DedupOptions* o) {
    o->method.name = "minhash";
    o->method.verify = false;
  });
  expect_same("max-df", [](DedupOptions* o) { o->max_df = 3; });
  expect_same("components", [](DedupOptions* o) {
    o->cluster = ClusterRule::kComponents;
    o->method.threshold = 0.5;
  });
  expect_same("within", [](DedupOptions* o) { o->within = "host"; });
  expect_same("across", [](DedupOptions* o) { o->across = "host"; });
  expect_same("longest in a small budget", [](DedupOptions* o) {
    o->resources.memory_bytes = 64 << 20;
    o->keep = {"shortest"};
  });
  Write(folder_ / "ignored.txt", reference.left[5]);
  expect_same("ignore",
              [&](DedupOptions* o) { o->ignore = {folder_ / "ignored.txt"}; });
  EXPECT_GT(found, 100u);
}

TEST_F(TemplateTest, ExactBytesAndUnitsKnowNoTemplate) {
  const std::vector<Page> site = Site("a.example", 30, Words(1, 12), 100);
  Run(site, [](DedupOptions* o) { o->method.name = "exact"; });
  EXPECT_TRUE(Template().is_null());
  CutOptions cut;
  CopyParts<RunOptions>(Options(), &cut);
  cut.unit = UnitKind::kLine;
  MustCut(cut);
  EXPECT_TRUE(Template().is_null());
  Run(site, [](DedupOptions* o) { o->features.content = ContentMode::kRaw; });
  EXPECT_TRUE(Template().is_null());
}

TEST_F(TemplateTest, ThreadsAndMemoryChangeNothing) {
  std::vector<Page> pages;
  for (uint64_t seed = 50; seed < (TWINSET_SLOW_BUILD ? 53 : 60); ++seed) {
    for (const Page& page : RandomSites(seed)) pages.push_back(page);
  }
  for (const Page& page : SiteWithSection(15, 40)) pages.push_back(page);
  for (size_t i = 0; i < pages.size(); ++i)
    pages[i].id = "p" + std::to_string(i);
  Write(folder_ / "in.jsonl", RowsOf(pages));
  DedupOptions options = Options();
  options.report = true;
  MustDedup(options);
  const auto expected = PromisedBytes(folder_ / "out");
  for (const int threads : {1, 2, 8}) {
    for (const uint64_t memory : {64 << 20, 1 << 30}) {
      options.resources.threads = threads;
      options.resources.memory_bytes = memory;
      MustDedup(options);
      EXPECT_EQ(PromisedBytes(folder_ / "out"), expected);
    }
  }
}

TEST_F(TemplateTest, ARunThatDiesInTheStageGoesOn) {
  Write(folder_ / "in.jsonl", RowsOf(RandomSites(3)));
  DedupOptions base = Options("base");
  MustDedup(base);
  const auto expected = PromisedBytes(folder_ / "base");
  for (const char* stage : {"read", "template", "sketch", "verify"}) {
    SCOPED_TRACE(stage);
    std::atomic<bool> stop = false;
    DedupOptions options = base;
    options.out = folder_ / "stopped";
    options.stop = &stop;
    options.on_progress = [&](const Progress& progress) {
      stop = stop || progress.stage == stage || progress.step == stage;
    };
    const auto stopped = Dedup(options);
    if (!stopped) {
      EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
      options.stop = nullptr;
      options.on_progress = nullptr;
      options.resume = true;
      options.overwrite = false;
      MustDedup(options);
    }
    EXPECT_EQ(PromisedBytes(folder_ / "stopped"), expected);
  }
  // A full disk at any write.
  std::atomic<int> writes = 0;
  SetFileFault([&](const std::string&, size_t) { return ++writes, 0; });
  base.out = folder_ / "count";
  MustDedup(base);
  const int total = writes;
  for (int fail_at = 1; fail_at <= total; fail_at += std::max(1, total / 12)) {
    DedupOptions options = base;
    options.out = folder_ / ("out-" + std::to_string(fail_at));
    writes = 0;
    SetFileFault([&](const std::string&, size_t) {
      return ++writes >= fail_at ? ENOSPC : 0;
    });
    const auto failed = Dedup(options);
    SetFileFault({});
    ASSERT_FALSE(failed);
    options.resume = true;
    options.overwrite = false;
    if (!Dedup(options)) {
      options.resume = false;
      options.overwrite = true;
      MustDedup(options);
    }
    ASSERT_EQ(PromisedBytes(options.out), expected) << fail_at;
  }
  SetFileFault({});
}

}  // namespace
}  // namespace twinset::testing
