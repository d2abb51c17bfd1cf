// The complete method misses no pair: neither by its keys nor by its join.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "methods/methods_testing.h"
#include "verify/test_sequences.h"

namespace twinset {
namespace {

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

MethodOptions Complete(Measure measure, double threshold) {
  MethodOptions options = Named("complete");
  options.measure = measure;
  options.threshold = threshold;
  return options;
}

// All pairs that the verifier accepts.
Pairs Accepted(const MethodParts& parts,
               const std::vector<std::string>& stored) {
  Pairs pairs;
  for (uint64_t a = 0; a < stored.size(); ++a)
    for (uint64_t b = a + 1; b < stored.size(); ++b)
      if (parts.verifier->Compare(stored[a], stored[b]).accepted)
        pairs.emplace(a, b);
  return pairs;
}

// Each accepted pair shares a key. Returns how many pairs share none.
size_t CheckKeys(const MethodOptions& options,
                 const std::vector<std::string>& stored) {
  const MethodParts parts = PartsOf(options);
  EXPECT_TRUE(parts.complete);
  EXPECT_EQ(parts.expected_recall, 1.0);
  std::vector<std::vector<uint64_t>> keys;
  for (const std::string& view : stored)
    keys.push_back(KeysOf(parts, {SketchOf(parts, view)}));
  const Pairs accepted = Accepted(parts, stored);
  EXPECT_FALSE(accepted.empty());
  size_t spared = 0;
  for (uint64_t a = 0; a < stored.size(); ++a) {
    for (uint64_t b = a + 1; b < stored.size(); ++b) {
      const bool meet = AnyCommon(keys[a], keys[b]);
      spared += !meet;
      EXPECT_TRUE(meet || !accepted.contains({a, b}))
          << ChoiceName(options.measure) << options.threshold << " " << a << " "
          << b;
    }
  }
  return spared;
}

TEST(JoinMethodsTest, KeysOfAllSmallSets) {
  std::vector<std::string> stored;
  for (uint64_t bits = 1; bits < 64; ++bits)
    stored.push_back(Stored(SetOfBits(bits)));
  stored.push_back(stored[41]);  // a pair at 1
  for (const Measure measure :
       {Measure::kJaccard, Measure::kContainment, Measure::kDice,
        Measure::kCosine, Measure::kS3}) {
    size_t before = 0;
    for (const double threshold : {0.25, 0.5, 2.0 / 3, 0.8, 1.0}) {
      const size_t spared = CheckKeys(Complete(measure, threshold), stored);
      // A higher threshold never compares more.
      EXPECT_GE(spared, before) << ChoiceName(measure) << threshold;
      before = spared;
    }
    EXPECT_GT(before, 300u) << ChoiceName(measure);
  }
}

TEST(JoinMethodsTest, KeysOfAllSmallSequences) {
  std::vector<std::string> sequences, bags;
  for (const Sequence& sequence : AllSequences(4, 3)) {
    if (sequence.empty()) continue;
    sequences.push_back(Stored(sequence));
    if (std::is_sorted(sequence.begin(), sequence.end()))
      bags.push_back(sequences.back());
  }
  sequences.push_back(sequences[50]);
  bags.push_back(bags[20]);
  for (const double threshold : {0.5, 0.75, 1.0}) {
    for (const Measure measure : {Measure::kEdit, Measure::kHamming})
      EXPECT_GT(CheckKeys(Complete(measure, threshold), sequences), 100u);
    CheckKeys(Complete(Measure::kCosineTf, threshold), bags);
    CheckKeys(Complete(Measure::kCosineTfIdf, threshold), bags);
  }
}

// What the join emits and the verifier accepts.
Pairs Joined(const MethodParts& parts, const std::vector<std::string>& stored,
             int threads, bool two_collections = false) {
  const TestDir folder;
  MemoryBudget budget(256 << 20);
  CollectionJoinContext context;
  context.budget = &budget;
  context.memory_bytes = 128 << 20;
  context.threads = threads;
  context.directory = folder.path();
  context.two_collections = two_collections;
  context.sizes = [&](const std::function<void(uint64_t)>& body) -> Status {
    for (const std::string& view : stored) body(view.size() / 8);
    return {};
  };
  auto join = parts.join(context);
  EXPECT_TRUE(join) << join.error().ToString();
  std::vector<std::vector<Sketch>> sketches;
  std::vector<std::vector<uint64_t>> prepared(stored.size());
  for (const std::string& view : stored)
    sketches.push_back({SketchOf(parts, view)});
  for (bool again = true; again;) {
    for (uint64_t d = 0; d < stored.size(); ++d) {
      JoinMember member;
      member.document = d;
      member.size = stored[d].size() / 8;
      member.stored = two_collections && d % 2 == 1;
      member.sketches = sketches[d];
      member.features = stored[d];
      (*join)->Prepare(member, &prepared[d]);
      member.prepared = prepared[d];
      EXPECT_TRUE((*join)->Add(member));
    }
    const auto more = (*join)->EndPass();
    EXPECT_TRUE(more);
    again = more && *more;
  }
  Pairs pairs;
  EXPECT_TRUE((*join)->Join([&](const CandidatePair& pair) -> Status {
    EXPECT_LT(pair.a, pair.b);
    if (parts.verifier->Compare(stored[pair.a], stored[pair.b]).accepted)
      pairs.emplace(pair.a, pair.b);
    return {};
  }));
  return pairs;
}

// Random features with many copies, so that there are pairs at every
// similarity.
std::vector<std::string> RandomDocuments(Measure measure, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Sequence> documents;
  for (int d = 0; d < (TWINSET_SLOW_BUILD ? 60 : 90); ++d) {
    Sequence sequence;
    if (d % 3 == 0) {
      for (uint64_t n = 1 + random.Below(30); n > 0; --n)
        sequence.push_back(Mix64(random.Below(60) + 1));
    } else {
      sequence = documents[random.Below(documents.size())];
      for (uint64_t n = random.Below(5); n > 0; --n)
        sequence[random.Below(sequence.size())] = Mix64(random.Below(60) + 1);
    }
    documents.push_back(sequence);
  }
  std::vector<std::string> stored;
  for (Sequence& document : documents) {
    const bool in_order =
        measure == Measure::kEdit || measure == Measure::kHamming;
    if (!in_order) std::sort(document.begin(), document.end());
    if (IsSetMeasure(measure))
      document.erase(std::unique(document.begin(), document.end()),
                     document.end());
    stored.push_back(Stored(document));
  }
  return stored;
}

TEST(JoinMethodsTest, TheJoinFindsWhatComparingAllFinds) {
  for (const Measure measure :
       {Measure::kJaccard, Measure::kContainment, Measure::kDice,
        Measure::kCosine, Measure::kCosineTf, Measure::kEdit,
        Measure::kHamming}) {
    const auto stored = RandomDocuments(measure, 5);
    for (const double threshold : {0.4, 0.8, 1.0}) {
      const MethodParts parts = PartsOf(Complete(measure, threshold));
      const Pairs expected = Accepted(parts, stored);
      EXPECT_GT(expected.size(), TWINSET_SLOW_BUILD ? 1u : 5u)
          << ChoiceName(measure) << threshold;
      for (const int threads : {1, 3})
        EXPECT_EQ(Joined(parts, stored, threads), expected)
            << ChoiceName(measure) << threshold << " " << threads;
      Pairs across;
      for (const auto& [a, b] : expected)
        if (a % 2 != b % 2) across.emplace(a, b);
      EXPECT_EQ(Joined(parts, stored, 1, /*two_collections=*/true), across)
          << ChoiceName(measure) << threshold;
    }
  }
}

// How much of a document of the first side stands in one of the second.
TEST(JoinMethodsTest, TheContainmentSearchFindsWhatComparingAllFinds) {
  const auto stored = RandomDocuments(Measure::kContainment, 9);
  for (const double threshold : {0.3, 0.75, 1.0}) {
    MethodOptions options;
    options.measure = Measure::kContainment;
    options.threshold = threshold;
    const auto parts = ContainmentMethod()->make(options, nullptr);
    ASSERT_TRUE(parts);
    EXPECT_TRUE(parts->sketchers.empty());
    const TestDir folder;
    MemoryBudget budget(256 << 20);
    CollectionJoinContext context;
    context.budget = &budget;
    context.memory_bytes = 128 << 20;
    context.directory = folder.path();
    context.two_collections = true;
    context.sizes = [&](const std::function<void(uint64_t)>& body) -> Status {
      for (const std::string& view : stored) body(view.size() / 8);
      return {};
    };
    auto join = parts->join(context);
    ASSERT_TRUE(join);
    const auto is_stored = [&](uint64_t d) { return d >= stored.size() / 2; };
    for (bool again = true; again;) {
      for (uint64_t d = 0; d < stored.size(); ++d) {
        JoinMember member;
        member.document = d;
        member.size = stored[d].size() / 8;
        member.stored = is_stored(d);
        member.features = stored[d];
        std::vector<uint64_t> prepared;
        (*join)->Prepare(member, &prepared);
        member.prepared = prepared;
        ASSERT_TRUE((*join)->Add(member));
      }
      const auto more = (*join)->EndPass();
      ASSERT_TRUE(more);
      again = *more;
    }
    Pairs found, expected;
    ASSERT_TRUE((*join)->Join([&](const CandidatePair& pair) -> Status {
      if (parts->verifier->Compare(stored[pair.a], stored[pair.b]).accepted)
        found.emplace(pair.a, pair.b);
      return {};
    }));
    for (uint64_t a = 0; a < stored.size() / 2; ++a)
      for (uint64_t b = stored.size() / 2; b < stored.size(); ++b)
        if (parts->verifier->Compare(stored[a], stored[b]).accepted)
          expected.emplace(a, b);
    EXPECT_EQ(found, expected) << threshold;
    EXPECT_GT(expected.size(), TWINSET_SLOW_BUILD ? 2u : 10u) << threshold;
  }
}

TEST(JoinMethodsTest, ThereAreNoEstimatesToReport) {
  MethodOptions options = Named("complete");
  options.verify = false;
  const auto made = MethodCalled("complete").make(options, nullptr);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kUsage);
  EXPECT_THAT(made.error().remedy, ::testing::HasSubstr("--verify none"));
  options.verify = true;
  options.generator = "bands";
  EXPECT_FALSE(MethodCalled("complete").make(options, nullptr));
  options.generator = "prefix";
  EXPECT_TRUE(MethodCalled("complete").make(options, nullptr));
}

// Whatever is compared is what is sketched: nothing else is stored.
TEST(JoinMethodsTest, OneViewIsStoredWhateverTheMeasure) {
  for (const auto& choice : kChoices<Measure>) {
    const auto views =
        MethodCalled("complete").views(Complete(choice.value, 0.8));
    ASSERT_TRUE(views);
    EXPECT_EQ(views->size(), 1u) << choice.name;
  }
}

}  // namespace
}  // namespace twinset
