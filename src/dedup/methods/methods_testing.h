// For tests only: documents in memory as a method stores, learns, sketches and
// compares them, without a run.
#ifndef TWINSET_SRC_DEDUP_METHODS_METHODS_TESTING_H_
#define TWINSET_SRC_DEDUP_METHODS_METHODS_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/memory_budget.h"
#include "base/test_dir.h"
#include "methods/registry.h"
#include "text/tokens/features.h"

namespace twinset {

inline MethodOptions Named(const std::string& name) {
  MethodOptions options;
  options.name = name;
  return options;
}

inline const Method& MethodCalled(const std::string& name) {
  const auto found = FindMethod(name);
  EXPECT_TRUE(found) << name;
  return **found;
}

// Hashes as they are stored.
inline std::string Stored(const std::vector<uint64_t>& hashes) {
  std::string bytes;
  for (const uint64_t hash : hashes) AppendLE(&bytes, hash);
  return bytes;
}

// The members of {1, 2, ...} whose bits are set, ascending.
inline std::vector<uint64_t> SetOfBits(uint64_t bits) {
  std::vector<uint64_t> set;
  for (uint64_t x = 1; bits != 0; ++x, bits >>= 1)
    if (bits & 1) set.push_back(x);
  return set;
}

// The tokens of a text, joined by one space.
inline std::string TokensOf(std::string_view text) {
  const FeatureExtractor words(TokenRule::kUnicode, {{}});
  std::string joined;
  for (const Token& token : words.Tokens(text))
    joined += (joined.empty() ? "" : " ") + token.text;
  return joined;
}

// One stored form of a text; `shingle` is --shingle.
inline std::string StoredView(const FeatureView& view, std::string_view text,
                              const std::string& shingle = "word:3") {
  if (view.form == FeatureForm::kPayload || view.form == FeatureForm::kText)
    return std::string(text);
  if (view.form == FeatureForm::kTokens) return TokensOf(text);
  const auto kinds =
      ParseShingles(view.shingle.empty() ? shingle : view.shingle);
  EXPECT_TRUE(kinds && IsHashed(view.form));
  const FeatureExtractor extractor(TokenRule::kUnicode, *kinds, view.hash);
  std::vector<uint64_t> hashes;
  for (const ShingleSpan& span : extractor.Spans(text))
    hashes.push_back(span.hash);
  if (view.form != FeatureForm::kSequence)
    std::sort(hashes.begin(), hashes.end());
  if (view.form == FeatureForm::kShingles)
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return Stored(hashes);
}

// The parts of a method that learns nothing.
inline MethodParts PartsOf(const MethodOptions& options) {
  auto parts = MethodCalled(options.name).make(options, nullptr);
  EXPECT_TRUE(parts) << parts.error().ToString();
  return parts ? std::move(*parts) : MethodParts();
}

inline Sketch SketchOf(const MethodParts& parts, const std::string& view,
                       size_t sketcher = 0) {
  Sketch sketch;
  if (!view.empty()) parts.sketchers[sketcher]->Compute(view, &sketch);
  return sketch;
}

// The keys of a document, ascending.
inline std::vector<uint64_t> KeysOf(const MethodParts& parts,
                                    const std::vector<Sketch>& sketches,
                                    uint64_t scope = 0) {
  std::vector<uint64_t> keys;
  parts.generator->Keys(sketches, scope, &keys);
  std::sort(keys.begin(), keys.end());
  return keys;
}

inline bool AnyCommon(const std::vector<uint64_t>& x,
                      const std::vector<uint64_t>& y) {
  return std::any_of(x.begin(), x.end(), [&](uint64_t key) {
    return std::binary_search(y.begin(), y.end(), key);
  });
}

inline bool Passes(const MethodParts& parts, const std::vector<Sketch>& a,
                   const std::vector<Sketch>& b) {
  if (parts.filter == nullptr) return true;
  const std::vector<SketchView> x(a.begin(), a.end()), y(b.begin(), b.end());
  return parts.filter->Passes(x, y);
}

// A method that has seen some texts: its parts, what it learnt, and for each
// text the stored views and the sketches.
class MethodOnTexts {
 public:
  MethodOnTexts(const Method& method, const MethodOptions& options,
                const std::vector<std::string>& texts, int threads = 1)
      : method_(method) {
    const auto views = method.views(options);
    EXPECT_TRUE(views) << views.error().ToString();
    for (const std::string& text : texts) {
      documents_.emplace_back();
      for (const FeatureView& view : *views)
        documents_.back().push_back(StoredView(view, text));
    }
    if (method.learns && method.learns(options)) Learn(options, threads);
    auto made = method.make(options, model());
    EXPECT_TRUE(made) << made.error().ToString();
    if (made) parts_ = std::move(*made);
    for (size_t d = 0; d < size(); ++d) sketches_.push_back(Sketched(d));
  }

  size_t size() const { return documents_.size(); }
  const MethodParts& parts() const { return parts_; }
  const CorpusModel* model() const { return model_ ? &*model_ : nullptr; }
  std::vector<std::string_view> Views(size_t document) const {
    return {documents_[document].begin(), documents_[document].end()};
  }
  // By sketcher.
  const std::vector<Sketch>& SketchesOf(size_t d) const { return sketches_[d]; }
  FeaturePass Pass() const {
    return [this](const std::function<Status(DocumentViews)>& body) -> Status {
      for (size_t d = 0; d < size(); ++d) TWINSET_TRY(body(Views(d)));
      return {};
    };
  }

  double Estimate(size_t sketcher, size_t a, size_t b) const {
    return parts_.sketchers[sketcher]->Estimate(sketches_[a][sketcher],
                                                sketches_[b][sketcher]);
  }
  std::vector<uint64_t> Keys(size_t d, uint64_t scope = 0) const {
    return KeysOf(parts_, sketches_[d], scope);
  }
  bool ShareKey(size_t a, size_t b) const {
    return AnyCommon(Keys(a), Keys(b));
  }
  bool PassesFilter(size_t a, size_t b) const {
    return Passes(parts_, sketches_[a], sketches_[b]);
  }
  Verifier::Verdict Compare(size_t a, size_t b) const {
    return parts_.verifier->Compare(documents_[a][0], documents_[b][0]);
  }

 private:
  void Learn(const MethodOptions& options, int threads) {
    const TestDir folder;
    MemoryBudget budget(256 << 20);
    PrepareContext context;
    context.pass = Pass();
    context.directory = folder.path();
    context.memory_bytes = 64 << 20;
    context.budget = &budget;
    context.threads = threads;
    auto learnt = method_.prepare(options, context);
    EXPECT_TRUE(learnt) << learnt.error().ToString();
    if (learnt) model_ = std::move(*learnt);
  }
  std::vector<Sketch> Sketched(size_t document) const {
    std::vector<Sketch> sketches(parts_.sketchers.size());
    for (size_t i = 0; i < sketches.size(); ++i) {
      const size_t view =
          parts_.sketch_views.empty() ? 0 : parts_.sketch_views[i];
      sketches[i] = SketchOf(parts_, documents_[document][view], i);
    }
    return sketches;
  }

  const Method& method_;
  std::vector<std::vector<std::string>> documents_;  // stored views
  std::optional<CorpusModel> model_;
  MethodParts parts_;
  std::vector<std::vector<Sketch>> sketches_;
};

// Texts of `words` random words of a vocabulary.
inline std::vector<std::string> RandomTexts(uint64_t seed, size_t count,
                                            size_t words,
                                            uint64_t vocabulary = 4000) {
  SplitMix64 random(seed);
  std::vector<std::string> texts(count);
  for (std::string& text : texts) {
    for (size_t i = 0; i < words; ++i) {
      text += text.empty() ? "" : " ";
      for (uint64_t n = random.Below(vocabulary) + 30; n > 0; n /= 21)
        text += "bcdfghklmnpqrstvwxyza"[n % 21];
    }
  }
  return texts;
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_METHODS_TESTING_H_
