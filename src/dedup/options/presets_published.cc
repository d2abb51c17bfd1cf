// Presets: configurations of papers and lectures.
#include "options/presets.h"

namespace twinset {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

// The methods decide by their sketches; nothing is verified beside that.
constexpr std::pair<const char*, const char*> kUnverified = {"--verify",
                                                             "none"};

PresetInfo Broder97() {
  return {"broder97",
          "clusters of at least 50 % resemblance, by mod-25 sketches",
          "Broder, Glassman, Manasse and Zweig 1997",
          "10-word shingles by Rabin fingerprints, kept where they are 0 mod "
          "25, resemblance estimated from what is kept, shingles of more than "
          "1,000 documents left out, union-find over the pairs",
          "fingerprints have 64 bits, not 40; words are those of --tokens "
          "unicode, and the text is what a reader sees of the page",
          {{"--method", "mod-m"},
           {"--content", "all"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--shingle", "word:10"},
           {"--feature-hash", "rabin"},
           {"--modulus", "25"},
           {"--threshold", "0.5"},
           {"--max-df", "1000"},
           kUnverified,
           {"--cluster", "components"}}};
}

PresetInfo Fetterly03() {
  return {
      "fetterly03",
      "two of six super-shingles agree, found by mega-shingles",
      "Fetterly, Manasse and Najork 2003",
      "84 minima in 6 groups of 14, documents alike that share 2 groups, by "
      "one look-up of pairs of groups; clusters are closures",
      "shingles of 5 words are recalled, not confirmed; the 84 functions "
      "are twinset's and are applied to a Rabin fingerprint of the shingle",
      {{"--method", "mega-shingle"},
       {"--content", "all"},
       {"--template", "keep"},
       {"--tokens", "unicode"},
       {"--shingle", "word:5"},
       {"--feature-hash", "rabin"},
       {"--groups", "6"},
       {"--group-size", "14"},
       {"--agree", "2"},
       kUnverified,
       {"--cluster", "components"}}};
}

// What the three presets of the paper have in common.
Settings HenzingerText(const std::string& hash = "rabin") {
  return {{"--content", "all"},     {"--template", "keep"},
          {"--tokens", "unicode"},  {"--shingle", "word:8"},
          {"--feature-hash", hash}, kUnverified};
}

Settings Joined(Settings first, const Settings& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

PresetInfo Henzinger06() {
  return {"henzinger06",
          "shingling filtered by random projection: the combined algorithm",
          "Henzinger 2006",
          "8-word shingles, 2 of 6 super-shingles of 14 of 84 minima, then at "
          "least 355 of 384 bits of a projection of the tokens' frequencies",
          "355 is recalled, not confirmed, and so wide that on real pages the "
          "projection takes away no pair of algorithm B; tokens of URLs and "
          "images are not added to the text; the projections are mixed Rabin "
          "fingerprints of the tokens",
          Joined({{"--method", "henzinger-combined"}},
                 Joined(HenzingerText(), {{"--groups", "6"},
                                          {"--group-size", "14"},
                                          {"--agree", "2"},
                                          {"--bits", "384"},
                                          {"--distance", "29"},
                                          {"--weights", "tf"}}))};
}

PresetInfo Henzinger06B() {
  return {"henzinger06-b",
          "its algorithm B alone: two of six super-shingles agree",
          "Henzinger 2006",
          "8-word shingles, 84 minima, 6 super-shingles of 14, 2 of them equal",
          "as henzinger06",
          Joined({{"--method", "super-shingle"}},
                 Joined(HenzingerText(), {{"--groups", "6"},
                                          {"--group-size", "14"},
                                          {"--agree", "2"}}))};
}

PresetInfo Henzinger06C() {
  return {"henzinger06-c",
          "its algorithm C alone: random projections of 384 bits",
          "Henzinger 2006",
          "frequencies of single tokens, 384 bits, alike above 372 equal ones",
          "372 is recalled, not confirmed; found by 12 tables of 32 bits, "
          "which find every such pair; otherwise as henzinger06",
          Joined({{"--method", "simhash"}, {"--sketch-shingle", "word:1"}},
                 Joined(HenzingerText("rabin-mixed"), {{"--bits", "384"},
                                                       {"--distance", "11"},
                                                       {"--weights", "tf"},
                                                       {"--tables", "12"}}))};
}

PresetInfo Manku07() {
  return {"manku07",
          "SimHash of 64 bits within distance 3, by 20 permuted tables",
          "Manku, Jain and Das Sarma 2007",
          "64 bits, distance 3, weighted terms, six blocks of which three stay",
          "the paper's features are terms and phrases without stop words, "
          "stemmed; here every token counts by its frequency and rarity",
          {{"--method", "simhash"},
           {"--content", "all"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--sketch-shingle", "word:1"},
           {"--bits", "64"},
           {"--weights", "tf-idf"},
           {"--distance", "3"},
           {"--tables", "manku-20"},
           kUnverified}};
}

PresetInfo Grassegger14(const std::string& mix, const std::string& shingle) {
  const bool main = mix.empty();
  return {main ? "grassegger14" : "grassegger14-" + mix,
          main ? "SimHash of 2- and 3-grams within distance 3, by 4 tables"
               : "the same of n-grams, n = " + mix,
          "Grassegger 2014",
          "word n-grams weighted by frequency, several lengths in one vector, "
          "64 bits, distance 3, 4 blocks of 16 bits",
          "the thesis names no hash function: here the first 8 bytes of MD5; "
          "tokens are those of --tokens unicode",
          {{"--method", "simhash"},
           {"--content", "all"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--sketch-shingle", shingle},
           {"--feature-hash", "md5"},
           {"--bits", "64"},
           {"--weights", "tf"},
           {"--distance", "3"},
           {"--tables", "4"},
           kUnverified}};
}

PresetInfo RabinMinHashing() {
  return {"rabin-min-hashing",
          "the least remainders of the shingles by random primes",
          "Sauerhoff 2007, RABIN-MIN-HASHING",
          "components are minima of h_p over the shingles, similarity is the "
          "share of equal ones",
          "shingles of 5 words of the 5 to 10 that the slides give, 128 primes "
          "of a number left open, alike from 80 % on",
          {{"--method", "rabin-minhash"},
           {"--content", "all"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--shingle", "word:5"},
           {"--permutations", "128"},
           {"--threshold", "0.8"},
           kUnverified}};
}

PresetInfo Iir19() {
  return {"iir19",
          "200 permutations, near-duplicates from 80 % equal values on",
          "Manning, Raghavan and Schuetze 2008, chapter 19, as lectured",
          "5-grams of words, 64-bit hashes, 200 values, every pair that shares "
          "at least 160 found by sorting, one document of each closure stays",
          "permutations are hash functions; markup goes, numbers stay",
          {{"--method", "minhash"},
           {"--content", "all"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--shingle", "word:5"},
           {"--permutations", "200"},
           {"--generator", "sorted"},
           {"--agree", "160"},
           {"--threshold", "0.8"},
           kUnverified,
           {"--cluster", "components"},
           {"--keep", "first"}}};
}

PresetInfo SimHash64() {
  return {"simhash64-4x16",
          "SimHash of 64 bits within distance 3, by 4 blocks of 16 bits",
          "Charikar 2002; Manku, Jain and Das Sarma 2007, as lectured",
          "64 bits, distance 3, one of four blocks of 16 bits equal",
          "features are 3-grams of words by frequency; the lectures leave them "
          "open",
          {{"--method", "simhash"},
           {"--content", "all"},
           {"--template", "keep"},
           {"--tokens", "unicode"},
           {"--sketch-shingle", "word:3"},
           {"--bits", "64"},
           {"--weights", "tf"},
           {"--distance", "3"},
           {"--tables", "4"},
           kUnverified}};
}

PresetInfo Mercator() {
  return {"mercator",
          "the content-seen test: the same bytes under another address",
          "Heydon and Najork 1999",
          "64-bit Rabin fingerprints of the content, whatever its URL; the "
          "first that was seen stays",
          "bytes are compared where fingerprints agree; the content is what "
          "transfer codings leave",
          {{"--method", "exact"}, {"--level", "bytes"}, {"--keep", "first"}}};
}

}  // namespace

std::vector<PresetInfo> PublishedPresets() {
  return {Broder97(),
          Fetterly03(),
          Henzinger06(),
          Henzinger06B(),
          Henzinger06C(),
          Manku07(),
          Grassegger14("", "word:2+word:3"),
          Grassegger14("2", "word:2"),
          Grassegger14("3", "word:3"),
          Grassegger14("5", "word:5"),
          Grassegger14("2+3", "word:2+word:3"),
          Grassegger14("3+5", "word:3+word:5"),
          RabinMinHashing(),
          Iir19(),
          SimHash64(),
          Mercator()};
}

}  // namespace twinset
