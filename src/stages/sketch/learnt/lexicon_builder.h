// Counts the terms of a corpus and freezes a lexicon of them, in a stated
// amount of memory (docs/methods/i-match.md).
#ifndef TWINSET_SRC_STAGES_SKETCH_LEARNT_LEXICON_BUILDER_H_
#define TWINSET_SRC_STAGES_SKETCH_LEARNT_LEXICON_BUILDER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sort_records.h"
#include "sketch/learnt/lexicon.h"
#include "store/blob_file.h"
#include "store/external_sort.h"

namespace twinset {

struct LexiconBuilderOptions {
  LexiconRules rules;
  std::string tokens;     // noted in the lexicon
  std::string directory;  // for files of sorts and terms; must exist
  uint64_t parameters_hash = 0;
  // For the sorts, from the budget; the finished lexicon is beside it.
  uint64_t memory_bytes = 4 << 20;
  int threads = 1;
};

// Usage: for every document AddTerm for its terms, where their texts are known,
// then AddDocument; Finish once. Disk: 8 bytes a distinct term of a document,
// and each text at least once. Not thread-safe.
class LexiconBuilder {
 public:
  // `budget` must outlive it.
  static Result<LexiconBuilder> Create(const LexiconBuilderOptions& options,
                                       MemoryBudget* budget);

  // The text of the term with this hash; repeats are allowed.
  Status AddTerm(uint64_t hash, std::string_view text);
  // The hashes of a document's terms, ascending; repeats count once.
  Status AddDocument(std::span<const uint64_t> hashes);
  Result<Lexicon> Finish();
  // One lexicon for each of `rules`, which differ in no more than the shares
  // that they drop and take the place of those in the options.
  Result<std::vector<Lexicon>> FinishAll(std::span<const LexiconRules> rules);

 private:
  // Where the text of a term stands.
  struct TermText {
    uint64_t hash = 0, blob = 0;
    std::array<uint64_t, 2> SortWords() const { return {hash, blob}; }
  };
  struct Ranked {
    uint64_t hash = 0, blob = 0, frequency = 0;
    // From the most common to the rarest.
    std::array<uint64_t, 2> SortWords() const { return {~frequency, hash}; }
  };

  LexiconBuilder(const LexiconBuilderOptions& options, MemoryBudget* budget);
  Status RankTerms(Lexicon* lexicon);
  Result<uint64_t> TextOf(uint64_t hash, TermText* next, bool* more);
  Status TakeTerms(std::vector<Lexicon>* lexica);

  LexiconBuilderOptions options_;
  ExternalSorter<uint64_t> occurrences_;
  ExternalSorter<TermText> texts_;
  ExternalSorter<Ranked> ranked_;
  std::optional<BlobWriter> blobs_;
  std::vector<uint64_t> seen_;  // hashes whose text was stored not long ago
  uint64_t documents_ = 0;
  uint64_t most_ = 0, least_ = 0;  // frequency of the ranked terms
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_SKETCH_LEARNT_LEXICON_BUILDER_H_
