// The registry's shape: a method that learns from the corpus first, one with
// two sketches, and one document against a stored collection, all through the
// same stages; and parts that do not fit are refused.
#include "methods/registry.h"

#include <algorithm>
#include <memory>

#include "base/bytes.h"
#include "candidate/bands.h"
#include "candidate/join.h"
#include "candidate/prefix_keys.h"
#include "candidate/tables.h"
#include "candidate/value_keys.h"
#include "methods/method_rows.h"
#include "pipeline/run/dedup_with.h"
#include "sketch/minhash_family.h"
#include "sketch/simhash.h"
#include "support/dedup_fixture.h"
#include "text/tokens/features.h"
#include "verify/measures.h"

namespace twinset::testing {
namespace {

// A document's sketch is the set of its features that occur in two documents or
// more.
class CommonFeatures : public Sketcher {
 public:
  explicit CommonFeatures(std::string_view model) {
    const auto hashes = AsHashes(model);
    common_.assign(hashes.begin(), hashes.end());
  }
  std::string name() const override { return "common"; }
  SketchLayout layout() const override {
    return {.comparison = SketchLayout::kAsSets, .value_bits = 64};
  }
  void Compute(std::string_view features, Sketch* sketch) const override {
    sketch->clear();
    for (const uint64_t hash : AsHashes(features)) {
      if (!std::binary_search(common_.begin(), common_.end(), hash)) continue;
      sketch->push_back(static_cast<uint32_t>(hash));
      sketch->push_back(static_cast<uint32_t>(hash >> 32));
    }
  }

 private:
  std::vector<uint64_t> common_;
};

Result<std::vector<FeatureView>> Shingles(const MethodOptions&) {
  return std::vector<FeatureView>{
      {FeatureForm::kShingles, "", FeatureHash::kSpec}};
}

// Two passes over the corpus: count features, then check the count again.
Method TwoPassMethod(int* passes) {
  Method method;
  method.info.name = "two-pass";
  method.views = Shingles;
  method.learns = [](const MethodOptions&) { return true; };
  method.prepare = [passes](
                       const MethodOptions&,
                       const PrepareContext& context) -> Result<CorpusModel> {
    std::map<uint64_t, uint64_t> counts;
    uint64_t first = 0, second = 0;
    TWINSET_TRY(context.pass([&](DocumentViews views) -> Status {
      for (const uint64_t hash : AsHashes(views[0])) ++counts[hash];
      first += views[0].size();
      return {};
    }));
    TWINSET_TRY(context.pass([&](DocumentViews views) -> Status {
      second += views[0].size();
      return {};
    }));
    *passes += 2;
    EXPECT_EQ(first, second);
    CorpusModel model{"common features", 3, ""};
    for (const auto& [hash, count] : counts) {
      if (count > 1) AppendLE(&model.bytes, hash);
    }
    return model;
  };
  method.make = [](const MethodOptions& options,
                   const CorpusModel* model) -> Result<MethodParts> {
    if (model == nullptr) return MethodParts();  // parameters are checked
    EXPECT_EQ(model->name, "common features");
    EXPECT_EQ(model->version, 3u);
    MethodParts parts;
    parts.sketchers.push_back(std::make_unique<CommonFeatures>(model->bytes));
    parts.generator = MakeWholeSketchKeys();
    parts.verifier = MakeSetVerifier(Measure::kJaccard, options.threshold);
    return parts;
  };
  return method;
}

// Keys of both sketches: whole sketches of the second, bands of the first.
class BandsAndWhole : public KeyGenerator {
 public:
  BandsAndWhole()
      : bands_(*MakeBandKeys(16, 6, 128)), whole_(MakeWholeSketchKeys()) {}
  void Keys(std::span<const Sketch> sketches, uint64_t scope,
            std::vector<uint64_t>* keys) const override {
    bands_->Keys(sketches.first(1), scope, keys);
    whole_->Keys(sketches.subspan(1), scope + 1, keys);
  }
  Status Check(std::span<const SketchLayout> layouts) const override {
    TWINSET_TRY(bands_->Check(layouts.first(1)));
    return whole_->Check(layouts.subspan(1));
  }

 private:
  std::unique_ptr<KeyGenerator> bands_, whole_;
};

Method TwoSketchMethod() {
  Method method;
  method.info.name = "two-sketch";
  method.views = Shingles;
  method.make = [](const MethodOptions& options,
                   const CorpusModel*) -> Result<MethodParts> {
    MethodParts parts;
    TWINSET_ASSIGN(auto first, MakeMinHashSketcher(128, 1));
    TWINSET_ASSIGN(auto second, MakeMinHashSketcher(8, 2));
    parts.sketchers.push_back(std::move(first));
    parts.sketchers.push_back(std::move(second));
    parts.generator = std::make_unique<BandsAndWhole>();
    parts.verifier = MakeSetVerifier(Measure::kJaccard, options.threshold);
    return parts;
  };
  return method;
}

TEST(RegistryTest, AMethodMayLearnFromTheCorpusFirst) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(21, 300);
  Write(folder / "in.jsonl", corpus.Jsonl());
  int passes = 0;
  const Method method = TwoPassMethod(&passes);
  const auto summary =
      DedupWith(OptionsFor(folder / "in.jsonl", folder / "out"), &method);
  ASSERT_TRUE(summary) << summary.error().ToString();
  EXPECT_EQ(passes, 2);
  EXPECT_GT(summary->pairs, 20u);
  const NaiveTruth truth(corpus.texts);
  for (const Json& row : ReadRows(folder / "out/pairs.jsonl")) {
    const size_t a = std::stoul(row["a"].get<std::string>().substr(1));
    const size_t b = std::stoul(row["b"].get<std::string>().substr(1));
    EXPECT_NEAR(row["similarity"].get<double>(), truth.Jaccard(a, b), 1e-12);
  }
}

TEST(RegistryTest, AMethodMayHaveTwoSketches) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(22, 400).Jsonl());
  const Method method = TwoSketchMethod();
  const auto summary =
      DedupWith(OptionsFor(folder / "in.jsonl", folder / "two"), &method);
  ASSERT_TRUE(summary) << summary.error().ToString();
  MustDedup(OptionsFor(folder / "in.jsonl", folder / "one"));
  // The same bands and 8 values more: nothing that minhash alone finds is lost.
  std::set<std::string> two;
  for (const std::string& line : ReadLines(folder / "two/pairs.jsonl"))
    two.insert(line);
  for (const std::string& line : ReadLines(folder / "one/pairs.jsonl")) {
    EXPECT_TRUE(two.contains(line)) << line;
  }
}

// Each document asked against the stored others, by the parts that `dedup`
// uses, finds the pairs that `dedup` reports.
TEST(RegistryTest, OneDocumentAgainstAStoredCollectionFindsTheSamePairs) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(23, 400);
  Write(folder / "in.jsonl", corpus.Jsonl());
  MustDedup(OptionsFor(folder / "in.jsonl", folder / "out"));
  std::set<std::string> reported;
  for (const Json& row : ReadRows(folder / "out/pairs.jsonl")) {
    reported.insert(row["a"].get<std::string>() + " " +
                    row["b"].get<std::string>());
  }

  const Method* method = *FindMethod("minhash");
  const MethodParts parts = *method->make(MethodOptions{}, nullptr);
  const FeatureExtractor extractor(TokenRule::kUnicode,
                                   *ParseShingles("word:5"));
  std::vector<std::string> features;
  std::vector<Posting> postings;
  for (size_t d = 0; d < corpus.texts.size(); ++d) {
    FeatureScratch scratch;
    Features shingles;
    extractor.Extract(corpus.texts[d], &scratch, &shingles);
    features.emplace_back(
        reinterpret_cast<const char*>(shingles.shingles.data()),
        shingles.shingles.size() * 8);
    std::vector<Sketch> sketches(1);
    parts.sketchers[0]->Compute(features.back(), &sketches[0]);
    std::vector<uint64_t> keys;
    parts.generator->Keys(sketches, Hash64(""), &keys);
    for (const uint64_t key : keys) {
      postings.push_back(Posting::Make(key, d, d, shingles.shingles.size()));
    }
  }
  const StoredPostings stored(postings);
  std::set<std::string> found;
  for (const Posting& query : postings) {
    ASSERT_TRUE(ProbeBucket(
        query, stored.Bucket(query.key), {},
        [&](const CandidatePair& pair) -> Status {
          if (parts.verifier->Compare(features[pair.a], features[pair.b])
                  .accepted) {
            found.insert("d" + std::to_string(pair.a) + " d" +
                         std::to_string(pair.b));
          }
          return {};
        }));
  }
  EXPECT_EQ(found, reported);
  EXPECT_GT(found.size(), 50u);
}

TEST(RegistryTest, EveryRowIsWhole) {
  std::set<std::string> names;
  for (const Method& method : AllMethods()) {
    EXPECT_TRUE(names.insert(method.info.name).second);
    EXPECT_FALSE(method.info.summary.empty());
    EXPECT_FALSE(method.info.source.empty());
    EXPECT_FALSE(method.info.sketches.empty());
    EXPECT_FALSE(method.info.verifier.empty());
    EXPECT_TRUE(method.make);
  }
  EXPECT_FALSE(FindMethod("nonsense"));
}

// Every sketch with every generator and filter: the registry makes those whose
// words mean the same, and no other.
TEST(RegistryTest, PartsThatReadOtherSketchesAreRefused) {
  struct Kind {
    std::string name;
    std::function<std::unique_ptr<Sketcher>()> sketcher;
    std::vector<std::function<std::unique_ptr<KeyGenerator>()>> generators;
    std::vector<std::function<std::unique_ptr<PairFilter>()>> filters;
  };
  const auto minhash = [] { return *MakeMinHashSketcher(64, 1); };
  const Kind kinds[] = {
      {"values by place",
       minhash,
       {[] { return *MakeBandKeys(16, 4, 64); },
        [] { return MakeValueKeys(1, true); },
        [] { return MakeValuePairKeys(1); }},
       {[] { return MakeAgreementFilter(0, 1, 5); }}},
      {"packed values",
       [=] { return *MakeValueBitsSketcher(minhash(), 64, 8); },
       {[] { return MakePackedKeys(*MakeBandKeys(16, 4, 64), 64, 8); },
        [] { return MakePackedKeys(MakeValueKeys(1, true), 64, 8); }},
       {[] { return MakePackedAgreementFilter(0, 64, 8, 5); }}},
      {"super-shingles",
       [] { return *MakeSuperShingleSketcher({}, 1); },
       {[] { return MakeValueKeys(2, true); },
        [] { return MakeValuePairKeys(2); }},
       {[] { return MakeAgreementFilter(0, 2, 2); }}},
      {"sets",
       [] { return *MakeModShingleSketcher(8, SetShare::kUnion); },
       {[] { return MakeValueKeys(2, false); },
        [] { return *MakePrefixKeys(0, 0.5); }},
       {[] { return MakeOverlapFilter(0, 1, 0.5, SetShare::kUnion); }}},
      {"fingerprints",
       [] { return *MakeSimHashSketcher(64); },
       {[] { return MakeTableKeys(*ParseTableDesign("", 64, 3), 0); }},
       {[] { return MakeHammingFilter(0, 64, 3); }}}};
  const auto made = [](const Kind& of,
                       const std::function<void(MethodParts*)>& add) {
    Method method;
    method.views = Shingles;
    method.make = [&](const MethodOptions&,
                      const CorpusModel*) -> Result<MethodParts> {
      MethodParts parts;
      parts.sketchers.push_back(of.sketcher());
      add(&parts);
      return parts;
    };
    const auto parts = Guarded(method).make({}, nullptr);
    if (!parts) {
      EXPECT_EQ(parts.error().code, ErrorCode::kInternal);
    }
    return parts.has_value();
  };
  for (const Kind& of : kinds) {
    EXPECT_TRUE(made(of, [](MethodParts* parts) {
      parts->generator = MakeWholeSketchKeys();  // they read any sketch
    })) << of.name;
    for (const Kind& reads : kinds) {
      SCOPED_TRACE(of.name + " read as " + reads.name);
      for (const auto& generator : reads.generators) {
        EXPECT_EQ(
            made(of, [&](auto* parts) { parts->generator = generator(); }),
            &of == &reads);
      }
      for (const auto& filter : reads.filters) {
        EXPECT_EQ(made(of, [&](auto* parts) { parts->filter = filter(); }),
                  &of == &reads);
        EXPECT_FALSE(made(of, [&](auto* parts) {
          parts->filter = MakeBothFilter(filter(), MakeHammingFilter(1, 64, 3));
        }));  // there is no second sketch
      }
    }
  }
  // More values than there are, and packed keys over keys of wider values.
  EXPECT_FALSE(made(kinds[0], [](MethodParts* parts) {
    parts->generator = *MakeBandKeys(16, 5, 80);
  }));
  EXPECT_FALSE(made(kinds[1], [](MethodParts* parts) {
    parts->generator = MakePackedKeys(MakeValueKeys(2, true), 64, 8);
  }));
}

}  // namespace
}  // namespace twinset::testing
