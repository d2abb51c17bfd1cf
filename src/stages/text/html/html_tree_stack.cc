// Elements and nodes of the tree builder.
#include <algorithm>

#include "kernels/byte_scan.h"
#include "text/html/html_scan.h"
#include "text/html/html_tree_builder.h"

namespace twinset {
namespace {

// Elements that leave a kOpen: those that separate text or mean something.
bool LeavesNode(const OpenElement& element) {
  constexpr uint32_t kSeparates = kTagBlock | kTagCell | kTagPreserve;
  return element.space == HtmlSpace::kHtml &&
         (element.flags & (kSeparates | kTagSpecial)) != 0;
}

bool IsTablePart(const OpenElement& element) {
  return HtmlStack::Is(element, HtmlTag::kTable) ||
         HtmlStack::Is(element, HtmlTag::kTbody) ||
         HtmlStack::Is(element, HtmlTag::kTr) ||
         HtmlStack::Is(element, HtmlTag::kThead) ||
         HtmlStack::Is(element, HtmlTag::kTfoot);
}

}  // namespace

void HtmlTreeBuilder::Push(HtmlTag tag, InsertionMode mode, bool implied) {
  OpenElement& element = Open(tag, HtmlSpace::kHtml, mode);
  element.hides = !implied && Hides();
  Enter(&element, implied);
}

OpenElement& HtmlTreeBuilder::Open(HtmlTag tag, HtmlSpace space,
                                   InsertionMode mode) {
  while (stack_.size() >= kMaxHtmlDepth) {
    ++tree_->depth_limit_hits;
    Pop();
  }
  const bool parent_hidden = !stack_.empty() && stack_.top().hidden;
  const bool parent_reading = !stack_.empty() && stack_.top().reading;
  const bool parent_dropped = dropped();
  const uint32_t table = MustFoster() ? FosterTable() : OpenElement::kNone;
  OpenElement& element = stack_.Add(tag, space);
  element.mode = mode;
  element.flags = space == HtmlSpace::kHtml ? TagFlags(tag) : 0;
  // No reading holds a block: in one that was not closed it is text again.
  const bool ends_reading = parent_reading && (element.flags & kTagBlock) != 0;
  element.reading = parent_reading && !ends_reading;
  element.hidden = parent_hidden && !ends_reading;
  element.dropped = parent_dropped || (element.flags & kTagDrop) != 0;
  element.foster_table = table;
  return element;
}

void HtmlTreeBuilder::Enter(OpenElement* element, bool implied) {
  const uint32_t flags = element->flags;
  element->hides |= element->dropped || (flags & kTagMute) != 0;
  // Formatting elements are reopened in front of ordinary ones only.
  const bool reopens = (flags & kTagSpecial) == 0;
  element->reading &= !element->hides;
  element->hidden |=
      element->hides || element->reading || (reopens && hiding_ > 0);
  if ((flags & kTagMarker) != 0) {
    element->formatting = static_cast<uint32_t>(formatting_.size());
    element->hiding = hiding_;
    element->link_was_open = link_open_;
    hiding_ = 0;
  }
  const bool moves = element->foster_table != OpenElement::kNone;
  if (element->hidden || !(moves || LeavesNode(*element))) return;
  element->node = static_cast<uint32_t>(nodes_.size());
  const uint32_t begin = token_->begin;
  nodes_.push_back({begin, implied ? begin : token_->end, element->tag,
                    HtmlNode::kOpen,
                    implied ? HtmlNode::kImplied : uint8_t{0}});
  if ((flags & kTagPreserve) != 0) ++preserve_;
}

void HtmlTreeBuilder::Pop() {
  do {
    const OpenElement element = stack_.top();
    stack_.Pop();
    if ((element.flags & kTagMarker) != 0) {
      formatting_.resize(
          std::min<size_t>(formatting_.size(), element.formatting));
      hiding_ = element.hiding;
      if (link_open_ && !element.link_was_open) CloseLink();
    }
    if (element.node != OpenElement::kNone) {
      const bool own =
          token_->kind == HtmlToken::kEndTag && token_->tag == element.tag;
      const uint32_t begin = token_->begin;
      nodes_.push_back({begin, own ? token_->end : begin, element.tag,
                        HtmlNode::kClose,
                        own ? uint8_t{0} : HtmlNode::kImplied});
      if ((element.flags & kTagPreserve) != 0) --preserve_;
      if (element.foster_table != OpenElement::kNone) {
        moves_.push_back({element.node,
                          static_cast<uint32_t>(nodes_.size()) - 1,
                          element.foster_table});
      }
    }
  } while (!stack_.empty() && stack_.top().detached);
}

void HtmlTreeBuilder::PopTo(size_t size) {
  while (stack_.size() > size) Pop();
}

void HtmlTreeBuilder::PopThrough(HtmlTag tag) {
  while (!stack_.empty()) {
    const bool last = HtmlStack::Is(stack_.top(), tag);
    Pop();
    if (last) return;
  }
}

void HtmlTreeBuilder::GenerateImpliedEnds(HtmlTag except) {
  const auto is_implied = [](HtmlTag tag) {
    switch (tag) {
      case HtmlTag::kDd:
      case HtmlTag::kDt:
      case HtmlTag::kLi:
      case HtmlTag::kOptgroup:
      case HtmlTag::kOption:
      case HtmlTag::kP:
      case HtmlTag::kRb:
      case HtmlTag::kRp:
      case HtmlTag::kRt:
      case HtmlTag::kRtc:
        return true;
      default:
        return false;
    }
  };
  while (!stack_.empty() && stack_.top().space == HtmlSpace::kHtml &&
         stack_.top().tag != except && is_implied(stack_.top().tag)) {
    Pop();
  }
}

void HtmlTreeBuilder::CloseP() {
  if (stack_.InButtonScope(HtmlTag::kP)) PopThrough(HtmlTag::kP);
}

// Returns true iff the tag's attributes hide its element. Most tags are decided
// by a look for the letters that "hidden" and "display" need.
bool HtmlTreeBuilder::Hides() {
  const char* at = token_->raw.data() + token_->raw.size();
  const char* const end = source_.data() + token_->end;
  const char* const readable = source_.data() + source_.size();
  bool maybe = false;
  // Asks whether any place begins like that; those near the end of sixteen
  // bytes are looked at again.
  while (at + 4 < end && !maybe) {
    if (static_cast<size_t>(readable - at) >= kernels::Bytes16::kSize) {
      const kernels::Bytes16 bytes(at);
      const uint32_t first = bytes.EqualTo('d', 'D');
      const uint32_t second = bytes.EqualTo('d', 'D', 'i', 'I');
      maybe = ((first & second >> 1) | bytes.EqualTo('&')) != 0;
      at += kernels::Bytes16::kSize - 1;
    } else {
      maybe = ((at[0] | 0x20) == 'd' &&
               ((at[1] | 0x20) == 'd' || (at[1] | 0x20) == 'i')) ||
              *at == '&';
      ++at;
    }
  }
  if (!maybe) return false;
  for (const HtmlAttribute& attribute : tokenizer_.attributes()) {
    const bool references = attribute.value.find('&') != std::string_view::npos;
    if (references ? IsHidingAttribute(attribute.name,
                                       DecodeAttribute(attribute.value))
                   : IsHidingAttribute(attribute.name, attribute.value)) {
      return true;
    }
  }
  return false;
}

// In the table modes whatever is not part of the table goes before it, unless
// it is inside something that went there already.
bool HtmlTreeBuilder::MustFoster() const {
  return fostering_ && !stack_.empty() && IsTablePart(stack_.top());
}

uint32_t HtmlTreeBuilder::FosterTable() const {
  for (size_t i = stack_.size(); i-- > 0;) {
    if (HtmlStack::Is(stack_.open()[i], HtmlTag::kTable)) {
      return stack_.open()[i].node;
    }
  }
  return OpenElement::kNone;
}

void HtmlTreeBuilder::Append(HtmlNode::Kind kind, HtmlTag tag, uint8_t flags,
                             uint32_t begin, uint32_t end) {
  const auto at = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, tag, kind, flags});
  if (!MustFoster()) return;
  const uint32_t table = FosterTable();
  if (table != OpenElement::kNone) moves_.push_back({at, at, table});
}

void HtmlTreeBuilder::CloseLink() {
  if (!link_open_) return;
  link_open_ = false;
  Append(HtmlNode::kLinkClose, HtmlTag::kA, 0, token_->begin, token_->begin);
}

// Each move is a list operation: O(nodes + moves). A move is one node or an
// element from its kOpen to its kClose; moves inside it were recorded before it
// and lead to tables inside it, so its ends stay its ends.
void HtmlTreeBuilder::ReorderFostered() {
  if (moves_.empty()) return;
  if (nodes_.size() > kMaxReorderedNodes) {
    tree_->cut_short = true;
    return;
  }
  const auto size = static_cast<uint32_t>(nodes_.size());
  std::vector<uint32_t> next(size + 1), previous(size + 1);
  for (uint32_t i = 0; i <= size; ++i) {  // `size` closes the ring
    next[i] = i == size ? 0 : i + 1;
    previous[i] = i == 0 ? size : i - 1;
  }
  for (const Move& move : moves_) {
    const uint32_t first = move.first, last = move.last;
    next[previous[first]] = next[last];
    previous[next[last]] = previous[first];
    previous[first] = previous[move.table];
    next[last] = move.table;
    next[previous[first]] = first;
    previous[move.table] = last;
  }
  std::vector<HtmlNode> ordered;
  ordered.reserve(size);
  for (uint32_t i = next[size]; i != size; i = next[i]) {
    ordered.push_back(nodes_[i]);
  }
  nodes_ = std::move(ordered);
}

}  // namespace twinset
