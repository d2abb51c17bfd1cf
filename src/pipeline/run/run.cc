#include "pipeline/run/run.h"

#include <algorithm>

#include "base/stop.h"

namespace twinset::inline v1 {

ExternalSortOptions Run::SortOptions(const std::string& name,
                                     uint64_t users) const {
  ExternalSortOptions options;
  options.directory = plan.work;
  options.name = name;
  options.memory_bytes = Share(users);
  options.parameters_hash = plan.hashes.all;
  options.threads = plan.threads;
  return options;
}

tl::unexpected<Error> Run::WrongJournal() const {
  return Fail(ErrorCode::kCorrupt, "the counts in the journal are damaged",
              Path(Journal::kFileName), "start anew with --overwrite");
}

Status Run::CheckStop() const { return twinset::CheckStop(plan.options.stop); }

void Run::Report(const std::string& stage, uint64_t documents,
                 uint64_t bytes) const {
  if (plan.options.on_progress) {
    plan.options.on_progress(Progress{stage, documents, bytes, input_bytes});
  }
}

Status ForEachDocument(
    const Run& run,
    const std::function<Status(uint64_t, const DocumentInfo&)>& body) {
  TWINSET_ASSIGN(auto reader, OpenBlob(run, run.documents_file));
  std::string_view bytes;
  DocumentInfo info;
  for (uint64_t document = 0;; ++document) {
    TWINSET_ASSIGN(const bool more, reader.Next(&bytes));
    if (!more) return {};
    TWINSET_TRY(DecodeDocumentInfo(bytes, &info));
    TWINSET_TRY(body(document, info));
  }
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

}  // namespace twinset::inline v1
