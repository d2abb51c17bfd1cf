// What the end-to-end tests share: temporary folders, synthetic corpora, runs
// and their results.
#ifndef TWINSET_TESTS_SUPPORT_DEDUP_FIXTURE_H_
#define TWINSET_TESTS_SUPPORT_DEDUP_FIXTURE_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "twinset/dedup.h"

namespace twinset::testing {

using Json = nlohmann::ordered_json;  // another than the product's

// A folder of its own for each test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("twinset-" + std::string(test->test_suite_name()) + "-" +
             test->name() + "-" + std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

inline std::string Read(const std::string& path) {
  auto bytes = ReadWholeFile(path);
  EXPECT_TRUE(bytes) << path;
  return bytes.value_or("");
}

inline void Write(const std::string& path, const std::string& bytes) {
  ASSERT_TRUE(WriteWholeFile(path, bytes));
}

inline std::vector<Json> ReadRows(const std::string& path) {
  std::vector<Json> rows;
  const std::string text = Read(path);
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    rows.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return rows;
}

inline std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  const std::string text = Read(path);
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Result files whose bytes are promised, by name; summary.json and
// report.html without what they say of the run.
inline std::map<std::string, std::string> PromisedBytes(
    const std::string& out) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    const std::string name = entry.path().filename();
    if (name.starts_with('.')) continue;  // the marker of the folder
    if (name == "summary.json") {
      Json summary = Json::parse(Read(entry.path()));
      summary.erase("run");
      files[name] = summary.dump();
    } else if (name == "report.html") {
      std::string page = Read(entry.path());
      const size_t begin = page.find("\n<!-- run -->\n");
      page.erase(begin, page.find("\n<!-- /run -->\n") - begin);
      files[name] = std::move(page);
    } else if (entry.is_regular_file()) {
      files[name] = Read(entry.path());
    }
  }
  return files;
}

// Documents of random words, many of them mutated copies of earlier ones;
// lower-case ASCII.
struct SyntheticCorpus {
  std::vector<std::string> texts;

  SyntheticCorpus(uint64_t seed, size_t documents, size_t words_each = 120) {
    SplitMix64 random(seed);
    for (size_t i = 0; i < documents; ++i) {
      const uint64_t kind = random.Below(10);
      std::vector<std::string> words;
      if (i == 0 || kind < 4) {
        const size_t count = words_each / 2 + random.Below(words_each);
        for (size_t w = 0; w < count; ++w)
          words.push_back(Word(random.Below(5000)));
      } else {
        words = split_[random.Below(i)];
        const uint64_t changes =
            kind < 6 ? 0 : random.Below(words.size() / 30 + 2);
        for (uint64_t c = 0; c < changes && !words.empty(); ++c) {
          const size_t at = random.Below(words.size());
          const uint64_t action = random.Below(3);
          if (action == 0) words[at] = Word(random.Below(5000));
          if (action == 1)
            words.insert(words.begin() + static_cast<long>(at),
                         Word(random.Below(5000)));
          if (action == 2) words.erase(words.begin() + static_cast<long>(at));
        }
      }
      split_.push_back(words);
      std::string text;
      for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
      texts.push_back(text);
    }
  }
  static std::string Word(uint64_t n) {
    std::string word;
    for (n += 30; n > 0; n /= 26) word += static_cast<char>('a' + n % 26);
    return word;
  }
  std::string Jsonl() const {
    std::string lines;
    for (size_t i = 0; i < texts.size(); ++i) {
      lines += "{\"id\":\"d" + std::to_string(i) + "\",\"text\":\"" + texts[i] +
               "\"}\n";
    }
    return lines;
  }

 private:
  std::vector<std::vector<std::string>> split_;
};

// Word 5-shingle sets and exact similarity from the definitions, by strings.
struct NaiveTruth {
  std::vector<std::set<std::string>> sets;

  explicit NaiveTruth(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) sets.push_back(Shingles(text));
  }
  static std::set<std::string> Shingles(const std::string& text) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    std::set<std::string> shingles;
    if (!words.empty() && words.size() < 5) {
      std::string all;
      for (const std::string& word : words) all += word + " ";
      shingles.insert(all);
    }
    for (size_t i = 0; i + 5 <= words.size(); ++i) {
      std::string shingle;
      for (size_t j = i; j < i + 5; ++j) shingle += words[j] + " ";
      shingles.insert(shingle);
    }
    return shingles;
  }
  double Jaccard(size_t a, size_t b) const {
    size_t common = 0;
    for (const std::string& shingle : sets[a])
      common += sets[b].contains(shingle);
    const size_t all = sets[a].size() + sets[b].size() - common;
    return all == 0 ? 0.0
                    : static_cast<double>(common) / static_cast<double>(all);
  }
  std::map<std::pair<size_t, size_t>, double> Pairs(double threshold) const {
    std::map<std::pair<size_t, size_t>, double> pairs;
    for (size_t a = 0; a < sets.size(); ++a) {
      for (size_t b = a + 1; b < sets.size(); ++b) {
        const double similarity = Jaccard(a, b);
        if (similarity >= threshold) pairs[{a, b}] = similarity;
      }
    }
    return pairs;
  }
};

template <typename Options>
Options FileOptionsFor(const std::string& input, const std::string& out) {
  Options options;
  options.input.inputs = {input};
  options.out = out;
  options.resources.threads = 1;
  options.resources.memory_bytes = 256 << 20;
  return options;
}

inline DedupOptions OptionsFor(const std::string& input,
                               const std::string& out) {
  auto options = FileOptionsFor<DedupOptions>(input, out);
  options.pairs = ListedPairs::kAll;
  return options;
}

inline DedupSummary MustDedup(const DedupOptions& options) {
  auto summary = Dedup(options);
  EXPECT_TRUE(summary) << summary.error().ToString();
  return summary ? *summary : DedupSummary{};
}

inline CutSummary MustCut(const CutOptions& options) {
  auto summary = Cut(options);
  EXPECT_TRUE(summary) << summary.error().ToString();
  return summary ? *summary : CutSummary{};
}

// Returns the options of a match of a.jsonl with b.jsonl, whose rows hold pages
// in "html".
inline MatchOptions PageMatchOptions(const TemporaryFolder& folder) {
  auto options =
      FileOptionsFor<MatchOptions>(folder / "a.jsonl", folder / "out");
  options.input.html_field = "html";
  options.against = {folder / "b.jsonl"};
  return options;
}

inline MatchSummary MustMatch(const MatchOptions& options) {
  auto summary = Match(options);
  EXPECT_TRUE(summary) << summary.error().ToString();
  return summary ? *summary : MatchSummary{};
}

inline uint64_t TakenBy(const MatchSummary& summary) {  // of a saved run
  return Json::parse(summary.json.dump())["run"]["saved_documents_taken"];
}

}  // namespace twinset::testing

#endif  // TWINSET_TESTS_SUPPORT_DEDUP_FIXTURE_H_
