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

SampleParameters ParametersOf(const SampleRun& run) {
  SampleParameters asked;
  asked.sampler = run.options->sampler;
  asked.sampler.limit = LimitOf(run);
  asked.checking = run.options->checking;
  if (run.sampler->pool) asked.pool = run.pool->size();
  if (run.second_pool) asked.second_pool = run.second_pool->size();
  asked.is_chain = run.sampler->chain;
  return asked;
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

SampleSummary SummaryOf(const SampleRun& run) {
  SampleSummary summary;
  summary.sampler = run.sampler->info;
  summary.parameters = ParametersOf(run);
  summary.rows = run.drawn;
  summary.warnings = run.warnings;
  for (const RunEngine& engine : run.engines) {
    SampledEngine& told = summary.engines.emplace_back();
    told.name = engine.info.name;
    told.type = engine.info.type;
    told.rows = engine.rows;
    told.counts = engine.sampling->counts();
    if (engine.has_reach)
      told.pool = {engine.reach, engine.pool_asked, engine.pool_valid};
    if (run.options->checking.check) told.checking = engine.checking->counts();
  }
  for (const PageOverlap& overlap : run.overlaps)
    if (overlap.checked + overlap.unchecked > 0)
      summary.overlaps.push_back(overlap.Told());
  if (run.sampler->together) summary.searches = run.searches;
  return summary;
}

Json v1::SummaryJson(const SampleSummary& summary) {
  return FieldsToJson(summary);
}

}  // namespace twinset
