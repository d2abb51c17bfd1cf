// The reference path: gumbo's tree, walked without recursion.
#include "text/page/html_reference.h"

#include <gumbo.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/charset/charset.h"
#include "text/html/html_arena.h"
#include "text/html/html_entities.h"
#include "text/html/html_scan.h"
#include "text/html/html_tags.h"
#include "text/html/html_tokenizer.h"
#include "text/page/html_builder.h"

namespace twinset {
namespace {

// gumbo does not look at the result of its allocator, so running out of memory
// leaves the parse by a jump over its frames: it is C, owns nothing but arena
// blocks, and is not entered again.
struct ParseState {
  HtmlArena* arena;
  std::jmp_buf out_of_memory;
};

void* AllocateOrJump(void* userdata, size_t size) {
  ParseState* const state = static_cast<ParseState*>(userdata);
  void* const block = state->arena->Allocate(size);
  if (block == nullptr) std::longjmp(state->out_of_memory, 1);
  return block;
}

void FreeBlock(void* userdata, void* block) {
  static_cast<ParseState*>(userdata)->arena->Free(block);
}

// Null when the arena is exhausted. No object with a destructor may live in
// this frame.
const GumboOutput* Parse(std::string_view utf8, ParseState* state) {
  if (setjmp(state->out_of_memory) != 0) return nullptr;
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = AllocateOrJump;
  options.deallocator = FreeBlock;
  options.userdata = state;
  options.max_errors = 0;
  return gumbo_parse_with_options(&options, utf8.data(), utf8.size());
}

// Our numbers of gumbo's tags, by its enumeration.
const std::array<HtmlTag, GUMBO_TAG_LAST>& GumboKeys() {
  static const std::array<HtmlTag, GUMBO_TAG_LAST> keys = [] {
    std::array<HtmlTag, GUMBO_TAG_LAST> made{};
    for (size_t i = 0; i < made.size(); ++i) {
      made[i] = TagOf(gumbo_normalized_tagname(static_cast<GumboTag>(i)));
    }
    return made;
  }();
  return keys;
}

HtmlTag KeyOf(const GumboElement& element) {
  if (element.tag != GUMBO_TAG_UNKNOWN) return GumboKeys()[element.tag];
  GumboStringPiece name = element.original_tag;
  if (name.data == nullptr) return HtmlTag::kUnknown;
  gumbo_tag_from_original_text(&name);
  return TagOf({name.data, name.length});
}

const char* Attribute(const GumboElement& element, const char* name) {
  const GumboAttribute* const attribute =
      gumbo_get_attribute(&element.attributes, name);
  return attribute == nullptr ? nullptr : attribute->value;
}

// Elements of svg and math mean nothing by their names, except those that leave
// no text.
uint32_t FlagsOf(const GumboElement& element, HtmlTag key) {
  const uint32_t flags = TagFlags(key);
  if (element.tag_namespace == GUMBO_NAMESPACE_HTML) return flags;
  const bool hides = key == HtmlTag::kSvg || key == HtmlTag::kAnnotation ||
                     key == HtmlTag::kAnnotationXml;
  return hides ? flags & (kTagDrop | kTagMute) : 0;
}

bool IsHidden(const GumboElement& element) {
  const bool closed = element.tag_namespace == GUMBO_NAMESPACE_HTML &&
                      KeyOf(element) == HtmlTag::kDialog &&
                      Attribute(element, "open") == nullptr;
  if (closed) return true;
  // Scripts show what these hide while a page loads.
  if (element.tag == GUMBO_TAG_BODY || element.tag == GUMBO_TAG_HTML) {
    return false;
  }
  for (unsigned i = 0; i < element.attributes.length; ++i) {
    const auto* attribute =
        static_cast<const GumboAttribute*>(element.attributes.data[i]);
    if (IsHidingAttribute(attribute->name, attribute->value)) return true;
  }
  return false;
}

class TreeWalker {
 public:
  TreeWalker(std::string_view source, bool keep_offsets, CleanText* out)
      : source_(source),
        keep_offsets_(keep_offsets),
        builder_(keep_offsets, out),
        out_(out) {}

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
    unsigned next_child;
    uint32_t flags;
    bool mute;       // text inside is not visible
    bool reading;    // inside a ruby reading, which alone hides it
    bool in_ruby;    // a ruby is in the scope of the standard's stack
    uint32_t begin;  // of its start tag
    uint32_t end;    // of its end tag
  };

  uint32_t Position(const char* at, uint32_t otherwise) const {
    const bool inside =
        at >= source_.data() && at <= source_.data() + source_.size();
    return inside ? static_cast<uint32_t>(at - source_.data()) : otherwise;
  }

  bool mute() const { return !path_.empty() && path_.back().mute; }

  void Enter(const GumboNode* node) {
    switch (node->type) {
      case GUMBO_NODE_DOCUMENT:
        path_.push_back(
            {&node->v.document.children, 0, 0, false, false, false, 0, 0});
        break;
      case GUMBO_NODE_ELEMENT:
        EnterElement(node->v.element,
                     (node->parse_flags &
                      (GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT |
                       GUMBO_INSERTION_ADOPTION_AGENCY_CLONED)) != 0);
        break;
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_CDATA:
      case GUMBO_NODE_WHITESPACE:
        if (!mute()) AddText(node->v.text);
        break;
      default:  // comments, templates
        break;
    }
  }

  // `is_copy`: the parser reopened a formatting element; it was met before.
  void EnterElement(const GumboElement& element, bool is_copy) {
    const HtmlTag key = KeyOf(element);
    const uint32_t flags = FlagsOf(element, key);
    if (!is_copy) TakeFacts(element, key);
    if ((flags & kTagDrop) != 0) return;
    const uint32_t begin = Position(element.original_tag.data, last_);
    const uint32_t end = Position(element.original_end_tag.data, begin);
    const Open& parent = path_.back();
    // No reading holds a block: in one that was not closed it is text again.
    const bool is_block = (flags & (kTagBlock | kTagVoid)) == kTagBlock;
    const bool in_reading = parent.reading && !is_block;
    const bool hides = (flags & kTagMute) != 0 || IsHidden(element);
    const bool inherits = parent.mute && (!parent.reading || in_reading);
    const bool reads = parent.in_ruby && !inherits &&
                       (key == HtmlTag::kRt || key == HtmlTag::kRtc);
    const bool reading = (in_reading || reads) && !hides;
    const bool hidden = inherits || hides || reading;
    const bool in_ruby =
        key == HtmlTag::kRuby || (parent.in_ruby && (flags & kTagScope) == 0);
    path_.push_back(
        {&element.children, 0, flags, hidden, reading, in_ruby, begin, end});
    if (hidden) return;
    Separate(flags, begin);
    if ((flags & kTagPreserve) != 0) builder_.BeginPreserve();
  }

  void Leave(const Open& open) {
    if (open.mute) return;
    if ((open.flags & kTagPreserve) != 0) builder_.EndPreserve();
    Separate(open.flags, std::max(open.end, last_));
  }

  void Separate(uint32_t flags, uint32_t at) {
    if ((flags & kTagBlock) != 0) builder_.Break(at);
    if ((flags & kTagCell) != 0) builder_.Cell(at);
  }

  void TakeFacts(const GumboElement& element, HtmlTag key) {
    const char* value = nullptr;
    if (key == HtmlTag::kA || key == HtmlTag::kArea) {
      value = Attribute(element, "href");
    } else if (key == HtmlTag::kIframe || key == HtmlTag::kFrame) {
      value = Attribute(element, "src");
    } else if (key == HtmlTag::kHtml) {
      const char* const language = Attribute(element, "lang");
      if (language != nullptr) out_->language = language;
    } else if (key == HtmlTag::kLink) {
      const char* const rel = Attribute(element, "rel");
      const char* const href = Attribute(element, "href");
      if (rel != nullptr && href != nullptr && out_->canonical.empty() &&
          IsCanonicalRel(rel)) {
        out_->canonical = href;
      }
    } else if (key == HtmlTag::kTitle && !has_title_ &&
               element.tag_namespace == GUMBO_NAMESPACE_HTML) {
      has_title_ = true;
      std::string title;
      for (unsigned i = 0; i < element.children.length; ++i) {
        const auto* child =
            static_cast<const GumboNode*>(element.children.data[i]);
        if (child->type != GUMBO_NODE_ELEMENT) title += child->v.text.text;
      }
      out_->title = CollapseSpace(title);
    }
    if (value != nullptr) out_->facts.links.push_back({value, {}, {}, false});
  }

  void AddText(const GumboText& node) {
    const std::string_view text(node.text);
    const uint32_t begin = Position(node.original_text.data, last_);
    if (!keep_offsets_ || node.original_text.data == nullptr) {
      builder_.Text(text, begin);
    } else {
      const uint32_t raw = path_.empty() ? 0 : path_.back().flags & kTagAnyRaw;
      Align(text, begin, node.original_text.length, raw);
    }
    last_ = begin + static_cast<uint32_t>(node.original_text.length);
  }

  // Walks the node's text beside its source. They differ by character
  // references, line ends, NULs and, since the parser joins what ignored tags
  // separate, by whole tags.
  void Align(std::string_view text, uint32_t begin, size_t length,
             uint32_t raw) {
    // The parser ends some texts a little early: at the end of the document.
    const std::string_view source = source_.substr(begin, length + 8);
    const bool markup = raw == 0, references = (raw & ~kTagRcdata) == 0;
    const auto is_syntax = [&](char c) {
      return c == '\r' || (c == '<' && markup) || (c == '&' && references);
    };
    size_t s = 0;
    const auto put = [&](size_t bytes) {
      // The parser may end a text too early; what is left stands at its last
      // byte.
      const size_t at = std::min(s, source.empty() ? 0 : source.size() - 1);
      builder_.Piece(text.substr(0, bytes), begin + static_cast<uint32_t>(at));
      text.remove_prefix(bytes);
    };
    while (!text.empty()) {
      if (s >= source.size()) return put(text.size());
      const char c = source[s];
      if (c == '<' && markup && IsMarkup(source.substr(s))) {
        s += MarkupLength(source.substr(s));
      } else if (c == '&' && references) {
        const size_t reference = ReferenceLength(source.substr(s), text);
        if (reference == 0) {
          put(1);
          ++s;
        } else {
          put(CodePointBytes(text));
          s += reference;
          if (!text.empty() && s < source.size() && text[0] != source[s] &&
              !is_syntax(source[s])) {
            s -= reference;  // a reference to two characters
            put(CodePointBytes(text));
            s += reference;
          }
        }
      } else if (c == '\r') {
        put(text[0] == '\n' ? 1 : 0);
        s += source.substr(s, 2) == "\r\n" ? 2 : 1;
      } else {
        size_t same = 0;
        while (same < text.size() && s + same < source.size() &&
               text[same] == source[s + same] &&
               (same == 0 || !is_syntax(source[s + same]))) {
          ++same;
        }
        if (same > 0) {
          builder_.Text(text.substr(0, same), begin + static_cast<uint32_t>(s));
          text.remove_prefix(same);
          s += same;
        } else {
          ++s;  // a byte the parser dropped
        }
      }
    }
  }

  // The length of what IsMarkup says is markup.
  static size_t MarkupLength(std::string_view source) {
    if (source.substr(0, 3) == "</>") return 3;
    const size_t length = HtmlTokenizer(source).Next().end;
    return length == 0 ? source.size() : length;
  }

  static bool IsMarkup(std::string_view source) {
    if (source.size() < 2) return false;
    const char c = source[1];
    return (c == '/' && source.size() > 2) || c == '!' || c == '?' ||
           IsAsciiLetter(c);
  }

  // Length of the reference at the start of `source`, which `text` begins with
  // the value of; 0 if the ampersand stands for itself. Names beyond our table
  // are taken up to ';'.
  static size_t ReferenceLength(std::string_view source,
                                std::string_view text) {
    const CharacterReference known = ReadReference(source, false);
    if (known.length > 0) return known.length;
    size_t end = 1;
    while (end < source.size() && end < 40 &&
           (IsAsciiLetter(source[end]) || IsAsciiDigit(source[end]))) {
      ++end;
    }
    if (end >= source.size() || source[end] != ';') return 0;
    return text[0] == '&' ? 0 : end + 1;
  }

  static size_t CodePointBytes(std::string_view text) {
    size_t bytes = 1;
    while (bytes < text.size() && IsContinuation(text[bytes])) {
      ++bytes;
    }
    return bytes;
  }

  const std::string_view source_;
  const bool keep_offsets_;
  TextBuilder builder_;
  CleanText* const out_;
  std::vector<Open> path_;
  uint32_t last_ =
      0;  // end of the last text in the source: a place for what has none
  bool has_title_ = false;
};

}  // namespace

bool ParseHtml(std::string_view utf8, bool keep_offsets, CleanText* out) {
  HtmlArena arena(kMaxTreeBytes);
  ParseState state;
  state.arena = &arena;
  const GumboOutput* const output = Parse(utf8, &state);
  if (output == nullptr) return false;
  TreeWalker(utf8, keep_offsets, out).Walk(output->document);
  return true;  // the arena takes the tree with it
}

}  // namespace twinset
