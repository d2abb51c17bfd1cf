// I-Match signatures (Chowdhury, Frieder, Grossman and McCabe, ACM TOIS 20
// (2002)) with lexicon randomisation (Kołcz, Chowdhury and Alspector, KDD
// 2004). See docs/methods/i-match.md.
#ifndef TWINSET_SRC_STAGES_SKETCH_LEARNT_I_MATCH_H_
#define TWINSET_SRC_STAGES_SKETCH_LEARNT_I_MATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "sketch/sketcher.h"

namespace twinset {

struct IMatchOptions {
  int lexicons = 10;  // randomised ones beside the first
  double drop = 0.1;  // share of the terms that each of them drops
  int min_terms = 4;  // a signature over fewer terms does not count
  uint64_t seed = 1;
  // The lexicon of documents with fewer terms of the other: hashes, ascending.
  // Empty: such documents are flagged.
  std::vector<uint64_t> short_terms = {};
};

inline constexpr int kMaxRandomLexicons = 256;

// Is a term dropped from randomised lexicon `index` (from 0)? A function of
// seed, index and term alone, so that all documents see the same lexica.
class LexiconDraw {
 public:
  LexiconDraw(uint64_t seed, int index, double drop);
  bool Drops(uint64_t term) const;

 private:
  uint64_t key_, limit_;
};

// `terms`: the hashes of the lexicon, ascending. Features are a set of term
// hashes. The sketch has lexicons + 1 values of 64 bits, each the signature of
// the document under one lexicon, the first under all terms. A
// document with fewer than min_terms terms of the lexicon has signatures of
// those in short_terms instead, which equal no signature of the lexicon. It is
// empty when these are too few as well: flagged, not matched. Estimate: 1 if
// any value is equal at the same place, else 0. kUsage for options out of
// range. Cost: a search in `terms` a term of the document, a multiplication or
// two a retained term and lexicon.
Result<std::unique_ptr<Sketcher>> MakeIMatchSketcher(
    std::vector<uint64_t> terms, const IMatchOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_LEARNT_I_MATCH_H_
