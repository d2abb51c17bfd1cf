// What a report of a finished run tells, gathered from its result folder and
// its inputs.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_STORY_H_
#define TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_STORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/report/pair_draw.h"
#include "pipeline/report/report_counts.h"
#include "pipeline/report/texts_again.h"
#include "pipeline/report/typical_pairs.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/results.h"

namespace twinset {

struct ShownPair {
  DrawnPair pair;
  size_t left = 0, right = 0;  // texts
};

struct ShownPassage {
  uint64_t tokens = 0;
  double similarity = 0;
  size_t left_window = 0, right_window = 0;
};

struct ShownCluster {
  std::string id, url;
  uint64_t size = 0;
  double least = 1;        // similarity of a member to the one that stays
  size_t text = SIZE_MAX;  // of the one that stays
};

// One of the most frequent units.
struct ShownUnit {
  std::string text;  // how it begins: a row of units has no more
  uint64_t count = 0, documents = 0;
  // Where it stands first; nothing where that is not known.
  std::string id;
  uint64_t begin = 0, tokens = 0;
  bool is_cut = false;                     // `text` is not all of it
  size_t document = SIZE_MAX, window = 0;  // its text
};

// The inputs of one side of a match, or all of them.
struct RunSide {
  uint64_t inputs = 0;
  std::string first, second;  // names of the first two
  std::string folder;         // that all are in; empty: there is none

  void Add(const std::string& source);
};

struct RunStory {
  enum Kind { kDocuments, kUnits, kMatch };

  Json summary;
  Kind kind = kDocuments;
  bool is_containment = false;
  PlanOptions options;    // of the parameters
  bool is_exact = false;  // the method finds equal documents

  ReportCounts counts;
  uint64_t members = 0;  // of clusters, without those that stay
  std::vector<ShownPair> pairs;
  std::vector<PairGroup> groups;  // of a match: they hold `pairs`, in order
  uint64_t ungrouped = 0;         // pairs of kinds that are not shown
  std::vector<std::vector<ShownPassage>> passages;  // of each pair
  std::vector<ShownCluster> clusters;               // largest first
  std::vector<ShownUnit> units;                     // most frequent first
  std::vector<Json> quarantine;                     // its first rows
  // Those that lose most, and all of them.
  std::vector<Json> sources;
  uint64_t all_sources = 0;
  RunSide sides[2];  // the second one of a match alone
  TextsAgain texts;
  std::string no_texts;  // why some are missing: a sentence

  double threshold() const { return options.method.threshold; }
};

// The count at `key`; 0 where there is none.
inline uint64_t CountIn(const Json& object, const char* key) {
  return object[key].get<uint64_t>();
}

// "a.jsonl", "a.jsonl and b.jsonl", the folder of all inputs, "a.jsonl and 2
// more inputs", "the first collection".
std::string SideName(const RunStory& story, size_t side);

// "have the bytes of", in one word or two: what the exact method calls equal.
std::string EqualInWords(const RunStory& story);

// What the summary of a run alone says; its folder has the names of the
// inputs.
Result<RunStory> StoryOfSummary(const std::string& folder, Json summary);

// `given`: where the inputs are said to be. Memory: a few MB and one record.
Result<RunStory> GatherRun(const std::string& folder, Json summary,
                           const ReportOptions& given);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_REPORT_RUN_STORY_H_
