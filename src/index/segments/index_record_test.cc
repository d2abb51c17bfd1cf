#include "segments/index_record.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "segments/index_manifest.h"
#include "store/test_util.h"

namespace twinset {
namespace {

IndexRecord DocumentRecord(uint64_t entry) {
  IndexRecord record;
  record.of_class = entry - 3;
  record.before_in_class = entry - 1;
  record.state = {4,      entry - 3, entry - 2, -5, 1'790'000'000,
                  {1, 7}, entry - 1};
  record.kept_for = entry - 3;
  record.before_dropped = entry - 2;
  record.id_hash = 0x123456789abcdef0;
  record.content_hash = 0x0fedcba987654321;
  record.arrival = 17;
  record.features = 99;
  record.seen = -1;
  record.tag = 7;
  record.has_id = true;
  record.same_id = 2;
  record.id = "id";
  record.url = "http://a/";
  record.date = "2026-01-02";
  return record;
}

TEST(IndexRecord, ComesBackAsItWas) {
  const std::string text(1000, 'x');
  const std::string packed = PackText(text);
  IndexRecord record = DocumentRecord(40);
  record.text_bytes = text.size();
  record.packed = packed;
  std::string bytes;
  EncodeIndexRecord(record, 40, &bytes);
  const auto back = DecodeIndexRecord(bytes, 40);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->state, record.state);
  EXPECT_EQ(back->of_class, 37u);
  EXPECT_EQ(back->kept_for, 37u);
  EXPECT_EQ(back->before_of_id, kNoEntry);
  EXPECT_EQ(back->before_dropped, 38u);
  EXPECT_EQ(back->seen, -1);
  EXPECT_EQ(back->Name(), "id#2");
  EXPECT_EQ(back->url, "http://a/");
  EXPECT_EQ(*UnpackText(back->packed, back->text_bytes), text);
  EXPECT_FALSE(UnpackText(back->packed, text.size() - 1));
  std::string again;
  EncodeIndexRecord(*back, 40, &again);
  EXPECT_EQ(again, bytes);

  // A log may have been made by a clock of any state.
  record.state.first_seen = INT64_MIN;
  record.state.last_seen = INT64_MAX;
  bytes.clear();
  EncodeIndexRecord(record, 40, &bytes);
  const auto wild = DecodeIndexRecord(bytes, 40);
  ASSERT_TRUE(wild);
  EXPECT_EQ(wild->state, record.state);

  IndexRecord removal;
  removal.type = RecordType::kRemoval;
  removal.of_class = 3;
  removal.removed = {3, 9, 12};
  removal.removed_kept = 1;
  bytes.clear();
  EncodeIndexRecord(removal, 50, &bytes);
  EXPECT_EQ(DecodeIndexRecord(bytes, 50)->removed, removal.removed);
}

// Every record that is cut, changed or random is refused, or is one that could
// have been written.
TEST(IndexRecord, NoBytesDoHarm) {
  std::string bytes;
  EncodeIndexRecord(DocumentRecord(40), 40, &bytes);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeIndexRecord(bytes.substr(0, size), 40)) << size;
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] = static_cast<char>(random());
    if (i % 3 == 0) changed.resize(random() % changed.size());
    (void)DecodeIndexRecord(changed, 40);
  }
}

TEST(IndexRecord, CapturesComeBackWithWhatFindsThem) {
  for (const RecordType type : {RecordType::kDocument, RecordType::kRemoved}) {
    IndexRecord record = DocumentRecord(40);
    record.type = type;
    record.url_hash = 0x1111222233334445;
    record.before_of_url = 30;
    record.digest_hash = 7;
    record.digest = "ABC";
    record.payload_hash = {3, 0x1122334455667788};
    std::string bytes;
    EncodeIndexRecord(record, 40, &bytes);
    const auto back = DecodeIndexRecord(bytes, 40);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->type, type);
    EXPECT_EQ(back->url_hash, record.url_hash);
    EXPECT_EQ(back->before_of_url, 30u);
    EXPECT_EQ(back->digest_hash, 7u);
    EXPECT_EQ(back->before_of_digest, kNoEntry);
    EXPECT_EQ(back->digest, "ABC");
    EXPECT_EQ(back->payload_hash, record.payload_hash);
    // As one that is none it is not read.
    bytes[0] = type == RecordType::kDocument ? 1 : 4;
    EXPECT_FALSE(DecodeIndexRecord(bytes, 40));
  }
}

// As they were written before entries had it.
TEST(IndexRecord, ACaptureNeedsNoPayload) {
  IndexRecord record = DocumentRecord(40);
  record.type = RecordType::kDocument;
  record.digest_hash = 7;
  record.digest = "ABC";
  std::string bytes;
  EncodeIndexRecord(record, 40, &bytes);
  EXPECT_TRUE(bytes.ends_with("ABC"));
  const auto back = DecodeIndexRecord(bytes, 40);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->payload_hash, Hash128Value());
  EXPECT_EQ(back->digest, "ABC");
}

TEST(IndexRecord, WhatListsDeclareComesBack) {
  IndexRecord record;
  record.type = RecordType::kDeclared;
  record.tag = 3;
  record.digest_hash = 0x1122334455667789;
  record.before_of_digest = 12;
  record.seen = 1'790'000'000;
  record.url = "http://a/";
  record.date = "20260102030405";
  record.digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  std::string bytes;
  EncodeIndexRecord(record, 40, &bytes);
  const auto back = DecodeIndexRecord(bytes, 40);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->type, RecordType::kDeclared);
  EXPECT_EQ(back->tag, 3u);
  EXPECT_EQ(back->digest_hash, record.digest_hash);
  EXPECT_EQ(back->before_of_digest, 12u);
  EXPECT_EQ(back->seen, record.seen);
  EXPECT_EQ(back->url, record.url);
  EXPECT_EQ(back->date, record.date);
  EXPECT_EQ(back->digest, record.digest);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeIndexRecord(bytes.substr(0, size), 40)) << size;
  record.before_of_digest = 40;
  bytes.clear();
  EncodeIndexRecord(record, 40, &bytes);
  EXPECT_FALSE(DecodeIndexRecord(bytes, 40));

  record.type = RecordType::kUndeclared;
  bytes.clear();
  EncodeIndexRecord(record, 40, &bytes);
  EXPECT_EQ(DecodeIndexRecord(bytes, 40)->type, RecordType::kUndeclared);
  EXPECT_EQ(DecodeIndexRecord(bytes, 40)->tag, 3u);
}

// What would lead from an entry to itself, and a text that no such frame can
// have.
TEST(IndexRecord, WhatHasNoEndIsRefused) {
  std::string bytes;
  const auto is_refused = [&](const IndexRecord& record) {
    bytes.clear();
    EncodeIndexRecord(record, 40, &bytes);
    return !DecodeIndexRecord(bytes, 40);
  };
  EXPECT_FALSE(is_refused(DocumentRecord(40)));
  for (uint64_t IndexRecord::*before :
       {&IndexRecord::before_in_class, &IndexRecord::before_dropped,
        &IndexRecord::before_of_id}) {
    IndexRecord record = DocumentRecord(40);
    record.*before = 40;
    EXPECT_TRUE(is_refused(record));
  }
  for (uint64_t IndexRecord::*before :
       {&IndexRecord::before_of_url, &IndexRecord::before_of_digest}) {
    IndexRecord capture = DocumentRecord(40);
    capture.url_hash = 1;
    EXPECT_FALSE(is_refused(capture));
    capture.*before = 40;
    EXPECT_TRUE(is_refused(capture));
  }
  IndexRecord removal;
  removal.type = RecordType::kRemoval;
  removal.of_class = 3;
  EXPECT_FALSE(is_refused(removal));
  removal.before_removal = 40;
  EXPECT_TRUE(is_refused(removal));

  // The head of a frame that says how long its text is, and no more.
  std::string packed("\x28\xb5\x2f\xfd\xe0", 5);
  AppendLE<uint64_t>(&packed, uint64_t{1} << 60);
  const auto text = UnpackText(packed, uint64_t{1} << 60);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE(UnpackText("", ~uint64_t{0}));
  const std::string zeros(3 << 20, '\0');
  EXPECT_EQ(*UnpackText(PackText(zeros), zeros.size()), zeros);
}

TEST(IndexManifest, DamageIsRefused) {
  const TestDir dir;
  IndexManifest manifest;
  manifest.parameters = Json{{"method", "minhash"}};
  manifest.logs = {{1, 0, 10}};
  manifest.runs = {{2, 0, 7}, {3, 7, 20}};
  manifest.log = 4;
  manifest.next_file = 5;
  manifest.counts = {9, 12, 3, 1, {{0, {7, 0}}, {2, {1, 15}}}};
  manifest.tags = {"a", "b"};
  ASSERT_TRUE(manifest.Write(dir.path()));
  const auto back = IndexManifest::Read(dir.path());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->runs, manifest.runs);
  EXPECT_EQ(back->counts, manifest.counts);
  EXPECT_EQ(back->tags, manifest.tags);
  EXPECT_EQ(back->covered(), 20u);
  const std::string path = dir / IndexManifest::kName;
  ForEachDamage(path, [&](const std::string& what) {
    const auto damaged = IndexManifest::Read(dir.path());
    ASSERT_FALSE(damaged) << what;
    ExpectDamageError(damaged.error(), path, what);
  });
  // Runs that end before the sealed logs.
  manifest.runs = {{2, 0, 7}};
  ASSERT_TRUE(manifest.Write(dir.path()));
  EXPECT_FALSE(IndexManifest::Read(dir.path()));
}

TEST(IndexManifest, KnowsTheNamesOfItsFiles) {
  EXPECT_EQ(IndexFileOfName("00000012.log"), 12u);
  EXPECT_EQ(IndexFileOfName("00000012.log.idx"), 12u);
  EXPECT_EQ(IndexFileOfName("00000013.run"), 13u);
  for (const char* other :
       {"13.txt", "run", "x13.run", "", "13", "13.run.part"})
    EXPECT_EQ(IndexFileOfName(other), 0u) << other;
}

}  // namespace
}  // namespace twinset
