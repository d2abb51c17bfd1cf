// Commands of twinset, run inside the process of Python.
#ifndef TWINSET_PYTHON_NATIVE_COMMAND_HOST_H_
#define TWINSET_PYTHON_NATIVE_COMMAND_HOST_H_

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/host.h"
#include "twinset/error.h"
#include "twinset/progress.h"

namespace twinset::python {

// Keeps what a command tells, and hands on what it prints.
class CommandHost : public cli::Host {
 public:
  CommandHost(std::function<bool(std::string_view)> write,
              ProgressSink on_progress, const std::atomic<bool>* stop)
      : write_(std::move(write)),
        on_progress_(std::move(on_progress)),
        stop_(stop) {}

  bool Write(std::string_view text) override { return write_(text); }
  void Tell(std::string_view text) override { told.emplace_back(text); }
  void Fail(const Error& failed) override {
    if (!error) error = failed;
  }
  void OnProgress(const Progress& progress) override {
    if (on_progress_) on_progress_(progress);
  }
  const std::atomic<bool>* stop() const override { return stop_; }

  std::vector<std::string> told;  // lines
  std::optional<Error> error;

 private:
  const std::function<bool(std::string_view)> write_;
  const ProgressSink on_progress_;
  const std::atomic<bool>* const stop_;
};

// main, run, Lines and command_table.
void BindCommands(nanobind::module_& module);

}  // namespace twinset::python

#endif  // TWINSET_PYTHON_NATIVE_COMMAND_HOST_H_
