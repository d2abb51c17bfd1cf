#include "pipeline/run/plan_scope.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "documents/document_options.h"
#include "text/page/language.h"

namespace twinset {
namespace {

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

}  // namespace

Result<PlanScope> MakeScope(const PlanOptions& options) {
  PlanScope scope;
  TWINSET_ASSIGN(scope.languages, ParseLanguageRanges(options.input.languages));
  scope.page_kinds = options.input.page_kinds;
  TWINSET_ASSIGN(scope.priority,
                 PriorityOrder::Parse(options.keep, options.prefer));
  std::vector<std::string>& fields = scope.fields;
  fields = scope.priority.fields();
  TWINSET_ASSIGN(scope.within, ParseScope(options.within, &fields));
  TWINSET_ASSIGN(scope.across, ParseScope(options.across, &fields));
  TWINSET_ASSIGN(scope.site, ParseScope(options.features.site, &fields));
  TWINSET_ASSIGN(scope.stats_by, ParseStats(options.stats_by, &fields));
  scope.field_places.resize(fields.size());
  std::iota(scope.field_places.begin(), scope.field_places.end(), size_t{0});
  if (scope.site.kind != ScopeField::kNone &&
      options.features.template_blocks != TemplateRule::kDrop) {
    return Fail(ErrorCode::kUsage,
                "--site says where --template drop counts blocks: it does not "
                "go with --template keep");
  }
  TWINSET_TRY(CheckFieldNames(fields));
  TWINSET_ASSIGN(scope.window_seconds, ParseWindow(options.window));
  return scope;
}

}  // namespace twinset
