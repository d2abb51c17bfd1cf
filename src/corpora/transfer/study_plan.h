// What a study is asked to do: its configuration file, read and checked
// (docs/formats/study.md).
#ifndef TWINSET_SRC_CORPORA_TRANSFER_STUDY_PLAN_H_
#define TWINSET_SRC_CORPORA_TRANSFER_STUDY_PLAN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/corpora/qrels.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

inline constexpr size_t kMostSegments = 64;

struct StudyPlan {
  uint64_t seed = 1;
  double threshold = 0.9;          // J from here on is a near-duplicate
  std::string measure = "word:5";  // shingles of J
  TokenRule tokens = TokenRule::kUnicode;
  std::vector<ContentMode> content = {ContentMode::kAll, ContentMode::kMain};

  InputOptions a, b, control;      // control: no inputs, none is compared
  std::vector<std::string> qrels;  // of A
  // B in parts: by what the expression's first group, or all of it, matches in
  // ids; empty: each input of B is one.
  std::string segment_pattern;

  struct Candidates {
    std::vector<std::string> mixes = {"word:2", "word:2+word:3", "word:3",
                                      "word:3+word:5", "word:5"};
    int bits = 64, distance = 3;
    std::string tables;  // block design; empty: derived
    FeatureHash feature_hash = FeatureHash::kSpec;
    uint64_t bucket_limit = 4096;
    bool complete = true;  // also find all pairs at the threshold
  } candidates;

  struct Extrapolation {
    uint32_t fit = 5, draws = 30;
    // Segments of the whole of which B is a part; 0: B is the whole.
    uint32_t to = 0;
  } extrapolation;

  struct Retrieval {
    std::vector<std::string> topics;  // none: no systems are compared
    // Along whose pairs judgements and runs go: a mix or "complete".
    std::string pairs = "complete";
    ConflictRule conflict = ConflictRule::kMax;
    uint32_t results = 1000, draws = 5;
    int relevance_level = 1;
    uint64_t permutations = 1000;
    std::vector<double> shares = {0.8, 0.6, 0.4, 0.2, 0.1};
  } retrieval;

  // Pairs that people judge.
  struct Assessment {
    bool wanted = false;
    uint32_t pairs = 100;             // of each search
    double least_grade = 0.5;         // a near-duplicate by its grade
    std::vector<std::string> labels;  // files; none: only the pairs are written
  } assessment;
};

// `folder`: what relative paths are relative to, with a final slash or empty.
// `where` names the file in errors. kUsage for what is no TOML, for keys that
// are not known, values of another type or out of range, with their lines.
// Never throws, whatever the text is.
Result<StudyPlan> ParseStudyPlan(const std::string& text,
                                 const std::string& where,
                                 const std::string& folder);
// The file, relative to its own folder.
Result<StudyPlan> ReadStudyPlan(const std::string& path);

// What of a mix or mode stands in file names: "word:2+word:3" is "word2+word3".
std::string FileWord(std::string_view name);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_STUDY_PLAN_H_
