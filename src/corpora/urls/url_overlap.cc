// twinset/corpora/urls.h: two lists, one sort, all rules
// (docs/methods/url-overlap.md).
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/for_each.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/pass_progress.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "net/public_suffix.h"
#include "options/resources.h"
#include "store/scratch_folder.h"
#include "twinset/corpora/urls.h"
#include "twinset/plain_words.h"
#include "urls/url_join.h"
#include "urls/url_reading.h"
#include "urls/url_report.h"
#include "urls/url_tables.h"

namespace twinset {
namespace {

constexpr uint64_t kClueWeb09 = 503903810, kClueWeb12 = 733019372;
// What a disk moves in a second, for passes of a merge beyond the first.
// Measured with 10^7 lines on one core (docs/methods/url-overlap.md).
constexpr double kSecondsALine = 7e-6;
constexpr double kDiskBytesASecond = 200e6;
// Bytes of a line, and of the tally of its host.
constexpr uint64_t kBytesALine = sizeof(UrlLine) + sizeof(HostTally);

Status CheckOptions(const UrlsOptions& options) {
  if (options.a.empty() || options.b.empty())
    return Fail(ErrorCode::kUsage, "two lists of addresses are needed", {},
                "twinset urls A B");
  if (options.a == "-" && options.b == "-")
    return Fail(ErrorCode::kUsage, "standard input can be one list only");
  if (options.report && options.out.empty())
    return Fail(ErrorCode::kUsage, "a report needs a folder", {},
                "add --out DIR");
  return {};
}

std::vector<UrlRule> RulesOf(const UrlsOptions& options) {
  std::vector<UrlRule> rules;
  for (const auto& choice : kChoices<UrlRule>) {
    const bool asked = std::find(options.rules.begin(), options.rules.end(),
                                 choice.value) != options.rules.end();
    if (options.rules.empty() || asked) rules.push_back(choice.value);
  }
  return rules;
}

template <typename T>
ExternalSorter<T> MakeSorter(const ScratchFolder& work, std::string name,
                             uint64_t bytes, int threads, MemoryBudget* budget,
                             bool unique = false) {
  ExternalSortOptions sort;
  sort.directory = work.path();
  sort.name = std::move(name);
  sort.memory_bytes = bytes;
  sort.threads = threads;
  sort.unique = unique;
  return ExternalSorter<T>(std::move(sort), budget);
}

// One comparison from its lists to its numbers. Of the memory five eighths are
// for the lines, an eighth each for names, tallies, and batches being spelled;
// the tables take over what the lines held. Judged ids and their pairs take
// half of the tallies' eighth each, which begin when the pairs are written.
class Comparison {
 public:
  Comparison(const UrlsOptions& options, const InputList& a, const InputList& b,
             uint64_t memory_bytes, const ScratchFolder& work,
             UrlsResult* result)
      : options_(options),
        a_(a),
        b_(b),
        work_(work),
        result_(result),
        memory_(memory_bytes),
        threads_(ResolveThreads(options.resources.threads, memory_)),
        budget_(memory_) {}

  // Files of all rows go to the folder of the options, if there is one.
  Status Compare(const PublicSuffixes& suffixes) {
    std::optional<OutputFile> bad;
    if (!options_.out.empty()) {
      TWINSET_ASSIGN(OutputFile created,
                     OutputFile::Create(options_.out + "/bad.jsonl"));
      bad.emplace(std::move(created));
    }
    TWINSET_TRY(Read(bad ? &*bad : nullptr));
    if (bad) TWINSET_TRY(bad->Commit());
    TWINSET_TRY(Join());
    TWINSET_TRY(MakeTables(suffixes, options_.out));
    const UrlCounts& counts = result_->lines.counts;
    if (!judged_ || options_.may_be_strangers ||
        counts.judged_a + counts.judged_b > 0)
      return {};
    return NothingInCommon("the judgements", judged_->first(), "the lists",
                           first_id_);
  }

  uint64_t memory_bytes() const { return memory_; }
  int threads() const { return threads_; }

 private:
  // Real ones are fewer than 2,000; lists of garbage may have any number.
  static constexpr size_t kMostTopLevels = 5000;

  // `bad`: rows of bad.jsonl; may be null.
  Status Read(OutputFile* bad) {
    speller_.emplace(RulesOf(options_));
    lines_.emplace(MakeSorter<UrlLine>(work_, "lines", memory_ / 8 * 5,
                                       threads_, &budget_));
    names_.emplace(
        MakeSorter<HostName>(work_, "names", memory_ / 8, 1, &budget_, true));
    TWINSET_TRY(ReadJudged());
    InputOptions input = options_.input;
    TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
    read.stop = options_.stop;
    UrlReading::Sinks sinks;
    sinks.lines = &*lines_;
    sinks.hosts = &*names_;
    sinks.bad = bad;
    sinks.judged = judged_ ? &*judged_ : nullptr;
    sinks.on_progress = options_.on_progress;
    std::optional<AddressPairs> pairs;
    if (judged_ && !options_.out.empty())
      pairs.emplace(work_.path(), memory_ / 16, &budget_);
    sinks.pairs = pairs ? &*pairs : nullptr;
    UrlReading reading(*speller_, std::move(read), threads_, std::move(sinks));
    auto* const sides = &result_->sides;
    if (judged_) *sides = judged_->sides();
    TWINSET_TRY(reading.Read(options_.a, a_, false, &result_->a, sides));
    if (pairs) pairs->EndOfA();
    TWINSET_TRY(reading.Read(options_.b, b_, true, &result_->b, sides));
    first_id_ = reading.first_id();
    if (pairs) {
      TWINSET_ASSIGN(
          result_->judgements->pairs,
          pairs->Write(options_.out + "/pairs.jsonl", speller_->rules()));
    }
    TWINSET_TRY(names_->Finish());
    return lines_->Finish();
  }

  Status Join() {
    tallies_.emplace(
        MakeSorter<HostTally>(work_, "tallies", memory_ / 8, 1, &budget_));
    UrlJoin join(work_.path(), &budget_, &*tallies_);
    PassProgress progress(options_.on_progress, "join", "", "lines",
                          result_->a.addresses + result_->b.addresses);
    uint64_t seen = 0;
    TWINSET_TRY(ForEach<UrlLine>(&*lines_, [&](const UrlLine& line) -> Status {
      if (seen++ % 65536 == 0 && options_.stop != nullptr && *options_.stop)
        return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
      progress.Add();
      return join.Add(line);
    }));
    TWINSET_TRY(join.Finish());
    lines_.reset();
    result_->raw = join.Of(kRawForm);
    result_->found = join.Of(kKeyForm);
    const std::vector<UrlRule>& rules = speller_->rules();
    for (size_t k = 0; k < rules.size(); ++k) {
      result_->rules.push_back({rules[k], join.Of(AloneForm(rules[k])),
                                join.Of(SoFarForm(rules, k))});
    }
    return tallies_->Finish();
  }

  Status MakeTables(const PublicSuffixes& suffixes, const std::string& folder) {
    const auto table = [&](const char* name) {
      return UrlTable(name, work_.path(), memory_ / 8, &budget_);
    };
    UrlTables tables = {table("hosts"), table("domains"), table("tlds")};
    TWINSET_TRY(FillUrlTables(&*tallies_, &*names_, suffixes,
                              &result_->lines.counts, &tables));
    const bool judged = judged_.has_value();
    result_->lines.judged = judged;
    const auto file = [&folder](const std::string& name) {
      return folder.empty() ? folder : folder + "/" + name;
    };
    TWINSET_ASSIGN(result_->hosts,
                   tables.hosts.Write(file("hosts.csv"), judged, kUrlTop,
                                      &result_->top_hosts));
    TWINSET_ASSIGN(result_->domains,
                   tables.domains.Write(file("domains.csv"), judged, kUrlTop,
                                        &result_->top_domains));
    TWINSET_ASSIGN(
        [[maybe_unused]] const uint64_t top_levels,
        tables.top_levels.Write(file("tlds.csv"), judged, kMostTopLevels,
                                &result_->top_levels));
    return {};
  }

  Status ReadJudged() {
    if (options_.qrels.empty()) return {};
    judged_.emplace(memory_ / 16, &budget_);
    for (const std::string& path : options_.qrels)
      TWINSET_TRY(judged_->Read(path));
    judged_->Finish();
    result_->judgements = {judged_->distinct(), judged_->bad(), {}};
    return {};
  }

  const UrlsOptions& options_;
  const InputList& a_;
  const InputList& b_;
  const ScratchFolder& work_;
  UrlsResult* result_;
  uint64_t memory_;
  int threads_;
  MemoryBudget budget_;
  std::optional<UrlSpeller> speller_;
  std::optional<JudgedIds> judged_;
  std::string first_id_;  // of the lists, for messages
  std::optional<ExternalSorter<UrlLine>> lines_;
  std::optional<ExternalSorter<HostName>> names_;
  std::optional<ExternalSorter<HostTally>> tallies_;
};

// The rule that changes most, when what is shared as written says little.
void WarnOfSpelling(UrlsResult* result) {
  if (result->raw.common > 0) return;
  const UrlRuleOverlap* best = nullptr;
  for (const UrlRuleOverlap& row : result->rules)
    if (row.alone.common > 0 &&
        (best == nullptr || row.alone.common > best->alone.common))
      best = &row;
  const std::string none = "the lists have no address in common as written";
  if (best != nullptr) {
    result->warnings.push_back(
        none + ": rule " + std::string(ChoiceName(best->rule)) +
        " alone makes it " + std::to_string(best->alone.common) +
        ", all rules " + std::to_string(result->found.common));
    return;
  }
  for (const UrlRuleOverlap& row : result->rules) {
    if (row.so_far.common == 0) continue;
    result->warnings.push_back(none + ", nor by one rule alone: with rule " +
                               std::string(ChoiceName(row.rule)) +
                               " behind those before it it is " +
                               std::to_string(row.so_far.common));
    return;
  }
  result->warnings.push_back(none + ", nor under any of the rules");
}

}  // namespace

UrlJoinCost v1::ModelUrlJoin(uint64_t lines, uint64_t memory_bytes,
                             double seconds_a_line) {
  UrlJoinCost cost;
  cost.lines = lines;
  cost.bytes_a_line = kBytesALine;
  const uint64_t buffer = std::max<uint64_t>(memory_bytes / 8 * 5, 1);
  const uint64_t bytes = lines * sizeof(UrlLine);
  const uint64_t fan_in = std::clamp<uint64_t>(
      buffer / (66 << 10), 2, ExternalSorter<UrlLine>::kMaxFanIn);
  if (bytes > buffer) {
    cost.sorted_runs = (bytes + buffer - 1) / buffer;
    for (uint64_t runs = cost.sorted_runs; runs > 1;
         runs = (runs + fan_in - 1) / fan_in)
      ++cost.merge_passes;
    // A pass that is not the last writes what it reads.
    cost.disk_bytes = lines * kBytesALine + (cost.merge_passes > 1 ? bytes : 0);
  }
  const auto count = static_cast<double>(lines);
  const double extra =
      cost.merge_passes > 1 ? static_cast<double>(cost.merge_passes - 1) : 0;
  cost.seconds = count * seconds_a_line +
                 extra * 2 * static_cast<double>(bytes) / kDiskBytesASecond;
  return cost;
}

Result<UrlsResult> v1::CompareUrls(const UrlsOptions& options) try {
  const auto begin = std::chrono::steady_clock::now();
  TWINSET_TRY(CheckOptions(options));
  InputOptions addresses = options.input;
  addresses.max_document_bytes = 0;  // no document is held
  TWINSET_ASSIGN(const uint64_t memory,
                 WorkingMemory(options.resources, addresses));
  std::optional<ResultFolder> folder;
  if (!options.out.empty()) {
    std::vector<std::string> inputs = options.qrels;
    inputs.insert(inputs.end(), {options.a, options.b});
    TWINSET_ASSIGN(ResultFolder opened,
                   OpenResultFolder(OutRequest("urls", options), inputs));
    folder.emplace(std::move(opened));
  }
  const ListingOptions how = {.networks = options.input.networks};
  TWINSET_ASSIGN(const InputList a, ListInputs({options.a}, how));
  TWINSET_ASSIGN(const InputList b, ListInputs({options.b}, how));
  TWINSET_ASSIGN(const PublicSuffixes suffixes,
                 PublicSuffixes::Open(options.suffixes));
  TWINSET_ASSIGN(const ScratchFolder work,
                 ScratchFolder::Below(options.resources.tmp, ".twinset-urls-"));
  UrlsResult result;
  result.suffixes = {suffixes.date(), suffixes.origin(), suffixes.digest()};
  Comparison comparison(options, a, b, memory, work, &result);
  if (folder) TWINSET_TRY(folder->Begin(UrlResultFiles(options)));
  TWINSET_TRY(
      RemoveUnless(comparison.Compare(suffixes), folder ? &*folder : nullptr));
  WarnOfSpelling(&result);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  const uint64_t lines = result.a.addresses + result.b.addresses;
  UrlsRun& run = result.run;
  run.a = NameText(options.a);
  run.b = NameText(options.b);
  run.threads = comparison.threads();
  run.seconds_a_line = lines < kUrlTimedLines
                           ? kSecondsALine
                           : seconds.count() / static_cast<double>(lines);
  const uint64_t memory_bytes = comparison.memory_bytes();
  run.cost = ModelUrlJoin(lines, memory_bytes, run.seconds_a_line);
  run.cost.seconds = seconds.count();
  run.model =
      ModelUrlJoin(kClueWeb09 + kClueWeb12, memory_bytes, run.seconds_a_line);
  result.page = ResultPage(UrlPage(options, result));
  if (folder) TWINSET_TRY(WriteUrlResult(options, result));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
