// Judgements of relevance (TREC qrels and prels): carried to near-duplicates,
// merged, checked, counted (docs/methods/judgement-transfer.md,
// docs/formats/qrels.md).
#ifndef TWINSET_QRELS_H_
#define TWINSET_QRELS_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/sides.h"

namespace twinset::inline v1 {

// What several judgements of one document under one topic become.
enum class ConflictRule : uint8_t {
  kMax,       // the highest grade
  kMajority,  // the most frequent grade, of several the highest
  kDrop,      // none where grades differ
  kFirst,     // that which comes first in the files
};
template <>
inline constexpr auto kChoices<ConflictRule> =
    std::to_array<NamedChoice<ConflictRule>>({{ConflictRule::kMax, "max"},
                                              {ConflictRule::kMajority,
                                               "majority"},
                                              {ConflictRule::kDrop, "drop"},
                                              {ConflictRule::kFirst, "first"}});
inline constexpr size_t kConflictRules = 4;

// Which field of a pair decides that a judgement goes along it.
enum class TransferUnder : uint8_t { kSimilarity, kGrade, kLabel };
template <>
inline constexpr auto kChoices<TransferUnder> =
    std::to_array<NamedChoice<TransferUnder>>(
        {{TransferUnder::kSimilarity, "similarity"},
         {TransferUnder::kGrade, "grade"},
         {TransferUnder::kLabel, "label"}});

// What becomes of the judgement that a target has of its own.
enum class JudgedTarget : uint8_t {
  kKeep,     // it stays, and what was to be transferred is refused
  kReplace,  // it takes part in the rule, whose grade replaces it
};
template <>
inline constexpr auto kChoices<JudgedTarget> =
    std::to_array<NamedChoice<JudgedTarget>>(
        {{JudgedTarget::kKeep, "keep"}, {JudgedTarget::kReplace, "replace"}});

// What the lines of files were that are not as the format wants them, or say
// something again. Nothing is passed over without being counted here.
struct LineCounts {
  uint64_t lines = 0;  // all, blank ones included
  uint64_t used = 0;   // those that count
  // Lines that count for nothing, by reason ("missing-columns", "duplicate",
  // ...); what is not there is 0.
  std::map<std::string, uint64_t> left_out;
  // The first kMostLineProblems of them as "FILE:LINE: what".
  std::vector<std::string> problems;
  std::vector<SideRead> files;  // what was read of each file
  uint64_t left_out_in_all() const;
};
inline constexpr size_t kMostLineProblems = 20;

struct QrelsOptions {
  std::vector<std::string> qrels = {};  // 4 columns, or 5 (prels), also mixed
  // transfer: rows {"a","b","similarity"[,"grade"][,"label"]} of a run, along
  // which judgements go from a to b.
  std::vector<std::string> pairs = {};
  // transfer: known duplicates of one collection (docs/formats/duplicates.md);
  // judgements go both ways.
  std::vector<std::string> duplicates = {};
  // transfer: labels of people, rows {"a","b","label"}; pairs that have none of
  // their own get them.
  std::vector<std::string> labels = {};
  std::vector<std::string> judged = {};  // transfer with pairs: qrels of b
  std::vector<std::string> ids = {};  // check: ids that there are, one a line
  ConflictRule conflict = ConflictRule::kMax;
  TransferUnder under = TransferUnder::kSimilarity;
  JudgedTarget target = JudgedTarget::kKeep;
  // Pairs below do not count. Pairs and groups without a similarity pass.
  double least_similarity = 0, least_grade = 0.5, least_label = 1;
  bool negative_as_zero = false;  // read max(0, grade)
  bool strict = false;            // kCorrupt at the first bad line
  // transfer: that nothing is carried over is an answer, not an error.
  bool may_be_strangers = false;
  std::string out = {}, log = {};  // files; log: CSV if it ends in .csv
  bool overwrite = false;
  // What the lists may take, counted by their lines; more is kMemory. 0: 60 %
  // of what is available.
  uint64_t memory_bytes = 0;
};

// Judgements counted.
struct GradeCounts {
  uint64_t judgements = 0, documents = 0, topics = 0;
  std::map<int64_t, uint64_t> by_grade;
  // Topics with at least one, at least five judgements of grade 1 or more.
  uint64_t topics_with_1_relevant = 0, topics_with_5_relevant = 0;
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
  // Refused because the target is judged: with the grade that it has, another.
  uint64_t judged_agree = 0, judged_conflict = 0;
};

struct QrelsTransferResult {
  LineCounts qrels, links, labels, judged;
  uint64_t labelled = 0;  // links with a label
  GradeCounts source;
  std::vector<TransferCounts> under;  // the one that is written comes first
  // Along pairs: targets that at least two judged documents reach under one
  // topic. Along duplicates: groups (what links connect) with at least two
  // judged documents under one topic. With one grade, with several.
  uint64_t groups_agree = 0, groups_conflict = 0;
  uint64_t judged_in_links = 0;  // distinct judged documents that have a link
  // What each rule would transfer, in the order of ConflictRule.
  std::array<GradeCounts, kConflictRules> rules;
  GradeCounts written;  // all lines of `out`
};
// kUsage without pairs or duplicates, or with both; kCorrupt for a file without
// a judgement or a pair, and where no judged document stands in them; kIo.
// Memory: about 100 bytes a judgement and a link, and the ids.
Result<QrelsTransferResult> TransferQrels(const QrelsOptions& options);

struct QrelsMergeResult {
  LineCounts qrels;
  GradeCounts written;
  uint64_t repeated = 0;             // said again with the same grade
  uint64_t agree = 0, conflict = 0;  // documents judged more than once
  uint64_t dropped = 0;              // documents, by the rule drop
};
Result<QrelsMergeResult> MergeQrels(const QrelsOptions& options);

struct QrelsCheckResult {
  LineCounts qrels;  // with ids: "unknown-id"
  LineCounts ids;
  GradeCounts counts;
  bool is_clean() const { return qrels.left_out.empty(); }
};
Result<QrelsCheckResult> CheckQrels(const QrelsOptions& options);

struct QrelsStatsResult {
  LineCounts qrels;
  GradeCounts all;
  // In the order in which the topics come.
  std::vector<std::pair<std::string, GradeCounts>> topics;
};
Result<QrelsStatsResult> CountQrels(const QrelsOptions& options);

}  // namespace twinset::inline v1

#endif  // TWINSET_QRELS_H_
