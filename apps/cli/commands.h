// What a command is. Each has a file of its own, apps/cli/commands/NAME.cc,
// which declares it and runs it; a file that is there is a command of the
// program.
#ifndef TWINSET_APPS_CLI_COMMANDS_H_
#define TWINSET_APPS_CLI_COMMANDS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags/flags.h"

namespace twinset::cli {

// Exit codes of the program; 128 + the signal's number when a signal ended the
// run.
inline constexpr int kExitDone = 0, kExitFailed = 1, kExitUsage = 2;

// Under which heading of the help a command stands.
enum class CommandGroup {
  kEveryday,
  kStudies,
  kLaboratory,
  kShelf,
  kGenerator
};

struct Example {
  std::string_view command, says;
};

// Which parameters (twinset/methods.h) are flags of a command.
struct ParameterChoice {
  std::vector<ParameterGroup> groups = {};  // all of these,
  FlagNames but = {};                       // without these,
  FlagNames also = {};                      // and these of others
};
// What a command that compares documents has, and what decides on them too.
inline const std::vector<ParameterGroup> kComparing = {
    ParameterGroup::kSearch, ParameterGroup::kMethod,
    ParameterGroup::kFeatures};
inline const std::vector<ParameterGroup> kEveryParameter = {
    ParameterGroup::kSearch, ParameterGroup::kMethod, ParameterGroup::kFeatures,
    ParameterGroup::kClusters, ParameterGroup::kUnits};

// What a shared flag says in this command where its own text is not right.
struct FlagText {
  std::string_view name;
  std::optional<std::string_view> help = {}, long_help = {}, default_text = {};
};

// Texts that several commands have.
inline constexpr FlagText kPresetsOfMethods = {
    .name = "--preset",
    .long_help =
        "A preset of a method sets the text and method flags as "
        "'twinset presets' shows; flags given beside it count more. "
        "One preset of each kind may be given."};
inline constexpr FlagText kTypesOfRecords = {
    .name = "--mime",
    .long_help =
        "Declared, or recognised where none or only a generic one is "
        "declared. With --method exact, '*' takes every record. May "
        "be repeated."};
inline constexpr FlagText kOnlyTheAnswer = {
    .name = "--quiet",
    .help = "nothing but the answer; problems are still told"};
inline constexpr FlagText kSummaryAsJson = {
    .name = "--json",
    .help = "print summary.json instead of a summary in words"};
inline constexpr FlagText kOneJsonDocument = {
    .name = "--json", .help = "print one JSON document"};
inline constexpr FlagText kJsonLines = {
    .name = "--json", .help = "print JSON, one object a line"};
inline constexpr FlagText kTmpInResults = {
    .name = "--tmp", .default_text = "(in the result folder)"};
inline constexpr FlagText kMemoryOfAll = {.name = "--memory",
                                          .help = "memory budget, as 8G"};

// Why a command does not have flags that most commands have.
struct Refusal {
  FlagNames flags;
  std::string_view reason;
  // What to do instead; empty: the commands that have the flag are named.
  std::string_view remedy = {};
};

// What a command refuses that tells something of the program itself.
inline const Refusal kReadsNoDocuments = {
    {"--threads", "--memory", "--tmp", "--seed", "--overwrite", "--resume",
     "--strict", "--format", "--out"},
    "it reads no documents"};

// Refusals that several commands have.
inline const Refusal kNoWorkFiles = {{"--tmp"}, "it makes no work files"};
inline const Refusal kDrawsNothing = {{"--seed"}, "nothing is drawn at random"};
inline const Refusal kBeginsAnew = {{"--resume"},
                                    "it begins anew; give --overwrite"};
inline const Refusal kPassesOver = {
    {"--strict"}, "it passes over bad records and says how many"};
inline const Refusal kPrintsText = {{"--format"},
                                    "it prints text, or JSON with --json"};

inline const Refusal kWritesNoFolder = {
    {"--overwrite", "--resume", "--out"},
    "it prints its results and writes no folder"};
inline const Refusal kReadsOnOneThread = {{"--threads"},
                                          "it reads its inputs on one thread"};
inline const Refusal kReadsRunOnOneThread = {
    {"--threads"}, "it reads the files of a run on one thread"};
inline const Refusal kComputesOnOneThread = {{"--threads"},
                                             "it computes on one thread"};
inline const Refusal kHoldsOneDocument = {
    {"--memory"}, "it holds one document at a time, and what it has learnt"};
inline const Refusal kPrintsOnlyText = {{"--json"}, "it prints text"};

struct Command {
  std::string_view name;
  CommandGroup group;
  int front_page = 0;  // its place on the front page, from 1; 0: not there
  std::string_view operands = {};  // "INPUT..." ; empty: takes none
  std::string_view help;           // one line, no final period
  // Whole sentences, paragraphs separated by an empty line.
  std::string_view long_help = {};
  // What the first operand says is to be done, as "build".
  FlagNames nouns = {};
  bool is_noun_optional = false;
  bool takes_command = false;  // its operand is the name of a command
  bool prints_rows = false;    // JSON is an object a line
  std::vector<Example> examples = {};
  FlagNames everyday = {};  // what -h shows, the most important first
  ParameterChoice parameters = {};
  FlagNames shared = {};  // of SharedFlags, beside --quiet and --help
  std::vector<FlagText> texts = {};
  std::vector<Flag> flags = {};  // its own
  std::vector<Refusal> refusals = {};
  // Where the run that the request asks is saved, or empty: flags that are not
  // given are as that run had them, but for what `forget` takes out.
  std::string (*saved_run)(const Request& request) = nullptr;
  void (*forget)(FlagOptions* options) = nullptr;
  // Returns the exit code, after telling what went wrong.
  int (*run)(const Request& request);
};

// Makes what the function returns a command of the program. One in each file of
// apps/cli/commands.
class Registration {
 public:
  explicit Registration(Command (*command)());
};

// By group, and by name within a group.
const std::vector<Command>& Commands();
// nullptr when there is none of that name.
const Command* FindCommand(std::string_view name);

// The flags of a command with the texts that it has for them: its parameters,
// its shared flags, its own. The pointers hold as long as the program runs.
std::vector<const Flag*> FlagsOf(const Command& command);
// The flag of that name, or nullptr.
const Flag* FindFlag(const Command& command, std::string_view name);

// Why a command does not have a flag that others have; null where nobody says.
const Refusal* FindRefusal(const Command& command, std::string_view flag);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_H_
