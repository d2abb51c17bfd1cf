#include "text/content/content_reader.h"

#include <algorithm>
#include <array>

namespace twinset {
namespace {

constexpr uint64_t kGoodNames =
    MarkBit(ContentGroup::kArticleWord) | MarkBit(ContentGroup::kBodyWord) |
    MarkBit(ContentGroup::kContentWord) | MarkBit(ContentGroup::kMainWord) |
    MarkBit(ContentGroup::kPostWord);
constexpr uint64_t kBadNames =
    MarkBit(ContentGroup::kCommentWord) | MarkBit(ContentGroup::kFooterWord) |
    MarkBit(ContentGroup::kRelatedWord) | MarkBit(ContentGroup::kShareWord) |
    MarkBit(ContentGroup::kSidebarWord) | MarkBit(ContentGroup::kAdWord) |
    MarkBit(ContentGroup::kMetaWord) | MarkBit(ContentGroup::kTagsWord) |
    MarkBit(ContentGroup::kWidgetWord) | MarkBit(ContentGroup::kShopWord) |
    MarkBit(ContentGroup::kHiddenWord) | MarkBit(ContentGroup::kFormWord);
constexpr uint64_t kUnlikelyNames = MarkBit(ContentGroup::kFrameWord);
constexpr uint64_t kRescuingNames =
    MarkBit(ContentGroup::kArticleWord) | MarkBit(ContentGroup::kBodyWord) |
    MarkBit(ContentGroup::kContentWord) | MarkBit(ContentGroup::kMainWord) |
    MarkBit(ContentTag::kArticle) | MarkBit(ContentTag::kMain) |
    MarkBit(ContentTag::kTable);

constexpr int32_t kPoint = 36;  // one point, to divide by what levels there are

int32_t NamesWeight(const PageElement& element) {
  return ((element.marks & kGoodNames) != 0 ? 25 : 0) -
         ((element.marks & kBadNames) != 0 ? 25 : 0);
}

int32_t TagWeight(HtmlTag tag) {
  switch (tag) {
    case HtmlTag::kDiv:
    case HtmlTag::kArticle:
      return 5;
    case HtmlTag::kPre:
    case HtmlTag::kTd:
    case HtmlTag::kBlockquote:
      return 3;
    case HtmlTag::kAddress:
    case HtmlTag::kOl:
    case HtmlTag::kUl:
    case HtmlTag::kDl:
    case HtmlTag::kDd:
    case HtmlTag::kDt:
    case HtmlTag::kLi:
    case HtmlTag::kForm:
      return -3;
    case HtmlTag::kH1:
    case HtmlTag::kH2:
    case HtmlTag::kH3:
    case HtmlTag::kH4:
    case HtmlTag::kH5:
    case HtmlTag::kH6:
    case HtmlTag::kTh:
      return -5;
    default:
      return 0;
  }
}

bool IsBox(HtmlTag tag) {
  switch (tag) {
    case HtmlTag::kForm:
    case HtmlTag::kFieldset:
    case HtmlTag::kTable:
    case HtmlTag::kUl:
    case HtmlTag::kOl:
    case HtmlTag::kDiv:
    case HtmlTag::kSection:
    case HtmlTag::kFooter:
    case HtmlTag::kAside:
    case HtmlTag::kNav:
      return true;
    default:
      return false;
  }
}

class Reader {
 public:
  explicit Reader(const ContentPage& page) : page_(page) {}

  // As strict as leaves a text; if none does, the way that leaves most.
  ReaderView Run() {
    ReaderView best;
    uint32_t most = 0;
    for (strictness_ = 3; strictness_ >= 0; --strictness_) {
      Look();
      if (strictness_ == 3 || shown_letters_ > most) {
        best = std::move(view_);
        most = shown_letters_;
      }
      if (shown_letters_ >= 500 && boxed_letters_ <= shown_letters_) break;
    }
    return best;
  }

 private:
  int32_t NameWeight(const PageElement& element) const {
    return strictness_ >= 2 ? NamesWeight(element) : 0;
  }

  struct Sums {  // of the likely blocks before a place
    uint32_t words = 0, link_words = 0, letters = 0, commas = 0;
    uint32_t paragraphs = 0, items = 0, heading_words = 0, long_words = 0;
  };

  void Look() {
    view_ = ReaderView();
    shown_letters_ = boxed_letters_ = 0;
    MarkUnlikely();
    AddUp();
    Score();
    ChooseTop();
    Show();
  }

  void MarkUnlikely() {
    unlikely_.assign(page_.elements.size(), 0);
    for (size_t i = 1; strictness_ == 3 && i < page_.elements.size(); ++i) {
      const PageElement& element = page_.elements[i];
      const bool own = ((element.marks & kUnlikelyNames) != 0 &&
                        (element.marks & kRescuingNames) == 0) ||
                       element.tag == HtmlTag::kNav;
      unlikely_[i] = own || unlikely_[element.parent] != 0;
    }
  }

  bool IsUnlikely(const PageBlock& block) const {
    return unlikely_[block.element] != 0 ||
           ((block.framed || block.commented) && strictness_ > 0);
  }

  void AddUp() {
    sums_.resize(page_.blocks.size() + 1);
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const PageBlock& block = page_.blocks[i];
      Sums sums = sums_[i];
      if (!IsUnlikely(block)) {
        const HtmlTag tag = page_.elements[block.element].tag;
        sums.words += block.text.words;
        sums.link_words += block.text.link_words;
        sums.letters += block.text.letters + block.text.words / 2;
        sums.commas += block.text.commas;
        sums.paragraphs += tag == HtmlTag::kP;
        sums.items += tag == HtmlTag::kLi;
        if (block.text.words >= 20 &&
            block.text.link_words * 3 < block.text.words) {
          sums.long_words += block.text.words;
        }
        if (TagWeight(tag) == -5) sums.heading_words += block.text.words;
      }
      sums_[i + 1] = sums;
    }
  }

  Sums Within(const PageElement& element) const {
    const Sums& a = sums_[element.first_block];
    const Sums& b = sums_[element.end_block];
    return {b.words - a.words,
            b.link_words - a.link_words,
            b.letters - a.letters,
            b.commas - a.commas,
            b.paragraphs - a.paragraphs,
            b.items - a.items,
            b.heading_words - a.heading_words,
            b.long_words - a.long_words};
  }

  static int32_t LinkShare(const Sums& sums) {  // in 1/1000
    return sums.words == 0 ? 0
                           : static_cast<int32_t>(uint64_t{sums.link_words} *
                                                  1000 / sums.words);
  }

  // Points for the elements around each paragraph, fewer the farther.
  void Score() {
    std::vector<uint8_t> touched(page_.elements.size(), 0);
    std::vector<int32_t>& scores = view_.scores;
    scores.assign(page_.elements.size(), 0);
    for (const PageBlock& block : page_.blocks) {
      const TextCounts& text = block.text;
      const uint32_t letters = text.letters + text.words / 2;
      if (IsUnlikely(block) || letters < 25) continue;
      const int32_t points =
          kPoint * static_cast<int32_t>(1 + std::min(text.commas, 1000u) +
                                        std::min(letters / 100, 3u));
      const PageElement& inner = page_.elements[block.element];
      uint32_t at = inner.end_block - inner.first_block == 1 ? inner.parent
                                                             : block.element;
      for (int32_t level = 0; level < 5; ++level) {
        const PageElement& element = page_.elements[at];
        if (touched[at] == 0) {
          touched[at] = 1;
          scores[at] = kPoint * (TagWeight(element.tag) + NameWeight(element));
        }
        // A few thousand paragraphs decide nothing more.
        scores[at] = std::min(scores[at] + points / (level == 0   ? 1
                                                     : level == 1 ? 2
                                                                  : level * 3),
                              int32_t{1} << 20);
        if (at == 0) break;
        at = element.parent;
      }
    }
    for (size_t i = 0; i < scores.size(); ++i) {
      const int64_t share = LinkShare(Within(page_.elements[i]));
      scores[i] = static_cast<int32_t>(scores[i] * (1000 - share) / 1000);
    }
  }

  void ChooseTop() {
    const std::vector<int32_t>& scores = view_.scores;
    std::array<uint32_t, 5> best{};  // by score, descending
    for (uint32_t i = 0; i < scores.size(); ++i) {
      if (scores[i] <= scores[best.back()] && i != 0) continue;
      best.back() = i;
      for (size_t k = best.size() - 1; k > 0; --k) {
        if (scores[best[k]] > scores[best[k - 1]]) {
          std::swap(best[k], best[k - 1]);
        }
      }
    }
    if (scores[best[0]] <= 0) return;  // the whole page
    view_.top = ClimbToText(ClimbToParts(CommonAncestor(best)));
    // Its siblings are those of the outermost element with the same text.
    for (uint32_t at = view_.top; at != 0;) {
      const PageElement& element = page_.elements[at];
      const PageElement& parent = page_.elements[element.parent];
      if (parent.first_block != element.first_block ||
          parent.end_block != element.end_block) {
        break;
      }
      at = element.parent;
      if (scores[at] == 0) view_.scores[at] = scores[view_.top];
      view_.top = at;
    }
  }

  // The best element; if others are nearly as good, the nearest element around
  // it that holds three of them.
  uint32_t CommonAncestor(const std::array<uint32_t, 5>& best) const {
    const std::vector<int32_t>& scores = view_.scores;
    for (uint32_t at = best[0]; at != 0;) {
      at = page_.elements[at].parent;
      int held = 0;
      for (size_t k = 1; k < best.size(); ++k) {
        const bool good =
            int64_t{scores[best[k]]} * 4 >= int64_t{scores[best[0]]} * 3;
        held +=
            good && best[k] > at &&
            page_.elements[best[k]].first_block >=
                page_.elements[at].first_block &&
            page_.elements[best[k]].end_block <= page_.elements[at].end_block;
      }
      if (held >= 3) return at;
    }
    return best[0];
  }

  // An element above that has more points again holds several good parts.
  uint32_t ClimbToParts(uint32_t top) const {
    const std::vector<int32_t>& scores = view_.scores;
    int32_t last = scores[top];
    const int32_t enough = last / 3;
    for (uint32_t at = top; at != 0;) {
      at = page_.elements[at].parent;
      if (scores[at] < enough || page_.elements[at].tag == HtmlTag::kBody) {
        break;
      }
      if (scores[at] > last) return at;
      last = scores[at];
    }
    return top;
  }

  // A best part with less than half of the page's text is not all of it: what
  // an element above adds may be text of the same kind.
  uint32_t ClimbToText(uint32_t top) const {
    const uint32_t all = sums_.back().long_words;
    while (Within(page_.elements[top]).long_words < all / 2) {
      const uint32_t above = page_.elements[top].wider;
      if (above == top) break;
      const Sums inner = Within(page_.elements[top]);
      const Sums outer = Within(page_.elements[above]);
      const uint64_t words = outer.words - inner.words;
      const uint64_t long_words = outer.long_words - inner.long_words;
      const uint64_t links = outer.link_words - inner.link_words;
      if (long_words * 10 < words * 7 || links * 10 > words) break;
      top = above;
    }
    return top;
  }

  // Returns true iff a sibling of the best element belongs to it.
  bool IsAlike(const PageElement& element, int32_t score) const {
    const int32_t best = view_.scores[view_.top];
    const bool same = element.name_hash == page_.elements[view_.top].name_hash;
    if (score + (same ? best / 5 : 0) >= std::max(10 * kPoint, best / 5)) {
      return true;
    }
    if (element.tag != HtmlTag::kP) return false;
    const Sums sums = Within(element);
    const int32_t links = LinkShare(sums);
    return sums.letters > 80
               ? links < 250
               : links == 0 && sums.letters > 0 && EndsSentence(element);
  }

  bool EndsSentence(const PageElement& element) const {
    for (uint32_t i = element.first_block; i < element.end_block; ++i) {
      if (page_.blocks[i].text.sentence_ends > 0) return true;
    }
    return false;
  }

  // Returns true iff a box in the chosen part looks like frame.
  bool IsFrame(const PageElement& element) const {
    if (strictness_ == 0) return false;
    if ((element.marks & MarkBit(ContentGroup::kShareWord)) != 0) {
      const Sums sums = Within(element);
      if (sums.letters < 100 && LinkShare(sums) > 500) return true;
    }
    if (!IsBox(element.tag)) return false;
    if (element.tag == HtmlTag::kFooter || element.tag == HtmlTag::kAside ||
        element.tag == HtmlTag::kNav) {
      return true;
    }
    const Sums sums = Within(element);
    // What holds most of the text is no frame around it.
    if (sums.words > Within(page_.elements[view_.top]).words / 2) return false;
    const int32_t weight = NameWeight(element);
    if (weight < 0) return true;
    if (sums.commas >= 10 || element.tag == HtmlTag::kSection) return false;
    const bool list =
        element.tag == HtmlTag::kUl || element.tag == HtmlTag::kOl;
    const int32_t links = LinkShare(sums);
    if (!list && sums.items > sums.paragraphs + 100) return true;
    if (!list && sums.letters < 25 &&
        sums.heading_words * 10 < sums.words * 9) {
      return true;
    }
    if (!list && weight < 25 && links > 200) return true;
    return weight >= 25 ? links > 500 : list && links > 600;
  }

  void Show() {
    const uint32_t top = view_.top;
    const uint32_t parent = page_.elements[top].parent;
    // For each element: 0 outside, 1 a sibling's, 2 the best's; +4 in a box.
    std::vector<uint8_t> part(page_.elements.size(), 0);
    if (top == 0) part[0] = 2;
    for (uint32_t i = 1; i < part.size(); ++i) {
      const PageElement& element = page_.elements[i];
      if (i == top) {
        part[i] = 2;
      } else if (top != 0 && element.parent == parent && part[parent] == 0) {
        part[i] = IsAlike(element, view_.scores[i]) ? 1 : 0;
      } else {
        part[i] = part[element.parent];
      }
      if ((part[i] & 3) != 0 && i != top && IsFrame(element)) part[i] |= 4;
    }
    view_.states.resize(page_.blocks.size());
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const uint32_t at = page_.blocks[i].element;
      view_.states[i] = IsUnlikely(page_.blocks[i]) ? ReaderView::kUnlikely
                        : (part[at] & 3) == 0       ? ReaderView::kOutside
                        : part[at] == 5             ? ReaderView::kSiblingBox
                        : part[at] == 6             ? ReaderView::kTopBox
                        : part[at] == 1             ? ReaderView::kSibling
                                                    : ReaderView::kTop;
      if (view_.states[i] >= ReaderView::kSibling) {
        shown_letters_ += page_.blocks[i].text.letters;
      } else if (view_.states[i] == ReaderView::kTopBox) {
        boxed_letters_ += page_.blocks[i].text.letters;
      }
    }
  }

  const ContentPage& page_;
  ReaderView view_;
  std::vector<uint8_t> unlikely_;
  std::vector<Sums> sums_;
  uint32_t shown_letters_ = 0, boxed_letters_ = 0;
  int strictness_ = 3;  // 3 believes names of frames, 2 names, 1 boxes
};

}  // namespace

ReaderView ReadAsReader(const ContentPage& page) { return Reader(page).Run(); }

}  // namespace twinset
