#include "documents/page_text.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

constexpr const char* kPage =
    "<!doctype html><html lang=de><title>Wetter</title><body><p>Am Morgen war "
    "es noch k\xfchl, am Nachmittag schien die Sonne.</p><a href='b.html'>mehr"
    "</a></body></html>";

TEST(PageText, ReadsAPageAsAnInputFileIsRead) {
  FeatureOptions features;
  features.content = ContentMode::kAll;
  const auto reader = TextReader::Make(features);
  ASSERT_TRUE(reader);
  TextDetails details;
  details.facts = details.language = true;
  const auto page = reader->Read(
      {"http://a.example/", "text/html; charset=iso-8859-1", kPage, ""},
      details);
  ASSERT_TRUE(page) << page.error().ToString();
  EXPECT_EQ(page->title, "Wetter");
  EXPECT_EQ(page->language, "de");
  EXPECT_EQ(page->url, "http://a.example/");
  EXPECT_NE(page->text.find("k\xc3\xbchl"), std::string::npos);
  ASSERT_EQ(page->links.size(), 1u);
  EXPECT_EQ(page->links[0].href, "b.html");
}

TEST(PageText, RefusesWhatIsNoText) {
  const auto reader = TextReader::Make(FeatureOptions());
  ASSERT_TRUE(reader);
  const auto image =
      reader->Read({"http://a.example/x.png", "image/png", "\x89PNG", ""}, {});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::kUnsupported);
}

TEST(PageText, ComparesAsTheSetsSay) {
  FeatureOptions features;
  features.shingle = "word:1";
  const auto reader = TextReader::Make(features);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->Resemblance("One two THREE", "three four two"), 0.5);
  EXPECT_EQ(reader->Resemblance("", ""), 0);
  EXPECT_EQ(reader->Resemblance("a", "a"), 1);
  EXPECT_EQ(reader->Tokens("One, two!"),
            (std::vector<std::string>{"one", "two"}));
}

}  // namespace
}  // namespace twinset
