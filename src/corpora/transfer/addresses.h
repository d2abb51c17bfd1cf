// Documents of A and B that have one address, and how alike they are.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_ADDRESSES_H_
#define TWINSET_SRC_CORPORA_TRANSFER_ADDRESSES_H_

#include <atomic>
#include <string>
#include <vector>

#include "retrieval/id_table.h"
#include "transfer/study_plan.h"
#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

struct AddressInput {
  const StudyPlan* plan = nullptr;
  const IdTable* judged = nullptr;  // ids of A
  std::string work;                 // folder for work files
  std::string rows;                 // where same_url.jsonl goes
  uint64_t memory_bytes = 0;
  const std::atomic<bool>* stop = nullptr;
  std::vector<std::string>* warnings = nullptr;
};

// Joins A and B by address, under all rules. Where several documents of a
// collection have one address, its first document counts. Memory: 8 bytes per
// document of B and 24 per document of A that shares an address; kMemory if
// that exceeds a quarter of the memory. Each text is taken from its page
// alone: site templates, which need a whole collection, are not removed. Two
// different addresses count as one by chance with 2^-64 per pair.
//
// {"overlap": ..., "judged": [by content], "all": [by content]}; null parts
// where a side has no address.
Result<Json> StudyAddresses(const AddressInput& input);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_ADDRESSES_H_
