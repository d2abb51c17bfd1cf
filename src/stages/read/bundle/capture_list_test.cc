#include "read/bundle/capture_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "read/bundle/test_bundle.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Strings = std::vector<std::string>;

constexpr char kDigest[] = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
constexpr char kSha256[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// "url date digest", or "!reason" of each line.
Strings Read(const std::string& bytes) {
  const auto list = ReadCaptureListFromMemory(bytes, {});
  EXPECT_TRUE(list) << list.error().ToString();
  Strings all;
  ListedCapture capture;
  while (list) {
    const auto more = (*list)->Next(&capture);
    if (!more || !*more) break;
    all.push_back(capture.why.empty()
                      ? capture.url + " " + capture.date + " " + capture.digest
                      : "!" + capture.why);
  }
  return all;
}

std::string Cdx11(const std::string& url, const std::string& digest) {
  return "key 20250102030405 " + url + " text/html 200 " + digest +
         " - - 512 1024 a.warc.gz\n";
}

TEST(CaptureList, ReadsCdxWithAndWithoutAHeader) {
  const std::string good =
      "http://a.org/ 20250102030405 sha1:" + std::string(kDigest);
  EXPECT_THAT(Read(Cdx11("http://a.org/", kDigest)), ElementsAre(good));
  EXPECT_THAT(
      Read(" CDX N b a m s k r M S V g\n" + Cdx11("http://a.org/", kDigest)),
      ElementsAre(good));
  EXPECT_THAT(Read(" CDX N b a m s k r V g\nkey 20250102030405 http://a.org/ "
                   "text/html 200 " +
                   std::string(kDigest) + " - 1024 a.warc.gz\n"),
              ElementsAre(good));
  // The order is that of the header.
  EXPECT_THAT(Read(" CDX k b a\n" + std::string(kDigest) +
                   " 20250102030405 http://a.org/\n"),
              ElementsAre(good));
  // As the Wayback CDX server answers.
  EXPECT_THAT(Read("key 20250102030405 http://a.org/ text/html 200 " +
                   std::string(kDigest) + " 512\n"),
              ElementsAre(good));
  EXPECT_THAT(
      Read("[[\"urlkey\",\"timestamp\",\"original\",\"mimetype\","
           "\"statuscode\",\"digest\",\"length\"],\n[\"key\","
           "\"20250102030405\",\"http://a.org/\",\"text/html\",\"200\",\"" +
           std::string(kDigest) + "\",\"512\"]]\n"),
      ElementsAre(good));
}

TEST(CaptureList, SaysWhatIsWrongWithALine) {
  EXPECT_THAT(
      Read(Cdx11("http://a.org/", "-") + Cdx11("http://a.org/", "NONSENSE") +
           "http://a.org/ alone\nkey 20250102030405 {\"url\": "
           "\"http://b.org/\"}\nkey 20250102030405 {\"url\":\n"),
      ElementsAre("!no-digest", "!bad-digest", "!no-digest", "!no-digest",
                  "!bad-json"));
}

TEST(CaptureList, ReadsCdxj) {
  EXPECT_THAT(
      Read("!OpenWayback-CDXJ 1.0\norg,a)/ 20250102030405 {\"url\": "
           "\"http://a.org/\", \"mime\": \"text/html\", \"digest\": \"sha1:" +
           std::string(kDigest) +
           "\"}\norg,b)/ 20250102030406 {\"digest\":\"sha-256:" +
           std::string(kSha256) + "\",\"url\":\"http://b.org/\"}\n"),
      ElementsAre(
          "http://a.org/ 20250102030405 sha1:" + std::string(kDigest),
          "http://b.org/ 20250102030406 sha256:" + std::string(kSha256)));
}

TEST(CaptureList, DigestsHaveOneForm) {
  EXPECT_EQ(DigestOfList(kDigest), "sha1:" + std::string(kDigest));
  EXPECT_EQ(DigestOfList("SHA1:" + std::string(kDigest)),
            "sha1:" + std::string(kDigest));
  EXPECT_EQ(DigestOfList("da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            "sha1:" + std::string(kDigest));
  EXPECT_EQ(DigestOfList("SHA-256:" + std::string(kSha256)),
            "sha256:" + std::string(kSha256));
  for (const char* none :
       {"", "-", "sha1:", "md5:d41d8cd98f00b204e9800998ecf8427e",
        "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1", "sha256:e3b0c4",
        "d41d8cd98f00b204e9800998ecf8427e"})
    EXPECT_EQ(DigestOfList(none), "") << none;
}

std::string WaczBytes() {
  return test::Zip(
      {{"datapackage.json", "{}"},
       {"archive/a.warc", "WARC/1.0"},
       {"indexes/index.cdx", Cdx11("http://a.org/", kDigest)},
       {"indexes/more.cdxj",
        "org,b)/ 20250102030406 {\"url\":\"http://b.org/\",\"digest\":"
        "\"sha1:" +
            std::string(kDigest) + "\"}\n"},
       {"indexes/index.idx", "no list"},
       {"pages/pages.jsonl", "{}"}});
}

TEST(CaptureList, ReadsTheIndexesOfAWacz) {
  EXPECT_THAT(
      Read(WaczBytes()),
      ElementsAre("http://a.org/ 20250102030405 sha1:" + std::string(kDigest),
                  "http://b.org/ 20250102030406 sha1:" + std::string(kDigest)));
  const auto none = ReadCaptureListFromMemory(test::Zip({{"a", "b"}}), {});
  ASSERT_TRUE(none);
  ListedCapture capture;
  const auto more = (*none)->Next(&capture);
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().message, HasSubstr("no list of captures"));
}

TEST(CaptureList, WhatIsNoListIsRefused) {
  for (const char* other :
       {"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n", "{\"id\": \"a\"}\n",
        "<html><p>a page</p></html>"}) {
    const auto list = ReadCaptureListFromMemory(other, {});
    ASSERT_FALSE(list) << other;
    EXPECT_EQ(list.error().code, ErrorCode::kUnsupported);
  }
}

// A damaged archive gives lines that stand in the sound one, or says why not.
TEST(CaptureList, DamageIsToldAndMakesNoCapture) {
  const std::string bytes = WaczBytes();
  const Strings sound = Read(bytes);
  const std::set<std::string> known(sound.begin(), sound.end());
  std::mt19937_64 random(7);
  int told = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = bytes;
    if (i % 4 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      damaged[random() % damaged.size()] ^=
          static_cast<char>(1 + random() % 255);
    }
    const auto list = ReadCaptureListFromMemory(damaged, {});
    if (!list) continue;
    ListedCapture capture;
    for (;;) {
      const auto more = (*list)->Next(&capture);
      if (!more || !*more) break;
      told += !capture.why.empty();
      if (!capture.why.empty()) continue;
      EXPECT_TRUE(known.contains(capture.url + " " + capture.date + " " +
                                 capture.digest))
          << capture.url << " " << capture.date << " " << capture.digest;
    }
  }
  EXPECT_GT(told, 100);
}

}  // namespace
}  // namespace twinset
