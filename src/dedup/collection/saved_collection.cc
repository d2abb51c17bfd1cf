#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "base/hash.h"
#include "base/memory_folder.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "candidate/complete/prefix_join.h"
#include "candidate/complete/rarity.h"
#include "candidate/join.h"
#include "candidate/sketch_lookup.h"
#include "methods/measures.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/ingest.h"
#include "pipeline/run/run.h"
#include "pipeline/run/run_key.h"
#include "pipeline/saved/recut_stages.h"
#include "pipeline/saved/save_run.h"
#include "pipeline/saved/saved_options.h"
#include "twinset/plain_words.h"
#include "twinset/saved_run.h"

namespace twinset {

namespace {

constexpr uint64_t kWorkBytes = 1 << 20;  // the journal of no stage
constexpr size_t kAskedTogether = 16;     // texts of a batch, by one thread

Status CheckServes(const PlanOptions& options, const std::string& folder) {
  const char* why = !options.method.verify       ? "does not verify its pairs"
                    : options.method.verify_text ? "compares texts"
                    : options.method.measure == Measure::kContainment
                        ? "measures containment"
                    : MeasureLearns(options.method)
                        ? "weighs features by all of its documents"
                        : nullptr;
  if (why == nullptr) return {};
  return Fail(ErrorCode::kUnsupported,
              std::string("single texts cannot be looked up in a saved run "
                          "that ") +
                  why,
              NameText(folder));
}

Result<Plan> PlanOf(const SavedRun& saved,
                    const SavedCollectionOptions& options,
                    const std::string& work) {
  TWINSET_ASSIGN(PlanOptions run, SavedOptions(saved));
  TWINSET_TRY(CheckServes(run, saved.folder()));
  if (options.threshold) run.method.threshold = *options.threshold;
  run.within.clear();
  run.across.clear();
  run.out = work;
  run.resources.threads = options.threads;
  run.resources.memory_bytes = options.memory_bytes;
  run.on_progress = options.on_progress;
  run.stop = options.stop;
  TWINSET_ASSIGN(InputList inputs, SavedInputs(saved));
  TWINSET_ASSIGN(Plan plan, MakePlan(run, nullptr, std::move(inputs)));
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  TWINSET_ASSIGN(plan.scope.field_places,
                 PlacesOfFields(saved, plan.inputs.read.fields));
  plan.hashes = SavedHashes(saved);
  plan.machine.work = work;
  TWINSET_TRY(TakeKey(saved.folder(), &plan));
  return plan;
}

}  // namespace

struct SavedCollection::Parts {
  Parts(SavedRun s, std::unique_ptr<MemoryFolder> w, Plan plan, Journal journal)
      : saved(std::move(s)),
        work(std::move(w)),
        run(std::move(plan), std::move(journal)) {}

  // Opens the files and collects the keys, or fills the method's own lookup.
  Status Load();
  // Fills `rarity`, which methods that go by prefixes have.
  Status CountElements();
  SketchWork MakeStoredKeys() const;
  void RareKeys(std::string_view elements, std::vector<uint64_t>* keys) const {
    PrefixKeys(*run.parts.overlap, nullptr, elements, keys, &*rarity);
  }
  Status CollectKeys();
  // Documents of equal features, and those that share a key or are found by
  // the lookup; ascending.
  Result<std::vector<uint64_t>> Candidates(
      const Ingested& asked, const std::vector<Sketch>& sketches) const;
  // Returns true iff documents of so many features can be a pair.
  bool SizesFit(uint64_t x, uint64_t y) const;
  // Returns true iff the method's own filter lets the document pass.
  Result<bool> Passes(const std::vector<Sketch>& sketches, uint64_t document,
                      const std::string& features) const;
  Result<std::vector<FoundDocument>> Find(std::string_view text,
                                          IngestScratch* scratch) const;
  // Fills the answers to the texts from `begin` to `end`.
  Status FindAll(const TextBatch& batch, size_t begin, size_t end,
                 std::vector<std::vector<FoundDocument>>* found) const;

  const SavedRun saved;
  const std::unique_ptr<MemoryFolder> work;
  Run run;
  IgnoredSet ignored;
  SketchFiles files;  // read at places alone
  BlobReader features, ids;
  Reservation memory, counters;
  std::unique_ptr<SketchLookup> lookup;  // null: all keys are in `postings`
  // How many documents have an element. Prefixes of the rarest make look-ups
  // that do not meet what every document has.
  std::optional<Rarity> rarity;
  std::optional<StoredPostings> postings;
};

Status SavedCollection::Parts::Load() {
  if (run.parts.generator == nullptr) {
    return Fail(ErrorCode::kUnsupported,
                "method " + run.plan.features.method->info.name +
                    " goes by no keys: single texts cannot be looked up",
                saved.folder());
  }
  TWINSET_ASSIGN(ignored, LoadIgnored(&run));
  TWINSET_ASSIGN(files, OpenSketchFiles(run));
  TWINSET_ASSIGN(features, OpenBlob(run, run.features_file));
  TWINSET_ASSIGN(ids, OpenBlob(run, "ids.blob"));
  if (run.parts.lookup) lookup = run.parts.lookup(&run.budget);
  if (run.parts.complete && run.parts.overlap && !run.plan.features.sketching)
    TWINSET_TRY(CountElements());
  TWINSET_TRY(CollectKeys());
  TWINSET_TRY(run.CheckStop());
  return lookup == nullptr ? Status() : lookup->Build();
}

Status SavedCollection::Parts::CountElements() {
  constexpr uint64_t kLeastBytes = 2 << 20;
  Rarity::Options options;
  options.elements = std::max<uint64_t>(1, run.counts.read.features);
  options.memory_bytes =
      std::clamp(Rarity::BytesFor(options.elements), kLeastBytes, run.Share(4));
  options.threads = run.plan.machine.threads;
  counters = run.budget.ReserveUpTo(options.memory_bytes, kLeastBytes);
  TWINSET_TRY(rarity.emplace().Map(options));
  TWINSET_ASSIGN(SketchFiles all, OpenSketchFiles(run));
  all.within = kNoScope;
  const SketchWork count = [this](SketchedDocument* item) -> Status {
    std::vector<uint64_t> elements;
    std::vector<uint32_t> counts;
    JoinElements(run.parts.overlap->measure(), item->features, &elements,
                 &counts);
    for (const uint64_t element : elements)
      rarity->Count(item->document, element, true);
    return {};
  };
  return ForEachSketchedOf(&run, std::move(all), count,
                           [](SketchedDocument*) { return Status(); });
}

SketchWork SavedCollection::Parts::MakeStoredKeys() const {
  if (lookup != nullptr) return MakeSketches(run);
  if (!rarity) return MakeKeys(run);
  return [this](SketchedDocument* item) -> Status {
    RareKeys(item->features, &item->keys);
    return {};
  };
}

Status SavedCollection::Parts::CollectKeys() {
  TWINSET_ASSIGN(SketchFiles all, OpenSketchFiles(run));
  all.within = kNoScope;
  std::vector<Posting> found;
  memory = run.budget.ReserveUpTo(run.Share(2), run.Share(2));
  const auto add = [&](const SketchedDocument& item, uint64_t key) -> Status {
    // While the vector grows, both are there.
    if ((found.size() + 1) * 2 * sizeof(Posting) > memory.bytes()) {
      return Fail(ErrorCode::kMemory,
                  "the keys of the saved run do not fit into memory",
                  saved.folder(), "give more memory_bytes");
    }
    found.push_back(
        Posting::Make(key, item.document, item.document, item.size));
    return {};
  };
  TWINSET_TRY(ForEachSketchedOf(
      &run, std::move(all), MakeStoredKeys(),
      [&](SketchedDocument* item) -> Status {
        TWINSET_TRY(add(*item, EqualityKey(item->fingerprint)));
        if (lookup != nullptr)
          return lookup->Add(item->document, item->sketches);
        for (const uint64_t key : item->keys) TWINSET_TRY(add(*item, key));
        return {};
      }));
  found.shrink_to_fit();
  postings.emplace(std::move(found));
  return {};
}

bool SavedCollection::Parts::SizesFit(uint64_t x, uint64_t y) const {
  if (!rarity) return true;
  switch (run.parts.overlap->measure()) {
    case JoinMeasure::kJaccard:
    case JoinMeasure::kDice:
    case JoinMeasure::kCosine:
      return std::max(x, y) >= Posting::kMaxSize ||
             std::min(x, y) >=
                 run.parts.overlap->SmallestPartner(std::max(x, y));
    default:  // features repeat
      return true;
  }
}

Result<std::vector<uint64_t>> SavedCollection::Parts::Candidates(
    const Ingested& asked, const std::vector<Sketch>& sketches) const {
  std::vector<uint64_t> documents, keys;
  if (lookup != nullptr) {
    TWINSET_TRY(lookup->Find(sketches, &documents));
  } else if (rarity) {
    RareKeys(asked.features, &keys);
  } else {
    run.parts.generator->Keys(sketches, kNoScope.low, &keys);
  }
  keys.push_back(EqualityKey(asked.info.fingerprint));
  for (const uint64_t key : keys) {
    for (const Posting& posting : postings->Bucket(key))
      if (SizesFit(posting.size(), asked.info.feature_count))
        documents.push_back(posting.document());
  }
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()),
                  documents.end());
  return documents;
}

Result<bool> SavedCollection::Parts::Passes(const std::vector<Sketch>& sketches,
                                            uint64_t document,
                                            const std::string& own) const {
  if (run.parts.filter == nullptr) return true;
  std::string views;
  if (files.views) TWINSET_TRY(files.views->ReadOne(document, &views));
  std::vector<Sketch> stored;
  TWINSET_TRY(StoredSketches(run, own, views, &stored));
  const std::vector<SketchView> a(sketches.begin(), sketches.end()),
      b(stored.begin(), stored.end());
  return run.parts.filter->Passes(a, b);
}

Result<std::vector<FoundDocument>> SavedCollection::Parts::Find(
    std::string_view text, IngestScratch* scratch) const {
  Document document;
  document.kind = ContentKind::kText;
  document.payload = text;
  const Ingested made = Ingest(run.plan, ignored.hashes, &document, scratch);
  std::vector<FoundDocument> found;
  const bool is_compared =
      made.quarantine_reason.empty() && made.skip_reason.empty();
  if (!is_compared || made.info.empty) return found;
  std::vector<Sketch> sketches;
  TWINSET_TRY(StoredSketches(run, made.features, made.views, &sketches));
  TWINSET_ASSIGN(const std::vector<uint64_t> candidates,
                 Candidates(made, sketches));
  std::string own;
  for (const uint64_t candidate : candidates) {
    TWINSET_TRY(features.ReadOne(candidate, &own));
    // Equal features are a pair whatever a filter says of their sketches.
    if (own != made.features) {
      TWINSET_ASSIGN(const bool passes, Passes(sketches, candidate, own));
      if (!passes) continue;
    }
    const Verifier::Verdict verdict =
        run.parts.verifier->Compare(made.features, own);
    if (!verdict.accepted) continue;
    FoundDocument& row = found.emplace_back();
    row.similarity = verdict.score;
    row.document = candidate;
    TWINSET_TRY(ids.ReadOne(candidate, &row.id));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundDocument& x, const FoundDocument& y) {
                     return x.similarity > y.similarity;
                   });
  return found;
}

Status SavedCollection::Parts::FindAll(
    const TextBatch& batch, size_t begin, size_t end,
    std::vector<std::vector<FoundDocument>>* found) const {
  IngestScratch scratch;
  for (size_t i = begin; i < end; ++i) {
    TWINSET_TRY(CheckStop(run.plan.options.stop));
    if (batch.IsNull(i)) continue;
    TWINSET_ASSIGN((*found)[i], Find(batch[i], &scratch));
  }
  return {};
}

SavedCollection::SavedCollection(std::unique_ptr<const Parts> parts)
    : parts_(std::move(parts)) {}
SavedCollection::SavedCollection(SavedCollection&&) noexcept = default;
SavedCollection& SavedCollection::operator=(SavedCollection&&) noexcept =
    default;
SavedCollection::~SavedCollection() = default;

Result<SavedCollection> SavedCollection::Open(
    const std::string& folder, const SavedCollectionOptions& options) try {
  TWINSET_ASSIGN(SavedRun saved, SavedRun::Open(folder));
  TWINSET_ASSIGN(auto work, MemoryFolder::Create(kWorkBytes));
  TWINSET_ASSIGN(Plan plan, PlanOf(saved, options, work->path()));
  TWINSET_ASSIGN(Journal journal, Journal::Create(work->path(), "{}"));
  auto parts = std::make_unique<Parts>(std::move(saved), std::move(work),
                                       std::move(plan), std::move(journal));
  TWINSET_TRY(TakeSaved(parts->saved, &parts->run));
  TWINSET_TRY(PrepareStage(&parts->run));
  TWINSET_TRY(parts->Load());
  return SavedCollection(std::move(parts));
} catch (const std::bad_alloc&) {
  return NoMemory();
}

uint64_t SavedCollection::size() const { return parts_->run.documents(); }

Result<std::vector<FoundDocument>> SavedCollection::Find(
    std::string_view text) const try {
  IngestScratch scratch;
  return parts_->Find(text, &scratch);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::vector<std::vector<FoundDocument>>> SavedCollection::Find(
    const TextBatch& batch) const try {
  TWINSET_TRY(batch.Check());
  std::vector<std::vector<FoundDocument>> found(batch.size());
  std::mutex mutex;
  Status status;
  std::atomic<bool> is_over = false;
  ParallelFor(batch.size(), kAskedTogether, parts_->run.plan.machine.threads,
              [&](size_t begin, size_t end) {
                if (is_over) return;
                Status one = parts_->FindAll(batch, begin, end, &found);
                if (one) return;
                const std::lock_guard lock(mutex);
                if (!is_over.exchange(true)) status = std::move(one);
              });
  TWINSET_TRY(status);
  return found;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
