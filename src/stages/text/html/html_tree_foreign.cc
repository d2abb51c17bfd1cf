// svg and math (HTML standard, section 13.2.6.5).
#include "base/ascii.h"
#include "text/html/html_scan.h"
#include "text/html/html_tree_builder.h"

namespace twinset {
namespace {

bool IsMathText(HtmlTag tag) {
  return tag == HtmlTag::kMi || tag == HtmlTag::kMo || tag == HtmlTag::kMn ||
         tag == HtmlTag::kMs || tag == HtmlTag::kMtext;
}

}  // namespace

// Returns true iff the token is for the rules of foreign content.
bool HtmlTreeBuilder::InForeign() const {
  if (stack_.empty() || stack_.top().space == HtmlSpace::kHtml) return false;
  if (!stack_.top().integration) return true;
  if (token_->kind != HtmlToken::kStartTag) {
    return token_->kind == HtmlToken::kEndTag;
  }
  return stack_.top().space == HtmlSpace::kMath &&
         (token_->tag == HtmlTag::kMglyph ||
          token_->tag == HtmlTag::kMalignmark);
}

void HtmlTreeBuilder::PushForeign(HtmlSpace space) {
  if (token_->self_closing) return;
  const HtmlTag tag = token_->tag;
  const bool hides =
      Hides() || tag == HtmlTag::kAnnotation || tag == HtmlTag::kAnnotationXml;
  OpenElement& element = Open(tag, space, mode());
  element.name = NameHash(token_->raw);
  element.hides = hides;
  element.dropped |= tag == HtmlTag::kSvg;
  if (space == HtmlSpace::kSvg) {
    element.integration = tag == HtmlTag::kForeignobject ||
                          tag == HtmlTag::kDesc || tag == HtmlTag::kTitle;
  } else if (tag == HtmlTag::kAnnotationXml) {
    const HtmlAttribute* const encoding = tokenizer_.Find("encoding");
    element.integration =
        encoding != nullptr &&
        (EqualsIgnoreCase(encoding->value, "text/html") ||
         EqualsIgnoreCase(encoding->value, "application/xhtml+xml"));
  } else {
    element.integration = IsMathText(tag);
  }
  Enter(&element, false);
}

// False: the token ended the foreign content and is HTML's.
bool HtmlTreeBuilder::ForeignStart() {
  const HtmlTag tag = token_->tag;
  bool breaks_out = (TagFlags(tag) & kTagBreakout) != 0;
  if (tag == HtmlTag::kFont) {
    breaks_out = tokenizer_.Find("color") != nullptr ||
                 tokenizer_.Find("face") != nullptr ||
                 tokenizer_.Find("size") != nullptr;
  }
  if (breaks_out) {
    while (!stack_.empty() && stack_.top().space != HtmlSpace::kHtml &&
           !stack_.top().integration) {
      Pop();
    }
    return false;
  }
  const OpenElement& top = stack_.top();
  if (tag == HtmlTag::kSvg && top.tag == HtmlTag::kAnnotationXml &&
      top.space == HtmlSpace::kMath) {
    PushForeign(HtmlSpace::kSvg);
  } else {
    PushForeign(top.space);
  }
  return true;
}

bool HtmlTreeBuilder::ForeignEnd() {
  const HtmlTag tag = token_->tag;
  if (tag == HtmlTag::kBr || tag == HtmlTag::kP) {
    while (!stack_.empty() && stack_.top().space != HtmlSpace::kHtml &&
           !stack_.top().integration) {
      Pop();
    }
    return false;
  }
  const uint32_t name = NameHash(token_->raw);
  for (size_t i = stack_.size(); i-- > 0;) {
    const OpenElement& element = stack_.open()[i];
    if (element.space == HtmlSpace::kHtml) return false;
    if (element.name == name) {
      PopTo(i);
      return true;
    }
  }
  return false;
}

}  // namespace twinset
