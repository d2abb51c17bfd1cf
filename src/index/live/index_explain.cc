// How two documents of an index differ.
#include <algorithm>
#include <vector>

#include "base/keyed_hash.h"
#include "live/index_features.h"
#include "pipeline/report/text_diff.h"
#include "text/charset/charset.h"
#include "verify/diff.h"

namespace twinset {

namespace {

constexpr uint64_t kMaxDiffCost = 2000;
// What a row can show.
constexpr size_t kMostDifferences = 20, kMostBytes = 200;

struct TokenizedText {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<uint64_t> hashes;

  TokenizedText(std::string_view of, const FeatureExtractor& extractor)
      : text(of), tokens(extractor.Tokens(of)) {
    hashes.reserve(tokens.size());
    for (const Token& token : tokens)
      hashes.push_back(EqualityHash::OfProcess().Short(token.text));
  }
};

std::string Shown(std::string_view text) {
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  if (text.size() <= kMostBytes) return std::string(text);
  const std::string_view begin = text.substr(0, kMostBytes);
  return std::string(begin.substr(0, ValidUtf8Prefix(begin))) + "\u2026";
}

}  // namespace

void IndexFeatures::Explain(std::string_view a, std::string_view b,
                            IndexMatch* match) const {
  if (!IsHashed(lone_.plan.features.form) || a == b) return;
  const FeatureExtractor& extractor = *lone_.plan.features.extractors.front();
  const TokenizedText x(a, extractor), y(b, extractor);
  for (const DiffRun& run :
       DiffTexts({x.text, x.tokens}, {y.text, y.tokens},
                 AlignTokens(x.hashes, y.hashes, kMaxDiffCost))) {
    if (run.kind == DiffKind::kBoth) continue;
    if (match->differences.size() == kMostDifferences) {
      ++match->more_differences;
      continue;
    }
    match->differences.push_back(
        {run.kind == DiffKind::kOnlyX, run.tokens, Shown(run.text)});
  }
}

}  // namespace twinset
