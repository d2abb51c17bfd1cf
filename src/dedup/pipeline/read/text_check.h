// --verify text: are equal hashes equal shingles?
// (docs/methods/verification.md)
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_TEXT_CHECK_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_TEXT_CHECK_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run/run.h"
#include "store/blob_file.h"
#include "text/tokens/features.h"

namespace twinset {

// The shingles of one text beside what is stored of it.
struct CheckedText {
  std::vector<ShingleText> shingles;  // kind by kind, in the order of the text
  std::string_view stored;  // features: some of their hashes may be left out
};

// The stored features of both with a value of its own for every shingle. Those
// that stand under their hash alone keep it; nothing if all do: then whatever
// is computed of the hashes is what the texts would give.
struct DistinctFeatures {
  std::string a, b;
};
std::optional<DistinctFeatures> Distinguish(FeatureForm form,
                                            const CheckedText& a,
                                            const CheckedText& b);

// Reads texts of a run with --verify text. Thread-safe. Texts that cost more
// than a megabyte to compare are compared one pair after the other; those that
// cost more than half of the run's memory and 32 MB are refused (kMemory).
class TextCheck {
 public:
  static Result<TextCheck> Open(const Run& run);
  // Compares two documents with these stored features: returns the verdict of
  // their texts if it may differ from that of the hashes.
  Result<std::optional<Verifier::Verdict>> Compare(
      const CandidatePair& pair, std::string_view stored_a,
      std::string_view stored_b) const;
  // Returns true iff two documents with the same stored features have the same
  // texts of shingles.
  Result<bool> IsCopy(uint64_t a, uint64_t b, std::string_view stored) const;

 private:
  TextCheck(const Run& run, BlobReader texts)
      : run_(&run),
        texts_(std::move(texts)),
        large_(std::make_unique<std::mutex>()) {}
  Result<std::optional<DistinctFeatures>> Clash(
      uint64_t a, uint64_t b, std::string_view stored_a,
      std::string_view stored_b) const;

  const Run* run_;
  BlobReader texts_;
  std::unique_ptr<std::mutex> large_;  // held while large texts are compared
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_TEXT_CHECK_H_
