#include "text/tokens/token_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/keyed_hash.h"
#include "base/test_dir.h"
#include "text/tokens/features.h"
#include "text/tokens/terms.h"
#include "text/tokens/tokens.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Strings = std::vector<std::string>;
using FilterPtr = std::shared_ptr<const TokenFilter>;

FilterPtr Make(const std::string& stop_words, const std::string& stem,
               TokenRule rule = TokenRule::kUnicode) {
  auto filter = TokenFilter::Make(stop_words, stem, rule);
  EXPECT_TRUE(filter.has_value());
  return filter ? *filter : nullptr;
}

FeatureExtractor Extractor(const std::string& shingle, FilterPtr filter,
                           TokenRule rule = TokenRule::kUnicode,
                           FeatureHash hash = FeatureHash::kSpec) {
  return FeatureExtractor(rule, *ParseShingles(shingle), hash,
                          std::move(filter));
}

Strings TextsOf(const std::vector<Token>& tokens) {
  Strings texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

// The stem of a word by a stemmer that has seen no other.
std::string FreshStem(const std::string& rule, const std::string& word) {
  if (rule == "none") return word;
  static std::map<std::pair<std::string, std::string>, std::string> known;
  std::string& stem = known[{rule, word}];
  if (stem.empty()) stem = Stemmer::Make(rule)->Stem(word);
  return stem;
}

// The definition: the tokens of the text without those of the list, each
// reduced to its stem.
Strings Naive(const std::string& text, const std::set<std::string>& stop_words,
              const std::string& stem) {
  Strings kept;
  for (const Token& token : Extractor("word:1", nullptr).Tokens(text)) {
    if (stop_words.contains(token.text)) continue;
    kept.push_back(FreshStem(stem, token.text));
  }
  return kept;
}

std::string Joined(const Strings& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<uint64_t> Shingles(const FeatureExtractor& extractor,
                               const std::string& text) {
  FeatureScratch scratch;
  Features features;
  extractor.Extract(text, &scratch, &features);
  return features.shingles;
}

// Pairs of the paper's own examples and of the vocabulary of Snowball.
TEST(Stemmer, KnownStems) {
  const struct {
    const char *rule, *word, *stem;
  } known[] = {
      {"porter", "caresses", "caress"},
      {"porter", "ponies", "poni"},
      {"porter", "hopping", "hop"},
      {"porter", "generalizations", "gener"},
      {"porter", "oscillators", "oscil"},
      {"snowball:en", "skies", "sky"},
      {"snowball:en", "generously", "generous"},
      {"snowball:de", "aufeinander", "aufeinand"},
      {"snowball:fr", "majestueusement", "majestu"},
      {"snowball:es", "cheques", "chequ"},
      {"snowball:ru", "важнейшие", "важн"},
  };
  for (const auto& [rule, word, stem] : known)
    EXPECT_EQ(Stemmer::Make(rule)->Stem(word), stem) << rule;
}

TEST(Stemmer, EveryLanguageOfTheListIsThere) {
  EXPECT_EQ(StemLanguages().size(), 28u);
  for (const std::string_view language : StemLanguages())
    EXPECT_NE(Stemmer::Make("snowball:" + std::string(language)), nullptr)
        << language;
  for (const char* name : {"", "none", "snowball:", "snowball:porter",
                           "snowball:english", "en", "snowball:xx"})
    EXPECT_EQ(Stemmer::Make(name), nullptr) << name;
}

// Words that a stemmer has seen, and many others in between, have the stems
// that a new one gives.
TEST(Stemmer, RemembersNothingWrong) {
  SplitMix64 random(3);
  const char* const kEnds[] = {"", "s", "ing", "ed", "ational", "'s", "ies"};
  const auto stemmer = Stemmer::Make("snowball:en");
  for (int i = 0; i < 6000; ++i) {
    std::string word = "b";
    for (uint64_t n = random.Below(3); n > 0; --n)
      word += static_cast<char>('a' + random.Below(26));
    if (random.Below(40) == 0) word += std::string(20, 'a');
    word += kEnds[random.Below(std::size(kEnds))];
    ASSERT_EQ(stemmer->Stem(word), FreshStem("snowball:en", word));
  }
}

TEST(Stemmer, LongWordsStayAsTheyAre) {
  const auto stemmer = Stemmer::Make("porter");
  std::string word;
  while (word.size() + 3 < Stemmer::kMaxBytes) word += 'a';
  const std::string stem = word;
  word += "ing";
  EXPECT_EQ(stemmer->Stem(word), stem);
  word += "s";
  EXPECT_EQ(stemmer->Stem(word), word);
  EXPECT_EQ(stemmer->Stem(""), "");
}

TEST(StopWords, FilesHaveWordsAndComments) {
  const auto words = ParseStopWords("# common\nThe  OF\r\n\ncafe\xcc\x81\n",
                                    TokenRule::kUnicode, "f");
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, ElementsAre("the", "of", "caf\xc3\xa9"));
  EXPECT_THAT(*ParseStopWords("The,OF", TokenRule::kWhitespace, "f"),
              ElementsAre("The,OF"));
  const auto bad = ParseStopWords("a\nb\n\xff\n", TokenRule::kUnicode, "f");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kUsage);
  EXPECT_THAT(bad.error().message, HasSubstr("line 3"));
  std::string many;
  for (size_t i = 0; i <= kMaxStopWords; ++i)
    many += "w" + std::to_string(i) + " ";
  EXPECT_FALSE(ParseStopWords(many, TokenRule::kUnicode, "f"));
}

// A pipe gives its words once, but each extractor of a run wants them.
TEST(StopWords, NeedAFileWithWords) {
  const TestDir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  ASSERT_TRUE(WriteWholeFile(dir / "empty", "# nothing\n\n"));
  const auto refusal = [](const std::string& path) {
    const auto made = TokenFilter::Make(path, "none", TokenRule::kUnicode);
    return made ? std::string() : made.error().message;
  };
  EXPECT_THAT(refusal(dir / "pipe"), HasSubstr("no regular file"));
  EXPECT_THAT(refusal(dir / "empty"), HasSubstr("has no words"));
}

TEST(TokenFilter, ListsAndNone) {
  EXPECT_EQ(Make("none", "none"), nullptr);
  EXPECT_EQ(TokenFilter::FileOf("none"), "");
  EXPECT_EQ(TokenFilter::FileOf("en+de"), "");
  EXPECT_EQ(TokenFilter::FileOf("en+dx"), "en+dx");
  EXPECT_NE(Make("en", "none")->stop_words_hash(),
            Make("en+de", "none")->stop_words_hash());
  EXPECT_EQ(Make("de+en", "none")->stop_words_hash(),
            Make("en+de", "none")->stop_words_hash());
  for (const std::string_view language : StopWordLanguages())
    EXPECT_NE(Make(std::string(language), "none"), nullptr) << language;
  const auto unknown = TokenFilter::Make("enn", "none", TokenRule::kUnicode);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_THAT(unknown.error().remedy, HasSubstr("did you mean 'en'"));
  EXPECT_FALSE(TokenFilter::Make("none", "porter2", TokenRule::kUnicode));
  EXPECT_FALSE(TokenFilter::Make("en", "none", TokenRule::kRaw));
  EXPECT_FALSE(TokenFilter::Make("none", "porter", TokenRule::kFeatures));
}

TEST(TokenFilter, TokensStandWhereTheWordsDo) {
  const std::string text = "The Ponies are hopping over the fence.";
  const auto tokens = Extractor("word:1", Make("en", "porter")).Tokens(text);
  EXPECT_THAT(TextsOf(tokens), ElementsAre("poni", "hop", "over", "fenc"));
  EXPECT_EQ(text.substr(tokens[0].begin, tokens[0].end - tokens[0].begin),
            "Ponies");
  EXPECT_EQ(text.substr(tokens[3].begin, tokens[3].end - tokens[3].begin),
            "fence");
  // Shingles are of words that have become neighbours, and quote all between.
  const auto spans = Extractor("word:2", Make("en", "porter")).Spans(text);
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(text.substr(spans[0].begin, spans[0].end - spans[0].begin),
            "Ponies are hopping");
  // Shingles of characters have spans too, each of the word that it comes from.
  const auto chars =
      Extractor("char:4", Make("en", "porter")).Spans("The ponies");
  ASSERT_EQ(chars.size(), 1u);
  EXPECT_EQ(chars[0].begin, 4u);
  EXPECT_EQ(chars[0].end, 10u);
}

TEST(TokenFilter, ATextOfStopWordsIsEmpty) {
  const auto extractor = Extractor("word:5", Make("en", "none"));
  EXPECT_TRUE(Shingles(extractor, "The of and, to IN a").empty());
  EXPECT_TRUE(extractor.Tokens("The of and, to IN a").empty());
  EXPECT_TRUE(extractor.Spans("the of").empty());
  EXPECT_TRUE(Shingles(extractor, "").empty());
}

// Sentences and lines still end where they did, also behind a stop word.
TEST(TokenFilter, SegmentsKeepTheirEnds) {
  const auto filtered = Extractor("sentence", Make("en", "none"));
  const auto plain = Extractor("sentence", nullptr);
  EXPECT_EQ(Shingles(filtered, "Ships sail to it. The fog came in. He slept."),
            Shingles(plain, "Ships sail. fog came. slept."));
  EXPECT_EQ(
      Shingles(Extractor("line", Make("en", "none")), "a mill of\nit\nfog"),
      Shingles(Extractor("line", nullptr), "mill\nfog"));
}

std::string RandomText(SplitMix64* random, size_t words) {
  const char* const kWords[] = {"the",     "Hoping",   "of",     "Relational",
                                "mill's",  "3.14",     "日本語", "and",
                                "Straßen", "caresses", "x",      "IN",
                                "naïve",   "ﬁnally",   "it"};
  const char* const kGaps[] = {" ", ", ", "\n", ". ", "--", "\n\n", ""};
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    text += kWords[random->Below(std::size(kWords))];
    text += kGaps[random->Below(std::size(kGaps))];
  }
  return text;
}

// Against the definition, for texts within one window and over many.
TEST(TokenFilter, EqualsTheDefinition) {
  const std::set<std::string> list = {"the", "of", "and", "in", "it"};
  const std::string file =
      ::testing::TempDir() + "/token_filter_stop_words.txt";
  {
    FILE* out = std::fopen(file.c_str(), "w");
    ASSERT_NE(out, nullptr);
    std::fputs("the of and in it\n", out);
    std::fclose(out);
  }
  SplitMix64 random(7);
  for (const bool stops : {true, false}) {
    for (const char* stem : {"snowball:en", "none"}) {
      if (!stops && std::string(stem) == "none") continue;
      const FilterPtr filter = Make(stops ? file : "none", stem);
      for (int round = 0; round < 60; ++round) {
        const std::string text =
            RandomText(&random, round == 0 ? 60000 : random.Below(40));
        const Strings kept =
            Naive(text, stops ? list : std::set<std::string>(), stem);
        ASSERT_EQ(TextsOf(Extractor("word:1", filter).Tokens(text)), kept);
        const std::string joined = Joined(kept);
        std::string ours;
        FeatureScratch scratch;
        JoinTokens(text, TokenRule::kUnicode, &scratch, &ours, filter.get());
        ASSERT_EQ(ours, joined);
        for (const char* shingle : {"word:1", "word:3", "chunk:4-9"}) {
          ASSERT_EQ(
              Shingles(Extractor(shingle, filter), text),
              Shingles(Extractor(shingle, nullptr, TokenRule::kWhitespace),
                       joined))
              << shingle;
          ASSERT_EQ(Shingles(Extractor(shingle, filter, TokenRule::kUnicode,
                                       FeatureHash::kXxh3),
                             text),
                    Shingles(Extractor(shingle, nullptr, TokenRule::kWhitespace,
                                       FeatureHash::kXxh3),
                             joined))
              << shingle;
        }
        Strings terms;
        ForEachTerm(
            text, TokenRule::kUnicode, &scratch,
            [&](std::string_view term, uint64_t) { terms.emplace_back(term); },
            filter.get());
        ASSERT_EQ(terms, kept);
      }
    }
  }
}

TEST(TokenFilter, SecretAndOpenHashesSeeTheSameTokens) {
  const FilterPtr filter = Make("en", "porter");
  const FeatureExtractor secret(TokenRule::kUnicode, *ParseShingles("word:2"),
                                HashKey{1, 2}, filter);
  const std::string text = "The ponies are hopping over the fences of a mill.";
  FeatureScratch scratch;
  Features hidden, open;
  secret.ExtractBoth(text, true, true, &scratch, &hidden, &open);
  EXPECT_EQ(open.shingles, Shingles(Extractor("word:2", filter), text));
  EXPECT_EQ(hidden.shingles.size(), open.shingles.size());
  EXPECT_EQ(open.token_count, 5u);
}

// Where a window ends is nothing that a shingle can see: also not where it ends
// behind stop words, or holds nothing else.
TEST(TokenFilter, WindowsKeepWhatStandsBetweenTokens) {
  constexpr std::string_view kWords[] = {
      "the", "of", "and", "mill", "river", "\xE7\xB6\xB2", "\xE9\xA0\x81"};
  constexpr std::string_view kGaps[] = {" ", " ", " ", "\n", "\n\n", ". ", ""};
  const FilterPtr filter = Make("en", "porter");
  for (const char* kind :
       {"word:3", "char:4", "line", "sentence", "paragraph", "chunk:4-12"}) {
    SCOPED_TRACE(kind);
    const FeatureExtractor extractor = Extractor(kind, filter);
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      SplitMix64 random(seed);
      std::string text;
      // The first tokens that are kept stand around several windows of others.
      const size_t stops = seed % 2 == 0 ? 3 * kTokenWindowBytes : 0;
      text += "mill";
      if (stops > 0) text += random.Next() % 2 == 0 ? "\n" : " ";
      while (text.size() < stops) text += "the ";
      while (text.size() < stops + 2 * kTokenWindowBytes) {
        text += kWords[random.Next() % std::size(kWords)];
        text += kGaps[random.Next() % std::size(kGaps)];
      }
      std::vector<uint64_t> whole;
      for (const ShingleSpan& span : extractor.Spans(text))
        whole.push_back(span.hash);
      std::sort(whole.begin(), whole.end());
      whole.erase(std::unique(whole.begin(), whole.end()), whole.end());
      ASSERT_TRUE(Shingles(extractor, text) == whole) << seed;
    }
  }
}

// The rules of other packages keep empty words, which no list names.
TEST(TokenFilter, GoesWithTheRulesOfOtherPackages) {
  const auto tokens =
      Extractor("word:1", Make("en", "none", TokenRule::kNonwordSplit),
                TokenRule::kNonwordSplit)
          .Tokens("The mill, of it");
  EXPECT_THAT(TextsOf(tokens), ElementsAre("mill", ""));
}

// Lines of given features are tokens, whatever the size of the windows.
TEST(LineNames, AreTheTokensOfTheRuleFeatures) {
  std::string text = "a rose\t2.5\nb\n\n\t7\nThe\\t end\t1";
  const auto tokens = [](const std::string& all, size_t window) {
    FeatureScratch scratch;
    TokenStream stream(all, TokenRule::kFeatures, &scratch, window);
    TokenWindow tokens_of;
    Strings names;
    while (stream.Next(&tokens_of)) {
      for (size_t i = 0; i < tokens_of.count; ++i)
        names.emplace_back(tokens_of.text + tokens_of.begins[i],
                           tokens_of.ends[i] - tokens_of.begins[i]);
    }
    return names;
  };
  for (size_t window = 1; window < 40; ++window)
    ASSERT_THAT(tokens(text, window), ElementsAre("a rose", "b", "The\\t end"))
        << window;
  EXPECT_TRUE(tokens("", 8).empty());
  EXPECT_TRUE(tokens("\t1\n\t2", 3).empty());
}

}  // namespace
}  // namespace twinset
