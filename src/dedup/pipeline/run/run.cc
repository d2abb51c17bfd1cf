#include "pipeline/run/run.h"

#include <algorithm>

#include "base/for_each.h"
#include "base/stop.h"

namespace twinset {

ExternalSortOptions Run::SortOptions(const std::string& name,
                                     uint64_t users) const {
  ExternalSortOptions options;
  options.directory = plan.machine.work;
  options.name = name;
  options.memory_bytes = Share(users);
  options.parameters_hash = plan.hashes.all;
  options.threads = plan.machine.threads;
  options.told = [this](uint64_t records, uint64_t total) {
    Report("records", records, total);
  };
  return options;
}

tl::unexpected<Error> Run::WrongJournal() const {
  return Fail(ErrorCode::kCorrupt, "the counts in the journal are damaged",
              Path(Journal::kFileName), "start anew with --overwrite");
}

Status Run::CheckStop() const { return twinset::CheckStop(plan.options.stop); }

void Run::Report(std::string_view unit, uint64_t done, uint64_t total) const {
  Progress progress;
  progress.unit = unit;
  progress.done = done;
  progress.total = total;
  Report(std::move(progress));
}

void Meter::Tell() const { run_.Report(unit_, done_, total_); }

void Run::Report(Progress progress) const {
  if (!plan.options.on_progress) return;
  progress.stage = stage;
  progress.step = step;
  if (progress.total > 0) {
    progress.share = std::min(1.0, static_cast<double>(progress.done) /
                                       static_cast<double>(progress.total));
  }
  plan.options.on_progress(progress);
}

void Run::TakeWarnings(const Json& state) {
  if (!state.contains(kStageWarnings)) return;
  for (const Json& warning : state.at(kStageWarnings))
    warnings.push_back(warning.get<std::string>());
}

Status ForEachDocument(
    const Run& run,
    const std::function<Status(uint64_t, const DocumentInfo&)>& body) {
  TWINSET_ASSIGN(auto reader, OpenBlob(run, run.documents_file));
  Meter meter(run, "documents", reader.count());
  DocumentInfo info;
  uint64_t document = 0;
  return ForEach<std::string_view>(
      &reader, [&](std::string_view bytes) -> Status {
        TWINSET_TRY(DecodeDocumentInfo(bytes, &info));
        meter.Add();
        return body(document++, info);
      });
}

Result<PagedArray<uint64_t>> LoadRanks(Run* run, uint64_t memory_bytes) {
  TWINSET_ASSIGN(auto ranks, PagedArray<uint64_t>::Create(
                                 run->Path("ranks.tmp"),
                                 std::max<uint64_t>(1, run->documents()),
                                 memory_bytes, &run->budget));
  uint64_t document = 0;
  TWINSET_TRY(ForEachRecord<uint64_t>(
      *run, "ranks.run",
      [&](const uint64_t& rank) { return ranks.Set(document++, rank); }));
  return ranks;
}

}  // namespace twinset
