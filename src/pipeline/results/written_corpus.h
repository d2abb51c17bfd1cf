// What the write stages share: where files go, and reading the inputs again.
#ifndef TWINSET_SRC_PIPELINE_RESULTS_WRITTEN_CORPUS_H_
#define TWINSET_SRC_PIPELINE_RESULTS_WRITTEN_CORPUS_H_

#include <functional>
#include <memory>
#include <optional>

#include "pipeline/run/run.h"
#include "read/reader.h"
#include "report/corpus_writer.h"

namespace twinset::inline v1 {

// The file of --write that stands for `input`, begun, with its folders. kIo if
// one of these has become a link that leads out of --write.
Result<CorpusWriter> CreateWritten(const Plan& plan, const InputFile& input,
                                   bool member_per_record);

// The documents of a run in step with the records of its inputs, which are read
// again: both come in input order. Stands at a document, or behind the last
// one. Not thread-safe.
class DocumentsAgain {
 public:
  // At no document yet: Next leads to the first.
  static Result<DocumentsAgain> Open(Run* run);
  // False behind the last one.
  Result<bool> Next();
  const DocumentInfo& document() const { return *document_; }
  bool IsOf(uint32_t source) const {
    return document_ && document_->provenance.source == source;
  }
  // Whether the record is the document where it stands; kIo when it was and has
  // other content now.
  Result<bool> IsAt(const Record& record) const;

  // The source from its beginning, with the bytes of its records.
  Result<std::unique_ptr<RecordReader>> OpenSource(uint32_t source) const;
  // Calls `body` for every record that is left in `reader` of the source; it
  // goes on to the next document when it is done with one. An input that breaks
  // off where it broke off before ends there, with a warning. kIo when the
  // input has changed, or `body` did not meet all documents of it.
  Status ForEachRecord(uint32_t source, RecordReader* reader,
                       const std::function<Status(const Record&)>& body);

 private:
  DocumentsAgain(Run* run, BlobReader documents)
      : run_(run), documents_(std::move(documents)) {}
  Run* run_;
  BlobReader documents_;
  std::optional<DocumentInfo> document_;
};

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_PIPELINE_RESULTS_WRITTEN_CORPUS_H_
