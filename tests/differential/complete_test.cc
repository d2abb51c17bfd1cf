// The complete join: whole runs against all pairs compared by the definition of
// each measure, in any memory.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <set>

#include "kernels/kernels.h"
#include "support/dedup_fixture.h"
#include "twinset/methods.h"

namespace twinset::testing {
namespace {

using Words = std::vector<std::string>;
using Scores = std::map<std::pair<size_t, size_t>, double>;

Words Split(const std::string& text) {
  Words words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

double EditScore(const Words& a, const Words& b) {
  std::vector<double> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<double>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    double diagonal = row[0];
    row[0] = static_cast<double>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const double above = row[j];
      row[j] = std::min({diagonal + (a[i - 1] == b[j - 1] ? 0 : 1), above + 1,
                         row[j - 1] + 1});
      diagonal = above;
    }
  }
  const double longer = static_cast<double>(std::max(a.size(), b.size()));
  return (longer - row[b.size()]) / longer;
}

double HammingScore(const Words& a, const Words& b) {
  if (a.size() != b.size()) return 0;
  double same = 0;
  for (size_t i = 0; i < a.size(); ++i) same += a[i] == b[i];
  return same / static_cast<double>(a.size());
}

std::map<std::string, double> Counts(const Words& words) {
  std::map<std::string, double> counts;
  for (size_t i = 0; i + 2 <= words.size(); ++i)
    ++counts[words[i] + " " + words[i + 1]];
  if (words.size() == 1) ++counts[words[0]];  // one shingle of all
  return counts;
}

// What counts of shingles weigh in a corpus: 1 + log2 of the documents for each
// that has it.
void Weigh(std::vector<std::map<std::string, double>>* documents) {
  std::map<std::string, double> frequency;
  for (const auto& counts : *documents)
    for (const auto& entry : counts) ++frequency[entry.first];
  const double all = static_cast<double>(documents->size());
  for (auto& counts : *documents) {
    for (auto& [shingle, count] : counts)
      count *= 1 + std::log2(all / frequency[shingle]);
  }
}

double SetScore(const std::string& measure,
                const std::map<std::string, double>& a,
                const std::map<std::string, double>& b) {
  double common = 0, dot = 0, aa = 0, bb = 0;
  for (const auto& [shingle, count] : a) {
    aa += count * count;
    const auto found = b.find(shingle);
    if (found == b.end()) continue;
    ++common;
    dot += count * found->second;
  }
  for (const auto& entry : b) bb += entry.second * entry.second;
  const double m = static_cast<double>(a.size());
  const double n = static_cast<double>(b.size());
  if (measure == "jaccard") return common / (m + n - common);
  if (measure == "containment") return common / std::min(m, n);
  if (measure == "dice" || measure == "s3") return 2 * common / (m + n);
  if (measure == "cosine") return common / std::sqrt(m * n);
  return dot / std::sqrt(aa * bb);  // cosine-tf and cosine-tf-idf
}

Scores NaivePairs(const std::string& measure, double threshold,
                  const std::vector<std::string>& texts) {
  std::vector<Words> words;
  std::vector<std::map<std::string, double>> counts;
  for (const std::string& text : texts) {
    words.push_back(Split(text));
    counts.push_back(Counts(words.back()));
  }
  if (measure == "cosine-tf-idf") Weigh(&counts);
  Scores scores;
  for (size_t a = 0; a < texts.size(); ++a) {
    for (size_t b = a + 1; b < texts.size(); ++b) {
      const double score = measure == "edit" ? EditScore(words[a], words[b])
                           : measure == "hamming"
                               ? HammingScore(words[a], words[b])
                               : SetScore(measure, counts[a], counts[b]);
      if (score >= threshold) scores[{a, b}] = score;
    }
  }
  return scores;
}

Scores FoundPairs(const DedupOptions& options) {
  MustDedup(options);
  Scores scores;
  for (const Json& row : ReadRows(options.out + "/pairs.jsonl")) {
    scores[{std::stoul(row["a"].get<std::string>().substr(1)),
            std::stoul(row["b"].get<std::string>().substr(1))}] =
        row["similarity"].get<double>();
  }
  return scores;
}

class CompleteTest : public ::testing::TestWithParam<const char*> {};

TEST_P(CompleteTest, PairsAreThoseOfTheDefinition) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(29, 300, 40);
  Write(folder / "in.jsonl", corpus.Jsonl());
  // Weights of features are rounded to 1/65536.
  const double tolerance =
      GetParam() == std::string("cosine-tf-idf") ? 1e-4 : 1e-12;
  for (const double threshold : {0.5, 0.8}) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.measure = *FindChoice<Measure>(GetParam());
    options.method.threshold = threshold;
    options.features.shingle = "word:2";
    options.pairs = ListedPairs::kAll;
    options.overwrite = true;
    const Scores expected = NaivePairs(GetParam(), threshold, corpus.texts);
    const Scores found = FoundPairs(options);
    EXPECT_GT(expected.size(), 100u);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [pair, score] : expected) {
      const auto at = found.find(pair);
      ASSERT_NE(at, found.end()) << pair.first << " " << pair.second;
      EXPECT_NEAR(at->second, score, tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, CompleteTest,
                         ::testing::Values("jaccard", "containment", "dice",
                                           "cosine", "s3", "cosine-tf",
                                           "cosine-tf-idf", "edit", "hamming"));

// Thirty texts of one of six shapes.
std::vector<std::string> TextsOfAShape(uint64_t seed) {
  SplitMix64 random(seed);
  const auto word = [&](uint64_t words) {
    return "w" + std::to_string(random.Below(words));
  };
  std::vector<Words> texts;
  Words common;
  for (int i = 0; i < 80; ++i) common.push_back(word(200));
  for (uint64_t n = 0; n < 30; ++n) {
    Words text;
    switch (seed % 6) {
      case 0:  // tiny
        for (uint64_t i = 1 + random.Below(3); i > 0; --i)
          text.push_back(word(4));
        break;
      case 1:  // one token
        text.push_back(word(6));
        break;
      case 2:  // copies
        if (n < 8) {
          for (int i = 0; i < 12; ++i) text.push_back(word(9));
        } else {
          text = texts[random.Below(8)];
        }
        break;
      case 3:  // lengths in steps
        text.assign(common.begin(), common.begin() + (1 << n % 7));
        for (uint64_t i = random.Below(3); i > 0; --i) text.push_back(word(99));
        break;
      case 4:  // near copies
        text.assign(common.begin(), common.begin() + 25);
        for (uint64_t i = random.Below(9); i > 0; --i)
          text[random.Below(text.size())] = word(300);
        break;
      default:  // skewed words
        for (uint64_t i = 1 + random.Below(40); i > 0; --i)
          text.push_back(word(1 + random.Below(30)));
    }
    texts.push_back(text);
  }
  std::vector<std::string> joined;
  for (const Words& text : texts) {
    std::string& line = joined.emplace_back();
    for (const std::string& w : text) line += (line.empty() ? "" : " ") + w;
  }
  return joined;
}

// A threshold that is the score of a pair to the last bit, or a usual one.
double ThresholdFor(const std::string& measure, uint64_t seed,
                    const std::vector<std::string>& texts) {
  constexpr double kUsual[] = {0.3, 0.5, 2.0 / 3, 0.7, 0.8, 0.9, 0.95, 1};
  const bool is_rational = measure.rfind("cosine", 0) != 0;
  std::set<double> scores;
  if (is_rational && seed % 4 == 0) {
    for (const auto& entry : NaivePairs(measure, 0.2, texts))
      scores.insert(entry.second);
  }
  if (scores.empty()) return kUsual[seed / 5 % 8];
  return *std::next(scores.begin(),
                    static_cast<ptrdiff_t>(seed / 4 % scores.size()));
}

// TWINSET_LONG=1 takes 3,000 corpora.
TEST(CompleteTest, RandomCorporaOfEveryShapeInAnyMemory) {
  constexpr const char* kMeasures[] = {
      "jaccard",   "containment", "dice",          "cosine", "s3",
      "cosine-tf", "edit",        "cosine-tf-idf", "hamming"};
  const char* is_long = std::getenv("TWINSET_LONG");
  const uint64_t corpora = is_long != nullptr && *is_long == '1' ? 3000 : 54;
  TemporaryFolder folder;
  size_t all = 0;
  for (uint64_t seed = 0; seed < corpora; ++seed) {
    const std::string measure = kMeasures[seed / 6 % 9];
    const auto texts = TextsOfAShape(seed);
    const double threshold = ThresholdFor(measure, seed, texts);
    SCOPED_TRACE(measure + " of corpus " + std::to_string(seed) + " at " +
                 std::to_string(threshold));
    std::string rows;
    for (size_t i = 0; i < texts.size(); ++i) {
      Json row;
      row["id"] = "d" + std::to_string(i);
      row["text"] = texts[i];
      rows += row.dump() + "\n";
    }
    Write(folder / "in.jsonl", rows);
    Scores expected = NaivePairs(measure, threshold, texts);
    all += expected.size();
    for (const uint64_t memory : {uint64_t{1} << 30, uint64_t{64} << 20}) {
      DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
      options.method.measure = *FindChoice<Measure>(measure);
      options.method.threshold = threshold;
      options.features.shingle = "word:2";
      options.pairs = ListedPairs::kAll;
      options.resources.memory_bytes = memory;
      options.overwrite = true;
      Scores found = FoundPairs(options);
      // A score of rounded weights this near may lie on either side.
      if (measure == "cosine-tf-idf") {
        const auto is_near = [&](const auto& entry) {
          return std::abs(entry.second - threshold) < 1e-4;
        };
        std::erase_if(found, is_near);
        std::erase_if(expected, is_near);
      }
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [pair, score] : expected) {
        ASSERT_TRUE(found.count(pair)) << pair.first << " " << pair.second;
        ASSERT_NEAR(found[pair], score,
                    measure == "cosine-tf-idf" ? 1e-4 : 1e-12);
      }
    }
  }
  EXPECT_GT(all, corpora * 20);
}

// Edit and Hamming distance of characters, also of such that are longer than a
// byte, in any memory.
TEST(CompleteTest, MeasuresOfCharacters) {
  TemporaryFolder folder;
  SplitMix64 random(41);
  const Words letters = {"a", "b", "c", "d", " ", "ü", "ß", "д"};
  std::vector<Words> texts;
  for (size_t n = 0; n < 60; ++n) {
    // The texts have the same words with other letters here and there, some one
    // letter longer.
    Words text;
    if (n < 6) {
      for (uint64_t i = 20 + random.Below(20); i > 0; --i)
        text.push_back(letters[i % 5 == 0 ? 4 : random.Below(4)]);
      text.front() = text.back() = "a";
    } else {
      text = texts[random.Below(6)];
      for (uint64_t i = random.Below(6); i > 0; --i)
        text[1 + random.Below(text.size() - 2)] = letters[5 + random.Below(3)];
      if (n % 3 == 0) text.insert(text.begin() + 1, "c");
    }
    texts.push_back(text);
  }
  std::string rows;
  for (size_t i = 0; i < texts.size(); ++i) {
    Json row;
    row["id"] = "d" + std::to_string(i);
    std::string text;
    for (const std::string& letter : texts[i]) text += letter;
    row["text"] = text;
    rows += row.dump() + "\n";
  }
  Write(folder / "in.jsonl", rows);
  // Case folding makes ß two letters.
  std::vector<Words> folded;
  for (const Words& text : texts) {
    Words& own = folded.emplace_back();
    for (const std::string& letter : text) {
      if (letter == "ß") own.push_back("s");
      own.push_back(letter == "ß" ? "s" : letter);
    }
  }
  for (const Measure measure : {Measure::kEditChars, Measure::kHammingChars}) {
    for (const double threshold : {0.5, 0.9}) {
      Scores expected;
      for (size_t a = 0; a < folded.size(); ++a) {
        for (size_t b = a + 1; b < folded.size(); ++b) {
          const double score = measure == Measure::kEditChars
                                   ? EditScore(folded[a], folded[b])
                                   : HammingScore(folded[a], folded[b]);
          if (score >= threshold) expected[{a, b}] = score;
        }
      }
      EXPECT_GT(expected.size(), 30u);
      DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
      options.method.measure = measure;
      options.method.threshold = threshold;
      options.method.verify_text = threshold > 0.5;
      options.pairs = ListedPairs::kAll;
      options.overwrite = true;
      EXPECT_EQ(FoundPairs(options), expected) << threshold;
    }
  }
}

// Bands over shingles do not see all that these measures call similar.
TEST(CompleteTest, BandsMissPairsOfSequences) {
  TemporaryFolder folder;
  const SyntheticCorpus corpus(30, 200, 40);
  Write(folder / "in.jsonl", corpus.Jsonl());
  for (const char* measure : {"edit", "hamming", "cosine-tf"}) {
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.measure = *FindChoice<Measure>(measure);
    options.method.threshold = 0.6;
    options.features.shingle = "word:2";
    options.pairs = ListedPairs::kAll;
    options.overwrite = true;
    const Scores expected = NaivePairs(measure, 0.6, corpus.texts);
    const Scores found = FoundPairs(options);
    EXPECT_EQ(found.size(), expected.size()) << measure;
    options.method.name = "minhash";
    options.method.bands = 1;
    options.method.rows = 64;
    EXPECT_LT(FoundPairs(options).size(), expected.size()) << measure;
  }
}

// 64 MB do not hold the postings of these, more does: not one promised byte
// differs, on any threads and SIMD target.
TEST(CompleteTest, SlicesOnDiskGiveTheSameBytes) {
  constexpr uint64_t kSmallest = 64 << 20;
  TemporaryFolder folder;
  const SyntheticCorpus corpus(31, 8000, 700);
  Write(folder / "in.jsonl", corpus.Jsonl());
  std::atomic<uint64_t> slice_bytes = 0;
  SetFileFault([&](const std::string& path, size_t bytes) {
    if (path.find("/prefixes-") != std::string::npos) slice_bytes += bytes;
    return 0;
  });
  std::map<std::string, std::string> expected;
  const auto check = [&](int threads, uint64_t memory,
                         const std::string& simd) {
    SCOPED_TRACE(std::to_string(threads) + " threads, " +
                 std::to_string(memory) + " bytes, SIMD " + simd);
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.threshold = 0.7;
    options.resources.threads = threads;
    options.resources.memory_bytes = memory;
    options.resources.simd = simd;
    options.overwrite = true;
    slice_bytes = 0;
    MustDedup(options);
    EXPECT_EQ(slice_bytes > 0, memory == kSmallest) << slice_bytes;
    const auto files = PromisedBytes(options.out);
    if (expected.empty()) expected = files;
    ASSERT_EQ(files.size(), expected.size());
    for (const auto& [file, bytes] : expected)
      EXPECT_TRUE(files.at(file) == bytes) << file;
  };
  check(1, 0, "");
  check(2, 256 << 20, "");
  for (const int threads : {1, 5}) check(threads, kSmallest, "");
  EXPECT_GT(ReadRows(folder / "out/pairs.jsonl").size(), 10000u);
  for (const std::string& target : SimdTargets()) check(2, kSmallest, target);
  SetFileFault({});
  ASSERT_TRUE(kernels::ForceTarget(""));
}

// Two families of near-equal documents, some of them equal, among others.
std::string Families(uint64_t seed) {
  SplitMix64 random(seed);
  std::string lines = SyntheticCorpus(seed, 500, 40).Jsonl();
  for (int i = 0; i < 1600; ++i) {
    Words words;
    for (int w = 0; w < 60; ++w)
      words.push_back((i % 2 == 0 ? "left" : "right") + std::to_string(w));
    for (uint64_t n = random.Below(4); n > 0; --n)
      words[random.Below(words.size())] =
          "x" + std::to_string(random.Below(50));
    std::string text;
    for (const std::string& word : words) text += word + " ";
    lines += Json({{"id", "f" + std::to_string(i)}, {"text", text}}).dump();
    lines += "\n";
  }
  return lines;
}

// Elements that hundreds of documents have are left to the clusters and lists:
// with the bytes of a run that joins them.
TEST(CompleteTest, HotElementsGiveTheSameBytes) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", Families(37));
  std::atomic<uint64_t> hot_bytes = 0;
  SetFileFault([&](const std::string& path, size_t bytes) {
    if (path.find("/hot.run") != std::string::npos) hot_bytes += bytes;
    return 0;
  });
  DedupOptions all = OptionsFor(folder / "in.jsonl", folder / "all");
  all.method.threshold = 0.6;
  all.pairs = ListedPairs::kAll;
  MustDedup(all);
  EXPECT_EQ(hot_bytes, 0u);
  auto expected = PromisedBytes(all.out);
  EXPECT_GT(ReadRows(all.out + "/pairs.jsonl").size(), 100000u);
  const auto check = [&](int threads, uint64_t memory,
                         const std::string& simd) {
    SCOPED_TRACE(std::to_string(threads) + " threads, " +
                 std::to_string(memory) + " bytes, SIMD " + simd);
    DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
    options.method.threshold = 0.6;
    options.pairs = ListedPairs::kAuto;
    options.resources.threads = threads;
    options.resources.memory_bytes = memory;
    options.resources.simd = simd;
    options.overwrite = true;
    hot_bytes = 0;
    MustDedup(options);
    EXPECT_GT(hot_bytes, 0u);
    const auto files = PromisedBytes(options.out);
    for (const auto& [file, bytes] : expected) {
      if (file == "summary.json" || file == "report.html") continue;
      EXPECT_TRUE(files.at(file) == bytes) << file;
    }
    EXPECT_EQ(Json::parse(files.at("summary.json"))["pairs"],
              Json::parse(expected.at("summary.json"))["pairs"]);
  };
  check(1, 0, "");
  check(5, 64 << 20, "");
  for (const std::string& target : SimdTargets()) check(2, 64 << 20, target);
  SetFileFault({});
  ASSERT_TRUE(kernels::ForceTarget(""));
}

TEST(CompleteTest, RefusesWhatItCannotPromise) {
  TemporaryFolder folder;
  Write(folder / "in.jsonl", SyntheticCorpus(1, 5).Jsonl());
  DedupOptions options = OptionsFor(folder / "in.jsonl", folder / "out");
  options.method.verify = false;
  const auto estimated = Dedup(options);
  ASSERT_FALSE(estimated.has_value());
  EXPECT_EQ(estimated.error().code, ErrorCode::kUsage);
  options.method.verify = true;
  options.method.threshold = 0;
  const auto all = Dedup(options);
  ASSERT_FALSE(all.has_value());
  EXPECT_EQ(all.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace twinset::testing
