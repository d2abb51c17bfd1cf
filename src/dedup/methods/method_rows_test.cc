// What MakeMethod and Guarded make of a row, shown on rows made for it.
#include "methods/method_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "candidate/value_keys.h"
#include "methods/methods_testing.h"
#include "options/parameters.h"
#include "sketch/minhash_family.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FeatureView View(const std::string& shingle) {
  return {FeatureForm::kShingles, shingle, FeatureHash::kSpec};
}

// A row that keeps all shingles of its views, a sketcher each.
MethodRow Row(std::vector<FeatureView> views) {
  MethodRow row;
  row.info.name = "toy";
  AddReads(&row.info, {"threshold", "measure", "sketch-shingle"});
  row.sketch_views =
      [views](const MethodOptions&) -> Result<std::vector<FeatureView>> {
    return views;
  };
  row.make = [count = views.size()](const MethodOptions& options,
                                    const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    for (size_t i = 0; i < count; ++i) {
      TWINSET_ASSIGN(auto sketcher,
                     MakeModShingleSketcher(1, SetShare::kUnion));
      parts.sketchers.push_back(std::move(sketcher));
    }
    parts.generator = MakeValueKeys(2, false);
    parts.expected_recall = options.threshold;
    return parts;
  };
  return row;
}

PrepareContext Context(const FeaturePass& pass, const TestDir& folder,
                       MemoryBudget* budget) {
  PrepareContext context;
  context.pass = pass;
  context.directory = folder.path();
  context.memory_bytes = 64 << 20;
  context.budget = budget;
  return context;
}

TEST(MethodRowsTest, AViewThatSeveralSketchersReadIsStoredOnce) {
  const MethodOptions options;
  FeatureView verified = View("");
  verified.secret = true;  // that of the measure
  const Method method = MakeMethod(
      Row({View("word:1"), View("char:4"), View("word:1"), verified}));
  const auto views = method.views(options);
  ASSERT_TRUE(views);
  EXPECT_THAT(*views, ElementsAre(verified, View("word:1"), View("char:4")));
  const auto parts = method.make(options, nullptr);
  ASSERT_TRUE(parts);
  EXPECT_THAT(parts->sketch_views, ElementsAre(1u, 2u, 1u, 0u));
}

TEST(MethodRowsTest, WithoutSketchesThereIsTheViewOfTheMeasureAlone) {
  MethodRow row = Row({});
  row.sketch_views = nullptr;
  const auto views = MakeMethod(row).views({});
  ASSERT_TRUE(views);
  ASSERT_EQ(views->size(), 1u);
  EXPECT_TRUE((*views)[0].secret);
}

TEST(MethodRowsTest, AnErrorOfTheRowIsTheErrorOfTheMethod) {
  MethodRow row = Row({View("word:1")});
  row.sketch_views =
      [](const MethodOptions&) -> Result<std::vector<FeatureView>> {
    return Fail(ErrorCode::kUsage, "no such view");
  };
  const Method method = MakeMethod(row);
  EXPECT_EQ(method.views({}).error().message, "no such view");
  EXPECT_EQ(method.make({}, nullptr).error().message, "no such view");
  row = Row({View("word:1")});
  row.make = [](const MethodOptions&,
                const std::string*) -> Result<MethodParts> {
    return Fail(ErrorCode::kUsage, "no such part");
  };
  EXPECT_EQ(MakeMethod(row).make({}, nullptr).error().message, "no such part");
}

// The threshold says how many pairs are found only where the sketches see what
// the measure sees.
TEST(MethodRowsTest, RecallIsPromisedOnlyOfWhatIsCompared) {
  struct Case {
    const char* sketched;
    Measure measure;
    bool promised;
  };
  for (const Case& c :
       {Case{"", Measure::kJaccard, true}, Case{"", Measure::kDice, false},
        Case{"", Measure::kCosineTf, false}, Case{"", Measure::kEdit, false},
        Case{"word:1", Measure::kJaccard, false}}) {
    MethodOptions options;
    options.measure = c.measure;
    options.threshold = 0.75;
    const auto parts =
        MakeMethod(Row({View(c.sketched)})).make(options, nullptr);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->expected_recall,
              c.promised ? std::optional(0.75) : std::nullopt)
        << c.sketched << ChoiceName(c.measure);
  }
  // One sketcher of several that sees something else is enough.
  const auto two =
      MakeMethod(Row({View(""), View("word:1")})).make({}, nullptr);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->expected_recall, std::nullopt);
  // What is complete finds all, whatever the measure.
  MethodRow complete = Row({View("word:1")});
  complete.make = [make = complete.make](const MethodOptions& options,
                                         const std::string* model) {
    auto parts = make(options, model);
    parts->complete = true;
    return parts;
  };
  MethodOptions options;
  options.measure = Measure::kEdit;
  EXPECT_EQ(MakeMethod(complete).make(options, nullptr)->expected_recall, 1.0);
}

TEST(MethodRowsTest, ARowLearnsFromItsOwnViewsInTheirOrder) {
  MethodRow row = Row({View("word:2"), View("word:1"), View("word:2")});
  row.learns = [](const MethodOptions&) { return true; };
  row.prepare = [](const MethodOptions&,
                   const PrepareContext& context) -> Result<std::string> {
    std::string all;
    TWINSET_TRY(context.pass([&](DocumentViews views) -> Status {
      for (const std::string_view view : views) all += std::string(view) + "|";
      return {};
    }));
    return all;
  };
  std::string handed;
  row.make = [&handed, make = row.make](const MethodOptions& options,
                                        const std::string* model) {
    handed = model == nullptr ? "none" : *model;
    return make(options, nullptr);
  };
  const Method method = MakeMethod(row);
  const TestDir folder;
  MemoryBudget budget(256 << 20);
  const FeaturePass pass =
      [](const std::function<Status(DocumentViews)>& body) -> Status {
    for (const std::string n : {"1", "2"}) {
      const std::string measure = "m" + n, pairs = "p" + n, words = "w" + n;
      const std::string_view views[] = {measure, pairs, words};
      TWINSET_TRY(body(views));
    }
    return {};
  };
  EXPECT_TRUE(method.learns({}));
  const auto model = method.prepare({}, Context(pass, folder, &budget));
  ASSERT_TRUE(model);
  EXPECT_EQ(*RowModel(*model), "p1|w1|p1|p2|w2|p2|");
  ASSERT_TRUE(method.make({}, &*model));
  EXPECT_EQ(handed, "p1|w1|p1|p2|w2|p2|");
  ASSERT_TRUE(method.make({}, nullptr));
  EXPECT_EQ(handed, "none");
}

// Both parts of a model reach whom they are for; neither sees the other's.
TEST(MethodRowsTest, MeasureAndRowLearnSideBySide) {
  MethodRow row = Row({View("word:1")});
  bool row_learns = true;
  row.learns = [&](const MethodOptions&) { return row_learns; };
  row.prepare = [](const MethodOptions&,
                   const PrepareContext&) -> Result<std::string> {
    return "what the row knows";
  };
  std::string handed;
  row.make = [&handed, make = row.make](const MethodOptions& options,
                                        const std::string* model) {
    handed = model == nullptr ? "none" : *model;
    return make(options, nullptr);
  };
  const Method method = MakeMethod(row);
  MethodOptions options;
  options.measure = Measure::kCosineTfIdf;
  options.threshold = 0.01;
  const TestDir folder;
  MemoryBudget budget(256 << 20);
  // Four documents with {1}, one with {2} too.
  const FeaturePass pass =
      [](const std::function<Status(DocumentViews)>& body) -> Status {
    for (const auto& set :
         {SetOfBits(1), SetOfBits(1), SetOfBits(1), SetOfBits(3)}) {
      const std::string bytes = Stored(set);
      const std::string_view views[] = {bytes, bytes};
      TWINSET_TRY(body(views));
    }
    return {};
  };
  for (const bool learns : {true, false}) {
    row_learns = learns;
    EXPECT_TRUE(method.learns(options));
    const auto model = method.prepare(options, Context(pass, folder, &budget));
    ASSERT_TRUE(model);
    EXPECT_EQ(*RowModel(*model), learns ? "what the row knows" : "");
    const auto parts = method.make(options, &*model);
    ASSERT_TRUE(parts);
    EXPECT_EQ(handed, learns ? "what the row knows" : "none");
    // 1 weighs 1 and 2 weighs 1 + log2(4) = 3: 1 / sqrt(1 + 9).
    EXPECT_NEAR(parts->verifier
                    ->CompareFully(Stored(SetOfBits(1)), Stored(SetOfBits(3)))
                    .score,
                1 / std::sqrt(10), 1e-6);
  }
  options.measure = Measure::kCosineTf;
  row_learns = false;
  EXPECT_FALSE(method.learns(options));
}

TEST(MethodRowsTest, DamagedModelsAreTold) {
  const CorpusModel good{"method", 1, std::string(8, '\0') + "row"};
  EXPECT_EQ(*RowModel(good), "row");
  std::vector<CorpusModel> damaged(6, good);
  damaged[0].name = "methods";
  damaged[1].version = 2;
  damaged[2].bytes = "";
  damaged[3].bytes = "1234567";  // no whole length
  damaged[4].bytes = std::string(8, '\0');
  damaged[4].bytes[0] = 1;  // a length beyond the end
  damaged[5].bytes = std::string(8, '\xff') + "row";
  for (size_t i = 0; i < damaged.size(); ++i) {
    const auto row = RowModel(damaged[i]);
    ASSERT_FALSE(row) << i;
    EXPECT_EQ(row.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(row.error().message, "the model of the method is damaged");
    EXPECT_FALSE(MakeMethod(Row({View("")})).make({}, &damaged[i])) << i;
  }
}

TEST(MethodRowsTest, ADirectedRowIsVerifiedByContainmentOfTheFirst) {
  MethodRow row = Row({View("")});
  EXPECT_EQ(MakeMethod(row).directed, nullptr);
  row.make_directed = row.make;
  const Method method = MakeMethod(row);
  ASSERT_NE(method.directed, nullptr);
  EXPECT_TRUE(method.info.symmetric);
  EXPECT_FALSE(method.directed->info.symmetric);
  const auto parts = method.directed->make({}, nullptr);
  ASSERT_TRUE(parts);
  const std::string part = Stored(SetOfBits(0b111)),
                    whole = Stored(SetOfBits(0b111111111));
  EXPECT_TRUE(parts->verifier->Compare(part, whole).accepted);
  EXPECT_FALSE(parts->verifier->Compare(whole, part).accepted);
  EXPECT_FALSE(
      method.make({}, nullptr)->verifier->Compare(part, whole).accepted);
}

// A generator or filter that reads other words than the sketchers write would
// find other pairs, and nothing else would show it.
TEST(MethodRowsTest, PartsThatDoNotFitAreABugThatIsTold) {
  MethodRow row = Row({View("")});
  row.make = [](const MethodOptions&,
                const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    TWINSET_ASSIGN(auto sketcher, MakeMinHashSketcher(8, 1));
    parts.sketchers.push_back(std::move(sketcher));
    parts.generator = MakeValueKeys(2, false);  // of sets of 64-bit values
    return parts;
  };
  const auto wrong = Guarded(MakeMethod(row)).make({}, nullptr);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kInternal);
  row.make = [](const MethodOptions&,
                const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    TWINSET_ASSIGN(auto sketcher, MakeMinHashSketcher(8, 1));
    parts.sketchers.push_back(std::move(sketcher));
    parts.generator = MakeValueKeys(1, true);
    parts.filter = MakeHammingFilter(0, 64, 3);
    return parts;
  };
  const auto filter = Guarded(MakeMethod(row)).make({}, nullptr);
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code, ErrorCode::kInternal);
}

TEST(MethodRowsTest, AGuardedRowSeesNoValueThatItDoesNotRead) {
  MethodRow row = Row({View("")});
  MethodOptions seen;
  row.make = [&seen, make = row.make](const MethodOptions& options,
                                      const std::string* model) {
    seen = options;
    return make(options, model);
  };
  MethodOptions options;
  options.name = "toy";
  options.bits = 96;
  options.sketch_shingle = "char:5";
  options.threshold = 0.6;
  const Method method = Guarded(MakeMethod(row));
  ASSERT_TRUE(method.make(options, nullptr));
  EXPECT_EQ(seen.bits, MethodOptions().bits);
  EXPECT_EQ(seen.sketch_shingle, "char:5");
  EXPECT_EQ(seen.threshold, 0.6);
  options.threshold = 2;
  const auto views = method.views(options);
  ASSERT_FALSE(views);
  EXPECT_EQ(views.error().code, ErrorCode::kUsage);
  EXPECT_THAT(views.error().message, HasSubstr("--threshold"));
}

TEST(MethodRowsTest, SketchedFeaturesAreTheSketchsOwn) {
  MethodOptions options;
  options.sketch_shingle = "char:7";
  options.feature_hash = FeatureHash::kMd5;
  const FeatureView view = SketchedFeatures(options, FeatureForm::kBag);
  EXPECT_EQ(view.form, FeatureForm::kBag);
  EXPECT_EQ(view.shingle, "char:7");
  EXPECT_EQ(view.hash, FeatureHash::kMd5);
  EXPECT_FALSE(view.secret) << "sketches are the same in every run";
}

}  // namespace
}  // namespace twinset
