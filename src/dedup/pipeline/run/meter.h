// Says how far a step of a stage is, for loops over single things, and how long
// it took.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_METER_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_METER_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset {

struct Run;

// Stages that went through the inputs in this process, and how many bytes of
// them, as stored.
struct InputPasses {
  std::vector<std::pair<std::string, uint64_t>> stages;
  void Add(std::string stage, uint64_t bytes) {
    if (bytes > 0) stages.emplace_back(std::move(stage), bytes);
  }
};

inline double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

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
