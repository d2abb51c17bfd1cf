#include "pipeline/results/sketch_forecast.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "methods/registry.h"

namespace twinset {
namespace {

// Measured on 70,000 and 600,000 documents: what storing, sorting and grouping
// a key takes on two threads; and what hashing for sketches, making and storing
// them takes, as a multiple of making them.
constexpr double kSecondsAKey = 100e-9, kAroundSketches = 3;
// Below, most of what sketches cost is comparing pairs that are none, and how
// many these are nobody can foresee.
constexpr double kLeastThreshold = .7;
constexpr uint64_t kSampleBytes = 1 << 20;

// The standard method of sketches for the run's threshold and measure, and how
// many views of a document it wants.
struct ByShingles {
  MethodParts parts;
  size_t views = 0;
};

Result<ByShingles> SketchesFor(const Run& run, const Method& method) {
  MethodOptions options = run.plan.options.method;
  options.name = method.info.name;
  TWINSET_ASSIGN(const auto views, method.views(options));
  for (const FeatureView& view : views) {
    if (view.form != FeatureForm::kShingles)
      return Fail(ErrorCode::kUsage, "sketches of other features");
  }
  TWINSET_ASSIGN(MethodParts parts, method.make(options, nullptr));
  return ByShingles{std::move(parts), views.size()};
}

struct Sample {
  uint64_t bytes = 0;
  double seconds = 0;  // of one thread
};

Result<Sample> SketchSome(const Run& run, const ByShingles& method) {
  using Clock = std::chrono::steady_clock;
  TWINSET_ASSIGN(auto features, OpenBlob(run, run.features_file));
  Sample sample;
  std::vector<Sketch> sketches(method.parts.sketchers.size());
  while (sample.bytes < kSampleBytes) {
    std::string_view bytes;
    TWINSET_ASSIGN(const bool more, features.Next(&bytes));
    if (!more) break;
    if (bytes.empty()) continue;
    // Aligned, as sketchers ask.
    const std::vector<char> copy(bytes.begin(), bytes.end());
    const std::vector<std::string_view> views(
        method.views, std::string_view(copy.data(), copy.size()));
    const auto begin = Clock::now();
    ComputeSketches(method.parts, views, &sketches);
    sample.seconds +=
        std::chrono::duration<double>(Clock::now() - begin).count();
    sample.bytes += bytes.size();
  }
  return sample;
}

}  // namespace

std::optional<SketchForecast> ForecastSketches(const Run& run, double seconds) {
  const auto candidate = run.stage_seconds.find("candidate");
  if (candidate == run.stage_seconds.end()) return {};
  return ForecastSketches(run, RunTimes{seconds, candidate->second, 1});
}

std::optional<SketchForecast> ForecastSketches(const Run& run,
                                               const RunTimes& times) {
  if (!run.parts.complete || run.plan.inputs.asked() != nullptr ||
      !run.saved.empty() || run.plan.features.form != FeatureForm::kShingles ||
      run.plan.options.method.threshold < kLeastThreshold)
    return {};
  const Result<const Method*> method = FindSketchMethod("");
  if (!method) return {};
  // Whatever goes wrong here, there is no forecast.
  const Result<ByShingles> sketches = SketchesFor(run, **method);
  if (!sketches || !sketches->parts.expected_recall) return {};
  const Result<Sample> sample = SketchSome(run, *sketches);
  const auto features = OpenBlob(run, run.features_file);
  if (!sample || sample->bytes == 0 || !features) return {};
  const double sketching = sample->seconds *
                           static_cast<double>(features->BytesOfData()) /
                           static_cast<double>(sample->bytes);
  const auto first =
      static_cast<double>(run.counts.read.documents - run.counts.order.copies);
  SketchForecast forecast;
  forecast.method = (*method)->info.name;
  forecast.seconds =
      times.seconds - times.candidate_seconds +
      times.growth * (kAroundSketches * sketching / run.plan.machine.threads +
                      first * sketches->parts.bands * kSecondsAKey);
  forecast.recall_at_threshold = *sketches->parts.expected_recall;
  return forecast;
}

}  // namespace twinset
