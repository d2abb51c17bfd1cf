// Choices of what is compared, how, and what is done with the result
// (twinset/choices.h).
#ifndef TWINSET_METHOD_CHOICES_H_
#define TWINSET_METHOD_CHOICES_H_

#include <cstdint>

#include "twinset/choices.h"

namespace twinset {
inline namespace v1 {

// What similarity means (docs/methods/measures.md).
enum class Measure : uint8_t {
  // These compare shingle sets.
  kJaccard,
  kContainment,
  kDice,
  kCosine,
  kS3,
  // These compare shingle frequencies.
  kCosineTf,
  kCosineTfIdf,
  // These compare token sequences.
  kEdit,
  kHamming,
  // These compare the characters of the tokens, in the order of the text.
  kEditChars,
  kHammingChars,
};
template <>
inline constexpr auto kChoices<Measure> =
    ChoiceTable<Measure>({{Measure::kJaccard, "jaccard"},
                          {Measure::kContainment, "containment"},
                          {Measure::kDice, "dice"},
                          {Measure::kCosine, "cosine"},
                          {Measure::kS3, "s3"},
                          {Measure::kCosineTf, "cosine-tf"},
                          {Measure::kCosineTfIdf, "cosine-tf-idf"},
                          {Measure::kEdit, "edit"},
                          {Measure::kHamming, "hamming"},
                          {Measure::kEditChars, "edit-chars"},
                          {Measure::kHammingChars, "hamming-chars"}});

// What must be equal for two documents to be copies.
enum class CopyLevel : uint8_t {
  kBytes,   // the payload
  kText,    // the clean text
  kTokens,  // only the tokens of the clean text
};
template <>
inline constexpr auto kChoices<CopyLevel> =
    ChoiceTable<CopyLevel>({{CopyLevel::kBytes, "bytes"},
                            {CopyLevel::kText, "text"},
                            {CopyLevel::kTokens, "tokens"}});

// The polynomial of Rabin fingerprints over GF(2) (docs/methods/rabin.md).
enum class RabinModulus : uint8_t {
  kFixed,  // x^64 + x^4 + x^3 + x + 1, that of the spec
  kDrawn,  // of degree 64, uniform among the irreducible ones, by the seed
};
template <>
inline constexpr auto kChoices<RabinModulus> = ChoiceTable<RabinModulus>(
    {{RabinModulus::kFixed, "fixed"}, {RabinModulus::kDrawn, "drawn"}});

// How a feature of a sketch becomes a number (docs/methods/feature-hashes.md).
// kSpec hashes tokens and combines their hashes (docs/spec/1.md, Shingles); the
// others hash the text of the shingle.
enum class FeatureHash : uint8_t {
  kSpec,
  kMd5,         // first 8 bytes, big-endian
  kMd5Low,      // last 8 bytes, big-endian (1e0ng simhash)
  kSha1_32,     // first 4 bytes, little-endian (datasketch)
  kSha1_64,     // first 8 bytes, little-endian (datatrove)
  kXxh3,        // XXH3, 64 bits, seed 0
  kXxh3_32,     // its low 32 bits (text-dedup)
  kRabin,       // over GF(2) mod x^64 + x^4 + x^3 + x + 1, with a leading one
  kRabinMixed,  // the same through a mixer, so that every bit is a fair vote
  kBinary,      // the digits 0 and 1 are the highest bits of the value
  kDecimal,     // the text is the value
};
template <>
inline constexpr auto kChoices<FeatureHash> =
    ChoiceTable<FeatureHash>({{FeatureHash::kSpec, "spec"},
                              {FeatureHash::kMd5, "md5"},
                              {FeatureHash::kMd5Low, "md5-low"},
                              {FeatureHash::kSha1_32, "sha1-32"},
                              {FeatureHash::kSha1_64, "sha1-64"},
                              {FeatureHash::kXxh3, "xxh3"},
                              {FeatureHash::kXxh3_32, "xxh3-32"},
                              {FeatureHash::kRabin, "rabin"},
                              {FeatureHash::kRabinMixed, "rabin-mixed"},
                              {FeatureHash::kBinary, "binary"},
                              {FeatureHash::kDecimal, "decimal"}});

// The hash functions of MinHash: those of the spec, remainders of mixed
// shingles by random primes, and those of other packages.
enum class HashFamily : uint8_t {
  kSpec,
  kMixed,
  kDatasketch,
  kDatasketch2,  // its version 2
  kTextDedup,
};
template <>
inline constexpr auto kChoices<HashFamily> =
    ChoiceTable<HashFamily>({{HashFamily::kSpec, "spec"},
                             {HashFamily::kMixed, "mixed"},
                             {HashFamily::kDatasketch, "datasketch"},
                             {HashFamily::kDatasketch2, "datasketch-2"},
                             {HashFamily::kTextDedup, "text-dedup"}});

// How much a feature of a fingerprint counts.
enum class FeatureWeights : uint8_t {
  kSet,
  kTf,
  kTfIdf,
  kField,  // as the field of the features says
};
template <>
inline constexpr auto kChoices<FeatureWeights> =
    ChoiceTable<FeatureWeights>({{FeatureWeights::kSet, "set"},
                                 {FeatureWeights::kTf, "tf"},
                                 {FeatureWeights::kTfIdf, "tf-idf"},
                                 {FeatureWeights::kField, "field"}});

// Which values a super-shingle joins.
enum class GroupBy : uint8_t {
  kPermutation,  // the values of consecutive permutations
  kValue,        // consecutive values in ascending order
};
template <>
inline constexpr auto kChoices<GroupBy> = ChoiceTable<GroupBy>(
    {{GroupBy::kPermutation, "permutation"}, {GroupBy::kValue, "value"}});

// How pairs make clusters.
enum class ClusterRule : uint8_t {
  kStar,        // every dropped document reaches the threshold with the one
                // that is kept for it
  kComponents,  // everything connected by pairs
};
template <>
inline constexpr auto kChoices<ClusterRule> = ChoiceTable<ClusterRule>(
    {{ClusterRule::kStar, "star"}, {ClusterRule::kComponents, "components"}});

// Which pairs are listed.
enum class ListedPairs : uint8_t {
  kAuto,  // all, but a class of equal documents with more than a million pairs
          // is listed as a chain
  kAll,
  kStar,  // representative and member
};
template <>
inline constexpr auto kChoices<ListedPairs> =
    ChoiceTable<ListedPairs>({{ListedPairs::kAuto, "auto"},
                              {ListedPairs::kAll, "all"},
                              {ListedPairs::kStar, "star"}});

// Which pairs a run lists (docs/spec/1.md, Pairs listed): the product of two
// classes up to so many rows, and every pair of a cluster with up to so many
// documents that are no copies.
inline constexpr uint64_t kMostClassRows = 1'000'000, kLargeCluster = 4096;

// What happens to documents that have copies.
enum class Action : uint8_t {
  kDrop,      // copies go, one document of each cluster stays
  kAnnotate,  // nothing goes, rows say what they belong to
  kDropAll,   // no document that has a copy stays
  kReport,    // lists only
};
template <>
inline constexpr auto kChoices<Action> =
    ChoiceTable<Action>({{Action::kDrop, "drop"},
                         {Action::kAnnotate, "annotate"},
                         {Action::kDropAll, "drop-all"},
                         {Action::kReport, "report"}});

// What replaces near-duplicates in written WARC files. A record with an equal
// payload becomes a revisit record.
enum class NearRule : uint8_t {
  kDrop,
  kMetadata,  // left out, with a metadata record that says why
  kKeep,      // kept, with such a record
};
template <>
inline constexpr auto kChoices<NearRule> =
    ChoiceTable<NearRule>({{NearRule::kDrop, "drop"},
                           {NearRule::kMetadata, "metadata"},
                           {NearRule::kKeep, "keep"}});

// How rows of results are written.
enum class OutputFormat : uint8_t { kJsonl, kCsv };
template <>
inline constexpr auto kChoices<OutputFormat> = ChoiceTable<OutputFormat>(
    {{OutputFormat::kJsonl, "jsonl"}, {OutputFormat::kCsv, "csv"}});

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_METHOD_CHOICES_H_
