// Tells duplicates by their addresses alone, by rules that it learns from a
// finished run (docs/methods/predict.md).
#ifndef TWINSET_CORPORA_PREDICT_H_
#define TWINSET_CORPORA_PREDICT_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/text_choices.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// What a rule does to an address. The rule says that two addresses have the
// same content if it turns both into the same one.
enum class RewriteKind : uint8_t {
  kSpelling,   // applies the UrlRule that `from` names
  kParameter,  // removes the parameter `from` of the query
  kMirror,     // host, or host and folders, `from` becomes `to`
  kSubstring,  // the first `from` behind the host becomes `to`
};
template <>
inline constexpr auto kChoices<RewriteKind> =
    ChoiceTable<RewriteKind>({{RewriteKind::kSpelling, "spelling"},
                              {RewriteKind::kParameter, "parameter"},
                              {RewriteKind::kMirror, "mirror"},
                              {RewriteKind::kSubstring, "substring"}});

struct RewriteRule {
  RewriteKind kind = RewriteKind::kSpelling;
  std::string host;  // of the addresses it applies to; empty: any, or a mirror
  std::string from, to;
  // Pages whose rewritten address is that of an earlier page; and those among
  // them that are no duplicates of that page.
  uint64_t support = 0, errors = 0;

  double error_rate() const {
    return support == 0
               ? 1
               : static_cast<double>(errors) / static_cast<double>(support);
  }
  // Probability that a page is a duplicate: the mean of Jeffreys' posterior.
  double probability() const {
    return (static_cast<double>(support - errors) + 0.5) /
           (static_cast<double>(support) + 1);
  }
  double low() const;  // lower end of Wilson's interval of 1 - error_rate()
};

// `input` says how the inputs of the run are read again, for the addresses of
// pages in no cluster, without which no rule can err; no inputs: where they
// were. Lists of addresses are read in the same way.
struct PredictOptions : JobOptions {
  std::string run;                // result folder of Dedup
  std::vector<std::string> urls;  // lists of addresses; none: only rules
  std::string rules;              // file of rules instead of learning
  uint64_t least_support = 5;
  double probability = 0.8;  // least probability of an answer
  uint64_t folds = 5;        // of the cross-validation; 0: none
  uint64_t seed = 1;
};

// What happens if pages are not fetched that are predicted to be duplicates
// with at least `probability`.
struct Saving {
  double probability = 0;
  uint64_t pages = 0;       // that could be fetched
  uint64_t duplicates = 0;  // among these, when all are fetched
  uint64_t saved = 0;       // not fetched, and duplicates of a fetched page
  uint64_t lost = 0;        // not fetched, with content not fetched before

  static void Fields(auto& saving, auto& field) {
    field("probability", saving.probability);
    field("pages", saving.pages);
    field("duplicates", saving.duplicates);
    field("saved", saving.saved);
    field("lost", saving.lost);
    field.Column("saved_share", Share{saving.saved, saving.duplicates});
    field.Column("lost_share", Share{saving.lost, saving.pages});
  }
};
inline constexpr std::array kSavingProbabilities = {.5, .8, .95};

// The savings for both ways to divide the pages into folds.
struct Validation {
  // Whole hosts are held out: what rules for any host do on a new one.
  std::array<Saving, 3> hosts;
  // Pages are held out: what all rules do on more pages of known hosts.
  std::array<Saving, 3> pages;

  static void Fields(auto& validation, auto& field) {
    field("hosts", validation.hosts);
    field("pages", validation.pages);
  }
};

// What the rules say of the lists of addresses.
struct PredictedLists {
  uint64_t lines = 0, bad_lines = 0;  // bad: no addresses
  uint64_t known = 0;                 // pages of the run
  uint64_t predicted = 0;             // to be duplicates

  static void Fields(auto& lists, auto& field) {
    field("lines", lists.lines);
    field("bad_lines", lists.bad_lines);
    field("known", lists.known);
    field("predicted", lists.predicted);
  }
};

// What decided the result.
struct PredictParameters {
  uint64_t least_support = 0;
  double probability = 0;
  uint64_t folds = 0, seed = 0;

  static void Fields(auto& parameters, auto& field) {
    field("least_support", parameters.least_support);
    field("probability", parameters.probability);
    field("folds", parameters.folds);
    field("seed", parameters.seed);
  }
};

struct PredictResult {
  uint64_t documents = 0, addresses = 0;  // in the run; distinct addresses
  uint64_t without_address = 0;
  std::vector<RewriteRule>
      rules;  // by support descending, then by what they do
  std::optional<Validation> validation;  // nothing without folds
  std::optional<PredictedLists> lists;   // nothing without lists
  std::vector<SideRead> sides;  // the run, rules, each list of addresses
  std::vector<std::string> warnings;
  PredictParameters parameters;
  std::string run;  // the folder
  ResultPage page;

  static void Fields(auto& result, auto& field) {
    field.Derived("version", std::string(kVersion));
    field("documents", result.documents);
    field("addresses", result.addresses);
    field("without_address", result.without_address);
    field.Derived("rules", result.rules.size());
    field.Derived("sides", SidesJson(result.sides));
    field("validation", result.validation);
    field("lists", result.lists);
    field("parameters", result.parameters);
    field("warnings", result.warnings);
    field.Derived("run", Json({{"folder", NameText(result.run)}}));
  }
};

// What summary.json holds.
Json SummaryJson(const PredictResult& result);

// Writes the folder docs/methods/predict.md. Errors: kUsage for bad options
// and for a folder that holds no finished run, kIo, kCorrupt for a file of
// rules that is damaged, kMemory when the addresses of the run do not fit,
// kInterrupted.
Result<PredictResult> PredictDuplicates(const PredictOptions& options);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_PREDICT_H_
