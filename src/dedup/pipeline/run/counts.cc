#include "pipeline/run/counts.h"

namespace twinset {

Json SavedCountsToJson(const RunCounts& counts) {
  Json json = Json::object();
  RunCounts::Saved(counts, [&](const char* name, const auto& of_stage) {
    json[name] = FieldsToJson(of_stage);
  });
  return json;
}

bool SavedCountsFromJson(const Json& json, size_t sources, RunCounts* counts) {
  bool ok = true;
  RunCounts::Saved(*counts, [&](const char* name, auto& of_stage) {
    ok = ok && FieldsFromJson(json[name], sources, &of_stage);
  });
  return ok;
}

bool StageFieldsFromJson(const std::string& name, const Json& json,
                         size_t sources, RunCounts* counts) {
  bool ok = false;
  RunCounts::Journaled(*counts, [&](const char* stage, auto& of_stage) {
    if (name == stage) ok = FieldsFromJson(json, sources, &of_stage);
  });
  return ok;
}

}  // namespace twinset
