// Rows of the registry: methods that learn from the corpus which parts of a
// text tell it apart (docs/methods/i-match.md, rare-chunks.md, spex.md).
#include "base/bytes.h"
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
#include "store/counts/frequency_counter.h"
#include "text/tokens/features.h"

namespace twinset {

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

// The shares of the range of idf that a lexicon of its middle drops.
LexiconRules MiddleOf(double coverage) {
  LexiconRules rules;
  rules.drop_common = rules.drop_rare = (1 - coverage) / 2;
  return rules;
}

// One lexicon, or with --short-coverage two, each behind its length.
Result<std::string> LearnLexicon(const MethodOptions& options,
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
  if (options.short_coverage == 0) {
    TWINSET_ASSIGN(const Lexicon lexicon, builder.Finish());
    return lexicon.Encode();
  }
  const LexiconRules rules[] = {builder_options.rules,
                                MiddleOf(options.short_coverage)};
  TWINSET_ASSIGN(const auto lexica, builder.FinishAll(rules));
  std::string model;
  for (const Lexicon& lexicon : lexica) AppendSized(&model, lexicon.Encode());
  return model;
}

Result<std::vector<uint64_t>> TermsOfFile(const MethodOptions& options,
                                          const std::string& path,
                                          const std::string& flag) {
  if (const FeatureView terms; TermView(options).shingle != "word:1" ||
                               options.feature_hash != terms.hash) {
    return Fail(ErrorCode::kUsage,
                "a lexicon holds words: " + flag +
                    " goes with --sketch-shingle word:1 and --feature-hash "
                    "spec only",
                "", "leave out " + flag + " to learn one of other features");
  }
  TWINSET_ASSIGN(const Lexicon lexicon, ReadLexicon(path));
  return lexicon.SortedHashes();
}

Result<std::vector<uint64_t>> TermsOfModel(std::string_view bytes) {
  TWINSET_ASSIGN(const Lexicon lexicon, Lexicon::Decode(bytes, "model.blob"));
  return lexicon.SortedHashes();
}

// The terms of the lexicon and of that of short documents.
struct IMatchTerms {
  std::vector<uint64_t> all, of_short;
};

// Those of files, of the model, or none when parameters are checked.
Result<IMatchTerms> TermsOf(const MethodOptions& options,
                            const std::string* model) {
  const bool learns_short = options.short_coverage > 0;
  if (learns_short &&
      !(options.lexicon.empty() && options.short_lexicon.empty())) {
    return Fail(ErrorCode::kUsage,
                "--short-coverage learns a lexicon beside one that is learnt: "
                "it does not go with a lexicon of a file",
                "", "give --short-lexicon FILE beside --lexicon FILE");
  }
  if (learns_short && MiddleOf(options.short_coverage).drop_common >= .5) {
    return Fail(ErrorCode::kUsage,
                "--short-coverage is too small: no lexicon covers so little");
  }
  IMatchTerms terms;
  if (!options.short_lexicon.empty()) {
    TWINSET_ASSIGN(terms.of_short, TermsOfFile(options, options.short_lexicon,
                                               "--short-lexicon"));
  }
  if (!options.lexicon.empty()) {
    TWINSET_ASSIGN(terms.all,
                   TermsOfFile(options, options.lexicon, "--lexicon"));
  } else if (model != nullptr && !learns_short) {
    TWINSET_ASSIGN(terms.all, TermsOfModel(*model));
  } else if (model != nullptr) {
    ByteReader reader(*model);
    const std::string_view all = reader.ReadSized(),
                           of_short = reader.ReadSized();
    TWINSET_ASSIGN(terms.all, TermsOfModel(all));
    TWINSET_ASSIGN(terms.of_short, TermsOfModel(of_short));
  }
  return terms;
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
  i_match.short_terms = std::move(terms.of_short);
  TWINSET_ASSIGN(auto sketcher,
                 MakeIMatchSketcher(std::move(terms.all), i_match));
  parts.sketchers.push_back(std::move(sketcher));
  parts.generator = MakeValueKeys(2, true);
  parts.filter = MakeAgreementFilter(0, 2, LeastAgree(options));
  parts.ignores_threshold = true;
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
                       "short-coverage",
                       "short-lexicon",
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
  const auto rarity = std::make_shared<const PrefixRarity>(table);
  TWINSET_ASSIGN(
      auto sketcher,
      MakeRareChunkSketcher(options.chunks, ChunkChoice::kRarest, rarity));
  parts.sketchers.push_back(std::move(sketcher));
  if (options.asked_chunks > 0) {
    TWINSET_ASSIGN(auto asked,
                   MakeRareChunkSketcher(options.asked_chunks,
                                         ChunkChoice::kRarest, rarity));
    parts.asked_sketchers.push_back(std::move(asked));
  }
  parts.generator = MakeValueKeys(2, false);
  // Half of what the threshold asks of whole texts: a chunk of 20 letters goes
  // with any of them, and selections of two texts differ more than the texts.
  // What a long text has chosen of a short one inside it is no share of either.
  const bool of_whole_texts =
      options.agree == 0 && options.measure != Measure::kContainment;
  parts.filter = MakeOverlapFilter(0, LeastAgree(options),
                                   of_whole_texts ? options.threshold / 2 : 0,
                                   SetShare::kSmaller);
  return parts;
}

// The filter is the same for both directions of a pair.
Result<MethodParts> MakeDirectedRareChunks(const MethodOptions& options,
                                           const std::string* model) {
  if (!options.verify) {
    return Fail(ErrorCode::kUsage,
                "--verify none does not go with --measure containment and "
                "--method rare-chunks: chunks find pairs, and do not tell how "
                "much of one document is in another",
                "", "leave out --verify none");
  }
  return MakeRareChunks(options, model);
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
                       "asked-chunks",
                       {"agree", UpTo(1, "chunks"),
                        "half of --threshold of the smaller sketch; 1 with "
                        "--measure containment"},
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
  row.make_directed = MakeDirectedRareChunks;
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

}  // namespace twinset
