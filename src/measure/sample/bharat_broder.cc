#include "sample/bharat_broder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "engine/answer_json.h"

namespace twinset {

namespace {

std::vector<std::string> DrawTerms(const std::vector<std::string>& terms,
                                   uint32_t count, SplitMix64* random) {
  std::vector<uint64_t> places;
  while (places.size() < count) {
    const uint64_t place = random->Below(terms.size());
    if (std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  }
  std::vector<std::string> drawn;
  drawn.reserve(places.size());
  for (const uint64_t place : places) drawn.push_back(terms[place]);
  return drawn;
}

}  // namespace

Error Barren(const std::string& engine, uint64_t queries) {
  return {ErrorCode::kNotFound,
          std::to_string(queries) + " queries in a row gave no page", engine,
          "take a lexicon of pages like those of the engine, in their "
          "language, or other --min-df, --max-df and --terms"};
}

Status SampleByRandomQueries(const std::vector<std::string>& terms,
                             const BharatBroderOptions& options,
                             Questioner* questioner, const OnDraw& on_draw) {
  if (options.terms == 0 || options.terms > terms.size()) {
    return Fail(ErrorCode::kUsage,
                "queries of " + std::to_string(options.terms) + " terms of " +
                    std::to_string(terms.size()) + " cannot be made",
                "", "choose other --terms, or a larger lexicon");
  }
  SplitMix64 random(options.seed);
  uint64_t barren = 0;
  for (uint64_t draw = 0; draw < options.size;) {
    if (barren >= options.most_barren) {
      return tl::unexpected(Barren(questioner->Info().name, barren));
    }
    ++barren;
    const auto query = DrawTerms(terms, options.terms, &random);
    TWINSET_ASSIGN(const auto answer,
                   questioner->Ask(query, options.conjunctive, options.limit));
    if (!answer || answer->urls.empty()) continue;
    const std::string& url = answer->urls[random.Below(answer->urls.size())];
    TWINSET_ASSIGN(const auto page, questioner->Fetch(url));
    if (!page) continue;
    barren = 0;
    SampleRow row = RowOfPage(FactsOf(*page, questioner->reader()));
    row.draw = draw++;
    row.fields.emplace_back("query", JsonOf(JoinedTerms(query)));
    TWINSET_TRY(on_draw(*page, std::move(row)));
  }
  return {};
}

}  // namespace twinset
