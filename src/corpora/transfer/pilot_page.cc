#include "transfer/pilot_page.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/field_list.h"
#include "transfer/assessment_page.h"
#include "transfer/pair_examples.h"
#include "transfer/pilot_cells.h"
#include "transfer/systems_page.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

void AddJudgements(const StudyJudgements& step, KeptPage* page) {
  html::Table table{"Judgements by file and grade",
                    {{"file"},
                     {"judgements", true},
                     {"documents", true},
                     {"topics", true},
                     {"by grade"}},
                    {}};
  const auto row = [&](const std::string& name, const GradeCounts& counts) {
    table.rows.push_back({Cell::Text(name), CountOf(counts.judgements),
                          CountOf(counts.documents), CountOf(counts.topics),
                          Cell::Text(GradesInWords(counts.by_grade))});
  };
  for (const auto& [file, counts] : step.files) row(file, counts);
  row("all", step.all);
  page->Add(std::move(table));
}

void AddOverlap(const StudyAddressOverlap& overlap, KeptPage* page) {
  html::Table table{"Addresses of A that B has too",
                    {{"top-level domain"},
                     {"as written", true},
                     {"under all rules", true},
                     {"of the judged", true}},
                    {}};
  const auto row = [&](const std::string& name, const StudyOverlap& part) {
    table.rows.push_back({Cell::Text(name), ShareOf(part.a_in_b_as_written),
                          ShareWithInterval(part.a_in_b),
                          ShareWithInterval(part.judged_in_b)});
  };
  row("all", overlap);
  for (const StudyTopLevelOverlap& part : overlap.by_top_level)
    row(part.top_level, part);
  page->Add(std::move(table));
}

// How alike documents of one address are, as the end of a row.
std::vector<Cell> RowOf(std::vector<Cell> head, const StudySimilarity& alike) {
  head.insert(head.end(),
              {CountOf(alike.pairs), ShareWithInterval(alike.near_duplicates),
               NumberOf(alike.mean), NumberOf(alike.median)});
  return head;
}

void AddAddresses(const StudyAddresses& step, KeptPage* page) {
  if (!step.overlap) {
    page->Add(html::Note{
        "Of A " + ShareOf(step.without_address.a).text + " and of B " +
        ShareOf(step.without_address.b).text +
        " of the documents have no address: nothing is said of addresses."});
    return;
  }
  AddOverlap(*step.overlap, page);
  html::Table alike{"Documents of one address: how alike they are",
                    {{"documents"},
                     {"content"},
                     {"pairs", true},
                     {"near-duplicates", true},
                     {"mean J", true},
                     {"median J", true}},
                    {}};
  html::Table domains{"The same by top-level domain",
                      {{"top-level domain"},
                       {"documents"},
                       {"content"},
                       {"pairs", true},
                       {"near-duplicates", true},
                       {"mean J", true},
                       {"median J", true}},
                      {}};
  for (const auto& [group, rows] :
       {std::pair("judged", &step.judged), std::pair("all", &step.all)})
    for (const auto& [content, found] : *rows) {
      alike.rows.push_back(
          RowOf({Cell::Text(group), ContentOf(content)}, found));
      for (const StudyTopLevelSimilarity& part : found.by_top_level)
        domains.rows.push_back(RowOf(
            {Cell::Text(part.top_level), Cell::Text(group), ContentOf(content)},
            part));
    }
  page->Add(std::move(alike));
  if (domains.rows.empty()) return;
  page->BeginFolded("By top-level domain");
  page->Add(std::move(domains));
  page->EndFolded();
}

html::Histogram SimilarityBars(const StudySearch& search,
                               const std::array<uint64_t, kStudyBins>& counts,
                               const std::string& of) {
  html::Histogram bars;
  bars.title = "J of " + of + ", " + search.mix + ", content " +
               std::string(ChoiceName(search.content));
  bars.description = "How many have which exact resemblance.";
  bars.x_label = "J";
  bars.y_label = "pairs";
  double low = 0;
  for (const uint64_t count : counts) {
    bars.bins.push_back({low, low + .05, count});
    low += .05;
  }
  return bars;
}

void AddSearches(const std::vector<StudySearch>& searches, KeptPage* page) {
  page->Add(html::Paragraph{
      "A candidate is a pair within the distance of fingerprints. Counts are "
      "of the judged documents that have one; mean, quartiles and most are of "
      "these."});
  html::Table table{"Candidates of the judged documents",
                    {{"mix"},
                     {"content"},
                     {"segment"},
                     {"pairs", true},
                     {"mean", true},
                     {"quartiles", true},
                     {"most", true},
                     {"found", true},
                     {"near-duplicates so far", true}},
                    {}};
  for (const StudySearch& search : searches) {
    if (!search.judged) continue;
    for (const StudySegmentSearch& part : search.judged->segments) {
      std::string quartiles;
      if (part.quartile1 && part.median && part.quartile3)
        quartiles = Cell::Number(*part.quartile1).text + " / " +
                    Cell::Number(*part.median).text + " / " +
                    Cell::Number(*part.quartile3).text;
      Cell found = CountOf(part.found);
      found.below = "so far " + CountOf(part.found_so_far).text;
      table.rows.push_back({Cell::Text(search.mix), ContentOf(search.content),
                            Cell::Text(part.segment), CountOf(part.pairs),
                            NumberOf(part.mean), Cell::Text(quartiles),
                            CountOf(part.most), std::move(found),
                            CountOf(part.near_so_far)});
    }
  }
  page->BeginFolded("By segment");
  page->Add(std::move(table));
  page->EndFolded();
  html::Table all{"Judged documents beside all of A",
                  {{"mix"},
                   {"content"},
                   {"pairs", true},
                   {"of which J at the threshold", true},
                   {"judged found", true},
                   {"pairs of all A", true},
                   {"found of all A", true},
                   {"hub"}},
                  {}};
  for (const StudySearch& search : searches) {
    if (!search.judged) continue;
    const StudyJudgedSearch& judged = *search.judged;
    std::string hub;
    if (!judged.hubs.empty())
      hub = judged.hubs.front().id + ": " +
            CountOf(judged.hubs.front().candidates).text;
    all.rows.push_back(
        {Cell::Text(search.mix), ContentOf(search.content),
         CountOf(judged.pairs), ShareOf(judged.precision_of_pairs),
         ShareWithInterval(judged.found), CountOf(search.all.pairs),
         CountOf(search.all.found), Cell::Text(hub)});
  }
  page->Add(std::move(all));
  page->BeginFolded("Similarity of candidates");
  for (const StudySearch& search : searches) {
    if (search.mix == "complete" || !search.judged) continue;
    page->Add(SimilarityBars(search, search.judged->similarity_of_all,
                             "all candidates"));
    page->Add(SimilarityBars(search, search.judged->similarity_of_best,
                             "the best candidate of each document"));
  }
  page->EndFolded();
}

void AddMixes(const std::vector<StudyOf<StudyMixes>>& steps, KeptPage* page) {
  html::Table table{"Judged documents found, with precision and recall",
                    {{"content"},
                     {"mix"},
                     {"found", true},
                     {"near-duplicate", true},
                     {"precision", true},
                     {"recall", true},
                     {"same address", true}},
                    {}};
  html::Table missed{
      "Documents with a near-duplicate that one mix finds and "
      "another misses",
      {{"content"},
       {"found by"},
       {"missed by"},
       {"with a near-duplicate", true},
       {"with a candidate", true}},
      {}};
  html::Table sizes{"How many have a near-duplicate, by capture and recapture",
                    {{"content"},
                     {"mixes"},
                     {"estimate", true},
                     {"from", true},
                     {"to", true}},
                    {}};
  for (const auto& [mode, step] : steps) {
    const Cell content = ContentOf(mode);
    for (const StudyMixes::Mix& row : step.mixes)
      table.rows.push_back({content, Cell::Text(row.mix), CountOf(row.found),
                            CountOf(row.near), ShareWithInterval(row.precision),
                            ShareWithInterval(row.recall),
                            ShareOf(row.found_with_same_address)});
    for (const StudyMixes::Missed& row : step.missed)
      missed.rows.push_back({content, Cell::Text(row.found_by),
                             Cell::Text(row.missed_by), CountOf(row.near),
                             CountOf(row.found)});
    for (const StudyMixes::Capture& row : step.capture_recapture)
      sizes.rows.push_back({content, Cell::Text(row.one + ", " + row.other),
                            NumberOf(row.size), NumberOf(row.low),
                            NumberOf(row.high)});
  }
  page->Add(std::move(table));
  page->BeginFolded("Beside each other");
  page->Add(std::move(missed));
  page->Add(std::move(sizes));
  page->EndFolded();
}

Cell WhatOf(StudyCount what) {
  return Cell::Text(what == StudyCount::kNear ? "a near-duplicate"
                                              : "a candidate");
}

using Extrapolations = std::vector<StudyOf<StudyExtrapolation>>;

// Where B is a part: what is read where it is whole.
void AddWhole(const Extrapolations& steps, KeptPage* page) {
  html::Table table{"Read where B is whole: fits on all segments there are",
                    {{"content"},
                     {"mix"},
                     {"documents with"},
                     {"in the segments", true},
                     {"segments of the whole", true},
                     {"line", true},
                     {"saturating", true}},
                    {}};
  for (const auto& [content, step] : steps)
    for (const StudyExtrapolation::Mix& row : step.mixes)
      if (row.whole)
        table.rows.push_back(
            {ContentOf(content), Cell::Text(row.mix), WhatOf(row.what),
             CountOf(row.truth), CountOf(row.whole->segments),
             ReadingOf(row.whole->line), ReadingOf(row.whole->saturating)});
  if (!table.rows.empty()) page->Add(std::move(table));
}

void AddExtrapolation(const Extrapolations& steps, KeptPage* page) {
  html::Table first{"Fits on the first segments, read at all of them",
                    {{"content"},
                     {"mix"},
                     {"documents with"},
                     {"true", true},
                     {"line", true},
                     {"its error", true},
                     {"saturating", true},
                     {"its error", true}},
                    {}};
  html::Table random{
      "The same of segments drawn at random: mean errors, and "
      "how many intervals hold the truth",
      {{"content"},
       {"mix"},
       {"documents with"},
       {"line", true},
       {"covered", true},
       {"saturating", true},
       {"covered", true}},
      {}};
  for (const auto& [content, step] : steps) {
    for (const StudyExtrapolation::Mix& row : step.mixes) {
      if (!row.line || !row.saturating) continue;
      const std::vector<Cell> head = {ContentOf(content), Cell::Text(row.mix),
                                      WhatOf(row.what)};
      for (html::Table* table : {&first, &random}) table->rows.push_back(head);
      first.rows.back().push_back(CountOf(row.truth));
      for (const auto& [fit, drawn] :
           {std::pair(&*row.line, &row.random_line),
            std::pair(&*row.saturating, &row.random_saturating)}) {
        first.rows.back().push_back(ReadingOf(*fit));
        first.rows.back().push_back(ErrorOf(fit->error));
        random.rows.back().push_back(ErrorOf(drawn->mean_error));
        random.rows.back().push_back(Cell::Text(CountOf(drawn->covered).text +
                                                " of " +
                                                CountOf(drawn->draws).text));
      }
    }
  }
  if (first.rows.empty()) {
    page->Add(html::Note{"There are too few segments to judge a fit."});
  } else {
    page->Add(std::move(first));
    page->Add(std::move(random));
  }
  AddWhole(steps, page);
}

void AddControl(const std::vector<StudySearch>& searches, KeptPage* page) {
  html::Table table{"It ends with none when candidates mean what they say",
                    {{"mix"},
                     {"pairs", true},
                     {"documents found", true},
                     {"near-duplicate pairs", true},
                     {"documents with one", true}},
                    {}};
  for (const StudySearch& search : searches)
    table.rows.push_back({Cell::Text(search.mix), CountOf(search.all.pairs),
                          CountOf(search.all.found),
                          CountOf(search.all.near_pairs),
                          CountOf(search.all.near)});
  page->Add(std::move(table));
}

// Judgements whose grade is relevant.
uint64_t RelevantOf(const GradeCounts& counts, int64_t level) {
  uint64_t sum = 0;
  for (const auto& [grade, judgements] : counts.by_grade)
    if (grade >= level) sum += judgements;
  return sum;
}

// A transfer without a relevant judgement compares nothing, however many others
// come over.
std::string TransferSentence(const StudyShare& share, uint64_t relevant,
                             uint64_t relevant_moved) {
  const std::string of_all = ShareInWords(share.part, share.whole) +
                             " of the judgements of A can be carried over to B";
  if (relevant_moved > 0 || share.part == 0) return of_all + ".";
  return relevant == 0 ? of_all + ", but none of A's is of a relevant document."
                       : "No relevant judgement of A can be carried over to B.";
}

// What the collection is read from: "a.jsonl", "s0 and 3 more inputs".
std::string InputsText(const StudyResult& study, const std::string& side) {
  std::string text;
  uint64_t more = 0;
  for (const SideRead& row : study.sides) {
    if (row.side != side) continue;
    if (text.empty())
      text = FileName(row.input);
    else
      ++more;
  }
  if (more > 0) text += " and " + CountText(more, "more input");
  return text.empty() ? Capitalised(side) : text;
}

// How many pairs of systems change their order.
std::string OrderSentence(const StudyComparison& mapped,
                          const StudyComparison& anew) {
  std::string text =
      " Of " + CountText(mapped.pairs, "pair of systems", "pairs of systems") +
      ", " + CountOf(mapped.swapped).text +
      " swap their order under what is carried over";
  if (anew.tau_b)
    text += ", and " + CountOf(anew.swapped).text + " of " +
            CountOf(anew.pairs).text + " when the systems are run anew over B";
  return text + ".";
}

// What the first content says, which the page begins with.
struct First {
  const StudyTransfer& transfer;
  uint64_t relevant, moved;      // relevant judgements of A, and of B
  StudyComparison mapped, anew;  // empty when systems are not compared
};
First FirstOf(const StudyResult& study) {
  const StudyTransfer& transfer = study.transfer.front().found;
  const int level = study.parameters.relevance_level;
  First first = {transfer,
                 RelevantOf(transfer.source, level),
                 RelevantOf(transfer.transferred, level),
                 {},
                 {}};
  if (study.carry_over.empty()) return first;
  const StudyCarryOver& carried = study.carry_over.front().found;
  if (carried.mapped) first.mapped = *carried.mapped;
  if (carried.anew) first.anew = *carried.anew;
  return first;
}

html::Lead LeadOf(const StudyResult& study) {
  const First first = FirstOf(study);
  const StudyShare& share = first.transfer.judgements_with_target;
  html::Lead lead;
  lead.strong = TransferSentence(share, first.relevant, first.moved);
  lead.text = "A is " + InputsText(study, "a") + ", B is " +
              InputsText(study, "b") + ". Of " +
              CountText(first.transfer.source.judgements, "judgement") + ", " +
              NumberText(share.part) +
              std::string(WordFor(share.part, " is", " are")) +
              " of documents that have a near-duplicate in B. A has " +
              CountText(first.relevant, "relevant judgement") + ", B gets " +
              NumberText(first.moved) + ".";
  if (first.mapped.tau_b)
    lead.text += OrderSentence(first.mapped, first.anew);
  else if (first.mapped.undefined)
    lead.text +=
        " No ranking of systems can be compared: " + *first.mapped.undefined +
        ".";
  return lead;
}

html::Facts FactsOf(const StudyResult& study) {
  const First first = FirstOf(study);
  const StudyShare& share = first.transfer.judgements_with_target;
  html::Facts facts{{{"judgements that come over", NumberText(share.part),
                      "of " + NumberText(share.whole)},
                     {"relevant judgements of B", NumberText(first.moved),
                      "of " + NumberText(first.relevant) + " of A"}}};
  for (const auto& [part, name] :
       {std::pair(&first.mapped, "pairs of systems that swap, carried over"),
        std::pair(&first.anew, "pairs that swap, run anew over B")})
    if (part->tau_b)
      facts.facts.push_back({name, CountOf(part->swapped).text,
                             "of " + CountOf(part->pairs).text +
                                 "; Kendall's tau " +
                                 NumberOf(part->tau_b).text});
  return facts;
}

// The judgements of A by what becomes of them; also by relevance, if each that
// has a target is one of B.
html::Shares JudgementsBar(const StudyResult& study) {
  const First first = FirstOf(study);
  const uint64_t part = first.transfer.judgements_with_target.part,
                 whole = first.transfer.source.judgements;
  html::Shares bar{"What becomes of the judgements of A", {}};
  const auto add = [&bar](const char* name, uint64_t judgements) {
    if (judgements > 0) bar.parts.emplace_back(name, judgements);
  };
  if (first.transfer.transferred.judgements != part) {
    add("carried over to B", part);
    add("without a near-duplicate in B", whole - part);
    return bar;
  }
  add("relevant, carried over to B", first.moved);
  add("not relevant, carried over to B", part - first.moved);
  add("relevant, without a near-duplicate in B", first.relevant - first.moved);
  add("not relevant, without a near-duplicate in B",
      whole - part - (first.relevant - first.moved));
  return bar;
}

// Numbers behind the lead, folded below what they are of.
template <typename Add>
void AddFolded(std::string_view title, KeptPage* page, const Add& add) {
  page->BeginFolded(title);
  add();
  page->EndFolded();
}

}  // namespace

KeptPage PilotPage(const StudyResult& study,
                   const std::vector<html::TextPair>& examples) {
  KeptPage page("study", "Do the judgements of " + InputsText(study, "a") +
                             " serve " + InputsText(study, "b") + "?");
  page.Add(LeadOf(study));
  for (const std::string& warning : study.warnings)
    page.Add(html::Warning{warning + "."});
  page.Add(FactsOf(study));
  const html::Shares bar = JudgementsBar(study);
  if (!bar.parts.empty()) page.Add(bar);
  AddExamples(examples, study.parameters.seed, &page);
  const auto& systems = study.carry_over;
  if (!systems.empty()) AddCarryOver(systems.front().found, &page);
  if (!study.assessment.empty()) AddAssessment(study.assessment, &page);
  page.Add(html::Heading{"The numbers behind"});
  AddFolded("Judgements of A", &page,
            [&] { AddJudgements(study.judgements, &page); });
  AddFolded("Common addresses", &page,
            [&] { AddAddresses(study.addresses, &page); });
  AddFolded("Candidates by mix and segment", &page,
            [&] { AddSearches(study.searches, &page); });
  AddFolded("What each mix finds", &page,
            [&] { AddMixes(study.mixes, &page); });
  AddFolded("From some segments to all", &page,
            [&] { AddExtrapolation(study.extrapolation, &page); });
  AddFolded("Transferred judgements", &page, [&] {
    AddGrades(study.transfer, &page);
    AddTransfer(study.transfer, &page);
  });
  for (size_t i = 1; i < systems.size(); ++i)
    AddFolded("Does the comparison of systems carry over? Content " +
                  std::string(ChoiceName(systems[i].content)),
              &page, [&] { AddComparison(systems[i].found, &page); });
  if (!study.control.empty())
    AddFolded("Control: an unrelated collection against B", &page,
              [&] { AddControl(study.control, &page); });
  page.BeginFolded("Method and parameters");
  html::KeyValues values;
  const Json parameters = FieldsToJson(study.parameters);
  for (const auto& member : parameters.items())
    values.rows.emplace_back(WordsOf(member.key),
                             Cell::Text(member.value.if_string() != nullptr
                                            ? *member.value.if_string()
                                            : member.value.dump()));
  page.Add(std::move(values));
  page.EndFolded();
  return page;
}

}  // namespace twinset
