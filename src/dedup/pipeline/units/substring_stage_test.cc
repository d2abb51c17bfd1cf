// Repeated passages and their cuts, against a map of all windows.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "base/hash.h"
#include "pipeline/read/token_store.h"
#include "pipeline/run/test_run.h"
#include "pipeline/units/substring_check.h"
#include "pipeline/units/unit_stages.h"

namespace twinset {
namespace {

using Tokens = std::vector<std::string>;
using Documents = std::vector<Tokens>;

// The definition, window by window.
struct Naive {
  std::set<UnitPlace> cut;  // tokens
  // First token to its number of tokens, places and documents.
  std::map<UnitPlace, std::array<uint64_t, 3>> passages;

  Naive(const Documents& documents, uint64_t n, UnitAction action,
        uint64_t copies) {
    std::map<Tokens, std::vector<UnitPlace>> places;
    for (uint64_t d = 0; d < documents.size(); ++d) {
      for (uint64_t i = 0; i + n <= documents[d].size(); ++i) {
        const auto begin = documents[d].begin() + static_cast<long>(i);
        places[Tokens(begin, begin + static_cast<long>(n))].push_back({d, i});
      }
    }
    const auto overlap = [&](const UnitPlace& a, const UnitPlace& b) {
      return a.document == b.document && b.unit - a.unit < n;
    };
    std::map<UnitPlace, std::vector<UnitPlace>> repeated;
    for (const auto& [window, at] : places) {
      if (at.size() < copies || overlap(at.front(), at.back())) continue;
      repeated[at.front()] = at;
      for (const UnitPlace& place : at) {
        if (action == UnitAction::kList) continue;
        if (action == UnitAction::kKeepFirst && overlap(at.front(), place))
          continue;
        for (uint64_t i = 0; i < n; ++i)
          cut.insert({place.document, place.unit + i});
      }
    }
    for (auto it = repeated.begin(); it != repeated.end(); ++it) {
      const auto previous =
          repeated.find({it->first.document, it->first.unit - 1});
      if (it->first.unit > 0 && previous != repeated.end() &&
          Shifted(previous->second, 1) == it->second)
        continue;
      uint64_t windows = 1;
      for (;; ++windows) {
        const auto next =
            repeated.find({it->first.document, it->first.unit + windows});
        if (next == repeated.end() ||
            next->second != Shifted(it->second, windows))
          break;
      }
      std::set<uint64_t> in;
      for (const UnitPlace& place : it->second) in.insert(place.document);
      passages[it->first] = {windows + n - 1, it->second.size(), in.size()};
    }
  }

  static std::vector<UnitPlace> Shifted(std::vector<UnitPlace> places,
                                        uint64_t by) {
    for (UnitPlace& place : places) place.unit += by;
    return places;
  }
};

class SubstringStageTest : public ::testing::Test {
 protected:
  std::unique_ptr<TestRun> Begin(const Documents& documents, uint64_t n,
                                 UnitAction action, uint64_t memory,
                                 uint64_t copies = 2) {
    auto run = std::make_unique<TestRun>(
        documents.size(),
        [&](auto* options) {
          options->unit = UnitKind::kSubstring;
          options->unit_action = action;
          options->min_tokens = n;
          options->min_copies = copies;
        },
        [&](Plan* plan) { plan->machine.memory_bytes = memory; });
    UnitScratch scratch;
    std::vector<std::string> blobs;
    for (const Tokens& tokens : documents) {
      CleanText clean;
      for (const std::string& token : tokens) clean.text += token + " ";
      EncodeTokens(TokenRule::kUnicode, clean, &scratch, &blobs.emplace_back());
    }
    run->WriteBlobs(run->get()->features_file, blobs);
    return run;
  }

  void Expect(const Documents& documents, uint64_t n, UnitAction action,
              uint64_t memory = 8 << 20, uint64_t copies = 2) {
    const auto run = Begin(documents, n, action, memory, copies);
    ASSERT_TRUE(SuspectStage(run->get()));
    ASSERT_TRUE(UnitStage(run->get()));
    const Naive naive(documents, n, action, copies);
    std::set<UnitPlace> cut;
    uint64_t cuts = 0;
    for (const UnitCut& found : run->ReadRecords<UnitCut>("cuts.run")) {
      ++cuts;
      ASSERT_GT(found.length, 0u);
      for (uint64_t i = 0; i < found.length; ++i) {
        // No token is cut twice, and each stands at the first place, too.
        ASSERT_TRUE(
            cut.insert({found.place.document, found.place.unit + i}).second);
        ASSERT_EQ(documents.at(found.place.document).at(found.place.unit + i),
                  documents.at(found.first.document).at(found.first.unit + i));
      }
      if (action == UnitAction::kKeepFirst) {
        ASSERT_LT(found.first, found.place);
      }
    }
    ASSERT_EQ(cut, naive.cut);
    std::map<UnitPlace, std::array<uint64_t, 3>> passages;
    uint64_t occurrences = 0;
    for (const auto& unit : run->ReadRecords<RepeatedUnit>("repeated.run")) {
      passages[unit.first] = {unit.length, unit.count, unit.documents};
      occurrences += unit.count;
    }
    ASSERT_EQ(passages, naive.passages);
    uint64_t windows = 0;
    for (const Tokens& tokens : documents)
      windows += tokens.size() - std::min(tokens.size(), n - 1);
    const RunCounts& counts = run->get()->counts;
    EXPECT_EQ(counts.suspect.considered, windows);
    EXPECT_EQ(counts.unit.repeated, passages.size());
    EXPECT_EQ(counts.unit.occurrences, occurrences);
    EXPECT_EQ(counts.unit.cut, cuts);
    EXPECT_EQ(counts.unit.collisions, 0u);
  }
};

constexpr UnitAction kActions[] = {UnitAction::kKeepFirst, UnitAction::kList,
                                   UnitAction::kDropAll};

bool IsLong() { return std::getenv("TWINSET_LONG") != nullptr; }

Documents RandomDocuments(SplitMix64* random, uint64_t documents,
                          uint64_t tokens, uint64_t distinct) {
  Documents made(random->Below(documents + 1));
  for (Tokens& document : made) {
    for (uint64_t i = random->Below(tokens + 1); i > 0; --i)
      document.push_back(std::to_string(random->Below(distinct)));
  }
  return made;
}

// Appends a corpus whose tokens no other one of `all` has, so that one run does
// for many.
void AppendApart(const Documents& corpus, Documents* all) {
  const std::string mark = "x" + std::to_string(all->size()) + "x";
  for (const Tokens& document : corpus) {
    all->emplace_back();
    for (const std::string& token : document)
      all->back().push_back(mark + token);
  }
}

// All corpora of so many characters, each a token or the end of a document.
TEST_F(SubstringStageTest, EqualsTheDefinitionForAllSmallCorpora) {
  const int characters = IsLong() ? 10 : 7;
  int corpora = 1;
  for (int i = 0; i < characters; ++i) corpora *= 3;
  Documents all;
  for (int corpus = 0; corpus < corpora; ++corpus) {
    Documents documents(1);
    for (int i = 0, rest = corpus; i < characters; ++i, rest /= 3) {
      if (rest % 3 == 2) {
        documents.emplace_back();
      } else {
        documents.back().push_back(rest % 3 == 0 ? "a" : "b");
      }
    }
    AppendApart(documents, &all);
  }
  for (const UnitAction action : kActions) {
    for (const uint64_t n : {1, 2, 3}) {
      if (n > 1 || action == UnitAction::kKeepFirst) Expect(all, n, action);
    }
  }
}

TEST_F(SubstringStageTest, EqualsTheDefinitionForRandomCorpora) {
  for (uint64_t n = 1; n <= 9; ++n) {
    Documents all;
    for (uint64_t seed = 1; seed <= (IsLong() ? 3000 : 60); ++seed) {
      SplitMix64 random(seed);
      AppendApart(RandomDocuments(&random, 1 + random.Below(8),
                                  10 + random.Below(60), 1 + random.Below(3)),
                  &all);
    }
    Expect(all, n, kActions[n % 3]);
    if (n == 4) Expect(all, n, UnitAction::kKeepFirst, 8 << 20, 5);
  }
}

// Passages of many lengths are pasted into texts of rare tokens.
Documents Pasted(SplitMix64* random, int documents) {
  Documents made;
  Documents pool = RandomDocuments(random, 60, 400, 100'000);
  pool.push_back(Tokens(150, "same"));
  for (int d = 0; d < documents; ++d) {
    Tokens& tokens = made.emplace_back();
    for (uint64_t parts = random->Below(5); parts > 0; --parts) {
      for (uint64_t i = random->Below(80); i > 0; --i)
        tokens.push_back(std::to_string(random->Below(1'000'000)));
      const Tokens& from = pool[random->Below(pool.size())];
      const size_t begin = random->Below(from.size() + 1);
      const size_t size = random->Below(from.size() - begin + 1);
      tokens.insert(tokens.end(), from.begin() + static_cast<long>(begin),
                    from.begin() + static_cast<long>(begin + size));
    }
  }
  return made;
}

TEST_F(SubstringStageTest, LongPassagesInAnyBudget) {
  for (const uint64_t memory : {1 << 20, 64 << 20}) {
    SplitMix64 random(5);
    const Documents documents = Pasted(&random, 70);
    Expect(documents, 50, UnitAction::kDropAll, memory);
    Expect(documents, 50, UnitAction::kKeepFirst, memory);
    Expect(documents, 7, UnitAction::kKeepFirst, memory);
  }
}

TEST_F(SubstringStageTest, EdgesOfACorpus) {
  const Tokens same(100, "a");
  Expect({}, 3, UnitAction::kKeepFirst);
  Documents all;
  AppendApart({{}, {"a"}, {}}, &all);
  AppendApart({{"a", "b", "c"}, {}, {"a", "b", "c"}}, &all);
  AppendApart({{"a", "b"}, {"a", "b"}, {}}, &all);
  Expect(all, 3, UnitAction::kDropAll);
  all.clear();
  AppendApart({same}, &all);
  AppendApart({same, same, same}, &all);
  for (const UnitAction action : kActions) Expect(all, 50, action);
  Expect(all, 51, UnitAction::kDropAll);  // windows of one document overlap
}

// A passage that was cut stays where it stands first.
TEST_F(SubstringStageTest, KeepFirstKeepsACopyOfEveryCutToken) {
  SplitMix64 random(6);
  for (int round = 0; round < 4; ++round) {
    const Documents documents = RandomDocuments(&random, 30, 60, 3);
    const auto run = Begin(documents, 4, UnitAction::kKeepFirst, 8 << 20);
    ASSERT_TRUE(SuspectStage(run->get()));
    ASSERT_TRUE(UnitStage(run->get()));
    std::map<UnitPlace, UnitPlace> earlier;
    for (const UnitCut& cut : run->ReadRecords<UnitCut>("cuts.run")) {
      for (uint64_t i = 0; i < cut.length; ++i) {
        const UnitPlace from = {cut.first.document, cut.first.unit + i};
        const UnitPlace place = {cut.place.document, cut.place.unit + i};
        ASSERT_LT(from, place);
        earlier[place] = from;
      }
    }
    for (auto [place, from] : earlier) {
      while (earlier.contains(from)) from = earlier[from];
      EXPECT_EQ(documents[place.document][place.unit],
                documents[from.document][from.unit]);
    }
  }
}

TEST_F(SubstringStageTest, WhatIsNotTheSameTextIsNotTakenForIt) {
  const Tokens tokens = {"one", std::string(300, 'x'), "two", "three"};
  const std::string text = "one " + tokens[1] + " two three ";
  const auto run = Begin({tokens, tokens}, 2, UnitAction::kList, 8 << 20);
  ASSERT_TRUE(SuspectStage(run->get()));
  const auto equal = [&](const std::string& other, uint64_t first) {
    SubstringCheck check(run->get());
    EXPECT_TRUE(check.Add(0, 5, text));
    EXPECT_TRUE(check.Add(first, 5, other));
    const auto are = check.AreEqual();
    EXPECT_TRUE(are);
    return *are;
  };
  EXPECT_TRUE(equal("two three ", 2));
  EXPECT_TRUE(equal("one ", 5));
  EXPECT_FALSE(equal("two thred ", 2));
  EXPECT_FALSE(equal("two three four ", 2));
  EXPECT_FALSE(equal("two three ", 3));
  for (size_t at = 0; at < text.size(); at += 13) {
    std::string other = text;
    ++other[at];
    EXPECT_FALSE(equal(other, 0)) << at;
  }
}

TEST_F(SubstringStageTest, DamagedTokensAreAnError) {
  const auto run = Begin({{"a"}}, 1, UnitAction::kList, 8 << 20);
  run->WriteBlobs(run->get()->features_file, {"short"});
  const Status cut = SuspectStage(run->get());
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace twinset
