#include "pipeline/match_each.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/json_text.h"
#include "documents/document_pass.h"
#include "documents/result_places.h"
#include "documents/text_lines.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/results/renamed_ids.h"
#include "report/kept_page.h"
#include "store/paged_array.h"
#include "store/saved_run.h"
#include "store/scratch_folder.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "twinset/version.h"

namespace twinset {

namespace {

using html::Cell;

constexpr std::array<const char*, 6> kLists = {
    "pairs.jsonl",      "best.jsonl",    "revisits.jsonl",
    "quarantine.jsonl", "sources.jsonl", kRenamedIds};
constexpr char kDocuments[] = "documents.jsonl";  // of attributes
constexpr uint64_t kMostRowBytes = 8 << 20;
// States of documents are gone through in order: a few pages of them do.
constexpr uint64_t kStateBytes = 512 << 10;

// Puts the matches together.
class Joining {
 public:
  Joining(std::span<const std::string> names, const ScratchFolder& work)
      : names_(names), work_(work) {}

  Status Take(size_t number, MatchSummary match) {
    const std::string name = NameText(names_[number]);
    if (number == 0) TWINSET_TRY(CountDocuments());
    TWINSET_TRY(MarkDocuments(number));
    all_.documents_a = match.documents_a;
    all_.documents_b += match.documents_b;
    all_.pairs += match.pairs;
    all_.complete &= match.complete;
    if (number == 0) {
      all_.skipped = match.skipped;
      all_.quarantined = match.quarantined;
      all_.sides.push_back(match.sides[0]);
    }
    all_.sides.push_back(match.sides[1]);
    all_.sides.back().input = name;
    for (const std::string& warning : match.warnings) {
      if (std::find(all_.warnings.begin(), all_.warnings.end(), warning) ==
          all_.warnings.end())
        all_.warnings.push_back(warning);
    }
    table_.rows.push_back({Cell::Text(name), Cell::Count(match.documents_b),
                           Cell::Count(match.pairs),
                           Cell::Count(match.matched)});
    runs_.push_back(Json{{"run", name}, {"summary", std::move(match.json)}});
    return {};
  }

  Result<MatchSummary> Write(const std::string& folder, double seconds) {
    for (const char* list : kLists) TWINSET_TRY(WriteList(folder, list));
    TWINSET_TRY(WriteDecisions(folder));
    TWINSET_ASSIGN(const std::string empty,
                   ReadWholeFile(FolderOf(0) + "/empty.txt", UINT64_MAX));
    TWINSET_TRY(WriteWholeFile(folder + "/empty.txt", empty));
    all_.seconds = seconds;
    all_.page = ResultPage(Page());
    all_.json = {{"twinset", kVersion},
                 {"spec", kSpecNumber},
                 {"complete", all_.complete},
                 {"documents",
                  {{"a", all_.documents_a},
                   {"b", all_.documents_b},
                   {"matched", all_.matched},
                   {"dropped", all_.dropped}}},
                 {"sides", SidesJson(all_.sides)},
                 {"pairs", all_.pairs},
                 {"warnings", all_.warnings},
                 {"against", runs_},
                 {"run", {{"seconds", seconds}}}};
    TWINSET_TRY(
        WriteWholeFile(folder + "/summary.json", all_.json.dump(2) + "\n"));
    return std::move(all_);
  }

  std::string FolderOf(size_t number) const {
    return work_ / std::to_string(number);
  }

 private:
  // What is known of a document of A.
  enum State : uint8_t { kMatched = 1, kDropped = 2 };

  Status CountDocuments() {
    uint64_t count = 0;
    TWINSET_TRY(ForEachResultRow(FolderOf(0), "documents", [&](const Json&) {
      ++count;
      return true;
    }));
    TWINSET_ASSIGN(states_,
                   PagedArray<uint8_t>::Create(work_ / "states.tmp",
                                               std::max<uint64_t>(1, count),
                                               kStateBytes, &budget_));
    return {};
  }

  // What the match has found of each document.
  Status MarkDocuments(size_t number) {
    uint64_t document = 0;
    Status status;
    TWINSET_TRY(
        ForEachResultRow(FolderOf(number), "documents", [&](const Json& row) {
          status = Mark(document++, row["attributes"]);
          return status.has_value();
        }));
    return status;
  }

  Status Mark(uint64_t document, const Json& said) {
    TWINSET_ASSIGN(const uint8_t before, states_->Get(document));
    uint8_t state = before;
    if (said["twinset_is_representative"] == false) state |= kMatched;
    if (said["twinset_action"] == "drop") state |= kDropped;
    if (state == before) return {};
    all_.matched += ((state ^ before) & kMatched) != 0;
    all_.dropped += ((state ^ before) & kDropped) != 0;
    return states_->Set(document, state);
  }

  // The rows of all matches in turn, with the run of each.
  Status WriteList(const std::string& folder, const char* list) const {
    std::optional<OutputFile> file;
    for (size_t i = 0; i < names_.size(); ++i) {
      const std::string path = FolderOf(i) + "/" + list;
      if (!FileExists(path)) continue;  // of renamed ids
      if (!file) {
        TWINSET_ASSIGN(OutputFile made,
                       OutputFile::Create(folder + "/" + list));
        file.emplace(std::move(made));
      }
      std::string end = ",\"against\":";
      AppendJsonString(&end, NameText(names_[i]));
      end += "}\n";
      Status status;
      TWINSET_TRY(ForEachTextLine(
          path,
          [&](const TextLine& line) {
            std::string row(line.text.substr(0, line.text.size() - 1));
            status = file->Write(row + end);
            return status.has_value();
          },
          kMostRowBytes));
      TWINSET_TRY(status);
    }
    return file ? file->Commit() : Status();
  }

  // keep.txt and drop.txt, in input order.
  Status WriteDecisions(const std::string& folder) {
    TWINSET_ASSIGN(OutputFile keep, OutputFile::Create(folder + "/keep.txt"));
    TWINSET_ASSIGN(OutputFile drop, OutputFile::Create(folder + "/drop.txt"));
    uint64_t document = 0;
    Status status;
    TWINSET_TRY(
        ForEachResultRow(FolderOf(0), "documents", [&](const Json& row) {
          status = WriteDecision(document++, row["id"].get<std::string>(),
                                 &keep, &drop);
          return status.has_value();
        }));
    TWINSET_TRY(status);
    TWINSET_TRY(keep.Commit());
    return drop.Commit();
  }

  Status WriteDecision(uint64_t document, const std::string& id,
                       OutputFile* keep, OutputFile* drop) {
    TWINSET_ASSIGN(const uint8_t state, states_->Get(document));
    return ((state & kDropped) != 0 ? drop : keep)->Write(id + "\n");
  }

  KeptPage Page() {
    KeptPage page("match", "Duplicates in several runs");
    const uint64_t a = all_.documents_a;
    page.Add(html::Lead{
        ShareInWords(all_.matched, a) + " of the documents are in one of " +
            CountText(names_.size(), "run") + ".",
        NumberText(all_.matched) + " of " + CountText(a, "document") +
            (all_.matched == 1 ? " is" : " are") + " found there, and " +
            NumberText(all_.dropped) + (all_.dropped == 1 ? " is" : " are") +
            " dropped."});
    table_.caption = "Each run";
    table_.columns = {
        {"run"}, {"documents", true}, {"pairs", true}, {"found there", true}};
    page.Add(std::move(table_));
    return page;
  }

  const std::span<const std::string> names_;
  const ScratchFolder& work_;
  MatchSummary all_;
  MemoryBudget budget_{kStateBytes};
  std::optional<PagedArray<uint8_t>> states_;  // of each document of A
  html::Table table_;
  Json runs_ = Json::array();
};

}  // namespace

bool AreSavedRuns(const std::vector<std::string>& against) {
  return against.size() > 1 &&
         std::all_of(against.begin(), against.end(), SavedRun::StandsIn);
}

MatchOptions MatchOfRun(const MatchOptions& options, const std::string& run,
                        const std::string& folder) {
  MatchOptions one = options;
  one.against = {run};
  one.out = folder;
  one.overwrite = false;
  one.attributes = folder + "/" + kDocuments;
  return one;
}

Status CheckMatchEach(const MatchOptions& options) {
  const std::pair<const char*, bool> flags[] = {
      {"--write", !options.write.empty()},
      {"--attributes", !options.attributes.empty()},
      {"--report", options.report},
      {"--resume", options.resume},
      {"--stats-by", !options.stats_by.empty()},
      {"--format csv", options.output_format != OutputFormat::kJsonl}};
  for (const auto& [flag, is_given] : flags) {
    if (!is_given) continue;
    return Fail(ErrorCode::kUsage,
                std::string(flag) + " does not go with several saved runs", {},
                "leave it out, or match against one after the other");
  }
  return RefuseReadOnce(options.input.inputs);
}

Result<MatchSummary> MatchEach(const MatchOptions& options,
                               std::span<const std::string> names,
                               std::chrono::steady_clock::time_point begin) {
  std::vector<std::string> read = options.input.inputs;
  read.insert(read.end(), options.against.begin(), options.against.end());
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(OutRequest("match", options), read));
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, ".twinset-match-"));
  Joining joined(names, work);
  for (size_t i = 0; i < options.against.size(); ++i) {
    TWINSET_ASSIGN(
        MatchSummary match,
        MatchNamed(MatchOfRun(options, options.against[i], joined.FolderOf(i)),
                   names.subspan(i), std::chrono::steady_clock::now()));
    TWINSET_TRY(joined.Take(i, std::move(match)));
  }
  std::vector<std::string> files = {"keep.txt", "drop.txt", "empty.txt",
                                    "summary.json"};
  files.insert(files.end(), kLists.begin(), kLists.end());
  TWINSET_TRY(folder.Begin(files));
  return joined.Write(
      folder.path(),
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count());
}

}  // namespace twinset
