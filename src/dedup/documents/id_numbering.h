// Names of documents as runs give them.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_ID_NUMBERING_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_ID_NUMBERING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace twinset {

// The number of "base#number", >= 2 and written without leading zeros.
std::optional<uint64_t> NumberInId(std::string_view id, std::string_view* base);

// An id that comes again gets a number: a, a#2, a#3, in input order. A run also
// passes over numbers that other documents have as their own ids: here those of
// which it was told. Without Own such an id names two documents. Memory: the
// ids.
class IdNumbering {
 public:
  // A document has this id. Before the first NameOf.
  void Own(const std::string& id) {
    std::string_view base;
    if (NumberInId(id, &base)) own_.insert(id);
  }
  std::string NameOf(const std::string& id) {
    uint64_t& number = numbers_[id];
    if (++number == 1) return id;
    for (;; ++number) {
      std::string name = id + "#" + std::to_string(number);
      if (!own_.contains(name)) return name;
    }
  }

 private:
  std::unordered_map<std::string, uint64_t> numbers_;
  std::unordered_set<std::string> own_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_ID_NUMBERING_H_
