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
#include "twinset/names.h"
#include "twinset/version.h"

namespace twinset {

namespace {

std::vector<std::string> NameTexts(std::vector<std::string> names) {
  for (std::string& name : names) name = NameText(name);
  return names;
}

Status ResolveMemory(Plan* plan) {
  const PlanOptions& options = plan->options;
  plan->window_bytes = WindowMemory(options.input);
  TWINSET_ASSIGN(plan->memory_bytes,
                 WorkingMemory(options.resources, options.input));
  return {};
}

Result<ScopeField> ParseScope(const std::string& name,
                              std::vector<std::string>* fields) {
  ScopeField scope;
  scope.name = name;
  if (name.empty()) return scope;
  if (name == "source") {
    scope.kind = ScopeField::kSource;
  } else if (name == "host") {
    scope.kind = ScopeField::kHost;
  } else if (name == "url") {
    scope.kind = ScopeField::kUrl;
  } else if (name == "language") {
    scope.kind = ScopeField::kLanguage;
  } else {
    constexpr std::string_view kPrefix = "field:";
    scope.kind = ScopeField::kField;
    scope.field = fields->size();
    fields->push_back(name.starts_with(kPrefix) ? name.substr(kPrefix.size())
                                                : name);
  }
  return scope;
}

// Those whose values are counted. A field that something else asks for is read
// once.
Result<std::vector<ScopeField>> ParseStats(
    const std::vector<std::string>& names, std::vector<std::string>* fields) {
  std::vector<ScopeField> parsed;
  for (const std::string& name : names) {
    std::vector<std::string> own;
    TWINSET_ASSIGN(ScopeField field, ParseScope(name, &own));
    if (field.kind == ScopeField::kNone)
      return Fail(ErrorCode::kUsage, "--stats-by names no field");
    if (field.kind == ScopeField::kLanguage) {
      return Fail(ErrorCode::kUsage,
                  "--stats-by does not count by the identified language, which "
                  "is not kept of each document",
                  "", "field:language is a field of the rows");
    }
    const bool is_repeated = std::any_of(
        parsed.begin(), parsed.end(),
        [&](const ScopeField& other) { return other.name == name; });
    if (is_repeated) continue;
    if (field.kind == ScopeField::kField) {
      const auto at = std::find(fields->begin(), fields->end(), own[0]);
      field.field = static_cast<size_t>(at - fields->begin());
      if (at == fields->end()) fields->push_back(own[0]);
    }
    parsed.push_back(std::move(field));
  }
  return parsed;
}

// "date:30d" (s, m, h, d, w) to seconds.
Result<int64_t> ParseWindow(const std::string& text) {
  if (text.empty()) return int64_t{0};
  const std::string_view spec(text);
  int64_t number = 0;
  if (spec.starts_with("date:") && spec.size() > 6) {
    const char* begin = spec.data() + 5;
    const auto [end, error] =
        std::from_chars(begin, spec.data() + spec.size() - 1, number);
    const std::string_view units = "smhdw";
    constexpr int64_t kSeconds[] = {1, 60, 3600, 86400, 604800};
    const size_t unit = units.find(spec.back());
    if (error == std::errc() && end == spec.data() + spec.size() - 1 &&
        number > 0 && number < 1'000'000'000 &&
        unit != std::string_view::npos) {
      return number * kSeconds[unit];
    }
  }
  return Fail(ErrorCode::kUsage, "--window does not understand '" + text + "'",
              "", "write date:30d (s, m, h, d or w)");
}

Status CheckOptions(const PlanOptions& o) {
  if (o.near != NearRule::kDrop && o.write.empty())
    return Fail(ErrorCode::kUsage, "--near says what is written: add --write");
  if (o.out.empty()) {
    return Fail(ErrorCode::kUsage, "no result folder was given", "",
                "add --out DIR");
  }
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
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const InputFile input = plan.inputs[i];
    if (plan.IsStored(i)) continue;
    TWINSET_ASSIGN(const Container container, ContainerOf(input, plan.read));
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
  if (!IsHashed(plan.form)) {
    const char* flag = !o.method.verify    ? "--verify none"
                       : o.max_df != 0     ? "--max-df"
                       : !o.ignore.empty() ? "--ignore"
                                           : nullptr;
    if (flag != nullptr) {
      return Fail(
          ErrorCode::kUsage,
          std::string(flag) +
              " only goes with methods that compare shingles, not with " +
              plan.method->info.name);
    }
  }
  if (!o.write.empty()) TWINSET_TRY(CheckContainers(plan));
  return CheckOutputNames(plan);
}

// Every parameter that decides a result byte, and nothing else.
Result<Json> ParametersJson(const Plan& plan) {
  const PlanOptions& o = plan.options;
  Json json;
  AddParametersJson({ParameterGroup::kSearch, ParameterGroup::kMethod}, o,
                    &json);
  json["method"] = plan.method->info.name;
  AddParametersJson({ParameterGroup::kFeatures}, o, &json);
  // What was asked for: the first view of some measures is of other shingles.
  TWINSET_ASSIGN(const auto shingles, ParseShingles(o.features.shingle));
  json["shingle"] = ShinglesToString(shingles);
  if (!o.features.site.empty()) json["site"] = o.features.site;
  json["language"] = plan.languages;
  if (!plan.page_kinds.empty()) json["page_kind"] = plan.page_kinds;
  if (plan.needs_language()) json["language_data"] = LanguageDataVersion();
  AddParametersJson({ParameterGroup::kClusters}, o, &json);
  json["prefer"] = NameTexts(o.prefer);
  if (!o.fields.empty()) json["fields"] = NameTexts(o.fields);
  json["within"] = o.within;
  json["across"] = o.across;
  json["window"] = o.window;
  json["ignore"] = NameTexts(o.ignore);
  json["write"] = !o.write.empty();
  json["near"] = o.near;
  if (o.kinds) json["kinds"] = true;
  if (!o.stats_by.empty()) json["stats_by"] = NameTexts(o.stats_by);
  json["format"] = o.output_format;
  if (o.limit > 0) json["limit"] = o.limit;
  AddTokenFilterJson(o.features, plan.token_filter.get(), &json);
  if (!o.input.features_field.empty())
    json["features_field"] = NameText(o.input.features_field);
  json["input_format"] = o.input.format;
  json["preset"] = o.input.preset ? ChoiceName(*o.input.preset) : "";
  json["id_field"] = plan.read.id_field;
  json["text_field"] = plan.read.text_field;
  json["html_field"] = plan.read.html_field;
  json["url_field"] = plan.read.url_field;
  json["date_field"] = plan.read.date_field;
  json["status"] = o.input.statuses;
  json["mime"] = o.input.mimes;
  json["max_document_bytes"] = o.input.max_document_bytes;
  json["max_field_bytes"] = o.input.max_field_bytes;
  json["max_ratio"] = o.input.max_ratio;
  if (plan.window_bytes > 0)
    json["max_window_bytes"] = o.input.max_window_bytes;
  json["digest"] = o.input.digest;
  if (o.input.truncated != TruncatedRule::kQuarantine)
    json["truncated"] = o.input.truncated;
  if (o.input.quoting) json["quoting"] = ChoiceName(*o.input.quoting);
  if (o.input.revisions != RevisionRule::kNewest)
    json["revisions"] = o.input.revisions;
  return json;
}

// What makes `view` of a text; null where it is not made of hashes.
Result<std::unique_ptr<FeatureExtractor>> MakeViewExtractor(
    const Plan& plan, const FeatureView& view, const HashKey& key) {
  if (!IsHashed(view.form) && view.form != FeatureForm::kWeighted)
    return nullptr;
  const FeatureOptions& options = plan.options.features;
  TWINSET_ASSIGN(
      auto kinds,
      ParseShingles(view.shingle.empty() ? options.shingle : view.shingle));
  if (view.secret) {
    return std::make_unique<FeatureExtractor>(options.tokens, std::move(kinds),
                                              key, plan.token_filter);
  }
  return std::make_unique<FeatureExtractor>(options.tokens, std::move(kinds),
                                            view.hash, plan.token_filter);
}

// Frequent shingles are counted, listed and taken out of sketches by their
// public hashes.
void AddPublicView(Plan* plan) {
  if (plan->options.max_df == 0 || !plan->views[0].secret) return;
  FeatureView open = plan->views[0];
  open.secret = false;
  auto& views = plan->views;
  plan->public_view = static_cast<size_t>(
      std::find(views.begin(), views.end(), open) - views.begin());
  if (plan->public_view == views.size()) views.push_back(std::move(open));
}

}  // namespace

Status SetKey(const HashKey& key, Plan* plan) {
  plan->key = key;
  plan->extractors.clear();
  for (const FeatureView& view : plan->views) {
    TWINSET_ASSIGN(auto extractor, MakeViewExtractor(*plan, view, key));
    plan->extractors.push_back(std::move(extractor));
  }
  const auto& views = plan->views;
  plan->views_share_pass =
      views.size() > 1 && views[0].secret && IsHashed(views[1].form) &&
      !views[1].secret && views[1].hash == FeatureHash::kSpec &&
      plan->extractors[0]->kinds() == plan->extractors[1]->kinds();
  return {};
}

Status PlanViews(Plan* plan) {
  const PlanOptions& options = plan->options;
  TWINSET_ASSIGN(plan->token_filter, MakeTokenFilter(options.features));
  TWINSET_ASSIGN(plan->views, plan->method->views(options.method));
  TWINSET_TRY(CheckWeightedViews(*plan));
  plan->form = plan->views[0].form;
  if (plan->method->fingerprint)
    plan->fingerprint = plan->method->fingerprint(options.method);
  AddPublicView(plan);
  if (plan->key == HashKey()) {
    TWINSET_ASSIGN(plan->key, DrawHashKey());
  }
  return SetKey(plan->key, plan);
}

Status PlanSketching(Plan* plan) {
  const PlanOptions& options = plan->options;
  const Method& method = *plan->method;
  const bool learns = method.learns && method.learns(options.method);
  if (learns || options.max_df != 0 || plan->views.size() == 1) return {};
  TWINSET_ASSIGN(MethodParts parts, method.make(options.method, nullptr));
  if (parts.sketchers.empty() || !parts.asked_sketchers.empty() ||
      parts.sketch_views.size() != parts.sketchers.size() ||
      std::find(parts.sketch_views.begin(), parts.sketch_views.end(), 0) !=
          parts.sketch_views.end()) {
    return {};
  }
  plan->sketches_ignore_repeats = true;
  for (size_t i = 0; i < parts.sketchers.size(); ++i) {
    if (parts.sketch_views[i] == 1 && !parts.sketchers[i]->IgnoresRepeats())
      plan->sketches_ignore_repeats = false;
    // The sketch of one shingle: longer sketches grow with the document, and no
    // more.
    alignas(8) constexpr char kOne[8] = {1};
    Sketch sketch;
    parts.sketchers[i]->Compute({kOne, sizeof kOne}, &sketch);
    plan->sketch_bytes += 64 + sketch.size() * sizeof(uint32_t);
  }
  plan->sketching = std::make_shared<const MethodParts>(std::move(parts));
  return {};
}

Status CheckAskedSide(const Plan& plan) {
  if (plan.options.method.asked_chunks == 0 ||
      plan.across.kind == ScopeField::kSide) {
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
                          options.save.empty() && plan->stored.empty();
  // An element of more documents makes more pairs than finding its clusters
  // costs.
  constexpr uint64_t kHotElement = 256;
  plan->hot_limit = leaves_hot ? kHotElement : 0;
}

void SetHashes(Plan* plan) {
  const FeatureView& view = plan->views[0];
  Json features = {{"form", static_cast<uint64_t>(plan->form)},
                   {"shingle", view.shingle},
                   {"hash", view.hash},
                   {"secret", view.secret},
                   {"stored_fields", NameTexts(plan->read.fields)}};
  // Its own fingerprint may see what the form does not say.
  if (plan->fingerprint) features["fingerprint"] = plan->method->info.name;
  plan->hashes = ChainOf(Json::Parse(plan->parameters_json), features.dump());
}

namespace {

Status ListFiles(const PlanOptions& options, Plan* plan) {
  TWINSET_ASSIGN(plan->inputs, ListRunInputs(options, options.input.inputs));
  // A saved run has kept their shingles.
  if (options.add.empty()) {
    TWINSET_ASSIGN(plan->ignored, ListInputs(options.ignore));
  }
  TWINSET_ASSIGN(plan->tables,
                 ListInputs(options.fields, {.holding = "attributes"}));
  std::vector<std::string> lists = {
      options.method.lexicon, options.method.short_lexicon,
      TokenFilter::FileOf(options.features.stop_words)};
  std::erase(lists, "");
  TWINSET_ASSIGN(plan->lexica, ListInputs(lists));
  return {};
}

// Returns true iff the page cache would give the inputs room that the work
// files need, which are about as large and are read twice. In 10^7 documents
// (15.6 GB) of a machine of 24 GB that is a quarter of what is read from the
// disk.
bool AreReadOnce(const Plan& plan) {
  if (!plan.options.write.empty()) return false;
  uint64_t bytes = 0;
  for (const InputFile& input : plan.inputs) bytes += input.state.size;
  return bytes > AvailableMemory() / 2;
}

}  // namespace

Result<Plan> MakePlan(const PlanOptions& options, const Method* method,
                      std::optional<InputList> inputs) {
  Plan plan;
  plan.options = options;
  plan.method = method;
  if (method == nullptr) {
    TWINSET_ASSIGN(plan.method, FindMethod(options.method.name));
    plan.options.method.name = plan.method->info.name;
  }
  TWINSET_TRY(UseGivenFeatures(plan.method->info, &plan.options));
  TWINSET_TRY(CheckOptions(options));
  TWINSET_TRY(MakeExtractor(options.features));
  if (!options.resources.key.empty()) {
    TWINSET_ASSIGN(plan.key, ReadKeyFile(options.resources.key));
  }
  TWINSET_TRY(PlanViews(&plan));
  TWINSET_TRY(plan.method->make(plan.options.method, nullptr));
  if (!plan.method->info.parameters.empty())
    TWINSET_TRY(CheckParameters(plan.method->info, plan.options.method));
  plan.text.content = options.features.content;
  TWINSET_ASSIGN(plan.languages, ParseLanguageRanges(options.input.languages));
  plan.page_kinds = options.input.page_kinds;
  plan.text.want_page = !plan.page_kinds.empty();
  TWINSET_ASSIGN(plan.read, MakeReadOptions(options.input));
  plan.read.stop = options.stop;
  TWINSET_ASSIGN(plan.priority,
                 PriorityOrder::Parse(options.keep, options.prefer));
  plan.read.fields = plan.priority.fields();
  // For revisit records, also those of a later run that takes this one up.
  plan.read.keep_stored = !options.write.empty() || !options.save.empty();
  TWINSET_ASSIGN(plan.within, ParseScope(options.within, &plan.read.fields));
  TWINSET_ASSIGN(plan.across, ParseScope(options.across, &plan.read.fields));
  TWINSET_ASSIGN(plan.site,
                 ParseScope(options.features.site, &plan.read.fields));
  TWINSET_ASSIGN(plan.stats_by,
                 ParseStats(options.stats_by, &plan.read.fields));
  plan.field_places.resize(plan.read.fields.size());
  std::iota(plan.field_places.begin(), plan.field_places.end(), size_t{0});
  plan.template_drop = options.features.template_blocks == TemplateRule::kDrop;
  if (plan.site.kind != ScopeField::kNone && !plan.template_drop) {
    return Fail(ErrorCode::kUsage,
                "--site says where --template drop counts blocks: it does not "
                "go with --template keep");
  }
  TWINSET_TRY(CheckFieldNames(plan.read.fields));
  TWINSET_ASSIGN(plan.window_seconds, ParseWindow(options.window));
  if (!inputs && !options.fields.empty() && plan.read.fields.empty()) {
    return Fail(ErrorCode::kUsage, "nothing asks for a field of --fields", "",
                "add --keep max:FIELD, min:FIELD, --within FIELD or --stats-by "
                "FIELD");
  }
  const auto& mimes = options.input.mimes;
  if (std::find(mimes.begin(), mimes.end(), "*") != mimes.end() &&
      plan.form != FeatureForm::kPayload) {
    return Fail(
        ErrorCode::kUsage,
        "--mime '*' only goes with methods that compare bytes", "",
        "add --level bytes --method " + MethodsWith([](const Method& other) {
          return Reads(other.info, "level");
        }));
  }
  TWINSET_TRY(ResolveMemory(&plan));
  plan.threads = ResolveThreads(options.resources.threads, plan.memory_bytes);
  TWINSET_ASSIGN(plan.simd, SimdTargetHold::Take(options.resources.simd));
  if (inputs) {
    plan.inputs = *std::move(inputs);
  } else {
    TWINSET_TRY(ListFiles(options, &plan));
    plan.read.once = AreReadOnce(plan);
  }
  TWINSET_TRY(CheckCombinations(plan));
  TWINSET_ASSIGN(Json parameters, ParametersJson(plan));
  if (options.cuts_units) TWINSET_TRY(PlanUnits(&plan, &parameters));
  plan.parameters_json = parameters.dump();
  SetHashes(&plan);
  TWINSET_ASSIGN(plan.work, WorkFolderOf(options.out, options.resources.tmp));
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
  plan.sources = std::move(sources);
  plan.work = work;
  return plan;
}

}  // namespace twinset
