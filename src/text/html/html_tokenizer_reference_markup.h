// Comments and doctypes of the reference tokenizer, character by character
// (HTML standard, sections 13.2.5.41 to 13.2.5.68).
#ifndef TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_MARKUP_H_
#define TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_MARKUP_H_

#include <string>
#include <string_view>

#include "base/ascii.h"
#include "text/html/html_tokenizer_testing.h"

namespace twinset {

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

}  // namespace twinset

#endif  // TWINSET_SRC_TEXT_HTML_HTML_TOKENIZER_REFERENCE_MARKUP_H_
