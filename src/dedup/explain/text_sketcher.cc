#include "explain/text_sketcher.h"

#include <algorithm>
#include <utility>

#include "base/machine.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "documents/document_pass.h"
#include "documents/side_check.h"
#include "methods/measures.h"
#include "options/parameters.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/view_store.h"
#include "pipeline/run/given_features.h"
#include "store/scratch_folder.h"
#include "text/page/language.h"

namespace twinset {

namespace {

constexpr uint64_t kMostLearningBytes = 1 << 30;

// Measures that learn weigh what is verified; sketches do not see them.
MethodOptions OfSketches(MethodOptions options) {
  if (MeasureLearns(options)) options.measure = MethodOptions().measure;
  return options;
}

// Calls `body` with every document of the inputs after the text stage, until
// it returns false.
Status ForEachIngested(const Plan& plan, const InputOptions& input,
                       const InputList& files,
                       const std::function<Result<bool>(const Ingested&)>& body,
                       const RejectedSink& on_rejected,
                       SideCounter* counter = nullptr) {
  IngestScratch scratch;
  return ForEachListedDocument(
      files, 0, files.size(), input, {},
      [&](Record* record, const std::string& source) -> Result<bool> {
        const Record before = *record;
        Ingested result = Ingest(plan, {}, &record->document, &scratch);
        result.info.original_id = record->original_id;
        const bool skipped = !result.skip_reason.empty();
        if (!skipped && result.quarantine_reason.empty()) {
          if (counter != nullptr) counter->Document(source, result.info.empty);
          return body(result);
        }
        if (on_rejected) {
          on_rejected(
              Reject(before, source, "text",
                     skipped ? result.skip_reason : result.quarantine_reason,
                     result.quarantine_detail, !skipped));
        }
        return true;
      },
      on_rejected);
}

Result<std::vector<std::string_view>> ViewsOf(const Plan& plan,
                                              const Ingested& document) {
  std::vector<std::string_view> views = {document.features};
  if (plan.features.views.size() > 1) {
    TWINSET_TRY(
        DecodeViews(document.views, plan.features.views.size() - 1, &views));
  }
  return views;
}

}  // namespace

bool TextSketcher::Learns(const Method& method, const MethodOptions& options) {
  return method.learns && method.learns(OfSketches(options));
}

Result<TextSketcher> TextSketcher::Create(const Method& method,
                                          const FeatureOptions& features,
                                          const MethodOptions& options,
                                          const InputOptions& corpus,
                                          const PassWatch& watch) {
  TextSketcher sketcher;
  Plan& plan = sketcher.plan_;
  plan.options.features = features;
  plan.options.method = OfSketches(options);
  plan.options.input.features_field = corpus.features_field;
  plan.options.input.languages = corpus.languages;
  plan.options.input.page_kinds = corpus.page_kinds;
  plan.features.method = &method;
  TWINSET_TRY(UseGivenFeatures(method.info, &plan.options));
  TWINSET_TRY(MakeViews(plan.options, &plan.features));
  // What is shown is the same every time, so no secret takes part.
  for (FeatureView& view : plan.features.views) view.secret = false;
  plan.features.views_share_pass = false;
  TWINSET_TRY(SetKey(plan.options, plan.features.key, &plan.features));
  plan.features.text.content = features.content;
  TWINSET_ASSIGN(plan.scope.languages, ParseLanguageRanges(corpus.languages));
  plan.scope.page_kinds = corpus.page_kinds;
  plan.features.text.want_page = !plan.scope.page_kinds.empty();
  TWINSET_ASSIGN(plan.scope.priority, PriorityOrder::Parse({}, {}));
  if (!corpus.inputs.empty()) {
    TWINSET_ASSIGN(plan.inputs.files, ListInputs(corpus));
  }
  if (Learns(method, options)) TWINSET_TRY(sketcher.Learn(corpus, watch));
  TWINSET_ASSIGN(sketcher.parts_,
                 method.make(plan.options.method, sketcher.model()));
  return sketcher;
}

Status TextSketcher::Learn(const InputOptions& corpus, const PassWatch& watch) {
  if (corpus.inputs.empty()) {
    return Fail(ErrorCode::kUnsupported,
                "method " + method().info.name +
                    " learns from a whole corpus before it sketches",
                "",
                "name the corpus with --in, and the documents by their ids");
  }
  TWINSET_TRY(RefuseReadOnce(corpus.inputs));
  TWINSET_ASSIGN(const ScratchFolder folder,
                 ScratchFolder::Below("", "twinset-learn-"));
  const uint64_t memory = std::min(DefaultMemory(), kMostLearningBytes);
  MemoryBudget budget(memory);
  PrepareContext context;
  context.pass = [&](const auto& body) {
    return ForEachViews(corpus, body, watch);
  };
  context.directory = folder.path();
  context.memory_bytes = memory / 2;
  context.budget = &budget;
  TWINSET_ASSIGN(model_, method().prepare(options(), context));
  return CheckCorpus();
}

Status TextSketcher::CheckCorpus() const {
  for (const InputFile& file : plan_.inputs.files)
    TWINSET_TRY(CheckUnchanged(file));
  return {};
}

Status TextSketcher::ForEachViews(
    const InputOptions& input, const std::function<Status(DocumentViews)>& body,
    const PassWatch& watch) const {
  PassProgress progress(watch.on_progress, "explain", "learn", "documents");
  std::map<std::string, uint64_t> reasons;
  TWINSET_ASSIGN(const InputList files, ListInputs(input));
  TWINSET_TRY(ForEachIngested(
      plan_, input, files,
      [&](const Ingested& document) -> Result<bool> {
        TWINSET_TRY(CheckStop(watch.stop));
        progress.Add();
        if (document.info.empty) return true;
        TWINSET_ASSIGN(const auto views, ViewsOf(plan_, document));
        TWINSET_TRY(body(views));
        return true;
      },
      [&](const RejectedRecord& record) {
        if (record.quarantined) ++reasons[record.reason];
      }));
  if (watch.cut_offs != nullptr) watch.cut_offs->Take("", reasons);
  return {};
}

std::vector<std::string> TextSketcher::Views(
    const DocumentText& document) const {
  IngestScratch scratch;
  std::vector<std::string> views;
  for (size_t i = 0; i < plan_.features.views.size(); ++i) {
    views.push_back(plan_.features.views[i].form == FeatureForm::kPayload
                        ? document.payload
                        : MakeView(plan_, i, document.text, &scratch));
  }
  return views;
}

std::vector<Sketch> TextSketcher::Sketches(
    const std::vector<std::string>& views) const {
  std::vector<Sketch> sketches(parts_.sketchers.size());
  if (views[0].empty()) return sketches;
  ComputeSketches(parts_,
                  std::vector<std::string_view>(views.begin(), views.end()),
                  &sketches);
  return sketches;
}

Result<std::vector<PairScore>> ScoresOf(const TextSketcher& sketcher,
                                        const InputOptions& corpus,
                                        const DocumentText& x,
                                        const DocumentText& y) {
  const auto& scores = sketcher.method().steps.scores;
  const auto stored_a = sketcher.Views(x), stored_b = sketcher.Views(y);
  if (!scores || stored_a[0].empty() || stored_b[0].empty())
    return std::vector<PairScore>();
  const std::vector<std::string_view> a(stored_a.begin(), stored_a.end());
  const std::vector<std::string_view> b(stored_b.begin(), stored_b.end());
  const auto sketches_a = sketcher.Sketches(stored_a);
  const auto sketches_b = sketcher.Sketches(stored_b);
  return scores({sketcher.parts(), sketcher.model(), a, b, sketches_a,
                 sketches_b,
                 [&](const std::function<Status(DocumentViews)>& body) {
                   return sketcher.ForEachViews(corpus, body);
                 }});
}

std::vector<SketchPair> CompareSketchesOf(const TextSketcher& sketcher,
                                          const DocumentText& x,
                                          const DocumentText& y) {
  const auto a = sketcher.Sketches(sketcher.Views(x));
  const auto b = sketcher.Sketches(sketcher.Views(y));
  std::vector<SketchPair> pairs;
  for (size_t i = 0; i < a.size(); ++i) {
    const Sketcher& of = *sketcher.parts().sketchers[i];
    const SketchLayout layout = of.layout();
    const SketchAgreement agreement = CompareSketches(layout, a[i], b[i]);
    SketchPair pair;
    pair.name = of.name();
    pair.modulus = of.DrawnModulus();
    pair.compared = layout.comparison == SketchLayout::kByPlace  ? "places"
                    : layout.comparison == SketchLayout::kAsSets ? "members"
                                                                 : "bits";
    pair.value_bits = layout.value_bits;
    pair.x = WrittenValues(layout, a[i]);
    pair.y = WrittenValues(layout, b[i]);
    pair.equal = agreement.equal;
    pair.of = agreement.compared;
    pair.is_estimate = of.EstimatesSimilarity();
    pair.estimate = of.Estimate(a[i], b[i]);
    pair.standard_error = of.StandardError(a[i], b[i]);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

Result<std::vector<std::string>> v1::ForEachSketch(
    const InputOptions& input, const FeatureOptions& features,
    const MethodOptions& options,
    const std::function<bool(const SketchRow&)>& on_row,
    const RejectedSink& on_rejected) try {
  TWINSET_ASSIGN(const Method* method, FindSketchMethod(options.name));
  TWINSET_TRY(CheckParameters(method->info, options));
  TWINSET_ASSIGN(const TextSketcher sketcher,
                 TextSketcher::Create(*method, features, options, input));
  const MethodParts& parts = sketcher.parts();
  const std::string modulus =
      parts.sketchers.empty() ? "" : parts.sketchers[0]->DrawnModulus();
  SideCounter counter =
      SideCounter::Over("", input.inputs, sketcher.plan_.inputs.files);
  bool is_whole = true;
  TWINSET_TRY(ForEachIngested(
      sketcher.plan_, input, counter.files(),
      [&](const Ingested& document) -> Result<bool> {
        SketchRow row;
        row.id = document.info.id;
        row.original_id = document.info.original_id;
        row.method = method->info.name;
        row.truncated = document.info.truncated;
        if (!document.info.empty) {
          TWINSET_ASSIGN(const auto views, ViewsOf(sketcher.plan_, document));
          std::vector<Sketch> sketches;
          ComputeSketches(parts, views, &sketches);
          for (size_t i = 0; i < sketches.size(); ++i)
            row.sketch += parts.sketchers[i]->Written(sketches[i]);
        }
        row.modulus = modulus;
        is_whole = on_row(row);
        return is_whole;
      },
      counter.Counting(on_rejected), &counter));
  TWINSET_TRY(sketcher.CheckCorpus());
  return is_whole ? counter.Warnings() : std::vector<std::string>();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
