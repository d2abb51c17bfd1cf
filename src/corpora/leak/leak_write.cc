#include "leak/leak_write.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/json_text.h"
#include "base/memory_budget.h"
#include "base/utf8.h"
#include "documents/text_stage.h"
#include "pipeline/results/record_editor.h"
#include "pipeline/results/text_in_record.h"
#include "pipeline/run/unit_plan.h"

namespace twinset {
namespace {

constexpr char kChanged[] = "the input has changed since it was looked at";
constexpr char kRunAgain[] = "start anew with --overwrite";
constexpr char kInsteadOfCuts[] =
    "make rows of the pages first (twinset text --json), or say --action drop "
    "or annotate";

const AnnotationForm& LeakForm() {
  static const AnnotationForm form = {
      "leaks",
      "Twinset-Leaks",
      {"twinset_items", "twinset_share", "twinset_leaks"},
      "documents.jsonl of --out has it"};
  return form;
}

// What of the options and the run decides about a record.
struct LeakEdits {
  LeakAction action = LeakAction::kDrop;
  EmptyRows empty_rows = EmptyRows::kKeep;
  const TextStage* stage = nullptr;
  LeakSought sought;
  const std::vector<LeakSplit>* splits = nullptr;
  MemoryBudget* budget = nullptr;
  std::span<const LeakPlace> places;
  std::span<const uint64_t> kept;
};

// Code points in front of bytes, which ascend.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : text_(text) {}
  uint64_t Before(size_t byte) {
    if (byte < at_) at_ = count_ = 0;
    for (; at_ < byte; ++at_) count_ += !IsContinuation(text_[at_]);
    return count_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint64_t count_ = 0;
};

// Documents of the run are here the places.
class LeakEditor : public RecordEditor {
 public:
  LeakEditor(const Plan& plan, const LeakEdits& edits)
      : RecordEditor(plan, LeakForm()),
        edits_(edits),
        texts_(plan.inputs.read) {
    if (edits.action == LeakAction::kCut) counts.changed = 0;
  }

  uint64_t number() const override { return at_; }
  Status Seek(uint64_t number) override {
    at_ = number;
    return {};
  }

  Result<bool> Begin(uint32_t source, InputFormat format) override {
    BeginSource(format);
    texts_.BeginSource(format);
    stayed_ = 0;
    const bool stays =
        edits_.kept[source] > 0 || (IsOf(source) && edits_.places[at_].leaks &&
                                    edits_.action != LeakAction::kDrop);
    if (!IsFile() || stays) return true;
    LeaveOut();
    if (IsOf(source)) ++at_;
    return false;
  }

  Status Edit(const Record& record, MemberCutter* members) override {
    header_ = texts_.HeaderIn(record.raw);
    return RecordEditor::Edit(record, members);
  }

  void Pass(const Record& record) override {
    RecordEditor::Pass(record);
    ++stayed_;
  }

  Status End(uint32_t source, const std::string& path) const override {
    if (!IsOf(source) && stayed_ >= edits_.kept[source]) return {};
    return Fail(ErrorCode::kIo, kChanged, path, kRunAgain);
  }

 private:
  bool IsOf(uint32_t source) const {
    return at_ < edits_.places.size() && edits_.places[at_].source == source;
  }
  // The place of the record, and goes behind it; null for what stays.
  const LeakPlace* Take(const Record& record) {
    const Provenance& place = record.document.provenance;
    if (!IsOf(place.source) || edits_.places[at_].ordinal != place.ordinal)
      return nullptr;
    return &edits_.places[at_++];
  }

  Status SkipDocument(const Record& record) override {
    stayed_ += Take(record) == nullptr;
    return {};
  }
  Status EditDocument(const Record& record, MemberCutter* members) override {
    const LeakPlace* const place = Take(record);
    if (place == nullptr) {
      ++stayed_;
      if (edits_.action == LeakAction::kAnnotate) {
        Annotate(record,
                 {R"({"items":0,"share":0,"leaks":[]})", {"0", "0", "[]"}},
                 members);
      } else {
        Keep(record, members);
      }
      return {};
    }
    if (!place->leaks || edits_.action == LeakAction::kDrop) {
      LeaveOutUnused(record, members);
      return {};
    }
    return EditLeak(record, members);
  }

  Status EditLeak(const Record& record, MemberCutter* members) {
    DocumentText text;
    RejectedRecord rejected;
    if (!edits_.stage->Show(record, "", &text, &rejected))
      return Changed(record);
    const Reservation memory =
        edits_.budget->Wait(ItemSearch::kTimesText * text.text.size());
    return edits_.action == LeakAction::kCut
               ? CutOut(record, text.text, members)
               : Say(record, text.text, members);
  }

  Status CutOut(const Record& record, const std::string& text,
                MemberCutter* members) {
    const ItemSearch::Cut cut = edits_.sought.search->WhatStays(text);
    if (!cut.goes && cut.text == text) return Changed(record);
    const bool is_empty = cut.text.find_first_not_of(" \t\r\n") == text.npos;
    if (cut.goes || (is_empty && edits_.empty_rows == EmptyRows::kDrop)) {
      LeaveOut();
      return {};
    }
    const auto changed = texts_.Replaced(record.raw, header_, cut.text);
    if (!changed)
      return Fail(ErrorCode::kInternal, "a row has lost its text field",
                  PathOf(record));
    ++*counts.changed;
    Write(*changed, members);
    return {};
  }

  Status Say(const Record& record, const std::string& text,
             MemberCutter* members) {
    const ItemSearch& search = *edits_.sought.search;
    const std::vector<FoundItem> found = search.Find(text);
    if (found.empty()) return Changed(record);
    const auto passages = search.Passages(text, found);
    double share = 0;
    std::string leaks;
    for (size_t i = 0; i < found.size(); ++i) {
      share = std::max(share, found[i].share);
      leaks += (i == 0 ? "[" : ",") + LeakOf(text, found[i], passages[i]);
    }
    leaks += "]";
    JsonRow row;
    row.Integer("items", found.size())
        .Number("share", share)
        .Value("leaks", leaks);
    std::string number;
    AppendDouble(&number, share);
    Annotate(record,
             {row.Take(), {std::to_string(found.size()), number, leaks}},
             members);
    return {};
  }

  std::string LeakOf(std::string_view text, const FoundItem& found,
                     const std::vector<TextStretch>& passages) const {
    const LeakItem& item = (*edits_.sought.items)[found.item];
    CodePoints points(text);
    std::string places;
    for (const TextStretch& passage : passages) {
      places += (places.empty() ? "[" : ",[") +
                std::to_string(points.Before(passage.begin)) + ",";
      places += std::to_string(points.Before(passage.end)) + "]";
    }
    JsonRow row;
    row.Text("item", item.id)
        .Text("split", (*edits_.splits)[item.split].name)
        .Text("kind", ChoiceName(found.kind))
        .Number("similarity", found.share)
        .Value("passages", "[" + places + "]");
    return row.Take();
  }

  std::string PathOf(const Record& record) const {
    return plan().inputs.files[record.document.provenance.source].path;
  }
  Status Changed(const Record& record) const {
    return Fail(ErrorCode::kIo, kChanged, PathOf(record), kRunAgain);
  }

  const LeakEdits& edits_;
  TextInRecord texts_;
  size_t header_ = 0;  // of the record, its bytes
  uint64_t at_ = 0;    // the next one of the places
  // Documents of the source that have no place, at least: of records that are
  // passed over it is not known what they are.
  uint64_t stayed_ = 0;
};

}  // namespace

Status CheckLeakWriting(const LeakOptions& options, const Plan& plan) {
  if (options.action != LeakAction::kCut) return {};
  return CheckTextsCanBeCut(plan, "--action cut", kInsteadOfCuts);
}

LeakWriting::LeakWriting(const LeakOptions& options, Run* run)
    : action_(options.action),
      empty_rows_(options.empty_rows),
      run_(run),
      kept_(run->plan.inputs.files.size()) {}

Status LeakWriting::Write(const LeakSought& sought, LeakResult* result) {
  const PlanOptions& options = run_->plan.options;
  TWINSET_ASSIGN(const TextStage stage,
                 TextStage::Make(options.input, options.features, {}));
  run_->stage = "write";
  run_->step.clear();
  run_->counts.read.source_documents.assign(kept_.size(), 0);
  for (const LeakPlace& place : places_)
    ++run_->counts.read.source_documents[place.source];
  const LeakEdits edits = {action_,         empty_rows_,   &stage,  sought,
                           &result->splits, &run_->budget, places_, kept_};
  TWINSET_TRY(
      WriteSources(run_, [&]() -> Result<std::unique_ptr<SourceEditor>> {
        return std::make_unique<LeakEditor>(run_->plan, edits);
      }));
  const WriteCounts& counts = *run_->counts.write;
  result->written.emplace(
      LeakWritten{counts.records, counts.left_out, counts.changed});
  result->warnings.insert(result->warnings.end(), run_->warnings.begin(),
                          run_->warnings.end());
  return {};
}

}  // namespace twinset
