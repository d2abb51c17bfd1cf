#include "pipeline/read/captures.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

std::vector<std::string*> TextsOf(Capture* c) {
  return {&c->skipped,
          &c->id,
          &c->url,
          &c->date,
          &c->digest,
          &c->refers_to_id,
          &c->refers_to_url,
          &c->refers_to_date,
          &c->refers_to_digest};
}

Capture RandomCapture(SplitMix64* random) {
  Capture capture;
  capture.source = static_cast<uint32_t>(random->Next());
  capture.ordinal = random->Next();
  for (std::string* text : TextsOf(&capture)) {
    text->resize(random->Below(3) == 0 ? 0 : random->Below(30));
    for (char& c : *text) c = static_cast<char>(random->Below(256));
  }
  return capture;
}

void ExpectEqual(Capture found, Capture wanted) {
  EXPECT_EQ(found.source, wanted.source);
  EXPECT_EQ(found.ordinal, wanted.ordinal);
  const auto found_texts = TextsOf(&found), wanted_texts = TextsOf(&wanted);
  for (size_t i = 0; i < wanted_texts.size(); ++i)
    EXPECT_EQ(*found_texts[i], *wanted_texts[i]) << i;
}

TEST(Captures, AreReadAsTheyWereWritten) {
  SplitMix64 random(1);
  std::string bytes = "of the capture before";
  for (int i = 0; i < 200; ++i) {
    const Capture capture = RandomCapture(&random);
    EncodeCapture(capture, &bytes);
    const auto found = DecodeCapture(bytes);
    ASSERT_TRUE(found);
    ExpectEqual(*found, capture);
  }
}

TEST(Captures, EveryOtherLengthIsDamage) {
  SplitMix64 random(2);
  std::string bytes;
  EncodeCapture(RandomCapture(&random), &bytes);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeCapture(bytes.substr(0, size))) << size;
  const auto longer = DecodeCapture(bytes + '\0');
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, ErrorCode::kCorrupt);
}

TEST(Captures, ARecordIsStoredWithItsPlaceAndWhatItRefersTo) {
  Record record;
  record.document.id = "id";
  record.document.provenance.source = 3;
  record.document.provenance.ordinal = 4;
  record.document.provenance.url = "url";
  record.document.provenance.date = "date";
  record.document.provenance.digest = "digest";
  record.refers_to_id = "to-id";
  record.refers_to_url = "to-url";
  record.refers_to_date = "to-date";
  record.refers_to_digest = "to-digest";
  std::string bytes;
  EncodeCapture(record, "mime", &bytes);
  const auto found = DecodeCapture(bytes);
  ASSERT_TRUE(found);
  ExpectEqual(*found, {"mime", 3, 4, "id", "url", "date", "digest", "to-id",
                       "to-url", "to-date", "to-digest"});
}

TEST(Captures, ComeInTheOrderOfTheInputsUntilOneFails) {
  SplitMix64 random(3);
  for (const size_t count : {0, 1, 20}) {
    TestRun run(0);
    std::vector<std::string> blobs(count);
    for (size_t i = 0; i < count; ++i) {
      Capture capture = RandomCapture(&random);
      capture.ordinal = i;
      EncodeCapture(capture, &blobs[i]);
    }
    run.WriteBlobs("revisits.blob", blobs);
    std::vector<uint64_t> seen;
    ASSERT_TRUE(ForEachCapture(*run.get(), [&](const Capture& c) -> Status {
      seen.push_back(c.ordinal);
      return {};
    }));
    ASSERT_EQ(seen.size(), count);
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(seen[i], i);
    uint64_t calls = 0;
    const Status stopped =
        ForEachCapture(*run.get(), [&](const Capture&) -> Status {
          ++calls;
          return Fail(ErrorCode::kInterrupted, "enough");
        });
    EXPECT_EQ(stopped.has_value(), count == 0);
    EXPECT_EQ(calls, count == 0 ? 0u : 1u);
  }
}

}  // namespace
}  // namespace twinset
