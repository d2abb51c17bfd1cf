#include "text/page/clean_text.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace twinset
