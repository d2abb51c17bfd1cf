#include "pipeline/report/run_page.h"

#include <algorithm>
#include <string>

#include "twinset/methods.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kShownBlocks = 10;
constexpr size_t kShownValues = 20;
constexpr size_t kValueBytes = 200;

std::string Short(const Json& value) {
  return Shortened(value.get<std::string>(), kValueBytes);
}

// A parameter or count in words: lists by commas.
Cell ValueCell(const Json& value) {
  if (value.is_number_unsigned()) return Cell::Count(value.get<uint64_t>());
  if (value.is_number()) return Cell::Rounded(value.get<double>());
  if (value.is_boolean()) return Cell::Text(value.get<bool>() ? "yes" : "no");
  if (value.is_null()) return Cell::Text("not stated");
  if (value.is_string())
    return Cell::Text(value.get<std::string>().empty() ? "none" : Short(value));
  if (!value.is_array())
    return Cell::Text(Shortened(value.dump(), kValueBytes));
  std::string list;
  for (const Json& item : value) {
    if (list.size() > kValueBytes) break;
    list += (list.empty() ? "" : ", ") + ValueCell(item).text;
  }
  return Cell::Text(list.empty() ? "none" : Shortened(list, kValueBytes));
}

// "3 of type image, 2 of status 404": reasons, most frequent first.
std::string ReasonsText(const Json& reasons) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto& [reason, count] : reasons.items())
    sorted.emplace_back(count.get<uint64_t>(), WordsOf(reason));
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& x, const auto& y) { return x.first > y.first; });
  std::string text;
  for (const auto& [count, reason] : sorted) {
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + reason + " " + NumberText(count);
  }
  return text;
}

}  // namespace

std::string RunTitle(const RunStory& story) {
  const std::string what =
      story.kind == RunStory::kUnits ? "Repeated text" : "Duplicates";
  if (story.kind == RunStory::kMatch) {
    return (story.is_containment ? "Text of " : "Duplicates of ") +
           SideName(story, 0) + " in " + SideName(story, 1);
  }
  if (story.all_sources == 1)
    return what + " in " + Short(story.sources[0]["source"]);
  if (story.sides[0].inputs > 0) return what + " in " + SideName(story, 0);
  return what + " in " + CountText(story.all_sources, "input");
}

// What would be lost with the documents that others stand for.
void AddContained(const RunStory& story, KeptPage* page) {
  const Json& counts = story.summary["contained"];
  if (!counts.is_object()) return;
  uint64_t all = 0;
  for (const Json& step : counts["steps"]) all += CountIn(step, "documents");
  if (all == 0 || counts["least"] == 1.0) return;
  const bool is_match = story.kind == RunStory::kMatch;
  page->Add(html::Heading{"What is lost with the duplicates"});
  page->Add(html::Paragraph{
      "The document that " +
      std::string(is_match ? "is most like a duplicate" : "stays") +
      " may lack something that the duplicate says. The least that it has is " +
      PercentText(counts["least"].get<double>()) +
      " of the shingles of a duplicate. Text that did not count, as menus that "
      "repeat, is not looked at. --max-loss keeps documents that would lose "
      "more."});
  html::Table table{
      "How much of the duplicates is there",
      {{"shingles that are there"}, {"duplicates", true}, {"share", true}},
      {}};
  for (const Json& step : counts["steps"]) {
    const double from = step["from"].get<double>();
    const uint64_t documents = CountIn(step, "documents");
    table.rows.push_back(
        {Cell::Text(from >= 1   ? "all"
                    : from <= 0 ? "less"
                                : PercentText(from) + " or more"),
         Cell::Count(documents), Cell::Percent(documents, all)});
  }
  page->Add(table);
}

void AddTemplate(const RunStory& story, KeptPage* page) {
  const Json& all = story.summary["template"];
  const Json& most = all["most_frequent"];
  if (most.empty()) return;
  page->Add(html::Heading{"Text that did not count"});
  page->Add(html::Paragraph{
      "Blocks that stand on many pages of one site are its frame. " +
      CountText(CountIn(all, "blocks"), "such block") + " on " +
      CountText(CountIn(all, "sites"), "site") + " were left out of " +
      CountText(CountIn(all, "pages_cut"), "page") + "."});
  html::Table table{
      "The most frequent blocks",
      {{"text"}, {"site"}, {"pages", true}, {"of the site", true}},
      {}};
  for (const Json& block : most) {
    if (table.rows.size() == kShownBlocks) break;
    const auto millionths =
        static_cast<uint64_t>(block["share"].get<double>() * 1e6 + 0.5);
    table.rows.push_back({ValueCell(block["text"]), ValueCell(block["site"]),
                          Cell::Count(CountIn(block, "pages")),
                          Cell::Percent(millionths, 1'000'000)});
  }
  page->Add(table);
}

void AddSources(const RunStory& story, KeptPage* page) {
  if (story.all_sources < 2) return;
  const bool units = story.kind == RunStory::kUnits;
  page->Add(html::Heading{"What stays of each input"});
  html::Table table{story.all_sources > story.sources.size()
                        ? "The inputs that lose most"
                        : "Inputs, those that lose most first",
                    {{"input"},
                     {units ? "tokens" : "documents", true},
                     {units ? "cut" : "dropped", true},
                     {"stay", true}},
                    {}};
  for (const Json& row : story.sources) {
    const uint64_t gone = CountIn(row, units ? "tokens_cut" : "dropped");
    const uint64_t all =
        units ? CountIn(row, "tokens") : CountIn(row, "kept") + gone;
    table.rows.push_back({ValueCell(row["source"]), Cell::Count(all),
                          Cell::Count(gone), Cell::Percent(all - gone, all)});
  }
  page->Add(table);
  if (story.all_sources > story.sources.size()) {
    page->Add(html::Note{
        CountText(story.all_sources - story.sources.size(), "more input") +
        (story.all_sources - story.sources.size() == 1 ? " loses" : " lose") +
        " less."});
  }
}

void AddStats(const RunStory& story, KeptPage* page) {
  const char* found = story.kind == RunStory::kMatch ? "matched" : "duplicates";
  for (const Json& field : story.summary["stats_by"]) {
    const std::string name = Short(field["field"]);
    page->Add(html::Heading{"By " + name});
    html::Table table{"Documents by " + name + ", most frequent values first",
                      {{name},
                       {"documents", true},
                       {found, true},
                       {story.is_containment ? "all of it" : "equal", true},
                       {"stay", true}},
                      {}};
    const uint64_t values = CountIn(field, "values");
    for (const Json& row : field["largest"]) {
      if (table.rows.size() == kShownValues) break;
      Cell value = row["value"].get<std::string>().empty()
                       ? Cell::Text("(none)")
                       : ValueCell(row["value"]);
      value.below = BytesText(CountIn(row, "payload_bytes"));
      const uint64_t documents = CountIn(row, "documents");
      table.rows.push_back({std::move(value), Cell::Count(documents),
                            Cell::Count(CountIn(row, found)),
                            Cell::Count(CountIn(row, "identical")),
                            Cell::Percent(CountIn(row, "kept"), documents)});
    }
    const uint64_t shown = table.rows.size();
    page->Add(table);
    if (values > shown) {
      page->Add(html::Note{CountText(values - shown, "more value") +
                           (values - shown == 1 ? " stands" : " stand") +
                           " in the stats file of the result folder."});
    }
  }
}

void AddLeftOut(const RunStory& story, KeptPage* page) {
  const Json& records = story.summary["records"];
  const uint64_t quarantined = CountIn(records, "quarantined");
  page->Add(html::Heading{"Left out"});
  std::string text = quarantined == 0
                         ? "Nothing was damaged: every document of the input "
                           "could be read."
                         : CountText(quarantined, "record") +
                               " could not be used: " +
                               ReasonsText(records["quarantine_reasons"]) + ".";
  const std::string skipped = ReasonsText(records["skipped"]);
  if (!skipped.empty())
    text += " Records that are no documents: " + skipped + ".";
  if (const uint64_t empty = CountIn(story.summary["documents"], "empty");
      empty > 0) {
    text += " " + CountText(empty, "document has", "documents have") +
            " no text that could be compared.";
  }
  page->Add(html::Paragraph{text});
  if (!story.quarantine.empty()) {
    html::Table table{quarantined > story.quarantine.size()
                          ? "The first records that could not be used"
                          : "Records that could not be used",
                      {{"why"}, {"input"}, {"record", true}, {"byte", true}},
                      {}};
    for (const Json& row : story.quarantine) {
      Cell why = Cell::Text(WordsOf(Short(row["reason"])));
      why.below = Short(row["detail"]);
      table.rows.push_back({std::move(why), ValueCell(row["source"]),
                            Cell::Count(CountIn(row, "ordinal")),
                            Cell::Count(CountIn(row, "offset"))});
    }
    page->Add(table);
  }
  if (!story.summary["incomplete_sources"].empty()) {
    page->Add(html::Paragraph{
        "Inputs that broke off: " +
        ValueCell(story.summary["incomplete_sources"]).text + "."});
  }
}

void AddLimits(const RunStory& story, KeptPage* page) {
  const Json& hot = story.summary["hot_buckets"];
  if (CountIn(hot, "count") > 0) {
    page->Add(html::Note{
        CountText(CountIn(hot, "members"), "document") + " in " +
        CountText(CountIn(hot, "count"), "crowded bucket") +
        " were compared with a few of the others there only: pairs among them "
        "may be missing (--bucket-limit)."});
  }
  const Json& large = story.summary["pairs"]["large_clusters"];
  if (CountIn(large, "count") > 0) {
    page->Add(html::Note{
        "Of " + CountText(CountIn(large, "count"), "very large cluster") +
        " only the pairs with the document that stays are listed."});
  }
  if (const uint64_t flagged = story.summary["flagged"].get<uint64_t>();
      flagged > 0) {
    page->Add(html::Note{
        CountText(flagged, "document has", "documents have") +
        " too little for this method to go by: each is in a pair with its "
        "equals only."});
  }
  const Json& common = story.summary["max_df"];
  if (common.is_object()) {
    page->Add(
        html::Note{CountText(CountIn(common, "common_shingles"), "shingle") +
                   " in more documents than --max-df did not count."});
  }
}

void AddParameters(const RunStory& story, KeptPage* page) {
  const Json& summary = story.summary;
  page->BeginFolded("Method and parameters");
  const auto& methods = Methods();
  const auto method = std::find_if(
      methods.begin(), methods.end(),
      [&](const auto& info) { return info.name == story.options.method.name; });
  if (story.kind != RunStory::kUnits && method != methods.end()) {
    page->Add(html::Paragraph{"Method " + method->name + ": " +
                              method->summary + ". Source: " + method->source +
                              "."});
  }
  html::KeyValues values;
  for (const auto& [name, value] : summary["parameters"].items()) {
    if (!value.is_object())
      values.rows.emplace_back(WordsOf(name), ValueCell(value));
  }
  values.rows.emplace_back("version of twinset", ValueCell(summary["twinset"]));
  values.rows.emplace_back("spec", ValueCell(summary["spec"]));
  page->Add(values);
  page->EndFolded();
}

void AddMachine(const RunStory& story, KeptPage* page) {
  const Json& run = story.summary["run"];
  page->BeginRun();
  page->BeginFolded("Time, memory and files");
  page->Add(html::Note{
      "What stands here depends on the machine. The rest of the page does "
      "not."});
  html::KeyValues values;
  const auto add = [&](const char* name, std::string text) {
    values.rows.emplace_back(name, Cell::Text(text));
  };
  add("time", SecondsText(run["seconds"].get<double>()));
  add("threads", NumberText(CountIn(run, "threads")));
  add("memory used", BytesText(CountIn(run, "peak_resident_bytes")));
  add("memory allowed", BytesText(CountIn(run, "memory_bytes")));
  add("input", BytesText(CountIn(run, "input_bytes")) + " in " +
                   CountText(CountIn(run, "input_files"), "file"));
  values.rows.emplace_back("files", ValueCell(run["inputs"]));
  add("vector instructions", run["simd"].get<std::string>());
  page->Add(values);
  html::Table stages{"", {{"step"}, {"time", true}}, {}};
  for (const auto& [stage, seconds] : run["stage_seconds"].items()) {
    stages.rows.push_back(
        {Cell::Text(stage), {SecondsText(seconds.get<double>()), true}});
  }
  page->Add(stages);
  html::Table passes{
      "", {{"pass over the inputs"}, {"bytes", true}, {"time", true}}, {}};
  for (const Json& pass : run["passes"]) {
    passes.rows.push_back({Cell::Text(pass["stage"].get<std::string>()),
                           {BytesText(CountIn(pass, "bytes")), true},
                           {SecondsText(pass.value("seconds", 0.0)), true}});
  }
  if (!passes.rows.empty()) page->Add(passes);
  page->EndFolded();
  page->EndRun();
}

Result<KeptPage> MakeRunPage(const RunStory& story) {
  KeptPage page("dedup", RunTitle(story));
  AddRunLead(story, &page);
  const Json& documents = story.summary["documents"];
  if (CountIn(documents, "read") + CountIn(documents, "a") > 0) {
    AddRunFacts(story, &page);
    AddKinds(story, &page);
    AddSimilarities(story, &page);
    AddContained(story, &page);
    TWINSET_TRY(AddPairs(story, &page));
    AddClusters(story, &page);
    AddUnits(story, &page);
    AddTemplate(story, &page);
    AddSources(story, &page);
    AddStats(story, &page);
  }
  AddLeftOut(story, &page);
  AddLimits(story, &page);
  AddParameters(story, &page);
  AddMachine(story, &page);
  return page;
}

}  // namespace twinset
