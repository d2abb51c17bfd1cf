#include "pipeline/saved/saved_options.h"

#include <algorithm>

#include "base/choice.h"
#include "base/stop.h"
#include "options/parameters.h"
#include "store/file_identity.h"
#include "twinset/plain_words.h"
#include "twinset/saved_run.h"

namespace twinset {

namespace {

std::vector<std::string> Texts(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& item : list) {
    const auto text = item.get<std::string>();
    texts.push_back(NameBytes(text).value_or(text));
  }
  return texts;
}

// The value of a parameter as the command line takes it.
std::string FlagText(const Json& value) {
  if (const std::string* text = value.if_string()) return *text;
  if (!value.is_array()) return value.dump();
  std::string joined;
  for (const Json& item : value) {
    if (!joined.empty()) joined += ',';
    joined += item.get<std::string>();
  }
  return joined;
}

Status SetParameters(const Json& parameters, PlanOptions* options) {
  for (const auto& [name, value] : parameters.items()) {
    std::string flag(name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    const Parameter* parameter = FindParameter(flag);
    if (parameter == nullptr || name == "keep") continue;
    const std::string text = FlagText(value);
    if (text.empty() || text == ParameterText(*parameter, *options)) continue;
    TWINSET_TRY(SetParameter(*parameter, text, options));
  }
  return {};
}

Status SetInput(const Json& parameters, InputOptions* input) {
  const auto take = [&](const char* name, auto* to) {
    if (parameters.contains(name)) parameters[name].get_to(*to);
  };
  take("id_field", &input->id_field);
  take("text_field", &input->text_field);
  take("html_field", &input->html_field);
  take("features_field", &input->features_field);
  take("url_field", &input->url_field);
  take("date_field", &input->date_field);
  take("max_document_bytes", &input->max_document_bytes);
  take("max_field_bytes", &input->max_field_bytes);
  take("max_ratio", &input->max_ratio);
  take("max_window_bytes", &input->max_window_bytes);
  take("language", &input->languages);
  take("status", &input->statuses);
  take("mime", &input->mimes);
  if (parameters.contains("preset") && parameters["preset"] != "")
    TWINSET_TRY(TakeChoice(parameters, "preset", &input->preset.emplace()));
  for (const Json& name : parameters["page_kind"]) {
    TWINSET_ASSIGN(const auto kind,
                   ParseChoice<PageKind>("page_kind", name.get<std::string>()));
    input->page_kinds.push_back(kind);
  }
  TWINSET_TRY(TakeChoice(parameters, "input_format", &input->format));
  TWINSET_TRY(TakeChoice(parameters, "digest", &input->digest));
  TWINSET_TRY(TakeChoice(parameters, "truncated", &input->truncated));
  if (parameters.contains("quoting"))
    TWINSET_TRY(TakeChoice(parameters, "quoting", &input->quoting.emplace()));
  return TakeChoice(parameters, "revisions", &input->revisions);
}

}  // namespace

Result<PlanOptions> OptionsOfParameters(const Json& parameters) {
  PlanOptions options;
  TWINSET_TRY(SetParameters(parameters, &options));
  TWINSET_TRY(SetInput(parameters, &options.input));
  if (parameters.contains("site"))
    parameters["site"].get_to(options.features.site);
  options.keep = Texts(parameters["keep"]);
  options.prefer = Texts(parameters["prefer"]);
  options.fields = Texts(parameters["fields"]);
  options.ignore = Texts(parameters["ignore"]);
  options.stats_by = Texts(parameters["stats_by"]);
  options.within = parameters["within"].get<std::string>();
  options.across = parameters["across"].get<std::string>();
  options.window = parameters["window"].get<std::string>();
  if (parameters.contains("kinds")) parameters["kinds"].get_to(options.kinds);
  if (parameters.contains("limit")) parameters["limit"].get_to(options.limit);
  TWINSET_TRY(TakeChoice(parameters, "format", &options.output_format));
  return options;
}

Result<PlanOptions> SavedOptions(const SavedRun& saved) {
  return OptionsOfParameters(saved.description()["parameters"]);
}

Result<Json> SavedParameters(const SavedRun& saved) {
  Json parameters = saved.description()["parameters"];
  TWINSET_ASSIGN(const PlanOptions options, OptionsOfParameters(parameters));
  Json known;
  AddParametersJson({ParameterGroup::kSearch, ParameterGroup::kMethod,
                     ParameterGroup::kFeatures, ParameterGroup::kClusters},
                    options, &known);
  for (const auto& [name, value] : known.items())
    if (!parameters.contains(name)) parameters[name] = value;
  return parameters;
}

Status CheckOutside(const std::string& folder, const std::string& what,
                    const std::vector<std::string>& places) {
  TWINSET_ASSIGN(const std::string within, CanonicalPath(folder));
  for (const std::string& place : places) {
    if (place.empty()) continue;
    // What has no path, as the pipe behind /dev/stdout, is outside.
    const auto path = CanonicalPath(place);
    if (!path || (*path != within && !path->starts_with(within + "/")))
      continue;
    return Fail(ErrorCode::kUsage, "this stands in " + what, place,
                "choose another place: nothing is written there");
  }
  return {};
}

Status CheckPlaces(const SavedRun& saved,
                   const std::vector<std::string>& places) {
  return CheckOutside(saved.folder(), "the saved run", places);
}

Status CheckKeepsTexts(const SavedRun& saved) {
  if (saved.description()["parameters"].contains("kinds")) return {};
  return Fail(ErrorCode::kUsage,
              "the saved run has not kept the texts that --kinds looks at",
              saved.folder(), "save it anew: dedup --kinds --save DIR");
}

Result<std::vector<size_t>> PlacesOfFields(
    const SavedRun& saved, const std::vector<std::string>& fields) {
  std::vector<std::string> stored;
  for (const Json& name : saved.description()["stored_fields"]) {
    const auto text = name.get<std::string>();
    stored.push_back(NameBytes(text).value_or(text));
  }
  std::vector<size_t> places;
  for (const std::string& field : fields) {
    const auto at = std::find(stored.begin(), stored.end(), field);
    if (at == stored.end()) {
      return Fail(ErrorCode::kUsage,
                  "the saved run has not kept the field \"" + NameText(field) +
                      "\": it has those that its own --keep, --within, "
                      "--across and --stats-by named",
                  saved.folder(), "run dedup with --stats-by FIELD and --save");
    }
    places.push_back(static_cast<size_t>(at - stored.begin()));
  }
  return places;
}

bool v1::IsSavedRun(const std::string& folder) {
  return SavedRun::StandsIn(folder);
}

Result<DedupOptions> v1::OptionsOfSavedRun(const std::string& folder) try {
  TWINSET_ASSIGN(const SavedRun saved, SavedRun::Open(folder));
  TWINSET_ASSIGN(const PlanOptions options, SavedOptions(saved));
  DedupOptions run;
  CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions,
            ClusterOptions, ScopeOptions>(options, &run);
  run.limit = 0;  // of the inputs that were read then
  return run;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
