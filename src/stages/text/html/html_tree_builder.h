// Tree construction of the HTML standard (section 13.2.6), as far as text,
// blocks, links and hidden elements go.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TREE_BUILDER_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TREE_BUILDER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/html/html_stack.h"
#include "text/html/html_tokenizer.h"
#include "text/html/html_tree.h"

namespace twinset {

// Scripting is on, as it is for a reader: noscript is raw text and dropped.
//
// The list of active formatting elements (b, a, font, ...) is kept only while
// one of them hides something, and none is reopened as an element: what they
// hide follows the adoption agency without moving a node, and nothing else of
// them decides a text.
class HtmlTreeBuilder {
 public:
  HtmlTreeBuilder(std::string_view utf8, HtmlTree* tree)
      : source_(utf8), nodes_(tree->nodes), tree_(tree), tokenizer_(utf8) {}
  // To be called once.
  void Run();

 private:
  enum class Phase : uint8_t { kHead, kBody, kFrameset };
  struct Formatting {
    HtmlTag tag;
    bool hidden;
  };
  struct Move {  // nodes `first` to `last` stand before the table's kOpen
    uint32_t first, last, table;
  };

  // html_tree_builder.cc: tokens by phase.
  void StartTag();
  void EndTag();
  void Text();
  void Doctype();
  void CutShort();
  bool IsHeadTag(HtmlTag tag) const;
  void HeadStart();
  void EnsureBody();
  void VoidTag();
  void ReadRaw(HtmlTokenizer::State state);
  void Template();
  void Plaintext();

  // html_tree_body.cc: the rules of the body.
  bool InBodyAlone(HtmlTag tag) const;
  void BodyStart();
  void BodyStartSpecial();
  void BodyEnd(HtmlTag tag);
  void AnyOtherEnd(HtmlTag tag, uint32_t name);
  void FormattingStart();
  void FormattingEnd(HtmlTag tag);
  bool BeyondScope(HtmlTag formatting) const;
  void LinkStart();
  void ItemStart(HtmlTag first, HtmlTag second);
  void FormStart();
  void FormEnd();
  void Ruby(HtmlTag tag);
  void SelectStart();
  void OptionStart(HtmlTag tag);

  // html_tree_table.cc: tables.
  void TableStart();
  void TablePartStart(HtmlTag tag);
  void TableEnd(HtmlTag tag);
  void CaptionOrCellStart();
  void CellEnd(HtmlTag tag);
  void CaptionEnd(HtmlTag tag);
  void CloseCell();
  bool CloseCaption();
  void ClearTo(InsertionMode mode);

  // html_tree_foreign.cc: svg and math.
  bool InForeign() const;
  bool ForeignStart();
  bool ForeignEnd();
  void PushForeign(HtmlSpace space);

  // html_tree_stack.cc: elements and nodes.
  InsertionMode mode() const {
    return stack_.empty() ? InsertionMode::kBody : stack_.top().mode;
  }
  bool hidden() const {
    return (!stack_.empty() && stack_.top().hidden) || hiding_ > 0;
  }
  bool dropped() const { return !stack_.empty() && stack_.top().dropped; }
  void Push(HtmlTag tag, InsertionMode mode, bool implied = false);
  OpenElement& Open(HtmlTag tag, HtmlSpace space, InsertionMode mode);
  void Enter(OpenElement* element, bool implied);
  void Pop();
  void PopTo(size_t size);
  void PopThrough(HtmlTag tag);
  void GenerateImpliedEnds(HtmlTag except);
  void CloseP();
  bool Hides();
  bool MustFoster() const;
  uint32_t FosterTable() const;
  void Append(HtmlNode::Kind kind, HtmlTag tag, uint8_t flags, uint32_t begin,
              uint32_t end);
  void CloseLink();
  void ReorderFostered();

  const std::string_view source_;
  std::vector<HtmlNode>& nodes_;
  HtmlTree* const tree_;
  HtmlTokenizer tokenizer_;
  const HtmlToken* token_ = nullptr;
  HtmlStack stack_;
  std::vector<Formatting> formatting_;  // empty while none of them hides
  std::vector<Move> moves_;
  Phase phase_ = Phase::kHead;
  uint32_t hiding_ = 0;  // hiding entries of formatting_ since the last marker
  uint32_t preserve_ = 0;
  bool quirks_ = true, doctype_seen_ = false;
  bool html_seen_ = false, body_seen_ = false;
  bool form_open_ = false;
  bool link_open_ = false;
  bool frameset_ok_ = true;
  bool fostering_ = false;  // in a table, by the rules of the body
  bool skip_line_feed_ = false;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TREE_BUILDER_H_
