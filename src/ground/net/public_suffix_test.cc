#include "net/public_suffix.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

TEST(PublicSuffixes, DomainsAreThoseOfTheList) {
  const TestDir dir;
  const std::string path = dir / "list.dat";
  ASSERT_TRUE(WriteWholeFile(path,
                             "// VERSION: 2024-05-01_10-00-00_UTC\n"
                             "com\nuk\nco.uk\n*.ck\n!www.ck\n"));
  const auto suffixes = PublicSuffixes::Open(path);
  ASSERT_TRUE(suffixes) << suffixes.error().ToString();
  EXPECT_EQ(suffixes->date(), "2024-05-01");
  EXPECT_EQ(suffixes->origin(), "file");
  EXPECT_EQ(suffixes->digest().size(), 64u);
  EXPECT_EQ(suffixes->DomainOf("news.bbc.co.uk"), "bbc.co.uk");
  EXPECT_EQ(suffixes->DomainOf("bbc.co.uk"), "bbc.co.uk");
  EXPECT_EQ(suffixes->DomainOf("co.uk"), "co.uk");
  EXPECT_EQ(suffixes->DomainOf("a.b.c.ck"), "b.c.ck");
  EXPECT_EQ(suffixes->DomainOf("www.ck"), "www.ck");
  EXPECT_EQ(suffixes->DomainOf("a.example.com."), "example.com");
  EXPECT_EQ(suffixes->DomainOf("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(suffixes->DomainOf("[::1]"), "[::1]");
  EXPECT_EQ(suffixes->DomainOf("localhost"), "localhost");
}

TEST(PublicSuffixes, ListsThatAreNone) {
  const TestDir dir;
  EXPECT_EQ(PublicSuffixes::Open(dir / "missing").error().code, ErrorCode::kIo);
  ASSERT_TRUE(WriteWholeFile(dir / "empty", "// nothing\n\n"));
  EXPECT_EQ(PublicSuffixes::Open(dir / "empty").error().code,
            ErrorCode::kCorrupt);
}

TEST(PublicSuffixes, TopLevels) {
  EXPECT_EQ(TopLevelOf("a.b.com"), "com");
  EXPECT_EQ(TopLevelOf("a.com."), "com");
  EXPECT_EQ(TopLevelOf("localhost"), "localhost");
  EXPECT_EQ(TopLevelOf("10.0.0.1"), "(IP address)");
  EXPECT_EQ(TopLevelOf("[::1]"), "(IP address)");
}

}  // namespace
}  // namespace twinset
