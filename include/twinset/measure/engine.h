// Search engines: builds them from any documents, with the biases of real
// engines as switches, and asks them through their public interface
// (docs/methods/engines.md).
#ifndef TWINSET_MEASURE_ENGINE_H_
#define TWINSET_MEASURE_ENGINE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/fetch.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Which documents an index leaves out or adds. A document must pass all of
// these; they are tried in this order.
struct IndexBiases {
  // A spam filter: documents are left out when one of these fields is true
  // (true, "true", "yes", a number other than 0), or when FIELD=VALUE holds.
  std::vector<std::string> drop_fields;
  int max_depth = -1;  // most path segments of the address; -1: any
  // Share of the documents that is taken, by a hash of address and seed:
  // engines with different seeds hold subsets that overlap as if drawn
  // independently.
  double share = 1;
  uint64_t host_cap = 0;     // most documents of one host, the first; 0: any
  uint64_t first_words = 0;  // only these are indexed; 0: all
  // A page that is linked to but not taken becomes a document made of the texts
  // of these links. Depth and host cap hold for it too.
  bool anchors = false;
  uint64_t seed = 1;
  friend bool operator==(const IndexBiases&, const IndexBiases&) = default;
};

// What is wrong with the answers. First the query is cut, then it times out or
// is answered; then results are withheld, repeated and cut, and their count is
// falsified.
struct AnswerBiases {
  uint32_t max_terms = 0;  // longer queries lose their last terms; 0: any
  double timeouts = 0;     // share of the queries, by hash, that get no answer
  // A query for pages with all of at least this many terms (0: never) loses its
  // results except for a share, chosen by hash of the address.
  uint32_t sabotage_terms = 0;
  double sabotage_share = 0;
  double duplicates = 0;     // share of results, by hash, listed twice
  uint32_t max_results = 0;  // never more are shown; 0: any
  double hit_factor = 1;     // the number of hits is multiplied by it
  uint64_t seed = 1;
  friend bool operator==(const AnswerBiases&, const AnswerBiases&) = default;
};

struct EngineBuildOptions {
  InputOptions input;
  FeatureOptions features;  // only tokens, content and parser are used
  std::string out;          // the folder of the engine
  std::string name;         // for reports; empty: the last part of `out`
  EngineType type = EngineType::kSqlite;
  EngineRank rank = EngineRank::kBm25;  // sqlite
  // sqlite: documents with a higher number in this field come first; empty: as
  // `rank` says.
  std::string rank_field;
  std::string database;                  // postgres: where, as postgresql://...
  std::vector<std::string> keep_fields;  // of the rows, kept with the page
  IndexBiases index;
  AnswerBiases answers;
  bool overwrite = false;
  std::function<void(const Progress&)> on_progress;
  const std::atomic<bool>* stop = nullptr;
};

// What happened to the documents read.
struct EngineBuildCounts {
  uint64_t read = 0;
  uint64_t documents = 0;   // of the engine
  uint64_t anchors = 0;     // of them, those known by links only
  uint64_t duplicates = 0;  // an earlier document has the address
  uint64_t dropped = 0, too_deep = 0, beyond_share = 0, beyond_host_cap = 0;
  uint64_t quarantined = 0;           // records
  std::string engine;                 // the folder
  std::string checksum;               // equal checksums: the same engine
  std::vector<std::string> warnings;  // one line each
  ResultPage page;

  static constexpr bool kSummaryIsLine = true;
  static void Fields(auto& counts, auto& field) {
    field("engine", counts.engine);
    field("checksum", counts.checksum);
    field("read", counts.read);
    field("documents", counts.documents);
    field("anchors", counts.anchors);
    field("duplicates", counts.duplicates);
    field("dropped", counts.dropped);
    field("too_deep", counts.too_deep);
    field("beyond_share", counts.beyond_share);
    field("beyond_host_cap", counts.beyond_host_cap);
    field("quarantined", counts.quarantined);
  }
};

// Builds an engine in a folder OUT.part that then becomes OUT; when interrupted
// or failed, it leaves nothing. A document without an address gets its id as
// the address; if several documents have one address, the first counts. kUsage
// for bad parameters or a folder that exists, kInterrupted when `stop` was set.
Result<EngineBuildCounts> BuildEngine(const EngineBuildOptions& options);
Json SummaryJson(const EngineBuildCounts& counts);

// How an engine is asked. `engine` is a folder that BuildEngine made, or a file
// that describes an engine elsewhere (docs/formats/engine.md).
struct EngineQueryOptions {
  std::string engine;
  std::vector<std::string> words;  // become terms by the engine's token rule
  bool any = false;                // OR; else AND
  uint32_t limit = 10;
  bool fetch = false;    // also get the pages
  std::string record;    // file that every answer is appended to
  std::string replay;    // file whose answers replace the engine's
  AnswerBiases answers;  // on top of the engine's own
  FetchOptions fetching;
};

struct EngineResult {
  std::string url;
  bool fetched = false;  // then the page's fields follow, or `failed`
  std::string title, date, language, text;
  std::string failed;  // why there is no page

  static void Fields(auto& result, auto& field) {
    const auto of_page = [&](const char* name, const std::string& value,
                             bool has_page) {
      field.Derived(name, has_page ? std::optional(value) : std::nullopt);
    };
    const bool is_there = result.fetched && result.failed.empty();
    field("url", result.url);
    of_page("failed", result.failed, result.fetched && !is_there);
    of_page("title", result.title, is_there);
    of_page("date", result.date, is_there);
    of_page("language", result.language, is_there);
    of_page("text", result.text, is_there);
  }
};

struct EngineQueryResult {
  std::vector<std::string> terms;  // as asked
  uint64_t hits = 0;               // as the engine claims
  bool hits_known = true;
  std::vector<EngineResult> results;
  ResultPage page;
  static constexpr bool kShowsAllRows = true;
};

Result<EngineQueryResult> QueryEngine(const EngineQueryOptions& options);
// The query as it was asked, then a row for each result.
std::vector<Json> RowsJson(const EngineQueryResult& result);

// What an engine says of itself.
struct EngineSummary {
  std::string name, type;
  int64_t documents = -1;  // -1: unknown
  std::string checksum;    // of engine.json or of the description
  Json description;        // the whole of that file
  ResultPage page;
};

// Reads all bytes of an embedded engine and compares them with their checksum.
Result<EngineSummary> ShowEngine(const std::string& engine,
                                 const FetchOptions& fetching = {});
inline const Json& SummaryJson(const EngineSummary& summary) {
  return summary.description;
}

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_ENGINE_H_
