// Pages by random queries, as Bharat and Broder drew them (WWW7, 1998;
// docs/methods/engine-sampling.md). Biased towards pages with many words.
#ifndef TWINSET_SRC_MEASURE_SAMPLE_BHARAT_BRODER_H_
#define TWINSET_SRC_MEASURE_SAMPLE_BHARAT_BRODER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sample/questioner.h"
#include "sample/sample_rows.h"

namespace twinset {

// Gets each drawn page; a status that is no success ends the run with it.
using OnDraw =
    std::function<Status(const Questioner::Page& page, SampleRow row)>;

struct BharatBroderOptions {
  uint32_t terms = 2;       // of one query
  bool conjunctive = true;  // AND; else OR
  uint32_t limit = 100;     // of the first so many results one is taken
  uint64_t size = 100;      // draws wanted
  uint64_t seed = 1;
  uint64_t most_barren = 5000;  // queries in a row without a page: given up
};

// Draws `size` pages. Rows have the fields of RowOfPage and "query"; their
// weight is 1 and says nothing (SampleHeader::weights "none"). kUsage for fewer
// terms than a query has; kNotFound when most_barren queries in a row give no
// page, with what to do.
Status SampleByRandomQueries(const std::vector<std::string>& terms,
                             const BharatBroderOptions& options,
                             Questioner* questioner, const OnDraw& on_draw);

// What is said when no query finds anything.
Error Barren(const std::string& engine, uint64_t queries);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_BHARAT_BRODER_H_
