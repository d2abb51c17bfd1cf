// --keep and --prefer: which of several duplicates is the one to keep
// (docs/spec/1.md, Priority).
// See docs/methods/priority.md.
#ifndef TWINSET_SRC_DOCUMENTS_PRIORITY_H_
#define TWINSET_SRC_DOCUMENTS_PRIORITY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "documents/document_info.h"
#include "twinset/error.h"

namespace twinset {

// Seconds since 1970 in UTC of an RFC 3339 time, a date alone, or 14 digits as
// ARC writes them; kNoDate when it is none of them.
int64_t ParseDate(std::string_view text);

// What priority looks at beside the document itself.
struct PriorityFacts {
  uint64_t code_points = 0;
  std::string_view source;
  bool is_canonical = false;   // names itself as rel=canonical
  bool has_canonical = false;  // names any
};

class PriorityOrder {
 public:
  // `keep`: longest, shortest, first, newest, oldest, https, canonical,
  // shortest-url, max:FIELD, min:FIELD; `prefer`: names or patterns of sources,
  // best first. kUsage names what is wrong.
  static Result<PriorityOrder> Parse(const std::vector<std::string>& keep,
                                     const std::vector<std::string>& prefer);

  // Row fields the criteria need, to be asked of the reader (Document::fields
  // in this order).
  const std::vector<std::string>& fields() const { return fields_; }
  // `field_offset`: where fields() begin in Document::fields. Sets bit i of
  // *missing when the criterion i has no value.
  PriorityKeys Keys(const Document& document, const PriorityFacts& facts,
                    size_t field_offset, uint32_t* missing) const;
  // Puts the length of another text into keys made before.
  void SetCodePoints(uint64_t code_points, PriorityKeys* keys) const;
  // Names of the criteria by bit number.
  std::vector<std::string> Names() const;

 private:
  enum Kind {
    kPrefer,
    kLongest,
    kShortest,
    kFirst,
    kNewest,
    kOldest,
    kHttps,
    kCanonical,
    kShortestUrl,
    kMax,
    kMin
  };
  struct Criterion {
    Kind kind;
    std::string name;
    size_t field = 0;  // kMax, kMin: index into fields_
  };
  uint64_t KeyOf(const Criterion& criterion, const Document& document,
                 const PriorityFacts& facts, size_t field_offset) const;
  std::vector<Criterion> criteria_;
  std::vector<std::string> fields_;
  std::vector<std::string> prefer_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DOCUMENTS_PRIORITY_H_
