// What a query log says about the long tail (docs/methods/auction.md).
#ifndef TWINSET_MEASURE_QUERY_LOG_H_
#define TWINSET_MEASURE_QUERY_LOG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

struct QueryLogOptions {
  std::string log = {};  // one query per line, or CSV/TSV with a column query
                         // (and user, count), such as AOL's files
  uint64_t tail = 5;     // queries asked so often or less are rare
  uint64_t seed = 1;
  uint32_t replications = 200;   // of the null model
  uint64_t memory_bytes = 0;     // 0: 60 % of what is available
  uint32_t head = 10;            // most frequent queries listed
  FeatureOptions features = {};  // tokens: equal tokens, one query
  ProgressSink on_progress = {};
};

// A share of users or traffic: as observed, and as expected if rare queries
// fell on users at random (mean and the middle 95 %).
struct ShareAgainstChance {
  double observed = 0, expected = 0, low = 0, high = 0;

  static void Fields(auto& share, auto& field) {
    field("observed", share.observed);
    field("expected", share.expected);
    field("low", share.low);
    field("high", share.high);
  }
};

// Who asks rare queries.
enum class TailVerdict : uint8_t {
  kNoTail,     // nobody: there are none
  kUndecided,  // chance leaves no room, or was not drawn
  kEveryUser,
  kFewUsers,
  kBetween,
};
template <>
inline constexpr auto kChoices<TailVerdict> =
    ChoiceTable<TailVerdict>({{TailVerdict::kNoTail, "no-tail"},
                              {TailVerdict::kUndecided, "undecided"},
                              {TailVerdict::kEveryUser, "every-user"},
                              {TailVerdict::kFewUsers, "few-users"},
                              {TailVerdict::kBetween, "between"}});

// Which users ask the rare queries. Counts are of pairs of a user and a query,
// so that a user's own repeats do not count.
struct TailUsers {
  uint64_t users = 0, pairs = 0, rare_pairs = 0;
  // Share of the users for whom more than a share `above` of queries is rare.
  struct Row {
    double above = 0;
    ShareAgainstChance share;

    static void Fields(auto& row, auto& field) {
      field("above", row.above);
      ShareAgainstChance::Fields(row.share, field);
    }
  };
  std::vector<Row> rows;
  ShareAgainstChance top_tenth;  // share of the rare pairs held by the tenth of
                                 // users with the most
  double ratio = 0;  // observed / expected share of users with a rare query
  TailVerdict verdict = TailVerdict::kUndecided;

  static void Fields(auto& users, auto& field) {
    field("users", users.users);
    field("pairs", users.pairs);
    field("rare_pairs", users.rare_pairs);
    field("verdict", users.verdict);
    field("ratio", users.ratio);
    field("users_above", users.rows);
    field("top_tenth", users.top_tenth);
  }
};

// A tenth of the different queries.
struct QueryDecile {
  uint64_t types = 0, queries = 0;
  double share = 0;  // of all queries

  static void Fields(auto& decile, auto& field) {
    field("types", decile.types);
    field("queries", decile.queries);
    field("share", decile.share);
  }
};

struct QueryCount {
  std::string query;
  uint64_t count = 0;

  static void Fields(auto& one, auto& field) {
    field("query", one.query);
    field("count", one.count);
  }
};

struct QueryLogResult {
  static constexpr bool kSummaryIsLine = true, kShowsAllRows = true;
  uint64_t rows = 0, empty = 0;     // empty: without a token
  uint64_t queries = 0, types = 0;  // asked in all; different ones
  uint64_t rare_types = 0, rare_queries = 0;
  // For each frequency 1 to `tail`: types of exactly this frequency.
  std::vector<uint64_t> types_by_frequency;
  std::vector<QueryDecile> deciles;  // the most frequent tenth first
  std::vector<QueryCount> head;
  std::optional<TailUsers> users;  // where the log names them
  uint64_t tail = 0;               // of the options
  ResultPage page;

  static void Fields(auto& log, auto& field) {
    const Share types{log.rare_types, log.types};
    const Share queries{log.rare_queries, log.queries};
    field("rows", log.rows);
    field("empty", log.empty);
    field("queries", log.queries);
    field("types", log.types);
    field("tail", log.tail);
    field("rare_types", log.rare_types);
    field.Derived("rare_types_share", types.value());
    field("rare_queries", log.rare_queries);
    field.Derived("rare_queries_share", queries.value());
    field("types_by_frequency", log.types_by_frequency);
    field("deciles", log.deciles);
    field("head", log.head);
    field.OrNull("users", log.users);
  }
};

// kMemory when the distinct queries do not fit, kUsage for a bad row.
Result<QueryLogResult> MeasureQueryLog(const QueryLogOptions& options);
Json SummaryJson(const QueryLogResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_QUERY_LOG_H_
