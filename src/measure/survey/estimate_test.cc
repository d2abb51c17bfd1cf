// What `twinset estimate` computes, from files to numbers and notes.
#include "twinset/measure/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "base/hash.h"
#include "base/test_dir.h"
#include "estimate/intervals.h"
#include "sample/sample_rows.h"

namespace twinset {
namespace {

class EstimateFiles : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_ / name, std::ios::binary) << text;
    return dir_ / name;
  }
  // Estimates from one file.
  Result<EstimateResult> Of(Estimand what, const std::string& text) {
    options_.what = what;
    options_.inputs = {Write("input", text)};
    return Estimate(options_);
  }
  static double Value(const EstimateResult& result, const std::string& name,
                      const std::string& of = "") {
    for (const EstimatedValue& value : result.values)
      if (value.name == name && value.of == of) return value.value;
    for (const EstimateDetail& detail : result.details)
      if (detail.name == name) return detail.value;
    ADD_FAILURE() << "no " << name;
    return 0;
  }
  static bool Warns(const EstimateResult& result, const std::string& part) {
    for (const std::string& warning : result.warnings)
      if (warning.find(part) != std::string::npos) return true;
    return false;
  }
  TestDir dir_;
  EstimateOptions options_;
};

TEST_F(EstimateFiles, CaptureRecapture) {
  options_.what = Estimand::kCaptureRecapture;
  EXPECT_FALSE(Estimate(options_));
  options_.n1 = options_.n2 = 100;
  options_.m = 20;
  const EstimateResult result = *Estimate(options_);
  EXPECT_NEAR(result.estimate.value, 484.762, 0.0005);
  EXPECT_NEAR(*result.estimate.standard_error, 82.03, 0.005);
  EXPECT_EQ(result.estimate.interval->low, 360);
  EXPECT_EQ(result.estimate.interval->high, 762);
  EXPECT_EQ(Value(result, "lincoln_petersen"), 500);
  EXPECT_NEAR(Value(result, "variance"), 6729.17, 0.005);
  options_.m = 0;
  const EstimateResult none = *Estimate(options_);
  EXPECT_TRUE(std::isnan(Value(none, "lincoln_petersen")));
  EXPECT_TRUE(Warns(none, "nothing was caught twice"));
  EXPECT_GE(none.estimate.interval->low, 200);
  EXPECT_TRUE(std::isinf(none.estimate.interval->high));
  options_.m = 101;
  EXPECT_EQ(Estimate(options_).error().code, ErrorCode::kUsage);
}

TEST_F(EstimateFiles, RelativeAndKnownSize) {
  const std::string overlaps =
      "x,y,fraction_of_x_in_y\na,h,.30\nh,a,.39\na,i,.08\ni,a,.47\na,e,.14\n"
      "e,a,.44\nh,i,.09\ni,h,.41\nh,e,.16\ne,h,.38\ne,i,.13\ni,e,.24\n";
  const EstimateResult result = *Of(Estimand::kRelative, overlaps);
  EXPECT_NEAR(Value(result, "size", "h"), .76823, 5e-6);
  EXPECT_NEAR(Value(result, "size", "e"), .32013, 5e-6);
  EXPECT_NEAR(Value(result, "size", "i"), .17003, 5e-6);
  EXPECT_NEAR(Value(result, "residual"), 3.4831e-6, 5e-11);
  EXPECT_TRUE(Warns(result, "(n)"));
  options_.known_engine = "a";
  options_.known_size = 100;
  EXPECT_NEAR(Value(*Of(Estimand::kSize, overlaps), "size", "h"), 76.823, 5e-4);
  options_.known_engine = "z";
  EXPECT_FALSE(Of(Estimand::kSize, overlaps));
  options_ = {};
  options_.what = Estimand::kRelative;
  options_.a_in_b = FoundOf{30, 60};
  options_.b_in_a = FoundOf{10, 60};
  EXPECT_NEAR(Estimate(options_)->estimate.value, 1.0 / 3, 1e-15);
  // Zero overlap is said, by name.
  const auto zero =
      Of(Estimand::kRelative, "x,y,fraction_of_x_in_y\na,b,0\nb,a,0\n");
  ASSERT_FALSE(zero);
  EXPECT_NE(zero.error().message.find("'b'"), std::string::npos);
  for (const char* bad : {"", "x,y\na,b\n", "x,y,fraction_of_x_in_y\na,b,2\n",
                          "x,y,fraction_of_x_in_y\na,a,.5\n",
                          "x,y,fraction_of_x_in_y\na,b,.5\na,b,.5\n",
                          "x,y,fraction_of_x_in_y\na,b\n"})
    EXPECT_FALSE(Of(Estimand::kRelative, bad)) << bad;
}

TEST_F(EstimateFiles, CoverageFromSamples) {
  std::string text = SampleHeaderLine({.sampler = "s", .engine = "a,b"});
  const auto row = [&](const char* own, const char* engines, int count) {
    for (int i = 0; i < count; ++i)
      text += std::string("{\"engine\":\"") + own +
              "\",\"engines\":" + engines + "}\n";
  };
  // a has 60 pages, b 40, 20 of them in both.
  row("a", "[\"a\"]", 40);
  row("a", "[\"a\",\"b\"]", 20);
  row("b", "[\"b\"]", 20);
  row("b", "[\"b\",\"a\"]", 20);
  const EstimateResult result = *Of(Estimand::kCoverage, text);
  EXPECT_NEAR(Value(result, "size", "b"), 40.0 / 60, 1e-12);
  EXPECT_NEAR(Value(result, "coverage", "a"), 60.0 / 80, 1e-12);
  EXPECT_NEAR(Value(result, "coverage", "b"), 40.0 / 80, 1e-12);
  EXPECT_NEAR(Value(result, "alone", "a"), 40.0 / 60, 1e-12);
  EXPECT_NEAR(result.estimate.value, 80.0 / 60, 1e-12);
  ASSERT_TRUE(result.estimate.interval);
  EXPECT_LT(result.estimate.interval->low, 80.0 / 60 - 0.05);
  EXPECT_GT(result.estimate.interval->high, 80.0 / 60 + 0.05);
  text += "{\"engine\":\"a\",\"engines\":[\"a\"],\"unchecked\":[\"b\"]}\n";
  EXPECT_EQ(Of(Estimand::kCoverage, text)->missing, 1u);
  EXPECT_FALSE(
      Of(Estimand::kCoverage, "{\"engine\":\"a\",\"engines\":[\"a\"]}\n"));
}

TEST_F(EstimateFiles, SizesByQueries) {
  const std::string degrees =
      "{\"degrees\":[1,2]}\n{\"degrees\":[2,2]}\n{\"degrees\":[2]}\n"
      "{\"degrees\":[]}\n";
  EXPECT_FALSE(Of(Estimand::kSize, degrees));  // no --pool
  options_.pool = 4;
  EXPECT_EQ(Of(Estimand::kSize, degrees)->estimate.value, 3);
  EXPECT_EQ(Of(Estimand::kSize,
               "{\"sum_inverse_degree\":1.5}\n{\"sum_inverse_degree\":1}\n"
               "{\"sum_inverse_degree\":0.5}\n{\"sum_inverse_degree\":0}\n")
                ->estimate.value,
            3);
  // Three queries with a result are too few for an interval, none for a size.
  EXPECT_FALSE(Of(Estimand::kSize, degrees)->estimate.interval);
  EXPECT_NE(
      Of(Estimand::kSize, degrees)->estimate.no_interval.find("only 3 of 4"),
      std::string::npos);
  const auto nothing =
      Of(Estimand::kSize, "{\"degrees\":[]}\n{\"degrees\":[]}\n");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kNotFound);
  options_.matched = FoundOf{30, 40};
  EXPECT_DOUBLE_EQ(Of(Estimand::kSize, degrees)->estimate.value, 4);
  options_.matched = {};
  const EstimateResult two = *Of(
      Estimand::kSize,
      "{\"pool\":\"a\",\"degrees\":[1,1],\"in_other\":[true,false]}\n"
      "{\"pool\":\"a\",\"degrees\":[1,1],\"in_other\":[true,false]}\n"
      "{\"pool\":\"b\",\"degrees\":[1]}\n{\"pool\":\"b\",\"degrees\":[1]}\n");
  EXPECT_DOUBLE_EQ(two.estimate.value, 8.0 * 4 / 4);
  for (const char* bad :
       {"{\"degrees\":[0]}\n{\"degrees\":[1]}\n", "{\"degrees\":[-1]}\n",
        "{\"degrees\":3}\n", "{}\n", "{\"degrees\":[1],\"in_other\":[1]}\n",
        "{\"degrees\":[1.5]}\n"})
    EXPECT_FALSE(Of(Estimand::kSize, bad)) << bad;
}

TEST_F(EstimateFiles, RatioServersSchnabel) {
  options_.x = "counts.a";
  options_.y = "counts.b";
  const EstimateResult ratio =
      *Of(Estimand::kRatio,
          "{\"counts\":{\"a\":1,\"b\":2}}\n{\"counts\":{\"a\":5,\"b\":0}}\n"
          "{\"counts\":{\"a\":4,\"b\":4}}\n{}\n");
  EXPECT_DOUBLE_EQ(ratio.estimate.value, 10.0 / 6);
  EXPECT_DOUBLE_EQ(Value(ratio, "mean_of_ratios"), 0.75);
  EXPECT_EQ(Value(ratio, "zero_y"), 1);
  EXPECT_EQ(ratio.missing, 1u);

  options_.trials = 1000;
  options_.addresses = 1000000;
  std::string servers = "pages\n";
  for (int i = 0; i < 100; ++i) servers += std::to_string(1 + i % 7) + "\n";
  const EstimateResult result = *Of(Estimand::kServers, servers);
  EXPECT_DOUBLE_EQ(Value(result, "servers"), 100000);
  EXPECT_DOUBLE_EQ(Value(result, "pages"), 100000 * result.estimate.value);
  // Half of them answer on two addresses: half the weight.
  std::string twice = "pages,weight\n";
  for (int i = 0; i < 100; ++i) twice += i % 2 == 0 ? "10,1\n" : "4,0.5\n";
  const EstimateResult weighted = *Of(Estimand::kServers, twice);
  EXPECT_DOUBLE_EQ(Value(weighted, "servers"), 75000);
  EXPECT_DOUBLE_EQ(weighted.estimate.value, 8);
  EXPECT_DOUBLE_EQ(Value(weighted, "pages"), 600000);
  options_.trials = 50;
  EXPECT_FALSE(Of(Estimand::kServers, servers));
  EXPECT_FALSE(Of(Estimand::kServers, "pages\n1.5\n2\n"));

  EXPECT_NEAR(Of(Estimand::kSchnabel, "caught,recaptured\n10,0\n12,3\n9,4\n")
                  ->estimate.value,
              291.0 / 7, 1e-12);
  EXPECT_FALSE(Of(Estimand::kSchnabel, "caught,recaptured\n10,0\n"));
}

// Pages drawn in proportion to their length; the long ones are spam.
std::string LengthBiased(const std::string& weights, bool weigh) {
  std::string text = SampleHeaderLine(
      {.sampler = "s", .engine = "e", .seed = 1, .weights = weights});
  SplitMix64 random(5);
  for (uint64_t i = 0; i < 400; ++i) {
    // A fifth of the pages are spam and four times as long: half of the draws.
    const bool spam = random.Below(2) == 0;
    text += SampleRowLine({"http://" + std::to_string(i) + "/",
                           weigh ? (spam ? 25.0 : 100.0) : 1,
                           i,
                           {{"spam", spam ? "true" : "false"},
                            {"words", spam ? "400" : "100"},
                            {"language", i % 10 == 0 ? "null" : "\"en\""}}});
  }
  return text;
}

TEST_F(EstimateFiles, StatisticsOfAWeightedSample) {
  options_.of = "spam";
  const std::string sample = LengthBiased("exact", true);
  const EstimateResult share = *Of(Estimand::kShare, sample);
  EXPECT_NEAR(share.estimate.value, 0.2, 0.03);
  EXPECT_LT(share.estimate.interval->low, 0.2);
  EXPECT_GT(share.estimate.interval->high, 0.2);
  EXPECT_NEAR(Value(share, "without_weights"), 0.5, 0.07);
  EXPECT_LT(share.effective_n, 400);
  EXPECT_TRUE(share.warnings.empty());

  options_.weights = EstimateWeights::kNone;
  const EstimateResult none = *Of(Estimand::kShare, sample);
  EXPECT_NEAR(none.estimate.value, 0.5, 0.07);
  EXPECT_TRUE(Warns(none, "biased"));
  options_.weights = EstimateWeights::kAuto;
  EXPECT_TRUE(
      Warns(*Of(Estimand::kShare, LengthBiased("none", false)), "biased"));
  EXPECT_TRUE(Warns(*Of(Estimand::kShare, LengthBiased("estimated", true)),
                    "weights are estimates"));

  // 62.5 pages: the mean of 1 / probability.
  options_.weights = EstimateWeights::kHt;
  EXPECT_FALSE(Of(Estimand::kShare, sample));
  options_.total = 62;
  const EstimateResult ht = *Of(Estimand::kShare, sample);
  EXPECT_NEAR(Value(ht, "population_by_weights"), 62.5, 4);
  options_.total = 1000;
  EXPECT_TRUE(Warns(*Of(Estimand::kShare, sample), "not of --total"));
  options_.weights = EstimateWeights::kAuto;

  options_.of = "words";
  EXPECT_NEAR(Of(Estimand::kMean, sample)->estimate.value, 160, 10);
  EXPECT_EQ(Of(Estimand::kQuantile, sample)->estimate.value, 100);
  const auto no_share = Of(Estimand::kShare, sample);
  ASSERT_FALSE(no_share);
  EXPECT_FALSE(no_share.error().remedy.empty());
  options_.of = "language";
  EXPECT_FALSE(Of(Estimand::kMean, sample));
  options_.of = "language == \"en\"";
  const EstimateResult missing = *Of(Estimand::kShare, sample);
  EXPECT_EQ(missing.missing, 40u);
  EXPECT_EQ(missing.n, 360u);
  EXPECT_TRUE(Warns(missing, "no such value"));
  options_.of = "nothing";
  EXPECT_FALSE(Of(Estimand::kShare, sample));
  options_.of = "words >";
  EXPECT_NE(Of(Estimand::kShare, sample).error().message.find("column 8"),
            std::string::npos);
}

TEST_F(EstimateFiles, WalksAndTheirStart) {
  options_.of = "depth";
  SplitMix64 random(6);
  const auto walk = [&](double start) {
    std::string text = SampleHeaderLine({.sampler = "webwalker",
                                         .engine = "",
                                         .seed = 1,
                                         .weights = "exact",
                                         .chain = true});
    double depth = 0;
    for (uint64_t i = 0; i < 2000; ++i) {
      depth = 0.9 * depth + static_cast<double>(random.Below(100)) / 100 - 0.5;
      text += SampleRowLine(
          {"u",
           1,
           i,
           {{"depth", std::to_string(depth + (i < 300 ? start : 0))}}});
    }
    return text;
  };
  const EstimateResult good = *Of(Estimand::kWalk, walk(0));
  EXPECT_LT(good.effective_n, 300);
  EXPECT_GT(Value(good, "autocorrelation_time"), 8);
  EXPECT_FALSE(Warns(good, "Geweke"));
  const EstimateResult bad = *Of(Estimand::kWalk, walk(5));
  EXPECT_TRUE(Warns(bad, "(Geweke)"));
  // The mean of a chain knows that its draws depend on one another.
  options_.what = Estimand::kMean;
  EXPECT_LT(Estimate(options_)->effective_n, 200);
}

TEST_F(EstimateFiles, SharesHaveWilsonsInterval) {
  std::string rows;
  for (int i = 0; i < 100; ++i)
    rows += "{\"near\":" + std::string(i < 63 ? "true" : "false") + "}\n";
  options_.of = "near";
  const EstimateResult share = *Of(Estimand::kShare, rows);
  const Interval wilson = WilsonInterval(63, 100);  // .532, .718
  EXPECT_NEAR(share.estimate.interval->low, wilson.low, 1e-12);
  EXPECT_NEAR(share.estimate.interval->high, wilson.high, 1e-12);
}

TEST_F(EstimateFiles, WalksThatHaveNotSeenEnoughHaveNoInterval) {
  SampleHeader header{.sampler = "pagerank-walk",
                      .engine = "",
                      .seed = 1,
                      .weights = "estimated",
                      .chain = true};
  const auto sample = [&] {
    std::string text = SampleHeaderLine(header);
    SplitMix64 random(6);
    for (uint64_t i = 0; i < 1000; ++i)
      text += SampleRowLine(
          {"u", 1, i, {{"depth", std::to_string(random.Below(9))}}});
    return text;
  };
  options_.of = "depth";
  const EstimateResult good = *Of(Estimand::kMean, sample());
  EXPECT_TRUE(good.estimate.interval);
  EXPECT_TRUE(good.estimate.no_interval.empty());
  EXPECT_FALSE(good.estimate.bootstrap);
  header.no_interval = "the walk still comes to new pages";
  const EstimateResult bad = *Of(Estimand::kMean, sample());
  EXPECT_EQ(bad.estimate.value, good.estimate.value);
  EXPECT_FALSE(bad.estimate.interval);
  EXPECT_EQ(bad.estimate.no_interval, header.no_interval);
}

TEST_F(EstimateFiles, UsageIsChecked) {
  options_.what = Estimand::kShare;
  EXPECT_FALSE(Estimate(options_));
  options_.inputs = {dir_ / "gone"};
  options_.of = "x";
  EXPECT_EQ(Estimate(options_).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace twinset
