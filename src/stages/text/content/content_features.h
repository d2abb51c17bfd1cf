// Blocks of a page as numbers, for the model of main content.
#ifndef TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_FEATURES_H_
#define TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_FEATURES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/content/content_kind.h"
#include "text/content/content_page.h"
#include "text/content/content_reader.h"

namespace twinset {

// The first kContentMarks features are the marks around the block: 0 none, else
// kMarkNear less the number of elements between, at least 1.
enum ContentFeature : uint16_t {
  kFirstListedFeature = kContentMarks - 1,
#define TWINSET_CONTENT_FEATURE(enumerator, reason_for, reason_against) \
  enumerator##Feature,
#include "text/content/content_feature_list.inc"
#undef TWINSET_CONTENT_FEATURE
  kContentFeatures,
};
inline constexpr int kMarkNear = 20;

using FeatureRow = std::array<int16_t, kContentFeatures>;

// Name of a feature, for the trainer: "mark:..." or its enumerator.
std::string ContentFeatureName(size_t feature);
// What it says for (`for_it`) or against a block.
std::string ContentFeatureReason(size_t feature, bool for_it);

// Makes the rows of a page one after the other. Construction is linear in the
// page; rows cost O(depth) at worst and O(1) amortised but for a bounded number
// of steps. Not thread-safe.
class ContentRows {
 public:
  explicit ContentRows(const ContentPage& page);
  // Row of the next block, in order; to be called once a block.
  const FeatureRow& Next();

 private:
  struct Sums {  // of the blocks before a place
    uint32_t words = 0, link_words = 0, stop_words = 0, long_words = 0;
  };
  struct Like {  // blocks of one kind
    uint32_t key = 0, count = 0, words = 0, link_words = 0, long_words = 0;
  };
  class LikeTable {
   public:
    explicit LikeTable(size_t blocks);
    uint32_t Slot(uint32_t key);
    Like& operator[](uint32_t slot) { return likes_[slot]; }
    const Like& operator[](uint32_t slot) const { return likes_[slot]; }

   private:
    std::vector<Like> likes_;
    uint32_t mask_;
  };
  struct Slots {
    uint32_t like, path, text;
  };

  // Long words under elements of a mark.
  struct Marked {
    uint32_t elements = 0, words = 0, long_words = 0;
  };

  void AddUp();
  void LookAround();
  Marked Under(uint64_t marks) const;
  void FindTitle();
  void Enter(uint32_t element);
  void Leave();
  void See(uint64_t marks);
  void MoveTo(uint32_t block);
  void Own(uint32_t block);
  void Cues(uint32_t block);
  void Near(uint32_t block);
  void Place(uint32_t block);
  void Around(uint32_t block);
  void Top(uint32_t block);
  void Alike(uint32_t block);
  void Said(uint32_t block);
  void Entry(uint32_t block);
  Sums Between(uint32_t first, uint32_t end) const;
  void Set(size_t feature, int64_t value) {
    row_[feature] = static_cast<int16_t>(value < -32000  ? -32000
                                         : value > 32000 ? 32000
                                                         : value);
  }

  const ContentPage& page_;
  std::vector<Sums> sums_;  // one more than blocks
  std::vector<Slots> slots_;
  LikeTable likes_, paths_, texts_;
  ReaderView reader_;
  std::vector<uint32_t> next_heading_;
  bool has_main_ = false, has_article_ = false, has_body_ = false;
  uint32_t title_block_ = 0;
  bool has_title_ = false;
  // While going through the page.
  uint32_t block_ = 0, next_element_ = 1;
  std::vector<uint32_t> open_;
  std::array<uint16_t, kContentMarks> nearest_{};  // depth, 0 none
  std::vector<std::pair<uint8_t, uint16_t>> undo_;
  std::vector<uint32_t> undo_begin_;
  std::array<uint32_t, kContentMarks> seen_{};  // elements that ended
  uint32_t last_heading_ = 0;
  size_t entry_ = 0;  // the first that ends behind the block
  bool has_heading_ = false;
  FeatureRow row_{};
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_CONTENT_CONTENT_FEATURES_H_
