#include "text/content/content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "text/content/content_features.h"
#include "text/content/content_model.h"
#include "text/content/content_page.h"
#include "text/content/content_reader.h"
#include "text/content/content_testing.h"
#include "text/content/content_words.h"

namespace twinset {
namespace {

struct Split {
  std::string kept, dropped;  // blocks, each followed by a line feed
  MainContent main;
};

std::string BlockText(std::string_view html, const HtmlTree& tree,
                      const ContentBlock& block) {
  std::string text;
  for (uint32_t i = block.first_node; i < block.end_node; ++i) {
    const HtmlNode& node = tree.nodes[i];
    if (node.kind == HtmlNode::kText) {
      text += html.substr(node.begin, node.end - node.begin);
    }
  }
  return text;
}

Split SplitPage(const std::string& html) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  Split split;
  split.main = FindMainContent(html, tree, true);
  for (const ContentBlock& block : split.main.blocks) {
    (block.kept ? split.kept : split.dropped) +=
        BlockText(html, tree, block) + "\n";
  }
  return split;
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Words {
  const char *language, *title, *menu, *first, *second, *third, *share,
      *comment, *legal;
};

// The same page in several languages; sentences of our own.
const Words kLanguages[] = {
    {"en", "The old mill opens again", "Home|News|Sport|Weather|Contact",
     "The mill by the river had been closed for eleven years, and most people "
     "in the village thought that it would never turn again. On Saturday the "
     "miller's daughter opened the gate, and the wheel began to move.",
     "She had spent two winters repairing the wooden gears, which were older "
     "than anybody could say. Friends came on Sundays to help her, and in the "
     "end the school lent a crane.",
     "From next month visitors can watch how flour is made, buy bread at the "
     "door, and walk along the dam. The entrance will be free for children.",
     "Share on Facebook", "Great story, I used to fish there as a boy!",
     "Copyright 2021 The Valley Paper. All rights reserved."},
    {"de", "Die alte Mühle öffnet wieder",
     "Startseite|Nachrichten|Sport|Wetter|Kontakt",
     "Die Mühle am Fluss war elf Jahre lang geschlossen, und die meisten im "
     "Dorf glaubten, dass sie sich nie wieder drehen würde. Am Samstag öffnete "
     "die Tochter des Müllers das Tor, und das Rad setzte sich in Bewegung.",
     "Zwei Winter lang hatte sie die hölzernen Zahnräder repariert, die älter "
     "waren, als irgendjemand sagen konnte. Sonntags kamen Freunde, um ihr zu "
     "helfen, und am Ende lieh die Schule einen Kran.",
     "Vom nächsten Monat an können Besucher sehen, wie Mehl gemacht wird, Brot "
     "an der Tür kaufen und am Damm entlang gehen. Für Kinder ist der Eintritt "
     "frei.",
     "Auf Facebook teilen", "Schöne Geschichte, dort habe ich früher geangelt!",
     "Copyright 2021 Das Talblatt. Alle Rechte vorbehalten. Impressum"},
    {"ru", "Старая мельница снова открыта",
     "Главная|Новости|Спорт|Погода|Контакты",
     "Мельница у реки была закрыта одиннадцать лет, и почти все в деревне "
     "думали, что она никогда больше не заработает. В субботу дочь мельника "
     "открыла ворота, и колесо начало вращаться.",
     "Две зимы она чинила деревянные шестерни, которые были старше, чем "
     "кто-либо мог сказать. По воскресеньям приходили друзья, чтобы помочь "
     "ей, а в конце школа одолжила кран.",
     "Со следующего месяца гости смогут увидеть, как делают муку, купить хлеб "
     "у двери и пройтись вдоль плотины. Для детей вход будет бесплатным.",
     "Поделиться", "Хорошая история, я там рыбачил в детстве!",
     "© 2021 Газета долины. Все права защищены."},
    {"ja", "古い水車小屋がふたたび開く", "ホーム|ニュース|スポーツ|天気|連絡先",
     "川のそばの水車小屋は十一年のあいだ閉まっていて、村の人の多くは、もう二度"
     "と回る"
     "ことはないと思っていました。土曜日、粉屋の娘が門を開け、車輪が動きはじめ"
     "ました。",
     "彼女は二つの冬をかけて、だれにもわからないほど古い木の歯車を直しました。"
     "日曜日に"
     "は友人たちが手伝いに来て、最後には学校がクレーンを貸してくれました。",
     "来月からは、粉がどのように作られるかを見たり、戸口でパンを買ったり、堤防"
     "にそって"
     "歩いたりできます。子どもの入場は無料です。",
     "シェア", "いい話ですね、子どものころそこで釣りをしました！",
     "© 2021 谷の新聞。無断転載を禁じます。"},
};

std::string MenuItems(const std::string& menu) {
  std::string items;
  for (size_t at = 0; at <= menu.size();) {
    const size_t end = std::min(menu.find('|', at), menu.size());
    items += "<li><a href=\"/x\">" + menu.substr(at, end - at) + "</a></li>\n";
    at = end + 1;
  }
  return items;
}

std::string NewsPage(const Words& words) {
  return std::string("<!doctype html><html lang=") + words.language +
         "><head><title>" + words.title + " - Valley</title></head><body>" +
         "<header class=site-header><nav class=menu><ul>" +
         MenuItems(words.menu) + "</ul></nav></header>" +
         "<main><article class=article-body><h1>" + words.title +
         "</h1><div class=share><a href=/f>" + words.share + "</a></div><p>" +
         words.first + "</p><p>" + words.second + " " + words.first +
         "</p><p>" + words.third + " " + words.second +
         "</p></article><section id=comments class=comments><p>" +
         words.comment + "</p></section></main><aside class=sidebar><ul>" +
         MenuItems(words.menu) + "</ul></aside><footer class=footer><p>" +
         words.legal + "</p></footer></body></html>";
}

TEST(Content, KeepsTheArticleInEveryLanguage) {
  for (const Words& words : kLanguages) {
    const Split split = SplitPage(NewsPage(words));
    EXPECT_TRUE(Has(split.kept, words.first)) << words.language;
    EXPECT_TRUE(Has(split.kept, words.second)) << words.language;
    EXPECT_TRUE(Has(split.kept, words.third)) << words.language;
    EXPECT_TRUE(Has(split.dropped, words.comment)) << words.language;
    EXPECT_TRUE(Has(split.dropped, words.legal)) << words.language;
    EXPECT_TRUE(Has(split.dropped, words.share)) << words.language;
    for (const char* item : {"Sport", "Спорт", "スポーツ"}) {
      EXPECT_FALSE(Has(split.kept, item)) << words.language;
    }
    EXPECT_FALSE(split.main.fallback);
  }
}

TEST(Content, SaysWhy) {
  const Split split = SplitPage(NewsPage(kLanguages[0]));
  for (const ContentBlock& block : split.main.blocks) {
    EXPECT_FALSE(block.reason.empty());
    EXPECT_GE(block.score, 0);
    EXPECT_LE(block.score, 1);
    EXPECT_EQ(block.kept, block.score >= 0.6);
  }
}

TEST(Content, KeepsPagesThatAreAllText) {
  std::string html = "<html><body><h1>Manual</h1>";
  for (int i = 0; i < 8; ++i) {
    html += "<h2>Part " + std::to_string(i) + "</h2><p>" + kLanguages[0].first +
            "</p><pre>int part(int n) { return n + " + std::to_string(i) +
            "; }</pre><p>" + kLanguages[0].third + "</p>";
  }
  html += "</body></html>";
  const Split split = SplitPage(html);
  EXPECT_LT(split.dropped.size() * 5, split.kept.size());
  EXPECT_TRUE(Has(split.kept, "return n + 7"));
}

TEST(Content, PagesWithoutAnArticleAreNeverEmpty) {
  const Split tiny = SplitPage("<p>abc</p>");
  EXPECT_EQ(tiny.kept, "abc\n");
  std::string index =
      "<body><nav>" + MenuItems("Home|Forum|Login") + "</nav><ul>";
  for (int i = 0; i < 40; ++i) {
    index += "<li><a href=/t>Thread " + std::to_string(i) + "</a></li>";
  }
  const Split list = SplitPage(index + "</ul></body>");
  EXPECT_TRUE(Has(list.kept, "Thread 39"));
  const Split link = SplitPage("<a href=x>Only a link</a>");
  EXPECT_EQ(link.kept, "Only a link\n");
}

// The longest text of such a page is its notice; pages left with their notice
// alone would be copies of each other.
TEST(Content, ReferencePagesOfAFewLinesKeepThem) {
  const std::string notice =
      "<p>Copyright 2003 the authors of the library. Distributed under the "
      "licence of the library, version 1.0. See the accompanying file for the "
      "terms under which copies may be made and given away.</p>";
  const auto page = [&](const std::string& name) {
    return "<html><body><table><tr><td><a href=i>Home</a></td></tr></table>"
           "<h1>Macro " +
           name + "</h1><p>" + name + "</p><pre>" + name + "(x, y)</pre><hr>" +
           notice + "</body></html>";
  };
  const Split first = SplitPage(page("UNITS_FIRST"));
  EXPECT_TRUE(Has(first.kept, "UNITS_FIRST(x, y)"));
  EXPECT_TRUE(Has(first.kept, "Copyright 2003"));
  EXPECT_NE(first.kept, SplitPage(page("UNITS_SECOND")).kept);
}

TEST(Content, NoTextNoBlocks) {
  for (const char* html : {"", "   ", "<html><body></body></html>",
                           "<script>var a = 1;</script>", "<p hidden>x</p>"}) {
    const Split split = SplitPage(html);
    EXPECT_TRUE(split.main.blocks.empty()) << html;
    EXPECT_EQ(
        std::count(split.main.keep_node.begin(), split.main.keep_node.end(), 1),
        0);
  }
}

TEST(Content, InvisibleTextIsNeverKept) {
  const Words& words = kLanguages[0];
  const Split split =
      SplitPage(std::string("<article><p>") + words.first +
                "</p><p style=\"visibility: "
                "hidden\">" +
                words.second + "</p><p>" + words.third + "</p></article>");
  EXPECT_TRUE(Has(split.kept, words.third));
  EXPECT_FALSE(Has(split.kept, words.second));
}

TEST(Content, KeptNodesAreTheTextOfKeptBlocks) {
  const std::string html = NewsPage(kLanguages[1]);
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  const MainContent main = FindMainContent(html, tree, false);
  ASSERT_EQ(main.keep_node.size(), tree.nodes.size());
  std::vector<uint8_t> expected(tree.nodes.size(), 0);
  uint32_t last = 0;
  for (const ContentBlock& block : main.blocks) {
    EXPECT_GE(block.first_node, last);
    EXPECT_GT(block.end_node, block.first_node);
    last = block.end_node;
    for (uint32_t i = block.first_node; block.kept && i < block.end_node; ++i) {
      if (tree.nodes[i].kind == HtmlNode::kText &&
          (tree.nodes[i].flags & HtmlNode::kHidden) == 0) {
        expected[i] = 1;
      }
    }
  }
  EXPECT_EQ(main.keep_node, expected);
}

TEST(Content, ReasonsChangeNothing) {
  for (const Words& words : kLanguages) {
    const std::string html = NewsPage(words);
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    const MainContent with = FindMainContent(html, tree, true);
    const MainContent without = FindMainContent(html, tree, false);
    const MainContent again = FindMainContent(html, tree, false);
    EXPECT_EQ(with.keep_node, without.keep_node);
    EXPECT_EQ(again.keep_node, without.keep_node);
    ASSERT_EQ(with.blocks.size(), without.blocks.size());
    for (size_t i = 0; i < with.blocks.size(); ++i) {
      EXPECT_EQ(with.blocks[i].score, without.blocks[i].score);
      EXPECT_TRUE(without.blocks[i].reason.empty());
    }
  }
}

std::string Times(size_t count, const std::string& part) {
  std::string all;
  all.reserve(count * part.size());
  for (size_t i = 0; i < count; ++i) all += part;
  return all;
}

// Each of these took quadratic time or memory if anything looked at the whole
// page for each block.
TEST(Content, BombsStayLinear) {
  constexpr size_t n = TWINSET_SLOW_BUILD ? 10000 : 60000;
  for (const std::string& html :
       {Times(n, "<div>a"), Times(n, "<p>a b c d e f"), Times(n, "<p></p>"),
        Times(n, "<a href=x>a</a> "), Times(n, "<br><br>x"),
        Times(n, "<ul><li>x"), Times(n, "word, "), Times(n, "&amp; "),
        Times(n, "<div class=\"content comment\">"),
        "<div class=\"" + Times(n, "contentcontentaside") + "\">text</div>",
        Times(n, "<script type=application/ld+json>{\"articleBody\":\"a b "),
        "<script type=\"application/ld+json\">" +
            Times(n, "\"articleBody\":\"a\\u00") + "</script>x",
        "<title>" + Times(n, "new word ") + "</title><p>" +
            Times(n, "new word "),
        Times(n, "<table><tr><td>a") + Times(n, "<td>b")}) {
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    const MainContent main = FindMainContent(html, tree, false);
    EXPECT_EQ(main.keep_node.size(), tree.nodes.size());
  }
}

TEST(Content, TooLargePagesKeepAll) {
  const std::string html = Times(kMaxContentBlocks + 1, "<p>a");
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  const MainContent main = FindMainContent(html, tree, false);
  EXPECT_TRUE(main.fallback);
  EXPECT_EQ(std::count(main.keep_node.begin(), main.keep_node.end(), 0), 0);
}

// ---- the parts
// ----------------------------------------------------------------

TextCounts Count(std::string_view text, bool in_link = false) {
  static const SelfPortrait kNothing;
  TextCounts counts;
  uint32_t hash = 0;
  CountText(text, true, in_link, kNothing, &counts, &hash);
  return counts;
}

TEST(Content, CountsWords) {
  EXPECT_EQ(Count("").words, 0u);
  EXPECT_EQ(Count("Two words").words, 4u);
  EXPECT_EQ(Count("fa\u00e7ade caf&eacute; caf\u00e9").words, 6u);
  EXPECT_EQ(Count("a&nbsp;b&#160;c\u00a0d").words, 8u);
  EXPECT_EQ(Count("\u6c34\u8eca\u5c0f\u5c4b").words, 4u);
  EXPECT_EQ(Count("&#x6c34;&#36554;").words, 2u);
  EXPECT_EQ(Count("\u041c\u0435\u043b\u044c\u043d\u0438\u0446\u0430").words,
            2u);
  EXPECT_EQ(Count("x y", true).link_words, 4u);
  EXPECT_EQ(Count("x y").link_words, 0u);
}

TEST(Content, CountsMarks) {
  EXPECT_EQ(Count("One. Two! Three? 1.5").sentence_ends, 3u);
  EXPECT_EQ(Count("\u7d42\u308f\u308a\u3002\u306f\u3044\uff01").sentence_ends,
            2u);
  EXPECT_EQ(Count("a, b; c 1,5").commas, 2u);
  EXPECT_EQ(Count("Big Small words \u00c9t\u00e9 \u041c\u0438\u0440").capitals,
            4u);
  EXPECT_TRUE(Count("on 3 May 2019").has_year);
  EXPECT_FALSE(Count("number 20199").has_year);
  EXPECT_TRUE(Count("at 12:45").has_clock);
  EXPECT_FALSE(Count("at 12: 45").has_clock);
  EXPECT_TRUE(Count("\u00a9 me").has_copyright);
  EXPECT_TRUE(Count("&copy; me").has_copyright);
  EXPECT_EQ(Count("Stop.").last, 1);
  EXPECT_EQ(Count("Stop.\"").last, 1);
  EXPECT_EQ(Count("Go:").last, 2);
  EXPECT_EQ(Count("Go").last, 0);
  EXPECT_EQ(Count("2019 was").first, 3);
  EXPECT_EQ(Count("was 2019").first, 1);
  EXPECT_EQ(Count("Was").first, 2);
  EXPECT_EQ(Count("\u6c34").first, 4);
}

TEST(Content, KnowsStopWordsAndCues) {
  EXPECT_EQ(Count("the mill and the river").stop_words, 6u);
  EXPECT_EQ(Count("Die Mühle und DER Fluss").stop_words, 6u);
  EXPECT_EQ(Count("\u0418 \u043d\u0435 "
                  "\u043c\u0435\u043b\u044c\u043d\u0438\u0446\u0430")
                .stop_words,
            4u);
  EXPECT_EQ(Count("Share or Tweet").cues[kControlCue], 2);
  EXPECT_EQ(Count("Kommentare").cues[kCommentCue], 1);
  EXPECT_EQ(Count("millstone").cues[kControlCue], 0);
}

std::string Bordered(std::string_view value) {
  std::string all = "_";
  char last = '_';
  for (const char c : value) {
    const bool capital = c >= 'A' && c <= 'Z';
    const bool small = c >= 'a' && c <= 'z';
    if (capital && last >= 'a' && last <= 'z') all += '_';
    all += small ? c : capital ? static_cast<char>(c + 32) : '_';
    last = c;
  }
  return all + "_";
}

TEST(Content, NamesMatchLikeSubstrings) {
  struct Group {
    std::string_view name, patterns;
  };
  const Group groups[] = {
#define TWINSET_CONTENT_GROUP(enumerator, reason, patterns) {reason, patterns},
#include "text/content/content_words.inc"
#undef TWINSET_CONTENT_GROUP
  };
  std::vector<std::string> patterns;
  std::vector<size_t> group_of;
  for (size_t g = 0; g < std::size(groups); ++g) {
    std::string all(groups[g].patterns);
    for (size_t at = 0; at < all.size();) {
      const size_t end = std::min(all.find(' ', at), all.size());
      patterns.push_back(all.substr(at, end - at));
      group_of.push_back(g);
      at = end + 1;
    }
  }
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string value;
    for (uint32_t k = random() % 4; k-- > 0;) {
      std::string piece = patterns[random() % patterns.size()];
      std::replace(piece.begin(), piece.end(), '_', "- _9"[random() % 4]);
      if (random() % 3 == 0) piece = piece.substr(random() % piece.size());
      if (random() % 3 == 0 && piece[0] >= 'a')
        piece[0] = static_cast<char>(piece[0] - 32);
      value += piece;
    }
    uint64_t expected = 0;
    const std::string bordered = Bordered(value);
    for (size_t i = 0; i < patterns.size(); ++i) {
      if (Has(bordered, patterns[i])) expected |= uint64_t{1} << group_of[i];
    }
    EXPECT_EQ(ContentNames::Get().Match(value), expected) << value;
  }
}

TEST(Content, HashSetIsASet) {
  std::mt19937 random(3);
  HashSet set;
  std::set<uint32_t> expected;
  for (int i = 0; i < 5000; ++i) {
    const uint32_t value = random() % 3000 + 1;
    set.Add(value);
    expected.insert(value);
    EXPECT_EQ(set.size(), expected.size());
  }
  for (uint32_t value = 1; value < 3200; ++value) {
    EXPECT_EQ(set.Has(value), expected.count(value) == 1);
  }
}

TEST(Content, ReadsWhatThePageSaysOfItself) {
  const std::string html =
      "<head><title>Green Mill</title><meta name=Description content=\"a quiet "
      "place\"><script type=\"application/ld+json\">{\"articleBody\" : \"one "
      "\\\"two\\\" thr\\u0065e\"}</script><script>{\"articleBody\":\"no "
      "data\"}</script></head><body>x";
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  const SelfPortrait self = ReadSelfPortrait(html, tree);
  const auto hash = [](std::string_view word) {
    uint32_t found = 0;
    EachWordHash(word, true, [&](uint32_t value) { found = value; });
    return found;
  };
  const auto pair = [&](std::string_view a, std::string_view b) {
    return WordPair(hash(a), hash(b));
  };
  EXPECT_EQ(self.title.size(), 2u);
  EXPECT_TRUE(self.title.Has(hash("MILL")));
  EXPECT_TRUE(self.description.Has(pair("quiet", "place")));
  EXPECT_FALSE(self.description.Has(pair("place", "quiet")));
  EXPECT_EQ(self.body.size(), 2u);
  EXPECT_TRUE(self.body.Has(pair("two", "three")));
  EXPECT_FALSE(self.body.Has(pair("no", "data")));
}

TEST(Content, ScoresLikeTheReference) {
  std::mt19937 random(11);
  ContentLanes rows{};
  std::array<int32_t, kContentLanes> scores;
  for (int round = 0; round < 400; ++round) {
    const size_t count = random() % kContentLanes + 1;
    const int range = round % 3 == 0 ? 3 : round % 3 == 1 ? 300 : 32000;
    for (size_t k = 0; k < count; ++k) {
      for (int16_t& value : rows[k]) {
        value = static_cast<int16_t>(
            static_cast<int>(random() % (2 * range + 1)) - range);
      }
      rows[k][kReaderFeature] = static_cast<int16_t>(random() % 6);
    }
    const auto forest = static_cast<ContentForest>(random() % kContentForests);
    ContentScores(forest, rows, count, scores.data());
    for (size_t k = 0; k < count; ++k) {
      EXPECT_EQ(scores[k], ReferenceContentScore(forest, rows[k]));
    }
  }
}

TEST(Content, PermilleIsTheLogisticFunction) {
  for (int32_t score = -12 * kContentScale; score < 12 * kContentScale;
       score += 7) {
    const double p = 1000 / (1 + std::exp(-double(score) / kContentScale));
    EXPECT_NEAR(ContentPermille(score), p, 0.51) << score;
  }
  EXPECT_EQ(ContentPermille(INT32_MIN), 0);
  EXPECT_EQ(ContentPermille(INT32_MAX), 1000);
}

TEST(Content, TheModelFitsTheFeatures) {
  uint64_t digest = 0xCBF29CE484222325u;
  for (size_t i = 0; i < kContentFeatures; ++i) {
    for (const char c : (i == 0 ? "" : "\n") + ContentFeatureName(i)) {
      digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    }
    EXPECT_FALSE(ContentFeatureReason(i, true).empty());
    EXPECT_FALSE(ContentFeatureReason(i, false).empty());
  }
  EXPECT_EQ(digest, ContentModelFeatures())
      << "train the model again: training/train_content";
}

// Compares what a row says of the entries with all of them; whether the block
// lies in one.
bool ExpectEntry(const ContentPage& page, uint32_t block,
                 const FeatureRow& row) {
  const auto& entries = page.entries.outermost;
  int number = -1, place = -1, to_end = -1, share = -1;
  for (size_t k = 0; k < entries.size(); ++k) {
    if (block < entries[k].first || block >= entries[k].end) continue;
    uint32_t words = 0;
    for (uint32_t i = entries[k].first; i < entries[k].end; ++i)
      words += page.blocks[i].text.words;
    number = static_cast<int>(k);
    place = static_cast<int>(block - entries[k].first);
    to_end = static_cast<int>(entries[k].end - block) - 1;
    share =
        words == 0
            ? 0
            : static_cast<int>(page.blocks[block].text.words * 1000 / words);
  }
  const bool within = number >= 0;
  if (!within && !entries.empty() && block >= entries.back().end) number = -2;
  EXPECT_EQ(row[kEntryFeature], number);
  EXPECT_EQ(row[kEntryPlaceFeature], place);
  EXPECT_EQ(row[kEntryEndFeature], to_end);
  EXPECT_EQ(row[kShareOfEntryFeature], share);
  EXPECT_EQ(row[kPageEntriesFeature], static_cast<int>(page.entries.count));
  return within;
}

// Marks, sums and likenesses of each block, the long way.
TEST(Content, RowsLikeTheReference) {
  std::mt19937 random(5);
  size_t checked = 0, in_entries = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string html = RandomPage(&random);
    HtmlTree tree;
    BuildHtmlTree(html, &tree);
    ContentPage page;
    ReadContentPage(html, tree, &page);
    ContentRows rows(page);
    const auto count = static_cast<uint32_t>(page.blocks.size());
    for (uint32_t i = 0; i < count; ++i) {
      const FeatureRow& row = rows.Next();
      const PageBlock& block = page.blocks[i];
      const int depth = page.elements[block.element].depth;
      std::array<int, kContentMarks> marks{};
      for (uint32_t at = block.element; at != 0;
           at = page.elements[at].parent) {
        EXPECT_LE(page.elements[at].first_block, i);
        EXPECT_GT(page.elements[at].end_block, i);
        for (size_t mark = 0; mark < kContentMarks; ++mark) {
          if ((page.elements[at].marks >> mark & 1) != 0 && marks[mark] == 0) {
            marks[mark] =
                std::max(1, kMarkNear - (depth - page.elements[at].depth));
          }
        }
      }
      for (size_t mark = 0; mark < kContentMarks; ++mark) {
        EXPECT_EQ(row[mark], marks[mark]) << mark;
      }
      uint32_t near = 0, same = 0, all = 0;
      for (uint32_t k = 0; k < count; ++k) {
        if (k + 3 >= i && k <= i + 3) near += page.blocks[k].text.words;
        same += page.blocks[k].text_hash == block.text_hash;
        all += page.blocks[k].text.words;
      }
      EXPECT_EQ(row[kNearWordsFeature], static_cast<int>(near));
      EXPECT_EQ(row[kRepeatedFeature], static_cast<int>(same));
      EXPECT_EQ(row[kPageWordsFeature], static_cast<int>(all / 4));
      uint32_t at = block.element;
      while (at != 0 &&
             page.elements[at].end_block - page.elements[at].first_block == 1) {
        at = page.elements[at].parent;
      }
      EXPECT_EQ(row[kBlocks0Feature],
                static_cast<int>(page.elements[at].end_block -
                                 page.elements[at].first_block));
      EXPECT_EQ(row[kFramedFeature], block.framed);
      EXPECT_EQ(row[kCommentedFeature], block.commented);
      in_entries += ExpectEntry(page, i, row);
      ++checked;
    }
  }
  EXPECT_GT(checked, 5000u);
  EXPECT_GT(in_entries, 500u);
}

TEST(Content, ReaderShowsTheArticle) {
  const std::string html = NewsPage(kLanguages[0]);
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  ContentPage page;
  ReadContentPage(html, tree, &page);
  const ReaderView view = ReadAsReader(page);
  ASSERT_EQ(view.states.size(), page.blocks.size());
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const PageElement& element = page.elements[page.blocks[i].element];
    const bool paragraph =
        element.tag == HtmlTag::kP && page.blocks[i].text.words > 50;
    EXPECT_EQ(view.states[i] == ReaderView::kTop,
              paragraph || element.tag == HtmlTag::kH1)
        << i;
  }
  EXPECT_EQ(page.elements[view.top].tag, HtmlTag::kArticle);
}

TEST(Content, BlocksEndAtBordersOnly) {
  const std::string html =
      "<div>one <b>bold</b> <a href=x>link</a> two<br>three<p>four</p>five<br>"
      "<br>six<hr>seven<button>eight</button></div>";
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  ContentPage page;
  ReadContentPage(html, tree, &page);
  std::vector<uint32_t> words;
  for (const PageBlock& block : page.blocks) words.push_back(block.text.words);
  EXPECT_EQ(words, (std::vector<uint32_t>{10, 2, 2, 2, 2, 2}));
  EXPECT_EQ(page.blocks[0].text.links, 1u);
  EXPECT_EQ(page.blocks[0].text.link_words, 2u);
  EXPECT_EQ(page.blocks[0].text.breaks, 1u);
}

}  // namespace
}  // namespace twinset
