#include "sample/pool_sampler.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/json_text.h"
#include "base/math/pinned_math.h"

namespace twinset {

namespace {

constexpr uint64_t kMaxProbes = 200;
constexpr uint32_t kNoQuery = PoolGraph::kNoQuery;

// Uniform in [0, 1).
double Uniform(SplitMix64* random) {
  return static_cast<double>(random->Next() >> 11) * 0x1p-53;
}

// A page with the query that led to it.
struct Trial {
  uint32_t query = kNoQuery, page = 0;
  const PoolGraph::PageDegree* degree = nullptr;
};

void Note(const PoolGraph::PageDegree& degree, PoolReach* reach) {
  const double d = degree.degree;
  const auto before = static_cast<double>(reach->trials++);
  reach->lowest_degree = before == 0 ? d : std::min(reach->lowest_degree, d);
  reach->highest_degree = std::max(reach->highest_degree, d);
  reach->mean_degree += (d - reach->mean_degree) / (before + 1);
}

// What every sampler here shares: the graph, the randomness and the draws.
class Drawing {
 public:
  Drawing(const PoolSamplerOptions& options, PoolGraph* graph,
          const OnDraw& on_draw, PoolReach* reach)
      : options_(options),
        graph_(graph),
        on_draw_(on_draw),
        reach_(reach),
        random_(options.seed) {}

  bool Done() const { return reach_->draws >= options_.size; }
  SplitMix64* random() { return &random_; }

  // One joined pair of query and page, all equally likely: a uniform query is
  // kept with probability results / limit, its page taken if joined.
  Result<Trial> UniformPair() {
    // Queries without results, and pairs that are not joined, in a row.
    uint64_t empty = 0, unjoined = 0;
    while (empty < options_.most_barren && unjoined < options_.most_barren) {
      const auto query =
          static_cast<uint32_t>(random_.Below(graph_->pool().size()));
      const uint64_t place = random_.Below(graph_->limit());
      TWINSET_ASSIGN(const auto* results, graph_->ResultsOf(query));
      empty = results->empty() ? empty + 1 : 0;
      if (place >= results->size()) continue;
      TWINSET_ASSIGN(const Trial trial, At(query, (*results)[place]));
      if (trial.degree != nullptr) return trial;
      ++unjoined;
    }
    return tl::unexpected(
        Barren(graph_->questioner()->Info().name, options_.most_barren));
  }

  // The page as reached by the query; degree null when it is not joined to it.
  Result<Trial> At(uint32_t query, uint32_t page) {
    TWINSET_ASSIGN(const auto* degree,
                   options_.probe_degrees
                       ? graph_->ProbeDegree(page, query, &random_)
                       : graph_->DegreeOf(page));
    Trial trial{query, page, nullptr};
    SampleCounts& counts = graph_->questioner()->counts();
    if (!degree->fetched) return trial;
    if (!graph_->Matches(page, query)) {
      ++counts.unverified;
      return trial;
    }
    if (!(degree->degree > 0)) {
      ++counts.unreachable;
      return trial;
    }
    trial.degree = degree;
    return trial;
  }

  // A neighbour of the page by a uniform one of its queries; the page itself
  // when the step leads nowhere.
  Result<Trial> Step(const Trial& from) {
    const auto& queries = from.degree->queries;
    const uint32_t query = queries[random_.Below(queries.size())];
    TWINSET_ASSIGN(const auto* results, graph_->ResultsOf(query));
    const uint32_t page = (*results)[random_.Below(results->size())];
    TWINSET_ASSIGN(const Trial to, At(query, page));
    return to.degree == nullptr ? from : to;
  }

  Status Draw(const Trial& trial, double weight) {
    TWINSET_ASSIGN(const auto page,
                   graph_->questioner()->Fetch(graph_->UrlOf(trial.page)));
    // It was there a moment ago; a page that comes and goes is no draw.
    if (!page) return {};
    SampleRow row = RowOfPage(FactsOf(*page, graph_->questioner()->reader()));
    row.weight = weight;
    row.draw = reach_->draws++;
    row.fields.emplace_back("degree", DegreeText(trial.degree->degree));
    if (trial.query != kNoQuery) {
      row.fields.emplace_back("query",
                              JsonOf(graph_->pool().Text(trial.query)));
    }
    return on_draw_(*page, std::move(row));
  }

 private:
  static std::string DegreeText(double degree);

  const PoolSamplerOptions& options_;
  PoolGraph* graph_;
  const OnDraw& on_draw_;
  PoolReach* reach_;
  SplitMix64 random_;
};

std::string Drawing::DegreeText(double degree) {
  std::string text;
  AppendDouble(&text, degree);
  return text;
}

Status CheckPool(const PoolGraph& graph) {
  if (graph.pool().size() > 0 && graph.limit() > 0) return {};
  return Fail(ErrorCode::kUsage,
              graph.limit() == 0
                  ? "an engine that shows one result cannot be sampled so"
                  : "the pool of queries is empty");
}

Status ByPairs(const PoolSamplerOptions& options, PoolGraph* graph,
               const OnDraw& on_draw, PoolReach* reach, bool reject) {
  TWINSET_TRY(CheckPool(*graph));
  Drawing drawing(options, graph, on_draw, reach);
  while (!drawing.Done()) {
    TWINSET_ASSIGN(const Trial trial, drawing.UniformPair());
    const double degree = trial.degree->degree;
    Note(*trial.degree, reach);
    reach->below_least += reject && degree < options.least_degree;
    if (reject && Uniform(drawing.random()) * degree >= options.least_degree) {
      ++graph->questioner()->counts().rejected;
      continue;
    }
    TWINSET_TRY(drawing.Draw(trial, reject ? 1 : 1 / degree));
  }
  return ProbeReach(graph, reach, options.probe_degrees);
}

}  // namespace

Status ProbeReach(PoolGraph* graph, PoolReach* reach, bool probe_degrees) {
  SplitMix64 random(reach->trials);
  // Asking for degrees adds to the list: what stands there now counts.
  const std::vector<uint32_t> shown = graph->shown_by_overflowing();
  for (size_t i = 0; i < std::min<size_t>(shown.size(), kMaxProbes); ++i) {
    TWINSET_ASSIGN(const auto* degree,
                   probe_degrees ? graph->ProbeDegree(
                                       shown[i], PoolGraph::kNoQuery, &random)
                                 : graph->DegreeOf(shown[i]));
    if (!degree->fetched) continue;
    ++reach->probed;
    reach->unreachable += !(degree->degree > 0);
  }
  return {};
}

Status SampleByRejection(const PoolSamplerOptions& options, PoolGraph* graph,
                         const OnDraw& on_draw, PoolReach* reach) {
  return ByPairs(options, graph, on_draw, reach, /*reject=*/true);
}

Status SampleByImportance(const PoolSamplerOptions& options, PoolGraph* graph,
                          const OnDraw& on_draw, PoolReach* reach) {
  return ByPairs(options, graph, on_draw, reach, /*reject=*/false);
}

Status SampleByMetropolisWalk(const PoolSamplerOptions& options,
                              PoolGraph* graph, const OnDraw& on_draw,
                              PoolReach* reach) {
  TWINSET_TRY(CheckPool(*graph));
  Drawing drawing(options, graph, on_draw, reach);
  TWINSET_ASSIGN(Trial at, drawing.UniformPair());
  uint64_t left = options.burn_in;  // moves before the next draw
  while (!drawing.Done()) {
    if (left == 0) {
      TWINSET_TRY(drawing.Draw(at, 1));
      left = std::max<uint64_t>(options.thin, 1);
    }
    --left;
    TWINSET_ASSIGN(const Trial to, drawing.Step(at));
    Note(*to.degree, reach);
    if (Uniform(drawing.random()) * to.degree->degree < at.degree->degree) {
      at = to;
    } else {
      ++graph->questioner()->counts().rejected;
    }
  }
  return ProbeReach(graph, reach);
}

Status SampleByMaximumDegreeWalk(const PoolSamplerOptions& options,
                                 PoolGraph* graph, const OnDraw& on_draw,
                                 PoolReach* reach) {
  TWINSET_TRY(CheckPool(*graph));
  Drawing drawing(options, graph, on_draw, reach);
  TWINSET_ASSIGN(Trial at, drawing.UniformPair());
  Note(*at.degree, reach);
  for (uint32_t i = 0; i < options.burn_in; ++i) {
    TWINSET_ASSIGN(at, drawing.Step(at));
    Note(*at.degree, reach);
  }
  reach->bound =
      options.most_degree > 0 ? options.most_degree : 2 * reach->highest_degree;
  // The plain walk meets pages in proportion to their degree, so the mean of
  // what it met is no less than a page's mean degree: thin enough.
  const double per_draw = std::max(1.0, static_cast<double>(options.thin) *
                                            reach->bound / reach->mean_degree);
  double next = 0;  // steps until the next draw
  while (!drawing.Done()) {
    const double leave = std::min(1.0, at.degree->degree / reach->bound);
    reach->above_most += at.degree->degree > reach->bound;
    double stay = 1;  // steps at this page: geometric
    if (leave < 1) {
      stay += std::floor(PinnedLog(1 - Uniform(drawing.random())) /
                         PinnedLog(1 - leave));
    }
    for (; next < stay && !drawing.Done(); next += per_draw)
      TWINSET_TRY(drawing.Draw(at, 1));
    next -= stay;
    TWINSET_ASSIGN(at, drawing.Step(at));
    Note(*at.degree, reach);
  }
  return ProbeReach(graph, reach);
}

Status SampleQueries(const PoolSamplerOptions& options, PoolGraph* graph,
                     PoolGraph* other,
                     const std::function<Status(QueryTotal)>& on_query,
                     const OnDraw& on_draw, PoolReach* reach) {
  TWINSET_TRY(CheckPool(*graph));
  Drawing drawing(options, graph, on_draw, reach);
  uint64_t found = 0;
  for (uint64_t i = 0; i < options.size; ++i) {
    if (found == 0 && i >= options.most_barren) {
      return tl::unexpected(Barren(graph->questioner()->Info().name, i));
    }
    const auto query =
        static_cast<uint32_t>(drawing.random()->Below(graph->pool().size()));
    QueryTotal total;
    total.query = graph->pool().Text(query);
    TWINSET_ASSIGN(const auto* results, graph->ResultsOf(query));
    std::vector<Trial> trials;
    for (const uint32_t page : *results) {
      TWINSET_ASSIGN(const Trial trial, drawing.At(query, page));
      if (trial.degree == nullptr) continue;
      Note(*trial.degree, reach);
      trials.push_back(trial);
      total.sum_inverse_degree += 1 / trial.degree->degree;
      if (other == nullptr) continue;
      TWINSET_ASSIGN(const auto* degree,
                     other->DegreeOf(other->NumberOf(graph->UrlOf(page))));
      if (degree->degree > 0)
        total.sum_inverse_degree_both += 1 / trial.degree->degree;
    }
    total.results = trials.size();
    found += !trials.empty();
    if (!trials.empty()) {
      const Trial& one = trials[drawing.random()->Below(trials.size())];
      TWINSET_TRY(drawing.Draw(
          one, static_cast<double>(trials.size()) / one.degree->degree));
    }
    TWINSET_TRY(on_query(std::move(total)));
  }
  return ProbeReach(graph, reach);
}

}  // namespace twinset
