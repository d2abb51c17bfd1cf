// The stack of open elements of the HTML standard (section 13.2.4.2), as far as
// text needs it.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_STACK_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_STACK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/html/html_tag.h"
#include "text/html/html_tags.h"

namespace twinset {

enum class HtmlSpace : uint8_t { kHtml, kSvg, kMath };

// The insertion mode follows from the innermost element that sets one: pushing
// stores it, popping restores it ("reset the insertion mode appropriately").
enum class InsertionMode : uint8_t {
  kBody,
  kTable,
  kTableBody,
  kRow,
  kCell,
  kCaption,
  kColumnGroup,
};

struct OpenElement {
  static constexpr uint32_t kNone = UINT32_MAX;

  HtmlTag tag = HtmlTag::kUnknown;
  HtmlSpace space = HtmlSpace::kHtml;
  InsertionMode mode = InsertionMode::kBody;
  bool hides = false;        // by itself
  bool hidden = false;       // text inside is not visible
  bool dropped = false;      // nothing inside counts, links neither
  bool reading = false;      // inside a ruby reading, which alone hides it
  bool integration = false;  // foreign: its content is HTML again
  bool detached = false;     // a form or formatting element whose end tag came
                          // inside another element: no longer on the standard's
                          // stack, but what stands above it is still its child
  uint32_t flags = 0;     // TagFlags
  uint32_t name = 0;      // hash of the name in lower case, for unknown tags
  uint32_t node = kNone;  // its kOpen
  uint32_t foster_table = kNone;  // foster-parented: the kOpen of the table
  uint32_t formatting = 0;  // markers: length of the formatting list below it
  uint32_t hiding = 0;      // ... and how many of them hide
  bool link_was_open = false;  // markers: a link was open around it
};

// Every walk is bounded by kMaxHtmlDepth; Has answers most "no"s in O(1).
class HtmlStack {
 public:
  bool empty() const { return open_.empty(); }
  size_t size() const { return open_.size(); }
  OpenElement& top() { return open_.back(); }
  const OpenElement& top() const { return open_.back(); }
  const std::vector<OpenElement>& open() const { return open_; }

  // Made in place: the reference holds until the next Add or Pop.
  OpenElement& Add(HtmlTag tag, HtmlSpace space) {
    OpenElement& element = open_.emplace_back();
    element.tag = tag;
    element.space = space;
    ++count_[Index(element)];
    return element;
  }
  void Pop() {
    if (!open_.back().detached) --count_[Index(open_.back())];
    open_.pop_back();
  }
  // The element at `at` stays the parent of those above, but no rule sees it.
  void Detach(size_t at) {
    --count_[Index(open_[at])];
    open_[at].detached = true;
  }

  // What stands above the element at `at` is no longer hidden by it.
  void Unhide(size_t at) {
    open_[at].hides = false;
    for (size_t i = at; i < open_.size(); ++i) {
      const bool parent_hides =
          i > 0 && open_[i - 1].hidden && !open_[i - 1].reading;
      open_[i].hidden = open_[i].hides || open_[i].reading || parent_hides;
    }
  }

  bool Has(HtmlTag tag) const { return count_[static_cast<size_t>(tag)] != 0; }

  // The standard's "has an element in scope" and its kinds: whether the element
  // is open with no border of the scope above it.
  bool InScope(HtmlTag tag) const { return Find(tag, HtmlTag::kUnknown); }
  bool InButtonScope(HtmlTag tag) const { return Find(tag, HtmlTag::kButton); }
  bool InListItemScope(HtmlTag tag) const {
    if (!Has(tag)) return false;
    for (size_t i = open_.size(); i-- > 0;) {
      if (Is(open_[i], tag)) return true;
      if (IsBorder(open_[i]) || Is(open_[i], HtmlTag::kOl) ||
          Is(open_[i], HtmlTag::kUl)) {
        return false;
      }
    }
    return false;
  }
  bool InTableScope(HtmlTag tag) const {
    if (!Has(tag)) return false;
    for (size_t i = open_.size(); i-- > 0;) {
      if (Is(open_[i], tag)) return true;
      if (Is(open_[i], HtmlTag::kTable)) return false;
    }
    return false;
  }
  bool HeadingInScope() const {
    for (size_t i = open_.size(); i-- > 0;) {
      if (open_[i].space == HtmlSpace::kHtml &&
          (open_[i].flags & kTagHeading) != 0) {
        return true;
      }
      if (IsBorder(open_[i])) return false;
    }
    return false;
  }

  static bool Is(const OpenElement& element, HtmlTag tag) {
    return element.tag == tag && element.space == HtmlSpace::kHtml &&
           !element.detached;
  }

 private:
  // Foreign elements are counted apart: they never match an HTML name.
  static size_t Index(const OpenElement& element) {
    return element.space == HtmlSpace::kHtml ? static_cast<size_t>(element.tag)
                                             : 0;
  }
  static bool IsBorder(const OpenElement& element) {
    if (element.space != HtmlSpace::kHtml) return element.integration;
    constexpr uint32_t kBorder = kTagScope | kTagSpecial;
    return (element.flags & kBorder) == kBorder;
  }
  bool Find(HtmlTag tag, HtmlTag border) const {
    if (!Has(tag)) return false;
    for (size_t i = open_.size(); i-- > 0;) {
      if (Is(open_[i], tag)) return true;
      if (IsBorder(open_[i])) return false;
      if (border != HtmlTag::kUnknown && Is(open_[i], border)) return false;
    }
    return false;
  }

  std::vector<OpenElement> open_;
  std::array<uint32_t, static_cast<size_t>(HtmlTag::kCount)> count_{};
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_STACK_H_
