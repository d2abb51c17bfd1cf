#include "documents/document_info.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

DocumentInfo FilledInfo() {
  DocumentInfo info;
  info.id = "an id";
  info.provenance.source = 2;
  info.provenance.ordinal = 3;
  info.provenance.offset = 4;
  info.provenance.url = "http://a.example/with/a/long/path/of/its/own";
  info.provenance.date = "2020-02-02";
  info.provenance.digest = "sha1:ABC";
  info.code_points = 5;
  info.feature_count = 6;
  info.payload_hash = 7;
  info.payload_bytes = 14;
  info.tokens = 7;
  info.fingerprint = {8, 9};
  info.empty = info.truncated = info.mostly_template = true;
  info.removed = 10;
  info.within = {11, 10};
  info.across = {12, 13};
  info.seconds = -13;
  info.canonical = Canonical::kSelf;
  info.original_id = "an\nid";
  info.fields = {"", "field", std::string("\0x", 2)};
  return info;
}

void ExpectSame(const DocumentInfo& a, const DocumentInfo& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.original_id, b.original_id);
  EXPECT_EQ(a.provenance.source, b.provenance.source);
  EXPECT_EQ(a.provenance.ordinal, b.provenance.ordinal);
  EXPECT_EQ(a.provenance.offset, b.provenance.offset);
  EXPECT_EQ(a.provenance.url, b.provenance.url);
  EXPECT_EQ(a.provenance.date, b.provenance.date);
  EXPECT_EQ(a.provenance.digest, b.provenance.digest);
  EXPECT_EQ(a.code_points, b.code_points);
  EXPECT_EQ(a.feature_count, b.feature_count);
  EXPECT_EQ(a.payload_bytes, b.payload_bytes);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.payload_hash, b.payload_hash);
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  EXPECT_EQ(a.empty, b.empty);
  EXPECT_EQ(a.truncated, b.truncated);
  EXPECT_EQ(a.removed, b.removed);
  EXPECT_EQ(a.mostly_template, b.mostly_template);
  EXPECT_EQ(a.within, b.within);
  EXPECT_EQ(a.across, b.across);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.canonical, b.canonical);
  EXPECT_EQ(a.fields, b.fields);
}

TEST(DocumentInfoTest, ComesBackAsItWasStored) {
  std::string bytes = "what stood there before";
  DocumentInfo back = FilledInfo();  // nothing of it stays
  for (const DocumentInfo& info :
       {FilledInfo(), DocumentInfo(), FilledInfo()}) {
    EncodeDocumentInfo(info, &bytes);
    // Enough room was measured for what is written, and no more.
    EXPECT_EQ(bytes.size(), 160 + (info.id.empty() ? 0u : 95u));
    ASSERT_TRUE(DecodeDocumentInfo(bytes, &back));
    ExpectSame(info, back);
  }
}

TEST(DocumentInfoTest, RefusesOtherBytes) {
  std::string bytes;
  EncodeDocumentInfo(FilledInfo(), &bytes);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto info =
        DecodeDocumentInfo(std::string_view(bytes).substr(0, size));
    // Whole fields may be missing at the end; nothing else.
    EXPECT_TRUE(!info || info->fields.size() < 3);
  }
  EXPECT_FALSE(DecodeDocumentInfo(bytes + "x"));
  EXPECT_FALSE(DecodeDocumentInfo(""));
}

}  // namespace
}  // namespace twinset
