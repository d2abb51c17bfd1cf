// twinset/corpora/study.h: the steps in their order.
#include "twinset/corpora/study.h"

#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "core/field_list.h"
#include "documents/document_pass.h"
#include "documents/result_places.h"
#include "documents/text_lines.h"
#include "read/reader.h"
#include "store/scratch_folder.h"
#include "transfer/addresses.h"
#include "transfer/assessed_pairs.h"
#include "transfer/candidate_search.h"
#include "transfer/carry_over.h"
#include "transfer/mix_comparison.h"
#include "transfer/pair_examples.h"
#include "transfer/pilot_page.h"
#include "transfer/study_files.h"
#include "transfer/study_inputs.h"
#include "transfer/study_numbers.h"
#include "transfer/study_steps.h"

namespace twinset {
namespace {

class Pilot {
 public:
  // All of them outlive it.
  Pilot(const StudyOptions& options, const StudyPlan& plan,
        const ScratchFolder& work, StudySteps* steps)
      : options_(options),
        plan_(plan),
        work_(work),
        steps_(*steps),
        searches_(SearchesOf(plan)) {}

  Result<StudyResult> Run() {
    TWINSET_ASSIGN(const StudyInputs inputs,
                   ReadStudyInputs(options_, plan_, &steps_));
    const Segments& segments = inputs.segments;
    for (size_t i = 0; i < segments.names().size(); ++i)
      result_.segments.push_back({segments.names()[i], segments.sizes()[i]});
    TWINSET_ASSIGN(const JudgementStep judged,
                   steps_.Take<JudgementStep>("judgements", {}, [&] {
                     return CountJudged(plan_, inputs.judged, options_.stop,
                                        steps_.step_warnings());
                   }));
    result_.judgements = judged;
    result_.sides = inputs.sides;
    for (const SideRow& row : judged.sides) result_.sides.push_back(row.Side());
    TWINSET_ASSIGN(result_.addresses, steps_.Take<StudyAddresses>(
                                          "addresses", {kStudySameUrl}, [&] {
                                            return Addresses(inputs.judged);
                                          }));
    for (const PlannedSearch& search : searches_) {
      TWINSET_ASSIGN(
          StudySearch found,
          steps_.Take<StudySearch>(search.name(), search.Files(plan_),
                                   [&] { return TakeSearch(search, inputs); }));
      (search.control ? result_.control : result_.searches)
          .push_back(std::move(found));
    }
    TWINSET_TRY(AfterSearches(inputs));
    return Finish(inputs.judged);
  }

 private:
  std::string Path(const std::string& name) const {
    return options_.out + "/" + name;
  }

  Result<StudyAddresses> Addresses(const IdTable& judged) {
    AddressInput input;
    input.plan = &plan_;
    input.judged = &judged;
    input.work = work_.path();
    input.rows = Path(kStudySameUrl);
    input.memory_bytes = MemoryOr(options_.resources.memory_bytes);
    input.stop = options_.stop;
    input.warnings = steps_.step_warnings();
    return CompareAddresses(input);
  }

  Result<StudySearch> TakeSearch(const PlannedSearch& search,
                                 const StudyInputs& inputs) {
    SearchInput input;
    input.plan = &plan_;
    input.a = search.control ? &plan_.control : &plan_.a;
    const IdTable nobody;
    input.judged = search.control ? &nobody : &inputs.judged;
    input.segments = &inputs.segments;
    input.content = search.content;
    input.mix = search.mix;
    input.work = work_.path();
    input.pairs = Path(search.pairs());
    if (search.IsAssessed(plan_)) input.assess = Path(search.assess());
    input.resources = options_.resources;
    input.stop = options_.stop;
    TWINSET_ASSIGN(SearchOutcome outcome, SearchCandidates(input));
    for (const std::string& warning : outcome.warnings)
      steps_.step_warnings()->push_back(search.label() + ": " + warning);
    if (search.control) {
      outcome.numbers.judged.reset();
      return std::move(outcome.numbers);
    }
    TWINSET_TRY(WriteMasks(
        {search.label(), std::move(outcome.found), std::move(outcome.near)},
        inputs.judged, Path(search.masks())));
    return std::move(outcome.numbers);
  }

  Status AfterSearches(const StudyInputs& inputs) {
    TWINSET_ASSIGN(const std::vector<char> same, SameAddress(inputs.judged));
    for (const ContentMode content : plan_.content)
      TWINSET_TRY(AfterSearchesOf(content, inputs, same));
    if (plan_.assessment.wanted)
      for (const ContentMode content : plan_.content)
        TWINSET_TRY(AddStep(
            "assessment", content, {LabelledFile(content)},
            [&] {
              return AssessPairs(AssessmentOf(content), steps_.step_warnings());
            },
            &result_.assessment));
    if (!plan_.retrieval.topics.empty())
      for (const ContentMode content : plan_.content)
        TWINSET_TRY(AddStep(
            "carry-over", content, {},
            [&] { return CompareSystems(CarryOf(content)); },
            &result_.carry_over));
    return {};
  }

  // `same`: which judged documents have an address that B has too.
  Status AfterSearchesOf(ContentMode content, const StudyInputs& inputs,
                         const std::vector<char>& same) {
    std::vector<FoundMasks> mixes;
    for (const PlannedSearch& search : searches_) {
      if (search.control || search.content != content) continue;
      TWINSET_ASSIGN(FoundMasks masks, ReadMasks(search.label(), inputs.judged,
                                                 Path(search.masks())));
      mixes.push_back(std::move(masks));
    }
    TWINSET_TRY(AddStep(
        "mixes", content, {},
        [&]() -> Result<StudyMixes> { return CompareMixes(mixes, same); },
        &result_.mixes));
    TWINSET_TRY(AddStep(
        "extrapolation", content, {},
        [&]() -> Result<StudyExtrapolation> {
          return ExtrapolateMixes(
              mixes, static_cast<uint32_t>(inputs.segments.names().size()),
              plan_);
        },
        &result_.extrapolation));
    return AddStep(
        "transfer", content, {TransferredFile(content)},
        [&] { return CarryJudgements(CarryOf(content)); }, &result_.transfer);
  }

  AssessmentInput AssessmentOf(ContentMode content) const {
    AssessmentInput input;
    input.plan = &plan_;
    for (const PlannedSearch& search : searches_)
      if (search.IsAssessed(plan_) && search.content == content)
        input.samples.emplace_back(search.label(), Path(search.assess()));
    input.labelled = Path(LabelledFile(content));
    return input;
  }

  template <typename Found, typename Body>
  Status AddStep(const std::string& name, ContentMode content,
                 const std::vector<std::string>& files, const Body& body,
                 std::vector<StudyOf<Found>>* rows) {
    TWINSET_ASSIGN(
        Found found,
        steps_.Take<Found>(name + "." + std::string(ChoiceName(content)), files,
                           body));
    rows->push_back({content, std::move(found)});
    return {};
  }

  // Pairs of the content that the page begins with.
  Result<std::vector<html::TextPair>> Examples(const IdTable& judged) const {
    ExampleInput input;
    input.plan = &plan_;
    input.judged = &judged;
    input.content = plan_.content.front();
    input.folder = options_.out;
    input.pairs = CarrySearch(plan_, input.content).name() + ".pairs";
    return ReadExamples(input);
  }

  CarryInput CarryOf(ContentMode content) const {
    CarryInput input;
    input.plan = &plan_;
    input.content = content;
    input.pairs = Path(CarrySearch(plan_, content).pairs());
    input.transferred = Path(TransferredFile(content));
    input.work = work_.path();
    input.resources = options_.resources;
    input.stop = options_.stop;
    return input;
  }

  // Which judged documents have an address that B has too.
  Result<std::vector<char>> SameAddress(const IdTable& judged) const {
    std::vector<char> same(judged.size());
    Status status;
    TWINSET_TRY(ForEachTextLine(Path(kStudySameUrl), [&](const TextLine& line) {
      SameAddressRow row;
      if (!FieldsFromJson(Json::Parse(line.text), 0, &row)) {
        status = Fail(ErrorCode::kCorrupt, "a row is not as it was written",
                      Path(kStudySameUrl) + ":" + std::to_string(line.number),
                      "start anew with --overwrite");
        return false;
      }
      if (const auto document = judged.Find(row.a)) same[*document] = 1;
      return true;
    }));
    TWINSET_TRY(status);
    return same;
  }

  Status AddDigests() {
    for (const std::string& name : StudyFilesOf(plan_)) {
      if (!IsOfAStep(name)) continue;
      TWINSET_ASSIGN(File file, File::OpenRead(Path(name)));
      TWINSET_ASSIGN(const uint64_t bytes, file.Size());
      Hasher64 hash;
      TWINSET_TRY(HashFile(&file, bytes, &hash));
      result_.files.push_back({name, bytes, ToHex(hash.Digest())});
    }
    return {};
  }

  Result<StudyResult> Finish(const IdTable& judged) {
    result_.steps = steps_.names();
    result_.kept = steps_.kept();
    result_.warnings = steps_.warnings();
    result_.parameters = ParametersOf(plan_);
    TWINSET_TRY(AddDigests());
    const Json study = FieldsToJson(result_);
    TWINSET_TRY(WriteWholeFile(Path(kStudyNumbers), NumbersCsv(study)));
    TWINSET_ASSIGN(const auto examples, Examples(judged));
    result_.page = ResultPage(PilotPage(result_, examples));
    TWINSET_TRY(
        WriteKeptPage(*result_.page.kept(), options_.out, kStudyReport));
    TWINSET_TRY(WriteWholeFile(Path(kStudySummary), study.dump(2) + "\n"));
    return std::move(result_);
  }

  const StudyOptions& options_;
  const StudyPlan& plan_;
  const ScratchFolder& work_;
  StudySteps& steps_;
  const std::vector<PlannedSearch> searches_;
  StudyResult result_;
};

}  // namespace

Json v1::SummaryJson(const StudyResult& result) { return FieldsToJson(result); }

Result<StudyResult> v1::RunStudy(const StudyOptions& options) try {
  if (options.config.empty())
    return Fail(ErrorCode::kUsage, "no configuration is given", {},
                "twinset study STUDY.toml --out DIR");
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "it is not said where to write", {},
                "add --out DIR");
  TWINSET_ASSIGN(const StudyPlan plan, ReadStudyPlan(options.config));
  const std::vector<std::string> inputs = InputsOf(plan, options.config);
  TWINSET_TRY(RefuseReadOnce(inputs));
  TWINSET_TRY(CheckLabels(plan.assessment.labels));
  FolderRequest request = OutRequest("study", options);
  request.resume = options.resume;
  request.resumable = true;
  request.done = kStudySummary;
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(std::move(request), inputs));
  for (const InputOptions* side : {&plan.a, &plan.b})
    if (const auto files = ListInputs(*side); !files)
      return tl::unexpected<Error>(files.error());
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, ".twinset-study-"));
  TWINSET_TRY(folder.Begin(StudyFilesOf(plan)));
  TWINSET_ASSIGN(StudySteps steps, StudySteps::Open(options, plan));
  auto result = Pilot(options, plan, work, &steps).Run();
  // Nothing stands in the way of the corrected command.
  if (!result && !options.resume && !steps.any()) (void)folder.Remove();
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
