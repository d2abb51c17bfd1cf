#include "segments/index_manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/test_dir.h"
#include "store/file_header.h"

namespace twinset {
namespace {

IndexManifest Made() {
  IndexManifest manifest;
  manifest.parameters = Json{{"method", "exact"}};
  manifest.next_file = 2;
  manifest.log = 1;
  manifest.counts.documents = 5;
  manifest.counts.declared[1] = {3, 7};
  return manifest;
}

// The manifest under another version of its layout.
std::string OfVersion(const std::string& bytes, uint32_t version) {
  const auto header = EncodeFileHeader({"index", version, 0, 0});
  return std::string(header.data(), header.size()) +
         bytes.substr(header.size());
}

TEST(IndexManifest, OfBothVersionsIsRead) {
  const TestDir dir;
  ASSERT_TRUE(Made().Write(dir.path()));
  const auto bytes = ReadWholeFile(dir / "index.manifest");
  ASSERT_TRUE(bytes);
  for (const uint32_t version : {1, 2}) {
    const auto read = IndexManifest::Parse(OfVersion(*bytes, version), "m");
    ASSERT_TRUE(read) << read.error().ToString();
    EXPECT_EQ(read->counts.documents, 5u);
    EXPECT_EQ(read->counts.declared.at(1).captures, 3u);
    EXPECT_EQ(read->counts.declared.at(1).gone_till, 7u);
  }
  const auto newer = IndexManifest::Parse(OfVersion(*bytes, 3), "m");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(newer.error().message, "layout version 3, this build reads 2");
}

TEST(IndexManifest, EachFlippedBitIsRefused) {
  const TestDir dir;
  ASSERT_TRUE(Made().Write(dir.path()));
  const auto bytes = ReadWholeFile(dir / "index.manifest");
  ASSERT_TRUE(bytes);
  for (size_t i = 0; i < bytes->size(); ++i) {
    std::string damaged = *bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_FALSE(IndexManifest::Parse(damaged, "m")) << i;
    EXPECT_FALSE(IndexManifest::Parse(bytes->substr(0, i), "m")) << i;
  }
}

}  // namespace
}  // namespace twinset
