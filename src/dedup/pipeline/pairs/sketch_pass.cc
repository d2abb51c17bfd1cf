#include "pipeline/pairs/sketch_pass.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/parallel.h"
#include "pipeline/pairs/pair_batch.h"
#include "pipeline/read/stored_sketches.h"
#include "pipeline/read/view_store.h"

namespace twinset {

namespace {

constexpr uint64_t kBatchBytes = 512 << 10, kBesideBytes = 64 << 10;
constexpr uint64_t kItemBytes = 1 << 10;

// Returns true iff sketches are stored, or any is of a view beyond the first.
bool ReadsViews(const Plan& plan, const MethodParts& parts) {
  const auto& views = parts.sketch_views;
  return plan.features.sketching || std::any_of(views.begin(), views.end(),
                                                [](size_t v) { return v > 0; });
}

// Documents that are sketched together by one thread, and what is stored of
// them.
struct SketchBatch {
  // Makes room at once: while it grows, a large document is there twice.
  void Reserve(uint64_t bytes) {
    constexpr uint64_t kFrames = 64;
    const uint64_t most = stored.size() + bytes + kFrames;
    if (most > stored.capacity()) stored.reserve(std::max(most, kBatchBytes));
  }
  // Takes what is next in the file, if there is one; the views of items point
  // to it once Point was called.
  Status Keep(std::optional<BlobReader>* file) {
    stored.resize((stored.size() + 7) / 8 * 8);
    const size_t begin = stored.size();
    if (*file) TWINSET_TRY((*file)->AppendNext(&stored));
    kept.push_back(stored.size() - begin);
    return {};
  }
  void Point() {
    size_t at = 0;
    auto next = [&, i = size_t{0}]() mutable {
      at = (at + 7) / 8 * 8;
      const std::string_view bytes(stored.data() + at, kept[i]);
      at += kept[i++];
      return bytes;
    };
    for (SketchedDocument& item : items) {
      item.features = next();
      item.views = next();
    }
  }

  std::vector<SketchedDocument> items;
  std::string stored;
  std::vector<size_t> kept;  // bytes of features and views, in turn
  // Documents before this number that are no items are copies or empty.
  uint64_t skipped_until = 0;
  Reservation memory;
  Status status;
};

class SketchPass {
 public:
  SketchPass(Run* run, SketchFiles files, const SketchWork& work,
             const std::function<Status(SketchedDocument*)>& sink,
             uint64_t more_bytes)
      : run_(run),
        plan_(run->plan),
        files_(std::move(files)),
        work_(work),
        sink_(sink),
        times_(1 + more_bytes) {}

  Status Do() {
    TWINSET_TRY(NextCopy());
    Status source_status, sink_status;
    OrderedPipeline(
        plan_.machine.threads, static_cast<size_t>(plan_.machine.threads) * 4,
        [&]() -> PipelineItem {
          if (plan_.options.stop != nullptr && *plan_.options.stop)
            return nullptr;
          auto batch = std::make_shared<SketchBatch>();
          const Result<bool> more = Fill(batch.get());
          if (!more) source_status = tl::unexpected(more.error());
          return more && *more ? batch : nullptr;
        },
        [&](void* batch) { Compute(static_cast<SketchBatch*>(batch)); },
        [&](void* batch) {
          sink_status = Pass(static_cast<SketchBatch*>(batch));
          return sink_status.has_value();
        });
    TWINSET_TRY(source_status);
    TWINSET_TRY(sink_status);
    return run_->CheckStop();
  }

 private:
  Status NextCopy() {
    has_copy_ = false;
    if (files_.copies) {
      TWINSET_ASSIGN(has_copy_, files_.copies->Next(&copy_));
    }
    return {};
  }

  // What is stored of the next document.
  Result<uint64_t> LengthOfStored() {
    uint64_t bytes = 0;
    for (auto* file : {&files_.features, &files_.views}) {
      if (!*file) continue;
      TWINSET_ASSIGN(const uint32_t length, (*file)->NextLength());
      bytes += length;
    }
    return bytes;
  }
  Status SkipStored() {
    for (auto* file : {&files_.features, &files_.views})
      if (*file) TWINSET_TRY((*file)->Skip());
    return {};
  }

  // Appends the next batch's items; false at the end of the corpus.
  Result<bool> Fill(SketchBatch* batch) {
    uint64_t bytes = 0;
    batch->memory = run_->budget.Wait(kBatchBytes + kBesideBytes);
    while (bytes < kBatchBytes) {
      std::string_view info_bytes;
      uint64_t rank = 0;
      TWINSET_ASSIGN(const bool more, files_.documents.Next(&info_bytes));
      if (!more) break;
      TWINSET_TRY(DecodeDocumentInfo(info_bytes, &info_));
      const DocumentInfo& info = info_;
      if (files_.ranks) TWINSET_TRY(files_.ranks->Next(&rank));
      const uint64_t number = document_++;
      batch->skipped_until = document_;
      const bool is_copy = has_copy_ && copy_.document == number;
      if (is_copy) TWINSET_TRY(NextCopy());
      if (is_copy || info.empty) {
        TWINSET_TRY(SkipStored());
        continue;
      }
      TWINSET_ASSIGN(const uint64_t stored, LengthOfStored());
      bytes += times_ * stored + kItemBytes;
      if (bytes > kBatchBytes) batch->memory.Resize(bytes + kBesideBytes);
      batch->Reserve(stored);
      TWINSET_TRY(batch->Keep(&files_.features));
      TWINSET_TRY(batch->Keep(&files_.views));
      SketchedDocument& item = batch->items.emplace_back();
      item.document = number;
      item.rank = rank;
      item.size = info.feature_count;
      item.within = files_.within.value_or(info.within);
      item.fingerprint = info.fingerprint;
      item.across = info.across;
    }
    batch->Point();
    batch->memory.Resize(bytes + kBesideBytes);
    return batch->skipped_until != 0;
  }

  void Compute(SketchBatch* batch) const {
    for (SketchedDocument& item : batch->items) {
      batch->status = work_(&item);
      if (!batch->status) return;
    }
  }

  Status Pass(SketchBatch* batch) {
    TWINSET_TRY(batch->status);
    for (SketchedDocument& item : batch->items) TWINSET_TRY(sink_(&item));
    run_->Report("documents", batch->skipped_until, run_->documents());
    batch->memory.Reset();
    return {};
  }

  Run* run_;
  const Plan& plan_;
  SketchFiles files_;
  const SketchWork& work_;
  const std::function<Status(SketchedDocument*)>& sink_;
  const uint64_t times_;  // of memory a stored byte
  DocumentInfo info_;
  CopyByDocument copy_;
  bool has_copy_ = false;
  uint64_t document_ = 0;
};

}  // namespace

Result<SketchFiles> OpenSketchFiles(
    const Run& run,
    const std::function<Result<BlobReader>(const char* what)>& open) {
  SketchFiles files;
  TWINSET_ASSIGN(files.documents, open("documents"));
  // Sketches that the read stage has made stand in place of views.
  if (!run.plan.features.sketching) {
    TWINSET_ASSIGN(files.features, open("features"));
  }
  if (ReadsViews(run.plan, run.parts)) {
    TWINSET_ASSIGN(files.views, open("views"));
  }
  return files;
}

Result<SketchFiles> OpenSketchFiles(const Run& run) {
  return OpenSketchFiles(run, [&run](const char* what) {
    return OpenBlob(run, what[0] == 'd'   ? run.documents_file
                         : what[0] == 'f' ? run.features_file
                                          : run.views_file);
  });
}

Status StoredSketches(const Plan& plan, const MethodParts& parts,
                      std::string_view features, std::string_view stored,
                      std::vector<Sketch>* sketches, bool asked) {
  if (plan.features.sketching) {
    std::vector<SketchView> made;
    TWINSET_TRY(DecodeSketches(stored, parts.sketchers.size(), &made));
    sketches->clear();
    for (const SketchView sketch : made)
      sketches->emplace_back(sketch.begin(), sketch.end());
    return {};
  }
  std::vector<std::string_view> views = {features};
  if (ReadsViews(plan, parts))
    TWINSET_TRY(DecodeViews(stored, plan.features.views.size() - 1, &views));
  ComputeSketches(parts, views, sketches, asked);
  return {};
}

Status StoredSketches(const Run& run, std::string_view features,
                      std::string_view stored, std::vector<Sketch>* sketches,
                      bool asked) {
  return StoredSketches(run.plan, run.parts, features, stored, sketches, asked);
}

SketchWork MakeSketches(const Run& run) {
  const bool sided = run.plan.scope.across.kind == ScopeField::kSide;
  return [&run, sided](SketchedDocument* item) {
    const bool asked = sided && item->across == Hash128Value();
    return StoredSketches(run, item->features, item->views, &item->sketches,
                          asked);
  };
}

SketchWork MakeKeys(const Run& run) {
  if (run.plan.features.late) {
    return [](SketchedDocument* item) -> Status {
      const auto keys = AsHashes(item->views);
      item->keys.assign(keys.begin(), keys.end());
      return {};
    };
  }
  return [&run, sketch = MakeSketches(run)](SketchedDocument* item) -> Status {
    TWINSET_TRY(sketch(item));
    run.parts.generator->Keys(item->sketches, item->within.low, &item->keys);
    return {};
  };
}

Status ForEachSketched(Run* run, const SketchWork& work,
                       const std::function<Status(SketchedDocument*)>& sink,
                       uint64_t more_bytes) {
  TWINSET_ASSIGN(SketchFiles files, OpenSketchFiles(*run));
  TWINSET_ASSIGN(files.ranks, OpenRun<uint64_t>(*run, "ranks.run"));
  TWINSET_ASSIGN(files.copies,
                 OpenRun<CopyByDocument>(*run, "copies-by-document.run"));
  return ForEachSketchedOf(run, std::move(files), work, sink, more_bytes);
}

Status ForEachSketchedOf(Run* run, SketchFiles files, const SketchWork& work,
                         const std::function<Status(SketchedDocument*)>& sink,
                         uint64_t more_bytes) {
  run->step = run->parts.sketchers.empty() ? "read features" : "sketch";
  const Status done =
      SketchPass(run, std::move(files), work, sink, more_bytes).Do();
  run->step.clear();
  return done;
}

Status ForEachSketchPair(
    Run* run, const std::function<Result<bool>(CandidatePair*)>& next,
    const std::function<Status(const CandidatePair&,
                               std::span<const SketchView>,
                               std::span<const SketchView>)>& body) {
  TWINSET_ASSIGN(auto reader, OpenBlob(*run, run->sketches_file()));
  const Reservation table =
      run->budget.ReserveUpTo(kMostBatchPairs * sizeof(CandidatePair), 1 << 20);
  const size_t max_pairs = table.bytes() / sizeof(CandidatePair);
  const size_t sketches = run->parts.sketchers.size();
  std::vector<SketchView> a, b;
  return ForEachPairBatch<CandidatePair>(
      run, reader, run->Share(4), max_pairs, next,
      [&](std::span<const CandidatePair> pairs,
          const BlobBatch& batch) -> Status {
        for (const CandidatePair& pair : pairs) {
          TWINSET_TRY(DecodeSketches(batch.Get(pair.a), sketches, &a));
          TWINSET_TRY(DecodeSketches(batch.Get(pair.b), sketches, &b));
          TWINSET_TRY(body(pair, a, b));
        }
        return {};
      });
}

void ComputeSketches(const MethodParts& parts, DocumentViews views,
                     std::vector<Sketch>* sketches, bool asked) {
  const auto& sketchers = asked && !parts.asked_sketchers.empty()
                              ? parts.asked_sketchers
                              : parts.sketchers;
  sketches->resize(sketchers.size());
  for (size_t i = 0; i < sketches->size(); ++i) {
    const size_t view =
        i < parts.sketch_views.size() ? parts.sketch_views[i] : 0;
    sketchers[i]->Compute(views[view], &(*sketches)[i]);
  }
}

}  // namespace twinset
