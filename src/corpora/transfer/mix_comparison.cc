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

// Ends are nothing where there is no interval.
StudyReading ReadingNumbers(const Extrapolated& fit) {
  StudyReading reading = {Number(fit.value), {}, {}};
  if (HasWidth(fit.interval)) {
    reading.low = Number(fit.interval.low);
    reading.high = Number(fit.interval.high);
  }
  return reading;
}
std::optional<StudyReading> ReadingNumbers(
    const std::optional<Extrapolated>& fit) {
  if (!fit) return {};
  return ReadingNumbers(*fit);
}

// Nothing where no fit could be made.
std::optional<StudyFit> FitNumbers(const std::optional<Extrapolated>& fit,
                                   double truth) {
  if (!fit) return {};
  StudyFit numbers = {ReadingNumbers(*fit), {}, {}};
  if (truth > 0) numbers.error = Number((fit->value - truth) / truth);
  if (HasWidth(fit->interval)) numbers.covers = fit->interval.Contains(truth);
  return numbers;
}

// Fits on all segments, read where B is whole.
std::optional<StudyWhole> WholeNumbers(const std::vector<uint64_t>& masks,
                                       uint32_t segments, uint32_t to) {
  if (to <= segments) return {};
  std::vector<uint32_t> order(segments);
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<double> counts = Accumulate(masks, order);
  return StudyWhole{to, ReadingNumbers(ExtrapolateLine(counts, to)),
                    ReadingNumbers(ExtrapolateSaturating(counts, to))};
}

StudyFitErrors ErrorNumbers(const FitErrors& errors) {
  return {errors.draws, Number(errors.mean_error), Number(errors.mean_size),
          errors.covered};
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

StudyMixes CompareMixes(const std::vector<FoundMasks>& mixes,
                        const std::vector<char>& same_address) {
  const FoundMasks* complete = nullptr;
  std::vector<const FoundMasks*> searched;
  for (const FoundMasks& one : mixes)
    if (one.mix == kComplete)
      complete = &one;
    else
      searched.push_back(&one);
  StudyMixes numbers;
  for (const FoundMasks* one : searched) {
    uint64_t found_same = 0, near_same = 0;
    for (size_t i = 0; i < one->found.size(); ++i) {
      found_same += one->found[i] != 0 && same_address[i] != 0;
      near_same += one->near[i] != 0 && same_address[i] != 0;
    }
    const uint64_t found = CountSet(one->found), near = CountSet(one->near);
    StudyMixes::Mix& row = numbers.mixes.emplace_back();
    row = {one->mix,
           found,
           near,
           ShareOfStudy(near, found),
           ShareOfStudy(found_same, found),
           ShareOfStudy(near_same, near),
           {}};
    if (complete != nullptr)
      row.recall = ShareOfStudy(CountBoth(complete->near, one->near),
                                CountSet(complete->near));
    for (const FoundMasks* other : searched) {
      if (other == one) continue;
      numbers.missed.push_back({one->mix, other->mix,
                                found - CountBoth(one->found, other->found),
                                near - CountBoth(one->near, other->near)});
      if (other <= one) continue;
      const auto size = Chapman(
          {near, CountSet(other->near), CountBoth(one->near, other->near)});
      if (!size) continue;
      const StudyReading reading =
          ReadingNumbers(Extrapolated{size->size, size->interval});
      numbers.capture_recapture.push_back(
          {one->mix, other->mix, reading.value, reading.low, reading.high});
    }
  }
  if (!mixes.empty())
    for (size_t i = 0; i < mixes.front().near.size(); ++i)
      numbers.near_by_any_mix +=
          std::any_of(searched.begin(), searched.end(),
                      [i](const FoundMasks* one) { return one->near[i] != 0; });
  if (complete != nullptr)
    numbers.near_by_complete_join = CountSet(complete->near);
  return numbers;
}

StudyExtrapolation ExtrapolateMixes(const std::vector<FoundMasks>& mixes,
                                    uint32_t segments, const StudyPlan& plan) {
  const auto& how = plan.extrapolation;
  StudyExtrapolation numbers = {segments, how.fit, {}};
  for (const FoundMasks& one : mixes) {
    for (const bool near : {false, true}) {
      if (one.mix == kComplete && !near) continue;
      const auto& masks = near ? one.near : one.found;
      const JudgedFits fits =
          JudgeFits(masks, segments, how.fit, how.draws, plan.seed);
      const auto truth = static_cast<double>(fits.truth);
      numbers.mixes.push_back(
          {one.mix, near ? StudyCount::kNear : StudyCount::kFound, fits.truth,
           FitNumbers(fits.line, truth), FitNumbers(fits.saturating, truth),
           ErrorNumbers(fits.random_line), ErrorNumbers(fits.random_saturating),
           WholeNumbers(masks, segments, how.to)});
    }
  }
  return numbers;
}

}  // namespace twinset
