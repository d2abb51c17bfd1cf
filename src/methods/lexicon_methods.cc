// Rows of the registry: methods that learn from the corpus which parts of a
// text tell it apart (docs/methods/i-match.md, rare-chunks.md, spex.md).
#include "candidate/prefix_keys.h"
#include "candidate/value_keys.h"
#include "methods/method_rows.h"
#include "methods/steps.h"
#include "options/parameters.h"
#include "sketch/learnt/i_match.h"
#include "sketch/learnt/lexicon.h"
#include "sketch/learnt/lexicon_builder.h"
#include "sketch/learnt/rare_chunks.h"
#include "sketch/learnt/spex.h"
#include "store/frequency_counter.h"
#include "text/tokens/features.h"

namespace twinset::inline v1 {

namespace {

using Views = Result<std::vector<FeatureView>>;

// --agree, or 1.
size_t LeastAgree(const MethodOptions& options) {
  return static_cast<size_t>(std::max(1, options.agree));
}

constexpr char kOfRareText[] =
    "Shared text that is rare elsewhere: insertions and deletions leave most "
    "of it, changes all over leave little. Text that many documents share is "
    "no evidence, so boilerplate names few pairs.";

// ---- i-match ----

FeatureView TermView(const MethodOptions& options) {
  FeatureView view = SketchedFeatures(options, FeatureForm::kShingles);
  if (view.shingle.empty()) view.shingle = "word:1";
  return view;
}

Result<std::string> LearnLexicon(const MethodOptions&,
                                 const PrepareContext& context) {
  LexiconBuilderOptions builder_options;
  builder_options.directory = context.directory;
  builder_options.parameters_hash = context.parameters_hash;
  builder_options.memory_bytes = context.memory_bytes;
  builder_options.threads = context.threads;
  TWINSET_ASSIGN(auto builder,
                 LexiconBuilder::Create(builder_options, context.budget));
  TWINSET_TRY(context.pass([&](DocumentViews views) {
    return builder.AddDocument(AsHashes(views[0]));
  }));
  TWINSET_ASSIGN(const Lexicon lexicon, builder.Finish());
  return lexicon.Encode();
}

// The terms of --lexicon, of the model, or none when parameters are checked.
Result<std::vector<uint64_t>> TermsOf(const MethodOptions& options,
                                      const std::string* model) {
  if (!options.lexicon.empty()) {
    if (const FeatureView terms; TermView(options).shingle != "word:1" ||
                                 options.feature_hash != terms.hash) {
      return Fail(ErrorCode::kUsage,
                  "a lexicon holds words: --lexicon goes with --sketch-shingle "
                  "word:1 and --feature-hash spec only",
                  "", "leave out --lexicon to learn one of other features");
    }
    TWINSET_ASSIGN(const Lexicon lexicon, ReadLexicon(options.lexicon));
    return lexicon.SortedHashes();
  }
  if (model == nullptr) return std::vector<uint64_t>();
  TWINSET_ASSIGN(const Lexicon lexicon, Lexicon::Decode(*model, "model.blob"));
  return lexicon.SortedHashes();
}

Result<MethodParts> MakeIMatch(const MethodOptions& options,
                               const std::string* model) {
  MethodParts parts;
  IMatchOptions i_match;
  i_match.lexicons = options.lexicons;
  i_match.drop = options.lexicon_drop;
  i_match.min_terms = options.min_terms;
  i_match.seed = options.seed;
  TWINSET_ASSIGN(auto terms, TermsOf(options, model));
  TWINSET_ASSIGN(auto sketcher, MakeIMatchSketcher(std::move(terms), i_match));
  parts.sketchers.push_back(std::move(sketcher));
  parts.generator = MakeValueKeys(2, true);
  parts.filter = MakeAgreementFilter(0, 2, LeastAgree(options));
  return parts;
}

MethodRow IMatchRow() {
  MethodRow row;
  row.info.name = "i-match";
  row.info.summary =
      "equal signatures over the words of middle document frequency";
  row.info.source =
      "Chowdhury, Frieder, Grossman and McCabe 2002; Kołcz, Chowdhury and "
      "Alspector 2004";
  row.info.prepare = {"lexicon, unless --lexicon gives one"};
  row.info.sketches = {"i-match"};
  row.info.generator = "equal values at the same place";
  row.info.filters = {"agreement"};
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold",
                       "measure",
                       "lexicon",
                       "lexicons",
                       "lexicon-drop",
                       "min-terms",
                       {"agree", UpTo(1, "lexicons", 1), "1"},
                       {"sketch-shingle", "word:1"},
                       "feature-hash",
                       "bucket-limit",
                       "seed"});
  row.info.why =
      "One hash of the terms that the lexicon keeps. What the lexicon drops, "
      "rare numbers and URLs among it, may change freely; one changed term of "
      "those kept makes another hash, which randomised lexica soften.";
  row.info.incremental = true;
  row.sketch_views = [](const MethodOptions& options) -> Views {
    return std::vector<FeatureView>{TermView(options)};
  };
  row.learns = [](const MethodOptions& options) {
    return options.lexicon.empty();
  };
  row.prepare = LearnLexicon;
  row.make = MakeIMatch;
  row.steps.before = AddLexiconSteps;
  row.law = CandidateLaw::kLexicons;
  return row;
}

// ---- rare-chunks ----

Result<std::string> LearnPrefixes(const MethodOptions&,
                                  const PrepareContext& context) {
  ExternalSortOptions sort;
  sort.directory = context.directory;
  sort.name = "prefixes";
  sort.memory_bytes = context.memory_bytes;
  sort.parameters_hash = context.parameters_hash;
  sort.threads = context.threads;
  FrequencyCounter counter(sort, context.budget);
  std::vector<uint64_t> prefixes;
  TWINSET_TRY(context.pass([&](DocumentViews views) {
    ChunkPrefixes(views[0], &prefixes);
    return counter.Add(prefixes);
  }));
  TWINSET_ASSIGN(const FrequencyTable table, counter.Finish());
  return table.Encode();
}

Result<MethodParts> MakeRareChunks(const MethodOptions& options,
                                   const std::string* model) {
  MethodParts parts;
  FrequencyTable table;
  if (model != nullptr) {
    TWINSET_ASSIGN(table, FrequencyTable::Decode(*model));
  }
  TWINSET_ASSIGN(auto sketcher,
                 MakeRareChunkSketcher(options.chunks, ChunkChoice::kRarest,
                                       PrefixRarity(table)));
  parts.sketchers.push_back(std::move(sketcher));
  parts.generator = MakeValueKeys(2, false);
  // Half of what the threshold asks of whole texts: a chunk of 20 letters goes
  // with any of them, and selections of two texts differ more than the texts.
  parts.filter = MakeOverlapFilter(
      0, LeastAgree(options), options.agree == 0 ? options.threshold / 2 : 0,
      SetShare::kSmaller);
  return parts;
}

MethodRow RareChunksRow() {
  MethodRow row;
  row.info.name = "rare-chunks";
  row.info.summary =
      "a fixed number of chunks of 20 consonants, those that begin rarely";
  row.info.source = "Heintze 1996";
  row.info.prepare = {"document frequency of the first five letters of chunks"};
  row.info.sketches = {"rare-chunks"};
  row.info.generator = "equal values";
  row.info.filters = {"overlap"};
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold",
                       "measure",
                       "chunks",
                       {"agree", UpTo(1, "chunks"),
                        "half of --threshold of the smaller sketch"},
                       "bucket-limit"});
  row.info.why = kOfRareText;
  row.info.incremental = true;
  row.sketch_views = [](const MethodOptions&) -> Views {
    return std::vector<FeatureView>{
        {FeatureForm::kTokens, "", FeatureHash::kSpec}};
  };
  row.learns = [](const MethodOptions&) { return true; };
  row.prepare = LearnPrefixes;
  row.make = MakeRareChunks;
  row.steps.before = AddChunkSteps;
  return row;
}

// ---- spex ----

constexpr int kDefaultSpexLength = 5;

Result<int> SpexLength(const MethodOptions& options) {
  if (options.sketch_shingle.empty()) return kDefaultSpexLength;
  TWINSET_ASSIGN(const auto kinds, ParseShingles(options.sketch_shingle));
  if (kinds.size() != 1 || kinds[0].unit != ShingleKind::kWord ||
      kinds[0].n < 2 || kinds[0].n > static_cast<uint32_t>(kMaxSpexLength)) {
    return Fail(ErrorCode::kUsage,
                "spex works on chunks of 2 to " +
                    std::to_string(kMaxSpexLength) + " words, not on '" +
                    options.sketch_shingle + "'",
                "", "--sketch-shingle word:5");
  }
  return static_cast<int>(kinds[0].n);
}

Result<std::string> LearnChunks(const MethodOptions& options,
                                const PrepareContext& context) {
  TWINSET_ASSIGN(const int length, SpexLength(options));
  TWINSET_ASSIGN(auto builder,
                 SpexBuilder::Create(length, kSpexTableBits, context.budget));
  for (int pass = 0; pass < length; ++pass) {
    TWINSET_TRY(context.pass([&](DocumentViews views) -> Status {
      builder.Add(AsHashes(views[0]));
      return {};
    }));
    builder.EndPass();
  }
  return builder.Finish().Encode();
}

Result<MethodParts> MakeSpex(const MethodOptions& options,
                             const std::string* model) {
  MethodParts parts;
  TWINSET_ASSIGN(const int length, SpexLength(options));
  SpexModel chunks(length, SpexFlags(6), SpexFlags(6));
  if (model != nullptr) {
    TWINSET_ASSIGN(chunks, SpexModel::Decode(*model));
  }
  parts.sketchers.push_back(MakeSpexSketcher(std::move(chunks)));
  const size_t agree = LeastAgree(options);
  // Common chunks are all in both sketches, and a sketch is no larger than its
  // document: the resemblance of sketches is no less than that of documents.
  if (options.measure == Measure::kJaccard && options.agree == 0) {
    TWINSET_ASSIGN(parts.generator, MakePrefixKeys(0, options.threshold));
    parts.filter = MakeOverlapFilter(0, agree, options.threshold * (1 - 1e-12),
                                     SetShare::kUnion);
  } else {
    parts.generator = MakeValueKeys(2, false);
    parts.filter = MakeOverlapFilter(0, agree, 0, SetShare::kSmaller);
  }
  return parts;
}

MethodRow SpexRow() {
  MethodRow row;
  row.info.name = "spex";
  row.info.summary = "all chunks of words that two documents share";
  row.info.source = "Bernstein and Zobel 2004";
  row.info.prepare = {
      "a pass for every length of chunk up to --sketch-shingle"};
  row.info.sketches = {"spex"};
  row.info.generator = "prefix";
  row.info.filters = {"overlap"};
  row.info.verifier = "measure";
  AddReads(&row.info, {"threshold",
                       "measure",
                       {"sketch-shingle", InWords("word:2..word:64"), "word:5"},
                       "feature-hash",
                       {"agree", Between(1, 4096),
                        "--threshold of the common and other chunks"},
                       "bucket-limit"});
  row.info.why = kOfRareText;
  row.sketch_views = [](const MethodOptions& options) -> Views {
    return std::vector<FeatureView>{
        {FeatureForm::kSequence, "word:1", options.feature_hash}};
  };
  row.learns = [](const MethodOptions&) { return true; };
  row.prepare = LearnChunks;
  row.make = MakeSpex;
  row.steps.before = AddSpexSteps;
  row.steps.scores = CoDerivativeScores;
  return row;
}

}  // namespace

std::vector<Method> LexiconMethods() {
  std::vector<Method> methods;
  for (MethodRow (*row)() : {IMatchRow, RareChunksRow, SpexRow})
    methods.push_back(MakeMethod(row()));
  return methods;
}

}  // namespace twinset::inline v1
