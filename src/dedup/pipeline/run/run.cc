#include "pipeline/run/run.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/parallel.h"
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
  const std::lock_guard lock(telling_);
  plan.options.on_progress(progress);
}

void Run::TakeWarnings(const Json& state) {
  if (!state.contains(kStageWarnings)) return;
  for (const Json& warning : state.at(kStageWarnings))
    warnings.push_back(warning.get<std::string>());
}

namespace {

// Documents that are decoded at once.
struct InfoBatch {
  std::string bytes;                // of all, in order
  std::vector<size_t> sizes;        // of each
  std::vector<DocumentInfo> infos;  // the first `count`; strings are used again
  size_t count = 0;
  Status status;

  Status Read(BlobReader* reader) {
    bytes.clear();
    sizes.clear();
    while (sizes.size() < kMostDocuments && bytes.size() < kMostBytes) {
      const size_t begin = bytes.size();
      TWINSET_ASSIGN(const bool more, reader->AppendNext(&bytes));
      if (!more) return {};
      sizes.push_back(bytes.size() - begin);
    }
    return {};
  }
  // Those in front of damage are decoded.
  Status Decode() {
    if (infos.size() < sizes.size()) infos.resize(sizes.size());
    std::string_view rest = bytes;
    for (count = 0; count < sizes.size(); ++count) {
      TWINSET_TRY(
          DecodeDocumentInfo(rest.substr(0, sizes[count]), &infos[count]));
      rest.remove_prefix(sizes[count]);
    }
    return {};
  }

  static constexpr size_t kMostDocuments = 128, kMostBytes = 128 << 10;
};

constexpr int kBatches = 4;

}  // namespace

Status ForEachDocument(
    const Run& run,
    const std::function<Status(uint64_t, const DocumentInfo&)>& body,
    bool is_told) {
  TWINSET_ASSIGN(auto reader, OpenBlob(run, run.documents_file));
  std::optional<Meter> meter;
  if (is_told) meter.emplace(run, "documents", reader.count());
  // The pipeline reads a batch when that so many before it is done with.
  std::array<InfoBatch, kBatches> ring;
  size_t batches = 0;
  uint64_t document = 0;
  Status status;
  OrderedPipeline(
      std::min<int>(run.plan.machine.threads, kBatches), kBatches,
      [&]() -> PipelineItem {
        InfoBatch& batch = ring[batches++ % kBatches];
        batch.status = batch.Read(&reader);
        if (batch.sizes.empty() && batch.status) return nullptr;
        return PipelineItem(PipelineItem(), &batch);
      },
      [](void* item) {
        auto* batch = static_cast<InfoBatch*>(item);
        const Status decoded = batch->Decode();
        if (!decoded) batch->status = decoded;
      },
      [&](void* item) {
        const auto* batch = static_cast<const InfoBatch*>(item);
        for (size_t i = 0; status && i < batch->count; ++i) {
          if (meter) meter->Add();
          status = body(document++, batch->infos[i]);
        }
        if (status) status = batch->status;
        return status.has_value();
      });
  return status;
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

Result<BlobReader> OpenBlob(const Run& run, const std::string& name) {
  const auto splice = run.splices.find(name);
  if (splice != run.splices.end()) return BlobReader(splice->second);
  return BlobReader::Open(run.PathToRead(name), run.HashOf(name));
}

}  // namespace twinset
