#include "text/page/html_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "kernels/byte_scan.h"
#include "kernels/kernels.h"
#include "text/html/html_entities.h"
#include "text/html/html_scan.h"
#include "text/html/html_tags.h"
#include "text/html/html_tokenizer.h"
#include "text/page/html_builder.h"

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
    while (at < utf8.size() && IsAsciiSpace(utf8[at])) ++at;
    if (at > 0 && pending_ == kNone) pending_ = kSpace;
    if (at == utf8.size()) return;
    Collapse(utf8.substr(at));
  }
  void Piece(std::string_view utf8, uint32_t source) { Text(utf8, source); }
  void SoftHyphen() { after_return_ = false; }
  void Break(uint32_t) { pending_ = kLine; }
  void Cell(uint32_t) {
    if (pending_ < kTab) pending_ = kTab;
  }
  void BeginPreserve() { ++preserve_; }
  void EndPreserve() { --preserve_; }
  uint32_t size() const { return static_cast<uint32_t>(size_); }
  void Finish() {
    while (size_ > 0 && IsAsciiSpace(buffer_[size_ - 1])) --size_;
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
    if (last == '\n' || (pending != kLine && IsAsciiSpace(last))) return;
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
        const bool space = IsAsciiSpace(c);
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

// Where the next reference, NUL or soft hyphen stands, or text.size().
size_t FindDecoded(std::string_view text, size_t at, bool references) {
  const char reference = references ? '&' : '\0';
  for (;; ++at) {
    at = kernels::FindAnyOf(text.data(), at, text.size(), reference, '\0',
                            kSoftHyphen[0]);
    if (at == text.size() || text[at] != kSoftHyphen[0] ||
        IsSoftHyphen(text, at)) {
      return at;
    }
  }
}

// A text whose decoding changes bytes: stretches between references, soft
// hyphens, and NULs, which mean nothing in text.
template <class Writer>
void WriteDecoded(std::string_view text, uint32_t source, bool references,
                  Writer* writer) {
  std::string decoded;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = FindDecoded(text, at, references);
    writer->Text(text.substr(at, end - at), source + static_cast<uint32_t>(at));
    if (end == text.size()) return;
    const auto place = source + static_cast<uint32_t>(end);
    at = end + 1;
    if (text[end] == '\0') continue;
    if (text[end] == kSoftHyphen[0]) {
      writer->SoftHyphen();
      at = end + kSoftHyphen.size();
      continue;
    }
    const CharacterReference reference = ReadReference(text.substr(end), false);
    if (reference.length == 0) {
      writer->Text("&", place);
    } else if (reference.code_point == kSoftHyphenPoint) {
      writer->SoftHyphen();
      at = end + reference.length;
    } else {
      decoded.clear();
      AppendReference(reference, &decoded);
      writer->Piece(decoded, place);
      at = end + reference.length;
    }
  }
}

// A page's rest without its tree, token by token, in constant memory: what
// hides text by its name does, up to its end tag.
template <class Writer>
class RestWriter {
 public:
  RestWriter(std::string_view rest, uint32_t begin, Writer* writer)
      : tokenizer_(rest), begin_(begin), writer_(writer) {}

  void Write() {
    for (;;) {
      const HtmlToken& token = tokenizer_.Next();
      if (token.kind == HtmlToken::kEnd) return;
      if (token.kind == HtmlToken::kText) {
        if (hiding_ == HtmlTag::kUnknown) {
          WriteDecoded(token.raw, begin_ + token.begin, token.references,
                       writer_);
        }
      } else if (token.kind == HtmlToken::kStartTag) {
        Show(token, true);
        Separate(token);
        Hide(token);
        if (hiding_ != HtmlTag::kSvg) Enter(token.tag);
      } else if (token.kind == HtmlToken::kEndTag) {
        Show(token, false);
        Separate(token);
        if (token.tag == HtmlTag::kRuby && rubies_ > 0) --rubies_;
      }
    }
  }

 private:
  static bool IsReading(HtmlTag tag) {
    return tag == HtmlTag::kRt || tag == HtmlTag::kRtc || tag == HtmlTag::kRp;
  }

  // Only foreign elements end in "/>".
  static bool IsEmpty(const HtmlToken& token) {
    return token.self_closing && token.tag == HtmlTag::kSvg;
  }

  void Separate(const HtmlToken& token) {
    if (hiding_ != HtmlTag::kUnknown) return;
    const uint32_t flags = TagFlags(token.tag);
    if ((flags & kTagBlock) != 0) writer_->Break(begin_ + token.begin);
    if ((flags & kTagCell) != 0) writer_->Cell(begin_ + token.begin);
  }

  // Shows text again if the tag ends what hides it.
  void Show(const HtmlToken& token, bool start) {
    if (hiding_ == HtmlTag::kUnknown) return;
    const uint32_t flags = TagFlags(token.tag);
    if (token.tag == hiding_ && !IsReading(hiding_)) {
      depth_ = start ? depth_ + !IsEmpty(token) : depth_ - 1;
      if (depth_ == 0) hiding_ = HtmlTag::kUnknown;
    } else if (hiding_ == HtmlTag::kSvg) {
      if (start && (flags & kTagBreakout) != 0) hiding_ = HtmlTag::kUnknown;
    } else if (IsReading(hiding_)) {
      const bool ends =
          token.tag == hiding_ || token.tag == HtmlTag::kRuby ||
          (flags & kTagBlock) != 0 ||
          (start && (token.tag == HtmlTag::kRb || IsReading(token.tag)));
      if (ends) hiding_ = HtmlTag::kUnknown;
    }
  }

  void Hide(const HtmlToken& token) {
    rubies_ += token.tag == HtmlTag::kRuby;
    if (hiding_ != HtmlTag::kUnknown || IsEmpty(token)) return;
    const uint32_t flags = TagFlags(token.tag);
    const bool hides = (flags & (kTagDrop | kTagMute)) != 0 ||
                       (rubies_ > 0 && IsReading(token.tag));
    if (!hides) return;
    hiding_ = token.tag;
    depth_ = 1;
  }

  // The content of these is no markup.
  void Enter(HtmlTag tag) {
    const uint32_t flags = TagFlags(tag);
    if ((flags & kTagScript) != 0) {
      tokenizer_.SetState(HtmlTokenizer::kScript, TagName(tag));
    } else if ((flags & kTagRcdata) != 0) {
      tokenizer_.SetState(HtmlTokenizer::kRcdata, TagName(tag));
    } else if ((flags & kTagRaw) != 0 || tag == HtmlTag::kNoscript) {
      tokenizer_.SetState(HtmlTokenizer::kRawText, TagName(tag));
    } else if ((flags & kTagPlaintext) != 0) {
      tokenizer_.SetState(HtmlTokenizer::kPlaintext, TagName(tag));
    }
  }

  HtmlTokenizer tokenizer_;
  const uint32_t begin_;
  Writer* const writer_;
  HtmlTag hiding_ = HtmlTag::kUnknown;  // the element that hides what is read
  uint32_t depth_ = 0;                  // of elements of its name in each other
  uint32_t rubies_ = 0;                 // open ones
};

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
      return RestWriter<Writer>(utf8.substr(node.begin), node.begin, writer)
          .Write();
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

// A block on a line of its own. Its nodes may cut elements, so what nests is
// left out.
void WriteAlone(std::string_view utf8, const HtmlTree& tree,
                const ContentBlock& block, FastWriter* writer) {
  writer->Break(0);
  for (size_t i = block.first_node; i < block.end_node; ++i) {
    const HtmlNode& node = tree.nodes[i];
    if (node.kind == HtmlNode::kText) {
      WriteNode(utf8, node, true, writer);
    } else if ((TagFlags(node.tag) & (kTagBlock | kTagCell)) != 0 &&
               (node.flags & HtmlNode::kHidden) == 0) {
      writer->Break(node.begin);
    }
  }
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

void RenderParts(std::string_view utf8, const HtmlTree& tree,
                 const std::vector<uint8_t>& keep,
                 const std::vector<ContentBlock>& blocks, CleanText* out) {
  FastWriter writer(&out->text), left(&out->left_out);
  writer.Reserve(utf8.size() / 3);
  out->parts.resize(blocks.size());
  size_t i = 0;
  const auto write_to = [&](size_t end) {
    for (; i < end; ++i)
      WriteNode(utf8, tree.nodes[i], keep.empty() || keep[i] != 0, &writer);
  };
  for (size_t b = 0; b < blocks.size(); ++b) {
    const ContentBlock& block = blocks[b];
    TextPart& part = out->parts[b];
    part.kept = keep.empty() || block.kept;
    part.likely = block.likely;
    part.framed = block.framed;
    part.linked = block.linked;
    write_to(block.first_node);
    part.begin = part.kept ? writer.size() : left.size();
    write_to(block.end_node);
    if (!part.kept) WriteAlone(utf8, tree, block, &left);
    part.end = part.kept ? writer.size() : left.size();
  }
  write_to(tree.nodes.size());
  writer.Finish();
  left.Finish();
  for (TextPart& part : out->parts) {
    const std::string& text = part.kept ? out->text : out->left_out;
    part.end = std::min(part.end, static_cast<uint32_t>(text.size()));
    part.begin = std::min(part.begin, part.end);
  }
}

std::string_view CollapseWhiteSpace(std::string_view text,
                                    std::string* buffer) {
  while (!text.empty() && IsAsciiSpace(text.front())) text.remove_prefix(1);
  if (text.empty()) return {};
  const size_t need = text.size() + kernels::kPaddingBytes;
  if (buffer->size() < need) buffer->resize(need);
  size_t size = kernels::CollapseSpaces(text, buffer->data());
  if ((*buffer)[size - 1] == ' ') --size;
  return {buffer->data(), size};
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
