// twinset lexicon: build, show and compare lexica.
#include "twinset/lexicon.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/options.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kLexiconName = "lexicon";

std::string OneLine(const Json& row) { return row.dump(); }

// Records that are no documents, by kind.
struct Rejected {
  uint64_t skipped = 0, quarantined = 0;
  void Add(const RejectedRecord& record) {
    (record.quarantined ? quarantined : skipped)++;
  }
  void Tell() const { TellQuarantined(kLexiconName, quarantined); }
};

Json InfoRow(const LexiconInfo& info) {
  return {{"spec", info.spec},
          {"checksum", info.checksum},
          {"tokens", info.tokens},
          {"documents", info.documents},
          {"counted", info.counted},
          {"ranked", info.ranked},
          {"first_rank", info.first_rank},
          {"terms", info.terms},
          {"min_df", info.rules.min_df},
          {"drop_common", info.rules.drop_common},
          {"drop_rare", info.rules.drop_rare}};
}

std::string InfoText(const LexiconInfo& info) {
  return fmt::format(
      "{} terms, of {} that are in {} documents or more, of {} in all\n"
      "{} documents; checksum {}\n",
      NumberText(info.terms), NumberText(info.ranked), info.rules.min_df,
      NumberText(info.counted), NumberText(info.documents), info.checksum);
}

Json TermRow(const LexiconRow& row) {
  return {{"term", row.term},
          {"df", row.frequency},
          {"idf", row.idf},
          {"rank", row.rank}};
}

int Build(const Request& request) {
  if (request.operands.size() < 2) {
    return TellError(kLexiconName,
                     {ErrorCode::kUsage,
                      "no input is given",
                      {},
                      "twinset lexicon build INPUT... --out FILE"});
  }
  LexiconOptions options = request.Of<LexiconOptions>();
  options.input = request.options.input;
  options.input.inputs.assign(request.operands.begin() + 1,
                              request.operands.end());
  options.features = request.options.features;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  const StopOnSignal stop;
  options.stop = stop.flag();
  Rejected rejected;
  const auto info =
      BuildLexicon(options, [&](const RejectedRecord& r) { rejected.Add(r); });
  if (!info) return TellErrorOrStop(kLexiconName, info.error(), stop.signal());
  Output out;
  if (request.json) {
    out.Line(OneLine(InfoRow(*info)));
  } else if (!request.quiet) {
    out.Write(InfoText(*info));
    if (info->terms > 0) {
      out.Line(fmt::format("next: twinset lexicon show {}",
                           ShellQuoted(options.out)));
    }
  }
  TellWarnings(kLexiconName, info->warnings);
  rejected.Tell();
  return out.Finish(kLexiconName);
}

int Show(const Request& request) {
  if (request.operands.size() != 2) {
    return TellError(kLexiconName, {ErrorCode::kUsage,
                                    "one lexicon is shown at a time",
                                    {},
                                    "twinset lexicon show FILE"});
  }
  Output out;
  if (!request.json)
    out.Line(fmt::format("{:>9} {:>9} {:>9}  {}", "rank", "df", "idf", "term"));
  const auto info =
      ShowLexicon(request.operands[1], [&](const LexiconRow& row) {
        return out.Line(request.json
                            ? OneLine(TermRow(row))
                            : fmt::format("{:>9} {:>9} {:>9.4f}  {}", row.rank,
                                          row.frequency, row.idf,
                                          Printable(row.term)));
      });
  if (!info) return TellError(kLexiconName, info.error());
  if (!request.json) out.Write(InfoText(*info));
  return out.Finish(kLexiconName);
}

Json ChangeRow(const LexiconChange& change) {
  constexpr const char* kKinds[] = {"lost", "gained", "moved"};
  const bool in_a = change.kind != LexiconChange::kGained;
  const bool in_b = change.kind != LexiconChange::kLost;
  Json row = {{"change", kKinds[change.kind]},
              {"term", in_a ? change.a.term : change.b.term}};
  row["df_a"] = in_a ? Json(change.a.frequency) : Json();
  row["df_b"] = in_b ? Json(change.b.frequency) : Json();
  row["rank_a"] = in_a ? Json(change.a.rank) : Json();
  row["rank_b"] = in_b ? Json(change.b.rank) : Json();
  return row;
}

std::string ChangeText(const LexiconChange& change) {
  switch (change.kind) {
    case LexiconChange::kLost:
      return "- " + Printable(change.a.term);
    case LexiconChange::kGained:
      return "+ " + Printable(change.b.term);
    default:
      return fmt::format("~ {} {} {}", Printable(change.a.term), change.a.rank,
                         change.b.rank);
  }
}

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

Json DifferenceRow(const LexiconDifference& difference) {
  Json row = {{"a", InfoRow(difference.a)},
              {"b", InfoRow(difference.b)},
              {"lost", difference.lost},
              {"gained", difference.gained},
              {"common", difference.common},
              {"moved", difference.moved},
              {"largest_move", difference.largest_move}};
  const SignatureDrift& drift = difference.drift;
  if (drift.documents > 0) {
    row["drift"] = {
        {"documents", drift.documents},
        {"flagged_a", drift.flagged_a},
        {"flagged_b", drift.flagged_b},
        {"compared", drift.compared},
        {"changed", drift.changed},
        {"changed_share", Share(drift.changed, drift.compared)},
        {"unmatched", drift.unmatched},
        {"unmatched_share", Share(drift.unmatched, drift.compared)}};
  }
  return row;
}

std::string DifferenceText(const LexiconDifference& difference) {
  std::string text = fmt::format(
      "{} terms lost, {} gained, {} common; {} of them moved, by {} ranks at "
      "most\n",
      NumberText(difference.lost), NumberText(difference.gained),
      NumberText(difference.common), NumberText(difference.moved),
      NumberText(difference.largest_move));
  const SignatureDrift& drift = difference.drift;
  if (drift.documents == 0) return text;
  text += fmt::format(
      "{} of {} signatures changed ({:.2f} %); {} of the documents ({:.2f} %) "
      "match their earlier self under no lexicon\n"
      "{} documents have too few terms under the first lexicon, {} under the "
      "second\n",
      NumberText(drift.changed), NumberText(drift.compared),
      100 * Share(drift.changed, drift.compared), NumberText(drift.unmatched),
      100 * Share(drift.unmatched, drift.compared), NumberText(drift.flagged_a),
      NumberText(drift.flagged_b));
  return text;
}

int Diff(const Request& request) {
  if (request.operands.size() < 3) {
    return TellError(kLexiconName, {ErrorCode::kUsage,
                                    "two lexica are compared",
                                    {},
                                    "twinset lexicon diff A B [INPUT...]"});
  }
  InputOptions input = request.options.input;
  input.inputs.assign(request.operands.begin() + 3, request.operands.end());
  Output out;
  Rejected rejected;
  const auto difference = DiffLexica(
      request.operands[1], request.operands[2], input, request.options.features,
      request.options.method,
      [&](const LexiconChange& change) {
        if (request.quiet) return true;
        return out.Line(request.json ? OneLine(ChangeRow(change))
                                     : ChangeText(change));
      },
      [&](const RejectedRecord& r) { rejected.Add(r); });
  if (!difference) return TellError(kLexiconName, difference.error());
  if (request.json) {
    out.Line(OneLine(DifferenceRow(*difference)));
  } else {
    out.Write(DifferenceText(*difference));
  }
  TellWarnings(kLexiconName, difference->warnings);
  rejected.Tell();
  return out.Finish(kLexiconName);
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
          "ends and writes the rest with their frequencies. show FILE lists "
          "them. diff A B lists what was lost and gained and what moved; with "
          "INPUTs behind it, it also says how many of their documents have "
          "another I-Match signature under B.\n\ni-match --lexicon takes such "
          "a file, so that signatures of different runs compare. A lexicon "
          "never changes; one of another version is refused.",
      .nouns = {"build", "show", "diff"},
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
