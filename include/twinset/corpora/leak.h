// Which items of a test set stand in training data, whole or inside a longer
// document (docs/methods/leak.md).
#ifndef TWINSET_CORPORA_LEAK_H_
#define TWINSET_CORPORA_LEAK_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/dedup.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/progress.h"
#include "twinset/results.h"
#include "twinset/text_choices.h"
#include "twinset/version.h"

namespace twinset {
inline namespace v1 {

// When an item leaks (docs/methods/leak.md, Rules of others).
enum class LeakRule : uint8_t {
  kShare,  // one document has at least `threshold` of its shingles
  kGpt3,   // one has any of its N-grams
  kTulu3,  // one has 8-grams that hold more than half of its words
};
template <>
inline constexpr auto kChoices<LeakRule> =
    ChoiceTable<LeakRule>({{LeakRule::kShare, "share"},
                           {LeakRule::kGpt3, "gpt-3"},
                           {LeakRule::kTulu3, "tulu-3"}});

// What `write` makes of a document that has an item that leaks.
enum class LeakAction : uint8_t {
  kDrop,      // it goes
  kCut,       // the passages of the items go, the rest of its text stays
  kAnnotate,  // it stays, and says which items it has, and where
};
template <>
inline constexpr auto kChoices<LeakAction> =
    ChoiceTable<LeakAction>({{LeakAction::kDrop, "drop"},
                             {LeakAction::kCut, "cut"},
                             {LeakAction::kAnnotate, "annotate"}});

// `input` is the training data, and says how both sides are written.
struct LeakOptions : JobOptions {
  std::vector<std::string> test;
  // How the test items are written, if differently.
  AgainstOptions test_input;
  // Field of an item that names its split; empty: the input it comes from.
  std::string split_field;
  FeatureOptions features;  // shingles are of words: "word:N"
  double threshold = 0.8;   // least share of an item in one document
  // Others than kShare have a threshold of their own, and N-grams, unless
  // `given_grams`: then N is that of features.shingle, "word:N".
  LeakRule rule = LeakRule::kShare;
  bool given_grams = false;
  // Folder for the training data without what leaks; empty: none.
  std::string write;
  LeakAction action = LeakAction::kDrop;
  EmptyRows empty_rows = EmptyRows::kKeep;  // of which nothing is left by kCut
  int compression_level = 0;                // as in RunOptions
  bool resume = false;                      // needs `out` or `write`
  double checkpoint_seconds = 20;           // as in RunOptions
};

enum class LeakKind : uint8_t {
  kClean,
  kWhole,          // a training document is the item and little else
  kEmbedded,       // a longer training document has it
  kShortEmbedded,  // the same for an item of fewer words than a shingle
};
template <>
inline constexpr auto kChoices<LeakKind> =
    ChoiceTable<LeakKind>({{LeakKind::kClean, "clean"},
                           {LeakKind::kWhole, "whole"},
                           {LeakKind::kEmbedded, "embedded"},
                           {LeakKind::kShortEmbedded, "short-embedded"}});

// At most this many documents are listed for a short item that leaks nowhere.
inline constexpr uint64_t kMostLeakDocuments = 1000;

// An item that stands in the training data, with the document that has most of
// it.
struct Leak {
  std::string item, split, document;
  LeakKind kind = LeakKind::kClean;
  double similarity = 0;                 // the share of the item's shingles
  std::string item_text, document_text;  // excerpts of what both have
  uint64_t documents = 0;  // all that have it; documents.jsonl lists them

  static void Fields(auto& leak, auto& field) {
    field("item", leak.item);
    field("split", leak.split);
    field("kind", leak.kind);
    field("document", leak.document);
    field("similarity", leak.similarity);
    field("documents", leak.documents);
    field("item_text", leak.item_text);
    field("document_text", leak.document_text);
  }
};

struct LeakSplit {
  std::string name;
  uint64_t items = 0, empty = 0, shorts = 0;
  uint64_t whole = 0, embedded = 0, short_embedded = 0;
  // Whole and embedded; short items count when a document is just them.
  uint64_t leaked() const { return whole + embedded; }
  Share share() const { return {leaked(), items}; }
  double low = 0, high = 1;  // the share that leaks, by Wilson

  static void Fields(auto& split, auto& field) {
    field("split", split.name);
    field("items", split.items);
    field("empty", split.empty);
    field("short", split.shorts);
    field("whole", split.whole);
    field("embedded", split.embedded);
    field("short_embedded", split.short_embedded);
    field.Derived("leaked", split.leaked());
    field.Column("share", split.share());
    field.Rounded("low", split.low, 6);
    field.Rounded("high", split.high, 6);
  }
};

// Records of the training data; together all that were read.
struct LeakWritten {
  uint64_t records = 0;   // that stay
  uint64_t left_out = 0;  // leaking documents, and what was quarantined
  std::optional<uint64_t> changed;  // of `records`: with passages cut

  static void Fields(auto& written, auto& field) {
    field("records", written.records);
    field("left_out", written.left_out);
    field("changed", written.changed);
  }
};

// What decided the result.
struct LeakParameters {
  LeakRule rule = LeakRule::kShare;
  double threshold = 0;
  std::string split_field, shingle;
  TokenRule tokens = TokenRule::kUnicode;
  ContentMode content = ContentMode::kMain;

  static void Fields(auto& parameters, auto& field) {
    field("rule", parameters.rule);
    field("threshold", parameters.threshold);
    field("split_field", parameters.split_field);
    field("tokens", parameters.tokens);
    field("shingle", parameters.shingle);
    field("content", parameters.content);
  }
};

struct LeakResult {
  std::vector<LeakSplit> splits;  // in the order in which they come
  std::vector<Leak> leaks;        // in the order of the items
  uint64_t training_documents = 0, quarantined = 0;
  // Training documents with an item that leaks.
  uint64_t leaking_documents = 0;
  // Rows of documents.jsonl beyond kMostLeakDocuments of a short item.
  uint64_t rows_left_out = 0;
  std::optional<LeakWritten> written;  // with LeakOptions::write
  std::vector<SideRead> sides;  // each test input, then the training data
  std::vector<std::string> warnings;
  LeakParameters parameters;
  ResultPage page;

  // Sums over all splits.
  uint64_t items() const {
    uint64_t sum = 0;
    for (const LeakSplit& split : splits) sum += split.items;
    return sum;
  }
  uint64_t leaked() const {
    uint64_t sum = 0;
    for (const LeakSplit& split : splits) sum += split.leaked();
    return sum;
  }

  static void Fields(auto& result, auto& field) {
    field.Derived("version", std::string(kVersion));
    field.Derived("items", result.items());
    field.Derived("leaked", result.leaked());
    field.Derived("share", Share{result.leaked(), result.items()});
    field("splits", result.splits);
    field("training_documents", result.training_documents);
    field("leaking_documents", result.leaking_documents);
    field("rows_left_out", result.rows_left_out);
    field("written", result.written);
    field.Derived("sides", SidesJson(result.sides));
    field("quarantined", result.quarantined);
    field("parameters", result.parameters);
    field("warnings", result.warnings);
  }
};

// With `write`, writes the training data by the rules of Dedup, each input in
// its own format, without what is quarantined and, of the documents that have a
// whole or embedded item, what `action` says. Inputs are never written.
//
// Finds every item of N words or more whose share in one document reaches the
// threshold, or for which `rule` is true, and every document that has it.
// Errors: kUsage; the errors of Match; kCorrupt when a test input or the
// training data have no document; kMemory when the items and the names of the
// documents that have them do not fit into half of the memory. What a call has
// begun stays in the folders, unless it ended by misuse or before all items
// were read, and the same call with `resume` goes on.
Result<LeakResult> FindLeaks(const LeakOptions& options);

// One line of leaks.jsonl.
Json LeakJson(const Leak& leak);
// What summary.json holds.
Json SummaryJson(const LeakResult& result);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_LEAK_H_
