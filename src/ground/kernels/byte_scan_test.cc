#include "kernels/byte_scan.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace twinset::kernels {
namespace {

std::string RandomBytes(std::mt19937* random, size_t size) {
  static constexpr char kBytes[] = "<&\r\0 !/=>?az\x1F\x7F\x80\xA0\xFF";
  std::string bytes;
  while (bytes.size() < size) {
    bytes += kBytes[(*random)() % (sizeof kBytes - 1)];
  }
  return bytes;
}

TEST(ByteScan, Masks) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string bytes = RandomBytes(&random, Bytes16::kSize);
    uint32_t equal = 0, at_most = 0, at_most_80 = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      const uint32_t bit = 1u << i;
      if (c == '<' || c == 0 || c == 0xFF) equal |= bit;
      if (c <= ' ' || c == '/' || c == '>') at_most |= bit;
      if (c <= 0x80) at_most_80 |= bit;
    }
    const Bytes16 block(bytes.data());
    EXPECT_EQ(block.EqualTo('<', '\0', '\xFF'), equal);
    EXPECT_EQ(block.AtMostOr(' ', '/', '>'), at_most);
    EXPECT_EQ(block.AtMostOr('\x80'), at_most_80);
  }
}

// All sizes around the block's and all beginnings.
TEST(ByteScan, FindsAsALoopDoes) {
  std::mt19937 random(2);
  for (size_t size = 0; size < 70; ++size) {
    for (int round = 0; round < 20; ++round) {
      std::string bytes = RandomBytes(&random, size);
      if (round % 2 == 0) {  // fewer to be found
        for (char& c : bytes) {
          if (random() % 16 != 0) c = 'a';
        }
      }
      for (size_t at = 0; at <= size; ++at) {
        size_t any = at, stop = at;
        while (any < size && bytes[any] != '>' && bytes[any] != '=') ++any;
        bool noted = false;
        for (; stop < size && bytes[stop] != '<'; ++stop) {
          noted |= bytes[stop] == '&' || bytes[stop] == '\0';
        }
        EXPECT_EQ(FindAnyOf(bytes.data(), at, size, '>', '='), any);
        bool passed = false, kept = true;
        EXPECT_EQ(FindAndNote(bytes.data(), at, size, '<', &passed, '&', '\0'),
                  stop);
        EXPECT_EQ(passed, noted);
        FindAndNote(bytes.data(), at, size, '<', &kept, '&');
        EXPECT_TRUE(kept);
      }
    }
  }
}

}  // namespace
}  // namespace twinset::kernels
