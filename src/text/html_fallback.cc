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
constexpr uint64_t kLink = TagKeyOf("link");

// Line ends as the tokenizer sees them.
std::string NormalLines(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out.push_back(text[i]);
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out.push_back('\n');
    }
  }
  return out;
}

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
  // A region that leaves no text, from its start tag to its end.
  struct Region {
    uint64_t key = 0;  // 0: none open
    uint32_t flags = 0;
    uint32_t depth = 0;       // of elements of the same name inside it
    uint32_t containers = 0;  // of lists and tables inside it
    uint32_t blocks = 0;      // of other block elements inside it
    bool is_open() const { return key != 0; }
  };

  static uint32_t Position(size_t at) { return static_cast<uint32_t>(at); }

  void Text(const MarkupToken& token, bool references) {
    if (!visible()) return;
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
    if (dropped_.is_open()) {
      CloseBefore(tag, &dropped_);
    } else if (hidden_.is_open()) {
      CloseBefore(tag, &hidden_);
    }
    const bool hides = ReadAttributes(tag) || (tag.flags & kTagMute) != 0;
    if (visible()) {
      if (in_paragraph_ && (tag.flags & kTagClosesP) != 0) {
        in_paragraph_ = false;
        builder_.Break(Position(tag.begin));
      }
      if (!hides) {
        Separate(tag);
        in_paragraph_ |= tag.key == kP;
      }
    }
    OpenRegion(tag, hides);
    if ((tag.flags & kTagAnyRaw) != 0) {
      RawText(tag);
    } else if ((tag.flags & kTagPreserve) != 0 && visible()) {
      builder_.BeginPreserve();
      ++preserve_;
    }
  }

  void OpenRegion(const MarkupToken& tag, bool hides) {
    const bool foreign = (tag.flags & kTagForeign) != 0;
    if ((tag.flags & kTagVoid) != 0 || (foreign && tag.self_closing)) return;
    Region* const inside = dropped_.is_open()  ? &dropped_
                           : hidden_.is_open() ? &hidden_
                                               : nullptr;
    if (inside != &dropped_ && (tag.flags & kTagDrop) != 0) {
      dropped_ = {tag.key, tag.flags, 0, 0, 0};
    } else if (inside == nullptr) {
      if (hides) hidden_ = {tag.key, tag.flags, 0, 0, 0};
    } else if (tag.key == inside->key) {
      ++inside->depth;
    } else if ((tag.flags & kTagContainer) != 0) {
      ++inside->containers;
    } else if ((tag.flags & kTagBlockEnd) != 0) {
      ++inside->blocks;
    }
  }

  // The content of a raw text element, which is at once closed by its end tag.
  void RawText(const MarkupToken& tag) {
    const MarkupToken text = scanner_.RawText(tag);
    if (tag.key == kTitle && dropped_.key == kTitle && !has_title_) {
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
    Region* const inside = dropped_.is_open()  ? &dropped_
                           : hidden_.is_open() ? &hidden_
                                               : nullptr;
    if (inside != nullptr && !EndsAround(tag, inside)) return;
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

  // An end tag inside a region: true if it closes something that the region
  // stands in, and the region with it, so that it counts for the text outside.
  bool EndsAround(const MarkupToken& tag, Region* region) {
    if (tag.key == region->key) {
      if (region->depth == 0) {
        *region = {};
      } else {
        --region->depth;
      }
      return false;
    }
    uint32_t* const inner = (tag.flags & kTagContainer) != 0
                                ? &region->containers
                            : (tag.flags & kTagBlockEnd) != 0 ? &region->blocks
                                                              : nullptr;
    if (inner == nullptr) return false;
    if (*inner > 0) {
      --*inner;
      return false;
    }
    if ((region->flags & kTagDrop) != 0) return false;  // needs its own end tag
    *region = {};
    return true;
  }

  // End tags that may be left out, and start tags that foreign content cannot
  // hold.
  static void CloseBefore(const MarkupToken& tag, Region* region) {
    const bool ends_paragraph = region->key == kP &&
                                (tag.flags & kTagClosesP) != 0 &&
                                region->containers == 0;
    const bool sibling = (region->flags & kTagOptional) != 0 &&
                         (tag.flags & kTagOptional) != 0 &&
                         region->containers == 0 &&
                         EndsSibling(region->flags, tag.flags);
    const bool breaks_out =
        (region->flags & kTagForeign) != 0 && (tag.flags & kTagBreakout) != 0;
    if (ends_paragraph || sibling || breaks_out) *region = {};
  }

  // td and th end each other and by tr; tr by tr; other items by any of their
  // kind.
  static bool EndsSibling(uint32_t open, uint32_t next) {
    return (open & kTagCell) != 0 || (next & kTagCell) == 0;
  }

  bool visible() const { return !dropped_.is_open() && !hidden_.is_open(); }

  void Separate(const MarkupToken& tag) {
    if ((tag.flags & kTagBlock) != 0) builder_.Break(Position(tag.begin));
    if ((tag.flags & kTagCell) != 0) builder_.Cell(Position(tag.begin));
  }

  // Takes links and the language; true if an attribute hides the element.
  bool ReadAttributes(const MarkupToken& tag) {
    if (tag.attributes == 0) return false;
    const bool href = tag.key == kA || tag.key == kArea;
    const bool source = tag.key == kIframe || tag.key == kFrame;
    bool hidden = false, has_style = false, has_link = false, has_lang = false;
    std::string rel, target;  // of a link element
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
                 !has_link && !dropped_.is_open()) {
        has_link = true;
        out_->links.push_back(
            DecodeReferences(NormalLines(attributes.value()), true));
      } else if (tag.key == kHtml && !has_lang && out_->language.empty() &&
                 EqualsIgnoringCase(name, "lang")) {
        has_lang = true;
        out_->language = DecodeReferences(attributes.value(), true);
      } else if (tag.key == kLink && rel.empty() &&
                 EqualsIgnoringCase(name, "rel")) {
        rel = DecodeReferences(attributes.value(), true);
      } else if (tag.key == kLink && target.empty() &&
                 EqualsIgnoringCase(name, "href")) {
        target = DecodeReferences(NormalLines(attributes.value()), true);
      }
    }
    if (out_->canonical.empty() && IsCanonicalRel(rel)) {
      out_->canonical = std::move(target);
    }
    return hidden;
  }

  const std::string_view source_;
  MarkupScanner scanner_;
  TextBuilder builder_;
  CleanText* const out_;
  Region hidden_;   // leaves no text
  Region dropped_;  // leaves nothing; may stand inside hidden_
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
