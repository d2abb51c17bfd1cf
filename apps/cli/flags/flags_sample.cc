// Flags of `twinset sample`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Number;
using setters::Share;
using setters::Switch;
using setters::Text;

// clang-format off
std::vector<Flag> SampleFlags() {
  return {
      {"--sampler", 0, "NAME", "how pages are drawn; see below",
       "pool-rejection: uniform. pool-importance: weighted, cheaper. pool-walk-mh, pool-walk-md: walks, uniform "
       "in the limit. pool-queries: for the size of the corpus. bharat-broder, random-searches: the older "
       "methods, biased, for comparison. random-ip: servers of networks, without any engine.",
       "pool-rejection", kSampleBit, FlagGroup::kStudy, ValueKind::kChoice,
       {"pool-rejection", "pool-importance", "pool-walk-mh", "pool-walk-md", "pool-queries", "bharat-broder",
        "random-searches", "random-ip"}, false,
       Text<[](Request& r) -> auto& { return r.study->sample.sampler.name; }>},
      {"--lexicon", 0, "FILE", "terms to ask for, from 'twinset lexicon build'",
       "Also says which words of a page are rare (--check). Build it by 'twinset lexicon build --min-df 1 "
       "--drop-common 0 --drop-rare 0' of pages like those of the engines.",
       "", kSampleBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->sample.sampler.lexicon; }>},
      {"--queries", 0, "FILE", "queries to ask, one a line, instead of terms of a lexicon",
       "", "", kSampleBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->sample.sampler.queries; }>},
      {"--size", 'n', "N", "pages to draw from each engine",
       "Of pool-queries and random-searches: queries.", "100", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->sample.sampler.size; }>},
      {"--min-df", 0, "N", "terms of the lexicon in fewer documents are not asked for",
       "", "1", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->sample.sampler.min_df; }>},
      {"--max-df", 0, "N", "terms of the lexicon in more documents are not asked for; 0: all are",
       "", "0", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->sample.sampler.max_df; }>},
      {"--terms", 0, "M", "terms of the lexicon in one query; 0: the sampler's own number",
       "bharat-broder: 2, with --any 4. The others: 1.", "0", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.sampler.terms; }, 0, 32>},
      {"--any", 0, "", "a page with one of the terms of a query matches (OR)",
       "", "", kSampleBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->sample.sampler.any; }>},
      {"--pool", 0, "N", "queries drawn into the pool when --terms is above 1",
       "", "10000", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->sample.sampler.pool; }>},
      {"--limit", 'k', "K", "results of a query that count; 0: the sampler's own number",
       "bharat-broder takes a page of the first K (100). Pools discard queries with more than K results (100). "
       "random-searches discards queries with K results or more over all engines (600).",
       "0", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.sampler.limit; }, 0, 100000>},
      {"--least-degree", 0, "C", "pool-rejection: a page is accepted with C / degree",
       "Above 1 fewer trials are in vain, and pages of a lower degree come too seldom, which is told.",
       "1", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Number<[](Request& r) -> auto& { return r.study->sample.sampler.least_degree; }>},
      {"--most-degree", 0, "D", "pool-walk-md: the bound of the degrees; 0: found out",
       "", "0", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Number<[](Request& r) -> auto& { return r.study->sample.sampler.most_degree; }>},
      {"--burn-in", 0, "N", "walks: moves before the first draw",
       "", "500", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.sampler.burn_in; }, 0, 1000000000>},
      {"--thin", 0, "N", "walks: moves between two draws",
       "", "100", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.sampler.thin; }, 1, 1000000000>},
      {"--probe-degrees", 0, "", "pool-rejection, pool-importance: fewer queries for the degree of a page",
       "Asks until 1 / degree is right on average instead of for every query that the page matches. As uniform; the "
       "field degree is then no count.", "", kSampleBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->sample.sampler.probe_degrees; }>},
      {"--second-pool", 0, "FILE", "pool-queries: a lexicon or a file of queries as the second pool",
       "", "", kSampleBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->sample.sampler.second_pool; }>},
      {"--check", 0, "", "look each page up in the other engines",
       "By strong queries of its rarest words; writes overlaps.csv.", "", kSampleBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->sample.checking.check; }>},
      {"--copies", 0, "", "say of each page whether its engine has a near-duplicate at another address",
       "The field duplicate: true or false, for 'twinset estimate share --of duplicate'. Found by strong queries "
       "of its rarest words, so copies that lack one of them are missed: fewer words find more.", "", kSampleBit,
       FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->sample.checking.copies; }>},
      {"--check-queries", 0, "N", "strong queries for a page",
       "Five of six words each find more than one of eight.", "1", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.checking.queries; }, 1, 100>},
      {"--check-words", 0, "N", "words of a strong query",
       "", "8", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.checking.words; }, 1, 32>},
      {"--check-fetches", 0, "N", "results fetched to find a page at another address; 0: none",
       "", "10", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->sample.checking.fetches; }, 0, 1000>},
      {"--content-threshold", 0, "T", "resemblance from which a result is the page",
       "", "0.9", kSampleBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->sample.checking.content_threshold; }>},
      {"--replay", 0, "", "take every answer from the folder and ask nobody",
       "The result is the same, byte for byte.", "", kSampleBit, FlagGroup::kOutput, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->sample.replay; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
