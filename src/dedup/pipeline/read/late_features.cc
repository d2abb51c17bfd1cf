#include "pipeline/read/late_features.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "documents/document_pass.h"
#include "documents/document_text.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/ingest.h"
#include "pipeline/run/run_inputs.h"

namespace twinset {

namespace {

constexpr uint64_t kBatchBytes = 256 << 10;
constexpr size_t kBatchDocuments = 4096;

struct WantedDocument {
  uint64_t number = 0;
  DocumentInfo info;
  Record record;
  std::string row;       // of a kRow
  std::string features;  // not empty from the start: they were stored
};

struct WantedBatch {
  Reservation memory;
  std::vector<WantedDocument> documents;
  uint64_t payload_bytes = 0;
  Status status;
};

// Buffers of one thread.
struct WantedScratch {
  explicit WantedScratch(const ReadOptions& options) : parser(options) {}
  IngestScratch ingest;
  RowParser parser;
};

// One pass over the inputs that hold wanted documents.
class SecondReading {
 public:
  SecondReading(Run* run, const std::vector<bool>& wanted)
      : run_(run),
        plan_(run->plan),
        wanted_(wanted),
        ahead_(plan_, &run->budget) {}

  Status Do() {
    run_->step = "read again";
    TWINSET_ASSIGN(ignored_, LoadIgnored(run_));
    TWINSET_ASSIGN(documents_, OpenBlob(*run_, run_->documents_file));
    TWINSET_ASSIGN(stored_, OpenBlob(*run_, run_->features_file));
    TWINSET_ASSIGN(features_, CreateBlob(*run_, kLateFeatures));
    Status source_status, sink_status;
    OrderedPipeline(
        plan_.machine.threads, static_cast<size_t>(plan_.machine.threads) * 4,
        [&]() -> PipelineItem {
          auto batch = std::make_shared<WantedBatch>();
          source_status = Fill(batch.get());
          return source_status && !batch->documents.empty() ? batch : nullptr;
        },
        [this](void* batch) { Make(static_cast<WantedBatch*>(batch)); },
        [&](void* batch) {
          sink_status = Store(static_cast<WantedBatch*>(batch));
          return sink_status.has_value();
        });
    TWINSET_TRY(sink_status);
    TWINSET_TRY(source_status);
    TWINSET_TRY(EndSource());
    TWINSET_TRY(Pad(wanted_.size()));
    run_->passes.Add("candidate", consumed_);
    return features_->Finish();
  }

 private:
  // ---- source: one thread at a time ----

  Status Fill(WantedBatch* batch) {
    batch->memory = run_->budget.Wait(ReadingCost());
    uint64_t bytes = 0, cost = 0;
    while (next_ < wanted_.size() && bytes < kBatchBytes &&
           batch->documents.size() < kBatchDocuments) {
      TWINSET_TRY(run_->CheckStop());
      if (!wanted_[next_]) {
        ++next_;
        TWINSET_TRY(documents_->Skip());
        continue;
      }
      WantedDocument& document = batch->documents.emplace_back();
      TWINSET_TRY(Take(&document));
      const uint64_t payload = std::max(document.record.document.payload.size(),
                                        document.row.size());
      bytes += payload + BytesBesidePayload(document.record);
      batch->payload_bytes += payload;
      cost += sizeof(WantedDocument) + document.features.size() +
              IngestCost(plan_, payload) +
              2 * BytesBesidePayload(document.record) +
              ParserCost(document.record.document) + RowParser::Cost(payload);
    }
    batch->memory.Resize(cost);
    return {};
  }

  // As in the read stage.
  uint64_t ReadingCost() const {
    return std::min(
        plan_.machine.memory_bytes / 2,
        std::max(8 * kBatchBytes, 4 * plan_.inputs.read.max_document_bytes));
  }

  // The next document, which is wanted.
  Status Take(WantedDocument* document) {
    document->number = next_++;
    std::string_view bytes;
    TWINSET_TRY(documents_->Next(&bytes));
    TWINSET_TRY(DecodeDocumentInfo(bytes, &document->info));
    if (document->number < stored_->count()) {
      TWINSET_TRY(stored_->ReadOne(document->number, &document->features));
      if (!document->features.empty()) return {};
    }
    const Provenance& place = document->info.provenance;
    if (reader_ == nullptr || place.source != source_)
      TWINSET_TRY(Open(place.source));
    reader_->PassOver(place.ordinal);
    Record& record = document->record;
    do {
      TWINSET_ASSIGN(const bool more, reader_->Next(&record));
      if (!more) return tl::unexpected(Gone(document->info, file_.path));
    } while (record.document.provenance.ordinal < place.ordinal);
    // The reader holds a row until its next call.
    document->row = record.row;
    record.row = {};
    return {};
  }

  Status Open(uint32_t source) {
    TWINSET_TRY(EndSource());
    source_ = source;
    file_ = plan_.inputs.files[source];
    TWINSET_TRY(CheckUnchanged(file_));
    ReadOptions options = plan_.inputs.read;
    options.defers_rows =
        plan_.inputs.sample_bytes == 0 && plan_.machine.threads > 1;
    TWINSET_ASSIGN(reader_,
                   OpenRecordReader(file_, source, ahead_.Of(file_, options)));
    return {};
  }

  Status EndSource() {
    if (reader_ == nullptr) return {};
    consumed_ += reader_->consumed_bytes();
    reader_.reset();
    return CheckUnchanged(file_);
  }

  // ---- transform: any thread ----

  void Make(WantedBatch* batch) {
    auto scratch = TakeScratch();
    for (WantedDocument& document : batch->documents) {
      if (!document.features.empty()) continue;
      batch->status = MakeFeatures(&document, scratch.get());
      if (!batch->status) return;
    }
    // What large documents took is given back to the system.
    if (batch->payload_bytes > 2 * kBatchBytes) return;
    const std::lock_guard lock(scratch_mutex_);
    free_scratch_.push_back(std::move(scratch));
  }

  std::unique_ptr<WantedScratch> TakeScratch() {
    const std::lock_guard lock(scratch_mutex_);
    if (free_scratch_.empty())
      return std::make_unique<WantedScratch>(plan_.inputs.read);
    auto scratch = std::move(free_scratch_.back());
    free_scratch_.pop_back();
    return scratch;
  }

  // A document of other features is another document.
  Status MakeFeatures(WantedDocument* document, WantedScratch* scratch) const {
    Record& record = document->record;
    if (record.kind == RecordKind::kRow)
      scratch->parser.Parse(document->row, &record);
    if (record.kind == RecordKind::kDocument) {
      const auto clean = ExtractText(&record.document, plan_.features.text);
      if (clean)
        document->features =
            FeaturesOf(plan_, ignored_.hashes, clean->text, &scratch->ingest);
    }
    if (!document->features.empty() &&
        FingerprintOf(plan_, document->features) == document->info.fingerprint)
      return {};
    return tl::unexpected(Gone(
        document->info,
        InputFile(plan_.inputs.files[document->info.provenance.source]).path));
  }

  // ---- sink: one thread at a time, in order ----

  Status Store(WantedBatch* batch) {
    TWINSET_TRY(batch->status);
    for (const WantedDocument& document : batch->documents) {
      TWINSET_TRY(Pad(document.number));
      TWINSET_TRY(features_->Append(document.features));
    }
    run_->Report("documents", features_->count(), wanted_.size());
    batch->memory.Reset();
    return {};
  }

  Status Pad(uint64_t documents) {
    while (features_->count() < documents) TWINSET_TRY(features_->Append(""));
    return {};
  }

  Run* const run_;
  const Plan& plan_;
  const std::vector<bool>& wanted_;
  IgnoredSet ignored_;
  AheadThreads ahead_;                            // source, as the next
  std::optional<BlobReader> documents_, stored_;  // stored_: of pages
  std::unique_ptr<RecordReader> reader_;
  InputFile file_;
  uint32_t source_ = 0;
  uint64_t next_ = 0, consumed_ = 0;
  std::mutex scratch_mutex_;
  std::vector<std::unique_ptr<WantedScratch>>
      free_scratch_;                    // guarded by scratch_mutex_
  std::optional<BlobWriter> features_;  // sink
};

// Classes were made of equal fingerprints.
Status CheckCopies(const Run& run) {
  TWINSET_ASSIGN(const auto features, OpenBlob(run, kLateFeatures));
  uint64_t leader = ~uint64_t{0};
  std::string of_leader, of_copy;
  return ForEachRecord<Copy>(
      run, "copies.run", [&](const Copy& copy) -> Status {
        if (copy.leader != leader)
          TWINSET_TRY(features.ReadOne(copy.leader, &of_leader));
        leader = copy.leader;
        TWINSET_TRY(features.ReadOne(copy.document, &of_copy));
        if (of_leader == of_copy) return {};
        return Fail(ErrorCode::kCorrupt,
                    "two documents of different features have one fingerprint",
                    "", "run the command again without --late-features");
      });
}

}  // namespace

Result<LateFeatures> LateFeatures::Create(Run* run) {
  const uint64_t documents = run->documents();
  LateFeatures late(run, run->budget.ReserveUpTo(documents / 8, documents / 8),
                    documents);
  TWINSET_TRY(ForEachRecord<Copy>(*run, "copies.run", [&](const Copy& copy) {
    late.Want(copy.leader);
    late.Want(copy.document);
    return Status();
  }));
  return late;
}

Status LateFeatures::Read() {
  TWINSET_TRY(SecondReading(run_, wanted_).Do());
  return CheckCopies(*run_);
}

}  // namespace twinset
