// Numbers of a study as cells of its report.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_PILOT_CELLS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_PILOT_CELLS_H_

#include <cstdint>
#include <string>

#include "report/html_blocks.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset {

using html::Cell;

// What stands where there is no number.
inline Cell NoNumber() { return {"\xE2\x80\x93", true}; }
inline Cell CountOf(const Json& json) {
  if (!json.is_number()) return NoNumber();
  return Cell::Count(json.get<uint64_t>());
}
inline Cell ShareOf(const Json& share) {
  Cell cell = Cell::Percent(share.value("part", uint64_t{0}),
                            share.value("whole", uint64_t{0}));
  return cell;
}
// With its interval on a second line.
inline Cell ShareWithInterval(const Json& share) {
  Cell cell = ShareOf(share);
  if (share.value("whole", uint64_t{0}) > 0)
    cell.below = PercentText(share.value("low", 0.0)) + " to " +
                 PercentText(share.value("high", 1.0));
  return cell;
}
inline Cell NumberOf(const Json& json) {
  if (!json.is_number()) return NoNumber();
  return Cell::Fixed(json.get<double>(), 3);
}
inline Cell ErrorOf(const Json& json) {
  if (!json.is_number()) return NoNumber();
  Cell cell = Cell::Fixed(100 * json.get<double>(), 1);
  cell.text += " %";
  return cell;
}

// A value below which its interval stands.
inline Cell ReadingOf(const Json& fit) {
  if (fit.is_null()) return NoNumber();
  Cell cell = Cell::Fixed(fit.value("value", 0.0), 1);
  cell.below = fit["low"].is_null()
                   ? "no interval"
                   : FixedText(fit.value("low", 0.0), 1) + " to " +
                         FixedText(fit.value("high", 0.0), 1);
  return cell;
}

// "0: 1,200, 1: 34".
inline std::string GradesInWords(const Json& by_grade) {
  std::string words;
  for (const auto& grade : by_grade.items())
    words += (words.empty() ? "" : ", ") + grade.key + ": " +
             NumberText(grade.value.get<uint64_t>());
  return words.empty() ? "none" : words;
}

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_PILOT_CELLS_H_
