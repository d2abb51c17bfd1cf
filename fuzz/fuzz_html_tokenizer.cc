// The tokenizer against the state machine of the standard: equal tokens in all
// states, ranges that cover the source in order, attributes that can be read
// again from their tag.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "target.h"
#include "text/html/html_tokenizer_reference.h"
#include "text/html/html_tokenizer_testing.h"

namespace twinset {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// What lies between two tokens is nothing by the standard.
void CheckGap(std::string_view gap) {
  while (!gap.empty()) {
    const std::string_view known =
        gap.starts_with("</>") ? "</>" : "<![CDATA[]]>";
    // A section that the end of the source cuts off is empty, too.
    Require(gap.starts_with(known) || known.starts_with(gap));
    gap.remove_prefix(std::min(known.size(), gap.size()));
  }
}

void CheckAttributes(std::string_view tag,
                     const std::vector<HtmlAttribute>& attributes) {
  std::vector<HtmlAttribute> again;
  ReadAttributes(tag, &again);
  Require(again.size() == attributes.size());
  for (size_t i = 0; i < again.size(); ++i) {
    Require(again[i].name == attributes[i].name);
    Require(again[i].value == attributes[i].value);
    Require(!again[i].name.empty());
  }
}

void CheckRanges(std::string_view source, const TokenizeOptions& options) {
  HtmlTokenizer tokenizer(source);
  tokenizer.SetState(options.state, options.end_tag);
  tokenizer.AllowCdata(options.allow_cdata);
  size_t last = 0;
  for (;;) {
    const HtmlToken& token = tokenizer.Next();
    Require(token.begin >= last && token.end >= token.begin);
    CheckGap(source.substr(last, token.begin - last));
    last = token.end;
    if (token.kind == HtmlToken::kEnd) break;
    Require(token.end > token.begin);
    Require(token.raw.data() >= source.data() + token.begin);
    Require(token.raw.data() + token.raw.size() <= source.data() + token.end);
    if (token.kind == HtmlToken::kText) Require(!token.raw.empty());
    if (token.kind == HtmlToken::kStartTag ||
        token.kind == HtmlToken::kEndTag) {
      Require(token.tag == TagOf(token.raw));
      CheckAttributes(source.substr(token.begin, token.end - token.begin),
                      tokenizer.attributes());
    }
  }
  Require(last == source.size());
}

}  // namespace
}  // namespace twinset

// The first byte chooses the state.
TWINSET_FUZZ_TARGET(html_tokenizer) {
  using namespace twinset;
  if (size == 0) return 0;
  TokenizeOptions options;
  options.state = static_cast<HtmlTokenizer::State>(data[0] % 5);
  options.end_tag = data[0] & 8 ? "script" : "a";
  options.allow_cdata = (data[0] & 16) != 0;
  options.follow_tags = (data[0] & 32) != 0;
  const std::string source(reinterpret_cast<const char*>(data) + 1, size - 1);
  CheckRanges(source, options);
  // Beyond the limit, attributes are lost.
  if (size > 2 * HtmlTokenizer::kMaxAttributes) return 0;
  Require(PlainTokens(source, options) ==
          ReferenceTokenizer(source, options).Run());
  return 0;
}
