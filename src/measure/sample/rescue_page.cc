#include "sample/rescue_page.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "net/url.h"
#include "sample/lexical_signature.h"

namespace twinset {

namespace {

// A candidate that is alike enough.
struct Find {
  std::string url;
  double similarity = 0;
  bool same_host = false;
  uint32_t rank = 0;
};

bool Better(const Find& x, const Find& y) {
  return std::tuple(-x.similarity, !x.same_host, x.rank) <
         std::tuple(-y.similarity, !y.same_host, y.rank);
}

class Search {
 public:
  Search(const std::string& text, const RescueRules& rules, Questioner* engine,
         const OldPages* old, RescuedPage* page)
      : rules_(rules), engine_(engine), old_(old), page_(page) {
    shingles_ = engine->reader().Shingles(text);
    own_ = NormaliseUrl(page->url);
    host_ = UrlHost(own_);
  }

  bool has_shingles() const { return !shingles_.empty(); }

  // Returns true iff the query shows the page.
  Result<bool> Try(const std::vector<std::string>& terms) {
    ++page_->queries;
    TWINSET_ASSIGN(const auto answer,
                   engine_->Ask(terms, /*conjunctive=*/true, rules_.results));
    if (!answer) return false;
    Find best;
    for (uint32_t i = 0; i < answer->urls.size(); ++i) {
      const std::string& url = answer->urls[i];
      if (url == own_ || !seen_.insert(url).second) continue;
      ++page_->candidates;
      TWINSET_ASSIGN(const auto other, engine_->Fetch(url));
      if (!other || other->page.url == own_) continue;
      const auto now = engine_->reader().Shingles(other->page.text);
      const Find find = {url, ResemblanceOfShingles(shingles_, now),
                         UrlHost(url) == host_, i + 1};
      page_->similarity = std::max(page_->similarity, find.similarity);
      if (find.similarity < rules_.threshold) continue;
      if (old_ != nullptr && old_->IsSister(url, now, shingles_)) {
        ++page_->sisters;
        continue;
      }
      if (best.rank == 0 || Better(find, best)) best = find;
    }
    if (best.rank == 0) return false;
    page_->found = best.url;
    page_->similarity = best.similarity;
    page_->rank = best.rank;
    page_->query_terms = static_cast<uint32_t>(terms.size());
    return true;
  }

 private:
  const RescueRules& rules_;
  Questioner* engine_;
  const OldPages* old_;
  RescuedPage* page_;
  std::vector<uint64_t> shingles_;
  std::string own_, host_;
  std::set<std::string> seen_;  // candidates looked at
};

}  // namespace

std::vector<std::vector<std::string>> ShorterQueries(
    const std::vector<std::string>& signature, uint32_t least) {
  std::vector<std::vector<std::string>> queries;
  for (size_t size = signature.size(); size >= std::max<uint32_t>(least, 1);
       --size) {
    for (size_t begin = 0; begin + size <= signature.size(); ++begin) {
      const auto first = signature.begin() + static_cast<ptrdiff_t>(begin);
      queries.emplace_back(first, first + static_cast<ptrdiff_t>(size));
    }
  }
  return queries;
}

RescuedPage SignPage(const std::string& url,
                     const std::vector<std::string>& tokens,
                     const TermStatistics& statistics,
                     const RescueRules& rules) {
  RescuedPage page;
  page.url = url;
  SignatureOptions options;
  options.terms = rules.terms;
  for (SignatureTerm& term : LexicalSignature(tokens, statistics, options))
    page.signature.push_back(std::move(term.term));
  const bool enough = page.signature.size() >= rules.least_terms;
  page.status = enough ? RescueStatus::kSignature : RescueStatus::kTooShort;
  if (!enough) return page;
  page.robust_link = url.substr(0, url.find('#'));
  page.robust_link +=
      page.robust_link.find('?') == std::string::npos ? '?' : '&';
  page.robust_link += "lexical-signature=";
  for (size_t i = 0; i < page.signature.size(); ++i)
    page.robust_link += (i == 0 ? "" : "+") + EscapeValue(page.signature[i]);
  return page;
}

Result<RescuedPage> RescuePage(const std::string& url, const std::string& text,
                               const TermStatistics& statistics,
                               const RescueRules& rules, Questioner* engine,
                               const OldPages* old) {
  RescuedPage page =
      SignPage(url, engine->reader().Tokens(text), statistics, rules);
  Search search(text, rules, engine, old, &page);
  if (page.status == RescueStatus::kTooShort || !search.has_shingles()) {
    page.status = RescueStatus::kTooShort;
    return page;
  }
  page.status = RescueStatus::kNotFound;
  for (const auto& terms : ShorterQueries(page.signature, rules.least_terms)) {
    TWINSET_ASSIGN(const bool found, search.Try(terms));
    if (!found) continue;
    page.status = RescueStatus::kFound;
    break;
  }
  return page;
}

}  // namespace twinset
