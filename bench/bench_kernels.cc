// Text to MinHash 128, stage by stage and as a whole, on one core.
//
// The text is the file named by TWINSET_BENCH_TEXT, cut into documents of about
// 8 KB at line feeds, or else generated English-like text. TWINSET_BENCH_SIMD
// forces a kernel target. Bytes per second are of input text. Each stage works
// on what the stage before it made, held in memory for the whole corpus, so the
// stages' times include streaming it; `Chain` works document by document in
// cache, as the program does. Every stage is compared with its scalar reference
// before it is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/keyed_hash.h"
#include "kernels/kernels.h"
#include "text/tokens/features.h"

namespace twinset {
namespace {

constexpr size_t kDocumentBytes = 8 << 10;
constexpr size_t kGeneratedBytes = 16 << 20;
constexpr size_t kPermutations = 128;
constexpr size_t kWindow = 5;

std::string Generated() {
  SplitMix64 random(1);
  std::vector<std::string> words;
  for (int i = 0; i < 20000; ++i) {
    std::string word;
    const size_t size = 1 + random.Below(5) + random.Below(6);
    while (word.size() < size) {
      word += static_cast<char>('a' + random.Below(26));
    }
    words.push_back(word);
  }
  std::string text;
  while (text.size() < kGeneratedBytes) {
    const size_t rank = random.Below(1 + random.Below(words.size()));
    text += words[rank];
    text += random.Below(12) == 0 ? ".\n" : " ";
  }
  return text;
}

std::string LoadText() {
  const char* path = std::getenv("TWINSET_BENCH_TEXT");
  if (path == nullptr) return Generated();
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) std::fprintf(stderr, "cannot read %s\n", path);
  return text.empty() ? Generated() : text;
}

// The corpus and what every stage makes of it; document d is [offsets[d],
// offsets[d + 1]) of each array.
struct Corpus {
  std::vector<std::string> documents;
  size_t bytes = 0, tokens = 0, shingles = 0;
  std::vector<std::string> lowered;  // padded
  std::vector<std::vector<uint32_t>> begins, ends;
  std::vector<std::vector<uint64_t>> hashes, windows;
  std::vector<uint64_t> weights, multipliers, addends;
};

// The chain by the given functions.
struct Chain {
  decltype(&kernels::LowerAscii) lower;
  decltype(&kernels::FindTokens) find;
  decltype(&kernels::HashTokens) hash;
  decltype(&kernels::ShingleHashes) shingle;
  decltype(&kernels::MinHash) minhash;
};
constexpr Chain kFast = {kernels::LowerAscii, kernels::FindTokens,
                         kernels::HashTokens, kernels::ShingleHashes,
                         kernels::MinHash};
constexpr Chain kReference = {
    kernels::reference::LowerAscii, kernels::reference::FindTokens,
    kernels::reference::HashTokens, kernels::reference::ShingleHashes,
    kernels::reference::MinHash};

struct Buffers {
  explicit Buffers(size_t bytes)
      : text(bytes + kernels::kPaddingBytes),
        begins(bytes / 2 + 64),
        ends(bytes / 2 + 64),
        hashes(bytes / 2 + 64),
        sketch(kPermutations) {}
  std::vector<char> text;
  std::vector<uint32_t> begins, ends;
  std::vector<uint64_t> hashes;
  std::vector<uint32_t> sketch;
};

// Text to sketch; the number of shingles.
size_t Run(const Chain& chain, const Corpus& corpus, const std::string& text,
           Buffers* b) {
  const size_t ascii = chain.lower(text, b->text.data());
  const size_t tokens =
      chain.find({b->text.data(), ascii}, b->begins.data(), b->ends.data());
  chain.hash(b->text.data(), b->begins.data(), b->ends.data(), tokens,
             b->hashes.data());
  const size_t windows = tokens < kWindow ? 0 : tokens - kWindow + 1;
  if (windows > 0) {
    chain.shingle(b->hashes.data(), tokens, kWindow, corpus.weights.data(), 1,
                  b->hashes.data());
  }
  chain.minhash({b->hashes.data(), windows}, corpus.multipliers, corpus.addends,
                b->sketch.data());
  return windows;
}

// ASCII documents with every stage's products.
const Corpus& TheCorpus() {
  static const Corpus corpus = [] {
    Corpus c;
    SplitMix64 random(7);
    for (size_t i = 0; i < kWindow; ++i) c.weights.push_back(random.Next() | 1);
    for (size_t i = 0; i < kPermutations; ++i) {
      c.multipliers.push_back(random.Next() | 1);
      c.addends.push_back(random.Next());
    }
    std::string text = LoadText();
    text.erase(
        std::remove_if(text.begin(), text.end(),
                       [](char x) { return static_cast<uint8_t>(x) >= 0x80; }),
        text.end());
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find('\n', at + kDocumentBytes);
      end = std::min({end, text.size(), at + 4 * kDocumentBytes});
      c.documents.push_back(text.substr(at, end - at));
      at = end;
    }
    for (const std::string& document : c.documents) {
      Buffers b(document.size());
      kernels::LowerAscii(document, b.text.data());
      const size_t tokens = kernels::FindTokens(
          {b.text.data(), document.size()}, b.begins.data(), b.ends.data());
      kernels::HashTokens(b.text.data(), b.begins.data(), b.ends.data(), tokens,
                          b.hashes.data());
      const size_t windows = tokens < kWindow ? 0 : tokens - kWindow + 1;
      c.bytes += document.size();
      c.tokens += tokens;
      c.shingles += windows;
      c.lowered.emplace_back(b.text.begin(), b.text.end());
      b.begins.resize(tokens);
      b.ends.resize(tokens);
      b.hashes.resize(tokens);
      c.hashes.push_back(b.hashes);
      b.hashes.resize(windows);
      if (windows > 0) {
        kernels::ShingleHashes(c.hashes.back().data(), tokens, kWindow,
                               c.weights.data(), 1, b.hashes.data());
      }
      c.begins.push_back(std::move(b.begins));
      c.ends.push_back(std::move(b.ends));
      c.windows.push_back(std::move(b.hashes));
    }
    return c;
  }();
  return corpus;
}

// Returns true iff every stage gives what the reference gives, on some
// documents.
bool Agrees() {
  static const bool agrees = [] {
    const Corpus& corpus = TheCorpus();
    const size_t stride = corpus.documents.size() / 40 + 1;
    for (size_t d = 0; d < corpus.documents.size(); d += stride) {
      Buffers fast(corpus.documents[d].size()), slow = fast;
      const size_t windows = Run(kFast, corpus, corpus.documents[d], &fast);
      if (windows != Run(kReference, corpus, corpus.documents[d], &slow) ||
          fast.sketch != slow.sketch ||
          !std::equal(slow.hashes.begin(),
                      slow.hashes.begin() + static_cast<ptrdiff_t>(windows),
                      corpus.windows[d].begin())) {
        return false;
      }
    }
    return true;
  }();
  return agrees;
}

// Times `work(d)` over all documents.
template <typename Work>
void Time(benchmark::State& state, Work work) {
  if (!Agrees()) return state.SkipWithError("differs from the reference");
  const Corpus& corpus = TheCorpus();
  for (auto _ : state) {
    for (size_t d = 0; d < corpus.documents.size(); ++d) work(corpus, d);
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.SetBytesProcessed(
      static_cast<int64_t>(rounds * static_cast<double>(corpus.bytes)));
  state.counters["shingles/s"] =
      benchmark::Counter(rounds * static_cast<double>(corpus.shingles),
                         benchmark::Counter::kIsRate);
}

Buffers& Shared() {
  static Buffers buffers(8 * kDocumentBytes);
  return buffers;
}

void BM_LowerAscii(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    benchmark::DoNotOptimize(
        kernels::LowerAscii(c.documents[d], Shared().text.data()));
  });
}

void BM_FindTokens(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    benchmark::DoNotOptimize(
        kernels::FindTokens({c.lowered[d].data(), c.documents[d].size()},
                            Shared().begins.data(), Shared().ends.data()));
  });
}

void BM_HashTokens(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    kernels::HashTokens(c.lowered[d].data(), c.begins[d].data(),
                        c.ends[d].data(), c.begins[d].size(),
                        Shared().hashes.data());
    benchmark::ClobberMemory();
  });
}

void BM_ShingleHashes(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    if (c.hashes[d].size() < kWindow) return;
    kernels::ShingleHashes(c.hashes[d].data(), c.hashes[d].size(), kWindow,
                           c.weights.data(), 1, Shared().hashes.data());
    benchmark::ClobberMemory();
  });
}

void BM_MinHash128(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    kernels::MinHash(c.windows[d], c.multipliers, c.addends,
                     Shared().sketch.data());
    benchmark::ClobberMemory();
  });
}

// Set bits of the shingles by position: what SimHash of 64 bits does with them,
// every occurrence counting 1, or by weight.
template <bool weighed>
void BM_SimHash(benchmark::State& state) {
  static const std::vector<uint32_t> weights = [] {
    size_t longest = 0;
    for (const auto& w : TheCorpus().windows) {
      longest = std::max(longest, w.size());
    }
    SplitMix64 random(9);
    std::vector<uint32_t> all(longest);
    for (uint32_t& w : all) w = static_cast<uint32_t>(random.Below(1 << 20));
    return all;
  }();
  const auto sums = [](const Corpus& c, size_t d, bool reference) {
    std::array<uint64_t, 64> all{};
    const std::span<const uint64_t> values = c.windows[d];
    const std::span<const uint32_t> w(weights.data(), values.size());
    if (weighed) {
      (reference ? kernels::reference::BitSums : kernels::BitSums)(values, w,
                                                                   all.data());
    } else {
      (reference ? kernels::reference::BitCounts : kernels::BitCounts)(
          values, all.data());
    }
    return all;
  };
  for (size_t d = 0; d < TheCorpus().documents.size(); d += 20) {
    if (sums(TheCorpus(), d, false) != sums(TheCorpus(), d, true)) {
      return state.SkipWithError("differs from the reference");
    }
  }
  Time(state, [&](const Corpus& c, size_t d) {
    auto all = sums(c, d, false);
    benchmark::DoNotOptimize(all);
  });
}

void BM_FastSimilarity128(benchmark::State& state) {
  SplitMix64 random(9);
  std::vector<uint64_t> a, b, keys(kPermutations), expected(kPermutations);
  for (size_t i = 0; i < 2 * kPermutations; ++i) {
    a.push_back(random.Next() | 1);
    b.push_back(random.Next());
  }
  const auto& windows = TheCorpus().windows;
  for (size_t d = 0; d < windows.size(); d += windows.size() / 40 + 1) {
    kernels::FastSimilarity(windows[d], a, b, keys);
    kernels::reference::FastSimilarity(windows[d], a, b, expected);
    if (keys != expected)
      return state.SkipWithError("differs from the reference");
  }
  Time(state, [&](const Corpus& c, size_t d) {
    kernels::FastSimilarity(c.windows[d], a, b, keys);
    benchmark::ClobberMemory();
  });
}

// One-permutation hashing before densification.
void BM_BinMinima128(benchmark::State& state) {
  std::vector<uint64_t> minima(kPermutations), expected(kPermutations);
  const auto& windows = TheCorpus().windows;
  for (size_t d = 0; d < windows.size(); d += windows.size() / 40 + 1) {
    kernels::BinMinima(windows[d], 0x9e3779b97f4a7c15, 1, minima);
    kernels::reference::BinMinima(windows[d], 0x9e3779b97f4a7c15, 1, expected);
    if (minima != expected)
      return state.SkipWithError("differs from the reference");
  }
  Time(state, [&](const Corpus& c, size_t d) {
    kernels::BinMinima(c.windows[d], 0x9e3779b97f4a7c15, 1, minima);
    benchmark::ClobberMemory();
  });
}

void BM_Chain(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    Run(kFast, c, c.documents[d], &Shared());
    benchmark::ClobberMemory();
  });
}

// Chain plus normalisation by windows and the sorted set.
void BM_Extract(benchmark::State& state) {
  static const FeatureExtractor extractor(TokenRule::kUnicode, {ShingleKind{}});
  static FeatureScratch scratch;
  static Features features;
  Time(state, [](const Corpus& c, size_t d) {
    extractor.Extract(c.documents[d], &scratch, &features);
    benchmark::DoNotOptimize(features.shingles.data());
  });
}

// Text to tokens and to every shingle by both hashes: the public one of
// sketches and the secret one of what is verified, in one pass.
void BM_BothHashes(benchmark::State& state) {
  static const std::vector<ShingleKind> kinds = {ShingleKind{}};
  static const HashKey secret = *DrawHashKey();
  static const FeatureExtractor keyed(TokenRule::kUnicode, kinds, secret);
  static FeatureScratch scratch;
  static Features features, open;
  const FeatureExtractor plain(TokenRule::kUnicode, kinds);
  Features alone;
  for (const std::string& document : TheCorpus().documents) {
    keyed.ExtractBoth(document, false, false, &scratch, &features, &open);
    plain.Sequence(document, &scratch, &alone);
    if (open.shingles != alone.shingles)
      return state.SkipWithError("differs from the public hash alone");
    keyed.Sequence(document, &scratch, &alone);
    if (features.shingles != alone.shingles)
      return state.SkipWithError("differs from the secret hash alone");
  }
  Time(state, [](const Corpus& c, size_t d) {
    keyed.ExtractBoth(c.documents[d], false, false, &scratch, &features, &open);
    benchmark::DoNotOptimize(features.shingles.data());
    benchmark::DoNotOptimize(open.shingles.data());
  });
}

void BM_SortUnique(benchmark::State& state) {
  Time(state, [](const Corpus& c, size_t d) {
    uint64_t* values = Shared().hashes.data();
    std::memcpy(values, c.windows[d].data(), 8 * c.windows[d].size());
    benchmark::DoNotOptimize(kernels::SortUnique(values, c.windows[d].size()));
  });
}

// Pairs of sets of 500, every second pair sharing 400.
void BM_IntersectionSize(benchmark::State& state) {
  constexpr size_t kSize = 500, kSets = 64;
  SplitMix64 random(3);
  std::vector<std::vector<uint64_t>> sets(kSets);
  for (size_t s = 0; s < kSets; ++s) {
    for (size_t i = 0; i < kSize; ++i) {
      const bool shared = s % 2 == 1 && i < 400;
      sets[s].push_back(shared ? sets[s - 1][i * kSize / 400] : random.Next());
    }
    std::sort(sets[s].begin(), sets[s].end());
  }
  for (size_t s = 0; s + 1 < kSets; ++s) {
    if (kernels::IntersectionSize(sets[s], sets[s + 1]) !=
        kernels::reference::IntersectionSize(sets[s], sets[s + 1])) {
      return state.SkipWithError("differs from the reference");
    }
  }
  for (auto _ : state) {
    for (size_t s = 0; s + 1 < kSets; s += 2) {
      benchmark::DoNotOptimize(kernels::IntersectionSize(sets[s], sets[s + 1]));
    }
  }
  state.counters["pairs/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kSets / 2,
                         benchmark::Counter::kIsRate);
}

BENCHMARK(BM_LowerAscii)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FindTokens)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_HashTokens)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ShingleHashes)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_MinHash128)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FastSimilarity128)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BinMinima128)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SimHash<false>)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SimHash<true>)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Chain)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Extract)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BothHashes)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SortUnique)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_IntersectionSize);

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  if (const char* target = std::getenv("TWINSET_BENCH_SIMD")) {
    const twinset::Status status = twinset::kernels::ForceTarget(target);
    if (!status) {
      std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
      return 2;
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("simd", twinset::kernels::CurrentTarget());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
