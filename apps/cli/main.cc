// twinset COMMAND [OPTIONS] INPUT...
#include <malloc.h>
#include <signal.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "complete.h"
#include "generate.h"
#include "output.h"
#include "parse.h"

namespace twinset::cli {
namespace {

int Print(const std::string& text) {
  Output out;
  out.Write(text);
  return out.Finish("");
}

int Run(std::vector<std::string> words) {
  if (words.empty()) {
    // Asked for nothing: the overview, but as the answer to a mistake.
    Tell("", "which command? (twinset help shows them)");
    return kExitUsage;
  }
  const std::string first = words[0];
  words.erase(words.begin());
  if (first == "-h") return Print(OverviewText(false));
  if (first == "--help") return Print(OverviewText(true));
  if (first == "--version" || first == "-V") return RunVersion({});

  if (first == kComplete) return RunComplete(words);
  const auto command = ParseCommand(first);
  if (!command) return TellError("", command.error());
  const std::string name((*command)->name);
  const auto request = Parse(**command, words);
  if (!request) return TellError(name, request.error());
  if (request->help_short || request->help_long)
    return Print(CommandText(**command, request->help_long));
  try {
    return (*command)->run(*request);
  } catch (const std::bad_alloc&) {
    Tell(name, "out of memory (give a smaller --memory)");
  } catch (const std::exception& error) {
    Tell(name, std::string("internal error: ") + error.what());
  }
  return kExitFailed;
}

}  // namespace
}  // namespace twinset::cli

// Memory that is not there ends the program.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
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
  return twinset::cli::Run(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
