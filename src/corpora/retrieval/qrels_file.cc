#include "retrieval/qrels_file.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace twinset {

namespace {

class QrelsParser {
 public:
  QrelsParser(std::string name, const QrelsReading& reading, StudyNames* names,
              LineCounts* counts, Qrels* qrels)
      : name_(std::move(name)),
        reading_(reading),
        names_(names),
        log_(counts, reading.lines, "judgement"),
        qrels_(qrels) {}

  LineLog* log() { return &log_; }

  Status Take(std::string_view line, uint64_t number) {
    SplitColumns(line, &columns_);
    const auto leave_out = [&](const std::string& reason,
                               const std::string& what) {
      return log_.LeaveOut(reason, LineLog::Where(name_, number), what);
    };
    const bool prels = columns_.size() == 5;
    if (columns_.size() < 4)
      return leave_out("missing-columns",
                       std::to_string(columns_.size()) +
                           " columns where four (qrels) or five (prels) "
                           "belong");
    if (columns_.size() > 5)
      return leave_out("too-many-columns",
                       std::to_string(columns_.size()) +
                           " columns where four (qrels) or five (prels) "
                           "belong");
    const auto grade = ParseGrade(columns_[prels ? 2 : 3]);
    if (!grade) return leave_out("bad-grade", "the grade is no whole number");
    if (prels && (!ParseFinite(columns_[3]) || !ParseFinite(columns_[4])))
      return leave_out("bad-prels",
                       "method or probability of a line of five columns is no "
                       "number");
    RelevanceJudgement judgement{
        names_->topics.NumberOf(columns_[0]),
        names_->documents.NumberOf(columns_[prels ? 1 : 2]), *grade,
        static_cast<uint32_t>(number)};
    if (reading_.negative_as_zero)
      judgement.grade = std::max(judgement.grade, 0);
    return Add(judgement, number);
  }

 private:
  Status Add(const RelevanceJudgement& judgement, uint64_t number) {
    const auto [place, is_new] = qrels_->places.emplace(
        JudgementKey(judgement.topic, judgement.document),
        static_cast<uint32_t>(qrels_->judgements.size()));
    if (!is_new && reading_.repeated == RepeatedLines::kFirstStands) {
      const int32_t before = qrels_->judgements[place->second].grade;
      const std::string document = names_->documents[judgement.document] +
                                   " under topic " +
                                   names_->topics[judgement.topic];
      if (before == judgement.grade)
        return log_.LeaveOut("duplicate", LineLog::Where(name_, number),
                             document + " was judged so before");
      return log_.LeaveOut(
          "conflict", LineLog::Where(name_, number),
          document + " has grade " + std::to_string(before) +
              " from an earlier line, which stands, and here " +
              std::to_string(judgement.grade));
    }
    ++log_.counts().used;
    qrels_->judgements.push_back(judgement);
    return {};
  }

  const std::string name_;
  const QrelsReading& reading_;
  StudyNames* const names_;
  LineLog log_;
  Qrels* const qrels_;
  std::vector<std::string_view> columns_;
};

}  // namespace

Status ReadQrels(const StudyText& text, const QrelsReading& reading,
                 StudyNames* names, LineCounts* counts, Qrels* qrels) {
  QrelsParser parser(text.name, reading, names, counts, qrels);
  return ForEachStudyLine(text, parser.log(),
                          [&](std::string_view line, uint64_t number) {
                            return parser.Take(line, number);
                          });
}

Result<Qrels> ReadQrelsFiles(const std::vector<std::string>& paths,
                             const QrelsReading& reading, StudyNames* names,
                             LineCounts* counts) {
  Qrels qrels;
  for (const std::string& path : paths) {
    TWINSET_TRY(ReadQrels(path, reading, names, counts, &qrels));
    TWINSET_TRY(CheckLastFile(*counts, kQrelsRemedy));
  }
  return qrels;
}

GradeCounts CountGrades(const std::vector<RelevanceJudgement>& judgements) {
  GradeCounts counts;
  counts.judgements = judgements.size();
  std::unordered_set<uint32_t> documents;
  std::unordered_map<uint32_t, uint64_t> relevant;  // by topic
  for (const RelevanceJudgement& judgement : judgements) {
    ++counts.by_grade[judgement.grade];
    documents.insert(judgement.document);
    relevant[judgement.topic] += judgement.grade >= 1;
  }
  counts.documents = documents.size();
  counts.topics = relevant.size();
  for (const auto& [topic, count] : relevant) {
    counts.topics_with_1_relevant += count >= 1;
    counts.topics_with_5_relevant += count >= 5;
  }
  return counts;
}

std::string QrelsLine(const StudyNames& names,
                      const RelevanceJudgement& judgement) {
  return DocumentName(names.topics[judgement.topic]) + " 0 " +
         DocumentName(names.documents[judgement.document]) + " " +
         std::to_string(judgement.grade) + "\n";
}

}  // namespace twinset
