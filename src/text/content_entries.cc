#include "text/content_entries.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace twinset {
namespace {

constexpr uint32_t kLeastEntries = 3, kLeastBlocks = 2;

class EntryFinder {
 public:
  explicit EntryFinder(const ContentPage& page) : page_(page) {}

  PageEntries Run() {
    AddUp();
    FindGroups();
    if (best_begin_ == best_end_) return {};
    PageEntries entries;
    entries.count = best_end_ - best_begin_;
    Sums sums;
    uint32_t end = 0;
    for (uint32_t i = best_begin_; i < best_end_; ++i) {
      const PageElement& element = page_.elements[named_[i].second];
      if (element.first_block < end) continue;
      end = element.end_block;
      entries.outermost.push_back({element.first_block, end});
      sums.Add(sums_[element.first_block], sums_[end]);
    }
    entries.words = sums.words;
    entries.long_words = sums.long_words;
    entries.link_words = sums.link_words;
    entries.comment_words = sums.comment_words;
    entries.dates = sums.dates;
    entries.text_before = sums_[entries.outermost[0].first].long_words;
    return entries;
  }

 private:
  struct Sums {
    uint32_t words = 0, long_words = 0, link_words = 0, comment_words = 0;
    uint32_t dates = 0;
    // What lies between two places.
    void Add(const Sums& begin, const Sums& end) {
      words += end.words - begin.words;
      long_words += end.long_words - begin.long_words;
      link_words += end.link_words - begin.link_words;
      comment_words += end.comment_words - begin.comment_words;
      dates += end.dates - begin.dates;
    }
  };

  // Sums of the blocks before each place.
  void AddUp() {
    std::vector<uint8_t> comments(page_.elements.size());
    for (size_t i = 1; i < comments.size(); ++i) {
      const PageElement& element = page_.elements[i];
      comments[i] = comments[element.parent] != 0 ||
                    (element.marks & MarkBit(ContentTag::kComments)) != 0;
    }
    sums_.resize(page_.blocks.size() + 1);
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const TextCounts& text = page_.blocks[i].text;
      Sums& next = sums_[i + 1];
      next = sums_[i];
      next.words += text.words;
      next.link_words += text.link_words;
      next.dates += uint32_t{text.has_year} + uint32_t{text.has_clock};
      if (IsLongText(text)) next.long_words += text.words;
      if (comments[page_.blocks[i].element] != 0)
        next.comment_words += text.words;
    }
  }

  void FindGroups() {
    for (uint32_t i = 1; i < page_.elements.size(); ++i) {
      const PageElement& element = page_.elements[i];
      if (element.end_block - element.first_block >= kLeastBlocks)
        named_.emplace_back(element.name_hash, i);
    }
    std::sort(named_.begin(), named_.end());
    uint32_t most = 0, first = 0;
    for (uint32_t begin = 0, end = 0; begin < named_.size(); begin = end) {
      for (; end < named_.size() && named_[end].first == named_[begin].first;)
        ++end;
      if (end - begin < kLeastEntries) continue;
      const uint32_t text = LongWords(begin, end);
      const uint32_t place = named_[begin].second;
      if (text > most || (text == most && text > 0 && place < first)) {
        most = text;
        first = place;
        best_begin_ = begin;
        best_end_ = end;
      }
    }
  }

  uint32_t LongWords(uint32_t begin, uint32_t end) const {
    uint32_t words = 0, covered = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const PageElement& element = page_.elements[named_[i].second];
      if (element.first_block < covered) continue;
      covered = element.end_block;
      words +=
          sums_[covered].long_words - sums_[element.first_block].long_words;
    }
    return words;
  }

  const ContentPage& page_;
  std::vector<Sums> sums_;  // one more than blocks
  // Name and number of elements, ascending.
  std::vector<std::pair<uint32_t, uint32_t>> named_;
  uint32_t best_begin_ = 0, best_end_ = 0;  // of named_
};

}  // namespace

PageEntries FindEntries(const ContentPage& page) {
  return EntryFinder(page).Run();
}

}  // namespace twinset
