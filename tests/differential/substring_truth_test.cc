// --unit substring from rows to rows, against the definition token by token.
#include "support/dedup_fixture.h"
#include "text/page/clean_text.h"

namespace twinset::testing {
namespace {

// Words with what stands behind them, of which passages stand in several
// documents in several spellings.
struct Word {
  std::string key, text;
};
using Words = std::vector<Word>;

Words Spelled(const std::vector<uint64_t>& numbers, SplitMix64* random) {
  constexpr const char* kBehind[] = {" ", ". ", ", ", "\n", "!\n\n "};
  Words words;
  for (const uint64_t number : numbers) {
    Word word{SyntheticCorpus::Word(number), ""};
    word.text = word.key;
    if (random->Below(4) == 0)
      word.text[0] = static_cast<char>(word.text[0] - 32);
    // A quote of three bytes: code points are not bytes.
    word.text +=
        random->Below(9) == 0 ? "\xE2\x80\x9D " : kBehind[random->Below(5)];
    words.push_back(word);
  }
  return words;
}

std::vector<Words> MakeDocuments(uint64_t seed, int count) {
  SplitMix64 random(seed);
  std::vector<Words> documents;
  for (int d = 0; d < count; ++d) {
    std::vector<uint64_t> numbers;
    for (uint64_t parts = random.Below(5); parts > 0; --parts) {
      SplitMix64 passage(random.Below(12));
      const uint64_t skipped = random.Below(6), most = random.Below(25);
      for (uint64_t i = 0; i < most; ++i) {
        const uint64_t number = passage.Below(3000);
        if (i >= skipped) numbers.push_back(number);
      }
      for (uint64_t i = random.Below(9); i > 0; --i)
        numbers.push_back(random.Below(3000));
    }
    documents.push_back(Spelled(numbers, &random));
  }
  return documents;
}

// By document: which of its tokens are cut.
std::vector<std::vector<bool>> NaiveCuts(const std::vector<Words>& documents,
                                         size_t n, bool keep_first) {
  using Place = std::pair<size_t, size_t>;
  std::map<std::string, std::vector<Place>> windows;
  std::vector<std::vector<bool>> cuts;
  for (size_t d = 0; d < documents.size(); ++d) {
    cuts.emplace_back(documents[d].size());
    for (size_t i = 0; i + n <= documents[d].size(); ++i) {
      std::string key;
      for (size_t j = i; j < i + n; ++j) key += documents[d][j].key + " ";
      windows[key].emplace_back(d, i);
    }
  }
  for (const auto& [key, places] : windows) {
    const auto overlap = [&](const Place& a, const Place& b) {
      return a.first == b.first && b.second - a.second < n;
    };
    if (overlap(places.front(), places.back())) continue;
    for (const Place& place : places) {
      if (keep_first && overlap(places.front(), place)) continue;
      for (size_t i = 0; i < n; ++i) cuts[place.first][place.second + i] = true;
    }
  }
  return cuts;
}

TEST(SubstringTruthTest, LikeTheDefinition) {
  constexpr size_t kTokens = 8;
  TemporaryFolder folder;
  const std::vector<Words> documents = MakeDocuments(1, 200);
  std::string rows;
  for (const Words& words : documents) {
    std::string text;
    for (const Word& word : words) text += word.text;
    rows += Json{{"text", text}}.dump() + "\n";
  }
  Write(folder / "in.jsonl", rows);
  for (const bool keep_first : {true, false}) {
    const auto naive = NaiveCuts(documents, kTokens, keep_first);
    std::string bytes;
    for (const int threads : {1, 4}) {
      const std::string out = folder / ("out" + std::to_string(threads));
      auto options = FileOptionsFor<CutOptions>(folder / "in.jsonl", out);
      options.unit = UnitKind::kSubstring;
      options.unit_action =
          keep_first ? UnitAction::kKeepFirst : UnitAction::kDropAll;
      options.min_tokens = kTokens;
      options.overwrite = true;
      options.resources.threads = threads;
      options.resources.memory_bytes = threads == 1 ? 64 << 20 : 1 << 30;
      options.write = out + "-written";
      const CutSummary summary = MustCut(options);
      uint64_t tokens_cut = 0;
      const auto written = ReadRows(options.write + "/in.jsonl");
      ASSERT_EQ(written.size(), documents.size());
      std::string cut_text;
      for (size_t d = 0; d < documents.size(); ++d) {
        std::string left;
        for (size_t i = 0; i < documents[d].size(); ++i) {
          (naive[d][i] ? cut_text : left) += documents[d][i].text;
          tokens_cut += naive[d][i];
        }
        ASSERT_EQ(written[d]["text"], left) << d;
      }
      EXPECT_EQ(summary.tokens_cut, tokens_cut);
      EXPECT_GT(tokens_cut, 500u);
      // The ranges of the rows, in order, are what was cut.
      std::string in_rows;
      for (const Json& cut : ReadRows(out + "/cuts.jsonl")) {
        std::string text;
        for (const Word& word : documents[cut["ordinal"].get<size_t>()])
          text += word.text;
        const size_t begin = cut["source_begin"], end = cut["source_end"];
        const std::string part = text.substr(begin, end - begin);
        in_rows += part;
        EXPECT_EQ(CountCodePoints(text.substr(0, begin)), cut["begin"]);
        EXPECT_EQ(CountCodePoints(text.substr(0, end)), cut["end"]);
      }
      EXPECT_EQ(in_rows, cut_text);
      const std::string all =
          Read(out + "/cuts.jsonl") + Read(out + "/units.jsonl");
      EXPECT_TRUE(bytes.empty() || bytes == all);
      bytes = all;
    }
  }
}

}  // namespace
}  // namespace twinset::testing
