// The one declaration of every flag. The parser, -h, --help, the man page, the
// completions and docs/cli.md are all made from this table, so none of them can
// disagree.
#ifndef TWINSET_APPS_CLI_FLAGS_FLAGS_H_
#define TWINSET_APPS_CLI_FLAGS_FLAGS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"
#include "twinset/lexicon.h"
#include "twinset/match.h"
#include "twinset/options.h"
#include "twinset/parameters.h"
#include "twinset/steps.h"
#include "twinset/study_choices.h"
#include "twinset/tune.h"

namespace twinset::cli {

// What the commands that measure engines and webs were asked for (studies.h).
struct StudyRequest;
std::shared_ptr<StudyRequest> MakeStudyRequest();

// What the flags of the library set, whichever command reads it.
struct FlagOptions : RunOptions,
                     ParameterValues,
                     CorpusOptions,
                     ScopeOptions,
                     SavedRunOptions {};

// What the user asked for, before anything is opened. The inputs stay in
// `operands` until a command takes them over.
struct Request {
  FlagOptions options;
  std::vector<std::string> operands;  // what is not a flag, in order
  std::vector<std::string> in;        // explain --in: where the two ids are
  bool steps = false;                 // explain --steps
  std::string html;                   // explain: file of the page
  StepOptions step_options;
  std::vector<std::string> against;          // match, hamming: the second side
  AgainstOptions against_input;              // match: how it is written
  int passage_tokens = 10, passage_gap = 8;  // match
  LexiconRules lexicon_rules;                // lexicon build
  // evaluate, tune
  std::vector<std::string> methods;  // SPEC, or several with commas
  std::vector<double> thresholds;
  TruthKind truth = TruthKind::kComplete;
  std::string judged;  // the file, when --truth names one
  double relevant = 1, floor = 0, recall = 0.99;
  uint64_t sample = 1000;
  BandRule rule = BandRule::kCheapest;
  CollisionQuestion collisions;
  int differing_terms = 1;
  std::shared_ptr<StudyRequest> study = MakeStudyRequest();
  std::string figures;  // report
  bool json = false;
  bool dry_run = false;  // dedup, match
  bool quiet = false;
  std::string progress = "auto";
  bool show_tokens = false;
  bool blocks = false;  // text --blocks
  bool markdown = false;
  bool help_short = false, help_long = false;
  // The flags as given (name, value), to repeat them in a suggested command.
  std::vector<std::pair<std::string, std::string>> given;
};

// Returns true iff the flag, with its dashes, was given.
bool IsGiven(const Request& request, std::string_view flag);

// Commands as bits, so that a flag can belong to several.
using CommandBits = uint64_t;
enum CommandBit : CommandBits {
  kDedupBit = 1ull << 0,
  kExplainBit = 1ull << 1,
  kTextBit = 1ull << 2,
  kSketchBit = 1ull << 3,
  kMethodsBit = 1ull << 4,
  kVersionBit = 1ull << 5,
  kHelpBit = 1ull << 6,
  kManBit = 1ull << 7,
  kCompletionsBit = 1ull << 8,
  kMatchBit = 1ull << 9,
  kHammingBit = 1ull << 10,
  kEvaluateBit = 1ull << 11,
  kTuneBit = 1ull << 12,
  kLexiconBit = 1ull << 13,
  kPresetsBit = 1ull << 14,
  kEngineBit = 1ull << 15,
  kSampleBit = 1ull << 16,
  kEstimateBit = 1ull << 17,
  kWalkBit = 1ull << 18,
  kRescueBit = 1ull << 19,
  kTrapsBit = 1ull << 20,
  kAuctionBit = 1ull << 21,
  kRecutBit = 1ull << 22,
  kReportBit = 1ull << 23,
  kQrelsBit = 1ull << 24,
  kRunsBit = 1ull << 25,
  kUrlsBit = 1ull << 26,
  kMirrorsBit = 1ull << 27,
  kLeakBit = 1ull << 28,
  kStudyBit = 1ull << 29,
  kChangeBit = 1ull << 30,
  kAssessBit = 1ull << 31,
  kPredictBit = 1ull << 32,
  kPatchBit = 1ull << 33,
  kSeedsBit = 1ull << 34,
};
inline constexpr CommandBits kEveryCommand = (1ull << 35) - 1;

// Headings under which help shows the flags, in this order.
enum class FlagGroup {
  kOutput,
  kMethod,
  kStudy,
  kFeatures,
  kClusters,
  kUnits,
  kScope,
  kInput,
  kRun,
  kGeneral
};
inline constexpr FlagGroup kFlagGroups[] = {
    FlagGroup::kOutput,   FlagGroup::kStudy,    FlagGroup::kMethod,
    FlagGroup::kFeatures, FlagGroup::kClusters, FlagGroup::kUnits,
    FlagGroup::kScope,    FlagGroup::kInput,    FlagGroup::kRun,
    FlagGroup::kGeneral};
std::string_view GroupTitle(FlagGroup group);

// What the shell should complete after the flag.
// kField: the name of a field of the inputs.
enum class ValueKind {
  kNone,
  kWord,
  kChoice,
  kMethod,
  kPreset,
  kField,
  kFile,
  kFolder
};

struct Flag {
  std::string_view name;   // "--out"
  char short_name;         // 'o' for -o, or 0
  std::string_view value;  // "DIR"; empty for a switch
  // One line, no final period. "NOUN: ..." is of that noun of its command alone
  // (nouns.h).
  std::string_view help;
  std::string_view long_help;  // whole sentences
  // A literal the setter accepts and that changes nothing, or "(in words)", or
  // empty.
  std::string_view default_text;
  CommandBits commands;
  FlagGroup group;
  ValueKind kind;
  // For kChoice all values that are accepted, for other kinds some that
  // completions offer.
  std::vector<std::string_view> choices;
  bool list;  // comma list and repeatable; else the last one counts
  // Stores the values, one per occurrence (the table's own checks are done);
  // kUsage otherwise.
  std::function<Status(const std::vector<std::string>& values,
                       Request* request)>
      set;

  bool IsSwitch() const { return value.empty(); }
};

// The parameters (twinset/parameters.h), then the other flags: the order in
// which help shows them within a group.
const std::vector<Flag>& Flags();

// Flags of one command, in table order, with the texts that it has for them
// (drawers.h).
std::vector<const Flag*> FlagsOf(CommandBits command);

// Checks choices, then calls the setter. The error's message names the flag.
Status SetFlag(const Flag& flag, const std::vector<std::string>& values,
               Request* request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FLAGS_FLAGS_H_
