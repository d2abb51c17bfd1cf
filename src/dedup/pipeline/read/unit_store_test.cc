// Stored units against the units of the text itself.
#include "pipeline/read/unit_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "base/utf8.h"

namespace twinset {
namespace {

constexpr ShingleKind::Unit kUnits[] = {
    ShingleKind::kParagraph, ShingleKind::kLine, ShingleKind::kSentence};

std::string RandomText(SplitMix64* random, size_t pieces) {
  constexpr const char* kPieces[] = {
      "rose ", "Gr\xC3\xBCn",       "\n", "\n\n",         ". ",     "! ",
      "\t",    "\xF0\x9F\x98\x80 ", "- ", "\xE6\xBC\xA2", "1,000 ", "  "};
  std::string text;
  for (size_t i = 0; i < pieces; ++i)
    text += kPieces[random->Below(std::size(kPieces))];
  return text;
}

uint64_t NaiveCodePoints(std::string_view text) {
  return static_cast<uint64_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return !IsContinuation(c); }));
}

struct Unit {
  StoredUnit stored;
  std::string normalised, excerpt;
};

// Every unit that is long enough, by ForEachUnit alone.
std::vector<Unit> NaiveUnits(const UnitRule& rule, const CleanText& clean) {
  std::vector<Unit> units;
  UnitScratch scratch;
  std::string text;
  uint32_t number = 0;
  ForEachUnit(clean.text, rule.unit, rule.tokens, &scratch, &text,
              [&](const TextUnit& unit) {
                const std::string_view whole(clean.text);
                Unit made;
                made.stored.number = number++;
                made.stored.begin =
                    NaiveCodePoints(whole.substr(0, unit.begin));
                made.stored.end = NaiveCodePoints(whole.substr(0, unit.end));
                made.stored.source_begin = SourceOffset(clean, unit.begin);
                made.stored.source_end = std::max<uint64_t>(
                    made.stored.source_begin, SourceOffset(clean, unit.end));
                made.stored.tokens = unit.tokens;
                made.normalised = unit.normalised;
                if (unit.tokens >= rule.min_tokens) units.push_back(made);
              });
  return units;
}

void ExpectStored(const UnitRule& rule, const CleanText& clean) {
  UnitScratch scratch;
  std::string bytes = "of the document before";
  const UnitCounts counts = EncodeUnits(rule, clean, &scratch, &bytes);
  const std::vector<Unit> wanted = NaiveUnits(rule, clean);
  auto units = StoredUnits::Open(bytes);
  ASSERT_TRUE(units);
  EXPECT_EQ(units->units(), counts.units);
  EXPECT_EQ(units->tokens(), counts.tokens);
  EXPECT_EQ(units->stored(), wanted.size());
  StoredUnit found;
  for (const Unit& unit : wanted) {
    const auto more = units->Next(&found);
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(found.number, unit.stored.number);
    EXPECT_EQ(found.begin, unit.stored.begin);
    EXPECT_EQ(found.end, unit.stored.end);
    EXPECT_EQ(found.source_begin, unit.stored.source_begin);
    EXPECT_EQ(found.source_end, unit.stored.source_end);
    EXPECT_EQ(found.tokens, unit.stored.tokens);
    EXPECT_EQ(found.normalised, unit.normalised);
    // The excerpt is how the unit begins, and no more than a line of it.
    EXPECT_LE(NaiveCodePoints(found.excerpt), kExcerptCodePoints);
    EXPECT_NE(clean.text.find(found.excerpt), std::string::npos);
    EXPECT_FALSE(found.excerpt.empty());
  }
  const auto more = units->Next(&found);
  ASSERT_TRUE(more);
  EXPECT_FALSE(*more);
}

TEST(UnitStore, HoldsTheUnitsThatAreLongEnough) {
  SplitMix64 random(1);
  for (int i = 0; i < 150; ++i) {
    CleanText clean;
    clean.text = RandomText(&random, random.Below(60));
    UnitRule rule;
    rule.unit = kUnits[random.Below(3)];
    rule.min_tokens = 1 + random.Below(4);
    SCOPED_TRACE(clean.text);
    ExpectStored(rule, clean);
  }
}

// Where the clean text is not the source, both places are kept.
TEST(UnitStore, KnowsWhereAUnitStandsInTheSource) {
  SplitMix64 random(2);
  for (int i = 0; i < 100; ++i) {
    CleanText clean;
    clean.text = RandomText(&random, 40);
    uint32_t source = 0;
    for (uint32_t at = 0; at < clean.text.size(); ++at) {
      if (!IsContinuation(clean.text[at]) && random.Below(6) == 0) {
        source += static_cast<uint32_t>(random.Below(9));
        clean.offsets.push_back({at, source});
      }
      ++source;
    }
    UnitRule rule;
    rule.unit = kUnits[random.Below(3)];
    ExpectStored(rule, clean);
  }
}

TEST(UnitStore, OneParagraphIsOneUnit) {
  CleanText clean;
  clean.text = "  A rose is a rose.";
  UnitScratch scratch;
  std::string bytes;
  EncodeUnits({}, clean, &scratch, &bytes);
  auto units = StoredUnits::Open(bytes);
  ASSERT_TRUE(units);
  StoredUnit unit;
  ASSERT_TRUE(*units->Next(&unit));
  EXPECT_EQ(unit.normalised, "a rose is a rose");
  EXPECT_EQ(unit.excerpt, "A rose is a rose.");
  EXPECT_EQ(unit.tokens, 5u);
  EXPECT_EQ(unit.end, 19u);
  EXPECT_FALSE(*units->Next(&unit));
}

TEST(UnitStore, TruncationsEndInAnError) {
  CleanText clean;
  clean.text = "One rose.\n\nTwo roses, \xC3\xBC.\n\nThree!";
  UnitScratch scratch;
  std::string bytes;
  EncodeUnits({}, clean, &scratch, &bytes);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string part = bytes.substr(0, size);
    auto units = StoredUnits::Open(part);
    EXPECT_EQ(units.has_value(), size >= 24) << size;
    if (!units) continue;
    uint64_t read = 0;
    StoredUnit unit;
    Result<bool> more = true;
    while ((more = units->Next(&unit)) && *more) ++read;
    // Only at the end of a unit it looks whole, and then it is too few.
    EXPECT_TRUE(!more || read < units->stored()) << size;
  }
}

TEST(UnitStore, AParagraphOfAPageIsALine) {
  UnitOptions options;
  const auto unit = [&](UnitKind kind, ContentKind content) {
    options.unit = kind;
    return UnitRuleOf(options, TokenRule::kUnicode, content).unit;
  };
  EXPECT_EQ(unit(UnitKind::kParagraph, ContentKind::kText),
            ShingleKind::kParagraph);
  EXPECT_EQ(unit(UnitKind::kParagraph, ContentKind::kHtml), ShingleKind::kLine);
  for (const auto content : {ContentKind::kText, ContentKind::kHtml}) {
    EXPECT_EQ(unit(UnitKind::kLine, content), ShingleKind::kLine);
    EXPECT_EQ(unit(UnitKind::kSentence, content), ShingleKind::kSentence);
  }
  const auto least = [&] {
    return UnitRuleOf(options, TokenRule::kUnicode, ContentKind::kText)
        .min_tokens;
  };
  EXPECT_EQ(least(), 5u);
  options.min_tokens = 1;
  EXPECT_EQ(least(), 1u);
}

}  // namespace
}  // namespace twinset
