// Flags of the commands that compare whole corpora: `twinset urls`, `mirrors`,
// `leak`, `change`, `assess`, `predict` and `patch`.
#include "cli/studies.h"
#include "flag_setters.h"

namespace twinset::cli {

using setters::Count;
using setters::Int;
using setters::Pick;
using setters::Repeated;
using setters::Share;
using setters::Text;
using setters::Values;

namespace {

Status Rules(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values names, SplitLists(values));
  auto& rules = request->study->urls.rules;
  rules.clear();
  for (const std::string& name : names) {
    const auto rule = FindChoice<UrlRule>(name);
    if (!rule)
      return Fail(ErrorCode::kUsage, fmt::format("there is no rule '{}'", name),
                  {}, "known: " + OrList(ChoiceNames<UrlRule>()));
    rules.push_back(*rule);
  }
  return {};
}

Status Dates(const Values& values, Request* request) {
  TWINSET_ASSIGN(request->study->change.dates, SplitLists(values));
  return {};
}

}  // namespace

// clang-format off
std::vector<Flag> CorporaFlags() {
  return {
      {"--rules", 0, "RULE,...", "differences of spelling that do not count",
       "rfc3986, final-dot, scheme, www, port, default-page, session, tracking, empty-query, query-order, "
       "trailing-slash, case. They are applied in this order, and each is also counted alone. May be repeated.",
       "(all)", kUrlsBit, FlagGroup::kStudy, ValueKind::kWord, ChoiceNames<UrlRule>(), true, Rules},
      {"--qrels", 0, "FILE", "judgements, whose ids are looked for in both lists",
       "Of four columns (topic, iteration, id, grade) or five (topic, id, grade and two more). With --out, pairs.jsonl "
       "has the judged documents of A beside those of B with their address, for "
       "'twinset qrels transfer --pairs'. May be repeated.",
       "(none)", kUrlsBit, FlagGroup::kStudy, ValueKind::kFile, {}, true,
       Repeated<[](Request& r) -> auto& { return r.study->urls.qrels; }>},
      {"--suffixes", 0, "FILE", "public suffix list, by which registered domains are told",
       "In the format of publicsuffix.org. Every result names the date of the list.", "(the system's)", kUrlsBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->urls.suffixes; }>},
      {"--least-pages", 0, "N", "parallel duplicates that make a mirror", "", "3", kMirrorsBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->mirrors.least_pages; }, 1, 1000000000>},
      {"--share", 0, "S", "least share of duplicates among the parallel pages of a mirror", "", "0.5", kMirrorsBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->mirrors.share; }>},
      {"--overlap", 0, "S", "least share of the smaller side's pages that are parallel to one", "", "0.5", kMirrorsBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->mirrors.overlap; }>},
      {"--dead", 0, "FILE", "addresses that are gone, one a line: alternatives are looked for", "", "(none)",
       kMirrorsBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->mirrors.dead; }>},
      {"--test", 0, "INPUT", "items that are looked for in the training data",
       "A file, folder or pattern. May be repeated.", "(none)", kLeakBit, FlagGroup::kStudy, ValueKind::kFile, {},
       true, Repeated<[](Request& r) -> auto& { return r.study->leak.test; }>},
      {"--test-format", 0, "FORMAT", "of the test items: as --input-format", "", "(as --input-format)", kLeakBit,
       FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<InputFormat>(), false,
       Pick<[](Request& r) -> auto& { return r.study->leak.test_input.format.emplace(); }>},
      {"--test-id-field", 0, "PATH", "of the test items: field of a row that is its id", "", "(as --id-field)", kLeakBit,
       FlagGroup::kStudy, ValueKind::kField, {}, false,
       Text<[](Request& r) -> auto& { return r.study->leak.test_input.id_field.emplace(); }>},
      {"--test-text-field", 0, "PATH", "of the test items: field of a row that is its text", "", "(as --text-field)",
       kLeakBit, FlagGroup::kStudy, ValueKind::kField, {}, false,
       Text<[](Request& r) -> auto& { return r.study->leak.test_input.text_field.emplace(); }>},
      {"--test-html-field", 0, "PATH", "of the test items: field of a row that is markup", "", "(as --html-field)",
       kLeakBit, FlagGroup::kStudy, ValueKind::kField, {}, false,
       Text<[](Request& r) -> auto& { return r.study->leak.test_input.html_field.emplace(); }>},
      {"--test-url-field", 0, "PATH", "of the test items: field of a row that is its URL", "", "(as --url-field)",
       kLeakBit, FlagGroup::kStudy, ValueKind::kField, {}, false,
       Text<[](Request& r) -> auto& { return r.study->leak.test_input.url_field.emplace(); }>},
      {"--test-date-field", 0, "PATH", "of the test items: field of a row that is its date", "", "(as --date-field)",
       kLeakBit, FlagGroup::kStudy, ValueKind::kField, {}, false,
       Text<[](Request& r) -> auto& { return r.study->leak.test_input.date_field.emplace(); }>},
      {"--test-preset", 0, "NAME", "of the test items: a named setting of fields, as clueweb22", "", "(as --preset)",
       kLeakBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<FieldPreset>(), false,
       Pick<[](Request& r) -> auto& { return r.study->leak.test_input.preset.emplace(); }>},
      {"--split-field", 0, "PATH", "field of an item that names its split", "", "(the input)", kLeakBit,
       FlagGroup::kStudy, ValueKind::kField, {}, false,
       Text<[](Request& r) -> auto& { return r.study->leak.split_field; }>},
      {"--threshold", 't', "T", "least share of an item in one training document, above 0, at most 1", "", "0.8",
       kLeakBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->leak.threshold; }>},
      {"--visits", 0, "FILE", "lines url,count: how often addresses are visited", "A first line that names the columns is a header.",
       "", kChangeBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->change.visits; }>},
      {"--dates", 0, "DATE,...", "when the snapshots are from, one each, ascending",
       "RFC 3339, a date alone, or 14 digits as archives write them.", "(the latest date of their records)", kChangeBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, true, Dates},
      {"--near", 0, "J", "least Jaccard similarity of a page that is nearly the same", "", "0.9", kChangeBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->change.near; }>},
      {"--lasting", 0, "N", "new text lasts when it stays for so many further captures",
       "It is what recrawl.csv values; text that goes before that, as advertisements do, has no value.", "2", kChangeBit,
       FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->change.lasting; }, 1, 100>},
      {"--sample", 0, "N", "pairs of each run that are drawn", "Strata share them by their sizes.", "100",
       kAssessBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Count<[](Request& r) -> auto& { return r.study->assess.sample; }>},
      {"--per-stratum", 0, "N", "pairs of each stratum instead", "", "(by --sample)", kAssessBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->assess.per_stratum; }, 1, 10000>},
      {"--strata", 0, "NAME", "what the pairs are divided by: both, similarity, kind or none",
       "By twentieths of similarity, by kind where the run has kinds, by both, or not at all: a simple sample.",
       "both", kAssessBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<AssessStrata>(), false,
       Pick<[](Request& r) -> auto& { return r.study->assess.strata; }>},
      {"--rules", 0, "FILE", "rules.jsonl of an earlier folder, in place of learning", "", "(learnt from the run)",
       kPredictBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->predict.rules; }>},
      {"--probability", 0, "P", "least probability at which an address is said to be a duplicate", "", "0.8",
       kPredictBit, FlagGroup::kStudy, ValueKind::kWord, {}, false,
       Share<[](Request& r) -> auto& { return r.study->predict.probability; }>},
      {"--least-support", 0, "N", "pages that a rule must have been tried on", "", "5", kPredictBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->predict.least_support; }, 1, 1000000000>},
      {"--folds", 0, "N", "folds of the cross-validation, 2 to 20; 0: none", "", "5", kPredictBit, FlagGroup::kStudy,
       ValueKind::kWord, {}, false,
       Int<[](Request& r) -> auto& { return r.study->predict.folds; }, 0, 20>},
      {"--key", 0, "FILE", "make: private key that signs the patch", "A PEM file with an Ed25519 key, without passphrase.",
       "(not signed)", kPatchBit, FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->patch_make.sign; }>},
      {"--trusted-key", 0, "FILE", "apply: public key that must have signed the patch",
       "A PEM file. A patch that is not signed, or by another key, is refused.", "(any, or none)", kPatchBit,
       FlagGroup::kStudy, ValueKind::kFile, {}, false,
       Text<[](Request& r) -> auto& { return r.study->patch_apply.trusted_key; }>},
      {"--match-by", 0, "WHAT", "apply: how records of the copy are found: {}",
       "place: input and number of the record, in inputs that should be the same byte for byte. id, digest: by the id "
       "of a document or the digest of its payload, however the copy is compressed and divided into files.",
       "place", kPatchBit, FlagGroup::kStudy, ValueKind::kChoice, ChoiceNames<PatchMatch>(), false,
       Pick<[](Request& r) -> auto& { return r.study->patch_apply.match_by; }>},
      {"--allow-mismatch", 0, "", "apply: end with 0 although something did not match", "It is kept and listed either way.",
       "", kPatchBit, FlagGroup::kStudy, ValueKind::kNone, {}, false,
       setters::Switch<[](Request& r) -> auto& { return r.study->allow_mismatch; }>},
  };
}
// clang-format on

}  // namespace twinset::cli
