// Numbers for ids that come again and again.
#ifndef TWINSET_SRC_CORPORA_RETRIEVAL_ID_TABLE_H_
#define TWINSET_SRC_CORPORA_RETRIEVAL_ID_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace twinset {

// Ids are numbered from 0 in the order in which they come. Not thread-safe.
class IdTable {
 public:
  uint32_t NumberOf(std::string_view id) {
    const auto known = numbers_.find(id);
    if (known != numbers_.end()) return known->second;
    const auto number = static_cast<uint32_t>(ids_.size());
    ids_.emplace_back(id);
    bytes_ += kIdBytes + 2 * id.size();
    numbers_.emplace(ids_.back(), number);
    return number;
  }
  std::optional<uint32_t> Find(std::string_view id) const {
    const auto known = numbers_.find(id);
    if (known == numbers_.end()) return {};
    return known->second;
  }
  const std::string& operator[](uint32_t number) const { return ids_[number]; }
  size_t size() const { return ids_.size(); }
  // What it takes, about.
  uint64_t bytes() const { return bytes_; }

 private:
  static constexpr uint64_t kIdBytes = 128;
  uint64_t bytes_ = 0;
  std::deque<std::string> ids_;  // strings that never move
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

// The names of everything that one command reads.
struct StudyNames {
  IdTable topics, documents;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_RETRIEVAL_ID_TABLE_H_
