// Networks against a table of every address, and files of them.
#include "servers/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// All networks of the test lie in 10.0.0.0/22.
constexpr uint32_t kFirst = 10u << 24, kAddresses = 1024;
constexpr int kPrefix = 22;

struct Network {
  uint32_t first = 0, size = 1;  // the first counted from kFirst
  std::string Text() const {
    return AddressText(kFirst + first) + "/" +
           std::to_string(32 - std::countr_zero(size));
  }
};

std::vector<Network> RandomNetworks(size_t count, SplitMix64* random) {
  std::vector<Network> networks(count);
  for (Network& network : networks) {
    network.size = 1u << random->Below(9);
    network.first =
        static_cast<uint32_t>(random->Below(kAddresses)) & ~(network.size - 1);
  }
  return networks;
}

std::vector<std::string> Texts(const std::vector<Network>& networks) {
  std::vector<std::string> texts;
  for (const Network& network : networks) texts.push_back(network.Text());
  return texts;
}

using Table = std::vector<bool>;

void Set(const std::vector<Network>& networks, bool value, Table* table) {
  for (const Network& network : networks)
    for (uint32_t i = 0; i < network.size; ++i)
      (*table)[network.first + i] = value;
}

// The largest networks of which every address is in the table: each cover of
// the same addresses has a part in each of them.
std::vector<std::string> LargestNetworks(const Table& table) {
  const auto is_whole = [&](Network network) {
    for (uint32_t i = 0; i < network.size; ++i)
      if (!table[network.first + i]) return false;
    return true;
  };
  std::vector<std::string> largest;
  for (uint32_t first = 0; first < kAddresses; ++first) {
    for (uint32_t size = kAddresses; size > 0; size /= 2) {
      if (first % size != 0 || !is_whole({first, size})) continue;
      const uint32_t around = first & ~(2 * size - 1);
      if (size == kAddresses || !is_whole({around, 2 * size}))
        largest.push_back(Network{first, size}.Text());
      break;
    }
  }
  return largest;
}

TEST(AddressSpaceTest, EqualsATableOfEveryAddress) {
  SplitMix64 random(1);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    const auto wanted = RandomNetworks(1 + random.Below(12), &random),
               without = RandomNetworks(random.Below(12), &random);
    Table table(kAddresses);
    Set(wanted, true, &table);
    Set(without, false, &table);
    std::vector<uint32_t> addresses;
    for (uint32_t i = 0; i < kAddresses; ++i)
      if (table[i]) addresses.push_back(kFirst + i);
    const auto space = AddressSpace::Make(Texts(wanted), Texts(without));
    if (addresses.empty()) {
      ++refused;
      ASSERT_FALSE(space);
      EXPECT_THAT(space.error().ToString(), HasSubstr("exclude less"));
      continue;
    }
    ASSERT_TRUE(space) << space.error().ToString();
    ASSERT_EQ(space->size(), addresses.size());
    for (size_t i = 0; i < addresses.size(); ++i)
      ASSERT_EQ(space->At(i), addresses[i]) << i;
    for (uint32_t i = 0; i < kAddresses; ++i)
      ASSERT_EQ(space->Contains(kFirst + i), table[i]) << i;
    EXPECT_FALSE(space->Contains(kFirst - 1));
    EXPECT_FALSE(space->Contains(kFirst + kAddresses));
    ASSERT_EQ(space->Blocks(), LargestNetworks(table));
  }
  EXPECT_GT(refused, 0);
}

// What is written of a space is the space.
TEST(AddressSpaceTest, BlocksGiveTheSameSpace) {
  SplitMix64 random(2);
  for (int round = 0; round < 50; ++round) {
    const auto space =
        AddressSpace::Make(Texts(RandomNetworks(9, &random)), {});
    const auto again = AddressSpace::Make(space->Blocks(), {});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->size(), space->size());
    EXPECT_EQ(again->Blocks(), space->Blocks());
  }
}

// Lists of networks that are not to be asked are long: each is looked at once,
// not once for each network.
TEST(AddressSpaceTest, LongListsTakeLinearTime) {
  constexpr uint32_t kNetworks = 100'000;
  std::vector<std::string> wanted, without;
  for (uint32_t i = 0; i < kNetworks; ++i) {
    wanted.push_back(AddressText(kFirst + 8 * i) + "/30");
    without.push_back(AddressText(kFirst + 8 * i + 1));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto space = AddressSpace::Make(wanted, without);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  ASSERT_TRUE(space);
  EXPECT_EQ(space->size(), 3 * kNetworks);
}

TEST(ParseAddressTest, TakesWhatIsWrittenAndNothingElse) {
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto address = static_cast<uint32_t>(random.Next());
    const std::string text = AddressText(address);
    EXPECT_EQ(ParseAddress(text), address) << text;
    std::string changed = text;
    changed[random.Below(text.size())] = " .-+x/0"[random.Below(7)];
    if (const auto other = ParseAddress(changed)) {
      EXPECT_EQ(AddressText(*other), changed);
    }
    EXPECT_FALSE(ParseAddress(text + "."));
    EXPECT_FALSE(ParseAddress("." + text));
    EXPECT_FALSE(ParseAddress("0" + text));
  }
}

class ReadNetworksTest : public ::testing::Test {
 protected:
  Result<std::vector<std::string>> Read(const std::string& text) {
    EXPECT_TRUE(WriteWholeFile(path_, text));
    return ReadNetworks(path_);
  }
  TestDir folder_;
  const std::string path_ = folder_ / "networks";
};

TEST_F(ReadNetworksTest, CommentsAndBlanksAreNone) {
  const auto networks = Read(
      "# ours\n192.0.2.0/24 # the first\n\n \t\r\n  192.0.2.7\t\n"
      "#10.0.0.0/8\n10.0.0.0/31");
  ASSERT_TRUE(networks) << networks.error().ToString();
  EXPECT_THAT(*networks,
              ElementsAre("192.0.2.0/24", "192.0.2.7", "10.0.0.0/31"));
  EXPECT_TRUE(Read("# nothing\n")->empty());
}

TEST_F(ReadNetworksTest, ErrorsNameTheLineAndWhatToWrite) {
  const auto bits = Read("10.0.0.0/8\n\n10.1.2.3/16\n10.0.0.0/99\n");
  ASSERT_FALSE(bits);
  EXPECT_EQ(bits.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(bits.error().where, path_ + ":3");
  EXPECT_EQ(bits.error().remedy, "write 10.1.0.0/16");
  const auto word = Read("example.org\n");
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().where, path_ + ":1");
  EXPECT_THAT(word.error().message, HasSubstr("'example.org'"));
  EXPECT_THAT(word.error().remedy, HasSubstr("192.0.2.0/24"));
  const auto zero = Read(std::string("10.0.0.1\n10.0.0.2\0\n", 19));
  ASSERT_FALSE(zero);
  EXPECT_EQ(zero.error().where, path_ + ":2");
  const auto absent = ReadNetworks(folder_ / "absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace twinset
