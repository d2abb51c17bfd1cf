#include "predict/fetch_savings.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "predict/known_pages.h"
#include "predict/rewrite.h"

namespace twinset {
namespace {

// A host and its www. are one.
std::string_view SiteOf(const AddressedPage& page) {
  std::string_view host = HostOf(page.address);
  if (host.starts_with("www.")) host.remove_prefix(4);
  return host;
}

uint64_t DrawOf(std::string_view text, uint64_t seed) {
  return Hash64(text, Mix64(seed));
}

AddressedPages DrawHosts(const AddressedPages& pages, uint64_t seed) {
  if (pages.size() <= kMostValidated) return pages;
  std::map<std::pair<uint64_t, std::string_view>, AddressedPages> hosts;
  for (const AddressedPage* page : pages) {
    const std::string_view site = SiteOf(*page);
    hosts[{DrawOf(site, seed), site}].push_back(page);
  }
  AddressedPages drawn;
  for (const auto& [draw, of_host] : hosts) {
    if (!drawn.empty() && drawn.size() + of_host.size() > kMostValidated)
      continue;
    drawn.insert(drawn.end(), of_host.begin(), of_host.end());
  }
  std::sort(drawn.begin(), drawn.end(),
            [](const AddressedPage* x, const AddressedPage* y) {
              return x->address < y->address;
            });
  return drawn;
}

// Contents that were fetched. Pages in no cluster are of a content of their
// own.
class FetchedContents {
 public:
  bool Has(const AddressedPage& page) const {
    return page.cluster != AddressedPage::kAlone &&
           clusters_.contains(page.cluster);
  }
  void Add(const AddressedPage& page) { clusters_.insert(page.cluster); }

 private:
  std::unordered_set<uint64_t> clusters_;
};

void AddSaving(const Saving& saving, Saving* sum) {
  sum->probability = saving.probability;
  sum->pages += saving.pages;
  sum->duplicates += saving.duplicates;
  sum->saved += saving.saved;
  sum->lost += saving.lost;
}

// The pages of the fold in the order of a draw, and the rest.
template <typename FoldOf>
std::pair<AddressedPages, AddressedPages> Divide(const AddressedPages& pages,
                                                 uint64_t fold, uint64_t seed,
                                                 const FoldOf& fold_of) {
  AddressedPages train, test;
  for (const AddressedPage* page : pages)
    (fold_of(*page) == fold ? test : train).push_back(page);
  std::stable_sort(test.begin(), test.end(),
                   [seed](const AddressedPage* x, const AddressedPage* y) {
                     return DrawOf(x->address, seed) < DrawOf(y->address, seed);
                   });
  return {std::move(train), std::move(test)};
}

}  // namespace

Saving SavingOf(const AddressedPages& train, const AddressedPages& test,
                const std::vector<RewriteRule>& rules, double probability) {
  const RewriteRules by_host(rules);
  KnownPages known(by_host);
  FetchedContents fetched, all;
  for (const AddressedPage* page : train) {
    known.Add(page->address);
    fetched.Add(*page);
    all.Add(*page);
  }
  Saving saving;
  saving.probability = probability;
  for (const AddressedPage* page : test) {
    ++saving.pages;
    saving.duplicates += all.Has(*page);
    all.Add(*page);
    const KnownTwin twin = known.Find(page->address);
    if (twin.address != nullptr && twin.probability >= probability) {
      ++(fetched.Has(*page) ? saving.saved : saving.lost);
      continue;
    }
    known.Add(page->address);
    fetched.Add(*page);
  }
  return saving;
}

Result<Validation> ValidateRules(const AddressedPages& all,
                                 const RuleLearning& learning, uint64_t folds,
                                 uint64_t seed) {
  const AddressedPages pages = DrawHosts(all, seed);
  Validation validation;
  const auto validate = [&](const auto& fold_of,
                            std::array<Saving, 3>* savings) -> Status {
    for (uint64_t fold = 0; fold < folds; ++fold) {
      const auto divided = Divide(pages, fold, seed, fold_of);
      TWINSET_ASSIGN(const auto rules, LearnRules(divided.first, learning));
      for (size_t i = 0; i < savings->size(); ++i)
        AddSaving(SavingOf(divided.first, divided.second, rules,
                           kSavingProbabilities[i]),
                  &(*savings)[i]);
    }
    return {};
  };
  TWINSET_TRY(validate(
      [&](const AddressedPage& page) {
        return DrawOf(SiteOf(page), seed) % folds;
      },
      &validation.hosts));
  TWINSET_TRY(validate(
      [&](const AddressedPage& page) {
        return DrawOf(page.address, seed + 1) % folds;
      },
      &validation.pages));
  return validation;
}

}  // namespace twinset
