// What a session makes of texts in memory:
//   bench_session [DOCUMENTS] [THREADS]
// Texts of 1.4 KB, about 230 words of a vocabulary. Documents per second of one
// processor, the best of three, and of the wall's clock on THREADS threads. See
// docs/benchmarks.md.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "twinset/session.h"

namespace twinset {
namespace {

double Now(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) * 1e-9;
}

// Documents per second of processors, or of the clock on the wall; the best of
// three, as a machine that does other work only adds.
double Rate(size_t documents, clockid_t clock,
            const std::function<void()>& work) {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const double begin = Now(clock);
    work();
    best = std::min(best, Now(clock) - begin);
  }
  return static_cast<double>(documents) / best;
}

struct Corpus {
  explicit Corpus(size_t documents) {
    std::mt19937_64 random(7);
    std::vector<std::string> words(20000);
    for (std::string& word : words)
      for (uint64_t i = 2 + random() % 7; i > 0; --i)
        word += static_cast<char>('a' + random() % 26);
    for (size_t i = 0; i < documents; ++i) {
      const size_t begin = bytes.size();
      while (bytes.size() < begin + 1400)
        bytes += words[random() % words.size()] + ' ';
      offsets.push_back(bytes.size());
    }
  }
  std::string bytes;
  std::vector<uint64_t> offsets = {0};
};

void Bench(size_t documents, int threads) {
  const Corpus corpus(documents);
  const TextBatch batch(corpus.bytes, corpus.offsets);
  for (const char* method : {"minhash", "simhash"}) {
    SketchMatrix one;
    for (const int count : {1, threads}) {
      SessionOptions options;
      options.method.name = method;
      options.threads = count;
      const auto session = Session::Make(options);
      if (!session) std::exit(1);
      const auto measure = [&](const char* what,
                               const std::function<void()>& work) {
        std::printf(
            "%-8s %-9s %2d threads %9.0f documents/s\n", method, what, count,
            Rate(documents,
                 count == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                 work));
      };
      SketchMatrix sketches;
      measure("sketch", [&] { sketches = *session->Sketch(batch); });
      if (count == 1) one = sketches;
      if (one.values != sketches.values || sketches.size() != documents) {
        std::fprintf(stderr, "wrong: sketches by %d threads\n", count);
        std::exit(1);
      }
      measure("keys", [&] { (void)session->Keys(batch); });
      measure("shingles", [&] { (void)session->Shingles(batch); });
      measure("features", [&] { (void)session->Features(batch); });
    }
  }
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  twinset::Bench(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20000,
                 argc > 2 ? std::atoi(argv[2]) : 2);
}
