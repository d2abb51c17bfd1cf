// Jobs of the library, called from Python.
#ifndef TWINSET_PYTHON_NATIVE_SERVED_CALL_H_
#define TWINSET_PYTHON_NATIVE_SERVED_CALL_H_

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "twinset/error.h"
#include "twinset/progress.h"

namespace twinset::python {

// Throws the exception of the package that belongs to the error.
[[noreturn]] void Raise(const Error& error);

// The value, or the exception.
template <typename T>
T Take(Result<T> result) {
  if (!result) Raise(result.error());
  return *std::move(result);
}
inline void Take(const Status& status) {
  if (!status) Raise(status.error());
}

// What `work`, which needs no Python, returns.
template <typename Work>
auto WithoutGil(const Work& work) {
  const nanobind::gil_scoped_release release;
  return work();
}

// Runs one job on a thread of its own. The thread of Python that asked for it
// waits without the GIL and serves the job: it looks for signals, so that
// Ctrl-C ends the job within a second, tells how far it is, and runs what only
// Python can answer. So code of Python never runs on another thread than that
// of its caller.
class ServedCall {
 public:
  // `on_progress`: None, or a function that gets (stage, step, unit, done,
  // total, share, bytes).
  explicit ServedCall(nanobind::object on_progress);

  const std::atomic<bool>* stop() const { return &stop_; }
  ProgressSink progress();

  // Runs `work` on the waiting thread, under the GIL, and returns when it is
  // done. On a thread of the job. False: an exception ends the job.
  bool Ask(const std::function<void()>& work);

  // Returns when the job has ended. Throws what the job, a signal or a function
  // of Python has thrown. Called with the GIL.
  void Run(const std::function<void()>& job);

 private:
  void Serve(std::unique_lock<std::mutex>* lock);
  void LookAround();
  void Keep();

  const nanobind::object on_progress_;
  std::atomic<bool> stop_ = false;
  std::optional<nanobind::python_error> thrown_;  // under the GIL

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  const std::function<void()>* question_ = nullptr;
  bool failed_ = false;  // no question is answered any more
  bool done_ = false;
  std::optional<Progress> progress_;  // not told yet
};

// Progress as Python gets it.
nanobind::object ProgressTuple(const Progress& progress);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_SERVED_CALL_H_
