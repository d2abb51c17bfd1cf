// A saved run on its way into an index. It holds no texts, so its inputs are
// read again, and must be what they were.
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "documents/document_info.h"
#include "documents/document_pass.h"
#include "live/index_adding.h"
#include "pipeline/read/read_files.h"
#include "pipeline/read/stored_documents.h"
#include "pipeline/saved/save_run.h"
#include "pipeline/saved/saved_options.h"
#include "store/saved_run.h"
#include "twinset/index_files.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kRemedy[] =
    "put it back as it was when the run was saved, or add what there is by "
    "twinset index add; what stands before it is in the index";

// The documents of a saved run, in its order.
class AdoptedDocuments {
 public:
  static Result<AdoptedDocuments> Open(std::shared_ptr<const SavedRun> saved) {
    StoredInputs stored;
    stored.hashes = SavedHashes(*saved);
    stored.run = std::move(saved);
    TWINSET_ASSIGN(
        auto documents,
        OpenStored(stored, read_file::kNames[read_file::kDocuments]));
    AdoptedDocuments opened(std::move(documents));
    TWINSET_TRY(opened.Next());
    return opened;
  }

  // Returns true iff the run has the document that stands here, and goes on to
  // the next one. kIo when another document stands in its place.
  Result<bool> Has(const Document& document, const std::string& path) {
    const Provenance& place = document.provenance;
    if (!info_ || info_->provenance.source != place.source ||
        info_->provenance.ordinal > place.ordinal)
      return false;
    if (info_->provenance.ordinal < place.ordinal) return IsGone(path);
    if (PayloadHash(document) != info_->payload_hash) return IsGone(path);
    TWINSET_TRY(Next());
    return true;
  }
  // Behind the last record of a source.
  Status CheckPassed(size_t source, const std::string& path) const {
    if (!info_ || info_->provenance.source > source) return {};
    return IsGone(path);
  }

 private:
  explicit AdoptedDocuments(BlobReader documents)
      : documents_(std::move(documents)) {}

  tl::unexpected<Error> IsGone(const std::string& path) const {
    return Fail(ErrorCode::kIo,
                "document '" + Printable(info_->id) +
                    "' is not what the saved run has read",
                path, kRemedy);
  }
  Status Next() {
    std::string_view bytes;
    TWINSET_ASSIGN(const bool more, documents_.Next(&bytes));
    info_.reset();
    if (!more) return {};
    TWINSET_ASSIGN(info_, DecodeDocumentInfo(bytes));
    return {};
  }

  BlobReader documents_;
  std::optional<DocumentInfo> info_;
};

Status CheckThere(const InputList& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    const InputFile file = files[i];
    if (file.path != "-" && FileExists(file.path)) continue;
    return Fail(ErrorCode::kIo,
                "an input of the saved run is not there, and the run holds no "
                "texts",
                file.path,
                "put it back where it was when the run was made, or add what "
                "there is by twinset index add");
  }
  return {};
}

}  // namespace

Result<IndexFilesSummary> v1::AdoptRun(
    Index* index, const std::string& run, const IndexFilesOptions& options,
    const IndexRejectedSink& on_rejected) try {
  TWINSET_ASSIGN(SavedRun opened, SavedRun::Open(run));
  const auto saved = std::make_shared<const SavedRun>(std::move(opened));
  TWINSET_ASSIGN(const PlanOptions made, SavedOptions(*saved));
  TWINSET_ASSIGN(const InputList files, SavedInputs(*saved));
  TWINSET_TRY(CheckThere(files));
  TWINSET_ASSIGN(AdoptedDocuments documents, AdoptedDocuments::Open(saved));
  IndexFilesOptions reading = options;
  reading.input = made.input;
  reading.input.inputs.clear();
  for (size_t i = 0; i < files.size(); ++i)
    reading.input.inputs.push_back(files[i].path);
  TWINSET_ASSIGN(SideCounter counter, SideCounter::Make("", reading.input));
  const RejectedSink reject = counter.Counting(on_rejected);
  const IndexAnswerSink nobody;
  IndexAdding adding(index, reading, nobody, reject, &counter);
  const PassOptions pass = adding.Pass();
  const auto read = [&](size_t i) -> Status {
    const std::string path = files[i].path;
    TWINSET_TRY(ForEachListedDocument(
        files, i, i + 1, reading.input, pass,
        [&](Record* record, const std::string& source) -> Result<bool> {
          TWINSET_TRY(CheckStop(options.stop));
          TWINSET_ASSIGN(const bool is_one,
                         documents.Has(record->document, path));
          return is_one ? adding.Take(record, source) : true;
        },
        reject));
    return documents.CheckPassed(i, path);
  };
  Status done;
  for (size_t i = 0; i < files.size() && done; ++i) done = read(i);
  // What was found to be as it was is stored.
  if (done || done.error().code != ErrorCode::kInterrupted)
    TWINSET_TRY(adding.Flush());
  TWINSET_TRY(done);
  adding.summary().rejected = counter.quarantined();
  adding.summary().warnings = counter.Warnings();
  return adding.summary();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
