// Documents of A and B that have one address, and how alike they are.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_ADDRESSES_H_
#define TWINSET_SRC_CORPORA_TRANSFER_ADDRESSES_H_

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/id_table.h"
#include "transfer/study_plan.h"
#include "twinset/corpora/study_addresses.h"
#include "twinset/error.h"

namespace twinset {

// A row of same_url.jsonl: documents of one address, and J by content. Rows
// that are read again have no similarities.
struct SameAddressRow {
  std::string a, b;
  bool judged = false;
  std::vector<std::pair<ContentMode, double>> similarities;

  static void Fields(auto& row, auto& field) {
    field("a", row.a);
    field("b", row.b);
    field("judged", row.judged);
    for (auto& [content, similarity] : row.similarities)
      field(ChoiceName(content).data(), similarity);
  }
};

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
// There is no overlap where a side has no address.
Result<StudyAddresses> CompareAddresses(const AddressInput& input);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_ADDRESSES_H_
