#include "base/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace twinset {

namespace {

// The stack of a thread, whatever `ulimit -s` says: a system gives this much,
// and only the used part takes memory.
constexpr size_t kStackBytes = 8 << 20;

void* DoWork(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

// Threads beside the caller that do the same work, which outlives them. As many
// as the system lets start (it limits processes, and memory for stacks): with
// fewer, or none, the others do more.
class Helpers {
 public:
  Helpers(size_t count, const std::function<void()>* work) {
    threads_.reserve(count);
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return;
    ::pthread_attr_setstacksize(&attributes, kStackBytes);
    for (pthread_t thread; threads_.size() < count;) {
      if (::pthread_create(&thread, &attributes, DoWork,
                           const_cast<std::function<void()>*>(work)) != 0)
        break;
      threads_.push_back(thread);
    }
    ::pthread_attr_destroy(&attributes);
  }
  ~Helpers() {
    for (const pthread_t thread : threads_) ::pthread_join(thread, nullptr);
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

 private:
  std::vector<pthread_t> threads_;
};

// What the first of several threads has thrown, for the caller: an exception
// that leaves a thread ends the process.
class FirstThrown {
 public:
  void Keep() noexcept {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
  }
  // When the threads have ended.
  void Rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr thrown_;  // guarded by mutex_ until the threads have ended
};

size_t Bounded(int threads) {
  return static_cast<size_t>(std::clamp(threads, 1, kMostThreads));
}

void SerialPipeline(const std::function<PipelineItem()>& source,
                    const std::function<void(void*)>& transform,
                    const std::function<bool(void*)>& sink) {
  while (PipelineItem item = source()) {
    transform(item.get());
    if (!sink(item.get())) return;
  }
}

}  // namespace

void ParallelFor(size_t count, size_t grain, int threads,
                 const std::function<void(size_t, size_t)>& body) {
  grain = std::max<size_t>(1, grain);
  if (threads <= 1 || count <= grain) {
    if (count > 0) body(0, count);
    return;
  }
  std::atomic<size_t> next{0};
  FirstThrown thrown;
  const std::function<void()> work = [&] {
    try {
      for (size_t begin = next.fetch_add(grain); begin < count;
           begin = next.fetch_add(grain)) {
        body(begin, std::min(count, begin + grain));
      }
    } catch (...) {
      thrown.Keep();
      next = count;
    }
  };
  {
    const Helpers helpers(
        std::min(Bounded(threads), (count - 1) / grain + 1) - 1, &work);
    work();
  }
  thrown.Rethrow();
}

Status RunBeside(int threads,
                 const std::vector<std::function<Status()>>& jobs) {
  std::vector<Status> done(jobs.size());
  ParallelFor(jobs.size(), 1, threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      done[i] = jobs[i]();
      if (!done[i]) return;
    }
  });
  for (const Status& status : done) TWINSET_TRY(status);
  return {};
}

namespace {

// One run of OrderedPipeline. Every thread takes the next job that is to be
// done: the sink first, so that one thread alone comes to an end. Items are
// read ahead of those that transform them, one for each thread, so that a
// thread that finds the source busy has work.
class Pipeline {
 public:
  Pipeline(size_t tokens, const std::function<PipelineItem()>& source,
           const std::function<void(void*)>& transform,
           const std::function<bool(void*)>& sink)
      : tokens_(tokens), source_(source), transform_(transform), sink_(sink) {}

  void Work() {
    try {
      DoJobs();
    } catch (...) {
      thrown_.Keep();
      const std::lock_guard lock(mutex_);
      Stop();
    }
  }
  // When all threads have ended.
  void Rethrow() const { thrown_.Rethrow(); }

 private:
  void DoJobs() {
    std::unique_lock lock(mutex_);
    ++threads_;
    for (;;) {
      if (stopped_ || (at_end_ && written_ == read_)) {
        changed_.notify_all();
        return;
      }
      if (SinkIsDue()) {
        Write(&lock);
      } else if (SourceIsDue()) {
        Read(&lock);
      } else if (TransformIsDue()) {
        Transform(&lock);
      } else {
        changed_.wait(lock);
      }
    }
  }

  bool SinkIsDue() const { return !sink_busy_ && done_.contains(written_); }
  // The source may wait for what items hold that are not transformed: there is
  // always a thread for these, because one thread alone reads none ahead.
  bool SourceIsDue() const {
    return !at_end_ && !source_busy_ && fresh_.size() < threads_ &&
           read_ - written_ < tokens_;
  }
  bool TransformIsDue() const { return !fresh_.empty(); }
  // Who leaves the lock for a job wakes another thread if there is one more
  // job, so none waits for somebody who sleeps. Woken under the lock, it would
  // sleep again until the lock is free.
  void Leave(std::unique_lock<std::mutex>* lock) {
    const bool more = SinkIsDue() || SourceIsDue() || TransformIsDue();
    lock->unlock();
    if (more) changed_.notify_one();
  }

  void Write(std::unique_lock<std::mutex>* lock) {
    const auto ready = done_.find(written_);
    PipelineItem item = std::move(ready->second);
    done_.erase(ready);
    sink_busy_ = true;
    Leave(lock);
    const bool go_on = sink_(item.get());
    item.reset();
    lock->lock();
    sink_busy_ = false;
    ++written_;
    if (!go_on) Stop();
  }

  void Stop() {
    stopped_ = true;
    done_.clear();  // the source may be waiting for what they hold
    fresh_.clear();
    changed_.notify_all();
  }

  void Read(std::unique_lock<std::mutex>* lock) {
    source_busy_ = true;
    Leave(lock);
    PipelineItem item = source_();
    lock->lock();
    source_busy_ = false;
    if (item == nullptr) {
      at_end_ = true;
    } else if (!stopped_) {
      fresh_.emplace_back(read_++, std::move(item));
    }
  }

  void Transform(std::unique_lock<std::mutex>* lock) {
    auto [number, item] = std::move(fresh_.front());
    fresh_.pop_front();
    Leave(lock);
    transform_(item.get());
    lock->lock();
    if (!stopped_) done_.emplace(number, std::move(item));
  }

  const size_t tokens_;
  const std::function<PipelineItem()>& source_;
  const std::function<void(void*)>& transform_;
  const std::function<bool(void*)>& sink_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  size_t threads_ = 0;  // that have begun
  size_t read_ = 0;     // items taken from the source
  size_t written_ = 0;  // items given to the sink
  // Read and not yet transformed, by number.
  std::deque<std::pair<size_t, PipelineItem>> fresh_;
  std::map<size_t, PipelineItem> done_;  // transformed, waiting for their turn
  bool source_busy_ = false, sink_busy_ = false;
  bool at_end_ = false, stopped_ = false;
  FirstThrown thrown_;
};

}  // namespace

void OrderedPipeline(int threads, size_t tokens,
                     const std::function<PipelineItem()>& source,
                     const std::function<void(void*)>& transform,
                     const std::function<bool(void*)>& sink) {
  if (threads <= 1) return SerialPipeline(source, transform, sink);
  const size_t workers = Bounded(threads);
  Pipeline pipeline(std::max(tokens, workers), source, transform, sink);
  const std::function<void()> work = [&] { pipeline.Work(); };
  {
    const Helpers helpers(workers - 1, &work);
    work();
  }
  pipeline.Rethrow();
}

class SideThread::Helper : public Helpers {
 public:
  using Helpers::Helpers;
};

SideThread::SideThread(std::function<void()> work)
    : work_([work = std::move(work)] {
        try {
          work();
        } catch (...) {  // the others do without it
        }
      }),
      helper_(std::make_unique<Helper>(1, &work_)) {}

SideThread::~SideThread() = default;

}  // namespace twinset
