#include "pipeline/pairs/ask_stage.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/for_each.h"
#include "base/hash.h"
#include "base/lists/number_set.h"
#include "pipeline/pairs/lookup_file.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/read/page_spool.h"
#include "pipeline/read/read_files.h"
#include "pipeline/read/stored_documents.h"

namespace twinset {

namespace {

constexpr char kAskedJudged[] = "texts-and-layouts-asked.blob";
constexpr char kAskedPages[] = "pages-asked.blob";

bool CutsPages(const RunCounts& counts) {
  return counts.site_template && counts.site_template->pages_cut > 0;
}

// What the stages of the saved run counted.
Result<RunCounts> CountsOf(const StoredInputs& stored) {
  RunCounts counts;
  if (!SavedCountsFromJson(stored.run->description()["counts"],
                           stored.end - stored.begin, &counts))
    return StoredFilesDoNotFit(stored, SavedRun::kManifest);
  return counts;
}

// A work file of the first side, and behind it what is taken.
struct Joined {
  std::string name;   // of the work file that it becomes
  BlobReader stored;  // of the saved run
  BlobWriter to;
};

class Asking {
 public:
  explicit Asking(Run* run)
      : run_(run), plan_(run->plan), stored_(*run->plan.inputs.asked()) {}

  Status Do() {
    AskCounts& counts = run_->counts.asked.emplace();
    TWINSET_TRY(OpenFiles());
    TWINSET_TRY(CollectKeys());
    TWINSET_ASSIGN(const bool found, TakeFound(&counts));
    if (!found) TWINSET_TRY(TakeDocuments(&counts));
    std::vector<std::string> names;
    for (Joined* file : Files()) {
      TWINSET_TRY(file->to.Finish());
      names.push_back(file->name);
      names.push_back(file->name + ".idx");
    }
    TWINSET_TRY(UseAsked(run_));
    return run_->FinishStage("ask", names, run_->counts.asked);
  }

 private:
  // What later stages of the saved run read, as its manifest names it.
  Result<BlobReader> OpenCurrent(const char* what) const {
    const Json& current = stored_.run->description()["current"];
    return OpenStored(stored_, current[what].get<std::string>());
  }

  Result<Joined> Open(const char* what, const std::string& own) const {
    TWINSET_ASSIGN(auto stored, OpenCurrent(what));
    return Join(std::string(what) + "-asked.blob", own, std::move(stored));
  }

  // The work file `own` of the first side, copied to `name`.
  Result<Joined> Join(const std::string& name, const std::string& own,
                      BlobReader stored) const {
    TWINSET_ASSIGN(auto from, OpenBlob(*run_, own));
    TWINSET_ASSIGN(auto to, CreateBlob(*run_, name));
    TWINSET_TRY(ForEach<std::string_view>(
        &from, [&](std::string_view bytes) { return to.Append(bytes); }));
    return Joined{name, std::move(stored), std::move(to)};
  }

  Status OpenFiles() {
    TWINSET_ASSIGN(documents_, Open("documents", run_->documents_file));
    TWINSET_ASSIGN(features_, Open("features", run_->features_file));
    if (plan_.features.views.size() > 1) {
      TWINSET_ASSIGN(views_, Open("views", run_->views_file));
    }
    if (plan_.checks_texts()) {
      TWINSET_ASSIGN(texts_, Open("texts", run_->texts_file));
    }
    if (plan_.options.kinds) {
      TWINSET_ASSIGN(auto judged, OpenStored(stored_, read_file::kJudgedName));
      TWINSET_ASSIGN(judged_,
                     Join(kAskedJudged, run_->judged_file, std::move(judged)));
    }
    TWINSET_ASSIGN(ids_, OpenStored(stored_, "ids.blob"));
    const uint64_t count = run_->counts.read.sides[1].outcome.documents;
    TWINSET_TRY(OpenPages(count));
    for (Joined* file : Files()) {
      if (pages_ && file == &*pages_) continue;
      if (file->stored.count() != count)
        return StoredFilesDoNotFit(stored_, file->name);
    }
    return ids_->count() == count ? Status()
                                  : StoredFilesDoNotFit(stored_, "ids.blob");
  }

  // Rows compare pages with their template where a site has one. There are
  // pages up to the last document that is one.
  Status OpenPages(uint64_t count) {
    TWINSET_ASSIGN(const RunCounts counts, CountsOf(stored_));
    if (!CutsPages(run_->counts) && !CutsPages(counts)) return {};
    TWINSET_ASSIGN(auto stored,
                   OpenStored(stored_, read_file::kNames[read_file::kPages]));
    TWINSET_ASSIGN(pages_,
                   Join(kAskedPages, run_->pages_file, std::move(stored)));
    if (pages_->stored.count() > count)
      return StoredFilesDoNotFit(stored_, pages_->name);
    while (pages_->to.count() < documents_->to.count())
      TWINSET_TRY(pages_->to.Append(""));
    return {};
  }

  Status TakePage(uint64_t document) {
    if (!pages_) return {};
    std::string page;
    if (document < pages_->stored.count())
      TWINSET_TRY(pages_->stored.ReadOne(document, &page));
    MoveToSecondSide(&page);
    return pages_->to.Append(page);
  }

  std::vector<Joined*> Files() {
    std::vector<Joined*> files;
    for (auto* file :
         {&documents_, &features_, &views_, &texts_, &judged_, &pages_})
      if (*file) files.push_back(&**file);
    return files;
  }

  // ---- what the first side asks for ----

  Status CollectKeys() {
    keys_.emplace(run_->Share(4), &run_->budget);
    if (HasLookup()) questions_.emplace(run_);
    TWINSET_ASSIGN(SketchFiles files, OpenSketchFiles(*run_));
    TWINSET_TRY(ForEachSketchedOf(
        run_, std::move(files), MakeKeys(*run_),
        [this](SketchedDocument* item) {
          if (keys_ && !keys_->Add(EqualityKey(item->fingerprint)))
            keys_.reset();
          for (const uint64_t key : item->keys)
            if (keys_ && !keys_->Add(key)) keys_.reset();
          if (questions_) questions_->Add(*item);
          return Status();
        }));
    if (keys_) keys_->Finish();
    return {};
  }

  bool IsAsked(const SketchedDocument& item) const {
    return !keys_ || keys_->Has(EqualityKey(item.fingerprint)) ||
           std::any_of(item.keys.begin(), item.keys.end(),
                       [this](uint64_t key) { return keys_->Has(key); });
  }

  // ---- what the saved run has of it ----

  // Returns true iff the saved run has the keys that this run makes.
  bool HasLookup() const {
    const Json& description = stored_.run->description();
    const uint64_t hash = LookupHash(plan_, run_->parts, stored_.hashes.sketch);
    return hash != 0 && stored_.run->Has(kLookupFile) &&
           description.contains("lookup") &&
           description["lookup"] == Json(ToHex(hash));
  }

  // False where a pass over all documents is the way.
  Result<bool> TakeFound(AskCounts* counts) {
    if (!keys_ || !questions_) return false;
    TWINSET_ASSIGN(auto file,
                   BlobReader::Open(
                       stored_.run->Path(kLookupFile),
                       LookupHash(plan_, run_->parts, stored_.hashes.sketch)));
    if (file.count() != documents_->stored.count())
      return StoredFilesDoNotFit(stored_, kLookupFile);
    TWINSET_ASSIGN(const auto found, questions_->Find(std::move(file), *keys_));
    if (!found) return false;
    for (const uint64_t document : found->documents)
      TWINSET_TRY(Take(document));
    counts->taken = found->documents.size();
    counts->flagged = found->flagged;
    return true;
  }

  Status TakeDocuments(AskCounts* counts) {
    TWINSET_ASSIGN(SketchFiles files,
                   OpenSketchFiles(*run_, [this](const char* what) {
                     return OpenCurrent(what);
                   }));
    files.within = kNoScope;
    return ForEachSketchedOf(run_, std::move(files), MakeKeys(*run_),
                             [&](SketchedDocument* item) -> Status {
                               if (IsAsked(*item)) {
                                 ++counts->taken;
                                 return Take(item->document);
                               }
                               counts->flagged += item->keys.empty();
                               return {};
                             });
  }

  // Its id is the one that the saved run gave it, unique there.
  Status Take(uint64_t document) {
    std::string bytes;
    TWINSET_TRY(documents_->stored.ReadOne(document, &bytes));
    TWINSET_ASSIGN(DocumentInfo info, DecodeDocumentInfo(bytes));
    TWINSET_TRY(TakeStoredDocument(plan_, stored_, &info));
    TWINSET_TRY(ids_->ReadOne(document, &info.id));
    EncodeDocumentInfo(info, &bytes);
    TWINSET_TRY(documents_->to.Append(bytes));
    for (auto* file : {&features_, &views_, &texts_, &judged_}) {
      if (!*file) continue;
      TWINSET_TRY((*file)->stored.ReadOne(document, &bytes));
      TWINSET_TRY((*file)->to.Append(bytes));
    }
    return TakePage(document);
  }

  Run* run_;
  const Plan& plan_;
  const StoredInputs& stored_;
  std::optional<Joined> documents_, features_, views_, texts_, judged_, pages_;
  std::optional<BlobReader> ids_;
  std::optional<NumberSet> keys_;  // of the first side; none: they do not fit
  std::optional<LookupQuestions> questions_;
};

}  // namespace

Status UseAsked(Run* run) {
  const StoredInputs& stored = *run->plan.inputs.asked();
  run->documents_file = "documents-asked.blob";
  run->features_file = "features-asked.blob";
  if (run->plan.features.views.size() > 1) run->views_file = "views-asked.blob";
  if (run->plan.checks_texts()) run->texts_file = "texts-asked.blob";
  if (run->plan.options.kinds) run->judged_file = kAskedJudged;
  run->unpruned_file = run->features_file;  // such runs do not prune
  TWINSET_ASSIGN(RunCounts counts, CountsOf(stored));
  run->counts.order.repeated_ids = counts.order.repeated_ids;
  if (counts.site_template) {
    if (!run->counts.site_template) run->counts.site_template.emplace();
    run->counts.site_template->AddSecondSide(*std::move(counts.site_template));
  }
  if (CutsPages(run->counts)) run->pages_file = kAskedPages;
  return {};
}

Status AskStage(Run* run) {
  if (run->plan.inputs.asked() != nullptr) return Asking(run).Do();
  return run->FinishStage("ask", {}, run->counts.asked);
}

}  // namespace twinset
