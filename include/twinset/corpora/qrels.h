// Judgements of relevance (TREC qrels and prels): carries them to
// near-duplicates, merges, checks and counts them
// (docs/methods/judgement-transfer.md,
// docs/formats/qrels.md).
#ifndef TWINSET_CORPORA_QRELS_H_
#define TWINSET_CORPORA_QRELS_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/sides.h"

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

// What happens if the target has a judgement of its own.
enum class JudgedTarget : uint8_t {
  kKeep,     // it stays, and no other is transferred to the target
  kReplace,  // it takes part in the rule, whose grade replaces it
};
template <>
inline constexpr auto kChoices<JudgedTarget> =
    std::to_array<NamedChoice<JudgedTarget>>(
        {{JudgedTarget::kKeep, "keep"}, {JudgedTarget::kReplace, "replace"}});

// Counts the lines of files, among them those that break the format or repeat
// an earlier line. No line is passed over without being counted here.
struct LineCounts {
  uint64_t lines = 0;  // all, blank ones included
  uint64_t used = 0;   // those that count
  // Lines that do not count, by reason ("missing-columns", "duplicate", ...); a
  // reason that is absent has none.
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
  // transfer: known duplicates of one collection (docs/formats/qrels.md);
  // judgements go both ways.
  std::vector<std::string> duplicates = {};
  // transfer: labels that people gave, rows {"a","b","label"}; a pair without a
  // label of its own gets its label here.
  std::vector<std::string> labels = {};
  std::vector<std::string> judged = {};  // transfer with pairs: qrels of b
  std::vector<std::string> ids = {};     // check: ids that exist, one per line
  ConflictRule conflict = ConflictRule::kMax;
  TransferUnder under = TransferUnder::kSimilarity;
  JudgedTarget target = JudgedTarget::kKeep;
  // Pairs below do not count. Pairs and groups without a similarity pass.
  double least_similarity = 0, least_grade = 0.5, least_label = 1;
  bool negative_as_zero = false;  // read max(0, grade)
  bool strict = false;            // kCorrupt at the first bad line
  // transfer: if nothing can be carried over, this is an answer, not an error.
  bool may_be_strangers = false;
  std::string out = {}, log = {};  // files; log: CSV if it ends in .csv
  bool overwrite = false;
  // Memory that the lists may take, counted by their lines; kMemory if they
  // need more. 0: 60 % of what is available.
  uint64_t memory_bytes = 0;
};

// Judgements counted.
struct GradeCounts {
  uint64_t judgements = 0, documents = 0, topics = 0;
  std::map<int64_t, uint64_t> by_grade;
  // Topics with at least one, and with at least five, judgements of grade 1 or
  // more.
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
  // Refused because the target is judged: with the same grade; with another.
  uint64_t judged_agree = 0, judged_conflict = 0;
};

struct QrelsTransferResult {
  LineCounts qrels, links, labels, judged;
  uint64_t labelled = 0;  // links with a label
  GradeCounts source;
  std::vector<TransferCounts> under;  // the one that is written comes first
  // Along pairs these count the targets that at least two judged documents
  // reach under one topic. Along duplicates they count the groups (documents
  // that links connect) with at least two judged documents under one topic.
  // The first counts those with one grade, the second those with several.
  uint64_t groups_agree = 0, groups_conflict = 0;
  uint64_t judged_in_links = 0;  // distinct judged documents that have a link
  // What each rule would transfer, in the order of ConflictRule.
  std::array<GradeCounts, kConflictRules> rules;
  GradeCounts written;  // all lines of `out`
};
// kUsage without pairs or duplicates, or with both; kCorrupt for a file without
// a judgement or a pair, and when the pairs hold no judged document; kIo.
// Memory: about 100 bytes per judgement and per link, and the ids.
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

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_QRELS_H_
