// What rules make of addresses, and which rules a pair of duplicates suggests
// (docs/methods/predict.md).
#ifndef TWINSET_SRC_CORPORA_PREDICT_REWRITE_H_
#define TWINSET_SRC_CORPORA_PREDICT_REWRITE_H_

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "twinset/corpora/predict.h"

namespace twinset {

// The normal form of RFC 3986 without fragment, which all rules are for; none
// of a text that is no address with a scheme.
std::optional<std::string> PlainAddress(std::string_view text);
// The host of a plain address.
std::string_view HostOf(std::string_view address);

// The rule applied to a plain address, whatever its host; none when it changes
// nothing.
std::optional<std::string> Rewrite(const RewriteRule& rule,
                                   std::string_view address);

// Rules under which the two plain addresses are one, for any host and without
// support.
std::vector<RewriteRule> SuggestRules(std::string_view x, std::string_view y);

// "parameter sid at a.example".
std::string RuleName(const RewriteRule& rule);

// Rules that do the same to the same addresses are equal by this.
inline auto WhatItDoes(const RewriteRule& rule) {
  return std::tie(rule.kind, rule.from, rule.to, rule.host);
}

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PREDICT_REWRITE_H_
