// twinset leak.
#include "twinset/corpora/leak.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/dedup.h"
#include "twinset/plain_words.h"
#include "twinset/text_choices.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kLeakName = "leak";

// With a rule, --shingle word:N sets N of its N-grams.
Status TakeRule(const Request& request, LeakOptions* options) {
  if (options->rule == LeakRule::kShare) return {};
  options->given_grams = IsGiven(request, "--shingle");
  if (!IsGiven(request, "--threshold")) return {};
  return Fail(ErrorCode::kUsage,
              "--rule has a threshold of its own, so --threshold says nothing");
}

int RunLeak(const Request& request) {
  auto options = JobOptionsOf<LeakOptions>(request, request.operands);
  if (const Status status = TakeRule(request, &options); !status)
    return TellError(kLeakName, status.error());
  options.checkpoint_seconds =
      SecondsFor("TWINSET_CHECKPOINT_SECONDS", options.checkpoint_seconds);
  return RunToResult(
      kLeakName, request, options, FindLeaks, [&](const LeakResult& result) {
        if (result.quarantined > 0 && !options.out.empty())
          Tell(kLeakName,
               NameText(options.out) + "/quarantine.jsonl says which, and why");
      });
}

std::vector<Flag> LeakFlags() {
  return {
      {.name = "--test",
       .value = "INPUT",
       .help = "items that are looked for in the training data",
       .long_help = "A file, folder or pattern. May be repeated.",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&LeakOptions::test>},
      {.name = "--test-format",
       .value = "FORMAT",
       .help = "of the test items: as --input-format",
       .default_text = "(as --input-format)",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<InputFormat>(),
       .set = SetPick<&LeakOptions::test_input, &AgainstOptions::format>},
      {.name = "--test-id-field",
       .value = "PATH",
       .help = "of the test items: field of a row that is its id",
       .default_text = "(as --id-field)",
       .kind = ValueKind::kField,
       .set = SetText<&LeakOptions::test_input, &AgainstOptions::id_field>},
      {.name = "--test-text-field",
       .value = "PATH",
       .help = "of the test items: field of a row that is its text",
       .default_text = "(as --text-field)",
       .kind = ValueKind::kField,
       .set = SetText<&LeakOptions::test_input, &AgainstOptions::text_field>},
      {.name = "--test-html-field",
       .value = "PATH",
       .help = "of the test items: field of a row that is markup",
       .default_text = "(as --html-field)",
       .kind = ValueKind::kField,
       .set = SetText<&LeakOptions::test_input, &AgainstOptions::html_field>},
      {.name = "--test-url-field",
       .value = "PATH",
       .help = "of the test items: field of a row that is its URL",
       .default_text = "(as --url-field)",
       .kind = ValueKind::kField,
       .set = SetText<&LeakOptions::test_input, &AgainstOptions::url_field>},
      {.name = "--test-date-field",
       .value = "PATH",
       .help = "of the test items: field of a row that is its date",
       .default_text = "(as --date-field)",
       .kind = ValueKind::kField,
       .set = SetText<&LeakOptions::test_input, &AgainstOptions::date_field>},
      {.name = "--test-preset",
       .value = "NAME",
       .help = "of the test items: a named setting of fields, as clueweb22",
       .default_text = "(as --preset)",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<FieldPreset>(),
       .set = SetPick<&LeakOptions::test_input, &AgainstOptions::preset>},
      {.name = "--split-field",
       .value = "PATH",
       .help = "field of an item that names its split",
       .default_text = "(the input)",
       .kind = ValueKind::kField,
       .set = SetText<&LeakOptions::split_field>},
      {.name = "--rule",
       .value = "RULE",
       .help = "when an item leaks: share, gpt-3 or tulu-3",
       .long_help =
           "share: one document has at least the share --threshold of its "
           "shingles. gpt-3: one has any of its N-grams, N being the 5th "
           "percentile of the words of the items, from 8 to 13; N-grams of "
           "more than 10 documents do not count. tulu-3: more than half of "
           "its words stand in 8-grams that one document has. --shingle "
           "word:N sets another N.",
       .default_text = "share",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<LeakRule>(),
       .set = SetPick<&LeakOptions::rule>},
      {.name = "--action",
       .value = "ACTION",
       .help = "what --write makes of a document with an item that leaks: "
               "drop, cut or annotate",
       .long_help =
           "drop: it goes. cut: the passages of the items go and the rest of "
           "its text stays, in which no item leaks; with --rule gpt-3, 200 "
           "characters on either side go, too. annotate: it stays and says "
           "which items it has, how much of each, and where.",
       .default_text = "drop",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<LeakAction>(),
       .set = SetPick<&LeakOptions::action>},
      {.name = "--empty-rows",
       .value = "RULE",
       .help = "what becomes of rows of which --action cut leaves no text: "
               "keep or drop",
       .long_help = "drop: rows that had no text before go, too.",
       .default_text = "keep",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<EmptyRows>(),
       .set = SetPick<&LeakOptions::empty_rows>},
      {.name = "--threshold",
       .short_name = 't',
       .value = "T",
       .help = "least share of an item in one training document, above 0, at "
               "most 1",
       .default_text = "0.8",
       .set = SetShare<&LeakOptions::threshold>}};
}

Command LeakCommand() {
  return {
      .name = "leak",
      .group = CommandGroup::kStudies,
      .front_page = 3,
      .operands = "TRAIN...",
      .help = "which items of a test set stand in training data",
      .long_help =
          "Looks for every item of --test in every document of TRAIN, as "
          "the whole of it or inside of it. An item leaks when one "
          "document has at least the share --threshold of its shingles; "
          "every such item is found. Items of fewer words than a shingle "
          "leak when a document is just them; where they only stand in a "
          "longer one they are counted apart, since chance does that "
          "too.\n\nWith --out, leaks.jsonl shows item and document side by "
          "side, and clean.txt names the items that do not leak. "
          "With --write, a copy of the training data lacks every document "
          "that has an item that leaks, or, by --action, its passages.",
      .examples = {{"twinset leak train/ --test test.jsonl",
                    "a table by split"},
                   {"twinset leak train.jsonl.zst --test eval/ "
                    "--split-field split --out leaks",
                    "splits by a field; items beside their documents"},
                   {"twinset leak train/*.jsonl.gz --test eval.jsonl "
                    "--write clean",
                    "the training data without these documents, in "
                    "clean/"},
                   {"twinset leak train.jsonl --test eval.jsonl "
                    "--test-text-field question,answer --rule gpt-3 "
                    "--write clean --action cut",
                    "the passages go by the rule of GPT-3; the text of an "
                    "item is both fields"}},
      .everyday = {"--test", "--out", "--threshold", "--rule", "--split-field",
                   "--write", "--action", "--report", "--text-field",
                   "--id-field", "--test-text-field", "--test-id-field",
                   "--json", "--overwrite", "--resume", "--memory", "--quiet"},
      .parameters = {.also = {"tokens", "shingle", "content"}},
      .shared =
          Join({kRecordFlags,
                {"--out", "--write", "--compression-level", "--report",
                 "--overwrite", "--resume", "--json", "--digest", "--threads",
                 "--memory", "--tmp", "--progress", "--config"}}),
      .texts = {{.name = "--out",
                 .help = "folder for the rows; without it they are printed",
                 .long_help =
                     "Holds leaks.jsonl, splits.csv, clean.txt and "
                     "summary.json. A folder that exists is refused unless "
                     "--overwrite is given, and always when it holds an "
                     "input or anything that twinset did not make."},
                {.name = "--write",
                 .help = "also write the training data without what leaks, "
                         "as --action says"},
                {.name = "--resume",
                 .long_help = "Give the same command again and add this flag. "
                              "A changed input, test set or parameter is "
                              "refused, with both shown. It needs the --out or "
                              "the --write of the interrupted run."},
                {.name = "--compression-level",
                 .help = "of what --write compresses, from 1 to 9"}},
      .flags = LeakFlags(),
      .refusals = {kDrawsNothing, kPassesOver, kPrintsText},
      .run = RunLeak};
}

}  // namespace

const Registration kLeak(LeakCommand);

}  // namespace twinset::cli
