#include "text/page/clean_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/hash.h"

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
  EXPECT_TRUE(clean->facts.links.empty());  // nobody asked
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

namespace fs = std::filesystem;

// The text without controls and replacement characters: the reference parser
// replaces the former by the latter, the standard keeps them.
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
  const auto fast = ExtractText(document, options);
  options.reference_parser = true;
  const auto reference = ExtractText(document, options);
  EXPECT_TRUE(fast && reference) << page;
  if (!fast || !reference) return false;
  EXPECT_FALSE(reference->used_fallback) << page;
  EXPECT_TRUE(WithoutControls(fast->text) == WithoutControls(reference->text))
      << page;
  return fast->text == reference->text;
}

TEST(ExtractText, BothParsersAgreeOnOwnPages) {
  const auto pages = PagesBelow(TWINSET_SOURCE_DIR "/tests/golden/pages");
  EXPECT_GE(pages.size(), 13u);
  for (const fs::path& page : pages) EXPECT_TRUE(ExpectAgreement(page)) << page;
}

// Real pages: the text is the reference parser's on 99 of 100, and the others
// differ in control characters only.
TEST(ExtractText, BothParsersAgreeOnRealPages) {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  const std::string shared =
      set != nullptr ? set : TWINSET_SOURCE_DIR "/../shared/data";
  const fs::path folder =
      fs::path(testing::TempDir()) / "twinset_clean_text_pages";
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
      GTEST_SKIP() << "needs the shared pages";
    }
    const std::vector<fs::path> pages = Unpack(path, folder);
    const size_t sample = TWINSET_SLOW_BUILD ? 40 : 220;
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
}  // namespace twinset
