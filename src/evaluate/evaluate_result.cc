// evaluation.json and evaluation.csv (docs/formats/evaluation.md).
#include "evaluate/evaluate_result.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/json_text.h"
#include "estimate/intervals.h"
#include "report/row_writer.h"
#include "twinset/version.h"

namespace twinset::inline v1 {

namespace {

constexpr int kDecimals = 6;

double Rounded(double value) { return RoundTo(value, kDecimals); }

Proportion Interval95(double value, const Interval& interval) {
  return {Rounded(value), Rounded(interval.low), Rounded(interval.high)};
}

Proportion NoInterval(double value, double groups) {
  return {Rounded(value), 0, 1, WhyFewGroups(groups)};
}

Json ProportionJson(const Proportion& proportion) {
  if (!proportion.no_interval.empty()) {
    return {{"value", proportion.value},
            {"low", nullptr},
            {"high", nullptr},
            {"no_interval", proportion.no_interval}};
  }
  return {{"value", proportion.value},
          {"low", proportion.low},
          {"high", proportion.high}};
}

// Correct pairs among those that `of_size` makes of an estimated number of true
// ones. Nobody can have missed pairs that were seen.
Proportion ShareOfEstimated(const RecaptureResult& recapture,
                            const std::function<double(double)>& of_size) {
  const SizeEstimate& estimate = recapture.by_method[recapture.largest];
  const double seen = static_cast<double>(recapture.seen);
  const auto share = [&](double size) {
    return size <= 0 ? 0.0 : std::min(1.0, of_size(std::max(size, seen)));
  };
  if (recapture.groups < kLeastGroups && recapture.seen > 0)
    return NoInterval(share(estimate.size), recapture.groups);
  return Interval95(share(estimate.size), {share(estimate.interval.high),
                                           share(estimate.interval.low)});
}

Proportion F1Of(const PairCounts& counts, const GroupedTrials& overlap) {
  const double value = F1Score(counts.correct, counts.found, counts.real);
  const auto interval = overlap.Share95();
  return interval ? Interval95(value, F1OfOverlap(*interval))
                  : NoInterval(value, overlap.worth());
}

Json CountsJson(const PairCounts& counts, const GroupedCounts& groups) {
  return {{"true", counts.real},
          {"found", counts.found},
          {"correct", counts.correct},
          {"precision", ProportionJson(ProportionOf(groups.precision))},
          {"recall", ProportionJson(ProportionOf(groups.recall))},
          {"f1", ProportionJson(F1Of(counts, groups.overlap))}};
}

Json ExampleJson(const Evaluation& evaluation,
                 const std::optional<CandidatePair>& pair) {
  if (!pair) return nullptr;
  return Json::array({evaluation.ids.at(pair->a), evaluation.ids.at(pair->b)});
}

Json KindsJson(const Evaluation& evaluation, const EvaluationEntry& entry) {
  Json kinds = Json::array();
  for (size_t k = 0; k < kDifferenceKinds; ++k) {
    const KindCounts& counts = entry.kinds[k];
    kinds.push_back(
        {{"kind", DifferenceKindName(static_cast<DifferenceKind>(k))},
         {"true", counts.real},
         {"found", counts.found},
         {"recall", ProportionJson(ProportionOf(counts.recall))},
         {"wrong", counts.wrong},
         {"example_missed", ExampleJson(evaluation, entry.missed[k])},
         {"example_wrong", ExampleJson(evaluation, entry.wrong[k])}});
  }
  return kinds;
}

// By hundredths of similarity, from the floor on: [similarity, true, found].
Json BinsJson(const Evaluation& evaluation, const EvaluationEntry& entry) {
  Json bins = Json::array();
  for (size_t i = SimilarityBin(evaluation.options.floor); i < kSimilarityBins;
       ++i) {
    bins.push_back(Json::array({Rounded(static_cast<double>(i) / 100),
                                evaluation.bins[i], entry.counts.found[i]}));
  }
  return bins;
}

Json RowJson(const Evaluation& evaluation, const EvaluationEntry& entry) {
  const EvaluationRow row = RowOf(evaluation, entry);
  Json json = {{"threshold", row.threshold}};
  json.update(CountsJson(entry.counts.all, entry.groups.all));
  json["true"] = row.real;
  json["recall"] = ProportionJson(row.recall);
  json["f1"] = ProportionJson(row.f1);
  json["proposed"] = entry.pairs.proposed;
  json["candidates"] = entry.pairs.candidates;
  json["candidates_per_document"] = row.candidates_per_document;
  json["outside"] = entry.pairs.outside;
  if (entry.pairs.bands > 0) {
    json["bands"] = entry.pairs.bands;
    json["rows"] = entry.pairs.rows;
  }
  if (entry.pairs.expected_recall)
    json["expected_recall"] = Rounded(*entry.pairs.expected_recall);
  json["same_host"] = CountsJson(entry.counts.same, entry.groups.same);
  json["other_host"] = CountsJson(entry.counts.other, entry.groups.other);
  json["kinds"] = KindsJson(evaluation, entry);
  if (!evaluation.judged || !evaluation.judged->labels)
    json["by_similarity"] = BinsJson(evaluation, entry);
  return json;
}

Json EstimateJson(const SizeEstimate& estimate, const std::string& why) {
  if (!why.empty()) {
    return {{"size", Rounded(estimate.size)},
            {"standard_error", nullptr},
            {"low", nullptr},
            {"high", nullptr},
            {"no_interval", why}};
  }
  return {{"size", Rounded(estimate.size)},
          {"standard_error", Rounded(estimate.standard_error)},
          {"low", Rounded(estimate.interval.low)},
          // Without an end when no pair was found twice.
          {"high", std::isfinite(estimate.interval.high)
                       ? Json(Rounded(estimate.interval.high))
                       : Json()}};
}

Json RecaptureJson(const Evaluation& evaluation) {
  Json rows = Json::array();
  const auto& methods = evaluation.options.methods;
  for (size_t t = 0; t < evaluation.recapture.size(); ++t) {
    const RecaptureResult& result = evaluation.recapture[t];
    Json row = {{"threshold", evaluation.options.thresholds[t]},
                {"seen", result.seen}};
    const std::string why = result.seen > 0 && result.groups < kLeastGroups
                                ? WhyFewGroups(result.groups)
                                : "";
    row["estimate"] = EstimateJson(result.by_method[result.largest], why);
    row["against_others"] = Json::array();
    row["of_two"] = Json::array();
    for (size_t i = 0, two = 0; i < methods.size(); ++i) {
      Json one = {{"method", methods[i].label}};
      one.update(EstimateJson(result.by_method[i], why));
      row["against_others"].push_back(one);
      for (size_t j = i + 1; j < methods.size(); ++j, ++two) {
        Json both = {{"methods", {methods[i].label, methods[j].label}}};
        both.update(EstimateJson(result.of_two[two], why));
        row["of_two"].push_back(both);
      }
    }
    rows.push_back(row);
  }
  return rows;
}

Json TruthJson(const Evaluation& evaluation) {
  const EvaluateOptions& options = evaluation.options;
  Json truth = {{"kind", !evaluation.judged          ? ChoiceName(options.truth)
                         : evaluation.judged->labels ? "labels"
                                                     : "similarities"}};
  if (evaluation.judged) {
    truth["judged"] = evaluation.judged->pairs.size();
    truth["undecided"] = evaluation.judged->undecided;
    truth["unknown"] = evaluation.judged->unknown;
    if (evaluation.judged->labels) truth["relevant"] = options.relevant;
  }
  truth["thresholds"] = Json::array();
  for (size_t t = 0; t < options.thresholds.size(); ++t) {
    truth["thresholds"].push_back(
        {{"threshold", options.thresholds[t]},
         {"pairs", evaluation.truth[t].all.real},
         {"same_host", evaluation.truth[t].same.real},
         {"other_host", evaluation.truth[t].other.real},
         {"sampled", evaluation.truth[t].sample.size()}});
  }
  return truth;
}

Json RunJson(const Evaluation& evaluation) {
  Json rows = Json::array();
  for (const EvaluationEntry& entry : evaluation.entries) {
    rows.push_back(
        {{"method", evaluation.options.methods[entry.method].label},
         {"threshold", evaluation.options.thresholds[entry.threshold]},
         {"seconds", entry.pairs.seconds},
         {"peak_bytes", entry.pairs.peak_bytes}});
  }
  return {{"seconds", evaluation.seconds},
          {"truth",
           {{"seconds", evaluation.truth_seconds},
            {"peak_bytes", evaluation.truth_peak_bytes}}},
          {"methods", rows}};
}

void AppendProportion(std::string* line, const Proportion& proportion) {
  *line += ',';
  AppendDouble(line, proportion.value);
  for (const double end : {proportion.low, proportion.high}) {
    *line += ',';
    if (proportion.no_interval.empty()) AppendDouble(line, end);
  }
}

}  // namespace

std::string WhyFewGroups(double groups) {
  const auto tenths = static_cast<uint64_t>(groups * 10 + 0.5);
  return "a few groups make most pairs: they are worth " +
         std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) +
         " groups of equal size";
}

Proportion ProportionOf(const GroupedTrials& trials) {
  const double value = trials.trials() == 0
                           ? 0
                           : static_cast<double>(trials.successes()) /
                                 static_cast<double>(trials.trials());
  const auto interval = trials.Share95();
  return interval ? Interval95(value, *interval)
                  : NoInterval(value, trials.worth());
}

double CandidatesPerDocument(const Evaluation& evaluation,
                             const EvaluationEntry& entry) {
  if (evaluation.documents == 0) return 0;
  return Rounded(static_cast<double>(entry.pairs.proposed) /
                 static_cast<double>(evaluation.documents));
}

double SecondsOf(const MethodPairs& pairs) {
  double seconds = 0;
  for (const auto& [stage, spent] : pairs.seconds) seconds += spent;
  return seconds;
}

EvaluationRow RowOf(const Evaluation& evaluation,
                    const EvaluationEntry& entry) {
  const PairCounts& counts = entry.counts.all;
  EvaluationRow row;
  row.label = evaluation.options.methods[entry.method].label;
  row.threshold = evaluation.options.thresholds[entry.threshold];
  row.real = counts.real;
  row.found = counts.found;
  row.correct = counts.correct;
  row.precision = ProportionOf(entry.groups.all.precision);
  row.recall = ProportionOf(entry.groups.all.recall);
  row.f1 = F1Of(counts, entry.groups.all.overlap);
  if (!evaluation.recapture.empty()) {
    const RecaptureResult& recapture = evaluation.recapture[entry.threshold];
    const double size = recapture.by_method[recapture.largest].size;
    row.real = std::max(recapture.seen,
                        static_cast<uint64_t>(std::max(0.0, size) + 0.5));
    const double correct = static_cast<double>(counts.correct);
    const double found = static_cast<double>(counts.found);
    row.recall = ShareOfEstimated(recapture,
                                  [&](double real) { return correct / real; });
    row.f1 = ShareOfEstimated(
        recapture, [&](double real) { return 2 * correct / (found + real); });
  }
  row.candidates_per_document = CandidatesPerDocument(evaluation, entry);
  row.seconds = SecondsOf(entry.pairs);
  row.peak_bytes = entry.pairs.peak_bytes;
  return row;
}

std::string EvaluationJson(const Evaluation& evaluation) {
  const EvaluateOptions& options = evaluation.options;
  Json json;
  json["spec"] = kSpec;
  json["version"] = kVersion;
  json["documents"] = evaluation.documents;
  json["empty"] = evaluation.empty;
  json["copies"] = evaluation.copies;
  json["complete"] = evaluation.complete;
  json["measure"] = options.measure;
  json["shingle"] = options.features.shingle;
  json["tokens"] = options.features.tokens;
  json["content"] = options.features.content;
  json["floor"] = options.floor;
  json["truth"] = TruthJson(evaluation);
  json["methods"] = Json::array();
  for (size_t m = 0; m < options.methods.size(); ++m) {
    Json rows = Json::array();
    for (const EvaluationEntry& entry : evaluation.entries) {
      if (entry.method == m) rows.push_back(RowJson(evaluation, entry));
    }
    json["methods"].push_back({{"label", options.methods[m].label},
                               {"method", options.methods[m].method.name},
                               {"rows", rows}});
  }
  if (!evaluation.recapture.empty())
    json["capture_recapture"] = RecaptureJson(evaluation);
  json["run"] = RunJson(evaluation);
  return json.dump(2) + "\n";
}

std::string EvaluationCsv(const Evaluation& evaluation) {
  std::string csv =
      "method,threshold,true,found,correct,precision,precision_low,"
      "precision_high,recall,recall_low,recall_high,f1,f1_low,f1_high,"
      "candidates_per_document,same_host_true,same_host_found,"
      "same_host_correct,other_host_true,other_host_found,other_host_correct,"
      "seconds,peak_bytes\n";
  for (const EvaluationEntry& entry : evaluation.entries) {
    const EvaluationRow row = RowOf(evaluation, entry);
    AppendCsvField(&csv, row.label);
    csv += ',';
    AppendDouble(&csv, row.threshold);
    for (const uint64_t count : {row.real, row.found, row.correct})
      csv += ',' + std::to_string(count);
    for (const Proportion* p : {&row.precision, &row.recall, &row.f1})
      AppendProportion(&csv, *p);
    csv += ',';
    AppendDouble(&csv, row.candidates_per_document);
    for (const PairCounts* counts : {&entry.counts.same, &entry.counts.other}) {
      for (const uint64_t count :
           {counts->real, counts->found, counts->correct})
        csv += ',' + std::to_string(count);
    }
    csv += ',';
    AppendDouble(&csv, RoundTo(row.seconds, 3));
    csv += ',' + std::to_string(row.peak_bytes) + '\n';
  }
  return csv;
}

}  // namespace twinset::inline v1
