// The keys by which an index finds its entries, and the postings that say where
// they stand.
#ifndef TWINSET_SRC_INDEX_SEGMENTS_INDEX_KEY_H_
#define TWINSET_SRC_INDEX_SEGMENTS_INDEX_KEY_H_

#include <array>
#include <cstdint>

#include "base/sort_records.h"

namespace twinset {

// 48 bits: what is looked for, then 45 bits of a hash or a number.
struct IndexKey {
  enum Kind : uint64_t {
    kFeatures,  // a key of a band, or the fingerprint of all features: classes
    kId,        // the hash of an id: the newest entry that has it
    kContent,   // the hash of an id with its text: the newest entry of both
    kClass,     // a class: the newest entry that changed it
    kDropped,   // a kept document: the newest one that was dropped for it
    kUrl,       // the hash of an address: the newest document that has it
    kDigest,    // the hash of a digest: the newest document that has it
    kDeclared,  // likewise: the newest declared capture that has it
    kKinds
  };
  static constexpr int kBits = 45;
  static constexpr uint64_t kMost = (uint64_t{1} << kBits) - 1;

  static constexpr uint64_t OfHash(Kind kind, uint64_t hash) {
    return kind << kBits | hash >> (64 - kBits);
  }
  static constexpr uint64_t OfNumber(Kind kind, uint64_t number) {
    return kind << kBits | (number & kMost);
  }
  // Returns true iff of all values of the key the last alone counts.
  static constexpr bool KeepsLast(uint64_t key) {
    return key >> kBits != kFeatures;
  }
};

// A key and a value: an entry of the log, or of kFeatures a class (ClassValue).
struct IndexPosting {
  uint64_t key = 0, value = 0;
  std::array<uint64_t, 2> SortWords() const { return {key, value}; }
  friend bool operator==(const IndexPosting&, const IndexPosting&) = default;
};

// A class as postings of features name it: by its first document, with whether
// that was kept when it came.
struct ClassValue {
  static constexpr uint64_t Of(uint64_t number, bool is_kept) {
    return number << 1 | (is_kept ? 1 : 0);
  }
  static constexpr uint64_t Number(uint64_t value) { return value >> 1; }
  static constexpr bool IsKept(uint64_t value) { return (value & 1) != 0; }
};

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_SEGMENTS_INDEX_KEY_H_
