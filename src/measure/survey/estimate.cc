// twinset estimate: which of them, and those that need no sample.
#include "twinset/measure/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "estimate/capture_recapture.h"
#include "survey/estimate_page.h"
#include "survey/estimate_rows.h"

namespace twinset {
namespace {

constexpr uint64_t kFewMeetings = kLeastRecaptured;

std::string Number(uint64_t number) { return std::to_string(number); }

struct Row {
  Estimand what;
  Result<EstimateResult> (*run)(const EstimateOptions&);
  size_t least_inputs, most_inputs;
};

constexpr size_t kAny = std::numeric_limits<size_t>::max();
constexpr Row kRows[] = {
    {Estimand::kCaptureRecapture, EstimateCaptures, 0, 0},
    {Estimand::kSchnabel, EstimateSchnabel, 1, 1},
    {Estimand::kRelative, EstimateRelative, 0, 1},
    {Estimand::kCoverage, EstimateCoverage, 1, kAny},
    {Estimand::kSize, EstimateSize, 1, 2},
    {Estimand::kRatio, EstimateRatio, 1, 1},
    {Estimand::kServers, EstimateServers, 1, 1},
    {Estimand::kShare, EstimateStatistic, 1, kAny},
    {Estimand::kMean, EstimateStatistic, 1, kAny},
    {Estimand::kQuantile, EstimateStatistic, 1, kAny},
    {Estimand::kWalk, EstimateWalk, 1, kAny},
};

// The summary last: when it is there, the estimate is done.
Status WriteFolder(const EstimateOptions& options, const EstimateResult& result,
                   ResultFolder* folder) {
  constexpr char kHtml[] = "report.html", kSummary[] = "summary.json";
  std::vector<std::string> files = {KeptPage::kFileName, kSummary};
  if (options.report) files.push_back(kHtml);
  TWINSET_TRY(folder->Begin(files));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? kHtml : ""));
  return WriteWholeFile(options.out + "/" + kSummary,
                        SummaryJson(result).dump() + "\n");
}

}  // namespace

Result<EstimateResult> EstimateCaptures(const EstimateOptions& options) {
  if (!options.n1 || !options.n2 || !options.m) {
    return Fail(ErrorCode::kUsage,
                "capture-recapture needs both captures and what was in both",
                "", "give --n1, --n2 and --m");
  }
  const Captures captures{*options.n1, *options.n2, *options.m};
  TWINSET_ASSIGN(const SizeEstimate chapman, Chapman(captures));
  EstimateResult result;
  result.estimate = ToValue(
      "chapman", {chapman.size, chapman.standard_error, chapman.interval});
  EstimatedValue petersen{.name = "lincoln_petersen"};
  petersen.value = std::numeric_limits<double>::quiet_NaN();
  if (captures.m > 0) {
    TWINSET_ASSIGN(petersen.value, LincolnPetersen(captures));
  }
  result.values.push_back(petersen);
  result.details = {{"variance", chapman.variance}};
  result.n = captures.n1 + captures.n2 - captures.m;
  result.effective_n = static_cast<double>(captures.m);
  if (captures.m == 0) {
    result.warnings.push_back(
        "nothing was caught twice: there is no upper limit, Lincoln-Petersen "
        "is undefined, and Chapman's estimate says little");
  } else if (captures.m < kFewMeetings) {
    result.warnings.push_back("only " + Number(captures.m) +
                              " were caught twice: with fewer than 7 the "
                              "estimate is too small");
  }
  result.warnings.push_back(
      "a lower bound when what is easy for one capture is easy for the other");
  return result;
}

Result<EstimateResult> EstimateSchnabel(const EstimateOptions& options) {
  std::vector<Occasion> occasions;
  TWINSET_TRY(ReadTable(
      options, 0,
      [&](const SampleRow& row, const std::string& where) -> Status {
        Occasion occasion;
        TWINSET_ASSIGN(occasion.caught, CountField(row, "caught", where));
        TWINSET_ASSIGN(occasion.recaptured,
                       CountField(row, "recaptured", where));
        occasions.push_back(occasion);
        return {};
      }));
  TWINSET_ASSIGN(const SchnabelEstimate schnabel, Schnabel(occasions));
  EstimateResult result;
  result.estimate = ToValue(
      "schnabel", {schnabel.size, schnabel.standard_error, schnabel.interval});
  result.values.push_back({.name = "chapman", .value = schnabel.chapman});
  result.details = {{"captures", static_cast<double>(occasions.size())},
                    {"recaptured", static_cast<double>(schnabel.recaptured)}};
  result.n = schnabel.marked;
  result.effective_n = static_cast<double>(schnabel.recaptured);
  if (schnabel.recaptured < kFewMeetings) {
    result.warnings.push_back("only " + Number(schnabel.recaptured) +
                              " were caught again: the estimate is rough");
  }
  return result;
}

std::vector<std::string_view> v1::EstimateNames() {
  std::vector<std::string_view> names;
  for (const Row& row : kRows) names.push_back(ChoiceName(row.what));
  return names;
}

namespace {

// Nothing that is estimated is certain: data without any spread give intervals
// without width, which say nothing.
void WithholdPoints(EstimateResult* result) {
  const auto look = [](EstimatedValue* value) {
    const auto is_point = [](const std::optional<EstimateRange>& range) {
      return range && range->low == range->high;
    };
    if (is_point(value->interval) || is_point(value->bootstrap))
      Withhold("the data show no spread to make one of", value);
  };
  look(&result->estimate);
  for (EstimatedValue& value : result->values) look(&value);
}

}  // namespace

Result<EstimateResult> v1::Estimate(const EstimateOptions& options) try {
  const auto* const row =
      std::find_if(std::begin(kRows), std::end(kRows),
                   [&](const Row& one) { return options.what == one.what; });
  if (row == std::end(kRows))
    return Fail(ErrorCode::kInternal, "no such thing is estimated");
  const size_t count = options.inputs.size();
  if (count < row->least_inputs || count > row->most_inputs) {
    return Fail(ErrorCode::kUsage,
                std::string(ChoiceName(options.what)) +
                    (row->most_inputs == 0 ? " takes no file"
                     : count == 0          ? " needs a file"
                                           : " takes fewer files"),
                "", "see twinset help estimate");
  }
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR, or give --html FILE");
  if (!options.html.empty()) {
    TWINSET_TRY(CheckResultFile(
        {.path = options.html, .flag = "--html", .overwritable = false},
        options.inputs));
  }
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    TWINSET_ASSIGN(
        ResultFolder opened,
        OpenResultFolder(OutRequest("estimate", options), options.inputs));
    folder.emplace(std::move(opened));
  }
  TWINSET_ASSIGN(EstimateResult result, row->run(options));
  WithholdPoints(&result);
  result.what = options.what;
  result.page = ResultPage(EstimatePage(options, result));
  if (!options.html.empty())
    TWINSET_TRY(WriteWholeFile(options.html, result.page.Html()));
  if (folder) TWINSET_TRY(WriteFolder(options, result, &*folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
