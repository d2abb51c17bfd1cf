#include "transfer/mix_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/bytes.h"
#include "base/csv_row.h"
#include "base/file.h"
#include "documents/text_lines.h"
#include "estimate/capture_recapture.h"
#include "report/row_writer.h"
#include "store/manifest_file.h"
#include "transfer/extrapolation.h"
#include "transfer/study_numbers.h"

namespace twinset {
namespace {

constexpr char kHeader[] = "document,found,near";
constexpr char kComplete[] = "complete";

uint64_t CountSet(const std::vector<uint64_t>& masks) {
  return static_cast<uint64_t>(masks.size()) -
         static_cast<uint64_t>(
             std::count(masks.begin(), masks.end(), uint64_t{0}));
}

// Documents of `x` that are also in `y`.
uint64_t CountBoth(const std::vector<uint64_t>& x,
                   const std::vector<uint64_t>& y) {
  uint64_t both = 0;
  for (size_t i = 0; i < x.size(); ++i) both += x[i] != 0 && y[i] != 0;
  return both;
}

// Returns true iff the interval says anything: data without any spread give one
// without width, as if the estimate were certain.
bool HasWidth(const Interval& interval) {
  return interval.high - interval.low > 1e-9 * std::abs(interval.high);
}

// Ends are null where there is no interval.
Json WithInterval(const char* name, double value, const Interval& interval) {
  const bool has_width = HasWidth(interval);
  return {{name, Number(value)},
          {"low", has_width ? Number(interval.low) : Json()},
          {"high", has_width ? Number(interval.high) : Json()}};
}

Json SizeNumbers(const SizeEstimate& size) {
  return WithInterval("size", size.size, size.interval);
}

// Null where no fit could be made.
Json ReadingNumbers(const std::optional<Extrapolated>& fit) {
  if (!fit) return {};
  return WithInterval("value", fit->value, fit->interval);
}

Json FitNumbers(const std::optional<Extrapolated>& fit, double truth) {
  Json numbers = ReadingNumbers(fit);
  if (!fit) return numbers;
  numbers["error"] = truth > 0 ? Number((fit->value - truth) / truth) : Json();
  numbers["covers"] =
      HasWidth(fit->interval) ? Json(fit->interval.Contains(truth)) : Json();
  return numbers;
}

// Fits on all segments, read where B is whole.
Json WholeNumbers(const std::vector<uint64_t>& masks, uint32_t segments,
                  uint32_t to) {
  if (to <= segments) return {};
  std::vector<uint32_t> order(segments);
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<double> counts = Accumulate(masks, order);
  return {{"segments", to},
          {"line", ReadingNumbers(ExtrapolateLine(counts, to))},
          {"saturating", ReadingNumbers(ExtrapolateSaturating(counts, to))}};
}

Json ErrorNumbers(const FitErrors& errors) {
  return {{"draws", errors.draws},
          {"mean_error", Number(errors.mean_error)},
          {"mean_absolute_error", Number(errors.mean_size)},
          {"covered", errors.covered}};
}

}  // namespace

Status WriteMasks(const FoundMasks& masks, const IdTable& judged,
                  const std::string& path) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  TWINSET_TRY(file.Write(std::string(kHeader) + "\n"));
  for (uint32_t i = 0; i < judged.size(); ++i) {
    if (masks.found[i] == 0) continue;
    std::string row;
    AppendCsvField(&row, judged[i]);
    row += "," + ToHex(masks.found[i]) + "," + ToHex(masks.near[i]) + "\n";
    TWINSET_TRY(file.Write(row));
  }
  return file.Commit();
}

Result<FoundMasks> ReadMasks(std::string mix, const IdTable& judged,
                             const std::string& path) {
  FoundMasks masks{std::move(mix), std::vector<uint64_t>(judged.size()),
                   std::vector<uint64_t>(judged.size())};
  std::vector<std::string> fields;
  Status status;
  TWINSET_TRY(ForEachTextLine(path, [&](const TextLine& line) {
    if (line.number == 1 && line.text == kHeader) return true;
    fields.clear();
    std::optional<uint32_t> document;
    uint64_t found_mask = 0, near_mask = 0;
    if (SplitCsvRow(line.text, ',', &fields) == 3 &&
        ParseHex64(fields[1], &found_mask) && ParseHex64(fields[2], &near_mask))
      document = judged.Find(fields[0]);
    if (!document) {
      status = Fail(ErrorCode::kCorrupt, "a row is not as it was written",
                    path + ":" + std::to_string(line.number),
                    "start anew with --overwrite");
      return false;
    }
    masks.found[*document] = found_mask;
    masks.near[*document] = near_mask;
    return true;
  }));
  TWINSET_TRY(status);
  return masks;
}

Json CompareMixes(const std::vector<FoundMasks>& mixes,
                  const std::vector<char>& same_address) {
  const FoundMasks* complete = nullptr;
  std::vector<const FoundMasks*> searched;
  for (const FoundMasks& one : mixes)
    if (one.mix == kComplete)
      complete = &one;
    else
      searched.push_back(&one);
  Json rows = Json::array(), missed = Json::array(), captures = Json::array();
  for (const FoundMasks* one : searched) {
    uint64_t found_same = 0, near_same = 0;
    for (size_t i = 0; i < one->found.size(); ++i) {
      found_same += one->found[i] != 0 && same_address[i] != 0;
      near_same += one->near[i] != 0 && same_address[i] != 0;
    }
    const uint64_t found = CountSet(one->found), near = CountSet(one->near);
    Json row = {{"mix", one->mix},
                {"found", found},
                {"near", near},
                {"precision", ShareNumbers(near, found)},
                {"found_with_same_address", ShareNumbers(found_same, found)},
                {"near_with_same_address", ShareNumbers(near_same, near)}};
    if (complete != nullptr)
      row["recall"] = ShareNumbers(CountBoth(complete->near, one->near),
                                   CountSet(complete->near));
    rows.push_back(std::move(row));
    for (const FoundMasks* other : searched) {
      if (other == one) continue;
      missed.push_back({{"found_by", one->mix},
                        {"missed_by", other->mix},
                        {"found", found - CountBoth(one->found, other->found)},
                        {"near", near - CountBoth(one->near, other->near)}});
      if (other <= one) continue;
      const auto size = Chapman(
          {near, CountSet(other->near), CountBoth(one->near, other->near)});
      if (!size) continue;
      Json capture = {{"one", one->mix}, {"other", other->mix}};
      capture.update(SizeNumbers(*size));
      captures.push_back(std::move(capture));
    }
  }
  uint64_t any = 0;
  if (!mixes.empty())
    for (size_t i = 0; i < mixes.front().near.size(); ++i)
      any +=
          std::any_of(searched.begin(), searched.end(),
                      [i](const FoundMasks* one) { return one->near[i] != 0; });
  return {{"mixes", std::move(rows)},
          {"missed", std::move(missed)},
          {"capture_recapture", std::move(captures)},
          {"near_by_any_mix", any},
          {"near_by_complete_join",
           complete == nullptr ? Json() : Json(CountSet(complete->near))}};
}

Json ExtrapolateMixes(const std::vector<FoundMasks>& mixes, uint32_t segments,
                      const StudyPlan& plan) {
  const auto& how = plan.extrapolation;
  Json rows = Json::array();
  for (const FoundMasks& one : mixes) {
    for (const bool near : {false, true}) {
      if (one.mix == kComplete && !near) continue;
      const auto& masks = near ? one.near : one.found;
      const JudgedFits fits =
          JudgeFits(masks, segments, how.fit, how.draws, plan.seed);
      const auto truth = static_cast<double>(fits.truth);
      rows.push_back(
          {{"mix", one.mix},
           {"what", near ? "near" : "found"},
           {"truth", fits.truth},
           {"line", FitNumbers(fits.line, truth)},
           {"saturating", FitNumbers(fits.saturating, truth)},
           {"random_line", ErrorNumbers(fits.random_line)},
           {"random_saturating", ErrorNumbers(fits.random_saturating)},
           {"whole", WholeNumbers(masks, segments, how.to)}});
    }
  }
  return {{"segments", segments}, {"fit", how.fit}, {"mixes", std::move(rows)}};
}

}  // namespace twinset
