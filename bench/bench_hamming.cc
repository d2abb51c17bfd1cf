// The Hamming join, and look-up tables against probabilistic matching.
//   bench_hamming join [ROWS] [THREADS] [SPIKE]   uniform values, planted pairs
//   bench_hamming disk ROWS THREADS MB FOLDER     the same through files
//   bench_hamming psm VOTES                       recall, probes, time, memory
// SPIKE is another program, run as `SPIKE ROWS D`, whose line is printed beside
// ours. VOTES: rows of 64-bit fingerprints, each followed by 64 margins of 32
// bits, little-endian. Every answer is checked. See docs/benchmarks.md.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "candidate/compressed_table.h"
#include "candidate/hamming_join.h"
#include "candidate/psm.h"

namespace twinset {
namespace {

constexpr int kDistance = 3;

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

// ---- join -------------------------------------------------------------------

// `folder`: where the files stand; empty: all is in memory.
void BenchJoin(uint64_t rows, int threads, const char* spike,
               uint64_t memory_bytes = uint64_t{20} << 30,
               const std::string& folder = {}) {
  MemoryBudget budget(memory_bytes);
  ValueColumn<uint64_t> column(&budget);
  const double start = Now();
  const std::string path = folder + "/twinset-bench-hamming";
  if (!folder.empty()) Require(column.Spill(path).has_value(), "the folder");
  SplitMix64 random(42);
  const uint64_t planted = std::min<uint64_t>(100000, rows / 10);
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  const uint64_t every = rows / planted;
  uint64_t last = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t value = random.Next();
    if (row % every == 1 && pairs.size() < planted) {
      // Every second one has all its differences in one block of 16 bits.
      const uint64_t place = pairs.size() % 2 == 0 ? 0 : 16 * random.Below(4);
      const uint64_t places = pairs.size() % 2 == 0 ? 64 : 16;
      uint64_t flips = 0;
      while (std::popcount(flips) < 1 + static_cast<int>(pairs.size() / 2 % 3))
        flips |= uint64_t{1} << (place + random.Below(places));
      value = last ^ flips;
      pairs.emplace_back(std::min(last, value), std::max(last, value));
    }
    last = value;
    Require(column.Append(value).has_value(), "memory");
  }
  Require(column.Finish().has_value(), "the file");
  if (!folder.empty())
    std::printf("made and written in %.1f s\n", Now() - start);
  for (int run = 0; run < (folder.empty() ? 2 : 1); ++run) {
    NearList<uint64_t> found(&budget);
    const double begin = Now();
    Require(FindNearValues<uint64_t>(column, nullptr, kDistance, threads,
                                     &budget, &found)
                .has_value(),
            "join");
    const double seconds = Now() - begin;
    std::vector<std::pair<uint64_t, uint64_t>> got;
    found.ForEach([&](const NearValues<uint64_t>& pair) {
      Require(std::popcount(pair.x ^ pair.y) <= kDistance, "a far pair");
      got.emplace_back(pair.x, pair.y);
    });
    std::sort(got.begin(), got.end());
    Require(std::adjacent_find(got.begin(), got.end()) == got.end(),
            "a pair twice");
    for (const auto& pair : pairs)
      Require(std::binary_search(got.begin(), got.end(), pair),
              "a planted pair is missing");
    std::printf(
        "join rows %llu threads %d: %.3f s, %.1f ns a row, %zu pairs, all %zu "
        "planted, %.2f bytes per row\n",
        static_cast<unsigned long long>(rows), threads, seconds,
        seconds * 1e9 / static_cast<double>(rows), got.size(), pairs.size(),
        static_cast<double>(budget.peak_bytes()) / static_cast<double>(rows));
  }
  std::fflush(stdout);
  if (!folder.empty()) {
    std::printf("peak resident %.0f MB\n",
                static_cast<double>(PeakResidentMemory()) / 1e6);
    for (const char* const name : {"", ".parts"})
      Require(RemoveFile(path + name).has_value(), "a file stays");
  }
  if (spike == nullptr) return;
  const std::string command =
      "'" + std::string(spike) + "' " + std::to_string(rows) + " D";
  Require(std::system(command.c_str()) == 0, "the spike");
}

// ---- tables or probabilistic matching ---------------------------------------

using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

// One join of sketches; its pairs, with time and peak memory printed.
Pairs RunJoin(const std::string& name, const CollectionJoinFactory& factory,
              const std::vector<Sketch>& sketches, size_t truth) {
  MemoryBudget budget(uint64_t{8} << 30);
  CollectionJoinContext context;
  context.budget = &budget;
  context.memory_bytes = budget.limit_bytes();
  auto join = factory(context);
  Require(join.has_value(), "join");
  const double begin = Now();
  for (size_t i = 0; i < sketches.size(); ++i) {
    JoinMember member;
    member.document = i;
    member.sketches = {&sketches[i], 1};
    Require((*join)->Add(member).has_value(), "add");
  }
  Pairs pairs;
  const auto sink = [&](const CandidatePair& pair) -> Status {
    pairs.emplace(pair.a, pair.b);
    return {};
  };
  Require((*join)->Join(sink).has_value(), "join");
  const double seconds = Now() - begin;
  std::printf("%-14s recall %.4f  %9.2f us a document\n", name.c_str(),
              truth == 0 ? 1.0
                         : static_cast<double>(pairs.size()) /
                               static_cast<double>(truth),
              seconds * 1e6 / static_cast<double>(sketches.size()));
  return pairs;
}

void BenchTables(const std::string& design_text,
                 const std::vector<uint64_t>& rows, size_t truth) {
  MemoryBudget budget(uint64_t{8} << 30);
  const auto design = ParseTableDesign(design_text, 64, kDistance);
  Require(design.has_value(), "design");
  const auto tables = CompressedTables::Build(*design, rows, &budget);
  Require(tables.has_value(), "tables");
  const double begin = Now();
  size_t pairs = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    const auto near = tables->Find(rows[row]);
    Require(near.has_value(), "find");
    for (const CompressedTables::Near& other : *near) pairs += other.row > row;
  }
  const double seconds = Now() - begin;
  Require(pairs == truth, "tables are not complete");
  const double count = static_cast<double>(rows.size());
  std::printf(
      "compressed %-3s recall 1.0000  %9.2f us a document, %5.1f bytes a "
      "fingerprint in %zu tables (%.1f uncompressed)\n",
      design_text.c_str(), seconds * 1e6 / count,
      static_cast<double>(tables->bytes()) / count, design->tables.size(),
      8.0 * static_cast<double>(design->tables.size() + 1));
}

void BenchPsm(const char* path) {
  const auto bytes = ReadWholeFile(path, uint64_t{8} << 30);
  Require(bytes.has_value(), "VOTES cannot be read");
  constexpr size_t kRow = 8 + 4 * 64;
  std::vector<Sketch> sketches(bytes->size() / kRow, Sketch(66));
  std::vector<uint64_t> rows;
  for (size_t i = 0; i < sketches.size(); ++i) {
    for (size_t word = 0; word < 66; ++word)
      sketches[i][word] = LoadLE<uint32_t>(bytes->data() + i * kRow + 4 * word);
    rows.push_back(LoadLE<uint64_t>(bytes->data() + i * kRow));
  }
  std::printf("%zu fingerprints within %d\n", rows.size(), kDistance);
  const Pairs all = RunJoin(
      "hamming join", MakeHammingJoinFactory(0, 64, kDistance), sketches, 0);
  std::printf("%zu pairs\n", all.size());
  for (const char* design : {"4", "5", "6"})
    BenchTables(design, rows, all.size());
  Pairs last;
  for (const uint64_t probes : {1, 10, 30, 100, 300, 1000, 3000, 10000, 0}) {
    if (probes == 0 && rows.size() > 20000) break;  // minutes
    const Pairs pairs = RunJoin("psm " + std::to_string(probes),
                                MakePsmJoinFactory(0, 64, kDistance, probes),
                                sketches, all.size());
    Require(std::includes(all.begin(), all.end(), pairs.begin(), pairs.end()),
            "a far pair");
    Require(std::includes(pairs.begin(), pairs.end(), last.begin(), last.end()),
            "recall is not monotone");
    Require(probes != 0 || pairs == all, "all probes are not complete");
    last = pairs;
  }
  std::printf("exact table: %.1f bytes a fingerprint\n",
              static_cast<double>(ExactTable::Bytes(rows.size())) /
                  static_cast<double>(rows.size()));
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "join";
  if (mode == "psm" && argc == 3) {
    twinset::BenchPsm(argv[2]);
    return 0;
  }
  if (mode == "disk" && argc == 6) {
    twinset::BenchJoin(static_cast<uint64_t>(std::atof(argv[2])),
                       std::atoi(argv[3]), nullptr,
                       std::strtoull(argv[4], nullptr, 10) << 20, argv[5]);
    return 0;
  }
  if (mode != "join") {
    std::fprintf(stderr,
                 "bench_hamming join [ROWS] [THREADS] [SPIKE] | disk ROWS "
                 "THREADS MB FOLDER | psm VOTES\n");
    return 2;
  }
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  const char* const spike = argc > 4 ? argv[4] : nullptr;
  if (argc > 2) {
    twinset::BenchJoin(static_cast<uint64_t>(std::atof(argv[2])), threads,
                       spike);
    return 0;
  }
  for (const uint64_t rows : {1000000, 10000000})
    twinset::BenchJoin(rows, threads, spike);
  return 0;
}
