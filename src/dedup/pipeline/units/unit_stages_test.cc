// Records beside a walk over all units, against a look into all of them.
#include "pipeline/units/unit_stages.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/hash.h"
#include "pipeline/run/test_run.h"

namespace twinset {
namespace {

constexpr uint64_t kDocuments = 12;
constexpr uint64_t kUnits = 6;

// Cuts at these places, each with a first place that is its own.
void WriteCuts(TestRun* run, const std::set<UnitPlace>& places) {
  std::vector<UnitCut> cuts;
  for (const UnitPlace& place : places)
    cuts.push_back({place, {place.document + 100, place.unit}});
  run->WriteRecords("cuts.run", cuts);
}

std::set<UnitPlace> RandomPlaces(SplitMix64* random, uint64_t most) {
  std::set<UnitPlace> places;
  for (uint64_t n = random->Below(most + 1); n > 0; --n)
    places.insert({random->Below(kDocuments), random->Below(kUnits)});
  return places;
}

bool AnyOf(const std::set<UnitPlace>& places, uint64_t document) {
  const auto at = places.lower_bound(UnitPlace{document, 0});
  return at != places.end() && at->document == document;
}

TEST(RecordsByPlaceTest, AreFoundByAWalkInOrder) {
  SplitMix64 random(1);
  TestRun run(0);
  for (const uint64_t most : {0, 1, 5, 20, 60, 200}) {
    const auto places = RandomPlaces(&random, most);
    WriteCuts(&run, places);
    auto cuts = CutsByPlace::Open(*run.get(), "cuts.run");
    ASSERT_TRUE(cuts);
    for (uint64_t document = 0; document < kDocuments + 2; ++document) {
      const auto has = cuts->Has(document);
      ASSERT_TRUE(has);
      EXPECT_EQ(*has, AnyOf(places, document));
      // Some units are not asked for: those that are too short to be stored.
      for (uint64_t unit = random.Below(2); unit < kUnits;
           unit += 1 + random.Below(2)) {
        const UnitPlace place = {document, unit};
        const auto found = cuts->Find(place);
        ASSERT_TRUE(found);
        ASSERT_EQ(*found != nullptr, places.contains(place));
        if (*found == nullptr) continue;
        EXPECT_EQ((*found)->place, place);
        EXPECT_EQ((*found)->first.document, document + 100);
      }
    }
  }
}

TEST(RecordsByPlaceTest, AreFoundFromAnyDocumentOn) {
  SplitMix64 random(2);
  TestRun run(0);
  for (int i = 0; i < 10; ++i) {
    const auto places = RandomPlaces(&random, 30);
    WriteCuts(&run, places);
    auto cuts = CutsByPlace::Open(*run.get(), "cuts.run");
    ASSERT_TRUE(cuts);
    for (int seek = 0; seek < 20; ++seek) {
      uint64_t document = random.Below(kDocuments + 1);
      ASSERT_TRUE(cuts->Seek(document));
      for (const uint64_t end = document + 2; document < end; ++document) {
        for (uint64_t unit = 0; unit < kUnits; ++unit) {
          const auto found = cuts->Find({document, unit});
          ASSERT_TRUE(found);
          EXPECT_EQ(*found != nullptr, places.contains({document, unit}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace twinset
