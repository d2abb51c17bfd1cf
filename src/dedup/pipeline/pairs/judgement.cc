#include "pipeline/pairs/judgement.h"

#include <algorithm>
#include <utility>

#include "documents/document_options.h"
#include "pipeline/read/ingest.h"
#include "sketch/sketcher.h"
#include "text/page/layout.h"
#include "verify/grade.h"
#include "verify/measures.h"
#include "verify/verifier.h"

namespace twinset {

namespace {

Overlap OverlapOf(std::string_view a, std::string_view b) {
  static const auto sets = MakeSetVerifier(Measure::kJaccard, 1);
  return sets->CompareFully(a, b).overlap;
}

// The stored hashes of a layout.
struct LayoutParts {
  std::string_view leaves, cells;
};

LayoutParts PartsOf(std::string_view layout) {
  const auto hashes = AsHashes(layout);
  const size_t leaves =
      static_cast<size_t>(
          std::lower_bound(hashes.begin(), hashes.end(), kCellShingle) -
          hashes.begin()) *
      sizeof(uint64_t);
  return {layout.substr(0, leaves), layout.substr(leaves)};
}

// A page of which `other` is by the other one of main and all.
PageTexts PageOf(const JudgedDocument& document, ContentMode mode) {
  const TokenisedText compared = document.compared.view();
  const TokenisedText other =
      document.other ? document.other->view() : compared;
  return mode == ContentMode::kMain ? PageTexts{compared, compared, other}
                                    : PageTexts{compared, other, compared};
}

}  // namespace

// Kind and grade look at shingles of their own, whatever --shingle says: their
// bounds and curve were chosen for these. They look at all words, as they
// stand: what differs in a stop word or an ending is no identical text.
Result<Judge> Judge::Make(const FeatureOptions& features, const HashKey& key) {
  Judge judge(key, features.content);
  FeatureOptions options = features;
  options.shingle = "word:5";
  options.stop_words = FeatureOptions().stop_words;
  options.stem = FeatureOptions().stem;
  TWINSET_ASSIGN(judge.content_, MakeSecretExtractor(options, key));
  return judge;
}

TokenisedForm Judge::Tokenise(std::string_view text) const {
  TokenisedForm form;
  form.text = text;
  content_->ForEachToken(text, [&](const TokenView& token) {
    form.spans.push_back({token.begin, token.end});
    form.hashes.push_back(SipHash13(key_, token.text));
  });
  form.spans.shrink_to_fit();
  form.hashes.shrink_to_fit();
  return form;
}

uint64_t Judge::BytesOf(const JudgedText& text) const {
  const auto tokens = [this](std::string_view of) {
    uint64_t count = 0;
    content_->ForEachToken(of, [&](const TokenView&) { ++count; });
    return count;
  };
  constexpr uint64_t kForm = sizeof(TextSpan) + sizeof(uint64_t);
  uint64_t bytes =
      tokens(text.compared) * (kForm + sizeof(TokenMark) + sizeof(uint64_t));
  if (text.other) bytes += tokens(*text.other) * kForm;
  return bytes;
}

JudgedDocument Judge::PrepareForms(const JudgedText& text) const {
  JudgedDocument document;
  document.compared = Tokenise(text.compared);
  if (text.other) document.other = Tokenise(*text.other);
  return document;
}

JudgedDocument Judge::Prepare(const JudgedText& text,
                              const std::vector<uint64_t>& layout) const {
  std::string content;
  {  // gone before the tokens are there
    FeatureScratch scratch;
    Features shingles;
    content_->Extract(text.compared, &scratch, &shingles);
    content = EncodeHashes(shingles.shingles);
  }
  JudgedDocument document = PrepareForms(text);
  TokenisedForm& compared = document.compared;
  compared.marks = MarkTokens(compared.text, compared.spans);
  document.content = std::move(content);
  document.layout = EncodeHashes(layout);
  return document;
}

PairFacts Judge::FactsOf(const JudgedDocument& a,
                         const JudgedDocument& b) const {
  PairFacts facts;
  facts.tokens_a = a.compared.hashes.size();
  facts.tokens_b = b.compared.hashes.size();
  facts.same_tokens = a.compared.hashes == b.compared.hashes;
  facts.content = OverlapOf(a.content, b.content);
  const LayoutParts in_a = PartsOf(a.layout), in_b = PartsOf(b.layout);
  facts.layout = OverlapOf(in_a.leaves, in_b.leaves);
  facts.cells = OverlapOf(in_a.cells, in_b.cells);
  return facts;
}

DifferenceKind Judge::DifferenceOf(const JudgedDocument& a,
                                   const JudgedDocument& b) const {
  return DifferenceOfPages(PageOf(a, mode_), PageOf(b, mode_));
}

Judgement Judge::Of(const JudgedDocument& a, const JudgedDocument& b) const {
  const PairFacts facts = FactsOf(a, b);
  return {ClassifyPair(facts), DifferenceOf(a, b), GradePair(facts).per_mille};
}

}  // namespace twinset
