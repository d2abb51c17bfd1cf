// Single texts asked of a saved run of the complete join:
//   bench_lookup [DOCUMENTS] [ASKED]
// Texts of 1.4 KB; fifteen of a hundred have a notice of 100 words in common.
// Prints the seconds of opening and the look-ups a second of one thread, for
// texts with the notice and without. Each asked text is a stored one with its
// last word changed, so that it must be found. See docs/benchmarks.md.
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/dedup.h"
#include "twinset/saved_run.h"

namespace twinset {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void Stop(const std::string& why) {
  std::fprintf(stderr, "bench_lookup: %s\n", why.c_str());
  std::exit(1);
}

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool HasNotice(size_t document) { return document % 100 < 15; }

std::string Write(const std::string& path, size_t documents) {
  std::mt19937_64 random(7);
  std::vector<std::string> words(20000);
  for (std::string& word : words)
    for (uint64_t i = 2 + random() % 7; i > 0; --i)
      word += static_cast<char>('a' + random() % 26);
  std::string notice;
  for (int i = 0; i < 100; ++i) notice += words[random() % words.size()] + ' ';
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) Stop("cannot write " + path);
  for (size_t i = 0; i < documents; ++i) {
    std::string text = HasNotice(i) ? notice : "";
    while (text.size() < 1400) text += words[random() % words.size()] + ' ';
    std::fprintf(file, "{\"id\":\"%zu\",\"text\":\"%s\"}\n", i, text.c_str());
  }
  std::fclose(file);
  return path;
}

std::vector<std::string> Asked(const std::string& path, size_t every,
                               bool noticed) {
  std::vector<std::string> texts;
  InputOptions input;
  input.inputs = {path};
  const auto source = FromFiles(input);
  if (!source) Stop(source.error().ToString());
  for (size_t i = 0;; ++i) {
    Document document;
    const auto more = (*source)->Next(&document);
    if (!more) Stop(more.error().ToString());
    if (!*more) return texts;
    if (i % every == 0 && HasNotice(i) == noticed)
      texts.push_back(document.payload + "changed");
  }
}

void Bench(size_t documents, size_t asked) {
  char folder[] = "/tmp/bench_lookup.XXXXXX";
  if (::mkdtemp(folder) == nullptr) Stop("cannot make a folder");
  const std::string in = folder;
  DedupOptions options;
  options.input.inputs = {Write(in + "/rows.jsonl", documents)};
  options.out = in + "/out";
  options.save = in + "/saved";
  if (const auto run = Dedup(options); !run) Stop(run.error().ToString());
  const auto opening = Clock::now();
  const auto stored = SavedCollection::Open(options.save);
  if (!stored) Stop(stored.error().ToString());
  std::printf("%zu documents, opened in %.1f s\n", documents, Since(opening));
  for (const bool noticed : {true, false}) {
    const auto texts = Asked(options.input.inputs[0],
                             std::max<size_t>(1, documents / asked), noticed);
    const auto begin = Clock::now();
    for (const std::string& text : texts) {
      const auto found = stored->Find(text);
      if (!found || found->empty()) Stop("a text was not found");
    }
    std::printf("%-14s %8.0f look-ups/s (%zu)\n",
                noticed ? "with notice" : "without notice",
                static_cast<double>(texts.size()) / Since(begin), texts.size());
  }
  std::filesystem::remove_all(in);
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  twinset::Bench(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200000,
                 argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 4000);
}
