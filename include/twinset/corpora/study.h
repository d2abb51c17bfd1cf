// Runs the whole pilot of a transfer study from one file. The study asks
// whether judgements of one collection serve another
// (docs/methods/transfer-study.md, docs/formats/study.md).
#ifndef TWINSET_CORPORA_STUDY_H_
#define TWINSET_CORPORA_STUDY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/corpora/qrels.h"
#include "twinset/corpora/study_addresses.h"
#include "twinset/corpora/study_assessment.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/corpora/study_mixes.h"
#include "twinset/corpora/study_searches.h"
#include "twinset/corpora/study_transfer.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/results.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// A step that is about to be taken.
struct StudyStep {
  std::string name;
  size_t number = 0, of = 0;  // from 1
  double seconds = 0;         // since the beginning
  // For a search that is not the first: how long this search and the following
  // ones may take.
  std::optional<double> search_seconds_left;
};

struct StudyOptions {
  std::string config;         // TOML; paths in it are relative to its folder
  ResourceOptions resources;  // tmp: where the work folders are
  std::string out;            // result folder
  bool overwrite = false, resume = false;
  // Called before each step.
  std::function<void(const StudyStep&)> on_step;
  const std::atomic<bool>* stop = nullptr;
};

// What the file asks for, with the defaults of what it leaves out.
struct StudyParameters {
  uint64_t seed = 1;
  double threshold = 0;
  std::string measure;
  TokenRule tokens = TokenRule::kUnicode;
  std::vector<ContentMode> content;
  std::string segment_pattern;
  std::vector<std::string> mixes;
  int bits = 0, distance = 0;
  std::string tables;
  FeatureHash feature_hash = FeatureHash::kSpec;
  uint64_t bucket_limit = 0;
  bool complete = true;
  uint32_t fit = 0, draws_of_fits = 0, to = 0;
  std::string pairs;
  ConflictRule conflict = ConflictRule::kMax;
  uint32_t results = 0;
  int relevance_level = 1;
  uint64_t permutations = 0;
  uint32_t draws_of_shares = 0;
  std::vector<double> shares;
  std::optional<uint32_t> pairs_to_assess;
  double least_grade = 0;

  static void Fields(auto& asked, auto& field) {
    field("seed", asked.seed);
    field("threshold", asked.threshold);
    field("measure", asked.measure);
    field("tokens", asked.tokens);
    field("content", asked.content);
    field("segment_pattern", asked.segment_pattern);
    field("mixes", asked.mixes);
    field("bits", asked.bits);
    field("distance", asked.distance);
    field("tables", asked.tables);
    field("feature_hash", asked.feature_hash);
    field("bucket_limit", asked.bucket_limit);
    field("complete", asked.complete);
    field("fit", asked.fit);
    field("draws_of_fits", asked.draws_of_fits);
    field("to", asked.to);
    field("pairs", asked.pairs);
    field("conflict", asked.conflict);
    field("results", asked.results);
    field("relevance_level", asked.relevance_level);
    field("permutations", asked.permutations);
    field("draws_of_shares", asked.draws_of_shares);
    field("shares", asked.shares);
    field.OrNull("pairs_to_assess", asked.pairs_to_assess);
    field("least_grade", asked.least_grade);
  }
};

struct StudyResult {
  struct File {
    std::string file;
    uint64_t bytes = 0;
    std::string xxh3;

    static void Fields(auto& row, auto& field) {
      field("file", row.file);
      field("bytes", row.bytes);
      field("xxh3", row.xxh3);
    }
  };
  std::vector<std::string> steps;  // in order
  uint64_t kept = 0;               // of them finished by an earlier call
  std::vector<SideRead> sides;     // judgements, B, A, the control
  std::vector<StudySegment> segments;
  StudyJudgements judgements;
  StudyAddresses addresses;
  std::vector<StudySearch> searches, control;
  // By content, as the following.
  std::vector<StudyOf<StudyMixes>> mixes;
  std::vector<StudyOf<StudyExtrapolation>> extrapolation;
  std::vector<StudyOf<StudyTransfer>> transfer;
  // Empty when they are not asked for.
  std::vector<StudyOf<StudyAssessment>> assessment;
  std::vector<StudyOf<StudyCarryOver>> carry_over;
  std::vector<std::string> warnings;
  StudyParameters parameters;
  std::vector<File> files;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", kVersion);
    field.Derived("sides", SidesJson(result.sides));
    field("segments", result.segments);
    field("judgements", result.judgements);
    field("addresses", result.addresses);
    field("searches", result.searches);
    if (!result.control.empty()) field("control", result.control);
    field("mixes", result.mixes);
    field("extrapolation", result.extrapolation);
    field("transfer", result.transfer);
    if (!result.assessment.empty()) field("assessment", result.assessment);
    if (!result.carry_over.empty()) {
      field.Derived("carry_over", result.carry_over.front());
      field("carry_over_by_content", result.carry_over);
    }
    field("warnings", result.warnings);
    field("parameters", result.parameters);
    field("files", result.files);
  }
};
Json SummaryJson(const StudyResult& result);  // study.json

// Takes the steps that the file asks for. Writes page.json, report.html,
// numbers.csv, the findings of each step and, last, study.json into `out`. With
// `resume` it keeps the steps that an earlier call finished, if configuration
// and inputs are the same. Errors: kUsage, with the line, for a file with
// unknown or senseless settings, and for a folder that exists; kMemory when the
// tables that docs/methods/transfer-study.md lists do not fit; the errors of
// the commands that it is made of.
Result<StudyResult> RunStudy(const StudyOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_H_
