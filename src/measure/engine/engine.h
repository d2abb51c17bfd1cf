// A search engine as the public sees it: words in, the first results and a
// claimed number of hits out. Every sampler and estimator works through this
// interface alone, whatever is behind it (docs/methods/engines.md).
#ifndef TWINSET_SRC_MEASURE_ENGINE_ENGINE_H_
#define TWINSET_SRC_MEASURE_ENGINE_ENGINE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// Terms are normalised tokens (docs/methods/tokens.md), or words that
// the engine makes terms of by its own rules.
struct EngineQuery {
  std::vector<std::string> terms;
  bool conjunctive = true;  // AND; else OR
  uint32_t limit = 100;     // the first k results are wanted
  friend bool operator==(const EngineQuery&, const EngineQuery&) = default;
};

struct EngineAnswer {
  std::vector<std::string> urls;  // best first, at most `limit`, as spelt there
  uint64_t hits = 0;              // what the engine claims; may be a lie
  bool hits_known = true;         // false: the engine names no number
  friend bool operator==(const EngineAnswer&, const EngineAnswer&) = default;
};

// A page as the engine's results lead to it.
struct EnginePage {
  std::string url;  // where it was found, after redirects
  std::string text, title, date, language;
  // Further fields of the document as JSON texts by name ("spam": "true"), from
  // the rows that an engine was built of; empty for pages fetched.
  std::vector<std::pair<std::string, std::string>> fields;
  // Normalised addresses that the page says are itself or shows in its place
  // (rel=canonical, meta refresh, frames), as far as its source is seen.
  std::vector<std::string> other_addresses = {};
  friend bool operator==(const EnginePage&, const EnginePage&) = default;
};

// What an engine says of itself and what is known of it.
struct EngineInfo {
  std::string name;  // as given by the user, for reports
  std::string type;  // "memory", "sqlite", "xapian", "postgres", "http", ...
  uint32_t max_results = 0;  // it never shows more; 0: unknown
  uint32_t max_terms = 0;    // longer queries are cut; 0: unknown
  int64_t documents = -1;    // -1: unknown, as of every real engine
};

// Not thread-safe: one study asks one question after the other. An error of
// Query or Fetch is of this one question (kUnavailable: ask again later;
// kNotFound: no such page); the next may succeed. No answer is made up: a
// time-out is an error, not an empty result.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual EngineInfo Info() const = 0;
  virtual Result<EngineAnswer> Query(const EngineQuery& query) = 0;
  virtual Result<EnginePage> Fetch(const std::string& url) = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ENGINE_H_
