// Options of a run of any kind, as the plan holds them.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_OPTIONS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_OPTIONS_H_

#include <cstddef>
#include <string>

#include "twinset/dedup.h"
#include "twinset/methods.h"
#include "twinset/options.h"
#include "twinset/shards.h"

namespace twinset {

// What a run does not read has its default.
struct PlanOptions : RunOptions,
                     ParameterValues,
                     CorpusOptions,
                     ScopeOptions,
                     SavedRunOptions {
  PlanOptions() = default;
  explicit PlanOptions(const DedupOptions& options) { Take(options); }
  // The options of both corpora, with the inputs of the first.
  explicit PlanOptions(const MatchOptions& options) {
    Take(options);
    window = options.window;
    action = options.action;
    max_loss = options.max_loss;
  }
  explicit PlanOptions(const CutOptions& options) {
    Take(options);
    features.tokens = options.tokens;
    features.content = options.content;
    cuts_units = true;
    near_units = options.threshold > 0;
    if (!near_units) return;
    method.threshold = options.threshold;
    features.shingle = options.shingle;
  }

  // CutOptions::threshold is set: it is that of the method.
  bool near_units = false;
  // How many of the inputs name the first of two sides; 0: one side.
  size_t first_words = 0;
  // Which records are read; of == 0: all.
  Shard shard;
  // Which part of a merge is made; of == 0: all.
  Shard part;

 private:
  template <typename Options>
  void Take(const Options& options) {
    CopyParts<RunOptions, ComparisonOptions, CorpusOptions, PriorityOptions,
              ClusterOptions, ScopeOptions, UnitOptions, SavedRunOptions>(
        options, this);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_PLAN_OPTIONS_H_
