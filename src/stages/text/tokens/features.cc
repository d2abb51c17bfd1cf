#include "text/tokens/features.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "kernels/kernels.h"
#include "text/tokens/features_shingles.h"
#include "text/tokens/tokens.h"

namespace twinset {

using features_internal::CharacterJoiner;
using features_internal::ForEachCodePoint;
using features_internal::HashCodePoint;
using features_internal::MakeKeys;
using features_internal::SecretHash;
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
                                   FeatureHash hash, Filter filter)
    : rule_(tokens),
      hash_(hash),
      filter_(std::move(filter)),
      kinds_(std::move(kinds)) {
  for (const ShingleKind& kind : kinds_) {
    keys_.push_back(MakeKeys(kind));
    size_t* longest = kind.unit == ShingleKind::kWord   ? &max_words_
                      : kind.unit == ShingleKind::kChar ? &max_chars_
                                                        : nullptr;
    if (longest != nullptr) *longest = std::max<size_t>(*longest, kind.n);
  }
}

FeatureExtractor::FeatureExtractor(TokenRule tokens,
                                   std::vector<ShingleKind> kinds,
                                   const HashKey& secret, Filter filter)
    : FeatureExtractor(tokens, std::move(kinds), FeatureHash::kSpec,
                       std::move(filter)) {
  secret_ = std::make_shared<const SecretHash>(kinds_, secret);
}

template <class Maker>
std::vector<Maker> FeatureExtractor::Makers(bool secret) const {
  std::vector<Maker> makers;
  makers.reserve(kinds_.size());
  for (size_t i = 0; i < kinds_.size(); ++i) {
    makers.emplace_back(rule_, kinds_[i], keys_[i],
                        secret ? secret_->keys[i] : keys_[i], hash_);
  }
  return makers;
}

void FeatureExtractor::Extract(std::string_view clean, FeatureScratch* scratch,
                               Features* features) const {
  FillOne(clean, true, scratch, features);
}

void FeatureExtractor::Sequence(std::string_view clean, FeatureScratch* scratch,
                                Features* features) const {
  FillOne(clean, false, scratch, features);
}

void FeatureExtractor::FillOne(std::string_view clean, bool as_set,
                               FeatureScratch* scratch,
                               Features* features) const {
  const Output output = {secret_ != nullptr, as_set, features};
  if (hash_ == FeatureHash::kSpec) {
    Fill<ShingleMaker>(clean, {&output, 1}, scratch);
  } else {
    Fill<TextShingleMaker>(clean, {&output, 1}, scratch);
  }
}

void FeatureExtractor::ExtractBoth(std::string_view clean, bool as_set,
                                   bool open_as_set, FeatureScratch* scratch,
                                   Features* features, Features* open) const {
  const Output outputs[] = {{true, as_set, features},
                            {false, open_as_set, open}};
  Fill<ShingleMaker>(clean, outputs, scratch);
}

namespace {

// The unit hashes of one pass under one hash.
struct UnitHashes {
  std::vector<uint64_t>* tokens = nullptr;
  std::vector<uint64_t>* points = nullptr;
};

// Room for the shingles of a large text, each as often as it stands there:
// vectors that grow hold twice what they have while they move. Room that is not
// filled takes no memory.
void ReserveRepeats(size_t text_bytes, const std::vector<ShingleKind>& kinds,
                    Features* features) {
  constexpr size_t kLargeBytes = 1 << 20;
  if (text_bytes < kLargeBytes) return;
  size_t most = 0;
  for (const ShingleKind& kind : kinds)
    most += text_bytes / (kind.unit == ShingleKind::kChar ? 1 : 2);
  features->shingles.reserve(most);
}

// Where the hashes of a window go, behind those that are carried.
uint64_t* RoomFor(size_t count, size_t carried, std::vector<uint64_t>* hashes) {
  if (hashes->size() < carried + count) hashes->resize(carried + count);
  return hashes->data() + carried;
}

}  // namespace

template <class Maker>
void FeatureExtractor::Fill(std::string_view clean,
                            std::span<const Output> outputs,
                            FeatureScratch* scratch) const {
  // Code points are hashed for the spec's char shingles.
  const size_t max_chars = Maker::kHashesUnits ? max_chars_ : 0;
  struct Making {
    std::vector<Maker> makers;
    UnitHashes units;
    size_t compact_at = kCompactAt;
  };
  std::vector<Making> makings;
  makings.reserve(outputs.size());
  bool needs_public = false;
  for (const Output& output : outputs) {
    needs_public = needs_public || !output.secret || secret_->has_chunks;
    output.features->shingles.clear();
    if (!output.as_set) ReserveRepeats(clean.size(), kinds_, output.features);
    output.features->token_count = 0;
    makings.push_back({Makers<Maker>(output.secret),
                       output.secret
                           ? UnitHashes{&scratch->secret_token_hashes,
                                        &scratch->secret_code_point_hashes}
                           : UnitHashes{&scratch->token_hashes,
                                        &scratch->code_point_hashes}});
  }
  CharacterJoiner joiner(rule_);
  TokenStream stream(clean, rule_, scratch, kTokenWindowBytes, nullptr,
                     filter_.get());
  ShingleInput input;
  uint64_t token_count = 0;
  const auto behind = [](const std::vector<uint64_t>& hashes, size_t carried) {
    return hashes.empty() ? nullptr : hashes.data() + carried;
  };
  const auto show = [&](const Making& making) {
    input.token_hashes = behind(*making.units.tokens, input.carried_tokens);
    input.public_hashes = behind(scratch->token_hashes, input.carried_tokens);
    input.code_point_hashes =
        behind(*making.units.points, input.carried_code_points);
  };
  while (stream.Next(&input.tokens)) {
    const TokenWindow& tokens = input.tokens;
    const size_t count = tokens.count;
    const size_t total = input.carried_tokens + count;
    if (needs_public) {
      kernels::HashTokens(
          tokens.text, tokens.begins, tokens.ends, count,
          RoomFor(count, input.carried_tokens, &scratch->token_hashes));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].secret) continue;
      kernels::HashTokensKeyed(
          secret_->tokens, tokens.text, tokens.begins, tokens.ends, count,
          RoomFor(count, input.carried_tokens, makings[i].units.tokens));
    }
    if (max_chars > 0) {
      for (const Making& making : makings)
        making.units.points->resize(input.carried_code_points);
      ForEachCodePoint(tokens, &joiner, [&](uint32_t c, const TextBounds&) {
        for (size_t i = 0; i < outputs.size(); ++i) {
          makings[i].units.points->push_back(
              outputs[i].secret ? secret_->CodePoint(c) : HashCodePoint(c));
        }
      });
      input.code_points =
          makings[0].units.points->size() - input.carried_code_points;
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      show(makings[i]);
      std::vector<uint64_t>& shingles = outputs[i].features->shingles;
      for (Maker& maker : makings[i].makers)
        maker.Add(input, &shingles, nullptr);
      if (outputs[i].as_set && shingles.size() >= makings[i].compact_at) {
        shingles.resize(kernels::SortUnique(shingles.data(), shingles.size()));
        makings[i].compact_at = std::max(kCompactAt, 2 * shingles.size());
      }
    }
    token_count += count;
    // What the next window needs of this one. At the end of the text it is also
    // all that a text shorter than a shingle has.
    const size_t keep = std::min(total, std::max<size_t>(max_words_, 1) - 1);
    const size_t points = input.carried_code_points + input.code_points;
    const size_t keep_points =
        max_chars > 0 ? std::min(points, max_chars - 1) : 0;
    bool carries_public = needs_public;
    for (const Making& making : makings) {
      Carry(making.units.tokens, total, keep);
      if (max_chars > 0) Carry(making.units.points, points, keep_points);
      carries_public =
          carries_public && making.units.tokens != &scratch->token_hashes;
    }
    if (carries_public) Carry(&scratch->token_hashes, total, keep);
    input.carried_tokens = keep;
    input.carried_code_points = keep_points;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    show(makings[i]);
    std::vector<uint64_t>& shingles = outputs[i].features->shingles;
    for (Maker& maker : makings[i].makers)
      maker.Finish(input, &shingles, nullptr);
    if (outputs[i].as_set)
      shingles.resize(kernels::SortUnique(shingles.data(), shingles.size()));
    outputs[i].features->token_count = token_count;
    outputs[i].features->code_points = stream.code_points();
  }
}

std::vector<ShingleSpan> FeatureExtractor::Spans(std::string_view clean) const {
  return hash_ == FeatureHash::kSpec ? FillSpans<ShingleMaker>(clean)
                                     : FillSpans<TextShingleMaker>(clean);
}

struct FeatureExtractor::WholeText {
  FeatureScratch scratch;
  ShingleInput input;
  std::vector<TextBounds> bounds;  // of characters
  std::vector<uint32_t> points;    // the characters
};

bool FeatureExtractor::ReadWhole(TokenStream* stream, WholeText* whole) const {
  ShingleInput& input = whole->input;
  FeatureScratch& scratch = whole->scratch;
  if (!stream->Next(&input.tokens)) return false;
  const TokenWindow& tokens = input.tokens;
  uint64_t* hashes = RoomFor(tokens.count, 0, &scratch.token_hashes);
  kernels::HashTokens(tokens.text, tokens.begins, tokens.ends, tokens.count,
                      hashes);
  input.public_hashes = input.token_hashes = hashes;
  if (secret_ != nullptr) {
    hashes = RoomFor(tokens.count, 0, &scratch.secret_token_hashes);
    kernels::HashTokensKeyed(secret_->tokens, tokens.text, tokens.begins,
                             tokens.ends, tokens.count, hashes);
    input.token_hashes = hashes;
  }
  if (max_chars_ == 0) return true;
  CharacterJoiner joiner(rule_);
  ForEachCodePoint(tokens, &joiner, [&](uint32_t c, const TextBounds& at) {
    scratch.code_point_hashes.push_back(
        secret_ != nullptr ? secret_->CodePoint(c) : HashCodePoint(c));
    whole->bounds.push_back(at);
    whole->points.push_back(c);
  });
  input.code_points = whole->bounds.size();
  input.code_point_hashes = scratch.code_point_hashes.data();
  return true;
}

template <class Maker>
std::vector<ShingleSpan> FeatureExtractor::FillSpans(
    std::string_view clean) const {
  WholeText whole;
  NormalisedMap map;
  TokenStream stream(clean, rule_, &whole.scratch, kOneWindow, &map,
                     filter_.get());
  std::vector<ShingleSpan> spans;
  if (!ReadWhole(&stream, &whole)) return spans;
  const TokenWindow& tokens = whole.input.tokens;
  const std::vector<TextBounds>& bounds = whole.bounds;
  std::vector<Maker> makers = Makers<Maker>(secret_ != nullptr);
  for (size_t k = 0; k < kinds_.size(); ++k) {
    std::vector<uint64_t> hashes;
    std::vector<UnitRange> ranges;
    makers[k].Add(whole.input, &hashes, &ranges);
    makers[k].Finish(whole.input, &hashes, &ranges);
    const bool chars = kinds_[k].unit == ShingleKind::kChar;
    for (size_t i = 0; i < hashes.size(); ++i) {
      const auto [first, last] = ranges[i];
      spans.push_back(
          {hashes[i],
           CleanBegin(map,
                      chars ? bounds[first].begin : tokens.place_begins[first],
                      tokens.place_ends[tokens.count - 1]),
           CleanEnd(map, chars ? bounds[last].end : tokens.place_ends[last])});
    }
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const ShingleSpan& a, const ShingleSpan& b) {
                     return a.begin < b.begin;
                   });
  return spans;
}

std::vector<ShingleText> FeatureExtractor::Texts(std::string_view clean,
                                                 std::string* buffer) const {
  WholeText whole;
  TokenStream stream(clean, rule_, &whole.scratch, kOneWindow, nullptr,
                     filter_.get());
  std::vector<ShingleText> texts;
  buffer->clear();
  if (!ReadWhole(&stream, &whole)) return texts;
  // All tokens, then all characters, and where in the buffer each begins.
  const TokenWindow& tokens = whole.input.tokens;
  std::vector<size_t> of_tokens, of_points;
  for (size_t i = 0; i < tokens.count; ++i) {
    of_tokens.push_back(buffer->size());
    const uint32_t size = tokens.ends[i] - tokens.begins[i];
    AppendLE(buffer, size);
    buffer->append(tokens.text + tokens.begins[i], size);
  }
  of_tokens.push_back(buffer->size());
  for (const uint32_t c : whole.points) {
    of_points.push_back(buffer->size());
    AppendLE(buffer, c);
  }
  of_points.push_back(buffer->size());
  const std::string_view all(*buffer);
  std::vector<ShingleMaker> makers = Makers<ShingleMaker>(secret_ != nullptr);
  for (size_t k = 0; k < kinds_.size(); ++k) {
    std::vector<uint64_t> hashes;
    std::vector<UnitRange> ranges;
    makers[k].Add(whole.input, &hashes, &ranges);
    makers[k].Finish(whole.input, &hashes, &ranges);
    const std::vector<size_t>& places =
        kinds_[k].unit == ShingleKind::kChar ? of_points : of_tokens;
    for (size_t i = 0; i < hashes.size(); ++i) {
      const size_t begin = places[ranges[i].first];
      texts.push_back({hashes[i], static_cast<uint32_t>(k),
                       all.substr(begin, places[ranges[i].last + 1] - begin)});
    }
  }
  return texts;
}

void FeatureExtractor::ForEachToken(
    std::string_view clean,
    const std::function<void(const TokenView&)>& body) const {
  FeatureScratch scratch;
  NormalisedMap map;
  TokenStream stream(clean, rule_, &scratch, kTokenWindowBytes, &map,
                     filter_.get());
  TokenWindow window;
  while (stream.Next(&window)) {
    const uint32_t text_end = window.place_ends[window.count - 1];
    for (size_t i = 0; i < window.count; ++i) {
      const uint32_t begin = window.begins[i], end = window.ends[i];
      body({CleanBegin(map, window.place_begins[i], text_end),
            CleanEnd(map, window.place_ends[i]),
            {window.text + begin, end - begin}});
    }
  }
}

bool FeatureExtractor::HasToken(std::string_view clean) const {
  FeatureScratch scratch;
  TokenStream stream(clean, rule_, &scratch, kTokenWindowBytes, nullptr,
                     filter_.get());
  TokenWindow window;
  return stream.Next(&window);
}

std::vector<Token> FeatureExtractor::Tokens(std::string_view clean) const {
  std::vector<Token> tokens;
  ForEachToken(clean, [&](const TokenView& token) {
    tokens.push_back({token.begin, token.end, std::string(token.text)});
  });
  return tokens;
}

void JoinTokens(std::string_view clean, TokenRule rule, FeatureScratch* scratch,
                std::string* out, const TokenFilter* filter) {
  out->clear();
  TokenStream stream(clean, rule, scratch, kTokenWindowBytes, nullptr, filter);
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
