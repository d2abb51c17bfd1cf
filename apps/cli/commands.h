// The commands: where each stands in the help, what it takes and what runs it.
#ifndef TWINSET_APPS_CLI_COMMANDS_H_
#define TWINSET_APPS_CLI_COMMANDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.h"

namespace twinset::cli {

// Exit codes of the program; 128 + the signal's number when a signal ended the
// run.
inline constexpr int kExitDone = 0, kExitFailed = 1, kExitUsage = 2;

// The three drawers of the help; kShelf commands stand beside them.
enum class Drawer { kEveryday, kStudies, kLaboratory, kShelf, kGenerator };

struct Example {
  std::string_view command, says;
};

struct Command {
  CommandBit bit;
  std::string_view name;
  Drawer drawer;
  std::string_view operands;  // "INPUT..." ; empty: takes none
  std::string_view help;      // one line, no final period
  std::string_view
      long_help;  // whole sentences, paragraphs separated by an empty line
  std::vector<Example> examples;
  int (*run)(const Request& request);  // returns the exit code, after telling
                                       // what went wrong
};

const std::vector<Command>& Commands();
// Those of the commands that measure engines and webs (commands_studies.cc).
std::vector<Command> StudyCommands();
// And those that compare whole corpora (commands_corpora.cc).
std::vector<Command> CorporaCommands();
const Command* FindCommand(std::string_view name);

// What a command's run is, one per file run_*.cc.
int RunDedup(const Request& request);
int RunMatch(const Request& request);
int RunRecut(const Request& request);
int RunReport(const Request& request);
int RunExplain(const Request& request);
int RunText(const Request& request);
int RunSketch(const Request& request);
int RunHamming(const Request& request);
int RunLexicon(const Request& request);
int RunEvaluate(const Request& request);
int RunTune(const Request& request);
int RunEngine(const Request& request);
int RunSample(const Request& request);
int RunEstimate(const Request& request);
int RunWalk(const Request& request);
int RunRescue(const Request& request);
int RunTraps(const Request& request);
int RunAuction(const Request& request);
int RunQrels(const Request& request);
int RunRuns(const Request& request);
int RunUrls(const Request& request);
int RunMirrors(const Request& request);
int RunLeak(const Request& request);
int RunStudyFile(const Request& request);
int RunChange(const Request& request);
int RunAssess(const Request& request);
int RunPredict(const Request& request);
int RunPatch(const Request& request);
int RunSeeds(const Request& request);
int RunMethods(const Request& request);
int RunPresets(const Request& request);
int RunVersion(const Request& request);
int RunHelp(const Request& request);
int RunMan(const Request& request);
int RunCompletions(const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_H_
