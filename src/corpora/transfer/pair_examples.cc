#include "transfer/pair_examples.h"

#include <utility>

#include "documents/document_options.h"
#include "pipeline/report/pair_draw.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/report/texts_again.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr size_t kIdBytes = 200, kTitleBytes = 120;
constexpr size_t kOpenPairs = 3;  // the others are folded

// The texts of one collection.
Status ReadTexts(const InputOptions& input, const FeatureOptions& features,
                 TextsAgain* texts) {
  RunReading reading;
  reading.options.input = input;
  reading.options.features = features;
  return texts->Read(reading);
}

html::PairSide SideOf(const TextAgain& text, const std::string& id) {
  return {Shortened(text.title, kTitleBytes),
          Shortened(text.url.empty() ? id : text.url, kIdBytes),
          {}};
}

html::TextPair BlockOf(const DrawnPair& pair, const TextAgain& left,
                       const TextAgain& right,
                       const FeatureExtractor& extractor) {
  html::TextPair block;
  block.left = SideOf(left, pair.a);
  block.right = SideOf(right, pair.b);
  bool is_same = false;
  if (!left.is_found || !right.is_found)
    block.note = "The texts are not at hand.";
  else
    is_same =
        FillDifferences(right.text, left.text, left.is_whole && right.is_whole,
                        extractor, &block);
  // What B has more than A is marked as inserted.
  std::swap(block.left.text, block.right.text);
  block.title = is_same ? "Equal" : FixedText(pair.similarity, 3) + " alike";
  return block;
}

}  // namespace

Result<std::vector<html::TextPair>> ReadExamples(const ExampleInput& input) {
  const StudyPlan& plan = *input.plan;
  PairDraw draw(plan.threshold, plan.seed);
  TWINSET_TRY(ForEachResultRow(input.folder, input.pairs, [&](const Json& row) {
    const auto a = row.value("a", "");
    if (input.judged->Find(a))
      draw.Add(a, row.value("b", ""), row.value("similarity", 0.0), row);
    return true;
  }));
  const std::vector<DrawnPair> drawn = draw.Take();
  FeatureOptions features;
  features.tokens = plan.tokens;
  features.content = input.content;
  features.shingle = plan.measure;
  TextsAgain of_a, of_b;
  std::vector<std::pair<size_t, size_t>> places;
  for (const DrawnPair& pair : drawn)
    places.emplace_back(of_a.WantId(0, pair.a), of_b.WantId(0, pair.b));
  TWINSET_TRY(ReadTexts(plan.a, features, &of_a));
  TWINSET_TRY(ReadTexts(plan.b, features, &of_b));
  TWINSET_ASSIGN(const auto extractor, MakeExtractor(features));
  std::vector<html::TextPair> pairs;
  for (size_t i = 0; i < drawn.size(); ++i)
    pairs.push_back(BlockOf(drawn[i], of_a[places[i].first],
                            of_b[places[i].second], *extractor));
  return pairs;
}

void AddExamples(const std::vector<html::TextPair>& pairs, uint64_t seed,
                 KeptPage* page) {
  if (pairs.empty()) return;
  page->Add(html::Heading{"Look at some pairs"});
  page->Add(html::Note{
      "Left a judged document of A, right the near-duplicate in B that gets "
      "its judgements. Drawn at random with seed " +
      std::to_string(seed) + ", a few for each range of similarity."});
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i == kOpenPairs)
      page->BeginFolded(CountText(pairs.size() - i, "more pair"));
    page->Add(pairs[i]);
  }
  if (pairs.size() > kOpenPairs) page->EndFolded();
}

}  // namespace twinset
