// What the benchmarks of indexes store and ask: documents of 200 words, of
// which every fourth is the one before it with another last word.
#ifndef TWINSET_BENCH_INDEX_DOCUMENTS_H_
#define TWINSET_BENCH_INDEX_DOCUMENTS_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "twinset/error.h"

namespace index_bench {

inline double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

[[noreturn]] inline void Fail(const std::string& what) {
  std::fprintf(stderr, "bench_index: %s\n", what.c_str());
  std::exit(1);
}
template <typename T>
T Must(twinset::Result<T> result) {
  if (!result) Fail(result.error().ToString());
  return std::move(*result);
}
inline void Must(const twinset::Status& status) {
  if (!status) Fail(status.error().ToString());
}

inline std::string TextOf(uint64_t number) {
  constexpr size_t kWords = 200, kVocabulary = 20000;
  const bool is_copy = number % 4 == 3;
  twinset::SplitMix64 random((is_copy ? number - 1 : number) * 2 + 1);
  std::string text;
  for (size_t i = 0; i < kWords; ++i) {
    const uint64_t rank = random.Below(kVocabulary);
    text += std::to_string(twinset::Mix64(rank) % 10000000).substr(0, 6);
    text += i % 12 == 11 ? ". " : " ";
  }
  return is_copy ? text + "other" : text + "last";
}

inline std::string IdOf(uint64_t number) {
  return "http://example.org/" + std::to_string(number);
}

// What the words of the command say: how many documents, and an empty place for
// them.
struct Asked {
  uint64_t documents = 20000;
  std::string folder;
};
inline Asked AskedFor(int argc, char** argv, const std::string& name) {
  Asked asked;
  if (argc > 1) asked.documents = std::strtoull(argv[1], nullptr, 10);
  asked.folder = (argc > 2 ? std::filesystem::path(argv[2])
                           : std::filesystem::temp_directory_path()) /
                 name;
  std::filesystem::remove_all(asked.folder);
  return asked;
}

// Numbers that ask: of stored near-copies, and of what nothing is like.
inline constexpr size_t kQuestions = 4000;
inline uint64_t Found(uint64_t question, uint64_t documents) {
  return (question * 4 * 37 + 3) % documents;
}
inline uint64_t NotFound(uint64_t question, uint64_t documents) {
  return documents * 2 + question * 4;
}

inline void Row(const char* what, double value, const char* unit) {
  std::printf("%-44s %12.1f %s\n", what, value, unit);
}

// The rate of some questions by their seconds, and the slowest percent.
inline void RateRow(const char* what, std::vector<double> seconds, double all,
                    const std::string& more = {}) {
  const size_t count = seconds.size();
  std::sort(seconds.begin(), seconds.end());
  std::printf("%-44s %12.1f a second, p50 %.0f us, p99 %.0f us%s\n", what,
              static_cast<double>(count) / all, seconds[count / 2] * 1e6,
              seconds[count - 1 - count / 100] * 1e6, more.c_str());
}

}  // namespace index_bench

#endif  // TWINSET_BENCH_INDEX_DOCUMENTS_H_
