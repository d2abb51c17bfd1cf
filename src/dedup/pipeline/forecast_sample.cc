#include "pipeline/forecast_sample.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/memory_folder.h"
#include "base/parallel.h"
#include "options/resources.h"
#include "pipeline/forecast_inputs.h"
#include "pipeline/read/late_features.h"

namespace twinset {

namespace {

constexpr uint64_t kMostFolderBytes = uint64_t{1} << 30;
// A sample is to take seconds: a stage that would take longer is not begun.
constexpr double kMostStageSeconds = 5;

void TakeCounts(const Run& run, SampledRun* sample) {
  const ReadCounts& read = run.counts.read;
  sample->bytes = run.read_bytes;
  sample->consumed = run.consumed_by_side;
  for (size_t side = 0; side < 2; ++side)
    sample->documents[side] = read.sides[side].outcome.documents;
  sample->records = read.records;
  sample->quarantined = read.quarantined;
  sample->skipped = read.records - read.documents - read.quarantined;
  sample->quarantine_reasons = read.quarantine_reasons;
  sample->skip_reasons = read.skipped;
  sample->empty = read.empty;
  sample->copies = run.counts.order.copies;
  sample->features = read.features;
  sample->joined_postings = run.joined_postings;
  sample->compared = std::max(run.counts.candidate.pairs, run.compared_pairs);
  const ResultCounts& result = run.counts.result;
  const MatchResultCounts& match = run.counts.match_result;
  sample->pairs = result.pairs + match.pairs;
  for (const auto* dropped :
       {&result.dropped_by_source, &match.dropped_by_source})
    for (const uint64_t count : *dropped) sample->dropped += count;
  if (!run.counts.cluster.largest.empty())
    sample->largest_cluster = run.counts.cluster.largest[0].first;
  sample->warnings = run.warnings;
  sample->stage_seconds = run.stage_seconds;
  for (const auto& [stage, seconds] : run.stage_seconds)
    sample->seconds += seconds;
  sample->complete = run.parts.complete && run.plan.options.method.verify;
  sample->bands = run.parts.bands;
  sample->expected_recall = run.parts.expected_recall;
  sample->work = run.parts.work;
}

void TakePages(const Run& run, const std::vector<uint32_t>& pages,
               SampledRun* sample) {
  SourceNames names;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (pages[i] == 0) continue;
    const size_t side = run.plan.inputs.SideOf(i);
    auto& known = pages[i] == 1 ? sample->files[side] : sample->archives[side];
    const uint64_t bytes = names.FileOf(run.plan.inputs.files, i).state.size;
    const auto& read = run.counts.read.source_documents;
    const uint64_t documents = i < read.size() ? read[i] : 0;
    known.pages += pages[i];
    known.documents += documents;
    known.bytes +=
        pages[i] == 1
            ? bytes
            : bytes * std::min<uint64_t>(documents, pages[i]) / pages[i];
  }
}

// Stops a sample when its time is up or somebody else's flag says so. Without a
// thread to look at the clock a sample takes what it takes.
class SampleClock {
 public:
  explicit SampleClock(const std::atomic<bool>* asked)
      : asked_(asked),
        stops_(asked != nullptr && *asked),
        watcher_([this] { Watch(); }) {}
  SampleClock(const SampleClock&) = delete;
  SampleClock& operator=(const SampleClock&) = delete;
  ~SampleClock() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_one();
  }

  void Limit(double seconds) {
    const std::lock_guard lock(mutex_);
    if (end_) return;
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(seconds));
  }
  // The sample is done: from here on there is no hurry.
  void End() {
    const std::lock_guard lock(mutex_);
    if (end_ && Clock::now() >= *end_) is_late_ = true;
    end_.reset();
  }
  const std::atomic<bool>* flag() const { return &stops_; }
  bool is_late() const { return is_late_; }

 private:
  using Clock = std::chrono::steady_clock;

  void Watch() {
    constexpr auto kLook = std::chrono::milliseconds(20);
    std::unique_lock lock(mutex_);
    while (!is_done_ && !stops_) {
      if (asked_ != nullptr && *asked_) {
        stops_ = true;
      } else if (end_ && Clock::now() >= *end_) {
        is_late_ = true;
        stops_ = true;
      } else {
        changed_.wait_for(lock, kLook);
      }
    }
  }

  const std::atomic<bool>* asked_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;                  // guarded by mutex_
  std::optional<Clock::time_point> end_;  // guarded by mutex_
  std::atomic<bool> stops_ = false, is_late_ = false;
  SideThread watcher_;  // the last member: it uses the others, and ends first
};

Status RunSampleStages(const ForecastJob& job, double most_seconds,
                       SampleClock* clock, Run* run, SampledRun* sample) {
  for (const Stage& stage : job.sample_stages) {
    // What is read has its size, so that only what is made of it can take long.
    if (stage.growth != StageGrowth::kBytes) clock->Limit(most_seconds);
    if (stage.cost != nullptr) {
      TWINSET_ASSIGN(auto cost, stage.cost(run));
      if (cost && cost->seconds > kMostStageSeconds) {
        sample->stopped_before = &stage;
        sample->stopping_cost = std::move(cost);
        return {};
      }
    }
    TWINSET_TRY(RunStages(run, std::span<const Stage>(&stage, 1)));
    if (stage.reads_inputs) sample->read_peak_bytes = run->budget.peak_bytes();
  }
  return {};
}

// Nothing where it took too long.
Result<std::optional<SampledRun>> RunOnce(
    const ForecastJob& job, uint64_t bytes, double most_seconds,
    const SampledSink& sink, std::vector<uint32_t> pages,
    std::optional<uint64_t> large_cluster) {
  TWINSET_ASSIGN(const auto folder, MemoryFolder::Create(kMostFolderBytes));
  TWINSET_ASSIGN(Plan plan, job.plan_of_sample(folder->path()));
  SampledRun sample;
  sample.asked_bytes = bytes;
  SampleClock clock(plan.options.stop);
  plan.options.stop = clock.flag();
  sample.is_whole = TakePieces(bytes, &plan, &pages);
  sample.pieces = plan.inputs.files.size();
  // Half of the memory is for the work files.
  const uint64_t files =
      std::min(kMostFolderBytes, plan.machine.memory_bytes / 2);
  plan.machine.memory_bytes -= files;
  plan.machine.work = folder->path();
  plan.options.out = folder->path();
  plan.options.on_progress = {};
  plan.options.on_notice = {};
  plan.options.resume = plan.options.strict = false;
  plan.options.limit = 0;  // of the whole: how much more that is, is known
  plan.scope.large_cluster = large_cluster.value_or(plan.scope.large_cluster);
  const JobFiles results = job.files(plan);
  TWINSET_ASSIGN(Journal journal, Journal::Create(plan.machine.work, "{}"));
  Run run(std::move(plan), std::move(journal));
  const Status done = RunSampleStages(job, most_seconds, &clock, &run, &sample);
  clock.End();
  if (clock.is_late()) return std::optional<SampledRun>();
  TWINSET_TRY(done);
  sample.is_whole = sample.is_whole && run.sample_is_whole;
  TakeCounts(run, &sample);
  TakePages(run, pages, &sample);
  for (const std::string& file : results.files)
    sample.result_bytes +=
        FileSize(run.plan.options.out + "/" + file).value_or(0);
  sample.work_bytes = folder->file_bytes() - sample.result_bytes;
  sample.late_bytes = FileSize(run.Path(kLateFeatures)).value_or(0);
  if (sink) sink(run, sample);
  return sample;
}

}  // namespace

Result<SampledRun> RunSampled(const ForecastJob& job, uint64_t bytes,
                              const SampledSink& sink, double most_seconds,
                              const std::vector<uint32_t>& pages,
                              std::optional<uint64_t> large_cluster) {
  constexpr uint64_t kLeastBytes = 256 << 10, kNoTime = 16 << 10;
  bool was_slow = false;
  for (;; bytes /= 4) {
    // What is that small is not cut for its time.
    auto sample = RunOnce(job, bytes, bytes < kNoTime ? 1e9 : most_seconds,
                          sink, pages, large_cluster);
    if (sample && *sample) {
      (*sample)->was_slow = was_slow;
      return *std::move(*sample);
    }
    if (sample) {
      was_slow = true;
    } else if (sample.error().code != ErrorCode::kMemory ||
               bytes < kLeastBytes) {
      return tl::unexpected(std::move(sample).error());
    }
  }
}

}  // namespace twinset
