// The bytes of the frames of a patch: both ways for any values, and bytes that
// no frame has.
#include "patch/patch_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/bytes.h"
#include "patch/patch_match.h"
#include "patch/patch_reading.h"

namespace twinset {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

std::string RandomText(SplitMix64* random) {
  static const std::string kTexts[] = {
      "",     "a",        "http://a.example/",  "http://a.example/x",
      "文书", "\n\0\xff", std::string(300, 'x')};
  return kTexts[random->Below(std::size(kTexts))];
}

// Entries as AddEntry takes them: ascending, with values of all sizes.
std::vector<PatchEntry> AnyEntries(uint64_t seed, size_t count,
                                   uint64_t first) {
  SplitMix64 random(seed);
  const auto number = [&random] { return random.Next() >> random.Below(64); };
  std::vector<PatchEntry> entries;
  uint32_t source = 0;
  uint64_t next = 0;
  for (size_t i = 0; i < count; ++i) {
    PatchEntry entry;
    entry.kind = static_cast<PatchKind>(random.Below(kPatchKinds));
    if (random.Below(4) == 0) {
      source += 1 + static_cast<uint32_t>(random.Below(3));
      next = 0;
    }
    entry.source = source;
    entry.ordinal = next + (number() >> 16);
    next = entry.ordinal + 1;
    entry.offset = number();
    entry.digest = {random.Next(), random.Next()};
    entry.id = RandomText(&random);
    entry.name = RandomText(&random);
    entry.url = RandomText(&random);
    entry.date = RandomText(&random);
    const bool links =
        entry.kind == PatchKind::kDrop || entry.kind == PatchKind::kRevisit ||
        entry.kind == PatchKind::kNear || entry.kind == PatchKind::kAnnotate;
    entry.link = links ? number() : first + i;
    if (random.Below(2) == 0)
      entry.similarity = static_cast<double>(random.Below(1000)) / 1000;
    if (random.Below(2) == 0)
      entry.contained = static_cast<double>(random.Below(1001)) / 1000;
    if (entry.kind == PatchKind::kAnnotate) entry.size = number();
    entries.push_back(entry);
  }
  return entries;
}

TEST(PatchFormatTest, EntriesComeBackWhateverTheyAre) {
  for (const uint64_t first : {uint64_t{0}, uint64_t{5}, kMost - 1000}) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
      const auto entries = AnyEntries(seed, seed % 13, first);
      const std::string bytes = EncodePatchEntries(first, entries);
      EXPECT_EQ(*CountPatchEntries(bytes), entries.size());
      std::vector<PatchEntry> read = {{}};  // is emptied first
      const Status status = DecodePatchEntries(first, bytes, &read);
      ASSERT_TRUE(status) << seed;
      EXPECT_EQ(read, entries) << seed;
    }
  }
}

// Texts that begin alike take little: that is what the columns are for.
TEST(PatchFormatTest, TextsThatBeginAlikeAreShort) {
  std::vector<PatchEntry> entries(100);
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].ordinal = i;
    entries[i].link = i;
    entries[i].id =
        "http://a-long-host-name.example/folder/page-" + std::to_string(i);
  }
  EXPECT_LT(EncodePatchEntries(0, entries).size(), 100u * (17 + 12));
}

TEST(PatchFormatTest, NoBeginningAndNoLongerTextIsAFrame) {
  const std::string bytes = EncodePatchEntries(3, AnyEntries(7, 9, 3));
  std::vector<PatchEntry> read;
  for (size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(DecodePatchEntries(3, bytes.substr(0, cut), &read)) << cut;
  EXPECT_FALSE(DecodePatchEntries(3, bytes + '\0', &read));
}

// Any bytes are an answer, and what is read is what would be written again.
TEST(PatchFormatTest, DamagedFramesAreRefusedOrWhole) {
  SplitMix64 random(5);
  const std::string good = EncodePatchEntries(0, AnyEntries(4, 6, 0));
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = good;
    for (uint64_t n = 1 + random.Below(3); n > 0; --n)
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
    std::vector<PatchEntry> read;
    const Status status = DecodePatchEntries(0, bytes, &read);
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
      continue;
    }
    for (size_t i = 1; i < read.size(); ++i)
      EXPECT_LT(std::pair(read[i - 1].source, read[i - 1].ordinal),
                std::pair(read[i].source, read[i].ordinal));
    for (const PatchEntry& entry : read) {
      EXPECT_GE(entry.similarity, 0);
      EXPECT_LE(entry.similarity, 1);
    }
    std::vector<PatchEntry> again;
    ASSERT_TRUE(DecodePatchEntries(0, EncodePatchEntries(0, read), &again));
    EXPECT_EQ(again, read);
  }
}

TEST(PatchFormatTest, CountsBeyondTheBytesAreRefused) {
  std::string bytes;
  AppendVarint(&bytes, 1000);
  EXPECT_FALSE(CountPatchEntries(bytes + std::string(16 * 1000, '\0')));
  EXPECT_TRUE(CountPatchEntries(bytes + std::string(17 * 1000, '\0')));
  bytes.clear();
  AppendVarint(&bytes, kMostFrameEntries + 1);
  EXPECT_FALSE(
      CountPatchEntries(bytes + std::string(17 * (kMostFrameEntries + 1), 0)));
  EXPECT_FALSE(CountPatchEntries(""));
  EXPECT_FALSE(CountPatchEntries("\xff"));
}

TEST(PatchFormatTest, TextsHaveABound) {
  PatchEntry entry;
  entry.id = std::string(kMostFrameText / 2, 'x');
  std::vector<PatchEntry> entries(4, entry), read;
  for (size_t i = 0; i < entries.size(); ++i)
    entries[i].ordinal = entries[i].link = i;
  // Each is the one before: few bytes that would become very many.
  const std::string bytes = EncodePatchEntries(0, entries);
  EXPECT_LT(bytes.size(), kMostFrameText);
  EXPECT_FALSE(DecodePatchEntries(0, bytes, &read));
  entries.resize(2);
  EXPECT_TRUE(DecodePatchEntries(0, EncodePatchEntries(0, entries), &read));
}

TEST(PatchFormatTest, InputsComeBack) {
  std::vector<PatchInput> inputs;
  for (int i = 0; i < 50; ++i) {
    PatchInput& input = inputs.emplace_back();
    input.name = "crawl/2024/文/part-" + std::to_string(i) + ".warc.gz";
    input.bytes = i == 7 ? kMost : static_cast<uint64_t>(i) << i;
    input.digest[static_cast<size_t>(i % 32)] = static_cast<char>(i);
  }
  const std::string bytes = EncodePatchInputs(inputs);
  std::vector<PatchInput> read;
  ASSERT_TRUE(DecodePatchInputs(bytes, &read));
  ASSERT_EQ(read.size(), inputs.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, inputs[i].name);
    EXPECT_EQ(read[i].bytes, inputs[i].bytes);
    EXPECT_EQ(read[i].digest, inputs[i].digest);
  }
  for (size_t cut = 0; cut < bytes.size(); cut += 5) {
    read.clear();
    EXPECT_FALSE(DecodePatchInputs(bytes.substr(0, cut), &read)) << cut;
  }
  EXPECT_FALSE(DecodePatchInputs(bytes + "x", &read));
}

PatchHead Head() {
  PatchHead head;
  head.twinset = "0.1.0";
  head.action = Action::kDropAll;
  head.near = NearRule::kMetadata;
  head.read = {{"content", "main"}};
  head.inputs = 3;
  head.documents = uint64_t{1} << 60;
  head.entries = 5;
  head.dropped = 4;
  head.left_out = 1;
  return head;
}

TEST(PatchFormatTest, TheHeadComesBack) {
  const auto read = DecodePatchHead(EncodePatchHead(Head()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->twinset, "0.1.0");
  EXPECT_EQ(read->action, Action::kDropAll);
  EXPECT_EQ(read->near, NearRule::kMetadata);
  EXPECT_EQ(read->read.dump(), Head().read.dump());
  EXPECT_EQ(read->documents, uint64_t{1} << 60);
  EXPECT_EQ(read->entries, 5u);
  EXPECT_EQ(read->dropped, 4u);
  EXPECT_EQ(read->left_out, 1u);
}

TEST(PatchFormatTest, HeadsOfNoRunAreRefused) {
  const std::string good = EncodePatchHead(Head());
  const auto with = [&](const std::string& name, const std::string& value) {
    Json json = Json::Parse(good);
    json[name] = Json::Parse(value);
    return json.dump();
  };
  for (const std::string& bad :
       {std::string(), std::string("[]"), std::string("null"),
        good.substr(0, good.size() - 1), with("action", "\"report\""),
        with("action", "\"keep\""), with("action", "1"), with("near", "\"x\""),
        with("read", "[]"), with("inputs", "1.5"), with("entries", "\"5\""),
        with("documents", "null"), with("dropped", "{}")}) {
    const auto read = DecodePatchHead(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  }
}

// No count of a patch is below 0.
TEST(PatchFormatTest, NegativeCountsAreRefused) {
  Json json = Json::Parse(EncodePatchHead(Head()));
  for (const char* name :
       {"inputs", "documents", "entries", "dropped", "left_out"}) {
    Json bad = json;
    bad[name] = -1;
    EXPECT_FALSE(DecodePatchHead(bad.dump())) << name;
  }
}

TEST(PatchFormatTest, DigestsAreTheBeginOfSha256) {
  // SHA-256 of "abc": ba7816bf 8f01cfea 414140de 5dae2223 (FIPS 180-4).
  const Hash128Value digest = PatchDigest("abc");
  EXPECT_EQ(digest.low, 0xeacf018fbf1678bau);
  EXPECT_EQ(digest.high, 0x2322ae5dde404141u);
  EXPECT_NE(PatchDigest(""), PatchDigest(std::string(1, '\0')));
}

TEST(PatchFormatTest, NamesComeBack) {
  SplitMix64 random(3);
  for (int i = 0; i < 100; ++i) {
    PatchName name;
    name.id = RandomText(&random);
    name.label = RandomText(&random);
    name.url = RandomText(&random);
    name.date = RandomText(&random);
    name.stored = {random.Next(), random.Next()};
    const std::string bytes = EncodePatchName(name);
    const auto read = DecodePatchName(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->id, name.id);
    EXPECT_EQ(read->label, name.label);
    EXPECT_EQ(read->url, name.url);
    EXPECT_EQ(read->date, name.date);
    EXPECT_EQ(read->stored, name.stored);
    EXPECT_FALSE(DecodePatchName(bytes.substr(0, bytes.size() - 1)));
  }
}

}  // namespace
}  // namespace twinset
