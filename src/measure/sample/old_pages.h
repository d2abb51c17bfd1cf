// What stood at each address when the old copy was made, in a few bytes, so
// that a sister page is not taken for a successor (docs/methods/rescue.md).
#ifndef TWINSET_SRC_MEASURE_SAMPLE_OLD_PAGES_H_
#define TWINSET_SRC_MEASURE_SAMPLE_OLD_PAGES_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace twinset {

// Keeps for each page the fingerprint of its shingles and the least 128 of
// them, which are a random sample (Broder, On the resemblance and containment
// of documents, 1997). About 1.2 KB per page.
class OldPages {
 public:
  // `shingles` ascending, distinct. The latest copy of an address counts, of
  // equal dates the one that is kept last.
  void Keep(const std::string& url, int64_t seconds,
            const std::vector<uint64_t>& shingles);

  // Returns true iff `url` had a text of its own beside that of the dead page,
  // and what stands there now is more like that text than like the dead page's.
  // A copy of the dead page is no sister, nor is a page whose text was
  // replaced.
  bool IsSister(const std::string& url, const std::vector<uint64_t>& now,
                const std::vector<uint64_t>& dead) const;

 private:
  struct Page {
    int64_t seconds = 0;
    uint64_t fingerprint = 0;
    std::vector<uint64_t> least;
  };
  std::unordered_map<std::string, Page> pages_;  // by normalised address
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SAMPLE_OLD_PAGES_H_
