// Numbers as a study's files say them.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_STUDY_NUMBERS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_STUDY_NUMBERS_H_

#include <cmath>
#include <cstdint>
#include <string>

#include "base/math/round_to.h"
#include "estimate/intervals.h"
#include "twinset/json.h"

namespace twinset {

// To six decimals; null where it is not finite.
inline Json Number(double value) {
  if (!std::isfinite(value) || std::abs(value) > 1e9) return {};
  return RoundTo(value, 6);
}

// {"part","whole","share","low","high"}, Wilson's interval of 95 %.
inline Json ShareNumbers(uint64_t part, uint64_t whole) {
  const Interval interval = WilsonInterval(part, whole);
  return {{"part", part},
          {"whole", whole},
          {"share", whole == 0 ? Json()
                               : Number(static_cast<double>(part) /
                                        static_cast<double>(whole))},
          {"low", Number(interval.low)},
          {"high", Number(interval.high)}};
}

// Every number, text and truth value of `json` as a row "PATH,VALUE": names and
// places of lists joined by dots.
std::string NumbersCsv(const Json& json);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_STUDY_NUMBERS_H_
