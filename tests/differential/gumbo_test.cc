// Our parser against gumbo, an independent one: rules, markup at random, and
// pages (docs/methods/html.md says where they differ, and who is right).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/hash.h"
#include "support/gumbo_text.h"
#include "text/html/html_tree.h"
#include "text/page/html_rules_testing.h"
#include "text/page/html_text.h"

namespace twinset::testing {
namespace {

std::string OurText(std::string_view html, bool keep_offsets = false) {
  HtmlTree tree;
  BuildHtmlTree(html, &tree);
  CleanText out;
  RenderText(html, tree, {}, keep_offsets, &out);
  return std::move(out.text);
}

TEST(Gumbo, AgreesOnEveryRule) {
  for (const HtmlRule& rule : kHtmlRules)
    EXPECT_EQ(GumboText(rule.html), rule.text) << rule.html;
}

TEST(Gumbo, AgreesOnRandomMarkupOfOrdinaryShape) {
  SplitMix64 random(23);
  constexpr const char* kBlocks[] = {"div", "p", "h2", "ul", "blockquote"};
  constexpr const char* kInlines[] = {"b", "span", "a", "em", "code"};
  for (int round = 0; round < 2000; ++round) {
    std::string html = "<!doctype html><title>t</title>";
    std::vector<std::string> open;
    bool in_inline = false;
    for (uint64_t n = 5 + random.Below(40); n > 0; --n) {
      switch (random.Below(6)) {
        case 0:
          if (in_inline ||
              (!open.empty() && (open.back() == "p" || open.back() == "h2"))) {
            break;
          }
          open.push_back(kBlocks[random.Below(5)]);
          html += "<" + open.back() + (random.Below(9) == 0 ? " hidden>" : ">");
          break;
        case 1:
          if (in_inline) break;
          open.push_back(kInlines[random.Below(5)]);
          in_inline = true;
          html += "<" + open.back() + ">";
          break;
        case 2:
          if (open.empty()) break;
          html += "</" + open.back() + ">";
          open.pop_back();
          in_inline = false;
          break;
        case 3:
          html += random.Below(2) == 0 ? " " : "<br>";
          break;
        default:
          html.append("w").append(std::to_string(random.Below(100)));
          html.append("&eacute; ");
          if (random.Below(4) == 0) html += "\xC2\xAD\xC2\xA0";
      }
    }
    while (!open.empty()) {
      html += "</" + open.back() + ">";
      open.pop_back();
    }
    ASSERT_EQ(GumboText(html), OurText(html)) << html;
  }
}

// Tags at random: nesting that no author meant. What still differs: an
// unknown end tag closes any unknown element in gumbo; formatting
// elements that are open at the end of their block and closed twice later.
TEST(Gumbo, AgreesOnTagsAtRandom) {
  constexpr const char* kTags[] = {
      "<div>",      "</div>",       "<p>",          "</p>",
      "<b>",        "</b>",         "<span>",       "</span>",
      "<a href=x>", "</a>",         "<ul>",         "<li>",
      "</ul>",      "</li>",        "<h1>",         "</h1>",
      "<table>",    "</table>",     "<tr>",         "<td>",
      "</td>",      "</tr>",        "<th>",         "<tbody>",
      "</tbody>",   "<caption>",    "</caption>",   "<br>",
      "<hr>",       "<div hidden>", "<i>",          "</i>",
      "<p hidden>", "<dl>",         "<dd>",         "<dt>",
      "</dl>",      "<button>",     "</button>",    "<pre>",
      "</pre>",     "<ruby>",       "<rt>",         "</ruby>",
      "<object>",   "</object>",    "<center>",     "</center>",
      "<section>",  "</section>",   "<col>",        "<colgroup>",
      "<input>",    "<svg>",        "</svg>",       "<thead>",
      "<legend>",   "</legend>",    "<article>",    "<math>",
      "<mi>",       "</math>",      "<blockquote>", "<option>",
      "<form>",     "<video>",      "</video>",     "<textarea>t</textarea>"};
  SplitMix64 random(29);
  size_t count = 0, same = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string html = round % 4 == 0 ? "" : "<!doctype html>";
    for (uint64_t n = 3 + random.Below(10); n > 0; --n) {
      html += kTags[random.Below(std::size(kTags))];
      if (random.Below(3) != 0) html += static_cast<char>('a' + n);
      if (random.Below(6) == 0) html += ' ';
      if (random.Below(8) == 0) {
        html += random.Below(2) == 0 ? "\xC2\xAD" : "&shy;";
      }
    }
    const std::string ours = OurText(html);
    EXPECT_EQ(ours, OurText(html, true)) << html;
    same += ours == GumboText(html);
    ++count;
  }
  std::printf("tags at random: %zu of %zu texts identical\n", same, count);
  EXPECT_GE(same * 1000, count * 995);
}

namespace fs = std::filesystem;

// The text without controls and replacement characters: gumbo replaces the
// former by the latter, the standard keeps them.
std::string WithoutControls(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\t')) {
      continue;
    }
    if (byte == 0xC2 && i + 1 < text.size() &&
        static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      ++i;
    } else if (text.substr(i, 3) == "\xEF\xBF\xBD") {
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::vector<fs::path> PagesBelow(const fs::path& folder) {
  std::vector<fs::path> pages;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.find(".htm") != std::string::npos) {
      pages.push_back(entry.path());
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

std::vector<fs::path> Unpack(const std::string& archive,
                             const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string command = "tar -xJf '" + archive + "' -C '" +
                              folder.string() + "' && gunzip -rq '" +
                              folder.string() + "' ; true";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return PagesBelow(folder);
}

// Expects the same text of both parsers, but for control characters; true: with
// these too.
bool ExpectAgreement(const fs::path& page) {
  std::ifstream file(page, std::ios::binary);
  Document document;
  document.kind = ContentKind::kHtml;
  document.payload.assign(std::istreambuf_iterator<char>(file), {});
  TextOptions options;
  const auto ours = ExtractText(document, options);
  EXPECT_TRUE(ours) << page;
  if (!ours) return false;
  options.content = ContentMode::kRaw;  // the page in UTF-8
  const std::string theirs = GumboText(ExtractText(document, options)->text);
  EXPECT_TRUE(WithoutControls(ours->text) == WithoutControls(theirs)) << page;
  return ours->text == theirs;
}

TEST(Gumbo, AgreesOnOwnPages) {
  const auto pages = PagesBelow(TWINSET_SOURCE_DIR "/tests/golden/pages");
  EXPECT_GE(pages.size(), 13u);
  for (const fs::path& page : pages) EXPECT_TRUE(ExpectAgreement(page)) << page;
}

// Real pages: the text is gumbo's on 99 of 100, and the others differ
// in control characters only.
TEST(Gumbo, AgreesOnRealPages) {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  const std::string shared =
      set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data";
  const fs::path folder =
      fs::path(::testing::TempDir()) / "twinset_clean_text_pages";
  size_t all = 0, all_same = 0;
  for (const std::string archive :
       {"multiversion/boost_1.74_1.81.tar.xz",
        "multiversion/"
        "installation_guide_amd64_i386_arm64_6lang.tar.xz",
        "i18n/debian_handbook_de_ja_zhCN.tar.xz",
        "sites/postgresql_doc_15.tar.xz",
        "extraction/article_extraction_benchmark.tar.xz",
        "extraction/readability_test_pages.tar.xz",
        "extraction/trafilatura_pages.tar.xz"}) {
    const std::string path = shared + "/" + archive;
    if (!fs::exists(path)) {
      std::printf("SKIPPED (no shared data): %s\n", path.c_str());
      GTEST_SKIP() << "there is no folder of real pages to compare on this "
                      "machine (TWINSET_SHARED_DATA); made markup and the "
                      "golden pages were compared";
    }
    const std::vector<fs::path> pages = Unpack(path, folder);
    const size_t sample = TWINSET_SLOW_BUILD ? 40 : 110;
    const size_t step = std::max<size_t>(pages.size() / sample, 1);
    size_t count = 0, same = 0;
    for (size_t i = 0; i < pages.size(); i += step) {
      same += ExpectAgreement(pages[i]);
      ++count;
    }
    ASSERT_GT(count, 0u);
    std::printf("%s: %zu pages, identical %zu\n", archive.c_str(), count, same);
    all += count;
    all_same += same;
    fs::remove_all(folder);
  }
  EXPECT_GE(all_same * 100, all * 99);
}

}  // namespace
}  // namespace twinset::testing
