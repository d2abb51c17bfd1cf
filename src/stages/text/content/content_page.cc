#include "text/content/content_page.h"

#include <algorithm>

#include "text/content/content.h"
#include "text/content/content_entries.h"
#include "text/content/content_frame.h"
#include "text/content/page_blocks.h"
#include "text/html/html_tags.h"

namespace twinset {
namespace {

bool IsBlank(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  });
}

// Marks of what is not read aloud.
constexpr uint64_t kSilent =
    MarkBit(ContentGroup::kHiddenWord) | MarkBit(ContentGroup::kFrameWord);

uint64_t TagMark(HtmlTag tag) {
  const auto mark = [](ContentTag kind) { return MarkBit(kind); };
  switch (tag) {
    case HtmlTag::kNav:
      return mark(ContentTag::kNav);
    case HtmlTag::kHeader:
    case HtmlTag::kHgroup:
      return mark(ContentTag::kHeader);
    case HtmlTag::kFooter:
      return mark(ContentTag::kFooter);
    case HtmlTag::kAside:
      return mark(ContentTag::kAside);
    case HtmlTag::kArticle:
      return mark(ContentTag::kArticle);
    case HtmlTag::kMain:
      return mark(ContentTag::kMain);
    case HtmlTag::kSection:
      return mark(ContentTag::kSection);
    case HtmlTag::kForm:
    case HtmlTag::kFieldset:
    case HtmlTag::kSearch:
    case HtmlTag::kLegend:
      return mark(ContentTag::kForm);
    case HtmlTag::kFigure:
      return mark(ContentTag::kFigure);
    case HtmlTag::kFigcaption:
      return mark(ContentTag::kFigure) | mark(ContentTag::kCaption);
    case HtmlTag::kTable:
      return mark(ContentTag::kTable);
    case HtmlTag::kUl:
    case HtmlTag::kOl:
    case HtmlTag::kDl:
    case HtmlTag::kMenu:
    case HtmlTag::kDir:
      return mark(ContentTag::kList);
    case HtmlTag::kLi:
    case HtmlTag::kDt:
    case HtmlTag::kDd:
      return mark(ContentTag::kItem);
    case HtmlTag::kBlockquote:
      return mark(ContentTag::kBlockquote);
    case HtmlTag::kPre:
    case HtmlTag::kListing:
    case HtmlTag::kXmp:
    case HtmlTag::kPlaintext:
      return mark(ContentTag::kPre);
    case HtmlTag::kH1:
    case HtmlTag::kH2:
    case HtmlTag::kH3:
    case HtmlTag::kH4:
    case HtmlTag::kH5:
    case HtmlTag::kH6:
      return mark(ContentTag::kHeading);
    case HtmlTag::kButton:
    case HtmlTag::kSelect:
    case HtmlTag::kOption:
    case HtmlTag::kOptgroup:
    case HtmlTag::kTextarea:
    case HtmlTag::kDialog:
      return mark(ContentTag::kControl);
    default:
      return 0;
  }
}

// Landmarks of WAI-ARIA 1.2, section 5.3.4, and what a role makes of an
// element; 0 for other roles.
uint64_t RoleMark(std::string_view role) {
  struct Role {
    std::string_view name;
    ContentTag tag;
  };
  constexpr Role kRoles[] = {
      {"main", ContentTag::kMain},
      {"article", ContentTag::kArticle},
      {"navigation", ContentTag::kNav},
      {"menu", ContentTag::kNav},
      {"menubar", ContentTag::kNav},
      {"tablist", ContentTag::kNav},
      {"toolbar", ContentTag::kNav},
      {"contentinfo", ContentTag::kFooter},
      {"complementary", ContentTag::kAside},
      {"banner", ContentTag::kHeader},
      {"search", ContentTag::kForm},
      {"form", ContentTag::kForm},
  };
  for (const Role& known : kRoles) {
    if (role == known.name) return MarkBit(known.tag);
  }
  return 0;
}

// Returns true iff a word of a class or id names comments of readers or one of
// them, and not a state of the page ("comments-open").
bool NamesComments(std::string_view value) {
  constexpr std::string_view kNames[] = {
      "articlecomments", "blogcomments",     "comentarios",
      "comment",         "commentaires",     "commentarea",
      "commentbody",     "commentbox",       "commentcontainer",
      "commentcontent",  "commentform",      "commenti",
      "commentlist",     "comments",         "commentsarea",
      "commentsblock",   "commentsbox",      "commentscontainer",
      "commentscontent", "commentsection",   "commentsinner",
      "commentslist",    "commentssection",  "commentsthread",
      "commentstree",    "commentswrap",     "commentswrapper",
      "commenttext",     "commentthread",    "commenttree",
      "commentwrap",     "commentwrapper",   "disqus",
      "disqusthread",    "facebookcomments", "fbcomments",
      "komentarze",      "kommentar",        "kommentarbereich",
      "kommentare",      "kommentarliste",   "livefyre",
      "postcomments",    "reacties",         "readercomments",
      "respond",         "usercomments",
  };
  static_assert(std::is_sorted(std::begin(kNames), std::end(kNames)));
  std::array<char, 20> letters{};
  for (size_t at = 0; at < value.size();) {
    size_t size = 0;
    for (; at < value.size() && value[at] != ' '; ++at) {
      const char c = static_cast<char>(value[at] | 0x20);
      if (c < 'a' || c > 'z') continue;
      if (size < letters.size()) letters[size] = c;
      ++size;
    }
    ++at;
    if (size <= letters.size() &&
        std::binary_search(std::begin(kNames), std::end(kNames),
                           std::string_view(letters.data(), size))) {
      return true;
    }
  }
  return false;
}

// Returns true iff an itemprop or property says that the element holds the text
// of the page's article (schema.org; RDF Site Summary's content module).
bool NamesBody(std::string_view value) {
  return value.find("articleBody") != std::string_view::npos ||
         value.find("mainContentOfPage") != std::string_view::npos ||
         value == "mainEntity" || value.find("content:encoded") == 0;
}

uint32_t Mix(uint32_t hash, uint32_t value) {
  hash = (hash ^ value) * 0x9E3779B1u;
  return hash ^ hash >> 15;
}

// Letters of a class value; numbers in it tell siblings apart, not kinds.
uint32_t ClassHash(std::string_view value) {
  uint32_t hash = kWordSeed;
  for (const char c : value) {
    if (c < '0' || c > '9')
      hash = WordHash(hash, static_cast<unsigned char>(c));
  }
  return hash;
}

struct Stress {
  std::string_view open, close;
  uint8_t kind;
};
constexpr Stress kStress[] = {{"<strong>", "</strong>", 1},
                              {"<b>", "</b>", 1},
                              {"<em>", "</em>", 2},
                              {"<i>", "</i>", 2}};

// Returns true iff a style says visibility:hidden, which the tree does not look
// for.
bool IsInvisible(std::string_view style) {
  const size_t at = style.find("visibility");
  if (at == std::string_view::npos) return false;
  const size_t value = style.find_first_not_of(": \t", at + 10);
  return value != std::string_view::npos &&
         style.substr(value).starts_with("hidden");
}

class PageReader {
 public:
  PageReader(std::string_view utf8, const HtmlTree& tree, ContentPage* page)
      : utf8_(utf8),
        nodes_(tree.nodes),
        page_(*page),
        self_(ReadSelfPortrait(utf8, tree)) {}

  void Run() {
    page_.elements.clear();
    page_.blocks.clear();
    page_.too_large = false;
    page_.declared = self_.declared;
    page_.elements.emplace_back();
    for (uint32_t i = 0; i < nodes_.size() && !page_.too_large; ++i) Node(i);
    EndBlock();
    while (!open_.empty()) Pop();
    page_.elements[0].end_block = static_cast<uint32_t>(page_.blocks.size());
    page_.title_words = static_cast<uint32_t>(self_.title.size());
    page_.body_pairs = static_cast<uint32_t>(self_.body.size());
    page_.images_behind = images_;
    for (PageElement& element : page_.elements) {
      const PageElement& parent = page_.elements[element.parent];
      const bool same = parent.first_block == element.first_block &&
                        parent.end_block == element.end_block;
      element.wider = same ? parent.wider : element.parent;
    }
    page_.address = self_.address;
    FindFrames(&page_);
    page_.entries = FindEntries(page_);
  }

 private:
  std::string_view Source(const HtmlNode& node) const {
    return utf8_.substr(node.begin, node.end - node.begin);
  }

  void Node(uint32_t i) {
    const HtmlNode& node = nodes_[i];
    if (skipped_ > 0) {
      if (node.kind == HtmlNode::kOpen) ++skipped_;
      if (node.kind == HtmlNode::kClose) --skipped_;
      return;
    }
    switch (node.kind) {
      case HtmlNode::kOpen:
        if (EndsContentBlock(node.tag)) EndBlock();
        if ((node.flags & HtmlNode::kHidden) != 0) {
          skipped_ = 1;
        } else {
          Push(node);
        }
        break;
      case HtmlNode::kClose:
        if (EndsContentBlock(node.tag)) EndBlock();
        if (!open_.empty()) Pop();
        break;
      case HtmlNode::kVoid:
        Void(node.tag);
        break;
      case HtmlNode::kLinkOpen:
        in_link_ = true;
        new_link_ = (node.flags & HtmlNode::kReopened) == 0;
        if (new_link_) Permalink(node);
        break;
      case HtmlNode::kLinkClose:
        in_link_ = false;
        break;
      case HtmlNode::kText:
        if ((node.flags & HtmlNode::kHidden) == 0) Text(i);
        break;
      case HtmlNode::kRest:
        page_.too_large = true;
    }
  }

  // A link in the heading of an article, or one that says so, is the address of
  // the article.
  void Permalink(const HtmlNode& node) {
    bool in_heading = false;
    for (size_t i = open_.size(), steps = 0; i-- > 0 && steps < 6; ++steps) {
      PageElement& element = page_.elements[open_[i]];
      in_heading |= (element.marks & MarkBit(ContentTag::kHeading)) != 0;
      if ((element.marks & MarkBit(ContentTag::kArticle)) == 0) continue;
      if (element.permalink != 0) return;
      const std::string_view tag = Source(node);
      if (!in_heading && tag.find("bookmark") == std::string_view::npos) return;
      ReadAttributes(tag, &attributes_);
      for (const HtmlAttribute& attribute : attributes_) {
        if (attribute.name == "href" && !attribute.value.empty() &&
            attribute.value[0] != '#') {
          element.permalink = AddressHash(attribute.value);
        }
      }
      return;
    }
  }

  uint32_t Inner() const { return open_.empty() ? 0 : open_.back(); }

  void Push(const HtmlNode& node) {
    if (page_.elements.size() >= kMaxContentElements) {
      page_.too_large = true;
      return;
    }
    PageElement element;
    element.parent = Inner();
    element.tag = node.tag;
    element.first_block = static_cast<uint32_t>(page_.blocks.size());
    const PageElement& parent = page_.elements[element.parent];
    element.depth = static_cast<uint16_t>(parent.depth + 1);
    element.path_hash =
        Mix(parent.path_hash, static_cast<uint32_t>(node.tag) + 1);
    element.name_hash = static_cast<uint32_t>(node.tag) + 1;
    element.marks = TagMark(node.tag);
    const bool is_page =
        node.tag == HtmlTag::kBody || node.tag == HtmlTag::kHtml;
    if (!is_page && node.end - node.begin > 8 &&
        !Names(Source(node), &element)) {
      skipped_ = 1;
      return;
    }
    open_.push_back(static_cast<uint32_t>(page_.elements.size()));
    page_.elements.push_back(element);
  }

  // False for an element that nobody sees.
  bool Names(std::string_view tag, PageElement* element) {
    ReadAttributes(tag, &attributes_);
    for (const HtmlAttribute& attribute : attributes_) {
      const std::string_view name = attribute.name;
      if (name == "class") {
        element->name_hash =
            Mix(element->name_hash, ClassHash(attribute.value));
      } else if (name == "style") {
        if (IsInvisible(attribute.value)) return false;
        continue;
      } else if (name == "aria-hidden") {
        if (attribute.value == "true") element->marks |= kSilent;
        continue;
      } else if (name == "itemtype") {
        page_.declared |= DeclaredTypeBit(attribute.value);
        continue;
      } else if (name == "role") {
        const uint64_t landmark = RoleMark(attribute.value);
        element->marks |= landmark;
        if (landmark != 0) continue;
      } else if (name == "itemprop" || name == "property") {
        if (NamesBody(attribute.value))
          element->marks |= MarkBit(ContentTag::kBody);
        if (name == "property") continue;
      } else if (name != "id") {
        continue;
      }
      const uint64_t groups = names_.Match(attribute.value);
      element->marks |= groups;
      if ((groups & MarkBit(ContentGroup::kCommentWord)) != 0 &&
          NamesComments(attribute.value)) {
        element->marks |= MarkBit(ContentTag::kComments);
      }
    }
    return true;
  }

  void Pop() {
    page_.elements[open_.back()].end_block =
        static_cast<uint32_t>(page_.blocks.size());
    open_.pop_back();
  }

  void Void(HtmlTag tag) {
    if (tag == HtmlTag::kBr) {
      ++breaks_;
      if (breaks_ > 1) EndBlock();
    } else if (tag == HtmlTag::kHr) {
      EndBlock();
    } else if (tag == HtmlTag::kImg && in_block_) {
      ++block_.text.images;
    } else if (tag == HtmlTag::kImg && images_ < 0xFFFF) {
      ++images_;
    }
  }

  void Text(uint32_t i) {
    const std::string_view text = Source(nodes_[i]);
    if (IsBlank(text)) return;
    if (!in_block_) {
      if (page_.blocks.size() + 1 >= kMaxContentBlocks) {
        page_.too_large = true;
        return;
      }
      in_block_ = true;
      block_ = PageBlock();
      block_.first_node = i;
      block_.element = Inner();
      block_.text_hash = kWordSeed;
      block_.images_before = images_;
      block_.text.emphasis = Emphasis(nodes_[i]);
      images_ = 0;
      new_link_ = in_link_;
    } else if (breaks_ > 0) {
      ++block_.text.breaks;
    }
    breaks_ = 0;
    block_.end_node = i + 1;
    if (in_link_ && new_link_) ++block_.text.links;
    if (in_link_) new_link_ = false;
    const bool references = (nodes_[i].flags & HtmlNode::kRaw) == 0;
    CountText(text, references, in_link_, self_, &block_.text,
              &block_.text_hash);
  }

  // Says whether the tag right before a text stresses it, and to its end.
  uint8_t Emphasis(const HtmlNode& node) const {
    const std::string_view before = utf8_.substr(0, node.begin);
    const std::string_view behind = utf8_.substr(node.end, 9);
    for (const auto& [open, close, kind] : kStress) {
      if (before.ends_with(open)) {
        return static_cast<uint8_t>(kind + (behind.starts_with(close) ? 2 : 0));
      }
    }
    return 0;
  }

  void EndBlock() {
    breaks_ = 0;
    if (!in_block_) return;
    in_block_ = false;
    page_.blocks.push_back(block_);
  }

  std::string_view utf8_;
  const std::vector<HtmlNode>& nodes_;
  ContentPage& page_;
  const ContentNames& names_ = ContentNames::Get();
  std::vector<uint32_t> open_;
  std::vector<HtmlAttribute> attributes_;
  const SelfPortrait self_;
  PageBlock block_;
  uint32_t skipped_ = 0, breaks_ = 0;
  uint16_t images_ = 0;
  bool in_block_ = false, in_link_ = false, new_link_ = false;
};

}  // namespace

void ReadContentPage(std::string_view utf8, const HtmlTree& tree,
                     ContentPage* page) {
  PageReader(utf8, tree, page).Run();
}

}  // namespace twinset
