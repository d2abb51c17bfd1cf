// twinset estimate share, mean, quantile, walk: any value of the rows of a
// weighted sample.
#include <algorithm>
#include <cmath>
#include <map>

#include "estimate/chain.h"
#include "estimate/weighted.h"
#include "survey/estimate_rows.h"
#include "survey/expression.h"
#include "web/walk_discovery.h"

namespace twinset {
namespace {

constexpr double kSmallEffectiveSize = 30;

struct Sample {
  std::vector<WeightedValue> draws;
  std::vector<uint64_t> pages;  // number of the page of each draw
  std::vector<uint64_t> chains;
  uint64_t missing = 0;
  double missing_weight = 0, weight = 0, largest = 0;
  bool biased = false, estimated = false, chain = false, unsaid = false;
  bool weighted = false;
  std::string no_interval;  // as SampleHeader
};

// The value that counts, or a reason why there is none.
Status ToNumber(const ExpressionValue& value, const EstimateOptions& options,
                const std::string& where, double* number) {
  *number = value.number;
  const bool truth = value.kind == ExpressionValue::kBool;
  if (!truth && value.kind != ExpressionValue::kNumber)
    return Fail(ErrorCode::kUsage, "'" + options.of + "' is no number", where,
                "compare it: --of '" + options.of + " == \"...\"'");
  if (options.what == Estimand::kShare && value.number != 0 &&
      value.number != 1)
    return Fail(ErrorCode::kUsage,
                "'" + options.of + "' is neither true nor false", where,
                "compare it: --of '" + options.of + " > 0'");
  return {};
}

void TakeHeader(const SampleHeader& header, Sample* sample) {
  sample->biased = sample->biased || header.weights == "none";
  sample->estimated = sample->estimated || header.weights == "estimated";
  sample->chain = sample->chain || header.chain;
  sample->unsaid = sample->unsaid || header.sampler.empty();
  if (sample->no_interval.empty()) sample->no_interval = header.no_interval;
}

Result<Sample> ReadDraws(const EstimateOptions& options) {
  if (options.of.empty())
    return Fail(ErrorCode::kUsage, "the value of a row is not said", "",
                "add --of EXPRESSION, such as --of 'language == \"en\"'");
  TWINSET_ASSIGN(const Expression of, Expression::Parse(options.of));
  Sample sample;
  std::map<std::string, uint64_t> pages, chains;
  for (size_t file = 0; file < options.inputs.size(); ++file) {
    const auto take = [&](const SampleRow& row,
                          const std::string& where) -> Status {
      const ExpressionValue value = of.Evaluate(row);
      sample.weight += row.weight;
      if (value.kind == ExpressionValue::kMissing) {
        ++sample.missing;
        sample.missing_weight += row.weight;
        return {};
      }
      WeightedValue draw{0, row.weight};
      TWINSET_TRY(ToNumber(value, options, where, &draw.value));
      sample.weighted = sample.weighted || row.weight != 1;
      sample.largest = std::max(sample.largest, row.weight);
      sample.draws.push_back(draw);
      const std::string page =
          row.url.empty() ? "\n" + std::to_string(row.draw) : row.url;
      sample.pages.push_back(pages.emplace(page, pages.size()).first->second);
      const std::string* chain = FindField(row, "chain");
      const std::string name = std::to_string(file) + "\n" +
                               (chain == nullptr ? "" : *chain) + "\n" +
                               TextField(row, "engine");
      sample.chains.push_back(
          chains.emplace(name, chains.size()).first->second);
      return {};
    };
    const auto header = ReadTable(options, file, take);
    if (!header) return tl::unexpected(header.error());
    TakeHeader(*header, &sample);
  }
  if (sample.draws.empty())
    return Fail(ErrorCode::kUsage,
                "no row has the value of '" + options.of + "' (" +
                    std::to_string(sample.missing) + " rows)",
                options.inputs[0]);
  return sample;
}

std::string Rounded(double number) {
  const auto tenths = static_cast<int64_t>(number * 10 + 0.5);
  return std::to_string(tenths / 10) +
         (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

void Warn(const EstimateOptions& options, const Sample& sample,
          const WeightedEstimate& estimate, EstimateResult* result) {
  const auto say = [&](const std::string& text) {
    result->warnings.push_back(text);
  };
  if (options.weights == EstimateWeights::kNone && sample.weighted)
    say("biased: the weights were not used, so this is of what the sampler "
        "prefers, not of the population");
  if (sample.biased)
    say("biased: the sampler prefers some pages and its rows have no weights "
        "that repair it");
  if (options.weights == EstimateWeights::kAuto && sample.unsaid &&
      !sample.weighted)
    say("the rows have no weights: right only if every page was equally "
        "likely");
  if (sample.estimated && options.weights != EstimateWeights::kNone)
    say("the weights are estimates; the intervals do not know their error");
  if (estimate.effective_size < kSmallEffectiveSize)
    say("the draws are worth only " + Rounded(estimate.effective_size) +
        " independent ones: the intervals are rough");
  if (options.weights != EstimateWeights::kNone && sample.draws.size() > 1 &&
      sample.largest > 0.1 * (sample.weight - sample.missing_weight))
    say("one draw has more than a tenth of all weight");
  if (sample.missing > 0)
    say(std::to_string(sample.missing) + " of " +
        std::to_string(sample.missing + sample.draws.size()) +
        " rows have no such value and do not count (" +
        Rounded(100 * sample.missing_weight / sample.weight) +
        " % of the weight)");
}

constexpr double kLeastEffectiveSize = 10;

std::vector<std::vector<double>> ValuesOfChains(
    const std::vector<WeightedValue>& draws,
    const std::vector<uint64_t>& chain_of) {
  std::vector<std::vector<double>> chains(
      *std::max_element(chain_of.begin(), chain_of.end()) + 1);
  for (size_t i = 0; i < draws.size(); ++i)
    chains[chain_of[i]].push_back(draws[i].value);
  return chains;
}

// Over the chains, cut to the shortest.
Result<double> RHatOf(std::vector<std::vector<double>> chains) {
  size_t shortest = chains.front().size();
  for (const auto& chain : chains) shortest = std::min(shortest, chain.size());
  for (auto& chain : chains) chain.resize(shortest);
  return SplitRHat(chains);
}

std::string WhyWithheld(const Sample& sample,
                        const WeightedEstimate& estimate) {
  if (!sample.no_interval.empty()) return sample.no_interval;
  return sample.chain ? WhyNoInterval(sample.draws, sample.chains, estimate)
                      : "";
}

// What both ways to estimate share: by which chains. Without the bootstrap,
// whose percentiles are too short where few draws make most of a mean.
WeightedOptions OptionsOf(const Sample& sample) {
  WeightedOptions weighted;
  weighted.chain = sample.chain;
  weighted.bootstrap.replicas = 0;
  if (sample.chain) weighted.chains = sample.chains;
  return weighted;
}

Result<WeightedEstimate> Expand(const EstimateOptions& options,
                                const Sample& sample,
                                const WeightedOptions& weighted,
                                EstimateResult* result) {
  if (options.what == Estimand::kQuantile || options.total == 0)
    return Fail(ErrorCode::kUsage,
                "Horvitz-Thompson gives shares and means of a population of "
                "known size",
                "", "add --total N, or use --weights hajek");
  TWINSET_ASSIGN(WeightedEstimate estimate,
                 HorvitzThompsonTotal(sample.draws, sample.pages, weighted));
  const double total = static_cast<double>(options.total);
  result->details.push_back({"total", estimate.estimate.value});
  estimate.estimate.value /= total;
  estimate.estimate.standard_error /= total;
  for (Interval* interval :
       {&estimate.estimate.interval, &estimate.bootstrap}) {
    interval->low /= total;
    interval->high /= total;
  }
  // The mean weight of a draw estimates the size of the population.
  const double size = (sample.weight - sample.missing_weight) /
                      static_cast<double>(sample.draws.size());
  result->details.push_back({"population_by_weights", size});
  if (size < 0.8 * total || size > 1.25 * total)
    result->warnings.push_back(
        "the weights are of a population of about " + Rounded(size) +
        ", not of --total: they are not 1 / probability, or pages are missing");
  return estimate;
}

Result<WeightedEstimate> EstimateWith(const EstimateOptions& options,
                                      const std::vector<WeightedValue>& draws,
                                      const WeightedOptions& weighted) {
  if (options.what == Estimand::kShare) return HajekShare(draws, weighted);
  if (options.what == Estimand::kQuantile)
    return HajekQuantile(draws, options.quantile, weighted);
  return HajekMean(draws, weighted);
}

std::vector<WeightedValue> Unweighted(std::vector<WeightedValue> draws) {
  for (WeightedValue& draw : draws) draw.weight = 1;
  return draws;
}

}  // namespace

std::string WhyNoInterval(const std::vector<WeightedValue>& draws,
                          const std::vector<uint64_t>& chains,
                          const WeightedEstimate& estimate) {
  if (!(estimate.estimate.standard_error > 0))
    return "the draws of a walk have one value, and depend on one another";
  if (estimate.effective_size < kLeastEffectiveSize)
    return "the draws of the walk are worth only " +
           Rounded(estimate.effective_size) + " independent ones";
  const auto r_hat = RHatOf(ValuesOfChains(draws, chains));
  if (r_hat && *r_hat > kMostRHat)
    return "parts of the walk disagree (split R-hat above 1.1)";
  return "";
}

Result<EstimateResult> EstimateStatistic(const EstimateOptions& options) {
  TWINSET_ASSIGN(const Sample sample, ReadDraws(options));
  const WeightedOptions weighted = OptionsOf(sample);
  EstimateResult result;
  WeightedEstimate estimate;
  if (options.weights == EstimateWeights::kHt) {
    TWINSET_ASSIGN(estimate, Expand(options, sample, weighted, &result));
  } else {
    const bool none = options.weights == EstimateWeights::kNone;
    TWINSET_ASSIGN(
        estimate,
        EstimateWith(options, none ? Unweighted(sample.draws) : sample.draws,
                     weighted));
  }
  result.estimate = ToValue(std::string(ChoiceName(options.what)),
                            estimate.estimate, estimate.bootstrap);
  if (const std::string why = WhyWithheld(sample, estimate); !why.empty())
    Withhold(why, &result.estimate);
  result.n = estimate.draws;
  result.effective_n = estimate.effective_size;
  result.missing = sample.missing;
  result.details.push_back({"weight_size", estimate.weight_size});
  if (sample.chain)
    result.details.push_back({"autocorrelation_time", estimate.time});
  if (sample.weighted && options.weights != EstimateWeights::kNone) {
    TWINSET_ASSIGN(const WeightedEstimate raw,
                   EstimateWith(options, Unweighted(sample.draws), weighted));
    result.details.push_back({"without_weights", raw.estimate.value});
  }
  Warn(options, sample, estimate, &result);
  return result;
}

Result<EstimateResult> EstimateWalk(const EstimateOptions& options) {
  TWINSET_ASSIGN(Sample sample, ReadDraws(options));
  sample.chain = true;
  const WeightedOptions weighted = OptionsOf(sample);
  TWINSET_ASSIGN(const WeightedEstimate estimate,
                 HajekMean(sample.draws, weighted));
  EstimateResult result;
  result.estimate = ToValue("mean", estimate.estimate, estimate.bootstrap);
  if (const std::string why = WhyWithheld(sample, estimate); !why.empty())
    Withhold(why, &result.estimate);
  result.n = estimate.draws;
  result.effective_n = estimate.effective_size;
  result.missing = sample.missing;
  const auto chains = ValuesOfChains(sample.draws, sample.chains);
  result.details = {{"chains", static_cast<double>(chains.size())},
                    {"weight_size", estimate.weight_size},
                    {"autocorrelation_time", estimate.time}};
  double least_p = 1;
  for (size_t i = 0; i < chains.size(); ++i) {
    const std::string of =
        chains.size() == 1 ? "" : "chain " + std::to_string(i);
    if (const auto geweke = GewekeTest(chains[i])) {
      least_p = std::min(least_p, geweke->p);
      result.values.push_back(
          {.name = "geweke_z", .of = of, .value = geweke->z});
      result.values.push_back(
          {.name = "geweke_p", .of = of, .value = geweke->p});
    } else {
      result.warnings.push_back("no Geweke test: " + geweke.error().message);
    }
  }
  if (const auto r_hat = RHatOf(chains)) {
    result.values.push_back({.name = "split_r_hat", .value = *r_hat});
    if (*r_hat > kMostRHat)
      result.warnings.push_back(
          "the halves of the walk disagree (split R-hat above 1.1): it has "
          "not forgotten its start");
  } else {
    result.warnings.push_back("no split R-hat: " + r_hat.error().message);
  }
  if (least_p * static_cast<double>(chains.size()) < 0.01)
    result.warnings.push_back(
        "the start of the walk differs from its end (Geweke): leave out more "
        "of it, or walk longer");
  Warn(options, sample, estimate, &result);
  return result;
}

}  // namespace twinset
