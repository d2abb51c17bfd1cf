#include "pipeline/results/report_stage.h"

#include <algorithm>
#include <numeric>

#include "base/file.h"
#include "base/utf8.h"
#include "report/html_report.h"

namespace twinset::inline v1 {

namespace {

using html::Cell;

constexpr size_t kMostRowsOfSources = 100;  // named; the others are summed
constexpr size_t kMostLetters = 200;        // of an id, a value, a text
constexpr const char* kDots = "\xE2\x80\xA6";

// At most kMostLetters bytes, cut between characters.
std::string Short(std::string text) {
  if (text.size() <= kMostLetters) return text;
  size_t end = kMostLetters;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end) + kDots;
}

// Any value of summary.json in words: lists by commas, objects as they are.
Cell ValueCell(const Json& value) {
  if (value.is_number_unsigned()) return Cell::Count(value.get<uint64_t>());
  if (value.is_number_float()) return Cell::Number(value.get<double>());
  if (value.is_string()) return Cell::Text(Short(value.get<std::string>()));
  if (value.is_boolean()) return Cell::Text(value.get<bool>() ? "yes" : "no");
  if (value.is_null()) return Cell::Text("not stated");
  if (!value.is_array()) return Cell::Text(Short(value.dump()));
  std::string list;
  for (const Json& item : value) {
    if (!list.empty()) list += ", ";
    list += ValueCell(item).text;
    if (list.size() > kMostLetters) break;
  }
  return Cell::Text(list.empty() ? "none" : Short(list));
}

// bucket_limit -> bucket limit
std::string Words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

uint64_t Number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned()
             ? found->get<uint64_t>()
             : 0;
}

std::string Grouped(uint64_t n) { return Cell::Count(n).text; }

std::string Plural(uint64_t n, const std::string& word) {
  return Grouped(n) + " " + word + (n == 1 ? "" : "s");
}

// A member; null where there is none.
const Json& At(const Json& json, const char* key) {
  static const Json kNone;
  const auto found = json.find(key);
  return found == json.end() ? kNone : *found;
}

// Every member of an object that is a plain value.
html::KeyValues Values(const std::string& caption, const Json& object) {
  html::KeyValues values{caption, {}};
  for (const auto& [name, value] : object.items())
    if (!value.is_object())
      values.rows.emplace_back(Words(name), ValueCell(value));
  return values;
}

class Page {
 public:
  Page(const Json& summary, const ReportCounts* counts,
       const MethodInfo& method)
      : summary_(summary),
        counts_(counts),
        method_(method),
        page_("Duplicates in a corpus") {}

  std::string Make() {
    Lead();
    Warnings();
    Outcome();
    if (counts_ != nullptr) {
      Similarities();
      ClusterSizes();
      LargestClusters();
    }
    MostFrequentUnits();
    Sources();
    Records();
    HotBuckets();
    Template();
    CommonShingles();
    Method();
    Machine();
    return std::move(page_).Finish();
  }

 private:
  bool Has(const char* key) const { return !At(summary_, key).empty(); }

  void Lead() {
    const Json& documents = At(summary_, "documents");
    std::string text = "Documents read: " + Grouped(Number(documents, "read"));
    if (documents.contains("kept")) {
      text += "; kept: " + Grouped(Number(documents, "kept")) +
              "; left out as duplicates of others: " +
              Grouped(Number(documents, "dropped")) + ".";
    } else if (documents.contains("cut")) {
      text += "; that lose text which stands elsewhere too: " +
              Grouped(Number(documents, "cut")) + ".";
    } else {
      return;
    }
    page_.Add(html::Paragraph{text});
  }

  void Warnings() {
    if (At(summary_, "complete") == false) {
      page_.Add(html::Warning{
          "the run is not complete: an input could not be read to its end, or "
          "every record was quarantined."});
    }
    for (const Json& warning : At(summary_, "warnings"))
      page_.Add(html::Warning{Short(warning.get<std::string>())});
  }

  void Outcome() {
    page_.Add(html::Heading{"What came out"});
    html::KeyValues values = Values("", At(summary_, "documents"));
    for (auto& [name, value] : values.rows) name = "documents " + name;
    const auto add = [&](const std::string& name, const Json& value) {
      values.rows.emplace_back(name, ValueCell(value));
    };
    for (const char* part : {"pairs", "passages", "classes", "units"}) {
      if (!Has(part)) continue;
      if (!At(summary_, part).is_object()) {
        add(part, At(summary_, part));
        continue;
      }
      for (const auto& [name, value] : At(summary_, part).items())
        add(std::string(part) + " " + Words(name), value);
    }
    if (summary_.contains("clusters")) {
      add("clusters of two or more", At(summary_, "clusters"));
      add("candidate pairs", At(summary_, "candidates"));
    }
    if (Has("expected_recall")) {
      const Json& recall = At(summary_, "expected_recall");
      add("expected recall at the threshold", At(recall, "at_threshold"));
      add("documents without this guarantee",
          At(recall, "not_guaranteed_for_documents"));
    }
    page_.Add(values);
    if (Has("text"))
      page_.Add(Values("Text that was compared", At(summary_, "text")));
    if (Has("written"))
      page_.Add(Values("Corpora written", At(summary_, "written")));
  }

  void Similarities() {
    const auto& bins = counts_->similarities;
    const uint64_t other =
        std::accumulate(bins.begin(), bins.end(), uint64_t{0});
    page_.Add(html::Heading{"How alike the pairs are"});
    page_.Add(html::Paragraph{
        "Listed pairs of similarity 1: " + Grouped(counts_->equal) +
        "; below: " + Grouped(other) + "."});
    const auto first = std::find_if(bins.begin(), bins.end(),
                                    [](uint64_t n) { return n > 0; });
    if (first == bins.end()) return;
    html::Histogram histogram{
        "Similarity of the listed pairs below 1",
        "How many pairs of pairs.jsonl fall into each hundredth.",
        "similarity",
        "pairs",
        {}};
    for (auto n = static_cast<size_t>(first - bins.begin()); n < 100; ++n) {
      histogram.bins.push_back({static_cast<double>(n) / 100,
                                static_cast<double>(n + 1) / 100, bins[n]});
    }
    page_.Add(histogram);
  }

  void ClusterSizes() {
    if (counts_->sizes.empty()) return;
    page_.Add(html::Heading{"How large the clusters are"});
    html::Series series{"clusters", {}};
    html::Table table{
        "Clusters by size",
        {{"documents, from", true}, {"to", true}, {"clusters", true}},
        {}};
    for (const auto& [low, high, count] : counts_->sizes) {
      series.points.push_back(
          {static_cast<double>(low),
           static_cast<double>(count) / static_cast<double>(high - low + 1), 0,
           0, ""});
      table.rows.push_back(
          {Cell::Count(low), Cell::Count(high), Cell::Count(count)});
    }
    page_.Add(html::LogLogChart(
        "Clusters by size",
        "How many clusters there are of each size; where sizes are taken "
        "together, the mean over them at the least one.",
        "documents of the cluster", "clusters of this size", {series}));
    page_.Add(table);
  }

  void LargestClusters() {
    if (!Has("largest_clusters")) return;
    html::Table table{"Largest clusters",
                      {{"kept or first document"},
                       {"documents", true},
                       {"of the corpus", true},
                       {"samples"}},
                      {}};
    const uint64_t documents = Number(At(summary_, "documents"), "read");
    for (const Json& cluster : At(summary_, "largest_clusters")) {
      std::string samples;
      for (const Json& id : At(cluster, "samples"))
        samples += (samples.empty() ? "" : "\n") + Short(id.get<std::string>());
      const uint64_t size = Number(cluster, "size");
      table.rows.push_back({ValueCell(At(cluster, "cluster")),
                            Cell::Count(size), Cell::Percent(size, documents),
                            Cell::Text(samples)});
    }
    page_.Add(table);
  }

  void MostFrequentUnits() {
    if (!Has("most_frequent")) return;
    html::Table table{"Most frequent units of text",
                      {{"text"}, {"places", true}, {"documents", true}},
                      {}};
    for (const Json& unit : At(summary_, "most_frequent")) {
      table.rows.push_back({ValueCell(At(unit, "text")),
                            Cell::Count(Number(unit, "count")),
                            Cell::Count(Number(unit, "documents"))});
    }
    page_.Add(table);
  }

  // Of many sources those that lose most are named, in input order.
  void Sources() {
    const Json& sources = At(summary_, "sources");
    if (sources.empty()) return;
    const bool units = !sources[0].contains("dropped");
    const char* lost = units ? "tokens_cut" : "dropped";
    const auto whole = [&](const Json& source) {
      return units ? Number(source, "tokens")
                   : Number(source, "kept") + Number(source, "dropped");
    };
    std::vector<size_t> named(sources.size());
    std::iota(named.begin(), named.end(), size_t{0});
    std::stable_sort(named.begin(), named.end(), [&](size_t x, size_t y) {
      return Number(sources[x], lost) > Number(sources[y], lost);
    });
    named.resize(std::min(named.size(), kMostRowsOfSources));
    std::sort(named.begin(), named.end());
    const char* of = units ? "tokens" : "documents";
    html::Table table{"What stays of each source",
                      {{"source"},
                       {of, true},
                       {units ? "cut" : "dropped", true},
                       {"stay", true}},
                      {}};
    const auto add = [&](const std::string& name, uint64_t all, uint64_t gone) {
      table.rows.push_back({Cell::Text(Short(name)), Cell::Count(all),
                            Cell::Count(gone), Cell::Percent(all - gone, all)});
    };
    uint64_t all = 0, gone = 0;
    for (const Json& source : sources) {
      all += whole(source);
      gone += Number(source, lost);
    }
    const Json& unnamed = At(summary_, "other_sources");
    const size_t count = sources.size() + Number(unnamed, "sources");
    all += whole(unnamed);
    gone += Number(unnamed, lost);
    const uint64_t total = all, total_gone = gone;
    for (const size_t i : named) {
      const uint64_t own = whole(sources[i]),
                     own_gone = Number(sources[i], lost);
      add(sources[i]["source"].get<std::string>(), own, own_gone);
      all -= own;
      gone -= own_gone;
    }
    if (named.size() < count)
      add(Plural(count - named.size(), "other source"), all, gone);
    add("all", total, total_gone);
    page_.Add(html::Heading{"What stays of each source"});
    page_.Add(table);
  }

  void Records() {
    const Json& records = At(summary_, "records");
    page_.Add(html::Heading{"Records of the input"});
    page_.Add(Values("", records));
    for (const auto& [key, caption] :
         {std::pair{"skipped", "Records that are no documents, by reason"},
          std::pair{"quarantine_reasons",
                    "Records that could not be used, by reason"},
          std::pair{"revisit", "Revisit records"}}) {
      if (!records.contains(key) || At(records, key).empty()) continue;
      page_.Add(Values(caption, At(records, key)));
    }
    if (Has("incomplete_sources")) {
      page_.Add(
          html::KeyValues{"",
                          {{"inputs that broke off",
                            ValueCell(At(summary_, "incomplete_sources"))}}});
    }
  }

  void HotBuckets() {
    if (!Has("hot_buckets") ||
        Number(At(summary_, "hot_buckets"), "count") == 0)
      return;
    page_.Add(html::Heading{"Buckets beyond the limit"});
    page_.Add(html::Paragraph{
        "The members of these were compared with a few of them only: pairs "
        "among them may be missing."});
    page_.Add(Values("", At(summary_, "hot_buckets")));
  }

  static Cell ShareCell(const Json& block) {
    return Cell::Percent(
        static_cast<uint64_t>(block["share"].get<double>() * 1e6 + 0.5),
        1'000'000);
  }

  void Template() {
    if (!Has("template")) return;
    const Json& all = At(summary_, "template");
    page_.Add(html::Heading{"Text that repeats on sites"});
    html::KeyValues values{"", {}};
    for (const auto& [name, value] : all.items()) {
      if (!value.is_array())
        values.rows.emplace_back(Words(name), ValueCell(value));
    }
    page_.Add(values);
    html::Table most{
        "Most frequent blocks of the template",
        {{"text"}, {"site"}, {"pages", true}, {"of the site", true}},
        {}};
    for (const Json& block : At(all, "most_frequent")) {
      most.rows.push_back(
          {ValueCell(At(block, "text")), ValueCell(At(block, "site")),
           Cell::Count(Number(block, "pages")), ShareCell(block)});
    }
    if (!most.rows.empty()) page_.Add(most);
    html::Table sites{"Largest sites",
                      {{"site"},
                       {"pages", true},
                       {"blocks of template", true},
                       {"the most frequent"}},
                      {}};
    for (const Json& site : At(all, "largest_sites")) {
      std::string texts;
      for (const Json& block : At(site, "most_frequent")) {
        texts += (texts.empty() ? "" : "\n") +
                 Short(block["text"].get<std::string>()) + " (" +
                 Plural(Number(block, "pages"), "page") + ")";
      }
      sites.rows.push_back(
          {ValueCell(At(site, "site")), Cell::Count(Number(site, "pages")),
           Cell::Count(Number(site, "blocks")), Cell::Text(texts)});
    }
    if (!sites.rows.empty()) page_.Add(sites);
  }

  void CommonShingles() {
    if (!Has("max_df")) return;
    page_.Add(html::Heading{"Shingles too common to count"});
    page_.Add(html::Paragraph{
        Plural(Number(At(summary_, "max_df"), "common_shingles"), "shingle") +
        " beyond the limit of documents; the most frequent:"});
    html::Table table{"", {{"shingle"}, {"documents", true}}, {}};
    for (const Json& row : At(At(summary_, "max_df"), "most_frequent")) {
      table.rows.push_back({ValueCell(At(row, "shingle")),
                            Cell::Count(Number(row, "documents"))});
    }
    page_.Add(table);
  }

  void Method() {
    page_.Add(html::Heading{"Method and parameters"});
    if (!method_.name.empty()) {
      page_.Add(html::Paragraph{
          method_.name + ": " + method_.summary +
          ". Source: " + method_.source + "." +
          (method_.complete ? " It finds every pair at the threshold." : "")});
    }
    html::KeyValues values = Values("", At(summary_, "parameters"));
    values.rows.emplace_back("twinset", ValueCell(At(summary_, "twinset")));
    values.rows.emplace_back("spec", ValueCell(At(summary_, "spec")));
    page_.Add(values);
  }

  void Machine() {
    const Json& run = At(summary_, "run");
    page_.BeginRun();
    page_.Add(html::Heading{"This run"});
    page_.Add(html::Paragraph{
        "What stands here depends on the machine; the rest of the page does "
        "not."});
    page_.Add(Values("", run));
    if (run.contains("stage_seconds"))
      page_.Add(Values("Seconds by stage", At(run, "stage_seconds")));
    page_.EndRun();
  }

  const Json& summary_;
  const ReportCounts* counts_;
  const MethodInfo& method_;
  HtmlReport page_;
};

}  // namespace

std::string MakeReport(const Json& summary, const ReportCounts* counts,
                       const MethodInfo& method) {
  return Page(summary, counts, method).Make();
}

Status WriteReport(const Run& run, const std::string& summary_json) {
  if (!run.plan.options.report) return {};
  const bool units = run.plan.form == FeatureForm::kUnits;
  const bool known = run.plan.method != nullptr && !units;
  const auto& counts = run.counts.result.report;
  return WriteWholeFile(
      run.plan.options.out + "/report.html",
      MakeReport(Json::Parse(summary_json), counts ? &*counts : nullptr,
                 known ? run.plan.method->info : MethodInfo()));
}

}  // namespace twinset::inline v1
