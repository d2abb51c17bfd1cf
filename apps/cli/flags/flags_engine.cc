// Flags of `twinset engine`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Number;
using setters::Pick;
using setters::Share;
using setters::Switch;
using setters::Text;
using setters::TextList;
using setters::Values;

namespace {

// A share that may be 0.
template <auto Field>
Status ShareOrNone(const Values& values, Request* request) {
  TWINSET_ASSIGN(const double share, ParseNumber(values.back()));
  if (!(share >= 0 && share <= 1))
    return Fail(ErrorCode::kUsage,
                fmt::format("'{}' is not from 0 to 1", values.back()));
  Field(*request) = share;
  return {};
}

// A ranking, or the field that makes one.
Status Rank(const Values& values, Request* request) {
  constexpr std::string_view kField = "field:";
  const std::string& how = values.back();
  EngineBuildOptions& build = request->study->engine_build;
  build.rank_field = how.starts_with(kField) ? how.substr(kField.size()) : "";
  if (!build.rank_field.empty()) return {};
  const auto rank = FindChoice<EngineRank>(how);
  if (!rank) {
    auto known = ChoiceNames<EngineRank>();
    known.push_back("field:NAME");
    return Fail(ErrorCode::kUsage, "no ranking is called '" + how + "'", {},
                "use " + OrList(known));
  }
  build.rank = *rank;
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> EngineFlags() {
  return {
      {"--type", 0, "NAME", "what keeps the index: {}",
       "sqlite is embedded. xapian and postgres are programs of their own, installed beside twinset.",
       "sqlite", kEngineBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<EngineType>(), false,
       Pick<[](Request& r) -> auto& { return r.study->engine_build.type; }>},
      {"--name", 0, "NAME", "name of the engine in reports", "", "(of the folder)", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Text<[](Request& r) -> auto& { return r.study->engine_build.name; }>},
      {"--rank", 0, "HOW", "what sqlite shows first: bm25, input or field:NAME",
       "bm25: Okapi BM25. input: the earlier document. field:NAME: the higher number in a field of the rows, as a rank "
       "that 'twinset walk' computed.",
       "bm25", kEngineBit, FlagGroup::kStudy, ValueKind::kWord, {}, false, Rank},
      {"--database", 0, "URI", "of postgres, as postgresql://HOST/NAME",
       "It is written into engine.json: keep passwords in ~/.pgpass.", "", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Text<[](Request& r) -> auto& { return r.study->engine_build.database; }>},
      {"--keep-fields", 0, "FIELD,...", "fields of the rows that are kept with the pages",
       "Samples then have them, for estimates. May be repeated.", "(none)", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, true,
       TextList<[](Request& r) -> auto& { return r.study->engine_build.keep_fields; }>},

      {"--drop-fields", 0, "FIELD,...", "build without documents whose FIELD is true, or FIELD=VALUE",
       "A spam filter. May be repeated.", "(none)", kEngineBit, FlagGroup::kStudy, ValueKind::kWord, {}, true,
       TextList<[](Request& r) -> auto& { return r.study->engine_build.index.drop_fields; }>},
      {"--max-depth", 0, "N", "build without addresses of more path segments", "", "(any)", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->engine_build.index.max_depth; }, 0, 10000>},
      {"--share", 0, "P", "build of a share of the documents, by a hash of address and seed",
       "Engines built with other seeds overlap as subsets drawn independently do.", "1", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->engine_build.index.share; }>},
      {"--host-cap", 0, "N", "build of the first N documents of each host; 0: all", "", "0", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->engine_build.index.host_cap; }>},
      {"--first-words", 0, "N", "index only the first N words of each document; 0: all", "", "0", kEngineBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->engine_build.index.first_words; }>},
      {"--anchors", 0, "", "also index pages known by links only, by the texts of these links", "", "", kEngineBit,
       FlagGroup::kStudy, ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->engine_build.index.anchors; }>},

      {"--max-results", 0, "K", "an answer never shows more results; 0: any number",
       "This and the flags below hold for one query, or with build for every query of the engine.", "0", kEngineBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->engine_query.answers.max_results; }, 0, 1000000>},
      {"--max-terms", 0, "N", "longer queries lose their last terms; 0: none do", "", "0", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->engine_query.answers.max_terms; }, 0, 4096>},
      {"--timeouts", 0, "P", "share of the queries that are not answered", "By a hash of query and seed.", "0", kEngineBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       ShareOrNone<[](Request& r) -> auto& { return r.study->engine_query.answers.timeouts; }>},
      {"--hit-factor", 0, "X", "the number of hits is falsified by this factor", "", "1", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Number<[](Request& r) -> auto& { return r.study->engine_query.answers.hit_factor; }>},
      {"--sabotage-terms", 0, "M", "withhold results from queries of M terms or more, all wanted; 0: never", "", "0",
       kEngineBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->engine_query.answers.sabotage_terms; }, 0, 4096>},
      {"--sabotage-share", 0, "P", "share of the results that such queries still get", "By a hash of address and seed.",
       "0", kEngineBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       ShareOrNone<[](Request& r) -> auto& { return r.study->engine_query.answers.sabotage_share; }>},
      {"--repeat-results", 0, "P", "share of the results that stand twice", "", "0", kEngineBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       ShareOrNone<[](Request& r) -> auto& { return r.study->engine_query.answers.duplicates; }>},

      {"--any", 0, "", "query: one of the words is enough (OR)", "", "", kEngineBit, FlagGroup::kStudy, ValueKind::kNone,
       {}, false, Switch<[](Request& r) -> auto& { return r.study->engine_query.any; }>},
      {"--limit", 'k', "K", "query: results wanted", "", "10", kEngineBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->engine_query.limit; }, 1, 1000000>},
      {"--fetch", 0, "", "query: also get the pages of the results", "", "", kEngineBit, FlagGroup::kStudy,
       ValueKind::kNone, {}, false,
       Switch<[](Request& r) -> auto& { return r.study->engine_query.fetch; }>},
      {"--record", 0, "FILE", "query: add every answer to this file; what is in it is not asked again", "", "(none)",
       kEngineBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->engine_query.record; }>},
      {"--replay", 0, "FILE", "query: take the answers from this file; the engine need not be there", "", "(none)",
       kEngineBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->engine_query.replay; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
