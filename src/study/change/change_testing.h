// Webs of known lives for the tests of snapshots: texts, dates, and what is
// true of them by the definition.
#ifndef TWINSET_SRC_STUDY_CHANGE_CHANGE_TESTING_H_
#define TWINSET_SRC_STUDY_CHANGE_CHANGE_TESTING_H_

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_row.h"
#include "base/file.h"
#include "base/hash.h"
#include "documents/priority.h"
#include "study/change/page_names.h"

namespace twinset::inline v1::test {

// Words drawn by a seed: texts of other seeds share no shingle.
inline std::string DrawnWords(uint64_t seed, int count) {
  SplitMix64 random(seed);
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "w" + std::to_string(random.Below(1000000)) + " ";
  return text;
}

// The date of the weekly snapshot of that number.
inline std::string WeekOf(int snapshot) {
  return UtcText(ParseDate("2024-01-01") + int64_t{snapshot} * 7 * 86400);
}

// Five words each, of words with one space between.
inline std::set<std::string> ShinglesOf(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::set<std::string> shingles;
  for (size_t i = 0; i + 5 <= words.size(); ++i) {
    std::string shingle;
    for (size_t k = i; k < i + 5; ++k) shingle += words[k] + " ";
    shingles.insert(shingle);
  }
  return shingles;
}

// The fields of all rows of a file.
inline std::vector<std::vector<std::string>> CsvOf(const std::string& path) {
  const std::string bytes = ReadWholeFile(path).value();
  std::vector<std::vector<std::string>> rows;
  for (CsvRowPlace at = FindCsvRow(bytes, ',', 0); at.begin < at.end;
       at = FindCsvRow(bytes, ',', at.behind))
    SplitCsvRow(std::string_view(bytes).substr(at.begin, at.end - at.begin),
                ',', &rows.emplace_back());
  return rows;
}

}  // namespace twinset::inline v1::test

#endif  // TWINSET_SRC_STUDY_CHANGE_CHANGE_TESTING_H_
