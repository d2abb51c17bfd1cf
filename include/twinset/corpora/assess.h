// Draws pairs of a run for people to judge, and computes from their labels how
// good the run is (docs/methods/assessment.md).
#ifndef TWINSET_CORPORA_ASSESS_H_
#define TWINSET_CORPORA_ASSESS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/judgements.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// ---- the sample ----

// By what the pairs of a run are divided into strata before some are drawn.
enum class AssessStrata : uint8_t { kBoth, kSimilarity, kKind, kNone };
template <>
inline constexpr auto kChoices<AssessStrata> =
    ChoiceTable<AssessStrata>({{AssessStrata::kBoth, "both"},
                               {AssessStrata::kSimilarity, "similarity"},
                               {AssessStrata::kKind, "kind"},
                               {AssessStrata::kNone, "none"}});

struct AssessOptions {
  // Result folders of Dedup, Recut or Match, and files of pairs
  // (docs/formats/qrels.md). Each is a method of its own.
  std::vector<std::string> runs;
  // Where the texts are, for files of pairs and for runs whose inputs moved.
  InputOptions input;
  std::vector<std::string> against;  // the same for side b
  FeatureOptions features;           // for files of pairs
  ResourceOptions resources;
  AssessStrata strata = AssessStrata::kBoth;
  uint64_t sample = 100;     // pairs per method
  uint64_t per_stratum = 0;  // pairs per stratum instead; 0: `sample`
  uint64_t seed = 1;
  std::string out;  // result folder
  bool overwrite = false;
  ProgressSink on_progress;
};

struct AssessStratum {
  std::string name;    // "0.85-0.9, content duplicate"
  uint64_t pairs = 0;  // in the run
  uint64_t drawn = 0;  // for the page to judge

  static void Fields(auto& stratum, auto& field) {
    field("name", stratum.name);
    field("pairs", stratum.pairs);
    field("drawn", stratum.drawn);
  }
};
struct AssessMethod {
  std::string name;
  std::vector<AssessStratum> strata;
  uint64_t pairs() const { return Sum(&AssessStratum::pairs); }
  uint64_t drawn() const { return Sum(&AssessStratum::drawn); }
  uint64_t Sum(uint64_t AssessStratum::*count) const {
    uint64_t sum = 0;
    for (const AssessStratum& stratum : strata) sum += stratum.*count;
    return sum;
  }

  static void Fields(auto& method, auto& field) {
    field("name", method.name);
    field("strata", method.strata);
  }
};
// A method without its strata.
struct AssessMethodCounts {
  std::string name;
  uint64_t pairs = 0, strata = 0, drawn = 0;

  static void Fields(auto& counts, auto& field) {
    field("name", counts.name);
    field("pairs", counts.pairs);
    field("strata", counts.strata);
    field("drawn", counts.drawn);
  }
};

// How the pairs were drawn.
struct AssessParameters {
  AssessStrata strata = AssessStrata::kBoth;
  uint64_t sample = 0, per_stratum = 0, seed = 0;

  static void Fields(auto& asked, auto& field) {
    field("strata", asked.strata);
    field("sample", asked.sample);
    field("per_stratum", asked.per_stratum);
    field("seed", asked.seed);
  }
};

struct AssessResult {
  std::vector<AssessMethod> methods;  // in the order of the runs
  uint64_t pairs = 0;                 // of the page; methods may share some
  uint64_t missing = 0;               // drawn, but a text was not found
  std::string digest;                 // of the sample
  std::string to_judge;               // path of assess.html
  AssessParameters parameters;
  std::vector<std::string> warnings;
  ResultPage page;  // what was drawn

  static void Fields(auto& result, auto& field) {
    std::vector<AssessMethodCounts> counts;
    for (const AssessMethod& method : result.methods)
      counts.push_back(
          {method.name, method.pairs(), method.strata.size(), method.drawn()});
    field.Derived("version", kVersion);
    field("pairs", result.pairs);
    field("missing", result.missing);
    field("digest", result.digest);
    field.Derived("methods", counts);
    field("parameters", result.parameters);
    field("warnings", result.warnings);
  }
};
Json SummaryJson(const AssessResult& result);  // summary.json

// Writes the folder that docs/methods/assessment.md describes. Errors: kUsage
// when a run holds no pairs, when a method has more than 200 strata, and when
// no text is found; kMemory when the texts of the sample do not fit into half
// of the memory; kIo, kCorrupt.
Result<AssessResult> DrawAssessment(const AssessOptions& options);

// ---- the labels ----

struct ScoreOptions {
  std::string sample;               // folder of DrawAssessment
  std::vector<std::string> labels;  // files (docs/methods/assessment.md)
  std::string out;                  // result folder; empty: none
  bool overwrite = false;
  bool report = false;       // also report.html; needs out
  ProgressSink on_progress;  // files of labels, pairs
  const std::atomic<bool>* stop = nullptr;
};

// The share of "yes" among the answers "yes" and "no", for one stratum or for a
// whole method.
struct LabelShare {
  std::string name;                      // of the stratum; empty: of the method
  uint64_t pairs = 0;                    // in the run
  uint64_t yes = 0, no = 0, unsure = 0;  // unsure: also where assessors tie
  double share = 0, low = 0, high = 1;

  static void Fields(auto& share, auto& field) {
    field("pairs", share.pairs);
    field("yes", share.yes);
    field("no", share.no);
    field("unsure", share.unsure);
    field.Rounded("share", share.share, 6);
    field.Rounded("low", share.low, 6);
    field.Rounded("high", share.high, 6);
  }
};
struct StratumShare : LabelShare {
  static void Fields(auto& share, auto& field) {
    field("stratum", share.name);
    LabelShare::Fields(share, field);
  }
};
struct MethodScore {
  std::string name;
  LabelShare all;  // weighted by the sizes of the strata
  std::vector<StratumShare> strata;

  static void Fields(auto& score, auto& field) {
    LabelShare::Fields(score.all, field);
    field("method", score.name);
    field("strata", score.strata);
  }
};
struct PairAgreement {
  std::string x, y;    // assessors
  uint64_t pairs = 0;  // that both answered
  uint64_t agreed = 0;
  // Cohen's kappa; absent when chance alone makes all answers equal.
  std::optional<double> kappa;
  double low = -1, high = 1;

  static void Fields(auto& agreement, auto& field) {
    field.Derived("assessors", std::pair(agreement.x, agreement.y));
    field("pairs", agreement.pairs);
    field("agreed", agreement.agreed);
    field.OrNull("kappa", agreement.kappa, 6);
    if (!agreement.kappa) return;
    field.Rounded("low", agreement.low, 6);
    field.Rounded("high", agreement.high, 6);
  }
};
struct QuestionScore {
  std::vector<MethodScore> methods;
  std::vector<PairAgreement> agreements;

  static void Fields(auto& score, auto& field) {
    field("methods", score.methods);
    field("agreements", score.agreements);
  }
};
struct Disagreement {
  uint64_t pair = 0;  // its number in the sample
  std::string a, b;
  LabelQuestion question = LabelQuestion::kContent;
  std::vector<std::string> answers;  // of each assessor; empty: none
};

struct ScoreResult {
  std::vector<std::string> assessors;
  uint64_t pairs = 0, labelled = 0;  // labelled: by at least one assessor
  std::array<QuestionScore, kLabelQuestions> questions;
  std::vector<Disagreement> disagreements;
  std::vector<std::string> warnings;
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", kVersion);
    field("assessors", result.assessors);
    field("pairs", result.pairs);
    field("labelled", result.labelled);
    field.Derived("disagreements", result.disagreements.size());
    field.template ByChoice<LabelQuestion>(result.questions);
    field("warnings", result.warnings);
  }
};
Json SummaryJson(const ScoreResult& result);  // summary.json

// Errors: kUsage for labels of another sample, for two files of one assessor,
// and when no pair has a label; kCorrupt for damaged files.
Result<ScoreResult> ScoreLabels(const ScoreOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_ASSESS_H_
