#include "urls/url_report.h"

#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "core/field_list.h"
#include "report/kept_page.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

using html::Cell;

constexpr size_t kShownTopLevels = 15;

// ---- CSV ----

std::string RulesCsv(const UrlsResult& result) {
  std::string csv =
      "rule,alone_common,alone_a_in_b,alone_b_in_a,so_far_common,"
      "so_far_a_in_b,so_far_b_in_a\n";
  const auto row = [&](std::string_view name, const UrlOverlap& alone,
                       const UrlOverlap& so_far) {
    csv += name;
    for (const UrlOverlap* overlap : {&alone, &so_far})
      for (const uint64_t count :
           {overlap->common, overlap->a_in_b, overlap->b_in_a})
        csv += "," + std::to_string(count);
    csv += "\n";
  };
  row("as-written", result.raw, result.raw);
  for (const UrlRuleOverlap& rule : result.rules)
    row(ChoiceName(rule.rule), rule.alone, rule.so_far);
  return csv;
}

// ---- report ----

uint64_t Excess(uint64_t more, uint64_t less) {
  return more > less ? more - less : 0;
}

// What one spelling does beside another. Merged: addresses that become one with
// another of their own list, two pages perhaps, of which one is lost.
struct SpellingEffect {
  uint64_t found = 0;  // lines of A, in B
  uint64_t merged_a = 0, merged_b = 0;

  uint64_t merged() const { return merged_a + merged_b; }
  bool any() const { return found > 0 || merged() > 0; }
};

SpellingEffect EffectOf(const UrlOverlap& now, const UrlOverlap& before) {
  return {Excess(now.a_in_b, before.a_in_b),
          Excess(before.distinct_a, now.distinct_a),
          Excess(before.distinct_b, now.distinct_b)};
}

// How many addresses of A stand in B.
std::string FoundText(const UrlCounts& counts) {
  const std::string of_all =
      "Of " + CountText(counts.a, "address", "addresses") + ", " +
      NumberText(counts.a_raw) +
      std::string(WordFor(counts.a_raw, " stands", " stand")) +
      " there as they are written, ";
  if (counts.a_found == counts.a_raw)
    return of_all +
           "and no more once the rules take differences of spelling "
           "away.";
  return of_all + "and " + NumberText(counts.a_found) +
         " once the rules take differences of spelling away.";
}

html::Lead LeadOf(const UrlsOptions& options, const UrlsResult& result) {
  const UrlCounts& counts = result.lines.counts;
  const UrlOverlap &raw = result.raw, &found = result.found;
  std::string risk;
  const SpellingEffect effect = EffectOf(found, raw);
  if (effect.merged() > 0) {
    risk = " The risk: the " + NumberText(raw.distinct_a) +
           " different addresses of " + FileName(options.a) + " become " +
           NumberText(found.distinct_a) + ", and the " +
           NumberText(raw.distinct_b) + " of " + FileName(options.b) +
           " become " + NumberText(found.distinct_b) +
           "; where two become one they may have been two pages.";
  } else if (effect.found > 0) {
    risk = " They make no two addresses of one list the same.";
  }
  return {ShareInWords(counts.a_found, counts.a) + " of the addresses of " +
              FileName(options.a) + " stand in " + FileName(options.b) +
              (counts.a_found == counts.a_raw
                   ? ", as they are written."
                   : ", " + ShareText(counts.a_found, counts.a) +
                         " under the rules and " +
                         ShareText(counts.a_raw, counts.a) + " as written."),
          FoundText(counts) + risk};
}

html::Facts FactsOf(const UrlsOptions& options, const UrlsResult& result) {
  const UrlCounts& c = result.lines.counts;
  html::Facts facts = {{{"of A in B", ShareText(c.a_found, c.a),
                         ShareText(c.a_raw, c.a) + " as written"},
                        {"of B in A", ShareText(c.b_found, c.b),
                         ShareText(c.b_raw, c.b) + " as written"},
                        {"addresses in both", NumberText(result.found.common),
                         "different ones"}}};
  if (!options.qrels.empty())
    facts.facts.push_back({"of judged A in B",
                           ShareText(c.judged_a_found, c.judged_a),
                           "of " + NumberText(c.judged_a)});
  return facts;
}

// The addresses of A by where they are found.
html::Shares FoundBar(const UrlsOptions& options, const UrlsResult& result) {
  const UrlCounts& counts = result.lines.counts;
  const std::string b = FileName(options.b);
  html::Shares bar{"Where the addresses of " + FileName(options.a) + " are",
                   {}};
  const auto add = [&bar](std::string name, uint64_t lines) {
    if (lines > 0) bar.parts.emplace_back(std::move(name), lines);
  };
  add("in " + b + " as written", counts.a_raw);
  add("in " + b + " under the rules alone",
      Excess(counts.a_found, counts.a_raw));
  add("not in " + b, Excess(counts.a, counts.a_found));
  return bar;
}

// What the rules find beside what they may do wrong, one rule after the other:
// a point for each that changes anything.
html::Chart RulesChart(const UrlsResult& result) {
  html::Chart chart;
  chart.title = "What the rules find, one after the other, and what they merge";
  chart.description =
      "A rising line with a point for each rule: to the right the addresses "
      "that the rules up to it make one with another of their own list, "
      "upwards those of A that they find in B.";
  chart.x = {"addresses made one with another of their list: the risk",
             false,
             0.0,
             {}};
  chart.y = {"addresses of A found in B", false, {}, {}};
  chart.note =
      "From the spelling as written the rules are added in their order; the "
      "steeper a step, the more it finds for what it merges.";
  html::Series line;
  line.name = "the rules";
  line.points.push_back(
      {0, static_cast<double>(result.raw.a_in_b), 0, 0, "as written"});
  const UrlOverlap* above = &result.raw;
  for (const UrlRuleOverlap& rule : result.rules) {
    if (EffectOf(rule.so_far, *above).any())
      line.points.push_back(
          {static_cast<double>(EffectOf(rule.so_far, result.raw).merged()),
           static_cast<double>(rule.so_far.a_in_b), 0, 0,
           std::string(ChoiceName(rule.rule))});
    above = &rule.so_far;
  }
  chart.series.push_back(std::move(line));
  return chart;
}

// The rules that change something, alone or behind those above them; the names
// of the others go to `idle`.
html::Table RulesTable(const UrlsResult& result, std::string* idle) {
  html::Table table;
  table.caption = "What each rule changes";
  table.columns = {{"rule"},
                   {"more of A in B", true},
                   {"merged in A", true},
                   {"merged in B", true},
                   {"A in B with those above", true}};
  const UrlOverlap* above = &result.raw;
  for (const UrlRuleOverlap& rule : result.rules) {
    const SpellingEffect effect = EffectOf(rule.alone, result.raw);
    if (effect.any() || EffectOf(rule.so_far, *above).any()) {
      table.rows.push_back(
          {Cell::Text(ChoiceName(rule.rule)), Cell::Count(effect.found),
           Cell::Count(effect.merged_a), Cell::Count(effect.merged_b),
           Cell::Percent(rule.so_far.a_in_b, result.lines.counts.a)});
    } else {
      *idle += idle->empty() ? "" : ", ";
      *idle += ChoiceName(rule.rule);
    }
    above = &rule.so_far;
  }
  return table;
}

void AddRules(const UrlsResult& result, KeptPage* report) {
  std::string idle;
  const html::Table table = RulesTable(result, &idle);
  if (table.rows.empty()) {
    report->Add(
        html::Note{"No rule changes anything: the lists write their "
                   "addresses in the same way."});
    return;
  }
  report->Add(RulesChart(result));
  report->Add(table);
  report->Add(html::Note{
      "Each rule alone, and with those above it. Merged: different addresses "
      "that become one with another of their own list. Whether they were two "
      "pages is not known here, since no text is compared; only rfc3986 is "
      "safe by the standard." +
      (idle.empty() ? "" : " These rules change nothing: " + idle + ".")});
}

html::Table GroupTable(std::string caption, std::string_view what,
                       const std::vector<UrlGroup>& groups, size_t most,
                       bool judged) {
  html::Table table;
  table.caption = std::move(caption);
  table.columns = {{std::string(what)}, {"A", true},     {"B", true},
                   {"A in B", true},    {"share", true}, {"as written", true}};
  if (judged) {
    table.columns.push_back({"judged in A", true});
    table.columns.push_back({"of these in B", true});
  }
  for (const UrlGroup& group : groups) {
    if (table.rows.size() == most) break;
    const UrlCounts& c = group.counts;
    table.rows.push_back({Cell::Text(group.name), Cell::Count(c.a),
                          Cell::Count(c.b), Cell::Count(c.a_found),
                          Cell::Percent(c.a_found, c.a),
                          Cell::Percent(c.a_raw, c.a)});
    if (!judged) continue;
    table.rows.back().push_back(Cell::Count(c.judged_a));
    table.rows.back().push_back(Cell::Percent(c.judged_a_found, c.judged_a));
  }
  return table;
}

html::Table BadTable(const UrlsResult& result) {
  html::Table table;
  table.caption = "Lines that are no addresses (bad.jsonl has their places)";
  table.columns = {{"reason"}, {"A", true}, {"B", true}};
  std::map<std::string, std::array<uint64_t, 2>> reasons;
  for (const auto& [reason, lines] : result.a.bad) reasons[reason][0] = lines;
  for (const auto& [reason, lines] : result.b.bad) reasons[reason][1] = lines;
  for (const auto& [reason, lines] : reasons)
    table.rows.push_back(
        {Cell::Text(reason), Cell::Count(lines[0]), Cell::Count(lines[1])});
  return table;
}

void AddMachine(const UrlsResult& result, KeptPage* report) {
  report->BeginRun();
  report->BeginFolded("What it cost");
  report->Add(html::KeyValues{
      "",
      {{"lines joined", Cell::Count(result.run.cost.lines)},
       {"disk", Cell::Text(BytesText(result.run.cost.disk_bytes))},
       {"time", Cell::Text(SecondsText(result.run.cost.seconds))}}});
  report->EndFolded();
  report->EndRun();
}

}  // namespace

std::vector<std::string> UrlResultFiles(const UrlsOptions& options) {
  std::vector<std::string> files = {
      "bad.jsonl", "domains.csv", "hosts.csv",   KeptPage::kFileName,
      "rules.csv", "tlds.csv",    "summary.json"};
  if (!options.qrels.empty()) files.push_back("pairs.jsonl");
  if (options.report) files.push_back("report.html");
  return files;
}

Json v1::SummaryJson(const UrlsResult& result) { return FieldsToJson(result); }

KeptPage UrlPage(const UrlsOptions& options, const UrlsResult& result) {
  const bool judged = result.judgements.has_value();
  KeptPage report("urls", "Addresses of " + FileName(options.a) + " in " +
                              FileName(options.b));
  report.Add(LeadOf(options, result));
  for (const std::string& warning : result.warnings)
    report.Add(html::Warning{Capitalised(warning) + "."});
  report.Add(FactsOf(options, result));
  if (const html::Shares bar = FoundBar(options, result); bar.parts.size() > 1)
    report.Add(bar);
  AddRules(result, &report);
  report.Add(GroupTable("The largest top-level domains of A", "domain",
                        result.top_levels, kShownTopLevels, judged));
  report.BeginFolded("By registered domain and host");
  report.Add(GroupTable(
      "The largest of " + CountText(result.domains, "registered domain"),
      "domain", result.top_domains, kUrlTop, judged));
  report.Add(html::Note{"Domains by the public suffix list of " +
                        result.suffixes.date + " (" + result.suffixes.origin +
                        ")."});
  report.Add(GroupTable("The largest of " + CountText(result.hosts, "host"),
                        "host", result.top_hosts, kUrlTop, judged));
  report.Add(html::Note{"Shares are of lines."});
  report.EndFolded();
  if (!result.a.bad.empty() || !result.b.bad.empty()) {
    report.Add(html::Heading{"Left out"});
    report.Add(BadTable(result));
  }
  AddMachine(result, &report);
  return report;
}

Status WriteUrlResult(const UrlsOptions& options, const UrlsResult& result) {
  const std::string folder = options.out + "/";
  TWINSET_TRY(WriteWholeFile(folder + "rules.csv", RulesCsv(result)));
  TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                            options.report ? "report.html" : ""));
  return WriteWholeFile(folder + "summary.json",
                        SummaryJson(result).dump(2) + "\n");
}

}  // namespace twinset
