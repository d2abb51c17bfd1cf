// Any bytes as a file of rules: refused, or written and read the same, and
// applied to an address of the same bytes without harm.
#include "predict/known_pages.h"
#include "predict/rewrite.h"
#include "predict/rules_file.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(rewrite_rules) {
  using namespace twinset;  // NOLINT: the target's subject
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto address = PlainAddress(text.substr(0, text.find('\n')));
  if (address) SuggestRules(*address, *address + "?x=1");
  const auto rules = ParseRules(text, "r");
  if (!rules) return 0;
  const auto again = ParseRules(RulesText(*rules), "r");
  Require(again.has_value() && RulesText(*again) == RulesText(*rules));
  const RewriteRules by_host(*rules);
  KnownPages known(by_host);
  for (const RewriteRule& rule : *rules) {
    if (auto page = PlainAddress("http://" + rule.host + "/" + rule.from))
      known.Add(*std::move(page));
    known.Find("http://a.example/" + rule.from + "?" + rule.to);
  }
  return 0;
}
