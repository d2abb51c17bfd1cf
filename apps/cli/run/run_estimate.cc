// twinset estimate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/nearest.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kEstimateName = "estimate";

// Six significant digits, and all those before the point.
std::string Number(double number) {
  if (std::isnan(number)) return "undefined";
  if (std::isinf(number)) return "no limit";
  if (std::fabs(number) >= 1e6 && std::fabs(number) < 1e15)
    return fmt::format("{:.0f}", number);
  return fmt::format("{:.6g}", number);
}

std::string Interval(const std::optional<EstimateRange>& range) {
  return range
             ? fmt::format("{} .. {}", Number(range->low), Number(range->high))
             : "";
}

std::string Words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// The columns that somebody fills, as wide as they need.
std::string Table(const EstimateResult& result) {
  std::vector<std::vector<std::string>> rows = {
      {"", "estimate", "standard error", "95 %", "95 % by bootstrap"}};
  const auto add = [&](const EstimatedValue& value) {
    rows.push_back(
        {Words(value.name) +
             (value.of.empty() ? "" : " of " + Printable(value.of)),
         Number(value.value),
         value.standard_error ? Number(*value.standard_error) : "",
         value.no_interval.empty() ? Interval(value.interval) : "no interval",
         Interval(value.bootstrap)});
  };
  add(result.estimate);
  for (const EstimatedValue& value : result.values) add(value);
  std::vector<size_t> widths(5);
  for (size_t i = 1; i < rows.size(); ++i)
    for (size_t k = 0; k < 5; ++k)
      widths[k] = std::max(widths[k], rows[i][k].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t k = 0; k < 5; ++k) {
      if (widths[k] == 0) continue;
      const size_t width = std::max(widths[k], rows[0][k].size());
      line += k == 0 ? fmt::format("{:<{}}", row[k], width)
                     : fmt::format("  {:>{}}", row[k], width);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string ResultText(const EstimateResult& result) {
  std::string text = Table(result), details;
  for (const EstimateDetail& detail : result.details)
    details += fmt::format("{}{} {}", details.empty() ? "" : "; ",
                           Words(detail.name), Number(detail.value));
  if (!details.empty()) text += details + "\n";
  text += fmt::format("n {}; effective n {}", Grouped(result.n),
                      Number(result.effective_n));
  if (result.missing > 0)
    text += fmt::format("; missing {}", Grouped(result.missing));
  text += "\n";
  const auto why = [&](const EstimatedValue& value) {
    if (!value.no_interval.empty())
      text += fmt::format("no interval of {}: {}\n", Words(value.name),
                          Printable(value.no_interval));
  };
  why(result.estimate);
  for (const EstimatedValue& value : result.values) why(value);
  for (const std::string& warning : result.warnings)
    text += "note: " + Printable(warning) + "\n";
  return text;
}

Result<Estimand> WhatOf(const std::vector<std::string>& operands) {
  const auto names = ChoiceNames<Estimand>();
  std::string message = "what to estimate is not said", meant;
  if (!operands.empty()) {
    if (const auto what = FindChoice<Estimand>(operands.front())) return *what;
    message = "'" + operands.front() + "' cannot be estimated";
    meant = DidYouMean(operands.front(), names);
  }
  return Fail(ErrorCode::kUsage, std::move(message), "",
              fmt::format("{}{}use one of: {}", meant, meant.empty() ? "" : " ",
                          fmt::join(names, ", ")));
}

}  // namespace

int RunEstimate(const Request& request) {
  EstimateOptions options = request.study->estimate;
  options.seed = request.options.method.seed;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  const auto what = WhatOf(request.operands);
  if (!what) return TellError(kEstimateName, what.error());
  options.what = *what;
  options.inputs.assign(request.operands.begin() + 1, request.operands.end());
  const auto result = Estimate(options);
  if (!result) return TellError(kEstimateName, result.error());
  Output out;
  if (request.json) {
    out.Line(EstimateJson(options.what, *result));
  } else {
    out.Write(ResultText(*result));
  }
  return out.Finish(kEstimateName);
}

}  // namespace twinset::cli
