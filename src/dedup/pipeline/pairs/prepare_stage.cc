// The stage that learns the method's model, where it has one, and makes the
// parts of the method.
#include "base/bytes.h"
#include "pipeline/read/view_store.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

// One pass over the views of all documents that have features.
Status PassOverViews(const Run& run,
                     const std::function<Status(DocumentViews)>& body) {
  TWINSET_ASSIGN(auto features, OpenBlob(run, run.features_file));
  std::optional<BlobReader> others;
  if (run.plan.features.views.size() > 1) {
    TWINSET_ASSIGN(others, OpenBlob(run, run.views_file));
  }
  std::string feature_bytes, view_bytes;  // aligned
  std::vector<std::string_view> views;
  for (;;) {
    feature_bytes.clear();
    TWINSET_ASSIGN(const bool more, features.AppendNext(&feature_bytes));
    if (!more) return {};
    view_bytes.clear();
    if (others) TWINSET_TRY(others->AppendNext(&view_bytes));
    if (feature_bytes.empty()) continue;
    views.assign(1, feature_bytes);
    if (others) {
      TWINSET_TRY(
          DecodeViews(view_bytes, run.plan.features.views.size() - 1, &views));
    }
    TWINSET_TRY(body(views));
    TWINSET_TRY(run.CheckStop());
  }
}

constexpr char kModel[] = "model.blob";

Status LearnModel(Run* run) {
  PrepareContext context;
  context.pass = [run](const auto& body) { return PassOverViews(*run, body); };
  context.directory = run->plan.machine.work;
  context.parameters_hash = run->plan.hashes.sketch;
  context.memory_bytes = run->Share(2);
  context.budget = &run->budget;
  context.threads = run->plan.machine.threads;
  TWINSET_ASSIGN(
      const CorpusModel model,
      run->plan.features.method->prepare(run->plan.options.method, context));
  for (const InputFile& file : run->plan.inputs.lexica)
    TWINSET_TRY(CheckUnchanged(file));
  TWINSET_ASSIGN(auto writer, CreateBlob(*run, kModel));
  TWINSET_TRY(writer.Append(model.name));
  TWINSET_TRY(writer.Append(std::to_string(model.version)));
  TWINSET_TRY(writer.Append(model.bytes));
  TWINSET_TRY(writer.Finish());
  return run->journal.FinishStage("prepare", {"model.blob", "model.blob.idx"},
                                  "{}");
}

}  // namespace

Status PrepareStage(Run* run) {
  TWINSET_TRY(CheckAskedSide(run->plan));
  const Method& method = *run->plan.features.method;
  const MethodOptions& options = run->plan.options.method;
  if (!method.learns || !method.learns(options)) {
    TWINSET_ASSIGN(run->parts, method.make(options, nullptr));
    return {};
  }
  if (!run->journal.IsDone("prepare")) TWINSET_TRY(LearnModel(run));
  TWINSET_ASSIGN(const auto reader, OpenBlob(*run, kModel));
  CorpusModel model;
  std::string version;
  TWINSET_TRY(reader.ReadOne(0, &model.name));
  TWINSET_TRY(reader.ReadOne(1, &version));
  TWINSET_TRY(reader.ReadOne(2, &model.bytes));
  model.version =
      static_cast<uint32_t>(std::strtoul(version.c_str(), nullptr, 10));
  // As tables that are searched it takes less than twice its bytes.
  const uint64_t bytes = 2 * model.bytes.size();
  run->parts_memory = run->budget.ReserveUpTo(bytes, bytes);
  TWINSET_ASSIGN(run->parts, method.make(options, &model));
  return {};
}

}  // namespace twinset
