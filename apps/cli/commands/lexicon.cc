// twinset lexicon: build, show and compare lexica.
#include "twinset/lexicon.h"

#include <cstddef>
#include <utility>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/printed_rows.h"
#include "twinset/options.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kLexiconName = "lexicon";

int TellUsage(std::string message, std::string remedy) {
  return TellError(
      kLexiconName,
      {ErrorCode::kUsage, std::move(message), {}, std::move(remedy)});
}

// The operands behind the noun, or from a later place on.
std::vector<std::string> Operands(const Request& request, ptrdiff_t from) {
  return {request.operands.begin() + from, request.operands.end()};
}

// Runs `job(options, on_rejected)`, and tells which records were quarantined,
// the first ones one by one.
template <typename Options, typename Job>
int RunOverInputs(const Request& request, Options options, const Job& job) {
  Rejections rejections(kLexiconName, request);
  uint64_t quarantined = 0;
  const auto count = [&](const RejectedRecord& record) {
    rejections.Add(record);
    quarantined += record.quarantined;
  };
  return RunToResult(
      kLexiconName, request, std::move(options),
      [&](const Options& given, Output* out) {
        auto result = job(given, count, out);
        if (result && request.json) out->Write(JsonText(*result));
        return result;
      },
      [&](const auto&) { TellQuarantined(kLexiconName, quarantined); });
}

int Build(const Request& request) {
  if (request.operands.size() < 2)
    return TellUsage("no input is given",
                     "twinset lexicon build INPUT... --out FILE");
  auto options = JobOptionsOf<LexiconOptions>(request, Operands(request, 1));
  return RunOverInputs(
      request, options,
      [](const LexiconOptions& given, const auto& on_rejected, Output*) {
        return BuildLexicon(given, on_rejected);
      });
}

int Show(const Request& request) {
  if (request.operands.size() != 2)
    return TellUsage("one lexicon is shown at a time",
                     "twinset lexicon show FILE");
  return RunToResult(kLexiconName, request, request.operands[1],
                     [&](const std::string& path, Output* out) {
                       return ShowLexicon(path,
                                          RowsIfJson<LexiconRow>(request, out));
                     });
}

int Diff(const Request& request) {
  if (request.operands.size() < 3)
    return TellUsage("two lexica are compared",
                     "twinset lexicon diff A B [INPUT...]");
  auto options =
      JobOptionsOf<LexiconDiffOptions>(request, Operands(request, 3));
  options.a = request.operands[1];
  options.b = request.operands[2];
  options.method = request.options.method;
  return RunOverInputs(
      request, options,
      [&](const LexiconDiffOptions& given, const auto& on_rejected,
          Output* out) {
        return DiffLexica(
            given,
            request.quiet ? nullptr : RowsIfJson<LexiconChange>(request, out),
            on_rejected);
      });
}

int RunLexicon(const Request& request) {
  if (const Status noun = CheckNoun(kLexiconName, request); !noun)
    return TellError(kLexiconName, noun.error());
  const std::string& what = request.operands.front();
  return what == "build"  ? Build(request)
         : what == "show" ? Show(request)
                          : Diff(request);
}

std::vector<Flag> LexiconFlags() {
  return {
      {.name = "--min-df",
       .value = "N",
       .help = "lexicon build: terms in fewer documents are left out",
       .default_text = "2",
       .group = FlagGroup::kMethod,
       .set = SetInt<1, 1000000000, &LexiconOptions::rules,
                     &LexiconRules::min_df>},
      {.name = "--drop-common",
       .value = "SHARE",
       .help = "lexicon build: share of the range of idf left out at the "
               "common end",
       .long_help =
           "The range goes from the inverse document frequency of the most "
           "common of the terms that --min-df leaves to that of the rarest.",
       .default_text = "0.33",
       .group = FlagGroup::kMethod,
       .set = SetPart<&LexiconOptions::rules, &LexiconRules::drop_common>},
      {.name = "--drop-rare",
       .value = "SHARE",
       .help =
           "lexicon build: share of the range of idf left out at the rare end",
       .long_help = "As --drop-common.",
       .default_text = "0.33",
       .group = FlagGroup::kMethod,
       .set = SetPart<&LexiconOptions::rules, &LexiconRules::drop_rare>}};
}

Command LexiconCommand() {
  return {
      .name = "lexicon",
      .group = CommandGroup::kLaboratory,
      .operands = "build|show|diff ...",
      .help = "the words of a corpus, chosen by how many documents they are in",
      .long_help =
          "build INPUT... --out FILE counts in how many documents each word "
          "is, ranks the words by inverse document frequency, leaves out both "
          "ends and writes the rest with their frequencies. show FILE says "
          "what a lexicon holds, with its most common and rarest terms; diff A "
          "B says what was lost and gained and what moved, and with INPUTs "
          "behind it how many of their documents have another I-Match "
          "signature under B. With --json both list all terms.\n\ni-match "
          "--lexicon takes such "
          "a file, so that signatures of different runs compare. A lexicon "
          "never changes; one of another version is refused.",
      .nouns = {"build", "show", "diff"},
      .prints_rows = true,
      .examples =
          {{"twinset lexicon build crawl/ --out words.lexicon",
            "the words of a crawl"},
           {"twinset lexicon show --json words.lexicon",
            "one object a word: term, df, idf, rank"},
           {"twinset lexicon diff old.lexicon new.lexicon old-crawl/ --quiet",
            "how many signatures the growth of the crawl changes"}},
      .everyday = {"--out", "--min-df", "--drop-common", "--drop-rare",
                   "--tokens", "--text-field", "--id-field", "--json",
                   "--overwrite", "--quiet"},
      .parameters = {.also = {"seed", "lexicons", "lexicon-drop", "min-terms",
                              "tokens", "stop-words", "stem", "content"}},
      .shared = Join({kRecordFlags,
                      {"--out", "--overwrite", "--json", "--files-from",
                       "--null", "--digest", "--progress", "--config"}}),
      .texts =
          {{.name = "--seed",
            .help = "diff: of the randomised lexica",
            .long_help = ""},
           {.name = "--lexicons",
            .help = "diff: randomised lexica beside the first",
            .long_help = ""},
           {.name = "--lexicon-drop",
            .help =
                "diff: share of the terms that each randomised lexicon drops",
            .long_help = ""},
           {.name = "--min-terms",
            .help =
                "diff: documents with fewer retained terms have no signature",
            .long_help = ""},
           {.name = "--out",
            .help = "build: file of the lexicon",
            .long_help =
                "A file that exists is refused unless --overwrite is given."},
           {.name = "--overwrite",
            .help = "replace a file that exists",
            .long_help = ""},
           kJsonLines},
      .flags = LexiconFlags(),
      .refusals = {kReadsOnOneThread,
                   {{"--memory"},
                    "it takes the same little memory for any corpus"},
                   kNoWorkFiles,
                   kBeginsAnew,
                   kPassesOver,
                   kPrintsText},
      .run = RunLexicon};
}

}  // namespace

const Registration kLexicon(LexiconCommand);

}  // namespace twinset::cli
