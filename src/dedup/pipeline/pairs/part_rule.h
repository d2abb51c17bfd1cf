// Which pairs one part of a merge looks for (docs/formats/shard.md, Parts).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PART_RULE_H_
#define TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PART_RULE_H_

#include <cstdint>

#include "base/hash.h"
#include "pipeline/run/run.h"

namespace twinset {

// The pairs of all parts together are those of the whole, by one of two rules.
//
// By keys: a part joins the postings of its keys. All members of a bucket meet
// in one part, so each bucket, hot or not, makes the pairs it makes in the
// whole; a pair with keys in several parts is found in each of them.
//
// By pairs: a part joins all and keeps the pairs that are its own, each pair
// being of one part. A join of the whole collection needs this, because what it
// goes by depends on the memory and threads of its machine: which elements it
// takes for rare, and whether keys stand in. Two documents may so share an
// element in each of two parts that the other part is to join. Where pairs are
// counted that do not stay, by a filter or by their texts, it keeps them from
// being counted twice.
//
// A run that is no part takes everything.
class PartRule {
 public:
  PartRule(const Plan& plan, const MethodParts& parts)
      : part_(plan.options.part),
        by_keys_(!parts.join && parts.filter == nullptr &&
                 !plan.checks_texts()) {}

  bool by_keys() const { return by_keys_; }
  // Counts what all parts see alike.
  bool IsFirst() const { return part_.number == 0; }
  bool TakesKey(uint64_t key) const { return !by_keys_ || Owns(key); }
  bool TakesPair(const CandidatePair& pair) const {
    return by_keys_ || Owns(Mix64(pair.a) + pair.b);
  }
  // Equal documents that no key has to find.
  bool TakesIdentical(const CandidatePair& pair) const {
    return by_keys_ ? IsFirst() : TakesPair(pair);
  }

 private:
  bool Owns(uint64_t value) const {
    if (part_.of == 0) return true;
    const auto share = static_cast<unsigned __int128>(Mix64(value)) * part_.of;
    return static_cast<uint64_t>(share >> 64) == part_.number;
  }

  const Shard part_;
  const bool by_keys_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_PAIRS_PART_RULE_H_
