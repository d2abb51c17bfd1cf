// A file that is one JSON array of objects.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "read/reader.h"
#include "read/test_compress.h"
#include "read/test_records.h"

namespace twinset {
namespace {

struct Outcome {
  std::vector<std::string> ids;
  std::vector<std::string> problems;  // reason and detail
  std::vector<std::string> raws;
};

Outcome ReadAll(const std::string& bytes, ReadOptions options = {}) {
  options.keep_raw = true;
  auto reader = ReadRecordsFromMemory(bytes, "rows.json", options);
  EXPECT_EQ(reader->format(), InputFormat::kJsonl) << bytes.substr(0, 40);
  Outcome outcome;
  Record record;
  uint64_t ordinal = 0;
  for (;;) {
    const auto more = reader->Next(&record);
    EXPECT_TRUE(more.has_value());
    if (!more || !*more) return outcome;
    EXPECT_EQ(record.document.provenance.ordinal, ordinal++);
    if (record.kind == RecordKind::kDocument) {
      outcome.ids.push_back(record.document.id);
      outcome.raws.push_back(record.raw);
      const uint64_t offset = record.document.provenance.offset;
      EXPECT_EQ(bytes.substr(offset, record.raw.size()), record.raw);
    } else {
      outcome.problems.push_back(record.reason + ": " + record.detail);
    }
  }
}

using Strings = std::vector<std::string>;

std::string Element(const std::string& id) {
  return R"({"id":")" + id + R"(","text":"one, {two} [three] \"four\" of )" +
         id + R"(","meta":{"id":"no","list":[{"id":"x"},{"id":"y"}]}})";
}

TEST(JsonArrayTest, ElementsAreRowsWhateverIsBetweenThem) {
  for (const char* raw : {",", ", ", ",\n", "\n,\n  ", " , \t"}) {
    const std::string between = raw;
    const std::string all = "[" + between.substr(between.find(',') + 1) +
                            Element("a") + between + Element("b") + between +
                            Element("c") + "\n]\n";
    const Outcome outcome = ReadAll(all);
    EXPECT_EQ(outcome.ids, (Strings{"a", "b", "c"})) << between;
    EXPECT_EQ(outcome.problems, Strings()) << between;
    EXPECT_EQ(outcome.raws[1], Element("b"));
  }
}

TEST(JsonArrayTest, EmptyAndWithMark) {
  EXPECT_EQ(ReadAll("[]").ids, Strings());
  EXPECT_EQ(ReadAll("[ \n ] ").problems, Strings());
  EXPECT_EQ(ReadAll("\xef\xbb\xbf [" + Element("a") + "]").ids, Strings{"a"});
}

TEST(JsonArrayTest, CompressedToo) {
  auto reader = ReadRecordsFromMemory(
      test::Gzip("[" + Element("a") + ",\n" + Element("b") + "]"),
      "rows.json.gz", {});
  Record record;
  ASSERT_TRUE(reader->Next(&record).value());
  ASSERT_TRUE(reader->Next(&record).value());
  EXPECT_EQ(record.document.id, "b");
  EXPECT_FALSE(reader->Next(&record).value());
}

TEST(JsonArrayTest, WhatIsNoObjectIsQuarantined) {
  const Outcome outcome =
      ReadAll("[" + Element("a") + ",17,\"x\",null,[1]," + Element("b") + "]");
  EXPECT_EQ(outcome.ids, (Strings{"a", "b"}));
  EXPECT_EQ(outcome.problems, Strings(4, "bad-json: not an object"));
}

TEST(JsonArrayTest, ElementsOfAnyLength) {
  ReadOptions options;
  options.max_document_bytes = 1 << 20;
  const std::string large =
      R"({"id":"large","text":")" + std::string(900'000, 'x') + "\"}";
  const std::string huge =
      R"({"id":"huge","text":")" + std::string(5'000'000, 'x') + "\"}";
  const Outcome outcome = ReadAll(
      "[" + Element("a") + "," + large + "," + huge + "," + Element("b") + "]",
      options);
  EXPECT_EQ(outcome.ids, (Strings{"a", "large", "b"}));
  ASSERT_EQ(outcome.problems.size(), 1u);
  EXPECT_TRUE(outcome.problems[0].starts_with("bad-json: an element is too"))
      << outcome.problems[0];
}

TEST(JsonArrayTest, AnArrayThatIsCutKeepsWhatIsWhole) {
  const std::string all = "[" + Element("a") + ",\n" + Element("b") + "]";
  for (size_t size = 8; size < all.size(); ++size) {
    const Outcome outcome = ReadAll(all.substr(0, size));
    const size_t whole =
        (size > Element("a").size()) + (size > 2 * Element("a").size() + 2);
    EXPECT_EQ(outcome.ids.size(), whole) << size;
    EXPECT_EQ(outcome.problems.size(), 1u) << size;
  }
}

// Whatever one byte becomes, all elements but the one (or the two) it stands in
// or between are found.
TEST(JsonArrayTest, EveryByteDamaged) {
  for (const char* raw : {",", ",\n ", ", "}) {
    const std::string between = raw;
    std::string all = "[";
    constexpr size_t kElements = 5;
    std::vector<size_t> begins;
    for (size_t i = 0; i < kElements; ++i) {
      if (i > 0) all += between;
      begins.push_back(all.size());
      all += Element(std::string(1, static_cast<char>('a' + i)));
    }
    all += "]";
    const size_t length = Element("a").size();
    for (size_t at = begins[1]; at < all.size();
         at += TWINSET_SLOW_BUILD ? 5 : 1) {
      for (const char to : {'"', '{', '}', '[', ']', ',', '\\', 'x', '\0'}) {
        std::string damaged = all;
        damaged[at] = to;
        const Outcome outcome = ReadAll(damaged);
        for (size_t i = 0; i < kElements; ++i) {
          const bool is_near = at + between.size() >= begins[i] &&
                               at <= begins[i] + length + between.size();
          if (is_near) continue;
          const std::string id(1, static_cast<char>('a' + i));
          EXPECT_EQ(std::count(outcome.ids.begin(), outcome.ids.end(), id), 1)
              << id << " is lost or doubled with " << int{to} << " at " << at
              << " in " << damaged;
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST(JsonArrayTest, HostileArraysTakeLinearTime) {
  ReadOptions options;
  options.max_document_bytes = 1 << 20;
  for (const char* piece :
       {"{\"a\",", "[", "{\"a\":", "\"", "{\"a\":[{", ",{\"a\":1"}) {
    std::string all = "[{\"a\":1},";
    while (all.size() < (TWINSET_SLOW_BUILD ? 500'000 : 3'000'000))
      all += piece;
    const Outcome outcome = ReadAll(all, options);
    EXPECT_LE(outcome.ids.size(), 1u);
  }
}

}  // namespace
}  // namespace twinset
