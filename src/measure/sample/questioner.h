// How samplers ask an engine: answers cleaned and counted, pages looked at
// once, and an engine that is down noticed.
#ifndef TWINSET_SRC_MEASURE_SAMPLE_QUESTIONER_H_
#define TWINSET_SRC_MEASURE_SAMPLE_QUESTIONER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "documents/page_text.h"
#include "engine/engine.h"
#include "sample/sample_rows.h"
#include "twinset/error.h"
#include "twinset/measure/sample.h"

namespace twinset {

// A page without its text: what a row of a sample says of it.
struct DrawnPageFacts {
  std::string url;  // where it was found, normalised
  std::string title, language, date;
  uint64_t words = 0;
  std::vector<std::pair<std::string, std::string>> fields;
};

struct QuestionerOptions {
  // Failures in a row after which the engine counts as down.
  uint32_t most_failures = 20;
  const std::atomic<bool>* stop = nullptr;
  // Length of the recording of the engine's answers, if there is one. A failure
  // that does not make it longer was read from it: the question is asked again,
  // so that a study goes on with an engine that was down and is up again.
  std::function<uint64_t()> recorded_bytes;
  // Told after each question: questions so far.
  std::function<void(const SampleCounts&)> on_asked;
};

// Engine and reader outlive it. Not thread-safe.
class Questioner {
 public:
  Questioner(Engine* engine, const TextReader* reader,
             QuestionerOptions options);

  struct Answer {
    std::vector<std::string> urls;  // normalised, distinct, at most the limit
    uint64_t hits = 0;
    bool hits_known = true;
  };
  // nullopt: no answer to this question (counted). kUnavailable: the engine is
  // down; kInterrupted: stop was set.
  Result<std::optional<Answer>> Ask(const std::vector<std::string>& terms,
                                    bool conjunctive, uint32_t limit);

  // The page with its text, and the tokens of text and title; nullopt: not to
  // be had (counted). Errors as Ask.
  struct Page {
    EnginePage page;
    std::vector<std::string> tokens;
  };
  Result<std::optional<Page>> Fetch(const std::string& url);

  EngineInfo Info() const { return engine_->Info(); }
  const TextReader& reader() const { return *reader_; }
  SampleCounts& counts() { return counts_; }
  const SampleCounts& counts() const { return counts_; }

 private:
  template <typename T>
  Result<T> AskFresh(const std::function<Result<T>()>& ask) const;
  Status Failure(const Error& error);

  Engine* engine_;
  const TextReader* reader_;
  QuestionerOptions options_;
  SampleCounts counts_;
  uint32_t failures_ = 0;  // in a row
};

// The facts of a page; its language is identified where the engine names none.
DrawnPageFacts FactsOf(const Questioner::Page& page, const TextReader& reader);
// A row with host, depth, words, language, date and title, then the fields of
// the document; names that a row has already get the prefix "document.".
SampleRow RowOfPage(const DrawnPageFacts& facts);
// `value` as a JSON text, for fields of rows.
std::string JsonOf(std::string_view value);

// All words stand in the tokens (`sorted`, distinct); with OR one of them.
bool Holds(const std::vector<std::string>& sorted,
           const std::vector<std::string>& words, bool conjunctive);
// The distinct tokens, ascending.
std::vector<std::string> SortedDistinct(std::vector<std::string> tokens);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_QUESTIONER_H_
