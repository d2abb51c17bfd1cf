// explain --steps of methods that learn from a corpus first: which terms,
// chunks and prefixes of the documents count.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/bytes.h"
#include "base/json_text.h"
#include "core/frequency_table.h"
#include "methods/method_rows.h"
#include "methods/steps.h"
#include "report/step_drawings.h"
#include "sketch/learnt/i_match.h"
#include "sketch/learnt/lexicon.h"
#include "sketch/learnt/rare_chunks.h"
#include "sketch/learnt/spex.h"

namespace twinset {

namespace {

constexpr const char* kNone = "\xE2\x80\x93";

std::string Hex(uint64_t value) { return "`" + ToHex(value) + "`"; }

std::string IdfText(uint32_t idf) {
  return Decimal(static_cast<double>(idf) / 65536);
}

// ---- i-match ----

Result<Lexicon> LexiconOf(const StepSketches& sketches) {
  const std::string& file = sketches.options.lexicon;
  if (!file.empty()) return ReadLexicon(file);
  TWINSET_ASSIGN(const std::string model, RowModel(*sketches.model));
  std::string_view bytes = model;
  // The first of two.
  if (sketches.options.short_coverage > 0)
    bytes = ByteReader(model).ReadSized();
  return Lexicon::Decode(bytes, "model");
}

// A term of the documents.
struct StepTerm {
  uint64_t frequency = 0;  // documents of the corpus; 0: unknown
  bool kept = false;
};

// Terms of the documents with what the lexicon, or else the corpus, says.
Result<std::map<uint64_t, StepTerm>> TermsOf(const StepInput& input,
                                             const StepSketches& sketches,
                                             const Lexicon& lexicon) {
  std::map<uint64_t, StepTerm> terms;
  for (size_t d = 0; d < input.documents.size(); ++d)
    for (const uint64_t term : sketches.Hashes(d, 0)) terms[term] = {};
  if (!input.corpus.inputs.empty()) {
    const size_t view = sketches.ViewOf(0);
    TWINSET_TRY(sketches.for_each_views([&](DocumentViews views) -> Status {
      for (const uint64_t term : AsHashes(views[view])) {
        const auto found = terms.find(term);
        if (found != terms.end()) ++found->second.frequency;
      }
      return {};
    }));
  }
  for (const LexiconTerm& term : lexicon.terms) {
    const auto found = terms.find(term.hash);
    if (found != terms.end()) found->second = {term.frequency, true};
  }
  return terms;
}

// Which terms stay, from the most common to the rarest.
void DrawTerms(const Lexicon& lexicon,
               const std::vector<std::pair<uint64_t, StepTerm>>& terms,
               const FeatureTexts& texts, StepText* text) {
  NamedBars bars{"Which terms stay, by how rare they are",
                 "inverse document frequency",
                 "kept",
                 "left out",
                 "term",
                 {}};
  for (const auto& [hash, term] : terms) {
    if (term.frequency == 0) continue;
    const LexiconTerm counted{hash, static_cast<uint32_t>(term.frequency), ""};
    bars.bars.push_back({texts.Of(hash),
                         static_cast<double>(lexicon.Idf(counted)) / 65536,
                         term.kept});
  }
  std::stable_sort(
      bars.bars.begin(), bars.bars.end(),
      [](const auto& a, const auto& b) { return a.length < b.length; });
  if (!bars.bars.empty()) text->Draw(DrawBars(bars));
}

void AddTerms(const StepInput& input, const StepSketches& sketches,
              const Lexicon& lexicon, const std::map<uint64_t, StepTerm>& terms,
              StepText* text) {
  text->Paragraph(
      "The lexicon holds " + std::to_string(lexicon.terms.size()) + " of the " +
      std::to_string(lexicon.counted) + " terms of " +
      std::to_string(lexicon.documents) + " documents: those in at least " +
      std::to_string(lexicon.rules.min_df) +
      ", but not the most common and the rarest. The inverse document "
      "frequency of a term is log2(documents / documents with it).");
  // Those that are kept, then the others; from the most common to the rarest.
  std::vector<std::pair<uint64_t, StepTerm>> ranked(terms.begin(), terms.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) {
                     if (a.second.kept != b.second.kept) return a.second.kept;
                     return a.second.frequency > b.second.frequency;
                   });
  std::vector<std::string> columns = {"term", ">documents", ">IDF", "kept"};
  for (const StepDocument& document : input.documents)
    columns.push_back(">" + Plain(document.name));
  const FeatureTexts texts(input, sketches, 0);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [hash, term] : ranked) {
    if (rows.size() == text->most_rows()) break;
    const bool known = term.frequency > 0;
    const LexiconTerm counted{hash, static_cast<uint32_t>(term.frequency), ""};
    std::vector<std::string> row = {
        texts.Of(hash), known ? std::to_string(term.frequency) : kNone,
        known ? IdfText(lexicon.Idf(counted)) : kNone, term.kept ? "yes" : ""};
    for (size_t d = 0; d < input.documents.size(); ++d) {
      const auto set = sketches.Hashes(d, 0);
      row.push_back(std::binary_search(set.begin(), set.end(), hash) ? "1"
                                                                     : "0");
    }
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows, /*whole=*/false, ranked.size() - rows.size());
  DrawTerms(lexicon, ranked, texts, text);
}

// What each lexicon leaves of each document.
void AddSignatures(const StepInput& input, const StepSketches& sketches,
                   const std::map<uint64_t, StepTerm>& terms, StepText* text) {
  const MethodOptions& options = sketches.options;
  text->Paragraph(
      "A signature is the hash of the kept terms in the order of their hashes: "
      "how often and in which order they stand does not count. Each of the " +
      std::to_string(options.lexicons) +
      " further lexica leaves out other terms at random, a share of " +
      Decimal(options.lexicon_drop) + ". A document with fewer than " +
      std::to_string(options.min_terms) + " kept terms has " +
      (options.short_coverage > 0 || !options.short_lexicon.empty()
           ? "signatures of the terms of a wider lexicon"
           : "no signature") +
      ". Terms that are kept:");
  std::vector<std::string> columns = {">value"};
  for (const StepDocument& document : input.documents)
    columns.push_back(">" + Plain(document.name));
  std::vector<std::vector<std::string>> rows;
  for (int value = 0; value <= options.lexicons; ++value) {
    std::vector<std::string> row = {std::to_string(value + 1)};
    for (size_t d = 0; d < input.documents.size(); ++d) {
      uint64_t kept = 0;
      for (const uint64_t term : sketches.Hashes(d, 0)) {
        const bool dropped = value > 0 && LexiconDraw(options.seed, value - 1,
                                                      options.lexicon_drop)
                                              .Drops(term);
        kept += terms.at(term).kept && !dropped;
      }
      row.push_back(std::to_string(kept));
    }
    rows.push_back(std::move(row));
  }
  text->Table(columns, rows);
}

// ---- rare-chunks ----

// The letters of tokens that chunks are made of, each as its bytes.
std::vector<std::string_view> Letters(std::string_view tokens) {
  std::vector<std::string_view> letters;
  while (!tokens.empty()) {
    const size_t length = std::max<size_t>(1, Utf8SequenceLength(tokens));
    if (std::string_view(" aeiou").find(tokens[0]) == std::string_view::npos)
      letters.push_back(tokens.substr(0, length));
    tokens.remove_prefix(length);
  }
  return letters;
}

std::string Joined(const std::vector<std::string_view>& letters, size_t begin,
                   size_t count) {
  std::string text;
  const size_t end = std::min(letters.size(), begin + count);
  for (size_t i = begin; i < end; ++i) text += letters[i];
  return Plain(text);
}

// ---- spex ----

// A line per document: which of its chunks, hashes in an order, are kept.
struct KeptChunks {
  std::vector<uint64_t> hashes;
  std::vector<bool> kept;
};

void DrawChunks(const StepInput& input, const std::vector<KeptChunks>& all,
                std::string low, std::string high, StepText* text) {
  MarkLines marks{"Which chunks are kept",
                  std::move(low),
                  std::move(high),
                  "left out",
                  "kept",
                  "kept in another document too",
                  "chunk",
                  {}};
  std::map<uint64_t, std::set<size_t>> documents;  // that keep a chunk
  for (size_t d = 0; d < all.size(); ++d)
    for (size_t i = 0; i < all[d].hashes.size(); ++i)
      if (all[d].kept[i]) documents[all[d].hashes[i]].insert(d);
  for (size_t d = 0; d < all.size(); ++d) {
    std::vector<MarkLines::Kind> kinds;
    for (size_t i = 0; i < all[d].hashes.size(); ++i)
      kinds.push_back(!all[d].kept[i] ? MarkLines::kLeftOut
                      : documents[all[d].hashes[i]].size() > 1
                          ? MarkLines::kShared
                          : MarkLines::kKept);
    marks.lines.push_back(LineOfKinds(input.documents[d].name, kinds));
  }
  text->Draw(DrawMarks(marks));
}

std::string Yes(bool value) { return value ? "yes" : ""; }

}  // namespace

Status AddLexiconSteps(const StepInput& input, const StepSketches& sketches,
                       StepText* text) {
  TWINSET_ASSIGN(const Lexicon lexicon, LexiconOf(sketches));
  TWINSET_ASSIGN(const auto terms, TermsOf(input, sketches, lexicon));
  AddTerms(input, sketches, lexicon, terms, text);
  AddSignatures(input, sketches, terms, text);
  return {};
}

Status AddChunkSteps(const StepInput& input, const StepSketches& sketches,
                     StepText* text) {
  TWINSET_ASSIGN(const std::string model, RowModel(*sketches.model));
  TWINSET_ASSIGN(const FrequencyTable table, FrequencyTable::Decode(model));
  const PrefixRarity rarity(table);
  text->Paragraph(
      "Spaces and the vowels a, e, i, o, u are left out; every " +
      std::to_string(kChunkLetters) +
      " letters that then follow each other are a chunk. A chunk is as rare as "
      "its first " +
      std::to_string(kPrefixLetters) +
      " letters: class 0 when fewer than 16 of the " +
      std::to_string(table.documents()) +
      " documents have them, one more with every doubling. The " +
      std::to_string(sketches.options.chunks) +
      " chunks of the lowest class, and among them of the lowest hash, are "
      "kept.");
  std::vector<KeptChunks> drawn(input.documents.size());
  for (size_t d = 0; d < input.documents.size(); ++d) {
    const std::string& tokens = sketches.views[d][sketches.ViewOf(0)];
    const std::vector<std::string_view> letters = Letters(tokens);
    // Class, hash, place of the first letter, documents with the prefix.
    using Chunk = std::tuple<uint8_t, uint64_t, size_t, uint32_t>;
    std::vector<Chunk> chunks;
    ChunkStream stream(tokens);
    TextChunk chunk;
    while (stream.Next(&chunk)) {
      chunks.emplace_back(rarity.Class(chunk.prefix), chunk.hash, chunks.size(),
                          table.Frequency(chunk.prefix));
    }
    std::sort(chunks.begin(), chunks.end());
    chunks.erase(std::unique(chunks.begin(), chunks.end(),
                             [](const Chunk& a, const Chunk& b) {
                               return std::get<1>(a) == std::get<1>(b);
                             }),
                 chunks.end());
    const size_t kept = std::min<size_t>(
        chunks.size(), static_cast<size_t>(sketches.options.chunks));
    for (size_t i = 0; i < chunks.size(); ++i) {
      drawn[d].hashes.push_back(std::get<1>(chunks[i]));
      drawn[d].kept.push_back(i < kept);
    }
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < std::min<size_t>(kept, text->most_rows()); ++i) {
      const auto& [class_, hash, at, frequency] = chunks[i];
      rows.push_back({Joined(letters, at, kChunkLetters),
                      Joined(letters, at, kPrefixLetters),
                      std::to_string(frequency), std::to_string(class_),
                      Hex(hash)});
    }
    text->Paragraph(
        "**" + Plain(input.documents[d].name) + "**: " + std::to_string(kept) +
        " of " + std::to_string(chunks.size()) + " different chunks are kept.");
    if (!rows.empty())
      text->Table({"chunk", "begins", ">documents", ">class", "hash"}, rows,
                  /*whole=*/false, kept - rows.size());
  }
  DrawChunks(input, drawn, "rarest", "most common", text);
  return {};
}

Status AddSpexSteps(const StepInput& input, const StepSketches& sketches,
                    StepText* text) {
  TWINSET_ASSIGN(const std::string bytes, RowModel(*sketches.model));
  TWINSET_ASSIGN(const SpexModel model, SpexModel::Decode(bytes));
  const auto length = static_cast<size_t>(model.length());
  const std::string shorter = std::to_string(length - 1);
  text->Paragraph(
      "One pass over the corpus for each length from 1 to " +
      std::to_string(length) +
      " words counts chunks in a table of hashes. A chunk can be in two "
      "documents only if both of its parts that are one word shorter are: the "
      "others are not even counted. At the end those chunks are kept that two "
      "documents or more have.");
  std::vector<KeptChunks> drawn(input.documents.size());
  for (size_t d = 0; d < input.documents.size(); ++d) {
    const StepDocument& document = input.documents[d];
    const auto words = sketches.Hashes(d, 0);
    std::vector<std::vector<std::string>> rows;
    uint64_t kept = 0, chunks = 0;
    for (size_t i = 0; i + length <= words.size(); ++i, ++chunks) {
      const bool first = model.shorter().Has(SpexChunk(&words[i], length - 1));
      const bool second =
          model.shorter().Has(SpexChunk(&words[i + 1], length - 1));
      const uint64_t hash = SpexChunk(&words[i], length);
      const bool whole = first && second && model.last().Has(hash);
      kept += whole;
      drawn[d].hashes.push_back(hash);
      drawn[d].kept.push_back(whole);
      if (rows.size() == text->most_rows()) continue;
      const std::string shown =
          i + length <= document.tokens.size()
              ? Plain(document.TextOf({0, document.tokens[i].begin,
                                       document.tokens[i + length - 1].end}))
              : "";
      rows.push_back(
          {shown, Yes(first), Yes(second), Yes(whole), whole ? Hex(hash) : ""});
    }
    text->Paragraph("**" + Plain(document.name) +
                    "**: " + std::to_string(kept) + " of " +
                    std::to_string(chunks) + " chunks are kept." +
                    (chunks == 0 ? " The text is shorter than a chunk, and "
                                   "counts as one."
                                 : ""));
    if (!rows.empty())
      text->Table({"chunk", "first " + shorter + " shared",
                   "last " + shorter + " shared", "kept", "hash"},
                  rows, /*whole=*/false, chunks - rows.size());
  }
  DrawChunks(input, drawn, "begin of the text", "its end", text);
  return {};
}

}  // namespace twinset
