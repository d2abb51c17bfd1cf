// twinset explain ID RUN
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/explanation.h"
#include "cli/job.h"
#include "cli/values.h"
#include "twinset/decision.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kExplainName = "explain";

// What may be said beside ID and RUN: all else is as the run had it.
constexpr std::string_view kAllowed[] = {"--in",   "--against", "--networks",
                                         "--json", "--html",    "--quiet",
                                         "-q",     "--progress"};

Status CheckFlags(const Request& request) {
  for (const auto& [name, value] : request.given) {
    if (std::find(std::begin(kAllowed), std::end(kAllowed), name) !=
        std::end(kAllowed))
      continue;
    return Fail(
        ErrorCode::kUsage,
        name + " is as the run of " + NameText(request.operands[1]) + " had it",
        {}, "leave it out");
  }
  if (!request.against.empty() && request.in.empty()) {
    return Fail(ErrorCode::kUsage,
                "--against is given without the inputs of the first side", {},
                "twinset explain ID RUN --in A --against B");
  }
  return {};
}

std::string DecisionText(const DocumentDecision& decision) {
  std::string text =
      Printable(decision.sentence) + "\n" + Printable(decision.rule) + "\n";
  if (decision.neighbours.size() > 1) {
    text += fmt::format("\nThe run lists {} with it, most similar first:\n",
                        CountText(decision.pairs, "pair"));
    for (const DecisionNeighbour& neighbour : decision.neighbours) {
      text += fmt::format("  {:.4f}  {}\n", neighbour.similarity,
                          Printable(neighbour.id));
    }
  }
  if (!decision.note.empty()) text += "\n" + Printable(decision.note) + "\n";
  if (decision.explanation)
    text += "\n" + ExplanationText(*decision.explanation);
  return text;
}

}  // namespace

int RunDecision(const Request& request) {
  if (const Status status = CheckFlags(request); !status)
    return TellError(kExplainName, status.error());
  DecisionOptions options;
  options.id = request.operands[0];
  options.folder = request.operands[1];
  options.inputs = request.in;
  options.against = request.against;
  options.networks = request.options.input.networks;
  return RunShown(
      kExplainName, request, options, {},
      [&](const DecisionOptions& given) -> Result<DocumentDecision> {
        TWINSET_ASSIGN(const DocumentDecision decision, ExplainDecision(given));
        if (!request.html.empty())
          TWINSET_TRY(WriteExplanationPage(
              ExplanationPage(&decision, decision.explanation
                                             ? &*decision.explanation
                                             : nullptr),
              request.html, request.in));
        return decision;
      },
      [&](const DocumentDecision& decision, uint64_t, Output* out) {
        out->Write(request.json ? JsonText(decision) : DecisionText(decision));
        return std::string();
      });
}

}  // namespace twinset::cli
