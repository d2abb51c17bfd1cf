// The addresses of a run by prefix, and which of its documents are duplicates:
// what mirrors are told from.
#ifndef TWINSET_SRC_CORPORA_MIRRORS_MIRROR_INDEX_H_
#define TWINSET_SRC_CORPORA_MIRRORS_MIRROR_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/corpora/mirrors.h"
#include "twinset/error.h"
#include "twinset/method_choices.h"

namespace twinset {

struct MirrorPage {
  static constexpr uint64_t kAlone = UINT64_MAX;
  std::string address;  // MirrorAddress
  std::string id, url;  // as the run names it
  uint64_t cluster = kAlone;
  double similarity = 0;  // to the representative of the cluster
  bool represents = false, is_estimated = false;  // the similarity
  uint64_t degree = 0;                            // mirrors that have it too
};

// What mirrors are compared by: the normal form without scheme and final slash;
// of a document without URL its id, which is a path.
std::string MirrorAddress(std::string_view url, std::string_view id);

// Segments that both end with, and what stands in front of them; nothing when
// they share no last segment or one has nothing in front.
struct SplitPair {
  std::string_view a, b;  // prefixes
};
SplitPair SplitParallel(std::string_view a, std::string_view b);

class MirrorIndex {
 public:
  // If several pages have one address, the first counts. Takes memory in
  // proportion to the pages.
  explicit MirrorIndex(std::vector<MirrorPage> pages);

  // Pages below prefix + "/".
  std::span<MirrorPage> Below(std::string_view prefix);
  MirrorPage* Find(std::string_view address);  // null when there is none
  // All pages by cluster, those of no cluster left out.
  const std::vector<MirrorPage*>& clustered() const { return clustered_; }
  std::span<MirrorPage> pages() { return pages_; }

 private:
  std::vector<MirrorPage> pages_;  // by address
  std::vector<MirrorPage*> clustered_;
};

// Mirrors of the pages, and the degrees of the pages. `*cut` counts clusters of
// which only the first kMostMembers pages are paired. kMemory when the pairs of
// prefixes that have duplicates do not fit into a quarter of the memory.
inline constexpr size_t kMostMembers = 64;
Result<std::vector<Mirror>> MirrorsOf(const MirrorsOptions& options,
                                      MirrorIndex* index, uint64_t* cut);

// The least similarity of two documents whose similarities to a third are `x`
// and `y`; 0 where nothing follows from these. For measures by which a distance
// obeys the triangle inequality it is that of the distance.
double LeastSimilarity(Measure measure, double x, double y);

// Where a dead address (MirrorAddress) may be found. `measure`: of the run.
// `is_dead` tells for any page.
std::vector<Alternative> AlternativesOf(
    const std::string& address, Measure measure,
    const std::vector<Mirror>& mirrors, MirrorIndex* index,
    const std::function<bool(const MirrorPage&)>& is_dead);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_MIRRORS_MIRROR_INDEX_H_
