#include "pipeline/run/unit_plan.h"

#include "options/parameters.h"
#include "read/reader.h"
#include "read/rows/field_path.h"

namespace twinset {

namespace {

// So that a window is small beside any budget.
constexpr uint64_t kMostWindowTokens = 10'000;

// Parameters that decide nothing here.
constexpr const char* kOfDocuments[] = {
    "shingle", "max_df", "template", "site",   "prefer", "within",
    "across",  "window", "ignore",   "fields", "near"};

const char* FormatName(InputFormat format) {
  switch (format) {
    case InputFormat::kWarc:
      return "WARC";
    case InputFormat::kArc:
      return "ARC";
    case InputFormat::kTrec:
      return "TREC";
    case InputFormat::kMediaWiki:
      return "MediaWiki exports";
    case InputFormat::kTable:
      return "fields within a column of a table";
    case InputFormat::kHtml:
      return "HTML";
    default:
      return "markup";
  }
}

constexpr char kInsteadOfCuts[] =
    "make rows of the pages first (twinset text --json), or run without "
    "--write: cuts.jsonl has the place of every cut";

}  // namespace

Status CheckTextsCanBeCut(const Plan& plan, const std::string& flag,
                          const std::string& remedy) {
  if (!plan.inputs.read.html_field.empty()) {
    return Fail(ErrorCode::kUsage,
                flag + " cannot cut the markup of --html-field", "", remedy);
  }
  if (!ParseFieldPath(plan.inputs.read.text_field, true).IsOneKey()) {
    return Fail(ErrorCode::kUsage,
                flag +
                    " cannot cut a text that is made of several "
                    "fields or stands in an array",
                "", remedy);
  }
  for (size_t i = 0; i < plan.inputs.files.size(); ++i) {
    TWINSET_ASSIGN(const auto reader, OpenRecordReader(plan.inputs.files[i],
                                                       static_cast<uint32_t>(i),
                                                       plan.inputs.read));
    const InputFormat format = reader->format();
    if (format == InputFormat::kJsonl || format == InputFormat::kCsv ||
        format == InputFormat::kTsv || format == InputFormat::kText) {
      continue;
    }
    const bool is_column =
        plan.inputs.read.text_field.find('.') == std::string::npos;
    if (format == InputFormat::kTable && is_column) continue;
    return Fail(ErrorCode::kUsage, flag + " cannot cut " + FormatName(format),
                plan.inputs.files[i].path, remedy);
  }
  return {};
}

Status PlanUnits(Plan* plan, Json* parameters) {
  const PlanOptions& options = plan->options;
  if (options.features.tokens != TokenRule::kUnicode &&
      options.features.tokens != TokenRule::kWhitespace) {
    return Fail(ErrorCode::kUsage,
                "--unit needs tokens with their places in the text, which "
                "--tokens " +
                    std::string(ChoiceName(options.features.tokens)) +
                    " does not keep",
                "", "use --tokens unicode or whitespace");
  }
  if (!options.input.features_field.empty()) {
    return Fail(ErrorCode::kUsage,
                "--unit cuts texts, and --features-field reads none");
  }
  if (!options.attributes.empty() && options.unit_action == UnitAction::kList) {
    return Fail(ErrorCode::kUsage,
                "--attributes has nothing to do with --unit-action list: it "
                "says what would be cut");
  }
  if (options.unit_window > 1 &&
      (options.near_units || options.unit == UnitKind::kSubstring)) {
    return Fail(ErrorCode::kUsage,
                std::string("--unit-window does not go with ") +
                    (options.near_units ? "--threshold"
                                        : "--unit substring, where "
                                          "--min-tokens has its role"));
  }
  if (options.near_units && options.unit == UnitKind::kSubstring) {
    return Fail(ErrorCode::kUsage,
                "--threshold does not go with --unit substring, whose passages "
                "are equal");
  }
  if (!options.write.empty()) {
    if (options.unit_action == UnitAction::kList) {
      return Fail(ErrorCode::kUsage,
                  "--write has nothing to do with --unit-action list");
    }
    TWINSET_TRY(
        CheckTextsCanBeCut(*plan, "--write with --unit", kInsteadOfCuts));
  }
  plan->options.min_tokens = LeastTokens(options);
  if (options.unit == UnitKind::kSubstring &&
      options.min_tokens > kMostWindowTokens) {
    return Fail(ErrorCode::kUsage,
                "--min-tokens of --unit substring is at most " +
                    std::to_string(kMostWindowTokens));
  }
  plan->features.form = FeatureForm::kUnits;
  plan->features.text.keep_offsets = true;
  const Json shingle = (*parameters)["shingle"];
  for (const char* name : kOfDocuments) parameters->erase(name);
  Json of_documents;
  AddParametersJson({ParameterGroup::kSearch, ParameterGroup::kMethod,
                     ParameterGroup::kClusters},
                    options, &of_documents);
  for (const auto& [name, value] : of_documents.items())
    parameters->erase(name);
  AddParametersJson({ParameterGroup::kUnits}, options, parameters);
  if (options.near_units) {
    (*parameters)["threshold"] = options.method.threshold;
    (*parameters)["shingle"] = shingle;
  }
  return {};
}

}  // namespace twinset
