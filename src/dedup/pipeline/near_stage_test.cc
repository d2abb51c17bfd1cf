// Similar units and their cuts, against a comparison of every two units.
#include "pipeline/near_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/hash.h"
#include "pipeline/run/test_run.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {
namespace {

using Documents = std::vector<std::vector<std::string>>;  // lines
constexpr double kThreshold = 0.6;

// Lines of one of some kinds, each with a few words changed.
Documents RandomDocuments(SplitMix64* random, size_t documents) {
  Documents made(documents);
  for (auto& document : made) {
    for (uint64_t lines = random->Below(8); lines > 0; --lines) {
      SplitMix64 kind(random->Below(20));
      std::string line;
      for (uint64_t words = 6 + kind.Below(20); words > 0; --words) {
        const uint64_t word = kind.Below(200);
        if (random->Below(12) != 0) line += "w" + std::to_string(word) + " ";
        if (random->Below(25) == 0)
          line += "v" + std::to_string(random->Below(9)) + " ";
      }
      document.push_back(line + "end of line here now");
    }
  }
  return made;
}

// word:2, by definition.
using Shingles = std::set<std::pair<std::string, std::string>>;

Shingles ShinglesOf(const std::string& line) {
  std::istringstream in(line);
  std::string last, word;
  Shingles shingles;
  in >> last;
  for (; in >> word; last = word) shingles.emplace(last, word);
  return shingles;
}

double Jaccard(const Shingles& a, const Shingles& b) {
  size_t shared = 0;
  for (const auto& shingle : a) shared += b.contains(shingle);
  return static_cast<double>(shared) /
         static_cast<double>(a.size() + b.size() - shared);
}

struct Known {
  UnitPlace first;
  double similarity = 1;
  friend bool operator==(const Known&, const Known&) = default;
};

// A unit stays unless it is similar to one that stays before it; else it goes
// for the most similar of those, the first of them if several are.
std::map<UnitPlace, Known> Naive(const Documents& documents) {
  std::vector<std::pair<UnitPlace, Shingles>> kept;
  std::map<UnitPlace, Known> gone;
  for (uint64_t d = 0; d < documents.size(); ++d) {
    for (uint64_t u = 0; u < documents[d].size(); ++u) {
      Known best{{}, 0};
      const Shingles own = ShinglesOf(documents[d][u]);
      for (const auto& [place, other] : kept) {
        const double similarity = Jaccard(other, own);
        if (similarity >= kThreshold && similarity > best.similarity)
          best = {place, similarity};
      }
      if (best.similarity > 0) {
        gone[{d, u}] = best;
      } else {
        kept.push_back({{d, u}, own});
      }
    }
  }
  return gone;
}

std::unique_ptr<TestRun> RunOver(const Documents& documents, UnitAction action,
                                 uint64_t copies = 2,
                                 TokenRule tokens = TokenRule::kUnicode) {
  auto run = std::make_unique<TestRun>(documents.size(), [&](auto* options) {
    options->unit = UnitKind::kLine;
    options->unit_action = action;
    options->near_units = true;
    options->min_copies = copies;
    options->method.threshold = kThreshold;
    options->features.shingle = "word:2";
  });
  UnitScratch scratch;
  std::vector<std::string> blobs;
  for (const auto& lines : documents) {
    CleanText clean;
    for (const std::string& line : lines) clean.text += line + "\n";
    EncodeUnits({ShingleKind::kLine, tokens, 1}, clean, &scratch,
                &blobs.emplace_back());
  }
  run->WriteBlobs(run->get()->features_file, blobs);
  EXPECT_TRUE(SuspectStage(run->get()));
  const Status done = NearStage(run->get());
  EXPECT_TRUE(done) << done.error().ToString();
  EXPECT_TRUE(run->get()->warnings.empty());  // every unit was compared
  return run;
}

TEST(NearStageTest, EqualsTheComparisonOfEveryTwoUnits) {
  for (const uint64_t seed : {1, 2}) {
    SplitMix64 random(seed);
    const Documents documents = RandomDocuments(&random, 60);
    std::map<UnitPlace, Known> cuts = Naive(documents);
    EXPECT_GT(cuts.size(), 80u);
    const auto run = RunOver(documents, UnitAction::kKeepFirst);
    std::map<UnitPlace, Known> found;
    for (const UnitCut& cut : run->ReadRecords<UnitCut>("cuts.run"))
      found[cut.place] = {cut.first, cut.similarity};
    EXPECT_EQ(found, cuts);
    // The rows of repeated units tell of the same.
    std::map<UnitPlace, std::array<double, 3>> repeated;  // places, documents,
    std::map<UnitPlace, std::set<uint64_t>> in;           // least similarity
    for (const auto& [place, known] : cuts) {
      auto& [count, of, least] =
          repeated.try_emplace(known.first, std::array{1.0, 0.0, 1.0})
              .first->second;
      ++count;
      least = std::min(least, known.similarity);
      in[known.first].insert({known.first.document, place.document});
      of = static_cast<double>(in[known.first].size());
    }
    std::map<UnitPlace, std::array<double, 3>> listed;
    for (const auto& unit : run->ReadRecords<RepeatedUnit>("repeated.run")) {
      listed[unit.first] = {static_cast<double>(unit.count),
                            static_cast<double>(unit.documents),
                            unit.similarity};
    }
    EXPECT_EQ(listed, repeated);
    EXPECT_EQ(run->get()->counts.unit.cut, cuts.size());
    EXPECT_EQ(run->get()->counts.unit.repeated, repeated.size());
    EXPECT_EQ(run->get()->counts.unit.occurrences,
              cuts.size() + repeated.size());
  }
}

TEST(NearStageTest, ActionsAndTheLeastNumberOfCopies) {
  SplitMix64 random(4);
  const Documents documents = RandomDocuments(&random, 40);
  std::map<UnitPlace, std::set<UnitPlace>> clusters;
  for (const auto& [place, known] : Naive(documents))
    clusters[known.first].insert({known.first, place});
  for (const uint64_t copies : {2, 4}) {
    std::set<UnitPlace> all;
    uint64_t repeated = 0;
    for (const auto& [first, places] : clusters) {
      if (places.size() < copies) continue;
      all.insert(places.begin(), places.end());
      ++repeated;
    }
    EXPECT_LT(all.size(), 1000u);
    const auto dropped = RunOver(documents, UnitAction::kDropAll, copies);
    std::set<UnitPlace> found;
    for (const UnitCut& cut : dropped->ReadRecords<UnitCut>("cuts.run"))
      found.insert(cut.place);
    EXPECT_EQ(found, all) << copies;
    const auto list = RunOver(documents, UnitAction::kList, copies);
    EXPECT_TRUE(list->ReadRecords<UnitCut>("cuts.run").empty());
    EXPECT_EQ(list->ReadRecords<RepeatedUnit>("repeated.run").size(), repeated);
  }
}

TEST(NearStageTest, EdgesOfACorpus) {
  for (const Documents& documents :
       std::vector<Documents>{{}, {{}}, {{}, {"one line of five words"}, {}}}) {
    const auto run = RunOver(documents, UnitAction::kKeepFirst);
    EXPECT_TRUE(run->ReadRecords<UnitCut>("cuts.run").empty());
  }
  const auto run = RunOver({{}, {"a b c d e", "a b c d e"}, {"a b c d e"}},
                           UnitAction::kKeepFirst);
  EXPECT_EQ(run->ReadRecords<UnitCut>("cuts.run").size(), 2u);
}

TEST(NearStageTest, TokensAreThoseOfTheUnitsAndUnitsAsLongAsTheyAre) {
  const Documents signs = {{"a+ b+ c+ d+"}, {"a- b- c- d-"}, {"a+ b+ c+ d+"}};
  const auto by_spaces =
      RunOver(signs, UnitAction::kKeepFirst, 2, TokenRule::kWhitespace);
  const auto cuts = by_spaces->ReadRecords<UnitCut>("cuts.run");
  ASSERT_EQ(cuts.size(), 1u);
  EXPECT_EQ(cuts[0].place, (UnitPlace{2, 0}));
  // Longer than a document may be.
  const std::string line = std::string(9 << 20, 'x') + " a b c";
  EXPECT_EQ(RunOver({{line}, {line}}, UnitAction::kKeepFirst)
                ->ReadRecords<UnitCut>("cuts.run")
                .size(),
            1u);
}

}  // namespace
}  // namespace twinset
