// The pre-scan: a model of the parser's stack and of its list of formatting
// elements (HTML standard, section 13.2.4) that closes an element only when the
// parser surely does.
#include <algorithm>
#include <vector>

#include "text/html/html_tags.h"
#include "text/html/html_tokenizer.h"
#include "text/page/html_reference.h"

namespace twinset {
namespace {

// What gumbo 0.10 allocates in the arena, growth of lists included (measured;
// names, values and text come on top). The arena itself enforces the limit:
// these only decide early.
constexpr uint64_t kElementBytes = 240;
constexpr uint64_t kAttributeBytes = 200;
constexpr uint64_t kTextBytes = 180;

// A start or end tag as the model needs it.
struct Tag {
  HtmlTag key = HtmlTag::kUnknown;  // gumbo takes unknown elements for equal
  uint32_t flags = 0;
  uint64_t attributes = 0;
  size_t bytes = 0;
  bool self_closing = false;
};

bool IsCell(HtmlTag key) { return key == HtmlTag::kTd || key == HtmlTag::kTh; }
bool IsRowGroup(HtmlTag key) {
  return key == HtmlTag::kTbody || key == HtmlTag::kThead ||
         key == HtmlTag::kTfoot;
}
bool IsTablePart(HtmlTag key) {
  return IsCell(key) || IsRowGroup(key) || key == HtmlTag::kTr ||
         key == HtmlTag::kCaption || key == HtmlTag::kCol ||
         key == HtmlTag::kColgroup;
}

class ParserModel {
 public:
  bool over() const {
    return over_ || bytes_ > kMaxTreeBytes ||
           stack_.size() > kMaxOpenElements ||
           formatting_.size() > kMaxFormattingElements;
  }
  // True while the tokenizer surely treats the content of raw text elements as
  // text: inside svg, math and frameset it does not.
  bool raw_text_is_text() const { return foreign_ == 0 && !frameset_; }

  void Text(size_t size) {
    Reconstruct();
    bytes_ += kTextBytes + 2 * size;
  }

  void StartTag(const Tag& tag) {
    bytes_ += kElementBytes + kAttributeBytes * tag.attributes + 2 * tag.bytes;
    if (tag.attributes >= kMaxAttributes) over_ = true;
    if (tag.key == HtmlTag::kHtml || tag.key == HtmlTag::kBody) {
      // Repeated ones only add attributes to the first, each compared with all.
      root_attributes_ += tag.attributes;
      if (root_attributes_ >= kMaxAttributes) over_ = true;
      return;
    }
    if (tag.key == HtmlTag::kHead) return;
    if (foreign_ > 0) {
      if (!tag.self_closing) Push(tag);
      return;
    }
    CloseImplied(tag);
    if ((tag.flags & (kTagClosesP | kTagSpecial)) == 0 ||
        (tag.flags & (kTagVoid | kTagMarker)) != 0 ||
        tag.key == HtmlTag::kButton) {
      Reconstruct();
    }
    if (tag.key == HtmlTag::kIsindex) bytes_ += 16 * kElementBytes;
    if (tag.key == HtmlTag::kFrameset) frameset_ = true;
    if ((tag.flags & kTagVoid) != 0) return;
    if ((tag.flags & kTagForeign) != 0 && tag.self_closing) return;
    Push(tag);
    if ((tag.flags & kTagMarker) != 0) formatting_.push_back({});
    if ((tag.flags & kTagFormatting) != 0) AddFormatting(tag);
  }

  void EndTag(const Tag& tag) {
    bytes_ +=
        tag.key == HtmlTag::kP || tag.key == HtmlTag::kBr ? kElementBytes : 0;
    if (foreign_ > 0 && CloseForeign(tag.key)) return;
    if (tag.key == HtmlTag::kHtml || tag.key == HtmlTag::kBody ||
        tag.key == HtmlTag::kBr)
      return;
    if ((tag.flags & kTagFormatting) != 0) {
      EndFormatting(tag.key);
    } else if (IsTablePart(tag.key) || tag.key == HtmlTag::kTable) {
      EndTablePart(tag.key);
    } else if (tag.key == HtmlTag::kForm) {
      const size_t at = FindInScope(tag.key, HtmlTag::kUnknown);
      if (at < stack_.size()) Remove(at);
    } else if (tag.key == HtmlTag::kTemplate) {
      const size_t at = FindInScope(tag.key, HtmlTag::kUnknown);
      if (at < stack_.size()) PopTo(at);
    } else if ((tag.flags & kTagBlockEnd) != 0 || tag.key == HtmlTag::kP ||
               tag.key == HtmlTag::kLi || tag.key == HtmlTag::kDd ||
               tag.key == HtmlTag::kDt) {
      const size_t at =
          (tag.flags & kTagHeading) != 0
              ? FindHeadingInScope()
              : FindInScope(tag.key, tag.key == HtmlTag::kP ? HtmlTag::kButton
                                     : tag.key == HtmlTag::kLi
                                         ? HtmlTag::kUl
                                         : HtmlTag::kUnknown);
      if (at < stack_.size()) {
        PopTo(at);
        if ((tag.flags & kTagMarker) != 0) ClearToMarker();
      }
    } else {
      EndOrdinary(tag.key);
    }
  }

 private:
  struct Open {
    HtmlTag key = HtmlTag::kUnknown;
    uint32_t flags = 0;
  };
  // An entry of the list of formatting elements; kUnknown is a marker.
  struct Formatting {
    HtmlTag key = HtmlTag::kUnknown;
    bool plain = false;  // without attributes
  };

  void Push(const Tag& tag) {
    stack_.push_back({tag.key, tag.flags});
    foreign_ += (tag.flags & kTagForeign) != 0;
  }

  void PopTo(size_t size) {
    while (stack_.size() > size) {
      foreign_ -= (stack_.back().flags & kTagForeign) != 0;
      stack_.pop_back();
    }
    reconstruct_ = true;
  }

  void Remove(size_t at) {
    foreign_ -= (stack_[at].flags & kTagForeign) != 0;
    stack_.erase(stack_.begin() + static_cast<ptrdiff_t>(at));
    reconstruct_ = true;
  }

  // The parser reopens formatting elements that were closed with their block;
  // at most all.
  void Reconstruct() {
    if (!reconstruct_) return;
    reconstruct_ = false;
    bytes_ += formatting_.size() * (kElementBytes + 2 * kAttributeBytes);
  }

  void AddFormatting(const Tag& tag) {
    const bool plain = tag.attributes == 0;
    if (plain) {  // the list holds at most three equal ones since the last
                  // marker
      int same = 0;
      for (size_t i = formatting_.size();
           i-- > 0 && formatting_[i].key != HtmlTag::kUnknown;) {
        same += formatting_[i].key == tag.key && formatting_[i].plain;
      }
      if (same >= 3) return;
    }
    formatting_.push_back({tag.key, plain});
  }

  void ClearToMarker() {
    while (!formatting_.empty()) {
      const bool marker = formatting_.back().key == HtmlTag::kUnknown;
      formatting_.pop_back();
      if (marker) break;
    }
  }

  // Topmost open element `key` that is in scope, or stack_.size(). `barrier`
  // ends the scope too: HtmlTag::kButton for button scope, HtmlTag::kUl for
  // list item scope.
  size_t FindInScope(HtmlTag key, HtmlTag barrier) const {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == key) return i;
      if ((stack_[i].flags & kTagScope) != 0) break;
      if (barrier != HtmlTag::kUnknown &&
          (stack_[i].key == barrier ||
           (barrier == HtmlTag::kUl && stack_[i].key == HtmlTag::kOl))) {
        break;
      }
    }
    return stack_.size();
  }

  size_t FindHeadingInScope() const {
    for (size_t i = stack_.size(); i-- > 0;) {
      if ((stack_[i].flags & kTagHeading) != 0) return i;
      if ((stack_[i].flags & kTagScope) != 0) break;
    }
    return stack_.size();
  }

  // Topmost open table that no template or html hides, or stack_.size().
  size_t FindTable() const {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == HtmlTag::kTable) return i;
      if (stack_[i].key == HtmlTag::kTemplate) break;
    }
    return stack_.size();
  }

  void CloseImplied(const Tag& tag) {
    if (tag.key == HtmlTag::kLi || tag.key == HtmlTag::kDd ||
        tag.key == HtmlTag::kDt) {
      for (size_t i = stack_.size(); i-- > 0;) {
        const HtmlTag key = stack_[i].key;
        if (tag.key == HtmlTag::kLi
                ? key == HtmlTag::kLi
                : key == HtmlTag::kDd || key == HtmlTag::kDt) {
          PopTo(i);
          break;
        }
        if ((stack_[i].flags & kTagSpecial) != 0 && key != HtmlTag::kAddress &&
            key != HtmlTag::kDiv && key != HtmlTag::kP) {
          break;
        }
      }
    }
    if ((tag.flags & kTagClosesP) != 0 || tag.key == HtmlTag::kLi ||
        tag.key == HtmlTag::kDd || tag.key == HtmlTag::kDt) {
      const size_t at = FindInScope(HtmlTag::kP, HtmlTag::kButton);
      if (at < stack_.size()) PopTo(at);
    }
    if (stack_.empty()) return;
    if ((tag.flags & kTagHeading) != 0 &&
        (stack_.back().flags & kTagHeading) != 0) {
      PopTo(stack_.size() - 1);
    } else if (tag.key == HtmlTag::kOption || tag.key == HtmlTag::kOptgroup) {
      if (stack_.back().key == HtmlTag::kOption) PopTo(stack_.size() - 1);
      if (tag.key == HtmlTag::kOptgroup && stack_.size() >= 2 &&
          stack_.back().key == HtmlTag::kOptgroup &&
          stack_[stack_.size() - 2].key == HtmlTag::kSelect) {
        PopTo(stack_.size() - 1);
      }
    } else if (tag.key == HtmlTag::kButton) {
      const size_t at = FindInScope(HtmlTag::kButton, HtmlTag::kUnknown);
      if (at < stack_.size()) PopTo(at);
    } else if (tag.key == HtmlTag::kA || tag.key == HtmlTag::kNobr) {
      for (size_t i = formatting_.size();
           i-- > 0 && formatting_[i].key != HtmlTag::kUnknown;) {
        if (formatting_[i].key == tag.key) {
          EndFormatting(tag.key);
          break;
        }
      }
    } else if (IsTablePart(tag.key)) {
      StartTablePart(tag.key);
    }
  }

  void StartTablePart(HtmlTag key) {
    const size_t table = FindTable();
    if (table == stack_.size()) return;
    size_t keep = table + 1;
    const auto step_over = [&](auto is) {
      if (keep < stack_.size() && is(stack_[keep].key)) ++keep;
    };
    if (IsCell(key) || key == HtmlTag::kTr) step_over(IsRowGroup);
    if (IsCell(key))
      step_over([](HtmlTag open) { return open == HtmlTag::kTr; });
    if (key == HtmlTag::kCol)
      step_over([](HtmlTag open) { return open == HtmlTag::kColgroup; });
    PopTable(keep);
  }

  void EndTablePart(HtmlTag key) {
    const size_t table = FindTable();
    if (table == stack_.size()) return;
    if (key == HtmlTag::kTable) return PopTable(table);
    for (size_t i = table + 1; i < stack_.size(); ++i) {
      if (stack_[i].key == key) return PopTable(i);
    }
  }

  // Pops down to `size`; closing a cell or a caption clears the list to its
  // marker.
  void PopTable(size_t size) {
    bool cell = false;
    for (size_t i = size; i < stack_.size(); ++i) {
      cell |= IsCell(stack_[i].key) || stack_[i].key == HtmlTag::kCaption;
    }
    PopTo(size);
    if (cell) ClearToMarker();
  }

  // The adoption agency algorithm. It runs eight rounds at most, one for each
  // special element above the formatting element; with more of them that
  // element stays open.
  void EndFormatting(HtmlTag key) {
    size_t entry = formatting_.size();
    for (size_t i = formatting_.size();
         i-- > 0 && formatting_[i].key != HtmlTag::kUnknown;) {
      if (formatting_[i].key == key) {
        entry = i;
        break;
      }
    }
    if (entry == formatting_.size()) return EndOrdinary(key);
    size_t special = 0;
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == key) {
        if (special >= 7) return;
        bytes_ += special * 4 * kElementBytes;  // clones
        if (special == 0) {
          PopTo(i);
        } else {
          Remove(i);
        }
        break;
      }
      if ((stack_[i].flags & kTagScope) != 0) return;
      special += (stack_[i].flags & kTagSpecial) != 0;
    }
    formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
  }

  void EndOrdinary(HtmlTag key) {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == key) return PopTo(i);
      if ((stack_[i].flags & kTagSpecial) != 0) return;
    }
  }

  // True if the end tag is settled within foreign content.
  bool CloseForeign(HtmlTag key) {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == key) {
        PopTo(i);
        return true;
      }
      if ((stack_[i].flags & kTagSpecial) != 0) return true;  // may be ignored
      if ((stack_[i].flags & kTagForeign) != 0) return false;
    }
    return false;
  }

  std::vector<Open> stack_;
  std::vector<Formatting> formatting_;
  uint64_t bytes_ = 0;
  uint64_t root_attributes_ = 0;
  int foreign_ = 0;  // open svg and math elements
  bool frameset_ = false;
  bool reconstruct_ = false;
  bool over_ = false;
};

}  // namespace

bool WithinParserBounds(std::string_view utf8) {
  if (utf8.size() > kMaxParserBytes) return false;
  HtmlTokenizer tokenizer(utf8);
  ParserModel model;
  while (!model.over()) {
    const HtmlToken& token = tokenizer.Next();
    if (token.kind == HtmlToken::kEnd) return true;
    const size_t bytes = token.end - token.begin;
    if (token.kind != HtmlToken::kStartTag &&
        token.kind != HtmlToken::kEndTag) {
      model.Text(bytes);
      continue;
    }
    const Tag tag = {token.tag, TagFlags(token.tag),
                     tokenizer.attributes().size(), bytes, token.self_closing};
    if (token.kind == HtmlToken::kEndTag) {
      model.EndTag(tag);
      continue;
    }
    const bool raw = model.raw_text_is_text();
    model.StartTag(tag);
    if (!raw || (tag.flags & kTagAnyRaw) == 0) continue;
    tokenizer.SetState((tag.flags & kTagScript) != 0   ? HtmlTokenizer::kScript
                       : (tag.flags & kTagRcdata) != 0 ? HtmlTokenizer::kRcdata
                       : (tag.flags & kTagPlaintext) != 0
                           ? HtmlTokenizer::kPlaintext
                           : HtmlTokenizer::kRawText,
                       TagName(tag.key));
  }
  return false;
}

}  // namespace twinset
