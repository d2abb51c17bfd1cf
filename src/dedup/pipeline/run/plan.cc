#include "pipeline/run/plan.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/parallel.h"
#include "documents/document_pass.h"
#include "options/parameters.h"
#include "pipeline/run/given_features.h"
#include "pipeline/run/output_names.h"
#include "pipeline/run/run_folders.h"
#include "pipeline/run/run_key.h"
#include "pipeline/run/unit_plan.h"
#include "read/container.h"
#include "read/utf8.h"
#include "text/content/content_kind.h"
#include "text/page/language.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

std::vector<std::string> NameTexts(std::vector<std::string> names) {
  for (std::string& name : names) name = NameText(name);
  return names;
}

Status CheckMaxLoss(const PlanOptions& o) {
  if (o.max_loss >= 1) return {};
  const char* flag = o.cluster != ClusterRule::kStar ? "--cluster components"
                     : !o.method.verify              ? "--verify none"
                                                     : nullptr;
  if (flag == nullptr) return {};
  return Fail(ErrorCode::kUsage,
              std::string("--max-loss does not go with ") + flag +
                  (o.method.verify
                       ? ", which drops documents for others that they are in "
                         "no pair with"
                       : ", which compares no shingles"),
              "", "leave one of them out");
}

Status CheckOptions(const PlanOptions& o) {
  if (o.near != NearRule::kDrop && o.write.empty())
    return Fail(ErrorCode::kUsage, "--near says what is written: add --write");
  if (o.out.empty()) {
    return Fail(ErrorCode::kUsage, "no result folder was given", "",
                "add --out DIR");
  }
  TWINSET_TRY(CheckMaxLoss(o));
  if (!o.write.empty() && o.limit > 0) {
    return Fail(ErrorCode::kUsage,
                "--write does not go with --limit: the written corpus would "
                "lack the documents that are not read",
                "", "leave out --write to try the run, or --limit to write");
  }
  if (!o.write.empty() && o.action == Action::kReport) {
    return Fail(ErrorCode::kUsage,
                "--write has nothing to do with --action report");
  }
  if (o.resume && std::find(o.input.inputs.begin(), o.input.inputs.end(),
                            "-") != o.input.inputs.end()) {
    return Fail(ErrorCode::kUsage, "standard input cannot be resumed");
  }
  if (o.write.empty()) return {};
  return RefuseReadOnce(o.input.inputs,
                        "--write needs inputs that can be read twice");
}

// What cannot be written again as it was read. Opens every input.
Status CheckContainers(const Plan& plan) {
  for (size_t i = 0; i < plan.inputs.files.size(); ++i) {
    const InputFile input = plan.inputs.files[i];
    if (plan.inputs.IsStored(i)) continue;
    TWINSET_ASSIGN(const Container container,
                   ContainerOf(input, plan.inputs.read));
    if (container == Container::kArchive) {
      return Fail(ErrorCode::kUsage, "--write cannot write into an archive",
                  input.path,
                  "extract it into a folder first, and give the folder");
    }
    if (container == Container::kWiki) {
      return Fail(ErrorCode::kUsage, "--write cannot write a MediaWiki export",
                  input.path,
                  "run without it: keep.txt and drop.txt say which pages stay");
    }
  }
  return {};
}

// Options that contradict the method's feature form, or each other.
Status CheckCombinations(const Plan& plan) {
  const PlanOptions& o = plan.options;
  if (!IsHashed(plan.features.form)) {
    const char* flag = !o.method.verify    ? "--verify none"
                       : o.max_df != 0     ? "--max-df"
                       : !o.ignore.empty() ? "--ignore"
                                           : nullptr;
    if (flag != nullptr) {
      return Fail(
          ErrorCode::kUsage,
          std::string(flag) +
              " only goes with methods that compare shingles, not with " +
              plan.features.method->info.name);
    }
  }
  if (!o.write.empty()) TWINSET_TRY(CheckContainers(plan));
  return CheckOutputNames(plan);
}

// What the method, the fields and the media types must agree on.
Status CheckReading(const Plan& plan, const ReadOptions& read, bool is_saved) {
  const PlanOptions& options = plan.options;
  if (!is_saved && !options.fields.empty() && read.fields.empty()) {
    return Fail(ErrorCode::kUsage, "nothing asks for a field of --fields", "",
                "add --keep max:FIELD, min:FIELD, --within FIELD or --stats-by "
                "FIELD");
  }
  const auto& mimes = options.input.mimes;
  if (std::find(mimes.begin(), mimes.end(), "*") != mimes.end() &&
      plan.features.form != FeatureForm::kPayload) {
    return Fail(
        ErrorCode::kUsage,
        "--mime '*' only goes with methods that compare bytes", "",
        "add --level bytes --method " + MethodsWith([](const Method& other) {
          return Reads(other.info, "level");
        }));
  }
  return {};
}

// Every parameter that decides a result byte, and nothing else.
Result<Json> ParametersJson(const Plan& plan) {
  const PlanOptions& o = plan.options;
  Json json;
  AddParametersJson({ParameterGroup::kSearch, ParameterGroup::kMethod}, o,
                    &json);
  json["method"] = plan.features.method->info.name;
  AddParametersJson({ParameterGroup::kFeatures}, o, &json);
  // What was asked for: the first view of some measures is of other shingles.
  TWINSET_ASSIGN(const auto shingles, ParseShingles(o.features.shingle));
  json["shingle"] = ShinglesToString(shingles);
  if (!o.features.site.empty()) json["site"] = o.features.site;
  json["language"] = plan.scope.languages;
  if (!plan.scope.page_kinds.empty()) json["page_kind"] = plan.scope.page_kinds;
  if (plan.scope.needs_language())
    json["language_data"] = LanguageDataVersion();
  AddParametersJson({ParameterGroup::kClusters}, o, &json);
  json["prefer"] = NameTexts(o.prefer);
  if (!o.fields.empty()) json["fields"] = NameTexts(o.fields);
  json["within"] = o.within;
  json["across"] = o.across;
  json["window"] = o.window;
  json["ignore"] = NameTexts(o.ignore);
  json["write"] = !o.write.empty();
  json["near"] = o.near;
  if (o.compression_level != 0) json["compression_level"] = o.compression_level;
  if (o.kinds) json["kinds"] = true;
  if (!o.stats_by.empty()) json["stats_by"] = NameTexts(o.stats_by);
  json["format"] = o.output_format;
  if (o.limit > 0) json["limit"] = o.limit;
  AddTokenFilterJson(o.features, plan.features.token_filter.get(), &json);
  if (!o.input.features_field.empty())
    json["features_field"] = NameText(o.input.features_field);
  json["input_format"] = o.input.format;
  json["preset"] = o.input.preset ? ChoiceName(*o.input.preset) : "";
  json["id_field"] = plan.inputs.read.id_field;
  json["text_field"] = plan.inputs.read.text_field;
  json["html_field"] = plan.inputs.read.html_field;
  json["url_field"] = plan.inputs.read.url_field;
  json["date_field"] = plan.inputs.read.date_field;
  json["status"] = o.input.statuses;
  json["mime"] = o.input.mimes;
  json["max_document_bytes"] = o.input.max_document_bytes;
  json["max_field_bytes"] = o.input.max_field_bytes;
  json["max_ratio"] = o.input.max_ratio;
  if (plan.machine.window_bytes > 0)
    json["max_window_bytes"] = o.input.max_window_bytes;
  json["digest"] = o.input.digest;
  if (o.input.truncated != TruncatedRule::kQuarantine)
    json["truncated"] = o.input.truncated;
  if (o.input.quoting) json["quoting"] = ChoiceName(*o.input.quoting);
  if (o.input.revisions != RevisionRule::kNewest)
    json["revisions"] = o.input.revisions;
  return json;
}

}  // namespace

Status CheckAskedSide(const Plan& plan) {
  if (plan.options.method.asked_chunks == 0 ||
      plan.scope.across.kind == ScopeField::kSide) {
    return {};
  }
  return Fail(ErrorCode::kUsage,
              "--asked-chunks goes with two collections: all documents of one "
              "are stored ones",
              "", "leave it out, or name the second with --against");
}

void PlanHot(Plan* plan) {
  const PlanOptions& options = plan->options;
  // A saved run keeps every pair; texts are compared once a pair; what pairs of
  // scopes allow, equal documents need not.
  const bool leaves_hot = plan->lists_by_cluster() && options.method.verify &&
                          !plan->checks_texts() && plan->has_classes() &&
                          options.save.empty() && plan->inputs.stored.empty();
  // An element of more documents makes more pairs than finding its clusters
  // costs.
  constexpr uint64_t kHotElement = 256;
  plan->scope.hot_limit = leaves_hot ? kHotElement : 0;
}

std::string PlanLate(Plan* plan) {
  const PlanOptions& options = plan->options;
  if (!options.resources.late_features) return "";
  const MethodParts* parts = plan->features.sketching.get();
  if (parts == nullptr || parts->generator == nullptr || parts->join ||
      parts->filter != nullptr)
    return plan->features.method->info.name +
           " needs the features of every document";
  if (!options.method.verify) return "--verify none compares sketches";
  if (plan->checks_texts()) return "--verify text keeps every text";
  if (!options.save.empty()) return "--save keeps every document";
  if (!plan->inputs.stored.empty()) return "--add takes what is stored";
  if (!plan->has_classes())
    return "equal documents of several scopes are compared with each other";
  if (!plan->inputs.sources.empty()) return "the inputs are no files";
  for (const InputFile& input : plan->inputs.files)
    if (!input.state.regular) return input.path + " can be read only once";
  plan->features.late = true;
  return "";
}

void SetHashes(Plan* plan) {
  const FeatureView& view = plan->features.views[0];
  Json features = {{"form", static_cast<uint64_t>(plan->features.form)},
                   {"shingle", view.shingle},
                   {"hash", view.hash},
                   {"secret", view.secret},
                   {"stored_fields", NameTexts(plan->inputs.read.fields)}};
  // Its own fingerprint may see what the form does not say.
  if (plan->features.fingerprint)
    features["fingerprint"] = plan->features.method->info.name;
  plan->hashes = ChainOf(Json::Parse(plan->parameters_json), features.dump());
}

Result<Plan> MakePlan(const PlanOptions& options, const Method* method,
                      std::optional<InputList> inputs) {
  Plan plan;
  plan.options = options;
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(plan.features, MakeFeatures(method, &plan.options));
  TWINSET_ASSIGN(plan.scope, MakeScope(options));
  TWINSET_ASSIGN(ReadOptions read, MakeRead(options, plan.scope.fields));
  TWINSET_TRY(CheckReading(plan, read, inputs.has_value()));
  TWINSET_ASSIGN(plan.machine, MakeMachine(options));
  TWINSET_ASSIGN(plan.inputs,
                 MakeInputs(options, std::move(read), std::move(inputs)));
  TWINSET_TRY(CheckCombinations(plan));
  TWINSET_ASSIGN(Json parameters, ParametersJson(plan));
  if (options.cuts_units) TWINSET_TRY(PlanUnits(&plan, &parameters));
  plan.parameters_json = parameters.dump();
  SetHashes(&plan);
  return plan;
}

Result<Plan> MakeSourcePlan(const PlanOptions& options,
                            std::vector<Source*> sources,
                            const std::string& work, const Method* method) {
  PlanOptions in_work = options;
  in_work.out = work;
  in_work.resources.tmp.clear();
  InputList names;
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string name = "documents-" + std::to_string(i + 1);
    names.Add(name, "", name);
  }
  TWINSET_ASSIGN(Plan plan, MakePlan(in_work, method, std::move(names)));
  plan.inputs.sources = std::move(sources);
  plan.machine.work = work;
  return plan;
}

}  // namespace twinset
