// evaluation.html: the evaluation as a page for people.
#include <algorithm>
#include <cmath>

#include "estimate/intervals.h"
#include "evaluate/evaluate_result.h"
#include "report/html_report.h"
#include "twinset/methods.h"

namespace twinset::inline v1 {

namespace {

using html::Cell;

constexpr size_t kMaxSeries = 8;  // methods in one drawing

std::string Percent(const Proportion& p) {
  const auto text = [](double value) {
    return html::Cell::Fixed(100 * value, 1).text;
  };
  if (!p.no_interval.empty()) return text(p.value) + " (no interval)";
  if (p.value == 0 && p.low == 0 && p.high == 1) return "-";
  return text(p.value) + " (" + text(p.low) + " to " + text(p.high) + ")";
}

Cell PercentCell(const Proportion& p) { return {Percent(p), true}; }

class Page {
 public:
  explicit Page(const Evaluation& evaluation)
      : e_(evaluation), report_("Evaluation of methods") {}

  std::string Make() {
    Begin();
    ResultTable();
    for (size_t t = 0; t < e_.options.thresholds.size(); ++t) {
      PrecisionRecall(t);
      if (BySimilarity()) RecallBySimilarity(t);
    }
    if (BySimilarity()) TruthHistogram();
    if (!e_.recapture.empty()) RecaptureTable();
    SetTable();
    SpreadTable();
    HostTable();
    for (size_t t = 0; t < e_.options.thresholds.size(); ++t) Kinds(t);
    Reasons();
    RunTable();
    return std::move(report_).Finish();
  }

 private:
  bool BySimilarity() const { return !e_.judged || !e_.judged->labels; }
  const std::string& LabelOf(const EvaluationEntry& entry) const {
    return e_.options.methods[entry.method].label;
  }
  std::string At(size_t threshold) const {
    if (!BySimilarity()) return "";
    return " at " + Cell::Number(e_.options.thresholds[threshold]).text;
  }

  void Begin() {
    html::KeyValues facts{"", {}};
    facts.rows.emplace_back("documents", Cell::Count(e_.documents));
    facts.rows.emplace_back("copies among them", Cell::Count(e_.copies));
    facts.rows.emplace_back("without features", Cell::Count(e_.empty));
    facts.rows.emplace_back(
        "similarity",
        Cell::Text(std::string(ChoiceName(e_.options.measure)) + " of " +
                   e_.options.features.shingle + ", content " +
                   std::string(ChoiceName(e_.options.features.content))));
    facts.rows.emplace_back(
        "truth", Cell::Text(e_.options.truth == "complete"
                                ? "every pair, by the complete join"
                            : e_.options.truth == "none"
                                ? "none: estimated by capture-recapture"
                                : "judged pairs of a file"));
    report_.Add(facts);
    for (const std::string& source : e_.incomplete) {
      report_.Add(html::Warning{source + " could not be read to its end."});
    }
    report_.Add(html::Paragraph{
        "A method is measured by the pairs that it names by itself, before "
        "any is verified exactly. Intervals hold 95 % for corpora drawn like "
        "this one, and take pairs of one group of documents to be found or "
        "missed together as far as these are. Where a few groups make most "
        "pairs there is none."});
  }

  void ResultTable() {
    html::Table table{"Methods",
                      {{"method"},
                       {"threshold", true},
                       {"true", true},
                       {"found", true},
                       {"correct", true},
                       {"precision %", true},
                       {"recall %", true},
                       {"F1 %", true},
                       {"candidates a document", true}},
                      {}};
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow row = RowOf(e_, entry);
      table.rows.push_back({Cell::Text(row.label), Cell::Number(row.threshold),
                            Cell::Count(row.real), Cell::Count(row.found),
                            Cell::Count(row.correct),
                            PercentCell(row.precision), PercentCell(row.recall),
                            PercentCell(row.f1),
                            Cell::Fixed(row.candidates_per_document, 3)});
    }
    report_.Add(table);
  }

  void PrecisionRecall(size_t threshold) {
    std::vector<html::Series> series;
    for (const EvaluationEntry& entry : e_.entries) {
      if (entry.threshold != threshold) continue;
      const EvaluationRow row = RowOf(e_, entry);
      html::Series one;
      one.name = row.label;
      one.points.push_back({row.recall.value, row.precision.value, 0, 0, ""});
      one.line = false;
      series.push_back(std::move(one));
    }
    if (series.size() > 2 * kMaxSeries) series.resize(2 * kMaxSeries);
    report_.Add(html::PrecisionRecallChart(
        "Precision and recall" + At(threshold),
        "Each method as a point: recall to the right, precision upwards.",
        std::move(series)));
  }

  void RecallBySimilarity(size_t threshold) {
    html::Chart chart;
    chart.title = "Recall by similarity, methods set for" + At(threshold);
    chart.description =
        "For each hundredth of similarity, the share of the true pairs that "
        "each method names.";
    chart.x.label = "similarity";
    chart.y.label = "found";
    chart.y.low = 0;
    chart.y.high = 1;
    for (const EvaluationEntry& entry : e_.entries) {
      if (entry.threshold != threshold || chart.series.size() == kMaxSeries)
        continue;
      html::Series one;
      one.name = LabelOf(entry);
      for (size_t i = SimilarityBin(e_.options.floor); i < kSimilarityBins;
           ++i) {
        if (e_.bins[i] == 0) continue;
        const uint64_t found = std::min(entry.counts.found[i], e_.bins[i]);
        one.points.push_back(
            {static_cast<double>(i) / 100,
             static_cast<double>(found) / static_cast<double>(e_.bins[i]), 0, 0,
             ""});
      }
      chart.series.push_back(std::move(one));
    }
    report_.Add(chart);
  }

  void TruthHistogram() {
    html::Histogram histogram;
    histogram.title = "Similarity of the true pairs";
    histogram.description =
        "How many pairs there are at each hundredth of similarity; the last "
        "bar is of equal features.";
    histogram.x_label = "similarity";
    histogram.y_label = "pairs";
    for (size_t i = SimilarityBin(e_.options.floor); i < kSimilarityBins; ++i) {
      histogram.bins.push_back({static_cast<double>(i) / 100,
                                static_cast<double>(i + 1) / 100, e_.bins[i]});
    }
    report_.Add(histogram);
  }

  void RecaptureTable() {
    html::Table table{
        "How many true pairs there are, by method against all "
        "others",
        {{"method"},
         {"threshold", true},
         {"estimate", true},
         {"95 % from", true},
         {"to", true}},
        {}};
    for (size_t t = 0; t < e_.recapture.size(); ++t) {
      for (size_t m = 0; m < e_.options.methods.size(); ++m) {
        const SizeEstimate& one = e_.recapture[t].by_method[m];
        const bool few = e_.recapture[t].groups < kLeastGroups;
        table.rows.push_back(
            {Cell::Text(e_.options.methods[m].label),
             Cell::Number(e_.options.thresholds[t]), Cell::Fixed(one.size, 1),
             few ? Cell::Text("none") : Cell::Fixed(one.interval.low, 1),
             few ? Cell::Text("few groups")
             : std::isfinite(one.interval.high)
                 ? Cell::Fixed(one.interval.high, 1)
                 : Cell::Text("no limit")});
      }
    }
    report_.Add(table);
    report_.Add(html::Paragraph{
        "Recall is measured against the largest of these. Methods that miss "
        "the same pairs make all of them too small."});
  }

  void SetTable() {
    html::Table table{"What each method proposes, decides and keeps",
                      {{"method"},
                       {"threshold", true},
                       {"pairs"},
                       {"found", true},
                       {"correct", true},
                       {"precision %", true},
                       {"recall %", true},
                       {"documents found %", true},
                       {"best pair found %", true}},
                      {}};
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow row = RowOf(e_, entry);
      for (const EvaluatedSet& set : row.sets) {
        const DocumentFigures& documents = set.documents;
        const auto share = [&](uint64_t count) {
          return documents.with_true == 0
                     ? Cell::Text("-")
                     : Cell::Fixed(100 * static_cast<double>(count) /
                                       static_cast<double>(documents.with_true),
                                   1);
        };
        table.rows.push_back(
            {Cell::Text(row.label), Cell::Number(row.threshold),
             Cell::Text(std::string(PairSetName(set.set))),
             Cell::Count(set.found), Cell::Count(set.correct),
             PercentCell(set.precision), PercentCell(set.recall),
             share(documents.found), share(documents.best_found)});
      }
    }
    report_.Add(table);
    report_.Add(html::Paragraph{
        "Candidates are the pairs that a method proposes. Its decision are "
        "those that its sketches alone accept, as --verify none lists them. "
        "Verified are those that exact comparison accepts, as dedup lists "
        "them. Documents found: the share of the documents with a true pair "
        "of which at least one is there; best: the most similar one."});
  }

  void SpreadTable() {
    html::Table table{"Candidates of a document, and what is kept of it",
                      {{"method"},
                       {"threshold", true},
                       {"quartile", true},
                       {"median", true},
                       {"third quartile", true},
                       {"99 % at most", true},
                       {"most", true},
                       {"the document with most"},
                       {"sketch bytes", true},
                       {"keys", true}},
                      {}};
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow row = RowOf(e_, entry);
      const CandidateSpread& spread = row.spread;
      table.rows.push_back(
          {Cell::Text(row.label), Cell::Number(row.threshold),
           Cell::Count(spread.quartile1), Cell::Count(spread.median),
           Cell::Count(spread.quartile3), Cell::Count(spread.percentile99),
           Cell::Count(spread.most),
           Cell::Text(spread.hubs.empty() ? "-" : spread.hubs.front().id),
           Cell::Fixed(row.sketch_bytes_per_document, 1),
           Cell::Fixed(row.keys_per_document, 1)});
    }
    report_.Add(table);
  }

  void HostTable() {
    html::Table table{"Pairs of one host and of two hosts",
                      {{"method"},
                       {"threshold", true},
                       {"precision %, same host", true},
                       {"other host", true},
                       {"recall %, same host", true},
                       {"other host", true}},
                      {}};
    for (const EvaluationEntry& entry : e_.entries) {
      const GroupedCounts &same = entry.groups.same,
                          &other = entry.groups.other;
      table.rows.push_back(
          {Cell::Text(LabelOf(entry)),
           Cell::Number(e_.options.thresholds[entry.threshold]),
           PercentCell(ProportionOf(same.precision)),
           PercentCell(ProportionOf(other.precision)),
           PercentCell(ProportionOf(same.recall)),
           PercentCell(ProportionOf(other.recall))});
    }
    report_.Add(table);
  }

  void Kinds(size_t threshold) {
    html::Table found{
        "Recall % by kind of difference, of a sample of the true "
        "pairs" +
            At(threshold),
        {{"method"}},
        {}};
    html::Table wrong{
        "Kinds of difference of false pairs, of a sample of each "
        "method" +
            At(threshold),
        {{"method"}},
        {}};
    const EvaluationEntry* first = nullptr;
    for (const EvaluationEntry& entry : e_.entries) {
      if (entry.threshold == threshold) {
        first = &entry;
        break;
      }
    }
    if (first == nullptr) return;
    std::vector<Cell> sizes = {Cell::Text("(pairs in the sample)")};
    for (size_t k = 0; k < kDifferenceKinds; ++k) {
      const std::string name(
          DifferenceKindName(static_cast<DifferenceKind>(k)));
      found.columns.push_back({name, true});
      wrong.columns.push_back({name, true});
      sizes.push_back(Cell::Count(first->kinds[k].real));
    }
    found.rows.push_back(std::move(sizes));
    for (const EvaluationEntry& entry : e_.entries) {
      if (entry.threshold != threshold) continue;
      std::vector<Cell> of_found = {Cell::Text(LabelOf(entry))};
      std::vector<Cell> of_wrong = {Cell::Text(LabelOf(entry))};
      for (const KindCounts& kind : entry.kinds) {
        of_found.push_back(PercentCell(ProportionOf(kind.recall)));
        of_wrong.push_back(Cell::Count(kind.wrong));
      }
      found.rows.push_back(std::move(of_found));
      wrong.rows.push_back(std::move(of_wrong));
    }
    report_.Add(html::Heading{"Kinds of difference" + At(threshold)});
    report_.Add(found);
    report_.Add(wrong);
  }

  void Reasons() {
    html::Table table{
        "What a family finds and misses, and why", {{"methods"}, {"why"}}, {}};
    std::vector<std::pair<std::string, std::string>> families;
    for (const MethodInfo& method : Methods()) {
      if (method.why.empty()) continue;
      const auto family = std::find_if(
          families.begin(), families.end(),
          [&](const auto& row) { return row.second == method.why; });
      if (family == families.end())
        families.emplace_back(method.name, method.why);
      else
        family->first += ", " + method.name;
    }
    for (const auto& [methods, why] : families)
      table.rows.push_back({Cell::Text(methods), Cell::Text(why)});
    report_.Add(table);
  }

  void RunTable() {
    report_.BeginRun();
    html::Table table{"Time and memory",
                      {{"method"},
                       {"threshold", true},
                       {"seconds", true},
                       {"of these reading", true},
                       {"peak MB", true}},
                      {}};
    const auto add = [&](const std::string& name, const Cell& threshold,
                         const std::map<std::string, double>& seconds,
                         uint64_t peak) {
      double all = 0;
      for (const auto& [stage, spent] : seconds) all += spent;
      const auto read = seconds.find("read");
      table.rows.push_back(
          {Cell::Text(name), threshold, Cell::Fixed(all, 2),
           Cell::Fixed(read == seconds.end() ? 0 : read->second, 2),
           Cell::Fixed(static_cast<double>(peak) / 1e6, 1)});
    };
    if (e_.options.truth == "complete") {
      add("(the truth)", Cell::Number(e_.options.floor), e_.truth_seconds,
          e_.truth_peak_bytes);
    }
    for (const EvaluationEntry& entry : e_.entries) {
      add(LabelOf(entry), Cell::Number(e_.options.thresholds[entry.threshold]),
          entry.pairs.seconds, entry.pairs.peak_bytes);
    }
    report_.Add(table);
    report_.Add(html::Paragraph{
        "Methods that store the same features share one reading; its time "
        "stands with each."});
    report_.EndRun();
  }

  const Evaluation& e_;
  HtmlReport report_;
};

}  // namespace

std::string EvaluationHtml(const Evaluation& evaluation) {
  return Page(evaluation).Make();
}

}  // namespace twinset::inline v1
