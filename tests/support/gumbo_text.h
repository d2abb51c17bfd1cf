// The visible text of a page by an independent parser, gumbo
// (docs/methods/html.md): what our own parser is compared with.
#ifndef TWINSET_TESTS_SUPPORT_GUMBO_TEXT_H_
#define TWINSET_TESTS_SUPPORT_GUMBO_TEXT_H_

#include <gumbo.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_scan.h"
#include "text/html/html_tag.h"
#include "text/html/html_tags.h"
#include "text/page/html_builder.h"

namespace twinset::testing {

inline HtmlTag TagOfGumbo(const GumboElement& element) {
  if (element.tag != GUMBO_TAG_UNKNOWN)
    return TagOf(gumbo_normalized_tagname(element.tag));
  GumboStringPiece name = element.original_tag;
  if (name.data == nullptr) return HtmlTag::kUnknown;
  gumbo_tag_from_original_text(&name);
  return TagOf({name.data, name.length});
}

// Walks gumbo's tree without recursion. It writes through our TextBuilder and
// knows tags by our table, so that two texts differ only by their trees.
class GumboWalker {
 public:
  explicit GumboWalker(CleanText* out) : builder_(false, out) {}

  void Walk(const GumboNode* root) {
    Enter(root);
    while (!path_.empty()) {
      Open& open = path_.back();
      if (open.next_child < open.children->length) {
        Enter(static_cast<const GumboNode*>(
            open.children->data[open.next_child++]));
      } else {
        Leave(open);
        path_.pop_back();
      }
    }
    builder_.Finish();
  }

 private:
  struct Open {
    const GumboVector* children;
    unsigned next_child = 0;
    uint32_t flags = 0;
    bool mute = false;     // text inside is not visible
    bool reading = false;  // inside a ruby reading, which alone hides it
    bool in_ruby = false;  // a ruby is in the scope of the standard's stack
  };

  // Elements of svg and math mean nothing by their names, except those that
  // leave no text.
  static uint32_t FlagsOf(const GumboElement& element, HtmlTag tag) {
    const uint32_t flags = TagFlags(tag);
    if (element.tag_namespace == GUMBO_NAMESPACE_HTML) return flags;
    const bool hides = tag == HtmlTag::kSvg || tag == HtmlTag::kAnnotation ||
                       tag == HtmlTag::kAnnotationXml;
    return hides ? flags & (kTagDrop | kTagMute) : 0;
  }

  static bool IsHidden(const GumboElement& element, HtmlTag tag) {
    if (element.tag_namespace == GUMBO_NAMESPACE_HTML &&
        tag == HtmlTag::kDialog &&
        gumbo_get_attribute(&element.attributes, "open") == nullptr)
      return true;
    // Scripts show what these hide while a page loads.
    if (element.tag == GUMBO_TAG_BODY || element.tag == GUMBO_TAG_HTML)
      return false;
    for (unsigned i = 0; i < element.attributes.length; ++i) {
      const auto* attribute =
          static_cast<const GumboAttribute*>(element.attributes.data[i]);
      if (IsHidingAttribute(attribute->name, attribute->value)) return true;
    }
    return false;
  }

  void Enter(const GumboNode* node) {
    switch (node->type) {
      case GUMBO_NODE_DOCUMENT:
        path_.push_back({&node->v.document.children});
        break;
      case GUMBO_NODE_ELEMENT:
        EnterElement(node->v.element);
        break;
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_CDATA:
      case GUMBO_NODE_WHITESPACE:
        if (!path_.back().mute) builder_.Text(node->v.text.text, 0);
        break;
      default:  // comments, templates
        break;
    }
  }

  void EnterElement(const GumboElement& element) {
    const HtmlTag tag = TagOfGumbo(element);
    const uint32_t flags = FlagsOf(element, tag);
    if ((flags & kTagDrop) != 0) return;
    const Open& parent = path_.back();
    // No reading holds a block: in one that was not closed it is text again.
    const bool is_block = (flags & (kTagBlock | kTagVoid)) == kTagBlock;
    const bool in_reading = parent.reading && !is_block;
    const bool hides = (flags & kTagMute) != 0 || IsHidden(element, tag);
    const bool inherits = parent.mute && (!parent.reading || in_reading);
    const bool reads = parent.in_ruby && !inherits &&
                       (tag == HtmlTag::kRt || tag == HtmlTag::kRtc);
    const bool reading = (in_reading || reads) && !hides;
    const bool hidden = inherits || hides || reading;
    const bool in_ruby =
        tag == HtmlTag::kRuby || (parent.in_ruby && (flags & kTagScope) == 0);
    path_.push_back({&element.children, 0, flags, hidden, reading, in_ruby});
    if (hidden) return;
    Separate(flags);
    if ((flags & kTagPreserve) != 0) builder_.BeginPreserve();
  }

  void Leave(const Open& open) {
    if (open.mute) return;
    if ((open.flags & kTagPreserve) != 0) builder_.EndPreserve();
    Separate(open.flags);
  }

  void Separate(uint32_t flags) {
    if ((flags & kTagBlock) != 0) builder_.Break(0);
    if ((flags & kTagCell) != 0) builder_.Cell(0);
  }

  TextBuilder builder_;
  std::vector<Open> path_;
};

// Returns the text of valid UTF-8. gumbo's time and memory have no bound, and
// its tree is freed by recursion: this is for pages of ordinary size and depth.
inline std::string GumboText(std::string_view utf8) {
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  GumboOutput* const output =
      gumbo_parse_with_options(&options, utf8.data(), utf8.size());
  CleanText clean;
  GumboWalker(&clean).Walk(output->document);
  gumbo_destroy_output(&options, output);
  return std::move(clean.text);
}

}  // namespace twinset::testing

#endif  // TWINSET_TESTS_SUPPORT_GUMBO_TEXT_H_
