// --keep and --prefer: which of several duplicates is the one to keep
// (docs/spec/1.md, Priority).
// See docs/methods/priority.md.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_PRIORITY_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_PRIORITY_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "documents/document_info.h"
#include "read/input_list.h"
#include "twinset/error.h"

namespace twinset {

// Seconds since 1970 in UTC of an RFC 3339 time, a date alone, or the digits of
// an ARC or CDX: 14, or 12 without seconds, or 17 with their thousandths;
// kNoDate when it is none of them.
int64_t ParseDate(std::string_view text);

inline constexpr size_t kMaxPriorityKeys = 6;
// Best first; a smaller value is better; all-ones: missing.
using PriorityKeys = std::array<uint64_t, kMaxPriorityKeys>;

class PriorityOrder {
 public:
  // `keep`: longest, shortest, first, newest, oldest, https, canonical,
  // shortest-url, max:FIELD, min:FIELD; `prefer`: names or patterns of sources,
  // best first. kUsage names what is wrong.
  static Result<PriorityOrder> Parse(const std::vector<std::string>& keep,
                                     const std::vector<std::string>& prefer);

  // Row fields the criteria need, in the order of Keys.
  const std::vector<std::string>& fields() const { return fields_; }
  const std::vector<std::string>& prefer() const { return prefer_; }
  // `preference`: of the document's file. `places`: where each of fields()
  // stands in info.fields. Sets bit i of *missing when the criterion i has no
  // value.
  PriorityKeys Keys(const DocumentInfo& info, uint64_t preference,
                    std::span<const size_t> places, uint32_t* missing) const;
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
  uint64_t KeyOf(const Criterion& criterion, const DocumentInfo& info,
                 uint64_t preference, std::span<const size_t> places) const;
  std::vector<Criterion> criteria_;
  std::vector<std::string> fields_;
  std::vector<std::string> prefer_;
};

// Which files of a run `prefer` names. One that is the name of a file, as rows
// show it or as it was given, names only files of that name; any other is a
// pattern for the bytes of the name and of the path as it was given.
class Preferences {
 public:
  // Looks at each file once. The order outlives this.
  Preferences(const PriorityOrder& order, const InputList& files);
  // The place of the first that names `file`; that of a file that none names is
  // behind all.
  uint64_t Of(const InputFile& file) const;
  // Those that name no file, as they were given.
  std::vector<std::string> Idle() const;

 private:
  bool Names(size_t i, const InputFile& file) const;
  const std::vector<std::string>& prefer_;
  std::vector<bool> is_name_, is_used_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_PRIORITY_H_
