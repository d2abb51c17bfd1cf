// Judgements of relevance (TREC qrels and prels): carries them to
// near-duplicates, merges, checks and counts them
// (docs/methods/judgement-transfer.md,
// docs/formats/qrels.md).
#ifndef TWINSET_CORPORA_QRELS_H_
#define TWINSET_CORPORA_QRELS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Which grade counts when one document has several judgements under one topic.
enum class ConflictRule : uint8_t {
  kMax,       // the highest grade
  kMajority,  // the most frequent grade; among several, the highest
  kDrop,      // none if grades differ
  kFirst,     // the first in the files
};
template <>
inline constexpr auto kChoices<ConflictRule> =
    ChoiceTable<ConflictRule>({{ConflictRule::kMax, "max"},
                               {ConflictRule::kMajority, "majority"},
                               {ConflictRule::kDrop, "drop"},
                               {ConflictRule::kFirst, "first"}});
inline constexpr size_t kConflictRules = 4;

// Which field of a pair decides that a judgement goes along it.
enum class TransferUnder : uint8_t { kSimilarity, kGrade, kLabel };
template <>
inline constexpr auto kChoices<TransferUnder> =
    ChoiceTable<TransferUnder>({{TransferUnder::kSimilarity, "similarity"},
                                {TransferUnder::kGrade, "grade"},
                                {TransferUnder::kLabel, "label"}});

// What happens if the target has a judgement of its own.
enum class JudgedTarget : uint8_t {
  kKeep,     // it stays, and no other is transferred to the target
  kReplace,  // it takes part in the rule, whose grade replaces it
};
template <>
inline constexpr auto kChoices<JudgedTarget> = ChoiceTable<JudgedTarget>(
    {{JudgedTarget::kKeep, "keep"}, {JudgedTarget::kReplace, "replace"}});

struct QrelsOptions {
  std::vector<std::string> qrels = {};  // 4 columns, or 5 (prels), also mixed
  // transfer: rows {"a","b","similarity"[,"grade"][,"label"]} of a run, along
  // which judgements go from a to b.
  std::vector<std::string> pairs = {};
  // transfer: known duplicates of one collection (docs/formats/qrels.md);
  // judgements go both ways.
  std::vector<std::string> duplicates = {};
  // transfer: rows {"a","b","label"} for pairs without a label of their own.
  std::vector<std::string> labels = {};
  std::vector<std::string> judged = {};  // transfer with pairs: qrels of b
  std::vector<std::string> ids = {};     // check: ids that exist, one per line
  ConflictRule conflict = ConflictRule::kMax;
  TransferUnder under = TransferUnder::kSimilarity;
  JudgedTarget target = JudgedTarget::kKeep;
  // Pairs below do not count. Pairs and groups without a similarity pass.
  double least_similarity = 0, least_grade = 0.5, least_label = 1;
  bool negative_as_zero = false;   // read max(0, grade)
  bool strict = false;             // kCorrupt at the first bad line
  bool may_be_strangers = false;   // transfer: nothing in common is no error
  std::string out = {}, log = {};  // files; log: CSV if it ends in .csv
  bool overwrite = false;
  // The lists take it; kMemory if they need more. 0: 60 % of what is there.
  uint64_t memory_bytes = 0;
  ProgressSink on_progress = {};  // lines of each file
  const std::atomic<bool>* stop = nullptr;
};

// What a transfer does under one criterion.
struct TransferCounts {
  TransferUnder under = TransferUnder::kSimilarity;
  double least = 0;
  uint64_t links = 0;         // pairs that pass; a group counts its pairs
  uint64_t sources = 0;       // judgements with a target
  uint64_t without_link = 0;  // judgements without
  GradeCounts transferred;    // to documents without a judgement
  uint64_t merged = 0;        // further judgements that met on one of them
  uint64_t refused_conflict = 0, refused_judged = 0;  // judgements
  uint64_t replaced = 0, removed = 0;                 // judgements of targets
  // Refused because the target is judged: with the same grade; with another.
  uint64_t judged_agree = 0, judged_conflict = 0;

  static void Fields(auto& counts, auto& field) {
    field("under", counts.under);
    field("least", counts.least);
    field("links", counts.links);
    field("sources", counts.sources);
    field("without_link", counts.without_link);
    field("transferred", counts.transferred);
    field("merged", counts.merged);
    field("refused_conflict", counts.refused_conflict);
    field("refused_judged", counts.refused_judged);
    field("judged_agree", counts.judged_agree);
    field("judged_conflict", counts.judged_conflict);
    field("replaced", counts.replaced);
    field("removed", counts.removed);
  }
};

// What all four results have.
struct QrelsResult {
  static constexpr bool kSummaryIsLine = true, kShowsAllRows = true;
  LineCounts qrels;
  std::vector<SideRead> sides;
  ResultPage page;
};

struct QrelsTransferResult : QrelsResult {
  ConflictRule conflict = ConflictRule::kMax;
  JudgedTarget target = JudgedTarget::kKeep;
  bool along_pairs = false;
  LineCounts links, labels;
  std::optional<LineCounts> judged;  // where judgements of targets are given
  uint64_t labelled = 0;             // links with a label
  GradeCounts source;
  std::vector<TransferCounts> under;  // the one that is written comes first
  // Targets, or along duplicates groups that links connect, where judgements of
  // at least two documents meet under one topic: with one grade, with several.
  uint64_t groups_agree = 0, groups_conflict = 0;
  uint64_t judged_in_links = 0;  // distinct judged documents that have a link
  // What each rule would transfer, in the order of ConflictRule.
  std::array<GradeCounts, kConflictRules> rules;
  GradeCounts written;  // all lines of `out`

  LinesRead lines() const {
    LinesRead lines = {{"judgements", &qrels},
                       {along_pairs ? "pairs" : "duplicates", &links},
                       {"labels", &labels}};
    if (judged)
      lines.insert(lines.begin() + 1, {"judgements of targets", &*judged});
    return lines;
  }
  static void Fields(auto& result, auto& field) {
    const TransferCounts& main = result.under.front();
    field.Derived("command", "qrels transfer");
    field("conflict", result.conflict);
    field("targets", result.target);
    field("qrels", result.qrels);
    field("links", result.links);
    field("labels", result.labels);
    field("labelled", result.labelled);
    field("source", result.source);
    field("groups_agree", result.groups_agree);
    field("groups_conflict", result.groups_conflict);
    field("judged_in_links", result.judged_in_links);
    field.Derived("transferred", main.transferred.judgements);
    field.Derived("merged", main.merged);
    field.Derived("refused_conflict", main.refused_conflict);
    field.Derived("refused_judged", main.refused_judged);
    field("judged", result.judged);
    field("under", result.under);
    field.template ByChoice<ConflictRule>("rules", result.rules);
    field("written", result.written);
  }
};
// kUsage without pairs or duplicates, or with both; kCorrupt for a file without
// a judgement or a pair, and when the pairs hold no judged document; kIo.
// Memory: about 100 bytes per judgement and per link, and the ids.
Result<QrelsTransferResult> TransferQrels(const QrelsOptions& options);

struct QrelsMergeResult : QrelsResult {
  ConflictRule rule = ConflictRule::kMax;
  GradeCounts written;
  uint64_t repeated = 0;             // said again with the same grade
  uint64_t agree = 0, conflict = 0;  // documents judged more than once
  uint64_t dropped = 0;              // documents, by the rule drop

  LinesRead lines() const { return {{"judgements", &qrels}}; }
  static void Fields(auto& result, auto& field) {
    field.Derived("command", "qrels merge");
    field("conflict", result.rule);
    field("qrels", result.qrels);
    field("agree", result.agree);
    field("conflicts", result.conflict);
    field("repeated", result.repeated);
    field("dropped", result.dropped);
    field("written", result.written);
  }
};
Result<QrelsMergeResult> MergeQrels(const QrelsOptions& options);

// With ids, `qrels` leaves out lines as "unknown-id".
struct QrelsCheckResult : QrelsResult {
  LineCounts ids;
  GradeCounts counts;
  bool is_clean() const { return qrels.left_out.empty(); }

  LinesRead lines() const { return {{"judgements", &qrels}, {"ids", &ids}}; }
  static void Fields(auto& result, auto& field) {
    field.Derived("command", "qrels check");
    field.Derived("clean", result.is_clean());
    field("qrels", result.qrels);
    field("ids", result.ids);
    field("counts", result.counts);
  }
};
Result<QrelsCheckResult> CheckQrels(const QrelsOptions& options);

struct QrelsStatsResult : QrelsResult {
  struct Topic {
    std::string topic;
    GradeCounts counts;

    static void Fields(auto& topic, auto& field) {
      field("topic", topic.topic);
      GradeCounts::Fields(topic.counts, field);
    }
  };
  GradeCounts all;
  std::vector<Topic> topics;  // in the order in which they come

  LinesRead lines() const { return {{"judgements", &qrels}}; }
  static void Fields(auto& result, auto& field) {
    field.Derived("command", "qrels stats");
    field("qrels", result.qrels);
    field("all", result.all);
    field("topics", result.topics);
  }
};
Result<QrelsStatsResult> CountQrels(const QrelsOptions& options);

// What --json prints.
Json SummaryJson(const QrelsTransferResult& result);
Json SummaryJson(const QrelsMergeResult& result);
Json SummaryJson(const QrelsCheckResult& result);
Json SummaryJson(const QrelsStatsResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_QRELS_H_
