#include "patch/patch_reading.h"

#include <utility>

#include "documents/document_options.h"
#include "pipeline/saved/saved_options.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr const char* kReading[] = {
    "input_format",       "preset",          "id_field",
    "text_field",         "html_field",      "url_field",
    "date_field",         "status",          "mime",
    "max_document_bytes", "max_field_bytes", "max_ratio",
    "max_window_bytes",   "digest",          "truncated",
    "features_field",     "revisions",       "quoting"};

// Largest values that are believed: a patch may come from anybody, and these
// decide how much memory a reader takes.
constexpr std::pair<const char*, uint64_t> kMost[] = {
    {"max_document_bytes", uint64_t{1} << 32},
    {"max_field_bytes", uint64_t{1} << 32},
    {"max_ratio", uint64_t{1} << 32},
    {"max_window_bytes", uint64_t{1} << 31}};

tl::unexpected<Error> BadReading(const std::string& name) {
  return Fail(ErrorCode::kCorrupt,
              "the patch says of " + name + " what no run says");
}

}  // namespace

Json ReadingJson(const Json& parameters,
                 const std::vector<std::string>& fields) {
  Json json = Json::object();
  for (const char* name : kReading)
    if (parameters.contains(name)) json[name] = parameters[name];
  Json& names = json["read_fields"] = Json::array();
  for (const std::string& field : fields) names.push_back(NameText(field));
  return json;
}

Result<PlanOptions> OptionsOfReading(const Json& reading) {
  Json parameters = ReadingJson(reading, {});
  for (const auto& [name, most] : kMost) {
    if (!parameters.contains(name)) continue;
    const Json& value = std::as_const(parameters)[name];
    if (!value.is_number_integer() || value.get<uint64_t>() < 1 ||
        value.get<uint64_t>() > most)
      return BadReading(name);
  }
  parameters["keep"] = Json::array({"first"});
  auto options = OptionsOfParameters(parameters);
  if (!options) return BadReading("how records are read");
  return options;
}

Result<std::vector<std::string>> FieldsOfReading(const Json& reading) {
  std::vector<std::string> fields;
  for (const Json& name : reading["read_fields"]) {
    const auto text = name.get<std::string>();
    fields.push_back(NameBytes(text).value_or(text));
  }
  if (!CheckFieldNames(fields)) return BadReading("the fields of records");
  return fields;
}

}  // namespace twinset
