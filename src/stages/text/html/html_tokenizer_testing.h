// Tokens as the standard emits them, for tests and fuzzing: what HtmlTokenizer
// finds, decoded and joined.
#ifndef TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_TESTING_H_
#define TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_TESTING_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/html/html_doctype.h"
#include "text/html/html_tokenizer.h"
#include "text/html/html_tokenizer_chars.h"

namespace twinset {

// One of
//   {"Text", text}                    neighbours are joined
//   {"Start", name, a, value, ...}    attributes in the order of their names,
//   {"Start/", name, a, value, ...}   self-closing
//   {"End", name}
//   {"Comment", text}
//   {"Doctype", name, public, system, "correct" or "quirks"}  missing: kMissing
using PlainToken = std::vector<std::string>;
inline constexpr char kMissing[] = "(missing)";

// How to begin, and whether a start tag changes the state as the tree builder
// has it change.
struct TokenizeOptions {
  HtmlTokenizer::State state = HtmlTokenizer::kData;
  std::string end_tag;  // of the state
  bool allow_cdata = false;
  bool follow_tags = false;
};

// The state that the start tag of this element (lower case) leads to.
inline HtmlTokenizer::State StateAfter(std::string_view name) {
  if (name == "title" || name == "textarea") return HtmlTokenizer::kRcdata;
  if (name == "style" || name == "xmp") return HtmlTokenizer::kRawText;
  if (name == "script") return HtmlTokenizer::kScript;
  if (name == "plaintext") return HtmlTokenizer::kPlaintext;
  return HtmlTokenizer::kData;
}

inline void AppendPlain(PlainToken token, std::vector<PlainToken>* out) {
  if (token[0] == "Text" && !out->empty() && out->back()[0] == "Text") {
    out->back()[1] += token[1];
  } else {
    out->push_back(std::move(token));
  }
}

// Line ends become LF, NULs U+FFFD; `lower`: and ASCII lower case.
inline std::string PlainName(std::string_view raw, bool lower) {
  std::string out;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\n' && i > 0 && raw[i - 1] == '\r') continue;
    if (raw[i] == '\0') {
      out += "\xEF\xBF\xBD";
    } else if (raw[i] == '\r') {
      out += '\n';
    } else {
      out += lower ? ToLowerAscii(raw[i]) : raw[i];
    }
  }
  return out;
}

inline PlainToken PlainTag(const HtmlToken& token,
                           const std::vector<HtmlAttribute>& attributes) {
  const bool start = token.kind == HtmlToken::kStartTag;
  PlainToken plain = {!start               ? "End"
                      : token.self_closing ? "Start/"
                                           : "Start",
                      PlainName(token.raw, true)};
  if (!start) return plain;
  std::map<std::string, std::string> first;
  for (const HtmlAttribute& attribute : attributes) {
    first.emplace(PlainName(attribute.name, true),
                  DecodeAttribute(attribute.value));
  }
  for (const auto& [name, value] : first) {
    plain.push_back(name);
    plain.push_back(value);
  }
  return plain;
}

inline PlainToken PlainDoctype(const HtmlToken& token) {
  const HtmlDoctype doctype = ParseDoctype(token);
  return {"Doctype", doctype.name.value_or(kMissing),
          doctype.public_id.value_or(kMissing),
          doctype.system_id.value_or(kMissing),
          doctype.force_quirks ? "quirks" : "correct"};
}

// All tokens of `source`.
inline std::vector<PlainToken> PlainTokens(std::string_view source,
                                           const TokenizeOptions& options) {
  std::vector<PlainToken> out;
  HtmlTokenizer tokenizer(source);
  HtmlTokenizer::State state = options.state;
  tokenizer.SetState(state, options.end_tag);
  tokenizer.AllowCdata(options.allow_cdata);
  for (;;) {
    const HtmlToken& token = tokenizer.Next();
    switch (token.kind) {
      case HtmlToken::kEnd:
        return out;
      case HtmlToken::kText: {
        std::string text;
        AppendDecodedText(token, state, &text);
        AppendPlain({"Text", text}, &out);
        break;
      }
      case HtmlToken::kStartTag:
        out.push_back(PlainTag(token, tokenizer.attributes()));
        if (options.follow_tags) {
          state = StateAfter(out.back()[1]);
          tokenizer.SetState(state, out.back()[1]);
        }
        break;
      case HtmlToken::kEndTag:
        out.push_back(PlainTag(token, tokenizer.attributes()));
        state = HtmlTokenizer::kData;
        break;
      case HtmlToken::kComment:
        out.push_back({"Comment", PlainName(token.raw, false)});
        break;
      case HtmlToken::kDoctype:
        out.push_back(PlainDoctype(token));
        break;
    }
  }
}

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_HTML_HTML_TOKENIZER_TESTING_H_
