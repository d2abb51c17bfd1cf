#include "text/charset/charset_index.h"

#include <gtest/gtest.h>

#include <string>

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset::charset_internal {
namespace {

// The code point of an entry, read back from its UTF-8.
uint32_t CodePoint(const EncodedPoint& point) {
  uint32_t value =
      static_cast<unsigned char>(point.bytes[0]) & (0x7Fu >> point.size());
  for (size_t i = 1; i < point.size(); ++i) {
    value = value << 6 | (static_cast<unsigned char>(point.bytes[i]) & 0x3Fu);
  }
  return value;
}

// The standard publishes of every index the SHA-256 of its list of code points
// (None where there is none): the tables that decode are those of the standard.
TEST(CharsetIndex, HaveTheIdentifiersOfTheStandard) {
  EXPECT_EQ(PackedIndexes().size(), 32u);
  for (const PackedIndex& packed : PackedIndexes()) {
    const CodePointIndex* const index = FindIndex(packed.name);
    ASSERT_NE(index, nullptr) << packed.name;
    EXPECT_EQ(index->points.size(), packed.size) << packed.name;
    std::string list = "[";
    size_t widest = 0;
    for (const EncodedPoint& point : index->points) {
      if (list.size() > 1) list += ", ";
      list += point.exists() ? std::to_string(CodePoint(point)) : "None";
      if (point.exists()) widest = std::max(widest, point.size());
    }
    EXPECT_EQ(ToHex(Sha256(list + "]")), packed.identifier) << packed.name;
    EXPECT_EQ(index->widest, widest) << packed.name;
  }
  std::string list = "[";
  for (const Gb18030Range& range : Gb18030Ranges()) {
    if (list.size() > 1) list += ", ";
    list += "[" + std::to_string(range.pointer) + ", " +
            std::to_string(static_cast<uint32_t>(range.code_point)) + "]";
  }
  EXPECT_EQ(ToHex(Sha256(list + "]")), Gb18030RangesIdentifier());
}

TEST(CharsetIndex, LookUps) {
  EXPECT_EQ(FindIndex("utf-8"), nullptr);
  EXPECT_EQ(FindIndex("big5"), FindIndex("big5"));
  EXPECT_FALSE(FindIndex("big5")->At(0).exists());
  EXPECT_FALSE(FindIndex("big5")->At(1 << 20).exists());
  EXPECT_EQ(CodePoint(FindIndex("jis0208")->At(0)), 0x3000u);
  EXPECT_EQ(Gb18030RangesCodePoint(0), 0x80u);
  EXPECT_EQ(Gb18030RangesCodePoint(7457), 0xE7C7u);
  EXPECT_EQ(Gb18030RangesCodePoint(39419), 0xFFFFu);
  EXPECT_EQ(Gb18030RangesCodePoint(39420), 0u);
  EXPECT_EQ(Gb18030RangesCodePoint(188999), 0u);
  EXPECT_EQ(Gb18030RangesCodePoint(189000), 0x10000u);
  EXPECT_EQ(Gb18030RangesCodePoint(1237575), 0x10FFFFu);
  EXPECT_EQ(Gb18030RangesCodePoint(1237576), 0u);
}

TEST(CharsetIndex, EncodePoint) {
  for (const uint32_t c :
       {0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    EXPECT_EQ(CodePoint(EncodePoint(c)), c);
    EXPECT_EQ(EncodePoint(c).size(), c < 0x800 ? 2u : c < 0x10000 ? 3u : 4u);
  }
}

}  // namespace
}  // namespace twinset::charset_internal
