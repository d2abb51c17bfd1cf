// twinset/corpora/predict.h: pages of a run, rules, lists of addresses
// (docs/methods/predict.md).
#include "twinset/corpora/predict.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/file.h"
#include "base/math/round_to.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "mirrors/run_pages.h"
#include "options/resources.h"
#include "predict/fetch_savings.h"
#include "predict/known_pages.h"
#include "predict/predict_report.h"
#include "predict/rewrite.h"
#include "predict/rules_file.h"
#include "read/rows/address_reader.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr uint64_t kMostFolds = 20;
constexpr size_t kShownAddress = 200;  // bytes of a bad one

Status CheckPrediction(const PredictOptions& options) {
  if (options.run.empty())
    return Fail(ErrorCode::kUsage, "no run is given", {},
                "twinset predict RUN URLS... --out DIR");
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "the rules need a folder", {},
                "add --out DIR");
  if (options.least_support < 1)
    return Fail(ErrorCode::kUsage, "a rule has a support of one page at least");
  if (options.folds == 1 || options.folds > kMostFolds)
    return Fail(ErrorCode::kUsage, "there are 0 or 2 to 20 folds");
  return {};
}

// By address, each once. Of documents with one address the first counts.
std::vector<AddressedPage> AddressedOf(std::vector<MirrorPage> pages,
                                       PredictResult* result) {
  std::vector<AddressedPage> addressed;
  for (const MirrorPage& page : pages) {
    auto address = PlainAddress(page.url);
    if (!address) {
      ++result->without_address;
      continue;
    }
    addressed.push_back({*std::move(address), page.cluster});
  }
  std::stable_sort(addressed.begin(), addressed.end(),
                   [](const AddressedPage& x, const AddressedPage& y) {
                     return x.address < y.address;
                   });
  addressed.erase(
      std::unique(addressed.begin(), addressed.end(),
                  [](const AddressedPage& x, const AddressedPage& y) {
                    return x.address == y.address;
                  }),
      addressed.end());
  result->addresses = addressed.size();
  return addressed;
}

Status FindRules(const PredictOptions& options,
                 const std::vector<AddressedPage>& addressed,
                 PredictResult* result) {
  if (!options.rules.empty()) {
    TWINSET_ASSIGN(result->rules, ReadRules(options.rules));
    SideRead read{"--rules", options.rules, "rule"};
    read.records = read.used = result->rules.size();
    result->sides.push_back(read);
    return CheckSide(read);
  }
  AddressedPages pages;
  for (const AddressedPage& page : addressed) pages.push_back(&page);
  const RuleLearning learning{
      options.least_support,
      MemoryBesideWindow(options.resources, options.input) / 4, options.stop};
  TWINSET_ASSIGN(result->rules, LearnRules(pages, learning));
  if (options.folds == 0) return {};
  TWINSET_ASSIGN(result->validation,
                 ValidateRules(pages, learning, options.folds, options.seed));
  return {};
}

// Answers for lists of addresses, line by line.
class Predicting {
 public:
  Predicting(const PredictOptions& options, const KnownPages& known,
             PredictResult* result)
      : options_(options), known_(known), result_(result) {}

  Status Run() {
    TWINSET_ASSIGN(const ReadOptions read, MakeReadOptions(options_.input));
    TWINSET_ASSIGN(
        const InputList files,
        ListInputs(options_.urls, {.networks = options_.input.networks}));
    TWINSET_ASSIGN(OutputFile answers,
                   OutputFile::Create(options_.out + "/predictions.jsonl"));
    TWINSET_ASSIGN(OutputFile bad,
                   OutputFile::Create(options_.out + "/bad.jsonl"));
    std::vector<SideRead> sides;
    std::vector<size_t> side_of_file;
    for (const std::string& list : options_.urls) {
      side_of_file.resize(files.word_ends()[sides.size()], sides.size());
      sides.push_back({"list", list, "address"});
    }
    for (size_t i = 0; i < files.size(); ++i) {
      TWINSET_ASSIGN(
          const auto reader,
          OpenAddressReader(files[i], static_cast<uint32_t>(i), read));
      FoundAddress found;
      for (;;) {
        TWINSET_ASSIGN(const bool more, reader->Next(&found));
        if (!more) break;
        SideRead* const side = &sides[side_of_file[i]];
        const uint64_t bad_before = result_->lists->bad_lines;
        TWINSET_TRY(Answer(found, files[i].source, &answers, &bad));
        ++side->records;
        side->used += result_->lists->bad_lines == bad_before;
        if (result_->lists->bad_lines > bad_before && side->quarantined++ == 0)
          side->problem =
              "the first reason is " +
              (found.why.empty() ? std::string("no-address") : found.why);
      }
    }
    for (const SideRead& side : sides) {
      result_->sides.push_back(side);
      TWINSET_TRY(CheckSide(side,
                            "name the format with --input-format, or the field "
                            "of the address with --url-field"));
    }
    TWINSET_TRY(bad.Commit());
    return answers.Commit();
  }

 private:
  Status Answer(const FoundAddress& found, const std::string& source,
                OutputFile* answers, OutputFile* bad) {
    if (options_.stop != nullptr && *options_.stop)
      return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
    ++result_->lists->lines;
    const auto address = PlainAddress(found.address);
    if (!address) {
      ++result_->lists->bad_lines;
      return bad->Write(
          Json({{"source", source},
                {"number", found.number},
                {"offset", found.offset},
                {"reason", found.why.empty() ? "no-address" : found.why},
                {"text", found.address.substr(0, kShownAddress)}})
              .dump() +
          "\n");
    }
    return answers->Write(RowOf(found.address, known_.Find(*address)).dump() +
                          "\n");
  }

  Json RowOf(const std::string& url, const KnownTwin& twin) {
    if (twin.address == nullptr || twin.probability < options_.probability)
      return {{"url", url},
              {"duplicate_of", nullptr},
              {"rule", nullptr},
              {"probability", nullptr}};
    ++(twin.rule == nullptr ? result_->lists->known
                            : result_->lists->predicted);
    return {{"url", url},
            {"duplicate_of", *twin.address},
            {"rule", twin.rule == nullptr ? std::string("known")
                                          : RuleName(*twin.rule)},
            {"probability", RoundTo(twin.probability, 6)}};
  }

  const PredictOptions& options_;
  const KnownPages& known_;
  PredictResult* result_;
};

Status PredictLists(const PredictOptions& options,
                    std::vector<AddressedPage> addressed,
                    PredictResult* result) {
  const RewriteRules rules(result->rules);
  KnownPages known(rules);
  for (AddressedPage& page : addressed) {
    known.Add(std::move(page.address));
    if (known.bytes() >
        MemoryBesideWindow(options.resources, options.input) / 2)
      return Fail(ErrorCode::kMemory,
                  "the addresses of the run under all rules do not fit into "
                  "half of the memory",
                  {}, "give more --memory, or a larger --least-support");
  }
  return Predicting(options, known, result).Run();
}

}  // namespace

Result<PredictResult> v1::PredictDuplicates(const PredictOptions& options) try {
  TWINSET_TRY(CheckPrediction(options));
  TWINSET_ASSIGN(const Json summary, ReadRunSummary(options.run));
  const InputOptions input = RunInputs(options.input, summary);
  std::vector<std::string> inputs = input.inputs;
  inputs.push_back(options.run);
  inputs.insert(inputs.end(), options.urls.begin(), options.urls.end());
  if (!options.rules.empty()) inputs.push_back(options.rules);
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(OutRequest("predict", options), inputs));
  PredictResult result;
  result.run = options.run;
  result.parameters = {options.least_support, options.probability,
                       options.folds, options.seed};
  if (!options.urls.empty()) result.lists.emplace();
  RunPages pages(MemoryBesideWindow(options.resources, options.input),
                 options.on_progress);
  TWINSET_TRY(pages.ReadClusters(options.run));
  TWINSET_TRY(pages.ReadInputs(input, options.stop, &result.warnings));
  result.documents = pages.size();
  std::vector<AddressedPage> addressed = AddressedOf(pages.Take(), &result);
  SideRead of_run{"run", options.run, "address"};
  of_run.records = result.documents;
  of_run.used = result.addresses;
  of_run.quarantined = result.without_address;
  if (of_run.quarantined > 0)
    of_run.problem = "--url-field names the field of the address";
  result.sides.push_back(of_run);
  TWINSET_TRY(CheckSide(of_run, "run dedup on documents that have addresses"));
  TWINSET_TRY(FindRules(options, addressed, &result));
  std::vector<std::string> files = {"page.json", "rules.jsonl", "summary.json"};
  if (!options.urls.empty()) {
    files.push_back("bad.jsonl");
    files.push_back("predictions.jsonl");
  }
  if (result.validation) files.push_back("validation.csv");
  if (options.report) files.push_back("report.html");
  const auto write = [&]() -> Status {
    TWINSET_TRY(folder.Begin(files));
    const std::string out = options.out + "/";
    if (!options.urls.empty())
      TWINSET_TRY(PredictLists(options, std::move(addressed), &result));
    TWINSET_TRY(WriteWholeFile(out + "rules.jsonl", RulesText(result.rules)));
    if (result.validation)
      TWINSET_TRY(WriteWholeFile(out + "validation.csv",
                                 SavingsCsv(*result.validation)));
    result.page = ResultPage(PredictPage(result));
    TWINSET_TRY(WriteKeptPage(*result.page.kept(), options.out,
                              options.report ? "report.html" : ""));
    return WriteWholeFile(out + "summary.json",
                          SummaryJson(result).dump(2) + "\n");
  };
  TWINSET_TRY(RemoveUnless(write(), &folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
