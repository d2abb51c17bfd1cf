#include "transfer/assessed_pairs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "assess/label_votes.h"
#include "base/file.h"
#include "base/hash.h"
#include "core/field_list.h"
#include "documents/text_lines.h"
#include "evaluate/labels_file.h"
#include "transfer/study_numbers.h"
#include "twinset/corpora/qrels.h"

namespace twinset {
namespace {

constexpr uint64_t kMostRowBytes = 1 << 20;

using PairIds = std::pair<std::string, std::string>;

Result<std::vector<FoundPair>> ReadSample(const std::string& path) {
  std::vector<FoundPair> pairs;
  Status status;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        if (FieldsFromJson(Json::Parse(line.text), 0, &pairs.emplace_back()))
          return true;
        status = Fail(ErrorCode::kCorrupt, "a row is not as it was written",
                      path + ":" + std::to_string(line.number),
                      "start anew with --overwrite");
        return false;
      },
      kMostRowBytes));
  TWINSET_TRY(status);
  return pairs;
}

// What the assessors say of each pair, none of whom is unsure by majority.
class Votes {
 public:
  Status Read(const std::vector<std::string>& paths) {
    files_.reserve(paths.size());
    std::map<PairIds, std::vector<const PairLabel*>> labels;
    std::set<std::string> assessors;
    for (const std::string& path : paths) {
      TWINSET_ASSIGN(LabelsFile file, ReadLabelsFile(path));
      if (!assessors.insert(file.assessor).second)
        return Fail(ErrorCode::kUsage,
                    "two files are of the assessor " + file.assessor, path,
                    "give one file of each assessor");
      files_.push_back(std::move(file));
      // If somebody gave a pair two labels, the last one counts.
      std::map<PairIds, const PairLabel*> own;
      for (const PairLabel& label : files_.back().labels)
        own[{label.a, label.b}] = &label;
      for (const auto& [pair, label] : own) labels[pair].push_back(label);
    }
    for (const auto& one : labels)
      if (const auto vote = VoteOf(one.second, LabelQuestion::kContent))
        votes_.emplace(one.first, *vote);
    return {};
  }
  std::optional<LabelAnswer> Of(const FoundPair& pair) const {
    const auto found = votes_.find({pair.a, pair.b});
    if (found == votes_.end()) return {};
    return found->second;
  }
  size_t size() const { return votes_.size(); }

 private:
  std::vector<LabelsFile> files_;
  std::map<PairIds, LabelAnswer> votes_;
};

// The pairs of one sample that people decide.
struct Decided {
  uint64_t labelled = 0, unsure = 0, decided = 0, yes = 0;
  uint64_t near = 0, graded = 0;               // by J, by grade
  uint64_t near_agrees = 0, grade_agrees = 0;  // with the people
};

Decided CountDecided(const std::vector<FoundPair>& pairs, const StudyPlan& plan,
                     const Votes& votes) {
  Decided counts;
  for (const FoundPair& pair : pairs) {
    const auto vote = votes.Of(pair);
    if (!vote) continue;
    ++counts.labelled;
    if (*vote == LabelAnswer::kUnsure) {
      ++counts.unsure;
      continue;
    }
    const bool yes = *vote == LabelAnswer::kYes;
    const bool near = pair.similarity >= plan.threshold;
    const bool graded = pair.grade >= plan.assessment.least_grade;
    ++counts.decided;
    counts.yes += yes;
    counts.near += near;
    counts.graded += graded;
    counts.near_agrees += near == yes;
    counts.grade_agrees += graded == yes;
  }
  return counts;
}

void SetDecided(const Decided& counts, StudyAssessment::Mix* row) {
  const uint64_t whole = counts.decided;
  row->labelled = counts.labelled;
  row->unsure = counts.unsure;
  row->by_people = ShareOfStudy(counts.yes, whole);
  row->by_similarity = ShareOfStudy(counts.near, whole);
  row->by_grade = ShareOfStudy(counts.graded, whole);
  row->similarity_agrees = ShareOfStudy(counts.near_agrees, whole);
  row->grade_agrees = ShareOfStudy(counts.grade_agrees, whole);
}

// Writes the labelled pairs of all samples, each once; how many there are.
Result<uint64_t> WriteLabelled(
    const std::vector<std::vector<FoundPair>>& samples, const Votes& votes,
    const std::string& path) {
  std::map<PairIds, const FoundPair*> pairs;
  for (const auto& sample : samples)
    for (const FoundPair& pair : sample)
      if (votes.Of(pair).value_or(LabelAnswer::kUnsure) != LabelAnswer::kUnsure)
        pairs.emplace(PairIds(pair.a, pair.b), &pair);
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  for (const auto& one : pairs) {
    const FoundPair& pair = *one.second;
    Json row = FieldsToJson(pair);
    row["label"] = votes.Of(pair) == LabelAnswer::kYes ? 1 : 0;
    TWINSET_TRY(file.Write(row.dump() + "\n"));
  }
  TWINSET_TRY(file.Commit());
  return uint64_t{pairs.size()};
}

// Judgements along the labelled pairs under J, under the grade, under people.
Result<std::vector<StudyAssessment::Transfer>> TransferNumbers(
    const StudyPlan& plan, const std::string& pairs) {
  QrelsOptions options;
  options.qrels = plan.qrels;
  options.pairs = {pairs};
  options.conflict = plan.retrieval.conflict;
  options.least_similarity = plan.threshold;
  options.least_grade = plan.assessment.least_grade;
  options.may_be_strangers = true;  // nothing transferred is an answer
  TWINSET_ASSIGN(const QrelsTransferResult moved, TransferQrels(options));
  std::vector<StudyAssessment::Transfer> rows;
  for (const TransferCounts& counts : moved.under)
    rows.push_back({counts.under, Number(counts.least), counts.links,
                    counts.sources, counts.transferred});
  return rows;
}

}  // namespace

void AssessSample::Add(const FoundPair& pair) {
  // No id holds a line feed.
  Drawn drawn{Hash64(pair.a + "\n" + pair.b, seed_), pair};
  if (drawn_.size() == most_) {
    if (!(drawn < drawn_.front())) return;
    std::pop_heap(drawn_.begin(), drawn_.end());
    drawn_.pop_back();
  }
  drawn_.push_back(std::move(drawn));
  std::push_heap(drawn_.begin(), drawn_.end());
}

Status AssessSample::Write(const std::string& path) const {
  std::vector<Drawn> order = drawn_;
  std::sort(order.begin(), order.end());
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  for (const Drawn& one : order)
    TWINSET_TRY(file.Write(FieldsToJson(one.pair).dump() + "\n"));
  return file.Commit();
}

Status CheckLabels(const std::vector<std::string>& paths) {
  return Votes().Read(paths);
}

Result<StudyAssessment> AssessPairs(const AssessmentInput& input,
                                    std::vector<std::string>* warnings) {
  const StudyPlan& plan = *input.plan;
  Votes votes;
  TWINSET_TRY(votes.Read(plan.assessment.labels));
  std::vector<std::vector<FoundPair>> samples;
  StudyAssessment numbers;
  for (const auto& sample : input.samples) {
    TWINSET_ASSIGN(std::vector<FoundPair> pairs, ReadSample(sample.second));
    StudyAssessment::Mix& row = numbers.mixes.emplace_back();
    row.mix = sample.first;
    row.pairs = pairs.size();
    if (!plan.assessment.labels.empty())
      SetDecided(CountDecided(pairs, plan, votes), &row);
    samples.push_back(std::move(pairs));
  }
  TWINSET_ASSIGN(const uint64_t labelled,
                 WriteLabelled(samples, votes, input.labelled));
  if (plan.assessment.labels.empty()) return numbers;
  numbers.labelled_pairs = labelled;
  if (labelled == 0) {
    warnings->push_back("the labels decide none of the pairs to assess");
    return numbers;
  }
  TWINSET_ASSIGN(numbers.transfer, TransferNumbers(plan, input.labelled));
  return numbers;
}

}  // namespace twinset
