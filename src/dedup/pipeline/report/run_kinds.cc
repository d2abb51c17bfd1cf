// What kinds of pairs there are, and how alike they are.
#include <algorithm>
#include <numeric>
#include <string>

#include "pipeline/report/run_page.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

void AddShares(const std::string& title, const Json& counts, KeptPage* page) {
  html::Shares shares{title, {}};
  for (const auto& [name, count] : counts.items()) {
    if (count.get<uint64_t>() > 0)
      shares.parts.emplace_back(WordsOf(name), count.get<uint64_t>());
  }
  if (!shares.parts.empty()) page->Add(shares);
}

void AddGrades(const Json& tenths, KeptPage* page) {
  html::Histogram histogram{
      "How many readers would call them near-duplicates",
      "How many pairs there are at each tenth of the probability that a reader "
      "agrees.",
      "probability",
      "pairs",
      {}};
  for (size_t n = 0; n < tenths.size(); ++n) {
    histogram.bins.push_back({static_cast<double>(n) / 10,
                              static_cast<double>(n + 1) / 10,
                              tenths[n].get<uint64_t>()});
  }
  if (!histogram.bins.empty()) page->Add(histogram);
}

}  // namespace

void AddKinds(const RunStory& story, KeptPage* page) {
  const Json& judged = story.summary["judgements"];
  if (judged["pairs"].get<uint64_t>() > 0) {
    page->Add(html::Heading{"What kind of copies they are"});
    AddShares("What the two of a pair share", judged["duplicate_kind"], page);
    AddShares("What differs between them", judged["difference"], page);
    AddGrades(judged["grade_in_tenths"], page);
    return;
  }
  const uint64_t copies = story.summary["classes"]["copies"].get<uint64_t>();
  if (story.kind != RunStory::kDocuments || story.members == 0 ||
      story.is_exact || copies > story.members)
    return;
  page->Add(html::Shares{"What kind of copies they are",
                         {{"copies: every shingle is the same", copies},
                          {"alike, but not equal", story.members - copies}}});
}

void AddSimilarities(const RunStory& story, KeptPage* page) {
  const auto& bins = story.counts.similarities;
  const uint64_t below = std::accumulate(bins.begin(), bins.end(), uint64_t{0});
  if (below == 0) return;
  const bool part = story.is_containment;
  page->Add(html::Heading{part ? "How much of the first stands in the second"
                               : "How alike the pairs are"});
  const auto first = static_cast<size_t>(
      std::find_if(bins.begin(), bins.end(), [](uint64_t n) { return n > 0; }) -
      bins.begin());
  // A bar of a hundredth each, or of five where there would be too many.
  const size_t step = first >= 60 ? 1 : 5;
  html::Histogram histogram{
      part ? "Share of the first, of the pairs that do not have all of it"
           : "Similarity of the pairs that are not equal",
      part ? "How many listed pairs there are at each share of the first."
           : "How many listed pairs there are at each similarity.",
      part ? "share of the first" : "similarity",
      "pairs",
      {}};
  for (size_t n = first / step * step; n < 100; n += step) {
    uint64_t count = 0;
    for (size_t i = n; i < n + step; ++i) count += bins[i];
    histogram.bins.push_back({static_cast<double>(n) / 100,
                              static_cast<double>(n + step) / 100, count});
  }
  const uint64_t full = story.counts.equal;
  std::string note = CountText(below, "listed pair");
  if (part) {
    note +=
        (below == 1 ? " has" : " have") +
        std::string(" a part of the first. ") +
        (full == 0 ? "None has all of it."
                   : CountText(full, "pair") + (full == 1 ? " has" : " have") +
                         " all of it and " + (full == 1 ? "is" : "are") +
                         " not drawn.");
  } else {
    note +=
        (below == 1 ? " is" : " are") + std::string(" not equal. ") +
        (full == 0 ? "None is equal."
                   : CountText(full, "pair") + (full == 1 ? " is" : " are") +
                         " equal and not drawn.");
  }
  if (!story.is_exact) {
    note += std::string(part ? " The share" : " Similarity") + " is the " +
            std::string(ChoiceName(story.options.method.measure)) +
            " measure over " + story.options.features.shingle + " shingles.";
  }
  histogram.note = note;
  page->Add(histogram);
}

}  // namespace twinset
