// Samples of pairs, the files of an assessment, votes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "assess/assess_page.h"
#include "assess/label_draw.h"
#include "assess/label_votes.h"
#include "base/hash.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Id(uint64_t n) { return "d" + std::to_string(n); }

TEST(LabelDraw, NamesRanges) {
  EXPECT_EQ(SimilarityRange(1), "1");
  EXPECT_EQ(SimilarityRange(.8), "0.8-0.85");
  EXPECT_EQ(SimilarityRange(.85), "0.85-0.9");
  EXPECT_EQ(SimilarityRange(.95), "0.95-1");
  EXPECT_EQ(SimilarityRange(.9999), "0.95-1");
  EXPECT_EQ(SimilarityRange(0), "0-0.05");
}

// Against a sort of all draws; in another order of the pairs.
TEST(LabelDraw, IsTheLeastDrawsWhateverTheOrder) {
  for (const uint64_t most : {0, 1, 7, 500}) {
    LabelDraw forward(AssessStrata::kNone, most, 5);
    LabelDraw backward(AssessStrata::kNone, most, 5);
    std::vector<DrawnForLabels> all;
    for (uint64_t i = 0; i < 200; ++i) {
      ASSERT_TRUE(forward.Add(Id(i), Id(i + 1), .9, ""));
      ASSERT_TRUE(backward.Add(Id(199 - i), Id(200 - i), .9, ""));
      all.push_back(
          {Id(i), Id(i + 1), .9, Hash64(Id(i + 1), Hash64(Id(i), Mix64(5)))});
    }
    std::sort(all.begin(), all.end());
    const auto x = forward.Take(), y = backward.Take();
    ASSERT_EQ(x.size(), 1u);
    EXPECT_EQ(x[0].name, "all");
    EXPECT_EQ(x[0].pairs, 200u);
    ASSERT_EQ(x[0].drawn.size(), std::min<size_t>(most, 200));
    for (size_t i = 0; i < x[0].drawn.size(); ++i) {
      EXPECT_EQ(x[0].drawn[i].a, all[i].a);
      EXPECT_EQ(y[0].drawn[i].a, all[i].a);
    }
  }
}

// Every pair is drawn as often as every other: chi-square of 20 cells has 99.9
// % below 43.8.
TEST(LabelDraw, IsUniform) {
  std::array<int, 20> drawn{};
  constexpr int kSeeds = 4000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    LabelDraw sample(AssessStrata::kNone, 5, static_cast<uint64_t>(seed));
    for (uint64_t i = 0; i < 20; ++i)
      ASSERT_TRUE(sample.Add(Id(i), Id(i + 1), .9, ""));
    const auto strata = sample.Take();
    for (const DrawnForLabels& pair : strata[0].drawn)
      ++drawn[static_cast<size_t>(std::stoi(pair.a.substr(1)))];
  }
  double chi = 0;
  for (const int count : drawn)
    chi += (count - kSeeds / 4.0) * (count - kSeeds / 4.0) / (kSeeds / 4.0);
  EXPECT_LT(chi, 43.8);
}

TEST(LabelDraw, HasStrataByBoth) {
  LabelDraw sample(AssessStrata::kBoth, 3, 1);
  ASSERT_TRUE(sample.Add("a", "b", .83, "content_duplicate"));
  ASSERT_TRUE(sample.Add("a", "c", .83, ""));
  ASSERT_TRUE(sample.Add("a", "d", std::nullopt, ""));
  const auto strata = sample.Take();
  ASSERT_EQ(strata.size(), 3u);
  EXPECT_EQ(strata[0].name, "0.8-0.85");
  EXPECT_EQ(strata[1].name, "0.8-0.85, content duplicate");
  EXPECT_EQ(strata[2].name, "similarity not known");
  LabelDraw many(AssessStrata::kKind, 1, 1);
  Status status;
  for (uint64_t i = 0; i <= LabelDraw::kMostStrata; ++i)
    status = many.Add("a", "b", .9, "kind" + std::to_string(i));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
}

TEST(ShareOut, SharesInProportionAndNeverTooMuch) {
  EXPECT_THAT(ShareOut({900, 90, 10}, 100), ElementsAre(87, 10, 3));
  EXPECT_THAT(ShareOut({1, 1000}, 10), ElementsAre(1, 9));
  EXPECT_THAT(ShareOut({3, 4}, 100), ElementsAre(3, 4));
  EXPECT_THAT(ShareOut({5, 5, 5}, 1), ElementsAre(1, 0, 0));
  SplitMix64 random(9);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint64_t> sizes(1 + random.Below(8));
    for (uint64_t& size : sizes) size = 1 + random.Below(500);
    const uint64_t total = 1 + random.Below(300);
    const auto shares = ShareOut(sizes, total);
    for (size_t i = 0; i < sizes.size(); ++i) EXPECT_LE(shares[i], sizes[i]);
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), uint64_t{0}),
              std::min(total, std::accumulate(sizes.begin(), sizes.end(),
                                              uint64_t{0})));
  }
}

TEST(ScriptString, StaysInItsScript) {
  EXPECT_EQ(ScriptString("a\"b"), "\"a\\\"b\"");
  EXPECT_EQ(ScriptString("</script>"), "\"\\u003c/script\\u003e\"");
  EXPECT_EQ(ScriptString("\xE2\x80\xA8"), "\"\\u2028\"");
  EXPECT_EQ(ScriptString("\xF0\x9F\x98\x80"), "\"\\ud83d\\ude00\"");
  EXPECT_EQ(ScriptString(std::string_view("\0\x7F", 2)), "\"\\u0000\\u007f\"");
  // Any bytes: ASCII that reads back to the text, or to U+FFFD where it is
  // none.
  SplitMix64 random(4);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (uint64_t n = random.Below(12); n > 0; --n)
      text += static_cast<char>(random.Below(256));
    const std::string written = ScriptString(text);
    for (const char c : written) {
      EXPECT_TRUE(c >= 0x20 && c < 0x7F && c != '<' && c != '>' && c != '&');
    }
    EXPECT_EQ(Json::Parse(written).get<std::string>(),
              Json::Parse(Json(text).dump()).get<std::string>());
  }
}

Assessment SmallSample() {
  Assessment sample;
  sample.methods = {{"run", {{"0.8-0.85", 300, 2}, {"1", 100, 1}}}};
  sample.pairs = {{"a", "b", {{0, 0, .81}}},
                  {"c", "d", {{0, 0, .84}}},
                  {"e", "f", {{0, 1, 1}}}};
  return sample;
}

TEST(Assessment, ReadsBackAndSeesChanges) {
  const Assessment sample = SmallSample();
  const std::string text = sample.Text();
  const auto read = Assessment::Parse(text, "s");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->Text(), text);
  EXPECT_EQ(read->Digest(), sample.Digest());
  // No byte can be changed in silence; blanks and line ends say nothing.
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || text[i] == ' ') continue;
    std::string bad = text;
    bad[i] = bad[i] == '1' ? '2' : '1';
    const auto wrong = Assessment::Parse(bad, "s");
    EXPECT_TRUE(!wrong || wrong->Digest() == sample.Digest()) << bad;
    EXPECT_FALSE(Assessment::Parse(text.substr(0, i), "s"));
  }
}

std::string Labels(const std::string& who, const std::string& digest,
                   const std::string& rows) {
  return "{\"magic\":\"twinset-labels\",\"version\":1,\"sample\":\"" + digest +
         "\",\"assessor\":\"" + who + "\",\"labels\":[" + rows + "]}";
}

constexpr const char* kRows =
    R"({"pair":2,"a":"c","b":"d","content":"no"},)"
    R"({"pair":1,"a":"a","b":"b","content":"yes","appearance":"no"},)"
    R"({"pair":3,"a":"e","b":"f","content":"yes","appearance":null})";

TEST(LabelsFile, ReadsWhatThePageWrites) {
  const auto file = ParseLabels(Labels("Ann", "d", kRows), "l");
  ASSERT_TRUE(file) << file.error().ToString();
  EXPECT_EQ(file->assessor, "Ann");
  ASSERT_EQ(file->labels.size(), 3u);
  EXPECT_EQ(file->labels[0].pair, 1u);
  EXPECT_EQ(file->labels[0].answers[0], LabelAnswer::kYes);
  EXPECT_EQ(file->labels[0].answers[1], LabelAnswer::kNo);
  EXPECT_FALSE(file->labels[2].answers[1]);
}

TEST(LabelsFile, RefusesWhatIsNone) {
  for (const std::string& rows :
       {std::string(R"({"pair":0,"a":"a","b":"b"})"),
        std::string(R"({"pair":1,"a":"a","b":"b","content":"maybe"})"),
        std::string(R"({"pair":1,"a":"a","b":"b","content":1})"),
        std::string(R"({"pair":1,"b":"b"})"), std::string("7"),
        std::string(
            R"({"pair":1,"a":"a","b":"b"},{"pair":1,"a":"a","b":"b"})")}) {
    EXPECT_FALSE(ParseLabels(Labels("Ann", "d", rows), "l")) << rows;
  }
  const std::string good = Labels("Ann", "d", kRows);
  for (size_t i = 0; i < good.size(); ++i)
    EXPECT_FALSE(ParseLabels(good.substr(0, i), "l")) << i;
}

LabelsFile FileOf(const std::string& who, const std::string& rows) {
  return ParseLabels(Labels(who, SmallSample().Digest(), rows), "l").value();
}

TEST(LabelVotes, CountByStratum) {
  const Assessment sample = SmallSample();
  const std::vector<LabelsFile> files = {FileOf("Ann", kRows)};
  const auto table = TableOf(sample, files);
  ASSERT_TRUE(table) << table.error().ToString();
  const QuestionScore score =
      ScoreQuestion(sample, *table, files, LabelQuestion::kContent);
  ASSERT_EQ(score.methods.size(), 1u);
  const MethodScore& method = score.methods[0];
  EXPECT_EQ(method.strata[0].yes, 1u);
  EXPECT_EQ(method.strata[0].no, 1u);
  // 3/4 of the run at 1/2, 1/4 of it at 1.
  EXPECT_DOUBLE_EQ(method.all.share, .75 * .5 + .25);
  EXPECT_LT(method.all.low, .625);
  EXPECT_GT(method.all.high, .625);
  EXPECT_TRUE(score.agreements.empty());
}

TEST(LabelVotes, TheMajorityCounts) {
  const Assessment sample = SmallSample();
  const std::string other = R"({"pair":1,"a":"a","b":"b","content":"no"},)"
                            R"({"pair":2,"a":"c","b":"d","content":"no"},)"
                            R"({"pair":3,"a":"e","b":"f","content":"unsure"})";
  const std::vector<LabelsFile> files = {FileOf("Ann", kRows),
                                         FileOf("Bo", other)};
  const auto table = TableOf(sample, files);
  ASSERT_TRUE(table);
  EXPECT_EQ(VoteOf((*table)[0], LabelQuestion::kContent), LabelAnswer::kUnsure);
  EXPECT_EQ(VoteOf((*table)[1], LabelQuestion::kContent), LabelAnswer::kNo);
  EXPECT_EQ(VoteOf((*table)[2], LabelQuestion::kContent), LabelAnswer::kYes);
  EXPECT_FALSE(VoteOf((*table)[1], LabelQuestion::kAppearance));
  const QuestionScore score =
      ScoreQuestion(sample, *table, files, LabelQuestion::kContent);
  ASSERT_EQ(score.agreements.size(), 1u);
  EXPECT_EQ(score.agreements[0].pairs, 3u);
  EXPECT_EQ(score.agreements[0].agreed, 1u);
}

TEST(LabelVotes, LabelsOfAnotherSampleAreRefused) {
  const Assessment sample = SmallSample();
  Assessment another = sample;
  another.pairs[0].a = "x";
  const std::vector<LabelsFile> files = {FileOf("Ann", kRows)};
  EXPECT_FALSE(TableOf(another, files));
  const std::vector<LabelsFile> twice = {files[0], files[0]};
  EXPECT_FALSE(TableOf(sample, twice));
  std::vector<LabelsFile> beyond = files;
  beyond[0].labels.back().pair = 9;
  EXPECT_FALSE(TableOf(sample, beyond));
}

}  // namespace
}  // namespace twinset
