// Repeated units of random documents and what is cut of them, against a map of
// their texts.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "pipeline/run/test_run.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {
namespace {

using Documents = std::vector<std::vector<std::string>>;  // lines

// Lines from a small pool; some are so long that they are sorted in pieces, and
// differ in their last character only.
Documents RandomDocuments(SplitMix64* random, size_t documents, size_t lines) {
  std::vector<std::string> pool = {"a b", "\xC3\xA9t\xC3\xA9 sec", "x"};
  for (const size_t length : {86, 87, 88, 89, 175, 176, 177, 300}) {
    for (const char* end : {"y", "z"})
      pool.push_back(std::string(length - 1, 'w') + end);
  }
  for (int i = 0; i < 20; ++i) pool.push_back("line " + std::to_string(i));
  Documents made(documents);
  for (auto& document : made) {
    for (size_t i = random->Below(lines + 1); i > 0; --i)
      document.push_back(pool[random->Below(pool.size())]);
  }
  return made;
}

struct Naive {
  std::map<std::string, std::vector<UnitPlace>> places;
  uint64_t units = 0;
};

Naive NaiveUnits(const Documents& documents) {
  Naive naive;
  for (uint64_t d = 0; d < documents.size(); ++d) {
    for (uint64_t u = 0; u < documents[d].size(); ++u) {
      naive.places[documents[d][u]].push_back({d, u});
      ++naive.units;
    }
  }
  return naive;
}

void WriteUnits(const Documents& documents, TestRun* run) {
  UnitScratch scratch;
  std::vector<std::string> blobs;
  for (const auto& lines : documents) {
    CleanText clean;
    for (const std::string& line : lines) clean.text += line + "\n";
    EncodeUnits({ShingleKind::kLine, TokenRule::kUnicode, 1}, clean, &scratch,
                &blobs.emplace_back());
  }
  run->WriteBlobs(run->get()->features_file, blobs);
}

class UnitStageTest : public ::testing::Test {
 protected:
  std::unique_ptr<TestRun> Begin(const Documents& documents, UnitAction action,
                                 uint64_t memory = 64 << 20) {
    auto run = std::make_unique<TestRun>(
        documents.size(), [&](auto* options) { options->unit_action = action; },
        [&](Plan* plan) { plan->machine.memory_bytes = memory; });
    WriteUnits(documents, run.get());
    return run;
  }

  void Expect(const Documents& documents, UnitAction action,
              uint64_t memory = 64 << 20) {
    const auto run = Begin(documents, action, memory);
    ASSERT_TRUE(SuspectStage(run->get()));
    ASSERT_TRUE(UnitStage(run->get()));
    const Naive naive = NaiveUnits(documents);
    std::map<UnitPlace, UnitPlace> cuts;  // place -> first
    std::map<UnitPlace, std::pair<uint64_t, uint64_t>> repeated;
    uint64_t occurrences = 0;
    for (const auto& [text, places] : naive.places) {
      if (places.size() == 1) continue;
      occurrences += places.size();
      std::set<uint64_t> in;
      for (const UnitPlace& place : places) {
        in.insert(place.document);
        if (action == UnitAction::kList) continue;
        if (action == UnitAction::kKeepFirst && place == places[0]) continue;
        cuts[place] = places[0];
      }
      repeated[places[0]] = {places.size(), in.size()};
    }
    std::map<UnitPlace, UnitPlace> found;
    for (const UnitCut& cut : run->ReadRecords<UnitCut>("cuts.run"))
      EXPECT_TRUE(found.try_emplace(cut.place, cut.first).second);
    EXPECT_EQ(found, cuts);
    std::map<UnitPlace, std::pair<uint64_t, uint64_t>> listed;
    for (const auto& unit : run->ReadRecords<RepeatedUnit>("repeated.run"))
      EXPECT_TRUE(
          listed.try_emplace(unit.first, unit.count, unit.documents).second);
    EXPECT_EQ(listed, repeated);
    const RunCounts& counts = run->get()->counts;
    EXPECT_EQ(counts.suspect.considered, naive.units);
    EXPECT_EQ(counts.suspect.suspected, occurrences);
    EXPECT_EQ(counts.unit.repeated, repeated.size());
    EXPECT_EQ(counts.unit.occurrences, occurrences);
    EXPECT_EQ(counts.unit.cut, cuts.size());
    EXPECT_EQ(counts.unit.collisions, 0u);
  }
};

constexpr UnitAction kActions[] = {UnitAction::kKeepFirst, UnitAction::kList,
                                   UnitAction::kDropAll};

TEST_F(UnitStageTest, EqualsAMapOfAllTexts) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const Documents documents = RandomDocuments(&random, random.Below(25), 12);
    for (const UnitAction action : kActions) Expect(documents, action);
  }
}

TEST_F(UnitStageTest, WorksInLittleMemory) {
  SplitMix64 random(20);
  Expect(RandomDocuments(&random, 300, 40), UnitAction::kKeepFirst, 1 << 20);
}

TEST_F(UnitStageTest, EdgesOfACorpus) {
  constexpr UnitAction kAction = UnitAction::kKeepFirst;
  Expect({}, kAction);
  Expect({{}}, kAction);
  Expect({{}, {"x"}, {}, {"x"}, {}}, kAction);  // with empty ones between
  Expect({{"x", "x", "x"}}, kAction);           // within one document
  Expect({{"y", "x"}, {"x", "y"}, {"x"}}, kAction);
  Expect(Documents(50, {"same", "same too"}), UnitAction::kDropAll);
}

// Units without a partner do not get into the second pass.
TEST_F(UnitStageTest, OnlyRepeatedUnitsAreSuspected) {
  const auto run =
      Begin({{"a", "b"}, {"c"}, {"b", "d", "b"}}, UnitAction::kList);
  ASSERT_TRUE(SuspectStage(run->get()));
  std::map<UnitPlace, uint64_t> groups;
  for (const auto& unit : run->ReadRecords<SuspectedUnit>("suspects.run"))
    groups[unit.place] = unit.group;
  EXPECT_EQ(groups, (std::map<UnitPlace, uint64_t>{
                        {{0, 1}, 0}, {{2, 0}, 0}, {{2, 2}, 0}}));
}

// Texts that were taken for equal by their hash are told apart by their bytes.
TEST_F(UnitStageTest, SuspectsOfOneGroupAreComparedByTheirBytes) {
  const auto run =
      Begin({{"a", "b"}, {"b", "a"}, {"c", "a"}}, UnitAction::kKeepFirst);
  run->WriteRecords("suspects.run", std::vector<SuspectedUnit>{{{0, 0}, 7},
                                                               {{0, 1}, 7},
                                                               {{1, 0}, 7},
                                                               {{1, 1}, 7},
                                                               {{2, 0}, 7},
                                                               {{2, 1}, 7}});
  ASSERT_TRUE(UnitStage(run->get()));
  std::map<UnitPlace, UnitPlace> cuts;
  for (const UnitCut& cut : run->ReadRecords<UnitCut>("cuts.run"))
    cuts[cut.place] = cut.first;
  EXPECT_EQ(cuts, (std::map<UnitPlace, UnitPlace>{
                      {{1, 0}, {0, 1}}, {{1, 1}, {0, 0}}, {{2, 1}, {0, 0}}}));
}

// Windows of units, and the least number of places, window by window.
TEST_F(UnitStageTest, WindowsAreCutByTheirDefinition) {
  constexpr const char* kLines[] = {"a b", "x", "xx"};
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    Documents documents(20);
    for (size_t d = 0; d < documents.size(); ++d) {
      // In the first one equal windows overlap.
      for (uint64_t i = d == 0 ? 8 : random.Below(14); i > 0; --i)
        documents[d].push_back(kLines[random.Below(d == 0 ? 1 : 3)]);
    }
    const uint64_t length = 1 + seed % 4, copies = 2 + seed / 4 * 3;
    const UnitAction action = kActions[seed % 3];
    TestRun run(documents.size(), [&](auto* options) {
      options->unit_action = action;
      options->unit_window = length;
      options->min_copies = copies;
      options->min_tokens = length + 1;  // not all of them "x"
    });
    WriteUnits(documents, &run);
    ASSERT_TRUE(SuspectStage(run.get()));
    ASSERT_TRUE(UnitStage(run.get()));
    std::map<std::string, std::vector<UnitPlace>> windows;
    for (uint64_t d = 0; d < documents.size(); ++d) {
      for (uint64_t u = 0; u + length <= documents[d].size(); ++u) {
        std::string text;
        for (uint64_t i = u; i < u + length; ++i) text += documents[d][i] + "|";
        if (length == 1 || text.find('a') != text.npos)
          windows[text].push_back({d, u});
      }
    }
    std::set<UnitPlace> cut;
    std::map<UnitPlace, uint64_t> repeated;
    for (const auto& window : windows) {
      const auto& places = window.second;
      const auto overlap = [&](const UnitPlace& place) {
        return place.document == places[0].document &&
               place.unit < places[0].unit + length;
      };
      if (places.size() < copies || overlap(places.back())) continue;
      repeated[places[0]] = places.size();
      for (const UnitPlace& place : places) {
        if (action == UnitAction::kList) continue;
        if (action == UnitAction::kKeepFirst && overlap(place)) continue;
        for (uint64_t i = 0; i < length; ++i)
          cut.insert({place.document, place.unit + i});
      }
    }
    std::set<UnitPlace> found;
    for (const UnitCut& one : run.ReadRecords<UnitCut>("cuts.run")) {
      EXPECT_TRUE(found.insert(one.place).second);
      EXPECT_EQ(documents[one.place.document][one.place.unit],
                documents[one.first.document][one.first.unit]);
    }
    EXPECT_EQ(found, cut);
    std::map<UnitPlace, uint64_t> listed;
    for (const auto& unit : run.ReadRecords<RepeatedUnit>("repeated.run")) {
      listed[unit.first] = unit.count;
      EXPECT_EQ(unit.length, length);
    }
    EXPECT_EQ(listed, repeated);
    EXPECT_EQ(run.get()->counts.unit.cut, cut.size());
  }
}

TEST_F(UnitStageTest, DamagedUnitsAreAnError) {
  const auto run = Begin({{"a"}}, UnitAction::kList);
  std::string bytes = run->ReadBlobs(run->get()->features_file)[0];
  run->WriteBlobs(run->get()->features_file,
                  {bytes.substr(0, bytes.size() - 1)});
  const Status cut = SuspectStage(run->get());
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(cut.error().message, "a stored unit is damaged");
  run->WriteBlobs(run->get()->features_file, {"short"});
  const Status headless = SuspectStage(run->get());
  ASSERT_FALSE(headless);
  EXPECT_EQ(headless.error().message, "stored units have no header");
}

// Records beside a walk over all places, against a map.
TEST_F(UnitStageTest, RecordsAreFoundByPlaceAndByDocument) {
  SplitMix64 random(5);
  TestRun run(6);
  for (int round = 0; round < 20; ++round) {
    std::set<UnitPlace> places;
    for (uint64_t i = random.Below(20); i > 0; --i)
      places.insert({random.Below(6), random.Below(5)});
    std::vector<UnitCut> records;
    for (const UnitPlace& place : places)
      records.push_back({place, {place.document, 99}});
    run.WriteRecords("cuts.run", records);
    auto cuts = CutsByPlace::Open(*run.get(), "cuts.run");
    ASSERT_TRUE(cuts);
    uint64_t begin = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (uint64_t document = begin; document < 7; ++document) {
        const auto first = places.lower_bound({document, 0});
        EXPECT_EQ(*cuts->Has(document),
                  first != places.end() && first->document == document);
        for (uint64_t unit = 0; unit < 5; ++unit) {
          const UnitCut* cut = *cuts->Find({document, unit});
          ASSERT_EQ(cut != nullptr, places.contains({document, unit}));
          EXPECT_TRUE(cut == nullptr || cut->first.unit == 99u);
        }
      }
      begin = random.Below(7);
      ASSERT_TRUE(cuts->Seek(begin));
    }
  }
}

}  // namespace
}  // namespace twinset
