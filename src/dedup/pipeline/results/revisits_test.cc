// Revisit records: stored and read back, and what they refer to, against a
// search through all documents.
#include "pipeline/results/revisits.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "pipeline/read/captures.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

using Parsed = nlohmann::json;

std::string OneOf(SplitMix64* random, std::initializer_list<const char*> of) {
  return *(of.begin() + random->Below(of.size()));
}

// A revisit, or a record that was skipped; names from small pools, so that they
// meet.
Record RandomRecord(SplitMix64* random) {
  Record record;
  Provenance& place = record.document.provenance;
  record.document.id = OneOf(random, {"", "i1", "i2", "i3"});
  place.ordinal = random->Below(1000);
  place.url = OneOf(random, {"", "u1", "u2"});
  place.date = OneOf(random, {"", "d1", "d2"});
  place.digest = OneOf(random, {"", "", "g1", "g2", "g3"});
  record.refers_to_id = OneOf(random, {"", "", "i1", "i2", "i3"});
  record.refers_to_url = OneOf(random, {"", "u1", "u2"});
  record.refers_to_date = OneOf(random, {"", "d1", "d2"});
  record.refers_to_digest = OneOf(random, {"", "", "g1", "g2", "g3"});
  return record;
}

bool Refers(const Record& revisit, const std::string& id,
            const Provenance& place) {
  const auto same = [](const std::string& x, const std::string& y) {
    return !x.empty() && x == y;
  };
  return same(revisit.refers_to_id, id) ||
         (same(revisit.refers_to_url, place.url) &&
          same(revisit.refers_to_date, place.date)) ||
         same(revisit.refers_to_digest, place.digest);
}

TEST(Captures, WhatWasStoredIsReadBack) {
  TestRun run(0);
  Record record;
  record.document.provenance.ordinal = uint64_t{1} << 40;
  record.document.provenance.url = std::string("a\0b", 3);
  record.refers_to_digest = std::string(100000, 'x');
  std::string bytes;
  EncodeCapture(record, "status", &bytes);
  run.WriteBlobs("revisits.blob", {bytes});
  size_t count = 0;
  ASSERT_TRUE(ForEachCapture(*run.get(), [&](const Capture& capture) -> Status {
    ++count;
    EXPECT_EQ(capture.skipped, "status");
    EXPECT_EQ(capture.source, 0u);
    EXPECT_EQ(capture.ordinal, uint64_t{1} << 40);
    EXPECT_EQ(capture.url, record.document.provenance.url);
    EXPECT_EQ(capture.refers_to_digest, record.refers_to_digest);
    EXPECT_EQ(capture.id + capture.date + capture.digest, "");
    return {};
  }));
  EXPECT_EQ(count, 1u);
  const auto damaged = [&](const std::string& blob) {
    run.WriteBlobs("revisits.blob", {blob});
    const Status status =
        ForEachCapture(*run.get(), [](const Capture&) -> Status { return {}; });
    return !status && status.error().code == ErrorCode::kCorrupt;
  };
  EXPECT_TRUE(damaged(bytes + "x"));
  for (size_t cut : {0u, 4u, 11u, 12u, 30u})
    EXPECT_TRUE(damaged(bytes.substr(0, cut))) << cut;
}

TEST(Revisits, EachIsResolvedOrSaysWhatWasSkipped) {
  const std::vector<std::string> reasons = {"status", "mime", "language"};
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SplitMix64 random(seed);
    std::vector<DocumentInfo> infos(random.Below(4));
    for (DocumentInfo& info : infos) {
      const Record record = RandomRecord(&random);
      info.id = record.document.id;
      info.provenance = record.document.provenance;
    }
    std::vector<std::pair<Record, std::string>> captures;
    std::vector<std::string> blobs;
    uint64_t revisits = 0;
    for (uint64_t i = random.Below(30); i > 0; --i) {
      const std::string reason =
          random.Below(4) != 0 ? "" : reasons[random.Below(reasons.size())];
      captures.emplace_back(RandomRecord(&random), reason);
      EncodeCapture(captures.back().first, reason, &blobs.emplace_back());
      revisits += reason.empty();
    }
    TestRun run(infos.size());
    run.get()->counts.read.revisits = revisits;
    run.WriteInfos(infos);
    run.WriteBlobs("revisits.blob", blobs);
    RevisitCounts counts;
    ASSERT_TRUE(WriteRevisits(run.get(), &counts));

    // The reason that the file names first of those that apply.
    std::vector<std::string> in_order;
    for (const auto& [record, reason] : captures) {
      if (!reason.empty() &&
          std::find(in_order.begin(), in_order.end(), reason) == in_order.end())
        in_order.push_back(reason);
    }
    const std::string text =
        ReadWholeFile(run.out() + "/revisits.jsonl").value();
    size_t at = 0;
    uint64_t resolved_count = 0;
    for (const auto& [revisit, reason] : captures) {
      if (!reason.empty()) continue;
      bool resolved = false;
      for (const DocumentInfo& info : infos)
        resolved = resolved || Refers(revisit, info.id, info.provenance);
      std::string skipped;
      for (const std::string& candidate : in_order) {
        for (const auto& [other, why] : captures) {
          if (!resolved && skipped.empty() && why == candidate &&
              Refers(revisit, other.document.id, other.document.provenance))
            skipped = why;
        }
      }
      const size_t end = text.find('\n', at);
      ASSERT_NE(end, std::string::npos);
      const Parsed row = Parsed::parse(text.substr(at, end - at));
      at = end + 1;
      EXPECT_EQ(row["id"], revisit.document.id);
      EXPECT_EQ(row["source"], "in.jsonl");
      EXPECT_EQ(row["ordinal"], revisit.document.provenance.ordinal);
      EXPECT_EQ(row["resolved"], resolved) << seed;
      EXPECT_EQ(row.value("target_skipped", ""), skipped) << seed;
      resolved_count += resolved;
    }
    EXPECT_EQ(at, text.size());
    EXPECT_EQ(counts.resolved, resolved_count);
    EXPECT_EQ(counts.unresolved, revisits - resolved_count);
  }
}

}  // namespace
}  // namespace twinset
