// Who a command talks to: the process, by its standard streams and signals, or
// a program that runs commands inside itself (python/).
#ifndef TWINSET_APPS_CLI_HOST_H_
#define TWINSET_APPS_CLI_HOST_H_

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/progress.h"

namespace twinset::cli {

// Everything is called from one thread at a time: that of the command, or one
// of its helpers, which opens a HostScope of its own to write or tell.
class Host {
 public:
  virtual ~Host() = default;
  // In place of standard output. False: nobody reads any more.
  virtual bool Write(std::string_view text) = 0;
  // In place of a line on standard error, without the name of the program.
  virtual void Tell(std::string_view text) = 0;
  // Why the command has failed; nothing else is told of it.
  virtual void Fail(const Error& error) = 0;
  virtual void OnProgress(const Progress& progress) = 0;
  // Set: the command ends with kInterrupted.
  virtual const std::atomic<bool>* stop() const = 0;

  // The host of the calling thread; null: the process.
  static Host* Current();
};

// What this thread runs, writes and tells while the scope lives has this host.
class HostScope {
 public:
  explicit HostScope(Host* host);
  ~HostScope();
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  Host* const outer_;
};

// Runs the words of a command line, the first of which is the command, and
// returns its exit code. A program that lacks the command becomes one beside it
// that has it.
int RunWords(const std::vector<std::string>& words);
// The same in a process of its own, whose signals and memory it sets up.
int RunProgram(const std::vector<std::string>& words);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_HOST_H_
