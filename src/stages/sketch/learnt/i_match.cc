#include "sketch/learnt/i_match.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/hash.h"

namespace twinset {
namespace {

// "i-match1" to "i-match4", big-endian: keys of the draws, of signatures, of
// what stands where there is no signature, and of signatures of short
// documents.
constexpr uint64_t kDrawSeed = 0x692d6d6174636831;
constexpr uint64_t kSignatureSeed = 0x692d6d6174636832;
constexpr uint64_t kWholeSeed = 0x692d6d6174636833;
constexpr uint64_t kShortSeed = 0x692d6d6174636834;

// Terms ascending: the order and number of their occurrences are gone.
uint64_t Signature(std::span<const uint64_t> terms, uint64_t seed) {
  return Hash64({reinterpret_cast<const char*>(terms.data()),
                 terms.size() * sizeof(uint64_t)},
                seed);
}

void Append(uint64_t value, Sketch* sketch) {
  sketch->push_back(static_cast<uint32_t>(value));
  sketch->push_back(static_cast<uint32_t>(value >> 32));
}

// The terms of `document` that are in `lexicon`, both ascending.
void Retain(const std::vector<uint64_t>& lexicon,
            std::span<const uint64_t> document,
            std::vector<uint64_t>* retained) {
  retained->clear();
  auto from = lexicon.begin();
  for (const uint64_t term : document) {
    from = std::lower_bound(from, lexicon.end(), term);
    if (from == lexicon.end()) return;
    if (*from == term) retained->push_back(term);
  }
}

class IMatchSketcher : public Sketcher {
 public:
  IMatchSketcher(std::vector<uint64_t> terms, const IMatchOptions& options)
      : terms_(std::move(terms)),
        short_terms_(options.short_terms),
        min_terms_(static_cast<size_t>(options.min_terms)) {
    for (int i = 0; i < options.lexicons; ++i)
      draws_.emplace_back(options.seed, i, options.drop);
  }

  std::string name() const override { return "i-match"; }
  SketchLayout layout() const override { return {.value_bits = 64}; }

  void Compute(std::string_view features, Sketch* sketch) const override {
    sketch->clear();
    const std::span<const uint64_t> document = AsHashes(features);
    std::vector<uint64_t> retained, kept;
    uint64_t seed = kSignatureSeed;
    Retain(terms_, document, &retained);
    if (retained.size() < min_terms_) {
      seed = kShortSeed;
      Retain(short_terms_, document, &retained);
    }
    if (retained.size() < min_terms_) return;
    Append(Signature(retained, seed), sketch);
    for (const LexiconDraw& draw : draws_) {
      kept.clear();
      for (const uint64_t term : retained) {
        if (!draw.Drops(term)) kept.push_back(term);
      }
      // Where too little is left, the whole document stands in: equal only for
      // documents of the same terms.
      Append(kept.size() < min_terms_ ? Signature(document, kWholeSeed)
                                      : Signature(kept, seed),
             sketch);
    }
  }

  double Estimate(SketchView a, SketchView b) const override {
    return CompareSketches(layout(), a, b).equal > 0 ? 1 : 0;
  }

 private:
  std::vector<uint64_t> terms_, short_terms_;
  std::vector<LexiconDraw> draws_;
  size_t min_terms_;
};

}  // namespace

LexiconDraw::LexiconDraw(uint64_t seed, int index, double drop)
    : key_(Mix64(Mix64(kDrawSeed ^ seed) + static_cast<uint64_t>(index))),
      limit_(drop >= 1 ? ~uint64_t{0}
                       : static_cast<uint64_t>(drop * 18446744073709551616.0)) {
}

bool LexiconDraw::Drops(uint64_t term) const {
  return Mix64(term ^ key_) < limit_;
}

Result<std::unique_ptr<Sketcher>> MakeIMatchSketcher(
    std::vector<uint64_t> terms, const IMatchOptions& options) {
  if (options.lexicons < 0 || options.lexicons > kMaxRandomLexicons) {
    return Fail(ErrorCode::kUsage, "--lexicons must be from 0 to " +
                                       std::to_string(kMaxRandomLexicons));
  }
  if (!(options.drop > 0 && options.drop < 1)) {
    return Fail(ErrorCode::kUsage, "--lexicon-drop must be above 0 and below 1",
                "", "without randomised lexica: --lexicons 0");
  }
  if (options.min_terms < 1) {
    return Fail(ErrorCode::kUsage, "--min-terms must be at least 1", "",
                "documents without any term of the lexicon would all be equal");
  }
  return std::make_unique<IMatchSketcher>(std::move(terms), options);
}

}  // namespace twinset
