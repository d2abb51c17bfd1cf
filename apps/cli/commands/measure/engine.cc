// twinset engine: build, ask and show search engines.
#include "twinset/measure/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/measure/choices.h"
#include "twinset/measure/fetch.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kEngineName = "engine";
int TellUsage(std::string message, std::string remedy) {
  return TellError(
      kEngineName,
      {ErrorCode::kUsage, std::move(message), {}, std::move(remedy)});
}

// Flags of one of build, query and show say nothing to the others. Those whose
// help begins with what they are of are refused before.
Status CheckFlags(const Request& request, bool build, bool query) {
  constexpr std::string_view kOfBuild[] = {
      "--type",        "--name",      "--rank",  "--database", "--keep-fields",
      "--drop-fields", "--max-depth", "--share", "--host-cap", "--first-words",
      "--anchors",     "--content",   "--tokens"};
  // --networks is also of the buckets that build reads.
  constexpr std::string_view kOfAsking[] = {
      "--delay", "--timeout", "--allow-programs", "--max-requests"};
  constexpr std::string_view kOfAnswers[] = {
      "--max-results",    "--max-terms",
      "--timeouts",       "--hit-factor",
      "--sabotage-terms", "--sabotage-share",
      "--repeat-results", "--seed"};
  const auto is_among = [](std::string_view name, const auto& names) {
    return std::find(std::begin(names), std::end(names), name) !=
           std::end(names);
  };
  for (const auto& [name, value] : request.given) {
    const FlagGroup group = FindFlag(*FindCommand(kEngineName), name)->group;
    const bool of_build =
        is_among(name, kOfBuild) || group == FlagGroup::kInput;
    const bool of_answers = is_among(name, kOfAnswers);
    if ((of_build && !build) || (is_among(name, kOfAsking) && build) ||
        (of_answers && !build && !query)) {
      return Fail(ErrorCode::kUsage,
                  fmt::format("{} says nothing to engine {}", name,
                              request.operands.front()),
                  {}, "twinset help engine");
    }
  }
  return {};
}

int Build(const Request& request) {
  if (request.operands.size() < 2) {
    return TellUsage("no input is given",
                     "twinset engine build INPUT... --out DIR");
  }
  auto options = JobOptionsOf<EngineBuildOptions>(
      request, {request.operands.begin() + 1, request.operands.end()});
  options.answers = request.Of<EngineQueryOptions>().answers;
  options.index.seed = options.answers.seed = request.options.method.seed;
  return RunToResult(kEngineName, request, options, BuildEngine);
}

int Query(const Request& request) {
  if (request.operands.size() < 3) {
    return TellUsage("an engine and a word are needed",
                     "twinset engine query ENGINE WORD...");
  }
  EngineQueryOptions options = request.Of<EngineQueryOptions>();
  options.engine = request.operands[1];
  options.words.assign(request.operands.begin() + 2, request.operands.end());
  options.answers.seed = request.options.method.seed;
  options.fetching = request.Of<FetchOptions>();
  return RunToResult(kEngineName, request, options, QueryEngine);
}

int Show(const Request& request) {
  if (request.operands.size() != 2) {
    return TellUsage("one engine is shown at a time",
                     "twinset engine show ENGINE");
  }
  return RunToResult(kEngineName, request, request.operands[1],
                     [&](const std::string& engine) {
                       return ShowEngine(engine, request.Of<FetchOptions>());
                     });
}

int RunEngine(const Request& request) {
  if (const Status noun = CheckNoun(kEngineName, request); !noun)
    return TellError(kEngineName, noun.error());
  const std::string& what = request.operands.front();
  const bool build = what == "build", query = what == "query";
  if (const Status flags = CheckFlags(request, build, query); !flags)
    return TellError(kEngineName, flags.error());
  return build ? Build(request) : query ? Query(request) : Show(request);
}

// A ranking, or the field that makes one.
Status Rank(const Values& values, Request* request) {
  constexpr std::string_view kField = "field:";
  const std::string& how = values.back();
  EngineBuildOptions& build = request->Of<EngineBuildOptions>();
  build.rank_field = how.starts_with(kField) ? how.substr(kField.size()) : "";
  if (!build.rank_field.empty()) return {};
  const auto rank = FindChoice<EngineRank>(how);
  if (!rank) {
    auto known = ChoiceNames<EngineRank>();
    known.push_back("field:NAME");
    return Fail(ErrorCode::kUsage, "no ranking is called '" + how + "'", {},
                "use " + OrList(known));
  }
  build.rank = *rank;
  return {};
}

std::vector<Flag> EngineFlags() {
  return {
      {.name = "--type",
       .value = "NAME",
       .help = "what the index is kept in: {}",
       .long_help = "sqlite is embedded. xapian and postgres are programs of "
                    "their own, installed beside twinset.",
       .default_text = "sqlite",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<EngineType>(),
       .set = SetPick<&EngineBuildOptions::type>},
      {.name = "--name",
       .value = "NAME",
       .help = "name of the engine in reports",
       .default_text = "(of the folder)",
       .set = SetText<&EngineBuildOptions::name>},
      {.name = "--rank",
       .value = "HOW",
       .help = "what sqlite shows first: bm25, input or field:NAME",
       .long_help = "bm25: Okapi BM25. input: the earlier document. "
                    "field:NAME: the higher number in a field of the rows, as "
                    "a rank that 'twinset walk' computed.",
       .default_text = "bm25",
       .set = Rank},
      {.name = "--database",
       .value = "URI",
       .help = "of postgres, as postgresql://HOST/NAME",
       .long_help =
           "It is written into engine.json: keep passwords in ~/.pgpass.",
       .set = SetText<&EngineBuildOptions::database>},
      {.name = "--keep-fields",
       .value = "FIELD,...",
       .help = "fields of the rows that are kept with the pages",
       .long_help = "Samples then have them, for estimates. May be repeated.",
       .default_text = "(none)",
       .list = true,
       .set = SetTextList<&EngineBuildOptions::keep_fields>},
      {.name = "--drop-fields",
       .value = "FIELD,...",
       .help = "build without documents whose FIELD is true, or FIELD=VALUE",
       .long_help = "A spam filter. May be repeated.",
       .default_text = "(none)",
       .list = true,
       .set =
           SetTextList<&EngineBuildOptions::index, &IndexBiases::drop_fields>},
      {.name = "--max-depth",
       .value = "N",
       .help = "build without addresses of more path segments",
       .default_text = "(any)",
       .is_laboratory = true,
       .set = SetInt<0, 10000, &EngineBuildOptions::index,
                     &IndexBiases::max_depth>},
      {.name = "--share",
       .value = "P",
       .help =
           "build of a share of the documents, by a hash of address and seed",
       .long_help = "Engines built with other seeds overlap as subsets drawn "
                    "independently do.",
       .default_text = "1",
       .set = SetShare<&EngineBuildOptions::index, &IndexBiases::share>},
      {.name = "--host-cap",
       .value = "N",
       .help = "build of the first N documents of each host; 0: all",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetCount<&EngineBuildOptions::index, &IndexBiases::host_cap>},
      {.name = "--first-words",
       .value = "N",
       .help = "index only the first N words of each document; 0: all",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetCount<&EngineBuildOptions::index, &IndexBiases::first_words>},
      {.name = "--anchors",
       .help =
           "also index pages known by links only, by the texts of these links",
       .set = SetSwitch<&EngineBuildOptions::index, &IndexBiases::anchors>},
      {.name = "--max-results",
       .value = "K",
       .help = "an answer never shows more results; 0: any number",
       .long_help = "This and the flags below hold for one query, or with "
                    "build for every query of the engine.",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetInt<0, 1000000, &EngineQueryOptions::answers,
                     &AnswerBiases::max_results>},
      {.name = "--max-terms",
       .value = "N",
       .help = "longer queries lose their last terms; 0: none do",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetInt<0, 4096, &EngineQueryOptions::answers,
                     &AnswerBiases::max_terms>},
      {.name = "--timeouts",
       .value = "P",
       .help = "share of the queries that are not answered",
       .long_help = "By a hash of query and seed.",
       .default_text = "0",
       .is_laboratory = true,
       .set =
           SetUpToOne<&EngineQueryOptions::answers, &AnswerBiases::timeouts>},
      {.name = "--hit-factor",
       .value = "X",
       .help = "the number of hits is falsified by this factor",
       .default_text = "1",
       .is_laboratory = true,
       .set =
           SetNumber<&EngineQueryOptions::answers, &AnswerBiases::hit_factor>},
      {.name = "--sabotage-terms",
       .value = "M",
       .help = "withhold results from queries of M terms or more, all wanted; "
               "0: never",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetInt<0, 4096, &EngineQueryOptions::answers,
                     &AnswerBiases::sabotage_terms>},
      {.name = "--sabotage-share",
       .value = "P",
       .help = "share of the results that such queries still get",
       .long_help = "By a hash of address and seed.",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetUpToOne<&EngineQueryOptions::answers,
                         &AnswerBiases::sabotage_share>},
      {.name = "--repeat-results",
       .value = "P",
       .help = "share of the results that stand twice",
       .default_text = "0",
       .is_laboratory = true,
       .set =
           SetUpToOne<&EngineQueryOptions::answers, &AnswerBiases::duplicates>},
      {.name = "--any",
       .help = "query: one of the words is enough (OR)",
       .set = SetSwitch<&EngineQueryOptions::any>},
      {.name = "--limit",
       .short_name = 'k',
       .value = "K",
       .help = "query: results wanted",
       .default_text = "10",
       .set = SetInt<1, 1000000, &EngineQueryOptions::limit>},
      {.name = "--fetch",
       .help = "query: also get the pages of the results",
       .set = SetSwitch<&EngineQueryOptions::fetch>},
      {.name = "--record",
       .value = "FILE",
       .help = "query: add every answer to this file; what is in it is not "
               "asked again",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&EngineQueryOptions::record>},
      {.name = "--replay",
       .value = "FILE",
       .help = "query: take the answers from this file; the engine need not be "
               "there",
       .default_text = "(none)",
       .kind = ValueKind::kFile,
       .set = SetText<&EngineQueryOptions::replay>}};
}

Command EngineCommand() {
  return {
      .name = "engine",
      .group = CommandGroup::kStudies,
      .operands = "build|query|show ...",
      .help = "search engines: build one from documents, ask any",
      .long_help =
          "build makes an engine of INPUT... in the folder --out. query asks "
          "ENGINE for pages with all of the words, or with --any one of them. "
          "show prints what an engine is and checks an embedded one for "
          "damage.\n\nAn engine is a folder that build made, or a JSON file "
          "that describes one elsewhere: over HTTP, or a program that speaks "
          "the protocol of docs/methods/engine-programs.md.\n\nThe flags of "
          "build "
          "make an index as incomplete as real ones are; the flags of answers "
          "make it lie as real ones do. What each does to estimates is in "
          "docs/methods/engines.md.",
      .nouns = {"build", "query", "show"},
      .prints_rows = true,
      .examples =
          {{"twinset engine build pages.warc.gz --out a --share 0.5 --seed 1",
            "half of the pages, drawn by their addresses"},
           {"twinset engine query a capture recapture --limit 5 --fetch",
            "five pages with both words"},
           {"twinset engine query far.json twinset --record answers.jsonl",
            "ask an engine over HTTP and keep what it says"}},
      .everyday = {"--out", "--share", "--type", "--text-field", "--url-field",
                   "--keep-fields", "--any", "--limit", "--fetch", "--record",
                   "--replay", "--networks", "--json", "--overwrite",
                   "--quiet"},
      .parameters = {.also = {"seed", "tokens", "content"}},
      .shared = Join({kRecordFlags,
                      {"--out", "--overwrite", "--json", "--digest",
                       "--progress", "--config", "--delay", "--timeout",
                       "--max-requests", "--allow-programs"}}),
      .texts = {{.name = "--seed",
                 .help = "of the hashes that --share, --timeouts and "
                         "--sabotage-share go by",
                 .long_help = ""},
                {.name = "--out", .help = "build: folder of the engine"},
                {.name = "--overwrite",
                 .help = "build: replace an existing engine"},
                kJsonLines},
      .flags = EngineFlags(),
      .refusals = {kReadsOnOneThread, kHoldsOneDocument, kNoWorkFiles,
                   kBeginsAnew, kPassesOver, kPrintsText},
      .run = RunEngine};
}

}  // namespace

const Registration kEngine(EngineCommand);

}  // namespace twinset::cli
