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
#include "twinset/names.h"

namespace twinset::inline v1 {

namespace {

// How records of a second collection are read, and what no match compares, may
// differ from the first.
constexpr std::string_view kOfOneSide[] = {
    "input_format", "preset",           "id_field",       "text_field",
    "html_field",   "url_field",        "date_field",     "status",
    "mime",         "truncated",        "max_ratio",      "max_document_bytes",
    "within",       "across",           "window",         "max_field_bytes",
    "fields",       "max_window_bytes", "features_field", "asked_chunks",
    "revisions"};

// Whether runs over both may differ in the parameter. Payload digests, which
// --write makes, only serve revisit records; a limit is of the own inputs.
bool MayDiffer(std::string_view name, StoredPlace place) {
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
  const Json& before = saved.description()["parameters"];
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

// What a method sketches may depend on settings that decide pairs.
Status CheckViews(const SavedRun& saved, const Plan& plan) {
  TWINSET_ASSIGN(PlanOptions options, SavedOptions(saved));
  options.out = plan.options.out;
  TWINSET_ASSIGN(Plan made, MakePlan(options, plan.method, InputList()));
  TWINSET_TRY(PlanSketching(&made));
  const auto sketched = [](const Plan& of) {
    return of.sketching == nullptr ? std::vector<size_t>()
                                   : of.sketching->sketch_views;
  };
  if (made.views == plan.views && sketched(made) == sketched(plan) &&
      made.sketch_bytes == plan.sketch_bytes &&
      (made.checks_texts() || !plan.checks_texts()))
    return {};
  return Fail(ErrorCode::kUsage,
              plan.checks_texts() && !made.checks_texts()
                  ? "the saved run has not kept the texts that --verify text "
                    "compares"
                  : "the saved run has not kept what this run compares",
              saved.folder(),
              "use its settings, or give its inputs instead of it");
}

// Whether it can be told beforehand which documents may be in a pair: by the
// keys that a pair shares, where no document that shares none decides them.
Result<bool> CanBeAsked(const Plan& plan) {
  const Method& method = *plan.method;
  const MethodOptions& options = plan.options.method;
  if (plan.options.max_df != 0 || (method.learns && method.learns(options)))
    return false;
  TWINSET_ASSIGN(const MethodParts parts, method.make(options, nullptr));
  return parts.generator != nullptr;
}

InputList Joined(const InputList& first, const InputList& second) {
  InputList both = first;
  for (const InputFile& input : second) both.Add(input);
  return both;
}

// One side: the names of the saved run stand in its rows, and stay.
InputList JoinedTo(const InputList& saved, const InputList& added) {
  InputList both = Joined(saved, added);
  NameApart(0, saved.size(), both.size(), &both);
  return both;
}

}  // namespace

Status JoinSaved(StoredPlace place, Plan* plan) {
  const PlanOptions& options = plan->options;
  const std::string& folder = options.add;
  TWINSET_ASSIGN(SavedRun opened, SavedRun::Open(folder));
  const auto saved = std::make_shared<const SavedRun>(std::move(opened));
  TWINSET_TRY(
      CheckPlaces(*saved, {options.out, options.resources.tmp, options.save,
                           options.write, options.attributes}));
  if (!options.resources.key.empty()) {
    return Fail(ErrorCode::kUsage,
                "--key does not go with a saved run, whose secret counts",
                NameText(folder));
  }
  TWINSET_TRY(CheckAlike(*saved, place, *plan));
  TWINSET_TRY(CheckViews(*saved, *plan));
  if (options.kinds) TWINSET_TRY(CheckKeepsTexts(*saved));
  TWINSET_TRY(TakeKey(folder, plan));
  StoredInputs& stored = plan->stored;
  stored.run = saved;
  stored.hashes = SavedHashes(*saved);
  TWINSET_ASSIGN(stored.fields, PlacesOfFields(*saved, plan->read.fields));
  TWINSET_ASSIGN(const InputList inputs, SavedInputs(*saved));
  const bool before = place == StoredPlace::kBefore;
  stored.begin = before ? 0 : plan->inputs.size();
  stored.end = stored.begin + inputs.size();
  if (!before) {
    plan->first_side = plan->inputs.size();
    TWINSET_ASSIGN(const PlanOptions made, SavedOptions(*saved));
    TWINSET_ASSIGN(plan->read_against, MakeReadOptions(made.input));
    plan->read_against.fields = plan->read.fields;
    TWINSET_ASSIGN(stored.asked, CanBeAsked(*plan));
  }
  plan->inputs =
      before ? JoinedTo(inputs, plan->inputs) : Joined(plan->inputs, inputs);
  return {};
}

}  // namespace twinset::inline v1
