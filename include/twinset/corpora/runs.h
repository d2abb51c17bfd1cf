// Rankings of documents by retrieval systems (TREC run files): makes them, maps
// them to another collection, removes their near-duplicates, evaluates and
// compares them (docs/methods/run-evaluation.md,
// docs/formats/qrels.md).
#ifndef TWINSET_CORPORA_RUNS_H_
#define TWINSET_CORPORA_RUNS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/corpora/run_comparison.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {
inline namespace v1 {

// What happens to a document that has a near-duplicate ranked above it.
enum class CollapseAction : uint8_t {
  kRemove,  // it is taken away
  kDemote,  // it goes below all others of its topic
  kMark,    // it stays in its place and counts as not relevant
};
template <>
inline constexpr auto kChoices<CollapseAction> =
    ChoiceTable<CollapseAction>({{CollapseAction::kRemove, "remove"},
                                 {CollapseAction::kDemote, "demote"},
                                 {CollapseAction::kMark, "mark"}});

enum class RetrievalMeasure : uint8_t {
  kMap,
  kNdcg,
  kPrecision,
  kReciprocalRank,
  kBpref,
  kRbp,
  kUnjudged,
  kRetrieved,
  kRelevant,
  kRelevantRetrieved,
};

// A measure with its depth, by trec_eval's name: "map", "ndcg", "ndcg_cut_10",
// "P_10", "recip_rank", "bpref", "num_ret", "num_rel", "num_rel_ret"; and "rbp"
// and "unjudged_10", which trec_eval does not have.
struct MeasureSpec {
  RetrievalMeasure measure = RetrievalMeasure::kMap;
  uint32_t depth = 0;  // 0: all ranks
  friend bool operator==(const MeasureSpec&, const MeasureSpec&) = default;
};
// kUsage names the measures that exist.
Result<MeasureSpec> ParseMeasure(const std::string& name);
std::string MeasureName(const MeasureSpec& measure);
// The measures of `runs eval` when none are named.
std::vector<std::string> DefaultMeasures();

// How a ranked list becomes a number.
struct RunEvaluation {
  std::vector<std::string> measures = DefaultMeasures();
  int relevance_level = 1;   // grades from here on are relevant
  double persistence = 0.8;  // of RBP
  bool condensed = false;    // remove unjudged documents first
  // Topics of the judgements that a run lacks count 0 (trec_eval -c).
  bool all_topics = false;
  // Known duplicates. `action` is applied to documents that are ranked below
  // one of their duplicates.
  std::vector<std::string> duplicates = {};
  CollapseAction action = CollapseAction::kRemove;
  double least_similarity = 0;  // of pairs of duplicates
};

struct RunsOptions {
  std::vector<std::string> runs = {};  // TREC run files, one system each
  std::vector<std::string> qrels = {};
  RunEvaluation evaluation;
  // compare: the second side; an empty list means that of the first. Its runs
  // are matched to the first by the names of the files.
  std::vector<std::string> against = {}, against_qrels = {};
  double most_tied = 0.5;            // compare: runs with more ties stand apart
  double overlap_persistence = 0.9;  // compare: p of rank-biased overlap
  double alpha = 0.05;
  uint64_t permutations = 10000;
  uint64_t seed = 1;
  std::vector<std::string> pairs = {};  // transfer: rows {"a","b","similarity"}
  // make: queries, one "ID:QUERY" per line; `runs` are then engines, which are
  // asked these.
  std::vector<std::string> topics = {};
  uint32_t results = 1000;  // make: most documents of a topic
  // collapse: a collection of texts that replaces known duplicates: its pairs
  // at evaluation.least_similarity (0.9 if that is 0) are duplicates.
  InputOptions texts = {};
  FeatureOptions features = {};    // of the texts
  ResourceOptions resources = {};  // of the search in the texts
  ProgressSink on_progress =
      {};  // lines of each file, pairs of systems, topics
  const std::atomic<bool>* stop = nullptr;
  bool negative_as_zero = false;
  bool strict = false;
  // If runs rank no judged document, this is an answer, not an error.
  bool may_be_strangers = false;
  bool by_topic = false;  // eval: the values of each topic are shown
  std::string out = {}, log = {};
  bool overwrite = false;
};

struct EvaluatedRun {
  RunFacts facts;
  // Topics that count; topics of the run without judgements; and topics with
  // judgements that the run lacks.
  uint64_t topics = 0, unjudged_topics = 0, missing_topics = 0;
  uint64_t collapsed = 0;     // documents, with duplicates
  std::vector<double> means;  // by measure; sums of counts
  struct Topic {
    std::string topic;
    std::vector<double> values;
  };
  std::vector<Topic> by_topic;

  static void Fields(auto& run, auto& field) {
    field("num_q", run.topics);
    field("unjudged_topics", run.unjudged_topics);
    field("missing_topics", run.missing_topics);
    field("collapsed", run.collapsed);
  }
};
struct RunsEvalResult : RunsResult {
  bool by_topic = false;
  LineCounts qrels, duplicates;
  std::vector<std::string> measures;  // by trec_eval's names
  std::vector<EvaluatedRun> runs;

  LinesRead lines() const;
};
Result<RunsEvalResult> EvaluateRuns(const RunsOptions& options);

struct RankedTextCounts {
  // Ranked documents, those whose text was found, and their pairs.
  uint64_t ranked = 0, with_text = 0, pairs = 0;
  uint64_t quarantined = 0;  // records that cannot be read
  std::vector<SideRead> sides;

  static void Fields(auto& texts, auto& field) {
    field("ranked", texts.ranked);
    field("with_text", texts.with_text);
    field("quarantined", texts.quarantined);
    field.Derived("sides", SidesJson(texts.sides));
    field("pairs", texts.pairs);
  }
};

struct RunsCollapseResult : RunsResult {
  LineCounts duplicates;
  CollapseAction action = CollapseAction::kRemove;
  std::optional<RankedTextCounts> texts;
  struct Run {
    RunFacts facts;
    uint64_t collapsed = 0, topics = 0;  // topics with a collapsed document
    std::string written;                 // the file

    static void Fields(auto& run, auto& field) {
      RunFacts::Fields(run.facts, field);
      field("collapsed", run.collapsed);
      field("collapsed_topics", run.topics);
    }
  };
  std::vector<Run> runs;

  LinesRead lines() const;
};
// One run goes to the file `out`, several into the folder of that name. `log`
// gets a row for each collapsed document. A record of the texts that cannot be
// read is counted; with `strict` it is an error. kUsage, kIo, kInterrupted;
// kCorrupt when the texts or known duplicates have no ranked document.
Result<RunsCollapseResult> CollapseRuns(const RunsOptions& options);

struct RunsTransferResult : RunsResult {
  LineCounts links;
  struct Run {
    RunFacts facts;
    uint64_t mapped = 0, without_pair = 0, merged = 0;  // documents
    std::string written;

    static void Fields(auto& run, auto& field) {
      RunFacts::Fields(run.facts, field);
      field("mapped", run.mapped);
      field("without_pair", run.without_pair);
      field("merged", run.merged);
    }
  };
  std::vector<Run> runs;

  LinesRead lines() const;
};
// Replaces each id of a run by that of its most similar partner in `pairs`. A
// document without a partner is left out, and so is one whose partner is ranked
// above already. Files are written as by CollapseRuns.
Result<RunsTransferResult> TransferRuns(const RunsOptions& options);

// With duplicates, the second side is collapsed and the first is not. `out`, if
// any, is a folder: systems.csv, pairs.csv, summary.json.
Result<RunsCompareResult> CompareRuns(const RunsOptions& options);

struct RunsMakeResult : RunsResult {
  bool of_engines = false;
  LineCounts asked;  // lines of the features or topics
  uint64_t documents = 0, topics = 0;
  uint64_t without_words = 0;  // topics of which no word is a term
  struct Run {
    std::string name;
    double tied_share = 0;
    uint64_t documents = 0;

    static void Fields(auto& run, auto& field) {
      field("run", run.name);
      field("documents", run.documents);
      field("tied_share", run.tied_share);
    }
  };
  std::vector<Run> runs;

  LinesRead lines() const {
    return {{of_engines ? "topics" : "features", &asked}};
  }
};
// `runs` are rows of features, "LABEL qid:TOPIC 1:X 2:Y ... # docid = ID". The
// folder `out` gets a run for each column (feature-NN.run), labels.qrels and
// summary.json. With topics, `runs` are folders of engines on this machine
// (twinset/measure/engine.h), and each gives eight runs
// (ENGINE.CONFIGURATION.run).
Result<RunsMakeResult> MakeRuns(const RunsOptions& options);

// The objects that --json prints, one a line: for each run, or measure that is
// compared.
std::vector<Json> RowsJson(const RunsEvalResult& result);
std::vector<Json> RowsJson(const RunsCollapseResult& result);
std::vector<Json> RowsJson(const RunsTransferResult& result);
std::vector<Json> RowsJson(const RunsCompareResult& result);
std::vector<Json> RowsJson(const RunsMakeResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_RUNS_H_
