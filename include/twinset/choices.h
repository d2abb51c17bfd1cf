// Options that are one of a fixed list, and the names of their values: as the
// command line takes them and results show them.
//
//   twinset::ChoiceName(twinset::Measure::kCosineTf);         // "cosine-tf"
//   twinset::FindChoice<twinset::Measure>("cosine-tf");       // kCosineTf
#ifndef TWINSET_CHOICES_H_
#define TWINSET_CHOICES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace twinset {

// A row of the table of an enum.
template <typename Enum>
struct NamedChoice {
  Enum value;
  std::string_view name;
};

// The table of an enum, in the order in which help lists the names: a
// specialisation beside the enum, and the only place where the names stand.
template <typename Enum>
inline constexpr std::array<NamedChoice<Enum>, 0> kChoices = {};

template <typename Enum>
concept ChoiceEnum = std::is_enum_v<Enum> && !kChoices<Enum>.empty();

// Empty for what is no value of the enum.
template <ChoiceEnum Enum>
constexpr std::string_view ChoiceName(Enum value) {
  for (const NamedChoice<Enum>& choice : kChoices<Enum>)
    if (choice.value == value) return choice.name;
  return {};
}

// Nothing for a name that the table does not have.
template <ChoiceEnum Enum>
constexpr std::optional<Enum> FindChoice(std::string_view name) {
  for (const NamedChoice<Enum>& choice : kChoices<Enum>)
    if (choice.name == name) return choice.value;
  return std::nullopt;
}

template <ChoiceEnum Enum>
std::vector<std::string_view> ChoiceNames() {
  std::vector<std::string_view> names;
  for (const NamedChoice<Enum>& choice : kChoices<Enum>)
    names.push_back(choice.name);
  return names;
}

// "a, b or c".
inline std::string OrList(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

// How inputs are written. kAuto: by content, then by file name.
enum class InputFormat : uint8_t {
  kAuto,
  kWarc,
  kArc,
  kTrec,
  kJsonl,
  kCsv,
  kTsv,
  kHtml,
  kText,
};
template <>
inline constexpr auto kChoices<InputFormat> =
    std::to_array<NamedChoice<InputFormat>>({{InputFormat::kAuto, "auto"},
                                             {InputFormat::kWarc, "warc"},
                                             {InputFormat::kArc, "arc"},
                                             {InputFormat::kTrec, "trec"},
                                             {InputFormat::kJsonl, "jsonl"},
                                             {InputFormat::kCsv, "csv"},
                                             {InputFormat::kTsv, "tsv"},
                                             {InputFormat::kHtml, "html"},
                                             {InputFormat::kText, "text"}});

// What happens to documents that are cut off inside their compressed member.
enum class TruncatedRule : uint8_t {
  kQuarantine,
  kKeep,  // the readable part is used, and flagged in every row
};
template <>
inline constexpr auto kChoices<TruncatedRule> =
    std::to_array<NamedChoice<TruncatedRule>>({{TruncatedRule::kQuarantine,
                                                "quarantine"},
                                               {TruncatedRule::kKeep, "keep"}});

// Digests of payloads.
enum class DigestKind : uint8_t {
  kSha1Base32,  // as archives write it
  kSha256,
};
template <>
inline constexpr auto kChoices<DigestKind> =
    std::to_array<NamedChoice<DigestKind>>({{DigestKind::kSha1Base32,
                                             "sha1-base32"},
                                            {DigestKind::kSha256, "sha256"}});

// What a word is. The first two are the spec's; the others are the text stages
// of other packages (docs/methods/tokens.md), of slower but bounded making.
enum class TokenRule : uint8_t {
  kUnicode,
  kWhitespace,
  kNonwordSplit,  // lower case, split at each character that is not \w
  kJoinedWords,   // lower case, runs of \w; joined without a space
  kLowerSpace,    // lower case, what stands between spaces (U+0020)
  kRaw,           // the whole text is one token, nothing changed
};
template <>
inline constexpr auto kChoices<TokenRule> =
    std::to_array<NamedChoice<TokenRule>>(
        {{TokenRule::kUnicode, "unicode"},
         {TokenRule::kWhitespace, "whitespace"},
         {TokenRule::kNonwordSplit, "nonword-split"},
         {TokenRule::kJoinedWords, "joined-words"},
         {TokenRule::kLowerSpace, "lower-space"},
         {TokenRule::kRaw, "raw"}});

// What of a page of HTML is its text.
enum class ContentMode : uint8_t {
  kMain,  // what the page is there for: no navigation, no frame around it
  kAll,   // all that a reader sees
  kRaw,   // the decoded source, markup and all
};
template <>
inline constexpr auto kChoices<ContentMode> =
    std::to_array<NamedChoice<ContentMode>>({{ContentMode::kMain, "main"},
                                             {ContentMode::kAll, "all"},
                                             {ContentMode::kRaw, "raw"}});

// What reads HTML.
enum class HtmlParser : uint8_t {
  kFast,
  kReference,  // slower, for comparisons; knows no main content
};
template <>
inline constexpr auto kChoices<HtmlParser> =
    std::to_array<NamedChoice<HtmlParser>>(
        {{HtmlParser::kFast, "fast"}, {HtmlParser::kReference, "reference"}});

// What happens to blocks that occur on many pages of their site.
enum class TemplateRule : uint8_t { kDrop, kKeep };
template <>
inline constexpr auto kChoices<TemplateRule> =
    std::to_array<NamedChoice<TemplateRule>>({{TemplateRule::kDrop, "drop"},
                                              {TemplateRule::kKeep, "keep"}});

// What similarity means (docs/methods/measures.md).
enum class Measure : uint8_t {
  // Of shingle sets.
  kJaccard,
  kContainment,
  kDice,
  kCosine,
  kS3,
  // Of shingle frequencies.
  kCosineTf,
  kCosineTfIdf,
  // Of token sequences.
  kEdit,
  kHamming,
};
template <>
inline constexpr auto kChoices<Measure> = std::to_array<NamedChoice<Measure>>(
    {{Measure::kJaccard, "jaccard"},
     {Measure::kContainment, "containment"},
     {Measure::kDice, "dice"},
     {Measure::kCosine, "cosine"},
     {Measure::kS3, "s3"},
     {Measure::kCosineTf, "cosine-tf"},
     {Measure::kCosineTfIdf, "cosine-tf-idf"},
     {Measure::kEdit, "edit"},
     {Measure::kHamming, "hamming"}});

// What must be equal of copies.
enum class CopyLevel : uint8_t {
  kBytes,   // the payload
  kText,    // the clean text
  kTokens,  // only the tokens of it
};
template <>
inline constexpr auto kChoices<CopyLevel> =
    std::to_array<NamedChoice<CopyLevel>>({{CopyLevel::kBytes, "bytes"},
                                           {CopyLevel::kText, "text"},
                                           {CopyLevel::kTokens, "tokens"}});

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
    std::to_array<NamedChoice<FeatureHash>>(
        {{FeatureHash::kSpec, "spec"},
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

// The hash functions of MinHash: the spec's, those of the remainders by random
// primes of mixed shingles, and those of other packages.
enum class HashFamily : uint8_t {
  kSpec,
  kMixed,
  kDatasketch,
  kDatasketch2,  // of its version 2
  kTextDedup,
};
template <>
inline constexpr auto kChoices<HashFamily> =
    std::to_array<NamedChoice<HashFamily>>(
        {{HashFamily::kSpec, "spec"},
         {HashFamily::kMixed, "mixed"},
         {HashFamily::kDatasketch, "datasketch"},
         {HashFamily::kDatasketch2, "datasketch-2"},
         {HashFamily::kTextDedup, "text-dedup"}});

// How much a feature of a fingerprint counts.
enum class FeatureWeights : uint8_t { kSet, kTf, kTfIdf };
template <>
inline constexpr auto kChoices<FeatureWeights> =
    std::to_array<NamedChoice<FeatureWeights>>({{FeatureWeights::kSet, "set"},
                                                {FeatureWeights::kTf, "tf"},
                                                {FeatureWeights::kTfIdf,
                                                 "tf-idf"}});

// What a super-shingle takes together.
enum class GroupBy : uint8_t {
  kPermutation,  // the values of consecutive permutations
  kValue,        // consecutive values in ascending order
};
template <>
inline constexpr auto kChoices<GroupBy> = std::to_array<NamedChoice<GroupBy>>(
    {{GroupBy::kPermutation, "permutation"}, {GroupBy::kValue, "value"}});

// What pairs make a cluster of.
enum class ClusterRule : uint8_t {
  kStar,        // every dropped document is as similar as the threshold asks to
                // the one that is kept for it
  kComponents,  // everything connected by pairs
};
template <>
inline constexpr auto kChoices<ClusterRule> =
    std::to_array<NamedChoice<ClusterRule>>({{ClusterRule::kStar, "star"},
                                             {ClusterRule::kComponents,
                                              "components"}});

// Which pairs are listed.
enum class ListedPairs : uint8_t {
  kAuto,  // all, but a class of equal documents with more than a million pairs
          // as a chain
  kAll,
  kStar,  // representative and member
};
template <>
inline constexpr auto kChoices<ListedPairs> =
    std::to_array<NamedChoice<ListedPairs>>({{ListedPairs::kAuto, "auto"},
                                             {ListedPairs::kAll, "all"},
                                             {ListedPairs::kStar, "star"}});

// What happens to documents that have copies.
enum class Action : uint8_t {
  kDrop,      // copies go, one document of each cluster stays
  kAnnotate,  // nothing goes, rows say what they belong to
  kDropAll,   // no document that has a copy stays
  kReport,    // lists only
};
template <>
inline constexpr auto kChoices<Action> =
    std::to_array<NamedChoice<Action>>({{Action::kDrop, "drop"},
                                        {Action::kAnnotate, "annotate"},
                                        {Action::kDropAll, "drop-all"},
                                        {Action::kReport, "report"}});

// Units of text (docs/methods/units.md).
enum class UnitKind : uint8_t { kParagraph, kLine, kSentence };
template <>
inline constexpr auto kChoices<UnitKind> =
    std::to_array<NamedChoice<UnitKind>>({{UnitKind::kParagraph, "paragraph"},
                                          {UnitKind::kLine, "line"},
                                          {UnitKind::kSentence, "sentence"}});

// What happens to repeated units.
enum class UnitAction : uint8_t {
  kKeepFirst,  // the first in input order stays, later ones are cut
  kDropAll,    // all are cut
  kList,       // nothing is cut
};
template <>
inline constexpr auto kChoices<UnitAction> =
    std::to_array<NamedChoice<UnitAction>>({{UnitAction::kKeepFirst,
                                             "keep-first"},
                                            {UnitAction::kDropAll, "drop-all"},
                                            {UnitAction::kList, "list"}});

// What is written of near-duplicates in WARC files. A record with an equal
// payload becomes a revisit record.
enum class NearRule : uint8_t {
  kDrop,
  kMetadata,  // left out, with a metadata record that says why
  kKeep,      // kept, with such a record
};
template <>
inline constexpr auto kChoices<NearRule> =
    std::to_array<NamedChoice<NearRule>>({{NearRule::kDrop, "drop"},
                                          {NearRule::kMetadata, "metadata"},
                                          {NearRule::kKeep, "keep"}});

// How rows of results are written.
enum class OutputFormat : uint8_t { kJsonl, kCsv };
template <>
inline constexpr auto kChoices<OutputFormat> =
    std::to_array<NamedChoice<OutputFormat>>({{OutputFormat::kJsonl, "jsonl"},
                                              {OutputFormat::kCsv, "csv"}});

}  // namespace twinset

#endif  // TWINSET_CHOICES_H_
