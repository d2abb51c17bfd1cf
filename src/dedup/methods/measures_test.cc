// --measure as a method uses it: every verdict against the definition.
#include "methods/measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "methods/methods_testing.h"
#include "verify/test_sequences.h"

namespace twinset {
namespace {

// The measures by their definitions, on plain lists.
double Naive(Measure measure, const Sequence& a, const Sequence& b) {
  if (a.empty() || b.empty()) return 0;
  std::map<uint64_t, double> x, y;
  for (const uint64_t f : a) ++x[f];
  for (const uint64_t f : b) ++y[f];
  const auto size_a = static_cast<double>(a.size());
  const auto size_b = static_cast<double>(b.size());
  double common = 0, product = 0, square_a = 0, square_b = 0;
  for (const auto& [f, n] : x) {
    square_a += n * n;
    if (!y.contains(f)) continue;
    ++common;
    product += n * y[f];
  }
  for (const auto& [f, n] : y) square_b += n * n;
  size_t equal = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    equal += a[i] == b[i];
  switch (measure) {
    case Measure::kJaccard:
      return common / (size_a + size_b - common);
    case Measure::kContainment:
      return common / std::min(size_a, size_b);
    case Measure::kDice:
    case Measure::kS3:
      return 2 * common / (size_a + size_b);
    case Measure::kCosine:
      return common / std::sqrt(size_a * size_b);
    case Measure::kCosineTf:
    case Measure::kCosineTfIdf:
      return product / std::sqrt(square_a * square_b);
    case Measure::kHamming:
    case Measure::kHammingChars:
      return a.size() == b.size() ? static_cast<double>(equal) / size_a : 0;
    case Measure::kEdit:
    case Measure::kEditChars:
      break;
  }
  std::vector<std::vector<size_t>> cost(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
    }
  }
  const double longer = std::max(size_a, size_b);
  return (longer - static_cast<double>(cost[a.size()][b.size()])) / longer;
}

// Compares all pairs of `documents` at some thresholds.
void CheckAll(Measure measure, const std::vector<Sequence>& documents) {
  MethodOptions options;
  options.measure = measure;
  std::vector<std::string> stored;
  for (const Sequence& document : documents) stored.push_back(Stored(document));
  for (const double threshold : {0.2, 0.5, 2.0 / 3, 0.8, 1.0}) {
    options.threshold = threshold;
    const auto verifier = MeasureVerifier(options, nullptr);
    ASSERT_TRUE(verifier);
    for (size_t i = 0; i < documents.size(); ++i) {
      for (size_t j = 0; j < documents.size(); ++j) {
        const double score = Naive(measure, documents[i], documents[j]);
        const auto verdict = (*verifier)->Compare(stored[i], stored[j]);
        const auto fully = (*verifier)->CompareFully(stored[i], stored[j]);
        EXPECT_NEAR(fully.score, score, 1e-12);
        EXPECT_EQ(verdict.accepted, fully.accepted);
        if (std::fabs(score - threshold) > 1e-9) {
          ASSERT_EQ(verdict.accepted, score > threshold)
              << ChoiceName(measure) << " of "
              << ::testing::PrintToString(documents[i]) << " and "
              << ::testing::PrintToString(documents[j]);
        } else {
          EXPECT_TRUE(verdict.accepted) << "at the threshold itself";
        }
        if (!verdict.accepted) continue;
        EXPECT_EQ(verdict.score, fully.score);
        EXPECT_TRUE(
            (*verifier)->CanReach(documents[i].size(), documents[j].size()));
      }
    }
  }
}

TEST(MethodMeasuresTest, SetMeasuresOfAllSmallSets) {
  std::vector<Sequence> sets;
  for (uint64_t bits = 0; bits < 32; ++bits) sets.push_back(SetOfBits(bits));
  for (const Measure measure : {Measure::kJaccard, Measure::kContainment,
                                Measure::kDice, Measure::kCosine, Measure::kS3})
    CheckAll(measure, sets);
}

TEST(MethodMeasuresTest, SequenceMeasuresOfAllSmallSequences) {
  const std::vector<Sequence> all = AllSequences(4, 2);
  for (const Measure measure : {Measure::kEdit, Measure::kEditChars,
                                Measure::kHamming, Measure::kHammingChars})
    CheckAll(measure, all);
}

TEST(MethodMeasuresTest, CosineOfAllSmallBags) {
  std::vector<Sequence> bags;
  for (const Sequence& sequence : AllSequences(4, 3))
    if (std::is_sorted(sequence.begin(), sequence.end()))
      bags.push_back(sequence);
  CheckAll(Measure::kCosineTf, bags);
  // Without a corpus every feature weighs the same.
  CheckAll(Measure::kCosineTfIdf, bags);
}

// Three sentences and their similarities by 2-shingles and by words:
// 现代信息检索, lecture 16, after Manning, Raghavan and Schütze, Introduction
// to Information Retrieval, chapter 19.
TEST(MethodMeasuresTest, TheSentencesOfJackLondon) {
  const std::vector<std::string> texts = {
      "Jack London traveled to Oakland",
      "Jack London traveled to the city of Oakland",
      "Jack traveled from Oakland to London"};
  struct Case {
    Measure measure;
    const char* shingle;
    double score_12, score_13, score_23;
  };
  for (const Case& c : std::initializer_list<Case>{
           {Measure::kJaccard, "word:2", 3.0 / 8, 0, 0},
           {Measure::kContainment, "word:2", 3.0 / 4, 0, 0},
           {Measure::kDice, "word:2", 6.0 / 11, 0, 0},
           {Measure::kS3, "word:2", 6.0 / 11, 0, 0},
           {Measure::kCosineTf, "word:1", 0.7906, 0.9129, 0.7217},
           {Measure::kEdit, "word:2", 1 - 3.0 / 8, 1 - 4.0 / 6, 1 - 6.0 / 8},
           {Measure::kEditChars, "word:2", 1 - 12.0 / 43, 1 - 20.0 / 36,
            1 - 26.0 / 43}}) {
    MethodOptions options;
    options.measure = c.measure;
    options.threshold = 0.01;
    const auto verifier = MeasureVerifier(options, nullptr);
    ASSERT_TRUE(verifier);
    std::vector<std::string> views;
    for (const std::string& text : texts)
      views.push_back(StoredView(MeasureView(options), text, c.shingle));
    const auto score = [&](size_t a, size_t b) {
      return (*verifier)->CompareFully(views[a], views[b]).score;
    };
    EXPECT_NEAR(score(0, 1), c.score_12, 5e-5) << ChoiceName(c.measure);
    EXPECT_NEAR(score(0, 2), c.score_13, 5e-5) << ChoiceName(c.measure);
    EXPECT_NEAR(score(1, 2), c.score_23, 5e-5) << ChoiceName(c.measure);
  }
}

// What is compared under the secret must not be readable from a result.
TEST(MethodMeasuresTest, EveryMeasureComparesUnderTheSecret) {
  for (const auto& choice : kChoices<Measure>) {
    MethodOptions options;
    options.measure = choice.value;
    const FeatureView view = MeasureView(options);
    EXPECT_TRUE(view.secret) << choice.name;
    EXPECT_EQ(view.hash, FeatureHash::kSpec) << choice.name;
    EXPECT_TRUE(IsHashed(view.form)) << choice.name;
    EXPECT_EQ(MeasureLearns(options), choice.name == "cosine-tf-idf");
    // A measure of sequences names its own features; the others --shingle.
    EXPECT_EQ(view.shingle.empty(), view.form != FeatureForm::kSequence);
  }
}

TEST(MethodMeasuresTest, ThresholdsOutsideTheRangeAreToldForEveryMeasure) {
  for (const auto& choice : kChoices<Measure>) {
    MethodOptions options;
    options.measure = choice.value;
    for (const double threshold : {0.0, -1.0, 1.0 + 1e-15, std::nan("")}) {
      options.threshold = threshold;
      const auto verifier = MeasureVerifier(options, nullptr);
      ASSERT_FALSE(verifier) << choice.name << threshold;
      EXPECT_EQ(verifier.error().message,
                "--threshold must be above 0 and at most 1");
    }
    options.threshold = 1e-300;
    EXPECT_TRUE(MeasureVerifier(options, nullptr)) << choice.name;
  }
}

// Two of three documents have 1; the weight of a feature is 1 + log2(n / df).
TEST(MethodMeasuresTest, RareFeaturesWeighMore) {
  const std::vector<Sequence> corpus = {{1, 2}, {1, 3}, {3, 3, 4}};
  const TestDir folder;
  MemoryBudget budget(256 << 20);
  PrepareContext context;
  context.directory = folder.path();
  context.memory_bytes = 64 << 20;
  context.budget = &budget;
  context.pass =
      [&](const std::function<Status(DocumentViews)>& body) -> Status {
    for (const Sequence& document : corpus) {
      const std::string bytes = Stored(document);
      const std::string_view views[] = {bytes};
      TWINSET_TRY(body(views));
    }
    return {};
  };
  MethodOptions options;
  options.measure = Measure::kCosineTfIdf;
  options.threshold = 0.01;
  const auto model = LearnMeasure(options, context);
  ASSERT_TRUE(model);
  const auto idf = MeasureIdf(*model);
  ASSERT_TRUE(idf);
  const auto verifier = MeasureVerifier(options, *idf);
  ASSERT_TRUE(verifier);
  const double half = 1 + std::log2(1.5), rare = 1 + std::log2(3);
  // 1 and 3 are in two documents, 2 is in one.
  const double expected =
      half * half / (std::hypot(half, rare) * std::hypot(half, half));
  EXPECT_NEAR((*verifier)->CompareFully(Stored({1, 2}), Stored({1, 3})).score,
              expected, 1e-4);
  EXPECT_LT(expected, 0.5) << "plain frequencies would say one half";
  // A repeat counts as often as it stands.
  const double of_three =
      2 * half * half / (std::hypot(half, half) * std::hypot(2 * half, rare));
  EXPECT_NEAR(
      (*verifier)->CompareFully(Stored({1, 3}), Stored({3, 3, 4})).score,
      of_three, 1e-4);
  EXPECT_FALSE(MeasureIdf("not a table"));
  EXPECT_FALSE(MeasureIdf(model->substr(0, model->size() - 1)));
}

TEST(MethodMeasuresTest, AFailingPassEndsLearning) {
  const TestDir folder;
  MemoryBudget budget(256 << 20);
  PrepareContext context;
  context.directory = folder.path();
  context.memory_bytes = 64 << 20;
  context.budget = &budget;
  context.pass = [](const auto&) -> Status {
    return Fail(ErrorCode::kIo, "the disk is gone");
  };
  const auto model = LearnMeasure({}, context);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "the disk is gone");
}

}  // namespace
}  // namespace twinset
