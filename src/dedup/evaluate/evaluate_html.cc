// evaluation.html: the evaluation as a page for people.
#include <algorithm>
#include <cmath>

#include "evaluate/evaluate_result.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

constexpr size_t kMaxSeries = 8;  // methods in one drawing

std::string Tenths(double share) { return FixedText(100 * share, 1); }

// The same in a sentence: "100 %", "71.6 %". Only all of `whole` are 100 %, and
// only none of them 0 %.
std::string InWords(double share, uint64_t part, uint64_t whole) {
  double tenths = std::round(1000 * share) / 1000;
  if (part < whole) tenths = std::min(tenths, 0.999);
  if (part > 0) tenths = std::max(tenths, 0.001);
  return PercentText(tenths);
}

bool IsKnown(const Proportion& p) {
  return !p.no_interval.empty() || p.value != 0 || p.low != 0 || p.high != 1;
}

// "99.8 %", and below it the interval, unless the share was counted.
Cell PercentCell(const Proportion& p, bool counted) {
  if (!IsKnown(p)) return Cell::None();
  Cell cell{Tenths(p.value) + " %", true};
  if (counted) return cell;
  cell.below = p.no_interval.empty() ? Tenths(p.low) + " to " + Tenths(p.high)
                                     : "no interval";
  return cell;
}

class Page {
 public:
  explicit Page(const Evaluation& evaluation)
      : e_(evaluation), report_("evaluate", "How good the methods are") {}

  KeptPage Make() {
    Begin();
    // Labels are one truth for all thresholds, so one drawing holds them all.
    PrecisionRecall(0);
    ResultTable();
    if (BySimilarity()) {
      RecallBySimilarity(0);
      TruthHistogram();
      for (size_t t = 1; t < e_.options.thresholds.size(); ++t) {
        report_.BeginFolded("Precision and recall" + At(t));
        PrecisionRecall(t);
        RecallBySimilarity(t);
        report_.EndFolded();
      }
    }
    if (!e_.recapture.empty()) RecaptureTable();
    HostTable();
    for (size_t t = 0; t < e_.options.thresholds.size(); ++t) Kinds(t);
    report_.BeginFolded("What each method proposes, decides and keeps");
    SetTable();
    SpreadTable();
    report_.EndFolded();
    Reasons();
    RunTable();
    return std::move(report_);
  }

 private:
  // Every pair is known to be true or not, but, without a truth, how many true
  // ones nobody found. Labels are of some pairs only.
  bool IsPrecisionCounted() const { return BySimilarity(); }
  bool IsRecallCounted() const {
    return BySimilarity() &&
           (e_.judged || e_.options.truth == TruthKind::kComplete);
  }
  // The sample of true pairs is all of them.
  bool IsSampleWhole(const EvaluationEntry& entry) const {
    uint64_t in_sample = 0;
    for (const KindCounts& kind : entry.kinds) in_sample += kind.real;
    return IsRecallCounted() && in_sample == RowOf(e_, entry).real;
  }
  // With one threshold the column would say the same in each row.
  bool HasThresholds() const { return e_.options.thresholds.size() > 1; }
  void BeginRow(const EvaluationEntry& entry, std::vector<Cell>* cells) const {
    cells->push_back(Cell::Text(LabelOf(entry)));
    if (HasThresholds())
      cells->push_back(Cell::Rounded(e_.options.thresholds[entry.threshold]));
  }
  html::Table TableOf(std::string caption,
                      std::vector<html::Column> columns) const {
    html::Table table{std::move(caption), {{"method"}}, {}};
    if (HasThresholds()) table.columns.push_back({"from similarity", true});
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    return table;
  }

  bool BySimilarity() const { return !e_.judged || !e_.judged->labels; }
  const std::string& LabelOf(const EvaluationEntry& entry) const {
    return e_.options.methods[entry.method].label;
  }
  std::string AtText(size_t threshold) const {
    return "from similarity " +
           Cell::Rounded(e_.options.thresholds[threshold]).text + " on";
  }
  // What the threshold says of the truth or, where labels are the truth, of the
  // methods.
  std::string At(size_t threshold) const {
    if (BySimilarity()) return " " + AtText(threshold);
    if (!HasThresholds()) return "";
    return " at threshold " +
           Cell::Rounded(e_.options.thresholds[threshold]).text;
  }

  // Returns true iff the method finds all pairs, as the computed truth does.
  bool IsTruth(const EvaluationEntry& entry) const {
    if (e_.judged || e_.options.truth != TruthKind::kComplete) return false;
    for (const MethodInfo& method : Methods()) {
      if (method.name == e_.options.methods[entry.method].method.name)
        return method.complete;
    }
    return false;
  }

  // The method that is best at both: at the first threshold or, where labels
  // are the truth, at any. The truth itself is no candidate.
  const EvaluationEntry* Best() const {
    const EvaluationEntry* best = nullptr;
    for (const EvaluationEntry& entry : e_.entries) {
      if ((BySimilarity() && entry.threshold != 0) || IsTruth(entry)) continue;
      if (best == nullptr ||
          RowOf(e_, entry).f1.value > RowOf(e_, *best).f1.value)
        best = &entry;
    }
    return best;
  }

  // The methods that are as good as the best one, at its threshold, with the
  // verbs that go with them: "M and N are best: each finds".
  std::string BestText(const EvaluationEntry& best) const {
    const EvaluationRow row = RowOf(e_, best);
    std::vector<std::string> names;
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow other = RowOf(e_, entry);
      if (entry.threshold == best.threshold && !IsTruth(entry) &&
          other.precision.value == row.precision.value &&
          other.recall.value == row.recall.value)
        names.push_back(LabelOf(entry));
    }
    if (names.size() == 1) return names.front() + " is best: it finds";
    if (names.size() > 3)
      return CountText(names.size(), "method") +
             " are best and equally good: each finds";
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
      text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
    return text + " are best: each finds";
  }

  // How many pairs are true, and of what.
  std::string TruthText(uint64_t real) const {
    const std::string documents = CountText(e_.documents, "document");
    if (!BySimilarity())
      return CountText(e_.judged->pairs.size(), "pair") + " of " + documents +
             std::string(WordFor(e_.judged->pairs.size(), " is", " are")) +
             " judged, and " + NumberText(real) + " of them" +
             std::string(WordFor(real, " is true.", " are true."));
    if (!e_.judged && e_.options.truth == TruthKind::kNone)
      return "The truth is not known: how many pairs there are is estimated.";
    return CountText(real, "pair") + " of " + documents +
           std::string(WordFor(real, " is true.", " are true."));
  }

  html::Lead Lead() const {
    const EvaluationEntry* best = Best();
    if (best == nullptr && e_.entries.empty())
      return {"Nothing was measured.", "No method was given."};
    if (best == nullptr) {
      return {"Every method here finds all pairs: it is the truth itself.",
              "Name others with --methods to see what they find of it."};
    }
    const EvaluationRow row = RowOf(e_, *best);
    const std::string real = TruthText(row.real);
    const std::string pairs = BySimilarity() ? "pairs" : "judged pairs";
    if (row.real == 0 || !IsKnown(row.recall))
      return {"There is no true pair to be found.", real};
    return {BestText(*best) + " " +
                InWords(row.recall.value, row.correct, row.real) +
                " of the true pairs" + At(best->threshold) + ".",
            "Of the " + pairs +
                (row.set == PairSet::kVerified
                     ? " that a run of it lists, "
                     : " that it names, before any is compared exactly, ") +
                InWords(row.precision.value, row.correct, row.found) +
                " are true. " + real};
  }

  void Begin() {
    report_.Add(Lead());
    for (const std::string& source : e_.incomplete) {
      report_.Add(html::Warning{source + " could not be read to its end."});
    }
    html::Facts facts{
        {{"methods", NumberText(e_.options.methods.size()),
          "at " + CountText(e_.options.thresholds.size(), "threshold")},
         {"documents", NumberText(e_.documents),
          CountText(e_.copies, "of them is a copy", "of them are copies")},
         {"truth",
          e_.judged                              ? "judged"
          : e_.options.truth == TruthKind::kNone ? "estimated"
                                                 : "all pairs",
          e_.judged                              ? "pairs of a file"
          : e_.options.truth == TruthKind::kNone ? "by capture and recapture"
                                                 : "by the complete join"}}};
    if (const EvaluationEntry* best = Best(); best != nullptr) {
      facts.facts.push_back(
          {"true pairs", NumberText(RowOf(e_, *best).real),
           BySimilarity()
               ? AtText(0)
               : "of " + CountText(e_.judged->pairs.size(), "judged pair")});
    }
    report_.Add(facts);
  }

  void ResultTable() {
    report_.Add(html::Heading{"Precision and recall"});
    html::Table table =
        TableOf(BySimilarity() ? "Methods, by the pairs that they name"
                               : "Methods, by the judged pairs among "
                                 "those that they name",
                {{"precision", true},
                 {"recall", true},
                 {"F1", true},
                 {"pairs named", true},
                 {"of them true", true},
                 {"candidate pairs per document", true}});
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow row = RowOf(e_, entry);
      std::vector<Cell> cells;
      BeginRow(entry, &cells);
      cells.push_back(PercentCell(row.precision, IsPrecisionCounted()));
      for (const Proportion& share : {row.recall, row.f1})
        cells.push_back(PercentCell(share, IsRecallCounted()));
      cells.push_back(Cell::Count(row.found));
      cells.push_back(Cell::Count(row.correct));
      cells.back().below = "of " + NumberText(row.real);
      cells.push_back(Cell::Rounded(row.candidates_per_document));
      table.rows.push_back(std::move(cells));
    }
    report_.Add(table);
    report_.Add(html::Note{
        std::string(e_.judged
                        ? "A method is measured by the pairs that a run of it "
                          "lists, which are compared exactly. "
                        : "A method is measured by the pairs that it names by "
                          "itself, before any is compared exactly. ") +
        SureText()});
  }

  // How sure the shares are.
  std::string SureText() const {
    if (IsRecallCounted()) {
      return "The shares are exact: every true pair of these documents is "
             "known. For other documents drawn like these evaluation.json has "
             "an interval of each.";
    }
    const std::string which =
        IsPrecisionCounted()
            ? "Precision is exact. Below recall and F1, which are estimates, "
              "stand their"
            : "Below each share stands its";
    return which +
           " interval of 95 %, for corpora drawn like this one. It takes pairs "
           "of one group of documents to be found or missed together as far "
           "as these are. Where a few groups make most pairs there is none.";
  }

  void PrecisionRecall(size_t threshold) {
    const bool is_curve = !BySimilarity() && HasThresholds();
    std::vector<html::Series> series;
    for (const EvaluationEntry& entry : e_.entries) {
      if (!is_curve && entry.threshold != threshold) continue;
      const EvaluationRow row = RowOf(e_, entry);
      if (!IsKnown(row.recall) || !IsKnown(row.precision)) continue;
      // The rows of a method follow each other.
      if (series.empty() || series.back().name != row.label) {
        series.emplace_back().name = row.label;
        series.back().line = is_curve;
      }
      series.back().points.push_back(
          {row.recall.value, row.precision.value, 0, 0,
           is_curve ? Cell::Rounded(e_.options.thresholds[entry.threshold]).text
                    : ""});
    }
    if (series.size() > 2 * kMaxSeries) series.resize(2 * kMaxSeries);
    html::Chart chart = html::PrecisionRecallChart(
        "Precision and recall" +
            (is_curve ? " of each method, by its threshold" : At(threshold)),
        is_curve ? "Each method as a line with a point for each threshold: "
                   "recall to the right, precision upwards."
                 : "Each method as a point: recall to the right, precision "
                   "upwards.",
        std::move(series));
    if (is_curve)
      chart.note += (chart.note.empty() ? "" : " ") +
                    std::string(
                        "The numbers behind the drawing name the "
                        "threshold of each point.");
    report_.Add(chart);
  }

  void RecallBySimilarity(size_t threshold) {
    html::Chart chart;
    chart.title =
        "Recall by similarity, methods set to find pairs" + At(threshold);
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
         {"from similarity", true},
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
             Cell::Rounded(e_.options.thresholds[t]), Cell::Fixed(one.size, 1),
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
    html::Table table = TableOf("The three sets of pairs of each method",
                                {{"pairs"},
                                 {"correct", true},
                                 {"precision", true},
                                 {"recall", true},
                                 {"documents found", true},
                                 {"best pair found", true}});
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow row = RowOf(e_, entry);
      for (const EvaluatedSet& set : row.sets) {
        const DocumentFigures& documents = set.documents;
        const auto share = [&](uint64_t count) {
          return Cell::Percent(count, documents.with_true);
        };
        Cell correct = Cell::Count(set.correct);
        correct.below = "of " + NumberText(set.found);
        std::vector<Cell> cells;
        BeginRow(entry, &cells);
        cells.insert(cells.end(),
                     {Cell::Text(std::string(PairSetName(set.set))), correct,
                      PercentCell(set.precision, IsPrecisionCounted()),
                      PercentCell(set.recall, IsRecallCounted()),
                      share(documents.found), share(documents.best_found)});
        table.rows.push_back(std::move(cells));
      }
    }
    report_.Add(table);
    report_.Add(html::Paragraph{
        "Candidates are the pairs that a method proposes. Its decision is "
        "those that its sketches alone accept, as --verify none lists them. "
        "Verified are those that exact comparison accepts, as dedup lists "
        "them. Documents found: the share of the documents with a true pair "
        "of which at least one is there; best: the most similar one."});
  }

  void SpreadTable() {
    html::Table table =
        TableOf("Candidates of a document, and what is kept of it",
                {{"quartiles", true},
                 {"99 % at most", true},
                 {"most", true},
                 {"the document with most"},
                 {"sketch bytes", true},
                 {"keys", true}});
    for (const EvaluationEntry& entry : e_.entries) {
      const EvaluationRow row = RowOf(e_, entry);
      const CandidateSpread& spread = row.spread;
      std::vector<Cell> cells;
      BeginRow(entry, &cells);
      cells.insert(cells.end(),
                   {Cell{NumberText(spread.quartile1) + ", " +
                             NumberText(spread.median) + ", " +
                             NumberText(spread.quartile3),
                         true},
                    Cell::Count(spread.percentile99), Cell::Count(spread.most),
                    spread.hubs.empty() ? Cell::None()
                                        : Cell::Text(spread.hubs.front().id),
                    Cell::Fixed(row.sketch_bytes_per_document, 1),
                    Cell::Fixed(row.keys_per_document, 1)});
      table.rows.push_back(std::move(cells));
    }
    report_.Add(table);
  }

  void HostTable() {
    html::Table table = TableOf("Pairs of one host and of two hosts",
                                {{"precision, one host", true},
                                 {"two hosts", true},
                                 {"recall, one host", true},
                                 {"two hosts", true}});
    bool of_two = false;
    for (const EvaluationEntry& entry : e_.entries) {
      const GroupedCounts &same = entry.groups.same,
                          &other = entry.groups.other;
      const Proportion shares[] = {
          ProportionOf(same.precision), ProportionOf(other.precision),
          ProportionOf(same.recall), ProportionOf(other.recall)};
      of_two = of_two || (IsKnown(shares[2]) && IsKnown(shares[3]));
      std::vector<Cell> cells;
      BeginRow(entry, &cells);
      for (size_t i = 0; i < std::size(shares); ++i) {
        cells.push_back(PercentCell(
            shares[i], i < 2 ? IsPrecisionCounted() : IsRecallCounted()));
      }
      table.rows.push_back(std::move(cells));
    }
    if (of_two) report_.Add(table);
  }

  // A column for each kind that the samples have, a row for each method.
  void Kinds(size_t threshold) {
    std::vector<const EvaluationEntry*> entries;
    for (const EvaluationEntry& entry : e_.entries)
      if (entry.threshold == threshold) entries.push_back(&entry);
    if (entries.empty()) return;
    const bool whole = IsSampleWhole(*entries.front());
    html::Table found{std::string("Recall by kind of difference, of ") +
                          (whole ? "the" : "a sample of the") + " true pairs" +
                          At(threshold),
                      {{"method"}},
                      {}};
    html::Table wrong{
        "False pairs by kind of difference, of a sample of each method" +
            At(threshold),
        {{"method"}},
        {}};
    found.rows.push_back({Cell::Text(whole ? "true pairs" : "in the sample")});
    for (const EvaluationEntry* entry : entries) {
      found.rows.push_back({Cell::Text(LabelOf(*entry))});
      wrong.rows.push_back({Cell::Text(LabelOf(*entry))});
    }
    for (size_t k = 0; k < kDifferenceKinds; ++k) {
      const html::Column name = {
          std::string(ChoiceName(static_cast<DifferenceKind>(k))), true};
      const uint64_t real = entries.front()->kinds[k].real;
      const bool any_wrong = std::any_of(
          entries.begin(), entries.end(),
          [k](const auto* entry) { return entry->kinds[k].wrong > 0; });
      if (real > 0) found.columns.push_back(name);
      if (real > 0) found.rows.front().push_back(Cell::Count(real));
      if (any_wrong) wrong.columns.push_back(name);
      for (size_t i = 0; i < entries.size(); ++i) {
        const KindCounts& kind = entries[i]->kinds[k];
        if (real > 0)
          found.rows[i + 1].push_back(
              PercentCell(ProportionOf(kind.recall), whole));
        if (any_wrong) wrong.rows[i].push_back(Cell::Count(kind.wrong));
      }
    }
    if (found.columns.size() + wrong.columns.size() == 2) return;
    const std::string title = "Kinds of difference" + At(threshold);
    if (threshold > 0)
      report_.BeginFolded(title);
    else
      report_.Add(html::Heading{title});
    if (found.columns.size() > 1) report_.Add(found);
    if (wrong.columns.size() > 1) report_.Add(wrong);
    if (threshold > 0) report_.EndFolded();
  }

  void Reasons() {
    html::Table table{"", {{"methods"}, {"why"}}, {}};
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
    report_.BeginFolded("What a family finds and misses, and why");
    report_.Add(table);
    report_.EndFolded();
    report_.BeginFolded("What was compared");
    report_.Add(html::KeyValues{
        "",
        {{"similarity", Cell::Text(std::string(ChoiceName(e_.options.measure)) +
                                   " of " + e_.options.features.shingle)},
         {"content",
          Cell::Text(std::string(ChoiceName(e_.options.features.content)))},
         {"documents without text to compare", Cell::Count(e_.empty)}}});
    report_.EndFolded();
  }

  void RunTable() {
    report_.BeginRun();
    report_.Add(html::Heading{"Time and memory"});
    html::Table table{"",
                      {{"method"},
                       {"from similarity", true},
                       {"time", true},
                       {"of it reading", true},
                       {"memory", true}},
                      {}};
    const auto add = [&](const std::string& name, const Cell& threshold,
                         const std::map<std::string, double>& seconds,
                         uint64_t peak) {
      double all = 0;
      for (const auto& [stage, spent] : seconds) all += spent;
      const auto read = seconds.find("read");
      table.rows.push_back(
          {Cell::Text(name),
           threshold,
           {SecondsText(all), true},
           {SecondsText(read == seconds.end() ? 0 : read->second), true},
           {BytesText(peak), true}});
    };
    if (!e_.judged && e_.options.truth == TruthKind::kComplete) {
      add("the complete join", Cell::Rounded(e_.options.floor),
          e_.truth_seconds, e_.truth_peak_bytes);
    }
    for (const EvaluationEntry& entry : e_.entries) {
      add(LabelOf(entry), Cell::Rounded(e_.options.thresholds[entry.threshold]),
          entry.pairs.seconds, entry.pairs.peak_bytes);
    }
    report_.Add(table);
    report_.Add(html::Paragraph{
        "Methods that store the same features share one reading; its time "
        "stands with each."});
    report_.EndRun();
  }

  const Evaluation& e_;
  KeptPage report_;
};

}  // namespace

KeptPage EvaluationPage(const Evaluation& evaluation) {
  return Page(evaluation).Make();
}

}  // namespace twinset
