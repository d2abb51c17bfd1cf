// Numbers of a study as cells of its report.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_PILOT_CELLS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_PILOT_CELLS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "report/html_blocks.h"
#include "twinset/corpora/study_counts.h"
#include "twinset/corpora/study_mixes.h"
#include "twinset/plain_words.h"

namespace twinset {

using html::Cell;

inline Cell ContentOf(ContentMode content) {
  return Cell::Text(ChoiceName(content));
}
// What stands where there is no number.
inline Cell NoNumber() { return {"\xE2\x80\x93", true}; }
inline Cell CountOf(std::optional<uint64_t> count) {
  return count ? Cell::Count(*count) : NoNumber();
}
inline Cell ShareOf(const StudyShare& share) {
  return Cell::Percent(share.part, share.whole);
}
// With its interval on a second line.
inline Cell ShareWithInterval(const StudyShare& share) {
  Cell cell = ShareOf(share);
  if (share.whole > 0)
    cell.below = PercentText(share.low) + " to " + PercentText(share.high);
  return cell;
}
inline Cell ShareWithInterval(const std::optional<StudyShare>& share) {
  return share ? ShareWithInterval(*share) : NoNumber();
}
inline Cell NumberOf(std::optional<double> number) {
  return number ? Cell::Fixed(*number, 3) : NoNumber();
}
inline Cell ErrorOf(std::optional<double> error) {
  if (!error) return NoNumber();
  Cell cell = Cell::Fixed(100 * *error, 1);
  cell.text += " %";
  return cell;
}

// A value below which its interval stands.
inline Cell ReadingOf(const StudyReading& reading) {
  Cell cell = Cell::Fixed(reading.value.value_or(0), 1);
  cell.below = !reading.low ? "no interval"
                            : FixedText(*reading.low, 1) + " to " +
                                  FixedText(reading.high.value_or(0), 1);
  return cell;
}
inline Cell ReadingOf(const std::optional<StudyReading>& reading) {
  return reading ? ReadingOf(*reading) : NoNumber();
}

// "0: 1,200, 1: 34".
inline std::string GradesInWords(const std::map<int64_t, uint64_t>& by_grade) {
  std::string words;
  for (const auto& [grade, judgements] : by_grade)
    words += (words.empty() ? "" : ", ") + std::to_string(grade) + ": " +
             NumberText(judgements);
  return words.empty() ? "none" : words;
}

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_PILOT_CELLS_H_
