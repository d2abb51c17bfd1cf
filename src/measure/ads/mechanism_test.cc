#include "ads/mechanism.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/hash.h"

namespace twinset::ads {
namespace {

using ::testing::ElementsAre;

Ratio Part(uint64_t num, uint64_t den) { return *Ratio::Of(num, den); }

std::vector<Bidder> Golden() {
  return {{"A", 400, Part(1, 100)},
          {"B", 300, Part(3, 100)},
          {"C", 200, Part(6, 100)},
          {"D", 100, Part(8, 100)}};
}

std::vector<int64_t> Prices(const std::vector<Placement>& placements) {
  std::vector<int64_t> prices;
  for (const Placement& placement : placements)
    prices.push_back(placement.price_cents);
  return prices;
}

std::vector<uint32_t> Ranks(const std::vector<Placement>& placements) {
  std::vector<uint32_t> ranks;
  for (const Placement& placement : placements) ranks.push_back(placement.rank);
  return ranks;
}

TEST(Money, DecimalsAreExact) {
  EXPECT_EQ(ParseCents("1.51"), 151);
  EXPECT_EQ(ParseCents(".38"), 38);
  EXPECT_EQ(ParseCents("$69.1"), 6910);
  EXPECT_EQ(ParseCents("4."), 400);
  EXPECT_EQ(ParseCents("0.500"), 50);
  EXPECT_EQ(ParseCents("10000000"), kMostCents);
  for (const char* bad :
       {"", ".", "$", "-1", "+1", "1e2", "1,50", "0.005", "10000000.01", "1 ",
        " 1", "1.2.3", "nan", "1234567890", "0.0000000001"})
    EXPECT_EQ(ParseCents(bad), std::nullopt) << bad;
  EXPECT_EQ(ParseExactDecimal("0.06"), Part(3, 50));
  EXPECT_EQ(CentsText(151), "1.51");
  EXPECT_EQ(CentsText(5), "0.05");
  EXPECT_EQ(CentsText(0), "0.00");
}

TEST(Money, FractionsRefuseWhatDoesNotFit) {
  EXPECT_EQ(Ratio::Of(1, 0), std::nullopt);
  EXPECT_EQ(Ratio::Of(Ratio::kMostPart + 1, 1), std::nullopt);
  EXPECT_EQ(Ratio::Of(2 * static_cast<Wide>(Ratio::kMostPart), 2),
            Part(Ratio::kMostPart, 1));
  const Ratio large = Part(Ratio::kMostPart, Ratio::kMostPart - 1);
  EXPECT_EQ(Times(large, large), std::nullopt);
  // The largest values that may meet do not overflow.
  EXPECT_EQ(CompareProducts(kMostCents, large, kMostCents, large), 0);
  EXPECT_EQ(CompareProducts(kMostCents, large, kMostCents - 1, large), 1);
}

TEST(Gsp, GoldenTable) {
  const auto placed = HoldMechanism(Golden(), {});
  EXPECT_THAT(Ranks(placed), ElementsAre(4, 2, 1, 3));
  // A pays the minimum, B 2.68, C 1.51, D .51.
  EXPECT_THAT(Prices(placed), ElementsAre(1, 268, 151, 51));
}

TEST(Gsp, RoundingConventions) {
  MechanismRules rules;
  rules.rounding = Rounding::kUp;
  EXPECT_EQ(HoldMechanism(Golden(), rules)[1].price_cents, 268);
  rules.rounding = Rounding::kDown;
  EXPECT_EQ(HoldMechanism(Golden(), rules)[1].price_cents, 267);
  EXPECT_EQ(HoldMechanism(Golden(), rules)[2].price_cents, 151);
}

TEST(Gsp, EqualRatesAreTheOrdinarySecondPrice) {
  const auto placed = HoldMechanism({{"x", 500, Part(1, 50)},
                                     {"y", 300, Part(1, 50)},
                                     {"z", 200, Part(1, 50)}},
                                    {});
  EXPECT_THAT(Prices(placed), ElementsAre(301, 201, 1));
}

TEST(Gsp, ATieIsCutAtTheBid) {
  const auto placed = HoldMechanism(
      {{"b", 100, Part(1, 10)}, {"a", 100, Part(1, 10)}, {"c", 50, Part(1, 5)}},
      {});
  EXPECT_THAT(Ranks(placed), ElementsAre(3, 2, 1));
  EXPECT_THAT(Prices(placed), ElementsAre(1, 100, 50));
}

TEST(Gsp, NeverClickedIsNotRankedAndALoneBidderPaysTheReserve) {
  MechanismRules rules;
  rules.reserve_cents = 25;
  const auto placed = HoldMechanism({{"never", 900, Ratio()},
                                     {"lone", 70, Part(1, 100)},
                                     {"poor", 24, Part(1, 2)}},
                                    rules);
  EXPECT_EQ(placed[0].outcome, Outcome::kNoClicks);
  EXPECT_EQ(placed[2].outcome, Outcome::kBelowReserve);
  EXPECT_THAT(Ranks(placed), ElementsAre(0, 1, 0));
  EXPECT_THAT(Prices(placed), ElementsAre(0, 25, 0));
}

TEST(Gsp, SlotsAreLimitedAndTheNextOneStillSetsThePrice) {
  MechanismRules rules;
  rules.slots = 2;
  const auto placed = HoldMechanism(Golden(), rules);
  EXPECT_THAT(Prices(placed), ElementsAre(0, 268, 151, 0));
  EXPECT_EQ(placed[3].outcome, Outcome::kNoSlot);
}

TEST(Gsp, AnAdvertiserIsRankedOnceWithTheBestAd) {
  const auto placed = HoldMechanism({{"x", 100, Part(1, 10)},
                                     {"x", 200, Part(1, 10)},
                                     {"y", 50, Part(1, 10)}},
                                    {});
  EXPECT_EQ(placed[0].outcome, Outcome::kOtherAd);
  EXPECT_THAT(Prices(placed), ElementsAre(0, 51, 1));
}

TEST(Goto, GoldenList) {
  MechanismRules rules;
  rules.mechanism = Mechanism::kGoto;
  const auto placed = HoldMechanism(
      {{"Bullard", 35, {}}, {"Buddy Blake", 38, {}}, {"Coldwell", 37, {}}},
      rules);
  EXPECT_THAT(Ranks(placed), ElementsAre(3, 1, 2));
  EXPECT_THAT(Prices(placed), ElementsAre(35, 38, 37));
}

TEST(Nobody, IsRanked) { EXPECT_TRUE(HoldMechanism({}, {}).empty()); }

// ---- Against a naive reference ----

// Place by place: of those left, the one that nobody beats; its price by trying
// out all prices from 0.
std::vector<Placement> Naive(const std::vector<Bidder>& bidders,
                             const MechanismRules& rules) {
  std::vector<Placement> placed(bidders.size());
  std::vector<size_t> order;
  const auto beats = [&](size_t a, size_t b) {
    const Bidder &x = bidders[a], &y = bidders[b];
    if (rules.mechanism == Mechanism::kGsp) {
      // Over the product of the denominators, which are small here.
      const uint64_t sx = x.bid_cents * x.weight.num() * y.weight.den();
      const uint64_t sy = y.bid_cents * y.weight.num() * x.weight.den();
      if (sx != sy) return sx > sy;
      const uint64_t wx = x.weight.num() * y.weight.den();
      const uint64_t wy = y.weight.num() * x.weight.den();
      if (wx != wy) return wx > wy;
    } else if (x.bid_cents != y.bid_cents) {
      return x.bid_cents > y.bid_cents;
    }
    return x.name != y.name ? x.name < y.name : a < b;
  };
  for (;;) {
    size_t best = bidders.size();
    for (size_t i = 0; i < bidders.size(); ++i) {
      const Bidder& bidder = bidders[i];
      if (bidder.bid_cents < 1 || bidder.bid_cents < rules.reserve_cents)
        continue;
      if (rules.mechanism == Mechanism::kGsp && bidder.weight.num() == 0)
        continue;
      const bool there = std::any_of(
          order.begin(), order.end(),
          [&](size_t at) { return bidders[at].name == bidder.name; });
      if (!there && (best == bidders.size() || beats(i, best))) best = i;
    }
    if (best == bidders.size()) break;
    order.push_back(best);
  }
  for (size_t at = 0; at < order.size(); ++at) {
    const Bidder& bidder = bidders[order[at]];
    Placement& placement = placed[order[at]];
    placement.rank = static_cast<uint32_t>(at + 1);
    if (rules.slots != 0 && at >= rules.slots) continue;
    if (rules.mechanism == Mechanism::kGoto) {
      placement.price_cents = bidder.bid_cents;
    } else if (at + 1 == order.size()) {
      placement.price_cents = rules.reserve_cents;
    } else {
      const Bidder& next = bidders[order[at + 1]];
      const uint64_t others =
          next.bid_cents * next.weight.num() * bidder.weight.den();
      const uint64_t own = bidder.weight.num() * next.weight.den();
      // The cent nearest to others / own, halves up: the least whose upper
      // half-cent lies above it.
      int64_t cents = 0;
      while ((2 * cents + 1) * own <= 2 * others) ++cents;
      placement.price_cents = std::clamp<int64_t>(
          cents + rules.increment_cents, rules.reserve_cents, bidder.bid_cents);
    }
  }
  return placed;
}

std::vector<Bidder> RandomBidders(SplitMix64* random) {
  std::vector<Bidder> bidders(random->Below(9));
  for (Bidder& bidder : bidders) {
    bidder.name = std::string(1, static_cast<char>('a' + random->Below(12)));
    bidder.bid_cents = static_cast<int64_t>(random->Below(60));
    bidder.weight = Part(random->Below(6), 1 + random->Below(12));
  }
  return bidders;
}

MechanismRules RandomRules(SplitMix64* random) {
  MechanismRules rules;
  rules.mechanism = random->Below(3) == 0 ? Mechanism::kGoto : Mechanism::kGsp;
  rules.reserve_cents = static_cast<int64_t>(random->Below(12));
  rules.increment_cents = static_cast<int64_t>(random->Below(3));
  rules.slots = random->Below(5);
  return rules;
}

TEST(Mechanism, EqualsTheNaiveReference) {
  SplitMix64 random(7);
  for (int round = 0; round < 3000; ++round) {
    const auto bidders = RandomBidders(&random);
    const auto rules = RandomRules(&random);
    const auto fast = HoldMechanism(bidders, rules);
    const auto slow = Naive(bidders, rules);
    ASSERT_EQ(Ranks(fast), Ranks(slow)) << round;
    ASSERT_EQ(Prices(fast), Prices(slow)) << round;
  }
}

TEST(Mechanism, PricesAreAtMostTheBidAndAtLeastTheReserve) {
  SplitMix64 random(8);
  int shown = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto bidders = RandomBidders(&random);
    const auto rules = RandomRules(&random);
    const auto placed = HoldMechanism(bidders, rules);
    for (size_t i = 0; i < placed.size(); ++i) {
      if (placed[i].outcome != Outcome::kShown) continue;
      ++shown;
      EXPECT_LE(placed[i].price_cents, bidders[i].bid_cents);
      EXPECT_GE(placed[i].price_cents, rules.reserve_cents);
    }
  }
  EXPECT_GT(shown, 1000);
}

TEST(Mechanism, ABetterBidNeverRanksWorse) {
  SplitMix64 random(9);
  int compared = 0;
  for (int round = 0; round < 2000; ++round) {
    auto bidders = RandomBidders(&random);
    const auto rules = RandomRules(&random);
    if (bidders.empty()) continue;
    const size_t who = random.Below(bidders.size());
    const auto before = HoldMechanism(bidders, rules);
    bidders[who].bid_cents += 1 + static_cast<int64_t>(random.Below(20));
    const auto after = HoldMechanism(bidders, rules);
    if (before[who].rank == 0) continue;
    ++compared;
    EXPECT_GE(after[who].rank, 1u);
    EXPECT_LE(after[who].rank, before[who].rank);
  }
  EXPECT_GT(compared, 500);
}

TEST(Mechanism, TheOrderOfTheBidsDoesNotCount) {
  SplitMix64 random(10);
  for (int round = 0; round < 1000; ++round) {
    auto bidders = RandomBidders(&random);
    const auto rules = RandomRules(&random);
    const auto by_name = [&](const std::vector<Bidder>& of) {
      const auto placed = HoldMechanism(of, rules);
      std::map<uint32_t, std::pair<std::string, int64_t>> ranked;
      for (size_t i = 0; i < of.size(); ++i)
        if (placed[i].rank > 0)
          ranked[placed[i].rank] = {of[i].name, placed[i].price_cents};
      return ranked;
    };
    const auto before = by_name(bidders);
    for (size_t i = bidders.size(); i > 1; --i)
      std::swap(bidders[i - 1], bidders[random.Below(i)]);
    ASSERT_EQ(by_name(bidders), before) << round;
  }
}

// A bidder that ranks where it does would pay the same with any other bid that
// keeps the place: what makes it a second price.
TEST(Gsp, TheOwnBidDoesNotSetThePrice) {
  auto bidders = Golden();
  bidders[2].bid_cents = 1000;
  EXPECT_EQ(HoldMechanism(bidders, {})[2].price_cents, 151);
}

TEST(Vcg, OneSlotIsTheSecondPriceAndMoreCostLessThanGsp) {
  const std::vector<Bidder> equal = {
      {"x", 1000, Part(1, 1)}, {"y", 400, Part(1, 1)}, {"z", 200, Part(1, 1)}};
  EXPECT_EQ(VcgPrices(equal, {Part(1, 1)}, 1)[0], 400);
  // Views 1 and 1/2: x takes half a view's worth from y and half from z.
  const auto two = VcgPrices(equal, {Part(1, 1), Part(1, 2)}, 1);
  EXPECT_EQ(two[0], 300);
  EXPECT_EQ(two[1], 200);
  EXPECT_EQ(two[2], std::nullopt);
}

TEST(Vcg, NeverAboveGsp) {
  SplitMix64 random(11);
  const std::vector<Ratio> views = {Part(1, 1), Part(2, 3), Part(1, 4)};
  for (int round = 0; round < 500; ++round) {
    auto bidders = RandomBidders(&random);
    MechanismRules rules;
    rules.slots = views.size();
    rules.rounding = Rounding::kUp;
    const auto placed = HoldMechanism(bidders, rules);
    std::vector<Bidder> ranked(bidders.size());
    std::vector<int64_t> gsp(bidders.size());
    size_t count = 0;
    for (size_t i = 0; i < bidders.size(); ++i) {
      if (placed[i].rank == 0) continue;
      ranked[placed[i].rank - 1] = bidders[i];
      gsp[placed[i].rank - 1] = placed[i].price_cents;
      ++count;
    }
    ranked.resize(count);
    const auto vcg = VcgPrices(ranked, views, rules.reserve_cents);
    for (size_t i = 0; i < std::min(count, views.size()); ++i) {
      ASSERT_TRUE(vcg[i].has_value());
      EXPECT_LE(*vcg[i], gsp[i]);
    }
  }
}

}  // namespace
}  // namespace twinset::ads
