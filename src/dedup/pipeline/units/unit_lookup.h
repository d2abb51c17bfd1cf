// Units of one document by their numbers.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_LOOKUP_H_
#define TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_LOOKUP_H_

#include <optional>
#include <string_view>

#include "pipeline/read/token_store.h"
#include "pipeline/read/unit_store.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

class UnitLookup {
 public:
  // `bytes`: what is stored of the document, with units of this kind.
  static Result<UnitLookup> Open(UnitKind kind, std::string_view bytes);

  // `length` units from this number on, or with UnitKind::kSubstring so many
  // tokens, as one unit. Neither where units begin nor where they end may
  // descend. The texts point into the bytes of the document; the excerpt is
  // that of the first unit.
  Result<StoredUnit> At(uint64_t number, uint64_t length);

  uint64_t units() const { return units_; }    // short ones included
  uint64_t tokens() const { return tokens_; }  // of the whole document

 private:
  UnitLookup() = default;
  std::optional<StoredUnits> stored_;
  StoredUnit last_;
  // With UnitKind::kSubstring.
  StoredTokens text_;
  std::optional<StoredTokenPlaces> begin_, end_;
  uint64_t units_ = 0, tokens_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_UNITS_UNIT_LOOKUP_H_
