// A flag, and what the flags of a command line ask for. The flags of one
// command stand in its file (apps/cli/commands), those of several in
// shared_flags.cc; the parser, the help, the man page, the completions and
// docs/cli are made from them.
#ifndef TWINSET_APPS_CLI_FLAGS_FLAGS_H_
#define TWINSET_APPS_CLI_FLAGS_FLAGS_H_

#include <any>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/methods.h"
#include "twinset/options.h"
#include "twinset/steps.h"

namespace twinset::cli {

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
  std::vector<std::string> against;  // match, hamming: the second side
  std::vector<std::string> methods;  // SPEC, or several with commas: evaluate
  double floor = 0;                  // evaluate, tune
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

  // What one command alone was asked for, by its type; at first as the type is
  // by default.
  template <typename T>
  T& Of() {
    std::any& held = own_[std::type_index(typeid(T))];
    if (!held.has_value()) held = T();
    return *std::any_cast<T>(&held);
  }
  template <typename T>
  const T& Of() const {
    static const T kDefault{};
    const auto held = own_.find(std::type_index(typeid(T)));
    return held == own_.end() ? kDefault : *std::any_cast<T>(&held->second);
  }

 private:
  std::map<std::type_index, std::any> own_;
};

// Returns true iff the flag, with its dashes, was given.
bool IsGiven(const Request& request, std::string_view flag);

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
  std::string_view name;        // "--out"
  char short_name = 0;          // 'o' for -o
  std::string_view value = {};  // "DIR"; empty for a switch
  // One line, no final period. "NOUN: ..." is of that noun of its command alone
  // (nouns.h); {} stands for the choices.
  std::string_view help;
  std::string_view long_help = {};  // whole sentences
  // A literal the setter accepts and that changes nothing, or "(in words)", or
  // empty.
  std::string_view default_text = {};
  FlagGroup group = FlagGroup::kStudy;
  ValueKind kind = ValueKind::kWord;  // of a switch kNone, whatever is said
  // For kChoice all values that are accepted, for other kinds some that
  // completions offer.
  std::vector<std::string_view> choices = {};
  bool list = false;  // comma list and repeatable; else the last counts
  bool is_laboratory = false;  // who needs it knows of it: help shows it late
  // Another flag without which this one has no effect, so it is refused.
  std::string_view needs = {};
  // Stores the values, one per occurrence (the table's own checks are done);
  // kUsage otherwise.
  std::function<Status(const std::vector<std::string>& values,
                       Request* request)>
      set = {};

  bool IsSwitch() const { return value.empty(); }
};

// Checks choices, then calls the setter. The error's message names the flag.
Status SetFlag(const Flag& flag, const std::vector<std::string>& values,
               Request* request);

// Flags that several commands have, whose file names those that it has.
const std::vector<Flag>& SharedFlags();
// Those of them that say what is read and how.
std::vector<Flag> InputFlags();
// The flags of all parameters (twinset/methods.h), in their order.
const std::vector<Flag>& ParameterFlags();
ParameterGroup GroupOfParameter(const Flag& flag);

// Names of shared flags that go together: of what reads addresses of records,
// of what reads records as documents, of what reads links.
using FlagNames = std::vector<std::string_view>;
extern const FlagNames kAddressFlags, kRecordFlags, kGraphFlags;

// The elements of all lists.
template <typename T>
std::vector<T> Join(std::initializer_list<std::vector<T>> lists) {
  std::vector<T> all;
  for (const std::vector<T>& list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FLAGS_FLAGS_H_
