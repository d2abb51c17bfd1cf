// twinset/corpora/study.h: the steps in their order, kept in a journal.
#include "twinset/corpora/study.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
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

Json ParametersOf(const StudyPlan& plan) {
  const auto& candidates = plan.candidates;
  return {{"seed", plan.seed},
          {"threshold", plan.threshold},
          {"measure", plan.measure},
          {"tokens", plan.tokens},
          {"content", plan.content},
          {"segment_pattern", plan.segment_pattern},
          {"mixes", candidates.mixes},
          {"bits", candidates.bits},
          {"distance", candidates.distance},
          {"tables", candidates.tables},
          {"feature_hash", candidates.feature_hash},
          {"bucket_limit", candidates.bucket_limit},
          {"complete", candidates.complete},
          {"fit", plan.extrapolation.fit},
          {"draws_of_fits", plan.extrapolation.draws},
          {"to", plan.extrapolation.to},
          {"pairs", plan.retrieval.pairs},
          {"conflict", plan.retrieval.conflict},
          {"results", plan.retrieval.results},
          {"relevance_level", plan.retrieval.relevance_level},
          {"permutations", plan.retrieval.permutations},
          {"draws_of_shares", plan.retrieval.draws},
          {"shares", plan.retrieval.shares},
          {"pairs_to_assess",
           plan.assessment.wanted ? Json(plan.assessment.pairs) : Json()},
          {"least_grade", plan.assessment.least_grade}};
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

// What a row of SidesJson says.
SideRead SideOf(const Json& row) {
  SideRead side;
  side.unit = row.contains("documents") ? "document" : "judgement";
  side.side = row.value("side", "");
  side.input = NameBytes(row.value("input", "")).value_or("");
  side.records = row.value("records", uint64_t{0});
  side.used = row.value(side.unit + "s", uint64_t{0});
  side.quarantined = row.value("quarantined", uint64_t{0});
  return side;
}

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
                        {"parameters", ParametersOf(plan_)},
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
    Json study = {{"version", kVersion},
                  {"sides", Json()},
                  {"segments", SegmentNumbers()},
                  {"judgements", Json()}};
    TWINSET_ASSIGN(study["judgements"],
                   Step("judgements", {}, [&] { return Judgements(); }));
    study["sides"] = SidesJson(sides_);
    for (const Json& side : study["judgements"]["sides"])
      study["sides"].push_back(side);
    study["judgements"].erase("sides");
    for (const Json& row : study["sides"]) result_.sides.push_back(SideOf(row));
    TWINSET_ASSIGN(study["addresses"],
                   Step("addresses", {kSameUrl}, [&] { return Addresses(); }));
    study["searches"] = Json::array();
    for (const Search& search : searches_) {
      TWINSET_ASSIGN(Json numbers, TakeSearch(search));
      study[search.control ? "control" : "searches"].push_back(
          std::move(numbers));
    }
    TWINSET_TRY(AfterSearches(&study));
    study["warnings"] = result_.warnings;
    study["parameters"] = ParametersOf(plan_);
    TWINSET_ASSIGN(study["files"], FileDigests());
    return Finish(std::move(study));
  }

 private:
  std::string Path(const std::string& name) const {
    return options_.out + "/" + name;
  }
  bool IsAssessed(const Search& search) const {
    return plan_.assessment.wanted && !search.control;
  }

  // Takes the step, or what an earlier call found.
  Result<Json> Step(const std::string& name,
                    const std::vector<std::string>& files,
                    const std::function<Result<Json>()>& body) {
    TWINSET_TRY(CheckStop(options_.stop));
    result_.steps.push_back(name);
    const bool there = std::all_of(
        files.begin(), files.end(),
        [&](const std::string& file) { return FileExists(Path(file)); });
    if (there && journal_->IsDone(name)) {
      TWINSET_TRY(journal_->Verify(name));
      TWINSET_ASSIGN(const std::string state, journal_->StageState(name));
      ++result_.kept;
      has_steps_ = true;
      const Json known = Json::Parse(state);
      for (const Json& warning : known["warnings"])
        Warn(warning.get<std::string>());
      return known["numbers"];
    }
    Tell(name);
    step_warnings_.clear();
    const auto begin = std::chrono::steady_clock::now();
    TWINSET_ASSIGN(Json numbers, body());
    if (IsSearch(name)) {
      search_seconds_ += SecondsSince(begin);
      ++searches_taken_;
    }
    const Json state = {{"numbers", numbers}, {"warnings", step_warnings_}};
    TWINSET_TRY(journal_->FinishStage(name, files, state.dump()));
    has_steps_ = true;
    for (const std::string& warning : step_warnings_) Warn(warning);
    return numbers;
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

  Json SegmentNumbers() const {
    Json rows = Json::array();
    for (size_t i = 0; i < segments_->names().size(); ++i)
      rows.push_back({{"segment", segments_->names()[i]},
                      {"documents", segments_->sizes()[i]}});
    return rows;
  }

  Result<Json> Judgements() {
    QrelsOptions options;
    Json files = Json::array();
    for (const std::string& path : plan_.qrels) {
      options.qrels = {path};
      TWINSET_ASSIGN(const QrelsStatsResult counted, CountQrels(options));
      files.push_back(
          {{"file", FileName(path)}, {"counts", FieldsToJson(counted.all)}});
    }
    options.qrels = plan_.qrels;
    TWINSET_ASSIGN(const QrelsStatsResult all, CountQrels(options));
    Json numbers = {{"files", std::move(files)},
                    {"all", FieldsToJson(all.all)}};
    std::vector<SideRead> sides;
    TWINSET_ASSIGN(const uint64_t in_a, JudgedInA(&sides));
    numbers["judged_in_a"] = ShareNumbers(in_a, judged_.size());
    if (!plan_.control.inputs.empty())
      TWINSET_TRY(ForEachDocumentOfSide(
          "control", plan_.control, plan_.tokens, options_.stop, &sides,
          [](const CollectionDocument&) { return Status(); }));
    numbers["sides"] = SidesJson(sides);
    return numbers;
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

  Result<Json> Addresses() {
    AddressInput input;
    input.plan = &plan_;
    input.judged = &judged_;
    input.work = work_.path();
    input.rows = Path(kSameUrl);
    input.memory_bytes = memory_bytes();
    input.stop = options_.stop;
    input.warnings = &step_warnings_;
    return StudyAddresses(input);
  }

  Result<Json> TakeSearch(const Search& search) {
    std::vector<std::string> files = {search.pairs()};
    if (!search.control) files.push_back(search.masks());
    if (IsAssessed(search)) files.push_back(search.assess());
    return Step(search.name(), files, [&]() -> Result<Json> {
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
        TWINSET_TRY(WriteMasks(
            {search.label(), std::move(outcome.found), std::move(outcome.near)},
            judged_, Path(search.masks())));
      Json numbers = {{"content", search.content}, {"mix", search.label()}};
      numbers.update(outcome.numbers);
      if (search.control)
        return Json({{"content", search.content},
                     {"mix", search.label()},
                     {"all", outcome.numbers["all"]}});
      return numbers;
    });
  }

  Status AfterSearches(Json* study) {
    TWINSET_ASSIGN(const std::vector<char> same, SameAddress());
    for (const char* part : {"mixes", "extrapolation", "transfer"})
      (*study)[part] = Json::array();
    for (const ContentMode content : plan_.content) {
      const std::string word(ChoiceName(content));
      std::vector<FoundMasks> mixes;
      for (const Search& search : searches_) {
        if (search.control || search.content != content) continue;
        TWINSET_ASSIGN(FoundMasks masks, ReadMasks(search.label(), judged_,
                                                   Path(search.masks())));
        mixes.push_back(std::move(masks));
      }
      TWINSET_TRY(AddStep(
          "mixes", "mixes." + word, content, {},
          [&]() -> Result<Json> { return CompareMixes(mixes, same); }, study));
      TWINSET_TRY(AddStep(
          "extrapolation", "extrapolation." + word, content, {},
          [&]() -> Result<Json> {
            return ExtrapolateMixes(
                mixes, static_cast<uint32_t>(segments_->names().size()), plan_);
          },
          study));
      TWINSET_TRY(AddStep(
          "transfer", "transfer." + word, content, {TransferredFile(content)},
          [&] { return StudyTransfer(CarryOf(content)); }, study));
    }
    TWINSET_TRY(AssessPairs(study));
    if (plan_.retrieval.topics.empty()) return {};
    (*study)["carry_over"] = Json();
    (*study)["carry_over_by_content"] = Json::array();
    for (const ContentMode content : plan_.content)
      TWINSET_TRY(AddStep(
          "carry_over_by_content",
          "carry-over." + std::string(ChoiceName(content)), content, {},
          [&] { return StudyCarryOver(CarryOf(content)); }, study));
    (*study)["carry_over"] = (*study)["carry_over_by_content"].front();
    return {};
  }

  Status AssessPairs(Json* study) {
    if (!plan_.assessment.wanted) return {};
    (*study)["assessment"] = Json::array();
    for (const ContentMode content : plan_.content) {
      AssessmentInput input;
      input.plan = &plan_;
      for (const Search& search : searches_)
        if (IsAssessed(search) && search.content == content)
          input.samples.emplace_back(search.label(), Path(search.assess()));
      input.labelled = Path(LabelledFile(content));
      TWINSET_TRY(AddStep(
          "assessment", "assessment." + std::string(ChoiceName(content)),
          content, {LabelledFile(content)},
          [&] { return StudyAssessment(input, &step_warnings_); }, study));
    }
    return {};
  }

  Status AddStep(const char* part, const std::string& name, ContentMode content,
                 const std::vector<std::string>& files,
                 const std::function<Result<Json>()>& body, Json* study) {
    TWINSET_ASSIGN(const Json numbers, Step(name, files, body));
    Json row = {{"content", content}};
    row.update(numbers);
    (*study)[part].push_back(std::move(row));
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
    TWINSET_TRY(ForEachTextLine(Path(kSameUrl), [&](const TextLine& line) {
      const Json row = Json::Parse(line.text);
      if (const auto document = judged_.Find(row.value("a", "")))
        same[*document] = 1;
      return true;
    }));
    return same;
  }

  Result<Json> FileDigests() const {
    Json files = Json::array();
    for (const std::string& name : Files()) {
      if (name == kSummary || name == kNumbers || name == kReport ||
          name == Journal::kFileName || name == KeptPage::kFileName)
        continue;
      TWINSET_ASSIGN(File file, File::OpenRead(Path(name)));
      TWINSET_ASSIGN(const uint64_t bytes, file.Size());
      Hasher64 hash;
      TWINSET_TRY(HashFile(&file, bytes, &hash));
      files.push_back(
          {{"file", name}, {"bytes", bytes}, {"xxh3", ToHex(hash.Digest())}});
    }
    return files;
  }

  Result<StudyResult> Finish(Json study) {
    result_.json = study;
    TWINSET_TRY(WriteWholeFile(Path(kNumbers), NumbersCsv(study)));
    TWINSET_ASSIGN(const auto examples, Examples());
    result_.page = ResultPage(PilotPage(study, examples));
    TWINSET_TRY(WriteKeptPage(*result_.page.kept(), options_.out, kReport));
    TWINSET_TRY(WriteWholeFile(Path(kSummary), result_.json.dump(2) + "\n"));
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

Result<StudyResult> v1::RunStudy(const StudyOptions& options) {
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
}

}  // namespace twinset
