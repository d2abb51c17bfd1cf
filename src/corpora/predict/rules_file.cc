#include "predict/rules_file.h"

#include <algorithm>

#include "base/lists/list_text.h"
#include "base/math/round_to.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr std::string_view kRulesMagic = "twinset-url-rules";
constexpr uint64_t kRulesVersion = 1;
constexpr uint64_t kMostRulesBytes = 64 << 20;

Json RuleRow(const RewriteRule& rule) {
  return {{"rule", rule.kind},
          {"host", rule.host},
          {"from", rule.from},
          {"to", rule.to},
          {"support", rule.support},
          {"errors", rule.errors},
          {"error_rate", RoundTo(rule.error_rate(), 6)},
          {"probability", RoundTo(rule.probability(), 6)},
          {"low", RoundTo(rule.low(), 6)}};
}

// Why the row is no rule; empty when it is one.
std::string ReadRule(const Json& row, RewriteRule* rule) {
  const auto kind = FindChoice<RewriteKind>(row.value("rule", ""));
  if (!kind) return "its kind is not known";
  rule->kind = *kind;
  rule->host = row.value("host", "");
  rule->from = row.value("from", "");
  rule->to = row.value("to", "");
  if (rule->from.empty()) return "'from' is missing";
  if (*kind == RewriteKind::kSpelling && !FindChoice<UrlRule>(rule->from))
    return "there is no such spelling";
  if (*kind == RewriteKind::kMirror && rule->to.empty())
    return "'to' is missing";
  if (!row["support"].is_number_unsigned() ||
      !row["errors"].is_number_unsigned())
    return "support and errors are no counts";
  rule->support = row["support"].get<uint64_t>();
  rule->errors = row["errors"].get<uint64_t>();
  if (rule->errors > rule->support) return "more errors than pages";
  return {};
}

}  // namespace

std::string RulesText(const std::vector<RewriteRule>& rules) {
  std::string text =
      Json({{"magic", kRulesMagic}, {"version", kRulesVersion}}).dump() + "\n";
  for (const RewriteRule& rule : rules) text += RuleRow(rule).dump() + "\n";
  return text;
}

Result<std::vector<RewriteRule>> ParseRules(std::string_view text,
                                            const std::string& name) {
  std::vector<RewriteRule> rules;
  uint64_t number = 0;
  const auto bad = [&](const std::string& what) {
    return Fail(ErrorCode::kCorrupt,
                "line " + std::to_string(number) + ": " + what, name,
                "write it anew with twinset predict RUN --out DIR");
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const Json row = Json::Parse(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++number == 1) {
      if (row["magic"] != kRulesMagic) return bad("it is no file of rules");
      if (row["version"] != kRulesVersion) return bad("another version");
      continue;
    }
    RewriteRule rule;
    if (const std::string why = ReadRule(row, &rule); !why.empty())
      return bad(why);
    rules.push_back(std::move(rule));
  }
  if (number == 0) return bad("it is no file of rules");
  return rules;
}

Result<std::vector<RewriteRule>> ReadRules(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadListText(path, kMostRulesBytes));
  return ParseRules(text, path);
}

}  // namespace twinset
