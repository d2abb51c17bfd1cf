// Judgements as they stand in files (docs/formats/qrels.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_QRELS_FILE_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_QRELS_FILE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "retrieval/id_table.h"
#include "retrieval/study_lines.h"
#include "twinset/corpora/qrels.h"

namespace twinset {

struct RelevanceJudgement {
  uint32_t topic = 0, document = 0;
  int32_t grade = 0;
  uint32_t line = 0;  // of its file
};

constexpr uint64_t JudgementKey(uint32_t topic, uint32_t document) {
  return uint64_t{topic} << 32 | document;
}

// What several lines say of one document under one topic.
enum class RepeatedLines {
  kFirstStands,  // further lines are left out: "duplicate", "conflict"
  kKept,         // all are used
};

struct QrelsReading {
  RepeatedLines repeated = RepeatedLines::kFirstStands;
  bool negative_as_zero = false;
  LineReadOptions lines;
};

// In the order of the files.
class Qrels {
 public:
  std::vector<RelevanceJudgement> judgements;
  // The place of the first judgement of a document under a topic.
  std::unordered_map<uint64_t, uint32_t> places;

  const RelevanceJudgement* Find(uint32_t topic, uint32_t document) const {
    const auto place = places.find(JudgementKey(topic, document));
    return place == places.end() ? nullptr : &judgements[place->second];
  }
};

// Adds the judgements of a file. A line has four columns (topic, iteration,
// document, grade) or five (topic, document, grade, method, probability). Lines
// of other numbers of columns or whose grade is no whole number are left out
// and counted. Linear; about 100 bytes per judgement and the ids.
Status ReadQrels(const StudyText& text, const QrelsReading& reading,
                 StudyNames* names, LineCounts* counts, Qrels* qrels);
// What is said of a file without a judgement.
inline constexpr char kQrelsRemedy[] =
    "lines are 'topic 0 document grade', see docs/formats/qrels.md";
// All files as one. kCorrupt for a file without a judgement.
Result<Qrels> ReadQrelsFiles(const std::vector<std::string>& paths,
                             const QrelsReading& reading, StudyNames* names,
                             LineCounts* counts);

GradeCounts CountGrades(const std::vector<RelevanceJudgement>& judgements);

// "TOPIC 0 DOCUMENT GRADE\n".
std::string QrelsLine(const StudyNames& names,
                      const RelevanceJudgement& judgement);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_QRELS_FILE_H_
