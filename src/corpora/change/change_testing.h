// Webs of known lives for the tests of snapshots: texts, dates, and what is
// true of them by the definition.
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_TESTING_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_row.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "change/page_names.h"
#include "documents/priority.h"
#include "twinset/corpora/change.h"
#include "twinset/json.h"

namespace twinset::test {

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

// A web of texts: url -> text, as it is at a snapshot.
using TextWeb = std::map<std::string, std::string>;

// The webs as weekly snapshots in files of `dir`; the results go beside them.
inline ChangeOptions WriteWebs(const std::vector<TextWeb>& webs,
                               const TestDir& dir) {
  ChangeOptions options;
  options.features.content = ContentMode::kAll;
  options.resources.memory_bytes = 64 << 20;
  for (size_t s = 0; s < webs.size(); ++s) {
    std::string rows;
    for (const auto& [url, text] : webs[s])
      rows += Json({{"id", url},
                    {"url", url},
                    {"text", text},
                    {"date", WeekOf(static_cast<int>(s))}})
                  .dump() +
              "\n";
    options.snapshots.push_back(dir.path() + "/" + std::to_string(100 + s) +
                                ".jsonl");
    EXPECT_TRUE(WriteWholeFile(options.snapshots.back(), rows));
  }
  options.out = dir.path() + "/out";
  return options;
}

}  // namespace twinset::test

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_TESTING_H_
