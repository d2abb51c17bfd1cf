#include "text/html/xhtml.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "text/html/html_entities.h"
#include "text/html/html_scan.h"
#include "text/html/html_tag.h"
#include "text/html/html_tags.h"
#include "text/html/xml_syntax.h"

namespace twinset {

namespace {

constexpr size_t kNone = std::string_view::npos;
// Beyond these a page counts as not well-formed.
constexpr size_t kMostAttributes = 512, kMostNamespaces = 256;
constexpr size_t kMostEntityDepth = 32;
constexpr uint64_t kMostExpanded = 1 << 20;  // beside the size of the page
// What elements are written as that HTML has no name for.
constexpr std::string_view kUnknownName = "x-e";

enum class Namespace : uint8_t { kHtml, kSvg, kMath, kOther };

Namespace NamespaceOf(std::string_view uri) {
  if (uri == "http://www.w3.org/1999/xhtml") return Namespace::kHtml;
  if (uri == "http://www.w3.org/2000/svg") return Namespace::kSvg;
  if (uri == "http://www.w3.org/1998/Math/MathML") return Namespace::kMath;
  return Namespace::kOther;
}

// What becomes of the content of an element.
enum class Content : uint8_t {
  kKept,
  kText,    // its text alone, as HTML takes that of title
  kScript,  // its text without references, where HTML can hold it
  kDropped
};

struct QualifiedName {
  std::string_view prefix, local;
};

std::optional<QualifiedName> Qualified(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == kNone) return QualifiedName{{}, name};
  const QualifiedName parts = {name.substr(0, colon), name.substr(colon + 1)};
  if (parts.prefix.empty() || parts.local.empty() ||
      parts.local.find(':') != kNone || XmlNameSize(parts.local) == 0)
    return {};
  return parts;
}

bool HasCapitals(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return c >= 'A' && c <= 'Z'; });
}

// How an element of a namespace is written in HTML.
struct Written {
  std::string_view name;  // empty: its tags are left out
  Content content = Content::kKept;
  bool is_void = false;
  bool eats_line_feed = false;  // HTML drops one behind its tag
};

Written HtmlElement(std::string_view name) {
  const HtmlTag tag = HasCapitals(name) ? HtmlTag::kUnknown : TagOf(name);
  const uint32_t flags = TagFlags(tag);
  switch (tag) {
    case HtmlTag::kUnknown:
    case HtmlTag::kImage:  // another name of img in HTML alone
      return {kUnknownName};
    case HtmlTag::kScript:
    case HtmlTag::kStyle:
      return {name, Content::kScript};
    case HtmlTag::kTemplate:
    case HtmlTag::kSvg:
      return {name, Content::kDropped};
    case HtmlTag::kTitle:
      return {name, Content::kText};
    case HtmlTag::kTextarea:
      return {name, Content::kText, false, true};
    case HtmlTag::kPlaintext:
    case HtmlTag::kXmp:
      return {"pre", Content::kKept, false, true};
    case HtmlTag::kPre:
    case HtmlTag::kListing:
      return {name, Content::kKept, false, true};
    default:
      break;
  }
  if ((flags & kTagDrop) != 0) return {name, Content::kDropped};
  if ((flags & kTagRcdata) != 0) return {name, Content::kText};
  return {name, Content::kKept, (flags & kTagVoid) != 0};
}

Written ElementOf(Namespace space, std::string_view name) {
  switch (space) {
    case Namespace::kHtml:
      return HtmlElement(name);
    case Namespace::kSvg:
      return {"svg", Content::kDropped};
    case Namespace::kMath: {
      constexpr uint32_t kOfHtml =
          kTagBreakout | kTagAnyRaw | kTagDrop | kTagVoid;
      const bool is_of_html =
          HasCapitals(name) || (TagFlags(TagOf(name)) & kOfHtml) != 0;
      return {is_of_html ? kUnknownName : name};
    }
    case Namespace::kOther:
      break;
  }
  return {};
}

class XhtmlWriter {
 public:
  XhtmlWriter(std::string_view source, bool want_places, XhtmlAsHtml* out)
      : source_(source), want_places_(want_places), out_(out) {}

  bool Write() {
    if (!HasXmlCharacters(source_)) return false;
    const size_t root = ReadXmlProlog(source_, &entities_);
    if (root == kNone) return false;
    out_->html.reserve(source_.size());
    return ReadContent(source_, root) && has_root_ && !IsTooMuch();
  }

 private:
  struct Attribute {
    std::string_view name, value;
    char quote;
  };
  struct Binding {
    std::string_view prefix;
    Namespace space;
  };
  struct Element {
    std::string_view name;  // as the source has it
    Written written;
    size_t bindings = 0;  // that were there around it
  };

  Content content() const {
    return open_.empty() ? Content::kKept : open_.back().written.content;
  }

  // ---- what is written ----

  // `bytes` of HTML, which come from `at` of the source.
  void Put(std::string_view bytes, size_t at) {
    if (want_places_ && !bytes.empty()) {
      const auto html = static_cast<uint32_t>(out_->html.size());
      const auto source =
          static_cast<uint32_t>(entity_at_ == kNone ? at : entity_at_);
      std::vector<XhtmlPlace>& places = out_->places;
      if (places.empty() ||
          places.back().source + (html - places.back().html) != source)
        places.push_back({html, source});
    }
    out_->html += bytes;
  }

  // Text and references as they may stand in HTML.
  void PutText(std::string_view text, size_t at) {
    if (content() == Content::kScript) {
      script_ += DecodeReferences(text, /*in_attribute=*/false);
    } else if (content() != Content::kDropped) {
      Put(text, at);
    }
  }

  // Text in which nothing is markup.
  void PutData(std::string_view text, size_t at) {
    if (content() == Content::kScript) script_ += text;
    if (content() == Content::kScript || content() == Content::kDropped) return;
    for (size_t from = 0; from < text.size();) {
      const size_t to = std::min(text.find_first_of("<&", from), text.size());
      Put(text.substr(from, to - from), at + from);
      if (to == text.size()) return;
      Put(text[to] == '<' ? "&lt;" : "&amp;", at + to);
      from = to + 1;
    }
  }

  void PutCharacter(char32_t c, size_t at) {
    std::string bytes;
    AppendReference({.length = 1, .code_point = c}, &bytes);
    PutData(bytes, at);
  }

  // What a script holds is written where no tag of HTML ends it.
  void PutScript(std::string_view name, size_t at) {
    const std::string lower = ToLowerAscii(script_);
    if (lower.find("</" + std::string(name)) == kNone &&
        lower.find("<!--") == kNone)
      Put(script_, at);
    script_.clear();
  }

  bool IsTooMuch() const {
    return out_->html.size() > MostXhtmlBytes(source_.size()) ||
           expanded_ > kMostExpanded + source_.size();
  }

  // ---- content ----

  // Reads the content of the document from its root on, or of an entity:
  // elements close where they were opened.
  bool ReadContent(std::string_view text, size_t at) {
    const size_t floor = open_.size();
    while (at < text.size()) {
      if (IsTooMuch()) return false;
      size_t size = 0;
      if (text[at] != '<') {
        size = std::min(text.find('<', at), text.size()) - at;
        if (!ReadText(text.substr(at, size), at)) return false;
      } else {
        size = ReadMarkup(text.substr(at), at, floor);
        if (size == 0) return false;
      }
      at += size;
    }
    return open_.size() == floor;
  }

  // The size of the markup that `text` begins with; 0: it is not well-formed.
  size_t ReadMarkup(std::string_view text, size_t at, size_t floor) {
    constexpr std::string_view kData = "<![CDATA[", kDataEnd = "]]>";
    if (text.starts_with("</")) return ReadEndTag(text, at, floor);
    if (text.starts_with(kData)) {
      const size_t end = text.find(kDataEnd, kData.size());
      if (end == kNone || open_.empty()) return 0;
      PutData(text.substr(kData.size(), end - kData.size()), at + kData.size());
      return end + kDataEnd.size();
    }
    if (text.starts_with("<!") || text.starts_with("<?"))
      return XmlAsideSize(text);
    return ReadStartTag(text, at);
  }

  bool ReadText(std::string_view text, size_t at) {
    if (open_.empty()) return XmlSpaceSize(text) == text.size();
    if (text.find("]]>") != kNone) return false;
    for (size_t from = 0; from < text.size();) {
      const size_t to = std::min(text.find('&', from), text.size());
      PutText(text.substr(from, to - from), at + from);
      if (to == text.size()) return true;
      const size_t size = ReadReference(text.substr(to), at + to);
      if (size == 0) return false;
      from = to + size;
    }
    return true;
  }

  // The size of "&name;" or "&#60;" at the front of `text`; 0: there is none.
  static size_t ReferenceSize(std::string_view text) {
    size_t size = 1;
    while (size < text.size() &&
           (IsAsciiDigit(text[size]) || IsAsciiLetter(text[size]) ||
            text[size] == '#'))
      ++size;
    const size_t name = XmlNameSize(text.substr(1));
    size = std::max(size, 1 + name);
    return size > 1 && size < text.size() && text[size] == ';' ? size + 1 : 0;
  }

  // What a reference to an entity means; `text` is the whole of it.
  enum class Meaning : uint8_t { kOfHtml, kDeclared, kUnread, kWrong };
  Meaning MeaningOf(std::string_view text, const std::string** replacement) {
    const std::string_view name = text.substr(1, text.size() - 2);
    if (XmlNameSize(name) != name.size()) return Meaning::kWrong;
    for (const std::string_view own : {"lt", "gt", "amp", "apos", "quot"})
      if (name == own) return Meaning::kOfHtml;
    if (const auto found = entities_.declared.find(name);
        found != entities_.declared.end()) {
      if (!found->second) return Meaning::kUnread;
      *replacement = &*found->second;
      return Meaning::kDeclared;
    }
    if (twinset::ReadReference(text, false).length == text.size())
      return Meaning::kOfHtml;
    return entities_.has_others ? Meaning::kUnread : Meaning::kWrong;
  }

  // The size of the reference that `text` begins with; 0: it is wrong.
  size_t ReadReference(std::string_view text, size_t at) {
    const size_t size = ReferenceSize(text);
    if (size == 0) return 0;
    text = text.substr(0, size);
    if (text[1] == '#') {
      const auto c = XmlCharacterOf(text.substr(1, size - 2));
      if (!c) return 0;
      // HTML makes windows-1252 of these.
      if (*c >= 0x80 && *c < 0xA0) {
        PutCharacter(*c, at);
      } else {
        PutText(text, at);
      }
      return size;
    }
    const std::string* replacement = nullptr;
    switch (MeaningOf(text, &replacement)) {
      case Meaning::kOfHtml:
        PutText(text, at);
        return size;
      case Meaning::kDeclared:
        return Expand(*replacement, at,
                      [&] { return ReadContent(*replacement, 0); })
                   ? size
                   : 0;
      case Meaning::kUnread:
        return size;
      case Meaning::kWrong:
        break;
    }
    return 0;
  }

  // Calls `read` for the replacement of an entity, which may hold others, but
  // not itself.
  template <typename Read>
  bool Expand(const std::string& replacement, size_t at, const Read& read) {
    expanded_ += replacement.size() + 1;
    if (IsTooMuch() || expanding_.size() == kMostEntityDepth ||
        std::find(expanding_.begin(), expanding_.end(), &replacement) !=
            expanding_.end())
      return false;
    expanding_.push_back(&replacement);
    const bool is_first = entity_at_ == kNone;
    if (is_first) entity_at_ = at;
    const bool is_good = read();
    if (is_first) entity_at_ = kNone;
    expanding_.pop_back();
    return is_good;
  }

  // ---- tags ----

  size_t ReadEndTag(std::string_view text, size_t at, size_t floor) {
    const size_t name = XmlNameSize(text.substr(2));
    size_t end = 2 + name;
    end += XmlSpaceSize(text.substr(end));
    if (!text.substr(end).starts_with('>') || open_.size() == floor ||
        open_.back().name != text.substr(2, name))
      return 0;
    Close(at);
    return end + 1;
  }

  void Close(size_t at) {
    const Element element = open_.back();
    open_.pop_back();
    bindings_.resize(element.bindings);
    const Written& written = element.written;
    if (written.name.empty()) return;
    if (written.content == Content::kScript) PutScript(written.name, at);
    if (written.is_void) return;
    Put("</", at);
    out_->html += written.name;
    out_->html += '>';
  }

  // A tag up to its end: its attributes; 0: it is not well-formed.
  size_t ReadAttributes(std::string_view text, size_t end, bool* is_empty) {
    attributes_.clear();
    for (;;) {
      const size_t space = XmlSpaceSize(text.substr(end));
      end += space;
      const std::string_view rest = text.substr(end);
      *is_empty = rest.starts_with("/>");
      if (*is_empty) return end + 2;
      if (rest.starts_with('>')) return end + 1;
      const size_t name = XmlNameSize(rest);
      if (space == 0 || name == 0 || attributes_.size() == kMostAttributes)
        return 0;
      size_t to = name + XmlSpaceSize(rest.substr(name));
      if (!rest.substr(to).starts_with('=')) return 0;
      ++to;
      to += XmlSpaceSize(rest.substr(to));
      if (to >= rest.size() || (rest[to] != '"' && rest[to] != '\'')) return 0;
      const size_t close = rest.find(rest[to], to + 1);
      if (close == kNone) return 0;
      const Attribute attribute = {
          rest.substr(0, name), rest.substr(to + 1, close - to - 1), rest[to]};
      const bool is_second = std::any_of(
          attributes_.begin(), attributes_.end(),
          [&](const Attribute& a) { return a.name == attribute.name; });
      if (is_second || attribute.value.find('<') != kNone) return 0;
      attributes_.push_back(attribute);
      end += close + 1;
    }
  }

  // The namespaces that a tag names, and whether all of its prefixes have one.
  bool Bind() {
    for (const Attribute& attribute : attributes_) {
      const auto name = Qualified(attribute.name);
      if (!name) return false;
      const bool is_default = attribute.name == "xmlns";
      if (!is_default && name->prefix != "xmlns") continue;
      const std::string uri = DecodeReferences(attribute.value, true);
      if (bindings_.size() == kMostNamespaces || (!is_default && uri.empty()))
        return false;
      bindings_.push_back({is_default ? std::string_view() : name->local,
                           NamespaceOf(Trim(uri))});
    }
    return std::all_of(attributes_.begin(), attributes_.end(),
                       [&](const Attribute& attribute) {
                         const auto name = Qualified(attribute.name);
                         return name->prefix.empty() ||
                                name->prefix == "xmlns" ||
                                SpaceOf(name->prefix).has_value();
                       });
  }

  std::optional<Namespace> SpaceOf(std::string_view prefix) const {
    if (prefix == "xml") return Namespace::kOther;
    for (size_t i = bindings_.size(); i-- > 0;)
      if (bindings_[i].prefix == prefix) return bindings_[i].space;
    if (prefix.empty()) return Namespace::kHtml;
    return {};
  }

  size_t ReadStartTag(std::string_view text, size_t at) {
    const size_t name = XmlNameSize(text.substr(1));
    bool is_empty = false;
    const size_t end =
        name == 0 ? 0 : ReadAttributes(text, 1 + name, &is_empty);
    if (end == 0 || open_.size() == kMostXmlDepth ||
        (open_.empty() && std::exchange(has_root_, true)))
      return 0;
    Element element{text.substr(1, name), {}, bindings_.size()};
    const auto qualified = Qualified(element.name);
    if (!qualified || !Bind()) return 0;
    const auto space = SpaceOf(qualified->prefix);
    if (!space) return 0;
    if (content() == Content::kKept) {
      element.written = ElementOf(*space, qualified->local);
    } else {
      element.written.content = content();
    }
    if (!PutStartTag(element.written, at)) return 0;
    open_.push_back(element);
    if (is_empty) Close(at);
    return end;
  }

  // An attribute that means something in HTML: its name has no capitals and,
  // but for xml:lang, no prefix.
  static bool IsOfHtml(std::string_view name) {
    if (name == "xml:lang") return true;
    return !HasCapitals(name) && name.find(':') == kNone && name != "xmlns";
  }

  bool PutStartTag(const Written& written, size_t at) {
    std::string tag = "<" + std::string(written.name);
    bool hides = false;
    for (const Attribute& attribute : attributes_) {
      std::string value;
      if (!AppendValue(attribute.value, at, &value)) return false;
      if (!IsOfHtml(attribute.name)) continue;
      hides |= attribute.name == "hidden" || attribute.name == "style";
      tag += ' ';
      tag += attribute.name;
      tag += '=';
      tag += attribute.quote;
      tag += value;
      tag += attribute.quote;
    }
    if (written.name.empty()) return true;
    if (written.name == kUnknownName && !hides)
      tag.resize(1 + kUnknownName.size());
    tag += written.eats_line_feed ? ">\n" : ">";
    Put(tag, at);
    return true;
  }

  // The value of an attribute as HTML has it.
  bool AppendValue(std::string_view value, size_t at, std::string* to) {
    for (;;) {
      const size_t plain = std::min(value.find('&'), value.size());
      AppendQuoted(value.substr(0, plain), to);
      value.remove_prefix(plain);
      if (value.empty()) return true;
      const size_t size = ReferenceSize(value);
      if (size == 0) return false;
      if (!AppendReferenceOf(value.substr(0, size), at, to)) return false;
      value.remove_prefix(size);
    }
  }

  // Inside an entity there may be both quotation marks.
  void AppendQuoted(std::string_view text, std::string* to) const {
    if (expanding_.empty()) {
      *to += text;
      return;
    }
    for (const char c : text) {
      if (c == '"') {
        *to += "&quot;";
      } else if (c == '\'') {
        *to += "&#39;";
      } else {
        *to += c;
      }
    }
  }

  bool AppendReferenceOf(std::string_view text, size_t at, std::string* to) {
    if (text[1] == '#') {
      const auto c = XmlCharacterOf(text.substr(1, text.size() - 2));
      if (c && *c >= 0x80 && *c < 0xA0) {
        twinset::AppendReference({.length = 1, .code_point = *c}, to);
      } else if (c) {
        *to += text;
      }
      return c.has_value();
    }
    const std::string* replacement = nullptr;
    switch (MeaningOf(text, &replacement)) {
      case Meaning::kOfHtml:
        *to += text;
        return true;
      case Meaning::kDeclared:
        return Expand(*replacement, at, [&] {
          return replacement->find('<') == kNone &&
                 to->size() <= MostXhtmlBytes(source_.size()) &&
                 AppendValue(*replacement, at, to);
        });
      case Meaning::kUnread:
        return true;
      case Meaning::kWrong:
        break;
    }
    return false;
  }

  const std::string_view source_;
  const bool want_places_;
  XhtmlAsHtml* const out_;
  XmlEntities entities_;
  std::vector<Element> open_;
  std::vector<Binding> bindings_;
  std::vector<Attribute> attributes_;  // of the tag that is read
  std::string script_;                 // text of the element that is open
  std::vector<const std::string*> expanding_;
  size_t entity_at_ = kNone;  // of the reference outside all entities
  uint64_t expanded_ = 0;     // bytes of entities
  bool has_root_ = false;
};

}  // namespace

bool XhtmlToHtml(std::string_view utf8, bool want_places,
                 XhtmlAsHtml* as_html) {
  as_html->html.clear();
  as_html->places.clear();
  return XhtmlWriter(utf8, want_places, as_html).Write();
}

uint32_t SourceOfHtml(const std::vector<XhtmlPlace>& places, uint32_t html,
                      uint32_t size) {
  const auto behind = std::upper_bound(
      places.begin(), places.end(), html,
      [](uint32_t at, const XhtmlPlace& place) { return at < place.html; });
  if (behind == places.begin()) return 0;
  const XhtmlPlace& place = *(behind - 1);
  return std::min(place.source + (html - place.html), size);
}

}  // namespace twinset
