// Numbers as a study's files say them.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_STUDY_NUMBERS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_STUDY_NUMBERS_H_

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "base/math/round_to.h"
#include "estimate/intervals.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/json.h"
#include "twinset/results.h"

namespace twinset {

// To six decimals; nothing where it is not finite.
inline std::optional<double> Number(double value) {
  if (!std::isfinite(value) || std::abs(value) > 1e9) return {};
  return RoundTo(value, 6);
}

inline StudyShare ShareOfStudy(uint64_t part, uint64_t whole) {
  const Interval interval = WilsonInterval(part, whole);
  StudyShare share = {
      part, whole, {}, RoundTo(interval.low, 6), RoundTo(interval.high, 6)};
  if (whole > 0) share.share = Number(Share{part, whole}.value());
  return share;
}

// Every number, text and truth value of `json` as a row "PATH,VALUE": names and
// places of lists joined by dots.
std::string NumbersCsv(const Json& json);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_STUDY_NUMBERS_H_
