#include "sketch/learnt/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "sketch/learnt/lexicon_builder.h"
#include "store/file_header.h"
#include "store/test_util.h"

namespace twinset {
namespace {

uint64_t HashOf(const std::string& term) { return Hash64(term, 77); }

using Documents = std::vector<std::set<std::string>>;

// Documents of words from a skewed vocabulary of `words`.
Documents SomeDocuments(size_t count, uint64_t words, uint64_t seed) {
  SplitMix64 random(seed);
  Documents documents(count);
  for (auto& document : documents) {
    const uint64_t size = random.Below(80);
    for (uint64_t i = 0; i < size; ++i)
      document.insert("w" +
                      std::to_string(random.Below(1 + random.Below(words))));
  }
  return documents;
}

Result<Lexicon> Build(const Documents& documents, const LexiconRules& rules,
                      uint64_t memory = 4 << 20, bool texts = true) {
  TestDir dir;
  MemoryBudget budget(64 << 20);
  LexiconBuilderOptions options;
  options.rules = rules;
  options.tokens = "unicode";
  options.directory = dir.path();
  options.memory_bytes = memory;
  TWINSET_ASSIGN(auto created, LexiconBuilder::Create(options, &budget));
  auto builder = std::make_unique<LexiconBuilder>(std::move(created));
  for (const auto& document : documents) {
    std::vector<uint64_t> hashes;
    for (const std::string& term : document) {
      hashes.push_back(HashOf(term));
      if (texts) TWINSET_TRY(builder->AddTerm(hashes.back(), term));
    }
    std::sort(hashes.begin(), hashes.end());
    TWINSET_TRY(builder->AddDocument(hashes));
  }
  Result<Lexicon> lexicon = builder->Finish();
  builder.reset();
  EXPECT_EQ(dir.FileCount(), 0u) << "files are left behind";
  return lexicon;
}

// The definition: count, rank, cut.
Lexicon Reference(const Documents& documents, const LexiconRules& rules) {
  std::map<std::string, uint32_t> df;
  for (const auto& document : documents) {
    for (const std::string& term : document) ++df[term];
  }
  Lexicon lexicon;
  lexicon.rules = rules;
  lexicon.tokens = "unicode";
  lexicon.documents = documents.size();
  lexicon.counted = df.size();
  std::vector<LexiconTerm> ranked;
  for (const auto& [term, frequency] : df) {
    if (frequency >= rules.min_df)
      ranked.push_back({HashOf(term), frequency, term});
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& x, const auto& y) {
    return std::pair(~x.frequency, x.hash) < std::pair(~y.frequency, y.hash);
  });
  lexicon.ranked = ranked.size();
  if (ranked.empty()) return lexicon;
  const double low = lexicon.Idf(ranked.front()),
               range = lexicon.Idf(ranked.back()) - low;
  const double from = low + std::floor(range * rules.drop_common);
  const double to = low + range - std::floor(range * rules.drop_rare);
  for (const LexiconTerm& term : ranked) {
    const double idf = lexicon.Idf(term);
    lexicon.first_rank += idf < from;
    if (idf >= from && idf <= to) lexicon.terms.push_back(term);
  }
  return lexicon;
}

TEST(LexiconBuilder, EqualsTheDefinitionAtAnyMemory) {
  const Documents documents = SomeDocuments(3000, 20000, 1);
  for (const LexiconRules& rules :
       {LexiconRules{}, LexiconRules{1, 0, 0}, LexiconRules{5, 0.1, 0.5}}) {
    const Lexicon expected = Reference(documents, rules);
    for (const uint64_t memory : {0, 4 << 20}) {
      const Result<Lexicon> lexicon = Build(documents, rules, memory);
      ASSERT_TRUE(lexicon.has_value()) << lexicon.error().ToString();
      EXPECT_TRUE(*lexicon == expected);
    }
  }
}

// Several lexica of one corpus are those that are built one by one.
TEST(LexiconBuilder, ManyAtOnceAreEachByItself) {
  const Documents documents = SomeDocuments(1000, 5000, 3);
  const std::vector<LexiconRules> rules = {
      {}, {2, 0, 0}, {2, 0.45, 0.45}, {2, 0.1, 0.6}};
  TestDir dir;
  MemoryBudget budget(64 << 20);
  LexiconBuilderOptions options;
  options.tokens = "unicode";
  options.directory = dir.path();
  auto builder = *LexiconBuilder::Create(options, &budget);
  for (const auto& document : documents) {
    std::vector<uint64_t> hashes;
    for (const std::string& term : document) {
      hashes.push_back(HashOf(term));
      ASSERT_TRUE(builder.AddTerm(hashes.back(), term).has_value());
    }
    std::sort(hashes.begin(), hashes.end());
    ASSERT_TRUE(builder.AddDocument(hashes).has_value());
  }
  const auto lexica = builder.FinishAll(rules);
  ASSERT_TRUE(lexica.has_value());
  ASSERT_EQ(lexica->size(), rules.size());
  for (size_t i = 0; i < rules.size(); ++i)
    EXPECT_TRUE((*lexica)[i] == Reference(documents, rules[i])) << i;
}

TEST(LexiconBuilder, WorksWithoutTexts) {
  const Documents documents = SomeDocuments(300, 2000, 2);
  Lexicon expected = Reference(documents, {});
  for (LexiconTerm& term : expected.terms) term.text.clear();
  const Result<Lexicon> lexicon = Build(documents, {}, 1 << 20, false);
  ASSERT_TRUE(lexicon.has_value());
  EXPECT_TRUE(*lexicon == expected);
}

TEST(LexiconBuilder, NothingAndLittle) {
  const Result<Lexicon> none = Build({}, {});
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->terms.empty());
  const Result<Lexicon> one = Build({{"a", "b"}}, {1, 0, 0});
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->terms.size(), 2u);
}

TEST(LexiconBuilder, LongTermsAreCutAtACharacter) {
  std::string term(253, 'x');
  term += "äöü";
  const Result<Lexicon> lexicon = Build({{term}}, {1, 0, 0});
  ASSERT_TRUE(lexicon.has_value());
  EXPECT_EQ(lexicon->terms[0].text, term.substr(0, 255));
  term.insert(0, "x");
  const Result<Lexicon> other = Build({{term}}, {1, 0, 0});
  EXPECT_EQ(other->terms[0].text, term.substr(0, 254));
}

TEST(Lexicon, RulesAreChecked) {
  for (const LexiconRules& rules :
       {LexiconRules{0, 0, 0}, LexiconRules{2, -0.1, 0},
        LexiconRules{2, 0.5, 0.5}, LexiconRules{2, 0, 1},
        LexiconRules{2, 0.0 / 0.0, 0}}) {
    const Status status = CheckLexiconRules(rules);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(status.error().remedy.empty());
  }
  EXPECT_TRUE(CheckLexiconRules({}).has_value());
}

TEST(Lexicon, WrittenAndRead) {
  TestDir dir;
  const std::string path = dir.path() + "/words.lexicon";
  const Lexicon lexicon = *Build(SomeDocuments(200, 500, 3), {});
  ASSERT_TRUE(WriteLexicon(lexicon, path).has_value());
  const Result<Lexicon> back = ReadLexicon(path);
  ASSERT_TRUE(back.has_value()) << back.error().ToString();
  EXPECT_TRUE(*back == lexicon);
  EXPECT_EQ(lexicon.Idf({1, 200, ""}), 0u);
  EXPECT_EQ(lexicon.Idf({1, 50, ""}), 2 * 65536u);
}

TEST(Lexicon, DamageIsFound) {
  TestDir dir;
  const std::string path = dir.path() + "/words.lexicon";
  ASSERT_TRUE(
      WriteLexicon(*Build({{"a", "b", "c"}, {"a", "b"}}, {1, 0, 0}), path)
          .has_value());
  ForEachDamage(path, [&](const std::string& what) {
    const Result<Lexicon> lexicon = ReadLexicon(path);
    ASSERT_FALSE(lexicon.has_value()) << what;
    ExpectDamageError(lexicon.error(), path, what);
    EXPECT_FALSE(lexicon.error().remedy.empty()) << what;
  });
}

// `bytes` with a header of its own and the right checksum at the end.
std::string Sealed(std::string bytes, const FileHeader& header) {
  bytes.resize(bytes.size() - 8);
  const auto encoded = EncodeFileHeader(header);
  bytes.replace(0, encoded.size(), encoded.data(), encoded.size());
  AppendLE<uint64_t>(&bytes, Hash64(bytes));
  return bytes;
}

TEST(Lexicon, AnotherVersionIsRefusedWithTheRemedy) {
  const std::string bytes = Lexicon().Encode();
  ASSERT_TRUE(Lexicon::Decode(bytes, "f").has_value());
  for (const uint32_t version : {1u, 3u}) {
    const Result<Lexicon> other =
        Lexicon::Decode(Sealed(bytes, {"lexicon", version, 0, 0}), "f");
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(other.error().remedy.find("lexicon build"), std::string::npos);
  }
  const Result<Lexicon> run =
      Lexicon::Decode(Sealed(bytes, {"run", 1, 0, 0}), "f");
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().code, ErrorCode::kCorrupt);
}

TEST(Lexicon, NonsenseWithARightChecksumIsFound) {
  const Lexicon good = *Build({{"a", "b", "c"}, {"a", "b"}}, {1, 0, 0});
  std::vector<Lexicon> bad(7, good);
  std::swap(bad[0].terms[0], bad[0].terms[1]);
  bad[1].terms[1] = bad[1].terms[0];
  bad[2].terms[0].frequency = 3;
  bad[3].terms[2].frequency = 0;
  bad[4].ranked = 2;
  bad[5].rules.drop_rare = 2;
  bad[6].terms[0].text.assign(256, 'x');
  for (size_t i = 0; i < bad.size(); ++i) {
    const Result<Lexicon> lexicon = Lexicon::Decode(bad[i].Encode(), "f");
    ASSERT_FALSE(lexicon.has_value()) << i;
    EXPECT_EQ(lexicon.error().code, ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace twinset
