// twinset/corpora/change.h: snapshots joined by address, then counted page by
// page (docs/methods/change.md).
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/for_each.h"
#include "base/stop.h"
#include "change/change_lists.h"
#include "change/change_rates.h"
#include "change/change_reading.h"
#include "change/change_report.h"
#include "change/change_rows.h"
#include "change/moves.h"
#include "change/page_history.h"
#include "change/page_lives.h"
#include "change/page_names.h"
#include "change/pair_stability.h"
#include "change/redirects.h"
#include "change/visit_log.h"
#include "documents/priority.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "options/resources.h"
#include "read/reader.h"
#include "store/blob_file.h"
#include "store/scratch_folder.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

Status CheckOptions(const ChangeOptions& options) {
  const size_t count = options.snapshots.size();
  if (count < 2)
    return Fail(ErrorCode::kUsage, "two snapshots or more are needed", {},
                "twinset change S1 S2 ...");
  if (count > kMostSnapshots)
    return Fail(ErrorCode::kUsage, "there are more than 400 snapshots", {},
                "leave some out");
  if (!options.dates.empty() && options.dates.size() != count)
    return Fail(ErrorCode::kUsage,
                std::to_string(options.dates.size()) + " dates for " +
                    std::to_string(count) + " snapshots",
                {}, "give one date a snapshot");
  if (std::count(options.snapshots.begin(), options.snapshots.end(), "-") > 1)
    return Fail(ErrorCode::kUsage, "standard input can be one snapshot only");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  return {};
}

// Reads, joins and counts. Of the memory a quarter is for shingles, an eighth
// each for captures and links, a thirty-second for each list of rows and a
// 256th for each of redirects.
class Measurement {
 public:
  Measurement(const ChangeOptions& options, const ScratchFolder& work,
              ChangeResult* result)
      : options_(options),
        work_(work),
        result_(result),
        memory_(MemoryBesideWindow(options.resources, options.input)),
        budget_(memory_),
        captures_(Sorter<PageCapture>("captures", memory_ / 8)),
        shingles_(Sorter<Fragment>("shingles", memory_ / 4)),
        links_(Sorter<Fragment>("links", memory_ / 8)),
        rows_(Sorter<ChangeRow>("rows", memory_ / 32)),
        move_finder_(Sort({}, memory_ / 32), &budget_),
        moves_(Sorter<Move>("moves", memory_ / 32)),
        capture_rows_(Sorter<CaptureRow>("capture-rows", memory_ / 32)),
        recrawl_(Sorter<RecrawlRow>("recrawl", memory_ / 32)),
        rates_(Sort("hosts", memory_ / 32), &budget_),
        stability_(Sort({}, memory_ / 32), &budget_) {}

  // `quarantine` may be null.
  Status Read(OutputFile* quarantine) {
    if (!options_.visits.empty()) {
      visits_.emplace(Sort({}, memory_ / 64), &budget_);
      TWINSET_TRY(visits_->Read(options_.visits, &visit_lines_));
      TWINSET_TRY(CheckLastFile(visit_lines_, "lines are url,count"));
    }
    TWINSET_ASSIGN(BlobWriter addresses,
                   BlobWriter::Create(work_ / "addresses.blob", 0));
    TWINSET_ASSIGN(BlobWriter texts,
                   BlobWriter::Create(work_ / "shingles.blob", 0));
    TWINSET_ASSIGN(BlobWriter marks,
                   BlobWriter::Create(work_ / "marks.blob", 0));
    std::optional<BlobWriter> shown;
    if (!options_.out.empty()) {
      TWINSET_ASSIGN(BlobWriter created,
                     BlobWriter::Create(work_ / "shown.blob", 0));
      shown.emplace(std::move(created));
    }
    TWINSET_ASSIGN(Redirects redirects,
                   Redirects::Make(work_ / "redirects.blob",
                                   Sort({}, memory_ / 256), &budget_));
    redirects_.emplace(std::move(redirects));
    TWINSET_ASSIGN(ChangeReading reading,
                   ChangeReading::Make(
                       options_, {&captures_, &shingles_, &links_, &addresses,
                                  &texts, &marks, shown ? &*shown : nullptr,
                                  &*redirects_, quarantine}));
    for (uint32_t i = 0; i < options_.snapshots.size(); ++i) {
      int64_t newest = kNoDate;
      TWINSET_TRY(reading.Read(i, &newest, result_));
      TWINSET_TRY(SetDate(i, newest));
    }
    TWINSET_TRY(addresses.Finish());
    TWINSET_ASSIGN(BlobReader reader,
                   BlobReader::Open(work_ / "addresses.blob", 0));
    addresses_.emplace(std::move(reader));
    TWINSET_TRY(texts.Finish());
    TWINSET_ASSIGN(BlobReader of_texts,
                   BlobReader::Open(work_ / "shingles.blob", 0));
    texts_.emplace(std::move(of_texts));
    TWINSET_TRY(marks.Finish());
    TWINSET_ASSIGN(BlobReader of_marks,
                   BlobReader::Open(work_ / "marks.blob", 0));
    marks_.emplace(std::move(of_marks));
    if (shown) TWINSET_TRY(shown->Finish());
    TWINSET_TRY(redirects_->FinishReading());
    TWINSET_TRY(captures_.Finish());
    TWINSET_TRY(shingles_.Finish());
    return links_.Finish();
  }

  Status Join() {
    lives_.emplace(dates_);
    result_->steps.resize(dates_.size() - 1);
    for (size_t i = 0; i + 1 < dates_.size(); ++i) {
      result_->steps[i].from = result_->dates[i];
      result_->steps[i].to = result_->dates[i + 1];
    }
    HistoryCounts counts;
    TWINSET_TRY(ForEachPage(&captures_, &shingles_, &links_, &counts,
                            [this](const PageHistory& page) -> Status {
                              if (options_.stop != nullptr && *options_.stop)
                                return Fail(ErrorCode::kInterrupted,
                                            "stopped; nothing was written");
                              return See(page);
                            }));
    result_->repeated = counts.repeated;
    result_->unknown_revisits += counts.unknown_revisits;
    if (const uint64_t unknown = result_->unknown_revisits; unknown > 0)
      result_->warnings.push_back(
          CountText(unknown, "revisit record") +
          (unknown == 1 ? " is" : " are") +
          " of another address, or without a capture before: whether these "
          "pages were there is not known");
    TWINSET_TRY(move_finder_.Find(*texts_, *marks_, options_.near,
                                  &result_->steps, &moves_,
                                  &result_->moves_left_out));
    TWINSET_TRY(
        redirects_->Land(*texts_, options_.near, &result_->steps, &moves_));
    TWINSET_TRY(moves_.Finish());
    TWINSET_TRY(rows_.Finish());
    TWINSET_TRY(capture_rows_.Finish());
    TWINSET_TRY(recrawl_.Finish());
    return Conclude();
  }

  // The lists of the folder; without one the rows are only counted. The
  // examples are drawn from them.
  Result<ChangeExamples> WriteLists() {
    ChangeExamples examples;
    const ChangeLists lists(options_.out, *addresses_, *redirects_,
                            result_->dates);
    TWINSET_TRY(lists.WriteChanges(&rows_, &moves_, &examples));
    TWINSET_TRY(lists.WriteRecrawl(&recrawl_));
    TWINSET_TRY(lists.WriteCaptures(&capture_rows_));
    TWINSET_ASSIGN(const BlobReader shown,
                   BlobReader::Open(work_ / "shown.blob", 0));
    TWINSET_TRY(examples.Read(shown, options_.features));
    return examples;
  }

 private:
  ExternalSortOptions Sort(std::string name, uint64_t bytes) const {
    ExternalSortOptions sort;
    sort.directory = work_.path();
    sort.name = std::move(name);
    sort.memory_bytes = bytes;
    return sort;
  }
  template <typename T>
  ExternalSorter<T> Sorter(std::string name, uint64_t bytes) {
    return ExternalSorter<T>(Sort(std::move(name), bytes), &budget_);
  }

  Status SetDate(uint32_t snapshot, int64_t newest) {
    const bool given = !options_.dates.empty();
    const std::string name =
        given ? options_.dates[snapshot] : options_.snapshots[snapshot];
    const int64_t date = given ? ParseDate(name) : newest;
    if (date == kNoDate)
      return Fail(ErrorCode::kUsage,
                  given ? "'" + name + "' is no date"
                        : "no record of the snapshot has a date",
                  given ? std::string() : name,
                  "--dates 2024-01-01,2024-01-08,...");
    if (!dates_.empty() && date <= dates_.back())
      return Fail(
          ErrorCode::kUsage,
          "the snapshots are not in order of time: " + UtcText(dates_.back()) +
              " stands before " + UtcText(date),
          given ? std::string() : name,
          "order them, or say when they are from with --dates");
    dates_.push_back(date);
    result_->dates.push_back(UtcText(date));
    return {};
  }

  double DaysBetween(size_t from, size_t to) const {
    return static_cast<double>(dates_[to] - dates_[from]) / kSecondsADay;
  }

  Result<std::string> AddressOf(uint64_t number) const {
    std::string address;
    TWINSET_TRY(addresses_->ReadOne(number, &address));
    return address;
  }

  // ---- one page ----

  Status See(const PageHistory& page) {
    ++result_->pages;
    TWINSET_TRY(redirects_->See(page));
    const std::vector<PageCapture>& captures = page.captures;
    uint32_t changed = 0;
    for (size_t i = 0; i < captures.size(); ++i) {
      const PageCapture& capture = captures[i];
      const int64_t date =
          capture.date == kNoDate ? dates_[capture.snapshot] : capture.date;
      TWINSET_TRY(
          capture_rows_.Add({captures[0].number, i, capture.simhash, date}));
      TWINSET_TRY(SeeArrival(page, i));
      TWINSET_TRY(SeeDeparture(page, i));
      changed += i > 0 && page.jaccard(i) < 1;
    }
    TWINSET_ASSIGN(const std::string address, AddressOf(captures[0].number));
    lives_->See(page, address);
    TWINSET_ASSIGN(const auto visits, VisitsOf(page));
    TWINSET_TRY(rates_.See(page, address, visits));
    TWINSET_TRY(stability_.See(page));
    return AddRecrawl(page, changed);
  }

  // Nothing without a log.
  Result<std::optional<uint64_t>> VisitsOf(const PageHistory& page) {
    if (!visits_) return std::nullopt;
    const PageCapture& last = page.captures.back();
    TWINSET_ASSIGN(const uint64_t visits, visits_->Take(last.address));
    if (last.snapshot + 1 == dates_.size() && last.shingles > 0)
      TWINSET_TRY(visits_->SeeLast(last.content, visits));
    return visits;
  }

  Status SeeArrival(const PageHistory& page, size_t i) {
    const PageCapture& capture = page.captures[i];
    if (capture.snapshot == 0) return {};
    ChangeStep& step = result_->steps[capture.snapshot - 1];
    ChangeRow row;
    row.to = capture.snapshot;
    row.number = capture.number;
    if (i > 0) {
      row.before = page.captures[i - 1].number;
      row.jaccard = page.jaccard(i);
      row.links_added = page.changes[i].links_added;
      row.links_removed = page.changes[i].links_removed;
    }
    const bool follows =
        i > 0 && page.captures[i - 1].snapshot + 1 == capture.snapshot;
    if (follows) {
      row.state = row.jaccard == 1               ? PageState::kExact
                  : row.jaccard >= options_.near ? PageState::kNear
                                                 : PageState::kChanged;
      step.mean_jaccard += row.jaccard;
      step.mean_dice += 2 * row.jaccard / (1 + row.jaccard);
      step.links_added += row.links_added;
      step.links_removed += row.links_removed;
    } else {
      row.state = i == 0 ? PageState::kNew : PageState::kReturned;
      TWINSET_TRY(move_finder_.Came(capture, capture.snapshot));
    }
    ++step.states[static_cast<size_t>(row.state)];
    return rows_.Add(row);
  }

  Status SeeDeparture(const PageHistory& page, size_t i) {
    const PageCapture& capture = page.captures[i];
    const uint32_t next = capture.snapshot + 1;
    if (next == dates_.size() ||
        (i + 1 < page.captures.size() && page.captures[i + 1].snapshot == next))
      return {};
    TWINSET_ASSIGN(const bool redirected,
                   redirects_->Left(next, capture.number));
    if (!redirected) TWINSET_TRY(move_finder_.Left(capture, next));
    ChangeRow row;
    row.to = next;
    row.state = redirected ? PageState::kRedirected : PageState::kGone;
    row.number = capture.number;
    ++result_->steps[next - 1].states[static_cast<size_t>(row.state)];
    return rows_.Add(row);
  }

  // ---- the value of a visit ----

  // New shingles whose lasting can be told: those of the captures that
  // `lasting` others follow.
  Status AddRecrawl(const PageHistory& page, uint32_t changed) {
    const std::vector<PageCapture>& captures = page.captures;
    const auto lasting = static_cast<size_t>(options_.lasting);
    RecrawlRow row;
    row.page = captures[0].number;
    row.captures = static_cast<uint32_t>(captures.size());
    row.changes = changed;
    row.is_gone = captures.back().snapshot + 1 < dates_.size();
    row.is_short = captures.size() < lasting + 2;
    for (size_t born = 1; born < captures.size(); ++born)
      for (size_t last = born; last < captures.size(); ++last) {
        const uint64_t lives = page.lives_of(born, last);
        if (born + lasting >= captures.size())
          row.has_late = row.has_late || lives > 0;
        else
          (last >= born + lasting ? row.lasting : row.churn) += lives;
      }
    if (!row.is_short && !row.is_gone)
      row.value = static_cast<double>(row.lasting) /
                  DaysBetween(captures[0].snapshot,
                              captures[captures.size() - 1 - lasting].snapshot);
    result_->worth += row.value > 0;
    return recrawl_.Add(row);
  }

  // ---- results ----

  Status Conclude() {
    for (ChangeStep& step : result_->steps) {
      if (step.in_both() == 0) continue;
      step.mean_jaccard /= static_cast<double>(step.in_both());
      step.mean_dice /= static_cast<double>(step.in_both());
    }
    result_->curves = lives_->Curves();
    TWINSET_ASSIGN(result_->correlations, rates_.Finish());
    TWINSET_ASSIGN(result_->stability, stability_.Finish(dates_.size()));
    if (!visits_) return {};
    TWINSET_ASSIGN(result_->visits, visits_->Finish());
    for (SideRead file : visit_lines_.files) {
      file.side = "visits";
      result_->sides.push_back(std::move(file));
    }
    result_->visits->lines = std::move(visit_lines_);
    if (result_->visits->of_pages > 0 || result_->visits->elsewhere == 0)
      return {};
    TWINSET_ASSIGN(const std::string page, AddressOf(0));
    return NothingInCommon("the visits", visits_->first_url(), "the snapshots",
                           page);
  }

  const ChangeOptions& options_;
  const ScratchFolder& work_;
  ChangeResult* result_;
  uint64_t memory_;
  MemoryBudget budget_;
  ExternalSorter<PageCapture> captures_;
  ExternalSorter<Fragment> shingles_, links_;
  ExternalSorter<ChangeRow> rows_;
  MoveFinder move_finder_;
  ExternalSorter<Move> moves_;
  ExternalSorter<CaptureRow> capture_rows_;
  ExternalSorter<RecrawlRow> recrawl_;
  // texts_: ascending shingles under the secret; marks_: the public ones.
  std::optional<BlobReader> addresses_, texts_, marks_;
  std::optional<Redirects> redirects_;
  std::vector<int64_t> dates_;  // of the snapshots
  std::optional<PageLives> lives_;
  ChangeRates rates_;
  PairStability stability_;
  std::optional<VisitLog> visits_;
  LineCounts visit_lines_;
};

}  // namespace

Result<ChangeResult> v1::MeasureChange(const ChangeOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  if (const auto memory = WorkingMemory(options.resources, options.input);
      !memory)
    return tl::unexpected(memory.error());
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> read = options.snapshots;
    if (!options.visits.empty()) read.push_back(options.visits);
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(OutRequest("change", options), read));
    folder.emplace(std::move(opened));
  }
  for (const std::string& snapshot : options.snapshots)
    if (const auto files =
            ListInputs({snapshot}, {.networks = options.input.networks});
        !files)
      return tl::unexpected(files.error());
  TWINSET_ASSIGN(
      const ScratchFolder work,
      ScratchFolder::Below(options.resources.tmp, ".twinset-change-"));
  ChangeResult result;
  Measurement measurement(options, work, &result);
  const auto measure = [&]() -> Status {
    std::optional<OutputFile> quarantine;
    if (folder) {
      TWINSET_TRY(folder->Begin(ChangeResultFiles(options)));
      TWINSET_ASSIGN(OutputFile created,
                     OutputFile::Create(options.out + "/quarantine.jsonl"));
      quarantine.emplace(std::move(created));
    }
    TWINSET_TRY(measurement.Read(quarantine ? &*quarantine : nullptr));
    if (quarantine) TWINSET_TRY(quarantine->Commit());
    TWINSET_TRY(measurement.Join());
    result.parameters = {options.near, options.lasting, options.features.tokens,
                         options.features.shingle, options.features.content};
    if (!folder) {
      result.page = ResultPage(ChangePage(options, result, nullptr));
      return {};
    }
    TWINSET_ASSIGN(const ChangeExamples examples, measurement.WriteLists());
    result.page = ResultPage(ChangePage(options, result, &examples));
    return WriteChangeTables(options, result);
  };
  TWINSET_TRY(RemoveUnless(measure(), folder ? &*folder : nullptr));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
