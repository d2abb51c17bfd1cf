// A system's ranked documents, as TREC run files hold them
// (docs/formats/qrels.md).
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_RANKING_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_RANKING_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/id_table.h"
#include "retrieval/study_lines.h"
#include "twinset/corpora/runs.h"

namespace twinset {

struct RankedDocument {
  uint32_t document = 0;
  float score = 0;
};

struct TopicRanking {
  uint32_t topic = 0;
  std::vector<RankedDocument> documents;  // best first
};

struct Ranking {
  RunFacts facts;
  std::string tag;
  std::vector<TopicRanking> topics;  // in the order of the file
};

// A run is read, looked at and given up before the next: then only its ids
// stand in the memory. Both must outlive it; `memory` may be null.
class OneRanking {
 public:
  OneRanking(StudyMemory* memory, const IdTable& documents)
      : memory_(memory),
        documents_(documents),
        before_(memory == nullptr ? 0 : memory->used()),
        ids_before_(documents.bytes()) {}
  ~OneRanking() {
    if (memory_ != nullptr)
      memory_->GoBack(before_ + documents_.bytes() - ids_before_);
  }
  OneRanking(const OneRanking&) = delete;
  OneRanking& operator=(const OneRanking&) = delete;

 private:
  StudyMemory* const memory_;
  const IdTable& documents_;
  const uint64_t before_, ids_before_;
};

// Orders by score as trec_eval does: 32-bit floats descending, equal ones by
// descending id (bytes).
void SortRanking(const IdTable& documents, std::vector<RankedDocument>* list);

// Lines "topic Q0 document rank score tag"; the rank is not used. Lines of
// other columns, without a finite score, and of documents that their topic has
// already are left out and counted. kCorrupt when no line is left.
Result<Ranking> ReadRanking(const StudyText& text, const LineReadOptions& lines,
                            StudyNames* names);

// The name of a file without folder and without its last ending.
std::string SystemName(const std::string& path);

// 1 - different scores / documents: how much of the order the ids decide.
double TiedShare(const std::vector<TopicRanking>& topics);

// A 32-bit float as the nearest shortest decimal.
std::string ScoreText(float score);
std::string RunLine(const StudyNames& names, uint32_t topic, uint32_t document,
                    uint64_t rank, float score, const std::string& tag);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_RANKING_H_
