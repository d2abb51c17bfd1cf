// The page of an explanation, for people.
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "explain/pair_blocks.h"
#include "report/html_report.h"
#include "twinset/decision.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kIdBytes = 200;

void AddNeighbours(const DocumentDecision& decision, HtmlReport* page) {
  if (decision.neighbours.empty()) return;
  html::Table table;
  table.caption = "Documents that the run lists a pair with";
  table.columns = {{"document"}, {"similarity", true}};
  for (const DecisionNeighbour& neighbour : decision.neighbours) {
    table.rows.push_back({Cell::Text(NameText(neighbour.id)),
                          Cell::Fixed(neighbour.similarity, 4)});
  }
  page->Add(table);
  if (decision.pairs > decision.neighbours.size()) {
    page->Add(html::Note{"These are the most similar of " +
                         CountText(decision.pairs, "pair") + "."});
  }
}

html::Lead LeadOf(const Explanation& e) {
  return {"The two are " + std::string(ChoiceName(e.kind)) + ": " +
              FixedText(e.jaccard, 3) + " of their shingles are in both.",
          "A reader would call them near-duplicates with probability " +
              FixedText(e.grade.probability, 3) + ": " + e.grade.reason + "."};
}

}  // namespace

std::string v1::ExplanationPage(const DocumentDecision* decision,
                                const Explanation* explanation) {
  const std::string of =
      decision != nullptr
          ? "Why " + Shortened(NameText(decision->id), kIdBytes) + " was " +
                std::string(ChoiceName(decision->fate))
          : "Two documents beside each other";
  HtmlReport page(of);
  if (decision != nullptr)
    page.Add(html::Lead{decision->sentence, decision->rule});
  else if (explanation != nullptr)
    page.Add(LeadOf(*explanation));
  if (explanation != nullptr) {
    const bool is_dropped =
        decision != nullptr && decision->fate == Fate::kDropped;
    page.Add(PairBlock(*explanation, is_dropped ? "stays" : "",
                       is_dropped ? "dropped" : ""));
    page.Add(MeasuresBlock(*explanation));
  }
  if (decision != nullptr) {
    if (!decision->note.empty()) page.Add(html::Note{decision->note});
    AddNeighbours(*decision, &page);
  }
  return std::move(page).Finish();
}

Status v1::WriteExplanationPage(const std::string& page,
                                const std::string& path,
                                const std::vector<std::string>& inputs) try {
  TWINSET_TRY(CheckResultFile(
      {.path = path, .flag = "--html", .overwritable = false}, inputs));
  return WriteWholeFile(path, page);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
