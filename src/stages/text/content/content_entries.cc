#include "text/content/content_entries.h"

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
    PageEntries entries;
    entries.count = best_end_ - best_begin_;
    uint32_t covered = 0;
    for (uint32_t i = best_begin_; i < best_end_; ++i) {
      const PageElement& element = page_.elements[named_[i].second];
      if (element.first_block < covered) continue;
      covered = element.end_block;
      entries.outermost.push_back({element.first_block, covered});
    }
    if (entries.count > 0) Measure(&entries);
    return entries;
  }

 private:
  void AddUp() {
    long_before_.resize(page_.blocks.size() + 1);
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const TextCounts& text = page_.blocks[i].text;
      long_before_[i + 1] =
          long_before_[i] + (IsLongText(text) ? text.words : 0);
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
      while (end < named_.size() && named_[end].first == named_[begin].first)
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
      words += long_before_[covered] - long_before_[element.first_block];
    }
    return words;
  }

  void Measure(PageEntries* entries) const {
    std::vector<uint8_t> comments(page_.elements.size());
    for (size_t i = 1; i < comments.size(); ++i) {
      const PageElement& element = page_.elements[i];
      comments[i] = comments[element.parent] != 0 ||
                    (element.marks & MarkBit(ContentTag::kComments)) != 0;
    }
    for (const auto [first, end] : entries->outermost) {
      entries->long_words += long_before_[end] - long_before_[first];
      for (uint32_t i = first; i < end; ++i) {
        const TextCounts& text = page_.blocks[i].text;
        entries->words += text.words;
        entries->link_words += text.link_words;
        entries->dates += uint32_t{text.has_year} + uint32_t{text.has_clock};
        if (comments[page_.blocks[i].element] != 0)
          entries->comment_words += text.words;
      }
    }
    entries->text_before = long_before_[entries->outermost[0].first];
  }

  const ContentPage& page_;
  std::vector<uint32_t> long_before_;  // long words; one more than blocks
  // Name and number of elements, ascending.
  std::vector<std::pair<uint32_t, uint32_t>> named_;
  uint32_t best_begin_ = 0, best_end_ = 0;  // of named_
};

}  // namespace

PageEntries FindEntries(const ContentPage& page) {
  return EntryFinder(page).Run();
}

}  // namespace twinset
