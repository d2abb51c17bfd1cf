#include "transfer/study_inputs.h"

#include <algorithm>
#include <utility>

#include "base/machine.h"
#include "documents/side_check.h"
#include "retrieval/engine_runs.h"
#include "retrieval/qrels_file.h"
#include "transfer/collection_pass.h"
#include "transfer/study_numbers.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

Result<IdTable> ReadJudged(const StudyPlan& plan, std::vector<SideRead>* sides,
                           StudySteps* steps) {
  StudyNames names;
  LineCounts lines;
  TWINSET_TRY(ReadQrelsFiles(plan.qrels, {}, &names, &lines));
  for (SideRead file : lines.files) {
    file.side = "a.qrels";
    sides->push_back(std::move(file));
  }
  if (lines.left_out_in_all() > 0)
    steps->Warn(std::to_string(lines.left_out_in_all()) +
                " lines of the judgements do not count");
  return std::move(names.documents);
}

Status CheckTopics(const StudyPlan& plan) {
  std::vector<StudyTopic> topics;
  LineCounts lines;
  for (const std::string& path : plan.retrieval.topics) {
    TWINSET_TRY(ReadTopics(path, {}, &lines, &topics));
    TWINSET_TRY(CheckLastFile(lines, "lines are 'ID:QUERY'"));
  }
  return {};
}

// A pattern that matches no id tells no parts apart. `id`: one of B.
Status CheckSegments(const std::string& config, const Segments& segments,
                     const std::string& id, StudySteps* steps) {
  const auto& names = segments.names();
  uint64_t all = 0, none = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    all += segments.sizes()[i];
    if (names[i] == kNoSegment) none += segments.sizes()[i];
  }
  if (none > 0 && none < all)
    steps->Warn("'b.segment_pattern' does not match " + std::to_string(none) +
                " of " + std::to_string(all) +
                " ids of B, which are the segment (none)");
  if (none < all) return {};
  return Fail(ErrorCode::kCorrupt,
              "'b.segment_pattern' matches none of the " + std::to_string(all) +
                  " ids of B, as '" + NameText(id) + "'",
              config, "leave it out, or match a part of the ids");
}

Result<Segments> ReadSegments(const StudyOptions& options,
                              const StudyPlan& plan, uint64_t most_bytes,
                              std::vector<SideRead>* sides, StudySteps* steps) {
  TWINSET_ASSIGN(Segments segments, Segments::Make(plan, most_bytes));
  std::string first;
  TWINSET_TRY(ForEachDocumentOfSide("b", plan.b, plan.tokens, options.stop,
                                    sides, [&](const CollectionDocument& one) {
                                      if (first.empty()) first = one.name;
                                      return segments.Add(one.name, one.input);
                                    }));
  segments.Finish();
  if (!plan.segment_pattern.empty())
    TWINSET_TRY(CheckSegments(options.config, segments, first, steps));
  return segments;
}

// How many judged documents A has. kCorrupt when it has none of them.
Result<uint64_t> JudgedInA(const StudyPlan& plan, const IdTable& judged,
                           const std::atomic<bool>* stop,
                           std::vector<SideRead>* sides,
                           std::vector<std::string>* warnings) {
  std::vector<char> seen(judged.size());
  std::string first;
  TWINSET_TRY(
      ForEachDocumentOfSide("a", plan.a, plan.tokens, stop, sides,
                            [&](const CollectionDocument& one) -> Status {
                              if (first.empty()) first = one.name;
                              if (const auto number = judged.Find(one.name))
                                seen[*number] = 1;
                              return {};
                            }));
  const auto in_a =
      static_cast<uint64_t>(std::count(seen.begin(), seen.end(), 1));
  if (in_a == 0)
    return NothingInCommon("the judgements", judged[0], "A", first);
  if (in_a < judged.size()) {
    const auto lacks = static_cast<uint32_t>(
        std::find(seen.begin(), seen.end(), 0) - seen.begin());
    warnings->push_back(
        std::to_string(judged.size() - in_a) + " of " +
        std::to_string(judged.size()) + " judged documents are not in A, as '" +
        NameText(judged[lacks]) + "'; nothing can be found for them");
  }
  return in_a;
}

}  // namespace

Result<StudyInputs> ReadStudyInputs(const StudyOptions& options,
                                    const StudyPlan& plan, StudySteps* steps) {
  std::vector<SideRead> sides;
  TWINSET_ASSIGN(IdTable judged, ReadJudged(plan, &sides, steps));
  TWINSET_TRY(CheckTopics(plan));
  const uint64_t most_bytes = MemoryOr(options.resources.memory_bytes) / 4;
  TWINSET_ASSIGN(Segments segments,
                 ReadSegments(options, plan, most_bytes, &sides, steps));
  const uint64_t table = uint64_t{8} * judged.size() *
                         std::max<size_t>(1, segments.names().size());
  if (table > most_bytes)
    return Fail(ErrorCode::kMemory,
                "the table of judged documents and segments does not fit into "
                "a quarter of the memory",
                {}, "give more --memory, or fewer segments");
  return StudyInputs{std::move(judged), std::move(segments), std::move(sides)};
}

Result<JudgementStep> CountJudged(const StudyPlan& plan, const IdTable& judged,
                                  const std::atomic<bool>* stop,
                                  std::vector<std::string>* warnings) {
  QrelsOptions options;
  JudgementStep step;
  for (const std::string& path : plan.qrels) {
    options.qrels = {path};
    TWINSET_ASSIGN(const QrelsStatsResult counted, CountQrels(options));
    step.files.push_back({FileName(path), counted.all});
  }
  options.qrels = plan.qrels;
  TWINSET_ASSIGN(const QrelsStatsResult all, CountQrels(options));
  step.all = all.all;
  std::vector<SideRead> sides;
  TWINSET_ASSIGN(const uint64_t in_a,
                 JudgedInA(plan, judged, stop, &sides, warnings));
  step.judged_in_a = ShareOfStudy(in_a, judged.size());
  if (!plan.control.inputs.empty())
    TWINSET_TRY(ForEachDocumentOfSide(
        "control", plan.control, plan.tokens, stop, &sides,
        [](const CollectionDocument&) { return Status(); }));
  for (const SideRead& side : sides) step.sides.push_back(SideRow::Of(side));
  return step;
}

}  // namespace twinset
