// Says how far a step of a stage is, for loops over single things.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_METER_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_METER_H_

#include <cstdint>
#include <string_view>

namespace twinset {

struct Run;

// Counts what a step goes through, and tells the run now and then: cheap
// enough for every record. One thread.
class Meter {
 public:
  // `unit`: a literal. `total` 0: not known.
  Meter(const Run& run, std::string_view unit, uint64_t total)
      : run_(run), unit_(unit), total_(total) {
    Tell();
  }
  void Add() {
    if (++done_ % kTellEvery == 0) Tell();
  }

 private:
  static constexpr uint64_t kTellEvery = 4096;
  void Tell() const;
  const Run& run_;
  const std::string_view unit_;
  const uint64_t total_;
  uint64_t done_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_METER_H_
