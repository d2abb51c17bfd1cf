// evaluation.json (docs/formats/evaluation.md).
#include "evaluate/evaluate_result.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/math/round_to.h"
#include "documents/document_options.h"
#include "estimate/intervals.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

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
        {{"kind", ChoiceName(static_cast<DifferenceKind>(k))},
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

Json SetJson(const EvaluatedSet& set) {
  return {{"found", set.found},
          {"correct", set.correct},
          {"precision", ProportionJson(set.precision)},
          {"recall", ProportionJson(set.recall)},
          {"f1", ProportionJson(set.f1)},
          {"documents_true", set.documents.with_true},
          {"documents_found", set.documents.found},
          {"documents_best_found", set.documents.best_found}};
}

Json SpreadJson(const CandidateSpread& spread) {
  Json hubs = Json::array();
  for (const CandidateSpread::Hub& hub : spread.hubs)
    hubs.push_back({{"id", hub.id}, {"candidates", hub.candidates}});
  return {
      {"quartile1", spread.quartile1}, {"median", spread.median},
      {"quartile3", spread.quartile3}, {"percentile99", spread.percentile99},
      {"most", spread.most},           {"hubs", hubs}};
}

Json RowJson(const Evaluation& evaluation, const EvaluationEntry& entry) {
  const EvaluationRow row = RowOf(evaluation, entry);
  Json json = {{"threshold", row.threshold}, {"set", PairSetName(row.set)}};
  json.update(CountsJson(entry.counts.all, entry.groups.all));
  json["true"] = row.real;
  json["recall"] = ProportionJson(row.recall);
  json["f1"] = ProportionJson(row.f1);
  json["proposed"] = entry.pairs.proposed;
  json["candidates"] = entry.pairs.candidates;
  json["candidates_per_document"] = row.candidates_per_document;
  json["outside"] = entry.pairs.outside;
  for (const EvaluatedSet& set : row.sets)
    json["sets"][std::string(PairSetName(set.set))] = SetJson(set);
  json["candidates_by_document"] = SpreadJson(row.spread);
  json["sketch_bytes_per_document"] = row.sketch_bytes_per_document;
  json["keys_per_document"] = row.keys_per_document;
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

std::string_view v1::PairSetName(PairSet set) {
  constexpr std::string_view kNames[kPairSets] = {"candidates", "decision",
                                                  "verified"};
  return kNames[static_cast<size_t>(set)];
}

namespace {

// Precision, recall and F1 of any set of a method's pairs. `row` has true,
// found and correct.
template <typename Row>
void AddShares(const Evaluation& evaluation, size_t threshold,
               const PairCounts& counts, const GroupedCounts& groups,
               Row* row) {
  row->precision = ProportionOf(groups.precision);
  row->recall = ProportionOf(groups.recall);
  row->f1 = F1Of(counts, groups.overlap);
  if (evaluation.recapture.empty()) return;
  const RecaptureResult& recapture = evaluation.recapture[threshold];
  const double correct = static_cast<double>(counts.correct);
  const double found = static_cast<double>(counts.found);
  row->recall =
      ShareOfEstimated(recapture, [&](double real) { return correct / real; });
  row->f1 = ShareOfEstimated(
      recapture, [&](double real) { return 2 * correct / (found + real); });
}

}  // namespace

EvaluationRow RowOf(const Evaluation& evaluation,
                    const EvaluationEntry& entry) {
  const PairCounts& counts = entry.counts.all;
  EvaluationRow row;
  row.set = entry.pairs.named;
  for (size_t i = 0; i < kPairSets; ++i) {
    const SetFigures& figures = entry.sets[i];
    EvaluatedSet& set = row.sets.emplace_back();
    set.set = static_cast<PairSet>(i);
    set.found = figures.counts.found;
    set.correct = figures.counts.correct;
    set.documents = figures.documents;
    AddShares(evaluation, entry.threshold, figures.counts, figures.groups,
              &set);
  }
  row.label = evaluation.options.methods[entry.method].label;
  row.threshold = evaluation.options.thresholds[entry.threshold];
  row.real = counts.real;
  row.found = counts.found;
  row.correct = counts.correct;
  AddShares(evaluation, entry.threshold, counts, entry.groups.all, &row);
  if (!evaluation.recapture.empty()) {
    const RecaptureResult& recapture = evaluation.recapture[entry.threshold];
    const double size = recapture.by_method[recapture.largest].size;
    row.real = std::max(recapture.seen,
                        static_cast<uint64_t>(std::max(0.0, size) + 0.5));
  }
  row.spread = entry.spread;
  for (size_t i = 0; i < entry.hub_documents.size(); ++i)
    row.spread.hubs[i].id = evaluation.ids.at(entry.hub_documents[i]);
  row.sketch_bytes_per_document = Rounded(entry.pairs.sketch_bytes);
  row.keys_per_document = Rounded(entry.pairs.keys);
  row.candidates_per_document = CandidatesPerDocument(evaluation, entry);
  row.seconds = SecondsOf(entry.pairs);
  row.peak_bytes = entry.pairs.peak_bytes;
  return row;
}

Json EvaluationJson(const Evaluation& evaluation) {
  const EvaluateOptions& options = evaluation.options;
  Json json;
  json["spec"] = kSpecNumber;
  json["version"] = kVersion;
  json["documents"] = evaluation.documents;
  if (!options.against.empty()) {
    json["documents_a"] = evaluation.counted;
    json["documents_b"] = evaluation.documents - evaluation.counted;
  }
  json["empty"] = evaluation.empty;
  json["copies"] = evaluation.copies;
  json["complete"] = evaluation.complete;
  json["measure"] = options.measure;
  json["shingle"] = options.features.shingle;
  json["tokens"] = options.features.tokens;
  AddTokenFilterJson(options.features, evaluation.token_filter.get(), &json);
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
  return json;
}

}  // namespace twinset
