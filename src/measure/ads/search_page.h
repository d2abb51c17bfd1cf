// A page of results with ads beside them, as HTML.
#ifndef TWINSET_SRC_MEASURE_ADS_SEARCH_PAGE_H_
#define TWINSET_SRC_MEASURE_ADS_SEARCH_PAGE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace twinset::ads {

struct PageResult {
  std::string url, title, text;
  std::vector<PageResult> similar;  // collapsed behind it
};

struct PageAd {
  std::string title, text, landing, advertiser;
};

struct SearchPage {
  std::string query;
  std::string engine;  // its name
  bool hits_known = false;
  uint64_t hits = 0;
  std::vector<PageResult> results;  // in the engine's order
  std::vector<PageAd> ads;          // in rank
};

// Puts each result behind the first one that stays and is `same` to it. Order
// stays.
std::vector<PageResult> CollapseSimilar(
    std::vector<PageResult> results,
    const std::function<bool(size_t, size_t)>& same);

// At most about 200 bytes of the text around the first place of a query word,
// cut between characters, at blanks where there are any; spaces collapsed.
std::string Snippet(std::string_view text,
                    const std::vector<std::string>& words);

// A complete page: no script, nothing from elsewhere, every text escaped; light
// and dark by the reader's setting; results and ads in two lists that never
// mix. Addresses become links only when they are http or https.
std::string RenderSearchPage(const SearchPage& page);

}  // namespace twinset::ads

#endif  // TWINSET_SRC_MEASURE_ADS_SEARCH_PAGE_H_
