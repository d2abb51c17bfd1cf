// NAME@FLAG=VALUE: methods with parameters in one word.
#include "method_spec.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/parse.h"
#include "twinset/methods.h"

namespace twinset::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Request Asked(const std::vector<std::string>& words) {
  auto request = Parse(*FindCommand("evaluate"), words);
  EXPECT_TRUE(request) << request.error().ToString();
  return request ? *std::move(request) : Request();
}

// All values of a spec as text.
std::string Told(const Result<EvaluateMethod>& made) {
  if (!made) return made.error().ToString();
  ParameterValues values;
  values.method = made->method;
  values.features = made->features;
  std::string text;
  for (const Parameter& parameter : Parameters())
    text +=
        fmt::format("{}={} ", parameter.name, ParameterText(parameter, values));
  return text;
}

// A parameter in a spec is the flag of it, for every method that reads it.
TEST(MethodSpec, ParametersAreTheFlagsOfTheirMethod) {
  size_t tried = 0;
  for (const MethodInfo& method : Methods()) {
    for (const MethodParameter& read : method.parameters) {
      const Parameter& parameter = *FindParameter(read.name);
      if (read.name == "measure") continue;
      std::string value = ParameterText(parameter, {});
      if (parameter.range.kind == ParameterRange::kChoice)
        value = parameter.range.choices.back();
      else if (parameter.range.kind == ParameterRange::kWhole)
        value = std::to_string(std::max<int64_t>(parameter.range.low, 2));
      else if (parameter.range.kind == ParameterRange::kShare)
        value = "0.25";
      if (value.empty()) continue;
      const std::string spec =
          fmt::format("{}@{}={}", method.name, read.name, value);
      SCOPED_TRACE(spec);
      if (FindFlag(*FindCommand("evaluate"), "--" + read.name) == nullptr) {
        EXPECT_FALSE(ParseMethodSpec(spec, Asked({})));
        continue;
      }
      const auto inside = ParseMethodSpec(spec, Asked({"--measure", "dice"}));
      ASSERT_TRUE(inside) << inside.error().ToString();
      EXPECT_EQ(inside->label, spec);
      EXPECT_EQ(
          Told(inside),
          Told(ParseMethodSpec(method.name, Asked({"--measure", "dice",
                                                   "--" + read.name, value}))));
      ++tried;
    }
  }
  EXPECT_GT(tried, 60u);
}

TEST(MethodSpec, WhatIsGivenBesideCountsForThoseThatReadIt) {
  const Request request = Asked({"--permutations", "64", "--distance", "7"});
  const auto simhash = ParseMethodSpec("simhash@bits=32", request),
             minhash = ParseMethodSpec("minhash@bands=8", request),
             preset = ParseMethodSpec("manku07@distance=5", request);
  ASSERT_TRUE(simhash && minhash && preset);
  EXPECT_EQ(simhash->method.distance, 7);
  EXPECT_EQ(simhash->method.bits, 32);
  EXPECT_EQ(minhash->method.permutations, 64);
  EXPECT_EQ(minhash->method.bands, 8);
  EXPECT_EQ(minhash->method.distance, MethodOptions().distance);
  EXPECT_EQ(preset->method.name, "simhash");
  EXPECT_EQ(preset->method.tables, "manku-20");
  EXPECT_EQ(preset->method.distance, 5);
}

TEST(MethodSpec, RefusalsNameTheSpecAndWhatToWrite) {
  const Request request = Asked({});
  for (const auto& [spec, said] :
       std::vector<std::pair<const char*, const char*>>{
           {"minhas",
            "no method or preset is called 'minhas' (did you mean "
            "'minhash'?)"},
           {"", "see 'twinset methods' and 'twinset presets'"},
           {"@distance=3", "no method or preset is called ''"},
           {"simhash@distanc=3",
            "'distanc' is no parameter of a method (did you mean "
            "'distance'?)"},
           {"simhash@", "'' is no parameter"},
           {"simhash@measure=dice", "'measure' is no parameter of a method"},
           {"simhash@distance", "'distance' needs a value (@distance=VALUE)"},
           {"simhash@distance=x", "'x' is not a whole number"},
           {"simhash@distance=", "distance"},
           {"i-match@lexicon-drop=30%", "30 % is 0.3"},
           {"minhash@bands=0", "'0' is not a whole number from 1 on"}}) {
    const auto refused = ParseMethodSpec(spec, request);
    ASSERT_FALSE(refused) << spec;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_THAT(refused.error().ToString(),
                HasSubstr(fmt::format("--methods: {}: ", spec)));
    EXPECT_THAT(refused.error().ToString(), HasSubstr(said));
    EXPECT_THAT(refused.error().ToString(), Not(HasSubstr("\n")));
  }
}

TEST(MethodSpec, ListsAddUpAndSomeMethodReadsWhatIsGiven) {
  const auto specs = ParseMethodSpecs(
      Asked({"--methods", "minhash, simhash@distance=2", "--methods",
             "complete", "--permutations", "64"}));
  ASSERT_TRUE(specs) << specs.error().ToString();
  ASSERT_EQ(specs->size(), 3u);
  EXPECT_EQ((*specs)[0].method.permutations, 64);
  EXPECT_EQ((*specs)[1].label, "simhash@distance=2");
  EXPECT_EQ((*specs)[2].method.name, "complete");
  const auto unread =
      ParseMethodSpecs(Asked({"--methods", "complete", "--distance", "3"}));
  ASSERT_FALSE(unread);
  EXPECT_THAT(unread.error().ToString(),
              HasSubstr("none of the methods reads --distance (it is read by "
                        "simhash"));
  // The seed is of the whole study.
  EXPECT_TRUE(
      ParseMethodSpecs(Asked({"--methods", "complete", "--seed", "3"})));
  EXPECT_FALSE(ParseMethodSpecs(Asked({})));
}

}  // namespace
}  // namespace twinset::cli
