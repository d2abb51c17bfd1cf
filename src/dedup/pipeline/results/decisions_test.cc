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

}  // namespace
}  // namespace twinset
