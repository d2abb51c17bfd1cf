// The table of methods as its users see it.
#include "methods/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "methods/method_rows.h"
#include "methods/methods_testing.h"
#include "options/parameters.h"
#include "twinset/methods.h"

namespace twinset {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RegistryTest, NoNameIsTheCompleteJoinAndMinHashWhereSketchesAreAsked) {
  EXPECT_EQ((*FindMethod(""))->info.name, "complete");
  EXPECT_EQ((*FindSketchMethod(""))->info.name, "minhash");
  EXPECT_EQ(&StandardMethod(), *FindMethod("complete"));
  for (const Method& method : AllMethods()) {
    EXPECT_EQ(*FindMethod(method.info.name), &method);
    EXPECT_EQ(*FindSketchMethod(method.info.name), &method);
  }
}

TEST(RegistryTest, OneRowIsTheStandardOfEachKind) {
  size_t standards = 0, of_sketches = 0;
  for (const MethodInfo& method : Methods()) {
    standards += method.is_standard;
    of_sketches += method.is_standard_sketch;
  }
  EXPECT_EQ(standards, 1u);
  EXPECT_EQ(of_sketches, 1u);
}

TEST(RegistryTest, AnUnknownNameIsAnsweredWithTheNearestAndAll) {
  for (const char* name : {"minhsh", "MinHash", "minhash "}) {
    const auto found = FindMethod(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, ErrorCode::kUsage);
    EXPECT_THAT(found.error().message, HasSubstr("'" + std::string(name)));
    EXPECT_THAT(found.error().remedy, HasSubstr("did you mean 'minhash'?"));
    for (const Method& method : AllMethods())
      EXPECT_THAT(found.error().remedy, HasSubstr(method.info.name));
  }
  // What is near to nothing is not guessed.
  const auto far = FindMethod("qqqqqqqqqqqqqqq");
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().remedy, Not(HasSubstr("did you mean")));
}

TEST(RegistryTest, NamesAreWordsOfTheCommandLineAndEachStandsOnce) {
  std::set<std::string> names;
  for (const MethodInfo& method : Methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_EQ(method.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"),
              std::string::npos)
        << method.name;
  }
  EXPECT_EQ(names.size(), AllMethods().size());
}

TEST(RegistryTest, MethodsWithJoinsNamesAsASentenceDoes) {
  EXPECT_EQ(MethodsWith([](const Method&) { return false; }), "");
  EXPECT_EQ(MethodsWith([](const Method& m) { return m.info.name == "fss"; }),
            "fss");
  EXPECT_EQ(MethodsWith([](const Method& m) {
              return m.info.name == "fss" || m.info.name == "minhash";
            }),
            "minhash or fss");
  EXPECT_EQ(
      MethodsWith([](const Method& m) { return m.info.name.size() <= 5; }),
      "exact, fss, mod-m, fuzzy or spex");
}

TEST(RegistryTest, EveryParameterOfARowIsInTheTableWithADefaultInItsRange) {
  for (const MethodInfo& method : Methods()) {
    std::set<std::string> seen;
    for (const MethodParameter& parameter : method.parameters) {
      EXPECT_TRUE(seen.insert(parameter.name).second)
          << method.name << " reads " << parameter.name << " twice";
      EXPECT_NE(FindParameter(parameter.name), nullptr) << parameter.name;
      EXPECT_THAT(MethodsReading(parameter.name), Contains(method.name));
      EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
      EXPECT_FALSE(parameter.default_value.empty() &&
                   parameter.range.kind != ParameterRange::kFile &&
                   parameter.range.kind != ParameterRange::kWords)
          << method.name << " " << parameter.name;
    }
    EXPECT_TRUE(CheckRanges(method, Named(method.name))) << method.name;
    EXPECT_TRUE(CheckParameters(method, Named(method.name))) << method.name;
  }
  EXPECT_TRUE(MethodsReading("no-such-parameter").empty());
}

TEST(RegistryTest, AParameterThatIsNotReadIsRefusedWithItsReaders) {
  MethodOptions options = Named("exact");
  options.distance = 4;
  const Status status = CheckParameters(MethodCalled("exact").info, options);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  EXPECT_EQ(status.error().message, "method exact does not read --distance");
  EXPECT_EQ(status.error().remedy,
            "leave it out, or name a method that reads it: simhash, "
            "henzinger-combined");
  // The default is no news, unless it was given.
  options.distance = MethodOptions().distance;
  EXPECT_TRUE(CheckParameters(MethodCalled("exact").info, options));
  options.given = {"distance"};
  EXPECT_FALSE(CheckParameters(MethodCalled("exact").info, options));
  EXPECT_TRUE(CheckParameters(MethodCalled("simhash").info, options));
}

TEST(RegistryTest, RangesAreTheRowsOwn) {
  struct Case {
    const char* method;
    void (*set)(MethodOptions*);
    bool good;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"simhash", [](MethodOptions* o) { o->generator = "psm"; }, true},
           {"minhash", [](MethodOptions* o) { o->generator = "psm"; }, false},
           {"minhash", [](MethodOptions* o) { o->generator = "sorted"; }, true},
           {"simhash",
            [](MethodOptions* o) { o->feature_hash = FeatureHash::kSha1_32; },
            false},
           {"minhash",
            [](MethodOptions* o) { o->feature_hash = FeatureHash::kSha1_32; },
            true},
           {"minhash", [](MethodOptions* o) { o->agree = 128; }, true},
           {"minhash", [](MethodOptions* o) { o->agree = 129; }, false},
           {"super-shingle", [](MethodOptions* o) { o->agree = 6; }, true},
           {"super-shingle", [](MethodOptions* o) { o->agree = 7; }, false},
           {"i-match", [](MethodOptions* o) { o->agree = 11; }, true},
           {"i-match", [](MethodOptions* o) { o->agree = 12; }, false},
           {"minhash",
            [](MethodOptions* o) { o->hash_family = HashFamily::kMixed; },
            false},
           {"rabin-minhash",
            [](MethodOptions* o) { o->hash_family = HashFamily::kMixed; },
            true},
           {"henzinger-combined",
            [](MethodOptions* o) { o->weights = FeatureWeights::kTfIdf; },
            false}}) {
    MethodOptions options = Named(c.method);
    c.set(&options);
    const Status status = CheckParameters(MethodCalled(c.method).info, options);
    EXPECT_EQ(status.has_value(), c.good) << c.method;
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    }
    // The row itself refuses the same, whoever calls it.
    const auto made = MethodCalled(c.method).make(options, nullptr);
    EXPECT_EQ(made.has_value(), c.good) << c.method;
  }
}

TEST(RegistryTest, ForgetUnreadKeepsWhatIsReadAndTheThreshold) {
  MethodOptions options = Named("simhash");
  options.bits = 96;
  options.permutations = 256;
  options.threshold = 0.7;
  MethodOptions for_exact = options;
  ForgetUnread("exact", &for_exact);
  EXPECT_EQ(for_exact.bits, MethodOptions().bits);
  EXPECT_EQ(for_exact.permutations, MethodOptions().permutations);
  EXPECT_EQ(for_exact.threshold, 0.7);
  ForgetUnread("simhash", &options);
  EXPECT_EQ(options.bits, 96);
  EXPECT_EQ(options.permutations, MethodOptions().permutations);
  MethodOptions unknown = options;
  unknown.permutations = 256;
  ForgetUnread("no-such-method", &unknown);
  EXPECT_EQ(unknown.permutations, 256);
}

// What a row does not read cannot change its sketches, even where a caller did
// not check.
TEST(RegistryTest, ARowIsHandedOnlyWhatItReads) {
  const auto texts = RandomTexts(1, 2, 60);
  MethodOptions other = Named("fuzzy");
  other.seed = 99;
  other.sketch_shingle = "char:3";
  other.feature_hash = FeatureHash::kMd5;
  const MethodOnTexts plain(MethodCalled("fuzzy"), Named("fuzzy"), texts),
      strange(MethodCalled("fuzzy"), other, texts);
  for (size_t d = 0; d < texts.size(); ++d)
    EXPECT_EQ(plain.SketchesOf(d), strange.SketchesOf(d));
}

TEST(RegistryTest, ContainmentHasItsOwnSearch) {
  MethodOptions options;
  options.measure = Measure::kContainment;
  const auto complete = ContainmentSearch(options);
  ASSERT_TRUE(complete);
  EXPECT_EQ(*complete, ContainmentMethod());
  EXPECT_TRUE((*complete)->info.complete);
  EXPECT_FALSE((*complete)->info.symmetric);
  for (const char* name : {"mod-m", "rare-chunks"}) {
    options.name = name;
    const auto directed = ContainmentSearch(options);
    ASSERT_TRUE(directed) << name;
    EXPECT_EQ((*directed)->info.name, name);
    EXPECT_FALSE((*directed)->info.symmetric);
    EXPECT_EQ((*directed)->info.verifier, "containment");
    // Only one direction is asked for: there is nothing further behind it.
    EXPECT_EQ((*directed)->directed, nullptr);
  }
  options.name = "minhash";
  const auto none = ContainmentSearch(options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUsage);
  EXPECT_THAT(none.error().message, HasSubstr("--method minhash"));
  EXPECT_THAT(none.error().remedy, HasSubstr("mod-m or rare-chunks"));
  options.name = "nonsense";
  EXPECT_FALSE(ContainmentSearch(options));
}

}  // namespace
}  // namespace twinset
