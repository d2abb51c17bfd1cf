// Pages that were fetched, found by the address of another under rules
// (docs/methods/predict.md).
#ifndef TWINSET_SRC_CORPORA_PREDICT_KNOWN_PAGES_H_
#define TWINSET_SRC_CORPORA_PREDICT_KNOWN_PAGES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "twinset/corpora/predict.h"

namespace twinset {

// Rules by what they do: one for any host, and those of single hosts.
class RewriteRules {
 public:
  struct Action {
    RewriteRule what;  // its first rule
    std::optional<RewriteRule> any;
    std::map<std::string, RewriteRule, std::less<>> hosts;
    // For an action that gives `rewritten`; null when there is none.
    const RewriteRule* RuleFor(std::string_view rewritten) const;
  };
  explicit RewriteRules(const std::vector<RewriteRule>& rules);

  const std::vector<Action>& actions() const { return actions_; }
  // Numbers of the actions that may make the address or be made of it.
  std::vector<size_t> For(std::string_view address) const;

 private:
  std::vector<Action> actions_;
  std::vector<size_t> general_;
  std::unordered_map<std::string, std::vector<size_t>> of_host_;
};

struct KnownTwin {
  const std::string* address = nullptr;  // of the page
  const RewriteRule* rule = nullptr;     // null: it is the same address
  double probability = 1;
};

// Holds every address, and a number for each rule that changes it. The rules
// outlive the object.
class KnownPages {
 public:
  explicit KnownPages(const RewriteRules& rules) : rules_(rules) {}

  void Add(std::string address);  // plain (rewrite.h)
  // The page that is most probably a duplicate of a plain address, of equal
  // ones by the first action; address: null when there is none.
  KnownTwin Find(const std::string& address) const;
  uint64_t bytes() const { return bytes_; }

 private:
  const std::string* At(std::string_view address, size_t action) const;

  const RewriteRules& rules_;
  std::vector<std::string> pages_;
  // Hash of the action (0: none, from 1) and the address that it makes; the
  // first page. Of equal hashes the page is looked at.
  std::unordered_map<uint64_t, uint32_t> numbers_;
  uint64_t bytes_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PREDICT_KNOWN_PAGES_H_
