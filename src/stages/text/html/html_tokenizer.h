// The tokenizer of the HTML standard (WHATWG HTML, section 13.2.5), without
// copies: tokens are ranges of the source, decoded only when somebody asks
// (docs/methods/html.md).
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/html/html_tag.h"

namespace twinset {

// One attribute as it stands in the source: name in any case, value without its
// quotes, character references not decoded.
struct HtmlAttribute {
  std::string_view name, value;
};

struct HtmlToken {
  enum Kind : uint8_t { kText, kStartTag, kEndTag, kComment, kDoctype, kEnd };

  Kind kind = kEnd;
  HtmlTag tag = HtmlTag::kUnknown;  // of tags
  bool self_closing = false;        // of start tags: ends in "/>"
  // For texts: true if decoding may change a byte ('&' where references count,
  // CR, NUL) or a soft hyphen may stand in it (its first byte does). If false,
  // the range is the text.
  bool needs_decoding = false;
  // For texts: character references count (data and RCDATA, not raw text or
  // CDATA).
  bool references = true;
  bool cdata = false;           // text of a CDATA section: NULs stay
  uint32_t begin = 0, end = 0;  // whole token in the source
  // The raw name of a tag; the data between the delimiters of a comment; the
  // text of a text (without the brackets of a CDATA section).
  std::string_view raw;
};

// Linear time over all calls together, whatever the input: no byte is scanned
// more than a constant number of times. Extra memory: kMaxAttributes entries.
// Not thread-safe; tokenizers of different sources are independent.
//
// The tokens cover the source in order, without overlaps. What the standard
// makes no token of lies between them: "</>" and CDATA sections without text.
// A tag that the end of the source cuts off belongs to kEnd. Parse errors are
// not told.
class HtmlTokenizer {
 public:
  enum State : uint8_t { kData, kRcdata, kRawText, kScript, kPlaintext };
  static constexpr size_t kMaxAttributes = 512;  // further ones are passed over

  // `utf8` must be shorter than 4 GB and outlive the tokenizer and its tokens.
  explicit HtmlTokenizer(std::string_view utf8)
      : data_(utf8.data()), size_(utf8.size()) {}

  // Moves to the next token. After a start tag the tree builder may change the
  // state first (SetState). A text token is as long as can be: it ends where
  // another kind of token begins. kEnd for ever at the end.
  const HtmlToken& Next();

  // What the text after a start tag is. `end_tag` ends it: the "appropriate end
  // tag" (ASCII lower case); Next goes back to kData at it by itself.
  void SetState(State state, std::string_view end_tag);
  // Sets whether "<![CDATA[" opens a section (in foreign content) or a comment.
  void AllowCdata(bool allow) { allow_cdata_ = allow; }

  // Attributes of the last token, a tag, in source order, duplicates included:
  // the first of a name counts. Read when first asked for.
  const std::vector<HtmlAttribute>& attributes();
  // The first attribute of this name (ASCII lower case), or null. Linear.
  const HtmlAttribute* Find(std::string_view lower_name);
  // The source of the last token, a tag, from behind its name to before its
  // '>': empty if it has no attributes. Empty for other tokens. O(1).
  std::string_view AttributeText() const;

 private:
  enum class Markup : uint8_t { kToken, kNothing, kText };

  void Data();
  Markup Open();
  Markup Declaration();
  void Text();
  void RawText();
  void Script();
  void Tag(HtmlToken::Kind kind, size_t name_at);
  bool TagEnd(size_t at);
  void Comment(size_t data_at);
  void BogusComment(size_t data_at);
  Markup CdataSection(size_t text_at);
  bool IsEndTag(size_t at) const;
  void SetText(size_t end, bool needs_decoding, bool references);
  void SetRange(HtmlToken::Kind kind, size_t end);
  void End();

  const char* data_;
  size_t size_;
  size_t at_ = 0;
  HtmlToken token_;
  State state_ = kData;
  bool allow_cdata_ = false;
  size_t attributes_of_ = SIZE_MAX;  // begin of the token they belong to
  std::string end_tag_;
  std::vector<HtmlAttribute> attributes_;
};

// Attributes of the start tag whose source range is `tag` ("<a href=x>"), as
// Next would give them: for later looks at tags kept by position.
void ReadAttributes(std::string_view tag, std::vector<HtmlAttribute>* out);

// Text as the standard's tree sees it: line ends become LF, references are
// decoded if `references`, NULs become U+FFFD in RCDATA and raw text
// (`keep_nul` false, `data_state` false), stay in CDATA and data (the tree
// builder drops them). Appends to `out`.
void AppendDecodedText(const HtmlToken& text, HtmlTokenizer::State state,
                       std::string* out);
// Value of an attribute: references by the attribute's rules ("&copy=1" stays),
// line ends become LF, NULs U+FFFD.
std::string DecodeAttribute(std::string_view raw_value);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_H_
