// twinset tune
#include "twinset/tune.h"

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kTuneName = "tune";

int RunTune(const Request& request) {
  auto options = JobOptionsOf<TuneOptions>(request, request.operands);
  options.method = request.options.method;
  options.floor = request.floor;
  return RunToResult(kTuneName, request, options, Tune);
}

std::vector<Flag> TuneFlags() {
  return {
      {.name = "--recall",
       .value = "R",
       .help = "share of the pairs at the threshold that must be found",
       .default_text = "0.99",
       .set = SetShare<&TuneOptions::recall>},
      {.name = "--rule",
       .value = "NAME",
       .help = "what makes bands and rows good: {}",
       .long_help =
           "cheapest: the most rows, then the fewest bands, that reach "
           "--recall at the threshold. datasketch: the least sum of false "
           "positives and false negatives over all similarities, weighed "
           "equally, as that package does; --recall does not count then.",
       .default_text = "cheapest",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<BandRule>(),
       .set = SetPick<&TuneOptions::rule>},
      {.name = "--documents",
       .value = "N",
       .help = "of copies: different texts that there are",
       .default_text = "1000000",
       .set =
           SetCount<&TuneOptions::collisions, &CollisionQuestion::documents>},
      {.name = "--document-bytes",
       .value = "SIZE",
       .help = "of copies: length of the longest text",
       .default_text = "1K",
       .set = SetSize<&TuneOptions::collisions,
                      &CollisionQuestion::document_bytes>},
      {.name = "--collisions",
       .value = "N",
       .help = "of copies: pairs of different texts with one fingerprint that "
               "may be expected",
       .long_help = "0.001 is one chance in a thousand that there is any.",
       .default_text = "0.001",
       .set =
           SetNumber<&TuneOptions::collisions, &CollisionQuestion::tolerated>},
      {.name = "--differing-terms",
       .value = "N",
       .help = "of i-match: terms of the lexicon in which two texts differ "
               "that must be found",
       .default_text = "1",
       .set = SetInt<1, 64, &TuneOptions::differing_terms>}};
}

Command TuneCommand() {
  return {
      .name = "tune",
      .group = CommandGroup::kStudies,
      .operands = "[INPUT...]",
      .help = "parameters of a method for a recall target, and what they cost",
      .long_help =
          "Picks bands and rows (--method minhash), the number of bits and the "
          "tables (simhash) or groups (super-shingle) so that --recall of the "
          "pairs at exactly --threshold are found, and shows the law: how "
          "likely a pair is found at each similarity. With an INPUT the law "
          "stands beside what was measured on it, with the expected and the "
          "measured number of candidates.\n\nOf methods that find copies "
          "(exact, rabin-mod-prime) it says how long a fingerprint must be for "
          "--documents and --collisions, and what one of --bits promises; of "
          "i-match how many random lexica find texts that differ in "
          "--differing-terms.",
      .examples =
          {{"twinset tune --threshold 0.8 --recall 0.99 --permutations 200",
            "bands and rows"},
           {"twinset tune corpus.jsonl --threshold 0.9 --method simhash",
            "and whether the corpus agrees"},
           {"twinset tune --method exact --documents 1000000000 --collisions "
            "0.01",
            "bits of a fingerprint that different texts do not share"}},
      .everyday = {"--method", "--threshold", "--recall", "--rule",
                   "--permutations", "--bits", "--groups", "--shingle",
                   "--text-field", "--id-field", "--json", "--threads",
                   "--memory", "--quiet"},
      .parameters = {.also = {"method", "threshold", "seed", "permutations",
                              "bits", "groups", "agree", "lexicons",
                              "lexicon-drop", "tokens", "stop-words", "stem",
                              "shingle", "content"}},
      .shared =
          Join({kRecordFlags,
                {"--json", "--floor", "--files-from", "--null", "--language",
                 "--page-kind", "--digest", "--threads", "--memory", "--tmp",
                 "--simd", "--progress", "--config"}}),
      .texts =
          {{.name = "--method",
            .help = "whose parameters are chosen: minhash, simhash, "
                    "super-shingle, ...",
            .long_help =
                "A method with a law of its own, as 'twinset methods' says.",
            .default_text = "minhash"},
           {.name = "--bits",
            .help = "length of a fingerprint, as 32, 64, 128 or 384",
            .long_help = "Of copies any length from 5 on; without it that of "
                         "the method's own fingerprints."},
           {.name = "--lexicons",
            .help = "of i-match: randomised lexica beside the first",
            .long_help = "",
            .default_text = "(the fewest for --recall)"},
           kOneJsonDocument,
           kPresetsOfMethods},
      .flags = TuneFlags(),
      .refusals = {kWritesNoFolder, kPassesOver, kPrintsText},
      .run = RunTune};
}

}  // namespace

const Registration kTune(TuneCommand);

}  // namespace twinset::cli
