// twinset estimate size, ratio, servers: how many there are.
#include <algorithm>
#include <cmath>

#include "estimate/corpus_size.h"
#include "estimate/power_law.h"
#include "estimate/ratios.h"
#include "estimate/skewed_total.h"
#include "survey/estimate_engines.h"
#include "survey/estimate_rows.h"
#include "survey/expression.h"
#include "twinset/json.h"

namespace twinset {
namespace {

Result<PoolQuery> ReadQuery(const SampleRow& row, const std::string& where) {
  PoolQuery query;
  if (FindField(row, "sum_inverse_degree") != nullptr) {
    TWINSET_ASSIGN(query.sum, NumberField(row, "sum_inverse_degree", where));
    if (FindField(row, "sum_inverse_degree_both") != nullptr) {
      TWINSET_ASSIGN(query.both,
                     NumberField(row, "sum_inverse_degree_both", where));
    }
    return query;
  }
  const std::string* text = FindField(row, "degrees");
  const Json degrees = text == nullptr ? Json() : Json::Parse(*text);
  text = FindField(row, "in_other");
  const Json other = text == nullptr ? Json::array() : Json::Parse(*text);
  const auto all = [](const Json& list, bool (Json::*is)() const) {
    return list.is_array() &&
           std::all_of(list.begin(), list.end(),
                       [is](const Json& item) { return (item.*is)(); });
  };
  if (!all(degrees, &Json::is_number_unsigned) ||
      !all(other, &Json::is_boolean))
    return Fail(ErrorCode::kCorrupt,
                "a query has neither sum_inverse_degree nor degrees (with "
                "in_other)",
                where);
  auto sum = SumDegrees(degrees.get<std::vector<uint64_t>>(),
                        other.get<std::vector<bool>>());
  if (!sum) sum.error().where = where;
  return sum;
}

struct Queries {
  std::vector<PoolQuery> a, b;
};

Result<Queries> ReadQueries(const EstimateOptions& options) {
  Queries queries;
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    TWINSET_TRY(ReadTable(
        options, i,
        [&](const SampleRow& row, const std::string& where) -> Status {
          TWINSET_ASSIGN(const PoolQuery query, ReadQuery(row, where));
          const bool second = i > 0 || TextField(row, "pool") == "b";
          (second ? queries.b : queries.a).push_back(query);
          return {};
        }));
  }
  return queries;
}

constexpr uint64_t kLeastQueries = 5, kFewQueries = 30;

// Without the bootstrap, whose intervals are too short where few queries bring
// most.
EstimatedValue ToValue(const char* name, const CorpusSize& size) {
  EstimatedValue value = ToValue(name, size.estimate);
  if (size.non_empty < kLeastQueries)
    Withhold("only " + std::to_string(size.non_empty) + " of " +
                 std::to_string(size.queries) + " queries have a result",
             &value);
  return value;
}

void WarnOfFew(const CorpusSize& size, EstimateResult* result) {
  if (size.non_empty < kFewQueries)
    result->warnings.push_back(
        "only " + std::to_string(size.non_empty) + " of " +
        std::to_string(size.queries) +
        " queries have a result: the estimate is rough; draw more, or take a "
        "pool that matches more");
}

Result<EstimateResult> SizeOfKnown(const EstimateOptions& options) {
  TWINSET_ASSIGN(EngineSizes sizes, SizesFromOverlaps(options));
  const auto known =
      std::find(sizes.names.begin(), sizes.names.end(), options.known_engine);
  if (known == sizes.names.end() || !(options.known_size > 0)) {
    return Fail(ErrorCode::kUsage,
                known == sizes.names.end() ? "the overlaps name no engine '" +
                                                 options.known_engine + "'"
                                           : "the known size is not above 0",
                options.inputs[0]);
  }
  const auto at = static_cast<size_t>(known - sizes.names.begin());
  const RelativeSizes& relative = sizes.relative;
  if (!(relative.sizes[at] > 0))
    return Fail(ErrorCode::kUsage,
                "'" + options.known_engine + "' has no relative size");
  const double scale = options.known_size / relative.sizes[at];
  EstimateResult result = std::move(sizes.notes);
  result.estimate = {.name = "all_engines", .value = relative.all * scale};
  if (at == 0 && !relative.intervals.empty())
    result.estimate.interval = EstimateRange{
        relative.all_interval.low * scale, relative.all_interval.high * scale};
  for (size_t x = 0; x < sizes.names.size(); ++x) {
    result.values.push_back({.name = "size",
                             .of = sizes.names[x],
                             .value = relative.sizes[x] * scale});
    // Relative to the first: exact only when that is the known one.
    if (at == 0 && !relative.intervals.empty())
      result.values.back().interval =
          EstimateRange{relative.intervals[x].low * scale,
                        relative.intervals[x].high * scale};
  }
  if (at != 0 && !relative.intervals.empty())
    result.warnings.push_back("intervals need the known engine first in '" +
                              options.inputs[0] + "'");
  result.details = {{"residual", relative.residual}};
  result.n = sizes.looked;
  result.effective_n = static_cast<double>(sizes.looked);
  return result;
}

EstimatedValue ToValue(const char* name, const RatioEstimate& ratio) {
  EstimatedValue value = ToValue(name, ratio.estimate);
  if (!ratio.has_interval) {
    Withhold(ratio.used < kLeastPairs
                 ? "only " + std::to_string(ratio.used) + " pairs"
                 : "all x are 0",
             &value);
  }
  return value;
}

}  // namespace

Result<EstimateResult> EstimateSize(const EstimateOptions& options) {
  if (!options.known_engine.empty()) return SizeOfKnown(options);
  if (options.pool == 0) {
    return Fail(ErrorCode::kUsage,
                "the number of queries in the pool is not given", "",
                "add --pool N, or --known ENGINE=SIZE with overlaps");
  }
  TWINSET_ASSIGN(const Queries queries, ReadQueries(options));
  EstimateResult result;
  result.n = queries.a.size() + queries.b.size();
  result.effective_n = static_cast<double>(result.n);
  BootstrapOptions drawing = BootstrapOf(options);
  drawing.replicas = 0;
  if (!queries.b.empty()) {
    const uint64_t second =
        options.second_pool == 0 ? options.pool : options.second_pool;
    TWINSET_ASSIGN(
        const TwoPools pools,
        SizeByTwoPools(queries.a, options.pool, queries.b, second, drawing));
    result.estimate = ToValue("size", pools.all);
    result.values = {ToValue("covered_by_a", pools.a),
                     ToValue("covered_by_b", pools.b),
                     ToValue("covered_by_both", pools.both)};
    WarnOfFew(pools.all, &result);
    result.warnings.push_back(
        "too small when pages that match one pool match the other more often "
        "than the rest");
    return result;
  }
  TWINSET_ASSIGN(const CorpusSize covered,
                 PoolCoveredSize(queries.a, options.pool, drawing));
  if (covered.non_empty == 0) {
    return Fail(ErrorCode::kNotFound,
                "none of the " + std::to_string(covered.queries) +
                    " queries has a result: the size cannot be estimated",
                options.inputs[0],
                "draw more queries, or take a pool that matches more");
  }
  WarnOfFew(covered, &result);
  if (options.matched) {
    TWINSET_ASSIGN(
        const CorpusSize size,
        SizeByUniformSample(queries.a, options.pool,
                            {options.matched->found, options.matched->looked}));
    result.estimate = ToValue("size", size);
    result.values = {ToValue("covered", covered)};
    return result;
  }
  result.estimate = ToValue("covered", covered);
  result.warnings.push_back(
      "only pages that match a query of the pool: add --matched K/N of a "
      "uniform sample, or a second pool, for all");
  return result;
}

Result<EstimateResult> EstimateRatio(const EstimateOptions& options) {
  TWINSET_ASSIGN(const Expression x, Expression::Parse(options.x));
  TWINSET_ASSIGN(const Expression y, Expression::Parse(options.y));
  std::vector<RatioPair> pairs;
  EstimateResult result;
  TWINSET_TRY(ReadTable(
      options, 0, [&](const SampleRow& row, const std::string&) -> Status {
        const ExpressionValue a = x.Evaluate(row), b = y.Evaluate(row);
        if (a.kind != ExpressionValue::kNumber ||
            b.kind != ExpressionValue::kNumber) {
          ++result.missing;
        } else {
          pairs.push_back({a.number, b.number});
        }
        return {};
      }));
  TWINSET_ASSIGN(const Ratios ratios, FindRatios(pairs));
  result.estimate = ToValue("ratio_of_sums", ratios.of_sums);
  if (ratios.mean.used > 0)
    result.values.push_back(ToValue("mean_of_ratios", ratios.mean));
  if (ratios.harmonic.used > 0)
    result.values.push_back(ToValue("harmonic_mean", ratios.harmonic));
  const auto count = [](uint64_t number) {
    return static_cast<double>(number);
  };
  result.details = {{"zero_x", count(ratios.zero_x)},
                    {"zero_y", count(ratios.zero_y)},
                    {"zero_both", count(ratios.zero_both)}};
  result.n = ratios.pairs;
  result.effective_n = count(ratios.pairs);
  if (ratios.zero_y > 0)
    result.warnings.push_back(
        std::to_string(ratios.zero_y) +
        " pairs have y = 0 < x: the mean of ratios leaves them out and is too "
        "small by them");
  if (ratios.zero_x > 0)
    result.warnings.push_back(
        std::to_string(ratios.zero_x) +
        " pairs have x = 0 < y: the harmonic mean leaves them out and is too "
        "large by them");
  if (result.missing > 0)
    result.warnings.push_back(std::to_string(result.missing) +
                              " rows have no number x or y");
  return result;
}

namespace {

struct ServerRows {
  std::vector<uint64_t> pages;
  std::vector<double> weights;
  uint64_t missing = 0;
  bool weighted = false;
};

Result<ServerRows> ReadServers(const EstimateOptions& options) {
  TWINSET_ASSIGN(const Expression of,
                 Expression::Parse(options.of.empty() ? "pages" : options.of));
  ServerRows rows;
  TWINSET_TRY(ReadTable(
      options, 0,
      [&](const SampleRow& row, const std::string& where) -> Status {
        const ExpressionValue value = of.Evaluate(row);
        if (value.kind != ExpressionValue::kNumber) {
          ++rows.missing;
          return {};
        }
        if (value.number < 0 || value.number > 0x1p53 ||
            value.number != std::floor(value.number))
          return Fail(ErrorCode::kCorrupt,
                      "a number of pages that is no whole number", where);
        rows.pages.push_back(static_cast<uint64_t>(value.number));
        rows.weights.push_back(row.weight);
        rows.weighted = rows.weighted || row.weight != 1;
        return {};
      }));
  return rows;
}

// The total over all addresses, from what the trials brought: those that hit
// nothing brought 0.
Estimated Total(const std::vector<double>& brought,
                const EstimateOptions& options) {
  return SkewedTotal(static_cast<double>(options.addresses), brought,
                     options.trials);
}

Status AddTotals(const ServerRows& rows, const EstimateOptions& options,
                 EstimateResult* result) {
  if (options.trials == 0 && options.addresses == 0) return {};
  if (options.trials < 2 || options.trials > options.addresses ||
      rows.pages.size() > options.trials) {
    return Fail(ErrorCode::kUsage,
                std::to_string(rows.pages.size()) + " servers of " +
                    std::to_string(options.trials) + " trials of " +
                    std::to_string(options.addresses) + " addresses cannot be",
                "", "give --trials and --addresses, each at least as many");
  }
  Estimated servers = Total(rows.weights, options);
  if (!rows.weighted) {
    const Interval share = WilsonInterval(rows.pages.size(), options.trials);
    const double addresses = static_cast<double>(options.addresses);
    servers.interval = {share.low * addresses, share.high * addresses};
  }
  std::vector<double> pages;
  for (size_t i = 0; i < rows.pages.size(); ++i)
    pages.push_back(rows.weights[i] * static_cast<double>(rows.pages[i]));
  result->values.push_back(ToValue("servers", servers));
  result->values.push_back(ToValue("pages", Total(pages, options)));
  return {};
}

std::string Percent(double share) {
  const auto tenths = static_cast<int64_t>(share * 1000 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

// The fitted exponent; 0 when there is none.
double AddLaw(const ServerRows& rows, const EstimateOptions& options,
              EstimateResult* result) {
  const auto fit = FitPowerLaw(
      rows.pages, {options.seed, std::min<uint32_t>(options.replicas, 200), 1});
  if (!fit) {
    result->warnings.push_back("no power law was fitted: " +
                               fit.error().message);
    return 0;
  }
  EstimatedValue alpha{.name = "alpha", .value = fit->law.alpha};
  if (options.replicas > 0)
    alpha.bootstrap = EstimateRange{fit->alpha.low, fit->alpha.high};
  if (fit->law.tail < kLeastTailForInterval)
    Withhold(
        "only " + std::to_string(fit->law.tail) + " values are in the tail",
        &alpha);
  result->values.push_back(alpha);
  result->details.push_back({"x_min", static_cast<double>(fit->law.x_min)});
  result->details.push_back({"tail", static_cast<double>(fit->law.tail)});
  result->details.push_back({"ks_distance", fit->law.distance});
  if (fit->law.alpha <= 2) {
    result->warnings.push_back(
        "the fitted law (alpha at most 2) has no mean: the sample mean is "
        "ruled by its largest servers and grows with the sample");
  } else if (fit->law.alpha <= 3) {
    result->warnings.push_back(
        "the fitted law (alpha at most 3) has no variance: the mean depends on "
        "whether the largest servers were met");
  }
  return fit->law.alpha;
}

constexpr double kMostTopShare = 0.2;

// The mean of few or very unequal servers depends on whether the largest were
// met; the number of servers does not. To go by how unequal those are that were
// met would print just what missed the largest.
void WithholdMeans(const ServerRows& rows, double exponent,
                   EstimateResult* result) {
  std::string why;
  if (rows.pages.size() < kLeastForSkewedMean) {
    why = "fewer than 1000 servers: the largest may not be among them";
  } else if (exponent > 0 && exponent <= kLeastExponentForMean) {
    why =
        "the exponent of the fitted law is at most 2.6: servers that were "
        "not met may hold most pages";
  }
  if (why.empty()) return;
  Withhold(why, &result->estimate);
  for (EstimatedValue& value : result->values)
    if (value.name == "pages") Withhold(why, &value);
}

}  // namespace

Result<EstimateResult> EstimateServers(const EstimateOptions& options) {
  TWINSET_ASSIGN(const ServerRows rows, ReadServers(options));
  TWINSET_ASSIGN(const SkewedMean mean, FindSkewedMean(rows.pages, {1, 0, 1}));
  EstimateResult result;
  std::vector<RatioPair> weighted;
  double weights = 0, squares = 0;
  for (size_t i = 0; i < rows.pages.size(); ++i) {
    const double weight = rows.weights[i];
    weighted.push_back({weight * static_cast<double>(rows.pages[i]), weight});
    weights += weight;
    squares += weight * weight;
  }
  result.estimate = ToValue("pages_per_server", RatioOfSums(weighted).estimate);
  result.n = mean.n;
  result.effective_n = weights / squares * weights;
  result.missing = rows.missing;
  TWINSET_TRY(AddTotals(rows, options, &result));
  result.details = {{"median", mean.median},
                    {"variation", mean.variation},
                    {"largest", static_cast<double>(mean.largest)},
                    {"largest_share", mean.largest_share},
                    {"top_hundredth_share", mean.top_share}};
  WithholdMeans(rows, AddLaw(rows, options, &result), &result);
  if (mean.top_share > kMostTopShare)
    result.warnings.push_back(
        "skewed: the largest hundredth of the servers holds " +
        Percent(mean.top_share) + " of the pages, the largest one " +
        Percent(mean.largest_share));
  if (rows.missing > 0)
    result.warnings.push_back(std::to_string(rows.missing) +
                              " rows have no number of pages");
  return result;
}

}  // namespace twinset
