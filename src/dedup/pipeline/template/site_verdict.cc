#include "pipeline/template/site_verdict.h"

#include "text/page/clean_text.h"

namespace twinset {

namespace {

// What is dropped is rarer than what is kept if it stands on a quarter of the
// pages in the mean (of logarithms, LogPages).
constexpr uint64_t kRarer = uint64_t{2} * 16;

struct Sums {
  uint64_t code_points = 0, logs = 0;  // logs: times RepeatedBlock::log_pages
};

}  // namespace

bool IsContradicted(const SpooledPage& page,
                    const std::vector<RepeatedBlock>& repeated) {
  if (!page.may_widen || repeated.empty()) return false;
  Sums kept, dropped;  // without frame; dropped without template and links
  uint64_t own_kept = 0, own = 0;  // neither frame nor template
  bool has_template = false;
  auto next = repeated.begin();
  for (uint32_t i = 0; i < page.blocks.size(); ++i) {
    const SpooledBlock& block = page.blocks[i];
    RepeatedBlock as;
    if (next != repeated.end() && next->block == i) as = *next++;
    has_template |= as.IsFrame();
    if (block.framed || (as.IsFrame() && !block.kept)) continue;
    const uint64_t code_points = CountCodePoints(page.TextOf(block));
    if (!as.IsFrame()) {
      own += code_points;
      if (block.kept) own_kept += code_points;
    }
    // Links to other pages are rare on every page.
    if (!block.kept && block.linked) continue;
    Sums& sums = block.kept ? kept : dropped;
    sums.code_points += code_points;
    sums.logs += code_points * as.log_pages;
  }
  // A doubtful choice has less than three fifths of the page's own text.
  if (page.is_doubtful && has_template && 5 * own_kept < 3 * own) return true;
  // What is dropped is much, and rarer.
  if (kept.code_points == 0 || 2 * dropped.code_points <= kept.code_points)
    return false;
  return kept.logs / kept.code_points >=
         dropped.logs / dropped.code_points + kRarer;
}

std::vector<uint32_t> BlocksToDrop(const SpooledPage& page,
                                   const std::vector<RepeatedBlock>& repeated,
                                   bool widened) {
  std::vector<uint32_t> dropped;
  for (const RepeatedBlock& one : repeated) {
    if (!one.IsFrame()) continue;
    const SpooledBlock& block = page.blocks[one.block];
    // What the model holds to be main content is what pages say, however many
    // say it; unless it is a menu, or the model is unsure of the page.
    const bool is_said = block.likely && !one.is_menu && !page.is_unsure;
    const bool stays = widened ? block.framed : !block.kept || is_said;
    if (!stays) dropped.push_back(one.block);
  }
  return dropped;
}

}  // namespace twinset
