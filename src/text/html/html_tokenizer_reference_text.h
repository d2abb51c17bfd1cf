// ReferenceTokenizer's states of texts, raw texts and scripts; included by its
// header only.
#ifndef TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_TEXT_H_
#define TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_TEXT_H_

#include "text/html/html_tokenizer_reference.h"

namespace twinset {

// 13.2.5.1 to 13.2.5.5
inline void ReferenceTokenizer::StepText(int c) {
  if (c == kEof) return Finish();
  if (c == '&' && (state_ == kData || state_ == kRcdata)) return Reference();
  if (c == '<' && state_ == kData) {
    state_ = kTagOpen;
  } else if (c == '<' && state_ != kPlaintext) {
    raw_return_ = state_;
    state_ = kRawLessThan;
  } else if (c == 0 && state_ == kData) {
    Emit(Char(0));
  } else {
    EmitChar(c);
  }
}

inline void ReferenceTokenizer::Reference() {
  const CharacterReference reference =
      ReadReference(std::string_view(input_).substr(at_ - 1), false);
  if (reference.length == 0) return Emit("&");
  std::string text;
  AppendReference(reference, &text);
  Emit(text);
  at_ += reference.length - 1;
}

// 13.2.5.9 to 13.2.5.17, and 13.2.5.24 to 13.2.5.25 with raw_return_ kEscaped
inline void ReferenceTokenizer::StepRawEnd(int c) {
  switch (state_) {
    case kRawLessThan:
      if (c == '/') {
        buffer_.clear();
        state_ = kRawEndTagOpen;
      } else if (c == '!' && raw_return_ == kScriptData) {
        Emit("<!");
        state_ = kEscapeStart;
      } else {
        GiveUp("<", raw_return_);
      }
      return;
    case kRawEndTagOpen:
      if (!Letter(c)) return GiveUp("</", raw_return_);
      NewTag(true);
      return Reconsume(kRawEndTagName);
    default: {  // kRawEndTagName
      const bool appropriate = name_ == end_tag_;
      if (Blank(c) && appropriate) {
        state_ = kBeforeName;
      } else if (c == '/' && appropriate) {
        state_ = kSelfClosing;
      } else if (c == '>' && appropriate) {
        EmitTag();
      } else if (Letter(c)) {
        name_ += CleanChar(c, true);
        buffer_ += Char(c);
      } else {
        GiveUp("</" + buffer_, raw_return_);
      }
    }
  }
}

// 13.2.5.18 to 13.2.5.26
inline void ReferenceTokenizer::StepEscaped(int c) {
  switch (state_) {
    case kEscapeStart:
    case kEscapeStartDash:
      if (c != '-') return Reconsume(kScriptData);
      Emit("-");
      state_ = state_ == kEscapeStart ? kEscapeStartDash : kEscapedDashDash;
      return;
    case kEscaped:
    case kEscapedDash:
    case kEscapedDashDash:
      if (c == kEof) return Finish();
      if (c == '<') {
        state_ = kEscapedLessThan;
      } else if (c == '>' && state_ == kEscapedDashDash) {
        Emit(">");
        state_ = kScriptData;
      } else if (c == '-') {
        Emit("-");
        state_ = state_ == kEscaped ? kEscapedDash : kEscapedDashDash;
      } else {
        EmitChar(c);
        state_ = kEscaped;
      }
      return;
    case kEscapedLessThan:
      buffer_.clear();
      if (c == '/') {
        raw_return_ = kEscaped;
        state_ = kRawEndTagOpen;
      } else if (Letter(c)) {
        GiveUp("<", kDoubleEscapeStart);
      } else {
        GiveUp("<", kEscaped);
      }
      return;
    default:  // kDoubleEscapeStart
      if (Blank(c) || c == '/' || c == '>') {
        EmitChar(c);
        state_ = buffer_ == "script" ? kDoubleEscaped : kEscaped;
      } else if (Letter(c)) {
        buffer_ += CleanChar(c, true);
        EmitChar(c);
      } else {
        Reconsume(kEscaped);
      }
  }
}

// 13.2.5.27 to 13.2.5.31
inline void ReferenceTokenizer::StepDoubleEscaped(int c) {
  switch (state_) {
    case kDoubleEscaped:
    case kDoubleEscapedDash:
    case kDoubleEscapedDashDash:
      if (c == kEof) return Finish();
      EmitChar(c);
      if (c == '<') {
        state_ = kDoubleEscapedLessThan;
      } else if (c == '>' && state_ == kDoubleEscapedDashDash) {
        state_ = kScriptData;
      } else if (c == '-') {
        state_ = state_ == kDoubleEscaped ? kDoubleEscapedDash
                                          : kDoubleEscapedDashDash;
      } else {
        state_ = kDoubleEscaped;
      }
      return;
    case kDoubleEscapedLessThan:
      if (c != '/') return Reconsume(kDoubleEscaped);
      buffer_.clear();
      Emit("/");
      state_ = kDoubleEscapeEnd;
      return;
    default:  // kDoubleEscapeEnd
      if (Blank(c) || c == '/' || c == '>') {
        EmitChar(c);
        state_ = buffer_ == "script" ? kEscaped : kDoubleEscaped;
      } else if (Letter(c)) {
        buffer_ += CleanChar(c, true);
        EmitChar(c);
      } else {
        Reconsume(kDoubleEscaped);
      }
  }
}

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_TEXT_H_
