// The candidate stage: sketches and keys of the first document of each class,
// joined into candidate pairs. Also the stage before it, which freezes the
// method's model.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/file.h"
#include "base/parallel.h"
#include "candidate/join.h"
#include "pipeline/run.h"

namespace twinset {

namespace {

constexpr uint64_t kBatchBytes = 512 << 10;

// Documents that are sketched together by one thread.
struct SketchBatch {
  struct Item {
    uint64_t document = 0, rank = 0, size = 0, scope = 0;
    std::string features;
    std::vector<Sketch> sketches;
  };
  std::vector<Item> items;
  std::vector<Posting> postings;
  uint64_t skipped_until =
      0;  // documents before this number that are no items have no sketch
  Reservation memory;
};

// Features of few documents, kept while there is room: what hot buckets
// compare.
class FeatureCache {
 public:
  FeatureCache(const BlobReader* reader, uint64_t bytes, MemoryBudget* budget)
      : reader_(reader), reservation_(budget->ReserveUpTo(bytes, 1 << 20)) {}

  Result<const std::string*> Get(uint64_t document) {
    const auto found = features_.find(document);
    if (found != features_.end()) return &found->second;
    std::string bytes;
    TWINSET_TRY(reader_->ReadOne(document, &bytes));
    used_bytes_ += bytes.size() + 128;
    return &features_.emplace(document, std::move(bytes)).first->second;
  }
  // Makes room; pointers handed out before are then invalid.
  void Trim() {
    if (used_bytes_ <= reservation_.bytes()) return;
    features_.clear();
    used_bytes_ = 0;
  }

 private:
  const BlobReader* reader_;
  Reservation reservation_;
  std::unordered_map<uint64_t, std::string> features_;
  uint64_t used_bytes_ = 0;
};

// What --across and --window compare.
struct ScopeValues {
  uint64_t across = 0;
  int64_t seconds = kNoDate;
};

class Candidates {
 public:
  explicit Candidates(Run* run)
      : run_(run),
        plan_(run->plan),
        postings_(run->SortOptions("postings", 3), &run->budget) {}

  Status Do() {
    // Equal bytes are one class already, unless the scopes forbid classes.
    const bool classes_are_all =
        plan_.form != FeatureForm::kShingles && plan_.has_classes();
    if (!classes_are_all) TWINSET_TRY(SketchAll());
    TWINSET_TRY(postings_.Finish());
    ExternalSortOptions options = run_->SortOptions("candidates", 3);
    options.unique = true;
    ExternalSorter<CandidatePair> pairs(options, &run_->budget);
    TWINSET_TRY(Join(&pairs));
    uint64_t count = 0;
    TWINSET_TRY(
        WriteRun<CandidatePair>(*run_, "candidates.run", &pairs,
                                [&](const CandidatePair&) { ++count; }));
    run_->counts["candidate"]["pairs"] = count;
    std::vector<std::string> files = {"candidates.run"};
    if (sketches_) {
      TWINSET_TRY(sketches_->Finish());
      files.push_back("sketches.blob");
      files.push_back("sketches.blob.idx");
    }
    return run_->journal.FinishStage("candidate", files,
                                     run_->counts["candidate"].dump());
  }

 private:
  // Postings of every first document of a class; sketches.blob if estimates
  // will be reported.
  Status SketchAll() {
    const uint64_t hash = plan_.parameters_hash;
    TWINSET_ASSIGN(auto features,
                   BlobReader::Open(run_->Path(run_->features_file), hash));
    TWINSET_ASSIGN(auto documents,
                   BlobReader::Open(run_->Path(run_->documents_file), hash));
    TWINSET_ASSIGN(auto ranks,
                   RunReader<uint64_t>::Open(run_->Path("ranks.run"), hash));
    TWINSET_ASSIGN(auto copies,
                   RunReader<CopyByDocument>::Open(
                       run_->Path("copies-by-document.run"), hash));
    if (!plan_.options.method.verify) {
      TWINSET_ASSIGN(sketches_,
                     BlobWriter::Create(run_->Path("sketches.blob"), hash));
    }
    CopyByDocument copy;
    TWINSET_ASSIGN(bool has_copy, copies.Next(&copy));
    uint64_t document = 0;
    // Appends the next batch's items; false at the end of the corpus.
    const auto fill = [&](SketchBatch* batch) -> Result<bool> {
      uint64_t bytes = 0;
      while (bytes < kBatchBytes) {
        std::string_view info_bytes, feature_bytes;
        uint64_t rank = 0;
        TWINSET_ASSIGN(const bool more, documents.Next(&info_bytes));
        if (!more) break;
        TWINSET_TRY(features.Next(&feature_bytes));
        TWINSET_TRY(ranks.Next(&rank));
        TWINSET_ASSIGN(const DocumentInfo info, DecodeDocumentInfo(info_bytes));
        const uint64_t number = document++;
        batch->skipped_until = document;
        const bool is_copy = has_copy && copy.document == number;
        if (is_copy) {
          TWINSET_ASSIGN(has_copy, copies.Next(&copy));
        }
        if (is_copy || info.empty) continue;
        batch->items.push_back({number,
                                rank,
                                info.feature_count,
                                info.within,
                                std::string(feature_bytes),
                                {}});
        bytes += feature_bytes.size() + 1024;
      }
      batch->memory = run_->budget.Wait(bytes + (64 << 10));
      return batch->skipped_until != 0;
    };
    OrderedPipeline(
        plan_.threads, static_cast<size_t>(plan_.threads) * 4,
        [&]() -> PipelineItem {
          if (plan_.options.stop != nullptr && *plan_.options.stop)
            return nullptr;
          auto batch = std::make_shared<SketchBatch>();
          const Result<bool> more = fill(batch.get());
          if (!more) source_status_ = tl::unexpected(more.error());
          return more && *more ? batch : nullptr;
        },
        [this](void* batch) { SketchOne(static_cast<SketchBatch*>(batch)); },
        [this](void* batch) {
          sink_status_ = Store(static_cast<SketchBatch*>(batch));
          return sink_status_.has_value();
        });
    TWINSET_TRY(source_status_);
    TWINSET_TRY(sink_status_);
    return run_->CheckStop();
  }

  void SketchOne(SketchBatch* batch) const {
    std::vector<uint64_t> keys;
    for (SketchBatch::Item& item : batch->items) {
      item.sketches.resize(run_->parts.sketchers.size());
      for (size_t i = 0; i < item.sketches.size(); ++i) {
        run_->parts.sketchers[i]->Compute(item.features, &item.sketches[i]);
      }
      keys.clear();
      run_->parts.generator->Keys(item.sketches, item.scope, &keys);
      for (const uint64_t key : keys) {
        batch->postings.push_back(
            Posting::Make(key, item.rank, item.document, item.size));
      }
    }
  }

  Status Store(SketchBatch* batch) {
    for (const Posting& posting : batch->postings)
      TWINSET_TRY(postings_.Add(posting));
    if (sketches_) {
      for (const SketchBatch::Item& item : batch->items) {
        while (sketches_->count() < item.document)
          TWINSET_TRY(sketches_->Append(""));
        const Sketch& sketch = item.sketches[0];
        TWINSET_TRY(
            sketches_->Append({reinterpret_cast<const char*>(sketch.data()),
                               sketch.size() * sizeof(uint32_t)}));
      }
      while (sketches_->count() < batch->skipped_until)
        TWINSET_TRY(sketches_->Append(""));
    }
    run_->Report("sketch", batch->skipped_until, 0);
    batch->memory.Reset();
    return {};
  }

  Status LoadScopes() {
    if (plan_.has_classes()) return {};
    TWINSET_ASSIGN(scopes_, PagedArray<ScopeValues>::Create(
                                run_->Path("scopes.tmp"),
                                std::max<uint64_t>(1, run_->documents()),
                                run_->Share(8), &run_->budget));
    return ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) {
          return scopes_->Set(document, {info.across, info.seconds});
        });
  }

  Result<bool> ScopesAllow(uint64_t a, uint64_t b) {
    TWINSET_ASSIGN(const ScopeValues x, scopes_->Get(a));
    TWINSET_ASSIGN(const ScopeValues y, scopes_->Get(b));
    if (plan_.across.kind != ScopeField::kNone && x.across == y.across)
      return false;
    if (plan_.window_seconds == 0) return true;
    if (x.seconds == kNoDate || y.seconds == kNoDate) return false;
    return std::max(x.seconds, y.seconds) - std::min(x.seconds, y.seconds) <=
           plan_.window_seconds;
  }

  bool MayPair(const Posting& x, const Posting& y) {
    if (x.size() < Posting::kMaxSize && y.size() < Posting::kMaxSize &&
        !run_->parts.verifier->CanReach(x.size(), y.size())) {
      return false;
    }
    if (!scopes_) return true;
    const Result<bool> allowed = ScopesAllow(x.document(), y.document());
    if (!allowed) rule_status_ = tl::unexpected(allowed.error());
    return allowed && *allowed;
  }

  Status Join(ExternalSorter<CandidatePair>* pairs) {
    TWINSET_TRY(LoadScopes());
    TWINSET_ASSIGN(auto features,
                   BlobReader::Open(run_->Path(run_->features_file),
                                    plan_.parameters_hash));
    FeatureCache cache(&features, run_->Share(8), &run_->budget);
    JoinRules rules;
    rules.bucket_limit = plan_.options.method.bucket_limit;
    rules.may_pair = [this](const Posting& x, const Posting& y) {
      return MayPair(x, y);
    };
    rules.similar = [&](uint64_t a, uint64_t b) -> Result<bool> {
      cache.Trim();
      TWINSET_ASSIGN(const std::string* x, cache.Get(a));
      TWINSET_ASSIGN(const std::string* y, cache.Get(b));
      return run_->parts.verifier->Compare(*x, *y).accepted;
    };
    uint64_t emitted = 0;
    BucketJoin join(rules, [&](const CandidatePair& pair) {
      ++emitted;
      return pairs->Add(pair);
    });
    Posting posting;
    for (uint64_t n = 0;; ++n) {
      TWINSET_ASSIGN(const bool more, postings_.Next(&posting));
      if (!more) break;
      TWINSET_TRY(join.Add(posting));
      if (n % 65536 == 0) TWINSET_TRY(run_->CheckStop());
    }
    TWINSET_TRY(join.Finish());
    TWINSET_TRY(rule_status_);
    const HotBuckets& hot = join.hot_buckets();
    Json& counts = run_->counts["candidate"];
    counts["postings"] = postings_.added();
    counts["buckets"] = join.buckets();
    counts["emitted"] = emitted;
    counts["hot_buckets"] = {{"count", hot.count},
                             {"members", hot.members},
                             {"pairs_possible", hot.pairs_possible},
                             {"pairs_compared", hot.pairs_compared}};
    return {};
  }

  Run* run_;
  const Plan& plan_;
  ExternalSorter<Posting> postings_;
  std::optional<BlobWriter> sketches_;
  std::optional<PagedArray<ScopeValues>> scopes_;
  Status source_status_, sink_status_, rule_status_;
};

// One pass over the features of all documents that have any.
Status PassOverFeatures(const Run& run,
                        const std::function<Status(std::string_view)>& body) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(run.Path(run.features_file),
                                               run.plan.parameters_hash));
  std::string aligned;
  std::string_view bytes;
  for (;;) {
    TWINSET_ASSIGN(const bool more, reader.Next(&bytes));
    if (!more) return {};
    if (bytes.empty()) continue;
    aligned = bytes;
    TWINSET_TRY(body(aligned));
  }
}

}  // namespace

Status PrepareStage(Run* run) {
  const Method& method = *run->plan.method;
  const MethodOptions& options = run->plan.options.method;
  if (!method.prepare) {
    TWINSET_ASSIGN(run->parts, method.make(options, nullptr));
    return {};
  }
  CorpusModel model;
  const std::string path = run->Path("model.blob");
  if (!run->journal.IsDone("prepare")) {
    TWINSET_ASSIGN(model, method.prepare(options, [run](const auto& body) {
      return PassOverFeatures(*run, body);
    }));
    TWINSET_ASSIGN(auto writer,
                   BlobWriter::Create(path, run->plan.parameters_hash));
    TWINSET_TRY(writer.Append(model.name));
    TWINSET_TRY(writer.Append(std::to_string(model.version)));
    TWINSET_TRY(writer.Append(model.bytes));
    TWINSET_TRY(writer.Finish());
    TWINSET_TRY(run->journal.FinishStage(
        "prepare", {"model.blob", "model.blob.idx"}, "{}"));
  }
  TWINSET_ASSIGN(const auto reader,
                 BlobReader::Open(path, run->plan.parameters_hash));
  std::string version;
  TWINSET_TRY(reader.ReadOne(0, &model.name));
  TWINSET_TRY(reader.ReadOne(1, &version));
  TWINSET_TRY(reader.ReadOne(2, &model.bytes));
  model.version =
      static_cast<uint32_t>(std::strtoul(version.c_str(), nullptr, 10));
  TWINSET_ASSIGN(run->parts, method.make(options, &model));
  return {};
}

Status CandidateStage(Run* run) { return Candidates(run).Do(); }

}  // namespace twinset
