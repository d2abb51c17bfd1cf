// What a sample says of itself: warnings, summary.json, overlaps.csv.
#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "core/field_list.h"
#include "report/row_writer.h"
#include "sample/sample_run.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::string Percent(uint64_t part, uint64_t whole) {
  const double percent =
      100 * static_cast<double>(part) / static_cast<double>(whole);
  return std::to_string(static_cast<int>(std::lround(percent))) + " %";
}

void EngineWarnings(const RunEngine& engine, SampleRun* run) {
  const std::string name = engine.info.name + ": ";
  const SampleCounts& counts = engine.sampling->counts();
  const auto warn = [&](const std::string& text) {
    run->warnings.push_back(name + text);
  };
  if (counts.failed > 0) {
    warn(std::to_string(counts.failed) + " of " + std::to_string(counts.asked) +
         " questions got no answer");
  }
  if (counts.fetch_failed * 20 > counts.fetched) {
    warn(Percent(counts.fetch_failed, counts.fetched) +
         " of the pages could not be had and were left out");
  }
  if (counts.duplicates + counts.surplus > 0) {
    warn(std::to_string(counts.duplicates) + " results came twice and " +
         std::to_string(counts.surplus) + " unasked; they were dropped");
  }
  if (counts.unverified > 0) {
    warn(std::to_string(counts.unverified) +
         " results do not hold the words of the query");
  }
  // More was asked for, and many answers end at the same length.
  const uint64_t wanted =
      uint64_t{LimitOf(*run)} + (run->sampler->pool ? 1 : 0);
  if (run->sampler->pool && counts.longest > 1 && counts.longest < wanted &&
      counts.at_longest * 20 > counts.asked) {
    warn(std::to_string(counts.at_longest) + " answers have exactly " +
         std::to_string(counts.longest) +
         " results: if the engine shows no more, give --limit " +
         std::to_string(counts.longest - 1));
  }
}

void ReachWarnings(const RunEngine& engine, SampleRun* run) {
  if (!engine.has_reach) return;
  const PoolReach& reach = engine.reach;
  const std::string name = engine.info.name + ": ";
  if (reach.unreachable > 0) {
    run->warnings.push_back(
        name + std::to_string(reach.unreachable) + " of " +
        std::to_string(reach.probed) +
        " pages of overflowing queries match no valid query of the pool and "
        "are never drawn; take more or rarer terms");
  }
  if (reach.below_least > 0) {
    run->warnings.push_back(name + std::to_string(reach.below_least) +
                            " trials were on pages of a degree below "
                            "--least-degree, which are drawn too seldom");
  }
  if (reach.above_most > 0) {
    run->warnings.push_back(name + std::to_string(reach.above_most) +
                            " visits were to pages of a degree above the "
                            "bound, which are drawn too seldom; give "
                            "--most-degree");
  }
}

Json ParametersJson(const SampleRun& run) {
  const SamplerOptions& given = run.options->sampler;
  const CheckingOptions& checking = run.options->checking;
  Json row = {{"limit", LimitOf(run)},  {"size", given.size},
              {"terms", given.terms},   {"any", given.any},
              {"min_df", given.min_df}, {"max_df", given.max_df}};
  if (run.sampler->pool) {
    row["pool"] = run.pool->size();
    row["probe_degrees"] = given.probe_degrees;
    row["least_degree"] = given.least_degree;
    row["most_degree"] = given.most_degree;
  }
  if (run.second_pool) row["second_pool"] = run.second_pool->size();
  if (run.sampler->chain) {
    row["burn_in"] = given.burn_in;
    row["thin"] = given.thin;
  }
  if (checking.check) {
    row["check_queries"] = checking.queries;
    row["check_words"] = checking.words;
    row["check_fetches"] = checking.fetches;
    row["content_threshold"] = checking.content_threshold;
  }
  return row;
}

}  // namespace

void FindWarnings(SampleRun* run) {
  const SamplerOptions& given = run->options->sampler;
  if (run->sampler->info.weights == "none") {
    run->warnings.push_back(
        "the pages are no uniform sample (long ones come too often), and no "
        "weight repairs that; see the pool- samplers");
  }
  for (const RunEngine& engine : run->engines) {
    EngineWarnings(engine, run);
    ReachWarnings(engine, run);
  }
  if (!run->options->checking.check) return;
  if (given.lexicon.empty()) {
    run->warnings.push_back(
        "without --lexicon no word is known to be rare: strong queries take "
        "the longest words");
  } else if (run->statistics.lacks_common()) {
    run->warnings.push_back(
        "the lexicon was built without the most common terms, which strong "
        "queries take as rare; build it with --drop-common 0 --drop-rare 0 "
        "--min-df 1");
  }
  for (const PageOverlap& overlap : run->overlaps) {
    const std::string pair = overlap.x + " in " + overlap.y + ": ";
    if (overlap.unchecked > 0) {
      run->warnings.push_back(pair + std::to_string(overlap.unchecked) +
                              " pages could not be looked up");
    }
    if (overlap.cut > 0) {
      run->warnings.push_back(pair +
                              "the engine takes fewer words than a "
                              "strong query has, which weakens it");
    }
    if (AreManyCopies(overlap.Fraction(), overlap.FractionWithCopies())) {
      run->warnings.push_back(
          pair + CountText(overlap.by_content, "page has", "pages have") +
          " only a copy at another address there and " +
          (overlap.by_content == 1 ? "counts" : "count") +
          " as absent; fraction_with_copies counts them as found");
    }
    if (overlap.checked > 0 && overlap.found == 0)
      run->warnings.push_back(pair + "no page was found in both");
  }
}

std::string OverlapsCsv(const SampleRun& run) {
  std::string csv = "x,y,fraction_of_x_in_y,fraction_with_copies,n\n";
  for (const PageOverlap& overlap : run.overlaps) {
    if (overlap.checked == 0) continue;
    AppendCsvField(&csv, overlap.x);
    csv += ",";
    AppendCsvField(&csv, overlap.y);
    csv += ",";
    AppendDouble(&csv, overlap.Fraction());
    csv += ",";
    AppendDouble(&csv, overlap.FractionWithCopies());
    csv += "," + std::to_string(overlap.EffectiveSize()) + "\n";
  }
  return csv;
}

Json SampleSummaryJson(const SampleRun& run) {
  Json engines = Json::array(), overlaps = Json::array();
  for (const RunEngine& engine : run.engines) {
    Json row = {{"engine", engine.info.name},
                {"type", engine.info.type},
                {"rows", engine.rows},
                {"sampling", FieldsToJson(engine.sampling->counts())}};
    if (engine.has_reach) {
      row["pool"] = {{"asked", engine.pool_asked},
                     {"valid", engine.pool_valid}};
      row["pool"].update(FieldsToJson(engine.reach));
    }
    if (run.options->checking.check)
      row["checking"] = FieldsToJson(engine.checking->counts());
    engines.push_back(std::move(row));
  }
  for (const PageOverlap& overlap : run.overlaps) {
    if (overlap.checked + overlap.unchecked > 0)
      overlaps.push_back(FieldsToJson(overlap));
  }
  Json summary = {{"sampler", run.sampler->info.name},
                  {"weights", run.sampler->info.weights},
                  {"seed", run.options->sampler.seed},
                  {"rows", run.drawn},
                  {"parameters", ParametersJson(run)},
                  {"engines", std::move(engines)},
                  {"overlaps", std::move(overlaps)}};
  if (run.sampler->together) summary["searches"] = FieldsToJson(run.searches);
  summary["warnings"] = run.warnings;
  return summary;
}

}  // namespace twinset
