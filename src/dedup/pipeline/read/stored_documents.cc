#include "pipeline/read/stored_documents.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "documents/document_info.h"
#include "documents/priority.h"
#include "pipeline/read/captures.h"
#include "pipeline/read/page_spool.h"

namespace twinset {

namespace {

constexpr uint64_t kReportedDocuments = 1 << 16;

// What becomes of one stored blob: `bytes` is replaced in place.
using Change = std::function<Status(std::string* bytes)>;

Status MoveSource(const StoredInputs& stored, uint32_t* source) {
  const size_t moved = stored.begin + *source;
  if (!stored.Holds(moved))
    return StoredFilesDoNotFit(stored, SavedRun::kManifest);
  *source = static_cast<uint32_t>(moved);
  return {};
}

class Taking {
 public:
  Taking(const Run& run, const StoredInputs& stored, ReadOutputs* files)
      : run_(run),
        plan_(run.plan),
        stored_(stored),
        files_(*files),
        first_(files->at(read_file::kDocuments).count()) {}

  Status Do(ReadCounts* counts) {
    TWINSET_ASSIGN(ReadCounts read, StoredCounts());
    // Files are independent of each other.
    Status statuses[read_file::kCount];
    ParallelFor(read_file::kCount, 1, plan_.machine.threads,
                [&](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i)
                    statuses[i] = Take(static_cast<read_file::ReadFile>(i),
                                       read.documents);
                });
    for (const Status& status : statuses) TWINSET_TRY(status);
    // The fields that this run asks for, in its own order.
    read.sides[0].TakeFields(stored_.fields);
    counts->Add(read, stored_.begin, plan_.inputs.SideOf(stored_.begin));
    return {};
  }

 private:
  tl::unexpected<Error> DoNotFit(const std::string& name) const {
    return StoredFilesDoNotFit(stored_, name);
  }

  // Where documents are asked for later, pages have been cut already.
  Result<ReadCounts> StoredCounts() const {
    if (!stored_.asked) return StoredReadCounts(stored_);
    RunCounts counts;
    if (!SavedCountsFromJson(stored_.run->description()["counts"],
                             stored_.end - stored_.begin, &counts))
      return DoNotFit(SavedRun::kManifest);
    counts.read.pages = 0;
    return std::move(counts.read);
  }

  bool IsUsed(read_file::ReadFile file) const {
    if (stored_.asked)
      return file == read_file::kQuarantine || file == read_file::kRevisits;
    return LeavesFile(plan_, file);
  }

  std::string NameOf(read_file::ReadFile file) const {
    const char* what = file == read_file::kDocuments  ? "documents"
                       : file == read_file::kFeatures ? "features"
                       : file == read_file::kViews    ? "views"
                       : file == read_file::kTexts    ? "texts"
                                                      : nullptr;
    if (!stored_.keeps || what == nullptr) return read_file::kNames[file];
    return stored_.run->description()["current"][what].get<std::string>();
  }

  Change ChangeOf(read_file::ReadFile file) const {
    switch (file) {
      case read_file::kDocuments:
        return [this](std::string* bytes) { return ChangeDocument(bytes); };
      case read_file::kRevisits:
        return [this](std::string* bytes) { return ChangeCapture(bytes); };
      case read_file::kPages:
        if (plan_.inputs.SideOf(stored_.begin) == 0) return nullptr;
        return [](std::string* page) {
          MoveToSecondSide(page);
          return Status();
        };
      default:
        return nullptr;
    }
  }

  Status ChangeDocument(std::string* bytes) const {
    TWINSET_ASSIGN(DocumentInfo info, DecodeDocumentInfo(*bytes));
    TWINSET_TRY(TakeStoredDocument(plan_, stored_, &info));
    EncodeDocumentInfo(info, bytes);
    return {};
  }

  Status ChangeCapture(std::string* bytes) const {
    TWINSET_ASSIGN(Capture capture, DecodeCapture(*bytes));
    TWINSET_TRY(MoveSource(stored_, &capture.source));
    EncodeCapture(capture, bytes);
    return {};
  }

  Status Take(read_file::ReadFile file, uint64_t documents) const {
    if (!IsUsed(file)) return {};
    const std::string name = NameOf(file);
    BlobWriter& to = files_[file];
    TWINSET_ASSIGN(auto from, OpenStored(stored_, name));
    const bool of_documents = file != read_file::kQuarantine &&
                              file != read_file::kRevisits &&
                              file != read_file::kPages;
    if (of_documents ? from.count() != documents
                     : file == read_file::kPages && from.count() > documents)
      return DoNotFit(name);
    // Pages are numbered as their documents are.
    while (file == read_file::kPages && from.count() > 0 && to.count() < first_)
      TWINSET_TRY(to.Append(""));
    const Change change = ChangeOf(file);
    std::string changed;
    std::string_view bytes;
    for (uint64_t i = 0;; ++i) {
      TWINSET_ASSIGN(const bool more, from.Next(&bytes));
      if (!more) return {};
      if (i % kReportedDocuments == 0) TWINSET_TRY(run_.CheckStop());
      if (change != nullptr) {
        changed = bytes;
        TWINSET_TRY(change(&changed));
        bytes = changed;
      }
      TWINSET_TRY(to.Append(bytes));
    }
  }

  const Run& run_;
  const Plan& plan_;
  const StoredInputs& stored_;
  ReadOutputs& files_;
  const uint64_t first_;  // number of the first document
};

}  // namespace

bool LeavesFile(const Plan& plan, read_file::ReadFile file) {
  switch (file) {
    case read_file::kViews:
      return plan.features.views.size() > 1;
    case read_file::kTexts:
      return plan.checks_texts();
    case read_file::kJudged:
      return plan.options.kinds;
    default:
      return true;
  }
}

tl::unexpected<Error> StoredFilesDoNotFit(const StoredInputs& stored,
                                          const std::string& name) {
  return Fail(ErrorCode::kCorrupt,
              "the files of the saved run do not fit each other",
              stored.run->Path(name), "make it again with dedup --save");
}

Result<ReadCounts> StoredReadCounts(const StoredInputs& stored) {
  ReadCounts counts;
  if (!FieldsFromJson(stored.run->description()["counts_of_read"],
                      stored.end - stored.begin, &counts))
    return StoredFilesDoNotFit(stored, SavedRun::kManifest);
  return counts;
}

Result<BlobReader> OpenStored(const StoredInputs& stored,
                              const std::string& name) {
  if (!stored.run->Has(name))
    return StoredFilesDoNotFit(stored, SavedRun::kManifest);
  return BlobReader::Open(stored.run->Path(name), stored.hashes.Of(name));
}

Status TakeStoredDocument(const Plan& plan, const StoredInputs& stored,
                          DocumentInfo* info) {
  TWINSET_TRY(MoveSource(stored, &info->provenance.source));
  if (plan.scope.across.kind == ScopeField::kSide) {
    info->across = ScopeOfSide(plan.inputs.SideOf(stored.begin));
    info->within = kNoScope;
  }
  info->seconds = plan.scope.window_seconds != 0
                      ? ParseDate(info->provenance.date)
                      : kNoDate;
  std::vector<std::string> fields;
  for (const size_t place : stored.fields) {
    fields.push_back(place < info->fields.size()
                         ? std::move(info->fields[place])
                         : std::string());
  }
  info->fields = std::move(fields);
  return {};
}

Status TakeStoredDocuments(const Run& run, const StoredInputs& stored,
                           ReadOutputs* files, ReadCounts* counts) {
  return Taking(run, stored, files).Do(counts);
}

Status CheckAdded(const std::string& problem, Run* run) {
  const PlanInputs& inputs = run->plan.inputs;
  if (inputs.first_own() == 0) return {};
  ReadOutcome own = run->counts.read.sides[0].outcome;
  for (const StoredInputs& stored : inputs.stored) {
    TWINSET_ASSIGN(const ReadCounts counts, StoredReadCounts(stored));
    const ReadOutcome& before = counts.sides[0].outcome;
    own.records -= before.records;
    own.documents -= before.documents;
    own.quarantined -= before.quarantined;
  }
  own.problem = problem;
  if (own.documents > 0) return {};
  if (own.records == 0 && own.problem.empty()) {
    run->warnings.push_back(
        "there is no record in the new inputs: nothing is added");
    return {};
  }
  return Fail(ErrorCode::kCorrupt,
              "nothing is added: " + NoDocumentText(own, "what would be added"),
              "", "--text-field names the field of the text");
}

}  // namespace twinset
