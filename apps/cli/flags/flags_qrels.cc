// Flags of `twinset qrels` and `twinset runs`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {
namespace {

using namespace setters;  // NOLINT: the table reads better

template <auto Field>
Status Probability(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double value, ParseNumber(values.back()));
  if (!(value > 0 && value < 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not above 0 and below 1", values.back()));
  Field(*request) = value;
  return {};
}

template <auto Field>
Status UpToOne(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double value, ParseNumber(values.back()));
  if (!(value >= 0 && value <= 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not from 0 to 1", values.back()));
  Field(*request) = value;
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> QrelsFlags() {
  return {
      {"--pairs", 0, "FILE", "transfer: pairs of a match; judgements go from a to b",
       "pairs.jsonl or .csv of 'twinset match', or rows of that form. May be repeated.", "", kQrelsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->qrels.pairs; }>},
      {"--duplicates", 0, "FILE", "transfer: duplicates of one collection; judgements go both ways",
       "What 'twinset dedup' lists, pairs of CopyCat (CSV or JSON), rows of ids, groups {\"ids\":[...]}. "
       "May be repeated.", "", kQrelsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->qrels.duplicates; }>},
      {"--labels", 0, "FILE", "transfer: labels of people for pairs: rows with a, b and label",
       "JSON lines or a table. Pairs without a label of their own get it. May be repeated.", "(those of the pairs)", kQrelsBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->qrels.labels; }>},
      {"--judged", 0, "FILE", "transfer: judgements that the documents of b have already", "May be repeated.", "", kQrelsBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->qrels.judged; }>},
      {"--ids", 0, "FILE", "check: the ids that there are, one a line", "May be repeated.", "", kQrelsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->qrels.ids; }>},
      {"--conflict", 0, "RULE", "where judgements of one document differ: {}",
       "max: the highest grade. majority: the most frequent one, of several the highest. drop: none. first: that which "
       "comes first in the files.", "max", kQrelsBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<ConflictRule>(),
       false, Pick<[](Request& r) -> auto& { return r.study->qrels.conflict; }>},
      {"--targets", 0, "HOW", "transfer: a target's own judgement: {}",
       "keep: it stays. replace: it takes part in the rule, and the outcome replaces it.", "keep", kQrelsBit,
       FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<JudgedTarget>(), false,
       Pick<[](Request& r) -> auto& { return r.study->qrels.target; }>},
      {"--under", 0, "FIELD", "transfer: what of a pair decides: {}",
       "similarity with --threshold, grade with --least-grade, label (of people) with --least-label. What the others "
       "would transfer is counted beside it, where pairs have them.", "similarity", kQrelsBit, FlagGroup::kStudy,
       ValueKind::kChoice, ChoiceNames<TransferUnder>(), false,
       Pick<[](Request& r) -> auto& { return r.study->qrels.under; }>},
      {"--threshold", 't', "T", "transfer: least similarity of a pair",
       "Pairs and groups without one pass.", "0", kQrelsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       UpToOne<[](Request& r) -> auto& { return r.study->qrels.least_similarity; }>},
      {"--least-grade", 0, "G", "transfer: least grade of a pair", "Pairs have one after 'twinset match --kinds'.", "0.5",
       kQrelsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       UpToOne<[](Request& r) -> auto& { return r.study->qrels.least_grade; }>},
      {"--least-label", 0, "L", "transfer: least label of a pair", "", "1", kQrelsBit, FlagGroup::kStudy, ValueKind::kWord, {},
       false, Number<[](Request& r) -> auto& { return r.study->qrels.least_label; }>},
      {"--negative-as-zero", 0, "", "read grades below 0 as 0", "", "", kQrelsBit, FlagGroup::kStudy, ValueKind::kNone, {},
       false, Switch<[](Request& r) -> auto& { return r.study->qrels.negative_as_zero; }>},
      {"--log", 0, "FILE", "transfer, merge: a row for each judgement that met a target",
       "CSV if the name ends in .csv, else JSON lines. A file that exists is refused unless --overwrite is given.",
       "(not written)", kQrelsBit, FlagGroup::kOutput, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->qrels.log; }>},
  };
}

std::vector<Flag> RunsFlags() {
  return {
      {"--qrels", 0, "FILE", "eval, compare: the judgements", "May be repeated.", "", kRunsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->runs.qrels; }>},
      {"--measures", 0, "NAME,...", "eval, compare: map, ndcg, ndcg_cut_10, P_10, rbp and others",
       "By trec_eval's names; any depth may stand for 10: map, ndcg, ndcg_cut_K, P_K, recip_rank, bpref, num_ret, "
       "num_rel, num_rel_ret. Beside them rbp and unjudged_K, the share of the first K that is not judged.",
       "(eight of them)", kRunsBit, FlagGroup::kStudy, ValueKind::kWord, {}, true,
       TextList<[](Request& r) -> auto& { return r.study->runs.evaluation.measures; }>},
      {"--by-topic", 0, "", "eval: the values of each topic too", "", "", kRunsBit, FlagGroup::kStudy, ValueKind::kNone, {},
       false, Switch<[](Request& r) -> auto& { return r.study->runs_by_topic; }>},
      {"--topics", 0, "FILE", "make: queries, ID:QUERY a line, which engines are asked",
       "RUN are then folders of 'twinset engine build' on this machine, and each gives eight runs. May be repeated.", "",
       kRunsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->runs.topics; }>},
      {"--results", 0, "N", "make: most documents of a topic", "", "1000", kRunsBit, FlagGroup::kStudy, ValueKind::kWord, {},
       false, Int<[](Request& r) -> auto& { return r.study->runs.results; }, 1, 1000000>},
      {"--relevance-level", 0, "N", "grades from here on are relevant", "nDCG counts every grade above 0.", "1", kRunsBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->runs.evaluation.relevance_level; }, 1, 1000000>},
      {"--persistence", 0, "P", "of rank-biased precision (rbp)", "", "0.8", kRunsBit, FlagGroup::kStudy, ValueKind::kWord, {},
       false, Probability<[](Request& r) -> auto& { return r.study->runs.evaluation.persistence; }>},
      {"--condensed", 0, "", "take documents without a judgement away first", "", "", kRunsBit, FlagGroup::kStudy,
       ValueKind::kNone, {}, false, Switch<[](Request& r) -> auto& { return r.study->runs.evaluation.condensed; }>},
      {"--all-topics", 0, "", "eval: judged topics that a run lacks count 0", "By default they do not count.", "", kRunsBit,
       FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->runs.evaluation.all_topics; }>},
      {"--duplicates", 0, "FILE", "known duplicates: those below one of theirs are collapsed",
       "What 'twinset dedup' lists, pairs of CopyCat (CSV or JSON), rows of ids, groups {\"ids\":[...]}. "
       "In a comparison the second side is collapsed. May be repeated.", "(none)", kRunsBit, FlagGroup::kStudy,
       ValueKind::kFile, {}, true, Repeated<[](Request& r) -> auto& { return r.study->runs.evaluation.duplicates; }>},
      {"--texts", 0, "INPUT", "collapse: the collection, whose texts tell duplicates in place of --duplicates",
       "A file, folder or pattern. Of the ranked documents every pair with a Jaccard similarity of --threshold, 0.9 "
       "where that is 0, is found. They are known by their ids or addresses. May be repeated.", "(none)", kRunsBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->runs.texts.inputs; }>},
      {"--collapse", 0, "HOW", "a document with a duplicate above it: {}",
       "remove: it goes. demote: it stands below all others. mark: it keeps its place and counts as not relevant; in a "
       "written run its tag is duplicate-of:ID.", "remove", kRunsBit, FlagGroup::kStudy, ValueKind::kChoice,
       ChoiceNames<CollapseAction>(), false,
       Pick<[](Request& r) -> auto& { return r.study->runs.evaluation.action; }>},
      {"--threshold", 't', "T", "least similarity of duplicates and pairs", "Those without one pass.", "0", kRunsBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       UpToOne<[](Request& r) -> auto& { return r.study->runs.evaluation.least_similarity; }>},
      {"--pairs", 0, "FILE", "transfer: pairs of a match; ids of a become those of b",
       "The most similar partner counts. May be repeated.", "", kRunsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->runs.pairs; }>},
      {"--against-qrels", 0, "FILE", "compare: judgements of the second side; by default the same", "May be repeated.", "",
       kRunsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->runs.against_qrels; }>},
      {"--most-tied", 0, "S", "compare: runs of which more is tied stand apart",
       "Tied is 1 - different scores / documents. Where ids decide the order, a comparison of systems says nothing.", "0.5",
       kRunsBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       UpToOne<[](Request& r) -> auto& { return r.study->runs.most_tied; }>},
      {"--rbo-persistence", 0, "P", "compare: of rank-biased overlap", "", "0.9", kRunsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Probability<[](Request& r) -> auto& { return r.study->runs.overlap_persistence; }>},
      {"--alpha", 0, "P", "compare: differences of smaller p are significant", "", "0.05", kRunsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false, Probability<[](Request& r) -> auto& { return r.study->runs.alpha; }>},
      {"--draws", 0, "N", "compare: of a randomisation test", "", "10000", kRunsBit, FlagGroup::kStudy, ValueKind::kWord, {},
       false, Count<[](Request& r) -> auto& { return r.study->runs.permutations; }>},
      {"--negative-as-zero", 0, "", "read grades below 0 as 0", "", "", kRunsBit, FlagGroup::kStudy, ValueKind::kNone, {},
       false, Switch<[](Request& r) -> auto& { return r.study->runs.negative_as_zero; }>},
      {"--log", 0, "FILE", "collapse: a row for each document that has a duplicate above it",
       "CSV if the name ends in .csv, else JSON lines. A file that exists is refused unless --overwrite is given.",
       "(not written)", kRunsBit, FlagGroup::kOutput, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->runs.log; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
