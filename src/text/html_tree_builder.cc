// Tokens by phase, and the rules of the body.
#include "text/html_tree_builder.h"

#include "text/html_scan.h"

namespace twinset {
namespace {

bool IsSpaceOnly(std::string_view text) {
  for (const char c : text) {
    if (!IsHtmlSpace(c)) return false;
  }
  return true;
}

bool SeparatesLines(const HtmlNode& node) {
  if (node.tag == HtmlTag::kBody || node.tag == HtmlTag::kHtml ||
      (node.flags & HtmlNode::kHidden) != 0) {
    return false;
  }
  return (node.kind == HtmlNode::kOpen || node.kind == HtmlNode::kClose ||
          node.kind == HtmlNode::kVoid) &&
         (TagFlags(node.tag) & kTagBlock) != 0;
}

}  // namespace

void HtmlTreeBuilder::Run() {
  for (;;) {
    tokenizer_.AllowCdata(!stack_.empty() &&
                          stack_.top().space != HtmlSpace::kHtml);
    token_ = &tokenizer_.Next();
    const bool skip = skip_line_feed_;
    skip_line_feed_ = false;
    if (nodes_.size() >= kMaxHtmlNodes) return CutShort();
    switch (token_->kind) {
      case HtmlToken::kText:
        skip_line_feed_ = skip;
        Text();
        skip_line_feed_ = false;
        break;
      case HtmlToken::kStartTag:
        StartTag();
        break;
      case HtmlToken::kEndTag:
        EndTag();
        break;
      case HtmlToken::kEnd:
        CloseLink();
        PopTo(0);
        ReorderFostered();
        return;
      default:  // comments, doctypes
        break;
    }
  }
}

void HtmlTreeBuilder::CutShort() {
  const auto size = static_cast<uint32_t>(source_.size());
  const uint32_t begin = token_->begin;
  CloseLink();
  PopTo(0);
  nodes_.push_back({begin, size, HtmlTag::kUnknown, HtmlNode::kRest, 0});
  tree_->cut_short = true;
}

void HtmlTreeBuilder::Text() {
  uint32_t begin = token_->begin, end = token_->end;
  if (token_->cdata) {
    begin = static_cast<uint32_t>(token_->raw.data() - source_.data());
    end = begin + static_cast<uint32_t>(token_->raw.size());
  }
  if (skip_line_feed_ && begin < end) {
    if (source_[begin] == '\r') ++begin;
    if (begin < end && source_[begin] == '\n') ++begin;
  }
  if (phase_ == Phase::kFrameset || begin == end) return;
  const bool blank = IsSpaceOnly(source_.substr(begin, end - begin));
  if (phase_ == Phase::kHead) {
    if (blank) return;
    EnsureBody();
  }
  if (!blank) frameset_ok_ = false;
  if (hidden()) return;
  if (mode() == InsertionMode::kColumnGroup && !blank) Pop();
  if (blank) {
    // Between lines, or in a table outside its cells, it separates nothing.
    const bool at_line_end =
        preserve_ == 0 && !nodes_.empty() && SeparatesLines(nodes_.back());
    if (at_line_end) return;
  }
  const InsertionMode at = mode();
  fostering_ =
      !blank && (at == InsertionMode::kTable ||
                 at == InsertionMode::kTableBody || at == InsertionMode::kRow);
  const uint8_t decode = token_->needs_decoding ? HtmlNode::kDecode : 0;
  const uint8_t raw = token_->references ? 0 : HtmlNode::kRaw;
  Append(HtmlNode::kText, HtmlTag::kUnknown, static_cast<uint8_t>(decode | raw),
         begin, end);
  fostering_ = false;
}

bool HtmlTreeBuilder::IsHeadTag(HtmlTag tag) const {
  switch (tag) {
    case HtmlTag::kBase:
    case HtmlTag::kBasefont:
    case HtmlTag::kBgsound:
    case HtmlTag::kLink:
    case HtmlTag::kMeta:
    case HtmlTag::kTitle:
    case HtmlTag::kNoframes:
    case HtmlTag::kScript:
    case HtmlTag::kStyle:
    case HtmlTag::kTemplate:
      return true;
    default:
      return false;
  }
}

void HtmlTreeBuilder::StartTag() {
  const HtmlTag tag = token_->tag;
  if (InForeign() && ForeignStart()) return;
  if (tag == HtmlTag::kHtml) {
    if (!html_seen_) {
      Append(HtmlNode::kVoid, tag, 0, token_->begin, token_->end);
    }
    html_seen_ = true;
    return;
  }
  if (phase_ == Phase::kFrameset) {
    if (tag == HtmlTag::kFrame) VoidTag();
    if (tag == HtmlTag::kNoframes) ReadRaw(HtmlTokenizer::kRawText);
    return;
  }
  if (IsHeadTag(tag)) return HeadStart();
  if (phase_ == Phase::kHead) {
    if (tag == HtmlTag::kHead) return;
    if (tag == HtmlTag::kNoscript) return ReadRaw(HtmlTokenizer::kRawText);
  }
  if (tag == HtmlTag::kFrameset) {
    if (phase_ == Phase::kHead || frameset_ok_) {
      PopTo(0);
      phase_ = Phase::kFrameset;
    }
    return;
  }
  if (tag == HtmlTag::kBody) {
    frameset_ok_ = false;
    if (!body_seen_) {
      Append(HtmlNode::kVoid, tag, 0, token_->begin, token_->end);
    }
    body_seen_ = true;
    phase_ = Phase::kBody;
    return;
  }
  EnsureBody();
  switch (mode()) {
    case InsertionMode::kBody:
      return BodyStart();
    case InsertionMode::kSelect:
    case InsertionMode::kSelectInTable:
      return SelectStart();
    case InsertionMode::kCell:
    case InsertionMode::kCaption:
      return CaptionOrCellStart();
    default:
      return TableStart();
  }
}

void HtmlTreeBuilder::EnsureBody() {
  if (phase_ == Phase::kHead) phase_ = Phase::kBody;
}

void HtmlTreeBuilder::HeadStart() {
  switch (token_->tag) {
    case HtmlTag::kTitle: {
      const bool counts = !dropped();
      const uint32_t begin = token_->begin, end = token_->end;
      tokenizer_.SetState(HtmlTokenizer::kRcdata, "title");
      if (counts) {
        nodes_.push_back(
            {begin, end, HtmlTag::kTitle, HtmlNode::kOpen, HtmlNode::kHidden});
      }
      token_ = &tokenizer_.Next();
      if (token_->kind == HtmlToken::kText) {
        if (counts) {
          nodes_.push_back(
              {token_->begin, token_->end, HtmlTag::kUnknown, HtmlNode::kText,
               static_cast<uint8_t>(
                   HtmlNode::kHidden |
                   (token_->needs_decoding ? HtmlNode::kDecode : 0))});
        }
        token_ = &tokenizer_.Next();
      }
      if (counts) {
        nodes_.push_back({token_->begin, token_->end, HtmlTag::kTitle,
                          HtmlNode::kClose, HtmlNode::kHidden});
      }
      return;
    }
    case HtmlTag::kScript:
      return ReadRaw(HtmlTokenizer::kScript);
    case HtmlTag::kStyle:
    case HtmlTag::kNoframes:
      return ReadRaw(HtmlTokenizer::kRawText);
    case HtmlTag::kTemplate:
      return Template();
    default:
      return VoidTag();
  }
}

// The content of a raw element leaves nothing.
void HtmlTreeBuilder::ReadRaw(HtmlTokenizer::State state) {
  tokenizer_.SetState(state, TagName(token_->tag));
  token_ = &tokenizer_.Next();
  if (token_->kind == HtmlToken::kText) token_ = &tokenizer_.Next();
}

// Template contents are a document of their own that nobody sees.
void HtmlTreeBuilder::Template() {
  uint64_t depth = 1;
  while (depth > 0) {
    token_ = &tokenizer_.Next();
    if (token_->kind == HtmlToken::kEnd) {
      // Next gives it again, to whoever asks.
      return;
    }
    if (token_->tag == HtmlTag::kTemplate) {
      if (token_->kind == HtmlToken::kStartTag) ++depth;
      if (token_->kind == HtmlToken::kEndTag) --depth;
    } else if (token_->kind == HtmlToken::kStartTag) {
      const uint32_t flags = TagFlags(token_->tag);
      if (token_->tag == HtmlTag::kNoscript || (flags & kTagRaw) != 0) {
        ReadRaw(HtmlTokenizer::kRawText);
      } else if ((flags & kTagScript) != 0) {
        ReadRaw(HtmlTokenizer::kScript);
      } else if ((flags & kTagRcdata) != 0) {
        ReadRaw(HtmlTokenizer::kRcdata);
      } else if ((flags & kTagPlaintext) != 0) {
        Plaintext();
      }
    }
  }
}

void HtmlTreeBuilder::Plaintext() {
  tokenizer_.SetState(HtmlTokenizer::kPlaintext, "");
}

void HtmlTreeBuilder::VoidTag() {
  if (dropped()) return;
  const uint8_t flags = hidden() || Hides() ? HtmlNode::kHidden : 0;
  Append(HtmlNode::kVoid, token_->tag, flags, token_->begin, token_->end);
}

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
      CloseP();
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
      frameset_ok_ = false;
      return Push(tag, same == InsertionMode::kBody
                           ? InsertionMode::kSelect
                           : InsertionMode::kSelectInTable);
    case HtmlTag::kOption:
    case HtmlTag::kOptgroup:
      if (!stack_.empty() && HtmlStack::Is(stack_.top(), HtmlTag::kOption)) {
        Pop();
      }
      return Push(tag, same);
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

void HtmlTreeBuilder::Ruby(HtmlTag tag) {
  if (stack_.InScope(HtmlTag::kRuby)) {
    const bool text = tag == HtmlTag::kRp || tag == HtmlTag::kRt;
    GenerateImpliedEnds(text ? HtmlTag::kRtc : HtmlTag::kUnknown);
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
        stack_.Remove(i);
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

void HtmlTreeBuilder::EndTag() {
  const HtmlTag tag = token_->tag;
  if (InForeign() && ForeignEnd()) return;
  if (phase_ == Phase::kFrameset) return;
  if (phase_ == Phase::kHead) {
    if (tag != HtmlTag::kBr && tag != HtmlTag::kBody) return;
    EnsureBody();
  }
  switch (mode()) {
    case InsertionMode::kBody:
      return BodyEnd(tag);
    case InsertionMode::kSelect:
    case InsertionMode::kSelectInTable:
      return SelectEnd(tag);
    case InsertionMode::kCell:
      return CellEnd(tag);
    case InsertionMode::kCaption:
      return CaptionEnd(tag);
    default:
      return TableEnd(tag);
  }
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
  if ((flags & kTagFormatting) != 0) return FormattingEnd(tag);
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
