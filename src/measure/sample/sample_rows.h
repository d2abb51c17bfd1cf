// A weighted sample of pages, as samplers and walks write it and estimators
// read it (docs/formats/sampling.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_SAMPLE_ROWS_H_
#define TWINSET_SRC_MEASURE_SAMPLE_SAMPLE_ROWS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// One draw: a page drawn twice stands twice. `weight` is proportional to 1 /
// (probability of the page to be drawn), above 0; 1 for a uniform sampler.
struct SampleRow {
  std::string url;
  double weight = 1;
  uint64_t draw = 0;  // number of the draw, from 0
  // Further values by name, as JSON texts: "words", "language", "host",
  // "depth", "degree", fields of the document, ...
  std::vector<std::pair<std::string, std::string>> fields;
};

// What is said of a sample in its first line.
struct SampleHeader {
  std::string sampler;  // "bharat-broder", "webwalker", ...
  std::string engine;   // what was sampled
  uint64_t seed = 0;
  // What `weight` makes of a draw: "uniform" (nothing to correct), "exact" (the
  // probability is known up to a factor), "estimated", "none" (the sampler is
  // biased and no weight repairs it).
  std::string weights = "exact";
  // Consecutive draws depend on one another (walks): intervals need the
  // effective sample size.
  bool chain = false;
  // Why the sample bears no interval (a walk that has not seen enough); empty:
  // it does. Written only when there is a reason.
  std::string no_interval = {};
};

// The rows as text: a header line and one line per row, JSON, keys in fixed
// order, doubles in shortest form.
std::string SampleHeaderLine(const SampleHeader& header);
std::string SampleRowLine(const SampleRow& row);

// Reads a sample. Rows without a header (any JSON lines with or without
// "weight") are taken too, with sampler "" and weight 1. kCorrupt names file
// and line for what is no JSON object, is longer than 16 MB or nested deeper
// than 64, for a weight that is not above 0 and finite, and for a header that
// is not the first line; kUsage for another version. A row is in memory at a
// time.
Result<SampleHeader> ReadSample(
    const std::string& path,
    const std::function<Status(SampleRow row)>& on_row);

// Calls on_line with each line of a file of rows, compressed or not, and where
// it stands (file:line), until on_line fails. A byte order mark is passed over.
// kCorrupt for a line of more than 16 MB and for damage, kUsage for a device or
// a pipe, kIo.
Status ForEachRowLine(
    const std::string& path,
    const std::function<Status(std::string_view text,
                               const std::string& where)>& on_line);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_SAMPLE_ROWS_H_
