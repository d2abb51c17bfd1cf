// What a run would read: the inputs as they look from outside, and which of
// them stand for all in a sample.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_FORECAST_INPUTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_FORECAST_INPUTS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/run/plan.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

struct InputsForecast {
  Json json;  // `inputs` of docs/methods/forecast.md
  // Bytes of regular files that are read, by side of a match.
  std::array<uint64_t, 2> bytes{};
  bool has_pipes = false;  // whose content nobody may look at beforehand
  // Names the arguments without a byte, which no sample reads.
  std::vector<std::string> warnings;
  // By input: 0, or how many documents it is known to hold without reading it:
  // 1 of a page or a text, the pages that a zip archive lists. Of the inputs of
  // each side, how many of these there are and their bytes.
  std::vector<uint32_t> pages;
  struct Pages {
    uint64_t count = 0, bytes = 0;
  };
  std::array<Pages, 2> files{}, archives{};
};

// Looks into every file, of very many into some that stand evenly among them.
// `arguments`: what was given, to name what is left out of folders.
Result<InputsForecast> LookAtInputs(const Plan& plan,
                                    const std::vector<std::string>& arguments);

// Makes `plan` one over a sample of its inputs: of `bytes` of records, from the
// beginnings of files that stand evenly among the bytes of each side. Of files
// that are a document each any is as likely as any other, by a hash of its
// place. True when these are all the files there are. Whatever it is, it
// depends on the inputs alone. `pages`: as in InputsForecast; then of the
// inputs that are left.
bool TakePieces(uint64_t bytes, Plan* plan, std::vector<uint32_t>* pages);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_FORECAST_INPUTS_H_
