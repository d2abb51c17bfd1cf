// twinset engine: build, ask and show search engines.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/commands.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/json.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kEngineName = "engine";
constexpr size_t kShownBytes = 160;  // of a page's text, for people

std::string OneLine(const Json& row) { return row.dump(); }

int TellUsage(std::string message, std::string remedy) {
  return TellError(
      kEngineName,
      {ErrorCode::kUsage, std::move(message), {}, std::move(remedy)});
}

// Flags of one of build, query and show say nothing to the others. Those whose
// help begins with what they are of are refused before.
Status CheckFlags(const Request& request, bool build, bool query) {
  constexpr std::string_view kOfBuild[] = {
      "--type",        "--name",      "--rank",   "--database", "--keep-fields",
      "--drop-fields", "--max-depth", "--share",  "--host-cap", "--first-words",
      "--anchors",     "--content",   "--parser", "--tokens"};
  constexpr std::string_view kOfAsking[] = {"--networks", "--delay",
                                            "--timeout", "--allow-programs",
                                            "--max-requests"};
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
    const FlagGroup group = [&name = name] {
      for (const Flag& flag : Flags()) {
        if (flag.name == name && (flag.commands & kEngineBit) != 0)
          return flag.group;
      }
      return FlagGroup::kGeneral;
    }();
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

Json CountsRow(const EngineBuildOptions& options,
               const EngineBuildCounts& counts, uint64_t quarantined) {
  return {{"engine", options.out},
          {"checksum", counts.checksum},
          {"read", counts.read},
          {"documents", counts.documents},
          {"anchors", counts.anchors},
          {"duplicates", counts.duplicates},
          {"dropped", counts.dropped},
          {"too_deep", counts.too_deep},
          {"beyond_share", counts.beyond_share},
          {"beyond_host_cap", counts.beyond_host_cap},
          {"quarantined", quarantined}};
}

std::string CountsText(const EngineBuildCounts& counts) {
  std::string text =
      fmt::format("{} documents indexed, of {} read\n",
                  Grouped(counts.documents), Grouped(counts.read));
  const auto add = [&text](uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{} {}\n", Grouped(count), what);
  };
  add(counts.anchors, "of them pages known by links only");
  add(counts.duplicates, "left out: the address was there");
  add(counts.dropped, "left out by --drop-fields");
  add(counts.too_deep, "left out by --max-depth");
  add(counts.beyond_share, "left out by --share");
  add(counts.beyond_host_cap, "left out by --host-cap");
  return text;
}

int Build(const Request& request) {
  if (request.operands.size() < 2) {
    return TellUsage("no input is given",
                     "twinset engine build INPUT... --out DIR");
  }
  EngineBuildOptions options = request.study->engine_build;
  options.input = request.options.input;
  options.input.inputs.assign(request.operands.begin() + 1,
                              request.operands.end());
  options.features = request.options.features;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.answers = request.study->engine_query.answers;
  options.index.seed = options.answers.seed = request.options.method.seed;
  ProgressTeller progress(kEngineName, request);
  options.on_progress = [&](const Progress& now) { progress.Update(now); };
  const StopOnSignal stop;
  options.stop = stop.flag();
  uint64_t quarantined = 0;
  const auto counts = BuildEngine(options, [&](const RejectedRecord& record) {
    quarantined += record.quarantined;
  });
  progress.Clear();
  if (!counts)
    return TellErrorOrStop(kEngineName, counts.error(), stop.signal());
  Output out;
  if (request.json) {
    out.Line(OneLine(CountsRow(options, *counts, quarantined)));
  } else if (!request.quiet) {
    out.Write(CountsText(*counts));
    out.Line(fmt::format("next: twinset engine query {} WORD...",
                         ShellQuoted(options.out)));
  }
  TellQuarantined(kEngineName, quarantined);
  return out.Finish(kEngineName);
}

Json ResultRow(const EngineResult& result, size_t rank) {
  Json row = {{"rank", rank}, {"url", result.url}};
  if (!result.fetched) return row;
  if (!result.failed.empty()) {
    row["failed"] = result.failed;
    return row;
  }
  row["title"] = result.title;
  row["date"] = result.date;
  row["language"] = result.language;
  row["text"] = result.text;
  return row;
}

std::string ResultText(const EngineResult& result) {
  std::string text = Printable(result.url) + "\n";
  if (!result.failed.empty())
    return text + "    not fetched: " + Printable(result.failed) + "\n";
  if (!result.title.empty()) text += "    " + Printable(result.title) + "\n";
  if (!result.text.empty()) {
    const bool cut = result.text.size() > kShownBytes;
    std::string shown = result.text.substr(0, kShownBytes);
    // Not in the middle of a character.
    while (cut && !shown.empty() && (shown.back() & 0xc0) == 0x80)
      shown.pop_back();
    if (cut && !shown.empty() && (shown.back() & 0x80) != 0) shown.pop_back();
    for (char& c : shown) {
      if (c == '\n' || c == '\t') c = ' ';
    }
    text += "    " + Printable(shown) + (cut ? " ...\n" : "\n");
  }
  return text;
}

int Query(const Request& request) {
  if (request.operands.size() < 3) {
    return TellUsage("an engine and a word are needed",
                     "twinset engine query ENGINE WORD...");
  }
  EngineQueryOptions options = request.study->engine_query;
  options.engine = request.operands[1];
  options.words.assign(request.operands.begin() + 2, request.operands.end());
  options.answers.seed = request.options.method.seed;
  options.fetching = request.study->fetching;
  const auto result = QueryEngine(options);
  if (!result) return TellError(kEngineName, result.error());
  Output out;
  if (request.json) {
    Json row = {{"terms", result->terms}};
    row["hits"] = result->hits_known ? Json(result->hits) : Json();
    out.Line(OneLine(row));
    for (size_t i = 0; i < result->results.size(); ++i)
      out.Line(OneLine(ResultRow(result->results[i], i + 1)));
    return out.Finish(kEngineName);
  }
  for (const EngineResult& found : result->results)
    out.Write(ResultText(found));
  if (!request.quiet) {
    out.Line(result->hits_known
                 ? fmt::format("{} of {} results", result->results.size(),
                               Grouped(result->hits))
                 : fmt::format("{} results", result->results.size()));
  }
  return out.Finish(kEngineName);
}

int Show(const Request& request) {
  if (request.operands.size() != 2) {
    return TellUsage("one engine is shown at a time",
                     "twinset engine show ENGINE");
  }
  const auto summary = ShowEngine(request.operands[1], request.study->fetching);
  if (!summary) return TellError(kEngineName, summary.error());
  Output out;
  if (request.json) {
    out.Write(summary->json);
    return out.Finish(kEngineName);
  }
  out.Line(fmt::format("{}: an engine of type {}", Printable(summary->name),
                       Printable(summary->type)));
  out.Line(summary->documents < 0
               ? "how many documents it has is not known"
               : fmt::format("{} documents", Grouped(static_cast<uint64_t>(
                                                 summary->documents))));
  out.Line("checksum " + summary->checksum);
  out.Write(Printable(summary->json, /*lines=*/true));
  return out.Finish(kEngineName);
}

}  // namespace

int RunEngine(const Request& request) {
  if (const Status noun = CheckNoun(kEngineName, request); !noun)
    return TellError(kEngineName, noun.error());
  const std::string& what = request.operands.front();
  const bool build = what == "build", query = what == "query";
  if (const Status flags = CheckFlags(request, build, query); !flags)
    return TellError(kEngineName, flags.error());
  return build ? Build(request) : query ? Query(request) : Show(request);
}

}  // namespace twinset::cli
