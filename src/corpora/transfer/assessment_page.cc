#include "transfer/assessment_page.h"

#include <string>
#include <utility>

#include "report/html_blocks.h"
#include "transfer/pilot_cells.h"

namespace twinset {
namespace {

void AddPairsToAssess(const std::vector<StudyOf<StudyAssessment>>& steps,
                      KeptPage* page) {
  html::Table table{
      "Pairs to assess", {{"content"}, {"mix"}, {"pairs", true}}, {}};
  for (const auto& [content, step] : steps)
    for (const StudyAssessment::Mix& mix : step.mixes)
      table.rows.push_back(
          {ContentOf(content), Cell::Text(mix.mix), CountOf(mix.pairs)});
  page->Add(html::Paragraph{
      "No labels were given. Make a page for assessors of the files "
      "search.CONTENT.MIX.assess.jsonl by twinset assess, with the inputs of A "
      "as --in and those of B as --against, with --strata none, and name the "
      "labels that they export as labels below [assessment]."});
  page->Add(std::move(table));
}

void AddDecided(const std::vector<StudyOf<StudyAssessment>>& steps,
                KeptPage* page) {
  html::Table table{"Of the pairs that people decide, near-duplicates by",
                    {{"content"},
                     {"mix"},
                     {"pairs", true},
                     {"labelled", true},
                     {"unsure", true},
                     {"people", true},
                     {"J", true},
                     {"grade", true},
                     {"J agrees", true},
                     {"grade agrees", true}},
                    {}};
  for (const auto& [content, step] : steps)
    for (const StudyAssessment::Mix& mix : step.mixes)
      table.rows.push_back({ContentOf(content), Cell::Text(mix.mix),
                            CountOf(mix.pairs), CountOf(mix.labelled),
                            CountOf(mix.unsure),
                            ShareWithInterval(mix.by_people),
                            ShareWithInterval(mix.by_similarity),
                            ShareWithInterval(mix.by_grade),
                            ShareWithInterval(mix.similarity_agrees),
                            ShareWithInterval(mix.grade_agrees)});
  page->Add(std::move(table));
}

void AddTransfers(const std::vector<StudyOf<StudyAssessment>>& steps,
                  KeptPage* page) {
  html::Table table{"Transfer along the labelled pairs",
                    {{"content"},
                     {"under"},
                     {"at least", true},
                     {"pairs", true},
                     {"judgements with a target", true},
                     {"transferred", true},
                     {"by grade"}},
                    {}};
  for (const auto& [content, step] : steps)
    for (const StudyAssessment::Transfer& row :
         step.transfer.value_or(std::vector<StudyAssessment::Transfer>()))
      table.rows.push_back(
          {ContentOf(content), Cell::Text(ChoiceName(row.under)),
           NumberOf(row.least), CountOf(row.pairs),
           CountOf(row.judgements_with_target),
           CountOf(row.transferred.judgements),
           Cell::Text(GradesInWords(row.transferred.by_grade))});
  if (!table.rows.empty()) page->Add(std::move(table));
}

}  // namespace

void AddAssessment(const std::vector<StudyOf<StudyAssessment>>& steps,
                   KeptPage* page) {
  page->Add(html::Heading{"What people say"});
  const bool has_labels = !steps.empty() && steps.front().found.labelled_pairs;
  if (!has_labels) return AddPairsToAssess(steps, page);
  AddDecided(steps, page);
  AddTransfers(steps, page);
}

}  // namespace twinset
