// Any bytes under all rules: no crash, a fixed point for what is an address,
// and one look never calls normal what is not.
#include <vector>

#include "net/url.h"
#include "net/url_rules.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(url_rules) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<twinset::UrlRule> rules;
  for (const auto& choice : twinset::kChoices<twinset::UrlRule>) {
    rules.push_back(choice.value);
    std::string alone(bytes);
    (void)twinset::ApplyUrlRule(choice.value, &alone);
  }
  if (twinset::IsPlainlyNormal(bytes))
    twinset::Require(twinset::NormaliseUrl(bytes) == bytes);
  std::string all(bytes);
  twinset::ApplyUrlRules(rules, &all);
  // Longer ones may need more rounds than there are.
  if (!twinset::WhyNoAddress(bytes).empty() || size > 100) return 0;
  std::string again = all;
  twinset::ApplyUrlRules(rules, &again);
  twinset::Require(again == all);
  return 0;
}
