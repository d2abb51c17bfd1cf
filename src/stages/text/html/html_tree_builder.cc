// Tokens by phase, and the rules of the body.
#include "text/html/html_tree_builder.h"

#include "base/ascii.h"
#include "text/html/html_doctype.h"
#include "text/html/html_scan.h"

namespace twinset {
namespace {

bool IsSpaceOnly(std::string_view text) {
  for (const char c : text) {
    if (!IsAsciiSpace(c)) return false;
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
      case HtmlToken::kDoctype:
        Doctype();
        break;
      case HtmlToken::kComment:
        break;
    }
  }
}

// Only the first one counts, and only in front of everything else.
void HtmlTreeBuilder::Doctype() {
  if (doctype_seen_ || phase_ != Phase::kHead || !nodes_.empty()) return;
  doctype_seen_ = true;
  quirks_ = QuirksModeOf(ParseDoctype(*token_)) == QuirksMode::kQuirks;
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
    case InsertionMode::kCell:
      return CellEnd(tag);
    case InsertionMode::kCaption:
      return CaptionEnd(tag);
    default:
      return TableEnd(tag);
  }
}

}  // namespace twinset
