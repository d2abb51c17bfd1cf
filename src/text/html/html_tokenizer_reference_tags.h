// ReferenceTokenizer's states of tags and markup declarations; included by its
// header only.
#ifndef TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_TAGS_H_
#define TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_TAGS_H_

#include "base/ascii.h"
#include "text/html/html_tokenizer_reference.h"

namespace twinset {

// 13.2.5.6 to 13.2.5.8
inline void ReferenceTokenizer::StepTag(int c) {
  switch (state_) {
    case kTagOpen:
      if (c == '!') return MarkupDeclaration();
      if (c == '/') {
        state_ = kEndTagOpen;
      } else if (Letter(c)) {
        NewTag(false);
        Reconsume(kTagName);
      } else if (c == '?') {
        --at_;
        Bogus();
      } else if (c == kEof) {
        Emit("<");
        Finish();
      } else {
        GiveUp("<", kData);
      }
      return;
    case kEndTagOpen:
      if (Letter(c)) {
        NewTag(true);
        Reconsume(kTagName);
      } else if (c == '>') {
        state_ = kData;
      } else if (c == kEof) {
        Emit("</");
        Finish();
      } else {
        --at_;
        Bogus();
      }
      return;
    default:  // kTagName
      if (c == kEof) return Finish();
      if (Blank(c)) {
        state_ = kBeforeName;
      } else if (c == '/') {
        state_ = kSelfClosing;
      } else if (c == '>') {
        EmitTag();
      } else {
        name_ += CleanChar(c, true);
      }
  }
}

// 13.2.5.32 to 13.2.5.34
inline void ReferenceTokenizer::StepAttribute(int c) {
  switch (state_) {
    case kBeforeName:
      if (Blank(c)) return;
      if (c == '/' || c == '>' || c == kEof) return Reconsume(kAfterName);
      attributes_.emplace_back();
      if (c == '=') {
        attributes_.back().first = "=";
        state_ = kName;
      } else {
        Reconsume(kName);
      }
      return;
    case kName:
      if (Blank(c) || c == '/' || c == '>' || c == kEof) {
        Reconsume(kAfterName);
      } else if (c == '=') {
        state_ = kBeforeValue;
      } else {
        attributes_.back().first += CleanChar(c, true);
      }
      return;
    default:  // kAfterName
      if (Blank(c)) return;
      if (c == kEof) return Finish();
      if (c == '/') {
        state_ = kSelfClosing;
      } else if (c == '=') {
        state_ = kBeforeValue;
      } else if (c == '>') {
        EmitTag();
      } else {
        attributes_.emplace_back();
        Reconsume(kName);
      }
  }
}

// 13.2.5.35 to 13.2.5.40
inline void ReferenceTokenizer::StepValue(int c) {
  if (state_ == kBeforeValue) {
    if (Blank(c)) return;
    if (c == '"') {
      state_ = kDoubleQuoted;
    } else if (c == '\'') {
      state_ = kSingleQuoted;
    } else if (c == '>') {
      EmitTag();
    } else {
      Reconsume(kUnquoted);
    }
    return;
  }
  if (c == kEof) return Finish();
  if (state_ == kAfterQuoted) {
    if (Blank(c)) {
      state_ = kBeforeName;
    } else if (c == '/') {
      state_ = kSelfClosing;
    } else if (c == '>') {
      EmitTag();
    } else {
      Reconsume(kBeforeName);
    }
    return;
  }
  if (state_ == kSelfClosing) {
    if (c != '>') return Reconsume(kBeforeName);
    self_closing_ = true;
    return EmitTag();
  }
  const bool unquoted = state_ == kUnquoted;
  if ((state_ == kDoubleQuoted && c == '"') ||
      (state_ == kSingleQuoted && c == '\'')) {
    state_ = kAfterQuoted;
  } else if (unquoted && Blank(c)) {
    state_ = kBeforeName;
  } else if (unquoted && c == '>') {
    EmitTag();
  } else if (c == '&') {
    const CharacterReference reference =
        ReadReference(std::string_view(input_).substr(at_ - 1), true);
    if (reference.length > 0) {
      AppendReference(reference, &attributes_.back().second);
      at_ += reference.length - 1;
    } else {
      attributes_.back().second += '&';
    }
  } else {
    attributes_.back().second += CleanChar(c, false);
  }
}

// 13.2.5.41 and 13.2.5.42
inline void ReferenceTokenizer::Bogus() {
  out_.push_back(ReferenceBogusComment(input_, &at_));
  state_ = kData;
}
inline void ReferenceTokenizer::MarkupDeclaration() {
  const std::string_view rest = std::string_view(input_).substr(at_);
  if (rest.substr(0, 2) == "--") {
    at_ += 2;
    out_.push_back(ReferenceComment(input_, &at_));
  } else if (EqualsIgnoreCase(rest.substr(0, 7), "doctype")) {
    at_ += 7;
    out_.push_back(ReferenceDoctype(input_, &at_).Run());
  } else if (options_.allow_cdata && rest.substr(0, 7) == "[CDATA[") {
    at_ += 7;
    state_ = kCdata;
    return;
  } else {
    return Bogus();
  }
  state_ = kData;
}

// 13.2.5.69 to 13.2.5.71
inline void ReferenceTokenizer::StepCdata(int c) {
  switch (state_) {
    case kCdata:
      if (c == kEof) return Finish();
      if (c == ']') {
        state_ = kCdataBracket;
      } else {
        Emit(Char(c));
      }
      return;
    case kCdataBracket:
      if (c != ']') return GiveUp("]", kCdata);
      state_ = kCdataEnd;
      return;
    default:  // kCdataEnd
      if (c == ']') {
        Emit("]");
      } else if (c == '>') {
        state_ = kData;
      } else {
        GiveUp("]]", kCdata);
      }
  }
}

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_TAGS_H_
