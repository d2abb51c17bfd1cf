#include "text/content/content_frame.h"

#include <algorithm>
#include <vector>

namespace twinset {
namespace {

class FrameFinder {
 public:
  explicit FrameFinder(ContentPage* page) : page_(*page) {}

  void Run() {
    AddUp();
    MarkOtherArticles();
    FindMain();
    FindComments();
    for (PageBlock& block : page_.blocks) {
      const uint8_t part = parts_[block.element];
      block.framed =
          (part & kFramed) != 0 || (main_counts_ && (part & kInMain) == 0);
      block.commented =
          !block.framed && comments_count_ && (part & kInComments) != 0;
    }
  }

 private:
  // Halves of words that make an article more than a teaser; of a main element
  // that is believed; of long text beside it that is not more than a notice.
  static constexpr uint32_t kArticleWords = 100, kMainWords = 6;
  static constexpr uint32_t kNotice = 300;
  static constexpr uint32_t kBesideComments = 30;
  enum Part : uint8_t { kFramed = 1, kInMain = 2, kInComments = 4 };
  struct Sums {
    uint32_t words = 0, long_words = 0;
  };

  // Sums of the blocks before a place, and what each element lies in.
  void AddUp() {
    sums_.resize(page_.blocks.size() + 1);
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const TextCounts& text = page_.blocks[i].text;
      sums_[i + 1] = {
          sums_[i].words + text.words,
          sums_[i].long_words + (IsLongText(text) ? text.words : 0)};
    }
    parts_.assign(page_.elements.size(), 0);
    for (size_t i = 1; i < parts_.size(); ++i) {
      const uint64_t marks = page_.elements[i].marks;
      const bool framed =
          (marks & (MarkBit(ContentTag::kNav) | MarkBit(ContentTag::kFooter) |
                    MarkBit(ContentTag::kControl))) != 0;
      const bool main = (marks & MarkBit(ContentTag::kMain)) != 0;
      const bool comments = (marks & MarkBit(ContentTag::kComments)) != 0;
      parts_[i] = static_cast<uint8_t>(
          parts_[page_.elements[i].parent] | (framed ? kFramed : 0) |
          (main ? kInMain : 0) | (comments ? kInComments : 0));
    }
  }

  Sums Within(const PageElement& element) const {
    const Sums& a = sums_[element.first_block];
    const Sums& b = sums_[element.end_block];
    return {b.words - a.words, b.long_words - a.long_words};
  }

  // An article with an address of its own, beside one without or with the
  // page's, is a teaser of another page.
  void MarkOtherArticles() {
    std::vector<uint32_t> others;
    uint32_t own_words = 0;
    for (uint32_t i = 1; i < page_.elements.size(); ++i) {
      const PageElement& element = page_.elements[i];
      if ((element.marks & MarkBit(ContentTag::kArticle)) == 0) continue;
      if (element.permalink == 0 || element.permalink == page_.address) {
        own_words = std::max(own_words, Within(element).words);
      } else {
        others.push_back(i);
      }
    }
    if (own_words < kArticleWords) return;
    for (const uint32_t i : others)
      page_.elements[i].marks |= MarkBit(ContentTag::kOtherArticle);
  }

  // A main element with little of the page's text is a mistake of its author,
  // but on pages where the text beside it is no longer than a notice.
  void FindMain() {
    Sums main, beside;
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const uint8_t part = parts_[page_.blocks[i].element];
      if ((part & (kInMain | kFramed)) == kFramed) continue;
      Sums& sums = (part & kInMain) != 0 ? main : beside;
      sums.words += page_.blocks[i].text.words;
      sums.long_words += sums_[i + 1].long_words - sums_[i].long_words;
    }
    const uint64_t all = uint64_t{main.long_words} + beside.long_words;
    main_counts_ = main.words >= kMainWords &&
                   (uint64_t{main.long_words} * 10 >= all * 3 ||
                    beside.long_words <= kNotice);
  }

  // Comments are frame beside a text; without one, or in a forum, they are what
  // the page is there for.
  void FindComments() {
    uint32_t beside = 0, forum = 0;
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const uint8_t part = parts_[page_.blocks[i].element];
      if ((part & (kFramed | kInComments)) != 0) continue;
      if (main_counts_ && (part & kInMain) == 0) continue;
      beside += sums_[i + 1].long_words - sums_[i].long_words;
    }
    uint32_t end = 0;
    for (size_t i = 0; i < page_.elements.size(); ++i) {
      const PageElement& element = page_.elements[i];
      // A list of comments may be called a thread.
      if ((element.marks & MarkBit(ContentGroup::kForumWord)) == 0 ||
          (parts_[i] & kInComments) != 0 || element.first_block < end) {
        continue;
      }
      end = element.end_block;
      forum += Within(element).words;
    }
    comments_count_ =
        beside >= kBesideComments && forum * 2 < sums_.back().words;
  }

  ContentPage& page_;
  std::vector<Sums> sums_;  // one more than blocks
  std::vector<uint8_t> parts_;
  bool main_counts_ = false, comments_count_ = false;
};

}  // namespace

void FindFrames(ContentPage* page) { FrameFinder(page).Run(); }

}  // namespace twinset
