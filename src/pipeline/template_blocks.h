// Which blocks of pages repeat on their site: counted exactly, over the whole
// crawl (docs/methods/template.md).
#ifndef TWINSET_SRC_PIPELINE_TEMPLATE_BLOCKS_H_
#define TWINSET_SRC_PIPELINE_TEMPLATE_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/run.h"
#include "store/external_sort.h"
#include "twinset/json.h"

namespace twinset {

// A block is template that stands on this many pages of its site, and on this
// share of them.
inline constexpr uint64_t kTemplatePages = 20;
inline constexpr uint64_t kTemplateShare = 20;  // one page in so many

constexpr bool IsTemplate(uint64_t pages, uint64_t pages_of_site) {
  return pages >= kTemplatePages && pages * kTemplateShare >= pages_of_site;
}

// Every place of a template block, by document, then block. Of the budget: half
// while it is made, a quarter afterwards. Not thread-safe.
class TemplatePlaces {
 public:
  // Sorts the blocks of pages.blob: 24 bytes a block, on disk where they do not
  // fit. Fills `summary` with counts and the most frequent blocks; nothing in
  // it depends on the secret.
  static Result<TemplatePlaces> Find(Run* run, Json* summary);
  // The template blocks of page `document`, ascending; to be asked for in
  // ascending order.
  Status Of(uint64_t document, std::vector<uint32_t>* blocks);

 private:
  explicit TemplatePlaces(Run* run);
  Status Advance();
  std::unique_ptr<ExternalSorter<uint64_t>> places_;
  uint64_t next_ = 0;
  bool more_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_TEMPLATE_BLOCKS_H_
