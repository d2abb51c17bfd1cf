// Labels of people for pairs, as the page of an assessment exports them
// (docs/methods/assessment.md).
#ifndef TWINSET_SRC_DEDUP_EVALUATE_LABELS_FILE_H_
#define TWINSET_SRC_DEDUP_EVALUATE_LABELS_FILE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/judgements.h"

namespace twinset {

struct PairLabel {
  uint64_t pair = 0;  // its number in the sample, from 1
  std::string a, b;
  std::array<std::optional<LabelAnswer>, kLabelQuestions> answers;
  std::string time;    // ISO 8601; may be empty
  double seconds = 0;  // that it took
};

struct LabelsFile {
  std::string sample;  // digest
  std::string assessor;
  std::vector<PairLabel> labels;  // by pair, each once
};

inline constexpr uint64_t kMostLabelBytes = 64 << 20;

// kCorrupt, with the place of the first label that is none. `name`: of the
// file, for errors.
Result<LabelsFile> ParseLabels(std::string_view text, const std::string& name);
Result<LabelsFile> ReadLabelsFile(const std::string& path);
// Returns true iff the file begins as one of labels does; false for what cannot
// be read.
bool LooksLikeLabels(const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_EVALUATE_LABELS_FILE_H_
