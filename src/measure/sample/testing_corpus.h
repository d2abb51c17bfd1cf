// For tests only: a corpus with known truth, as engines over it.
#ifndef TWINSET_SRC_MEASURE_SAMPLE_TESTING_CORPUS_H_
#define TWINSET_SRC_MEASURE_SAMPLE_TESTING_CORPUS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "engine/memory_engine.h"
#include "sample/query_pool.h"
#include "sample/questioner.h"
#include "sample/term_statistics.h"

namespace twinset::testing_corpus {

inline std::string Word(uint64_t number) {
  return "w" + std::to_string(number);
}
inline std::string Url(uint64_t number) {
  return "http://h" + std::to_string(number % 7) + ".test/p" +
         std::to_string(number);
}

inline EngineDocument Document(uint64_t number,
                               std::vector<std::string> tokens) {
  EngineDocument document;
  document.page.url = Url(number);
  document.page.language = "en";
  document.page.fields = {{"number", std::to_string(number)}};
  for (const std::string& token : tokens)
    document.page.text += (document.page.text.empty() ? "" : " ") + token;
  document.tokens = std::move(tokens);
  return document;
}

// Pages of 8 to 8 * 2^5 words, short ones as frequent as long ones; words by a
// skewed law over `vocabulary`, so that some are in most pages.
inline std::vector<EngineDocument> Corpus(uint64_t pages, uint64_t vocabulary,
                                          uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<EngineDocument> documents;
  for (uint64_t i = 0; i < pages; ++i) {
    const uint64_t length = uint64_t{8} << random.Below(6);
    std::vector<std::string> tokens;
    for (uint64_t j = 0; j < length; ++j) {
      // The smaller of two uniform numbers: low ones are more frequent.
      const uint64_t a = random.Below(vocabulary), b = random.Below(vocabulary);
      tokens.push_back(Word(a < b ? a : b));
    }
    documents.push_back(Document(i, std::move(tokens)));
  }
  return documents;
}

inline std::vector<std::string> Vocabulary(uint64_t size) {
  std::vector<std::string> words;
  for (uint64_t i = 0; i < size; ++i) words.push_back(Word(i));
  return words;
}

inline TermStatistics Statistics(const std::vector<EngineDocument>& documents) {
  std::vector<std::string> all;
  for (const EngineDocument& document : documents) {
    const auto distinct = SortedDistinct(document.tokens);
    all.insert(all.end(), distinct.begin(), distinct.end());
  }
  std::vector<std::pair<std::string, uint64_t>> frequencies;
  for (const TermCount& term : CountTerms(all))
    frequencies.emplace_back(term.term, term.count);
  return TermStatistics(documents.size(), frequencies);
}

inline uint64_t NumberOf(const SampleRow& row) {
  for (const auto& [name, value] : row.fields)
    if (name == "number") return std::stoull(value);
  return UINT64_MAX;
}
inline std::string FieldOf(const SampleRow& row, const std::string& field) {
  for (const auto& [name, value] : row.fields)
    if (name == field) return value;
  return "";
}

inline const TextReader& Reader() {
  static const TextReader reader = *TextReader::Make({});
  return reader;
}

// An engine with somebody to ask it.
struct Asked {
  explicit Asked(std::unique_ptr<Engine> given)
      : engine(std::move(given)), questioner(engine.get(), &Reader(), {}) {}
  explicit Asked(std::vector<EngineDocument> documents)
      : Asked(std::make_unique<MemoryEngine>("memory", std::move(documents))) {}
  std::unique_ptr<Engine> engine;
  Questioner questioner;
};

}  // namespace twinset::testing_corpus

#endif  // TWINSET_SRC_MEASURE_SAMPLE_TESTING_CORPUS_H_
