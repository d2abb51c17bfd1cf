#include "pipeline/results/decisions.h"

#include <gtest/gtest.h>

#include <map>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

// Who goes, action by action, as --action defines it.
bool NaiveDropped(Action action, bool clustered, bool kept) {
  if (action == Action::kDrop) return clustered && !kept;
  return action == Action::kDropAll && clustered;
}

TEST(Decisions, EveryDocumentHasTheOneOfItsAction) {
  SplitMix64 random(1);
  for (const Action action :
       {Action::kDrop, Action::kAnnotate, Action::kDropAll, Action::kReport}) {
    for (const uint64_t documents : {0u, 1u, 40u}) {
      TestRun run(documents, [&](auto* options) { options->action = action; });
      std::map<uint64_t, ClusterRow> rows;
      std::vector<ClusterRow> written;
      for (uint64_t document = 0; document < documents; ++document) {
        if (random.Below(3) == 0) continue;
        const uint64_t representative =
            random.Below(2) == 0 ? document : random.Below(documents);
        written.push_back({document, representative, 2 + random.Below(5),
                           .5 + .01 * static_cast<double>(random.Below(50)),
                           .25});
        rows[document] = written.back();
      }
      run.WriteRecords("clusters.run", written);
      auto decisions = Decisions::Open(*run.get());
      ASSERT_TRUE(decisions);
      for (uint64_t document = 0; document < documents + 2; ++document) {
        const auto decision = decisions->Next();
        ASSERT_TRUE(decision);
        const auto row = rows.find(document);
        const bool clustered = row != rows.end();
        ASSERT_EQ(decision->clustered, clustered) << document;
        EXPECT_EQ(
            decision->dropped,
            NaiveDropped(action, clustered,
                         clustered && row->second.representative == document));
        if (!clustered) continue;
        EXPECT_EQ(decision->row.document, document);
        EXPECT_EQ(decision->row.representative, row->second.representative);
        EXPECT_EQ(decision->row.size, row->second.size);
        EXPECT_EQ(decision->row.score, row->second.score);
      }
    }
  }
}

TEST(Decisions, WithoutRowsOfThisRunThereAreNone) {
  TestRun run(1);
  EXPECT_FALSE(Decisions::Open(*run.get()));
}

// Documents with the ids of the order stage, some in clusters.
struct Listed {
  std::vector<DocumentInfo> infos;
  std::vector<std::string> ids;
  std::vector<ClusterRow> rows;
};

Listed RandomListed(SplitMix64* random, uint64_t documents) {
  Listed listed;
  for (uint64_t i = 0; i < documents; ++i) {
    DocumentInfo info;
    info.id = "read";  // what is listed is the final id
    info.empty = random->Below(4) == 0;
    listed.infos.push_back(info);
    listed.ids.push_back((i % 2 == 0 ? "\xC3\xA9 " : "d") + std::to_string(i));
    if (random->Below(3) == 0) continue;
    const uint64_t representative =
        random->Below(2) == 0 ? i : random->Below(documents);
    listed.rows.push_back({i, representative, 2 + i, .5 + .001 * i, .5});
  }
  return listed;
}

void Write(const Listed& listed, TestRun* run) {
  run->WriteInfos(listed.infos);
  run->WriteBlobs("ids.blob", listed.ids);
  run->WriteRecords("clusters.run", listed.rows);
}

TEST(WriteLists, EveryDocumentIsKeptOrDropped) {
  SplitMix64 random(2);
  for (const Action action :
       {Action::kDrop, Action::kAnnotate, Action::kDropAll, Action::kReport}) {
    for (const uint64_t documents : {0u, 1u, 50u}) {
      const Listed listed = RandomListed(&random, documents);
      TestRun run(documents, [&](auto* options) { options->action = action; });
      Write(listed, &run);
      std::map<uint64_t, uint64_t> representatives;
      for (const ClusterRow& row : listed.rows)
        representatives[row.document] = row.representative;
      std::string keep, drop, empty;
      uint64_t dropped = 0;
      for (uint64_t i = 0; i < documents; ++i) {
        const auto at = representatives.find(i);
        const bool goes =
            NaiveDropped(action, at != representatives.end(),
                         at != representatives.end() && at->second == i);
        dropped += goes;
        (goes ? drop : keep) += listed.ids[i] + "\n";
        if (listed.infos[i].empty) empty += listed.ids[i] + "\n";
      }
      std::vector<uint64_t> kept_by_source, dropped_by_source;
      DroppedText text;
      RenamedIds renamed(run.get());
      ASSERT_TRUE(WriteLists(*run.get(), &kept_by_source, &dropped_by_source,
                             &text, &renamed));
      EXPECT_EQ(*ReadWholeFile(run.out() + "/keep.txt"), keep);
      EXPECT_EQ(*ReadWholeFile(run.out() + "/drop.txt"), drop);
      EXPECT_EQ(*ReadWholeFile(run.out() + "/empty.txt"), empty);
      EXPECT_EQ(kept_by_source, std::vector<uint64_t>{documents - dropped});
      EXPECT_EQ(dropped_by_source, std::vector<uint64_t>{dropped});
    }
  }
}

// An id with a line end would be two ids: no list is left behind.
TEST(WriteLists, AnIdOfTwoLinesIsAnError) {
  TestRun run(2);
  Write({std::vector<DocumentInfo>(2), {"a", "b\nc"}, {}}, &run);
  std::vector<uint64_t> kept, dropped;
  DroppedText text;
  RenamedIds renamed(run.get());
  const Status written =
      WriteLists(*run.get(), &kept, &dropped, &text, &renamed);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE(FileExists(run.out() + "/keep.txt"));
}

TEST(AnnotatedDecisions, SayTheClusterByTheIdOfItsRepresentative) {
  SplitMix64 random(3);
  const Listed listed = RandomListed(&random, 60);
  TestRun run(60);
  Write(listed, &run);
  std::map<uint64_t, ClusterRow> rows;
  for (const ClusterRow& row : listed.rows) rows[row.document] = row;
  auto decisions = AnnotatedDecisions::Open(*run.get());
  ASSERT_TRUE(decisions);
  // From the beginning, then from anywhere.
  uint64_t begin = 0;
  for (int pass = 0; pass < 12; ++pass) {
    for (uint64_t i = begin; i < std::min<uint64_t>(begin + 20, 60); ++i) {
      const auto decision = decisions->Next();
      ASSERT_TRUE(decision);
      EXPECT_EQ(decisions->id(), listed.ids[i]);
      const auto annotation = decisions->Annotate(*decision);
      ASSERT_TRUE(annotation);
      const auto row = rows.find(i);
      if (row == rows.end()) {
        EXPECT_EQ(annotation->cluster, listed.ids[i]);
        EXPECT_EQ(annotation->size, 1u);
        EXPECT_TRUE(annotation->is_representative);
        EXPECT_EQ(annotation->similarity, 1);
        continue;
      }
      EXPECT_EQ(annotation->cluster, listed.ids[row->second.representative]);
      EXPECT_EQ(annotation->size, row->second.size);
      EXPECT_EQ(annotation->is_representative, row->second.representative == i);
      EXPECT_EQ(annotation->similarity, row->second.score);
    }
    begin = random.Below(60);
    ASSERT_TRUE(decisions->Seek(begin));
  }
}

}  // namespace
}  // namespace twinset
