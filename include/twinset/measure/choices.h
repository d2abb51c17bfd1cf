// Choices of engines, walks, ranks and estimates (twinset/choices.h).
#ifndef TWINSET_MEASURE_CHOICES_H_
#define TWINSET_MEASURE_CHOICES_H_

#include <cstdint>

#include "twinset/choices.h"

namespace twinset {
inline namespace v1 {

// What keeps the index of an engine.
enum class EngineType : uint8_t {
  kSqlite,    // embedded
  kXapian,    // a program of its own
  kPostgres,  // a program that speaks to a server
};
template <>
inline constexpr auto kChoices<EngineType> =
    ChoiceTable<EngineType>({{EngineType::kSqlite, "sqlite"},
                             {EngineType::kXapian, "xapian"},
                             {EngineType::kPostgres, "postgres"}});

// What an engine in SQLite shows first. kBm25: Okapi BM25. kInput: the earlier
// document.
enum class EngineRank : uint8_t { kBm25, kInput };
template <>
inline constexpr auto kChoices<EngineRank> = ChoiceTable<EngineRank>(
    {{EngineRank::kBm25, "bm25"}, {EngineRank::kInput, "input"}});

// What a graph is read from. kAuto decides by the first lines.
enum class GraphFormat : uint8_t { kAuto, kEdges, kPages };
template <>
inline constexpr auto kChoices<GraphFormat> =
    ChoiceTable<GraphFormat>({{GraphFormat::kAuto, "auto"},
                              {GraphFormat::kEdges, "edges"},
                              {GraphFormat::kPages, "pages"}});

// What a graph was read from.
enum class GraphKind : uint8_t {
  kEdges,
  kPages,
  kLive,  // a walk asked for its pages
};
template <>
inline constexpr auto kChoices<GraphKind> =
    ChoiceTable<GraphKind>({{GraphKind::kEdges, "edges"},
                            {GraphKind::kPages, "pages"},
                            {GraphKind::kLive, "live"}});

// Ranks of pages.
enum class RankMethod : uint8_t {
  kPageRank,
  kOpic,
  kTrustRank,        // PageRank whose jumps lead to trusted pages
  kInversePageRank,  // PageRank of the graph with its links turned round
};
template <>
inline constexpr auto kChoices<RankMethod> = ChoiceTable<RankMethod>(
    {{RankMethod::kPageRank, "pagerank"},
     {RankMethod::kOpic, "opic"},
     {RankMethod::kTrustRank, "trustrank"},
     {RankMethod::kInversePageRank, "inverse-pagerank"}});

// How a walk samples the pages of a web.
enum class WalkSampler : uint8_t {
  kWebWalker,
  kPageRankWalk,
  kDirected,
  kUndirected
};
template <>
inline constexpr auto kChoices<WalkSampler> =
    ChoiceTable<WalkSampler>({{WalkSampler::kWebWalker, "webwalker"},
                              {WalkSampler::kPageRankWalk, "pagerank-walk"},
                              {WalkSampler::kDirected, "directed"},
                              {WalkSampler::kUndirected, "undirected"}});

// Self-loops of webwalker.
enum class LoopRule : uint8_t {
  kDrawn,      // one by one: the reference; d / d' draws a move
  kGeometric,  // their number is drawn at once, by the same law
  kExpected,   // one visit of weight d / d': less variance
};
template <>
inline constexpr auto kChoices<LoopRule> =
    ChoiceTable<LoopRule>({{LoopRule::kDrawn, "drawn"},
                           {LoopRule::kGeometric, "geometric"},
                           {LoopRule::kExpected, "expected"}});

// webwalker: what happens to a link from a new page to one visited before,
// whose neighbours are fixed.
enum class LateLinkRule : uint8_t {
  kDrop,         // it is no edge
  kReplaceLoop,  // it takes the place of a self-loop of that page
};
template <>
inline constexpr auto kChoices<LateLinkRule> =
    ChoiceTable<LateLinkRule>({{LateLinkRule::kDrop, "drop"},
                               {LateLinkRule::kReplaceLoop, "replace-loop"}});

// pagerank-walk: where a move that follows no link leads. It leads to any
// visited page, or a host is chosen first and then one of its visited pages, so
// that hosts with many pages do not hold the walk.
enum class JumpRule : uint8_t { kHost, kPage };
template <>
inline constexpr auto kChoices<JumpRule> = ChoiceTable<JumpRule>(
    {{JumpRule::kHost, "host"}, {JumpRule::kPage, "page"}});

// pagerank-walk: the weight of a visit is 1 / estimated PageRank of the visited
// subgraph, 1 / number of visits to the page, or 1 (biased).
enum class VisitWeights : uint8_t { kPageRank, kVisits, kNone };
template <>
inline constexpr auto kChoices<VisitWeights> =
    ChoiceTable<VisitWeights>({{VisitWeights::kPageRank, "pagerank"},
                               {VisitWeights::kVisits, "visits"},
                               {VisitWeights::kNone, "none"}});

// What is estimated (docs/methods: capture-recapture, relative-size,
// corpus-size, ratio-estimators, weighted-samples, chain-diagnostics).
enum class Estimand : uint8_t {
  kCaptureRecapture,
  kSchnabel,
  kRelative,
  kCoverage,
  kSize,
  kRatio,
  kServers,
  kShare,
  kMean,
  kQuantile,
  kWalk,
};
template <>
inline constexpr auto kChoices<Estimand> =
    ChoiceTable<Estimand>({{Estimand::kCaptureRecapture, "capture-recapture"},
                           {Estimand::kSchnabel, "schnabel"},
                           {Estimand::kRelative, "relative"},
                           {Estimand::kCoverage, "coverage"},
                           {Estimand::kSize, "size"},
                           {Estimand::kRatio, "ratio"},
                           {Estimand::kServers, "servers"},
                           {Estimand::kShare, "share"},
                           {Estimand::kMean, "mean"},
                           {Estimand::kQuantile, "quantile"},
                           {Estimand::kWalk, "walk"}});

// How estimates use the weights of rows: ratios (Hajek), sums (Horvitz and
// Thompson), or not at all. kAuto: as the sample says.
enum class EstimateWeights : uint8_t { kAuto, kHajek, kHt, kNone };
template <>
inline constexpr auto kChoices<EstimateWeights> =
    ChoiceTable<EstimateWeights>({{EstimateWeights::kAuto, "auto"},
                                  {EstimateWeights::kHajek, "hajek"},
                                  {EstimateWeights::kHt, "ht"},
                                  {EstimateWeights::kNone, "none"}});

// ---- Auctions of ads ----

enum class AuctionMechanism : uint8_t { kGsp, kGoto };
template <>
inline constexpr auto kChoices<AuctionMechanism> =
    ChoiceTable<AuctionMechanism>({{AuctionMechanism::kGsp, "gsp"},
                                   {AuctionMechanism::kGoto, "goto"}});

// How a price between two cents is rounded. kNearest rounds halves up.
enum class PriceRounding : uint8_t { kNearest, kUp, kDown };
template <>
inline constexpr auto kChoices<PriceRounding> =
    ChoiceTable<PriceRounding>({{PriceRounding::kNearest, "nearest"},
                                {PriceRounding::kUp, "up"},
                                {PriceRounding::kDown, "down"}});

// How a keyword matches, from strict to loose.
enum class KeywordMatch : uint8_t { kExact, kPhrase, kBroad };
template <>
inline constexpr auto kChoices<KeywordMatch> =
    ChoiceTable<KeywordMatch>({{KeywordMatch::kExact, "exact"},
                               {KeywordMatch::kPhrase, "phrase"},
                               {KeywordMatch::kBroad, "broad"}});

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_MEASURE_CHOICES_H_
