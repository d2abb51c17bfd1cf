// Tables.
#include "base/ascii.h"
#include "text/html/html_scan.h"
#include "text/html/html_tree_builder.h"

namespace twinset {
namespace {

bool IsSection(HtmlTag tag) {
  return tag == HtmlTag::kTbody || tag == HtmlTag::kThead ||
         tag == HtmlTag::kTfoot;
}

bool IsCell(HtmlTag tag) { return tag == HtmlTag::kTd || tag == HtmlTag::kTh; }

bool IsTableContent(HtmlTag tag) {
  return IsSection(tag) || IsCell(tag) || tag == HtmlTag::kTr ||
         tag == HtmlTag::kCaption || tag == HtmlTag::kCol ||
         tag == HtmlTag::kColgroup;
}

}  // namespace

// Pops down to the innermost open element of the mode: table, section or row.
void HtmlTreeBuilder::ClearTo(InsertionMode mode) {
  const auto is_context = [&](const OpenElement& element) {
    if (element.space != HtmlSpace::kHtml || element.detached) return false;
    switch (mode) {
      case InsertionMode::kTable:
        return element.tag == HtmlTag::kTable;
      case InsertionMode::kTableBody:
        return IsSection(element.tag);
      default:
        return element.tag == HtmlTag::kTr;
    }
  };
  while (!stack_.empty() && !is_context(stack_.top())) Pop();
}

void HtmlTreeBuilder::TableStart() {
  const HtmlTag tag = token_->tag;
  if (mode() == InsertionMode::kColumnGroup) {
    if (tag == HtmlTag::kCol) return VoidTag();
    Pop();
    return TableStart();
  }
  if (IsTableContent(tag)) return TablePartStart(tag);
  switch (tag) {
    case HtmlTag::kTable:
      if (!stack_.InTableScope(tag)) return;
      PopThrough(tag);
      return StartTag();
    case HtmlTag::kForm:
      if (form_open_) return;
      form_open_ = true;
      Push(tag, mode());
      return Pop();
    case HtmlTag::kInput: {
      const HtmlAttribute* const type = tokenizer_.Find("type");
      if (type != nullptr && EqualsIgnoreCase(type->value, "hidden")) return;
      break;
    }
    default:
      break;
  }
  fostering_ = true;
  BodyStart();
  fostering_ = false;
}

void HtmlTreeBuilder::TablePartStart(HtmlTag tag) {
  const InsertionMode at = mode();
  if (at == InsertionMode::kRow) {
    if (IsCell(tag)) {
      ClearTo(InsertionMode::kRow);
      return Push(tag, InsertionMode::kCell);
    }
    ClearTo(InsertionMode::kRow);
    Pop();
    return TablePartStart(tag);
  }
  if (at == InsertionMode::kTableBody) {
    ClearTo(InsertionMode::kTableBody);
    if (tag == HtmlTag::kTr) return Push(tag, InsertionMode::kRow);
    if (IsCell(tag)) {
      Push(HtmlTag::kTr, InsertionMode::kRow, true);
      return TablePartStart(tag);
    }
    Pop();
    return TablePartStart(tag);
  }
  ClearTo(InsertionMode::kTable);
  if (tag == HtmlTag::kCaption) return Push(tag, InsertionMode::kCaption);
  if (tag == HtmlTag::kColgroup) return Push(tag, InsertionMode::kColumnGroup);
  if (tag == HtmlTag::kCol) return VoidTag();
  if (IsSection(tag)) return Push(tag, InsertionMode::kTableBody);
  Push(HtmlTag::kTbody, InsertionMode::kTableBody, true);
  TablePartStart(tag);
}

void HtmlTreeBuilder::TableEnd(HtmlTag tag) {
  const InsertionMode at = mode();
  if (at == InsertionMode::kColumnGroup) {
    if (tag == HtmlTag::kCol) return;
    Pop();
    if (tag == HtmlTag::kColgroup) return;
    return EndTag();
  }
  if (tag == HtmlTag::kTable) {
    if (stack_.InTableScope(tag)) PopThrough(tag);
    return;
  }
  if (tag == HtmlTag::kTr && at == InsertionMode::kRow) {
    ClearTo(at);
    return Pop();
  }
  if (IsSection(tag) && at != InsertionMode::kTable) {
    if (stack_.InTableScope(tag)) PopThrough(tag);
    return;
  }
  if (IsTableContent(tag) || tag == HtmlTag::kBody || tag == HtmlTag::kHtml) {
    return;
  }
  fostering_ = true;
  BodyEnd(tag);
  fostering_ = false;
}

void HtmlTreeBuilder::CaptionOrCellStart() {
  const HtmlTag tag = token_->tag;
  if (!IsTableContent(tag)) return BodyStart();
  if (mode() == InsertionMode::kCaption) {
    if (!CloseCaption()) return;
  } else {
    CloseCell();
  }
  StartTag();
}

void HtmlTreeBuilder::CloseCell() {
  GenerateImpliedEnds(HtmlTag::kUnknown);
  for (bool cell = false; !cell && !stack_.empty();) {
    cell = HtmlStack::Is(stack_.top(), HtmlTag::kTd) ||
           HtmlStack::Is(stack_.top(), HtmlTag::kTh);
    Pop();
  }
}

bool HtmlTreeBuilder::CloseCaption() {
  if (!stack_.InTableScope(HtmlTag::kCaption)) return false;
  GenerateImpliedEnds(HtmlTag::kUnknown);
  PopThrough(HtmlTag::kCaption);
  return true;
}

void HtmlTreeBuilder::CellEnd(HtmlTag tag) {
  if (IsCell(tag)) {
    if (!stack_.InTableScope(tag)) return;
    GenerateImpliedEnds(HtmlTag::kUnknown);
    return PopThrough(tag);
  }
  if (tag == HtmlTag::kTable || tag == HtmlTag::kTr || IsSection(tag)) {
    if (!stack_.InTableScope(tag)) return;
    CloseCell();
    return EndTag();
  }
  if (IsTableContent(tag) || tag == HtmlTag::kBody || tag == HtmlTag::kHtml) {
    return;
  }
  BodyEnd(tag);
}

void HtmlTreeBuilder::CaptionEnd(HtmlTag tag) {
  if (tag == HtmlTag::kCaption) {
    CloseCaption();
    return;
  }
  if (tag == HtmlTag::kTable) {
    if (CloseCaption()) EndTag();
    return;
  }
  if (IsTableContent(tag) || tag == HtmlTag::kBody || tag == HtmlTag::kHtml) {
    return;
  }
  BodyEnd(tag);
}

}  // namespace twinset
