// Splits markup into tags and text the way the HTML tokenizer does, without
// building anything.
#ifndef TWINSET_SRC_TEXT_HTML_SCAN_H_
#define TWINSET_SRC_TEXT_HTML_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

// Walks the attributes of one tag. Names and values are views of the source,
// references not decoded. Of attributes with the same name the first counts;
// the caller sees all.
class AttributeScanner {
 public:
  // `at` is behind the tag name.
  AttributeScanner(std::string_view text, size_t at) : text_(text), at_(at) {}
  // False at the end of the tag.
  bool Next();
  std::string_view name() const { return name_; }
  std::string_view value() const { return value_; }
  // After Next returned false: position behind '>' (or the end of the text),
  // whether '>' was there at all, and whether a '/' stood right before it.
  size_t end() const { return at_; }
  bool closed() const { return closed_; }
  bool self_closing() const { return self_closing_; }

 private:
  std::string_view text_;
  size_t at_;
  std::string_view name_, value_;
  bool closed_ = false, self_closing_ = false;
};

struct MarkupToken {
  enum Kind { kText, kStartTag, kEndTag, kOther, kEnd } kind = kEnd;
  size_t begin = 0,
         end = 0;    // in the source; kOther: comments, doctypes, cut-off tags
  uint64_t key = 0;  // TagKey of a tag
  uint32_t flags = 0;        // TagFlags of a tag
  size_t attributes_at = 0;  // of a tag: where its AttributeScanner starts
  uint32_t attributes = 0;   // of a start tag: how many
  bool self_closing = false;
};

// Each Next moves forward over all it returns: linear in total, whatever the
// input.
class MarkupScanner {
 public:
  explicit MarkupScanner(std::string_view text) : text_(text) {}
  MarkupToken Next();
  // To be called after a start tag with one of kTagAnyRaw: its content, up to
  // but without the matching end tag (which Next returns then), as a kText
  // token.
  MarkupToken RawText(const MarkupToken& start);

 private:
  MarkupToken Tag(bool closing);
  MarkupToken Comment();
  bool IsEndTagAt(size_t at, uint64_t key, size_t name_size) const;
  size_t ScriptEnd() const;

  std::string_view text_;
  size_t at_ = 0;
  size_t name_size_ = 0;  // of the last tag
};

inline bool IsHtmlSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// True for the attribute `hidden` and for a style whose last display is none.
// (Input elements of type hidden have no text to hide.)
bool IsHidingAttribute(std::string_view name, std::string_view value);

bool EqualsIgnoringCase(std::string_view text, std::string_view lower);

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_SCAN_H_
