// The documents of a pipe, each as soon as it is there.
#ifndef TWINSET_SRC_INDEX_LIVE_PIPED_DOCUMENTS_H_
#define TWINSET_SRC_INDEX_LIVE_PIPED_DOCUMENTS_H_

#include <atomic>
#include <functional>
#include <string>

#include "documents/document_pass.h"
#include "read/reader.h"
#include "twinset/error.h"
#include "twinset/inspect.h"
#include "twinset/options.h"

namespace twinset {

// As ForEachInputDocument, where the input is standard input alone and that is
// a pipe of JSON lines or of WARC records, without compression. Who writes to
// it may wait for an answer: a document is handed on when its last byte is
// there, and `on_idle` is called when nothing more is. Returns false, with
// nothing read, for any other input. Memory: one record as large as a document
// may be; of a larger one as much is read, and the reader says what is wrong.
Result<bool> ForEachPipedDocument(
    const InputOptions& input, const PassOptions& options,
    const std::atomic<bool>* stop,
    const std::function<Result<bool>(Record*, const std::string&)>& body,
    const std::function<Status()>& on_idle, const RejectedSink& on_rejected);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_PIPED_DOCUMENTS_H_
