#include "command_host.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "cli/commands.h"
#include "cli/generate.h"
#include "served_call.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

using Words = std::vector<std::string>;

int RunAsHost(CommandHost* host, const Words& words) {
  const cli::HostScope scope(host);
  return cli::RunWords(words);
}

// (exit code, what was printed, lines beside it).
nb::tuple RunCommand(const Words& words, nb::object on_progress) {
  ServedCall call(std::move(on_progress));
  std::string printed;
  CommandHost host(
      [&](std::string_view text) {
        printed += text;
        return true;
      },
      call.progress(), call.stop());
  int code = 0;
  call.Run([&] { code = RunAsHost(&host, words); });
  if (host.error) Raise(*host.error);
  return nb::make_tuple(
      code,
      nb::steal(PyUnicode_DecodeUTF8(
          printed.data(), static_cast<Py_ssize_t>(printed.size()), "replace")),
      host.told);
}

// What a command prints, line by line, while it runs ahead on a thread of its
// own by a bounded number of bytes. One thread of Python.
class Lines {
 public:
  explicit Lines(Words words)
      : host_([this](std::string_view text) { return Put(text); }, {}, &stop_),
        thread_([this, words = std::move(words)] {
          RunAsHost(&host_, words);
          const std::lock_guard lock(mutex_);
          done_ = true;
          changed_.notify_all();
        }) {}
  ~Lines() { Close(); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  nb::object Next() {
    std::string line;
    switch (Wait(&line)) {
      case State::kLine:
        return nb::bytes(line.data(), line.size());
      case State::kSignal:
        Close();
        throw nb::python_error();
      case State::kEnd:
        break;
    }
    Close();
    if (host_.error) Raise(*std::exchange(host_.error, std::nullopt));
    throw nb::stop_iteration();
  }
  void Close() {
    if (!thread_.joinable()) return;
    const nb::gil_scoped_release release;
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  // Complete when the lines have ended.
  const std::vector<std::string>& told() const { return host_.told; }

 private:
  enum class State { kLine, kEnd, kSignal };
  static constexpr size_t kMostBytes = 4 << 20;

  bool Put(std::string_view text) {
    std::unique_lock lock(mutex_);
    // A line longer than the room must come whole.
    changed_.wait(lock, [this] {
      return stop_ || bytes_.size() < kMostBytes || !HasLine();
    });
    if (stop_) return false;
    bytes_ += text;
    changed_.notify_all();
    return true;
  }
  bool HasLine() const {
    return bytes_.find('\n', begin_) != std::string::npos;
  }
  State Wait(std::string* line) {
    for (;;) {
      {
        const nb::gil_scoped_release release;
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::milliseconds(50),
                          [this] { return done_ || HasLine(); });
        const size_t end = bytes_.find('\n', begin_);
        if (end != std::string::npos) {
          line->assign(bytes_, begin_, end - begin_);
          begin_ = end + 1;
          if (begin_ * 2 > bytes_.size()) {
            bytes_.erase(0, std::exchange(begin_, 0));
            changed_.notify_all();
          }
          return State::kLine;
        }
        if (done_) return State::kEnd;
      }
      if (PyErr_CheckSignals() != 0) return State::kSignal;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;  // printed, and from begin_ on not yet taken
  size_t begin_ = 0;
  bool done_ = false;
  std::atomic<bool> stop_ = false;
  CommandHost host_;
  std::thread thread_;  // the last member: it uses the others
};

nb::dict FlagRow(const cli::Flag& flag) {
  nb::dict row;
  row["name"] = std::string(flag.name);
  row["value"] = std::string(flag.value);
  row["help"] = std::string(flag.help);
  row["long_help"] = std::string(flag.long_help);
  row["default"] = std::string(flag.default_text);
  row["group"] = std::string(cli::GroupTitle(flag.group));
  row["choices"] = Words(flag.choices.begin(), flag.choices.end());
  row["list"] = flag.list;
  row["is_method"] = flag.kind == cli::ValueKind::kMethod;
  return row;
}

// What a command prints for programs: "text", "rows" of JSON, or "json", one
// document.
const char* PrintsOf(const cli::Command& command) {
  if (cli::FindFlag(command, "--json") == nullptr) return "text";
  return command.prints_rows ? "rows" : "json";
}

// What the table of commands says, for signatures and documentation.
nb::list CommandTable() {
  nb::list table;
  for (const cli::Command& command : cli::Commands()) {
    nb::dict row;
    row["name"] = std::string(command.name);
    row["group"] = std::string(cli::GroupTitle(command.group));
    row["operands"] = std::string(command.operands);
    row["help"] = std::string(command.help);
    row["long_help"] = std::string(command.long_help);
    row["prints"] = PrintsOf(command);
    row["nouns"] = Words(command.nouns.begin(), command.nouns.end());
    row["everyday"] = Words(command.everyday.begin(), command.everyday.end());
    nb::list flags;
    for (const cli::Flag* flag : cli::FlagsOf(command))
      flags.append(FlagRow(*flag));
    row["flags"] = flags;
    table.append(row);
  }
  return table;
}

}  // namespace

void BindCommands(nb::module_& module) {
  module.def(
      "main",
      [](const Words& words) {
        const nb::gil_scoped_release release;
        return cli::RunProgram(words);
      },
      nb::arg("words"),
      "The program twinset, which takes over the signals of the process.");
  module.def("run", RunCommand, nb::arg("words"),
             nb::arg("on_progress").none() = nb::none(),
             "A command line inside this process: (exit code, printed, told).");
  module.def("command_table", CommandTable);
  nb::class_<Lines>(module, "Lines", "The printed lines of a command.")
      .def(nb::init<Words>(), nb::arg("words"))
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", &Lines::Next)
      .def("close", &Lines::Close)
      .def_prop_ro("told", &Lines::told);
}

}  // namespace twinset::python
