#include "twinset/inspect.h"

#include <algorithm>
#include <optional>

#include "base/machine.h"
#include "base/memory_budget.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/field_text.h"
#include "documents/side_check.h"
#include "documents/text_stage.h"
#include "options/resources.h"

namespace twinset {

Status v1::ForEachText(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details,
    const std::function<bool(const DocumentText&)>& on_document,
    const RejectedSink& on_rejected) try {
  return ForEachTextWithFields(
      input, features, details, {},
      [&](const DocumentText& text, const FieldValues&) {
        return on_document(text);
      },
      on_rejected);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Status ForEachTextWithFields(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details, const std::vector<std::string>& names,
    const std::function<bool(const DocumentText&, const FieldValues&)>&
        on_document,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const InputList files, ListInputs(input));
  return ForEachListedText(files, input, features, details, names, on_document,
                           on_rejected);
}

Status ForEachListedText(
    const InputList& files, const InputOptions& input,
    const FeatureOptions& features, const TextDetails& details,
    const std::vector<std::string>& names,
    const std::function<bool(const DocumentText&, const FieldValues&)>&
        on_document,
    const RejectedSink& on_rejected) {
  TWINSET_ASSIGN(const TextStage stage,
                 TextStage::Make(input, features, details));
  return ForEachListedDocument(
      files, 0, files.size(), input, {.fields = names},
      [&](Record* record, const std::string& source) -> Result<bool> {
        DocumentText text;
        RejectedRecord rejected;
        if (!stage.Show(*record, source, &text, &rejected)) {
          if (on_rejected) on_rejected(rejected);
          return true;
        }
        return on_document(text, record->document.fields);
      },
      on_rejected);
}

namespace {

constexpr uint64_t kBatchBytes = 256 << 10;
constexpr size_t kBatchRecords = 4096;

// Records read together and shown by one thread.
struct Batch {
  // What became of a record.
  struct Shown {
    bool is_text = false;
    std::string text;  // what render made of it
    std::optional<RejectedRecord> rejected;
  };
  Reservation memory;
  std::vector<Record> records;
  std::vector<Shown> shown;      // by record
  std::optional<Error> failure;  // reading broke off behind the last record
};

class Rendering {
 public:
  Rendering(const TextStage& stage, const InputOptions& input,
            const InputList& files, const ReadOptions& read,
            const TextDetails& details, uint64_t memory_bytes)
      : stage_(stage),
        files_(files),
        read_(read),
        fields_(input, read),
        row_times_(3 + details.blocks + 2 * details.tokens),
        budget_(memory_bytes) {}

  Result<std::vector<std::string>> Do(
      int threads,
      const std::function<std::string(const DocumentText&)>& render,
      const std::function<bool(std::string_view)>& on_text,
      const RejectedSink& on_rejected, SideCounter* counter) {
    const RejectedSink count = counter->Counting(on_rejected);
    Status status;
    bool is_whole = true;
    OrderedPipeline(
        threads, static_cast<size_t>(threads) * 4,
        [this] { return NextBatch(); },
        [&](void* batch) { Show(render, static_cast<Batch*>(batch)); },
        [&](void* item) {
          auto* const batch = static_cast<Batch*>(item);
          const bool go_on = Deliver(*batch, on_text, count, counter);
          is_whole = is_whole && go_on;
          if (go_on && batch->failure)
            status = tl::unexpected(*std::move(batch->failure));
          return go_on && status.has_value();
        });
    TWINSET_TRY(status);
    if (!is_whole) return std::vector<std::string>();
    TWINSET_TRY(fields_.Check(files_));
    return counter->Warnings();
  }

 private:
  // ---- source: one thread at a time ----

  // Room for reading what may come is taken first; then the batch keeps what
  // its records need.
  PipelineItem NextBatch() {
    if (at_end_) return nullptr;
    auto batch = std::make_shared<Batch>();
    batch->memory = budget_.Wait(
        std::min(budget_.limit_bytes() / 2,
                 std::max(8 * kBatchBytes, 4 * read_.max_document_bytes)));
    uint64_t cost = 0;
    const Status read = Fill(batch.get(), &cost);
    if (!read) {
      batch->failure = read.error();
      at_end_ = true;
    }
    batch->memory.Resize(cost);
    return batch;
  }

  Status Fill(Batch* batch, uint64_t* cost) {
    uint64_t bytes = 0;
    uint64_t largest = 0;  // one document at a time is parsed
    while (bytes < kBatchBytes && batch->records.size() < kBatchRecords) {
      if (reader_ == nullptr) {
        at_end_ = next_ == files_.size();
        if (at_end_) break;
        TWINSET_ASSIGN(reader_, OpenRecordReader(files_[next_], next_, read_));
      }
      Record record;
      TWINSET_ASSIGN(const bool more, reader_->Next(&record));
      if (!more) {
        reader_.reset();
        ++next_;
        continue;
      }
      fields_.Count(record);
      const uint64_t payload = record.document.payload.size();
      const uint64_t beside = BytesBesidePayload(record);
      bytes += payload + beside;
      const uint64_t before = largest;
      if (record.kind == RecordKind::kDocument)
        largest = std::max(largest, stage_.Cost(record.document));
      *cost += sizeof(Batch::Shown) + 2 * beside + (1 + row_times_) * payload +
               (largest - before);
      batch->records.push_back(std::move(record));
    }
    return {};
  }

  // ---- transform: any thread ----

  void Show(const std::function<std::string(const DocumentText&)>& render,
            Batch* batch) const {
    batch->shown.resize(batch->records.size());
    SourceNames sources;
    uint64_t held = 0;
    for (size_t i = 0; i < batch->records.size(); ++i) {
      Record& record = batch->records[i];
      Batch::Shown& shown = batch->shown[i];
      const std::string& source =
          sources.Of(files_, record.document.provenance.source);
      ReplaceId(source, &record);
      if (record.kind == RecordKind::kDocument) {
        GiveId(source, &record.document);
        DocumentText text;
        shown.is_text =
            stage_.Show(record, source, &text, &shown.rejected.emplace());
        if (shown.is_text) {
          shown.rejected.reset();
          shown.text = render(text);
        }
        record.document.payload = {};
      } else {
        shown.rejected = RejectUnread(record, source);
      }
      held += sizeof(Record) + sizeof(Batch::Shown) + shown.text.capacity() +
              2 * BytesBesidePayload(record);
    }
    batch->memory.Resize(std::min(batch->memory.bytes(), held));
  }

  // ---- sink: one thread at a time, in order ----

  bool Deliver(const Batch& batch,
               const std::function<bool(std::string_view)>& on_text,
               const RejectedSink& on_rejected, SideCounter* counter) {
    for (size_t i = 0; i < batch.shown.size(); ++i) {
      const Batch::Shown& shown = batch.shown[i];
      if (!shown.is_text) {
        on_rejected(*shown.rejected);
        continue;
      }
      counter->Document(
          names_.Of(files_, batch.records[i].document.provenance.source),
          /*is_wordless=*/false);
      if (!on_text(shown.text)) return false;
    }
    return true;
  }

  const TextStage& stage_;
  const InputList& files_;
  const ReadOptions& read_;
  FieldPass fields_;          // source
  const uint64_t row_times_;  // what is rendered has so many times the bytes of
                              // its document at most
  MemoryBudget budget_;
  std::unique_ptr<RecordReader> reader_;  // source
  uint32_t next_ = 0;                     // source: the file that is read
  bool at_end_ = false;                   // source
  SourceNames names_;                     // sink
};

}  // namespace

Result<std::vector<std::string>> v1::ForEachRendered(
    const InputOptions& input, const FeatureOptions& features,
    const TextDetails& details, const ResourceOptions& resources,
    const std::function<std::string(const DocumentText&)>& render,
    const std::function<bool(std::string_view)>& on_text,
    const RejectedSink& on_rejected) try {
  TWINSET_ASSIGN(const uint64_t memory, WorkingMemory(resources, input));
  TWINSET_ASSIGN(const TextStage stage,
                 TextStage::Make(input, features, details));
  TWINSET_ASSIGN(const ReadOptions read, MakeReadOptions(input));
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", input));
  TWINSET_TRY(CheckColumns(counter.files(), 0, counter.files().size(), read));
  return Rendering(stage, input, counter.files(), read, details, memory)
      .Do(ResolveThreads(resources.threads, memory), render, on_text,
          on_rejected, &counter);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
