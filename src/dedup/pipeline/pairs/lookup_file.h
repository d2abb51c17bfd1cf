// A few bytes of each document of a saved run, by which a match of few
// documents finds those that may be in a pair with them (lookup.blob,
// docs/formats/saved-run.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_LOOKUP_FILE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_LOOKUP_FILE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lists/number_set.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/run/run.h"

namespace twinset {

inline constexpr char kLookupFile[] = "lookup.blob";

// What decides the bytes of the file beside the documents: the settings of the
// keys, but not the threshold where folds stand in it. `sketch` is the hash of
// that link of the run that is saved. 0: runs of these parts have no such file.
uint64_t LookupHash(const Plan& plan, const MethodParts& parts,
                    uint64_t sketch);

// Writes the file, under its hash, where the run has one. Reads what a pass of
// the method reads (sketch_pass.h). Returns the hash; 0: there is no file.
Result<uint64_t> WriteLookup(Run* run);

// What stands of one document in the file: 8 bytes by which it is equal to
// others, then its keys in 32 bits each, or its elements as a number of 32 bits
// and a field.
struct LookupEntry {
  uint64_t equality = 0;
  std::vector<uint32_t> keys;
  uint32_t elements = 0;
  std::vector<uint64_t> bits;
};
void EncodeLookupEntry(const LookupEntry& entry, bool are_folds,
                       std::string* bytes);
// False when the bytes are no such entry.
bool DecodeLookupEntry(std::string_view bytes, bool are_folds,
                       LookupEntry* entry);

// Elements as a field of bits, a power of two of them and at least twice as
// many as there are elements up to 32,768. The field of half as many bits is
// the halves of this one, one laid over the other.
std::vector<uint64_t> FoldElementsToBits(std::span<const uint64_t> elements);

// The most elements that two documents may share, by their numbers and fields.
uint64_t MostShared(uint64_t size_a, std::span<const uint64_t> a,
                    uint64_t size_b, std::span<const uint64_t> b);

// The documents of the first side as questions to the file.
class LookupQuestions {
 public:
  explicit LookupQuestions(Run* run);

  // Documents of the first side, with their keys.
  void Add(const SketchedDocument& item);

  struct Found {
    std::vector<uint64_t> documents;  // ascending
    uint64_t flagged = 0;  // others, that have no key and are not empty
    Reservation memory;    // of the documents
  };
  // Every document that shares a key with one that was added, and every one
  // that can reach the threshold with it, or is its equal by `keys`; and few
  // others. Nothing where a pass over all documents costs less: with many
  // questions, or when much is found. Once.
  Result<std::optional<Found>> Find(BlobReader file, const NumberSet& keys);

 private:
  struct Fold {
    uint64_t size = 0;
    std::vector<uint64_t> bits;
  };
  // Returns true iff the document of entry_ is asked for.
  bool IsAsked(const NumberSet& keys) const;
  bool MayReach(uint64_t size, std::span<const uint64_t> bits) const;

  Run* run_;
  bool are_folds_ = false, is_too_much_ = false;
  std::optional<NumberSet> short_keys_;
  std::vector<Fold> folds_;
  LookupEntry entry_;  // of the document that is looked at
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_LOOKUP_FILE_H_
