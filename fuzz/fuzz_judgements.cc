// Any bytes as judgements, runs and rows of features: every line is counted
// once, nothing stands twice, and what is written reads back.
#include <unordered_set>

#include "retrieval/feature_rows.h"
#include "retrieval/qrels_file.h"
#include "retrieval/ranking.h"
#include "scratch_file.h"
#include "target.h"

namespace {

using namespace twinset;  // NOLINT: the target's subject

void CheckCounts(const LineCounts& counts) {
  Require(counts.used + counts.left_out_in_all() <= counts.lines);
  Require(counts.problems.size() <= kMostLineProblems);
}

void ReadJudgements(const std::string& text, bool negative_as_zero) {
  StudyNames names;
  LineCounts counts;
  Qrels qrels;
  QrelsReading reading;
  reading.negative_as_zero = negative_as_zero;
  if (!IsReadAsList(ReadQrels({"q", text}, reading, &names, &counts, &qrels)))
    return;
  CheckCounts(counts);
  Require(counts.used == qrels.judgements.size());
  std::string written = "\n";  // a first line may lose a byte order mark
  for (const RelevanceJudgement& one : qrels.judgements) {
    Require(qrels.Find(one.topic, one.document) == &one);
    written += QrelsLine(names, one);
  }
  LineCounts again;
  Qrels same;
  Require(
      ReadQrels({"w", written}, reading, &names, &again, &same).has_value());
  Require(again.left_out.empty() && again.used == counts.used);
}

void ReadRun(const std::string& text) {
  StudyNames names;
  const auto run = ReadRanking({"r", text}, {}, &names);
  if (!run) {
    Require(!run.error().message.empty());
    return;
  }
  CheckCounts(run->facts.lines);
  std::string written = "\n";  // a first line may lose a byte order mark
  uint64_t documents = 0;
  for (const TopicRanking& topic : run->topics) {
    std::unordered_set<uint32_t> seen;
    for (size_t i = 0; i < topic.documents.size(); ++i) {
      const RankedDocument& one = topic.documents[i];
      Require(seen.insert(one.document).second);
      if (i > 0) Require(topic.documents[i - 1].score >= one.score);
      written +=
          RunLine(names, topic.topic, one.document, i + 1, one.score, run->tag);
      ++documents;
    }
  }
  Require(documents == run->facts.documents);
  const auto same = ReadRanking({"w", written}, {}, &names);
  Require(same && same->facts.documents == documents &&
          same->facts.lines.left_out.empty());
}

void ReadRows(const std::string& text) {
  StudyNames names;
  LineCounts counts;
  FeatureRows rows;
  if (!IsReadAsList(ReadFeatures({"f", text}, {}, &names, &counts, &rows)))
    return;
  CheckCounts(counts);
  Require(counts.used == rows.labels.size());
  Require(rows.columns <= kMostFeatures);
}

}  // namespace

TWINSET_FUZZ_TARGET(judgements) {
  twinset::FuzzInput input(data, size);
  const uint64_t mode = input.Number(1) % 4;
  const std::string text(input.Rest());
  if (mode < 2) ReadJudgements(text, mode == 1);
  if (mode == 2) ReadRun(text);
  if (mode == 3) ReadRows(text);
  return 0;
}
