#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "read/byte_stream.h"
#include "read/test_records.h"

namespace twinset {
namespace {

// compress(1) in the plainest way; `clear_every`: bytes between two codes that
// empty the table, 0: none. gzip -dc reads what it writes.
class Lzw {
 public:
  static std::string Of(const std::string& text, int max_bits,
                        size_t clear_every) {
    Lzw lzw(max_bits);
    std::map<std::pair<uint32_t, char>, uint32_t> table;
    uint32_t free = 257, entries = 257;
    bool is_first = true;
    auto now = static_cast<uint8_t>(text[0]) + uint32_t{0};
    for (size_t i = 1; i < text.size(); ++i) {
      const std::pair key(now, text[i]);
      if (const auto found = table.find(key); found != table.end()) {
        now = found->second;
        continue;
      }
      lzw.Put(now);
      // Who reads is one entry behind.
      if (!is_first && entries < uint32_t{1} << max_bits) ++entries;
      is_first = false;
      if (free < uint32_t{1} << max_bits) table[key] = free++;
      if (lzw.width_ < max_bits && entries > (uint32_t{1} << lzw.width_) - 1)
        lzw.Widen(lzw.width_ + 1);
      if (clear_every > 0 && i % clear_every == 0) {
        lzw.Put(256);
        lzw.Widen(9);
        table.clear();
        free = entries = 257;
        is_first = true;
      }
      now = static_cast<uint8_t>(text[i]);
    }
    lzw.Put(now);
    lzw.Flush();
    return lzw.bytes_;
  }

 private:
  explicit Lzw(int max_bits)
      : bytes_("\x1f\x9d" +
               std::string(1, static_cast<char>(0x80 | max_bits))) {}
  void Put(uint32_t code) {
    bits_ |= uint64_t{code} << count_;
    count_ += width_;
    in_group_ = (in_group_ + 1) % 8;
    Give(8);
  }
  void Give(int least) {
    for (; count_ >= least && count_ > 0; count_ -= 8, bits_ >>= 8)
      bytes_.push_back(static_cast<char>(bits_ & 0xff));
    count_ = std::max(count_, 0);
  }
  void Flush() { Give(1); }
  void Widen(int width) {
    if (in_group_ > 0) {
      int padding = (8 - in_group_) * width_;
      for (; padding > 0; --padding, ++count_) Give(8);
      Give(8);
    }
    in_group_ = 0;
    width_ = width;
  }

  std::string bytes_;
  uint64_t bits_ = 0;
  int count_ = 0, width_ = 9, in_group_ = 0;
};

std::string Prose(size_t words) {
  std::mt19937 random(7);
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const size_t length = 1 + random() % 6;
    for (size_t j = 0; j < length; ++j)
      text += static_cast<char>('a' + random() % 5);
    text += i % 9 == 0 ? '\n' : ' ';
  }
  return text;
}

std::string Decoded(const std::string& bytes, bool* at_gap) {
  const auto stream = ByteStreamFromMemory(bytes, {});
  EXPECT_EQ(stream->compression(), Compression::kLzw);
  std::string text;
  for (;;) {
    const auto view = stream->Peek(100);
    EXPECT_TRUE(view.has_value());
    if (!view || view->empty()) break;
    text += *view;
    stream->Consume(view->size());
  }
  *at_gap = stream->AtGap();
  return text;
}

TEST(LzwCodecTest, ReadsWhatCompressWrites) {
  for (const size_t words : {1, 100, 20'000}) {
    const std::string text = Prose(words);
    for (const int bits : {10, 12, 16}) {
      for (const size_t clear_every : {0, 5000}) {
        bool at_gap = true;
        EXPECT_EQ(Decoded(Lzw::Of(text, bits, clear_every), &at_gap), text)
            << words << " " << bits << " " << clear_every;
        EXPECT_FALSE(at_gap);
      }
    }
  }
  // An entry that is used as soon as it is made.
  bool at_gap = true;
  EXPECT_EQ(Decoded(Lzw::Of(std::string(5000, 'x'), 16, 0), &at_gap),
            std::string(5000, 'x'));
}

// There is no end mark: what is there of a file that was cut is its text.
TEST(LzwCodecTest, CutAnywhereGivesTheBeginning) {
  const std::string text = Prose(300), whole = Lzw::Of(text, 12, 0);
  for (size_t size = 3; size < whole.size(); size += 11) {
    bool at_gap = true;
    const std::string part = Decoded(whole.substr(0, size), &at_gap);
    EXPECT_EQ(part, text.substr(0, part.size()));
    EXPECT_FALSE(at_gap);
  }
}

TEST(LzwCodecTest, DamageIsToldOrGivesOtherText) {
  const std::string text = Prose(300), whole = Lzw::Of(text, 12, 0);
  bool any_told = false;
  for (size_t at = 2; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x80);
    const auto stream = ByteStreamFromMemory(damaged, {});
    const auto view = stream->Peek(1 << 20);
    ASSERT_TRUE(view.has_value());
    any_told |= stream->UpcomingFault() != nullptr;
  }
  EXPECT_TRUE(any_told);
}

TEST(LzwCodecTest, IsAnInputLikeAnyOther) {
  const auto records = test::ReadAll(
      Lzw::Of("{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\",\"text\":\"y\"}\n",
              16, 0),
      "rows.jsonl.Z");
  EXPECT_EQ(test::Briefly(records), (std::vector<std::string>{"a:x", "b:y"}));
}

}  // namespace
}  // namespace twinset
