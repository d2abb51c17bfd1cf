#include "urls/url_forms.h"

#include <cstring>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/keyed_hash.h"
#include "net/url_rules.h"

namespace twinset {
namespace {

uint32_t HalfHash(std::string_view spelling) {
  return static_cast<uint32_t>(EqualityHash::OfProcess().Short(spelling) >> 32);
}

// From the spelling by the rules before number k to that by it too; whether it
// is another one.
bool Advance(std::span<const UrlRule> rules, size_t k, std::string* spelling) {
  if (!ApplyUrlRule(rules[k], spelling)) return false;
  if (k > 0) ApplyUrlRules(rules.first(k + 1), spelling);
  return true;
}

// The host in the normal form.
std::string HostNameOf(std::string_view address) {
  std::string normal(address);
  ApplyUrlRule(UrlRule::kRfc3986, &normal);
  std::string host = ToLowerAscii(HostIn(normal, FindUrlPlaces(normal)));
  if (host.ends_with('.')) host.pop_back();
  return host;
}

}  // namespace

size_t SoFarForm(std::span<const UrlRule> rules, size_t k) {
  if (k + 1 == rules.size()) return kKeyForm;
  return k == 0 ? AloneForm(rules[0])
                : kUrlRules + static_cast<size_t>(rules[k]);
}

HostName HostName::Of(std::string_view name) {
  constexpr std::string_view kEllipsis = "\xe2\x80\xa6";
  HostName host;
  host.host = EqualityHash::OfProcess().Short(name);
  std::string kept(name);
  if (name.size() > kMostBytes) {
    kept = kEllipsis;
    kept += name.substr(name.size() - (kMostBytes - kEllipsis.size()));
  }
  host.size = static_cast<uint8_t>(kept.size());
  std::memcpy(host.text, kept.data(), kept.size());
  return host;
}

UrlLine UrlSpeller::Spell(std::string_view address, std::string* host) const {
  UrlLine line;
  const uint32_t raw = HalfHash(address);
  line.forms[kRawForm] = raw;
  std::string so_far(address), alone(address);
  uint32_t number = raw;
  for (size_t k = 0; k < rules_.size(); ++k) {
    uint32_t* const form = &line.forms[AloneForm(rules_[k])];
    *form = raw;
    if (ApplyUrlRule(rules_[k], &alone)) {
      *form = HalfHash(alone);
      alone = address;
    }
    if (Advance(rules_, k, &so_far)) number = HalfHash(so_far);
    if (const size_t at = SoFarForm(rules_, k); at != kKeyForm)
      line.forms[at] = number;
  }
  const Hash128Value key = EqualityHash::OfProcess().Long(so_far);
  line.key_high = key.high;
  line.key_low = key.low;
  *host = HostNameOf(address);
  line.host = EqualityHash::OfProcess().Short(*host);
  return line;
}

std::string SpellForm(std::span<const UrlRule> rules, size_t form,
                      std::string_view address) {
  std::string spelling(address);
  if (form == kRawForm) return spelling;
  for (const UrlRule rule : rules) {
    if (form != AloneForm(rule)) continue;
    ApplyUrlRule(rule, &spelling);
    return spelling;
  }
  for (size_t k = 0; k < rules.size(); ++k) {
    Advance(rules, k, &spelling);
    if (form == SoFarForm(rules, k)) break;
  }
  return spelling;
}

}  // namespace twinset
