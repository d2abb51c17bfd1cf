// The pre-scan: a model of the parser's stack and of its list of formatting
// elements (HTML standard, section 13.2.4) that closes an element only when the
// parser surely does.
#include <algorithm>
#include <vector>

#include "text/html.h"
#include "text/html_scan.h"
#include "text/html_tags.h"

namespace twinset {
namespace {

// What gumbo 0.10 allocates in the arena, growth of lists included (measured;
// names, values and text come on top). The arena itself enforces the limit:
// these only decide early.
constexpr uint64_t kElementBytes = 240;
constexpr uint64_t kAttributeBytes = 200;
constexpr uint64_t kTextBytes = 180;

constexpr uint64_t kA = TagKeyOf("a");
constexpr uint64_t kBody = TagKeyOf("body");
constexpr uint64_t kBr = TagKeyOf("br");
constexpr uint64_t kButton = TagKeyOf("button");
constexpr uint64_t kCaption = TagKeyOf("caption");
constexpr uint64_t kCol = TagKeyOf("col");
constexpr uint64_t kColgroup = TagKeyOf("colgroup");
constexpr uint64_t kDd = TagKeyOf("dd");
constexpr uint64_t kDiv = TagKeyOf("div");
constexpr uint64_t kAddress = TagKeyOf("address");
constexpr uint64_t kDt = TagKeyOf("dt");
constexpr uint64_t kForm = TagKeyOf("form");
constexpr uint64_t kFrameset = TagKeyOf("frameset");
constexpr uint64_t kHead = TagKeyOf("head");
constexpr uint64_t kHtml = TagKeyOf("html");
constexpr uint64_t kIsindex = TagKeyOf("isindex");
constexpr uint64_t kLi = TagKeyOf("li");
constexpr uint64_t kNobr = TagKeyOf("nobr");
constexpr uint64_t kOl = TagKeyOf("ol");
constexpr uint64_t kOptgroup = TagKeyOf("optgroup");
constexpr uint64_t kOption = TagKeyOf("option");
constexpr uint64_t kP = TagKeyOf("p");
constexpr uint64_t kSelect = TagKeyOf("select");
constexpr uint64_t kTable = TagKeyOf("table");
constexpr uint64_t kTbody = TagKeyOf("tbody");
constexpr uint64_t kTd = TagKeyOf("td");
constexpr uint64_t kTemplate = TagKeyOf("template");
constexpr uint64_t kTfoot = TagKeyOf("tfoot");
constexpr uint64_t kTh = TagKeyOf("th");
constexpr uint64_t kThead = TagKeyOf("thead");
constexpr uint64_t kTr = TagKeyOf("tr");
constexpr uint64_t kUl = TagKeyOf("ul");

bool IsCell(uint64_t key) { return key == kTd || key == kTh; }
bool IsRowGroup(uint64_t key) {
  return key == kTbody || key == kThead || key == kTfoot;
}
bool IsTablePart(uint64_t key) {
  return IsCell(key) || IsRowGroup(key) || key == kTr || key == kCaption ||
         key == kCol || key == kColgroup;
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

  void StartTag(const MarkupToken& tag) {
    bytes_ += kElementBytes + kAttributeBytes * tag.attributes +
              2 * (tag.end - tag.begin);
    if (tag.attributes > kMaxAttributes) over_ = true;
    if (tag.key == kHtml || tag.key == kBody) {
      // Repeated ones only add attributes to the first, each compared with all.
      root_attributes_ += tag.attributes;
      if (root_attributes_ > kMaxAttributes) over_ = true;
      return;
    }
    if (tag.key == kHead) return;
    if (foreign_ > 0) {
      if (!tag.self_closing) Push(tag);
      return;
    }
    CloseImplied(tag);
    if ((tag.flags & (kTagClosesP | kTagSpecial)) == 0 ||
        (tag.flags & (kTagVoid | kTagMarker)) != 0 || tag.key == kButton) {
      Reconstruct();
    }
    if (tag.key == kIsindex) bytes_ += 16 * kElementBytes;
    if (tag.key == kFrameset) frameset_ = true;
    if ((tag.flags & kTagVoid) != 0) return;
    if ((tag.flags & kTagForeign) != 0 && tag.self_closing) return;
    Push(tag);
    if ((tag.flags & kTagMarker) != 0) formatting_.push_back({});
    if ((tag.flags & kTagFormatting) != 0) AddFormatting(tag);
  }

  void EndTag(const MarkupToken& tag) {
    bytes_ += tag.key == kP || tag.key == kBr ? kElementBytes : 0;
    if (foreign_ > 0 && CloseForeign(tag.key)) return;
    if (tag.key == kHtml || tag.key == kBody || tag.key == kBr) return;
    if ((tag.flags & kTagFormatting) != 0) {
      EndFormatting(tag.key);
    } else if (IsTablePart(tag.key) || tag.key == kTable) {
      EndTablePart(tag.key);
    } else if (tag.key == kForm) {
      const size_t at = FindInScope(tag.key, 0);
      if (at < stack_.size()) Remove(at);
    } else if (tag.key == kTemplate) {
      const size_t at = FindInScope(tag.key, 0);
      if (at < stack_.size()) PopTo(at);
    } else if ((tag.flags & kTagBlockEnd) != 0 || tag.key == kP ||
               tag.key == kLi || tag.key == kDd || tag.key == kDt) {
      const size_t at = (tag.flags & kTagHeading) != 0
                            ? FindHeadingInScope()
                            : FindInScope(tag.key, tag.key == kP    ? kButton
                                                   : tag.key == kLi ? kUl
                                                                    : 0);
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
    uint64_t key = 0;
    uint32_t flags = 0;
  };
  // An entry of the list of formatting elements; key 0 is a marker.
  struct Formatting {
    uint64_t key = 0;
    bool plain = false;  // without attributes
  };

  void Push(const MarkupToken& tag) {
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

  void AddFormatting(const MarkupToken& tag) {
    const bool plain = tag.attributes == 0;
    if (plain) {  // the list holds at most three equal ones since the last
                  // marker
      int same = 0;
      for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].key != 0;) {
        same += formatting_[i].key == tag.key && formatting_[i].plain;
      }
      if (same >= 3) return;
    }
    formatting_.push_back({tag.key, plain});
  }

  void ClearToMarker() {
    while (!formatting_.empty()) {
      const bool marker = formatting_.back().key == 0;
      formatting_.pop_back();
      if (marker) break;
    }
  }

  // Topmost open element `key` that is in scope, or stack_.size(). `barrier`
  // ends the scope too: kButton for button scope, kUl for list item scope.
  size_t FindInScope(uint64_t key, uint64_t barrier) const {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == key) return i;
      if ((stack_[i].flags & kTagScope) != 0) break;
      if (barrier != 0 && (stack_[i].key == barrier ||
                           (barrier == kUl && stack_[i].key == kOl))) {
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
      if (stack_[i].key == kTable) return i;
      if (stack_[i].key == kTemplate) break;
    }
    return stack_.size();
  }

  void CloseImplied(const MarkupToken& tag) {
    if (tag.key == kLi || tag.key == kDd || tag.key == kDt) {
      for (size_t i = stack_.size(); i-- > 0;) {
        const uint64_t key = stack_[i].key;
        if (tag.key == kLi ? key == kLi : key == kDd || key == kDt) {
          PopTo(i);
          break;
        }
        if ((stack_[i].flags & kTagSpecial) != 0 && key != kAddress &&
            key != kDiv && key != kP) {
          break;
        }
      }
    }
    if ((tag.flags & kTagClosesP) != 0 || tag.key == kLi || tag.key == kDd ||
        tag.key == kDt) {
      const size_t at = FindInScope(kP, kButton);
      if (at < stack_.size()) PopTo(at);
    }
    if (stack_.empty()) return;
    if ((tag.flags & kTagHeading) != 0 &&
        (stack_.back().flags & kTagHeading) != 0) {
      PopTo(stack_.size() - 1);
    } else if (tag.key == kOption || tag.key == kOptgroup) {
      if (stack_.back().key == kOption) PopTo(stack_.size() - 1);
      if (tag.key == kOptgroup && stack_.size() >= 2 &&
          stack_.back().key == kOptgroup &&
          stack_[stack_.size() - 2].key == kSelect) {
        PopTo(stack_.size() - 1);
      }
    } else if (tag.key == kButton) {
      const size_t at = FindInScope(kButton, 0);
      if (at < stack_.size()) PopTo(at);
    } else if (tag.key == kA || tag.key == kNobr) {
      for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].key != 0;) {
        if (formatting_[i].key == tag.key) {
          EndFormatting(tag.key);
          break;
        }
      }
    } else if (IsTablePart(tag.key)) {
      StartTablePart(tag.key);
    }
  }

  void StartTablePart(uint64_t key) {
    const size_t table = FindTable();
    if (table == stack_.size()) return;
    size_t keep = table + 1;
    const auto step_over = [&](auto is) {
      if (keep < stack_.size() && is(stack_[keep].key)) ++keep;
    };
    if (IsCell(key) || key == kTr) step_over(IsRowGroup);
    if (IsCell(key)) step_over([](uint64_t open) { return open == kTr; });
    if (key == kCol) step_over([](uint64_t open) { return open == kColgroup; });
    PopTable(keep);
  }

  void EndTablePart(uint64_t key) {
    const size_t table = FindTable();
    if (table == stack_.size()) return;
    if (key == kTable) return PopTable(table);
    for (size_t i = table + 1; i < stack_.size(); ++i) {
      if (stack_[i].key == key) return PopTable(i);
    }
  }

  // Pops down to `size`; closing a cell or a caption clears the list to its
  // marker.
  void PopTable(size_t size) {
    bool cell = false;
    for (size_t i = size; i < stack_.size(); ++i) {
      cell |= IsCell(stack_[i].key) || stack_[i].key == kCaption;
    }
    PopTo(size);
    if (cell) ClearToMarker();
  }

  // The adoption agency algorithm. It runs eight rounds at most, one for each
  // special element above the formatting element; with more of them that
  // element stays open.
  void EndFormatting(uint64_t key) {
    size_t entry = formatting_.size();
    for (size_t i = formatting_.size(); i-- > 0 && formatting_[i].key != 0;) {
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

  void EndOrdinary(uint64_t key) {
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].key == key) return PopTo(i);
      if ((stack_[i].flags & kTagSpecial) != 0) return;
    }
  }

  // True if the end tag is settled within foreign content.
  bool CloseForeign(uint64_t key) {
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
  MarkupScanner scanner(utf8);
  ParserModel model;
  while (!model.over()) {
    const MarkupToken token = scanner.Next();
    switch (token.kind) {
      case MarkupToken::kEnd:
        return true;
      case MarkupToken::kText:
      case MarkupToken::kOther:
        model.Text(token.end - token.begin);
        break;
      case MarkupToken::kStartTag: {
        const bool raw =
            (token.flags & kTagAnyRaw) != 0 && model.raw_text_is_text();
        model.StartTag(token);
        if (raw) {
          const MarkupToken text = scanner.RawText(token);
          model.Text(text.end - text.begin);
        }
        break;
      }
      case MarkupToken::kEndTag:
        model.EndTag(token);
        break;
    }
  }
  return false;
}

}  // namespace twinset
