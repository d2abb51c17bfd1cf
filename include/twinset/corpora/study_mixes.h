// What the mixes of a study find beside each other, and what a whole B would
// give (docs/methods/transfer-study.md).
#ifndef TWINSET_CORPORA_STUDY_MIXES_H_
#define TWINSET_CORPORA_STUDY_MIXES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/choices.h"
#include "twinset/corpora/study_counts.h"

namespace twinset {
inline namespace v1 {

// Counts judged documents; "near": those with a near-duplicate.
struct StudyMixes {
  struct Mix {
    std::string mix;
    uint64_t found = 0, near = 0;
    StudyShare precision, found_with_same_address, near_with_same_address;
    std::optional<StudyShare> recall;  // with the complete join

    static void Fields(auto& row, auto& field) {
      field("mix", row.mix);
      field("found", row.found);
      field("near", row.near);
      field("precision", row.precision);
      field("found_with_same_address", row.found_with_same_address);
      field("near_with_same_address", row.near_with_same_address);
      field("recall", row.recall);
    }
  };
  struct Missed {
    std::string found_by, missed_by;
    uint64_t found = 0, near = 0;

    static void Fields(auto& row, auto& field) {
      field("found_by", row.found_by);
      field("missed_by", row.missed_by);
      field("found", row.found);
      field("near", row.near);
    }
  };
  // How many have a near-duplicate, by two mixes. Ends are nothing where there
  // is no interval.
  struct Capture {
    std::string one, other;
    std::optional<double> size, low, high;

    static void Fields(auto& row, auto& field) {
      field("one", row.one);
      field("other", row.other);
      field.OrNull("size", row.size);
      field.OrNull("low", row.low);
      field.OrNull("high", row.high);
    }
  };
  std::vector<Mix> mixes;
  std::vector<Missed> missed;
  std::vector<Capture> capture_recapture;
  uint64_t near_by_any_mix = 0;
  std::optional<uint64_t> near_by_complete_join;

  static void Fields(auto& found, auto& field) {
    field("mixes", found.mixes);
    field("missed", found.missed);
    field("capture_recapture", found.capture_recapture);
    field("near_by_any_mix", found.near_by_any_mix);
    field.OrNull("near_by_complete_join", found.near_by_complete_join);
  }
};

// Which documents a curve counts: those with a candidate, or those with a
// near-duplicate.
enum class StudyCount : uint8_t { kFound, kNear };
template <>
inline constexpr auto kChoices<StudyCount> = ChoiceTable<StudyCount>(
    {{StudyCount::kFound, "found"}, {StudyCount::kNear, "near"}});

// A curve read at one place. Ends are nothing where there is no interval.
struct StudyReading {
  std::optional<double> value, low, high;

  static void Fields(auto& reading, auto& field) {
    field.OrNull("value", reading.value);
    field.OrNull("low", reading.low);
    field.OrNull("high", reading.high);
  }
};

// The same beside the truth.
struct StudyFit : StudyReading {
  std::optional<double> error;
  std::optional<bool> covers;  // the interval holds the truth

  static void Fields(auto& fit, auto& field) {
    StudyReading::Fields(fit, field);
    field.OrNull("error", fit.error);
    field.OrNull("covers", fit.covers);
  }
};

// Fits on segments drawn at random, as means.
struct StudyFitErrors {
  uint32_t draws = 0;
  std::optional<double> mean_error, mean_absolute_error;
  uint32_t covered = 0;

  static void Fields(auto& errors, auto& field) {
    field("draws", errors.draws);
    field.OrNull("mean_error", errors.mean_error);
    field.OrNull("mean_absolute_error", errors.mean_absolute_error);
    field("covered", errors.covered);
  }
};

// Fits on all segments, read where B is whole.
struct StudyWhole {
  uint32_t segments = 0;
  std::optional<StudyReading> line, saturating;

  static void Fields(auto& whole, auto& field) {
    field("segments", whole.segments);
    field.OrNull("line", whole.line);
    field.OrNull("saturating", whole.saturating);
  }
};

struct StudyExtrapolation {
  struct Mix {
    std::string mix;
    StudyCount what = StudyCount::kFound;
    uint64_t truth = 0;
    std::optional<StudyFit> line, saturating;
    StudyFitErrors random_line, random_saturating;
    std::optional<StudyWhole> whole;

    static void Fields(auto& row, auto& field) {
      field("mix", row.mix);
      field("what", row.what);
      field("truth", row.truth);
      field.OrNull("line", row.line);
      field.OrNull("saturating", row.saturating);
      field("random_line", row.random_line);
      field("random_saturating", row.random_saturating);
      field.OrNull("whole", row.whole);
    }
  };
  uint32_t segments = 0, fit = 0;
  std::vector<Mix> mixes;

  static void Fields(auto& found, auto& field) {
    field("segments", found.segments);
    field("fit", found.fit);
    field("mixes", found.mixes);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_MIXES_H_
