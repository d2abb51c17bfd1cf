// The tokenizer of the HTML standard, section 13.2.5, state by state and
// character by character, as it stands there: the definition that tests and
// fuzzing compare HtmlTokenizer with. Parse errors are left out, the comment
// states that differ in errors only are merged, and character references are
// read by ReadReference, which has tests of its own.
#ifndef TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_H_
#define TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/html/html_entities.h"
#include "text/html/html_tokenizer_reference_markup.h"
#include "text/html/html_tokenizer_testing.h"

namespace twinset {

class ReferenceTokenizer {
 public:
  ReferenceTokenizer(std::string_view source, const TokenizeOptions& options)
      : input_(PreprocessInput(source)),
        options_(options),
        end_tag_(options.end_tag) {
    Become(options.state);
  }

  std::vector<PlainToken> Run() {
    while (!done_) Step();
    return std::move(out_);
  }

 private:
  enum State {
    kData,
    kRcdata,
    kRawText,
    kScriptData,
    kPlaintext,
    kTagOpen,
    kEndTagOpen,
    kTagName,
    kRawLessThan,  // RCDATA, RAWTEXT and script data less-than sign states
    kRawEndTagOpen,
    kRawEndTagName,
    kEscapeStart,
    kEscapeStartDash,
    kEscaped,
    kEscapedDash,
    kEscapedDashDash,
    kEscapedLessThan,
    kDoubleEscapeStart,
    kDoubleEscaped,
    kDoubleEscapedDash,
    kDoubleEscapedDashDash,
    kDoubleEscapedLessThan,
    kDoubleEscapeEnd,
    kBeforeName,
    kName,
    kAfterName,
    kBeforeValue,
    kDoubleQuoted,
    kSingleQuoted,
    kUnquoted,
    kAfterQuoted,
    kSelfClosing,
    kCdata,
    kCdataBracket,
    kCdataEnd,
  };
  static constexpr int kEof = -1;

  void Become(HtmlTokenizer::State state) {
    switch (state) {
      case HtmlTokenizer::kData:
        text_state_ = kData;
        break;
      case HtmlTokenizer::kRcdata:
        text_state_ = kRcdata;
        break;
      case HtmlTokenizer::kRawText:
        text_state_ = kRawText;
        break;
      case HtmlTokenizer::kScript:
        text_state_ = kScriptData;
        break;
      case HtmlTokenizer::kPlaintext:
        text_state_ = kPlaintext;
        break;
    }
    state_ = text_state_;
  }

  static bool Blank(int c) {
    return c == '\t' || c == '\n' || c == '\f' || c == ' ';
  }
  static bool Letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  static std::string Char(int c) {
    return std::string(1, static_cast<char>(c));
  }
  static std::string CleanChar(int c, bool lower) {
    if (c == 0) return "\xEF\xBF\xBD";
    return lower ? Char(ToLowerAscii(static_cast<char>(c))) : Char(c);
  }

  void Emit(std::string text) { AppendPlain({"Text", std::move(text)}, &out_); }
  void EmitChar(int c) { Emit(CleanChar(c, false)); }
  void Finish() { done_ = true; }
  void Reconsume(State state) {
    --at_;
    state_ = state;
  }
  // Flushes the characters consumed so far and goes on in `state`.
  void GiveUp(const std::string& text, State state) {
    Emit(text);
    Reconsume(state);
  }

  void NewTag(bool end) {
    is_end_ = end;
    self_closing_ = false;
    name_.clear();
    attributes_.clear();
  }
  void EmitTag() {
    PlainToken token = {is_end_         ? "End"
                        : self_closing_ ? "Start/"
                                        : "Start",
                        name_};
    std::map<std::string, std::string> first;
    for (const auto& attribute : attributes_) first.insert(attribute);
    if (!is_end_) {
      for (const auto& [name, value] : first) {
        token.push_back(name);
        token.push_back(value);
      }
    }
    out_.push_back(std::move(token));
    text_state_ = state_ = kData;
    if (!is_end_ && options_.follow_tags) {
      end_tag_ = name_;
      Become(StateAfter(name_));
    }
  }

  void Step();
  void StepText(int c);
  void StepRawEnd(int c);
  void StepEscaped(int c);
  void StepDoubleEscaped(int c);
  void StepTag(int c);
  void StepAttribute(int c);
  void StepValue(int c);
  void StepCdata(int c);
  void Reference();
  void MarkupDeclaration();
  void Bogus();

  const std::string input_;
  const TokenizeOptions options_;
  std::string end_tag_;
  size_t at_ = 0;
  State state_ = kData;
  State text_state_ = kData;  // the content the tokenizer is in
  State raw_return_ = kData;  // where the raw end tag states give up to
  std::vector<PlainToken> out_;
  bool done_ = false;
  bool is_end_ = false, self_closing_ = false;
  std::string name_, buffer_;
  std::vector<std::pair<std::string, std::string>> attributes_;
};

inline void ReferenceTokenizer::Step() {
  const int c =
      at_ < input_.size() ? static_cast<unsigned char>(input_[at_]) : kEof;
  ++at_;
  if (state_ <= kPlaintext) return StepText(c);
  if (state_ <= kTagName) return StepTag(c);
  if (state_ <= kRawEndTagName) return StepRawEnd(c);
  if (state_ <= kDoubleEscapeStart) return StepEscaped(c);
  if (state_ <= kDoubleEscapeEnd) return StepDoubleEscaped(c);
  if (state_ <= kAfterName) return StepAttribute(c);
  if (state_ <= kSelfClosing) return StepValue(c);
  StepCdata(c);
}

}  // namespace twinset

#include "text/html/html_tokenizer_reference_tags.h"
#include "text/html/html_tokenizer_reference_text.h"

#endif  // TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_H_
