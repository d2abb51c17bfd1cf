#include "pipeline/run/read_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr auto kOddities = {&InputOddities::quoted_fields,
                            &InputOddities::rows_in_fields,
                            &InputOddities::malformed_xml};

ReadCounts Example(uint64_t seed, size_t sources) {
  SplitMix64 random(seed);
  ReadCounts counts;
  for (uint64_t* count :
       {&counts.records, &counts.documents, &counts.quarantined, &counts.empty,
        &counts.revisits, &counts.tokens, &counts.features,
        &counts.payload_bytes, &counts.code_points, &counts.fallback_parser,
        &counts.malformed_text, &counts.unsure_pages, &counts.pages})
    *count = 1 + random.Below(1000);
  for (const auto kind : kOddities)
    (counts.oddities.*kind).Add(1 + random.Below(9), std::to_string(seed));
  counts.page_kinds = {{"article", seed}, {std::to_string(seed), 1}};
  counts.skipped = {{"status", seed}};
  counts.quarantine_reasons = {{"no-text", seed}};
  for (size_t i = 0; i < sources; ++i)
    counts.source_documents.push_back(1 + random.Below(50));
  counts.incomplete = {"source " + std::to_string(seed)};
  counts.sides[0].outcome.records = seed;
  counts.sides[0].outcome.documents = 2 * seed;
  counts.sides[0].outcome.quarantined = 3 * seed;
  counts.sides[0].outcome.problem = "problem " + std::to_string(seed);
  for (uint64_t& present : counts.sides[0].present) present = random.Below(9);
  return counts;
}

TEST(ReadCounts, OnlyTheFirstIncompleteSourcesAreNamed) {
  ReadCounts counts;
  for (size_t i = 0; i < ReadCounts::kMostIncomplete; ++i)
    counts.AddIncomplete(std::to_string(i));
  EXPECT_FALSE(counts.more_incomplete);
  ReadCounts other = counts;
  other.AddIncomplete("one more");
  counts.Add(other, 0, 0);
  EXPECT_EQ(counts.incomplete.size(), ReadCounts::kMostIncomplete);
  EXPECT_EQ(counts.more_incomplete, ReadCounts::kMostIncomplete + 1);
}

TEST(ReadCounts, OfAnotherRunAreAddedOnItsSideAndAtItsSources) {
  const ReadCounts x = Example(3, 2), y = Example(4, 5);
  for (const size_t side : {0, 1}) {
    ReadCounts sum = x;
    sum.source_documents.resize(7);
    sum.Add(y, 2, side);
    EXPECT_EQ(sum.records, x.records + y.records);
    EXPECT_EQ(sum.documents, x.documents + y.documents);
    EXPECT_EQ(sum.quarantined, x.quarantined + y.quarantined);
    EXPECT_EQ(sum.empty, x.empty + y.empty);
    EXPECT_EQ(sum.revisits, x.revisits + y.revisits);
    EXPECT_EQ(sum.tokens, x.tokens + y.tokens);
    EXPECT_EQ(sum.features, x.features + y.features);
    EXPECT_EQ(sum.payload_bytes, x.payload_bytes + y.payload_bytes);
    EXPECT_EQ(sum.code_points, x.code_points + y.code_points);
    EXPECT_EQ(sum.fallback_parser, x.fallback_parser + y.fallback_parser);
    EXPECT_EQ(sum.malformed_text, x.malformed_text + y.malformed_text);
    EXPECT_EQ(sum.unsure_pages, x.unsure_pages + y.unsure_pages);
    for (const auto kind : kOddities) {
      EXPECT_EQ((sum.oddities.*kind).count,
                (x.oddities.*kind).count + (y.oddities.*kind).count);
      EXPECT_EQ((sum.oddities.*kind).first, (x.oddities.*kind).first);
    }
    EXPECT_EQ(sum.pages, x.pages + y.pages);
    EXPECT_EQ(sum.page_kinds, (std::map<std::string, uint64_t>{
                                  {"3", 1}, {"4", 1}, {"article", 7}}));
    EXPECT_EQ(sum.skipped.at("status"), 7u);
    EXPECT_EQ(sum.quarantine_reasons.at("no-text"), 7u);
    std::vector<uint64_t> documents = x.source_documents;
    documents.insert(documents.end(), y.source_documents.begin(),
                     y.source_documents.end());
    EXPECT_EQ(sum.source_documents, documents);
    EXPECT_EQ(sum.incomplete,
              (std::vector<std::string>{"source 3", "source 4"}));
    const ReadOutcome& outcome = sum.sides[side].outcome;
    EXPECT_EQ(outcome.records, side == 0 ? 7u : 4u);
    EXPECT_EQ(outcome.documents, side == 0 ? 14u : 8u);
    EXPECT_EQ(outcome.quarantined, side == 0 ? 21u : 12u);
    EXPECT_EQ(outcome.problem, side == 0 ? "problem 3" : "problem 4");
    for (size_t i = 0; i < field_bit::kCount; ++i) {
      EXPECT_EQ(
          sum.sides[side].present[i],
          y.sides[0].present[i] + (side == 0 ? x.sides[0].present[i] : 0));
    }
  }
}

TEST(ReadCounts, FieldsOfAnotherRunAreTakenInOnesOwnOrder) {
  const ReadCounts::Side had = Example(5, 1).sides[0];
  ReadCounts::Side side = had;
  side.TakeFields({2, 0, 1000});
  for (size_t i = 0; i < field_bit::kField; ++i)
    EXPECT_EQ(side.present[i], had.present[i]);
  EXPECT_EQ(side.present[field_bit::kField],
            had.present[field_bit::kField + 2]);
  EXPECT_EQ(side.present[field_bit::kField + 1],
            had.present[field_bit::kField]);
  for (size_t i = field_bit::kField + 2; i < field_bit::kCount; ++i)
    EXPECT_EQ(side.present[i], 0u);
}

// Both sides' longest lists, merged, are those of all blocks and sites.
TEST(TemplateCounts, ListsOfTwoSidesAreThoseOfBoth) {
  SplitMix64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<TemplateCounts::Block> blocks;
    std::vector<TemplateCounts::Site> sites;
    TemplateCounts sides[2];
    for (const size_t side : {0, 1}) {
      TemplateCounts& counts = sides[side];
      for (uint64_t n = random.Below(15); n > 0; --n) {
        TemplateCounts::Block block;
        block.side = side == 0 ? "a" : "b";
        block.pages = random.Below(6);
        block.text = std::to_string(blocks.size());
        blocks.push_back(block);
        if (side == 1) block.side.reset();  // as a run over one corpus has it
        counts.most_frequent.push_back(block);
        TemplateCounts::Site site;
        site.site = block.text;
        site.side = side == 0 ? "a" : "b";
        site.pages = random.Below(6);
        sites.push_back(site);
        if (side == 1) site.side.reset();
        counts.largest_sites.push_back(site);
      }
      const auto by_pages = [](const auto& x, const auto& y) {
        return x.pages > y.pages;
      };
      auto& frequent = counts.most_frequent;
      std::stable_sort(frequent.begin(), frequent.end(), by_pages);
      frequent.resize(std::min(frequent.size(), TemplateCounts::kMostBlocks));
      auto& largest = counts.largest_sites;
      std::stable_sort(largest.begin(), largest.end(), by_pages);
      largest.resize(std::min(largest.size(), TemplateCounts::kMostSites));
      counts.pages = random.Below(100);
    }
    const uint64_t pages = sides[0].pages + sides[1].pages;
    sides[0].AddSecondSide(sides[1]);
    EXPECT_EQ(sides[0].pages, pages);
    const auto by_pages = [](const auto& x, const auto& y) {
      return x.pages > y.pages;
    };
    std::stable_sort(blocks.begin(), blocks.end(), by_pages);
    blocks.resize(std::min(blocks.size(), TemplateCounts::kMostBlocks));
    std::stable_sort(sites.begin(), sites.end(), by_pages);
    sites.resize(std::min(sites.size(), TemplateCounts::kMostSites));
    ASSERT_EQ(sides[0].most_frequent.size(), blocks.size());
    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(sides[0].most_frequent[i].text, blocks[i].text);
      EXPECT_EQ(sides[0].most_frequent[i].side, blocks[i].side);
    }
    ASSERT_EQ(sides[0].largest_sites.size(), sites.size());
    for (size_t i = 0; i < sites.size(); ++i) {
      EXPECT_EQ(sides[0].largest_sites[i].site, sites[i].site);
      EXPECT_EQ(sides[0].largest_sites[i].side, sites[i].side);
    }
  }
}

}  // namespace
}  // namespace twinset
