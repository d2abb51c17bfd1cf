// How long addresses, texts and shingles live (docs/methods/change.md).
#ifndef TWINSET_SRC_CORPORA_CHANGE_PAGE_LIVES_H_
#define TWINSET_SRC_CORPORA_CHANGE_PAGE_LIVES_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "change/page_history.h"
#include "estimate/survival.h"
#include "twinset/corpora/change.h"

namespace twinset {

// Memory: the different lengths of life, of each group.
class PageLives {
 public:
  // Dates of the snapshots, in seconds; they outlive this.
  explicit PageLives(std::span<const int64_t> dates) : dates_(dates) {}
  void See(const PageHistory& page, std::string_view address);
  std::vector<ChangeCurve> Curves() const;

 private:
  void Add(const std::string& what, const std::string& group, bool ends,
           int64_t seconds, uint64_t count = 1);
  void SeeAddress(const PageHistory& page, std::string_view address);
  void SeeText(const PageHistory& page);
  void SeeFragments(const PageHistory& page);

  std::span<const int64_t> dates_;
  // By what lives, and the group.
  std::map<std::pair<std::string, std::string>, Lifetimes> lifetimes_;
  std::set<std::string> tops_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_CHANGE_PAGE_LIVES_H_
