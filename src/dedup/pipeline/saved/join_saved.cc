#include "pipeline/saved/join_saved.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "documents/document_options.h"
#include "pipeline/run/run_key.h"
#include "pipeline/saved/save_run.h"
#include "pipeline/saved/saved_options.h"
#include "read/input_list.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// How records of a second collection are read, and what no match compares, may
// differ from the first.
constexpr std::string_view kOfOneSide[] = {
    "input_format", "preset",           "id_field",       "text_field",
    "html_field",   "url_field",        "date_field",     "status",
    "mime",         "truncated",        "max_ratio",      "max_document_bytes",
    "within",       "across",           "window",         "max_field_bytes",
    "fields",       "max_window_bytes", "features_field", "asked_chunks",
    "revisions",    "quoting",          "language_data"};

// What is decided of pairs by what both runs have kept, where it fits
// (CheckViews).
bool IsReconsidered(std::string_view name) {
  return name == "measure" || name == "max_df";
}

// Returns true iff runs over both may differ in the parameter. Payload digests,
// which --write makes, only serve revisit records; a limit is of the own
// inputs.
bool MayDiffer(std::string_view name, StoredPlace place) {
  if (place == StoredPlace::kBefore && IsReconsidered(name)) return true;
  if (DecidesOrder(name) || DecidesPairs(name) || DecidesRows(name) ||
      name == "write" || name == "limit")
    return true;
  return place == StoredPlace::kSecondSide &&
         std::find(std::begin(kOfOneSide), std::end(kOfOneSide), name) !=
             std::end(kOfOneSide);
}

std::string Shown(const Json& value) {
  if (value.is_null()) return "none";
  const std::string* text = value.if_string();
  return text == nullptr ? value.dump() : text->empty() ? "none" : *text;
}

Status CheckAlike(const SavedRun& saved, StoredPlace place, const Plan& plan) {
  TWINSET_ASSIGN(const Json before, SavedParameters(saved));
  const Json now = Json::Parse(plan.parameters_json);
  std::set<std::string> names;
  for (const Json* parameters : {&before, &now})
    for (const auto& [name, value] : parameters->items())
      names.insert(std::string(name));
  for (const std::string& name : names) {
    if (MayDiffer(name, place)) continue;
    const Json was = before[name], is = now[name];
    if (was == is) continue;
    // The words count, not the name of the file that they were in.
    if (name == "stop_words" && !now["stop_words_hash"].is_null() &&
        before["stop_words_hash"] == now["stop_words_hash"])
      continue;
    return Fail(ErrorCode::kUsage,
                "the saved run was made with " + name + " " + Shown(was) +
                    ", and this run asks for " + Shown(is),
                saved.folder(),
                "use its settings, or give its inputs instead of it");
  }
  return {};
}

constexpr const char* kReconsider =
    "add --reconsider, which decides everything anew";

// What the saved run decided stays only if the new pairs are decided alike.
Status CheckKept(const SavedRun& saved, const Plan& plan) {
  const PlanOptions& options = plan.options;
  if (options.cluster != ClusterRule::kStar ||
      options.action == Action::kDropAll) {
    return Fail(ErrorCode::kUsage,
                std::string(options.cluster != ClusterRule::kStar
                                ? "--cluster components"
                                : "--action drop-all") +
                    " does not go with --add as it is: what the saved run has "
                    "kept would have to go",
                saved.folder(), kReconsider);
  }
  TWINSET_ASSIGN(const Json before, SavedParameters(saved));
  const Json now = Json::Parse(plan.parameters_json);
  for (const Json* parameters : {&before, &now}) {
    for (const auto& [key, value] : parameters->items()) {
      const std::string name(key);
      const bool decides =
          DecidesPairs(name) || IsReconsidered(name) || name == "max_loss";
      if (!decides) continue;
      if (before[name] == now[name] && name != "max_df") continue;
      if (name == "max_df" && before[name] == 0 && now[name] == 0) continue;
      return Fail(ErrorCode::kUsage,
                  name == "max_df" && before[name] == now[name]
                      ? "which text is common is counted anew with --max-df"
                      : "the saved run decided its pairs with " + name + " " +
                            Shown(before[name]) + ", and this run asks for " +
                            Shown(now[name]),
                  saved.folder(), kReconsider);
    }
  }
  return {};
}

// What a method sketches may depend on settings that decide pairs.
Status CheckViews(const SavedRun& saved, const Plan& plan,
                  const std::string& asked) {
  TWINSET_ASSIGN(PlanOptions options, SavedOptions(saved));
  options.out = plan.options.out;
  TWINSET_ASSIGN(Plan made,
                 MakePlan(options, plan.features.method, InputList()));
  TWINSET_TRY(MakeSketching(made.options, &made.features));
  const auto sketched = [](const Plan& of) {
    return of.features.sketching == nullptr
               ? std::vector<size_t>()
               : of.features.sketching->sketch_views;
  };
  if (made.features.views == plan.features.views &&
      sketched(made) == sketched(plan) &&
      made.features.sketch_bytes == plan.features.sketch_bytes &&
      (made.checks_texts() || !plan.checks_texts()))
    return {};
  return Fail(
      ErrorCode::kUsage,
      plan.checks_texts() && !made.checks_texts()
          ? std::string(
                "the saved run has not kept the texts that --verify text "
                "compares")
          : "the saved run has not kept what this run compares" + asked,
      saved.folder(), "use its settings, or give its inputs instead of it");
}

// Returns true iff it can be told beforehand which documents may be in a pair:
// by the keys that a pair shares, where no document that shares none decides
// them.
Result<bool> CanBeAsked(const Plan& plan) {
  const Method& method = *plan.features.method;
  const MethodOptions& options = plan.options.method;
  if (plan.options.max_df != 0 || (method.learns && method.learns(options)))
    return false;
  TWINSET_ASSIGN(const MethodParts parts, method.make(options, nullptr));
  return parts.generator != nullptr;
}

// Those of the parameters that may differ where the views allow it.
std::string AskedText(const SavedRun& saved, const Plan& plan) {
  const Json before = SavedParameters(saved).value_or(Json());
  const Json now = Json::Parse(plan.parameters_json);
  for (const char* name : {"measure", "max_df"}) {
    if (before[name] == now[name]) continue;
    return std::string(": it was made with ") + name + " " +
           Shown(before[name]) + ", and this run asks for " + Shown(now[name]);
  }
  return {};
}

// The first run brings its secret; others must have the same.
Status TakeSameKey(const SavedRun& saved, Plan* plan) {
  const HashKey before = plan->features.key;
  const bool is_first = plan->inputs.stored.empty();
  TWINSET_TRY(TakeKey(saved.folder(), plan));
  if (is_first || plan->features.key == before) return {};
  return Fail(ErrorCode::kUsage,
              "the saved run has another key than " +
                  NameText(plan->inputs.stored[0].run->folder()) +
                  ", so their documents cannot be compared",
              saved.folder(), "save both with one --key FILE");
}

Result<StoredInputs> OpenStoredInputs(const std::string& folder,
                                      StoredPlace place, Plan* plan) {
  const PlanOptions& options = plan->options;
  TWINSET_ASSIGN(SavedRun opened, SavedRun::Open(folder));
  StoredInputs stored;
  stored.run = std::make_shared<const SavedRun>(std::move(opened));
  stored.name = folder;
  const SavedRun& saved = *stored.run;
  TWINSET_TRY(
      CheckPlaces(saved, {options.out, options.resources.tmp, options.save,
                          options.write, options.attributes}));
  if (GivesKey(options.resources)) {
    return Fail(ErrorCode::kUsage,
                "--key does not go with a saved run, whose secret counts",
                NameText(folder));
  }
  TWINSET_TRY(CheckAlike(saved, place, *plan));
  stored.keeps = place == StoredPlace::kBefore && !options.reconsider;
  if (stored.keeps) TWINSET_TRY(CheckKept(saved, *plan));
  TWINSET_TRY(CheckViews(saved, *plan, AskedText(saved, *plan)));
  if (options.kinds) TWINSET_TRY(CheckKeepsTexts(saved));
  TWINSET_TRY(TakeSameKey(saved, plan));
  stored.hashes = SavedHashes(saved);
  TWINSET_ASSIGN(stored.fields,
                 PlacesOfFields(saved, plan->inputs.read.fields));
  return stored;
}

// Their rows name their sources, so two runs cannot share a name.
Status CheckNamesDiffer(const InputList& stored, const InputList& added,
                        const std::string& folder) {
  std::set<std::string> names;
  for (const InputFile& input : stored) names.insert(input.source);
  for (const InputFile& input : added) {
    if (!names.contains(input.source)) continue;
    return Fail(ErrorCode::kUsage,
                "two saved runs have a source of the name " + input.source,
                NameText(folder),
                "make one of them again over the folder that holds its inputs, "
                "or give its inputs instead of it");
  }
  return {};
}

}  // namespace

Status JoinSaved(StoredPlace place, Plan* plan) {
  const bool before = place == StoredPlace::kBefore;
  InputList own = std::move(plan->inputs.files);
  InputList all;
  if (!before) {
    all = std::move(own);
    plan->inputs.first_side = all.size();
  }
  for (const std::string& folder : plan->options.add) {
    TWINSET_ASSIGN(StoredInputs stored, OpenStoredInputs(folder, place, plan));
    TWINSET_ASSIGN(const InputList inputs, SavedInputs(*stored.run));
    if (before) TWINSET_TRY(CheckNamesDiffer(all, inputs, folder));
    stored.begin = all.size();
    for (const InputFile& input : inputs) all.Add(input);
    stored.end = all.size();
    plan->inputs.stored.push_back(std::move(stored));
  }
  if (before) {
    // One side: the names of saved runs stand in their rows, and stay.
    const size_t stored = all.size();
    for (const InputFile& input : own) all.Add(input);
    NameApart(0, stored, all.size(), &all);
  } else {
    StoredInputs& stored = plan->inputs.stored[0];
    TWINSET_ASSIGN(const PlanOptions made, SavedOptions(*stored.run));
    TWINSET_ASSIGN(plan->inputs.read_against, MakeReadOptions(made.input));
    plan->inputs.read_against.fields = plan->inputs.read.fields;
    TWINSET_ASSIGN(stored.asked, CanBeAsked(*plan));
  }
  plan->inputs.files = std::move(all);
  return {};
}

}  // namespace twinset
