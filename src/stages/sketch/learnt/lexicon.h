// A frozen choice of the terms of a corpus by document frequency: what I-Match
// signatures are made of (docs/methods/i-match.md).
#ifndef TWINSET_SRC_STAGES_SKETCH_LEARNT_LEXICON_H_
#define TWINSET_SRC_STAGES_SKETCH_LEARNT_LEXICON_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/lexicon.h"

namespace twinset {

// kUsage unless min_df >= 1 and the shares are in [0, 1), together below 1.
Status CheckLexiconRules(const LexiconRules& rules);

struct LexiconTerm {
  uint64_t hash = 0;  // its word:1 shingle
  uint32_t frequency = 0;
  std::string text;  // normalised, cut to kMaxTermBytes; empty where it was
                     // learnt from hashes
  friend bool operator==(const LexiconTerm&, const LexiconTerm&) = default;
};

// Immutable; thread-safe.
struct Lexicon {
  // At most this many of the terms that the rules leave stay, from the most
  // common on: a constant of the spec.
  static constexpr uint64_t kMaxTerms = 1 << 20;
  static constexpr size_t kMaxTermBytes = 255;

  LexiconRules rules;
  std::string tokens;       // the --tokens it was built with; empty: unknown
  uint64_t documents = 0;   // of the corpus
  uint64_t counted = 0;     // distinct terms of the corpus
  uint64_t ranked = 0;      // of them, those in min_df documents or more
  uint64_t first_rank = 0;  // of terms[0] among the ranked
  std::vector<LexiconTerm> terms;  // in the order of rank

  // log2(documents / frequency) in 1/65536.
  uint32_t Idf(const LexiconTerm& term) const;
  // The hashes of the terms, ascending.
  std::vector<uint64_t> SortedHashes() const;

  // The stored form, and back: kCorrupt for bytes that are not one,
  // kUnsupported for one of another version or spec. `where` is for messages.
  std::string Encode() const;
  static Result<Lexicon> Decode(std::string_view bytes,
                                const std::string& where);
  friend bool operator==(const Lexicon&, const Lexicon&) = default;
};

Result<Lexicon> ReadLexicon(const std::string& path);
Status WriteLexicon(const Lexicon& lexicon, const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_LEARNT_LEXICON_H_
