// Picks seeds for a crawl, and tells how alike the crawls from two lists of
// seeds would be (docs/methods/seeds.md).
#ifndef TWINSET_CORPORA_SEEDS_H_
#define TWINSET_CORPORA_SEEDS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/walk.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Where a seed comes from.
enum class SeedSource : uint8_t {
  kGiven,    // a list of addresses
  kAnswers,  // results of queries
  kRanks,    // ranks of a graph
};
template <>
inline constexpr auto kChoices<SeedSource> =
    ChoiceTable<SeedSource>({{SeedSource::kGiven, "given"},
                             {SeedSource::kAnswers, "answers"},
                             {SeedSource::kRanks, "ranks"}});
inline constexpr size_t kSeedSources = 3;

// Why an address that its source proposed is no seed.
enum class SeedRefusal : uint8_t {
  kNoAddress,  // it is no http address
  kBlacklist,
  kSpam,
  kPerHost,  // its host has as many seeds as it may
};
template <>
inline constexpr auto kChoices<SeedRefusal> =
    ChoiceTable<SeedRefusal>({{SeedRefusal::kNoAddress, "no-address"},
                              {SeedRefusal::kBlacklist, "blacklist"},
                              {SeedRefusal::kSpam, "spam"},
                              {SeedRefusal::kPerHost, "per-host"}});
inline constexpr size_t kSeedRefusals = 4;

struct SeedsOptions {
  // Ranks of a graph; no inputs: none. Its memory_bytes is for everything.
  GraphOptions graph;
  RankParameters ranks;
  // Logs of answers (docs/formats/engine.md) and TREC runs.
  std::vector<std::string> answers;
  uint32_t top = 0;                // results of each answer that count; 0: all
  std::vector<std::string> given;  // lists of addresses, which come first
  // Lists of hosts, and of hosts with a path, that must not become seeds
  // (docs/methods/seeds.md).
  std::vector<std::string> blacklists, spam;
  double spam_below = 70;  // of lines of --spam that have a percentile
  uint64_t size = 1000;    // seeds
  uint64_t per_host = 0;   // of a host; 0: no limit
  std::string out;         // result folder
  bool overwrite = false, report = false;
  const std::atomic<bool>* stop = nullptr;
  ProgressSink on_progress;
};

// What the lines of blacklists and lists of spam are.
struct HostListFacts {
  uint64_t lines = 0;    // without comments and empty ones
  uint64_t entries = 0;  // that count
  uint64_t spared = 0;   // with a percentile that is not below the limit
  uint64_t bad = 0;      // lines that name no host

  static void Fields(auto& facts, auto& field) {
    field("lines", facts.lines);
    field("entries", facts.entries);
    field("spared", facts.spared);
    field("bad", facts.bad);
  }
};

struct SeedsResult {
  GraphFacts graph;  // all 0 without a graph
  RankMethod method = RankMethod::kPageRank;
  bool converged = true;
  TrustedFacts trusted;
  // In the logs: distinct questions, those of them with results, results that
  // count, and answers that were errors.
  uint64_t questions = 0, answered = 0, results = 0, failed = 0;
  uint64_t given = 0, bad_given = 0;  // lines of lists, those without address
  HostListFacts blacklist, spam;
  uint64_t seeds = 0, hosts = 0;
  std::array<uint64_t, kSeedSources> by_source{};
  std::array<uint64_t, kSeedRefusals> refused{};
  bool enough = false;                // there were as many seeds as asked for
  std::vector<std::string> problems;  // the first bad lines, with their places
  std::vector<SideRead> sides;        // the lists, then the graph
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;
};

inline const Json& SummaryJson(const SeedsResult& result) {
  return result.json;
}

// Takes addresses in turn from the sources, best first (given lists whole and
// before the others), until there are `size` seeds. Among answers, the best
// address is the one that most distinct questions returned, then the one with
// the better best place, then the one that came first; among ranks, it is the
// one with the higher rank, then the earlier node. Addresses are compared in
// their normal form and count once. Writes the folder that
// docs/methods/seeds.md describes. Errors: kUsage without a source, and as
// RankGraph says; kIo; kCorrupt for damaged logs and for lists without a usable
// line; kMemory, which names what does not fit; kInterrupted.
Result<SeedsResult> PickSeeds(const SeedsOptions& options);

struct CrawlOverlapOptions {
  GraphOptions graph;
  // Two lists of seeds, one address per line (docs/formats/lists.md).
  std::string first, second;
  uint32_t depth = 10;     // links from the seeds at most
  uint64_t per_host = 0;   // pages of a host at most; 0: no limit
  uint64_t max_pages = 0;  // pages of a crawl; 0: no limit
  std::string out;         // result folder; empty: none
  bool overwrite = false, report = false;
  ProgressSink on_progress;
};

// The pages of both crawls when each has gone this deep.
struct CrawlDepth {
  uint32_t depth = 0;
  uint64_t first = 0, second = 0, both = 0;

  uint64_t either() const { return first + second - both; }
  double jaccard() const { return Share{both, either()}.value(); }
  Share first_in_second() const { return {both, first}; }
  Share second_in_first() const { return {both, second}; }

  static void Fields(auto& row, auto& field) {
    field("depth", row.depth);
    field("first", row.first);
    field("second", row.second);
    field("both", row.both);
    field.Derived("jaccard", Share{row.both, row.either()});
    field.Derived("first_in_second", row.first_in_second());
    field.Derived("second_in_first", row.second_in_first());
  }
};

// A list of seeds beside a graph.
struct CrawlSeeds {
  uint64_t lines = 0, bad = 0;  // bad: lines without an address
  uint64_t unknown = 0;         // addresses that the graph does not have
  uint64_t seeds = 0;           // different pages of the graph

  static void Fields(auto& seeds, auto& field) {
    field("lines", seeds.lines);
    field("bad", seeds.bad);
    field("unknown", seeds.unknown);
    field("seeds", seeds.seeds);
  }
};

struct CrawlOverlapResult {
  GraphFacts graph;
  CrawlSeeds first, second;
  // From depth 0 to the last one at which a crawl found a page.
  std::vector<CrawlDepth> depths;
  std::vector<SideRead> sides;  // the graph, then the lists
  std::vector<std::string> warnings;
  Json json;  // what summary.json holds
  ResultPage page;
};

inline const Json& SummaryJson(const CrawlOverlapResult& result) {
  return result.json;
}

// Crawls the graph twice, breadth first. kCorrupt if the graph has no address
// of a list, kUsage for --per-host with nodes that have no address; otherwise
// the errors of PickSeeds.
Result<CrawlOverlapResult> CompareCrawls(const CrawlOverlapOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_SEEDS_H_
