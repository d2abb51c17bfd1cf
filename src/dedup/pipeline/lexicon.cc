// Lexica: build, show, compare (docs/methods/i-match.md).
#include "twinset/lexicon.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/document_options.h"
#include "documents/field_text.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "pipeline/lexicon_page.h"
#include "pipeline/read/ingest.h"
#include "sketch/learnt/i_match.h"
#include "sketch/learnt/lexicon.h"
#include "sketch/learnt/lexicon_builder.h"
#include "store/scratch_folder.h"
#include "text/tokens/terms.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

constexpr uint64_t kBuildMemory = 256 << 20;

LexiconInfo InfoOf(const Lexicon& lexicon) {
  LexiconInfo info;
  info.spec = kSpecNumber;
  info.rules = lexicon.rules;
  info.tokens = lexicon.tokens;
  info.documents = lexicon.documents;
  info.counted = lexicon.counted;
  info.ranked = lexicon.ranked;
  info.first_rank = lexicon.first_rank;
  info.terms = lexicon.terms.size();
  info.checksum = ToHex(Hash64(lexicon.Encode()));
  return info;
}

TokenRule RuleOf(const FeatureOptions& features) {
  return features.tokens == TokenRule::kWhitespace ? TokenRule::kWhitespace
                                                   : TokenRule::kUnicode;
}

// How a lexicon notes what its words are.
std::string TokensNote(const FeatureOptions& features,
                       const TokenFilter* filter) {
  const FeatureOptions standard;
  std::string note(ChoiceName(features.tokens));
  if (features.stop_words != standard.stop_words)
    note += " stop-words=" + NameText(features.stop_words) + " (" +
            ToHex(filter->stop_words_hash()) + ")";
  if (features.stem != standard.stem) note += " stem=" + features.stem;
  return note;
}

// The distinct terms of a text as hashes, ascending.
void TermHashes(std::string_view text, TokenRule rule,
                const TokenFilter* filter, FeatureScratch* scratch,
                std::vector<uint64_t>* hashes) {
  hashes->clear();
  ForEachTerm(
      text, rule, scratch,
      [&](std::string_view, uint64_t hash) { hashes->push_back(hash); },
      filter);
  std::sort(hashes->begin(), hashes->end());
  hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
}

// Terms of a lexicon by hash.
struct TermPlace {
  uint64_t hash = 0;
  size_t place = 0;
  friend bool operator<(const TermPlace& x, const TermPlace& y) {
    return x.hash < y.hash;
  }
};

std::vector<TermPlace> PlacesByHash(const Lexicon& lexicon) {
  std::vector<TermPlace> places;
  places.reserve(lexicon.terms.size());
  for (size_t i = 0; i < lexicon.terms.size(); ++i)
    places.push_back({lexicon.terms[i].hash, i});
  std::sort(places.begin(), places.end());
  return places;
}

// The place of a term, or SIZE_MAX.
size_t Find(const std::vector<TermPlace>& places, uint64_t hash) {
  const auto at =
      std::lower_bound(places.begin(), places.end(), TermPlace{hash, 0});
  return at != places.end() && at->hash == hash ? at->place : SIZE_MAX;
}

// Returns the first changes of each kind.
ShownChanges CompareTerms(
    const Lexicon& a, const Lexicon& b,
    const std::function<bool(const LexiconChange&)>& on_change,
    LexiconDifference* difference) {
  const auto in_a = PlacesByHash(a), in_b = PlacesByHash(b);
  ShownChanges shown;
  bool go_on = true;
  const auto tell = [&](const LexiconChange& change) {
    go_on = go_on && (on_change == nullptr || on_change(change));
    if (shown[change.kind].size() < kShownTerms)
      shown[change.kind].push_back(change);
  };
  for (size_t i = 0; i < a.terms.size(); ++i) {
    if (Find(in_b, a.terms[i].hash) != SIZE_MAX) continue;
    ++difference->lost;
    LexiconChange change;
    change.kind = LexiconChange::kLost;
    change.a = RowOf(a, i);
    tell(change);
  }
  for (size_t i = 0; i < b.terms.size(); ++i) {
    if (Find(in_a, b.terms[i].hash) != SIZE_MAX) continue;
    ++difference->gained;
    LexiconChange change;
    change.kind = LexiconChange::kGained;
    change.b = RowOf(b, i);
    tell(change);
  }
  for (size_t i = 0; i < a.terms.size(); ++i) {
    const size_t other = Find(in_b, a.terms[i].hash);
    if (other == SIZE_MAX) continue;
    ++difference->common;
    const LexiconChange change{LexiconChange::kMoved, RowOf(a, i),
                               RowOf(b, other)};
    const uint64_t low = std::min(change.a.rank, change.b.rank);
    const uint64_t move = std::max(change.a.rank, change.b.rank) - low;
    if (move == 0) continue;
    ++difference->moved;
    difference->largest_move = std::max(difference->largest_move, move);
    tell(change);
  }
  return shown;
}

// Counts what another lexicon does to the signatures of one document.
void CountDrift(const Sketcher& sketcher, const Sketch& a, const Sketch& b,
                SignatureDrift* drift) {
  ++drift->documents;
  drift->flagged_a += a.empty();
  drift->flagged_b += b.empty();
  if (a.empty() && b.empty()) return;
  ++drift->compared;
  const bool same_first =
      !a.empty() && !b.empty() && a[0] == b[0] && a[1] == b[1];
  drift->changed += !same_first;
  drift->unmatched += sketcher.Estimate(a, b) == 0;
}

Status MeasureDrift(const Lexicon& a, const Lexicon& b,
                    const LexiconDiffOptions& given,
                    const std::function<void(const RejectedRecord&)>& rejected,
                    LexiconDifference* difference) {
  const FeatureOptions& features = given.features;
  const MethodOptions& method = given.method;
  IMatchOptions options;
  options.lexicons = method.lexicons;
  options.drop = method.lexicon_drop;
  options.min_terms = method.min_terms;
  options.seed = method.seed;
  TWINSET_ASSIGN(const auto of_a,
                 MakeIMatchSketcher(a.SortedHashes(), options));
  TWINSET_ASSIGN(const auto of_b,
                 MakeIMatchSketcher(b.SortedHashes(), options));
  TWINSET_ASSIGN(const auto filter, MakeTokenFilter(features));
  FeatureScratch scratch;
  std::vector<uint64_t> hashes;
  Sketch x, y;
  bool stopped = false;
  PassProgress progress(given.on_progress, "lexicon", "signatures",
                        "documents");
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", given.input));
  TWINSET_TRY(ForEachListedText(
      counter.files(), given.input, features, {}, {},
      [&](const DocumentText& document, const FieldValues&) {
        stopped = given.stop != nullptr && *given.stop;
        if (stopped) return false;
        progress.Add();
        TermHashes(document.text, RuleOf(features), filter.get(), &scratch,
                   &hashes);
        counter.Document(document.source, hashes.empty());
        if (hashes.empty()) return true;
        const std::string bytes = EncodeHashes(hashes);
        of_a->Compute(bytes, &x);
        of_b->Compute(bytes, &y);
        CountDrift(*of_a, x, y, &difference->drift);
        return true;
      },
      counter.Counting(rejected)));
  if (stopped) return Fail(ErrorCode::kInterrupted, "interrupted");
  difference->warnings = counter.Warnings();
  return {};
}

}  // namespace

Result<LexiconInfo> v1::BuildLexicon(
    const LexiconOptions& options,
    const std::function<void(const RejectedRecord&)>& on_rejected) try {
  TWINSET_TRY(CheckLexiconRules(options.rules));
  if (options.out.empty()) {
    return Fail(ErrorCode::kUsage, "no file for the lexicon is given", "",
                "add --out FILE");
  }
  TWINSET_TRY(CheckResultFile(
      {.path = options.out, .flag = "--out", .overwrite = options.overwrite},
      options.input.inputs));
  // Hidden, so that it is no input when it stands among them.
  const std::filesystem::path out(options.out);
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Make(
          (out.parent_path() / ("." + out.filename().string() + ".work-"))
              .string()));
  LexiconBuilderOptions builder_options;
  builder_options.rules = options.rules;
  TWINSET_ASSIGN(const auto filter, MakeTokenFilter(options.features));
  builder_options.tokens = TokensNote(options.features, filter.get());
  builder_options.directory = work.path();
  builder_options.memory_bytes = kBuildMemory;
  MemoryBudget budget(2 * kBuildMemory);
  TWINSET_ASSIGN(auto builder,
                 LexiconBuilder::Create(builder_options, &budget));
  const TokenRule rule = RuleOf(options.features);
  FeatureScratch scratch;
  std::vector<uint64_t> hashes;
  Status status;
  bool stopped = false;
  PassProgress progress(options.on_progress, "lexicon", "count", "documents");
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options.input));
  TWINSET_TRY(ForEachListedText(
      counter.files(), options.input, options.features, {}, {},
      [&](const DocumentText& document, const FieldValues&) {
        stopped = options.stop != nullptr && *options.stop;
        if (stopped) return false;
        progress.Add();
        hashes.clear();
        ForEachTerm(
            document.text, rule, &scratch,
            [&](std::string_view term, uint64_t hash) {
              if (status) status = builder.AddTerm(hash, term);
              hashes.push_back(hash);
            },
            filter.get());
        std::sort(hashes.begin(), hashes.end());
        // A document without terms is none for these statistics.
        counter.Document(document.source, hashes.empty());
        if (status && !hashes.empty()) status = builder.AddDocument(hashes);
        return status.has_value();
      },
      counter.Counting(on_rejected)));
  TWINSET_TRY(status);
  if (stopped) return Fail(ErrorCode::kInterrupted, "interrupted");
  TWINSET_TRY(CheckSide(counter.Whole("the input")));
  TWINSET_ASSIGN(const Lexicon lexicon, builder.Finish());
  TWINSET_TRY(WriteLexicon(lexicon, options.out));
  LexiconInfo info = InfoOf(lexicon);
  info.warnings = counter.Warnings();
  info.page =
      ResultPage(LexiconPage(lexicon, info)
                     .Add(html::Paragraph{"Next: twinset lexicon show " +
                                          NameText(options.out)}));
  return info;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<LexiconInfo> v1::ShowLexicon(
    const std::string& path,
    const std::function<bool(const LexiconRow&)>& on_row) try {
  TWINSET_ASSIGN(const Lexicon lexicon, ReadLexicon(path));
  for (size_t i = 0; on_row != nullptr && i < lexicon.terms.size(); ++i) {
    if (!on_row(RowOf(lexicon, i))) break;
  }
  LexiconInfo info = InfoOf(lexicon);
  KeptPage page = LexiconPage(lexicon, info);
  AddTerms(lexicon, &page);
  info.page = ResultPage(std::move(page));
  return info;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<LexiconDifference> v1::DiffLexica(
    const LexiconDiffOptions& options,
    const std::function<bool(const LexiconChange&)>& on_change,
    const std::function<void(const RejectedRecord&)>& on_rejected) try {
  TWINSET_ASSIGN(const Lexicon lexicon_a, ReadLexicon(options.a));
  TWINSET_ASSIGN(const Lexicon lexicon_b, ReadLexicon(options.b));
  LexiconDifference difference;
  difference.a = InfoOf(lexicon_a);
  difference.b = InfoOf(lexicon_b);
  const ShownChanges shown =
      CompareTerms(lexicon_a, lexicon_b, on_change, &difference);
  if (!options.input.inputs.empty()) {
    TWINSET_TRY(
        MeasureDrift(lexicon_a, lexicon_b, options, on_rejected, &difference));
  }
  difference.page = ResultPage(DifferencePage(difference, shown));
  return difference;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Json v1::SummaryJson(const LexiconInfo& info) { return FieldsToJson(info); }
Json v1::SummaryJson(const LexiconDifference& difference) {
  return FieldsToJson(difference);
}
Json v1::RowJson(const LexiconRow& row) { return FieldsToJson(row); }
Json v1::RowJson(const LexiconChange& change) { return FieldsToJson(change); }

}  // namespace twinset
