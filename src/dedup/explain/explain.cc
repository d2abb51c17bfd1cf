// Everything about one pair of texts.
#include "twinset/explain.h"

#include <algorithm>
#include <vector>

#include "base/keyed_hash.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/find_document.h"
#include "documents/read_outcome.h"
#include "explain/estimates.h"
#include "explain/text_sketcher.h"
#include "methods/measures.h"
#include "pipeline/pairs/judgement.h"
#include "pipeline/read/ingest.h"
#include "pipeline/report/text_diff.h"
#include "pipeline/run/plan.h"
#include "text/page/language.h"
#include "twinset/inspect.h"
#include "verify/diff.h"
#include "verify/edit.h"
#include "verify/grade.h"
#include "verify/kind.h"
#include "verify/measures.h"
#include "verify/pair_kind.h"

namespace twinset {

namespace {

constexpr uint64_t kMaxEditCells = 200'000'000;  // about a second
constexpr uint64_t kMaxDiffCost = 20'000;

// One side of the pair.
struct Side {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<uint64_t> hashes;         // of the tokens, in order
  std::vector<std::string_view> words;  // the tokens as the text writes them
  std::string features;                 // shingle hashes as stored
  std::string joined;                   // tokens joined by one space

  Side(std::string_view t, const FeatureExtractor& extractor,
       const HashKey& key)
      : text(t) {
    tokens = extractor.Tokens(text);
    for (const Token& token : tokens) {
      hashes.push_back(SipHash13(key, token.text));
      words.push_back(text.substr(token.begin, token.end - token.begin));
      joined += (joined.empty() ? "" : " ") + token.text;
    }
    FeatureScratch scratch;
    Features shingles;
    extractor.Extract(text, &scratch, &shingles);
    features = EncodeHashes(shingles.shingles);
  }
};

Status AddSketches(const DocumentText& x, const DocumentText& y,
                   const FeatureOptions& features, const MethodOptions& options,
                   const InputOptions& corpus, const PassWatch& watch,
                   Explanation* explanation) {
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.name));
  explanation->method = method->info.name;
  if (corpus.inputs.empty() && TextSketcher::Learns(*method, options))
    return {};
  TWINSET_ASSIGN(
      const TextSketcher sketcher,
      TextSketcher::Create(*method, features, options, corpus, watch));
  explanation->sketches = CompareSketchesOf(sketcher, x, y);
  TWINSET_ASSIGN(explanation->scores, ScoresOf(sketcher, corpus, x, y));
  if (explanation->sketches.empty()) return {};
  const SketchPair& first = explanation->sketches.front();
  explanation->estimate = first.estimate;
  explanation->hamming = first.of - first.equal;
  return {};
}

// The characters of the tokens of a text, as --measure edit-chars stores them.
Result<std::vector<uint64_t>> CharactersOf(std::string_view text,
                                           FeatureOptions features,
                                           const HashKey& key) {
  MethodOptions method;
  method.measure = Measure::kEditChars;
  features.shingle = MeasureView(method).shingle;
  TWINSET_ASSIGN(const auto extractor, MakeSecretExtractor(features, key));
  FeatureScratch scratch;
  Features characters;
  extractor->Sequence(text, &scratch, &characters);
  return std::move(characters.shingles);
}

// One division, as the verifier of --measure edit does it.
double EditShare(uint64_t distance, uint64_t longer) {
  return longer == 0 ? 1.0
                     : static_cast<double>(longer - distance) /
                           static_cast<double>(longer);
}

Status MeasureCharacters(const Side& x, const Side& y,
                         const FeatureOptions& features, const HashKey& key,
                         Explanation* explanation) {
  TWINSET_ASSIGN(const auto a, CharactersOf(x.text, features, key));
  TWINSET_ASSIGN(const auto b, CharactersOf(y.text, features, key));
  const EditResult edit = EditDistance(a, b, kMaxEditCells);
  explanation->edit_chars_distance = edit.distance;
  explanation->edit_chars_exact = edit.exact;
  explanation->edit_chars =
      EditShare(edit.distance, std::max(a.size(), b.size()));
  explanation->hamming_chars =
      MakeHammingVerifier(1)->Compare(EncodeHashes(a), EncodeHashes(b)).score;
  return {};
}

// The measures of frequencies and places.
Status MeasureMore(const Side& x, const Side& y,
                   const FeatureExtractor& extractor,
                   Explanation* explanation) {
  FeatureScratch scratch;
  Features of_x, of_y;
  extractor.Sequence(x.text, &scratch, &of_x);
  extractor.Sequence(y.text, &scratch, &of_y);
  explanation->cosine_sets = Cosine(
      {explanation->shingles_x, explanation->shingles_y, explanation->common});
  explanation->cosine_tf = CosineOfCounts(of_x.shingles, of_y.shingles);
  explanation->hamming_tokens =
      MakeHammingVerifier(1)
          ->Compare(EncodeHashes(x.hashes), EncodeHashes(y.hashes))
          .score;
  return {};
}

void Align(const Side& x, const Side& y, Explanation* explanation) {
  const auto runs = AlignTokens(x.hashes, y.hashes, kMaxDiffCost);
  explanation->diff = DiffTexts({x.text, x.tokens}, {y.text, y.tokens}, runs);
  explanation->kind_of_difference =
      KindOfDifference(runs, x.words, y.words, x.text == y.text);
}

PairRelation RelationOf(const Side& x, const Side& y,
                        const Explanation& explanation, double threshold) {
  if (x.text == y.text) return PairRelation::kSameText;
  if (x.joined == y.joined) return PairRelation::kSameTokens;
  if (explanation.jaccard >= threshold) return PairRelation::kNearDuplicate;
  return PairRelation::kDifferent;
}

JudgedDocument JudgedOf(const Judge& judge, const DocumentText& document) {
  JudgedText text;
  text.compared = document.text;
  if (document.has_other) text.other = document.other_text;
  return judge.Prepare(text, document.layout);
}

Status AddJudgement(const DocumentText& x_document,
                    const DocumentText& y_document,
                    const FeatureOptions& features, const HashKey& key,
                    Explanation* explanation) {
  TWINSET_ASSIGN(const Judge judge, Judge::Make(features, key));
  const JudgedDocument x = JudgedOf(judge, x_document),
                       y = JudgedOf(judge, y_document);
  const PairFacts facts = judge.FactsOf(x, y);
  if (facts.layout.a != 0 || facts.layout.b != 0)
    explanation->layout = Jaccard(facts.layout);
  explanation->duplicate_kind = ClassifyPair(facts);
  explanation->difference = judge.DifferenceOf(x, y);
  PairGrade grade = GradePair(facts);
  explanation->grade.probability = grade.per_mille / 1000.0;
  explanation->grade.reason = std::move(grade.reason);
  explanation->grade.features = {{"jaccard", grade.jaccard}};
  return {};
}

Result<Explanation> ExplainWith(DocumentText x_document,
                                DocumentText y_document,
                                const FeatureOptions& features,
                                const MethodOptions& method,
                                const InputOptions& corpus,
                                const PassWatch& watch) {
  // Exact measures are of equality alone: a secret keeps them so.
  TWINSET_ASSIGN(const HashKey key, DrawHashKey());
  TWINSET_ASSIGN(const auto extractor, MakeSecretExtractor(features, key));
  const Side x(x_document.text, *extractor, key),
      y(y_document.text, *extractor, key);
  const auto sets = MakeSetVerifier(Measure::kJaccard, method.threshold);
  const Overlap overlap = sets->CompareFully(x.features, y.features).overlap;
  Explanation explanation;
  explanation.shingles_x = overlap.a;
  explanation.shingles_y = overlap.b;
  explanation.common = overlap.common;
  explanation.jaccard = Jaccard(overlap);
  explanation.containment_ab = ContainmentAB(overlap);
  explanation.containment_ba = ContainmentBA(overlap);
  explanation.dice = Dice(overlap);
  explanation.s3 = S3(overlap);
  explanation.cosine = CosineOfCounts(x.hashes, y.hashes);
  const EditResult edit = EditDistance(x.hashes, y.hashes, kMaxEditCells);
  const uint64_t longer = std::max(x.hashes.size(), y.hashes.size());
  explanation.edit_distance = edit.distance;
  explanation.edit_exact = edit.exact;
  explanation.edit = EditShare(edit.distance, longer);
  TWINSET_TRY(MeasureMore(x, y, *extractor, &explanation));
  TWINSET_TRY(MeasureCharacters(x, y, features, key, &explanation));
  TWINSET_TRY(AddSketches(x_document, y_document, features, method, corpus,
                          watch, &explanation));
  if (overlap.a != 0 && overlap.b != 0) {
    TWINSET_ASSIGN(explanation.estimates,
                   EstimatesOf(x_document, y_document, features, method));
  }
  Align(x, y, &explanation);
  explanation.kind = RelationOf(x, y, explanation, method.threshold);
  TWINSET_TRY(
      AddJudgement(x_document, y_document, features, key, &explanation));
  explanation.x = std::move(x_document);
  explanation.y = std::move(y_document);
  return explanation;
}

}  // namespace

Json v1::SummaryJson(const Explanation& explanation) {
  return FieldsToJson(explanation);
}

Result<Explanation> v1::Explain(const ExplainOptions& options) try {
  CutOffs cut_offs;
  const PassWatch watch = {options.on_progress, options.stop, &cut_offs};
  TWINSET_ASSIGN(DocumentText text_x,
                 FindDocument(options.x, options.in, options.features, watch));
  TWINSET_ASSIGN(DocumentText text_y,
                 FindDocument(options.y, options.in, options.features, watch));
  for (DocumentText* text : {&text_x, &text_y}) {
    text->language = IdentifyLanguage(text->text, text->language_declared).code;
  }
  TWINSET_ASSIGN(
      Explanation explanation,
      ExplainWith(std::move(text_x), std::move(text_y), options.features,
                  options.method, options.in, watch));
  explanation.warnings = cut_offs.Warnings();
  return explanation;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<Explanation> v1::ExplainDocuments(DocumentText x, DocumentText y,
                                         const FeatureOptions& features,
                                         const MethodOptions& method) try {
  return ExplainWith(std::move(x), std::move(y), features, method, {}, {});
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<Explanation> v1::ExplainTexts(std::string_view x, std::string_view y,
                                     const FeatureOptions& features,
                                     const MethodOptions& method) try {
  DocumentText of_x, of_y;
  of_x.text = of_x.payload = x;
  of_y.text = of_y.payload = y;
  return ExplainDocuments(std::move(of_x), std::move(of_y), features, method);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
