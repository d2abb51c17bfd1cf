// The loop over the documents of a run, on one thread and on several.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

std::vector<std::string> EncodedDocuments(size_t count) {
  std::vector<std::string> blobs(count);
  for (size_t i = 0; i < count; ++i) {
    DocumentInfo info;
    info.id = "document " + std::to_string(i);
    info.tokens = i;
    // Some are so long that a batch holds few of them.
    if (i % 100 == 7) info.provenance.url = std::string(50'000, 'u');
    EncodeDocumentInfo(info, &blobs[i]);
  }
  return blobs;
}

class ForEachDocumentTest : public testing::TestWithParam<int> {
 protected:
  struct Seen {
    Status status;
    uint64_t documents = 0;
  };

  // Each document must be the next one, as it was written; the body fails at
  // document `end`.
  static Seen Pass(const std::vector<std::string>& blobs, uint64_t end) {
    TestRun run(blobs.size(), [](PlanOptions* options) {
      options->resources.threads = GetParam();
    });
    run.WriteBlobs("documents.blob", blobs);
    Seen seen;
    seen.status = ForEachDocument(
        *run.get(), [&](uint64_t document, const DocumentInfo& info) -> Status {
          EXPECT_EQ(document, seen.documents++);
          EXPECT_EQ(info.id, "document " + std::to_string(document));
          EXPECT_EQ(info.tokens, document);
          EXPECT_EQ(info.provenance.url.empty(), document % 100 != 7);
          if (document == end) return Fail(ErrorCode::kIo, "the body fails");
          return {};
        });
    return seen;
  }
};

TEST_P(ForEachDocumentTest, ComesToEachInOrder) {
  for (const size_t count : {0, 1, 127, 128, 129, 1500}) {
    const Seen seen = Pass(EncodedDocuments(count), UINT64_MAX);
    EXPECT_TRUE(seen.status);
    EXPECT_EQ(seen.documents, count);
  }
}

TEST_P(ForEachDocumentTest, EndsWhereTheBodyFails) {
  for (const uint64_t end : {0, 1, 127, 128, 999}) {
    const Seen seen = Pass(EncodedDocuments(1000), end);
    ASSERT_FALSE(seen.status);
    EXPECT_EQ(seen.status.error().message, "the body fails");
    EXPECT_EQ(seen.documents, end + 1);
  }
}

TEST_P(ForEachDocumentTest, ComesToThoseInFrontOfDamage) {
  for (const size_t damaged : {0, 1, 127, 128, 700, 999}) {
    std::vector<std::string> blobs = EncodedDocuments(1000);
    blobs[damaged].resize(3);
    const Seen seen = Pass(blobs, UINT64_MAX);
    ASSERT_FALSE(seen.status);
    EXPECT_EQ(seen.status.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(seen.documents, damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ForEachDocumentTest,
                         testing::Values(1, 2, 5));

}  // namespace
}  // namespace twinset
