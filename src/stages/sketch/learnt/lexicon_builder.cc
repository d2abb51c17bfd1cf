#include "sketch/learnt/lexicon_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/utf8.h"
#include "store/blob_frame.h"

namespace twinset {
namespace {

// Slots of the memory of terms whose text was stored: saves writing the texts
// of common terms again; which of them are forgotten changes no result. 64 KB.
constexpr size_t kSeenSlots = 8 << 10;
constexpr uint64_t kNoText = ~uint64_t{0};

std::string TextsPath(const LexiconBuilderOptions& options) {
  return options.directory + "/terms.blob";
}

ExternalSortOptions SortOptions(const LexiconBuilderOptions& options,
                                const std::string& name, uint64_t share) {
  ExternalSortOptions sort;
  sort.directory = options.directory;
  sort.name = name;
  sort.memory_bytes = options.memory_bytes / share;
  sort.parameters_hash = options.parameters_hash;
  sort.threads = options.threads;
  return sort;
}

// `text` cut to `size` bytes at most, at the end of a character.
std::string_view CutText(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && IsContinuation(text[size])) --size;
  return text.substr(0, size);
}

// floor(whole * share), for a share in [0, 1).
uint64_t ShareOf(uint64_t whole, double share) {
  return static_cast<uint64_t>(static_cast<double>(whole) * share);
}

}  // namespace

LexiconBuilder::LexiconBuilder(const LexiconBuilderOptions& options,
                               MemoryBudget* budget)
    : options_(options),
      occurrences_(SortOptions(options, "terms", 2), budget),
      texts_(SortOptions(options, "term-texts", 4), budget),
      ranked_(SortOptions(options, "term-ranks", 4), budget),
      seen_(kSeenSlots) {}

Result<LexiconBuilder> LexiconBuilder::Create(
    const LexiconBuilderOptions& options, MemoryBudget* budget) {
  TWINSET_TRY(CheckLexiconRules(options.rules));
  return LexiconBuilder(options, budget);
}

Status LexiconBuilder::AddTerm(uint64_t hash, std::string_view text) {
  uint64_t& slot = seen_[hash % kSeenSlots];
  if (slot == hash && hash != 0) return {};
  slot = hash;
  if (!blobs_) {
    TWINSET_ASSIGN(blobs_, BlobWriter::Create(TextsPath(options_),
                                              options_.parameters_hash));
  }
  TWINSET_TRY(texts_.Add({hash, blobs_->count()}));
  return blobs_->Append(CutText(text, Lexicon::kMaxTermBytes));
}

Status LexiconBuilder::AddDocument(std::span<const uint64_t> hashes) {
  ++documents_;
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (i == 0 || hashes[i] != hashes[i - 1])
      TWINSET_TRY(occurrences_.Add(hashes[i]));
  }
  return {};
}

Result<Lexicon> LexiconBuilder::Finish() {
  TWINSET_ASSIGN(auto lexica, FinishAll({&options_.rules, 1}));
  return std::move(lexica[0]);
}

Result<std::vector<Lexicon>> LexiconBuilder::FinishAll(
    std::span<const LexiconRules> rules) {
  for (const LexiconRules& each : rules) TWINSET_TRY(CheckLexiconRules(each));
  Lexicon lexicon;
  lexicon.tokens = options_.tokens;
  lexicon.documents = documents_;
  if (blobs_) TWINSET_TRY(blobs_->Finish());
  TWINSET_TRY(RankTerms(&lexicon));
  std::vector<Lexicon> lexica(rules.size(), lexicon);
  for (size_t i = 0; i < rules.size(); ++i) lexica[i].rules = rules[i];
  TWINSET_TRY(TakeTerms(&lexica));
  if (blobs_) {
    TWINSET_TRY(RemoveFile(TextsPath(options_)));
    TWINSET_TRY(RemoveFile(BlobIndexPath(TextsPath(options_))));
  }
  return lexica;
}

// Where the text of `hash` was stored first. Both go up together: `next` is the
// first entry that was not passed yet.
Result<uint64_t> LexiconBuilder::TextOf(uint64_t hash, TermText* next,
                                        bool* more) {
  while (*more && next->hash < hash) {
    TWINSET_ASSIGN(*more, texts_.Next(next));
  }
  return *more && next->hash == hash ? next->blob : kNoText;
}

Status LexiconBuilder::RankTerms(Lexicon* lexicon) {
  TWINSET_TRY(occurrences_.Finish());
  TWINSET_TRY(texts_.Finish());
  TermText text;
  TWINSET_ASSIGN(bool more_texts, texts_.Next(&text));
  Ranked group;
  for (;;) {
    uint64_t hash = 0;
    TWINSET_ASSIGN(const bool more, occurrences_.Next(&hash));
    if ((!more || hash != group.hash) && group.frequency > 0) {
      ++lexicon->counted;
      if (group.frequency >= options_.rules.min_df) {
        ++lexicon->ranked;
        most_ = std::max(most_, group.frequency);
        least_ =
            least_ == 0 ? group.frequency : std::min(least_, group.frequency);
        TWINSET_ASSIGN(group.blob, TextOf(group.hash, &text, &more_texts));
        TWINSET_TRY(ranked_.Add(group));
      }
      group.frequency = 0;
    }
    if (!more) break;
    group.hash = hash;
    if (group.frequency < std::numeric_limits<uint32_t>::max())
      ++group.frequency;
  }
  return ranked_.Finish();
}

Status LexiconBuilder::TakeTerms(std::vector<Lexicon>* lexica) {
  std::optional<BlobReader> texts;
  if (blobs_) {
    TWINSET_ASSIGN(
        texts, BlobReader::Open(TextsPath(options_), options_.parameters_hash));
  }
  const auto idf = [&](uint64_t frequency) {
    return lexica->front().Idf({0, static_cast<uint32_t>(frequency), ""});
  };
  const uint32_t low = idf(most_), high = idf(least_);
  struct Range {
    uint64_t from, to;  // of idf
  };
  std::vector<Range> ranges;
  for (const Lexicon& lexicon : *lexica) {
    ranges.push_back({low + ShareOf(high - low, lexicon.rules.drop_common),
                      high - ShareOf(high - low, lexicon.rules.drop_rare)});
  }
  // Terms come by ascending idf: none behind one that is too rare for all
  // lexica, or that finds them full, is taken.
  Ranked ranked;
  for (bool open = true; open;) {
    TWINSET_ASSIGN(const bool more, ranked_.Next(&ranked));
    if (!more) break;
    LexiconTerm term{ranked.hash, static_cast<uint32_t>(ranked.frequency), ""};
    const uint32_t of_term = idf(ranked.frequency);
    bool has_text = ranked.blob == kNoText;
    open = false;
    for (size_t i = 0; i < lexica->size(); ++i) {
      Lexicon& lexicon = (*lexica)[i];
      if (of_term > ranges[i].to ||
          lexicon.terms.size() >= Lexicon::kMaxTerms) {
        continue;
      }
      open = true;
      if (of_term < ranges[i].from) {
        ++lexicon.first_rank;
        continue;
      }
      if (!std::exchange(has_text, true))
        TWINSET_TRY(texts->ReadOne(ranked.blob, &term.text));
      lexicon.terms.push_back(term);
    }
  }
  return {};
}

}  // namespace twinset
