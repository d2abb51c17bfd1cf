#include "candidate/sketch_lookup.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "candidate/compressed_table.h"

namespace twinset {

namespace {

constexpr size_t kFirstRows = 1024;

class CompressedLookup : public SketchLookup {
 public:
  CompressedLookup(TableDesign design, size_t sketch, MemoryBudget* budget)
      : design_(std::move(design)), sketch_(sketch), budget_(budget) {}

  Status Add(uint64_t document, std::span<const Sketch> sketches) override {
    if (documents_.size() == documents_.capacity()) TWINSET_TRY(Grow());
    documents_.push_back(document);
    fingerprints_.push_back(FingerprintOf(sketches));
    return {};
  }

  Status Build() override {
    TWINSET_ASSIGN(tables_,
                   CompressedTables::Build(design_, fingerprints_, budget_));
    fingerprints_ = {};
    fingerprints_paid_ = {};
    return {};
  }

  Status Find(std::span<const Sketch> sketches,
              std::vector<uint64_t>* documents) const override {
    TWINSET_ASSIGN(const auto near, tables_->Find(FingerprintOf(sketches)));
    for (const CompressedTables::Near& found : near)
      documents->push_back(documents_[found.row]);
    return {};
  }

 private:
  uint64_t FingerprintOf(std::span<const Sketch> sketches) const {
    const Sketch& sketch = sketches[sketch_];
    const uint64_t low = sketch[0];
    return design_.bits > 32 ? low | uint64_t{sketch[1]} << 32 : low;
  }

  // While a vector grows, both are there.
  Status Grow() {
    const size_t rows = std::max(kFirstRows, documents_.size() * 2);
    Reservation documents = budget_->TryReserve(rows * sizeof(uint64_t));
    Reservation fingerprints = budget_->TryReserve(rows * sizeof(uint64_t));
    if (!documents.ok() || !fingerprints.ok())
      return Fail(ErrorCode::kMemory,
                  "the stored sketches do not fit into memory");
    documents_.reserve(rows);
    fingerprints_.reserve(rows);
    documents_paid_ = std::move(documents);
    fingerprints_paid_ = std::move(fingerprints);
    return {};
  }

  const TableDesign design_;
  const size_t sketch_;
  MemoryBudget* const budget_;
  std::vector<uint64_t> documents_, fingerprints_;  // by row
  Reservation documents_paid_, fingerprints_paid_;
  std::optional<CompressedTables> tables_;
};

}  // namespace

SketchLookupFactory MakeCompressedLookup(TableDesign design, size_t sketch) {
  return [design = std::move(design), sketch](MemoryBudget* budget) {
    return std::make_unique<CompressedLookup>(design, sketch, budget);
  };
}

}  // namespace twinset
