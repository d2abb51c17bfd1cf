#include "pipeline/read/read_against.h"

#include <optional>
#include <string>

#include "base/choice.h"
#include "documents/document_options.h"

namespace twinset {

namespace {

// The fields of rows that may be named anew for the second side.
struct FieldOfRows {
  const char* name;  // as summary.json has it
  std::optional<std::string> AgainstOptions::*said;
  std::string InputOptions::*of_input;
  std::string ReadOptions::*read;
};
constexpr FieldOfRows kFieldsOfRows[] = {
    {"id_field", &AgainstOptions::id_field, &InputOptions::id_field,
     &ReadOptions::id_field},
    {"text_field", &AgainstOptions::text_field, &InputOptions::text_field,
     &ReadOptions::text_field},
    {"html_field", &AgainstOptions::html_field, &InputOptions::html_field,
     &ReadOptions::html_field},
    {"url_field", &AgainstOptions::url_field, &InputOptions::url_field,
     &ReadOptions::url_field},
    {"date_field", &AgainstOptions::date_field, &InputOptions::date_field,
     &ReadOptions::date_field},
};

}  // namespace

Result<ReadOptions> ReadAgainst(const InputOptions& of_first,
                                const AgainstOptions& against,
                                const ReadOptions& of_a) {
  if (!of_first.features_field.empty() &&
      (against.text_field || against.html_field)) {
    return Fail(ErrorCode::kUsage,
                "--features-field says of both sides what is compared in place "
                "of a text",
                "", "leave out --against-text-field and --against-html-field");
  }
  InputOptions input = of_first;
  if (against.format) input.format = *against.format;
  if (against.preset) {
    const InputOptions standard;
    input.preset = against.preset;
    for (const FieldOfRows& field : kFieldsOfRows)
      input.*field.of_input = standard.*field.of_input;
  }
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  if (against.text_field) read.html_field.clear();
  for (const FieldOfRows& field : kFieldsOfRows)
    if (const auto& said = against.*field.said) read.*field.read = *said;
  read.fields = of_a.fields;
  read.keep_stored = of_a.keep_stored;
  return read;
}

Json AgainstJson(const AgainstOptions& against) {
  Json json = Json::object();
  const auto add = [&](const char* name, const auto& value) {
    if (value) json[name] = *value;
  };
  add("input_format", against.format);
  add("preset", against.preset);
  for (const FieldOfRows& field : kFieldsOfRows)
    add(field.name, against.*field.said);
  return json;
}

Result<AgainstOptions> AgainstOfJson(const Json& json) {
  AgainstOptions against;
  const auto take = [&](const char* name, std::optional<std::string>* to) {
    if (const std::string* text = json[name].if_string()) *to = *text;
  };
  if (json.contains("input_format"))
    TWINSET_TRY(TakeChoice(json, "input_format", &against.format.emplace()));
  if (json.contains("preset"))
    TWINSET_TRY(TakeChoice(json, "preset", &against.preset.emplace()));
  for (const FieldOfRows& field : kFieldsOfRows)
    take(field.name, &(against.*field.said));
  return against;
}

}  // namespace twinset
