// The complete join of resemblance over sets in memory, stage by stage: sets
// in, verified pairs out.
//
//   bench_prefix_join [DOCUMENTS [THREADS]]     generated documents
//   bench_prefix_join --sets FILE [THREADS]     u64 n, n u32 sizes, then the
//                                               sets: ascending u32
//
// The answer is checked: every candidate is verified on the full hashes, and
// the pairs of a sample of documents are compared with those found by comparing
// each with every document.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "candidate/complete/prefix_join.h"
#include "verify/verifier.h"

namespace twinset {
namespace {

constexpr double kThreshold = 0.8;

// Seconds on the clock and of all threads' work: on a busy machine the second
// says more.
struct Time {
  double wall = 0, work = 0;
};
Time Now() {
  using Clock = std::chrono::steady_clock;
  return {
      std::chrono::duration<double>(Clock::now().time_since_epoch()).count(),
      static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
}
void Tell(const char* stage, const Time& from, const Time& to) {
  std::printf("  %-16s %6.2f s, work %6.2f s\n", stage, to.wall - from.wall,
              to.work - from.work);
}

struct Sets {
  std::vector<uint64_t> begins = {0};
  std::vector<uint64_t> values;
  size_t count() const { return begins.size() - 1; }
  std::string_view Get(size_t i) const {
    return {reinterpret_cast<const char*>(values.data() + begins[i]),
            (begins[i + 1] - begins[i]) * sizeof(uint64_t)};
  }
};

// The 5-shingles of chunks of 350 to 500 words of a skewed text: three of five
// documents are remote copies (30 to 60 % of the words changed), one is close
// (0.2 to 6 %), one nearly equal.
Sets Generate(size_t documents) {
  SplitMix64 random(11);
  const size_t chunks = std::max<size_t>(1, documents / 50);
  std::vector<uint64_t> pool(chunks * 500);
  for (uint64_t& word : pool)
    word = Mix64(random.Below(1 + random.Below(60000)));
  Sets sets;
  std::vector<uint64_t> words, shingles;
  for (size_t d = 0; d < documents; ++d) {
    const uint64_t* chunk = pool.data() + d % chunks * 500;
    const uint64_t kind = d < chunks ? 4 : random.Below(5);
    const uint64_t per_mille = d < chunks  ? 0
                               : kind < 3  ? 300 + random.Below(300)
                               : kind == 3 ? 2 + random.Below(60)
                                           : 1;
    words.clear();
    for (uint64_t i = 350 + d % chunks % 3 * 75; i > 0; --i) {
      const uint64_t word = chunk[words.size()];
      words.push_back(random.Below(1000) < per_mille
                          ? pool[random.Below(pool.size())]
                          : word);
    }
    shingles.clear();
    for (size_t i = 0; i + 5 <= words.size(); ++i) {
      uint64_t hash = 0;
      for (size_t k = 0; k < 5; ++k) hash = Mix64(hash + words[i + k]);
      shingles.push_back(hash);
    }
    std::sort(shingles.begin(), shingles.end());
    const auto end = std::unique(shingles.begin(), shingles.end());
    sets.values.insert(sets.values.end(), shingles.begin(), end);
    sets.begins.push_back(sets.values.size());
  }
  return sets;
}

Sets Load(const char* path) {
  Sets sets;
  std::FILE* file = std::fopen(path, "rb");
  uint64_t count = 0;
  if (file == nullptr || std::fread(&count, 8, 1, file) != 1) {
    std::fprintf(stderr, "cannot read %s\n", path);
    std::exit(1);
  }
  std::vector<uint32_t> sizes(count), values;
  bool good = std::fread(sizes.data(), 4, count, file) == count;
  for (const uint32_t size : sizes) {
    values.resize(size);
    good = good && std::fread(values.data(), 4, size, file) == size;
    for (const uint32_t value : values)
      sets.values.push_back(uint64_t{value} << 32 | (Mix64(value) >> 32));
    sets.begins.push_back(sets.values.size());
  }
  std::fclose(file);
  if (!good) {
    std::fprintf(stderr, "%s is too short\n", path);
    std::exit(1);
  }
  return sets;
}

// Pairs of `sample` with any document, by comparing all.
bool SampleAgrees(const Sets& sets, const Verifier& verifier,
                  const std::vector<CandidatePair>& pairs) {
  constexpr size_t kSample = 20;
  for (size_t s = 0; s < kSample; ++s) {
    const size_t d = s * sets.count() / kSample;
    std::vector<CandidatePair> expected, found;
    for (size_t other = 0; other < sets.count(); ++other) {
      if (other != d && verifier.Compare(sets.Get(d), sets.Get(other)).accepted)
        expected.push_back(CandidatePair::Of(d, other));
    }
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(found),
                 [d](const CandidatePair& p) { return p.a == d || p.b == d; });
    std::sort(expected.begin(), expected.end());
    if (expected != found) return false;
  }
  return true;
}

int Run(const Sets& sets, int threads) {
  MemoryBudget budget(uint64_t{16} << 30);
  CollectionJoinContext context;
  context.budget = &budget;
  context.memory_bytes = uint64_t{12} << 30;
  context.threads = threads;
  context.directory = std::filesystem::temp_directory_path();
  context.sizes = [&](const std::function<void(uint64_t)>& body) -> Status {
    for (size_t i = 0; i < sets.count(); ++i) body(sets.Get(i).size() / 8);
    return {};
  };
  const Time start = Now();
  auto join = MakePrefixJoinFactory(JoinMeasure::kJaccard, kThreshold)(context);
  std::vector<std::vector<uint64_t>> prepared(
      std::min<size_t>(sets.count(), 4096));
  for (bool again = true; again; again = *(*join)->EndPass()) {
    for (size_t from = 0; from < sets.count(); from += prepared.size()) {
      const size_t count = std::min(prepared.size(), sets.count() - from);
      const auto member_of = [&](size_t i) {
        JoinMember member;
        member.document = from + i;
        member.features = sets.Get(from + i);
        member.size = member.features.size() / 8;
        return member;
      };
      ParallelFor(count, 64, threads, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          prepared[i].clear();
          (*join)->Prepare(member_of(i), &prepared[i]);
        }
      });
      for (size_t i = 0; i < count; ++i) {
        JoinMember member = member_of(i);
        member.prepared = prepared[i];
        if (!(*join)->Add(member)) {
          std::fprintf(stderr, "a document cannot be added\n");
          return 1;
        }
      }
    }
  }
  const Time added = Now();
  std::vector<CandidatePair> candidates;
  (void)(*join)->Join([&](const CandidatePair& pair) -> Status {
    candidates.push_back(pair);
    return {};
  });
  const Time joined = Now();
  const size_t emitted = candidates.size();
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()),
                   candidates.end());
  const auto verifier = MakeSetVerifier(Measure::kJaccard, kThreshold);
  std::vector<char> accepted(candidates.size());
  ParallelFor(candidates.size(), 256, threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      accepted[i] =
          verifier
              ->Compare(sets.Get(candidates[i].a), sets.Get(candidates[i].b))
              .accepted;
    }
  });
  std::vector<CandidatePair> pairs;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (accepted[i] != 0) pairs.push_back(candidates[i]);
  }
  const Time verified = Now();
  std::printf(
      "%zu documents, %zu shingles, %d threads: %zu emitted, %zu "
      "candidates, %zu pairs\n",
      sets.count(), sets.values.size(), threads, emitted, candidates.size(),
      pairs.size());
  Tell("add", start, added);
  Tell("join", added, joined);
  Tell("sort and verify", joined, verified);
  Tell("all", start, verified);
  const bool good = SampleAgrees(sets, *verifier, pairs);
  std::printf(good ? "checked: a sample agrees with comparing all\n"
                   : "WRONG: a sample differs from comparing all\n");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  const bool from_file = argc > 2 && std::strcmp(argv[1], "--sets") == 0;
  const int at = from_file ? 3 : 2;
  const int threads = argc > at ? std::atoi(argv[at]) : 1;
  const auto sets =
      from_file ? twinset::Load(argv[2])
                : twinset::Generate(
                      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000);
  return twinset::Run(sets, threads);
}
