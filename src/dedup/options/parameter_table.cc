// The table of parameters. A new one needs its row here, its field in
// twinset/options.h, and the methods that name it (CONTRIBUTING.md). In `help`
// {} stands for the choices.
#include <deque>

#include "core/fingerprint.h"
#include "options/parameters.h"

namespace twinset {

namespace {

using M = MethodOptions;
using F = FeatureOptions;
using C = ClusterOptions;
using U = UnitOptions;
using Group = ParameterGroup;

template <auto field>
auto& In(auto& options) {
  if constexpr (requires { options.method.*field; })
    return options.method.*field;
  else if constexpr (requires { options.features.*field; })
    return options.features.*field;
  else
    return options.*field;
}

// The field of a parameter that is one of a list.
template <auto field>
ChoiceField At() {
  return {[](const ParameterValues& options) {
            return ChoiceName(In<field>(options));
          },
          [](std::string_view name, ParameterValues* options) {
            auto& value = In<field>(*options);
            const auto found = FindChoice<std::decay_t<decltype(value)>>(name);
            if (found) value = *found;
            return found.has_value();
          }};
}

// None is set at first.
constexpr ChoiceField kUnit = {
    [](const ParameterValues& options) {
      return options.cuts_units ? ChoiceName(options.unit) : std::string_view();
    },
    [](std::string_view name, ParameterValues* options) {
      const auto found = FindChoice<UnitKind>(name);
      options->cuts_units = found.has_value();
      if (found) options->unit = *found;
      return options->cuts_units;
    }};

const std::vector<std::string_view> kShingles = {
    "word:3", "word:5",   "word:8",    "char:5",
    "line",   "sentence", "paragraph", "chunk:50-200"};

// clang-format off
const Parameter kRows[] = {
    {.name = "method", .group = Group::kSearch, .field = &M::name, .range = {.kind = ParameterRange::kMethod},
     .value = "NAME", .help = "how duplicates are found; see 'twinset methods'",
     .details = "complete finds every pair at the threshold. Sketches find near-duplicates by the shingles they "
      "share, with a recall that they state; fingerprints find equal documents. 'twinset methods' lists all with "
      "their parameters and sources."},
    {.name = "threshold", .field = &M::threshold, .range = {.kind = ParameterRange::kShare}, .value = "T",
     .help = "least similarity of a pair, above 0 and at most 1", .always_written = true},
    {.name = "measure", .field = At<&M::measure>(),
     .range = OneOf<Measure>(),
     .value = "NAME", .help = "what similarity means: jaccard, containment, dice, cosine, s3, ...",
     .details = "These are of the sets of shingles. cosine-tf and cosine-tf-idf count how often each shingle "
      "occurs; edit and hamming compare the tokens in order, edit-chars and hamming-chars the characters.", .always_written = true},
    {.name = "seed", .field = &M::seed, .range = AtLeast(0),
     .help = "of all that is drawn at random: constants of sketches, samples, walks",
     .details = "The same input, parameters and seed give the same bytes, on any machine.",
     .always_written = true},
    {.name = "permutations", .field = &M::permutations, .range = Between(1, 4096), .unit = "values",
     .help = "values in a sketch",
     .details = "More values estimate better and allow more bands, and cost as much more time and space.",
     .source = "Broder 1997", .always_written = true},
    {.name = "bands", .field = &M::bands, .range = AtLeast(1), .value = "B", .unit = "bands",
     .help = "bands of a sketch; a pair that agrees on one is a candidate",
     .details = "With --rows. By default both follow from the threshold: the cheapest plan that finds at least "
      "99 % of the pairs that stand at the threshold exactly.", .default_words = "from --threshold",
     .source = "Indyk and Motwani 1998", .always_written = true},
    {.name = "rows", .field = &M::rows, .range = AtLeast(1), .value = "R", .unit = "values",
     .help = "values in a band", .details = "With --bands.", .default_words = "from --threshold",
     .source = "Indyk and Motwani 1998", .always_written = true},
    {.name = "bucket-limit", .field = &M::bucket_limit, .range = AtLeast(0), .unit = "documents",
     .help = "members above which a band bucket is not expanded; 0: no limit",
     .details = "The members of a larger bucket are compared with at most 64 leaders instead of each other. "
      "Each such bucket stands in summary.json.", .always_written = true},
    {.name = "level", .field = At<&M::level>(), .range = OneOf<CopyLevel>(), .value = "LEVEL",
     .help = "what must be equal of copies: {}",
     .details = "The payload, the clean text, or only the tokens of it.", .always_written = true},
    {.name = "polynomial", .field = At<&M::polynomial>(), .range = OneOf<RabinModulus>(), .value = "WHICH",
     .help = "the polynomial of Rabin fingerprints: {}",
     .details = "fixed: x^64 + x^4 + x^3 + x + 1. drawn: an irreducible one of degree 64, by --seed, which texts "
      "made to collide cannot know while the seed is kept secret.", .source = "Rabin 1981"},
    {.name = "verify", .group = Group::kSearch, .field = SwitchLevels{&M::verify, &M::verify_text},
     .range = OneOf({"none", "exact", "text"}), .value = "HOW",
     .help = "exact; none: report estimates; text: compare the texts of what is accepted too",
     .details = "With none, every row says that its similarity is an estimate. exact compares hashes under a "
      "secret of the run; text needs no such secret, and a copy of all texts in the work folder.",
     .always_written = true},
    {.name = "generator", .field = &M::generator,
     .range = OneOf({"bands", "sorted", "tables", "psm", "hamming", "prefix"}), .value = "NAME",
     .help = "what proposes pairs: bands, sorted, tables, psm, hamming or prefix",
     .details = "Only generators that fit the method's sketches are accepted.",
     .default_words = "the method's own"},
    {.name = "sketch-shingle", .field = &M::sketch_shingle, .range = InWords("as --shingle", kShingles), .value = "KIND",
     .help = "what sketches are made of, if not of --shingle",
     .details = "As --shingle. word:2+word:3 puts both lengths into one sketch.",
     .default_words = "as --shingle"},
    {.name = "feature-hash", .field = At<&M::feature_hash>(),
     .range = OneOf<FeatureHash>(),
     .value = "NAME", .help = "how a feature of a sketch becomes a number",
     .details = "spec is the engine's own and the fastest. The others exist to reproduce published values and "
      "to compare: md5 (first 8 bytes), md5-low (last 8), sha1-32, sha1-64, xxh3, xxh3-32, rabin, rabin-mixed, "
      "binary and decimal (the token is the number)."},
    {.name = "hash-family", .field = At<&M::hash_family>(),
     .range = OneOf<HashFamily>(), .value = "NAME",
     .help = "the hash functions of MinHash: spec, datasketch, datasketch-2 or text-dedup",
     .details = "The last three give the values of those packages, bit for bit, where the features are theirs "
      "too; datasketch-2 those of its version 2. mixed, of the remainders by random primes, mixes shingles "
      "before it takes remainders."},
    {.name = "value-bits", .field = &M::value_bits, .range = Between(1, 32), .unit = "bits",
     .help = "bits of each MinHash value that are kept",
     .details = "Fewer bits make smaller sketches that agree by chance more often; the estimate is corrected "
      "for it.", .source = "Li and König 2010"},
    {.name = "weights", .field = At<&M::weights>(), .range = OneOf<FeatureWeights>(), .value = "NAME",
     .help = "how much a feature of a fingerprint counts: {}",
     .details = "set: 1 each. tf: 1 for each time it occurs. tf-idf: by its rarity too. field: as the field of "
      "features says, and only with one."},
    {.name = "bits", .field = &M::bits, .range = Between(1, kMaxFingerprintBits), .unit = "bits",
     .help = "length of a fingerprint, as 32, 64, 128 or 384",
     .details = "1 to 384. Below 64 the leading bits count; beyond, more bits are derived from each feature.",
     .source = "Charikar 2002"},
    {.name = "distance", .field = &M::distance, .range = UpTo(0, "bits", -1), .value = "K", .unit = "bits",
     .help = "most bits in which two fingerprints of a pair differ",
     .source = "Manku, Jain and Das Sarma 2007"},
    {.name = "tables", .field = &M::tables,
     .range = InWords("blocks, their sizes, LEVEL/LEVEL, manku-20|16|10|4",
                      {"5", "4", "6", "4/4", "manku-20", "manku-16", "manku-10", "manku-4"}), .value = "DESIGN",
     .help = "blocks of the permuted tables, as 4, 5, 6 or 4/4",
     .details = "A number of blocks above --distance: one table for each choice of blocks that may stay equal. "
      "4/4: one of four blocks, then one of four blocks of the rest. manku-20, manku-16, manku-10 and manku-4 "
      "are the published designs.", .default_words = "from --distance",
     .source = "Manku, Jain and Das Sarma 2007"},
    {.name = "probes", .field = &M::probes, .range = AtLeast(0), .unit = "look-ups",
     .help = "look-ups of psm a document; 0: all"},
    {.name = "groups", .field = &M::groups, .range = Between(1, 64), .unit = "super-shingles",
     .help = "super-shingles of a document", .source = "Broder 2000"},
    {.name = "group-size", .field = &M::group_size, .range = Between(1, 64), .unit = "values",
     .help = "MinHash values in a super-shingle", .source = "Broder 2000"},
    {.name = "group-by", .field = At<&M::group_by>(), .range = OneOf<GroupBy>(), .value = "HOW",
     .help = "what a super-shingle takes together: {}",
     .details = "permutation: the values of consecutive permutations, as published. value: consecutive values "
      "in ascending order, which one changed value shifts."},
    {.name = "agree", .field = &M::agree, .range = AtLeast(0), .unit = "values",
     .help = "least number of sketch values that two documents share", .details = "0: the method's own."},
    {.name = "modulus", .field = &M::modulus, .range = AtLeast(1), .value = "M",
     .help = "keeps shingles whose hash is a multiple of M",
     .source = "Broder, Glassman, Manasse and Zweig 1997"},
    {.name = "lexicon", .field = &M::lexicon,
     .range = {.kind = ParameterRange::kFile, .words = "a file of 'twinset lexicon build'"}, .value = "FILE",
     .help = "frozen lexicon; without it one is learnt from the corpus",
     .details = "Made by 'twinset lexicon build'.", .default_words = "learnt"},
    {.name = "lexicons", .field = &M::lexicons, .range = Between(0, 256), .unit = "lexica",
     .help = "randomised lexica beside the first", .source = "Kołcz, Chowdhury and Alspector 2004"},
    {.name = "lexicon-drop", .field = &M::lexicon_drop, .range = {.kind = ParameterRange::kShare, .open = true},
     .value = "SHARE", .help = "share of the terms that each randomised lexicon drops",
     .source = "Kołcz, Chowdhury and Alspector 2004"},
    {.name = "min-terms", .field = &M::min_terms, .range = AtLeast(1), .unit = "terms",
     .help = "documents with fewer retained terms are flagged, not matched"},
    {.name = "short-coverage", .field = &M::short_coverage, .range = {.kind = ParameterRange::kShare},
     .value = "SHARE", .help = "lexicon of documents below --min-terms: this share of the range of idf",
     .details = "A lexicon learnt beside the first, from the middle of the range: 1 is every word that is in "
      "enough documents. Only what has too few words of that lexicon too is flagged.",
     .default_words = "they are flagged"},
    {.name = "short-lexicon", .field = &M::short_lexicon,
     .range = {.kind = ParameterRange::kFile, .words = "a file of 'twinset lexicon build'"}, .value = "FILE",
     .help = "frozen lexicon of documents below --min-terms", .details = "Made by 'twinset lexicon build'.",
     .default_words = "they are flagged"},
    {.name = "chunks", .field = &M::chunks, .range = Between(1, 100000), .unit = "chunks",
     .help = "chunks stored of a document", .source = "Heintze 1996"},
    {.name = "asked-chunks", .field = &M::asked_chunks, .range = Between(1, 100000), .unit = "chunks",
     .help = "chunks that a document of a match's first side asks with",
     .details = "Published: 1000, beside --chunks 100. Documents of the second side keep --chunks. Elsewhere "
      "all documents are stored ones, and it is refused.",
     .default_words = "as --chunks", .source = "Heintze 1996"},

    // What is compared.
    {.name = "tokens", .group = Group::kFeatures, .field = At<&F::tokens>(),
     .range = OneOf<TokenRule>(),
     .value = "RULE", .help = "what a word is: unicode, whitespace, or a rule of another package",
     .details = "unicode folds case and width and splits by the classes of Unicode 15.0; each Han, kana, Thai, "
      "Lao, Khmer or Myanmar character is a word. whitespace is for text that is tokenised already. The others "
      "are the rules of other packages: nonword-split (lower case, split at each character that is no letter, "
      "number or underscore), joined-words (lower case, only those characters, joined), lower-space (lower "
      "case, split at spaces), raw (the text as it is, for char:N), features (each line up to its tab)."},
    {.name = "stop-words", .group = Group::kFeatures, .field = &F::stop_words,
     .range = InWords("none, lists as en or en+de, or a file",
                      {"none", "en", "de", "fr", "es", "it", "pt", "nl", "ru", "pl", "sv"}), .value = "LIST",
     .help = "words left out before anything is compared: none, en, de, ..., or a file",
     .details = "The commonest function words of a language, of several as en+de, or the words of a file, a line "
      "each or more. A document of nothing else is empty.", .left_out_at_default = true},
    {.name = "stem", .group = Group::kFeatures, .field = &F::stem,
     .range = InWords("none, porter or snowball:LANGUAGE",
                      {"none", "porter", "snowball:en", "snowball:de", "snowball:fr", "snowball:es", "snowball:ru"}),
     .value = "RULE", .help = "what words are reduced to: none, porter or snowball:LANGUAGE",
     .details = "Their stems, by the algorithms of libstemmer; LANGUAGE as en, de, fr. Stop words are left out "
      "before.", .source = "Porter 1980", .left_out_at_default = true},
    {.name = "shingle", .group = Group::kFeatures, .field = &F::shingle,
     .range = InWords("word:N, char:N, line, sentence, paragraph, chunk:MIN-MAX, KIND+KIND", kShingles), .value = "KIND",
     .help = "what is compared: word:N, char:N, line, sentence, paragraph, ...",
     .details = "word:5 is every run of five words. Also char:N (code points), line, sentence, paragraph, "
      "chunk:MIN-MAX (cut where the content says so) and unions, as word:2+word:3."},
    {.name = "content", .group = Group::kFeatures, .field = At<&F::content>(), .range = OneOf<ContentMode>(),
     .value = "WHAT", .help = "what of a page is its text: {}",
     .details = "main: what the page is there for, without navigation and frame. all: all that a reader sees. "
      "raw: the source, markup and all."},
    {.name = "template", .group = Group::kFeatures, .field = At<&F::template_blocks>(),
     .range = OneOf<TemplateRule>(), .value = "WHAT",
     .help = "blocks that stand on many pages of their site: {}",
     .details = "drop: what stands on 20 pages and on one in twenty of its site's pages, and menus of sections on 10 "
      "pages, is left out of what is compared, unless fewer than 25 words of the page remain. keep: all of the text that --content chooses "
      "is compared. It concerns pages of HTML."},
    {.name = "max-df", .group = Group::kFeatures, .field = &ComparisonOptions::max_df, .range = AtLeast(0), .unit = "documents",
     .help = "shingles in more than N documents do not count; 0: all count",
     .details = "The most frequent of those left out are listed in summary.json."},

    // Pairs and clusters.
    {.name = "keep", .group = Group::kClusters, .field = &C::keep,
     .range = InWords("rules with commas",
                      {"longest", "shortest", "first", "newest", "oldest", "https", "canonical",
                       "shortest-url", "max:", "min:"}),
     .value = "RULE,...", .help = "which document of a cluster stays, most important rule first",
     .details = "longest, shortest, first, newest, oldest, https, canonical, shortest-url, max:FIELD, "
      "min:FIELD. What no rule decides, input order does. May be repeated."},
    {.name = "cluster", .group = Group::kClusters, .field = At<&C::cluster>(), .range = OneOf<ClusterRule>(),
     .value = "HOW", .help = "{}",
     .details = "star: every dropped document is as similar as the threshold asks to the one kept for it. "
      "components: everything connected by pairs is one cluster, however long the chain."},
    {.name = "pairs", .group = Group::kClusters, .field = At<&C::pairs>(), .range = OneOf<ListedPairs>(),
     .value = "WHICH", .help = "which pairs are listed: {}",
     .details = "all: every verified pair. star: representative and member. auto: all, except that a class of "
      "equal documents with more than a million pairs is listed as a chain, and a cluster of more than 4,096 "
      "different documents by its pairs with the representative."},
    {.name = "action", .group = Group::kClusters, .field = At<&C::action>(),
     .range = OneOf<Action>(), .value = "WHAT",
     .help = "{}",
     .details = "drop: copies go, one document of each cluster stays. annotate: nothing goes, rows say what "
      "they belong to. drop-all: no document that has a copy stays. report: lists only."},
    {.name = "max-loss", .group = Group::kClusters, .field = &C::max_loss,
     .range = {.kind = ParameterRange::kShare, .from_zero = true}, .value = "X",
     .help = "drop only what loses no larger share of its shingles, as 0.05",
     .details = "A dropped document may say things that the one kept for it does not. With 0.05, a document only goes "
      "for a better one that has at least 95 % of its shingles; rows say of each how much that is (contained). "
      "0: only what is contained as a whole. Goes with the star cover.", .default_words = "1: whatever it loses", .left_out_at_default = true},

    // Units of text.
    {.name = "unit", .group = Group::kUnits, .field = kUnit,
     .range = OneOf<UnitKind>(), .value = "UNIT",
     .help = "find repeated units of text instead: {}",
     .details = "Every document stays; a paragraph, line or sentence that stands twice in the corpus is cut as "
      "--unit-action says; with substring, every passage of --min-tokens or more that does. units.jsonl lists "
      "them, cuts.jsonl has the place of every cut, --write writes rows and texts without them. Flags of "
      "methods, pairs, clusters and scope do not go with it.",
     .default_words = "whole documents"},
    {.name = "unit-action", .group = Group::kUnits, .field = At<&U::unit_action>(),
     .range = OneOf<UnitAction>(), .value = "WHAT",
     .help = "{}",
     .details = "keep-first: the first in input order stays, later ones are cut. drop-all: all are cut. list: "
      "nothing is cut."},
    {.name = "min-tokens", .group = Group::kUnits, .field = &U::min_tokens, .range = AtLeast(1),
     .unit = "tokens", .help = "units with fewer tokens are neither listed nor cut",
     .default_words = "5; 50 for substring"},
    {.name = "min-copies", .group = Group::kUnits, .field = &U::min_copies, .range = Between(2, 100000),
     .unit = "places", .help = "units of fewer places are neither listed nor cut", .left_out_at_default = true},
    {.name = "unit-window", .group = Group::kUnits, .field = &U::unit_window, .range = Between(1, 100),
     .unit = "units", .help = "so many units in a row are compared instead of each one",
     .details = "With --unit sentence --unit-window 3 a sentence is cut if it is one of three in a row that stand "
      "together somewhere else, too.", .left_out_at_default = true},
    {.name = "empty-rows", .group = Group::kUnits, .field = At<&U::empty_rows>(),
     .range = OneOf<EmptyRows>(), .value = "WHAT",
     .help = "{} rows and texts of which no text is left, in what --write writes",
     .details = "drop also leaves out those that had no text before. The lists name them either way: empty.txt, "
      "cuts.jsonl.", .left_out_at_default = true},
};
// clang-format on

}  // namespace

std::span<const Parameter> v1::Parameters() {
  static std::deque<std::string> helps;
  static const std::vector<Parameter> parameters = [] {
    std::vector<Parameter> all(std::begin(kRows), std::end(kRows));
    for (Parameter& parameter : all) {
      const size_t place = parameter.help.find("{}");
      if (place == std::string_view::npos) continue;
      std::string& help = helps.emplace_back(parameter.help);
      parameter.help = help.replace(place, 2, OrList(parameter.range.choices));
    }
    return all;
  }();
  return parameters;
}

}  // namespace twinset
