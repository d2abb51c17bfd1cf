#include "base/bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace twinset {
namespace {

TEST(Bytes, LoadAndStoreAreLittleEndianAtAnyAlignment) {
  char bytes[16] = {};
  StoreLE<uint32_t>(bytes + 1, 0x01020304u);
  EXPECT_EQ(bytes[1], 4);
  EXPECT_EQ(bytes[4], 1);
  EXPECT_EQ(LoadLE<uint32_t>(bytes + 1), 0x01020304u);
  EXPECT_EQ(LoadLE<uint16_t>(bytes + 3), 0x0102u);
  StoreLE<double>(bytes + 5, -0.5);
  EXPECT_EQ(LoadLE<double>(bytes + 5), -0.5);
}

TEST(Bytes, ReaderReturnsWhatWasAppended) {
  std::string bytes;
  AppendLE<uint8_t>(&bytes, 7);
  AppendSized(&bytes, std::string_view("a\0b", 3));
  AppendLE<uint64_t>(&bytes, ~uint64_t{0});
  AppendSized(&bytes, "");
  ASSERT_EQ(bytes.size(), 1u + 4 + 3 + 8 + 4);
  ByteReader reader(bytes);
  EXPECT_EQ(reader.Read<uint8_t>(), 7);
  EXPECT_EQ(reader.ReadSized(), std::string_view("a\0b", 3));
  EXPECT_FALSE(reader.AtEnd());
  EXPECT_EQ(reader.Read<uint64_t>(), ~uint64_t{0});
  EXPECT_EQ(reader.ReadSized(), "");
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.AtEnd());
}

TEST(Bytes, ReaderOfEveryTruncationFailsAndStaysFailed) {
  std::string bytes;
  AppendLE<uint32_t>(&bytes, 5);
  AppendSized(&bytes, "text");
  for (size_t size = 0; size < bytes.size(); ++size) {
    ByteReader reader(std::string_view(bytes).substr(0, size));
    reader.Read<uint32_t>();
    EXPECT_EQ(reader.ReadSized(), "") << size;
    EXPECT_FALSE(reader.ok()) << size;
    EXPECT_EQ(reader.Read<uint8_t>(), 0);
    EXPECT_FALSE(reader.ok());
  }
}

TEST(Bytes, VarintsOfEveryLengthComeBack) {
  std::vector<uint64_t> values = {0, ~uint64_t{0}};
  for (int bit = 0; bit < 64; ++bit)
    for (const uint64_t change : {~uint64_t{0}, uint64_t{0}, uint64_t{1}})
      values.push_back((uint64_t{1} << bit) + change);
  std::string all;
  for (const uint64_t value : values) {
    std::string bytes;
    AppendVarint(&bytes, value);
    size_t expected = 1;
    for (uint64_t rest = value >> 7; rest != 0; rest >>= 7) ++expected;
    EXPECT_EQ(bytes.size(), expected) << value;
    for (size_t size = 0; size < bytes.size(); ++size) {
      ByteReader cut(std::string_view(bytes).substr(0, size));
      EXPECT_EQ(cut.ReadVarint(), 0u);
      EXPECT_FALSE(cut.ok()) << value << " cut to " << size;
    }
    all += bytes;
  }
  ByteReader reader(all);
  for (const uint64_t value : values) EXPECT_EQ(reader.ReadVarint(), value);
  EXPECT_TRUE(reader.ok() && reader.AtEnd());
  // More bytes than a number has.
  ByteReader endless(
      std::string_view("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"));
  EXPECT_EQ(endless.ReadVarint(), 0u);
  EXPECT_FALSE(endless.ok());
}

TEST(Bytes, ReaderRefusesALengthBeyondTheEnd) {
  std::string bytes;
  AppendLE<uint32_t>(&bytes, 0xffffffffu);
  bytes += "abc";
  ByteReader reader(bytes);
  EXPECT_EQ(reader.ReadSized(), "");
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, Hex) {
  EXPECT_EQ(ToHex(std::string_view("\x00\x7f\xff\xa5", 4)), "007fffa5");
  EXPECT_EQ(ToHex(std::string_view()), "");
  EXPECT_EQ(ToHex(uint64_t{0xabc}), "0000000000000abc");
  EXPECT_EQ(ToHex(uint64_t{0xabcdef}, 4), "cdef");
  EXPECT_EQ(ToHex(~uint64_t{0}), "ffffffffffffffff");
}

// RFC 4648, section 10, without the padding.
TEST(Bytes, Base32) {
  EXPECT_EQ(ToBase32(""), "");
  EXPECT_EQ(ToBase32("f"), "MY");
  EXPECT_EQ(ToBase32("fo"), "MZXQ");
  EXPECT_EQ(ToBase32("foo"), "MZXW6");
  EXPECT_EQ(ToBase32("foob"), "MZXW6YQ");
  EXPECT_EQ(ToBase32("fooba"), "MZXW6YTB");
  EXPECT_EQ(ToBase32("foobar"), "MZXW6YTBOI");
}

}  // namespace
}  // namespace twinset
