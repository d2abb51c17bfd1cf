// A corpus that every rule about documents can tell apart.
#ifndef TWINSET_TESTS_SUPPORT_ROWS_OF_EVERYTHING_H_
#define TWINSET_TESTS_SUPPORT_ROWS_OF_EVERYTHING_H_

#include <string>

#include "support/dedup_fixture.h"

namespace twinset::testing {

// Rows with everything that keep-rules look at; many are equal, or nearly.
inline std::string RowsOfEverything(uint64_t seed, size_t documents,
                                    size_t words = 60) {
  const SyntheticCorpus corpus(seed, documents, words);
  SplitMix64 random(seed + 1);
  std::string rows;
  for (size_t i = 0; i < corpus.texts.size(); ++i) {
    Json row;
    row["id"] = "d" + std::to_string(i % (documents - 3));  // some repeat
    row["url"] = std::string(random.Below(2) ? "https" : "http") + "://h" +
                 std::to_string(random.Below(5)) + ".example/" +
                 std::string(random.Below(9), 'x');
    if (random.Below(5) != 0) {
      row["date"] = "2020-0" + std::to_string(1 + random.Below(9)) + "-1" +
                    std::to_string(random.Below(9)) + "T00:00:00Z";
    }
    if (random.Below(4) != 0) row["score"] = random.Below(50);
    // Repeats that sets of shingles do not see, and frequencies do.
    std::string text = i % 97 == 5 ? "" : corpus.texts[i / 5 * 5];
    const uint64_t repeats = i % 5 == 0 ? 0 : 6 + random.Below(60);
    for (uint64_t r = 0; r < repeats; ++r) text += " over and";
    row["text"] = i % 3 == 0 ? corpus.texts[i] : text;
    rows += row.dump() + "\n";
  }
  return rows;
}

}  // namespace twinset::testing

#endif  // TWINSET_TESTS_SUPPORT_ROWS_OF_EVERYTHING_H_
