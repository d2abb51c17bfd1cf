// twinset qrels (twinset/corpora/qrels.h).
#include "twinset/corpora/qrels.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/stop.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "retrieval/judgement_transfer.h"
#include "retrieval/qrels_file.h"
#include "retrieval/qrels_page.h"
#include "retrieval/transfer_log.h"

namespace twinset {

namespace {

QrelsReading ReadingOf(const QrelsOptions& options, StudyMemory* memory) {
  return {RepeatedLines::kFirstStands, options.negative_as_zero,
          LinesOfCommand("qrels", options, memory)};
}

// The files that are written, against those that are read, before any is.
Status CheckPlaces(const QrelsOptions& options) {
  std::vector<std::string> inputs = options.qrels;
  for (const auto* more :
       {&options.pairs, &options.duplicates, &options.labels, &options.judged})
    inputs.insert(inputs.end(), more->begin(), more->end());
  const auto check = [&](const std::string& path, const char* flag) -> Status {
    if (path.empty()) return {};
    return CheckResultFile(
        {.path = path, .flag = flag, .overwrite = options.overwrite}, inputs);
  };
  if (!options.out.empty() && options.out == options.log)
    return Fail(ErrorCode::kUsage, "--out and --log name the same file",
                options.out, "choose another --log");
  TWINSET_TRY(check(options.out, "--out"));
  return check(options.log, "--log");
}

Status WriteQrels(const std::string& path, const StudyNames& names,
                  const std::vector<RelevanceJudgement>& judgements) {
  if (path.empty()) return {};
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  for (const RelevanceJudgement& judgement : judgements)
    TWINSET_TRY(file.Write(QrelsLine(names, judgement)));
  return file.Commit();
}

std::vector<TransferCriterion> CriteriaOf(const QrelsOptions& options,
                                          const DuplicateList& list) {
  const auto says = [&](double DuplicateLink::*field) {
    return std::any_of(list.links.begin(), list.links.end(),
                       [&](const DuplicateLink& link) {
                         return link.*field == link.*field;  // not NaN
                       });
  };
  std::vector<TransferCriterion> all;
  const auto add = [&](TransferUnder under, double least, bool is_known) {
    if (under != options.under && !is_known) return;
    all.push_back({under, least});
    if (under == options.under) std::swap(all.front(), all.back());
  };
  add(TransferUnder::kSimilarity, options.least_similarity, true);
  add(TransferUnder::kGrade, options.least_grade, says(&DuplicateLink::grade));
  add(TransferUnder::kLabel, options.least_label, says(&DuplicateLink::label));
  return all;
}

// Groups that links connect, with at least two judged documents under a topic.
void CountGroups(const Qrels& qrels, const DuplicateGraph& graph,
                 QrelsTransferResult* result) {
  const std::vector<uint32_t> component = graph.Components();
  struct Seen {
    uint64_t judged = 0;
    int32_t grade = 0;
    bool differs = false;
  };
  std::unordered_map<uint64_t, Seen> groups;
  for (const RelevanceJudgement& judgement : qrels.judgements) {
    if (!graph.IsLinked(judgement.document)) continue;
    Seen& seen =
        groups[JudgementKey(judgement.topic, component[judgement.document])];
    if (seen.judged++ == 0) seen.grade = judgement.grade;
    seen.differs |= seen.grade != judgement.grade;
  }
  for (const auto& [key, seen] : groups) {
    if (seen.judged < 2) continue;
    ++(seen.differs ? result->groups_conflict : result->groups_agree);
  }
}

// Gives links that have no label that of their pair; how many have one then.
// The first label of a pair counts.
uint64_t AddLabels(const DuplicateList& labels, bool both_ways,
                   DuplicateList* list) {
  std::unordered_map<uint64_t, double> of_pair;
  const auto key = [&](const DuplicateLink& link) {
    const bool turned = both_ways && link.b < link.a;
    return turned ? uint64_t{link.b} << 32 | link.a
                  : uint64_t{link.a} << 32 | link.b;
  };
  for (const DuplicateLink& link : labels.links)
    if (link.label == link.label) of_pair.emplace(key(link), link.label);
  uint64_t labelled = 0;
  for (DuplicateLink& link : list->links) {
    if (link.label != link.label) {
      const auto found = of_pair.find(key(link));
      if (found != of_pair.end()) link.label = found->second;
    }
    labelled += link.label == link.label;
  }
  return labelled;
}

// Along pairs only those that are a of one.
uint64_t JudgedInLinks(const Qrels& qrels, const DuplicateGraph& graph,
                       bool both_ways) {
  std::unordered_set<uint32_t> documents;
  for (const RelevanceJudgement& judgement : qrels.judgements) {
    const uint32_t document = judgement.document;
    const auto edges = graph.EdgesOf(document);
    const bool is_source =
        !graph.GroupsOf(document).empty() ||
        std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
          return both_ways || graph.list().links[edge.link].a == document;
        });
    if (is_source) documents.insert(document);
  }
  return documents.size();
}

// What stands in the result file: the judgements of the targets' collection
// that stay, then what came to it.
std::vector<RelevanceJudgement> Written(const Qrels* judged,
                                        const TransferOutcome& outcome) {
  std::unordered_map<uint64_t, int32_t> replaced;
  std::unordered_set<uint64_t> removed;
  for (const RelevanceJudgement& one : outcome.replaced)
    replaced[JudgementKey(one.topic, one.document)] = one.grade;
  for (const RelevanceJudgement& one : outcome.removed)
    removed.insert(JudgementKey(one.topic, one.document));
  std::vector<RelevanceJudgement> all;
  if (judged != nullptr) {
    for (RelevanceJudgement judgement : judged->judgements) {
      const uint64_t key = JudgementKey(judgement.topic, judgement.document);
      if (removed.contains(key)) continue;
      if (const auto found = replaced.find(key); found != replaced.end())
        judgement.grade = found->second;
      all.push_back(judgement);
    }
  }
  all.insert(all.end(), outcome.transferred.begin(), outcome.transferred.end());
  return all;
}

// With what it says of itself.
template <typename T>
T Told(T result) {
  result.sides = SidesOf(result.lines());
  result.page = ResultPage(PageOf(result));
  return result;
}

}  // namespace

Result<QrelsTransferResult> v1::TransferQrels(const QrelsOptions& options) try {
  const bool along_pairs = !options.pairs.empty();
  if (along_pairs == !options.duplicates.empty())
    return Fail(ErrorCode::kUsage,
                along_pairs ? "pairs and duplicates are both given"
                            : "it is not said along what judgements go",
                {},
                "give --pairs (of a match, from a to b) or --duplicates (of "
                "one collection)");
  if (!along_pairs && !options.judged.empty())
    return Fail(ErrorCode::kUsage,
                "--judged is of the other collection, and duplicates are of "
                "one",
                {}, "name all judgements of the collection as QRELS");
  TWINSET_TRY(CheckPlaces(options));
  QrelsTransferResult result;
  StudyNames names;
  StudyMemory memory(options.memory_bytes);
  const QrelsReading reading = ReadingOf(options, &memory);
  TWINSET_ASSIGN(const Qrels source,
                 ReadQrelsFiles(options.qrels, reading, &names, &result.qrels));
  result.conflict = options.conflict;
  result.target = options.target;
  result.along_pairs = along_pairs;
  result.source = CountGrades(source.judgements);
  Qrels other;
  if (!options.judged.empty()) {
    TWINSET_ASSIGN(other, ReadQrelsFiles(options.judged, reading, &names,
                                         &result.judged.emplace()));
  }
  const DuplicateReading of_pairs{reading.lines, along_pairs};
  TWINSET_ASSIGN(
      DuplicateList list,
      ReadDuplicateFiles(along_pairs ? options.pairs : options.duplicates,
                         of_pairs, &names.documents, &result.links));
  TWINSET_ASSIGN(const DuplicateList labels,
                 ReadDuplicateFiles(options.labels, of_pairs, &names.documents,
                                    &result.labels));
  result.labelled = AddLabels(labels, !along_pairs, &list);
  if (!options.labels.empty() && result.labelled == 0 &&
      !options.may_be_strangers)
    return NothingInCommon("the labels", FirstIdOf(labels, names.documents),
                           "the duplicates", FirstIdOf(list, names.documents));
  const DuplicateGraph graph(list, names.documents.size());
  result.judged_in_links = JudgedInLinks(source, graph, !along_pairs);
  if (result.judged_in_links == 0 && !options.may_be_strangers)
    return NothingInCommon("the judgements",
                           names.documents[source.judgements.front().document],
                           along_pairs ? "the pairs" : "the duplicates",
                           FirstIdOf(list, names.documents));
  const TransferInput input{&source, &graph, !along_pairs,
                            along_pairs ? &other : &source};
  TransferOutcome written;
  for (const TransferCriterion& criterion : CriteriaOf(options, list)) {
    const bool is_written = result.under.empty();
    TWINSET_ASSIGN(TransferLog log,
                   TransferLog::Create(is_written ? options.log : "", &names,
                                       options.conflict));
    TWINSET_ASSIGN(
        TransferOutcome outcome,
        TransferJudgements(
            input, criterion, options.conflict, options.target,
            [&](const TransferStep& step) { return log.Add(step); }));
    TWINSET_TRY(log.Commit());
    result.under.push_back(outcome.counts);
    if (!is_written) continue;
    result.groups_agree = outcome.targets_agree;
    result.groups_conflict = outcome.targets_conflict;
    written = std::move(outcome);
    for (size_t rule = 0; rule < kConflictRules; ++rule) {
      TWINSET_ASSIGN(
          const TransferOutcome under_rule,
          TransferJudgements(input, criterion, static_cast<ConflictRule>(rule),
                             options.target, {}));
      result.rules[rule] = under_rule.counts.transferred;
    }
  }
  if (!along_pairs) {
    result.groups_agree = result.groups_conflict = 0;
    CountGroups(source, graph, &result);
  }
  const std::vector<RelevanceJudgement> all = Written(input.judged, written);
  result.written = CountGrades(all);
  TWINSET_TRY(WriteQrels(options.out, names, all));
  return Told(std::move(result));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<QrelsMergeResult> v1::MergeQrels(const QrelsOptions& options) try {
  TWINSET_TRY(CheckPlaces(options));
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "it is not said where to write", {},
                "add --out FILE");
  QrelsMergeResult result;
  result.rule = options.conflict;
  StudyNames names;
  StudyMemory memory(options.memory_bytes);
  QrelsReading reading = ReadingOf(options, &memory);
  reading.repeated = RepeatedLines::kKept;
  TWINSET_ASSIGN(const Qrels qrels,
                 ReadQrelsFiles(options.qrels, reading, &names, &result.qrels));
  // The lines of each document and topic, in the order of the first.
  std::vector<std::vector<uint32_t>> lines;
  std::unordered_map<uint64_t, size_t> places;
  for (uint32_t i = 0; i < qrels.judgements.size(); ++i) {
    const RelevanceJudgement& one = qrels.judgements[i];
    const auto [place, is_new] =
        places.emplace(JudgementKey(one.topic, one.document), lines.size());
    if (is_new) lines.emplace_back();
    lines[place->second].push_back(i);
  }
  TWINSET_ASSIGN(TransferLog log,
                 TransferLog::Create(options.log, &names, options.conflict));
  std::vector<RelevanceJudgement> merged;
  std::vector<MeetingGrade> grades;
  for (const auto& meeting : lines) {
    grades.clear();
    for (const uint32_t i : meeting)
      grades.push_back({qrels.judgements[i].grade, 1});
    const SettledGrade settled = SettleGrades(options.conflict, grades);
    if (meeting.size() > 1) {
      ++(settled.is_conflict ? result.conflict : result.agree);
      if (!settled.is_conflict) result.repeated += meeting.size() - 1;
    }
    const auto stands = static_cast<size_t>(settled.stands);
    if (settled.stands < 0) {
      ++result.dropped;
    } else {
      merged.push_back(qrels.judgements[meeting[stands]]);
    }
    if (!settled.is_conflict) continue;
    const int32_t* is = settled.stands < 0 ? nullptr : &grades[stands].grade;
    for (size_t k = 0; k < meeting.size(); ++k) {
      const RelevanceJudgement& one = qrels.judgements[meeting[k]];
      const TransferAction action = is == nullptr
                                        ? TransferAction::kRefusedConflict
                                    : k == stands ? TransferAction::kTransferred
                                                  : TransferAction::kMerged;
      TWINSET_TRY(log.Add({action, one, one.document, 1, nullptr, is}));
    }
  }
  TWINSET_TRY(log.Commit());
  result.written = CountGrades(merged);
  TWINSET_TRY(WriteQrels(options.out, names, merged));
  return Told(std::move(result));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<QrelsCheckResult> v1::CheckQrels(const QrelsOptions& options) try {
  QrelsCheckResult result;
  StudyNames names;
  std::unordered_set<std::string> known;
  StudyMemory memory(options.memory_bytes);
  const QrelsReading reading = ReadingOf(options, &memory);
  LineReadOptions of_ids = reading.lines;
  of_ids.strict = false;
  LineLog id_log(&result.ids, of_ids, "id");
  for (const std::string& path : options.ids) {
    TWINSET_TRY(ForEachStudyLine(
        path, &id_log, [&](std::string_view line, uint64_t) -> Status {
          ++result.ids.used;
          known.emplace(line);
          return {};
        }));
    TWINSET_TRY(CheckLastFile(result.ids, "lines are ids"));
  }
  LineLog log(&result.qrels, reading.lines);
  Qrels qrels;
  for (const std::string& path : options.qrels) {
    const size_t before = qrels.judgements.size();
    TWINSET_TRY(ReadQrels(path, reading, &names, &result.qrels, &qrels));
    TWINSET_TRY(CheckLastFile(result.qrels, kQrelsRemedy));
    if (options.ids.empty()) continue;
    for (size_t i = before; i < qrels.judgements.size(); ++i) {
      const std::string& id = names.documents[qrels.judgements[i].document];
      if (known.contains(id)) continue;
      --result.qrels.used;
      TWINSET_TRY(log.LeaveOut(
          "unknown-id", LineLog::Where(path, qrels.judgements[i].line),
          id + " of topic " + names.topics[qrels.judgements[i].topic] +
              " is not among the ids"));
    }
  }
  result.counts = CountGrades(qrels.judgements);
  if (!options.ids.empty() && result.qrels.used == 0)
    return NothingInCommon("the judgements",
                           names.documents[qrels.judgements.front().document],
                           "the list of ids", *known.begin());
  return Told(std::move(result));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<QrelsStatsResult> v1::CountQrels(const QrelsOptions& options) try {
  QrelsStatsResult result;
  StudyNames names;
  StudyMemory memory(options.memory_bytes);
  TWINSET_ASSIGN(const Qrels qrels,
                 ReadQrelsFiles(options.qrels, ReadingOf(options, &memory),
                                &names, &result.qrels));
  result.all = CountGrades(qrels.judgements);
  std::vector<std::vector<RelevanceJudgement>> topics(names.topics.size());
  for (const RelevanceJudgement& one : qrels.judgements)
    topics[one.topic].push_back(one);
  for (uint32_t topic = 0; topic < topics.size(); ++topic)
    if (!topics[topic].empty())
      result.topics.push_back(
          {names.topics[topic], CountGrades(topics[topic])});
  return Told(std::move(result));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
