// Choices of how inputs are read, which part of them is text, and which
// addresses are one (twinset/choices.h).
#ifndef TWINSET_TEXT_CHOICES_H_
#define TWINSET_TEXT_CHOICES_H_

#include <cstdint>

#include "twinset/choices.h"

namespace twinset {
inline namespace v1 {

// How inputs are written. kAuto decides by content, then by file name.
enum class InputFormat : uint8_t {
  kAuto,
  kWarc,
  kArc,
  kTrec,
  kMediaWiki,  // an export of a wiki, in XML
  kJsonl,
  kCsv,
  kTsv,
  kTable,  // Parquet, Arrow, Feather, ORC
  kHtml,
  kText,
};
template <>
inline constexpr auto kChoices<InputFormat> =
    ChoiceTable<InputFormat>({{InputFormat::kAuto, "auto"},
                              {InputFormat::kWarc, "warc"},
                              {InputFormat::kArc, "arc"},
                              {InputFormat::kTrec, "trec"},
                              {InputFormat::kMediaWiki, "mediawiki"},
                              {InputFormat::kJsonl, "jsonl"},
                              {InputFormat::kCsv, "csv"},
                              {InputFormat::kTsv, "tsv"},
                              {InputFormat::kTable, "table"},
                              {InputFormat::kHtml, "html"},
                              {InputFormat::kText, "text"}});

// Which revisions of a page of a wiki are documents.
enum class RevisionRule : uint8_t {
  kNewest,  // one per page
  kAll,     // every revision
};
template <>
inline constexpr auto kChoices<RevisionRule> = ChoiceTable<RevisionRule>(
    {{RevisionRule::kNewest, "newest"}, {RevisionRule::kAll, "all"}});

// What happens to documents that are cut off inside their compressed member.
enum class TruncatedRule : uint8_t {
  kQuarantine,
  kKeep,  // the readable part is used, and flagged in every row
};
template <>
inline constexpr auto kChoices<TruncatedRule> =
    ChoiceTable<TruncatedRule>({{TruncatedRule::kQuarantine, "quarantine"},
                                {TruncatedRule::kKeep, "keep"}});

// What quotation marks around a field of CSV or TSV mean: they are part of the
// field, or they protect separators and line ends inside it.
enum class Quoting : uint8_t {
  kNone,  // a line is a row, and separators divide it
  kCsv,   // RFC 4180
};
template <>
inline constexpr auto kChoices<Quoting> =
    ChoiceTable<Quoting>({{Quoting::kNone, "none"}, {Quoting::kCsv, "csv"}});

// Digests of payloads.
enum class DigestKind : uint8_t {
  kSha1Base32,  // as archives write it
  kSha256,
};
template <>
inline constexpr auto kChoices<DigestKind> =
    ChoiceTable<DigestKind>({{DigestKind::kSha1Base32, "sha1-base32"},
                             {DigestKind::kSha256, "sha256"}});

// What a word is. The first two belong to the spec; the others are the text
// stages of other packages (docs/methods/tokens.md), slower but bounded.
enum class TokenRule : uint8_t {
  kUnicode,
  kWhitespace,
  kNonwordSplit,  // lower case, split at each character that is not \w
  kJoinedWords,   // lower case, runs of \w; joined without a space
  kLowerSpace,    // lower case, what stands between spaces (U+0020)
  kRaw,           // the whole text is one token, nothing changed
  kFeatures,      // each line up to its tab, nothing changed
};
template <>
inline constexpr auto kChoices<TokenRule> =
    ChoiceTable<TokenRule>({{TokenRule::kUnicode, "unicode"},
                            {TokenRule::kWhitespace, "whitespace"},
                            {TokenRule::kNonwordSplit, "nonword-split"},
                            {TokenRule::kJoinedWords, "joined-words"},
                            {TokenRule::kLowerSpace, "lower-space"},
                            {TokenRule::kRaw, "raw"},
                            {TokenRule::kFeatures, "features"}});

// Which part of an HTML page is its text.
enum class ContentMode : uint8_t {
  kMain,  // what the page is there for, without navigation and frame
  kAll,   // everything that a reader sees
  kRaw,   // the decoded source, markup and all
};
template <>
inline constexpr auto kChoices<ContentMode> =
    ChoiceTable<ContentMode>({{ContentMode::kMain, "main"},
                              {ContentMode::kAll, "all"},
                              {ContentMode::kRaw, "raw"}});

// What happens to blocks that occur on many pages of their site.
enum class TemplateRule : uint8_t { kDrop, kKeep };
template <>
inline constexpr auto kChoices<TemplateRule> = ChoiceTable<TemplateRule>(
    {{TemplateRule::kDrop, "drop"}, {TemplateRule::kKeep, "keep"}});

// The kind of a page, by its structure (docs/methods/content.md, "Kinds of
// pages"), in the order of the model's classes.
enum class PageKind : uint8_t {
  kArticle,
  kReference,
  kDocumentation,
  kForum,
  kListing,
  kProduct,
  kOther,
  kNone,  // the document is not HTML
};
template <>
inline constexpr auto kChoices<PageKind> =
    ChoiceTable<PageKind>({{PageKind::kArticle, "article"},
                           {PageKind::kReference, "reference"},
                           {PageKind::kDocumentation, "documentation"},
                           {PageKind::kForum, "forum"},
                           {PageKind::kListing, "listing"},
                           {PageKind::kProduct, "product"},
                           {PageKind::kOther, "other"},
                           {PageKind::kNone, "none"}});

// Named settings of the fields of rows.
enum class FieldPreset : uint8_t {
  kJsonl,      // id, text, metadata.url, metadata.date
  kClueWeb22,  // ClueWeb22-ID, Clean-Text, URL; Language is kept
};
template <>
inline constexpr auto kChoices<FieldPreset> = ChoiceTable<FieldPreset>(
    {{FieldPreset::kJsonl, "jsonl"}, {FieldPreset::kClueWeb22, "clueweb22"}});

// Units of text (docs/methods/units.md).
enum class UnitKind : uint8_t {
  kParagraph,
  kLine,
  kSentence,
  kSubstring,  // tokens in a row, wherever they begin and end
};
template <>
inline constexpr auto kChoices<UnitKind> =
    ChoiceTable<UnitKind>({{UnitKind::kParagraph, "paragraph"},
                           {UnitKind::kLine, "line"},
                           {UnitKind::kSentence, "sentence"},
                           {UnitKind::kSubstring, "substring"}});

// What happens to the row of a document of which no text is left.
enum class EmptyRows : uint8_t { kKeep, kDrop };
template <>
inline constexpr auto kChoices<EmptyRows> = ChoiceTable<EmptyRows>(
    {{EmptyRows::kKeep, "keep"}, {EmptyRows::kDrop, "drop"}});

// What happens to repeated units.
enum class UnitAction : uint8_t {
  kKeepFirst,  // the first in input order stays, later ones are cut
  kDropAll,    // all are cut
  kList,       // nothing is cut
};
template <>
inline constexpr auto kChoices<UnitAction> =
    ChoiceTable<UnitAction>({{UnitAction::kKeepFirst, "keep-first"},
                             {UnitAction::kDropAll, "drop-all"},
                             {UnitAction::kList, "list"}});

// Rules by which two spellings of an address count as one
// (docs/methods/addresses.md), in the order in which they are applied.
enum class UrlRule : uint8_t {
  kRfc3986,        // the normal form of RFC 3986; the fragment goes
  kFinalDot,       // the dot at the end of the host
  kScheme,         // http and https
  kWww,            // www. and www2. in front of a host of two labels or more
  kPort,           // any port
  kDefaultPage,    // index.html, default.asp, ... at the end of the path
  kSession,        // PHPSESSID, ;jsessionid=, ...
  kTracking,       // utm_source, gclid, ...
  kEmptyQuery,     // a question mark that nothing follows
  kQueryOrder,     // the order of parameters
  kTrailingSlash,  // slashes at the end of the path
  kCase,           // upper and lower case
};
template <>
inline constexpr auto kChoices<UrlRule> =
    ChoiceTable<UrlRule>({{UrlRule::kRfc3986, "rfc3986"},
                          {UrlRule::kFinalDot, "final-dot"},
                          {UrlRule::kScheme, "scheme"},
                          {UrlRule::kWww, "www"},
                          {UrlRule::kPort, "port"},
                          {UrlRule::kDefaultPage, "default-page"},
                          {UrlRule::kSession, "session"},
                          {UrlRule::kTracking, "tracking"},
                          {UrlRule::kEmptyQuery, "empty-query"},
                          {UrlRule::kQueryOrder, "query-order"},
                          {UrlRule::kTrailingSlash, "trailing-slash"},
                          {UrlRule::kCase, "case"}});

inline constexpr size_t kUrlRules = 12;

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_TEXT_CHOICES_H_
