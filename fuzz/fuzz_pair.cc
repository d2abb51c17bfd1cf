// Two pages, cut at the first 0xFF byte: their layouts are sorted sets, and the
// kind and the grade of the pair are total, bounded and the same both ways.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "target.h"
#include "text/page/clean_text.h"
#include "text/tokens/features.h"
#include "verify/grade.h"
#include "verify/pair_kind.h"

namespace {

using namespace twinset;

struct Page {
  std::vector<uint64_t> layout;
  Features words;
  std::vector<std::string> tokens;
};

bool Load(std::string_view html, Page* page) {
  Document document;
  document.kind = ContentKind::kHtml;
  document.payload = html;
  TextOptions options;
  options.want_layout = true;
  auto clean = ExtractText(document, options);
  if (!clean) return false;
  page->layout = clean->layout;
  const FeatureExtractor five(TokenRule::kUnicode, *ParseShingles("word:5"));
  FeatureScratch scratch;
  five.Extract(clean->text, &scratch, &page->words);
  for (Token& token : five.Tokens(clean->text)) {
    page->tokens.push_back(std::move(token.text));
  }
  const auto& layout = page->layout;
  if (!std::is_sorted(layout.begin(), layout.end())) std::abort();
  if (std::adjacent_find(layout.begin(), layout.end()) != layout.end()) {
    std::abort();
  }
  if (layout.size() > html.size() + 3) std::abort();
  return true;
}

Overlap Compare(const std::vector<uint64_t>& a,
                const std::vector<uint64_t>& b) {
  std::vector<uint64_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::back_inserter(both));
  return {a.size(), b.size(), both.size()};
}

PairFacts Facts(const Page& a, const Page& b) {
  PairFacts facts;
  facts.tokens_a = a.tokens.size();
  facts.tokens_b = b.tokens.size();
  facts.same_tokens = a.tokens == b.tokens;
  facts.content = Compare(a.words.shingles, b.words.shingles);
  facts.layout = Compare(a.layout, b.layout);
  return facts;
}

}  // namespace

TWINSET_FUZZ_TARGET(pair) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(bytes.find('\xFF'), size);
  Page a, b;
  if (!Load(bytes.substr(0, cut), &a)) return 0;
  if (!Load(bytes.substr(std::min(cut + 1, size)), &b)) return 0;
  const PairFacts there = Facts(a, b), back = Facts(b, a);
  if (ClassifyPair(there) != ClassifyPair(back)) std::abort();
  const PairGrade grade = GradePair(there), other = GradePair(back);
  if (grade.per_mille != other.per_mille || grade.per_mille > 999) std::abort();
  if (grade.reason != other.reason || grade.reason.empty()) std::abort();
  const PairFacts self = Facts(a, a);
  if (!a.tokens.empty()) {
    if (ClassifyPair(self) != DuplicateKind::kExact) std::abort();
    if (GradePair(self).per_mille < grade.per_mille) std::abort();
  }
  return 0;
}
