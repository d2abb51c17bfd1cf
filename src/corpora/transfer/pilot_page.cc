#include "transfer/pilot_page.h"

#include <string>
#include <utility>
#include <vector>

#include "transfer/assessment_page.h"
#include "transfer/pair_examples.h"
#include "transfer/pilot_cells.h"
#include "transfer/systems_page.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

void AddJudgements(const Json& step, KeptPage* page) {
  html::Table table{"Judgements by file and grade",
                    {{"file"},
                     {"judgements", true},
                     {"documents", true},
                     {"topics", true},
                     {"by grade"}},
                    {}};
  const auto row = [&](const std::string& name, const Json& counts) {
    table.rows.push_back({Cell::Text(name), CountOf(counts["judgements"]),
                          CountOf(counts["documents"]),
                          CountOf(counts["topics"]),
                          Cell::Text(GradesInWords(counts["by_grade"]))});
  };
  for (const Json& file : step["files"])
    row(file.value("file", ""), file["counts"]);
  row("all", step["all"]);
  page->Add(std::move(table));
}

void AddAddresses(const Json& step, KeptPage* page) {
  const Json& overlap = step["overlap"];
  if (overlap.is_null()) {
    const Json& without = step["without_address"];
    page->Add(html::Note{
        "Of A " + ShareOf(without["a"]).text + " and of B " +
        ShareOf(without["b"]).text +
        " of the documents have no address: nothing is said of addresses."});
    return;
  }
  html::Table table{"Addresses of A that B has too",
                    {{"top-level domain"},
                     {"as written", true},
                     {"under all rules", true},
                     {"of the judged", true}},
                    {}};
  const auto row = [&](const std::string& name, const Json& part) {
    table.rows.push_back({Cell::Text(name), ShareOf(part["a_in_b_as_written"]),
                          ShareWithInterval(part["a_in_b"]),
                          ShareWithInterval(part["judged_in_b"])});
  };
  row("all", overlap);
  for (const Json& part : overlap["by_top_level"])
    row(part.value("top_level", ""), part);
  page->Add(std::move(table));
  html::Table alike{"Documents of one address: how alike they are",
                    {{"documents"},
                     {"content"},
                     {"pairs", true},
                     {"near-duplicates", true},
                     {"mean J", true},
                     {"median J", true}},
                    {}};
  for (const char* group : {"judged", "all"})
    for (const Json& part : step[group])
      alike.rows.push_back(
          {Cell::Text(group), Cell::Text(part.value("content", "")),
           CountOf(part["pairs"]), ShareWithInterval(part["near_duplicates"]),
           NumberOf(part["mean"]), NumberOf(part["median"])});
  page->Add(std::move(alike));
  html::Table domains{"The same by top-level domain",
                      {{"top-level domain"},
                       {"documents"},
                       {"content"},
                       {"pairs", true},
                       {"near-duplicates", true},
                       {"mean J", true},
                       {"median J", true}},
                      {}};
  for (const char* group : {"judged", "all"})
    for (const Json& content : step[group])
      for (const Json& part : content["by_top_level"])
        domains.rows.push_back(
            {Cell::Text(part.value("top_level", "")), Cell::Text(group),
             Cell::Text(content.value("content", "")), CountOf(part["pairs"]),
             ShareWithInterval(part["near_duplicates"]), NumberOf(part["mean"]),
             NumberOf(part["median"])});
  if (domains.rows.empty()) return;
  page->BeginFolded("By top-level domain");
  page->Add(std::move(domains));
  page->EndFolded();
}

html::Histogram SimilarityBars(const Json& search, const char* which,
                               const std::string& of) {
  html::Histogram bars;
  bars.title = "J of " + of + ", " + search.value("mix", "") + ", content " +
               search.value("content", "");
  bars.description = "How many have which exact resemblance.";
  bars.x_label = "J";
  bars.y_label = "pairs";
  double low = 0;
  for (const Json& count : search["judged"][which]) {
    bars.bins.push_back({low, low + .05, count.get<uint64_t>()});
    low += .05;
  }
  return bars;
}

void AddSearches(const Json& searches, KeptPage* page) {
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
  for (const Json& search : searches) {
    for (const Json& part : search["judged"]["segments"]) {
      std::string quartiles;
      if (part["median"].is_number())
        quartiles = Cell::Number(part["quartile1"].get<double>()).text + " / " +
                    Cell::Number(part["median"].get<double>()).text + " / " +
                    Cell::Number(part["quartile3"].get<double>()).text;
      Cell found = CountOf(part["found"]);
      found.below = "so far " + CountOf(part["found_so_far"]).text;
      table.rows.push_back({Cell::Text(search.value("mix", "")),
                            Cell::Text(search.value("content", "")),
                            Cell::Text(part.value("segment", "")),
                            CountOf(part["pairs"]), NumberOf(part["mean"]),
                            Cell::Text(quartiles), CountOf(part["most"]),
                            std::move(found), CountOf(part["near_so_far"])});
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
  for (const Json& search : searches) {
    const Json& judged = search["judged"];
    std::string hub;
    if (!judged["hubs"].empty())
      hub = judged["hubs"].front().value("id", "") + ": " +
            CountOf(judged["hubs"].front()["candidates"]).text;
    all.rows.push_back(
        {Cell::Text(search.value("mix", "")),
         Cell::Text(search.value("content", "")), CountOf(judged["pairs"]),
         ShareOf(judged["precision_of_pairs"]),
         ShareWithInterval(judged["found"]), CountOf(search["all"]["pairs"]),
         CountOf(search["all"]["found"]), Cell::Text(hub)});
  }
  page->Add(std::move(all));
  page->BeginFolded("Similarity of candidates");
  for (const Json& search : searches) {
    if (search.value("mix", "") == "complete") continue;
    page->Add(SimilarityBars(search, "similarity_of_all", "all candidates"));
    page->Add(SimilarityBars(search, "similarity_of_best",
                             "the best candidate of each document"));
  }
  page->EndFolded();
}

void AddMixes(const Json& steps, KeptPage* page) {
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
  for (const Json& step : steps) {
    const auto content = Cell::Text(step.value("content", ""));
    for (const Json& row : step["mixes"])
      table.rows.push_back(
          {content, Cell::Text(row.value("mix", "")), CountOf(row["found"]),
           CountOf(row["near"]), ShareWithInterval(row["precision"]),
           row["recall"].is_null() ? NoNumber()
                                   : ShareWithInterval(row["recall"]),
           ShareOf(row["found_with_same_address"])});
    for (const Json& row : step["missed"])
      missed.rows.push_back({content, Cell::Text(row.value("found_by", "")),
                             Cell::Text(row.value("missed_by", "")),
                             CountOf(row["near"]), CountOf(row["found"])});
    for (const Json& row : step["capture_recapture"])
      sizes.rows.push_back(
          {content,
           Cell::Text(row.value("one", "") + ", " + row.value("other", "")),
           NumberOf(row["size"]), NumberOf(row["low"]), NumberOf(row["high"])});
  }
  page->Add(std::move(table));
  page->BeginFolded("Beside each other");
  page->Add(std::move(missed));
  page->Add(std::move(sizes));
  page->EndFolded();
}

// Where B is a part: what is read where it is whole.
void AddWhole(const Json& steps, KeptPage* page) {
  html::Table table{"Read where B is whole: fits on all segments there are",
                    {{"content"},
                     {"mix"},
                     {"documents with"},
                     {"in the segments", true},
                     {"segments of the whole", true},
                     {"line", true},
                     {"saturating", true}},
                    {}};
  for (const Json& step : steps)
    for (const Json& row : step["mixes"]) {
      const Json& whole = row["whole"];
      if (whole.is_null()) continue;
      table.rows.push_back(
          {Cell::Text(step.value("content", "")),
           Cell::Text(row.value("mix", "")),
           Cell::Text(row.value("what", "") == "near" ? "a near-duplicate"
                                                      : "a candidate"),
           CountOf(row["truth"]), CountOf(whole["segments"]),
           ReadingOf(whole["line"]), ReadingOf(whole["saturating"])});
    }
  if (!table.rows.empty()) page->Add(std::move(table));
}

void AddExtrapolation(const Json& steps, KeptPage* page) {
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
  const auto covered = [](const Json& errors) {
    return Cell::Text(CountOf(errors["covered"]).text + " of " +
                      CountOf(errors["draws"]).text);
  };
  for (const Json& step : steps) {
    for (const Json& row : step["mixes"]) {
      if (row["line"].is_null()) continue;
      const std::vector<Cell> head = {
          Cell::Text(step.value("content", "")),
          Cell::Text(row.value("mix", "")),
          Cell::Text(row.value("what", "") == "near" ? "a near-duplicate"
                                                     : "a candidate")};
      for (html::Table* table : {&first, &random}) table->rows.push_back(head);
      first.rows.back().push_back(CountOf(row["truth"]));
      for (const char* fit : {"line", "saturating"}) {
        first.rows.back().push_back(ReadingOf(row[fit]));
        first.rows.back().push_back(ErrorOf(row[fit]["error"]));
        const Json& drawn = row[std::string("random_") + fit];
        random.rows.back().push_back(ErrorOf(drawn["mean_error"]));
        random.rows.back().push_back(covered(drawn));
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

void AddControl(const Json& searches, KeptPage* page) {
  html::Table table{"It ends with none when candidates mean what they say",
                    {{"mix"},
                     {"pairs", true},
                     {"documents found", true},
                     {"near-duplicate pairs", true},
                     {"documents with one", true}},
                    {}};
  for (const Json& search : searches)
    table.rows.push_back(
        {Cell::Text(search.value("mix", "")), CountOf(search["all"]["pairs"]),
         CountOf(search["all"]["found"]), CountOf(search["all"]["near_pairs"]),
         CountOf(search["all"]["near"])});
  page->Add(std::move(table));
}

// Judgements whose grade is relevant.
uint64_t RelevantOf(const Json& counts, int64_t level) {
  uint64_t sum = 0;
  for (const auto& grade : counts["by_grade"].items())
    if (std::stoll(std::string(grade.key)) >= level)
      sum += grade.value.get<uint64_t>();
  return sum;
}

// A transfer without a relevant judgement compares nothing, however many others
// come over.
std::string TransferSentence(const Json& transfer, uint64_t relevant,
                             uint64_t relevant_moved) {
  const Json& share = transfer["judgements_with_target"];
  const std::string of_all = ShareInWords(share.value("part", uint64_t{0}),
                                          share.value("whole", uint64_t{0})) +
                             " of the judgements of A can be carried over to B";
  if (relevant_moved > 0 || share.value("part", uint64_t{0}) == 0)
    return of_all + ".";
  return relevant == 0 ? of_all + ", but none of A's is of a relevant document."
                       : "No relevant judgement of A can be carried over to B.";
}

// What the collection is read from: "a.jsonl", "s0 and 3 more inputs".
std::string InputsText(const Json& study, const std::string& side) {
  std::string text;
  uint64_t more = 0;
  for (const Json& row : study["sides"]) {
    if (row.value("side", "") != side) continue;
    if (text.empty())
      text = FileName(row.value("input", ""));
    else
      ++more;
  }
  if (more > 0) text += " and " + CountText(more, "more input");
  return text.empty() ? Capitalised(side) : text;
}

// How many pairs of systems change their order.
std::string OrderSentence(const Json& carried) {
  const Json &mapped = carried["mapped"], &anew = carried["anew"];
  std::string text = " Of " +
                     CountText(mapped.value("pairs", uint64_t{0}),
                               "pair of systems", "pairs of systems") +
                     ", " + CountOf(mapped["swapped"]).text +
                     " swap their order under what is carried over";
  if (anew["tau_b"].is_number())
    text += ", and " + CountOf(anew["swapped"]).text + " of " +
            CountOf(anew["pairs"]).text +
            " when the systems are run anew over B";
  return text + ".";
}

html::Lead LeadOf(const Json& study) {
  const Json& transfer = study["transfer"].front();
  const Json& share = transfer["judgements_with_target"];
  const Json& mapped = study["carry_over"]["mapped"];
  const auto level = study["parameters"].value("relevance_level", int64_t{1});
  const uint64_t relevant = RelevantOf(transfer["source"], level),
                 moved = RelevantOf(transfer["transferred"], level);
  html::Lead lead;
  lead.strong = TransferSentence(transfer, relevant, moved);
  const uint64_t judgements =
                     transfer["source"].value("judgements", uint64_t{0}),
                 found = share.value("part", uint64_t{0});
  lead.text = "A is " + InputsText(study, "a") + ", B is " +
              InputsText(study, "b") + ". Of " +
              CountText(judgements, "judgement") + ", " + NumberText(found) +
              std::string(WordFor(found, " is", " are")) +
              " of documents that have a near-duplicate in B. A has " +
              CountText(relevant, "relevant judgement") + ", B gets " +
              NumberText(moved) + ".";
  if (mapped["tau_b"].is_number())
    lead.text += OrderSentence(study["carry_over"]);
  else if (mapped["undefined"].is_string())
    lead.text += " No ranking of systems can be compared: " +
                 mapped.value("undefined", "") + ".";
  return lead;
}

html::Facts FactsOf(const Json& study) {
  const Json& transfer = study["transfer"].front();
  const auto level = study["parameters"].value("relevance_level", int64_t{1});
  const Json& share = transfer["judgements_with_target"];
  html::Facts facts{
      {{"judgements that come over",
        NumberText(share.value("part", uint64_t{0})),
        "of " + NumberText(share.value("whole", uint64_t{0}))},
       {"relevant judgements of B",
        NumberText(RelevantOf(transfer["transferred"], level)),
        "of " + NumberText(RelevantOf(transfer["source"], level)) + " of A"}}};
  const Json& carried = study["carry_over"];
  for (const auto& [condition, name] :
       {std::pair("mapped", "pairs of systems that swap, carried over"),
        std::pair("anew", "pairs that swap, run anew over B")}) {
    const Json& part = carried[condition];
    if (part["tau_b"].is_number())
      facts.facts.push_back({name, CountOf(part["swapped"]).text,
                             "of " + CountOf(part["pairs"]).text +
                                 "; Kendall's tau " +
                                 NumberOf(part["tau_b"]).text});
  }
  return facts;
}

// The judgements of A by what becomes of them; also by relevance, if each that
// has a target is one of B.
html::Shares JudgementsBar(const Json& study) {
  const Json& transfer = study["transfer"].front();
  const auto level = study["parameters"].value("relevance_level", int64_t{1});
  const auto part =
                 transfer["judgements_with_target"].value("part", uint64_t{0}),
             whole = transfer["source"].value("judgements", uint64_t{0});
  html::Shares bar{"What becomes of the judgements of A", {}};
  const auto add = [&bar](const char* name, uint64_t judgements) {
    if (judgements > 0) bar.parts.emplace_back(name, judgements);
  };
  if (transfer["transferred"].value("judgements", uint64_t{0}) != part) {
    add("carried over to B", part);
    add("without a near-duplicate in B", whole - part);
    return bar;
  }
  const uint64_t relevant = RelevantOf(transfer["source"], level),
                 moved = RelevantOf(transfer["transferred"], level);
  add("relevant, carried over to B", moved);
  add("not relevant, carried over to B", part - moved);
  add("relevant, without a near-duplicate in B", relevant - moved);
  add("not relevant, without a near-duplicate in B",
      whole - part - (relevant - moved));
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

KeptPage PilotPage(const Json& study,
                   const std::vector<html::TextPair>& examples) {
  KeptPage page("study", "Do the judgements of " + InputsText(study, "a") +
                             " serve " + InputsText(study, "b") + "?");
  page.Add(LeadOf(study));
  for (const Json& warning : study["warnings"])
    page.Add(html::Warning{warning.get<std::string>() + "."});
  page.Add(FactsOf(study));
  const html::Shares bar = JudgementsBar(study);
  if (!bar.parts.empty()) page.Add(bar);
  AddExamples(examples, study["parameters"].value("seed", uint64_t{1}), &page);
  const Json& systems = study["carry_over_by_content"];
  if (!systems.empty()) AddCarryOver(systems.front(), &page);
  if (study.contains("assessment")) AddAssessment(study["assessment"], &page);
  page.Add(html::Heading{"The numbers behind"});
  AddFolded("Judgements of A", &page,
            [&] { AddJudgements(study["judgements"], &page); });
  AddFolded("Common addresses", &page,
            [&] { AddAddresses(study["addresses"], &page); });
  AddFolded("Candidates by mix and segment", &page,
            [&] { AddSearches(study["searches"], &page); });
  AddFolded("What each mix finds", &page,
            [&] { AddMixes(study["mixes"], &page); });
  AddFolded("From some segments to all", &page,
            [&] { AddExtrapolation(study["extrapolation"], &page); });
  AddFolded("Transferred judgements", &page, [&] {
    AddGrades(study["transfer"], &page);
    AddTransfer(study["transfer"], &page);
  });
  for (size_t i = 1; i < systems.size(); ++i)
    AddFolded("Does the comparison of systems carry over? Content " +
                  systems[i].value("content", ""),
              &page, [&] { AddComparison(systems[i], &page); });
  if (study.contains("control"))
    AddFolded("Control: an unrelated collection against B", &page,
              [&] { AddControl(study["control"], &page); });
  page.BeginFolded("Method and parameters");
  html::KeyValues values;
  for (const auto& member : study["parameters"].items())
    values.rows.emplace_back(WordsOf(member.key),
                             Cell::Text(member.value.if_string() != nullptr
                                            ? *member.value.if_string()
                                            : member.value.dump()));
  page.Add(std::move(values));
  page.EndFolded();
  return page;
}

}  // namespace twinset
