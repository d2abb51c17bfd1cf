// Names of documents as runs give them.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_ID_NUMBERING_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_ID_NUMBERING_H_

#include <cstdint>
#include <string>
#include <unordered_map>

namespace twinset {

// An id that comes again gets a number: a, a#2, a#3, in input order. A run also
// passes over numbers that other documents have as their own ids, which takes
// all ids at once; here such an id names two documents. Memory: the ids.
class IdNumbering {
 public:
  std::string NameOf(const std::string& id) {
    const uint64_t count = ++counts_[id];
    return count == 1 ? id : id + "#" + std::to_string(count);
  }

 private:
  std::unordered_map<std::string, uint64_t> counts_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_ID_NUMBERING_H_
