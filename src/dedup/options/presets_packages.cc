// Presets: the defaults of other packages.
#include "options/presets.h"

namespace twinset {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Settings With(Settings first, const Settings& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

// MinHash and bands whose candidates count without verification: the threshold
// is below the least estimate that a pair with one equal band has.
Settings Banded(const char* permutations, const char* bands, const char* rows) {
  return {{"--method", "minhash"},   {"--permutations", permutations},
          {"--bands", bands},        {"--rows", rows},
          {"--threshold", "0.0001"}, {"--verify", "none"},
          {"--bucket-limit", "0"}};
}

// Connected components of which the first document stays.
Settings FirstOfComponent() {
  return {{"--cluster", "components"}, {"--keep", "first"}};
}

PresetInfo Datasketch(bool version2) {
  return {version2 ? "datasketch-2" : "datasketch",
          version2 ? "MinHashLSH, with the permutations of version 2"
                   : "MinHashLSH at 0.9 of 128 permutations",
          version2 ? "datasketch 2.0.0" : "datasketch before 2.0.0",
          "MinHash values bit for bit, and the bands that it derives for 0.9",
          "it takes sets from its user: here the words between white space; "
          "it answers queries, clusters are twinset's",
          With({{"--tokens", "whitespace"},
                {"--shingle", "word:1"},
                {"--feature-hash", "sha1-32"},
                {"--hash-family", version2 ? "datasketch-2" : "datasketch"},
                {"--seed", "1"}},
               With(Banded("128", "5", "25"), FirstOfComponent()))};
}

Settings TextDedupText(const char* shingle, const char* hash) {
  return {{"--tokens", "nonword-split"},
          {"--shingle", shingle},
          {"--feature-hash", hash},
          {"--hash-family", "text-dedup"},
          {"--seed", "42"}};
}

PresetInfo TextDedup() {
  return {"text-dedup",
          "MinHash of 5-grams at 0.7",
          "text-dedup 0.4.0",
          "words, shingles, MinHash values and bands bit for bit; the first "
          "document of each component stays",
          "documents with fewer than 5 words are not dropped, but compared by "
          "what they have",
          With(TextDedupText("word:5", "sha1-32"),
               With(Banded("250", "25", "10"), FirstOfComponent()))};
}

PresetInfo TextDedupCore() {
  return {"text-dedup-core",
          "its setting for the CORE benchmark",
          "text-dedup, configs/benchmark_core_minhash.toml",
          "words, 2-grams, 200 permutations in 50 bands of 4",
          "there XXH3 has the seed 42 since the version after 0.4.0; here 0, "
          "as in 0.4.0",
          With(TextDedupText("word:2", "xxh3-32"),
               With(Banded("200", "50", "4"), FirstOfComponent()))};
}

PresetInfo TextDedupNews() {
  return {"text-dedup-news",
          "its setting for the NEWS-COPY benchmark",
          "text-dedup, configs/benchmark_news_minhash.toml",
          "words, 2-grams, 256 permutations in the bands it derives for 0.45",
          "as text-dedup-core",
          With(TextDedupText("word:2", "xxh3-32"),
               With(Banded("256", "47", "5"), FirstOfComponent()))};
}

PresetInfo TextDedupSimHash() {
  return {"text-dedup-simhash",
          "SimHash of 3-grams within distance 3",
          "text-dedup 0.4.0",
          "words, shingles and 64-bit fingerprints bit for bit, the pairs "
          "within distance 3, the first of each component",
          "documents with fewer than 5 words count; later versions hash with "
          "the seed 42",
          With({{"--method", "simhash"},
                {"--tokens", "nonword-split"},
                {"--shingle", "word:3"},
                {"--feature-hash", "xxh3"},
                {"--weights", "set"},
                {"--bits", "64"},
                {"--distance", "3"},
                {"--tables", "4"},
                {"--verify", "none"}},
               FirstOfComponent())};
}

// What of simplify_text twinset's tokens have too.
constexpr char kDatatroveDiffers[] =
    "there words are a library's (spaCy's for English), numbers become 0 and "
    "accents go: here --tokens unicode, so values differ";

PresetInfo Datatrove() {
  return {"datatrove",
          "MinHash of 5-grams in 14 bands of 8",
          "datatrove 0.10.0, MinhashConfig",
          "112 values in 14 bands of 8, the constants of seed 1, components",
          std::string(kDatatroveDiffers) + "; it hashes by XXH64, here XXH3",
          With({{"--tokens", "unicode"},
                {"--shingle", "word:5"},
                {"--feature-hash", "xxh3"},
                {"--hash-family", "text-dedup"},
                {"--seed", "1"}},
               With(Banded("112", "14", "8"), FirstOfComponent()))};
}

PresetInfo FineWeb() {
  return {"fineweb",
          "the MinHash stage of FineWeb",
          "datatrove, examples/fineweb.py",
          "5-grams by the first 8 bytes of SHA-1, 14 bands of 8, components, "
          "main content of pages",
          std::string(kDatatroveDiffers) +
              "; values keep 32 bits of 61; it runs one crawl at a time",
          With({{"--content", "main"},
                {"--template", "keep"},
                {"--tokens", "unicode"},
                {"--shingle", "word:5"},
                {"--feature-hash", "sha1-64"},
                {"--hash-family", "text-dedup"},
                {"--seed", "1"}},
               With(Banded("112", "14", "8"), FirstOfComponent()))};
}

PresetInfo Nemo() {
  return {"nemo",
          "MinHash of 24 characters in 20 bands of 13",
          "NeMo Curator 1.3.0",
          "24 characters of the unchanged text, 260 values, 20 bands of 13, "
          "components",
          "it hashes by MurmurHash3, here XXH3 and other constants; which of a "
          "component stays is chance there, the first here",
          With({{"--tokens", "raw"},
                {"--shingle", "char:24"},
                {"--feature-hash", "xxh3-32"},
                {"--hash-family", "text-dedup"},
                {"--seed", "42"}},
               With(Banded("260", "20", "13"), FirstOfComponent()))};
}

PresetInfo Duplodocus() {
  return {"duplodocus",
          "MinHash of 5 tokens in 14 bands of 8",
          "duplodocus (read through a fork)",
          "5-grams, 14 bands of 8, components",
          "its tokens are those of a language model (cl100k), its hash is "
          "aHash: values differ; its documentation names other bands too",
          With({{"--tokens", "unicode"},
                {"--shingle", "word:5"},
                {"--feature-hash", "xxh3"},
                {"--hash-family", "text-dedup"},
                {"--seed", "42"}},
               With(Banded("112", "14", "8"), FirstOfComponent()))};
}

PresetInfo Olmo3() {
  return {"olmo3",
          "MinHash in 26 bands of 11, verified",
          "OLMo 3, by the names of its files",
          "26 bands of 11, and a resemblance filter behind them",
          "the shingles and the filter's threshold are not published: 5-grams "
          "and 0.8 here; otherwise as duplodocus",
          With({{"--method", "minhash"},
                {"--tokens", "unicode"},
                {"--shingle", "word:5"},
                {"--feature-hash", "xxh3"},
                {"--hash-family", "text-dedup"},
                {"--seed", "42"},
                {"--permutations", "286"},
                {"--bands", "26"},
                {"--rows", "11"},
                {"--threshold", "0.8"}},
               FirstOfComponent())};
}

PresetInfo RedPajama2() {
  return {"redpajama2",
          "MinHash in 9 bands of 13: the signatures for 0.8",
          "RedPajama-Data-v2",
          "128 permutations of seed 42, 9 bands of 13 (14 of 9 for 0.7, 5 of "
          "25 for 0.9: --bands and --rows)",
          "its shingles are a setting; 13-grams of words here, which is "
          "recalled and not confirmed; its normalisation is not repeated",
          With({{"--tokens", "unicode"},
                {"--shingle", "word:13"},
                {"--feature-hash", "sha1-32"},
                {"--hash-family", "datasketch"},
                {"--seed", "42"}},
               With(Banded("128", "9", "13"), FirstOfComponent()))};
}

PresetInfo Rensa() {
  return {"rensa",
          "MinHash by multiply-shift in 16 bands of 8",
          "rensa 0.4.0, RMinHash",
          "values are the high half of a x + b mod 2^64, 128 of them",
          "it hashes by FxHash and draws other constants; it takes tokens from "
          "its user: here the words between white space. Its faster forms, "
          "which sample tokens, are not followed",
          With({{"--tokens", "whitespace"},
                {"--shingle", "word:1"},
                {"--hash-family", "spec"},
                {"--seed", "42"}},
               With(Banded("128", "16", "8"), FirstOfComponent()))};
}

PresetInfo DataJuicer() {
  return {"data-juicer",
          "MinHash of 5-grams at 0.7",
          "data-juicer 1.4.3, document_minhash_deduplicator",
          "lower case, words between spaces, SHA-1, the constants of seed 42, "
          "25 bands of 10, the first document of each component",
          "it leaves out the last shingle of each document, and all documents "
          "of at most 5 words are one duplicate there: values agree otherwise",
          With({{"--tokens", "lower-space"},
                {"--shingle", "word:5"},
                {"--feature-hash", "sha1-32"},
                {"--hash-family", "datasketch"},
                {"--seed", "42"}},
               With(Banded("256", "25", "10"), FirstOfComponent()))};
}

PresetInfo DataJuicerSimHash() {
  return {"data-juicer-simhash",
          "SimHash of 6-grams within distance 4, by 6 blocks",
          "data-juicer 1.4.3, document_simhash_deduplicator",
          "lower case, words between spaces, the first 8 bytes of MD5, the "
          "frequency of shingles, 64 bits, 2 of 6 blocks equal",
          "it leaves out the last shingle of each document",
          With({{"--method", "simhash"},
                {"--tokens", "lower-space"},
                {"--shingle", "word:6"},
                {"--feature-hash", "md5"},
                {"--weights", "tf"},
                {"--bits", "64"},
                {"--distance", "4"},
                {"--tables", "6"},
                {"--verify", "none"}},
               FirstOfComponent())};
}

PresetInfo Gaoya() {
  return {"gaoya",
          "MinHash of words in 20 bands of 5, estimates from 0.75 on",
          "gaoya 0.2.0",
          "single words, 100 values, 20 bands of 5, pairs by their estimate",
          "other hash functions: values differ; words are those between white "
          "space",
          {{"--method", "minhash"},
           {"--tokens", "whitespace"},
           {"--shingle", "word:1"},
           {"--feature-hash", "xxh3-32"},
           {"--hash-family", "text-dedup"},
           {"--permutations", "100"},
           {"--bands", "20"},
           {"--rows", "5"},
           {"--threshold", "0.75"},
           {"--verify", "none"}}};
}

PresetInfo CopyCat() {
  return {"copycat",
          "SimHash of 3- and 5-grams, verified by S3 of 8-grams from 0.82 on",
          "CopyCat (Froebe and others 2021)",
          "64 bits, distance 3, both lengths in one vector, then the measure "
          "S3 of the sets of 8-grams, main content of pages",
          "it stems and drops stop words, hashes otherwise, and leaves out "
          "documents with fewer than 10 words",
          {{"--method", "simhash"},
           {"--content", "main"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--sketch-shingle", "word:3+word:5"},
           {"--bits", "64"},
           {"--weights", "tf"},
           {"--distance", "3"},
           {"--tables", "4"},
           {"--shingle", "word:8"},
           {"--measure", "s3"},
           {"--threshold", "0.82"}}};
}

PresetInfo SimHash1e0ng() {
  return {"1e0ng-simhash",
          "SimHash of 4 characters within distance 2",
          "simhash 2.1.2 (1e0ng)",
          "Simhash(text).value bit for bit: lower case, word characters "
          "joined, 4-grams by frequency, the last 8 bytes of MD5; every pair "
          "within distance 2, as SimhashIndex finds them",
          "documents without a word character are empty here",
          {{"--method", "simhash"},
           {"--tokens", "joined-words"},
           {"--shingle", "char:4"},
           {"--feature-hash", "md5-low"},
           {"--weights", "tf"},
           {"--bits", "64"},
           {"--distance", "2"},
           {"--tables", "3"},
           {"--verify", "none"}}};
}

PresetInfo NutchTextProfile() {
  return {"nutch-textprofile",
          "equal MD5 of the rounded frequencies of tokens",
          "Apache Nutch, TextProfileSignature",
          "tokens of more than 2 characters, frequencies rounded down to 1 % "
          "of the greatest and at least 2, MD5 of the list, the first of equal "
          "signatures stays",
          "its order of equal frequencies is that of a Java hash map, here of "
          "the tokens' bytes, so the digests differ where there are ties; "
          "tokens are those of --tokens unicode, not runs of letters and "
          "digits; texts without such tokens are compared whole",
          With({{"--method", "text-profile"},
                {"--content", "all"},
                {"--template", "keep"},
                {"--tokens", "unicode"},
                {"--verify", "none"}},
               FirstOfComponent())};
}

PresetInfo Dolma() {
  return {"dolma",
          "repeated lines of text: all but the first are cut",
          "dolma 1.2.1, paragraph deduplication",
          "what stands between line feeds, the first occurrence stays",
          "lines are compared by their tokens and exactly, not by a Bloom "
          "filter; lines without a token are not cut",
          {{"--tokens", "unicode"},
           {"--unit", "line"},
           {"--unit-action", "keep-first"},
           {"--min-tokens", "1"}}};
}

}  // namespace

std::vector<PresetInfo> PackagePresets() {
  return {Datasketch(false),
          Datasketch(true),
          TextDedup(),
          TextDedupCore(),
          TextDedupNews(),
          TextDedupSimHash(),
          Datatrove(),
          FineWeb(),
          Nemo(),
          Duplodocus(),
          Olmo3(),
          RedPajama2(),
          Rensa(),
          DataJuicer(),
          DataJuicerSimHash(),
          Gaoya(),
          CopyCat(),
          SimHash1e0ng(),
          NutchTextProfile(),
          Dolma()};
}

}  // namespace twinset
