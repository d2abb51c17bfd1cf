// In how many documents of a corpus a feature occurs: what IDF weights, lexica
// and rare-first orders are made of (docs/methods/common-text.md).
#ifndef TWINSET_SRC_GROUND_CORE_FREQUENCY_TABLE_H_
#define TWINSET_SRC_GROUND_CORE_FREQUENCY_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"

namespace twinset {

// log2(x) in 1/65536, rounded down, for x >= 1: by integers alone, so that
// every machine computes the same weights (docs/spec/1.md, Which bytes are
// promised).
uint32_t Log2Fixed(uint64_t x);

// Immutable; thread-safe. Features that are not held count as frequency 1.
class FrequencyTable {
 public:
  // The most frequent features that a table holds; a constant of the spec, so
  // that a table never depends on the memory of a machine.
  static constexpr uint64_t kMaxFeatures = 1 << 20;

  FrequencyTable() = default;
  // `features` ascending, `frequencies` in their order.
  FrequencyTable(uint64_t documents, std::vector<uint64_t> features,
                 std::vector<uint32_t> frequencies);

  uint64_t documents() const { return documents_; }
  const std::vector<uint64_t>& features() const { return features_; }
  const std::vector<uint32_t>& frequencies() const { return frequencies_; }
  uint32_t Frequency(uint64_t feature) const;
  // log2(documents / frequency) in 1/65536, >= 0.
  uint32_t Idf(uint64_t feature) const;

  // The stored form (src/ground/core/FORMAT.md), and back; kCorrupt when
  // the bytes are not such a form.
  std::string Encode() const;
  static Result<FrequencyTable> Decode(std::string_view bytes);

 private:
  uint64_t documents_ = 0;
  std::vector<uint64_t> features_;
  std::vector<uint32_t> frequencies_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_FREQUENCY_TABLE_H_
