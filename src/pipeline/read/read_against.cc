#include "pipeline/read/read_against.h"

#include "base/choice.h"
#include "documents/document_options.h"

namespace twinset::inline v1 {

Result<ReadOptions> ReadAgainst(const InputOptions& of_first,
                                const AgainstOptions& against,
                                const ReadOptions& of_a) {
  InputOptions input = of_first;
  if (against.format) input.format = *against.format;
  if (against.preset) {
    const InputOptions standard;
    input.preset = *against.preset;
    input.id_field = standard.id_field;
    input.text_field = standard.text_field;
    input.html_field = standard.html_field;
    input.url_field = standard.url_field;
    input.date_field = standard.date_field;
  }
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  if (against.text_field) read.html_field.clear();
  const auto take = [](const std::optional<std::string>& from,
                       std::string* to) {
    if (from) *to = *from;
  };
  take(against.id_field, &read.id_field);
  take(against.text_field, &read.text_field);
  take(against.html_field, &read.html_field);
  take(against.url_field, &read.url_field);
  take(against.date_field, &read.date_field);
  read.fields = of_a.fields;
  read.want_digest = of_a.want_digest;
  return read;
}

Json AgainstJson(const AgainstOptions& against) {
  Json json = Json::object();
  const auto add = [&](const char* name, const auto& value) {
    if (value) json[name] = *value;
  };
  add("input_format", against.format);
  add("preset", against.preset);
  add("id_field", against.id_field);
  add("text_field", against.text_field);
  add("html_field", against.html_field);
  add("url_field", against.url_field);
  add("date_field", against.date_field);
  return json;
}

Result<AgainstOptions> AgainstOfJson(const Json& json) {
  AgainstOptions against;
  const auto take = [&](const char* name, std::optional<std::string>* to) {
    if (const std::string* text = json[name].if_string()) *to = *text;
  };
  if (json.contains("input_format"))
    TWINSET_TRY(TakeChoice(json, "input_format", &against.format.emplace()));
  take("preset", &against.preset);
  take("id_field", &against.id_field);
  take("text_field", &against.text_field);
  take("html_field", &against.html_field);
  take("url_field", &against.url_field);
  take("date_field", &against.date_field);
  return against;
}

}  // namespace twinset::inline v1
