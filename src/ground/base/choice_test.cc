#include "base/choice.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "twinset/method_choices.h"
#include "twinset/text_choices.h"

namespace twinset {
namespace {

TEST(Choice, NamesWhatThereIs) {
  struct Row {
    std::string name;
    int value;
  };
  const std::vector<Row> rows = {{"bands", 1}, {"sorted", 2}};
  const Error error = NoSuchChoice("x", "no 'x'", rows, &Row::name).value();
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.ToString(), "no 'x' (use one of: bands, sorted)");
  const std::string_view names[] = {"one"};
  EXPECT_EQ(NoSuchChoice("x", "no", names).value().remedy, "use one of: one");
}

template <typename Enum>
void ExpectTable() {
  std::set<std::string_view> names;
  for (const auto& [value, name] : kChoices<Enum>) {
    EXPECT_EQ(ChoiceName(value), name);
    EXPECT_EQ(FindChoice<Enum>(name), value);
    EXPECT_TRUE(names.insert(name).second) << name;
    // No value is left out between them.
    EXPECT_LT(static_cast<size_t>(value), kChoices<Enum>.size());
  }
}

TEST(Choice, EveryValueHasOneName) {
  ExpectTable<InputFormat>();
  ExpectTable<TruncatedRule>();
  ExpectTable<DigestKind>();
  ExpectTable<TokenRule>();
  ExpectTable<ContentMode>();
  ExpectTable<TemplateRule>();
  ExpectTable<Measure>();
  ExpectTable<CopyLevel>();
  ExpectTable<FeatureHash>();
  ExpectTable<HashFamily>();
  ExpectTable<FeatureWeights>();
  ExpectTable<GroupBy>();
  ExpectTable<ClusterRule>();
  ExpectTable<ListedPairs>();
  ExpectTable<Action>();
  ExpectTable<UnitKind>();
  ExpectTable<UnitAction>();
  ExpectTable<NearRule>();
  ExpectTable<OutputFormat>();
}

TEST(Choice, ParsesNames) {
  EXPECT_EQ(*ParseChoice<Measure>("--measure", "cosine-tf"),
            Measure::kCosineTf);
  const auto unknown = ParseChoice<UnitAction>("--unit-action", "drop");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().ToString(),
            "--unit-action does not know 'drop' (did you mean 'drop-all'? "
            "use one of: keep-first, drop-all, list)");
  EXPECT_EQ(FindChoice<Measure>("Jaccard"), std::nullopt);
  EXPECT_EQ(FindChoice<Measure>(""), std::nullopt);
  EXPECT_EQ(ChoiceName(static_cast<Action>(99)), "");
  EXPECT_EQ(OrList(ChoiceNames<CopyLevel>()), "bytes, text or tokens");
  EXPECT_EQ(OrList(ChoiceNames<DigestKind>()), "sha1-base32 or sha256");
  EXPECT_EQ(OrList({}), "");
}

}  // namespace
}  // namespace twinset
