// Stored hashes as such.
#ifndef TWINSET_SRC_STAGES_VERIFY_ELEMENTS_H_
#define TWINSET_SRC_STAGES_VERIFY_ELEMENTS_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace twinset {

// A blob as its elements; owns a copy only when the bytes are not aligned.
class Elements {
 public:
  explicit Elements(std::string_view blob) {
    const size_t count = blob.size() / sizeof(uint64_t);
    if (reinterpret_cast<uintptr_t>(blob.data()) % alignof(uint64_t) == 0) {
      values_ = {reinterpret_cast<const uint64_t*>(blob.data()), count};
      return;
    }
    copy_.resize(count);
    std::memcpy(copy_.data(), blob.data(), count * sizeof(uint64_t));
    values_ = copy_;
  }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  std::span<const uint64_t> values() const { return values_; }

 private:
  std::vector<uint64_t> copy_;
  std::span<const uint64_t> values_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_VERIFY_ELEMENTS_H_
