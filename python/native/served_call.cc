#include "served_call.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace nb = nanobind;

namespace twinset::python {
namespace {

// How long a signal waits at most for the thread that looks for it.
constexpr auto kLook = std::chrono::milliseconds(50);

// The name of the exception class for a code.
const char* ClassOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "UsageError";
    case ErrorCode::kIo:
      return "InputOutputError";
    case ErrorCode::kCorrupt:
      return "CorruptError";
    case ErrorCode::kMemory:
      return "OutOfMemoryError";
    case ErrorCode::kUnsupported:
      return "UnsupportedError";
    case ErrorCode::kInterrupted:
      return "InterruptedRunError";
    case ErrorCode::kUnavailable:
      return "UnavailableError";
    case ErrorCode::kNotFound:
      return "NotFoundError";
    case ErrorCode::kInternal:
      break;
  }
  return "InternalError";
}

}  // namespace

void Raise(const Error& error) {
  const nb::object exception =
      nb::module_::import_("twinset.errors")
          .attr(ClassOf(error.code))(error.message, error.where, error.remedy);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

nb::object ProgressTuple(const Progress& now) {
  return nb::make_tuple(now.stage, now.step, std::string(now.unit), now.done,
                        now.total, now.share, now.bytes);
}

ServedCall::ServedCall(nb::object on_progress)
    : on_progress_(std::move(on_progress)) {}

ProgressSink ServedCall::progress() {
  if (on_progress_.is_none()) return {};
  return [this](const Progress& now) {
    const std::lock_guard lock(mutex_);
    progress_ = now;
  };
}

bool ServedCall::Ask(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  if (failed_) return false;
  question_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [this] { return question_ == nullptr; });
  return !failed_;
}

// Keeps the first exception of Python, which ends the job.
void ServedCall::Keep() {
  stop_ = true;
  try {
    throw;
  } catch (nb::python_error& error) {
    if (!thrown_) thrown_.emplace(std::move(error));
  }
}

void ServedCall::Serve(std::unique_lock<std::mutex>* lock) {
  const std::function<void()>& work = *question_;
  bool failed = failed_;
  lock->unlock();
  if (!failed) {
    const nb::gil_scoped_acquire gil;
    try {
      work();
    } catch (nb::python_error&) {
      Keep();
      failed = true;
    }
  }
  lock->lock();
  failed_ = failed;
  question_ = nullptr;
  changed_.notify_all();
}

void ServedCall::LookAround() {
  std::optional<Progress> now;
  {
    const std::lock_guard lock(mutex_);
    now = std::exchange(progress_, std::nullopt);
  }
  const nb::gil_scoped_acquire gil;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (now) on_progress_(ProgressTuple(*now));
  } catch (nb::python_error&) {
    Keep();
    const std::lock_guard lock(mutex_);
    failed_ = true;
  }
}

void ServedCall::Run(const std::function<void()>& job) {
  std::exception_ptr thrown;
  {
    const nb::gil_scoped_release release;
    std::thread thread([&] {
      try {
        job();
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    auto look = std::chrono::steady_clock::now() + kLook;
    while (!done_) {
      if (question_ != nullptr) Serve(&lock);
      if (std::chrono::steady_clock::now() >= look) {
        lock.unlock();
        LookAround();
        lock.lock();
        look = std::chrono::steady_clock::now() + kLook;
      }
      changed_.wait_until(lock, look,
                          [this] { return done_ || question_ != nullptr; });
    }
    lock.unlock();
    thread.join();
  }
  if (thrown_) throw std::move(*thrown_);
  if (thrown) std::rethrow_exception(thrown);
  if (progress_) on_progress_(ProgressTuple(*progress_));
}

}  // namespace twinset::python
