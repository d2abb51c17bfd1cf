#include "output.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "commands.h"
#include "host.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr size_t kBufferBytes = 64 << 10;

std::atomic<bool> stop_wanted{false};
std::atomic<int> stop_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<int>::is_always_lock_free,
              "a signal handler may touch only lock-free atomics");

std::atomic<unsigned> stop_grace_seconds{1};

void OnSignal(int number) {
  stop_signal.store(number);
  stop_wanted.store(true);
  ::alarm(stop_grace_seconds.load());
}

// Only what a signal handler may do: no memory, no locks.
void OnAlarm(int) {
  constexpr std::string_view kText =
      "twinset: stopped at once: where work files are there, the same command "
      "with --resume goes on\n";
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(128 + stop_signal.load());
}

void WriteAll(int file, std::string_view text, int* error) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      *error = errno;
      return;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Whoever runs the commands of the thread; null: the process.
thread_local Host* host = nullptr;

// A line, or a page, beside the results.
void WriteBeside(std::string_view text) {
  int ignored = 0;  // there is nowhere left to say that standard error is gone
  WriteAll(STDERR_FILENO, text, &ignored);
}

}  // namespace

Host* Host::Current() { return host; }
HostScope::HostScope(Host* inner) : outer_(host) { host = inner; }
HostScope::~HostScope() { host = outer_; }

bool Output::Flush() {
  if (host != nullptr) {
    if (error_ == 0 && !host->Write(buffer_)) error_ = EPIPE;
  } else if (error_ == 0)
    WriteAll(STDOUT_FILENO, buffer_, &error_);
  buffer_.clear();
  return error_ == 0;
}

bool Output::Write(std::string_view text) {
  if (error_ != 0) return false;
  is_used_ = true;
  buffer_ += text;
  return buffer_.size() < kBufferBytes || Flush();
}

int Output::Finish(std::string_view command) {
  if (Flush() || error_ == EPIPE) return kExitDone;
  Tell(command, fmt::format("standard output: {} (the result is incomplete)",
                            std::strerror(error_)));
  return kExitFailed;
}

bool StdoutIsTerminal() {
  return host == nullptr && ::isatty(STDOUT_FILENO) == 1;
}
bool StderrIsTerminal() {
  return host == nullptr && ::isatty(STDERR_FILENO) == 1;
}

size_t TerminalWidth(int descriptor) {
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

TextStyle StyleOfStdout() {
  TextStyle style;
  style.colour = StdoutTakesColour();
  if (StdoutIsTerminal()) style.width = TerminalWidth(STDOUT_FILENO);
  return style;
}

bool StdoutTakesColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return StdoutIsTerminal() && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

double SecondsFor(const char* variable, double seconds) {
  const char* said = std::getenv(variable);
  return said == nullptr ? seconds : std::atof(said);
}

void Tell(std::string_view command, std::string_view text) {
  if (host != nullptr) return host->Tell(Printable(text));
  WriteBeside(fmt::format("twinset{}{}: {}\n", command.empty() ? "" : " ",
                          command, Printable(text)));
}

void TellPage(const ResultPage& page) {
  if (host != nullptr) return;  // it has the rows
  TextStyle style;
  if (StderrIsTerminal()) style.width = TerminalWidth(STDERR_FILENO);
  WriteBeside(page.Text(style));
}

void TellWarnings(std::string_view command,
                  const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    Tell(command, "warning: " + warning);
}

void TellQuarantined(std::string_view command, uint64_t records) {
  if (records > 0) Tell(command, CountText(records, "record") + " quarantined");
}

int TellError(std::string_view command, const Error& error) {
  if (host != nullptr)
    host->Fail(error);
  else
    Tell(command, error.ToString());
  return error.code == ErrorCode::kUsage ? kExitUsage : kExitFailed;
}

StopOnSignal::StopOnSignal() {
  if (host != nullptr) return;  // signals are its own
  stop_grace_seconds.store(1);
  ::signal(SIGALRM, OnAlarm);
  stop_wanted.store(false);
  stop_signal.store(0);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  // The second time the default action: a run that hangs can still be ended.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

StopOnSignal::~StopOnSignal() {
  if (host != nullptr) return;
  ::alarm(0);
  ::signal(SIGALRM, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

void StopOnSignal::LetConclude() { stop_grace_seconds.store(10); }

const std::atomic<bool>* StopOnSignal::flag() const {
  return host != nullptr ? host->stop() : &stop_wanted;
}
int StopOnSignal::signal() const {
  return host != nullptr ? 0 : stop_signal.load();
}

}  // namespace twinset::cli
