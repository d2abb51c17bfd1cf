// The rules of the body (HTML standard, section 13.2.6.4.7).
#include "text/html/html_tree_builder.h"

namespace twinset {

bool HtmlTreeBuilder::InBodyAlone(HtmlTag tag) const {
  switch (tag) {
    case HtmlTag::kCaption:
    case HtmlTag::kCol:
    case HtmlTag::kColgroup:
    case HtmlTag::kFrame:
    case HtmlTag::kHead:
    case HtmlTag::kTbody:
    case HtmlTag::kTd:
    case HtmlTag::kTfoot:
    case HtmlTag::kTh:
    case HtmlTag::kThead:
    case HtmlTag::kTr:
      return false;  // only where a table or a frameset is
    default:
      return true;
  }
}

void HtmlTreeBuilder::BodyStart() {
  const HtmlTag tag = token_->tag;
  const uint32_t flags = TagFlags(tag);
  if (!InBodyAlone(tag)) return;
  if (tag == HtmlTag::kA) return LinkStart();
  if ((flags & kTagFormatting) != 0) return FormattingStart();
  if ((flags & kTagVoid) != 0) {
    if ((flags & kTagClosesP) != 0) CloseP();
    if (stack_.Has(HtmlTag::kSelect) && stack_.InScope(HtmlTag::kSelect)) {
      if (tag == HtmlTag::kHr) GenerateImpliedEnds(HtmlTag::kUnknown);
      if (tag == HtmlTag::kInput) PopThrough(HtmlTag::kSelect);
    }
    if (tag != HtmlTag::kParam && tag != HtmlTag::kSource &&
        tag != HtmlTag::kTrack) {
      frameset_ok_ = false;
    }
    return VoidTag();
  }
  if ((flags & kTagHeading) != 0) {
    CloseP();
    if (!stack_.empty() && stack_.top().space == HtmlSpace::kHtml &&
        (stack_.top().flags & kTagHeading) != 0) {
      Pop();
    }
    return Push(tag, mode());
  }
  BodyStartSpecial();
}

void HtmlTreeBuilder::BodyStartSpecial() {
  const HtmlTag tag = token_->tag;
  const uint32_t flags = TagFlags(tag);
  const InsertionMode same = mode();
  switch (tag) {
    case HtmlTag::kForm:
      return FormStart();
    case HtmlTag::kLi:
      return ItemStart(HtmlTag::kLi, HtmlTag::kLi);
    case HtmlTag::kDd:
    case HtmlTag::kDt:
      return ItemStart(HtmlTag::kDd, HtmlTag::kDt);
    case HtmlTag::kPre:
    case HtmlTag::kListing:
      CloseP();
      Push(tag, same);
      skip_line_feed_ = true;
      frameset_ok_ = false;
      return;
    case HtmlTag::kPlaintext:
      CloseP();
      Push(tag, same);
      return Plaintext();
    case HtmlTag::kButton:
      if (stack_.InScope(tag)) {
        GenerateImpliedEnds(HtmlTag::kUnknown);
        PopThrough(tag);
      }
      frameset_ok_ = false;
      return Push(tag, same);
    case HtmlTag::kTable:
      if (!quirks_) CloseP();
      frameset_ok_ = false;
      return Push(tag, InsertionMode::kTable);
    case HtmlTag::kTextarea:
      Push(tag, same);
      skip_line_feed_ = true;
      frameset_ok_ = false;
      return tokenizer_.SetState(HtmlTokenizer::kRcdata, "textarea");
    case HtmlTag::kXmp:
      CloseP();
      frameset_ok_ = false;
      Push(tag, same);
      return tokenizer_.SetState(HtmlTokenizer::kRawText, "xmp");
    case HtmlTag::kIframe:
      frameset_ok_ = false;
      VoidTag();
      return ReadRaw(HtmlTokenizer::kRawText);
    case HtmlTag::kNoembed:
    case HtmlTag::kNoscript:
      return ReadRaw(HtmlTokenizer::kRawText);
    case HtmlTag::kSelect:
      return SelectStart();
    case HtmlTag::kOption:
    case HtmlTag::kOptgroup:
      return OptionStart(tag);
    case HtmlTag::kRb:
    case HtmlTag::kRp:
    case HtmlTag::kRt:
    case HtmlTag::kRtc:
      return Ruby(tag);
    case HtmlTag::kMath:
      return PushForeign(HtmlSpace::kMath);
    case HtmlTag::kSvg:
      return PushForeign(HtmlSpace::kSvg);
    case HtmlTag::kTime:
      VoidTag();
      break;
    default:
      break;
  }
  if ((flags & kTagClosesP) != 0) CloseP();
  if ((flags & kTagMarker) != 0) frameset_ok_ = false;
  OpenElement& element = Open(tag, HtmlSpace::kHtml, same);
  element.hides = Hides() || (tag == HtmlTag::kDialog &&
                              tokenizer_.Find("open") == nullptr);
  if (tag == HtmlTag::kUnknown) element.name = NameHash(token_->raw);
  Enter(&element, false);
}

// A reading is no text; what looks like one outside of ruby is.
void HtmlTreeBuilder::Ruby(HtmlTag tag) {
  const bool in_ruby = stack_.InScope(HtmlTag::kRuby);
  if (in_ruby) {
    const bool text = tag == HtmlTag::kRp || tag == HtmlTag::kRt;
    GenerateImpliedEnds(text ? HtmlTag::kRtc : HtmlTag::kUnknown);
  }
  OpenElement& element = Open(tag, HtmlSpace::kHtml, mode());
  element.hides = Hides();
  element.reading |= in_ruby && tag != HtmlTag::kRb && !element.hidden;
  Enter(&element, false);
}

// A select inside a select ends it.
void HtmlTreeBuilder::SelectStart() {
  if (stack_.InScope(HtmlTag::kSelect)) return PopThrough(HtmlTag::kSelect);
  frameset_ok_ = false;
  Push(HtmlTag::kSelect, mode());
}

void HtmlTreeBuilder::OptionStart(HtmlTag tag) {
  if (stack_.InScope(HtmlTag::kSelect)) {
    GenerateImpliedEnds(tag == HtmlTag::kOption ? HtmlTag::kOptgroup
                                                : HtmlTag::kUnknown);
  } else if (!stack_.empty() && HtmlStack::Is(stack_.top(), HtmlTag::kOption)) {
    Pop();
  }
  Push(tag, mode());
}

// li; dd and dt: an open sibling ends, unless a special element stands between.
void HtmlTreeBuilder::ItemStart(HtmlTag first, HtmlTag second) {
  frameset_ok_ = false;
  for (size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& element = stack_.open()[i];
    if (element.detached) continue;
    if (HtmlStack::Is(element, first) || HtmlStack::Is(element, second)) {
      const HtmlTag sibling = element.tag;
      GenerateImpliedEnds(sibling);
      PopThrough(sibling);
      break;
    }
    const bool passes = HtmlStack::Is(element, HtmlTag::kAddress) ||
                        HtmlStack::Is(element, HtmlTag::kDiv) ||
                        HtmlStack::Is(element, HtmlTag::kP);
    if ((element.flags & kTagSpecial) != 0 && !passes) break;
  }
  CloseP();
  Push(token_->tag, mode());
}

void HtmlTreeBuilder::FormStart() {
  if (form_open_) return;
  CloseP();
  form_open_ = true;
  Push(HtmlTag::kForm, mode());
}

// The form leaves the stack wherever it is; what is open inside stays open.
void HtmlTreeBuilder::FormEnd() {
  const bool in_scope = form_open_ && stack_.InScope(HtmlTag::kForm);
  form_open_ = false;
  if (!in_scope) return;
  GenerateImpliedEnds(HtmlTag::kUnknown);
  for (size_t i = stack_.size(); i-- > 0;) {
    if (!HtmlStack::Is(stack_.open()[i], HtmlTag::kForm)) continue;
    if (i + 1 == stack_.size()) return Pop();
    return stack_.Detach(i);
  }
}

void HtmlTreeBuilder::LinkStart() {
  CloseLink();
  FormattingEnd(HtmlTag::kA);
  FormattingStart();
  if (dropped() || tokenizer_.Find("href") == nullptr) return;
  Append(HtmlNode::kLinkOpen, HtmlTag::kA, hidden() ? HtmlNode::kHidden : 0,
         token_->begin, token_->end);
  link_open_ = true;
}

// The list is kept only while one of its elements hides something.
void HtmlTreeBuilder::FormattingStart() {
  const bool hides = Hides();
  const HtmlTag tag = token_->tag;
  OpenElement& element = Open(tag, HtmlSpace::kHtml, mode());
  element.hides = hides;
  Enter(&element, false);
  if (formatting_.size() >= kMaxHtmlDepth || (!hides && formatting_.empty())) {
    return;
  }
  formatting_.push_back({tag, hides});
  hiding_ += hides;
}

// The adoption agency: the element closes with all ordinary ones inside it; if
// a special one is open inside, it leaves the stack from below that, and so do
// the ordinary ones above.
void HtmlTreeBuilder::FormattingEnd(HtmlTag tag) {
  size_t floor = 0;  // of the list: behind the last marker
  bool special_inside = false;
  for (size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& element = stack_.open()[i];
    if (HtmlStack::Is(element, tag)) {
      if (special_inside) {
        stack_.Detach(i);
        stack_.Unhide(i);
        while ((stack_.top().flags & kTagSpecial) == 0) Pop();
      } else {
        PopTo(i);
      }
      break;
    }
    if ((element.flags & kTagMarker) != 0) {
      floor = element.formatting;
      break;
    }
    special_inside = special_inside || (element.flags & kTagSpecial) != 0;
  }
  for (size_t i = formatting_.size(); i-- > floor;) {
    if (formatting_[i].tag != tag) continue;
    hiding_ -= formatting_[i].hidden;
    formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(i));
    break;
  }
}

// Returns true iff the innermost formatting element of the name is open outside
// of a select that is open: its end tag in there means nothing.
bool HtmlTreeBuilder::BeyondScope(HtmlTag formatting) const {
  if (!stack_.Has(HtmlTag::kSelect)) return false;
  bool in_select = false;
  for (size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& element = stack_.open()[i];
    if (HtmlStack::Is(element, formatting)) return in_select;
    if ((element.flags & kTagMarker) != 0) return false;
    in_select |= HtmlStack::Is(element, HtmlTag::kSelect);
  }
  return false;
}

void HtmlTreeBuilder::BodyEnd(HtmlTag tag) {
  const uint32_t flags = TagFlags(tag);
  switch (tag) {
    case HtmlTag::kHtml:
    case HtmlTag::kBody:
    case HtmlTag::kTemplate:
      return;
    case HtmlTag::kForm:
      return FormEnd();
    case HtmlTag::kA:
      if (BeyondScope(tag)) return;
      CloseLink();
      return FormattingEnd(tag);
    case HtmlTag::kP:
      if (stack_.InButtonScope(tag)) return PopThrough(tag);
      if (!hidden()) {  // an empty paragraph
        Append(HtmlNode::kVoid, tag, HtmlNode::kImplied, token_->begin,
               token_->end);
      }
      return;
    case HtmlTag::kBr:
      return VoidTag();
    case HtmlTag::kLi:
      if (!stack_.InListItemScope(tag)) return;
      GenerateImpliedEnds(tag);
      return PopThrough(tag);
    case HtmlTag::kDd:
    case HtmlTag::kDt:
      if (!stack_.InScope(tag)) return;
      GenerateImpliedEnds(tag);
      return PopThrough(tag);
    default:
      break;
  }
  if ((flags & kTagFormatting) != 0) {
    if (!BeyondScope(tag)) FormattingEnd(tag);
    return;
  }
  if ((flags & kTagHeading) != 0) {
    if (!stack_.HeadingInScope()) return;
    GenerateImpliedEnds(HtmlTag::kUnknown);
    for (bool heading = false; !heading;) {
      heading = stack_.top().space == HtmlSpace::kHtml &&
                (stack_.top().flags & kTagHeading) != 0;
      Pop();
    }
    return;
  }
  if ((flags & kTagBlockEnd) != 0) {
    if (!stack_.InScope(tag)) return;
    GenerateImpliedEnds(HtmlTag::kUnknown);
    return PopThrough(tag);
  }
  AnyOtherEnd(tag, tag == HtmlTag::kUnknown ? NameHash(token_->raw) : 0);
}

void HtmlTreeBuilder::AnyOtherEnd(HtmlTag tag, uint32_t name) {
  for (size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& element = stack_.open()[i];
    if (element.detached) continue;
    if (HtmlStack::Is(element, tag) &&
        (tag != HtmlTag::kUnknown || element.name == name)) {
      GenerateImpliedEnds(tag);
      return PopTo(i);
    }
    if ((element.flags & kTagSpecial) != 0 ||
        (element.space != HtmlSpace::kHtml && element.integration)) {
      return;
    }
  }
}

}  // namespace twinset
