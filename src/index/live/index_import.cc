// Lists of captures on their way into an index.
#include <utility>

#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/side_check.h"
#include "read/bundle/capture_list.h"
#include "twinset/index_files.h"

namespace twinset {

namespace {

RejectedRecord RejectionOfLine(const ListedCapture& capture,
                               const std::string& source) {
  RejectedRecord rejected;
  rejected.source = source;
  rejected.stage = "read";
  rejected.reason = capture.why;
  rejected.detail = capture.detail;
  if (!capture.file.empty())
    rejected.detail +=
        (rejected.detail.empty() ? "in " : "; in ") + capture.file;
  rejected.offset = capture.offset;
  rejected.ordinal = capture.number == 0 ? 0 : capture.number - 1;
  // A capture that has no digest is no damage.
  rejected.quarantined = capture.why != "no-digest";
  return rejected;
}

class Importing {
 public:
  Importing(Index* index, const IndexFilesOptions& options,
            const RejectedSink& on_rejected, SideCounter* counter)
      : index_(*index),
        options_(options),
        on_rejected_(on_rejected),
        counter_(*counter) {}

  Status Read(const InputFile& file, const ReadOptions& read) {
    TWINSET_ASSIGN(const auto list, OpenCaptureList(file, read));
    ListedCapture capture;
    for (;;) {
      TWINSET_ASSIGN(const bool more, list->Next(&capture));
      if (!more) return {};
      if (!capture.why.empty()) {
        on_rejected_(RejectionOfLine(capture, file.source));
        continue;
      }
      counter_.Document(file.source, false);
      batch_.push_back({std::move(capture.url), std::move(capture.date),
                        std::move(capture.digest), options_.tag});
      if (batch_.size() < options_.batch) continue;
      TWINSET_TRY(Flush());
      TWINSET_TRY(CheckStop(options_.stop));
    }
  }

  Status Flush() {
    TWINSET_ASSIGN(const uint64_t stored, index_.Declare(batch_));
    summary_.captures += batch_.size();
    summary_.stored += stored;
    batch_.clear();
    if (!options_.on_progress) return {};
    Progress progress;
    progress.stage = "index";
    progress.done = summary_.captures;
    options_.on_progress(progress);
    return {};
  }

  IndexImportSummary& summary() { return summary_; }

 private:
  Index& index_;
  const IndexFilesOptions& options_;
  const RejectedSink& on_rejected_;
  SideCounter& counter_;
  std::vector<IndexDeclaration> batch_;
  IndexImportSummary summary_;
};

}  // namespace

Json v1::SummaryJson(const IndexImportSummary& summary) {
  return Json{{"captures", summary.captures},
              {"stored", summary.stored},
              {"rejected", summary.rejected}};
}

Result<IndexImportSummary> v1::ImportFiles(
    Index* index, const IndexFilesOptions& options,
    const IndexRejectedSink& on_rejected) try {
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", options.input));
  const RejectedSink reject = counter.Counting(on_rejected);
  TWINSET_ASSIGN(ReadOptions read, MakeReadOptions(options.input));
  read.stop = options.stop;
  TWINSET_ASSIGN(const InputList files, ListInputs(options.input));
  Importing importing(index, options, reject, &counter);
  Status done;
  for (size_t i = 0; i < files.size() && done; ++i)
    done = importing.Read(files[i], read);
  // What was read before an input failed is stored.
  if (done || done.error().code != ErrorCode::kInterrupted)
    TWINSET_TRY(importing.Flush());
  TWINSET_TRY(done);
  importing.summary().rejected = counter.quarantined();
  importing.summary().warnings = counter.Warnings();
  return importing.summary();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
