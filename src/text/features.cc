#include "text/features.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/kernels.h"
#include "text/features_shingles.h"
#include "text/tokens.h"

namespace twinset {

using features_internal::AppendCodePoints;
using features_internal::MakeKeys;
using features_internal::ShingleInput;
using features_internal::ShingleMaker;
using features_internal::TextBounds;
using features_internal::TextShingleMaker;
using features_internal::UnitRange;

namespace {

// With a way back the whole text is one window.
constexpr size_t kOneWindow = SIZE_MAX / 4;

// Repeats are dropped early when this many shingles stand, so that a text that
// repeats itself costs what it says once.
constexpr size_t kCompactAt = 1 << 20;

// Moves the last `keep` of `total` values to the front.
void Carry(std::vector<uint64_t>* values, size_t total, size_t keep) {
  std::memmove(values->data(), values->data() + (total - keep),
               keep * sizeof(uint64_t));
}

// Where in the clean text a token stands. Tokens of TokenRule::kNonwordSplit
// may be empty and stand at either end of the text, [0, text_end).
uint32_t CleanEnd(const NormalisedMap& map, uint32_t end) {
  return end == 0 ? 0 : map.CleanEnd(end);
}
uint32_t CleanBegin(const NormalisedMap& map, uint32_t begin,
                    uint32_t text_end) {
  return begin < text_end ? map.CleanBegin(begin) : CleanEnd(map, begin);
}

}  // namespace

FeatureExtractor::FeatureExtractor(TokenRule tokens,
                                   std::vector<ShingleKind> kinds,
                                   FeatureHash hash)
    : rule_(tokens), hash_(hash), kinds_(std::move(kinds)) {
  for (const ShingleKind& kind : kinds_) {
    keys_.push_back(MakeKeys(kind));
    size_t* longest = kind.unit == ShingleKind::kWord   ? &max_words_
                      : kind.unit == ShingleKind::kChar ? &max_chars_
                                                        : nullptr;
    if (longest != nullptr) *longest = std::max<size_t>(*longest, kind.n);
  }
}

template <class Maker>
std::vector<Maker> FeatureExtractor::Makers() const {
  std::vector<Maker> makers;
  makers.reserve(kinds_.size());
  for (size_t i = 0; i < kinds_.size(); ++i) {
    makers.emplace_back(rule_, kinds_[i], keys_[i], hash_);
  }
  return makers;
}

void FeatureExtractor::Extract(std::string_view clean, FeatureScratch* scratch,
                               Features* features) const {
  if (hash_ == FeatureHash::kSpec) {
    Fill<ShingleMaker>(clean, true, scratch, features);
  } else {
    Fill<TextShingleMaker>(clean, true, scratch, features);
  }
}

void FeatureExtractor::Sequence(std::string_view clean, FeatureScratch* scratch,
                                Features* features) const {
  if (hash_ == FeatureHash::kSpec) {
    Fill<ShingleMaker>(clean, false, scratch, features);
  } else {
    Fill<TextShingleMaker>(clean, false, scratch, features);
  }
}

template <class Maker>
void FeatureExtractor::Fill(std::string_view clean, bool as_set,
                            FeatureScratch* scratch, Features* features) const {
  // Code points are hashed for the spec's char shingles.
  const size_t max_chars = Maker::kHashesUnits ? max_chars_ : 0;
  const std::string_view separator = TokenSeparator(rule_);
  std::vector<uint64_t>& shingles = features->shingles;
  shingles.clear();
  features->token_count = 0;
  std::vector<Maker> makers = Makers<Maker>();
  TokenStream stream(clean, rule_, scratch);
  std::vector<uint64_t>& hashes = scratch->token_hashes;
  std::vector<uint64_t>& points = scratch->code_point_hashes;
  ShingleInput input;
  size_t compact_at = kCompactAt;
  while (stream.Next(&input.tokens)) {
    const size_t count = input.tokens.count;
    const size_t total = input.carried_tokens + count;
    if (hashes.size() < total) hashes.resize(total);
    uint64_t* window_hashes = hashes.data() + input.carried_tokens;
    kernels::HashTokens(input.tokens.text, input.tokens.begins,
                        input.tokens.ends, count, window_hashes);
    input.token_hashes = window_hashes;
    if (max_chars > 0) {
      points.resize(input.carried_code_points);
      AppendCodePoints(input.tokens, features->token_count == 0, separator,
                       &points, nullptr);
      input.code_points = points.size() - input.carried_code_points;
      input.code_point_hashes = points.data() + input.carried_code_points;
    }
    for (Maker& maker : makers) maker.Add(input, &shingles, nullptr);
    features->token_count += count;
    // What the next window needs of this one. At the end of the text it is also
    // all that a text shorter than a shingle has.
    const size_t keep = std::min(total, std::max<size_t>(max_words_, 1) - 1);
    Carry(&hashes, total, keep);
    input.carried_tokens = keep;
    if (max_chars > 0) {
      const size_t kept = std::min(points.size(), max_chars - 1);
      Carry(&points, points.size(), kept);
      input.carried_code_points = kept;
    }
    if (as_set && shingles.size() >= compact_at) {
      shingles.resize(kernels::SortUnique(shingles.data(), shingles.size()));
      compact_at = std::max(kCompactAt, 2 * shingles.size());
    }
  }
  input.token_hashes = hashes.data() + input.carried_tokens;
  input.code_point_hashes = points.data() + input.carried_code_points;
  for (Maker& maker : makers) maker.Finish(input, &shingles, nullptr);
  if (as_set) {
    shingles.resize(kernels::SortUnique(shingles.data(), shingles.size()));
  }
  features->code_points = stream.code_points();
}

std::vector<ShingleSpan> FeatureExtractor::Spans(std::string_view clean) const {
  return hash_ == FeatureHash::kSpec ? FillSpans<ShingleMaker>(clean)
                                     : FillSpans<TextShingleMaker>(clean);
}

template <class Maker>
std::vector<ShingleSpan> FeatureExtractor::FillSpans(
    std::string_view clean) const {
  FeatureScratch scratch;
  NormalisedMap map;
  TokenStream stream(clean, rule_, &scratch, kOneWindow, &map);
  ShingleInput input;
  std::vector<ShingleSpan> spans;
  if (!stream.Next(&input.tokens)) return spans;
  const TokenWindow& tokens = input.tokens;
  scratch.token_hashes.resize(tokens.count);
  kernels::HashTokens(tokens.text, tokens.begins, tokens.ends, tokens.count,
                      scratch.token_hashes.data());
  input.token_hashes = scratch.token_hashes.data();
  std::vector<TextBounds> bounds;
  if (max_chars_ > 0) {
    AppendCodePoints(tokens, true, TokenSeparator(rule_),
                     &scratch.code_point_hashes, &bounds);
    input.code_points = bounds.size();
    input.code_point_hashes = scratch.code_point_hashes.data();
  }
  std::vector<Maker> makers = Makers<Maker>();
  for (size_t k = 0; k < kinds_.size(); ++k) {
    std::vector<uint64_t> hashes;
    std::vector<UnitRange> ranges;
    makers[k].Add(input, &hashes, &ranges);
    makers[k].Finish(input, &hashes, &ranges);
    const bool chars = kinds_[k].unit == ShingleKind::kChar;
    for (size_t i = 0; i < hashes.size(); ++i) {
      const auto [first, last] = ranges[i];
      spans.push_back(
          {hashes[i],
           CleanBegin(map, chars ? bounds[first].begin : tokens.begins[first],
                      tokens.ends[tokens.count - 1]),
           CleanEnd(map, chars ? bounds[last].end : tokens.ends[last])});
    }
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const ShingleSpan& a, const ShingleSpan& b) {
                     return a.begin < b.begin;
                   });
  return spans;
}

std::vector<Token> FeatureExtractor::Tokens(std::string_view clean) const {
  FeatureScratch scratch;
  NormalisedMap map;
  TokenStream stream(clean, rule_, &scratch, kOneWindow, &map);
  TokenWindow window;
  std::vector<Token> tokens;
  if (!stream.Next(&window)) return tokens;
  tokens.reserve(window.count);
  for (size_t i = 0; i < window.count; ++i) {
    const uint32_t begin = window.begins[i], end = window.ends[i];
    const uint32_t text_end = window.ends[window.count - 1];
    tokens.push_back({CleanBegin(map, begin, text_end), CleanEnd(map, end),
                      std::string(window.text + begin, end - begin)});
  }
  return tokens;
}

void JoinTokens(std::string_view clean, TokenRule rule, FeatureScratch* scratch,
                std::string* out) {
  out->clear();
  TokenStream stream(clean, rule, scratch);
  TokenWindow window;
  const std::string_view separator = TokenSeparator(rule);
  bool first = true;
  while (stream.Next(&window)) {
    for (size_t i = 0; i < window.count; ++i) {
      if (!first) out->append(separator);
      first = false;
      out->append(window.text + window.begins[i],
                  window.ends[i] - window.begins[i]);
    }
  }
}

}  // namespace twinset
