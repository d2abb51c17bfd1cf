#include "text/html_text.h"

#include <algorithm>

#include "kernels/kernels.h"
#include "text/html_builder.h"
#include "text/html_entities.h"
#include "text/html_scan.h"
#include "text/html_tags.h"
#include "text/html_tokenizer.h"

namespace twinset {
namespace {

// Does what TextBuilder does without offsets, a vector at a time; a test holds
// the two against each other.
class FastWriter {
 public:
  explicit FastWriter(std::string* out) : out_(out) {}
  ~FastWriter() = default;

  void Reserve(size_t bytes) { Grow(bytes); }
  void Text(std::string_view utf8, uint32_t) {
    if (utf8.empty()) return;
    if (preserve_ > 0) return Preserved(utf8);
    size_t at = 0;
    while (at < utf8.size() && IsHtmlSpace(utf8[at])) ++at;
    if (at > 0 && pending_ == kNone) pending_ = kSpace;
    if (at == utf8.size()) return;
    Collapse(utf8.substr(at));
  }
  void Piece(std::string_view utf8, uint32_t source) { Text(utf8, source); }
  void Break(uint32_t) { pending_ = kLine; }
  void Cell(uint32_t) {
    if (pending_ < kTab) pending_ = kTab;
  }
  void BeginPreserve() { ++preserve_; }
  void EndPreserve() { --preserve_; }
  void Finish() {
    while (size_ > 0 && IsHtmlSpace(buffer_[size_ - 1])) --size_;
    out_->resize(size_);
  }

 private:
  enum Pending : uint8_t { kNone, kSpace, kTab, kLine };
  static constexpr size_t kShort = 32;

  void Grow(size_t more) {
    const size_t need = size_ + more + kernels::kPaddingBytes + 2;
    if (need <= capacity_) return;
    out_->resize(std::max(need, capacity_ + capacity_ / 2));
    buffer_ = out_->data();
    capacity_ = out_->size();
  }

  void FlushPending() {
    const Pending pending = pending_;
    pending_ = kNone;
    if (pending == kNone || size_ == 0) return;
    const char last = buffer_[size_ - 1];
    if (last == '\n' || (pending != kLine && IsHtmlSpace(last))) return;
    buffer_[size_++] = pending == kLine ? '\n' : pending == kTab ? '\t' : ' ';
  }

  void Collapse(std::string_view text) {
    Grow(text.size());
    FlushPending();
    char* const to = buffer_ + size_;
    size_t written = 0;
    if (text.size() < kShort) {
      bool after_space = false;
      for (const char c : text) {
        const bool space = IsHtmlSpace(c);
        to[written] = space ? ' ' : c;
        written += !(space && after_space);
        after_space = space;
      }
    } else {
      written = kernels::CollapseSpaces(text, to);
    }
    size_ += written;
    if (buffer_[size_ - 1] == ' ') {
      --size_;
      pending_ = kSpace;
    }
  }

  // CR and CRLF become LF.
  void Preserved(std::string_view text) {
    Grow(text.size());
    FlushPending();
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n' && after_return_) {
        after_return_ = false;
        continue;
      }
      after_return_ = text[i] == '\r';
      buffer_[size_++] = after_return_ ? '\n' : text[i];
    }
  }

  std::string* const out_;
  char* buffer_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
  Pending pending_ = kNone;
  int preserve_ = 0;
  bool after_return_ = false;
};

// A text whose decoding changes bytes: stretches between references and NULs,
// which mean nothing in text.
template <class Writer>
void WriteDecoded(std::string_view text, uint32_t source, bool references,
                  Writer* writer) {
  std::string decoded;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && text[end] != '\0' &&
           (text[end] != '&' || !references)) {
      ++end;
    }
    writer->Text(text.substr(at, end - at), source + static_cast<uint32_t>(at));
    if (end == text.size()) return;
    const auto place = source + static_cast<uint32_t>(end);
    at = end + 1;
    if (text[end] == '\0') continue;
    const CharacterReference reference = ReadReference(text.substr(end), false);
    if (reference.length == 0) {
      writer->Text("&", place);
    } else {
      decoded.clear();
      AppendReference(reference, &decoded);
      writer->Piece(decoded, place);
      at = end + reference.length;
    }
  }
}

// Token by token, in constant memory: what hides text by its name does.
template <class Writer>
void WriteRest(std::string_view utf8, uint32_t begin, Writer* writer) {
  HtmlTokenizer tokenizer(utf8.substr(begin));
  for (;;) {
    const HtmlToken& token = tokenizer.Next();
    const uint32_t flags = TagFlags(token.tag);
    switch (token.kind) {
      case HtmlToken::kEnd:
        return;
      case HtmlToken::kText:
        WriteDecoded(token.raw, begin + token.begin, token.references, writer);
        break;
      case HtmlToken::kStartTag:
      case HtmlToken::kEndTag:
        if ((flags & kTagBlock) != 0) writer->Break(begin + token.begin);
        if ((flags & kTagCell) != 0) writer->Cell(begin + token.begin);
        if (token.kind == HtmlToken::kEndTag) break;
        if ((flags & (kTagRaw | kTagScript)) != 0) {
          tokenizer.SetState((flags & kTagScript) != 0
                                 ? HtmlTokenizer::kScript
                                 : HtmlTokenizer::kRawText,
                             TagName(token.tag));
          if (tokenizer.Next().kind == HtmlToken::kEnd) return;
        }
        break;
      default:
        break;
    }
  }
}

template <class Writer>
void WriteNode(std::string_view utf8, const HtmlNode& node, bool kept,
               Writer* writer) {
  const uint32_t flags = TagFlags(node.tag);
  switch (node.kind) {
    case HtmlNode::kText: {
      if (!kept || (node.flags & HtmlNode::kHidden) != 0) return;
      const std::string_view text =
          utf8.substr(node.begin, node.end - node.begin);
      if ((node.flags & HtmlNode::kDecode) == 0) {
        writer->Text(text, node.begin);
      } else {
        WriteDecoded(text, node.begin, (node.flags & HtmlNode::kRaw) == 0,
                     writer);
      }
      return;
    }
    case HtmlNode::kOpen:
      if ((flags & kTagBlock) != 0) writer->Break(node.begin);
      if ((flags & kTagCell) != 0) writer->Cell(node.begin);
      if ((flags & kTagPreserve) != 0) writer->BeginPreserve();
      return;
    case HtmlNode::kClose:
      if ((flags & kTagPreserve) != 0) writer->EndPreserve();
      [[fallthrough]];
    case HtmlNode::kVoid:
      if ((node.flags & HtmlNode::kHidden) != 0 || node.tag == HtmlTag::kBody ||
          node.tag == HtmlTag::kHtml) {
        return;
      }
      if ((flags & kTagBlock) != 0) writer->Break(node.begin);
      if ((flags & kTagCell) != 0) writer->Cell(node.begin);
      return;
    case HtmlNode::kRest:
      return WriteRest(utf8, node.begin, writer);
    default:
      return;
  }
}

template <class Writer>
void WriteNodes(std::string_view utf8, const HtmlTree& tree,
                const std::vector<uint8_t>& keep, Writer* writer) {
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const bool kept = keep.empty() || keep[i] != 0;
    WriteNode(utf8, tree.nodes[i], kept, writer);
  }
  writer->Finish();
}

}  // namespace

void RenderText(std::string_view utf8, const HtmlTree& tree,
                const std::vector<uint8_t>& keep, bool keep_offsets,
                CleanText* out) {
  if (keep_offsets) {
    TextBuilder builder(true, out);
    WriteNodes(utf8, tree, keep, &builder);
  } else {
    FastWriter writer(&out->text);
    writer.Reserve(utf8.size() / 3);
    WriteNodes(utf8, tree, keep, &writer);
  }
}

void AppendNodeText(std::string_view utf8, const HtmlTree& tree, size_t begin,
                    size_t end, std::string* out) {
  CleanText clean;
  TextBuilder builder(false, &clean);
  for (size_t i = begin; i < end; ++i) {
    const HtmlNode& node = tree.nodes[i];
    const uint32_t flags = TagFlags(node.tag);
    if (node.kind != HtmlNode::kText) {
      // The range may cut elements, so what nests is left out.
      if ((flags & (kTagBlock | kTagCell)) != 0) builder.Text(" ", node.begin);
      continue;
    }
    HtmlNode visible = node;
    visible.flags &= static_cast<uint8_t>(~HtmlNode::kHidden);
    WriteNode(utf8, visible, true, &builder);
  }
  builder.Finish();
  out->append(clean.text);
}

}  // namespace twinset
