#include "leak/leak_report.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "core/field_list.h"
#include "estimate/intervals.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/results/renamed_ids.h"
#include "report/field_rows.h"
#include "report/kept_page.h"
#include "report/line_list.h"
#include "twinset/corpora/leak_stages.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kIdBytes = 200, kTitleBytes = 200;

html::Table SplitsTable(const LeakResult& result) {
  std::vector<FieldColumn> columns = {{"split"}, {"items"}, {"leaked", "leak"},
                                      {"share"}, {"whole"}, {"embedded"}};
  const bool any_short =
      std::any_of(result.splits.begin(), result.splits.end(),
                  [](const LeakSplit& split) { return split.shorts > 0; });
  if (any_short) {
    columns.push_back({"short", "short ones"});
    columns.push_back({"short_embedded", "short, embedded"});
  }
  html::Table table = TableOf("By split", columns, result.splits);
  constexpr size_t kShareColumn = 3;
  for (size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i][kShareColumn].below =
        FixedText(100 * result.splits[i].low, 1) + " to " +
        FixedText(100 * result.splits[i].high, 1);
  return table;
}

// "have at least 80 % of their text in one training document"
std::string HowMuch(const LeakOptions& options, bool is_none) {
  const std::string have = is_none ? "has " : "have ";
  const std::string their = is_none ? "its " : "their ";
  const std::string words =
      NumberText(LeakGramWords(options.features).value_or(0));
  switch (options.rule) {
    case LeakRule::kGpt3:
      return have + words + " words in a row that a training document has";
    case LeakRule::kTulu3:
      return have + "more than half of " + their + "words in runs of " + words +
             " that one training document has";
    case LeakRule::kShare:
      break;
  }
  const std::string share =
      options.threshold >= 1
          ? "all of "
          : "at least " + PercentText(options.threshold) + " of ";
  return have + share + their + "text in one training document";
}

html::Lead LeadOf(const LeakOptions& options, const LeakResult& result) {
  const uint64_t items = result.items(), leaked = result.leaked();
  const std::string compared =
      CountText(items, "item") + " and " +
      CountText(result.training_documents, "training document") +
      " were compared.";
  if (leaked == 0)
    return {"No test item " + HowMuch(options, true) + ".", compared};
  return {ShareInWords(leaked, items) + " of the test items " +
              HowMuch(options, false) + ".",
          "Of " + CountText(items, "item") + ", " + NumberText(leaked) + " (" +
              ShareText(leaked, items) + ") " + (leaked == 1 ? "does" : "do") +
              ". " +
              CountText(result.leaking_documents, "training document has",
                        "training documents have") +
              " such an item" +
              (options.out.empty()
                   ? "."
                   : std::string(", and contaminated.txt names ") +
                         (result.leaking_documents == 1 ? "it." : "them."))};
}

html::Facts FactsOf(const LeakResult& result) {
  uint64_t whole = 0, embedded = 0;
  for (const LeakSplit& split : result.splits) {
    whole += split.whole;
    embedded += split.embedded;
  }
  const auto count = [](uint64_t n) { return NumberText(n); };
  html::Facts facts{
      {{"items that leak", count(result.leaked()),
        "of " + count(result.items())},
       {"whole", count(whole), "the document is the item and little else"},
       {"embedded", count(embedded), "the document is longer"},
       {"training documents that have one", count(result.leaking_documents),
        "of " + count(result.training_documents)}}};
  if (result.written)
    facts.facts.push_back({"records written", count(result.written->records),
                           count(result.written->left_out) + " left out"});
  if (result.written && result.written->changed)
    facts.facts.push_back({"records changed", count(*result.written->changed),
                           "their passages are cut"});
  return facts;
}

html::TextPair PairOf(const Leak& leak, const LeakExample& example,
                      const FeatureExtractor& extractor) {
  html::TextPair pair;
  pair.title = (leak.similarity >= 1 ? "All" : PercentText(leak.similarity)) +
               " of the item stands in the document";
  pair.tags = {std::string(ChoiceName(leak.kind)), leak.split};
  pair.left = {"item", Shortened(leak.item, kIdBytes), {}};
  pair.right = {"training document", Shortened(leak.document, kIdBytes), {}};
  uint64_t words = 0;
  if (example.has_document) {
    for (const LeakPassage& passage : example.passages) {
      words += passage.words;
      AddPassage(passage.item, passage.document, extractor, &pair);
    }
  }
  if (words == 0) {
    pair.left.text = {{html::Piece::kSame, leak.item_text}};
    pair.right.text = {{html::Piece::kSame, leak.document_text}};
  }
  pair.note =
      PassagesNote(pair, words == 0 ? 0 : example.passages.size(), words);
  if (leak.documents > 1) {
    pair.note += " " +
                 CountText(leak.documents - 1, "more document has",
                           "more documents have") +
                 " this item, too.";
  }
  return pair;
}

void AddExamples(const LeakResult& result, const LeakShown& shown,
                 KeptPage* page) {
  if (shown.examples.empty()) return;
  page->Add(html::Heading{"What the items share with the training data"});
  const uint64_t leaked = result.leaked(), count = shown.examples.size();
  std::string note =
      "Each item stands beside the document that has most of it.";
  if (leaked > count) {
    note += " " + CountText(count, "item is", "items are") +
            " shown, the first ones of each split in turn; " +
            CountText(leaked - count, "more item leaks", "more items leak") +
            " and " + (leaked - count == 1 ? "is" : "are") +
            " listed in leaks.jsonl.";
  }
  page->Add(html::Note{note});
  for (const LeakExample& example : shown.examples)
    page->Add(PairOf(result.leaks[example.leak], example, *shown.extractor));
}

}  // namespace

KeptPage LeakPage(const LeakOptions& options, const LeakResult& result,
                  const LeakShown& shown) {
  const std::string items =
      result.splits.size() == 1 && options.split_field.empty()
          ? " of " + result.splits[0].name
          : "";
  KeptPage report(
      "leak",
      Shortened("Test items" + items + " in " + shown.training, kTitleBytes));
  report.Add(LeadOf(options, result));
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{"Of the run: " + warning + "."});
  report.Add(FactsOf(result));
  report.Add(SplitsTable(result));
  report.Add(html::Note{
      "Whole and embedded items leak. Below a share stands its 95 % interval "
      "by "
      "Wilson's score. Items of fewer words than "
      "a shingle count when a training document is just them; where they only "
      "stand in a longer one, which chance does too, they are shown apart."});
  AddExamples(result, shown, &report);
  report.BeginFolded("Method and parameters");
  html::KeyValues parameters{"", {}};
  if (options.rule == LeakRule::kShare) {
    parameters.rows.push_back({"of an item in one document, at least",
                               Cell::Text(PercentText(options.threshold))});
  } else {
    parameters.rows.push_back(
        {"rule", Cell::Text(std::string(ChoiceName(options.rule)))});
  }
  parameters.rows.push_back({"shingles", Cell::Text(options.features.shingle)});
  report.Add(parameters);
  report.EndFolded();
  return report;
}

Json v1::LeakJson(const Leak& leak) { return FieldsToJson(leak); }

Json v1::SummaryJson(const LeakResult& result) { return FieldsToJson(result); }

std::string LeakLine(const Leak& leak) { return LeakJson(leak).dump() + "\n"; }

std::vector<std::string> LeakFiles(const LeakOptions& options) {
  std::vector<std::string> files = {
      "clean.txt",         "contaminated.txt", "documents.jsonl",
      "leaks.jsonl",       "splits.csv",       kRenamedIds,
      KeptPage::kFileName, "summary.json",     "quarantine.jsonl"};
  if (options.report) files.push_back("report.html");
  return files;
}

Result<LeakLists> LeakLists::Create(const std::string& folder) {
  TWINSET_ASSIGN(OutputFile rows,
                 OutputFile::Create(folder + "/documents.jsonl"));
  TWINSET_ASSIGN(LineList ids, LineList::Create(folder + "/contaminated.txt"));
  return LeakLists(std::move(rows), std::move(ids));
}

std::string v1::LeakDocumentLine(std::string_view item, std::string_view split,
                                 LeakKind kind, std::string_view document,
                                 double similarity) {
  const Json json = {{"item", item},
                     {"split", split},
                     {"kind", kind},
                     {"document", document},
                     {"similarity", similarity}};
  return json.dump() + "\n";
}

Status LeakLists::Add(const Leak& row) {
  return rows_.Write(LeakDocumentLine(row.item, row.split, row.kind,
                                      row.document, row.similarity));
}

Status LeakLists::AddDocument(const std::string& id) { return ids_.Add(id); }

Status LeakLists::Commit() {
  TWINSET_TRY(rows_.Commit());
  return ids_.Commit();
}

Status WriteLeaks(const LeakOptions& options, const LeakResult& result,
                  const std::vector<std::string>& clean,
                  const std::string& match) {
  const std::string out = options.out + "/";
  TWINSET_ASSIGN(OutputFile rows, OutputFile::Create(out + "leaks.jsonl"));
  for (const Leak& leak : result.leaks) TWINSET_TRY(rows.Write(LeakLine(leak)));
  TWINSET_TRY(rows.Commit());
  TWINSET_ASSIGN(LineList ids, LineList::Create(out + "clean.txt"));
  for (const std::string& id : clean) TWINSET_TRY(ids.Add(id));
  TWINSET_TRY(ids.Commit());
  TWINSET_TRY(CopyResultFile(kRenamedIds, match, options.out));
  TWINSET_TRY(CopyResultFile("quarantine.jsonl", match, options.out));
  TWINSET_TRY(WriteWholeFile(out + "splits.csv", CsvOf(result.splits)));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(out + "summary.json",
                        SummaryJson(result).dump(2) + "\n");
}

}  // namespace twinset
