#include "text/clean_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "text/charset.h"
#include "text/html.h"

namespace twinset {
namespace {

Document Make(ContentKind kind, std::string payload, std::string charset = "") {
  Document document;
  document.kind = kind;
  document.payload = std::move(payload);
  document.charset = std::move(charset);
  return document;
}

TEST(ExtractText, TextIsUsedAsItIs) {
  const auto clean =
      ExtractText(Make(ContentKind::kText, " <b>a</b>\r\n\n &amp; "), {});
  ASSERT_TRUE(clean.has_value());
  EXPECT_EQ(clean->text, " <b>a</b>\r\n\n &amp; ");
  EXPECT_EQ(clean->charset, "UTF-8");
  EXPECT_FALSE(clean->malformed);
  EXPECT_TRUE(clean->offsets.empty());
  const auto bad = ExtractText(Make(ContentKind::kText, "a\xFFz"), {});
  EXPECT_EQ(bad->text, "a\xEF\xBF\xBDz");
  EXPECT_TRUE(bad->malformed);
}

TEST(ExtractText, PlainIsDecoded) {
  const auto declared =
      ExtractText(Make(ContentKind::kPlain, "\xE9<p>", "latin1"), {});
  EXPECT_EQ(declared->text, "\xC3\xA9<p>");
  EXPECT_EQ(declared->charset, "windows-1252");
  const auto marked = ExtractText(
      Make(ContentKind::kPlain, "\xEF\xBB\xBF\xC3\xA9", "latin1"), {});
  EXPECT_EQ(marked->text, "\xC3\xA9");
  EXPECT_EQ(marked->charset, "UTF-8");
}

TEST(ExtractText, HtmlGoesThroughDecoderAndParser) {
  const auto clean = ExtractText(
      Make(ContentKind::kHtml,
           "<html lang=ja><meta charset=sjis><title>\x93\xFA</title>"
           "<a href=x>\x96\x7B</a>"),
      {});
  ASSERT_TRUE(clean.has_value());
  EXPECT_EQ(clean->text, "本");
  EXPECT_EQ(clean->title, "日");
  EXPECT_EQ(clean->language, "ja");
  EXPECT_EQ(clean->charset, "Shift_JIS");
  EXPECT_EQ(clean->links, std::vector<std::string>{"x"});
  EXPECT_FALSE(clean->used_fallback);
}

TEST(ExtractText, RefusesWhatIsNoText) {
  Document bytes = Make(ContentKind::kBytes, "text");
  bytes.mime = "image/png";
  const auto refused = ExtractText(bytes, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  SplitMix64 random(3);
  std::string noise;
  for (int i = 0; i < 4000; ++i) noise += static_cast<char>(random.Next());
  for (const ContentKind kind :
       {ContentKind::kText, ContentKind::kPlain, ContentKind::kHtml}) {
    for (const std::string& payload :
         {noise, std::string(100, '\0'), "GIF89a" + std::string(8, '\x01')}) {
      const auto result = ExtractText(Make(kind, payload), {});
      ASSERT_FALSE(result.has_value());
      EXPECT_EQ(result.error().code, ErrorCode::kUnsupported);
      EXPECT_EQ(result.error().message, "binary data declared as text");
    }
  }
  // A stray control character or two is no reason.
  EXPECT_TRUE(ExtractText(Make(ContentKind::kPlain, std::string("a\0b", 3)), {})
                  .has_value());
}

TEST(ExtractText, OffsetsOfUnchangedTextAreTheIdentity) {
  TextOptions options;
  options.keep_offsets = true;
  const auto clean = ExtractText(Make(ContentKind::kText, "abc"), options);
  EXPECT_EQ(SourceOffset(*clean, 2), 2u);
  CleanText none;
  EXPECT_EQ(SourceOffset(none, 7), 7u);
}

TEST(ExtractText, IsTheSameFromManyThreads) {
  const Document documents[] = {
      Make(ContentKind::kHtml, "<p>\xCF\xF0\xE8</p>", "windows-1251"),
      Make(ContentKind::kHtml, "<p>\xD6\xD0\xB9\xFA", "gbk"),
      Make(ContentKind::kPlain, "\xC7\xD1\xB1\xB9", "euc-kr"),
      Make(ContentKind::kPlain, "na\xEFve caf\xE9")};
  std::vector<std::string> expected;
  for (const Document& d : documents) {
    expected.push_back(ExtractText(d, {})->text);
  }
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 400; ++i) {
        const size_t which = (i + t) % 4;
        const auto clean = ExtractText(documents[which], {});
        wrong[t] += !clean || clean->text != expected[which];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

std::set<uint64_t> FiveWordShingles(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::set<uint64_t> shingles;
  for (size_t i = 0; i + 5 <= words.size(); ++i) {
    std::string joined;
    for (size_t j = 0; j < 5; ++j) joined += words[i + j] + "\x1F";
    shingles.insert(Hash64(joined));
  }
  return shingles;
}

double Agreement(const std::string& a, const std::string& b) {
  const auto left = FiveWordShingles(a), right = FiveWordShingles(b);
  if (left.empty() && right.empty()) return 1.0;
  std::vector<uint64_t> common;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(common));
  const double k = static_cast<double>(common.size());
  return k / static_cast<double>(left.size() + right.size() - common.size());
}

// Real pages: how near the fallback comes to the parser, and that they stay
// with the parser.
TEST(ExtractText, FallbackAgreesWithTheParserOnRealPages) {
  namespace fs = std::filesystem;
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  const std::string shared =
      set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data";
  const fs::path folder =
      fs::path(testing::TempDir()) / "twinset_clean_text_pages";
  for (const std::string archive :
       {"multiversion/boost_1.74_1.81.tar.xz",
        "extraction/article_extraction_benchmark.tar.xz",
        "extraction/trafilatura_pages.tar.xz"}) {
    const std::string path = shared + "/" + archive;
    if (!fs::exists(path)) {
      std::printf("SKIPPED (no shared data): %s\n", path.c_str());
      GTEST_SKIP() << "needs the shared pages";
    }
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string command = "tar -xJf '" + path + "' -C '" +
                                folder.string() + "' && gunzip -rq '" +
                                folder.string() + "' ; true";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::vector<fs::path> pages;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name.find(".html") != std::string::npos) {
        pages.push_back(entry.path());
      }
    }
    std::sort(pages.begin(), pages.end());
    const size_t step = std::max<size_t>(pages.size() / 80, 1);
    double sum = 0;
    size_t count = 0, same = 0, beyond = 0;
    std::vector<double> all;
    for (size_t i = 0; i < pages.size(); i += step) {
      std::ifstream file(pages[i], std::ios::binary);
      std::string bytes(std::istreambuf_iterator<char>(file), {});
      const auto decoded = DecodeFrom(ChooseCharset(bytes, "", true), bytes);
      ASSERT_TRUE(decoded.has_value());
      beyond += !WithinParserBounds(decoded->text);
      CleanText parsed, stripped;
      ASSERT_TRUE(ParseHtml(decoded->text, true, &parsed));
      StripHtml(decoded->text, false, &stripped);
      const double agreement = Agreement(parsed.text, stripped.text);
      if (agreement < 0.9 && std::getenv("TWINSET_VERBOSE") != nullptr) {
        std::printf("%.3f %s\n", agreement, pages[i].c_str());
      }
      all.push_back(agreement);
      sum += agreement;
      same += parsed.text == stripped.text;
      ++count;
    }
    ASSERT_GT(count, 0u);
    std::sort(all.begin(), all.end());
    const double mean = sum / static_cast<double>(count);
    std::printf(
        "%s: %zu pages, 5-word Jaccard mean %.4f p10 %.4f, identical %zu, "
        "beyond the parser's bounds %zu\n",
        archive.c_str(), count, mean, all[all.size() / 10], same, beyond);
    EXPECT_GT(mean, 0.95) << archive;
    EXPECT_LT(static_cast<double>(beyond), 0.02 * static_cast<double>(count));
    if (std::getenv("TWINSET_VERBOSE") == nullptr) fs::remove_all(folder);
  }
}

}  // namespace
}  // namespace twinset
