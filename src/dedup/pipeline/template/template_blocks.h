// Which blocks of pages repeat on their site: counted exactly, over the whole
// crawl (docs/methods/template.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_TEMPLATE_BLOCKS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_TEMPLATE_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/run/run.h"
#include "store/external_sort.h"

namespace twinset {

// A block is template that stands on this many pages of its site, and on this
// share of them.
inline constexpr uint64_t kTemplatePages = 20;
inline constexpr uint64_t kTemplateShare = 20;  // one page in so many

constexpr bool IsTemplate(uint64_t pages, uint64_t pages_of_site) {
  return pages >= kTemplatePages && pages * kTemplateShare >= pages_of_site;
}

// A block that stands on several pages of its site.
struct RepeatedBlock {
  uint32_t block = 0;  // its number in its page
  bool is_template = false;
  uint16_t log_pages = 0;      // LogPages of the pages that it stands on
  bool is_menu = false;        // of a section of the site (section_menus.h)
  bool is_list = false;        // a menu by itself
  bool is_everywhere = false;  // on more than half of the pages of the site

  bool IsFrame() const { return is_template || is_menu; }
};

// 16 times the binary logarithm of a number from 1 on, its fraction linear
// between powers of two: at most 2 too small.
uint16_t LogPages(uint64_t pages);

// Every place of a repeated block, by document, then block; of those that are
// no frame only with --content main, where the site may contradict. Of the
// budget: half while it is made, a quarter afterwards. Not thread-safe.
class RepeatedPlaces {
 public:
  // Sorts the blocks of pages.blob: 24 bytes per block and per row of a menu,
  // on disk where they do not fit. Fills in how many sites, pages and blocks
  // there are and the most frequent blocks; nothing of it depends on the
  // secret.
  static Result<RepeatedPlaces> Find(Run* run, TemplateCounts* counts);
  // The repeated blocks of page `document`, ascending; to be asked for in
  // ascending order.
  Status Of(uint64_t document, std::vector<RepeatedBlock>* blocks);

 private:
  explicit RepeatedPlaces(Run* run);
  Status Advance();
  std::unique_ptr<ExternalSorter<uint64_t>> places_;
  uint64_t next_ = 0;
  bool more_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_TEMPLATE_TEMPLATE_BLOCKS_H_
