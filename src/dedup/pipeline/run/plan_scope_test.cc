#include "pipeline/run/plan_scope.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace twinset {
namespace {

using Change = std::function<void(PlanOptions*)>;

Result<PlanScope> Make(const Change& change) {
  PlanOptions options;
  change(&options);
  return MakeScope(options);
}

void ExpectRefused(const std::string& words, const Change& change) {
  const auto scope = Make(change);
  ASSERT_FALSE(scope) << words;
  EXPECT_EQ(scope.error().code, ErrorCode::kUsage);
  EXPECT_NE(scope.error().ToString().find(words), std::string::npos)
      << scope.error().ToString();
}

TEST(PlanScope, OfPlainOptionsEverythingMayBeCompared) {
  const auto scope = Make([](auto*) {});
  ASSERT_TRUE(scope);
  EXPECT_TRUE(scope->fields.empty());
  EXPECT_TRUE(scope->languages.empty());
  EXPECT_FALSE(scope->needs_language());
  EXPECT_TRUE(scope->joins_equals());
  EXPECT_EQ(scope->window_seconds, 0);
  EXPECT_EQ(scope->hot_limit, 0u);
}

TEST(PlanScope, WindowsAreSeconds) {
  const std::pair<char, int64_t> units[] = {
      {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
  for (const auto& [unit, seconds] : units) {
    for (const int64_t number : {1, 30, 999'999'999}) {
      const auto scope = Make([&, unit = unit](auto* o) {
        o->window = "date:" + std::to_string(number) + unit;
      });
      ASSERT_TRUE(scope);
      EXPECT_EQ(scope->window_seconds, number * seconds);
      EXPECT_FALSE(scope->joins_equals());
    }
  }
  for (const char* bad :
       {"30d", "date:", "date:d", "date:0d", "date:-1d", "date:30", "date:30y",
        "date:3 d", "date:1.5d", "date:1000000000s", "time:30d"})
    ExpectRefused("--window does not understand '" + std::string(bad),
                  [&](auto* o) { o->window = bad; });
}

// Fields are read in the order in which they are asked for: by the priority, by
// --within, --across and --site, and by --stats-by.
TEST(PlanScope, AsksForTheFieldsThatItNeeds) {
  const auto scope = Make([](auto* o) {
    o->keep = {"max:score", "longest"};
    o->within = "field:host";
    o->across = "crawl";
    o->features.site = "department";
    o->stats_by = {"year", "crawl", "host", "field:host", "year"};
  });
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->fields, (std::vector<std::string>{"score", "host", "crawl",
                                                     "department", "year"}));
  EXPECT_EQ(scope->field_places, (std::vector<size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(scope->within.kind, ScopeField::kField);
  EXPECT_EQ(scope->within.field, 1u);
  EXPECT_EQ(scope->across.field, 2u);
  EXPECT_EQ(scope->site.field, 3u);
  ASSERT_EQ(scope->stats_by.size(), 4u);  // "year" is counted once
  EXPECT_EQ(scope->stats_by[0].field, 4u);
  EXPECT_EQ(scope->stats_by[1].field, 2u);                // read once
  EXPECT_EQ(scope->stats_by[2].kind, ScopeField::kHost);  // of the address
  EXPECT_EQ(scope->stats_by[3].field, 1u);                // of the row
}

TEST(PlanScope, KnowsTheScopesThatAreNoFields) {
  for (const auto& [name, kind] : {std::pair{"", ScopeField::kNone},
                                   {"source", ScopeField::kSource},
                                   {"host", ScopeField::kHost},
                                   {"url", ScopeField::kUrl},
                                   {"language", ScopeField::kLanguage}}) {
    for (const bool is_across : {false, true}) {
      const auto scope = Make([&, name = name](auto* o) {
        (is_across ? o->across : o->within) = name;
      });
      ASSERT_TRUE(scope);
      EXPECT_EQ((is_across ? scope->across : scope->within).kind, kind);
      EXPECT_TRUE(scope->fields.empty());
      EXPECT_EQ(scope->needs_language(), kind == ScopeField::kLanguage);
      EXPECT_EQ(scope->joins_equals(), !is_across || kind == ScopeField::kNone);
    }
  }
}

TEST(PlanScope, LanguagesAreNeededWhereSomethingAsksForThem) {
  EXPECT_TRUE(Make([](auto* o) {
                o->input.languages = {"de", "pt-BR"};
              })->needs_language());
  EXPECT_TRUE(
      Make([](auto* o) { o->features.site = "language"; })->needs_language());
  ExpectRefused("identified as language 'd e'",
                [](auto* o) { o->input.languages = {"d e"}; });
  ExpectRefused("--stats-by does not count by the identified language",
                [](auto* o) { o->stats_by = {"language"}; });
  EXPECT_TRUE(Make([](auto* o) { o->stats_by = {"field:language"}; }));
}

TEST(PlanScope, WhatContradictsItselfIsRefused) {
  ExpectRefused("--stats-by names no field",
                [](auto* o) { o->stats_by = {""}; });
  ExpectRefused("--site says where --template drop counts blocks", [](auto* o) {
    o->features.site = "host";
    o->features.template_blocks = TemplateRule::kKeep;
  });
  ExpectRefused("--keep does not know 'best'",
                [](auto* o) { o->keep = {"best"}; });
}

}  // namespace
}  // namespace twinset
