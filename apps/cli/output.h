// Manners: what goes to standard output and standard error, and how a signal
// ends a run.
#ifndef TWINSET_APPS_CLI_OUTPUT_H_
#define TWINSET_APPS_CLI_OUTPUT_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "twinset/error.h"
#include "twinset/results.h"

namespace twinset::cli {

// Standard output, buffered. A reader that went away (head, a pager) is no
// failure: writes then return false, so that a command can stop early, and
// Finish() still says 0. One thread.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // False when nobody reads any more or the write failed.
  bool Write(std::string_view text);
  bool Line(std::string_view text) { return Write(text) && Write("\n"); }
  // Hands on what is buffered, for who waits for it at the end of a pipe.
  bool Flush();
  // Writes what is buffered. kExitDone, or kExitFailed after telling why (a
  // full disk).
  int Finish(std::string_view command);
  // Something was written.
  bool is_used() const { return is_used_; }

 private:
  std::string buffer_;
  bool is_used_ = false;
  int error_ = 0;  // errno of the first failed write
};

bool StdoutIsTerminal();
bool StderrIsTerminal();
// Columns of the terminal behind a file descriptor; 80 if it does not say.
size_t TerminalWidth(int descriptor);
// How a result is written to standard output: for a person at a terminal with
// its colours and width, else plain and a sentence a line.
TextStyle StyleOfStdout();
// Colours belong on a terminal whose user did not set NO_COLOR.
bool StdoutTakesColour();

// A period, or what the environment says instead: for tests, which do not wait.
double SecondsFor(const char* variable, double seconds);

// "twinset COMMAND: text" on standard error, control characters replaced.
// `command` may be empty.
void Tell(std::string_view command, std::string_view text);
// Tells the error and returns its exit code.
int TellError(std::string_view command, const Error& error);
// A page on standard error, beside rows on standard output.
void TellPage(const ResultPage& page);
void TellWarnings(std::string_view command,
                  const std::vector<std::string>& warnings);
// How many records were quarantined, if there are any.
void TellQuarantined(std::string_view command, uint64_t records);

// While alive, SIGINT and SIGTERM set the flag instead of ending the process;
// the same signal a second time ends it at once. So does the first where the
// command has not come to a place to stop within a second: what it keeps on
// disk is as good as after a kill. One instance at a time.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  const std::atomic<bool>* flag() const;
  // From now on ten seconds: the command has something of which it writes a
  // result when it is stopped.
  void LetConclude();
  // The signal that came, or 0.
  int signal() const;
};

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_OUTPUT_H_
