// What the read stage stores of a document with --unit: its units, without
// those that are too short to count.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_UNIT_STORE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_UNIT_STORE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "core/document.h"
#include "text/page/clean_text.h"
#include "text/tokens/units.h"
#include "twinset/error.h"
#include "twinset/options.h"

namespace twinset {

// How a document is cut into units.
struct UnitRule {
  ShingleKind::Unit unit = ShingleKind::kParagraph;
  TokenRule tokens = TokenRule::kUnicode;
  uint64_t min_tokens = 1;  // of the units that are stored
};

// `kind`: in the text of HTML each block is a line, so a paragraph is a line.
UnitRule UnitRuleOf(const UnitOptions& options, TokenRule tokens,
                    ContentKind kind);

// One stored unit.
struct StoredUnit {
  uint32_t number = 0;          // among all units of the document, from 0
  uint64_t begin = 0, end = 0;  // code points of the clean text, what a cut
                                // takes away
  uint64_t source_begin = 0, source_end = 0;  // bytes of the decoded source
  uint64_t tokens = 0;
  std::string_view normalised;  // decides equality
  std::string_view excerpt;     // how it begins in the clean text
};

inline constexpr size_t kExcerptCodePoints = 100;
// So many code points of `text`, without white space at its ends.
std::string_view UnitExcerpt(std::string_view text);

// Replaces *bytes. Returns the counts of all units, short ones included.
UnitCounts EncodeUnits(const UnitRule& rule, const CleanText& clean,
                       UnitScratch* scratch, std::string* bytes);

// Reads them back, front to back; the texts point into `bytes`. A value, so a
// copy begins where the original stands.
class StoredUnits {
 public:
  static Result<StoredUnits> Open(std::string_view bytes);
  // False at the end.
  Result<bool> Next(StoredUnit* unit);
  uint64_t units() const { return units_; }    // short ones included
  uint64_t tokens() const { return tokens_; }  // of the whole document
  uint64_t stored() const { return stored_; }

 private:
  explicit StoredUnits(std::string_view bytes) : reader_(bytes) {}
  ByteReader reader_;
  uint64_t units_ = 0, tokens_ = 0, stored_ = 0;
  uint32_t next_number_ = 0;
  uint64_t last_end_ = 0, last_source_end_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_UNIT_STORE_H_
