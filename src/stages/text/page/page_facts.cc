#include "text/page/page_facts.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/html/html_tokenizer.h"
#include "text/html/html_tokenizer_chars.h"
#include "text/page/page_meta.h"

namespace twinset {
namespace {

// Text put together piece by piece: runs of white space become one space, none
// at the ends; at most `limit` bytes, cut at a character.
class CollapsedText {
 public:
  explicit CollapsedText(size_t limit) : limit_(limit) {}

  void Append(std::string_view utf8) {
    for (size_t at = 0; at < utf8.size() && !full_;) {
      if (IsAsciiSpace(utf8[at])) {
        space_ = true;
        ++at;
        continue;
      }
      size_t end = at + 1;
      while (end < utf8.size() && !IsAsciiSpace(utf8[end])) ++end;
      Word(utf8.substr(at, end - at));
      at = end;
    }
  }
  void Space() { space_ = true; }
  bool full() const { return full_; }
  bool empty() const { return text_.empty(); }
  std::string Take() {
    space_ = full_ = false;
    return std::exchange(text_, {});
  }

 private:
  void Word(std::string_view word) {
    if (space_ && !text_.empty()) text_.push_back(' ');
    space_ = false;
    size_t room = limit_ > text_.size() ? limit_ - text_.size() : 0;
    full_ = word.size() > room;
    if (full_) {
      word = word.substr(0, LengthUpTo(word, room));
    }
    text_.append(word);
    if (full_ && text_.ends_with(' ')) text_.pop_back();
  }

  const size_t limit_;
  std::string text_;
  bool space_ = false, full_ = false;
};

bool IsOneOf(std::string_view list, std::string_view lower_word) {
  while (!list.empty()) {
    size_t end = 0;
    while (end < list.size() && !IsAsciiSpace(list[end])) ++end;
    if (EqualsIgnoreCase(list.substr(0, end), lower_word)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

class FactsReader {
 public:
  FactsReader(std::string_view utf8, FactsWanted wanted)
      : source_(utf8), all_(wanted == FactsWanted::kAll) {}

  PageFacts Read(const HtmlTree& tree) {
    for (const HtmlNode& node : tree.nodes) {
      if (all_ || IsOfHead(node)) Visit(node);
    }
    EndLink();
    facts_.title = title_.Take();
    meta_.Finish(&facts_);
    if (all_) return std::move(facts_);
    PageFacts head;
    head.title = std::move(facts_.title);
    head.language = std::move(facts_.language);
    head.canonical = std::move(facts_.canonical);
    return head;
  }

 private:
  static constexpr size_t kNone = std::string::npos;

  bool IsOfHead(const HtmlNode& node) const {
    switch (node.tag) {
      case HtmlTag::kHtml:
      case HtmlTag::kTitle:
      case HtmlTag::kMeta:
      case HtmlTag::kLink:
        return true;
      default:
        return in_title_ && node.kind == HtmlNode::kText;
    }
  }

  void Visit(const HtmlNode& node) {
    switch (node.kind) {
      case HtmlNode::kOpen:
      case HtmlNode::kClose:
        if (node.tag == HtmlTag::kHtml) Html(node);
        if (node.tag == HtmlTag::kTitle) Title(node);
        anchor_.Space();
        break;
      case HtmlNode::kVoid:
        Void(node);
        break;
      case HtmlNode::kLinkOpen:
        if ((node.flags & HtmlNode::kReopened) == 0) {
          EndLink();
          if (AddLink(node, "href")) link_ = facts_.links.size() - 1;
        }
        in_link_ = link_ != kNone;
        break;
      case HtmlNode::kLinkClose:
        in_link_ = false;
        break;
      case HtmlNode::kText:
        if (in_title_) AppendText(node, HtmlTokenizer::kRcdata, &title_);
        if (in_link_ && (node.flags & HtmlNode::kHidden) == 0)
          AppendText(node, HtmlTokenizer::kData, &anchor_);
        break;
      case HtmlNode::kRest:  // nothing is known of it
        break;
    }
  }

  void Void(const HtmlNode& node) {
    switch (node.tag) {
      case HtmlTag::kHtml:
        return Html(node);
      case HtmlTag::kMeta:
        Attributes(node);
        return meta_.Meta(attributes_);
      case HtmlTag::kTime:
        if ((node.flags & HtmlNode::kHidden) != 0) return;
        Attributes(node);
        return meta_.Time(attributes_);
      case HtmlTag::kLink:
        return LinkElement(node);
      case HtmlTag::kBase:
        Attributes(node);
        if (facts_.base.empty()) facts_.base = Value("href");
        return;
      case HtmlTag::kImg:
        return Image(node);
      case HtmlTag::kArea:
        return Standalone(node, "href", "alt");
      case HtmlTag::kFrame:
      case HtmlTag::kIframe:
        return Standalone(node, "src", "title");
      case HtmlTag::kBr:
      case HtmlTag::kHr:
      case HtmlTag::kP:
        return anchor_.Space();
      default:
        return;
    }
  }

  void Html(const HtmlNode& node) {
    if (node.kind == HtmlNode::kClose || !facts_.language.empty()) return;
    if ((node.flags & HtmlNode::kImplied) != 0) return;
    Attributes(node);
    facts_.language = Value("lang");
    if (facts_.language.empty()) facts_.language = Value("xml:lang");
  }

  // Only the first counts, even if it is empty.
  void Title(const HtmlNode& node) {
    in_title_ = node.kind == HtmlNode::kOpen && !has_title_;
    has_title_ = true;
  }

  void LinkElement(const HtmlNode& node) {
    if (!facts_.canonical.empty()) return;
    Attributes(node);
    if (IsOneOf(AttributeValue(attributes_, "rel"), "canonical"))
      facts_.canonical = Value("href");
  }

  void Image(const HtmlNode& node) {
    if (!in_link_ || (node.flags & HtmlNode::kHidden) != 0 || alt_.full())
      return;
    Attributes(node);
    alt_.Space();
    alt_.Append(AttributeValue(attributes_, "alt"));
    anchor_.Space();  // letters on both sides of a picture are no word
  }

  bool AddLink(const HtmlNode& node, std::string_view address) {
    Attributes(node);
    if (!HasAttribute(attributes_, address)) return false;
    DocumentLink link;
    link.href = Value(address);
    link.rel = Value("rel");
    link.hidden = (node.flags & HtmlNode::kHidden) != 0;
    link.frame = address == "src";
    facts_.links.push_back(std::move(link));
    return true;
  }

  void Standalone(const HtmlNode& node, std::string_view address,
                  std::string_view name) {
    if (!AddLink(node, address)) return;
    CollapsedText text(kMaxAnchorBytes);
    text.Append(AttributeValue(attributes_, name));
    facts_.links.back().anchor = text.Take();
  }

  void EndLink() {
    std::string alt = alt_.Take();
    std::string anchor = anchor_.Take();
    if (link_ == kNone) return;
    facts_.links[link_].anchor = std::move(anchor.empty() ? alt : anchor);
    link_ = kNone;
  }

  void AppendText(const HtmlNode& node, HtmlTokenizer::State state,
                  CollapsedText* out) {
    if (out->full()) return;
    HtmlToken token;
    token.kind = HtmlToken::kText;
    token.begin = node.begin;
    token.end = node.end;
    token.raw = source_.substr(node.begin, node.end - node.begin);
    token.needs_decoding = (node.flags & HtmlNode::kDecode) != 0;
    token.references = (node.flags & HtmlNode::kRaw) == 0;
    if (!token.needs_decoding) return out->Append(token.raw);
    decoded_.clear();
    AppendDecodedText(token, state, &decoded_);
    std::erase(decoded_, '\0');
    for (size_t at = 0;
         (at = decoded_.find(kSoftHyphen, at)) != decoded_.npos;) {
      decoded_.erase(at, kSoftHyphen.size());
    }
    out->Append(decoded_);
  }

  void Attributes(const HtmlNode& node) {
    ReadAttributes(source_.substr(node.begin, node.end - node.begin),
                   &attributes_);
  }
  std::string Value(std::string_view name) const {
    return std::string(Trim(AttributeValue(attributes_, name)));
  }

  const std::string_view source_;
  const bool all_;
  PageFacts facts_;
  MetaFacts meta_;
  std::vector<HtmlAttribute> attributes_;
  std::string decoded_;
  CollapsedText title_{std::string::npos};
  CollapsedText anchor_{kMaxAnchorBytes}, alt_{kMaxAnchorBytes};  // of link_
  size_t link_ = kNone;  // the last link element; it may be continued
  bool in_title_ = false, has_title_ = false, in_link_ = false;
};

}  // namespace

PageFacts ReadPageFacts(std::string_view utf8, const HtmlTree& tree,
                        FactsWanted wanted) {
  return FactsReader(utf8, wanted).Read(tree);
}

}  // namespace twinset
