#include "pipeline/results/source_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "report/row_writer.h"

namespace twinset {

namespace {

// Counts by source under their name.
using SourceColumn = std::pair<const char*, const std::vector<uint64_t>*>;

std::vector<SourceColumn> ColumnsOf(const Run& run) {
  const RunCounts& counts = run.counts;
  if (run.plan.features.form == FeatureForm::kUnits)
    return {{"documents", &counts.read.source_documents},
            {"tokens", &counts.unit_result.tokens_by_source},
            {"tokens_cut", &counts.unit_result.tokens_cut_by_source}};
  if (run.plan.inputs.first_side > 0)
    return {{"kept", &counts.match_result.kept_by_source},
            {"dropped", &counts.match_result.dropped_by_source},
            {"dropped_bytes", &counts.match_result.dropped_text.bytes},
            {"dropped_tokens", &counts.match_result.dropped_text.tokens}};
  return {{"kept", &counts.result.kept_by_source},
          {"dropped", &counts.result.dropped_by_source},
          {"dropped_bytes", &counts.result.dropped_text.bytes},
          {"dropped_tokens", &counts.result.dropped_text.tokens}};
}

}  // namespace

void AddSourceRows(const Run& run, Json* summary) {
  const std::vector<SourceColumn> columns = ColumnsOf(run);
  const size_t all = run.plan.inputs.files.size();
  std::vector<uint32_t> named(all);
  std::iota(named.begin(), named.end(), 0u);
  const bool is_cut = run.plan.features.form == FeatureForm::kUnits;
  const std::vector<uint64_t>& lost =
      *(is_cut ? columns.back() : columns[1]).second;
  if (all > kMostNamedSources) {
    std::stable_sort(named.begin(), named.end(),
                     [&](uint32_t x, uint32_t y) { return lost[x] > lost[y]; });
    Json others = {{"sources", all - kMostNamedSources}};
    for (const auto& [name, counts] : columns) {
      uint64_t sum = 0;
      for (size_t i = kMostNamedSources; i < all; ++i)
        sum += (*counts)[named[i]];
      others[name] = sum;
    }
    (*summary)["other_sources"] = std::move(others);
    named.resize(kMostNamedSources);
    std::sort(named.begin(), named.end());
  }
  Json rows = Json::array();
  for (const uint32_t i : named) {
    Json row = {{"source", run.plan.inputs.files[i].source}};
    for (const auto& [name, counts] : columns) row[name] = (*counts)[i];
    rows.push_back(std::move(row));
  }
  (*summary)["sources"] = std::move(rows);
}

Status WriteSourceRows(const Run& run) {
  const std::vector<SourceColumn> columns = ColumnsOf(run);
  TWINSET_ASSIGN(OutputFile file,
                 OutputFile::Create(run.plan.options.out + "/sources.jsonl"));
  RowText row(OutputFormat::kJsonl);
  size_t i = 0;
  for (const InputFile& input : run.plan.inputs.files) {
    row.Text("source", input.source);
    if (run.plan.inputs.first_side > 0)
      row.Text("side", i < run.plan.inputs.first_side ? "a" : "b");
    for (const auto& [name, counts] : columns) row.Integer(name, (*counts)[i]);
    row.EndRow();
    TWINSET_TRY(file.Write(row.text()));
    row.Clear();
    ++i;
  }
  return file.Commit();
}

}  // namespace twinset
