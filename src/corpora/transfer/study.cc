// twinset/corpora/study.h: the steps in their order, kept in a journal.
#include "twinset/corpora/study.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/document_pass.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "read/reader.h"
#include "retrieval/engine_runs.h"
#include "retrieval/qrels_file.h"
#include "store/journal.h"
#include "store/scratch_folder.h"
#include "transfer/addresses.h"
#include "transfer/assessed_pairs.h"
#include "transfer/candidate_search.h"
#include "transfer/carry_over.h"
#include "transfer/collection_pass.h"
#include "transfer/mix_comparison.h"
#include "transfer/pair_examples.h"
#include "transfer/pilot_page.h"
#include "transfer/study_numbers.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {
namespace {

constexpr char kSummary[] = "study.json", kNumbers[] = "numbers.csv";
constexpr char kSameUrl[] = "same_url.jsonl", kReport[] = "report.html";
constexpr char kComplete[] = "complete";

StudyParameters ParametersOf(const StudyPlan& plan) {
  const auto& candidates = plan.candidates;
  const auto& retrieval = plan.retrieval;
  return {.seed = plan.seed,
          .threshold = plan.threshold,
          .measure = plan.measure,
          .tokens = plan.tokens,
          .content = plan.content,
          .segment_pattern = plan.segment_pattern,
          .mixes = candidates.mixes,
          .bits = candidates.bits,
          .distance = candidates.distance,
          .tables = candidates.tables,
          .feature_hash = candidates.feature_hash,
          .bucket_limit = candidates.bucket_limit,
          .complete = candidates.complete,
          .fit = plan.extrapolation.fit,
          .draws_of_fits = plan.extrapolation.draws,
          .to = plan.extrapolation.to,
          .pairs = retrieval.pairs,
          .conflict = retrieval.conflict,
          .results = retrieval.results,
          .relevance_level = retrieval.relevance_level,
          .permutations = retrieval.permutations,
          .draws_of_shares = retrieval.draws,
          .shares = retrieval.shares,
          .pairs_to_assess = plan.assessment.wanted
                                 ? std::optional(plan.assessment.pairs)
                                 : std::nullopt,
          .least_grade = plan.assessment.least_grade};
}

// Everything that a study reads, for protection and for resuming.
std::vector<std::string> InputsOf(const StudyPlan& plan,
                                  const std::string& config) {
  std::vector<std::string> inputs = {config};
  for (const auto* more :
       {&plan.a.inputs, &plan.b.inputs, &plan.control.inputs, &plan.qrels,
        &plan.retrieval.topics, &plan.assessment.labels})
    inputs.insert(inputs.end(), more->begin(), more->end());
  return inputs;
}

// Names and sizes of what is read: a study of other inputs is another study.
Result<Json> DescribeInputs(const std::vector<std::string>& inputs) {
  Json described = Json::array();
  TWINSET_TRY(ForEachInputFile(inputs, [&](const std::string& path) -> Status {
    if (std::error_code error; std::filesystem::is_directory(path, error))
      return {};
    const auto size = FileSize(path);
    described.push_back({NameText(path), size ? Json(*size) : Json()});
    return {};
  }));
  return described;
}

// One search: a content and a mix, or the control's.
struct Search {
  ContentMode content = ContentMode::kAll;
  std::string mix;  // empty: the complete join
  bool control = false;

  std::string label() const { return mix.empty() ? kComplete : mix; }
  std::string name() const {
    return std::string(control ? "control." : "search.") +
           std::string(ChoiceName(content)) + "." + FileWord(label());
  }
  std::string pairs() const { return name() + ".pairs.jsonl"; }
  std::string masks() const { return name() + ".documents.csv"; }
  std::string assess() const { return name() + ".assess.jsonl"; }
};

std::vector<Search> SearchesOf(const StudyPlan& plan) {
  std::vector<Search> searches;
  for (const ContentMode content : plan.content) {
    if (plan.candidates.complete) searches.push_back({content, "", false});
    for (const std::string& mix : plan.candidates.mixes)
      searches.push_back({content, mix, false});
  }
  if (!plan.control.inputs.empty())
    for (const std::string& mix : plan.candidates.mixes)
      searches.push_back({plan.content.front(), mix, true});
  return searches;
}

std::string LabelledFile(ContentMode content) {
  return "labelled." + std::string(ChoiceName(content)) + ".jsonl";
}
std::string TransferredFile(ContentMode content) {
  return "transferred." + std::string(ChoiceName(content)) + ".qrels";
}

// A step as the journal keeps it.
template <typename Found>
struct StepState {
  Found numbers;
  std::vector<std::string> warnings;

  static void Fields(auto& state, auto& field) {
    field("numbers", state.numbers);
    field("warnings", state.warnings);
  }
};

// A side as the journal keeps it: a row of SidesJson.
struct SideRow {
  std::string side, input;
  uint64_t records = 0, documents = 0, quarantined = 0;

  static SideRow Of(const SideRead& side) {
    return {side.side, NameText(side.input), side.records, side.used,
            side.quarantined};
  }
  SideRead Side() const {
    SideRead read;
    read.side = side;
    read.input = NameBytes(input).value_or("");
    read.records = records;
    read.used = documents;
    read.quarantined = quarantined;
    return read;
  }
  static void Fields(auto& row, auto& field) {
    field("side", row.side);
    field("input", row.input);
    field("records", row.records);
    field("documents", row.documents);
    field("quarantined", row.quarantined);
  }
};

// The first step also reads A and the control.
struct JudgementStep : StudyJudgements {
  std::vector<SideRow> sides;

  static void Fields(auto& step, auto& field) {
    StudyJudgements::Fields(step, field);
    field("sides", step.sides);
  }
};

class Pilot {
 public:
  Pilot(const StudyOptions& options, StudyPlan plan, ScratchFolder work)
      : options_(options),
        plan_(std::move(plan)),
        work_(std::move(work)),
        searches_(SearchesOf(plan_)) {}

  std::vector<std::string> Files() const {
    std::vector<std::string> files = {
        Journal::kFileName, kSummary, kNumbers,
        kSameUrl,           kReport,  KeptPage::kFileName};
    for (const Search& search : searches_) {
      files.push_back(search.pairs());
      if (!search.control) files.push_back(search.masks());
      if (IsAssessed(search)) files.push_back(search.assess());
    }
    for (const ContentMode content : plan_.content) {
      files.push_back(TransferredFile(content));
      if (plan_.assessment.wanted) files.push_back(LabelledFile(content));
    }
    return files;
  }

  Status OpenJournal() {
    TWINSET_ASSIGN(const Json inputs,
                   DescribeInputs(InputsOf(plan_, options_.config)));
    const Json begin = {{"version", kVersion},
                        {"parameters", FieldsToJson(ParametersOf(plan_))},
                        {"inputs", inputs}};
    if (!options_.resume) {
      TWINSET_ASSIGN(Journal journal,
                     Journal::Create(options_.out, begin.dump()));
      journal_.emplace(std::move(journal));
      return {};
    }
    if (FileExists(Path(kSummary)))
      return Fail(ErrorCode::kUsage,
                  "there is nothing to resume: the study is finished",
                  options_.out);
    auto journal = Journal::Open(options_.out);
    if (!journal) {
      if (journal.error().code != ErrorCode::kIo)
        return tl::unexpected<Error>(journal.error());
      return Fail(ErrorCode::kUsage, "there is nothing to resume", options_.out,
                  "run the command without --resume");
    }
    if (journal->begin() != begin.dump())
      return Fail(ErrorCode::kUsage,
                  "cannot resume: the configuration or its inputs are others",
                  options_.out, "start anew with --overwrite");
    journal_.emplace(std::move(*journal));
    return {};
  }

  // Returns true iff a step is finished, so that there is something to resume.
  bool has_steps() const { return has_steps_; }

  Result<StudyResult> Run() {
    TWINSET_TRY(ReadJudged());
    TWINSET_TRY(ReadSegments());
    for (size_t i = 0; i < segments_->names().size(); ++i)
      result_.segments.push_back(
          {segments_->names()[i], segments_->sizes()[i]});
    TWINSET_ASSIGN(
        const JudgementStep judged,
        Step<JudgementStep>("judgements", {}, [&] { return Judgements(); }));
    result_.judgements = judged;
    result_.sides = sides_;
    for (const SideRow& row : judged.sides) result_.sides.push_back(row.Side());
    TWINSET_ASSIGN(result_.addresses,
                   Step<StudyAddresses>("addresses", {kSameUrl},
                                        [&] { return Addresses(); }));
    for (const Search& search : searches_) {
      TWINSET_ASSIGN(StudySearch found, TakeSearch(search));
      (search.control ? result_.control : result_.searches)
          .push_back(std::move(found));
    }
    TWINSET_TRY(AfterSearches());
    result_.parameters = ParametersOf(plan_);
    TWINSET_TRY(AddDigests());
    return Finish();
  }

 private:
  std::string Path(const std::string& name) const {
    return options_.out + "/" + name;
  }
  bool IsAssessed(const Search& search) const {
    return plan_.assessment.wanted && !search.control;
  }

  // Takes the step, or what an earlier call found.
  template <typename Found, typename Body>
  Result<Found> Step(const std::string& name,
                     const std::vector<std::string>& files, const Body& body) {
    TWINSET_TRY(CheckStop(options_.stop));
    result_.steps.push_back(name);
    const bool there = std::all_of(
        files.begin(), files.end(),
        [&](const std::string& file) { return FileExists(Path(file)); });
    if (there && journal_->IsDone(name)) return KnownStep<Found>(name);
    Tell(name);
    step_warnings_.clear();
    const auto begin = std::chrono::steady_clock::now();
    TWINSET_ASSIGN(Found found, body());
    if (IsSearch(name)) {
      search_seconds_ += SecondsSince(begin);
      ++searches_taken_;
    }
    const StepState<Found> state = {std::move(found), step_warnings_};
    TWINSET_TRY(journal_->FinishStage(name, files, FieldsToJson(state).dump()));
    has_steps_ = true;
    for (const std::string& warning : step_warnings_) Warn(warning);
    return state.numbers;
  }
  template <typename Found>
  Result<Found> KnownStep(const std::string& name) {
    TWINSET_TRY(journal_->Verify(name));
    TWINSET_ASSIGN(const std::string text, journal_->StageState(name));
    StepState<Found> state;
    if (!FieldsFromJson(Json::Parse(text), 0, &state))
      return Fail(ErrorCode::kCorrupt,
                  "what the step '" + name + "' found is not as it was written",
                  Path(Journal::kFileName), "start anew with --overwrite");
    ++result_.kept;
    has_steps_ = true;
    for (const std::string& warning : state.warnings) Warn(warning);
    return std::move(state.numbers);
  }
  static bool IsSearch(const std::string& name) {
    return name.starts_with("search.") || name.starts_with("control.");
  }
  static double SecondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  }

  // What is being done and how far it is. Searches take most of the time, about
  // as much each: what is left of them is forecast from those that were taken.
  void Tell(const std::string& name) {
    const bool is_search = IsSearch(name);
    if (is_search) ++searches_begun_;
    if (!options_.on_step) return;
    StudyStep step;
    step.name = name;
    step.number = result_.steps.size();
    step.of = StepCount();
    step.seconds = SecondsSince(begin_);
    if (is_search && searches_taken_ > 0)
      step.search_seconds_left =
          search_seconds_ / static_cast<double>(searches_taken_) *
          static_cast<double>(searches_.size() + 1 - searches_begun_);
    options_.on_step(step);
  }
  size_t StepCount() const {
    const size_t contents = plan_.content.size();
    return 2 + searches_.size() +
           contents * (3 + (plan_.assessment.wanted ? 1 : 0) +
                       (plan_.retrieval.topics.empty() ? 0 : 1));
  }

  void Warn(const std::string& warning) {
    auto& all = result_.warnings;
    if (std::find(all.begin(), all.end(), warning) == all.end())
      all.push_back(warning);
  }

  uint64_t memory_bytes() const {
    return MemoryOr(options_.resources.memory_bytes);
  }

  Status ReadJudged() {
    StudyNames names;
    LineCounts lines;
    TWINSET_TRY(ReadQrelsFiles(plan_.qrels, {}, &names, &lines));
    judged_ = std::move(names.documents);
    for (SideRead file : lines.files) {
      file.side = "a.qrels";
      sides_.push_back(std::move(file));
    }
    // Asked before hours of searches.
    std::vector<StudyTopic> topics;
    LineCounts of_topics;
    for (const std::string& path : plan_.retrieval.topics) {
      TWINSET_TRY(ReadTopics(path, {}, &of_topics, &topics));
      TWINSET_TRY(CheckLastFile(of_topics, "lines are 'ID:QUERY'"));
    }
    if (lines.left_out_in_all() > 0)
      Warn(std::to_string(lines.left_out_in_all()) +
           " lines of the judgements do not count");
    return {};
  }

  Status ReadSegments() {
    TWINSET_ASSIGN(Segments segments,
                   Segments::Make(plan_, memory_bytes() / 4));
    segments_.emplace(std::move(segments));
    std::string first;
    TWINSET_TRY(
        ForEachDocumentOfSide("b", plan_.b, plan_.tokens, options_.stop,
                              &sides_, [&](const CollectionDocument& one) {
                                if (first.empty()) first = one.name;
                                return segments_->Add(one.name, one.input);
                              }));
    segments_->Finish();
    TWINSET_TRY(CheckSegments(first));
    const uint64_t table = uint64_t{8} * judged_.size() *
                           std::max<size_t>(1, segments_->names().size());
    if (table <= memory_bytes() / 4) return {};
    return Fail(ErrorCode::kMemory,
                "the table of judged documents and segments does not fit into "
                "a quarter of the memory",
                {}, "give more --memory, or fewer segments");
  }
  // A pattern that matches no id tells no parts apart.
  Status CheckSegments(const std::string& id) {
    if (plan_.segment_pattern.empty()) return {};
    const auto& names = segments_->names();
    uint64_t all = 0, none = 0;
    for (size_t i = 0; i < names.size(); ++i) {
      all += segments_->sizes()[i];
      if (names[i] == kNoSegment) none += segments_->sizes()[i];
    }
    if (none > 0 && none < all)
      Warn("'b.segment_pattern' does not match " + std::to_string(none) +
           " of " + std::to_string(all) +
           " ids of B, which are the segment (none)");
    if (none < all) return {};
    return Fail(ErrorCode::kCorrupt,
                "'b.segment_pattern' matches none of the " +
                    std::to_string(all) + " ids of B, as '" + NameText(id) +
                    "'",
                options_.config, "leave it out, or match a part of the ids");
  }

  Result<JudgementStep> Judgements() {
    QrelsOptions options;
    JudgementStep step;
    for (const std::string& path : plan_.qrels) {
      options.qrels = {path};
      TWINSET_ASSIGN(const QrelsStatsResult counted, CountQrels(options));
      step.files.push_back({FileName(path), counted.all});
    }
    options.qrels = plan_.qrels;
    TWINSET_ASSIGN(const QrelsStatsResult all, CountQrels(options));
    step.all = all.all;
    std::vector<SideRead> sides;
    TWINSET_ASSIGN(const uint64_t in_a, JudgedInA(&sides));
    step.judged_in_a = ShareOfStudy(in_a, judged_.size());
    if (!plan_.control.inputs.empty())
      TWINSET_TRY(ForEachDocumentOfSide(
          "control", plan_.control, plan_.tokens, options_.stop, &sides,
          [](const CollectionDocument&) { return Status(); }));
    for (const SideRead& side : sides) step.sides.push_back(SideRow::Of(side));
    return step;
  }

  // How many judged documents A has. kCorrupt when it has none of them.
  Result<uint64_t> JudgedInA(std::vector<SideRead>* sides) {
    std::vector<char> seen(judged_.size());
    std::string first;
    TWINSET_TRY(
        ForEachDocumentOfSide("a", plan_.a, plan_.tokens, options_.stop, sides,
                              [&](const CollectionDocument& one) -> Status {
                                if (first.empty()) first = one.name;
                                if (const auto number = judged_.Find(one.name))
                                  seen[*number] = 1;
                                return {};
                              }));
    const auto in_a =
        static_cast<uint64_t>(std::count(seen.begin(), seen.end(), 1));
    if (in_a == 0)
      return NothingInCommon("the judgements", judged_[0], "A", first);
    if (in_a < judged_.size()) {
      const auto lacks = static_cast<uint32_t>(
          std::find(seen.begin(), seen.end(), 0) - seen.begin());
      step_warnings_.push_back(std::to_string(judged_.size() - in_a) + " of " +
                               std::to_string(judged_.size()) +
                               " judged documents are not in A, as '" +
                               NameText(judged_[lacks]) +
                               "'; nothing can be found for them");
    }
    return in_a;
  }

  Result<StudyAddresses> Addresses() {
    AddressInput input;
    input.plan = &plan_;
    input.judged = &judged_;
    input.work = work_.path();
    input.rows = Path(kSameUrl);
    input.memory_bytes = memory_bytes();
    input.stop = options_.stop;
    input.warnings = &step_warnings_;
    return CompareAddresses(input);
  }

  Result<StudySearch> TakeSearch(const Search& search) {
    std::vector<std::string> files = {search.pairs()};
    if (!search.control) files.push_back(search.masks());
    if (IsAssessed(search)) files.push_back(search.assess());
    return Step<StudySearch>(
        search.name(), files, [&]() -> Result<StudySearch> {
          SearchInput input;
          input.plan = &plan_;
          input.a = search.control ? &plan_.control : &plan_.a;
          const IdTable nobody;
          input.judged = search.control ? &nobody : &judged_;
          input.segments = &*segments_;
          input.content = search.content;
          input.mix = search.mix;
          input.work = work_.path();
          input.pairs = Path(search.pairs());
          if (IsAssessed(search)) input.assess = Path(search.assess());
          input.resources = options_.resources;
          input.stop = options_.stop;
          TWINSET_ASSIGN(SearchOutcome outcome, SearchCandidates(input));
          for (const std::string& warning : outcome.warnings)
            step_warnings_.push_back(search.label() + ": " + warning);
          if (!search.control)
            TWINSET_TRY(WriteMasks({search.label(), std::move(outcome.found),
                                    std::move(outcome.near)},
                                   judged_, Path(search.masks())));
          if (search.control) outcome.numbers.judged.reset();
          return std::move(outcome.numbers);
        });
  }

  Status AfterSearches() {
    TWINSET_ASSIGN(const std::vector<char> same, SameAddress());
    for (const ContentMode content : plan_.content) {
      std::vector<FoundMasks> mixes;
      for (const Search& search : searches_) {
        if (search.control || search.content != content) continue;
        TWINSET_ASSIGN(FoundMasks masks, ReadMasks(search.label(), judged_,
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
                mixes, static_cast<uint32_t>(segments_->names().size()), plan_);
          },
          &result_.extrapolation));
      TWINSET_TRY(AddStep(
          "transfer", content, {TransferredFile(content)},
          [&] { return CarryJudgements(CarryOf(content)); },
          &result_.transfer));
    }
    if (plan_.assessment.wanted)
      for (const ContentMode content : plan_.content)
        TWINSET_TRY(AddStep(
            "assessment", content, {LabelledFile(content)},
            [&] { return AssessPairs(AssessmentOf(content), &step_warnings_); },
            &result_.assessment));
    if (!plan_.retrieval.topics.empty())
      for (const ContentMode content : plan_.content)
        TWINSET_TRY(AddStep(
            "carry-over", content, {},
            [&] { return CompareSystems(CarryOf(content)); },
            &result_.carry_over));
    return {};
  }

  AssessmentInput AssessmentOf(ContentMode content) const {
    AssessmentInput input;
    input.plan = &plan_;
    for (const Search& search : searches_)
      if (IsAssessed(search) && search.content == content)
        input.samples.emplace_back(search.label(), Path(search.assess()));
    input.labelled = Path(LabelledFile(content));
    return input;
  }

  template <typename Found, typename Body>
  Status AddStep(const std::string& name, ContentMode content,
                 const std::vector<std::string>& files, const Body& body,
                 std::vector<StudyOf<Found>>* rows) {
    TWINSET_ASSIGN(Found found,
                   Step<Found>(name + "." + std::string(ChoiceName(content)),
                               files, body));
    rows->push_back({content, std::move(found)});
    return {};
  }

  // Along whose pairs judgements go.
  Search CarrySearch(ContentMode content) const {
    std::string pairs = plan_.retrieval.pairs;
    if (pairs == kComplete)
      pairs = plan_.candidates.complete ? "" : plan_.candidates.mixes.front();
    return {content, pairs, false};
  }

  // Pairs of the content that the page begins with.
  Result<std::vector<html::TextPair>> Examples() const {
    ExampleInput input;
    input.plan = &plan_;
    input.judged = &judged_;
    input.content = plan_.content.front();
    input.folder = options_.out;
    input.pairs = CarrySearch(input.content).name() + ".pairs";
    return ReadExamples(input);
  }

  CarryInput CarryOf(ContentMode content) const {
    CarryInput input;
    input.plan = &plan_;
    input.content = content;
    input.pairs = Path(CarrySearch(content).pairs());
    input.transferred = Path(TransferredFile(content));
    input.work = work_.path();
    input.resources = options_.resources;
    input.stop = options_.stop;
    return input;
  }

  // Which judged documents have an address that B has too.
  Result<std::vector<char>> SameAddress() const {
    std::vector<char> same(judged_.size());
    Status status;
    TWINSET_TRY(ForEachTextLine(Path(kSameUrl), [&](const TextLine& line) {
      SameAddressRow row;
      if (!FieldsFromJson(Json::Parse(line.text), 0, &row)) {
        status = Fail(ErrorCode::kCorrupt, "a row is not as it was written",
                      Path(kSameUrl) + ":" + std::to_string(line.number),
                      "start anew with --overwrite");
        return false;
      }
      if (const auto document = judged_.Find(row.a)) same[*document] = 1;
      return true;
    }));
    TWINSET_TRY(status);
    return same;
  }

  Status AddDigests() {
    for (const std::string& name : Files()) {
      if (name == kSummary || name == kNumbers || name == kReport ||
          name == Journal::kFileName || name == KeptPage::kFileName)
        continue;
      TWINSET_ASSIGN(File file, File::OpenRead(Path(name)));
      TWINSET_ASSIGN(const uint64_t bytes, file.Size());
      Hasher64 hash;
      TWINSET_TRY(HashFile(&file, bytes, &hash));
      result_.files.push_back({name, bytes, ToHex(hash.Digest())});
    }
    return {};
  }

  Result<StudyResult> Finish() {
    const Json study = FieldsToJson(result_);
    TWINSET_TRY(WriteWholeFile(Path(kNumbers), NumbersCsv(study)));
    TWINSET_ASSIGN(const auto examples, Examples());
    result_.page = ResultPage(PilotPage(result_, examples));
    TWINSET_TRY(WriteKeptPage(*result_.page.kept(), options_.out, kReport));
    TWINSET_TRY(WriteWholeFile(Path(kSummary), study.dump(2) + "\n"));
    return std::move(result_);
  }

  StudyOptions options_;
  StudyPlan plan_;
  ScratchFolder work_;
  std::vector<Search> searches_;
  std::optional<Journal> journal_;
  IdTable judged_;
  std::optional<Segments> segments_;
  std::vector<SideRead> sides_;  // judgements and B
  std::vector<std::string> step_warnings_;
  const std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  size_t searches_begun_ = 0, searches_taken_ = 0;
  double search_seconds_ = 0;
  bool has_steps_ = false;
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
  TWINSET_ASSIGN(StudyPlan plan, ReadStudyPlan(options.config));
  const std::vector<std::string> inputs = InputsOf(plan, options.config);
  TWINSET_TRY(RefuseReadOnce(inputs));
  TWINSET_TRY(CheckLabels(plan.assessment.labels));
  FolderRequest request = OutRequest("study", options);
  request.resume = options.resume;
  request.resumable = true;
  request.done = kSummary;
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(std::move(request), inputs));
  for (const auto* side : {&plan.a.inputs, &plan.b.inputs})
    if (const auto files = ListInputs(*side); !files)
      return tl::unexpected<Error>(files.error());
  TWINSET_ASSIGN(ScratchFolder work, ScratchFolder::Below(options.resources.tmp,
                                                          ".twinset-study-"));
  Pilot pilot(options, std::move(plan), std::move(work));
  TWINSET_TRY(folder.Begin(pilot.Files()));
  TWINSET_TRY(pilot.OpenJournal());
  auto result = pilot.Run();
  // Nothing stands in the way of the corrected command.
  if (!result && !options.resume && !pilot.has_steps()) (void)folder.Remove();
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
