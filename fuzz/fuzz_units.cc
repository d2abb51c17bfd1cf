// Arbitrary bytes cut into units and tokens, stored and read back; as stored
// units and tokens; and as rows whose text is to be replaced.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_row.h"
#include "pipeline/read/token_store.h"
#include "pipeline/read/unit_store.h"
#include "report/splice.h"
#include "target.h"
#include "text/tokens/units.h"

namespace {

using twinset::ShingleKind;
using twinset::StoredUnit;
using twinset::StoredUnits;
using twinset::TokenRule;

void Check(bool condition) {
  if (!condition) std::abort();
}

// Units are the segments of --shingle, in order and without overlap.
void CheckUnits(std::string_view clean, ShingleKind::Unit unit,
                TokenRule rule) {
  const twinset::FeatureExtractor extractor(rule, {{.unit = unit, .n = 0}});
  const auto spans = extractor.Spans(clean);
  static twinset::UnitScratch scratch;
  std::string text;
  size_t count = 0;
  uint32_t last = 0;
  twinset::ForEachUnit(clean, unit, rule, &scratch, &text,
                       [&](const twinset::TextUnit& found) {
                         Check(last <= found.begin);
                         Check(found.begin <= found.end);
                         last = found.end;
                         Check(found.tokens > 0 && !found.normalised.empty());
                         ++count;
                       });
  Check(last <= clean.size());
  Check(count == spans.size());
}

void CheckStore(const std::string& text) {
  twinset::CleanText clean;
  clean.text = text;
  static twinset::UnitScratch scratch;
  std::string bytes;
  const twinset::UnitCounts counts =
      twinset::EncodeUnits({ShingleKind::kSentence, TokenRule::kUnicode, 2},
                           clean, &scratch, &bytes);
  auto units = StoredUnits::Open(bytes);
  Check(units.has_value() && units->units() == counts.units);
  StoredUnit unit;
  uint64_t stored = 0, end = 0;
  for (;; ++stored) {
    const auto more = units->Next(&unit);
    Check(more.has_value());
    if (!*more) break;
    Check(unit.tokens >= 2 && end <= unit.begin && unit.begin <= unit.end);
    end = unit.end;
  }
  Check(stored == units->stored());
}

void CheckTokens(const std::string& text) {
  twinset::CleanText clean;
  clean.text = text;
  static twinset::UnitScratch scratch;
  std::string bytes;
  const twinset::UnitCounts counts =
      twinset::EncodeTokens(TokenRule::kUnicode, clean, &scratch, &bytes);
  auto tokens = twinset::StoredTokens::Open(bytes);
  auto places = twinset::StoredTokenPlaces::Open(bytes);
  Check(tokens.has_value() && places.has_value());
  Check(tokens->tokens() == counts.tokens);
  while (!tokens->Next().empty()) {
  }
  Check(tokens->number() == counts.tokens && tokens->rest().empty());
  uint64_t last = 0;
  for (uint64_t i = 0; i <= counts.tokens; ++i) {
    const auto place = places->At(i);
    Check(place.has_value() && place->code_point >= last);
    last = place->code_point;
  }
  Check(last <= text.size());
}

void ReadAsStored(std::string_view bytes) {
  auto tokens = twinset::StoredTokens::Open(bytes);
  if (tokens) (void)tokens->SkipTo(100);
  auto places = twinset::StoredTokenPlaces::Open(bytes);
  for (uint64_t i = 0; places && i < 100 && places->At(i); ++i) {
  }
  auto units = StoredUnits::Open(bytes);
  StoredUnit unit;
  while (units) {
    const auto more = units->Next(&unit);
    if (!more || !*more) break;
  }
}

std::string Unquoted(std::string_view field, twinset::CsvForm form) {
  std::vector<std::string> fields;
  twinset::SplitCsvRow(field, form, &fields);
  Check(fields.size() == 1);
  return fields[0];
}

void CheckRows(std::string_view row) {
  for (const char* path : {"text", "a.b"}) {
    const auto value = twinset::FindJsonString(row, path);
    Check(!value || (value->begin < value->end && value->end <= row.size() &&
                     row[value->begin] == '"'));
  }
  for (const twinset::CsvForm form :
       {twinset::CsvForm(',', true), twinset::CsvForm('\t', true),
        twinset::CsvForm(',', false), twinset::CsvForm('\t', false)}) {
    std::vector<std::string> fields;
    twinset::SplitCsvRow(row, form, &fields);
    for (size_t i = 0; i < fields.size() && i < 100; ++i) {
      const auto field = twinset::FindCsvField(row, form, i);
      Check(field.has_value());
      const std::string_view raw =
          row.substr(field->begin, field->end - field->begin);
      Check(Unquoted(raw, form) == fields[i]);
      // Where nothing quotes, a line end cannot be written as itself.
      if (!form.quotes && fields[i].find_first_of("\r\n") != std::string::npos)
        continue;
      std::string written;
      twinset::AppendField(&written, fields[i], form, i % 2 == 0);
      // A field that begins with a quote must be quoted to stay itself.
      Check(Unquoted(written, form) == fields[i]);
    }
    Check(!twinset::FindCsvField(row, form, fields.size()));
  }
}

}  // namespace

TWINSET_FUZZ_TARGET(units) {
  if (size > 16384) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const auto unit :
       {ShingleKind::kLine, ShingleKind::kParagraph, ShingleKind::kSentence}) {
    CheckUnits(text, unit, TokenRule::kUnicode);
    CheckUnits(text, unit, TokenRule::kWhitespace);
  }
  CheckStore(text);
  CheckTokens(text);
  ReadAsStored(text);
  CheckRows(text);
  return 0;
}
