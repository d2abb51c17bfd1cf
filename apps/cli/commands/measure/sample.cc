// twinset sample.
#include "twinset/measure/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "cli/commands/measure/random_ip.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/measure/fetch.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kSampleName = "sample";

int RunSample(const Request& request) {
  if (const Status status = CheckRandomIpFlags(request); !status)
    return TellError(kSampleName, status.error());
  if (request.Of<SampleOptions>().sampler.name == "random-ip")
    return RunRandomIp(request);
  auto options = JobOptionsOf<SampleOptions>(request);
  options.engines = request.operands;
  options.fetching = request.Of<FetchOptions>();
  options.sampler.seed = request.options.method.seed;
  if (!request.quiet) {
    const double delay_s = options.fetching.delay_ms.value_or(1000) / 1000.0;
    options.on_forecast = [delay_s](const SampleForecast& forecast) {
      const double requests = forecast.queries + forecast.fetches;
      Tell(kSampleName,
           fmt::format("{}: about {:.0f} of {} queries and {:.0f} fetches to "
                       "come; {:.1f} hours where one takes {:g} s",
                       Printable(forecast.engine), forecast.queries,
                       forecast.pool, forecast.fetches,
                       requests * delay_s / 3600, delay_s));
    };
  }
  return RunToResult(kSampleName, request, options, DrawSample);
}

std::vector<Flag> SampleFlags() {
  return {
      {.name = "--sampler",
       .value = "NAME",
       .help = "how pages are drawn; see below",
       .long_help =
           "pool-rejection: uniform. pool-importance: weighted, cheaper. "
           "pool-walk-mh, pool-walk-md: walks, uniform in the limit. "
           "pool-queries: for the size of the corpus. bharat-broder, "
           "random-searches: the older methods, biased, for comparison. "
           "random-ip: servers of networks, without any engine.",
       .default_text = "pool-rejection",
       .kind = ValueKind::kChoice,
       .choices = {"pool-rejection", "pool-importance", "pool-walk-mh",
                   "pool-walk-md", "pool-queries", "bharat-broder",
                   "random-searches", "random-ip"},
       .set = SetText<&SampleOptions::sampler, &SamplerOptions::name>},
      {.name = "--lexicon",
       .value = "FILE",
       .help = "terms to ask for, from 'twinset lexicon build'",
       .long_help = "Also says which words of a page are rare (--check). Build "
                    "it by 'twinset lexicon build --min-df 1 --drop-common 0 "
                    "--drop-rare 0' of pages like those of the engines.",
       .kind = ValueKind::kFile,
       .set = SetText<&SampleOptions::sampler, &SamplerOptions::lexicon>},
      {.name = "--queries",
       .value = "FILE",
       .help = "queries to ask, one a line, instead of terms of a lexicon",
       .kind = ValueKind::kFile,
       .set = SetText<&SampleOptions::sampler, &SamplerOptions::queries>},
      {.name = "--size",
       .short_name = 'n',
       .value = "N",
       .help = "pages to draw from each engine",
       .long_help = "Of pool-queries and random-searches: queries.",
       .default_text = "100",
       .set = SetCount<&SampleOptions::sampler, &SamplerOptions::size>},
      {.name = "--min-df",
       .value = "N",
       .help = "terms of the lexicon in fewer documents are not asked for",
       .default_text = "1",
       .set = SetCount<&SampleOptions::sampler, &SamplerOptions::min_df>},
      {.name = "--max-df",
       .value = "N",
       .help = "terms of the lexicon in more documents are not asked for; 0: "
               "all are",
       .default_text = "0",
       .set = SetCount<&SampleOptions::sampler, &SamplerOptions::max_df>},
      {.name = "--terms",
       .value = "M",
       .help = "terms of the lexicon in one query; 0: the sampler's own number",
       .long_help = "bharat-broder: 2, with --any 4. The others: 1.",
       .default_text = "0",
       .set = SetInt<0, 32, &SampleOptions::sampler, &SamplerOptions::terms>},
      {.name = "--any",
       .help = "a page with one of the terms of a query matches (OR)",
       .set = SetSwitch<&SampleOptions::sampler, &SamplerOptions::any>},
      {.name = "--pool",
       .value = "N",
       .help = "queries drawn into the pool when --terms is above 1",
       .default_text = "10000",
       .set = SetCount<&SampleOptions::sampler, &SamplerOptions::pool>},
      {.name = "--limit",
       .short_name = 'k',
       .value = "K",
       .help = "results of a query that count; 0: the sampler's own number",
       .long_help =
           "bharat-broder takes a page of the first K (100). Pools discard "
           "queries with more than K results (100). random-searches discards "
           "queries with K results or more over all engines (600).",
       .default_text = "0",
       .set =
           SetInt<0, 100000, &SampleOptions::sampler, &SamplerOptions::limit>},
      {.name = "--least-degree",
       .value = "C",
       .help = "pool-rejection: a page is accepted with C / degree",
       .long_help = "Above 1 fewer trials are in vain, and pages of a lower "
                    "degree come too seldom, which is told.",
       .default_text = "1",
       .is_laboratory = true,
       .set =
           SetNumber<&SampleOptions::sampler, &SamplerOptions::least_degree>},
      {.name = "--most-degree",
       .value = "D",
       .help = "pool-walk-md: the bound of the degrees; 0: found out",
       .default_text = "0",
       .is_laboratory = true,
       .set = SetNumber<&SampleOptions::sampler, &SamplerOptions::most_degree>},
      {.name = "--burn-in",
       .value = "N",
       .help = "walks: moves before the first draw",
       .default_text = "500",
       .is_laboratory = true,
       .set = SetInt<0, 1000000000, &SampleOptions::sampler,
                     &SamplerOptions::burn_in>},
      {.name = "--thin",
       .value = "N",
       .help = "walks: moves between two draws",
       .default_text = "100",
       .is_laboratory = true,
       .set = SetInt<1, 1000000000, &SampleOptions::sampler,
                     &SamplerOptions::thin>},
      {.name = "--probe-degrees",
       .help = "pool-rejection, pool-importance: fewer queries for the degree "
               "of a page",
       .long_help = "Asks until 1 / degree is right on average instead of for "
                    "every query that the page matches. As uniform; the field "
                    "degree is then no count.",
       .is_laboratory = true,
       .set =
           SetSwitch<&SampleOptions::sampler, &SamplerOptions::probe_degrees>},
      {.name = "--second-pool",
       .value = "FILE",
       .help =
           "pool-queries: a lexicon or a file of queries as the second pool",
       .kind = ValueKind::kFile,
       .is_laboratory = true,
       .set = SetText<&SampleOptions::sampler, &SamplerOptions::second_pool>},
      {.name = "--check",
       .help = "look each page up in the other engines",
       .long_help =
           "By strong queries of its rarest words; writes overlaps.csv.",
       .set = SetSwitch<&SampleOptions::checking, &CheckingOptions::check>},
      {.name = "--copies",
       .help = "say of each page whether its engine has a near-duplicate at "
               "another address",
       .long_help =
           "The field duplicate: true or false, for 'twinset estimate share "
           "--of duplicate'. Found by strong queries of its rarest words, so "
           "copies that lack one of them are missed: fewer words find more.",
       .set = SetSwitch<&SampleOptions::checking, &CheckingOptions::copies>},
      {.name = "--check-queries",
       .value = "N",
       .help = "strong queries for a page",
       .long_help = "Five of six words each find more than one of eight.",
       .default_text = "1",
       .set =
           SetInt<1, 100, &SampleOptions::checking, &CheckingOptions::queries>},
      {.name = "--check-words",
       .value = "N",
       .help = "words of a strong query",
       .default_text = "8",
       .set = SetInt<1, 32, &SampleOptions::checking, &CheckingOptions::words>},
      {.name = "--check-fetches",
       .value = "N",
       .help = "results fetched to find a page at another address; 0: none",
       .default_text = "10",
       .set = SetInt<0, 1000, &SampleOptions::checking,
                     &CheckingOptions::fetches>},
      {.name = "--content-threshold",
       .value = "T",
       .help = "resemblance from which a result is the page",
       .default_text = "0.9",
       .set = SetShare<&SampleOptions::checking,
                       &CheckingOptions::content_threshold>},
      {.name = "--replay",
       .help = "take every answer from the folder and ask nobody",
       .long_help = "The result is the same, byte for byte.",
       .group = FlagGroup::kOutput,
       .set = SetSwitch<&SampleOptions::replay>}};
}

Command SampleCommand() {
  return {
      .name = "sample",
      .group = CommandGroup::kStudies,
      .operands = "ENGINE...",
      .help = "random pages of search engines, and in which of them each is",
      .long_help =
          "Asks each ENGINE (as 'twinset engine query' takes it) through its "
          "public interface alone and writes sample.jsonl: one page per line "
          "with the weight that makes the sample uniform, its length, host, "
          "language and what else is known of it. With --check every page is "
          "looked up in the other engines by its rarest words; overlaps.csv is "
          "what 'twinset estimate relative' reads.\n\nA query of random words "
          "finds long pages more often than short ones. The pool- samplers "
          "know how many of the queries they can ask find a page, and correct "
          "for it exactly; bharat-broder and random-searches do not, and say "
          "so.\n\nEvery answer is recorded in the folder: --resume goes on "
          "after an interruption, --replay draws again without asking "
          "anybody.\n\nThe sampler random-ip takes no engine: it asks random "
          "addresses of --networks for a web server and crawls those it finds.",
      .examples =
          {{"twinset sample a.engine b.engine --lexicon words --check --out s",
            "100 uniform pages of each, and in which of the two they are"},
           {"twinset sample a.engine --sampler pool-queries --lexicon words "
            "--size 500 --out s",
            "what the size of the corpus is estimated from"},
           {"twinset sample a.engine b.engine --sampler random-searches "
            "--queries log.txt --out s",
            "two engines compared by the queries of a log"},
           {"twinset sample --sampler random-ip --networks 127.16.0.0/12 "
            "--port 8080 --out s",
            "how many servers a network has, and how many pages they have"}},
      .everyday = {"--out", "--sampler", "--lexicon", "--queries", "--size",
                   "--check", "--networks", "--delay", "--max-requests",
                   "--seed", "--report", "--resume", "--json", "--overwrite",
                   "--quiet"},
      .parameters = {.also = {"seed"}},
      .shared = {"--out", "--report", "--overwrite", "--resume", "--json",
                 "--progress", "--config", "--networks", "--delay", "--timeout",
                 "--max-requests", "--allow-programs"},
      .texts =
          {{.name = "--seed",
            .help = "of all that is drawn at random",
            .long_help = ""},
           {.name = "--out",
            .help = "folder for the sample",
            .long_help = "Holds sample.jsonl, summary.json and the recorded "
                         "answers. A folder that exists is refused unless "
                         "--overwrite or --resume is given, and always when it "
                         "holds anything that twinset did not make."},
           {.name = "--resume",
            .help = "continue an interrupted sample",
            .long_help =
                "Give the same command again and add this flag. Answers that "
                "were recorded in the folder are not asked for again."},
           kSummaryAsJson,
           {.name = "--networks",
            .long_help =
                "Without it nothing is asked of loopback, private, link-local "
                "and other special addresses or of the metadata services of "
                "clouds, whatever name, link or redirect leads there. Of "
                "random-ip: the networks (IPv4) whose addresses are drawn; "
                "nothing is asked outside of them. Name only networks that are "
                "yours or that allow it. May be repeated."},
           {.name = "--timeout",
            .long_help = "Of pages 20, of engines 30, of random-ip 5, unless "
                         "it is given.",
            .default_text = "(5 to 30)"},
           {.name = "--max-requests",
            .long_help = "Then the command stops, and the same one with "
                         "--resume goes on. Recorded answers cost nothing."}},
      .flags = Join({SampleFlags(), RandomIpFlags()}),
      .refusals = {{{"--threads"}, "each step depends on the one before"},
                   {{"--memory"}, "it holds the pool of its queries"},
                   kNoWorkFiles,
                   {{"--strict"}, "it reads no documents"},
                   kPrintsText},
      .run = RunSample};
}

}  // namespace

const Registration kSample(SampleCommand);

}  // namespace twinset::cli
