#include "documents/field_check.h"

#include <algorithm>

#include "read/field_names.h"
#include "twinset/plain_words.h"

namespace twinset {

std::vector<AskedField> AskedRowFields(const ReadOptions& read,
                                       const std::vector<ReadOptions>& usual,
                                       const std::string& prefix,
                                       const std::array<uint64_t, 3>& present) {
  std::vector<AskedField> asked;
  const auto add = [&](const char* flag, std::string ReadOptions::*field,
                       uint64_t documents) {
    const std::string& name = read.*field;
    const bool is_usual =
        std::any_of(usual.begin(), usual.end(),
                    [&](const ReadOptions& o) { return o.*field == name; });
    if (!is_usual && !name.empty())
      asked.push_back({prefix + flag, name, documents});
  };
  add("id-field", &ReadOptions::id_field, present[0]);
  add("url-field", &ReadOptions::url_field, present[1]);
  add("date-field", &ReadOptions::date_field, present[2]);
  return asked;
}

std::vector<ReadOptions> UsualNames(std::optional<FieldPreset> preset) {
  std::vector<ReadOptions> usual(1);
  if (preset) ApplyFieldPreset(*preset, &usual.emplace_back());
  return usual;
}

std::vector<std::string> FieldNamesOf(const InputList& inputs, size_t begin,
                                      size_t end, const ReadOptions& options) {
  constexpr size_t kMostInputs = 20, kMostNames = 60;
  std::vector<std::string> names;
  for (size_t i = begin; i < std::min(end, begin + kMostInputs); ++i) {
    const InputFile input = inputs[i];
    if (input.path == "-" || !input.state.regular) continue;
    for (std::string& name : FieldNamesOf(input, options)) {
      if (names.size() < kMostNames &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

std::string FieldsText(std::string_view field,
                       const std::vector<std::string>& have) {
  constexpr size_t kMost = 20;
  if (have.empty()) return "";
  if (std::find(have.begin(), have.end(), field) != have.end())
    return "the rows have it, and none has text in it";
  std::string text = DidYouMean(field, have);
  text += text.empty() ? "the rows have " : " the rows have ";
  for (size_t i = 0; i < std::min(have.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + have[i];
  return have.size() > kMost ? text + ", ..." : text;
}

tl::unexpected<Error> NoTextField(const ReadOptions& read,
                                  const std::vector<std::string>& have) {
  const bool features = !read.features_field.empty();
  const bool html = !features && !read.html_field.empty();
  const std::string& name = features ? read.features_field
                            : html   ? read.html_field
                                     : read.text_field;
  return Fail(ErrorCode::kUsage,
              std::string("no record has ") +
                  (features ? "features" : "a text") + " in the field \"" +
                  name + "\" of --" +
                  (features ? "features"
                   : html   ? "html"
                            : "text") +
                  "-field",
              "", FieldsText(name, have));
}

Status CheckAskedFields(const std::vector<AskedField>& fields,
                        uint64_t documents, std::string_view whose,
                        const std::vector<std::string>& have) {
  if (documents == 0) return {};
  for (const AskedField& field : fields) {
    if (field.present > 0) continue;
    return Fail(ErrorCode::kUsage,
                "no " + std::string(whose) + " has the field \"" + field.name +
                    "\" of " + field.flag,
                "", FieldsText(field.name, have));
  }
  return {};
}

}  // namespace twinset
