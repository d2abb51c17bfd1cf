#include "drawers.h"

#include <algorithm>
#include <iterator>

#include "cli/generate.h"

namespace twinset::cli {
namespace {

using Names = std::vector<std::string_view>;

struct EverydayRow {
  CommandBits command;
  Names flags;
};

// clang-format off
const EverydayRow kEveryday[] = {
    {kDedupBit, {"--out", "--method", "--threshold", "--measure", "--keep", "--action", "--write", "--report", "--kinds",
                 "--save", "--text-field", "--id-field", "--preset", "--unit", "--dry-run", "--json",
                 "--overwrite", "--resume", "--threads", "--memory", "--quiet"}},
    {kMatchBit, {"--against", "--out", "--method", "--threshold", "--measure", "--action", "--write", "--report",
                 "--text-field", "--id-field", "--against-text-field", "--preset", "--json", "--overwrite",
                 "--resume", "--threads", "--memory", "--quiet"}},
    {kRecutBit, {"--out", "--threshold", "--keep", "--prefer", "--cluster", "--action", "--pairs", "--format",
                 "--report", "--json", "--overwrite", "--threads", "--memory", "--quiet"}},
    {kExplainBit, {"--in", "--method", "--measure", "--shingle", "--content", "--text-field", "--id-field",
                   "--input-format", "--preset", "--steps", "--parts", "--query", "--json", "--quiet"}},
    {kTextBit, {"--json", "--content", "--tokens", "--show-tokens", "--blocks", "--text-field", "--html-field",
                "--id-field", "--input-format", "--language", "--page-kind", "--strict", "--threads", "--quiet"}},
    {kEvaluateBit, {"--methods", "--thresholds", "--truth", "--out", "--relevant", "--sample", "--measure", "--shingle",
                    "--text-field", "--id-field", "--json", "--overwrite", "--threads", "--memory", "--quiet"}},
    {kTuneBit, {"--method", "--threshold", "--recall", "--rule", "--permutations", "--bits", "--groups", "--shingle",
                "--text-field", "--id-field", "--json", "--threads", "--memory", "--quiet"}},
    {kEngineBit, {"--out", "--share", "--type", "--text-field", "--url-field", "--keep-fields", "--any", "--limit",
                  "--fetch", "--record", "--replay", "--networks", "--json", "--overwrite", "--quiet"}},
    {kSampleBit, {"--out", "--sampler", "--lexicon", "--queries", "--size", "--check", "--networks", "--delay",
                  "--max-requests", "--seed", "--report", "--resume", "--json", "--overwrite", "--quiet"}},
    {kEstimateBit, {"--of", "--weights", "--quantile", "--n1", "--n2", "--m", "--a-in-b", "--b-in-a", "--pool",
                    "--matched", "--known", "--trials", "--addresses", "--out", "--report", "--json", "--overwrite", "--quiet"}},
    {kWalkBit, {"--out", "--structure", "--rank", "--sampler", "--steps", "--chains", "--size", "--nodes", "--scope", "--max-pages", "--networks", "--delay", "--seed", "--report", "--json", "--overwrite",
                "--quiet"}},
    {kRescueBit, {"--from", "--in", "--all", "--signatures", "--check-live", "--threshold", "--terms", "--lexicon",
                  "--record", "--replay", "--networks", "--delay", "--json", "--quiet"}},
    {kTrapsBit, {"--out", "--threshold", "--least-urls", "--share", "--samples", "--probe", "--record", "--networks",
                 "--url-field", "--text-field", "--report", "--json", "--overwrite", "--threads", "--memory",
                 "--quiet"}},
    {kAuctionBit, {"--mechanism", "--query", "--page", "--match", "--slots", "--reserve", "--increment", "--views",
                   "--steps", "--skip-bad", "--tail", "--engine", "--out", "--json", "--overwrite", "--quiet"}},
    {kQrelsBit, {"--pairs", "--duplicates", "--conflict", "--threshold", "--out", "--log", "--judged", "--ids",
                 "--json", "--overwrite", "--quiet"}},
    {kRunsBit, {"--qrels", "--measures", "--duplicates", "--texts", "--collapse", "--pairs", "--against", "--against-qrels",
                "--condensed", "--out", "--log", "--json", "--overwrite", "--quiet"}},
    {kUrlsBit, {"--out", "--rules", "--qrels", "--suffixes", "--report", "--input-format", "--id-field", "--url-field",
                "--json", "--overwrite", "--threads", "--memory", "--tmp", "--quiet"}},
    {kMirrorsBit, {"--out", "--dead", "--least-pages", "--share", "--overlap", "--report", "--text-field", "--id-field",
                   "--url-field", "--json", "--overwrite", "--memory", "--quiet"}},
    {kLeakBit, {"--test", "--out", "--threshold", "--split-field", "--report", "--text-field", "--id-field",
                "--test-text-field", "--test-id-field", "--json",
                "--overwrite", "--memory", "--quiet"}},
    {kStudyBit, {"--out", "--json", "--overwrite", "--resume", "--threads", "--memory", "--tmp", "--quiet"}},
    {kChangeBit, {"--dates", "--visits", "--out", "--near", "--lasting", "--report", "--text-field", "--url-field",
                  "--date-field", "--json", "--overwrite", "--memory", "--tmp", "--quiet"}},
    {kAssessBit, {"--out", "--sample", "--per-stratum", "--strata", "--seed", "--in", "--against", "--text-field",
                  "--id-field", "--report", "--json", "--overwrite", "--memory", "--quiet"}},
    {kPredictBit, {"--out", "--rules", "--probability", "--least-support", "--folds", "--seed", "--report",
                   "--id-field", "--url-field", "--json", "--overwrite", "--memory", "--quiet"}},
    {kPatchBit, {"--out", "--write", "--key", "--trusted-key", "--match-by", "--allow-mismatch", "--json", "--overwrite",
                 "--resume", "--threads", "--memory", "--quiet"}},
    {kSeedsBit, {"--out", "--size", "--per-host", "--rank", "--trusted", "--answers", "--add", "--blacklist", "--spam",
                 "--depth", "--nodes", "--report", "--json", "--overwrite", "--memory", "--quiet"}},
    {kSketchBit, {"--method", "--permutations", "--bits", "--shingle", "--sketch-shingle", "--content", "--text-field",
                  "--id-field", "--seed", "--json", "--strict", "--quiet"}},
    {kHammingBit, {"--distance", "--bits", "--against", "--json", "--threads", "--memory", "--quiet"}},
    {kLexiconBit, {"--out", "--min-df", "--drop-common", "--drop-rare", "--tokens", "--text-field", "--id-field",
                   "--json", "--overwrite", "--quiet"}},
    {kReportBit, {"--against", "--figures", "--overwrite", "--quiet"}},
    {kMethodsBit | kPresetsBit | kVersionBit, {"--json"}},
    {kManBit, {"--markdown"}},
};

struct LaboratoryRow {
  CommandBits commands;
  Names flags;
};

// Where they are not for everyday.
const LaboratoryRow kLaboratory[] = {
    {kEveryCommand, {"--generator", "--bucket-limit", "--sketch-shingle", "--feature-hash", "--hash-family",
                     "--value-bits", "--weights", "--tables", "--probes", "--group-size", "--group-by", "--modulus",
                     "--lexicon-drop", "--short-coverage", "--short-lexicon", "--chunks", "--asked-chunks", "--polynomial", "--parser", "--digest", "--max-ratio", "--max-field", "--max-window", "--simd",
                     "--key", "--passage-gap"}},
    {kExplainBit, {"--markdown", "--step-rows", "--functions", "--orders", "--images", "--universe"}},
    {kEngineBit, {"--max-results", "--max-terms", "--timeouts", "--hit-factor", "--sabotage-terms", "--sabotage-share",
                  "--repeat-results", "--first-words", "--host-cap", "--max-depth"}},
    {kSampleBit, {"--least-degree", "--most-degree", "--burn-in", "--thin", "--probe-degrees", "--second-pool"}},
    {kSeedsBit, {"--tolerance", "--sweeps"}},
    {kWalkBit, {"--tolerance", "--sweeps", "--all-steps", "--burn-in", "--degree", "--loops", "--late-links", "--jump",
                "--index-pages", "--index-links"}},
    {kAuctionBit, {"--prior-clicks", "--prior-impressions", "--replications"}},
};

struct Refusal {
  Names flags;
  CommandBits commands;
  std::string_view reason;
};

constexpr CommandBits kSmall = kMethodsBit | kPresetsBit | kVersionBit | kHelpBit | kManBit | kCompletionsBit;

// Refusals for the flags that most commands have.
const Refusal kRefusals[] = {
    {{"--threads", "--memory", "--tmp", "--seed", "--overwrite", "--resume", "--strict", "--format", "--out"},
     kSmall, "it reads no documents"},
    {{"--json"}, kHelpBit | kManBit | kCompletionsBit, "it prints text"},
    {{"--json"}, kReportBit, "it writes a page; summary.json of the run has its numbers"},
    {{"--threads"}, kReportBit | kMirrorsBit | kAssessBit | kPredictBit, "it reads the files of a run on one thread"},
    {{"--memory", "--tmp", "--seed", "--strict", "--resume"}, kReportBit, "it reads what a run has written"},
    {{"--format"}, kReportBit, "it writes HTML; --figures also CSV and LaTeX"},
    {{"--out"}, kReportBit, "the page is written into the folder of the run"},
    {{"--threads"}, kExplainBit, "it looks at a few documents, on one thread"},
    {{"--threads"}, kSketchBit | kLexiconBit | kEngineBit | kRescueBit | kChangeBit, "it reads its inputs on one thread"},
    {{"--threads"}, kSampleBit | kWalkBit, "each step depends on the one before"},
    {{"--threads"}, kEstimateBit | kAuctionBit | kQrelsBit | kSeedsBit, "it computes on one thread"},
    {{"--memory"}, kExplainBit | kEstimateBit, "it holds little"},
    {{"--memory"}, kSketchBit | kEngineBit | kRescueBit, "it holds one document at a time, and what it has learnt"},
    {{"--memory"}, kLexiconBit, "it takes the same little memory for any corpus"},
    {{"--memory"}, kSampleBit, "it holds the pool of its queries"},
    {{"--tmp"}, kExplainBit | kTextBit | kSketchBit | kHammingBit | kLexiconBit | kEngineBit | kSampleBit |
     kEstimateBit | kWalkBit | kRescueBit | kAuctionBit | kQrelsBit | kMirrorsBit | kAssessBit | kPredictBit |
     kSeedsBit, "it makes no work files"},
    {{"--seed"}, kTextBit | kHammingBit | kRescueBit | kTrapsBit | kQrelsBit | kUrlsBit | kMirrorsBit | kLeakBit |
     kChangeBit | kPatchBit | kSeedsBit, "nothing is drawn at random"},
    {{"--seed"}, kRecutBit, "it is that of the saved run"},
    {{"--seed"}, kStudyBit, "the configuration names it"},
    {{"--overwrite", "--resume", "--out"}, kExplainBit | kTextBit | kSketchBit | kHammingBit | kTuneBit |
     kRescueBit, "it prints its results and writes no folder"},
    {{"--resume"}, kRecutBit | kEvaluateBit | kLexiconBit | kEngineBit | kTrapsBit | kAuctionBit | kWalkBit |
     kEstimateBit | kQrelsBit | kRunsBit | kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit | kAssessBit | kPredictBit |
     kSeedsBit, "it begins anew; give --overwrite"},
    {{"--strict"}, kStudyBit, "it passes over bad records"},
    {{"--strict"}, kRecutBit, "it reads no documents"},
    {{"--strict"}, kExplainBit | kEvaluateBit | kTuneBit | kEngineBit | kWalkBit | kRescueBit | kTrapsBit |
     kLexiconBit | kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit | kAssessBit | kPredictBit | kSeedsBit,
     "it passes over bad records and says how many"},
    {{"--strict"}, kPatchBit, "it reads bad records as the run did"},
    {{"--strict"}, kHammingBit | kAuctionBit, "it refuses bad rows"},
    {{"--strict"}, kSampleBit | kEstimateBit, "it reads no documents"},
    {{"--format"}, kEvaluateBit | kStudyBit, "it writes JSON, CSV and HTML"},
    {{"--format"}, kExplainBit | kTextBit | kSketchBit | kHammingBit | kTuneBit | kEstimateBit | kLexiconBit |
     kEngineBit | kWalkBit | kRescueBit | kTrapsBit | kAuctionBit | kSampleBit | kQrelsBit | kRunsBit | kUrlsBit |
     kMirrorsBit | kLeakBit | kChangeBit | kAssessBit | kPredictBit | kPatchBit | kSeedsBit, "it prints text, or JSON with --json"},
};
// clang-format on

bool Has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsLaboratory(const Flag& flag, CommandBits command) {
  return std::any_of(std::begin(kLaboratory), std::end(kLaboratory),
                     [&](const LaboratoryRow& row) {
                       return (row.commands & command) != 0 &&
                              Has(row.flags, flag.name);
                     });
}

}  // namespace

std::span<const std::string_view> EverydayFlags(CommandBits command) {
  for (const EverydayRow& row : kEveryday)
    if ((row.command & command) != 0) return row.flags;
  return {};
}

std::vector<FlagSection> FlagSections(const Command& command) {
  const std::vector<const Flag*> all = FlagsOf(command.bit);
  FlagSection everyday{DrawerTitle(Drawer::kEveryday), {}};
  for (const std::string_view name : EverydayFlags(command.bit)) {
    for (const Flag* flag : all)
      if (flag->name == name) everyday.flags.push_back(flag);
  }
  const auto is_shown = [&everyday](const Flag* flag) {
    return std::find(everyday.flags.begin(), everyday.flags.end(), flag) !=
           everyday.flags.end();
  };
  FlagSection laboratory{DrawerTitle(Drawer::kLaboratory), {}};
  for (const Flag* flag : all)
    if (!is_shown(flag) && IsLaboratory(*flag, command.bit))
      laboratory.flags.push_back(flag);
  std::vector<FlagSection> sections = {everyday};
  for (const FlagGroup group : kFlagGroups) {
    FlagSection section{GroupTitle(group), {}};
    for (const Flag* flag : all)
      if (flag->group == group && !is_shown(flag) &&
          !IsLaboratory(*flag, command.bit))
        section.flags.push_back(flag);
    if (group == FlagGroup::kGeneral) sections.push_back(laboratory);
    sections.push_back(std::move(section));
  }
  sections.erase(
      std::remove_if(sections.begin(), sections.end(),
                     [](const auto& section) { return section.flags.empty(); }),
      sections.end());
  return sections;
}

std::string_view RefusalReason(std::string_view flag, CommandBits command) {
  for (const Refusal& refusal : kRefusals)
    if ((refusal.commands & command) != 0 && Has(refusal.flags, flag))
      return refusal.reason;
  return {};
}

}  // namespace twinset::cli
