// A live index over documents of 200 words, of which a quarter are near-copies
// of earlier ones: durable adds in batches and one by one, look-ups that find
// something and that do not, bytes, opening. Checks every answer.
//
//   build/bench/bench_index [DOCUMENTS [FOLDER [MEMORY_IN_MB]]]
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "index_documents.h"
#include "twinset/index.h"

namespace {

using namespace index_bench;  // NOLINT: of one file
using twinset::Document;
using twinset::Index;
using twinset::IndexInput;

std::vector<IndexInput> Batch(uint64_t first, uint64_t count) {
  std::vector<IndexInput> batch(count);
  for (uint64_t i = 0; i < count; ++i) {
    batch[i].document.id = IdOf(first + i);
    batch[i].document.payload = TextOf(first + i);
  }
  return batch;
}

// How often the process has read from files.
uint64_t Reads() {
  std::ifstream file("/proc/self/io");
  for (std::string name; file >> name;) {
    uint64_t value = 0;
    if (file >> value && name == "syscr:") return value;
  }
  Fail("/proc/self/io does not tell what was read");
}

// What `ask` takes for each of `count` questions: the rate, and the slowest
// percent.
template <typename Ask>
void Rate(const char* what, size_t count, const Ask& ask) {
  std::vector<double> seconds;
  const uint64_t reads = Reads();
  const double begin = Now();
  for (size_t i = 0; i < count; ++i) {
    const double from = Now();
    ask(i);
    seconds.push_back(Now() - from);
  }
  const double all = Now() - begin;
  char told[32];
  std::snprintf(
      told, sizeof told, ", %.1f reads",
      static_cast<double>(Reads() - reads) / static_cast<double>(count));
  RateRow(what, std::move(seconds), all, told);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [documents, folder] = AskedFor(argc, argv, "twinset-bench-index");
  twinset::IndexOpenOptions options;
  if (argc > 3)
    options.memory_bytes = std::strtoull(argv[3], nullptr, 10) << 20;
  Must(Index::Create(folder));
  auto index = Must(Index::Open(folder, options));
  uint64_t is_new = 0;
  double seconds = 0;
  for (uint64_t first = 0; first < documents; first += 1000) {
    auto batch = Batch(first, 1000);
    const double begin = Now();
    for (const auto& answer : Must(index->CheckAndAdd(std::move(batch))))
      is_new += answer.is_new;
    seconds += Now() - begin;
  }
  if (is_new != documents / 4 * 3) Fail("a near-copy was taken for new");
  Row("check-and-add, durable, in batches of 1,000",
      static_cast<double>(documents) / seconds, "a second");

  std::vector<IndexInput> single = Batch(documents, 2000);
  Rate("check-and-add, durable, one by one", single.size(), [&](size_t i) {
    const auto said = Must(index->CheckAndAdd({single[i]}));
    if (said[0].is_new != (i % 4 != 3)) Fail("a wrong decision");
  });
  std::vector<Document> hits(kQuestions), misses(kQuestions);
  for (uint64_t i = 0; i < kQuestions; ++i) {
    hits[i].payload = TextOf(Found(i, documents));
    misses[i].payload = TextOf(NotFound(i, documents));
  }
  Rate("look-ups that find two", hits.size(), [&](size_t i) {
    if (Must(index->Query(hits[i])).matches.size() != 2) Fail("a lost match");
  });
  Rate("look-ups that find nothing", misses.size(), [&](size_t i) {
    if (!Must(index->Query(misses[i])).matches.empty()) Fail("a false match");
  });
  Must(index->Close());
  index.reset();
  const auto bytes_of = [&](const char* suffix) {
    uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().string().ends_with(suffix)) bytes += entry.file_size();
    return static_cast<double>(bytes) / static_cast<double>(documents + 2000);
  };
  Row("log", bytes_of(".log"), "bytes a document");
  Row("postings", bytes_of(".run"), "bytes a document");
  const double begin = Now();
  index = Must(Index::Open(folder, options));
  Row("opening", (Now() - begin) * 1000, "ms");
  if (index->Stats().documents != documents + 2000) Fail("documents are lost");
  index.reset();
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  Row("peak memory", static_cast<double>(usage.ru_maxrss) * 1024 / 1e6, "MB");
  std::filesystem::remove_all(folder);
  return 0;
}
