// Lexica: terms of a corpus chosen by document frequency, frozen in a file.
// I-Match makes its signatures from them; they are also a source of terms for
// queries.
#ifndef TWINSET_LEXICON_H_
#define TWINSET_LEXICON_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"

namespace twinset {
inline namespace v1 {

// Which terms stay, among those in min_df documents or more. Their inverse
// document frequencies span a range from the most common to the rarest term; a
// share of this range is dropped at either end.
struct LexiconRules {
  uint32_t min_df = 2;
  double drop_common = 0.33;  // at the end of low idf
  double drop_rare = 0.33;    // at the end of high idf
  friend bool operator==(const LexiconRules&, const LexiconRules&) = default;
};

struct LexiconOptions {
  InputOptions input;
  FeatureOptions features;  // only tokens, content and parser are used
  LexiconRules rules;
  std::string out;  // the file; OUT.work is beside it meanwhile
  bool overwrite = false;
  std::function<void(const Progress&)> on_progress;  // documents
  const std::atomic<bool>* stop = nullptr;
};

struct LexiconDiffOptions {
  std::string a, b;    // files of lexica
  InputOptions input;  // documents whose signatures are compared; may be none
  FeatureOptions features;
  MethodOptions
      method;  // only lexicons, lexicon_drop, min_terms, seed are used
  std::function<void(const Progress&)> on_progress;  // documents
  const std::atomic<bool>* stop = nullptr;
};

// What a lexicon says of itself.
struct LexiconInfo {
  static constexpr bool kSummaryIsLine = true;
  double spec = 0;
  LexiconRules rules;
  std::string tokens;       // --tokens
  uint64_t documents = 0;   // of the corpus
  uint64_t counted = 0;     // distinct terms of the corpus
  uint64_t ranked = 0;      // of them, those in min_df documents or more
  uint64_t first_rank = 0;  // of the first term that stayed
  uint64_t terms = 0;       // that stayed
  std::string checksum;     // of the content: equal checksums, equal lexica
  std::vector<std::string> warnings;  // of BuildLexicon: one line each
  ResultPage page;

  static void Fields(auto& info, auto& field) {
    field("spec", info.spec);
    field("checksum", info.checksum);
    field("tokens", info.tokens);
    field("documents", info.documents);
    field("counted", info.counted);
    field("ranked", info.ranked);
    field("first_rank", info.first_rank);
    field("terms", info.terms);
    field("min_df", info.rules.min_df);
    field("drop_common", info.rules.drop_common);
    field("drop_rare", info.rules.drop_rare);
  }
};

struct LexiconRow {
  std::string term;  // normalised
  uint64_t frequency = 0;
  uint64_t rank = 0;  // among the ranked terms, from 0, the most common
  double idf = 0;     // log2(documents / frequency), to 1/65536

  static void Fields(auto& row, auto& field) {
    field("term", row.term);
    field("df", row.frequency);
    field("idf", row.idf);
    field("rank", row.rank);
  }
};

// How two lexica differ. Lost terms have no rank in b, gained terms none in a.
struct LexiconChange {
  enum Kind { kLost, kGained, kMoved } kind = kLost;
  LexiconRow a, b;

  const std::string& term() const { return kind == kGained ? b.term : a.term; }

  static void Fields(auto& change, auto& field) {
    const auto if_any = [](bool any, uint64_t value) {
      return any ? std::optional(value) : std::nullopt;
    };
    const bool in_a = change.kind != kGained, in_b = change.kind != kLost;
    field("change", change.kind);
    field.Derived("term", change.term());
    field.OrNull("df_a", if_any(in_a, change.a.frequency));
    field.OrNull("df_b", if_any(in_b, change.b.frequency));
    field.OrNull("rank_a", if_any(in_a, change.a.rank));
    field.OrNull("rank_b", if_any(in_b, change.b.rank));
  }
};
template <>
inline constexpr auto kChoices<LexiconChange::Kind> =
    std::to_array<NamedChoice<LexiconChange::Kind>>(
        {{LexiconChange::kLost, "lost"},
         {LexiconChange::kGained, "gained"},
         {LexiconChange::kMoved, "moved"}});

// How another lexicon changes the I-Match signatures of documents (Conrad, Guo
// and Schriber, CIKM 2003).
struct SignatureDrift {
  uint64_t documents = 0;
  uint64_t flagged_a = 0, flagged_b = 0;  // too few terms for a signature
  uint64_t compared = 0;                  // those with a signature under a or b
  uint64_t changed = 0;  // of them, those whose signature differs or is gone
  // Those of the changed documents whose tuples of signatures from randomised
  // lexica are equal at no place.
  uint64_t unmatched = 0;

  static void Fields(auto& drift, auto& field) {
    field("documents", drift.documents);
    field("flagged_a", drift.flagged_a);
    field("flagged_b", drift.flagged_b);
    field("compared", drift.compared);
    field("changed", drift.changed);
    field.Derived("changed_share",
                  Share{drift.changed, drift.compared}.value());
    field("unmatched", drift.unmatched);
    field.Derived("unmatched_share",
                  Share{drift.unmatched, drift.compared}.value());
  }
};

struct LexiconDifference {
  static constexpr bool kSummaryIsLine = true;
  LexiconInfo a, b;
  uint64_t lost = 0, gained = 0, common = 0;
  uint64_t moved = 0;                 // common terms with another rank
  uint64_t largest_move = 0;          // in ranks
  SignatureDrift drift;               // for the documents given, if any
  std::vector<std::string> warnings;  // one line each
  ResultPage page;

  static void Fields(auto& difference, auto& field) {
    field("a", difference.a);
    field("b", difference.b);
    field("lost", difference.lost);
    field("gained", difference.gained);
    field("common", difference.common);
    field("moved", difference.moved);
    field("largest_move", difference.largest_move);
    const SignatureDrift& drift = difference.drift;
    field.Derived("drift",
                  drift.documents > 0 ? std::optional(drift) : std::nullopt);
  }
};

// Counts the terms of the inputs and writes the lexicon; every record that is
// not a document goes to on_rejected. Memory: 256 MB at most besides one
// document and the lexicon. kUsage for bad parameters or a file that exists,
// kInterrupted when `stop` was set.
Result<LexiconInfo> BuildLexicon(
    const LexiconOptions& options,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// Calls on_row, if there is one, for every term in the order of rank until it
// returns false. kCorrupt and kUnsupported (another version) name the remedy.
Result<LexiconInfo> ShowLexicon(
    const std::string& path,
    const std::function<bool(const LexiconRow&)>& on_row);

// Compares two lexica: on_change, if there is one, gets the lost terms by rank
// in a, the gained terms by rank in b, then the common terms that moved, by
// rank in a, until it returns false. kInterrupted when `stop` was set.
Result<LexiconDifference> DiffLexica(
    const LexiconDiffOptions& options,
    const std::function<bool(const LexiconChange&)>& on_change,
    const std::function<void(const RejectedRecord&)>& on_rejected);

// What --json prints.
Json SummaryJson(const LexiconInfo& info);
Json SummaryJson(const LexiconDifference& difference);
Json RowJson(const LexiconRow& row);
Json RowJson(const LexiconChange& change);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_LEXICON_H_
