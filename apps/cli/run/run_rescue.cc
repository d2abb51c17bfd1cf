// twinset rescue.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/rescue.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kRescueName = "rescue";

std::string JsonRow(const RescuedPage& page) {
  const bool found = page.status == RescueStatus::kFound;
  Json row;
  row["url"] = page.url;
  row["status"] = page.status;
  row["found"] = found ? Json(page.found) : Json();
  row["similarity"] = page.similarity;
  row["signature"] = page.signature;
  row["query_terms"] = found ? Json(page.query_terms) : Json();
  row["rank"] = found ? Json(page.rank) : Json();
  row["queries"] = page.queries;
  row["candidates"] = page.candidates;
  row["sisters"] = page.sisters;
  row["robust_link"] = page.robust_link;
  return row.dump();
}

std::string TextRow(const RescuedPage& page) {
  std::string words;
  for (const std::string& word : page.signature)
    words += (words.empty() ? "" : " ") + Printable(word);
  std::string text =
      fmt::format("{:<9}  {}\n", ChoiceName(page.status), Printable(page.url));
  if (page.status == RescueStatus::kFound) {
    text += fmt::format("           {}  {:.3f}\n", Printable(page.found),
                        page.similarity);
  }
  if (!words.empty()) text += fmt::format("           {}\n", words);
  if (page.status == RescueStatus::kSignature)
    text += fmt::format("           {}\n", Printable(page.robust_link));
  return text;
}

std::string SummaryLine(const RescueSummary& summary) {
  if (summary.signatures > 0) {
    return fmt::format(
        "{} of {} pages have a signature, {} are too short, {} without a "
        "copy\n",
        Grouped(summary.signatures), Grouped(summary.pages),
        Grouped(summary.too_short), Grouped(summary.no_copy));
  }
  return fmt::format(
      "{} of {} pages found, {} not, {} too short, {} without a copy, {} still "
      "there; {} queries, {} candidates, {} of them sister pages\n",
      Grouped(summary.found), Grouped(summary.pages),
      Grouped(summary.not_found), Grouped(summary.too_short),
      Grouped(summary.no_copy), Grouped(summary.live), Grouped(summary.queries),
      Grouped(summary.candidates), Grouped(summary.sisters));
}

Status CheckRequest(const Request& request) {
  if (request.operands.empty() == request.study->rescue_all) return {};
  return Fail(ErrorCode::kUsage,
              request.study->rescue_all ? "--all goes without addresses"
                                        : "no page to look for is given",
              {}, "twinset rescue URL... --from INPUT --in ENGINE, or --all");
}

}  // namespace

int RunRescue(const Request& request) {
  if (const Status status = CheckRequest(request); !status)
    return TellError(kRescueName, status.error());
  RescueOptions options = request.study->rescue;
  options.fetching = request.study->fetching;
  const auto inputs = options.copies.inputs;
  options.copies = request.options.input;
  options.copies.inputs = inputs;
  options.features = request.options.features;
  options.urls = request.operands;
  ProgressTeller progress(kRescueName, request);
  StopOnSignal stop;
  options.stop = stop.flag();
  options.on_progress = [&](const Progress& now) {
    stop.LetConclude();
    progress.Update(now);
  };
  Output out;
  const auto summary = Rescue(options, [&](const RescuedPage& page) {
    if (request.json) return out.Line(JsonRow(page));
    return out.Write(TextRow(page));
  });
  progress.Clear();
  if (!summary) {
    if (summary.error().code == ErrorCode::kInterrupted && stop.signal() != 0)
      return 128 + stop.signal();
    return TellError(kRescueName, summary.error());
  }
  TellWarnings(kRescueName, summary->warnings);
  if (!request.json && !request.quiet) out.Write(SummaryLine(*summary));
  return out.Finish(kRescueName);
}

}  // namespace twinset::cli
