#include "pipeline/run/plan_features.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/test_dir.h"

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

Result<PlanFeatures> Make(const Change& change = {}) {
  PlanOptions options;
  if (change) change(&options);
  return MakeFeatures(nullptr, &options);
}

std::vector<uint64_t> HashesOf(const PlanFeatures& made, size_t view,
                               const std::string& text) {
  Features hashes;
  FeatureScratch scratch;
  EXPECT_NE(made.extractors[view], nullptr);
  made.extractors[view]->Extract(text, &scratch, &hashes);
  return hashes.shingles;
}

constexpr char kText[] = "one two three four five six seven eight nine";

TEST(PlanFeatures, TakesTheMethodByItsNameAndNamesTheDefault) {
  PlanOptions options;
  const auto made = MakeFeatures(nullptr, &options);
  ASSERT_TRUE(made);
  EXPECT_EQ(options.method.name, made->method->info.name);
  EXPECT_EQ(made->form, FeatureForm::kShingles);
  EXPECT_EQ(made->views.size(), made->extractors.size());
  const auto unknown = Make([](auto* o) { o->method.name = "minhesh"; });
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().ToString().find("no method is called 'minhesh'"),
            std::string::npos);
}

// Nobody who does not know the secret can make texts whose verified hashes are
// equal: each plan draws its own.
TEST(PlanFeatures, EachPlanDrawsItsSecret) {
  const auto one = Make(), other = Make();
  ASSERT_TRUE(one && other);
  EXPECT_FALSE(one->key == HashKey());
  EXPECT_FALSE(one->key == other->key);
  ASSERT_TRUE(one->views[0].secret);
  EXPECT_NE(HashesOf(*one, 0, kText), HashesOf(*other, 0, kText));
}

TEST(PlanFeatures, SetKeyChangesSecretViewsAlone) {
  PlanOptions options;
  options.method.name = "minhash";
  auto made = MakeFeatures(nullptr, &options);
  ASSERT_TRUE(made);
  ASSERT_GE(made->views.size(), 2u);
  ASSERT_TRUE(made->views[0].secret);
  ASSERT_FALSE(made->views[1].secret);
  const auto secret = HashesOf(*made, 0, kText);
  const auto open = HashesOf(*made, 1, kText);
  EXPECT_EQ(secret.size(), open.size());
  const HashKey before = made->key;
  const auto drawn = DrawHashKey();
  ASSERT_TRUE(drawn);
  ASSERT_TRUE(SetKey(options, *drawn, &*made));
  EXPECT_NE(HashesOf(*made, 0, kText), secret);
  EXPECT_EQ(HashesOf(*made, 1, kText), open);
  ASSERT_TRUE(SetKey(options, before, &*made));
  EXPECT_EQ(HashesOf(*made, 0, kText), secret);
}

TEST(PlanFeatures, FrequentShinglesAreCountedByPublicHashes) {
  const auto plain = Make([](auto* o) { o->method.name = "minhash"; });
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->public_view, 0u);
  for (const char* method : {"minhash", "complete"}) {
    const auto made = Make([&](auto* o) {
      o->method.name = method;
      o->max_df = 9;
    });
    ASSERT_TRUE(made) << method;
    ASSERT_NE(made->public_view, 0u) << method;
    ASSERT_LT(made->public_view, made->views.size());
    EXPECT_FALSE(made->views[made->public_view].secret);
    EXPECT_EQ(made->views[made->public_view].form, made->views[0].form);
    EXPECT_EQ(HashesOf(*made, made->public_view, kText).size(),
              HashesOf(*made, 0, kText).size());
  }
}

TEST(PlanFeatures, SketchesAreMadeWhereOneDocumentIsEnough) {
  const auto sketches = [](const std::string& method, uint64_t max_df) {
    PlanOptions options;
    options.method.name = method;
    options.max_df = max_df;
    auto made = MakeFeatures(nullptr, &options);
    EXPECT_TRUE(made) << method;
    EXPECT_TRUE(MakeSketching(options, &*made));
    EXPECT_EQ(made->sketching != nullptr, made->sketch_bytes > 0);
    return made->sketching != nullptr;
  };
  EXPECT_TRUE(sketches("minhash", 0));
  EXPECT_TRUE(sketches("simhash", 0));
  EXPECT_FALSE(sketches("minhash", 9));   // shingles may yet go
  EXPECT_FALSE(sketches("complete", 0));  // it makes none
  EXPECT_FALSE(sketches("i-match", 0));   // it sees the corpus first
}

TEST(PlanFeatures, TemplatesAreDroppedOfPagesAlone) {
  const auto drops = [](const Change& change) {
    const auto made = Make([&](auto* o) {
      o->features.template_blocks = TemplateRule::kDrop;
      change(o);
    });
    EXPECT_TRUE(made);
    return made->drops_template();
  };
  EXPECT_TRUE(drops([](auto*) {}));
  EXPECT_FALSE(drops(
      [](auto* o) { o->features.template_blocks = TemplateRule::kKeep; }));
  EXPECT_FALSE(drops([](auto* o) { o->features.content = ContentMode::kRaw; }));
  EXPECT_FALSE(drops([](auto* o) {
    o->method.name = "exact";
    o->method.level = CopyLevel::kBytes;
  }));
}

TEST(PlanFeatures, AKeyFileIsTheSecretOrAnError) {
  const TestDir folder;
  const auto lost =
      Make([&](auto* o) { o->resources.key = folder / "no-file"; });
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace twinset
