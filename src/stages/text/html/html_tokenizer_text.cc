// Attributes of tags, and texts as the standard's tree sees them.
#include "base/ascii.h"
#include "kernels/byte_scan.h"
#include "text/charset/charset.h"
#include "text/html/html_entities.h"
#include "text/html/html_tokenizer.h"
#include "text/html/html_tokenizer_chars.h"

namespace twinset {
namespace {

// `text` is a tag's source from behind its name to before its '>'.
void ParseAttributes(std::string_view text, std::vector<HtmlAttribute>* out) {
  const char* const data = text.data();
  const size_t size = text.size();
  size_t at = 0;
  for (;;) {
    while (at < size && (IsAsciiSpace(data[at]) || data[at] == '/')) ++at;
    if (at == size || out->size() == HtmlTokenizer::kMaxAttributes) return;
    HtmlAttribute attribute;
    const size_t name_at = at++;  // a '=' may be the first byte of a name
    while (at < size && data[at] != '=' && data[at] != '/' &&
           !IsAsciiSpace(data[at])) {
      ++at;
    }
    attribute.name = text.substr(name_at, at - name_at);
    while (at < size && IsAsciiSpace(data[at])) ++at;
    if (at < size && data[at] == '=') {
      ++at;
      while (at < size && IsAsciiSpace(data[at])) ++at;
      const char quote = at < size ? data[at] : ' ';
      if (quote == '"' || quote == '\'') {
        const size_t value_at = ++at;
        at = kernels::FindAnyOf(data, at, size, quote);
        attribute.value = text.substr(value_at, at - value_at);
        at += at < size;
      } else {
        const size_t value_at = at;
        while (at < size && !EndsUnquotedValue(data[at])) ++at;
        attribute.value = text.substr(value_at, at - value_at);
      }
    }
    out->push_back(attribute);
  }
}

struct DecodingRules {
  bool references, in_attribute, keep_nul;
};

void AppendDecoded(std::string_view text, const DecodingRules& rules,
                   std::string* out) {
  const char ampersand = rules.references ? '&' : '\r';
  while (!text.empty()) {
    const size_t literal =
        kernels::FindAnyOf(text.data(), 0, text.size(), ampersand, '\r', '\0');
    out->append(text.substr(0, literal));
    text.remove_prefix(literal);
    if (text.empty()) return;
    size_t length = 1;
    if (text[0] == '\r') {
      out->push_back('\n');
      if (text.substr(1, 1) == "\n") length = 2;
    } else if (text[0] == '\0') {
      out->append(rules.keep_nul ? text.substr(0, 1) : "\xEF\xBF\xBD");
    } else {
      const CharacterReference reference =
          ReadReference(text, rules.in_attribute);
      if (reference.length == 0) {
        out->push_back('&');
      } else {
        AppendReference(reference, out);
        length = reference.length;
      }
    }
    text.remove_prefix(length);
  }
}

}  // namespace

std::string_view HtmlTokenizer::AttributeText() const {
  if (token_.kind != HtmlToken::kStartTag &&
      token_.kind != HtmlToken::kEndTag) {
    return {};
  }
  const char* const begin = token_.raw.data() + token_.raw.size();
  return {begin, static_cast<size_t>(data_ + token_.end - 1 - begin)};
}

const std::vector<HtmlAttribute>& HtmlTokenizer::attributes() {
  if (attributes_of_ != token_.begin) {
    attributes_of_ = token_.begin;
    attributes_.clear();
    ParseAttributes(AttributeText(), &attributes_);
  }
  return attributes_;
}

const HtmlAttribute* HtmlTokenizer::Find(std::string_view lower_name) {
  for (const HtmlAttribute& attribute : attributes()) {
    if (EqualsIgnoreCase(attribute.name, lower_name)) return &attribute;
  }
  return nullptr;
}

void ReadAttributes(std::string_view tag, std::vector<HtmlAttribute>* out) {
  out->clear();
  if (tag.ends_with('>')) tag.remove_suffix(1);
  size_t at = tag.starts_with("</") ? 2 : 1;
  while (at < tag.size() && !EndsHtmlTagName(tag[at])) ++at;
  if (at < tag.size()) ParseAttributes(tag.substr(at), out);
}

void AppendDecodedText(const HtmlToken& text, HtmlTokenizer::State state,
                       std::string* out) {
  if (!text.needs_decoding) {
    out->append(text.raw);
    return;
  }
  const bool keep_nul = text.cdata || state == HtmlTokenizer::kData;
  AppendDecoded(text.raw, {text.references, false, keep_nul}, out);
}

std::string DecodeAttribute(std::string_view raw_value) {
  std::string out;
  AppendDecoded(raw_value, {true, true, false}, &out);
  return out;
}

}  // namespace twinset
