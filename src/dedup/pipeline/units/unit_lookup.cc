#include "pipeline/units/unit_lookup.h"

#include <algorithm>

namespace twinset {

Result<UnitLookup> UnitLookup::Open(UnitKind kind, std::string_view bytes) {
  UnitLookup lookup;
  if (kind != UnitKind::kSubstring) {
    TWINSET_ASSIGN(lookup.stored_, StoredUnits::Open(bytes));
    lookup.units_ = lookup.stored_->units();
    lookup.tokens_ = lookup.stored_->tokens();
    return lookup;
  }
  TWINSET_ASSIGN(lookup.text_, StoredTokens::Open(bytes));
  TWINSET_ASSIGN(lookup.begin_, StoredTokenPlaces::Open(bytes));
  lookup.end_ = lookup.begin_;
  lookup.units_ = lookup.tokens_ = lookup.text_.tokens();
  return lookup;
}

Result<StoredUnit> UnitLookup::At(uint64_t number, uint64_t length) {
  if (stored_) {
    while (last_.tokens == 0 || last_.number < number) {
      TWINSET_ASSIGN(const bool more, stored_->Next(&last_));
      if (!more) break;
    }
    if (last_.tokens == 0 || last_.number != number)
      return Fail(ErrorCode::kCorrupt, "a unit is not stored");
    StoredUnit all = last_, next;
    StoredUnits ahead = *stored_;
    for (uint64_t i = 1; i < length; ++i) {
      TWINSET_ASSIGN([[maybe_unused]] const bool more, ahead.Next(&next));
      all.end = next.end;
      all.source_end = next.source_end;
      all.tokens += next.tokens;
    }
    return all;
  }
  TWINSET_TRY(text_.SkipTo(number));
  TWINSET_ASSIGN(const auto begin, begin_->At(number));
  TWINSET_ASSIGN(const auto end, end_->At(number + length));
  StoredUnit unit;
  unit.number = static_cast<uint32_t>(number);
  unit.begin = begin.code_point;
  unit.end = end.code_point;
  unit.source_begin = begin.source;
  unit.source_end = std::max(begin.source, end.source);
  unit.tokens = length;
  StoredTokens behind = text_;
  // A token has a character at least.
  TWINSET_TRY(
      behind.SkipTo(number + std::min<uint64_t>(length, kExcerptCodePoints)));
  unit.excerpt = UnitExcerpt(
      text_.rest().substr(0, text_.rest().size() - behind.rest().size()));
  return unit;
}

}  // namespace twinset
