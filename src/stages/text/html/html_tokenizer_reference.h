// The tokenizer of the HTML standard, section 13.2.5, state by state and
// character by character, as it stands there: the definition that tests and
// fuzzing compare HtmlTokenizer with. Parse errors are left out, the comment
// states that differ in errors only are merged, and character references are
// read by ReadReference, which has tests of its own.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_REFERENCE_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_REFERENCE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/html/html_entities.h"
#include "text/html/html_tokenizer_testing.h"

namespace twinset {

// Comments and doctypes (sections 13.2.5.41 to 13.2.5.68).

// Section 13.2.3.5: line ends become LF.
inline std::string PreprocessInput(std::string_view source) {
  std::string out;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\n' && i > 0 && source[i - 1] == '\r') continue;
    out += source[i] == '\r' ? '\n' : source[i];
  }
  return out;
}

// The next character at `*at`, which moves behind it; -1 at the end.
inline int NextReferenceChar(const std::string& input, size_t* at) {
  const size_t here = (*at)++;
  return here < input.size() ? static_cast<unsigned char>(input[here]) : -1;
}

inline void AppendReferenceChar(int c, std::string* out) {
  if (c == 0) {
    *out += "\xEF\xBF\xBD";
  } else {
    *out += static_cast<char>(c);
  }
}

// `*at` is at the first character of the comment.
inline PlainToken ReferenceBogusComment(const std::string& input, size_t* at) {
  std::string data;
  for (int c; (c = NextReferenceChar(input, at)) != -1 && c != '>';) {
    AppendReferenceChar(c, &data);
  }
  return {"Comment", data};
}

// `*at` is behind "<!--".
inline PlainToken ReferenceComment(const std::string& input, size_t* at) {
  enum {
    kStart,
    kStartDash,
    kComment,
    kEndDash,
    kEnd,
    kEndBang
  } state = kStart;
  std::string data;
  for (;;) {
    const int c = NextReferenceChar(input, at);
    if (c == -1) return {"Comment", data};
    switch (state) {
      case kStart:
      case kStartDash:
        if (c == '>') return {"Comment", data};
        if (c == '-') {
          state = state == kStart ? kStartDash : kEnd;
        } else {
          if (state == kStartDash) data += '-';
          state = kComment;
          --*at;
        }
        break;
      case kComment:
        if (c == '-') {
          state = kEndDash;
        } else {
          AppendReferenceChar(c, &data);
        }
        break;
      case kEndDash:
        if (c == '-') {
          state = kEnd;
        } else {
          data += '-';
          state = kComment;
          --*at;
        }
        break;
      case kEnd:
        if (c == '>') return {"Comment", data};
        if (c == '!') {
          state = kEndBang;
        } else if (c == '-') {
          data += '-';
        } else {
          data += "--";
          state = kComment;
          --*at;
        }
        break;
      case kEndBang:
        if (c == '>') return {"Comment", data};
        data += "--!";
        if (c == '-') {
          state = kEndDash;
        } else {
          state = kComment;
          --*at;
        }
        break;
    }
  }
}

class ReferenceDoctype {
 public:
  // `*at` is behind "<!doctype".
  ReferenceDoctype(const std::string& input, size_t* at)
      : input_(input), at_(at) {}

  PlainToken Run() {
    while (!done_) Step(NextReferenceChar(input_, at_));
    return {"Doctype", name_, identifier_[0], identifier_[1],
            quirks_ ? "quirks" : "correct"};
  }

 private:
  enum State {
    kBeforeName,
    kName,
    kAfterName,
    kAfterKeyword,  // of identifier_[which_], and before that identifier
    kIdentifier,
    kAfterPublic,  // and between both identifiers
    kAfterSystem,
    kBogus,
  };

  static bool Blank(int c) {
    return c == '\t' || c == '\n' || c == '\f' || c == ' ';
  }
  void Finish(bool quirks) {
    quirks_ |= quirks;
    done_ = true;
  }
  void BogusQuirks() {
    quirks_ = true;
    state_ = kBogus;
  }
  void StartIdentifier(int which, int quote) {
    which_ = which;
    quote_ = quote;
    identifier_[which].clear();
    state_ = kIdentifier;
  }

  void Step(int c) {
    if (c == -1) return Finish(state_ != kBogus);
    switch (state_) {
      case kBeforeName:
        if (Blank(c)) return;
        if (c == '>') return Finish(true);
        name_.clear();
        state_ = kName;
        [[fallthrough]];
      case kName:
        if (Blank(c)) {
          state_ = kAfterName;
        } else if (c == '>') {
          Finish(false);
        } else {
          AppendReferenceChar(ToLowerAscii(static_cast<char>(c)), &name_);
        }
        return;
      case kAfterName:
        return AfterName(c);
      case kAfterKeyword:
        if (Blank(c)) return;
        if (c == '"' || c == '\'') return StartIdentifier(which_, c);
        return c == '>' ? Finish(true) : BogusQuirks();
      case kIdentifier:
        if (c == quote_) {
          state_ = which_ == 0 ? kAfterPublic : kAfterSystem;
        } else if (c == '>') {
          Finish(true);
        } else {
          AppendReferenceChar(c, &identifier_[which_]);
        }
        return;
      case kAfterPublic:
        if (Blank(c)) return;
        if (c == '"' || c == '\'') return StartIdentifier(1, c);
        return c == '>' ? Finish(false) : BogusQuirks();
      case kAfterSystem:
        if (Blank(c)) return;
        if (c == '>') return Finish(false);
        state_ = kBogus;
        return;
      case kBogus:
        if (c == '>') Finish(false);
        return;
    }
  }

  void AfterName(int c) {
    if (Blank(c)) return;
    if (c == '>') return Finish(false);
    const std::string_view six = std::string_view(input_).substr(*at_ - 1, 6);
    const bool is_public = EqualsIgnoreCase(six, "public");
    if (!is_public && !EqualsIgnoreCase(six, "system")) return BogusQuirks();
    *at_ += 5;
    which_ = is_public ? 0 : 1;
    state_ = kAfterKeyword;
  }

  const std::string& input_;
  size_t* at_;
  State state_ = kBeforeName;
  bool done_ = false, quirks_ = false;
  int which_ = 0, quote_ = 0;
  std::string name_ = kMissing;
  std::string identifier_[2] = {kMissing, kMissing};
};

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

// Tags and markup declarations.

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

// Texts, raw texts and scripts.

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

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_REFERENCE_H_
