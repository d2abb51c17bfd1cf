#include "pipeline/forecast_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "candidate/complete/prefix_postings.h"
#include "documents/read_outcome.h"
#include "options/parameters.h"
#include "pipeline/forecast_inputs.h"
#include "pipeline/forecast_sample.h"
#include "pipeline/results/summary.h"
#include "pipeline/run_control.h"
#include "read/look.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr uint64_t kSampleBytes = 12 << 20;
// What half of the sample and all of it may take behind reading: four times as
// much is a square.
constexpr double kMostHalfSeconds = 1.5, kMostSampleSeconds = 6;
// What a process takes beside its budget.
constexpr uint64_t kBesideBytes = 32 << 20;
// Files that a run writes are copied so fast at least.
constexpr double kCopyBytesASecond = 200e6;
// Stages that sort take so much longer where their files do not fit into
// memory, and where they do not fit into the caches of the processor
// (docs/benchmarks-complete.md).
constexpr double kOnDisk = 3, kOutOfCache = 1.5;
// Fewer pairs do not tell how pairs grow.
constexpr uint64_t kFewPairs = 50;
// The power of the documents by which pairs grow where most are of few
// families.
constexpr double kNearlySquare = 1.5;

uint64_t Whole(double value) {
  return static_cast<uint64_t>(std::clamp(value, 0.0, 9e18));
}

struct Span {
  double least = 0, most = 0;
  Json ToJson() const { return {{"least", least}, {"most", most}}; }
};

// How much more the whole run has of something than the sample.
struct Growth {
  std::array<double, 2> sides{1, 1};
  double documents = 1;  // new ones
  double bytes = 1;      // that are read
  double all = 1;        // with those of a saved run
  Span pairs{1, 1};
  std::optional<double> exponent;  // of pairs by documents, as measured
};

class Forecasting {
 public:
  explicit Forecasting(const ForecastJob& job) : job_(job) {}

  Result<RunForecast> Do() {
    TWINSET_ASSIGN(const Plan plan, job_.plan());
    plan_ = &plan;
    TWINSET_TRY(CheckFolders());
    TWINSET_ASSIGN(inputs_, LookAtInputs(plan, job_.arguments));
    const bool sides =
        plan.inputs.first_side == 0 || !plan.inputs.stored.empty()
            ? inputs_.bytes[0] > 0
            : inputs_.bytes[0] > 0 && inputs_.bytes[1] > 0;
    if (sides) TWINSET_TRY(Measure());
    Describe();
    return std::move(forecast_);
  }

 private:
  // The same refusals as those of the run. Nothing stays there.
  Status CheckFolders() const {
    if (job_.out.empty()) return {};
    JobFiles files = job_.files(*plan_);
    AddStoredFolders(*plan_, &files);
    return RunFolders::Open(*plan_, std::move(files)).map([](const auto&) {});
  }

  Status Measure() {
    const uint64_t large = plan_->scope.large_cluster;
    TWINSET_TRY(MeasureWith(large, large));
    // A cluster that grows with the corpus may become a large one, of which
    // most pairs are not listed. In the sample it is one as early.
    const double limit = static_cast<double>(large) / growth_.all;
    const auto largest = static_cast<double>(sample_.largest_cluster);
    if (plan_->lists_by_cluster() && sample_.largest_cluster <= large &&
        largest > limit && growth_.exponent.value_or(1) > kNearlySquare)
      TWINSET_TRY(MeasureWith(Whole(limit / 2), Whole(limit)));
    forecast_.has_sample = sample_.all_documents() > 0;
    forecast_.warnings = sample_.warnings;
    for (std::string& warning : CutOffWarnings(sample_.quarantine_reasons, ""))
      forecast_.warnings.push_back(std::move(warning));
    if (forecast_.has_sample)
      forecast_.warnings.insert(forecast_.warnings.begin(),
                                inputs_.warnings.begin(),
                                inputs_.warnings.end());
    if (is_cut_ && forecast_.has_sample)
      forecast_.warnings.push_back(
          "the sample has only " +
          CountText(sample_.all_documents(), "document") +
          ", because more of them take long to compare: the forecast is less "
          "sure");
    if (forecast_.has_sample) {
      Room();
      Costs();
    }
    return {};
  }

  // In clusters of more leaders than `large` only some pairs are listed.
  Status MeasureWith(uint64_t large_in_half, uint64_t large) {
    // Runs half as much first, to see how pairs grow with documents, and to
    // have read once what is read for the first time.
    TWINSET_ASSIGN(const SampledRun half,
                   RunSampled(job_, sample_bytes_ / 2, {}, kMostHalfSeconds,
                              inputs_.pages, large_in_half));
    sample_bytes_ = std::min(sample_bytes_, 2 * half.asked_bytes);
    TWINSET_ASSIGN(sample_, RunSampled(
                                job_, sample_bytes_,
                                [&](const Run& run, const SampledRun& s) {
                                  Scale(half, s);
                                  Times(s);
                                  BySketches(run);
                                },
                                kMostSampleSeconds, inputs_.pages, large));
    sample_bytes_ = sample_.asked_bytes;
    is_cut_ = is_cut_ || half.was_slow || sample_.was_slow;
    return {};
  }

  // ---- how much more ----

  void Scale(const SampledRun& half, const SampledRun& sample) {
    growth_ = Growth();
    double documents = 0;
    const uint64_t limit = plan_->options.limit;
    for (size_t side = 0; side < 2; ++side) {
      if (sample.documents[side] == 0) continue;
      const auto of_sample = static_cast<double>(sample.documents[side]);
      double scale = 1;
      if (!sample.is_whole)
        scale = std::max(1.0, DocumentsOf(sample, side) / of_sample);
      if (limit > 0)
        scale = std::min(scale, static_cast<double>(limit) / of_sample);
      growth_.sides[side] = scale;
      documents += scale * of_sample;
    }
    const double like_inputs = documents;
    if (job_.corpus.documents > 0 && documents > 0) {
      documents = static_cast<double>(job_.corpus.documents);
      for (double& side : growth_.sides) side *= documents / like_inputs;
    }
    const auto of_sample =
        static_cast<double>(std::max<uint64_t>(1, sample.all_documents()));
    growth_.documents = std::max(1e-9, documents / of_sample);
    growth_.bytes = growth_.documents;
    const uint64_t consumed = sample.consumed[0] + sample.consumed[1];
    if (limit == 0 && !sample.is_whole && consumed > 0)
      growth_.bytes = static_cast<double>(inputs_.bytes[0] + inputs_.bytes[1]) /
                      static_cast<double>(consumed) *
                      (documents / std::max(1e-9, like_inputs));
    if (job_.corpus.bytes > 0 && consumed > 0)
      growth_.bytes = static_cast<double>(job_.corpus.bytes) /
                      static_cast<double>(consumed);
    documents_ = documents;
    stored_documents_ = 0;
    for (const StoredInputs& stored : plan_->inputs.stored)
      stored_documents_ += stored.run->description()["documents"].get<double>();
    growth_.all = (documents + stored_documents_) / of_sample;
    ScalePairs(half, sample);
  }

  // In the whole run, of a side of which the sample has some: files and listed
  // pages are counted, all else has as many a byte as in the sample.
  double DocumentsOf(const SampledRun& sample, size_t side) const {
    uint64_t documents = sample.documents[side];
    uint64_t consumed = sample.consumed[side], bytes = inputs_.bytes[side];
    double known = 0;
    const auto take = [&](const SampledRun::Known& read,
                          const InputsForecast::Pages& all) {
      if (read.pages == 0) return;
      // Not all of an archive is read, so a page of it is taken for a document.
      const double each = &read == &sample.files[side]
                              ? static_cast<double>(read.documents) /
                                    static_cast<double>(read.pages)
                              : 1;
      known += each * static_cast<double>(all.count);
      documents -= std::min(documents, read.documents);
      consumed -= std::min(consumed, read.bytes);
      bytes -= std::min(bytes, all.bytes);
    };
    take(sample.files[side], inputs_.files[side]);
    take(sample.archives[side], inputs_.archives[side]);
    return known + static_cast<double>(documents) * static_cast<double>(bytes) /
                       static_cast<double>(std::max<uint64_t>(1, consumed));
  }

  void ScalePairs(const SampledRun& half, const SampledRun& sample) {
    double product = growth_.sides[0] * growth_.sides[1];
    if (plan_->inputs.first_side == 0 || stored_documents_ > 0)
      product = growth_.all * growth_.all;
    product = std::max(product, 1e-9);
    Span exponent{1, 2};
    const double documents =
        static_cast<double>(sample.all_documents()) /
        std::max(1.0, static_cast<double>(half.all_documents()));
    if (half.compared >= kFewPairs && documents > 1.2) {
      growth_.exponent =
          std::clamp(std::log(static_cast<double>(sample.compared) /
                              static_cast<double>(half.compared)) /
                         std::log(documents),
                     0.0, 2.0);
      exponent = {std::clamp(*growth_.exponent - .25, 1.0, 2.0),
                  std::clamp(*growth_.exponent + .25, 1.0, 2.0)};
    }
    if (sample.is_whole && plan_->options.limit == 0 &&
        stored_documents_ == 0 && job_.corpus.documents == 0)
      exponent = {1, 1};
    growth_.pairs = {std::pow(product, exponent.least / 2),
                     std::pow(product, exponent.most / 2)};
    if (growth_.pairs.least > growth_.pairs.most)
      std::swap(growth_.pairs.least, growth_.pairs.most);
  }

  // ---- time ----

  StageGrowth GrowthOf(const std::string& name) const {
    for (const Stage& stage : job_.stages)
      if (stage.name == name) return stage.growth;
    return StageGrowth::kDocuments;
  }

  void Times(const SampledRun& sample) {
    stages_.clear();
    forecast_.least_seconds = forecast_.most_seconds = 0;
    const double work = static_cast<double>(sample.work_bytes) * growth_.all;
    const bool on_disk =
        work > static_cast<double>(plan_->machine.memory_bytes);
    const bool grows = growth_.all > 4;
    for (const auto& [stage, seconds] : sample.stage_seconds) {
      const StageGrowth growth = GrowthOf(stage);
      const double linear =
          seconds *
          (growth == StageGrowth::kBytes ? growth_.bytes : growth_.all);
      const bool finds = growth == StageGrowth::kCandidates;
      Span span{linear, linear};
      if (finds) span = OfCandidates(sample, seconds);
      if ((finds || growth == StageGrowth::kSortedDocuments) && grows)
        span.most *= on_disk ? kOnDisk : kOutOfCache;
      if (growth == StageGrowth::kPairs) {
        span.least = std::min(linear, seconds * growth_.pairs.least);
        span.most = std::max(linear, seconds * growth_.pairs.most);
      }
      stages_[stage] = span;
    }
    // What the sample did not pay.
    const Stage* unpaid = sample.stopped_before;
    if (unpaid != nullptr && unpaid->growth == StageGrowth::kPairs) {
      const double seconds = sample.stopping_cost->seconds;
      stages_[unpaid->name] = {seconds * growth_.pairs.least,
                               seconds * growth_.pairs.most};
    }
    if (const auto cost = WorkOfCandidates(sample)) {
      Span& span = stages_[kCandidateStage.name];
      span.least = std::max(span.least, cost->seconds);
      span.most = std::max(span.most, 2 * cost->seconds);
    }
    AddUnmeasured();
    for (const auto& [stage, span] : stages_) {
      forecast_.least_seconds += span.least;
      forecast_.most_seconds += span.most;
    }
    // Processors are not always as fast, nor as free.
    forecast_.least_seconds *= .8;
    forecast_.most_seconds *= 1.25;
  }

  // What a pair costs until it is a candidate grows with the pairs.
  Span OfCandidates(const SampledRun& sample, double seconds) const {
    constexpr double kPairSeconds = 100e-9;
    const double of_pairs = std::min(
        seconds, kPairSeconds * static_cast<double>(sample.candidates));
    const double linear = (seconds - of_pairs) * growth_.all;
    return {linear + of_pairs * growth_.pairs.least,
            linear + of_pairs * growth_.pairs.most};
  }

  // What the sample does not do.
  void AddUnmeasured() {
    const Span read = stages_[kReadStage.name];
    if (!plan_->options.write.empty())
      stages_[kWriteStage.name] = {.1 * read.least, read.most};
    if (!plan_->options.attributes.empty())
      stages_[kAttributesStage.name] = {.05 * read.least, .25 * read.most};
    if (!plan_->inputs.stored.empty()) {
      uint64_t bytes = 0;
      for (const StoredInputs& stored : plan_->inputs.stored)
        for (const ManifestFile& file : stored.run->files())
          bytes += file.bytes;
      stored_bytes_ = bytes;
      const double copied = static_cast<double>(bytes) / kCopyBytesASecond;
      stages_[kReadStage.name].most += copied;
    }
  }

  std::optional<StageCost> WorkOfCandidates(const SampledRun& sample) const {
    if (!sample.work.steps) return {};
    const double first = 1 - static_cast<double>(sample.empty + sample.copies) /
                                 static_cast<double>(std::max<uint64_t>(
                                     1, sample.all_documents()));
    Seekers seekers;
    seekers.asking = seekers.others = first * (documents_ + stored_documents_);
    const bool two = plan_->inputs.first_side != 0;
    if (two) {
      const auto side = [&](size_t i) {
        return first * growth_.sides[i] *
               static_cast<double>(sample.documents[i]);
      };
      seekers = {side(0),
                 stored_documents_ > 0 ? first * stored_documents_ : side(1)};
    }
    return CandidateCost(sample.work, seekers, two, plan_->machine.threads);
  }

  void BySketches(const Run& run) {
    if (stored_documents_ > 0) return;
    const auto candidate = stages_.find(kCandidateStage.name);
    if (candidate == stages_.end()) return;
    by_sketches_ = ForecastSketches(
        run, RunTimes{.seconds = forecast_.least_seconds / .8,
                      .candidate_seconds = candidate->second.least,
                      .growth = growth_.all});
  }

  // ---- room ----

  // Counters of all shingles; then the postings twice, as they are grouped.
  // What is more than half of the budget goes to files.
  double OfCompleteJoin(double features) const {
    const double postings =
        static_cast<double>(sample_.joined_postings) * growth_.all;
    return std::min(
        static_cast<double>(plan_->machine.memory_bytes) / 2,
        std::max(1.2 * features, 2.0 * sizeof(PrefixPosting) * postings));
  }

  void Room() {
    const double features = static_cast<double>(sample_.features) * growth_.all;
    const double all = documents_ + stored_documents_;
    // What is sorted or counted at once (docs/methods/external-memory.md).
    double held = 64 * all;
    if (sample_.complete) held = std::max(held, OfCompleteJoin(features));
    if (sample_.bands > 0) held = std::max(held, 24.0 * sample_.bands * all);
    const auto budget = static_cast<double>(plan_->machine.memory_bytes);
    const double spilled = sample_.complete || held < budget / 3 ? 0 : held;
    held = std::min(
        budget, std::max(held, static_cast<double>(sample_.read_peak_bytes)));
    forecast_.memory_bytes = Whole(held) + kBesideBytes;
    const double work = static_cast<double>(sample_.work_bytes) * growth_.all;
    const double late = static_cast<double>(sample_.late_bytes) * growth_.all;
    forecast_.work_bytes = Whole(std::max(work, work - late + spilled));
    forecast_.result_bytes = Whole(static_cast<double>(sample_.result_bytes) *
                                   std::max(growth_.all, growth_.pairs.least));
  }

  // ---- what deserves a warning ----

  void AddCost(const StageCost& cost) {
    costs_.push_back({{"stage", std::string(cost.stage)},
                      {"steps", Whole(cost.steps)},
                      {"unit", cost.unit},
                      {"seconds", cost.seconds},
                      {"remedy", cost.remedy}});
    if (cost.seconds >= plan_->options.notice_seconds)
      forecast_.costs.push_back(CostText(cost));
  }

  void Costs() {
    if (const auto cost = WorkOfCandidates(sample_)) AddCost(*cost);
    const auto verify = stages_.find(kVerifyStage.name);
    if (verify != stages_.end() && sample_.compared > 0) {
      AddCost(
          VerifyCost(plan_->options,
                     static_cast<double>(sample_.compared) * growth_.pairs.most,
                     verify->second.most));
    }
    if (growth_.exponent.value_or(1) > kNearlySquare &&
        sample_.compared > 4 * sample_.all_documents()) {
      forecast_.costs.push_back(
          "pairs grow nearly with the square of the documents: " +
          CountText(sample_.compared, "pair") + " among " +
          CountText(sample_.all_documents(), "document") +
          " of the sample; --max-df or --ignore takes out what many share, and "
          "--pairs star lists fewer");
    }
    if (sample_.stopped_before != nullptr) {
      forecast_.warnings.push_back("the sample ends before the stage " +
                                   std::string(sample_.stopped_before->name) +
                                   ", which would have taken too long (" +
                                   CostText(*sample_.stopping_cost) +
                                   "): later stages are not in the "
                                   "time");
    }
  }

  // ---- in JSON ----

  void Describe() {
    Json json;
    json["twinset"] = kVersion;
    json["spec"] = kSpecNumber;
    json["command"] = job_.command;
    json["inputs"] = std::move(inputs_.json);
    if (!plan_->inputs.stored.empty())
      json["inputs"]["saved_run"] = {{"folder", StoredFolders(*plan_)},
                                     {"documents", Whole(stored_documents_)},
                                     {"bytes", stored_bytes_}};
    json["plan"] = PlanJson();
    if (forecast_.has_sample) {
      json["expected"] = ExpectedJson();
      if (by_sketches_)
        json["by_sketches"] = {
            {"method", by_sketches_->method},
            {"seconds", by_sketches_->seconds},
            {"instead_of_seconds", forecast_.least_seconds / .8},
            {"recall_at_threshold", by_sketches_->recall_at_threshold}};
    }
    if (inputs_.has_pipes)
      forecast_.warnings.push_back(
          "pipes are read once: nothing is known of what is in them");
    json["sample"] = SampleJson();
    json["costs"] = costs_;
    json["notices"] = forecast_.costs;
    json["warnings"] = forecast_.warnings;
    forecast_.json = std::move(json);
  }

  Json PlanJson() const {
    Json json;
    Json stages = Json::array();
    for (const Stage& stage : job_.stages) {
      if (stage.is_wanted == nullptr || stage.is_wanted(*plan_))
        stages.push_back(std::string(stage.name));
    }
    json["stages"] = std::move(stages);
    if (plan_->features.form != FeatureForm::kUnits) {
      json["method"] = plan_->features.method->info.name;
      json["summary"] = plan_->features.method->info.summary;
      json["finds_every_pair"] = sample_.complete;
      json["recall_at_threshold"] =
          sample_.expected_recall ? Json(*sample_.expected_recall) : Json();
    }
    json["threads"] = plan_->machine.threads;
    json["memory_bytes"] = plan_->machine.memory_bytes;
    json["parameters"] = Json::Parse(plan_->parameters_json);
    return json;
  }

  Json ExpectedJson() {
    const auto pairs = static_cast<double>(sample_.pairs);
    // If a sample has few pairs, it could as well have none or twice as many.
    const double chance =
        sample_.is_whole && growth_.pairs.most <= 1 ? 0 : std::sqrt(pairs) + 1;
    Json json;
    forecast_.documents = Whole(documents_);
    json["documents"] = forecast_.documents;
    if (stored_documents_ > 0)
      json["stored_documents"] = Whole(stored_documents_);
    if (sample_.stopped_before == nullptr &&
        plan_->features.form != FeatureForm::kUnits)
      json["pairs"] = {
          {"least", Whole((pairs - 2 * chance) * growth_.pairs.least)},
          {"most", Whole((pairs + 2 * chance) * growth_.pairs.most)}};
    json["seconds"] =
        Span{forecast_.least_seconds, forecast_.most_seconds}.ToJson();
    for (const auto& [stage, span] : stages_)
      json["stage_seconds"][stage] = span.ToJson();
    json["memory_bytes"] = forecast_.memory_bytes;
    json["work_bytes"] = forecast_.work_bytes;
    json["result_bytes"] = forecast_.result_bytes;
    if (!plan_->options.write.empty())
      json["written_bytes_most"] = inputs_.bytes[0];
    json["pair_exponent"] = growth_.exponent ? Json(*growth_.exponent) : Json();
    return json;
  }

  Json SampleJson() const {
    if (!forecast_.has_sample && sample_.records == 0) return nullptr;
    Json json = {{"files", sample_.pieces},
                 {"bytes", sample_.bytes.consumed},
                 {"decoded_bytes", sample_.bytes.decoded},
                 {"is_all", sample_.is_whole},
                 {"records", sample_.records},
                 {"documents", sample_.all_documents()},
                 {"skipped", sample_.skip_reasons},
                 {"quarantined", sample_.quarantine_reasons},
                 {"pairs_compared", sample_.compared},
                 {"pairs", sample_.pairs},
                 {"dropped", sample_.dropped},
                 {"seconds", sample_.seconds}};
    if (sample_.stopped_before != nullptr)
      json["stopped_before"] = sample_.stopped_before->name;
    return json;
  }

  const ForecastJob& job_;
  const Plan* plan_ = nullptr;
  InputsForecast inputs_;
  SampledRun sample_;
  uint64_t sample_bytes_ = kSampleBytes;
  bool is_cut_ = false;  // because it took long
  Growth growth_;
  double documents_ = 0, stored_documents_ = 0;
  uint64_t stored_bytes_ = 0;
  std::map<std::string, Span> stages_;
  std::optional<SketchForecast> by_sketches_;
  Json costs_ = Json::array();
  RunForecast forecast_;
};

}  // namespace

Result<RunForecast> ForecastRun(const ForecastJob& job) {
  return Forecasting(job).Do();
}

}  // namespace twinset
