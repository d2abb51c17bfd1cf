// An estimate as JSON.
#include <cmath>

#include "twinset/json.h"
#include "twinset/measure/estimate.h"

namespace twinset {

namespace {

// What is not finite has no JSON number.
Json Finite(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

Json Range(const std::optional<EstimateRange>& range) {
  if (!range) return {};
  return Json::array({Finite(range->low), Finite(range->high)});
}

// An interval that is withheld is null, with the reason beside it.
void AddReason(const EstimatedValue& value, Json* row) {
  if (value.no_interval.empty()) return;
  (*row)["interval"] = nullptr;
  (*row)["no_interval"] = value.no_interval;
}

Json ValueRow(const EstimatedValue& value) {
  Json row;
  if (!value.of.empty()) row["of"] = value.of;
  row["value"] = Finite(value.value);
  if (value.standard_error)
    row["standard_error"] = Finite(*value.standard_error);
  if (value.interval) row["interval"] = Range(value.interval);
  if (value.bootstrap) row["bootstrap"] = Range(value.bootstrap);
  AddReason(value, &row);
  return row;
}

// Values of engines are lists by name; others stand alone, as a number when
// there is nothing more to say.
Json ResultRow(const EstimateResult& result) {
  const EstimatedValue& main = result.estimate;
  Json row = {{"what", result.what},
              {main.name, Finite(main.value)},
              {"estimate", Finite(main.value)},
              {"standard_error", Json()},
              {"interval", Range(main.interval)}};
  if (main.standard_error) row["standard_error"] = Finite(*main.standard_error);
  if (main.bootstrap) row["bootstrap"] = Range(main.bootstrap);
  AddReason(main, &row);
  for (const EstimatedValue& value : result.values) {
    Json one = ValueRow(value);
    if (!value.of.empty()) {
      row[value.name].push_back(std::move(one));
    } else if (one.size() == 1) {
      row[value.name] = one["value"];
    } else {
      row[value.name] = std::move(one);
    }
  }
  for (const EstimateDetail& detail : result.details)
    row[detail.name] = Finite(detail.value);
  row["n"] = result.n;
  row["effective_n"] = Finite(result.effective_n);
  row["missing"] = result.missing;
  row["warnings"] = result.warnings;
  return row;
}

}  // namespace

Json v1::SummaryJson(const EstimateResult& result) { return ResultRow(result); }

}  // namespace twinset
