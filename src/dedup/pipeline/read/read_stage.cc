// The read stage: inputs to documents.blob, features.blob and views.blob,
// records of the other kinds to quarantine.blob and revisits.blob. Pages that
// wait for the rest of their site leave empty features, and their text in
// pages.blob. All only grow, so a killed run goes on behind its last
// checkpoint.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/json_text.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "documents/deal.h"
#include "documents/document_pass.h"
#include "documents/field_table.h"
#include "documents/side_check.h"
#include "documents/source_reader.h"
#include "pipeline/read/captures.h"
#include "pipeline/read/dealt_log.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/read_files.h"
#include "pipeline/read/run_fields.h"
#include "pipeline/read/stored_documents.h"
#include "pipeline/run/run.h"
#include "pipeline/run/run_inputs.h"
#include "read/archive/digest.h"
#include "read/look.h"
#include "read/table_helpers.h"
#include "sketch/sketcher.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr uint64_t kBatchBytes = 256 << 10;
constexpr size_t kBatchRecords = 4096;
// What a record counts in a sample beside its bytes: about what is held of it,
// but the same in every build, as the sample is.
constexpr uint64_t kSampledRecordBytes = 1300;

// Records of one source, read together and ingested by one thread.
struct Batch {
  Reservation memory;
  std::vector<Record> records;
  std::string rows;               // of those that are kRow, one after the other
  std::vector<size_t> row_bytes;  // of each of them
  std::vector<Ingested> results;  // of the documents among them, by record
  uint64_t decoded_bytes = 0;     // of the source, to the last record's end
  uint64_t parser_bytes = 0;      // of the document that needs most
  uint64_t payload_bytes = 0;     // of all of them
  uint32_t source = 0;
  uint64_t first_record = 0;  // its number in the source
  uint64_t consumed_bytes =
      0;  // of the compressed source after the last record
  bool ends_source = false;
  bool ends_block = false;       // of a shard
  std::optional<Error> failure;  // the source broke off
};

// Where a checkpoint stands in the inputs.
struct Position {
  uint32_t source = 0;
  uint64_t records = 0;  // of that source, done
};

class Reading {
 public:
  explicit Reading(Run* run)
      : run_(run),
        plan_(run->plan),
        equality_(run->plan.features.key),
        first_read_(static_cast<uint32_t>(plan_.inputs.first_own())),
        end_read_(first_read_ == 0 && !plan_.inputs.stored.empty()
                      ? plan_.inputs.stored[0].begin
                      : plan_.inputs.files.size()),
        is_dealt_(plan_.options.shard.of > 0),
        deal_(plan_.inputs.files, plan_.options.shard),
        ahead_(plan_, &run->budget) {}

  Status Do() {
    first_warning_ = run_->warnings.size();
    TWINSET_ASSIGN(ignored_, LoadIgnored(run_));
    TWINSET_TRY(LoadFields());
    reading_warning_ = run_->warnings.size();
    TWINSET_TRY(OpenOutputs());
    OrderedPipeline(
        plan_.machine.threads, static_cast<size_t>(plan_.machine.threads) * 4,
        [this] { return NextBatch(); },
        [this](void* batch) { Transform(static_cast<Batch*>(batch)); },
        [this](void* batch) {
          status_ = Store(static_cast<Batch*>(batch));
          return status_.has_value() && done_.source < end_read_;
        });
    TWINSET_TRY(status_);
    const Status stopped = gone_ ? tl::unexpected(*gone_) : run_->CheckStop();
    if (!stopped) {
      TWINSET_TRY(Checkpoint());
      return stopped;
    }
    // Behind the first side of a match.
    if (end_read_ < plan_.inputs.files.size()) TWINSET_TRY(TakeStored());
    // Beside the features of pages stand those of all.
    while (counts_.pages > 0 && blobs_[kFeatures].count() < documents())
      TWINSET_TRY(blobs_[kFeatures].Append(""));
    for (BlobWriter& blob : blobs_) TWINSET_TRY(blob.Finish());
    if (is_dealt_) return FinishShard();
    if (counts_.documents == 0 && misuse_ && plan_.inputs.first_side == 0)
      return tl::unexpected(*misuse_);
    run_->read_bytes = stored_;
    run_->passes.Add("read", stored_.consumed);
    if (!hint_.empty()) run_->warnings.push_back(hint_);
    // Records of which none is a document are told of as what they are.
    if (plan_.options.names_empty_inputs &&
        (own_documents_ != std::array<uint64_t, 2>() || counts_.records == 0))
      for (std::string& sentence : unusable_.sentences())
        run_->warnings.push_back(std::move(sentence));
    run_->counts.read = std::move(counts_);
    // What a resumed run has read before is not known.
    if (!fields_.empty() && !fields_.is_used() && !resumed_ &&
        !first_id_.empty())
      return NothingInCommon("--fields", fields_.first_key(), "the documents",
                             first_id_);
    TWINSET_TRY(CheckRunFields(*run_));
    TWINSET_TRY(CheckAdded(own_problem_.problem, run_));
    Json state = FieldsToJson(run_->counts.read);
    state[Run::kStageWarnings] = WarningsFrom(first_warning_);
    return run_->journal.FinishStage("read", read_file::AllFiles(),
                                     state.dump());
  }

 private:
  using enum read_file::ReadFile;

  Status LoadFields() {
    if (plan_.options.fields.empty()) return {};
    for (const InputFile& file : plan_.inputs.tables) {
      if (file.path == "-") {
        return Fail(ErrorCode::kUsage,
                    "--fields cannot be standard input: it is read twice");
      }
    }
    TWINSET_ASSIGN(
        fields_, FieldTable::Load(plan_.inputs.tables, plan_.inputs.read.fields,
                                  &run_->budget));
    for (const InputFile& file : plan_.inputs.tables)
      TWINSET_TRY(CheckUnchanged(file));
    return {};
  }

  // What this stage has to tell, for a run that goes on behind it.
  Json WarningsFrom(size_t first) const {
    Json warnings = Json::array();
    for (size_t i = first; i < run_->warnings.size(); ++i)
      warnings.push_back(run_->warnings[i]);
    return warnings;
  }

  // What a run lacks of what was asked for is known when all shards are one.
  Status FinishShard() {
    TWINSET_TRY(dealt_->Finish());
    run_->counts.read = dealt_->total();
    run_->counts.read.source_documents = std::move(counts_.source_documents);
    run_->passes.Add("read", stored_.consumed);
    Json state = FieldsToJson(run_->counts.read);
    state[Run::kStageWarnings] = WarningsFrom(first_warning_);
    if (!fields_.empty() && !fields_.is_used() && !resumed_ &&
        !first_id_.empty())
      state[kUnusedFields] = {fields_.first_key(), first_id_};
    if (!hint_.empty()) state[kHint] = hint_;
    std::vector<std::string> files = read_file::AllFiles();
    files.push_back(kDealtFile);
    files.push_back(std::string(kDealtFile) + ".idx");
    return run_->journal.FinishStage("read", files, state.dump());
  }

  // New blobs, or the old ones cut back to the last checkpoint.
  Status OpenOutputs() {
    counts_.source_documents.resize(plan_.inputs.files.size());
    const std::string progress = run_->journal.Progress("read");
    if (progress.empty()) {
      TWINSET_TRY(CheckColumnsOf(plan_.inputs, first_read_, end_read_));
      for (const char* name : read_file::kNames) {
        TWINSET_ASSIGN(auto blob, CreateBlob(*run_, name));
        blobs_.push_back(std::move(blob));
      }
      if (is_dealt_) {
        TWINSET_ASSIGN(auto dealt, DealtLog::Create(*run_));
        dealt_.emplace(std::move(dealt));
      }
      next_ = done_ = {first_read_, 0};
      return first_read_ > 0 ? TakeStored() : Status();
    }
    const Json state = Json::Parse(progress);
    const size_t inputs = plan_.inputs.files.size();
    if (!FieldsFromJson(state.at("counts"), inputs, &counts_) ||
        !FieldsFromJson(state.at("finished"), inputs, &finished_) ||
        !FieldsFromJson(state.at("stored"), inputs, &stored_) ||
        !FieldsFromJson(state.at("of_argument"), inputs, &of_argument_) ||
        !FieldsFromJson(state.at("unusable"), inputs, &unusable_))
      return run_->WrongJournal();
    run_->TakeWarnings(state);
    resumed_ = true;
    next_ = done_ = {state.at("source").get<uint32_t>(),
                     state.at("record").get<uint64_t>()};
    for (size_t i = 0; i < read_file::kCount; ++i) {
      TWINSET_ASSIGN(auto blob, ResumeBlob(*run_, read_file::kNames[i],
                                           state.at("marks")[i]));
      blobs_.push_back(std::move(blob));
    }
    if (is_dealt_) {
      TWINSET_ASSIGN(auto dealt, DealtLog::Resume(*run_, state));
      dealt_.emplace(std::move(dealt));
    }
    for (size_t i = first_read_; i < end_read_; ++i)
      own_documents_[plan_.inputs.SideOf(i)] += counts_.source_documents[i];
    for (size_t side = 0; side < own_documents_.size(); ++side) CloseFull(side);
    Report(/*resumed=*/true);
    return {};
  }

  // Counts all blocks of a shard.
  uint64_t documents() const {
    return counts_.documents + (dealt_ ? dealt_->total().documents : 0);
  }

  // What is stored. The inputs are bytes, and only they have an end.
  void Report(bool resumed) const {
    Progress progress;
    progress.done = documents();
    progress.bytes = stored_.decoded;
    progress.resumed = resumed;
    progress.kept = true;
    if (run_->input_bytes > 0) {
      progress.share =
          std::min(1.0, static_cast<double>(stored_.consumed) /
                            static_cast<double>(run_->input_bytes));
    }
    if (const uint64_t limit = plan_.options.limit; limit > 0) {
      const double most =
          static_cast<double>(limit) * (plan_.inputs.first_side == 0 ? 1 : 2);
      progress.share = std::max(
          progress.share,
          static_cast<double>(own_documents_[0] + own_documents_[1]) / most);
    }
    run_->Report(std::move(progress));
  }

  Status TakeStored() {
    Report(/*resumed=*/false);
    for (const StoredInputs& stored : plan_.inputs.stored)
      TWINSET_TRY(TakeStoredDocuments(*run_, stored, &blobs_, &counts_));
    return {};
  }

  // ---- source: one thread at a time ----

  // Room for reading what may come is taken first; then the batch keeps what
  // its records need. So a document above the rest of the budget is alone from
  // its first byte on.
  PipelineItem NextBatch() {
    SkipUnread();
    if (next_.source >= end_read_) return nullptr;
    auto batch = std::make_shared<Batch>();
    batch->source = next_.source;
    batch->first_record = next_.records;
    batch->memory = run_->budget.Wait(ReadingCost());
    Status read = reader_ == nullptr ? OpenSource() : Status();
    uint64_t cost = 0;
    if (read) read = Fill(batch.get(), &cost);
    if (!read && EndsRun(read.error())) return nullptr;
    if (!read) EndSource(batch.get(), read.error());
    if (!batch->ends_source) batch->consumed_bytes = reader_->consumed_bytes();
    const std::vector<Record>& records = batch->records;
    cost += (records.capacity() - records.size()) * sizeof(Record);
    batch->memory.Resize(cost);
    return batch;
  }

  // What reading holds before it is known how large a record is: its line, and
  // what is made of it.
  uint64_t ReadingCost() const {
    return std::min(
        plan_.machine.memory_bytes / 2,
        std::max(8 * kBatchBytes, 4 * plan_.inputs.read.max_document_bytes));
  }

  // Inputs of a side that has its --limit of documents are not opened, nor
  // those of other shards.
  void SkipUnread() {
    while (next_.source < end_read_ &&
           full_[plan_.inputs.SideOf(next_.source)]) {
      reader_.reset();
      source_bytes_ = 0;
      next_ = {EndOfSide(plan_.inputs.SideOf(next_.source)), 0};
    }
    while (next_.source < end_read_ && !deal_.Reads(next_.source))
      next_ = {next_.source + 1, 0};
  }

  uint32_t EndOfSide(size_t side) const {
    const bool is_first = side == 0 && plan_.inputs.first_side != 0;
    return static_cast<uint32_t>(
        is_first ? std::min(plan_.inputs.first_side, end_read_) : end_read_);
  }

  // Goes to the next record that is this shard's, and says where its block
  // ends; false: the input has none.
  Result<bool> PassOthers(uint64_t* block_end) {
    const auto [first, end] = deal_.NextBlock(next_.source, next_.records);
    *block_end = end;
    if (first > next_.records) reader_->PassOver(first);
    Record record;
    for (; next_.records < first; ++next_.records) {
      TWINSET_TRY(CheckStop(plan_.options.stop));
      TWINSET_ASSIGN(const bool more, reader_->Next(&record));
      if (!more) return false;
    }
    return true;
  }

  Status Fill(Batch* batch, uint64_t* cost) {
    uint64_t bytes = 0, block_end = 0;
    TWINSET_ASSIGN(const bool has_own, PassOthers(&block_end));
    batch->first_record = next_.records;
    if (!has_own) TWINSET_TRY(EndRead(batch));
    std::vector<Record>& records = batch->records;
    records.reserve(batch_records_);  // as many as the last batch had
    batch->rows.reserve(batch_rows_bytes_);
    while (!batch->ends_source && bytes < kBatchBytes &&
           records.size() < kBatchRecords && next_.records < block_end) {
      TWINSET_TRY(CheckStop(plan_.options.stop));
      if (plan_.inputs.sample_bytes > 0 &&
          source_bytes_ >= plan_.inputs.sample_bytes) {
        run_->sample_is_whole = false;
        EndSource(batch, std::nullopt);
        break;
      }
      Record& record = records.emplace_back();
      const Result<bool> more = reader_->Next(&record);
      if (!more || !*more) records.pop_back();
      if (!more) return tl::unexpected(more.error());
      if (!*more) {
        TWINSET_TRY(EndRead(batch));
        break;
      }
      ++next_.records;
      HintAtJudgements(record);
      TakeRow(&record, batch);
      const uint64_t payload = record.kind == RecordKind::kRow
                                   ? batch->row_bytes.back()
                                   : record.document.payload.size();
      const uint64_t beside = sizeof(Ingested) + BytesBesidePayload(record);
      bytes += payload + beside;
      batch->payload_bytes += payload;
      source_bytes_ += payload + BytesBesidePayload(record) - sizeof(Record) +
                       kSampledRecordBytes;
      batch->decoded_bytes = record.document.provenance.offset + payload;
      // One document at a time is parsed.
      const uint64_t before = batch->parser_bytes;
      batch->parser_bytes = std::max(
          before,
          ParserCost(record.document) +
              (record.kind == RecordKind::kRow ? RowParser::Cost(payload) : 0));
      *cost += IngestCost(plan_, payload) + 2 * beside +
               (batch->parser_bytes - before);
    }
    batch->ends_block = next_.records == block_end;
    batch_records_ = records.size();
    batch_rows_bytes_ = batch->rows.size();
    return {};
  }

  // The reader has no more records.
  Status EndRead(Batch* batch) {
    TWINSET_TRY(CheckUnchanged(plan_.inputs.files[next_.source]));
    EndSource(batch, std::nullopt);
    return {};
  }

  // Asked to stop, or without a helper or a store that answers, which is no
  // fault of the source: the next run reads again what is not stored.
  bool EndsRun(Error error) {
    if (error.code != ErrorCode::kUnavailable || !plan_.inputs.sources.empty())
      return error.code == ErrorCode::kInterrupted;
    gone_ = WithWayOn(std::move(error), plan_.inputs.files[next_.source].path);
    return true;
  }

  // The reader holds a row until its next call.
  static void TakeRow(Record* record, Batch* batch) {
    if (record->kind != RecordKind::kRow) return;
    batch->rows += record->row;
    batch->row_bytes.push_back(record->row.size());
    record->row = {};
  }

  // A list of judgements beside the collection is no text of it: said once.
  void HintAtJudgements(const Record& record) {
    const Document& document = record.document;
    if (!hint_.empty() || record.kind != RecordKind::kDocument ||
        !document.is_file || document.kind != ContentKind::kPlain)
      return;
    const std::string_view what = JudgementsIn(document.payload);
    if (what.empty()) return;
    hint_ = plan_.inputs.files[next_.source].path + ": these look like " +
            std::string(what) +
            ", and are read as a text; evaluate --truth FILE takes labelled "
            "pairs";
  }

  // Opens next_.source and skips the records that a former run has done.
  Status OpenSource() {
    ReadOptions options = plan_.inputs.ReadOf(next_.source);
    // A sample is of so many bytes of documents, which rows do not tell. One
    // thread alone would copy rows for nothing.
    options.defers_rows =
        plan_.inputs.sample_bytes == 0 && plan_.machine.threads > 1;
    if (!plan_.inputs.sources.empty()) {
      reader_ = MakeSourceReader(plan_.inputs.sources[next_.source],
                                 next_.source, options);
      return {};
    }
    const InputFile input = plan_.inputs.files[next_.source];
    TWINSET_ASSIGN(reader_, OpenRecordReader(input, next_.source,
                                             ahead_.Of(input, options)));
    Record record;
    reader_->PassOver(next_.records);
    for (uint64_t i = 0; i < next_.records; ++i) {
      TWINSET_ASSIGN(const bool more, reader_->Next(&record));
      if (!more) {
        return Fail(ErrorCode::kIo,
                    "the input is shorter than when the run began",
                    plan_.inputs.files[next_.source].path);
      }
    }
    return {};
  }

  // An input that several shards read breaks off in all of them: one says so.
  void EndSource(Batch* batch, std::optional<Error> failure) {
    if (reader_ != nullptr) batch->consumed_bytes = reader_->consumed_bytes();
    batch->ends_source = true;
    if (deal_.NextBlock(next_.source, next_.records).first == next_.records)
      batch->failure = std::move(failure);
    reader_.reset();
    source_bytes_ = 0;
    next_ = {next_.source + 1, 0};
  }

  // ---- transform: any thread ----

  // The hash of the payload as it is stored, with a digest of it where the
  // record declares none. {}: not known.
  Hash128Value LookAtStored(Record* record) const {
    if (!record->is_stored) return {};
    std::string& digest = record->document.provenance.digest;
    if (digest.empty() && !plan_.options.write.empty())
      digest = PayloadDigest(record->StoredPayload(),
                             FormOf(plan_.options.input.digest));
    return equality_.Long(record->StoredPayload());
  }

  // What a thread needs for a batch, kept for the next one.
  struct Scratch {
    explicit Scratch(const ReadOptions& options) : parser(options) {}
    IngestScratch ingest;
    RowParser parser;
  };

  std::unique_ptr<Scratch> TakeScratch(size_t side) {
    {
      const std::lock_guard lock(scratch_mutex_);
      auto& free = free_scratch_[side];
      if (!free.empty()) {
        auto scratch = std::move(free.back());
        free.pop_back();
        return scratch;
      }
    }
    return std::make_unique<Scratch>(side == 0 ? plan_.inputs.read
                                               : plan_.inputs.read_against);
  }

  // What a large document took is given back to the system.
  void GiveBack(std::unique_ptr<Scratch> scratch, const Batch& batch) {
    if (batch.payload_bytes > 2 * kBatchBytes) return;
    const std::lock_guard lock(scratch_mutex_);
    free_scratch_[plan_.inputs.SideOf(batch.source)].push_back(
        std::move(scratch));
  }

  void Transform(Batch* batch) {
    auto taken = TakeScratch(plan_.inputs.SideOf(batch->source));
    IngestScratch& scratch = taken->ingest;
    std::string_view rows = batch->rows;
    size_t row = 0;
    batch->results.resize(batch->records.size());
    for (size_t i = 0; i < batch->records.size(); ++i) {
      Record& record = batch->records[i];
      if (record.kind == RecordKind::kRow) {
        const size_t bytes = batch->row_bytes[row++];
        taken->parser.Parse(rows.substr(0, bytes), &record);
        rows.remove_prefix(bytes);
      }
      Document& document = record.document;
      const Provenance& place = document.provenance;
      const std::string& source =
          scratch.sources.Of(plan_.inputs.files, place.source);
      if (record.kind == RecordKind::kDocument)
        fields_.Fill(document.id.empty() ? DefaultId(source, place.ordinal)
                                         : document.id,
                     &document);
      // A program that hands its documents over gets its own ids back.
      if (plan_.inputs.sources.empty()) ReplaceId(source, &record);
      if (record.kind != RecordKind::kDocument) continue;
      const Hash128Value stored = LookAtStored(&record);
      batch->results[i] = Ingest(plan_, ignored_.hashes, &document, &scratch);
      batch->results[i].info.original_id = record.original_id;
      batch->results[i].info.stored = stored;
    }
    GiveBack(std::move(taken), *batch);
  }
  // ---- sink: one thread at a time, in order ----

  Status Store(Batch* batch);
  Status StoreRecord(const Record& record, const Ingested& result);
  void EndArgument(size_t source);
  void TellFields(size_t side) const;
  void CloseFull(size_t side);
  Status StoreDocument(const Ingested& result);
  Status StorePage(const std::string& page);
  Status StoreQuarantined(const Record& record, const char* stage,
                          const std::string& reason, const std::string& detail);
  Status StoreSkipped(const Record& record, const std::string& reason);
  Status Checkpoint();

  Run* run_;
  const Plan& plan_;
  const EqualityHash equality_;
  const uint32_t first_read_;  // inputs from here
  const size_t end_read_;      // to here are read; those stored are not
  IgnoredSet ignored_;
  FieldTable fields_;
  std::string first_id_;  // of the documents, for messages
  bool resumed_ = false;
  ReadOutputs blobs_;
  const bool is_dealt_;                   // this is a shard
  Deal deal_;                             // source
  AheadThreads ahead_;                    // source
  std::unique_ptr<RecordReader> reader_;  // source
  Position next_;                         // source: what to read next
  size_t batch_records_ = 0,
         batch_rows_bytes_ = 0;  // source: of the last batch
  uint64_t source_bytes_ = 0;    // source: of its records so far
  std::string hint_;             // source
  std::optional<Error> gone_;    // source: who reads it
  std::mutex scratch_mutex_;
  std::array<std::vector<std::unique_ptr<Scratch>>, 2>
      free_scratch_;  // of each side; guarded by scratch_mutex_
  // Sides that have as many documents as --limit allows; set by the sink.
  std::array<std::atomic<bool>, 2> full_{};
  std::array<uint64_t, 2> lacking_{};        // sink: records without a text
  std::array<uint64_t, 2> own_documents_{};  // sink: of each side, not stored
  Position done_;                            // sink: what is stored
  ReadCounts counts_;                        // sink; of the block of a shard
  std::optional<DealtLog> dealt_;            // sink; of a shard
  InputBytes finished_;  // sink: of sources before done_.source
  InputBytes stored_;    // sink: of all that is stored
  std::chrono::steady_clock::time_point safe_ =
      std::chrono::steady_clock::now();  // sink: of the last checkpoint
  std::string buffer_;                   // sink
  ReadOutcome own_problem_;  // sink: of the first record that is no document
  ReadOutcome of_argument_;  // sink: what the present one holds
  UnusableInputs unusable_;  // sink: arguments
  // Warnings of the run from here on are of this stage, and of its reading.
  size_t first_warning_ = 0, reading_warning_ = 0;
  std::optional<Error> misuse_;  // sink: the first, as a column not there
  Status status_;                // sink
};

// A field that is not there is said before all of the input was read.
void Reading::TellFields(size_t side) const {
  if (counts_.sides[side].outcome.records != kRowsForNotice ||
      (dealt_ && dealt_->total().records > 0) || !plan_.options.on_notice)
    return;
  const std::string notice =
      FieldNotice(plan_, counts_, side, lacking_[side] == kRowsForNotice);
  if (!notice.empty()) plan_.options.on_notice(notice);
}

// The side has its --limit of documents: what comes behind them is not of this
// run, whatever was read ahead.
void Reading::CloseFull(size_t side) {
  const uint64_t limit = plan_.options.limit;
  if (limit == 0 || own_documents_[side] < limit) return;
  counts_.sides[side].limited = limit;
  full_[side] = true;
}

void Reading::EndArgument(size_t source) {
  if (!plan_.inputs.files.EndsArgument(source)) return;
  const char* side = plan_.inputs.SideOf(source) == 1 ? "B" : "A";
  unusable_.Add(SideOf(plan_.inputs.first_side == 0 ? "" : side,
                       plan_.inputs.files.ArgumentOf(source), of_argument_));
  of_argument_ = ReadOutcome();
}

Status Reading::StoreRecord(const Record& record, const Ingested& result) {
  const Provenance& place = record.document.provenance;
  ++counts_.records;
  ++counts_.sides[plan_.inputs.SideOf(place.source)].outcome.records;
  ++of_argument_.records;
  lacking_[plan_.inputs.SideOf(place.source)] +=
      record.reason == "no-text-field";
  switch (record.kind) {
    case RecordKind::kSkipped:
      ++counts_.skipped[record.reason];
      return record.reason == "status" || record.reason == "mime"
                 ? StoreSkipped(record, record.reason)
                 : Status();
    case RecordKind::kRevisit:
      ++counts_.skipped["revisit"];
      ++counts_.revisits;
      return StoreSkipped(record, "");
    case RecordKind::kQuarantined:
      return StoreQuarantined(record, "read", record.reason, record.detail);
    case RecordKind::kDocument:
    case RecordKind::kPassed:  // PassOver was called for done records alone
    case RecordKind::kRow:     // Transform parses them
      break;
  }
  if (!result.skip_reason.empty()) {
    ++counts_.skipped[result.skip_reason];
    return StoreSkipped(record, result.skip_reason);
  }
  if (result.quarantine_reason.empty()) {
    InputOddities& oddities = counts_.oddities;
    oddities.quoted_fields.Add(record.quoted_fields, result.info.id);
    oddities.rows_in_fields.Add(record.has_rows_in_field, result.info.id);
    oddities.malformed_xml.Add(result.malformed_xml, result.info.id);
    return StoreDocument(result);
  }
  return StoreQuarantined(record, "text", result.quarantine_reason,
                          result.quarantine_detail);
}

Status Reading::Store(Batch* batch) {
  const size_t side = plan_.inputs.SideOf(batch->source);
  if (full_[side]) return {};
  if (dealt_) dealt_->Begin(batch->source, batch->first_record);
  size_t stored = 0;
  while (stored < batch->records.size() && !full_[side]) {
    TWINSET_TRY(StoreRecord(batch->records[stored], batch->results[stored]));
    ++stored;
    TellFields(side);
    CloseFull(side);
  }
  done_ = {batch->source, batch->first_record + stored};
  if (batch->failure && !full_[side]) {
    if (!misuse_ && batch->failure->code == ErrorCode::kUsage)
      misuse_ = batch->failure;
    ReadOutcome& outcome = counts_.sides[side].outcome;
    for (ReadOutcome* of : {&outcome, &own_problem_, &of_argument_})
      if (of->problem.empty()) of->problem = batch->failure->ToString();
    counts_.AddIncomplete(plan_.inputs.files[batch->source].source);
    if (run_->warnings.size() < ReadCounts::kMostIncomplete)
      run_->warnings.push_back(batch->failure->ToString());
  }
  stored_.consumed = finished_.consumed + batch->consumed_bytes;
  stored_.decoded =
      std::max(stored_.decoded, finished_.decoded + batch->decoded_bytes);
  run_->consumed_by_side[side] =
      stored_.consumed - (side == 1 ? run_->consumed_by_side[0] : 0);
  if (batch->ends_source && !full_[side]) EndArgument(batch->source);
  if (batch->ends_source || full_[side]) {
    finished_ = stored_;
    done_ = {full_[side] ? EndOfSide(side) : batch->source + 1, 0};
  }
  if (dealt_ && (batch->ends_block || batch->ends_source))
    TWINSET_TRY(dealt_->End(batch->failure, &counts_));
  Report(/*resumed=*/false);
  batch->memory.Reset();
  const std::chrono::duration<double> since =
      std::chrono::steady_clock::now() - safe_;
  return since.count() >= plan_.options.checkpoint_seconds ? Checkpoint()
                                                           : Status();
}

Status Reading::StoreDocument(const Ingested& result) {
  ++counts_.documents;
  const uint32_t source = result.info.provenance.source;
  ++counts_.source_documents[source];
  ++own_documents_[plan_.inputs.SideOf(source)];
  if (first_id_.empty() && !fields_.empty()) first_id_ = result.info.id;
  ReadCounts::Side& side = counts_.sides[plan_.inputs.SideOf(source)];
  ++side.outcome.documents;
  side.outcome.wordless += result.info.empty;
  ++of_argument_.documents;
  of_argument_.wordless += result.info.empty;
  for (size_t i = 0; i < field_bit::kCount; ++i)
    side.present[i] += result.present >> i & 1;
  counts_.empty += result.info.empty;
  counts_.tokens += result.token_count;
  counts_.features +=
      IsHashed(plan_.features.form) ? result.info.feature_count : 0;
  counts_.payload_bytes += result.payload_bytes;
  counts_.code_points += result.info.code_points;
  counts_.fallback_parser += result.used_fallback;
  counts_.malformed_text += result.malformed;
  counts_.unsure_pages += result.unsure;
  if (result.page_kind != PageKind::kNone)
    ++counts_.page_kinds[std::string(ChoiceName(result.page_kind))];
  EncodeDocumentInfo(result.info, &buffer_);
  TWINSET_TRY(blobs_[kDocuments].Append(buffer_));
  if (plan_.features.views.size() > 1)
    TWINSET_TRY(blobs_[kViews].Append(result.views));
  if (plan_.checks_texts()) TWINSET_TRY(blobs_[kTexts].Append(result.text));
  if (plan_.options.kinds) TWINSET_TRY(blobs_[kJudged].Append(result.judged));
  if (!result.page.empty()) TWINSET_TRY(StorePage(result.page));
  return plan_.features.late ? Status()
                             : blobs_[kFeatures].Append(result.FeatureBytes());
}

// Numbered as its document is; documents before it that are no pages cost
// something only now.
Status Reading::StorePage(const std::string& page) {
  ++counts_.pages;
  while (blobs_[kPages].count() + 1 < documents())
    TWINSET_TRY(blobs_[kPages].Append(""));
  return blobs_[kPages].Append(page);
}

Status Reading::StoreQuarantined(const Record& record, const char* stage,
                                 const std::string& reason,
                                 const std::string& detail) {
  const Provenance& place = record.document.provenance;
  if (plan_.options.strict) {
    return Fail(ErrorCode::kCorrupt,
                "record " + std::to_string(place.ordinal) + " at " +
                    RecordPlace(place.offset, record.is_table_row) +
                    " is quarantined (" + reason +
                    (detail.empty() ? "" : ": " + detail) +
                    ") and --strict was given",
                plan_.inputs.files[place.source].path,
                "mend the record or run without --strict");
  }
  ++counts_.quarantined;
  ++counts_.quarantine_reasons[reason];
  counts_.sides[plan_.inputs.SideOf(place.source)].outcome.CountQuarantined(
      reason, detail);
  own_problem_.CountQuarantined(reason, detail);
  of_argument_.CountQuarantined(reason, detail);
  const RejectedRecord rejected =
      Reject(record, plan_.inputs.files[place.source].source, stage, reason,
             detail, true);
  return blobs_[kQuarantine].Append(
      QuarantineRow(rejected, record.original_id));
}

// What a revisit may refer to although it is no document.
Status Reading::StoreSkipped(const Record& record, const std::string& reason) {
  if (dealt_) dealt_->AddCapture();
  EncodeCapture(record, reason, &buffer_);
  return blobs_[kRevisits].Append(buffer_);
}

Status Reading::Checkpoint() {
  Json state;
  state["source"] = done_.source;
  state["record"] = done_.records;
  for (BlobWriter& blob : blobs_) {
    TWINSET_ASSIGN(const BlobMark mark, blob.Checkpoint());
    state["marks"].push_back({mark.count, mark.data_bytes});
  }
  state["counts"] = FieldsToJson(counts_);
  if (is_dealt_) TWINSET_TRY(dealt_->Keep(&state));
  state["finished"] = FieldsToJson(finished_);
  state["stored"] = FieldsToJson(stored_);
  state["of_argument"] = FieldsToJson(of_argument_);
  state["unusable"] = FieldsToJson(unusable_);
  state[Run::kStageWarnings] = WarningsFrom(reading_warning_);
  safe_ = std::chrono::steady_clock::now();
  return run_->journal.SaveProgress("read", state.dump());
}

}  // namespace

Status ReadStage(Run* run) { return Reading(run).Do(); }

}  // namespace twinset
