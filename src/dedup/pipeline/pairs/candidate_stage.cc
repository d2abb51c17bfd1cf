// The candidate stage: sketches and keys of the first document of each class,
// joined into candidate pairs, of which the method's own filter keeps some.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/for_each.h"
#include "base/parallel.h"
#include "candidate/complete/prefix_postings.h"
#include "candidate/join.h"
#include "pipeline/pairs/identical_pairs.h"
#include "pipeline/pairs/part_rule.h"
#include "pipeline/pairs/sketch_pass.h"
#include "pipeline/pairs/stage_costs.h"
#include "pipeline/read/kept_documents.h"
#include "pipeline/read/late_features.h"
#include "pipeline/read/stored_sketches.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

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

class Candidates {
 public:
  explicit Candidates(Run* run)
      : run_(run),
        plan_(run->plan),
        parts_(run->parts),
        kept_(*run),
        part_(run->plan, run->parts) {}

  Status Do() {
    run_->counts.candidate = {};
    TellCost(*run_, CandidateCost(*run_));
    TWINSET_TRY(LoadScopes());
    ExternalSortOptions options = run_->SortOptions("candidates", 4);
    options.unique = true;
    ExternalSorter<CandidatePair> pairs(options, &run_->budget);
    // Equal bytes are one class already, unless the scopes forbid classes.
    const bool classes_are_all =
        !IsHashed(plan_.features.form) && plan_.has_classes();
    bool joined = false;
    if (parts_.join && !classes_are_all) {
      TWINSET_ASSIGN(joined, JoinCollection(&pairs));
    }
    if (!joined) TWINSET_TRY(JoinByKeys(!classes_are_all, &pairs));
    TWINSET_TRY(rule_status_);
    HotBuckets of_first;
    TWINSET_TRY(FindIdenticalPairs(run_, part_.IsFirst() ? &hot_ : &of_first));
    run_->counts.candidate.hot_buckets = {hot_};
    TWINSET_TRY(StorePairs(&pairs));
    std::vector<std::string> files = {"candidates.run", "identical.run"};
    if (run_->counts.candidate.hot_postings) files.push_back("hot.run");
    if (StoresSketches()) {
      files.push_back("sketches.blob");
      files.push_back("sketches.blob.idx");
    }
    if (plan_.features.late) {
      files.push_back(kLateFeatures);
      files.push_back(std::string(kLateFeatures) + ".idx");
    }
    return run_->FinishStage("candidate", files, run_->counts.candidate);
  }

 private:
  bool StoresSketches() const {
    const bool needed =
        parts_.filter != nullptr || !plan_.options.method.verify;
    return needed && plan_.features.sketching == nullptr;
  }

  // ---- sketches ----

  // sketches.blob, by document; empty for documents without a sketch.
  Status OpenSketches() {
    sketches_.reset();
    if (!StoresSketches()) return {};
    TWINSET_ASSIGN(sketches_, CreateBlob(*run_, "sketches.blob"));
    return {};
  }

  Status StoreSketches(const SketchedDocument& item) {
    if (!sketches_) return {};
    while (sketches_->count() < item.document)
      TWINSET_TRY(sketches_->Append(""));
    EncodeSketches(item.sketches, &buffer_);
    return sketches_->Append(buffer_);
  }

  Status FinishSketches() {
    if (!sketches_) return {};
    while (sketches_->count() < run_->documents())
      TWINSET_TRY(sketches_->Append(""));
    return sketches_->Finish();
  }

  // ---- scopes ----

  Status LoadScopes() {
    const bool needed =
        !plan_.has_classes() || plan_.scope.within.kind != ScopeField::kNone;
    if (!needed) return {};
    TWINSET_ASSIGN(scopes_, PagedArray<ScopeValues>::Create(
                                run_->Path("scopes.tmp"),
                                std::max<uint64_t>(1, run_->documents()),
                                run_->Share(8), &run_->budget));
    return ForEachDocument(*run_, [&](uint64_t document,
                                      const DocumentInfo& info) {
      return scopes_->Set(document, {info.within, info.across, info.seconds});
    });
  }

  Result<bool> ScopesAllow(uint64_t a, uint64_t b) {
    if (!scopes_) return true;
    TWINSET_ASSIGN(const ScopeValues x, scopes_->Get(a));
    TWINSET_ASSIGN(const ScopeValues y, scopes_->Get(b));
    return twinset::ScopesAllow(plan_, x, y);
  }

  // Verifiers that are not symmetric take the document first that was read
  // first.
  bool CanReach(const Posting& x, const Posting& y) const {
    return x.document() < y.document()
               ? parts_.verifier->CanReach(x.size(), y.size())
               : parts_.verifier->CanReach(y.size(), x.size());
  }

  bool MayPair(const Posting& x, const Posting& y) {
    // Unverified pairs of a method with a join are all that its sketches say:
    // the join sees no sizes, and keys that stand in for it must not either.
    const bool by_size = plan_.options.method.verify || !parts_.join;
    if (by_size && x.size() < Posting::kMaxSize &&
        y.size() < Posting::kMaxSize && !CanReach(x, y)) {
      return false;
    }
    const Result<bool> allowed = ScopesAllow(x.document(), y.document());
    if (!allowed) rule_status_ = tl::unexpected(allowed.error());
    return allowed && *allowed;
  }

  // ---- joins ----

  // The sizes of what a join is given.
  Status ForEachSize(const std::function<void(uint64_t)>& body) const {
    TWINSET_ASSIGN(auto copies,
                   OpenRun<CopyByDocument>(*run_, "copies-by-document.run"));
    CopyByDocument copy;
    TWINSET_ASSIGN(bool more, copies.Next(&copy));
    return ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) -> Status {
          if (more && copy.document == document) {
            TWINSET_ASSIGN(more, copies.Next(&copy));
          } else if (!info.empty) {
            body(info.feature_count);
          }
          return {};
        });
  }

  CollectionJoinContext JoinContext() const {
    CollectionJoinContext context;
    context.budget = &run_->budget;
    context.memory_bytes = run_->Share(2);
    context.threads = plan_.machine.threads;
    context.two_collections = plan_.scope.across.kind == ScopeField::kSide;
    context.directory = plan_.machine.work;
    context.parameters_hash = run_->HashOf("candidates.run");
    context.sizes = [this](const std::function<void(uint64_t)>& body) {
      return ForEachSize(body);
    };
    context.stop = plan_.options.stop;
    context.told = [this](uint64_t joined, uint64_t postings) {
      run_->joined_postings = postings;
      run_->Report("postings", joined, postings);
    };
    return context;
  }

  JoinMember MemberOf(const SketchedDocument& item) const {
    JoinMember member;
    member.document = item.document;
    member.size = item.size;
    member.stored = plan_.scope.across.kind == ScopeField::kSide &&
                    item.across != Hash128Value();
    member.sketches = item.sketches;
    member.features = item.features;
    member.prepared = item.prepared;
    if (plan_.scope.within.kind != ScopeField::kNone)
      member.within = item.within.low;
    return member;
  }

  // All documents once to `join`.
  Status AddAll(CollectionJoin* join) {
    // Elements, their keys, and those that are chosen.
    constexpr uint64_t kPrepared = 3;
    const SketchWork sketch = MakeSketches(*run_);
    const SketchWork work = [&](SketchedDocument* item) -> Status {
      if (join->reads_sketches()) TWINSET_TRY(sketch(item));
      join->Prepare(MemberOf(*item), &item->prepared);
      return {};
    };
    return ForEachSketched(
        run_, work,
        [&](SketchedDocument* item) -> Status {
          TWINSET_TRY(StoreSketches(*item));
          return join->Add(MemberOf(*item));
        },
        kPrepared);
  }

  // By the method's own join of the whole collection; false when it does not
  // fit into memory and keys can stand in.
  Result<bool> JoinCollection(ExternalSorter<CandidatePair>* pairs) {
    CollectionJoinContext context = JoinContext();
    std::optional<ExternalSorter<PrefixPosting>> hot;
    if (plan_.scope.hot_limit > 0 && parts_.overlap) {
      hot.emplace(run_->SortOptions("hot", 8), &run_->budget);
      context.hot_limit = plan_.scope.hot_limit;
      context.hot = [&hot](std::span<const PrefixPosting> postings) -> Status {
        for (const PrefixPosting& posting : postings)
          TWINSET_TRY(hot->Add(posting));
        return {};
      };
    }
    TWINSET_ASSIGN(auto join, parts_.join(context));
    for (bool again = true; again;) {
      TWINSET_TRY(OpenSketches());
      const Status added = AddAll(join.get());
      if (!added) {
        if (added.error().code == ErrorCode::kMemory && parts_.generator)
          return false;
        return tl::unexpected(added.error());
      }
      TWINSET_ASSIGN(again, join->EndPass());
    }
    TWINSET_TRY(FinishSketches());
    uint64_t emitted = 0;
    run_->step = "join";
    const Status joined = join->Join([&](const CandidatePair& pair) -> Status {
      if (kept_.AreDecided(pair) || !part_.TakesPair(pair)) return {};
      ++emitted;
      TWINSET_ASSIGN(const bool allowed, ScopesAllow(pair.a, pair.b));
      return allowed ? pairs->Add(pair) : Status();
    });
    run_->counts.candidate.emitted = emitted;
    if (!joined) {
      // Too little memory shows before the first pair.
      if (joined.error().code == ErrorCode::kMemory && emitted == 0 &&
          parts_.generator)
        return false;
      return tl::unexpected(joined.error());
    }
    if (hot && hot->added() > 0) {
      run_->counts.candidate.hot_postings = hot->added();
      TWINSET_TRY(WriteRun<PrefixPosting>(*run_, "hot.run", &*hot));
    }
    return true;
  }

  Status JoinByKeys(bool sketch, ExternalSorter<CandidatePair>* pairs) {
    std::optional<ExternalSorter<Posting>> postings;
    postings.emplace(run_->SortOptions("postings", 3), &run_->budget);
    uint64_t flagged = 0;
    if (sketch) {
      TWINSET_TRY(OpenSketches());
      TWINSET_TRY(ForEachSketched(
          run_, MakeKeys(*run_), [&](SketchedDocument* item) -> Status {
            TWINSET_TRY(StoreSketches(*item));
            flagged += item->keys.empty();
            for (const uint64_t key : item->keys) {
              if (!part_.TakesKey(key)) continue;
              TWINSET_TRY(postings->Add(
                  Posting::Make(key, item->rank, item->document, item->size)));
            }
            return {};
          }));
      TWINSET_TRY(FinishSketches());
    }
    const AskCounts asked = run_->counts.asked.value_or(AskCounts());
    if (part_.IsFirst())
      run_->counts.candidate.flagged = flagged + asked.flagged;
    run_->step = "sort";
    TWINSET_TRY(postings->Finish());
    if (!plan_.features.late) return Join(&*postings, pairs);
    TWINSET_ASSIGN(auto late, LateFeatures::Create(run_));
    ExternalSorter<Posting> hot(run_->SortOptions("hot", 8), &run_->budget);
    TWINSET_TRY(JoinLate(&*postings, &late, &hot, pairs));
    postings.reset();  // frees their disk
    TWINSET_TRY(late.Read());
    UseLateFeatures(run_);
    return hot.added() > 0 ? JoinHot(&hot, pairs) : Status();
  }

  // All pairs but those of hot buckets, whose members go to `hot`: they are
  // compared when there are features.
  Status JoinLate(ExternalSorter<Posting>* postings, LateFeatures* late,
                  ExternalSorter<Posting>* hot,
                  ExternalSorter<CandidatePair>* pairs) {
    JoinRules rules = RulesOfJoin();
    rules.hot = [&](const Posting& member) {
      late->Want(member.document());
      return hot->Add(member);
    };
    return JoinBy(std::move(rules), postings, [&](const CandidatePair& pair) {
      late->Want(pair.a);
      late->Want(pair.b);
      return pairs->Add(pair);
    });
  }

  Status JoinHot(ExternalSorter<Posting>* hot,
                 ExternalSorter<CandidatePair>* pairs) {
    const CandidateCounts before = run_->counts.candidate;
    TWINSET_TRY(hot->Finish());
    TWINSET_TRY(Join(hot, pairs));
    run_->counts.candidate.emitted =
        before.emitted.value_or(0) + run_->counts.candidate.emitted.value_or(0);
    run_->counts.candidate.postings = before.postings;
    run_->counts.candidate.buckets = before.buckets;
    return {};
  }

  JoinRules RulesOfJoin() {
    JoinRules rules;
    // What must be found is not cut short.
    rules.bucket_limit =
        parts_.complete || parts_.join ? 0 : plan_.options.method.bucket_limit;
    rules.may_pair = [this](const Posting& x, const Posting& y) {
      return MayPair(x, y);
    };
    return rules;
  }

  Status Join(ExternalSorter<Posting>* postings,
              ExternalSorter<CandidatePair>* pairs) {
    TWINSET_ASSIGN(auto features, OpenBlob(*run_, run_->features_file));
    FeatureCache cache(&features, run_->Share(8), &run_->budget);
    JoinRules rules = RulesOfJoin();
    rules.similar = [&](uint64_t a, uint64_t b) -> Result<bool> {
      cache.Trim();
      TWINSET_ASSIGN(const std::string* x, cache.Get(std::min(a, b)));
      TWINSET_ASSIGN(const std::string* y, cache.Get(std::max(a, b)));
      return parts_.verifier->Compare(*x, *y).accepted;
    };
    return JoinBy(std::move(rules), postings,
                  [&](const CandidatePair& pair) { return pairs->Add(pair); });
  }

  Status JoinBy(JoinRules rules, ExternalSorter<Posting>* postings,
                const PairSink& sink) {
    uint64_t emitted = 0;
    BucketJoin join(std::move(rules), [&](const CandidatePair& pair) -> Status {
      if (kept_.AreDecided(pair) || !part_.TakesPair(pair)) return {};
      ++emitted;
      return sink(pair);
    });
    run_->step = "join";
    Meter meter(*run_, "postings", postings->added());
    Posting posting;
    for (uint64_t n = 0;; ++n) {
      TWINSET_ASSIGN(const bool more, postings->Next(&posting));
      if (!more) break;
      TWINSET_TRY(join.Add(posting));
      meter.Add();
      if (n % 65536 == 0) TWINSET_TRY(run_->CheckStop());
    }
    TWINSET_TRY(join.Finish());
    CandidateCounts& counts = run_->counts.candidate;
    counts.emitted = emitted;
    if (!part_.by_keys() && !part_.IsFirst()) return {};
    counts.postings = postings->added();
    counts.buckets = join.buckets();
    hot_ = join.hot_buckets();
    return {};
  }

  // ---- pairs ----

  // candidates.run: what passes the method's filter, and the pairs of equal
  // documents, which need not, in order.
  Status StorePairs(ExternalSorter<CandidatePair>* pairs) {
    run_->step = "pairs";
    TWINSET_TRY(pairs->Finish());
    Meter meter(*run_, "pairs", pairs->added());
    TWINSET_ASSIGN(auto writer,
                   CreateRun<CandidatePair>(*run_, "candidates.run"));
    TWINSET_ASSIGN(auto identical, IdenticalPairs::Open(*run_));
    uint64_t count = 0;
    const auto add = [&](const CandidatePair& pair) {
      ++count;
      return writer.Append(pair);
    };
    const auto add_identical = [&](const CandidatePair& pair) {
      return part_.TakesIdentical(pair) ? add(pair) : Status();
    };
    if (parts_.filter == nullptr) {
      TWINSET_TRY(ForEach<CandidatePair>(
          pairs, [&](const CandidatePair& pair) -> Status {
            meter.Add();
            TWINSET_TRY(identical.Contains(pair, add_identical));
            return add(pair);
          }));
    } else {
      TWINSET_TRY(ForEachSketchPair(
          run_, [&](CandidatePair* pair) { return pairs->Next(pair); },
          [&](const CandidatePair& pair, std::span<const SketchView> a,
              std::span<const SketchView> b) -> Status {
            meter.Add();
            TWINSET_ASSIGN(const bool equal,
                           identical.Contains(pair, add_identical));
            if (equal || parts_.filter->Passes(a, b)) return add(pair);
            ++count;
            return {};
          }));
    }
    TWINSET_TRY(identical.Finish(add_identical));
    TWINSET_TRY(writer.Finish());
    run_->counts.candidate.proposed = count;
    run_->counts.candidate.pairs = writer.count();
    return {};
  }

  Run* run_;
  const Plan& plan_;
  const MethodParts& parts_;
  const KeptDocuments kept_;
  const PartRule part_;
  std::optional<BlobWriter> sketches_;
  std::optional<PagedArray<ScopeValues>> scopes_;
  HotBuckets hot_;
  std::string buffer_;
  Status rule_status_;
};

}  // namespace

Status CandidateStage(Run* run) { return Candidates(run).Do(); }

}  // namespace twinset
