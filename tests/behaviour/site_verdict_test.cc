// Pages whose main text the site overrules, and those that it does not: from
// markup to pairs.
#include "support/dedup_fixture.h"

namespace twinset::testing {
namespace {

class SiteVerdictTest : public ::testing::Test {
 protected:
  // Words of a few letters, separated by spaces.
  std::string Words(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      text += i == 0 ? "" : " ";
      for (uint64_t letters = 2 + random_.Below(7); letters > 0; --letters)
        text += "aeioubcdlmnrst"[random_.Below(14)];
    }
    return text;
  }
  std::string Sentences(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      text += "The " + Words(1) + " of the " + Words(1) + " is in " + Words(1) +
              " and was " + Words(1) + ". ";
    }
    return text;
  }
  std::string Article() {
    std::string paragraphs;
    for (int i = 0; i < 5; ++i) paragraphs += "<p>" + Sentences(3) + "</p>";
    return paragraphs;
  }

  // 40 pages of a site, the first eight with the same article; beside it a box
  // of 25 items that are different on each page.
  std::string Rows(bool items_are_links) {
    const std::string shared = Article();
    std::string rows;
    for (int i = 0; i < 40; ++i) {
      std::string items;
      for (int k = 0; k < 25; ++k) {
        items += items_are_links ? "<li><a href='/" + Words(1) + "'>" +
                                       Words(5) + "</a></li>"
                                 : "<li>" + Words(5) + "</li>";
      }
      rows += "{\"id\":\"" + std::to_string(i) +
              "\",\"url\":\"https://a.example/" + std::to_string(i) +
              "\",\"html\":\"<title>" + Words(2) +
              "</title><meta property='og:type' content='article'><body><div "
              "class='top'><a href='/'>Home of the site</a>"
              "</div><h1>" +
              Words(2) + "</h1><article>" + (i < 8 ? shared : Article()) +
              "</article><div class='sidebar related'><ul>" + items +
              "</ul></div><div>Last line of the frame</div></body>\"}\n";
    }
    return rows;
  }

  TemporaryFolder folder_;
  SplitMix64 random_{5};
};

TEST_F(SiteVerdictTest, TextOfThePageAloneOutweighsTextOfManyPages) {
  for (const bool items_are_links : {true, false}) {
    SCOPED_TRACE(items_are_links);
    Write(folder_ / "in.jsonl", Rows(items_are_links));
    DedupOptions options = OptionsFor(folder_ / "in.jsonl", folder_ / "out");
    options.overwrite = true;
    options.input.html_field = "html";
    options.features.content = ContentMode::kMain;
    const DedupSummary summary = MustDedup(options);
    const Json json = Json::parse(Read(folder_ / "out/summary.json"));
    // The model is sure of the article on all pages.
    EXPECT_EQ(json["pages"]["unsure"], 0);
    // Changing links beside an article do not make it another one. Eight pages
    // that share a text and have as much of their own are no copies.
    EXPECT_EQ(json["template"]["pages_widened"], items_are_links ? 0 : 8);
    EXPECT_EQ(summary.dropped, items_are_links ? 7u : 0u);
    options.features.template_blocks = TemplateRule::kKeep;
    EXPECT_EQ(MustDedup(options).dropped, 7u);
  }
}

TEST_F(SiteVerdictTest, AMatchSaysWhatPagesAre) {
  const std::string rows = Rows(false);
  Write(folder_ / "a.jsonl", rows);
  Write(folder_ / "b.jsonl", rows);
  MatchOptions options = PageMatchOptions(folder_);
  options.features.content = ContentMode::kMain;
  EXPECT_EQ(MustMatch(options).matched, 40u);
  const Json json = Json::parse(Read(folder_ / "out/summary.json"));
  uint64_t pages = 0;
  for (const auto& [kind, count] : json["pages"]["kinds"].items())
    pages += count.get<uint64_t>();
  EXPECT_EQ(pages, 80u);
  EXPECT_EQ(json["template"]["pages_widened"], 16);
  // Both copies of a page are widened alike.
  for (const Json& row : ReadRows(folder_ / "out/pairs.jsonl")) {
    EXPECT_EQ(row["a"], row["b"]);
    EXPECT_FALSE(row.contains("template_differs"));
  }
}

}  // namespace
}  // namespace twinset::testing
