// An address as the join of two lists sees it: one key under all rules, and
// within it a number for each other spelling (docs/methods/url-overlap.md), all
// under the secret of the process.
#ifndef TWINSET_SRC_CORPORA_URLS_URL_FORMS_H_
#define TWINSET_SRC_CORPORA_URLS_URL_FORMS_H_

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/text_choices.h"

namespace twinset {

// Spellings of an address: as written, by each rule alone, by the first rules
// up to each. That by all rules is the key and has no number.
inline constexpr size_t kUrlForms = 2 * kUrlRules - 1;
inline constexpr size_t kRawForm = 0, kKeyForm = kUrlForms;
constexpr size_t AloneForm(UrlRule rule) {
  return 1 + static_cast<size_t>(rule);
}
// The form by the rules up to number `k` of them.
size_t SoFarForm(std::span<const UrlRule> rules, size_t k);
// The spelling itself: the definition of all forms.
std::string SpellForm(std::span<const UrlRule> rules, size_t form,
                      std::string_view address);

inline constexpr uint32_t kOfB = 1, kJudged = 2;  // UrlLine::flags

// A line of a list.
struct UrlLine {
  uint64_t key_high = 0, key_low = 0;  // of the address under all rules
  uint64_t host = 0;                   // of its host name
  // Within one key, spellings are equal when their numbers are, but for a
  // chance of 2^-32 per pair. 0 for rules that are not asked for.
  std::array<uint32_t, kUrlForms> forms = {};
  uint32_t flags = 0;

  std::array<uint64_t, 2> SortWords() const { return {key_high, key_low}; }
  friend auto operator<=>(const UrlLine&, const UrlLine&) = default;
  friend bool operator==(const UrlLine&, const UrlLine&) = default;
};
static_assert(sizeof(UrlLine) == 120);

// A name in lower case without final dot, as the tables group by. A longer one
// keeps its end, behind an ellipsis.
struct HostName {
  static constexpr size_t kMostBytes = 111;
  uint64_t host = 0;
  char text[kMostBytes] = {};
  uint8_t size = 0;

  std::string_view view() const { return {text, size}; }
  static HostName Of(std::string_view name);
  std::array<uint64_t, 1> SortWords() const { return {host}; }
  friend bool operator<(const HostName& x, const HostName& y) {
    return x.host != y.host ? x.host < y.host : x.view() < y.view();
  }
};

// Spells addresses under `rules`, which ascend and are not none. Thread-safe.
class UrlSpeller {
 public:
  explicit UrlSpeller(std::vector<UrlRule> rules) : rules_(std::move(rules)) {}

  // `address` is one (WhyNoAddress). Flags are left to the caller; `*host`
  // becomes the name that `host` of the line stands for.
  UrlLine Spell(std::string_view address, std::string* host) const;
  const std::vector<UrlRule>& rules() const { return rules_; }

 private:
  std::vector<UrlRule> rules_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_URLS_URL_FORMS_H_
