// From the words of a command line to the command that they name.
#include <fmt/format.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "complete.h"
#include "generate.h"
#include "host.h"
#include "output.h"
#include "parse.h"
#include "wings.h"

namespace twinset::cli {
namespace {

int Print(const std::string& text) {
  Output out;
  out.Write(text);
  return out.Finish("");
}

// Says something of all commands: of those, too, that this program lacks.
bool IsAboutAll(const std::vector<std::string>& words) {
  if (words.empty()) return true;
  if (words[0] == "-h" || words[0] == "--help" || words[0] == kComplete)
    return true;
  const Command* command = FindCommand(words[0]);
  return command != nullptr &&
         (command->takes_command || command->group == CommandGroup::kGenerator);
}

int TellNotBuilt(const WingProgram& wing, const std::string& command) {
  Tell("",
       fmt::format(
           "{} needs the program {}, which is not beside this one: "
           "make build builds it{}",
           command, wing.program,
           wing.needs.empty() ? "" : fmt::format(", where {} is", wing.needs)));
  return kExitFailed;
}

int RunCommand(const Command& command, const Request& request) {
  const std::string name(command.name);
  try {
    return command.run(request);
  } catch (const std::bad_alloc&) {
    Tell(name, "out of memory (give a smaller --memory)");
  } catch (const std::exception& error) {
    Tell(name, std::string("internal error: ") + error.what());
  }
  return kExitFailed;
}

}  // namespace

int RunWords(const std::vector<std::string>& words) {
  if (IsAboutAll(words)) BecomeLargest(words);
  if (words.empty()) {
    // Asked for nothing: the front page, as the answer to a mistake.
    Print(OverviewText(false));
    return kExitUsage;
  }
  const std::string& first = words[0];
  if (first == "-h") return Print(OverviewText(false));
  if (first == "--help") return Print(OverviewText(true));
  if (first == "--version" || first == "-V")
    return FindCommand("version")->run({});
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (first == kComplete) return RunComplete(rest);

  const auto command = ParseCommand(first);
  if (!command) {
    if (const WingProgram* wing = WingOf(first)) {
      BecomeWing(*wing, words);
      return TellNotBuilt(*wing, first);
    }
    BecomeLargest(words);
    return TellError("", command.error());
  }
  const std::string name((*command)->name);
  const auto request = Parse(**command, rest);
  if (!request) {
    BecomeLargest(words);  // it knows whose flag was meant
    return TellError(name, request.error());
  }
  if (request->help_short || request->help_long)
    return Print(CommandText(**command, request->help_long));
  return RunCommand(**command, *request);
}

namespace {

// Runs `words` on a thread of its own where the stack of the process is small
// (ulimit -s): parsers and readers of files need some.
int RunWithStack(const std::vector<std::string>& words) {
  constexpr rlim_t kStackBytes = 8 << 20;
  rlimit limit;
  pthread_attr_t attributes;
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStackBytes ||
      ::pthread_attr_init(&attributes) != 0)
    return RunWords(words);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  struct Call {
    const std::vector<std::string>& words;
    int exit_code;
  } call = {words, kExitFailed};
  pthread_t thread;
  const int failed = ::pthread_create(
      &thread, &attributes,
      [](void* data) -> void* {
        auto* const to = static_cast<Call*>(data);
        to->exit_code = RunWords(to->words);
        return nullptr;
      },
      &call);
  ::pthread_attr_destroy(&attributes);
  if (failed != 0) {
    Tell("", "the stack of the program is too small: raise it with ulimit -s");
    return kExitFailed;
  }
  ::pthread_join(thread, nullptr);
  return call.exit_code;
}

}  // namespace

int RunProgram(const std::vector<std::string>& words) {
  // Large buffers go back to the system when they are freed, whatever was freed
  // before and by which thread: so the resident set follows the budget. Those
  // of 1 MB, and what stands around them, stay: windows of inputs are of that
  // size, and each file would fault in its own again.
  ::mallopt(M_MMAP_THRESHOLD, (1 << 20) + (64 << 10));
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
  // A reader that goes away shows as a failed write, which ends a command
  // quietly.
  ::signal(SIGPIPE, SIG_IGN);
  // So does a limit on the size of files (ulimit -f): an error that names the
  // file.
  ::signal(SIGXFSZ, SIG_IGN);
  return RunWithStack(words);
}

}  // namespace twinset::cli
