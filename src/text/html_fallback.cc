// The fallback: visible text from the tags alone. It knows which elements are
// open only as far as one hidden or dropped region, and white space, need it.
#include <algorithm>
#include <string>

#include "text/charset.h"
#include "text/html.h"
#include "text/html_builder.h"
#include "text/html_entities.h"
#include "text/html_scan.h"
#include "text/html_tags.h"

namespace twinset {
namespace {

constexpr uint64_t kA = TagKeyOf("a");
constexpr uint64_t kArea = TagKeyOf("area");
constexpr uint64_t kFrame = TagKeyOf("frame");
constexpr uint64_t kHtml = TagKeyOf("html");
constexpr uint64_t kIframe = TagKeyOf("iframe");
constexpr uint64_t kListing = TagKeyOf("listing");
constexpr uint64_t kP = TagKeyOf("p");
constexpr uint64_t kPre = TagKeyOf("pre");
constexpr uint64_t kSelect = TagKeyOf("select");
constexpr uint64_t kTextarea = TagKeyOf("textarea");
constexpr uint64_t kTitle = TagKeyOf("title");

class Stripper {
 public:
  Stripper(std::string_view source, bool keep_offsets, CleanText* out)
      : source_(source),
        scanner_(source),
        builder_(keep_offsets, out),
        out_(out) {}

  void Run() {
    for (MarkupToken token = scanner_.Next(); token.kind != MarkupToken::kEnd;
         token = scanner_.Next()) {
      switch (token.kind) {
        case MarkupToken::kText:
          Text(token, true);
          break;
        case MarkupToken::kStartTag:
          StartTag(token);
          break;
        case MarkupToken::kEndTag:
          EndTag(token);
          break;
        default:
          break;
      }
      if (token.kind != MarkupToken::kOther) {
        skip_line_feed_ = token.kind == MarkupToken::kStartTag &&
                          (token.key == kPre || token.key == kListing);
      }
    }
    builder_.Finish();
  }

 private:
  // A region that leaves no text, from its start tag to its end: the one thing
  // that nests.
  struct Region {
    uint64_t key = 0;  // 0: none open
    uint32_t flags = 0;
    uint32_t depth = 0;       // of elements of the same name inside it
    uint32_t containers = 0;  // of lists and tables inside it
    bool drop = false;        // links do not count either
  };

  static uint32_t Position(size_t at) { return static_cast<uint32_t>(at); }

  void Text(const MarkupToken& token, bool references) {
    if (region_.key != 0) return;
    size_t at = token.begin;
    if (skip_line_feed_) {
      if (at < token.end && source_[at] == '\r') ++at;
      if (at < token.end && source_[at] == '\n') ++at;
    }
    while (at < token.end) {
      const std::string_view rest = source_.substr(at, token.end - at);
      const size_t literal =
          references ? std::min(rest.find('&'), rest.size()) : rest.size();
      builder_.Text(rest.substr(0, literal), Position(at));
      at += literal;
      if (literal == rest.size()) break;
      const CharacterReference reference =
          ReadReference(rest.substr(literal), false);
      if (reference.length == 0) {
        builder_.Text("&", Position(at));
        ++at;
      } else {
        piece_.clear();
        AppendCodePoint(reference.code_point, &piece_);
        builder_.Piece(piece_, Position(at));
        at += reference.length;
      }
    }
  }

  void StartTag(const MarkupToken& tag) {
    if (region_.key != 0) CloseRegionBefore(tag);
    const bool hidden = ReadAttributes(tag);
    const bool ends_paragraph =
        in_paragraph_ && (tag.flags & kTagClosesP) != 0 && region_.key == 0;
    if (ends_paragraph) {
      in_paragraph_ = false;
      builder_.Break(Position(tag.begin));
    }
    if (!hidden) {
      Separate(tag);
      in_paragraph_ |= tag.key == kP && region_.key == 0;
    }
    if (region_.key != 0) {
      region_.depth += tag.key == region_.key &&
                       (tag.flags & (kTagVoid | kTagAnyRaw)) == 0 &&
                       !((tag.flags & kTagForeign) != 0 && tag.self_closing);
      region_.containers += (tag.flags & kTagContainer) != 0;
    } else if ((tag.flags & kTagVoid) == 0 &&
               (hidden || (tag.flags & (kTagDrop | kTagMute)) != 0) &&
               !((tag.flags & kTagForeign) != 0 && tag.self_closing)) {
      region_ = {tag.key, tag.flags, 0, 0, (tag.flags & kTagDrop) != 0};
    }
    if ((tag.flags & kTagAnyRaw) == 0) {
      if ((tag.flags & kTagPreserve) != 0 && region_.key == 0) {
        builder_.BeginPreserve();
        ++preserve_;
      }
      return;
    }
    RawText(tag);
  }

  // The content of a raw text element, which is at once closed by its end tag.
  void RawText(const MarkupToken& tag) {
    const MarkupToken text = scanner_.RawText(tag);
    if (tag.key == kTitle && (region_.key == 0 || region_.key == kTitle) &&
        !has_title_) {
      has_title_ = true;
      out_->title = CollapseSpace(DecodeReferences(
          source_.substr(text.begin, text.end - text.begin), false));
    }
    if ((tag.flags & kTagPreserve) != 0) {
      builder_.BeginPreserve();
      skip_line_feed_ = tag.key == kTextarea;
      Text(text, (tag.flags & kTagRcdata) != 0);
      builder_.EndPreserve();
    }
  }

  void EndTag(const MarkupToken& tag) {
    if (region_.key != 0) {
      if (tag.key == region_.key) {
        if (region_.depth == 0) {
          region_ = {};
          return;
        }
        --region_.depth;
      } else if ((tag.flags & kTagContainer) != 0) {
        if (region_.containers > 0) {
          --region_.containers;
        } else if ((region_.flags & kTagOptional) != 0) {
          region_ = {};
        }
      } else if (region_.key == kP && (tag.flags & kTagBlockEnd) != 0) {
        region_ = {};  // the end of what the paragraph stands in
      }
      if (region_.key != 0) return;
    }
    if ((tag.flags & kTagPreserve) != 0 && (tag.flags & kTagAnyRaw) == 0 &&
        preserve_ > 0) {
      builder_.EndPreserve();
      --preserve_;
    }
    Separate(tag);
    // Its last option may have no end tag; those of lists and tables end with a
    // block.
    if (tag.key == kSelect) builder_.Break(Position(tag.begin));
    if (tag.key == kP) in_paragraph_ = false;
  }

  // End tags that may be left out, and start tags that foreign content cannot
  // hold.
  void CloseRegionBefore(const MarkupToken& tag) {
    const bool ends_paragraph =
        region_.key == kP && (tag.flags & kTagClosesP) != 0;
    const bool sibling = (region_.flags & kTagOptional) != 0 &&
                         (tag.flags & kTagOptional) != 0 &&
                         region_.containers == 0 && EndsSibling(tag);
    const bool breaks_out =
        (region_.flags & kTagForeign) != 0 && (tag.flags & kTagBreakout) != 0;
    if (ends_paragraph || sibling || breaks_out) region_ = {};
  }

  // td and th end each other and by tr; tr by tr; other items by any of their
  // kind.
  bool EndsSibling(const MarkupToken& tag) const {
    const bool open_cell = (region_.flags & kTagCell) != 0;
    const bool cell = (tag.flags & kTagCell) != 0;
    return open_cell || !cell;
  }

  void Separate(const MarkupToken& tag) {
    if (region_.key != 0) return;
    if ((tag.flags & kTagBlock) != 0) builder_.Break(Position(tag.begin));
    if ((tag.flags & kTagCell) != 0) builder_.Cell(Position(tag.begin));
  }

  // Takes links and the language; true if an attribute hides the element.
  bool ReadAttributes(const MarkupToken& tag) {
    if (tag.attributes == 0) return false;
    const bool href = tag.key == kA || tag.key == kArea;
    const bool source = tag.key == kIframe || tag.key == kFrame;
    bool hidden = false, has_style = false, has_link = false, has_lang = false;
    AttributeScanner attributes(source_, tag.attributes_at);
    while (attributes.Next()) {
      const std::string_view name = attributes.name();
      if (EqualsIgnoringCase(name, "style")) {
        if (!has_style) {
          hidden |= IsHidingAttribute(
              name, DecodeReferences(attributes.value(), true));
        }
        has_style = true;
      } else if (IsHidingAttribute(name, attributes.value())) {
        hidden = true;
      } else if (((href && EqualsIgnoringCase(name, "href")) ||
                  (source && EqualsIgnoringCase(name, "src"))) &&
                 !has_link && !region_.drop) {
        has_link = true;
        out_->links.push_back(DecodeReferences(attributes.value(), true));
      } else if (tag.key == kHtml && !has_lang && out_->language.empty() &&
                 EqualsIgnoringCase(name, "lang")) {
        has_lang = true;
        out_->language = DecodeReferences(attributes.value(), true);
      }
    }
    return hidden;
  }

  const std::string_view source_;
  MarkupScanner scanner_;
  TextBuilder builder_;
  CleanText* const out_;
  Region region_;
  uint32_t preserve_ = 0;
  bool in_paragraph_ = false;
  bool has_title_ = false;
  bool skip_line_feed_ = false;  // the first line feed in pre and textarea
  std::string piece_;
};

}  // namespace

void StripHtml(std::string_view utf8, bool keep_offsets, CleanText* out) {
  Stripper(utf8, keep_offsets, out).Run();
}

}  // namespace twinset
