#include "sample/check.h"

#include <algorithm>
#include <optional>

#include "net/url.h"

namespace twinset {

namespace {

bool Contains(const std::vector<std::string>& values,
              const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Resemblance of texts; of texts too short for a shingle, whether their words
// are the same.
double ResemblanceTo(const Questioner::Page& page,
                     const std::vector<uint64_t>& shingles,
                     const Questioner::Page& other, const TextReader& reader) {
  const std::vector<uint64_t> others = reader.Shingles(other.page.text);
  if (shingles.empty() && others.empty())
    return page.tokens == other.tokens ? 1 : 0;
  return ResemblanceOfShingles(shingles, others);
}

// Fetches candidates until one is the page; a copy of it is enough only where
// the page itself is not looked for.
Status MatchByFetching(const Questioner::Page& page,
                       const std::vector<std::string>& own,
                       const std::vector<std::string>& candidates,
                       const CheckOptions& options, Questioner* target,
                       CheckResult* result) {
  const TextReader& reader = target->reader();
  const std::vector<uint64_t> shingles = reader.Shingles(page.page.text);
  for (const std::string& url : candidates) {
    TWINSET_ASSIGN(const auto other, target->Fetch(url));
    if (!other) continue;
    const auto& others = other->page.other_addresses;
    if (Contains(own, other->page.url) ||
        std::any_of(others.begin(), others.end(), [&](const auto& address) {
          return Contains(own, address);
        })) {
      if (options.elsewhere) continue;
      result->match = PageMatch::kRedirect;
      result->resemblance = 0;
      return {};
    }
    if (result->match == PageMatch::kContent) continue;
    const double resemblance = ResemblanceTo(page, shingles, *other, reader);
    if (resemblance < options.content_threshold) continue;
    result->match = PageMatch::kContent;
    result->resemblance = resemblance;
    if (options.elsewhere) return {};
  }
  return {};
}

}  // namespace

std::string_view PageMatchName(PageMatch match) {
  switch (match) {
    case PageMatch::kNone:
      return "";
    case PageMatch::kUrl:
      return "url";
    case PageMatch::kRedirect:
      return "redirect";
    case PageMatch::kContent:
      return "content";
  }
  return "";
}

Result<CheckResult> CheckPage(const Questioner::Page& page,
                              const std::string& url,
                              const TermStatistics& statistics,
                              const CheckOptions& options, Questioner* target) {
  const StrongQueries strong =
      MakeStrongQueries(page.tokens, statistics, options.query);
  CheckResult result;
  result.short_page = strong.short_page;
  result.cut = strong.cut;
  const std::vector<std::string> own = {NormaliseUrl(url), page.page.url};
  std::vector<std::string> candidates;
  bool all_answered = !strong.queries.empty();
  for (const std::vector<std::string>& query : strong.queries) {
    TWINSET_ASSIGN(const auto answer,
                   target->Ask(query, true, options.results));
    all_answered = all_answered && answer.has_value();
    if (!answer) continue;
    for (const std::string& found : answer->urls) {
      if (Contains(own, found)) {
        if (options.elsewhere) continue;
        result.checked = true;
        result.match = PageMatch::kUrl;
        return result;
      }
      if (candidates.size() < options.fetches && !Contains(candidates, found))
        candidates.push_back(found);
    }
  }
  TWINSET_TRY(MatchByFetching(page, own, candidates, options, target, &result));
  // Without an answer to every query, not found means nothing.
  result.checked = all_answered || result.match != PageMatch::kNone;
  return result;
}

void PageOverlap::Add(const CheckResult& result, double row_weight) {
  short_pages += result.short_page;
  cut += result.cut;
  if (!result.checked) {
    ++unchecked;
    return;
  }
  ++checked;
  weight += row_weight;
  weight_squared += row_weight * row_weight;
  by_url += result.match == PageMatch::kUrl;
  by_redirect += result.match == PageMatch::kRedirect;
  if (result.match == PageMatch::kNone) return;
  if (result.match == PageMatch::kContent) {
    ++by_content;
    weight_copied += row_weight;
    return;
  }
  ++found;
  weight_found += row_weight;
}

void PageOverlap::AddCounts(uint64_t looked, uint64_t both) {
  checked += looked;
  found += both;
  by_url += both;
  weight += static_cast<double>(looked);
  weight_squared += static_cast<double>(looked);
  weight_found += static_cast<double>(both);
}

bool AreManyCopies(double fraction, double fraction_with_copies) {
  return (fraction_with_copies - fraction) * 20 > fraction_with_copies;
}

SampledOverlap PageOverlap::Told() const {
  SampledOverlap told = *this;
  told.fraction = Fraction();
  told.fraction_with_copies = FractionWithCopies();
  told.n = EffectiveSize();
  return told;
}

uint64_t PageOverlap::EffectiveSize() const {
  if (!(weight_squared > 0)) return 0;
  // Equal weights give a whole number up to rounding.
  return static_cast<uint64_t>(weight * weight / weight_squared + 1e-9);
}

}  // namespace twinset
