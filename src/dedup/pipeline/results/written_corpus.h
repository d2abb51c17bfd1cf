// What the write stages share: where files go, and reading the inputs again.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RESULTS_WRITTEN_CORPUS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RESULTS_WRITTEN_CORPUS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run/run.h"
#include "read/reader.h"
#include "report/corpus_writer.h"

namespace twinset {

// The documents of a run in step with the records of its inputs, which are read
// again: both come in input order. Stands at a document, or behind the last
// one. Not thread-safe.
class DocumentsAgain {
 public:
  // At no document yet: Next or Seek leads to one.
  static Result<DocumentsAgain> Open(Run* run);
  // False behind the last one.
  Result<bool> Next();
  // Goes to a document by its number; behind the last one if there is none.
  Status Seek(uint64_t number);
  uint64_t number() const { return number_; }
  const DocumentInfo& document() const { return *document_; }
  bool IsOf(uint32_t source) const {
    return document_ && document_->provenance.source == source;
  }
  // kIo when it stands at a document of `source`, which was read from `path`.
  Status CheckPassed(uint32_t source, const std::string& path) const;
  // Returns true iff the record is the document where it stands; kIo when it
  // was and has other content now, or, of one that was passed over, stands
  // elsewhere.
  Result<bool> IsAt(const Record& record) const;

 private:
  DocumentsAgain(Run* run, BlobReader documents)
      : run_(run), documents_(std::move(documents)) {}
  Run* run_;
  BlobReader documents_;
  std::optional<DocumentInfo> document_;
  uint64_t number_ = 0;  // of document_
};

// What stays of the records of sources. One thread at a time.
class SourceEditor {
 public:
  virtual ~SourceEditor() = default;
  // Where it stands: at the next document of the run.
  virtual uint64_t number() const = 0;
  virtual Status Seek(uint64_t document) = 0;
  // False when the source is left out whole, with its documents.
  virtual Result<bool> Begin(uint32_t source, InputFormat format) = 0;
  // The next record was edited by a former run.
  virtual void Pass(const Record& record) = 0;
  // Adds what stays of the next record, and goes behind its document.
  virtual Status Edit(const Record& record, MemberCutter* members) = 0;
  // Behind the last record of a source, which was read from `path`: kIo when it
  // has lost a document.
  virtual Status End(uint32_t source, const std::string& path) const = 0;
  // Which columns tables get (AnnotationForm::name); empty: none.
  virtual std::string_view annotation() const { return {}; }

  WriteCounts counts;
  std::vector<std::string> warnings;
};

// Writes the sources of `run` for which --write has files: several at a time,
// each thread with an editor of its own, members compressed by all. What a
// former run left, finished files or the beginning of one, stays if it is as
// the journal says. Fills in counts.write and warnings, in the order of the
// sources. An input that breaks off where it broke off before ends there, with
// a warning. kIo when an input has changed.
Status WriteSources(
    Run* run,
    const std::function<Result<std::unique_ptr<SourceEditor>>()>& open);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RESULTS_WRITTEN_CORPUS_H_
