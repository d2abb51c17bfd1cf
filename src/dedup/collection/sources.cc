// Where documents of a program come from (include/twinset/collection.h).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "collection/program_source.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "read/reader.h"
#include "twinset/collection.h"

namespace twinset {

namespace {

class FunctionSource : public Source {
 public:
  explicit FunctionSource(std::function<Result<bool>(Document*)> next)
      : next_(std::move(next)) {}
  Result<bool> Next(Document* document) override { return next_(document); }

 private:
  std::function<Result<bool>(Document*)> next_;
};

class FileSource : public Source {
 public:
  FileSource(InputList files, ReadOptions read)
      : files_(std::move(files)), read_(std::move(read)) {}

  Result<bool> Next(Document* document) override {
    for (;;) {
      if (reader_ == nullptr) {
        if (file_ == files_.size()) return false;
        TWINSET_ASSIGN(reader_, OpenRecordReader(files_[file_], file_, read_));
      }
      TWINSET_ASSIGN(const bool more, reader_->Next(&record_));
      if (!more) {
        TWINSET_TRY(CheckUnchanged(files_[file_]));
        reader_.reset();
        ++file_;
        continue;
      }
      if (record_.kind != RecordKind::kDocument) continue;
      GiveId(files_[file_].source, &record_.document);
      *document = std::move(record_.document);
      return true;
    }
  }

 private:
  const InputList files_;
  const ReadOptions read_;
  uint32_t file_ = 0;
  std::unique_ptr<RecordReader> reader_;
  Record record_;
};

}  // namespace

std::unique_ptr<Source> v1::FromFunction(
    std::function<Result<bool>(Document*)> next) {
  return std::make_unique<FunctionSource>(std::move(next));
}

std::unique_ptr<Source> v1::FromTexts(std::span<const std::string> texts) {
  return FromFunction(
      [texts, i = size_t{0}](Document* document) mutable -> Result<bool> {
        if (i == texts.size()) return false;
        document->payload = texts[i++];
        return true;
      });
}

Result<std::unique_ptr<Source>> v1::FromBatch(const TextBatch& batch) try {
  DocumentBatch documents;
  documents.texts = batch;
  return FromBatch(documents);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::unique_ptr<Source>> v1::FromBatch(const DocumentBatch& batch) try {
  TWINSET_TRY(batch.Check());
  return FromFunction(
      [batch, i = size_t{0}](Document* document) mutable -> Result<bool> {
        if (i == batch.size()) return false;
        batch.Take(i++, document);
        return true;
      });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::unique_ptr<Source> v1::FromBatches(
    std::function<Result<bool>(DocumentBatch*)> next) {
  return FromFunction(
      [next = std::move(next), batch = DocumentBatch(),
       i = size_t{0}](Document* document) mutable -> Result<bool> {
        while (i == batch.size()) {
          batch = {};
          i = 0;
          TWINSET_ASSIGN(const bool more, next(&batch));
          if (!more) return false;
          TWINSET_TRY(batch.Check());
        }
        batch.Take(i++, document);
        return true;
      });
}

Result<std::unique_ptr<Source>> v1::FromFiles(const InputOptions& input) try {
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(input));
  TWINSET_ASSIGN(InputList files, ListInputs(input));
  return std::make_unique<FileSource>(std::move(files), std::move(read));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::unique_ptr<Source>> v1::FromProgram(
    const std::vector<std::string>& command, const InputOptions& input) try {
  InputOptions rows = input;
  if (rows.format == InputFormat::kAuto) rows.format = InputFormat::kJsonl;
  TWINSET_ASSIGN(const ReadOptions read, MakeReadOptions(rows));
  return StartProgram(command, read);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
