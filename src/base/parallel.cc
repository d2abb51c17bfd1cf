#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>

#ifdef TWINSET_STD_THREADS
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>
#else
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <mutex>
#endif

namespace twinset {

int HardwareThreads() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

namespace {
void SerialPipeline(const std::function<PipelineItem()>& source,
                    const std::function<void(void*)>& transform,
                    const std::function<bool(void*)>& sink) {
  while (PipelineItem item = source()) {
    transform(item.get());
    if (!sink(item.get())) return;
  }
}
}  // namespace

#ifdef TWINSET_STD_THREADS

void ParallelFor(size_t count, size_t grain, int threads,
                 const std::function<void(size_t, size_t)>& body) {
  grain = std::max<size_t>(1, grain);
  if (threads <= 1 || count <= grain) {
    if (count > 0) body(0, count);
    return;
  }
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t begin = next.fetch_add(grain); begin < count;
         begin = next.fetch_add(grain)) {
      body(begin, std::min(count, begin + grain));
    }
  };
  std::vector<std::thread> pool;
  for (int i = 1; i < threads; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
}

namespace {

// State of one OrderedPipeline run; every member is guarded by `mutex`.
struct PipelineState {
  std::mutex mutex;
  std::condition_variable changed;
  size_t read = 0;                      // items taken from the source
  size_t written = 0;                   // items given to the sink
  std::map<size_t, PipelineItem> done;  // transformed, waiting for their turn
  bool source_busy = false;
  bool sink_busy = false;
  bool at_end = false;
  bool stopped = false;
};

}  // namespace

void OrderedPipeline(int threads, size_t tokens,
                     const std::function<PipelineItem()>& source,
                     const std::function<void(void*)>& transform,
                     const std::function<bool(void*)>& sink) {
  if (threads <= 1) return SerialPipeline(source, transform, sink);
  tokens = std::max<size_t>(tokens, static_cast<size_t>(threads));
  PipelineState s;
  auto work = [&] {
    std::unique_lock lock(s.mutex);
    for (;;) {
      if (s.stopped || (s.at_end && s.written == s.read)) return;
      const auto ready = s.done.find(s.written);
      if (ready != s.done.end() && !s.sink_busy) {
        PipelineItem item = std::move(ready->second);
        s.done.erase(ready);
        s.sink_busy = true;
        lock.unlock();
        const bool go_on = sink(item.get());
        item.reset();
        lock.lock();
        s.sink_busy = false;
        ++s.written;
        if (!go_on) s.stopped = true;
        s.changed.notify_all();
      } else if (!s.at_end && !s.source_busy && s.read - s.written < tokens) {
        s.source_busy = true;
        lock.unlock();
        PipelineItem item = source();
        lock.lock();
        s.source_busy = false;
        const size_t number = s.read;
        if (item == nullptr) {
          s.at_end = true;
        } else {
          ++s.read;
        }
        s.changed.notify_all();
        if (item == nullptr) continue;
        lock.unlock();
        transform(item.get());
        lock.lock();
        s.done.emplace(number, std::move(item));
        s.changed.notify_all();
      } else {
        s.changed.wait(lock);
      }
    }
  };
  std::vector<std::thread> pool;
  for (int i = 1; i < threads; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
}

#else  // oneTBB

namespace {

// oneTBB makes one worker a core unless told otherwise; a caller who asks for
// more gets more.
void AllowWorkers(int threads) {
  static std::mutex mutex;
  static std::unique_ptr<tbb::global_control> control;
  static int allowed = HardwareThreads();
  std::lock_guard lock(mutex);
  if (threads <= allowed) return;
  allowed = threads;
  control = std::make_unique<tbb::global_control>(
      tbb::global_control::max_allowed_parallelism,
      static_cast<size_t>(threads));
}

}  // namespace

void ParallelFor(size_t count, size_t grain, int threads,
                 const std::function<void(size_t, size_t)>& body) {
  grain = std::max<size_t>(1, grain);
  if (threads <= 1 || count <= grain) {
    if (count > 0) body(0, count);
    return;
  }
  AllowWorkers(threads);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, count, grain),
        [&](const tbb::blocked_range<size_t>& range) {
          body(range.begin(), range.end());
        },
        tbb::simple_partitioner());
  });
}

void OrderedPipeline(int threads, size_t tokens,
                     const std::function<PipelineItem()>& source,
                     const std::function<void(void*)>& transform,
                     const std::function<bool(void*)>& sink) {
  if (threads <= 1) return SerialPipeline(source, transform, sink);
  std::atomic<bool> stopped{false};
  AllowWorkers(threads);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_pipeline(
        std::max<size_t>(tokens, static_cast<size_t>(threads)),
        tbb::make_filter<void, PipelineItem>(
            tbb::filter_mode::serial_in_order,
            [&](tbb::flow_control& control) -> PipelineItem {
              PipelineItem item;
              if (!stopped) item = source();
              if (item == nullptr) control.stop();
              return item;
            }) &
            tbb::make_filter<PipelineItem, PipelineItem>(
                tbb::filter_mode::parallel,
                [&](PipelineItem item) {
                  transform(item.get());
                  return item;
                }) &
            tbb::make_filter<PipelineItem, void>(
                tbb::filter_mode::serial_in_order, [&](PipelineItem item) {
                  if (!stopped && !sink(item.get())) stopped = true;
                }));
  });
}

#endif

}  // namespace twinset
