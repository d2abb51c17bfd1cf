// twinset estimate.
#include "twinset/measure/estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/measure/choices.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kEstimateName = "estimate";

Result<Estimand> WhatOf(const std::vector<std::string>& operands) {
  const auto names = ChoiceNames<Estimand>();
  std::string message = "what to estimate is not said", meant;
  if (!operands.empty()) {
    if (const auto what = FindChoice<Estimand>(operands.front())) return *what;
    message = "'" + operands.front() + "' cannot be estimated";
    meant = DidYouMean(operands.front(), names);
  }
  return Fail(ErrorCode::kUsage, std::move(message), "",
              fmt::format("{}{}use one of: {}", meant, meant.empty() ? "" : " ",
                          fmt::join(names, ", ")));
}

// --report takes no value, so a page named behind it is an operand.
Status CheckNoPage(const Request& request) {
  if (!request.options.report) return {};
  for (const std::string& operand : request.operands)
    if (operand.ends_with(".html") || operand.ends_with(".htm"))
      return Fail(ErrorCode::kUsage, "--report takes no file", operand,
                  "--html FILE writes the page into a file");
  return {};
}

int RunEstimate(const Request& request) {
  if (const Status page = CheckNoPage(request); !page)
    return TellError(kEstimateName, page.error());
  auto options = JobOptionsOf<EstimateOptions>(request);
  options.seed = request.options.method.seed;
  const auto what = WhatOf(request.operands);
  if (!what) return TellError(kEstimateName, what.error());
  options.what = *what;
  options.inputs.assign(request.operands.begin() + 1, request.operands.end());
  return RunToResult(kEstimateName, request, options, Estimate);
}

// "12/40".
Result<FoundOf> ParseFound(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != text.npos) {
    const auto found = ParseCount(text.substr(0, slash));
    const auto looked = ParseCount(text.substr(slash + 1));
    if (found && looked && *found <= *looked && *looked > 0)
      return FoundOf{*found, *looked};
  }
  return Fail(ErrorCode::kUsage,
              fmt::format("'{}' is not K/N with K at most N", text));
}

template <auto... Path>
Status OfFound(const Values& values, Request* request) {
  TWINSET_ASSIGN(At<Path...>(*request), ParseFound(values.back()));
  return {};
}

Status Known(const Values& values, Request* request) {
  const std::string& text = values.back();
  const size_t equals = text.rfind('=');
  EstimateOptions& options = request->Of<EstimateOptions>();
  if (equals == text.npos || equals == 0)
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not ENGINE=SIZE", text));
  options.known_engine = text.substr(0, equals);
  TWINSET_ASSIGN(options.known_size, ParseNumber(text.substr(equals + 1)));
  if (!(options.known_size > 0))
    return Fail(ErrorCode::kUsage,
                fmt::format("the size in '{}' is not above 0", text));
  return {};
}

std::vector<Flag> EstimateFlags() {
  return {
      {.name = "--n1",
       .value = "N",
       .help = "capture-recapture: individuals in the first capture",
       .set = SetCount<&EstimateOptions::n1>},
      {.name = "--n2",
       .value = "N",
       .help = "capture-recapture: individuals in the second capture",
       .set = SetCount<&EstimateOptions::n2>},
      {.name = "--m",
       .value = "N",
       .help = "capture-recapture: individuals in both",
       .set = SetCount<&EstimateOptions::m>},
      {.name = "--a-in-b",
       .value = "K/N",
       .help = "relative: of N pages drawn from A, K are in B",
       .long_help = "Together with --b-in-a, instead of a file.",
       .set = OfFound<&EstimateOptions::a_in_b>},
      {.name = "--b-in-a",
       .value = "K/N",
       .help = "relative: of N pages drawn from B, K are in A",
       .set = OfFound<&EstimateOptions::b_in_a>},
      {.name = "--pool",
       .value = "N",
       .help =
           "size: queries in the pool from which those of the file were drawn",
       .set = SetCount<&EstimateOptions::pool>},
      {.name = "--pool-b",
       .value = "N",
       .help = "size: queries in the second pool",
       .default_text = "(--pool)",
       .set = SetCount<&EstimateOptions::second_pool>},
      {.name = "--matched",
       .value = "K/N",
       .help = "size: of N uniform pages, K match a query of the pool",
       .long_help = "Without it, and without a second pool, the size is that "
                    "of what the pool matches.",
       .set = OfFound<&EstimateOptions::matched>},
      {.name = "--known",
       .value = "ENGINE=N",
       .help = "size: the file has overlaps, and this engine N pages",
       .set = Known},
      {.name = "--count-copies",
       .help = "count a copy of a page at another address as the page",
       .long_help =
           "For relative, coverage and size --known. Without it pages are "
           "counted by their addresses. With it sizes "
           "are right only if all engines have equally many copies of the "
           "pages that they share.",
       .set = SetSwitch<&EstimateOptions::count_copies>},
      {.name = "--trials",
       .value = "N",
       .help = "servers: addresses that were asked",
       .set = SetCount<&EstimateOptions::trials>},
      {.name = "--addresses",
       .value = "N",
       .help = "servers: addresses that there are",
       .set = SetCount<&EstimateOptions::addresses>},
      {.name = "--html",
       .value = "FILE",
       .help = "also write the page into a file, without a folder",
       .long_help = "A file of HTML that needs nothing else. One that exists "
                    "is refused.",
       .default_text = "(not written)",
       .group = FlagGroup::kOutput,
       .kind = ValueKind::kFile,
       .set = SetText<&EstimateOptions::html>},
      {.name = "--of",
       .value = "EXPRESSION",
       .help = "the value of a row that is estimated",
       .long_help = "Fields of the row (dots reach into objects), numbers, "
                    "\"texts\", true, false; == != < <= > >=, and, or, not, + "
                    "- * /, parentheses; length(x), lower(x), host(url), "
                    "year(date), prefix(x, y), suffix(x, y), contains(x, y), "
                    "exists(x). Of servers: the number of pages.",
       .set = SetText<&EstimateOptions::of>},
      {.name = "--x",
       .value = "EXPRESSION",
       .help = "ratio: the numerator of a row",
       .default_text = "x",
       .set = SetText<&EstimateOptions::x>},
      {.name = "--y",
       .value = "EXPRESSION",
       .help = "ratio: the denominator of a row",
       .default_text = "y",
       .set = SetText<&EstimateOptions::y>},
      {.name = "--weights",
       .value = "HOW",
       .help = "share, mean, quantile: how weights of rows are used",
       .long_help =
           "auto and hajek: divided by their sum, so that they need be known "
           "only up to a factor. ht: as 1 / probability of a draw; needs "
           "--total. none: not at all, which shows the bias of the sampler.",
       .default_text = "auto",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<EstimateWeights>(),
       .is_laboratory = true,
       .set = SetPick<&EstimateOptions::weights>},
      {.name = "--total",
       .value = "N",
       .help = "with --weights ht, pages in the population",
       .set = SetCount<&EstimateOptions::total>},
      {.name = "--quantile",
       .value = "Q",
       .help = "quantile: which one; 0.5 is the median",
       .default_text = "0.5",
       .set = SetProbability<&EstimateOptions::quantile>},
      {.name = "--replicas",
       .value = "N",
       .help = "samples drawn again for bootstrap intervals; 0: none",
       .default_text = "1000",
       .set = SetInt<0, 100000, &EstimateOptions::replicas>}};
}

Command EstimateCommand() {
  return {
      .name = "estimate",
      .group = CommandGroup::kStudies,
      .operands = "WHAT ...",
      .help = "sizes, overlaps and shares from samples, with intervals",
      .long_help =
          "WHAT is one of these; FILE is CSV with a header or JSON "
          "lines.\n\nshare, mean, quantile SAMPLE...: any value of the pages "
          "of an index or a web, by --of, from a weighted sample; walk "
          "SAMPLE...: whether a walk has forgotten its start and how many "
          "independent pages it is worth.\n\nrelative FILE: sizes of engines "
          "from how much of each is in the others, the first being 1; coverage "
          "SAMPLE...: the same from samples drawn with --check, and what all "
          "engines have together.\n\nsize FILE: pages of a corpus from queries "
          "of a pool (--pool), or of engines from overlaps and one known size "
          "(--known). servers FILE: pages per server, and with --trials and "
          "--addresses how many there are.\n\ncapture-recapture, schnabel "
          "FILE: a population from what was caught again. ratio FILE: three "
          "estimators of x / y.\n\nNotes below the numbers say why they may be "
          "wrong. Intervals are of 95 %.",
      .nouns = EstimateNames(),
      .examples =
          {{"twinset estimate share s/sample.jsonl --of 'spam == true'",
            "the share of spam, corrected for what the sampler prefers"},
           {"twinset estimate relative s/overlaps.csv",
            "which engine is how much larger"},
           {"twinset estimate capture-recapture --n1 100 --n2 100 --m 20",
            "484.8, between 360 and 762"}},
      .everyday = {"--of", "--weights", "--quantile", "--n1", "--n2", "--m",
                   "--a-in-b", "--b-in-a", "--pool", "--matched", "--known",
                   "--trials", "--addresses", "--out", "--report", "--html",
                   "--json", "--overwrite", "--quiet"},
      .parameters = {.also = {"seed"}},
      .shared = {"--out", "--report", "--overwrite", "--json", "--progress",
                 "--config"},
      .texts =
          {{.name = "--seed",
            .help = "of the samples drawn again for bootstrap intervals",
            .long_help = ""},
           {.name = "--out",
            .help = "folder for summary.json",
            .long_help = "summary.json is what --json prints; 'twinset report "
                         "DIR --figures DIR' makes tables for a paper of it. A "
                         "folder that exists is refused unless --overwrite is "
                         "given, and always when it holds an input or anything "
                         "that twinset did not make."},
           {.name = "--json",
            .help =
                "print one JSON object: the estimate, its error and interval"},
           kOnlyTheAnswer},
      .flags = EstimateFlags(),
      .refusals = {kComputesOnOneThread,
                   {{"--memory"}, "it holds little"},
                   kNoWorkFiles,
                   kBeginsAnew,
                   {{"--strict"}, "it reads no documents"},
                   kPrintsText},
      .run = RunEstimate};
}

}  // namespace

const Registration kEstimate(EstimateCommand);

}  // namespace twinset::cli
