// The pages that the report of change shows with their texts
// (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_CHANGE_EXAMPLES_H_
#define TWINSET_SRC_CORPORA_CHANGE_CHANGE_EXAMPLES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "change/change_rows.h"
#include "report/kept_page.h"
#include "store/blob_file.h"
#include "twinset/corpora/change.h"

namespace twinset {

// A page at the first step that shows it in this state.
struct ChangeExample {
  PageState state = PageState::kExact;
  std::string date;  // of the later snapshot; empty if there are only two
  // Addresses before and after; the captures there, or kNoCapture.
  std::string left, right;
  uint64_t before = kNoCapture, after = kNoCapture;
  double jaccard = -1;  // below 0: nothing was compared
  uint64_t draw = 0;    // set by See

  const std::string& address() const { return left.empty() ? right : left; }
};

// Up to kOfState pages of each state: those with the least hashes of their
// addresses under kSeed, so only the pages decide, not the machine. An address
// is shown once a state. Memory: some KB for each example.
class ChangeExamples {
 public:
  static constexpr size_t kOfState = 5;
  static constexpr uint64_t kSeed = 1;
  // So much of the text of each capture is kept to be shown.
  static constexpr size_t kMostTextBytes = 128 << 10;

  // In order of time.
  void See(ChangeExample example);

  // The texts, which are the blobs of the numbers of captures, side by side.
  Status Read(const BlobReader& texts, const FeatureOptions& features);

  // Behind Read.
  void AddTo(const ChangeResult& result, KeptPage* page) const;

 private:
  struct Shown {
    html::TextPair pair;    // of states with two texts
    std::string beginning;  // of the others
  };

  static bool HasTwoTexts(PageState state);
  void AddPairs(size_t state, KeptPage* page) const;
  void AddBeginnings(size_t state, KeptPage* page) const;

  std::array<std::vector<ChangeExample>, kPageStates> drawn_;
  std::array<std::vector<Shown>, kPageStates> shown_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_CHANGE_EXAMPLES_H_
