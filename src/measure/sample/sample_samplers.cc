// The samplers by name.

#include "base/hash.h"
#include "sample/bharat_broder.h"
#include "sample/forecast.h"
#include "sample/sample_run.h"
#include "twinset/json.h"
#include "twinset/lexicon.h"

namespace twinset {

namespace {

std::string Line(const Json& json) { return json.dump(); }

OnDraw WriterOf(SampleRun* run, size_t place) {
  return [run, place](const Questioner::Page& page, SampleRow row) {
    return run->Write(place, page, std::move(row));
  };
}

// Every engine is sampled with randomness of its own.
uint64_t SeedOf(const SampleRun& run, size_t place) {
  return Mix64(run.options->sampler.seed + 0x73616d706c65ull) + place;
}

Status BharatBroder(SampleRun* run, size_t place) {
  const SamplerOptions& given = run->options->sampler;
  BharatBroderOptions options;
  options.conjunctive = !given.any;
  options.terms = given.terms > 0 ? given.terms : given.any ? 4 : 2;
  options.limit = LimitOf(*run);
  options.size = given.size;
  options.seed = SeedOf(*run, place);
  return SampleByRandomQueries(run->terms, options,
                               run->engines[place].sampling.get(),
                               WriterOf(run, place));
}

Status RandomSearches(SampleRun* run, size_t) {
  const SamplerOptions& given = run->options->sampler;
  RandomSearchOptions options;
  options.conjunctive = !given.any;
  options.most_results = LimitOf(*run);
  options.size = given.size;
  std::vector<Questioner*> engines;
  for (RunEngine& engine : run->engines)
    engines.push_back(engine.sampling.get());
  const auto on_query = [&](const SearchCount& count) {
    Json row = {{"query", count.query}};
    for (size_t i = 0; i < engines.size(); ++i) {
      row["counts"][run->engines[i].info.name] = count.counts[i];
      run->engines[i].rows += count.counts[i];
    }
    size_t pair = 0;
    row["overlaps"] = Json::array();
    for (size_t x = 0; x < engines.size(); ++x) {
      for (size_t y = x + 1; y < engines.size(); ++y, ++pair) {
        const uint64_t both = count.overlaps[pair];
        row["overlaps"].push_back({{"x", run->engines[x].info.name},
                                   {"y", run->engines[y].info.name},
                                   {"n", both}});
        run->overlaps[x * engines.size() + y].AddCounts(count.counts[x], both);
        run->overlaps[y * engines.size() + x].AddCounts(count.counts[y], both);
      }
    }
    row["in_any"] = count.in_any;
    row["in_all"] = count.in_all;
    return run->WriteQuery(Line(row));
  };
  // A part of the log is drawn, since its beginning is of one day or one mind.
  if (given.size > 0 && given.size < run->queries.size()) {
    SplitMix64 random(SeedOf(*run, 0));
    for (size_t left = run->queries.size(); left > 1; --left)
      std::swap(run->queries[left - 1], run->queries[random.Below(left)]);
  }
  return SearchAll(run->queries, options, engines, on_query, WriterOf(run, 0),
                   &run->searches);
}

// A pool sampler's options, and the graph it works on.
struct PoolRun {
  PoolRun(SampleRun* run, size_t place)
      : engine(&run->engines[place]),
        graph(&*run->pool, engine->sampling.get(), GraphOptions(*run)) {
    const SamplerOptions& given = run->options->sampler;
    options.size = given.size;
    options.seed = SeedOf(*run, place);
    options.least_degree = given.least_degree;
    options.most_degree = given.most_degree;
    options.burn_in = given.burn_in;
    options.thin = given.thin;
    options.probe_degrees = given.probe_degrees;
  }
  static PoolGraphOptions GraphOptions(const SampleRun& run) {
    PoolGraphOptions graph;
    graph.limit = LimitOf(run);
    graph.seed = run.options->sampler.seed;
    return graph;
  }
  Status Finish(const Status& status) {
    engine->has_reach = true;
    engine->pool_asked = graph.asked();
    engine->pool_valid = graph.valid();
    return status;
  }

  RunEngine* engine;
  PoolSamplerOptions options;
  PoolGraph graph;
};

Status TellForecast(const SampleRun& run, const PoolRun& pool) {
  const SamplerOptions& given = run.options->sampler;
  const bool rejection = run.sampler->info.name == "pool-rejection";
  if (!run.options->on_forecast || run.sampler->chain || run.options->replay ||
      given.lexicon.empty() || given.terms > 1)
    return {};
  PoolCosts costs;
  costs.limit = pool.graph.limit();
  TWINSET_TRY(ShowLexicon(given.lexicon, [&](const LexiconRow& row) {
    if (row.frequency >= given.min_df &&
        (given.max_df == 0 || row.frequency <= given.max_df))
      costs.frequencies.push_back(row.frequency);
    return true;
  }));
  TWINSET_ASSIGN(const TermStatistics statistics,
                 TermStatistics::Read(given.lexicon));
  costs.lexicon_documents = statistics.documents();
  costs.engine_documents =
      pool.engine->info.documents < 0
          ? statistics.documents()
          : static_cast<uint64_t>(pool.engine->info.documents);
  costs.size = given.size;
  costs.rejection = rejection;
  costs.least_degree = given.least_degree;
  costs.probe_degrees = given.probe_degrees;
  SampleForecast forecast = ForecastPool(costs);
  forecast.engine = pool.engine->info.name;
  run.options->on_forecast(forecast);
  return {};
}

template <auto Sampler>
Status WithPool(SampleRun* run, size_t place) {
  PoolRun pool(run, place);
  TWINSET_TRY(TellForecast(*run, pool));
  return pool.Finish(Sampler(pool.options, &pool.graph, WriterOf(run, place),
                             &pool.engine->reach));
}

Status PoolQueries(SampleRun* run, size_t place) {
  PoolRun pool(run, place);
  std::optional<PoolGraph> second;
  if (run->second_pool) {
    second.emplace(&*run->second_pool, pool.engine->sampling.get(),
                   PoolRun::GraphOptions(*run));
  }
  const auto totals_of = [&](PoolGraph* graph, PoolGraph* other,
                             const char* name, const OnDraw& on_draw,
                             PoolReach* reach) {
    const auto on_query = [&](const QueryTotal& total) {
      Json row = {{"query", total.query},
                  {"sum_inverse_degree", total.sum_inverse_degree}};
      if (other != nullptr)
        row["sum_inverse_degree_both"] = total.sum_inverse_degree_both;
      row["results"] = total.results;
      if (run->second_pool) row["pool"] = name;
      return run->WriteQuery(Line(row));
    };
    return SampleQueries(pool.options, graph, other, on_query, on_draw, reach);
  };
  TWINSET_TRY(totals_of(&pool.graph, second ? &*second : nullptr, "a",
                        WriterOf(run, place), &pool.engine->reach));
  if (second) {
    pool.options.seed = Mix64(pool.options.seed);
    const auto no_draw = [](const Questioner::Page&, const SampleRow&) {
      return Status();
    };
    PoolReach reach;
    TWINSET_TRY(totals_of(&*second, &pool.graph, "b", no_draw, &reach));
  }
  return pool.Finish({});
}

}  // namespace

const std::vector<SamplerRow>& SamplerTable() {
  static const std::vector<SamplerRow> kTable = {
      {{"pool-rejection",
        "uniform: pages by pool queries, accepted with 1 / degree", "uniform"},
       false,
       false,
       true,
       100,
       WithPool<SampleByRejection>},
      {{"pool-importance",
        "weighted: the same without rejecting, weight 1 / degree", "exact"},
       false,
       false,
       true,
       100,
       WithPool<SampleByImportance>},
      {{"pool-walk-mh",
        "uniform in the limit: Metropolis-Hastings walk over shared queries",
        "uniform"},
       true,
       false,
       true,
       100,
       WithPool<SampleByMetropolisWalk>},
      {{"pool-walk-md", "uniform in the limit: maximum-degree walk", "uniform"},
       true,
       false,
       true,
       100,
       WithPool<SampleByMaximumDegreeWalk>},
      {{"pool-queries",
        "uniform queries with the sum of 1 / degree, for the corpus size",
        "exact"},
       false,
       false,
       true,
       100,
       PoolQueries},
      {{"bharat-broder", "biased: a page of the first results of random words",
        "none"},
       false,
       false,
       false,
       100,
       BharatBroder},
      {{"random-searches",
        "biased: every verified result of the queries of a log, all engines",
        "none"},
       false,
       true,
       false,
       600,
       RandomSearches},
  };
  return kTable;
}

Result<const SamplerRow*> FindSampler(const std::string& name) {
  std::string names;
  for (const SamplerRow& row : SamplerTable()) {
    if (row.info.name == name) return &row;
    names += (names.empty() ? "" : ", ") + row.info.name;
  }
  return Fail(ErrorCode::kUsage, "there is no sampler '" + name + "'", "",
              "one of " + names);
}

uint32_t LimitOf(const SampleRun& run) {
  if (run.options->sampler.limit > 0) return run.options->sampler.limit;
  const auto sampler = FindSampler(run.options->sampler.name);
  return sampler ? (*sampler)->limit : 100;
}

std::vector<SamplerInfo> v1::Samplers() {
  std::vector<SamplerInfo> infos;
  for (const SamplerRow& row : SamplerTable()) infos.push_back(row.info);
  return infos;
}

}  // namespace twinset
