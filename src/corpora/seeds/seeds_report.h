// What `seeds` says of its lists and crawls: rows and pages
// (docs/methods/seeds.md).
#ifndef TWINSET_SRC_CORPORA_SEEDS_SEEDS_REPORT_H_
#define TWINSET_SRC_CORPORA_SEEDS_SEEDS_REPORT_H_

#include <cstdint>
#include <string>
#include <unordered_map>

#include "report/kept_page.h"
#include "seeds/seed_choice.h"
#include "twinset/corpora/crawls.h"
#include "twinset/corpora/seeds.h"

namespace twinset {

// A line of seeds.jsonl, where `number` is that of the seed, or of
// left-out.jsonl.
std::string SeedRow(const SeedVerdict& verdict, const SeedProposals& proposals,
                    RankMethod method, uint64_t number);

// The first seeds with their reasons, as a page shows them.
html::Table FirstSeeds();
// Adds a verdict that is a seed, unless the table is full.
void AddFirstSeed(const SeedVerdict& verdict, const SeedProposals& proposals,
                  RankMethod method, html::Table* table);

KeptPage SeedsPage(const SeedsOptions& options, const SeedsResult& result,
                   html::Table first_seeds,
                   const std::unordered_map<std::string, uint64_t>& hosts);

KeptPage CrawlsPage(const CrawlOverlapOptions& options,
                    const CrawlOverlapResult& result);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_SEEDS_SEEDS_REPORT_H_
