// twinset/corpora/leak.h: a match by containment, and a pass for what is too
// short for it (docs/methods/leak.md).
#include "twinset/corpora/leak.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/side_check.h"
#include "leak/item_list.h"
#include "leak/leak_examples.h"
#include "leak/leak_judge.h"
#include "leak/leak_report.h"
#include "leak/leak_rules.h"
#include "leak/leak_write.h"
#include "leak/test_items.h"
#include "leak/training_look.h"
#include "leak/wanted_documents.h"
#include "options/resources.h"
#include "pipeline/read/read_against.h"
#include "pipeline/results/renamed_ids.h"
#include "pipeline/run_control.h"
#include "store/scratch_folder.h"
#include "text/tokens/features.h"
#include "twinset/dedup.h"
#include "twinset/inspect.h"
#include "twinset/json.h"

namespace twinset {
namespace {

Status CheckOptions(const LeakOptions& options) {
  if (options.input.inputs.empty() || options.test.empty())
    return Fail(ErrorCode::kUsage, "training data and test items are needed",
                {}, "twinset leak TRAIN... --test EVAL");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  if (options.write.empty() && options.action != LeakAction::kDrop)
    return Fail(ErrorCode::kUsage,
                "--action says what becomes of documents that are written", {},
                "add --write DIR");
  if (options.empty_rows != EmptyRows::kKeep &&
      options.action != LeakAction::kCut)
    return Fail(ErrorCode::kUsage,
                "only --action cut leaves rows without text, of which "
                "--empty-rows speaks");
  if (options.resume && options.overwrite)
    return Fail(ErrorCode::kUsage,
                "--overwrite and --resume exclude each other");
  if (options.resume && options.out.empty() && options.write.empty())
    return Fail(ErrorCode::kUsage,
                "--resume goes on in a folder, and none is given", {},
                "add --out DIR or --write DIR");
  TWINSET_TRY(RefuseReadOnce(options.input.inputs));
  return RefuseReadOnce(options.test);
}

// The training data as the second side of a match.
AgainstOptions TrainingInput(const LeakOptions& options) {
  AgainstOptions against;
  if (!IsSaid(options.test_input)) return against;
  const InputOptions& input = options.input;
  against.format = input.format;
  if (input.preset) {
    against.preset = input.preset;
    return against;
  }
  against.id_field = input.id_field;
  against.text_field = input.text_field;
  if (!input.html_field.empty()) against.html_field = input.html_field;
  against.url_field = input.url_field;
  against.date_field = input.date_field;
  return against;
}

MatchOptions MatchOf(const LeakOptions& options, const std::string& out) {
  MatchOptions match;
  match.input = LeakTestInput(options);
  match.against = options.input.inputs;
  match.against_input = TrainingInput(options);
  match.features = options.features;
  // Texts are those that are shown and written.
  match.features.template_blocks = TemplateRule::kKeep;
  match.resources = options.resources;
  match.resources.tmp.clear();
  match.method.measure = Measure::kContainment;
  match.method.threshold =
      LeakRuleOf(options.rule, options.threshold).least_share;
  match.action = Action::kReport;
  match.passage_tokens = static_cast<int>(kLeakPassages.min_tokens);
  match.passage_gap = static_cast<int>(kLeakPassages.max_gap);
  match.out = out;
  match.checkpoint_seconds = options.checkpoint_seconds;
  match.stop = options.stop;
  match.on_progress = options.on_progress;
  match.names_empty_inputs = false;  // they are told as what they are here
  return match;
}

// An error of the match in the words of this command, whose work folder is gone
// when it is read.
Error InOwnWords(Error error, const std::string& work) {
  for (std::string* text : {&error.message, &error.where, &error.remedy}) {
    if (text->find(work) != text->npos) text->clear();
    *text = Replaced(*std::move(text), "--against-", "--");
    *text = Replaced(*std::move(text), "document of B", "training document");
    *text = Replaced(*std::move(text), "document of A", "item");
  }
  return error;
}

// Its folder is --out, where there is none that of --write, and where nothing
// is to stay `scratch`.
Result<Plan> PlanOfLeak(const LeakOptions& options,
                        const std::string& scratch) {
  PlanOptions run;
  CopyParts<JobOptions>(options, &run);
  run.features = options.features;
  run.write = options.write;
  run.compression_level = options.compression_level;
  run.resume = options.resume;
  run.checkpoint_seconds = options.checkpoint_seconds;
  if (options.action == LeakAction::kAnnotate) run.action = Action::kAnnotate;
  if (run.out.empty()) run.out = options.write;
  if (run.out.empty()) {
    run.out = scratch;
    run.resources.tmp.clear();
  }
  TWINSET_ASSIGN(Plan plan, MakePlan(run));
  TWINSET_TRY(CheckLeakWriting(options, plan));
  TWINSET_ASSIGN(plan.inputs.beside, ListRunInputs(run, options.test));
  // The items have the other half.
  plan.machine.memory_bytes /= 2;
  // What a run must have in common with one that it goes on with.
  Json parameters = Json::Parse(plan.parameters_json);
  parameters["rule"] = options.rule;
  parameters["threshold"] = options.threshold;
  parameters["given_grams"] = options.given_grams;
  parameters["split_field"] = options.split_field;
  parameters["test_input"] = AgainstJson(options.test_input);
  parameters["action"] = options.action;
  parameters["empty_rows"] = options.empty_rows;
  plan.parameters_json = parameters.dump();
  SetHashes(&plan);
  return plan;
}

// With the shingles of a rule of others.
Result<LeakOptions> WithRule(LeakOptions options) {
  if (options.rule == LeakRule::kShare || options.given_grams) return options;
  uint32_t words = kTulu3GramWords;
  if (options.rule == LeakRule::kGpt3) {
    TWINSET_ASSIGN(const auto extractor, MakeExtractor(options.features));
    Gpt3GramWords grams;
    LeakResult unused;
    TWINSET_TRY(ForEachLeakItem(
        options, *extractor, &unused,
        [&](const DocumentText& text, const std::string&) -> Status {
          uint64_t count = 0;
          extractor->ForEachToken(text.text,
                                  [&count](const TokenView&) { ++count; });
          grams.Add(count);
          return {};
        }));
    words = grams.Words();
  }
  options.features.shingle = "word:" + std::to_string(words);
  return options;
}

// One call, from the items to the results.
class LeakJob {
 public:
  LeakJob(const LeakOptions& options, Run* run)
      : options_(options), run_(run), items_(options_, &memory_) {
    memory_.most = MemoryBesideWindow(options.resources, options.input) / 2;
  }

  // The items, which are few: also a resumed run reads them.
  Status ReadItems() {
    TWINSET_ASSIGN(options_, WithRule(options_));
    TWINSET_ASSIGN(const uint32_t words, LeakGramWords(options_.features));
    TWINSET_TRY(items_.Read(words, &result_));
    return CheckTraining();
  }

  Status Find() {
    TWINSET_TRY(FindPairs());
    LeakJudge judge(options_, run_, &items_, &memory_);
    TWINSET_TRY(judge.Judge(MatchFolder(), &documents_, &examples_));
    std::optional<LeakLists> lists;
    if (!options_.out.empty()) {
      TWINSET_ASSIGN(LeakLists created, LeakLists::Create(options_.out));
      lists.emplace(std::move(created));
      TWINSET_TRY(ReadExamples());
    }
    std::optional<LeakWriting> writing;
    if (!options_.write.empty()) writing.emplace(options_, run_);
    TrainingLook look({options_, run_, &items_, &documents_, &examples_,
                       &memory_, lists ? &*lists : nullptr,
                       writing ? &*writing : nullptr, &result_});
    TWINSET_TRY(look.Do());
    if (writing) TWINSET_TRY(Write(&judge, &*writing));
    return Conclude(look.training_name(), lists ? &*lists : nullptr);
  }

  LeakResult& result() { return result_; }

 private:
  std::string MatchFolder() const { return run_->Path("match"); }

  // kCorrupt when the training data have no document with a word; ends at the
  // first one.
  Status CheckTraining() const {
    ReadOutcome outcome;
    const Status read = ForEachText(
        options_.input, options_.features, {},
        [&](const DocumentText& text) {
          const bool has_word = items_.extractor().HasToken(text.text);
          ++outcome.documents;
          outcome.wordless += !has_word;
          return !has_word && !StopIsAsked();
        },
        outcome.Counting({}));
    TWINSET_TRY(run_->CheckStop());
    outcome.records += outcome.documents;
    return CheckSideAfter(read, SideOf("training data", "", outcome),
                          "--text-field names the field of the text");
  }

  bool StopIsAsked() const { return options_.stop && *options_.stop; }

  // The match, which has a journal of its own while it is at work.
  Status FindPairs() {
    constexpr char kStage[] = "match";
    const Journal& journal = run_->journal;
    if (!journal.IsDone(kStage)) TWINSET_TRY(Match());
    TWINSET_TRY(journal.Verify(kStage));
    TWINSET_ASSIGN(const std::string state, journal.StageState(kStage));
    const Json json = Json::Parse(state);
    for (const Json& warning : json[Run::kStageWarnings])
      result_.warnings.push_back(warning.get<std::string>());
    run_->counts.read.documents = json.value("documents", uint64_t{0});
    return {};
  }

  Status Match() {
    MatchOptions match = MatchOf(options_, MatchFolder());
    TWINSET_ASSIGN(const std::string work, WorkFolderOf(match.out, ""));
    match.resume = FileExists(work + "/" + Journal::kFileName) &&
                   !FileExists(match.out + "/summary.json");
    match.overwrite = !match.resume;
    const auto found = v1::Match(match);
    if (!found)
      return tl::unexpected(InOwnWords(found.error(), run_->plan.machine.work));
    std::vector<std::string> files;
    for (const char* name : {"best.jsonl", "pairs.jsonl", "passages.jsonl",
                             "quarantine.jsonl", kRenamedIds})
      if (FileExists(match.out + "/" + name))
        files.push_back(std::string("match/") + name);
    const Json state = {{Run::kStageWarnings, found->warnings},
                        {"documents", found->documents_b}};
    return run_->journal.FinishStage("match", files, state.dump());
  }

  // The texts of the items that the page shows.
  Status ReadExamples() {
    if (examples_.empty()) return {};
    size_t number = 0;
    const Status read =
        ForEachText(LeakTestInput(options_), options_.features, {},
                    [&](const DocumentText& text) {
                      if (LeakExample* const example = examples_.Find(number))
                        LeakExamples::SeeItem(text.text, example);
                      return number++ < examples_.last_item() && !StopIsAsked();
                    },
                    {});
    TWINSET_TRY(run_->CheckStop());
    return read;
  }

  Status Write(LeakJudge* judge, LeakWriting* writing) {
    LeakSought sought;
    if (writing->looks()) {
      TWINSET_ASSIGN(sought.search, judge->Search());
      sought.items = &items_.list();
    }
    return writing->Write(sought, &result_);
  }

  // What the pass has found, as results; summary.json last.
  Status Conclude(const std::string& training, LeakLists* lists) {
    for (size_t i = 0, leaks = 0; i < items_.size(); ++i) {
      if (items_[i].leak.kind == LeakKind::kClean) continue;
      if (LeakExample* const example = examples_.Find(i)) example->leak = leaks;
      ++leaks;
    }
    std::vector<std::string> clean;
    items_.list().Finish(&result_, &clean);
    if (result_.rows_left_out > 0)
      result_.warnings.push_back(
          "of each short item that leaks nowhere " +
          std::to_string(kMostLeakDocuments) +
          " documents are listed: documents.jsonl lacks " +
          std::to_string(result_.rows_left_out) + " rows");
    result_.parameters = LeakParametersOf(options_);
    result_.page = ResultPage(
        LeakPage(options_, result_,
                 {examples_.examples(), training, &items_.extractor()}));
    if (lists == nullptr) return {};
    TWINSET_TRY(lists->Commit());
    return WriteLeaks(options_, result_, clean, MatchFolder());
  }

  LeakOptions options_;
  Run* run_;
  LeakResult result_;
  LeakMemory memory_;
  TestItems items_;
  WantedDocuments documents_;
  LeakExamples examples_;
};

// What the same command would only find again leaves nothing that stands in the
// way of the corrected one.
Status Do(LeakJob* job, const Run& run, RunFolders* folders) {
  const Status items = job->ReadItems();
  if (!items && items.error().code != ErrorCode::kInterrupted &&
      !run.plan.options.resume)
    TWINSET_TRY(folders->Remove());
  TWINSET_TRY(items);
  const Status done = job->Find();
  if (!done) TWINSET_TRY(LeaveFailed(run, done.error(), folders));
  return done;
}

}  // namespace

Result<LeakResult> v1::FindLeaks(const LeakOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  std::optional<ScratchFolder> scratch;
  if (options.out.empty() && options.write.empty()) {
    TWINSET_ASSIGN(
        ScratchFolder made,
        ScratchFolder::Below(options.resources.tmp, ".twinset-leak-"));
    scratch.emplace(std::move(made));
  }
  TWINSET_ASSIGN(Plan plan,
                 PlanOfLeak(options, scratch ? *scratch / "out" : ""));
  JobFiles files;
  files.command = "leak";
  files.files = LeakFiles(options);
  files.inputs = options.test;
  files.is_corpus = options.out.empty() && !options.write.empty();
  TWINSET_ASSIGN(RunFolders folders, RunFolders::Open(plan, std::move(files)));
  TWINSET_ASSIGN(Journal journal, BeginJournal(plan, &folders));
  Run run(std::move(plan), std::move(journal));
  CountInputBytes(&run);
  LeakJob job(options, &run);
  TWINSET_TRY(Do(&job, run, &folders));
  TWINSET_TRY(folders.RemoveWork());
  return std::move(job.result());
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
