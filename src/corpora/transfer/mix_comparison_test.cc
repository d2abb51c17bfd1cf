// Mixes of n-grams beside each other, and their numbers, by the definitions.
#include "transfer/mix_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "core/field_list.h"
#include "transfer/extrapolation.h"
#include "transfer/segments.h"
#include "transfer/study_numbers.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FoundMasks RandomMasks(const std::string& mix, uint64_t seed, size_t documents,
                       uint32_t segments) {
  SplitMix64 random(seed);
  FoundMasks masks;
  masks.mix = mix;
  for (size_t d = 0; d < documents; ++d) {
    const uint64_t found =
        random.Next() & random.Next() & ((uint64_t{1} << segments) - 1);
    masks.found.push_back(random.Below(2) == 0 ? found : 0);
    masks.near.push_back(masks.found.back() & random.Next());
  }
  return masks;
}

TEST(MixComparisonTest, CountsAreThoseOfSets) {
  constexpr size_t kDocuments = 200;
  std::vector<FoundMasks> mixes;
  for (const char* name : {"2", "complete", "3", "3+5"})
    mixes.push_back(RandomMasks(name, mixes.size() + 1, kDocuments, 7));
  std::vector<char> same_address;
  for (size_t i = 0; i < kDocuments; ++i) same_address.push_back(i % 3 == 0);
  const auto count = [&](const auto& holds) {
    uint64_t sum = 0;
    for (size_t i = 0; i < kDocuments; ++i) sum += holds(i);
    return sum;
  };
  const Json json = FieldsToJson(CompareMixes(mixes, same_address));
  const FoundMasks& complete = mixes[1];
  std::vector<const FoundMasks*> searched = {&mixes[0], &mixes[2], &mixes[3]};
  ASSERT_EQ(json["mixes"].size(), 3u);
  for (size_t m = 0; m < 3; ++m) {
    const Json& row = json["mixes"][m];
    const FoundMasks& one = *searched[m];
    const uint64_t found = count([&](size_t i) { return one.found[i] != 0; });
    const uint64_t near = count([&](size_t i) { return one.near[i] != 0; });
    EXPECT_EQ(row["mix"], one.mix);
    EXPECT_EQ(row["found"], found);
    EXPECT_EQ(row["near"], near);
    EXPECT_EQ(row["precision"]["part"], near);
    EXPECT_EQ(row["precision"]["whole"], found);
    EXPECT_EQ(row["found_with_same_address"]["part"], count([&](size_t i) {
                return one.found[i] != 0 && same_address[i];
              }));
    EXPECT_EQ(row["near_with_same_address"]["part"], count([&](size_t i) {
                return one.near[i] != 0 && same_address[i];
              }));
    EXPECT_EQ(row["recall"]["part"], count([&](size_t i) {
                return one.near[i] != 0 && complete.near[i] != 0;
              }));
    EXPECT_EQ(row["recall"]["whole"], json["near_by_complete_join"]);
  }
  // Each two in both orders, none with itself.
  ASSERT_EQ(json["missed"].size(), 6u);
  for (const Json& row : json["missed"]) {
    const FoundMasks *by = nullptr, *not_by = nullptr;
    for (const FoundMasks* one : searched) {
      if (row["found_by"] == one->mix) by = one;
      if (row["missed_by"] == one->mix) not_by = one;
    }
    ASSERT_TRUE(by != nullptr && not_by != nullptr && by != not_by);
    EXPECT_EQ(row["found"], count([&](size_t i) {
                return by->found[i] != 0 && not_by->found[i] == 0;
              }));
    EXPECT_EQ(row["near"], count([&](size_t i) {
                return by->near[i] != 0 && not_by->near[i] == 0;
              }));
  }
  EXPECT_EQ(json["capture_recapture"].size(), 3u);
  EXPECT_EQ(json["near_by_any_mix"], count([&](size_t i) {
              return searched[0]->near[i] != 0 || searched[1]->near[i] != 0 ||
                     searched[2]->near[i] != 0;
            }));
  // Chapman's estimate of two captures (Chapman 1951).
  const Json& capture = json["capture_recapture"][0];
  const auto n1 = static_cast<double>(
      count([&](size_t i) { return mixes[0].near[i] != 0; }));
  const auto n2 = static_cast<double>(
      count([&](size_t i) { return mixes[2].near[i] != 0; }));
  const auto m = static_cast<double>(count([&](size_t i) {
    return mixes[0].near[i] != 0 && mixes[2].near[i] != 0;
  }));
  EXPECT_NEAR(capture["size"].get<double>(), (n1 + 1) * (n2 + 1) / (m + 1) - 1,
              1e-6);
}

TEST(MixComparisonTest, WithoutTheJoinThereIsNoRecall) {
  const Json json = FieldsToJson(
      CompareMixes({RandomMasks("2", 1, 20, 4)}, std::vector<char>(20)));
  EXPECT_FALSE(json["mixes"][0].contains("recall"));
  EXPECT_TRUE(json["near_by_complete_join"].is_null());
  EXPECT_TRUE(json["missed"].empty());
  EXPECT_TRUE(json["capture_recapture"].empty());
  const Json none = FieldsToJson(CompareMixes({}, {}));
  EXPECT_TRUE(none["mixes"].empty());
  EXPECT_EQ(none["near_by_any_mix"], 0);
}

TEST(MixComparisonTest, MasksComeBackAndDamageIsTold) {
  const TestDir dir;
  IdTable judged;
  for (int i = 0; i < 30; ++i)
    judged.NumberOf("d," + std::to_string(i) + " \"文\"");
  FoundMasks masks = RandomMasks("2+3", 6, judged.size(), 60);
  masks.found[3] = ~uint64_t{0};
  ASSERT_TRUE(WriteMasks(masks, judged, dir / "m.csv"));
  const auto read = ReadMasks("2+3", judged, dir / "m.csv");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->found, masks.found);
  EXPECT_EQ(read->near, masks.near);
  const std::string text = ReadWholeFile(dir / "m.csv").value();
  IdTable fewer;
  fewer.NumberOf("another");
  EXPECT_FALSE(ReadMasks("2+3", fewer, dir / "m.csv"));
  ASSERT_TRUE(WriteWholeFile(dir / "x.csv", text + "d,1,2,3\n"));
  const auto damaged = ReadMasks("2+3", judged, dir / "x.csv");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE(ReadMasks("2+3", judged, dir / "missing.csv"));
}

// ---- numbers ----

TEST(StudyNumbersTest, WhatIsNotFiniteIsNothing) {
  EXPECT_EQ(Number(0.1234567), 0.123457);
  EXPECT_EQ(Number(-3), -3);
  for (const double value :
       {std::nan(""), std::numeric_limits<double>::infinity(), 1.1e9, -1.1e9})
    EXPECT_FALSE(Number(value)) << value;
  const StudyShare share = ShareOfStudy(1, 4);
  EXPECT_EQ(share.share, 0.25);
  EXPECT_LT(share.low, 0.25);
  EXPECT_GT(share.high, 0.25);
  EXPECT_FALSE(ShareOfStudy(0, 0).share);
}

// Every leaf of the numbers is a row, and nothing else is.
TEST(StudyNumbersTest, RowsAreTheLeaves) {
  const Json json = {
      {"a", {{"b", 1}, {"c", Json::array({true, nullptr, "x,\"y\""})}}},
      {"empty", Json::object()},
      {"ü", -2.5}};
  EXPECT_EQ(NumbersCsv(json),
            "name,value\na.b,1\na.c.0,true\na.c.1,\na.c.2,\"x,\"\"y\"\"\"\n"
            "ü,-2.5\n");
  EXPECT_EQ(NumbersCsv(Json::object()), "name,value\n");
}

// ---- extrapolation ----

// The least squares of a line by the closed formula.
TEST(ExtrapolationByDefinitionTest, TheLineIsThatOfLeastSquares) {
  SplitMix64 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> counts(3 + random.Below(12));
    for (double& count : counts)
      count = static_cast<double>(random.Below(1000));
    const auto n = static_cast<double>(counts.size());
    double s = 0, ss = 0, y = 0, sy = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      const auto x = static_cast<double>(i + 1);
      s += x;
      ss += x * x;
      y += counts[i];
      sy += x * counts[i];
    }
    const double slope = (n * sy - s * y) / (n * ss - s * s);
    const double start = (y - slope * s) / n;
    const auto line = ExtrapolateLine(counts, 40);
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->value, start + slope * 40, 1e-6);
    EXPECT_LE(line->interval.low, line->value);
    EXPECT_NEAR(line->interval.high - line->value,
                line->value - line->interval.low, 1e-6);
    // No hyperbola of a grid is nearer to the counts than the one chosen.
    const auto curve = ExtrapolateSaturating(counts, n);
    ASSERT_TRUE(curve);
    const auto squares = [&](double c, double h) {
      double sum = 0;
      for (size_t i = 0; i < counts.size(); ++i) {
        const auto x = static_cast<double>(i + 1);
        sum += std::pow(counts[i] - c * x / (h + x), 2);
      }
      return sum;
    };
    std::vector<double> read;
    for (size_t i = 1; i <= counts.size(); ++i)
      read.push_back(
          ExtrapolateSaturating(counts, static_cast<double>(i))->value);
    double chosen = 0;
    for (size_t i = 0; i < counts.size(); ++i)
      chosen += std::pow(counts[i] - read[i], 2);
    for (double h = 0.01; h < 1e4; h *= 3)
      for (double c = 50; c < 3000; c *= 1.2)
        EXPECT_GE(squares(c, h), chosen * (1 - 1e-6) - 1e-6);
  }
}

TEST(ExtrapolationByDefinitionTest, AccumulatedCountsNeverFall) {
  SplitMix64 random(4);
  std::vector<uint64_t> masks(200);
  for (uint64_t& mask : masks) mask = random.Next() & random.Next();
  std::vector<uint32_t> order(64);
  std::iota(order.begin(), order.end(), 0u);
  std::reverse(order.begin(), order.end());
  const auto counts = Accumulate(masks, order);
  uint64_t seen = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    seen |= uint64_t{1} << order[i];
    uint64_t found = 0;
    for (const uint64_t mask : masks) found += (mask & seen) != 0;
    EXPECT_EQ(counts[i], static_cast<double>(found));
  }
  EXPECT_TRUE(Accumulate(masks, {}).empty());
  EXPECT_THAT(Accumulate({}, std::vector<uint32_t>{0, 1}), ElementsAre(0, 0));
}

TEST(ExtrapolationByDefinitionTest, TheSeedAloneChoosesTheDraws) {
  SplitMix64 random(5);
  std::vector<uint64_t> masks(300);
  for (uint64_t& mask : masks)
    mask = uint64_t{1} << random.Below(20) | uint64_t{1} << random.Below(20);
  const JudgedFits x = JudgeFits(masks, 20, 5, 30, 1),
                   same = JudgeFits(masks, 20, 5, 30, 1),
                   other = JudgeFits(masks, 20, 5, 30, 2);
  EXPECT_EQ(x.random_line.mean_error, same.random_line.mean_error);
  EXPECT_NE(x.random_line.mean_error, other.random_line.mean_error);
  EXPECT_EQ(x.line->value, other.line->value) << "that of the crawl's order";
  EXPECT_EQ(x.random_line.draws, 30u);
  EXPECT_LE(x.random_line.covered, 30u);
  EXPECT_GE(x.random_line.mean_size, std::abs(x.random_line.mean_error));
  std::reverse(masks.begin(), masks.end());
  EXPECT_EQ(JudgeFits(masks, 20, 5, 30, 1).random_line.mean_error,
            x.random_line.mean_error)
      << "the order of documents is nothing";
}

// ---- segments ----

TEST(SegmentsByDefinitionTest, SizesSumUpAndEachIdHasItsSegment) {
  StudyPlan plan;
  plan.segment_pattern = "seg-([0-9]+)";
  auto segments = Segments::Make(plan, 1 << 20);
  ASSERT_TRUE(segments);
  std::map<std::string, uint64_t> sizes;
  std::vector<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    ids.push_back(i % 7 == 0 ? "none" + std::to_string(i)
                             : "文 seg-0" + std::to_string(i % 5) + "-" +
                                   std::to_string(i));
    ++sizes[i % 7 == 0 ? kNoSegment : "0" + std::to_string(i % 5)];
    ASSERT_TRUE(segments->Add(ids.back(), 0));
  }
  segments->Finish();
  EXPECT_THAT(segments->names(),
              ElementsAre("00", "01", "02", "03", "04", kNoSegment));
  for (size_t s = 0; s < segments->names().size(); ++s)
    EXPECT_EQ(segments->sizes()[s], sizes[segments->names()[s]]);
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto of = segments->Of(ids[i]);
    ASSERT_TRUE(of);
    EXPECT_EQ(segments->names()[*of],
              i % 7 == 0 ? kNoSegment : "0" + std::to_string(i % 5));
  }
  const auto unknown = segments->Of("seg-99");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInternal);
  plan.segment_pattern = "(";
  const auto bad = Segments::Make(plan, 1 << 20);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("no regular expression"));
}

TEST(SegmentsByDefinitionTest, MoreSegmentsThanBitsAreRefused) {
  StudyPlan plan;
  plan.segment_pattern = "^.*$";
  auto segments = Segments::Make(plan, 1 << 20);
  ASSERT_TRUE(segments);
  for (size_t i = 0; i < kMostSegments; ++i)
    ASSERT_TRUE(segments->Add("s" + std::to_string(i), 0));
  EXPECT_TRUE(segments->Add("s0", 0)) << "one that is known";
  const Status more = segments->Add("one more", 0);
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().message,
              HasSubstr("more than " + std::to_string(kMostSegments)));
}

}  // namespace
}  // namespace twinset
