// Candidates of A's documents in B by one mix of n-grams, counted by judged
// document and segment.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_CANDIDATE_SEARCH_H_
#define TWINSET_SRC_CORPORA_TRANSFER_CANDIDATE_SEARCH_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/id_table.h"
#include "transfer/segments.h"
#include "transfer/study_plan.h"
#include "twinset/corpora/study_searches.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

struct SearchInput {
  const StudyPlan* plan = nullptr;
  const InputOptions* a = nullptr;  // A, or the control
  const IdTable* judged = nullptr;
  const Segments* segments = nullptr;
  ContentMode content = ContentMode::kAll;
  std::string mix;    // shingles of the fingerprint; empty: the complete join
  std::string work;   // folder for work files
  std::string pairs;  // where near-duplicates go: {"a","b","similarity"}
  // Where pairs of judged documents for people to judge go; empty: none are
  // drawn.
  std::string assess;
  ResourceOptions resources;
  const std::atomic<bool>* stop = nullptr;
};

struct SearchOutcome {
  StudySearch numbers;
  // Bits by segment, by number of the judged document: one has a candidate
  // there, a near-duplicate there.
  std::vector<uint64_t> found, near;
  std::vector<std::string> warnings;
};

// Candidates are all pairs within the distance, those of no common shingle
// included; each has its exact J. Held: 8 bytes a judged document and segment,
// 8 per document of A with a candidate. Two runs of `match` in the work folder
// whose pairs are read side by side.
Result<SearchOutcome> SearchCandidates(const SearchInput& input);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_CANDIDATE_SEARCH_H_
