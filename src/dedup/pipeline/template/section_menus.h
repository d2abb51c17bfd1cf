// Menus of the sections of a site: lists of short entries or links that stand
// on pages enough to be no content, though on few of the whole site
// (docs/methods/template.md, "Menus of sections").
#ifndef TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_SECTION_MENUS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_SECTION_MENUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/keyed_hash.h"
#include "pipeline/read/page_spool.h"

namespace twinset {

// A row of a menu is so many blocks that follow each other and are entries: at
// most this long, or mostly links. A longer block of links is a row by itself.
inline constexpr uint32_t kMenuRow = 4;
inline constexpr uint64_t kEntryCodePoints = 80;
// Other blocks than those kept are there as excerpts only.
static_assert(kEntryCodePoints < kBlockExcerpt);
// The blocks of a row that stands on this many pages of a site are a menu, if
// these pages differ in the rest of their text.
inline constexpr uint64_t kMenuPages = 10;

// Fewer words beside the entries of a page do not tell it from another.
inline constexpr uint64_t kRestWords = 25;

struct MenuRow {
  uint32_t first = 0, blocks = 0;  // kMenuRow, or 1
  // It hashes the site and the texts of its blocks under the secret of the run.
  uint64_t hash = 0;
};

// What a page may have of menus. Not thread-safe.
class MenuRows {
 public:
  explicit MenuRows(const HashKey& key_of_run);
  // The rows of `page`, ascending, valid until the next call. Linear.
  const std::vector<MenuRow>& Of(const SpooledPage& page);
  // The smallest hash of three words in a row of the text that is in no entry,
  // of the page that Of was asked last: equal for two pages with a probability
  // that is the similarity of these texts (Broder, SEQUENCES 1997). 0: there
  // are fewer than kRestWords. Independent of the secret. Linear.
  uint64_t RestOf(const SpooledPage& page) const;

 private:
  void Add(const SpooledPage& page, uint32_t end, uint32_t blocks);

  const HashKey key_;
  std::string bytes_;
  std::vector<MenuRow> rows_;
  std::vector<bool> is_entry_;  // by block
};

// Counts the pages on which a row stands by their RestOf: each value with
// the number of pages that have it.
class MenuJudge {
 public:
  void Add(uint64_t pages) {
    pages_ += pages;
    alike_ += pages * (pages - 1);
  }
  // Enough pages, of which fewer than half of the pairs are alike.
  bool IsMenu() const {
    return pages_ >= kMenuPages && 2 * alike_ < pages_ * (pages_ - 1);
  }

 private:
  uint64_t pages_ = 0, alike_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_SECTION_MENUS_H_
