// Picks seeds for a crawl (docs/methods/seeds.md).
#ifndef TWINSET_CORPORA_SEEDS_H_
#define TWINSET_CORPORA_SEEDS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/measure/graph.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/version.h"

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

// What the ranks are of.
struct SeedRanks {
  RankMethod method = RankMethod::kPageRank;
  double damping = 0;
  bool converged = true;
  GraphFacts graph;
  TrustedFacts trusted;

  static void Fields(auto& ranks, auto& field) {
    field("method", ranks.method);
    field("damping", ranks.damping);
    field("converged", ranks.converged);
    field("graph", ranks.graph);
    if (ranks.method == RankMethod::kTrustRank) field("trusted", ranks.trusted);
  }
};

// In the logs: distinct questions, those of them with results, results that
// count, and answers that were errors.
struct SeedAnswers {
  uint64_t questions = 0, answered = 0, results = 0, failed = 0;

  static void Fields(auto& answers, auto& field) {
    field("questions", answers.questions);
    field("answered", answers.answered);
    field("results", answers.results);
    field("failed", answers.failed);
  }
};

struct GivenSeeds {
  uint64_t lines = 0, bad = 0;  // bad: without an address

  static void Fields(auto& given, auto& field) {
    field("lines", given.lines);
    field("bad", given.bad);
  }
};

// What decided the choice.
struct SeedParameters {
  uint64_t size = 0, per_host = 0;
  uint32_t top = 0;
  double spam_below = 0;

  static void Fields(auto& parameters, auto& field) {
    field("size", parameters.size);
    field("per_host", parameters.per_host);
    field("top", parameters.top);
    field("spam_below", parameters.spam_below);
  }
};

struct SeedsResult {
  // Nothing of a source that is not asked.
  std::optional<SeedRanks> ranks;
  std::optional<SeedAnswers> answers;
  std::optional<GivenSeeds> given;
  HostListFacts blacklist, spam;
  uint64_t seeds = 0, hosts = 0;
  std::array<uint64_t, kSeedSources> by_source{};
  std::array<uint64_t, kSeedRefusals> refused{};
  bool enough = false;                // there were as many seeds as asked for
  std::vector<std::string> problems;  // the first bad lines, with their places
  std::vector<SideRead> sides;        // the lists, then the graph
  std::vector<std::string> warnings;
  SeedParameters parameters;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", kVersion);
    field("seeds", result.seeds);
    field("hosts", result.hosts);
    field("enough", result.enough);
    field.template ByChoice<SeedSource>("by_source", result.by_source);
    field.template ByChoice<SeedRefusal>("left_out", result.refused);
    field.Derived("sides", SidesJson(result.sides));
    field("ranks", result.ranks);
    field("answers", result.answers);
    field("given", result.given);
    field("blacklist", result.blacklist);
    field("spam", result.spam);
    field("problems", result.problems);
    field("warnings", result.warnings);
    field("parameters", result.parameters);
  }
};

// What summary.json holds.
Json SummaryJson(const SeedsResult& result);

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

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_SEEDS_H_
