// Runs over documents of a program: the stages of dedup and match, over work
// files in memory while they fit there, and results as values.
#include "twinset/collection.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "base/for_each.h"
#include "base/machine.h"
#include "base/memory_folder.h"
#include "base/stop.h"
#include "methods/method_rows.h"
#include "pipeline/results/class_pairs.h"
#include "pipeline/results/decisions.h"
#include "pipeline/results/summary.h"
#include "pipeline/run/run.h"
#include "pipeline/run_control.h"
#include "store/scratch_folder.h"

namespace twinset {

Status Sink::OnRejected(const RejectedDocument&) { return {}; }
Status Sink::OnPairs(std::span<const Pair> pairs) {
  for (const Pair& pair : pairs) TWINSET_TRY(OnPair(pair));
  return {};
}
Status Sink::OnPair(const Pair&) { return {}; }
Status Sink::OnMembers(std::span<const ClusterMember> members) {
  for (const ClusterMember& member : members) TWINSET_TRY(OnMember(member));
  return {};
}
Status Sink::OnMember(const ClusterMember&) { return {}; }
Status Sink::OnDecisions(std::span<const KeepDecision> decisions) {
  for (const auto& [document, kept] : decisions)
    TWINSET_TRY(OnDecision(document, kept));
  return {};
}
Status Sink::OnDecision(uint64_t, bool) { return {}; }

namespace {

// Shares of the memory of a run: one for documents that are held until it is
// known whether all fit, one for work files.
constexpr uint64_t kHeldShare = 8, kFilesShare = 2;
constexpr uint64_t kDocumentBytes = sizeof(Document) + 64;

const Stage kDedupStages[] = {kReadStage,    kTemplateStage, kPruneStage,
                              kPrepareStage, kOrderStage,    kCandidateStage,
                              kVerifyStage,  kClusterStage,  kListStage};
const Stage kMatchStages[] = {kReadStage,    kTemplateStage, kPruneStage,
                              kPrepareStage, kOrderStage,    kCandidateStage,
                              kVerifyStage};

uint64_t BytesOf(const Document& document) {
  uint64_t bytes = kDocumentBytes + document.id.size() +
                   document.payload.size() + document.provenance.url.size() +
                   document.provenance.date.size() + document.mime.size();
  for (const auto& [name, value] : document.fields)
    bytes += name.size() + value.size() + 64;
  return bytes;
}

// The documents of a source, the first of which are held: they can be given
// again while nothing beyond them was asked for.
class HeldSource : public Source {
 public:
  explicit HeldSource(Source* source) : source_(source) {}

  // Takes documents until the source ends or they have `bytes`. Did it end?
  Result<bool> Hold(uint64_t bytes) {
    while (bytes_ < bytes) {
      Document document;
      TWINSET_ASSIGN(const bool more, source_->Next(&document));
      if (!more) {
        ended_ = true;
        return true;
      }
      bytes_ += BytesOf(document);
      held_.push_back(std::move(document));
    }
    return false;
  }
  void Rewind() { next_ = 0; }
  // From here on documents are given for good.
  void LetGo() { keeps_ = false; }
  uint64_t bytes() const { return bytes_; }
  // What ended the source early.
  const Status& status() const { return status_; }

  Result<bool> Next(Document* document) override {
    if (next_ < held_.size()) {
      if (keeps_) {
        *document = held_[next_];
      } else {
        *document = std::move(held_[next_]);
      }
      ++next_;
      return true;
    }
    if (ended_) return false;
    if (!keeps_) held_ = {}, next_ = 0;
    Result<bool> more = source_->Next(document);
    if (!more) status_ = tl::unexpected(more.error());
    ended_ = !more || !*more;
    return more;
  }

 private:
  Source* const source_;
  std::deque<Document> held_;
  size_t next_ = 0;
  uint64_t bytes_ = 0;
  bool ended_ = false, keeps_ = true;
  Status status_;
};

// With the parts that dedup and match have in common.
template <typename Options>
PlanOptions TakeShared(const Options& options) {
  PlanOptions plan;
  CopyParts<ComparisonOptions, PriorityOptions, ClusterOptions, ScopeOptions>(
      options, &plan);
  plan.resources = options.resources;
  plan.window = options.window;
  plan.action = options.action;
  plan.max_loss = options.max_loss;
  plan.input.max_document_bytes = options.max_document_bytes;
  plan.on_progress = options.on_progress;
  plan.stop = options.stop;
  return plan;
}

Result<Plan> MakeCollectionPlan(const PlanOptions& options,
                                std::vector<Source*> sources,
                                const std::string& work) {
  const bool match = sources.size() == 2;
  const bool containment =
      match && options.method.measure == Measure::kContainment;
  const Method* search = nullptr;
  if (containment) {
    TWINSET_ASSIGN(search, ContainmentSearch(options.method));
  }
  TWINSET_ASSIGN(Plan plan,
                 MakeSourcePlan(options, std::move(sources), work, search));
  if (match) {
    plan.inputs.first_side = 1;
    plan.inputs.read_against = plan.inputs.read;
    plan.scope.across.kind = ScopeField::kSide;
    plan.scope.across.name = "side";
  }
  PlanHot(&plan);
  TWINSET_TRY(MakeSketching(plan.options, &plan.features));
  return plan;
}

// Rows on their way to a function of a sink, so many at a time.
template <typename Row>
class RowsToSink {
 public:
  using Function = Status (Sink::*)(std::span<const Row>);
  RowsToSink(Sink* sink, Function function)
      : sink_(sink), function_(function) {}

  // Takes its memory.
  void Prepare() { rows_.reserve(kRows); }
  Status Give(const Row& row) {
    rows_.push_back(row);
    return rows_.size() < kRows ? Status() : Finish();
  }
  // Gives what has come since.
  Status Finish() {
    if (rows_.empty()) return {};
    const Status given = (sink_->*function_)(rows_);
    rows_.clear();
    return given;
  }

 private:
  static constexpr size_t kRows = 4096;
  Sink* const sink_;
  const Function function_;
  std::vector<Row> rows_;
};

// Results of a finished run, as the documents' numbers in their sources.
class Delivery {
 public:
  Delivery(Run* run, Sink* sink, CollectionSummary* summary)
      : run_(run),
        sink_(sink),
        summary_(summary),
        pairs_(sink, &Sink::OnPairs),
        members_(sink, &Sink::OnMembers),
        decisions_(sink, &Sink::OnDecisions) {}

  // Leaves nothing to write for Do, so that it does not lack room in the
  // middle.
  Status Prepare() {
    TWINSET_TRY(LoadNumbers());
    pairs_.Prepare();
    members_.Prepare();
    decisions_.Prepare();
    if (is_match()) return {};
    TWINSET_ASSIGN(auto pairs, CreateRun<VerifiedPair>(*run_, kPairs));
    TWINSET_TRY(ForEachResultPair(
        run_, [&](const VerifiedPair& pair) { return pairs.Append(pair); }));
    return pairs.Finish();
  }

  Status Do() {
    summary_->documents = run_->documents();
    TWINSET_TRY(GiveRejected());
    TWINSET_TRY(GivePairs(is_match() ? "verified.run" : kPairs));
    TWINSET_TRY(pairs_.Finish());
    if (!is_match()) TWINSET_TRY(GiveMembers());
    TWINSET_TRY(members_.Finish());
    TWINSET_TRY(is_match() ? MatchDecisions() : Decisions());
    return decisions_.Finish();
  }

 private:
  static constexpr char kPairs[] = "result-pairs.run";

  bool is_match() const { return run_->plan.inputs.first_side != 0; }

  // By number in the run, that in the source: rejected ones count there.
  Status LoadNumbers() {
    TWINSET_ASSIGN(numbers_, PagedArray<uint64_t>::Create(
                                 run_->Path("numbers.tmp"),
                                 std::max<uint64_t>(1, run_->documents()),
                                 run_->Share(8), &run_->budget));
    return ForEachDocument(
        *run_, [&](uint64_t document, const DocumentInfo& info) {
          summary_->empty += info.empty;
          first_side_ += info.provenance.source == 0;
          return numbers_->Set(document, info.provenance.ordinal);
        });
  }

  // What the run could not use.
  Status GiveRejected() {
    TWINSET_ASSIGN(auto rows, OpenBlob(*run_, "quarantine.blob"));
    return ForEach<std::string_view>(&rows, [&](std::string_view row) {
      const Json json = Json::Parse(row);
      ++summary_->rejected;
      return sink_->OnRejected(
          {json.value("source", "") == run_->plan.inputs.files.front().source
               ? 0
               : 1,
           json.value("ordinal", uint64_t{0}), json.value("reason", ""),
           json.value("detail", "")});
    });
  }

  Status GivePairs(const char* file) {
    return ForEachRecord<VerifiedPair>(
        *run_, file, [&](const VerifiedPair& pair) -> Status {
          TWINSET_ASSIGN(const uint64_t a, numbers_->Get(pair.a));
          TWINSET_ASSIGN(const uint64_t b, numbers_->Get(pair.b));
          ++summary_->pairs;
          return pairs_.Give({a, b, pair.score});
        });
  }

  Status GiveMembers() {
    uint64_t last = ~uint64_t{0};
    return ForEachRecord<Membership>(
        *run_, "memberships.run", [&](const Membership& m) -> Status {
          TWINSET_ASSIGN(const uint64_t kept, numbers_->Get(m.representative));
          TWINSET_ASSIGN(const uint64_t document, numbers_->Get(m.document));
          if (m.representative != last) {
            ++summary_->clusters;
            TWINSET_TRY(members_.Give({kept, kept, 1.0, 1.0}));
          }
          last = m.representative;
          return members_.Give({kept, document, m.score, m.contained});
        });
  }

  Status Decisions() {
    TWINSET_ASSIGN(auto decisions, twinset::Decisions::Open(*run_));
    for (uint64_t document = 0; document < run_->documents(); ++document) {
      TWINSET_ASSIGN(const Decision decision, decisions.Next());
      TWINSET_TRY(Decide(document, decision.dropped));
    }
    return {};
  }

  // A document of A with a match is dropped.
  Status MatchDecisions() {
    TWINSET_ASSIGN(auto pairs, OpenRun<VerifiedPair>(*run_, "verified.run"));
    const PlanOptions& options = run_->plan.options;
    VerifiedPair pair;
    TWINSET_ASSIGN(bool more, pairs.Next(&pair));
    for (uint64_t document = 0; document < first_side_; ++document) {
      bool found = false;
      while (more && pair.a == document) {
        found = found || pair.shared.LosesAtMost(options.max_loss);
        TWINSET_ASSIGN(more, pairs.Next(&pair));
      }
      TWINSET_TRY(Decide(document, found && options.action == Action::kDrop));
    }
    return {};
  }

  Status Decide(uint64_t document, bool dropped) {
    ++(dropped ? summary_->dropped : summary_->kept);
    TWINSET_ASSIGN(const uint64_t number, numbers_->Get(document));
    return decisions_.Give({number, !dropped});
  }

  Run* const run_;
  Sink* const sink_;
  CollectionSummary* const summary_;
  RowsToSink<Pair> pairs_;
  RowsToSink<ClusterMember> members_;
  RowsToSink<KeepDecision> decisions_;
  std::optional<PagedArray<uint64_t>> numbers_;
  uint64_t first_side_ = 0;  // documents of A
};

// As summary.json has it, as far as a run without a result folder knows.
void AddJson(const Run& run, CollectionSummary* summary) {
  Json json = SummaryHead(run, {});
  json["documents"] = {{"read", summary->documents},
                       {"kept", summary->kept},
                       {"dropped", summary->dropped},
                       {"empty", summary->empty}};
  json["text"] = TextObject(run);
  AddFlagged(run.counts.candidate, &json);
  json["hot_buckets"] = FieldsToJson(run.counts.candidate.hot_buckets);
  json["expected_recall"] = ExpectedRecall(run);
  json["pairs"] = summary->pairs;
  if (run.plan.inputs.first_side == 0) json["clusters"] = summary->clusters;
  json["warnings"] = ReadWarnings(run);
  summary->json = std::move(json);
}

// One run with its work files in `work`. `delivering`: whether the sink has
// been called; then nothing is tried again.
Status RunIn(const std::string& work, const PlanOptions& options,
             std::span<HeldSource* const> sources, Sink* sink,
             CollectionSummary* summary, bool* delivering) {
  TWINSET_ASSIGN(
      Plan plan,
      MakeCollectionPlan(options, {sources.begin(), sources.end()}, work));
  TWINSET_ASSIGN(Journal journal, Journal::Create(work, "{}"));
  Run run(std::move(plan), std::move(journal));
  const bool match = sources.size() == 2;
  const std::span<const Stage> stages =
      match ? std::span<const Stage>(kMatchStages)
            : std::span<const Stage>(kDedupStages);
  TWINSET_TRY(RunStages(&run, stages.first(1)));
  for (const HeldSource* source : sources) TWINSET_TRY(source->status());
  TWINSET_TRY(RunStages(&run, stages.subspan(1)));
  *summary = CollectionSummary();
  Delivery delivery(&run, sink, summary);
  TWINSET_TRY(delivery.Prepare());
  *delivering = true;
  TWINSET_TRY(delivery.Do());
  AddJson(run, summary);
  return {};
}

Result<CollectionSummary> RunCollection(std::vector<HeldSource> sources,
                                        PlanOptions options, Sink* sink) {
  const uint64_t memory = MemoryOr(options.resources.memory_bytes);
  std::vector<HeldSource*> held;
  bool all = true;
  uint64_t bytes = 0;
  for (HeldSource& source : sources) {
    held.push_back(&source);
    TWINSET_ASSIGN(const bool ended,
                   source.Hold(memory / kHeldShare / sources.size()));
    all = all && ended;
    bytes += source.bytes();
  }
  CollectionSummary summary;
  bool delivering = false;
  const uint64_t files = memory / kFilesShare;
  // A source may give a document larger than all of the memory.
  const uint64_t left = memory - std::min(memory, bytes);
  if (all && left >= files + kMinimumMemoryBytes) {
    TWINSET_ASSIGN(const auto folder, MemoryFolder::Create(files));
    options.resources.memory_bytes = left - files;
    const Status done =
        RunIn(folder->path(), options, held, sink, &summary, &delivering);
    if (done) return summary;
    if (delivering || done.error().code != ErrorCode::kMemory)
      return tl::unexpected(done.error());
  }
  for (HeldSource* source : held) {
    source->Rewind();
    source->LetGo();
  }
  TWINSET_ASSIGN(const ScratchFolder folder,
                 ScratchFolder::Below(options.resources.tmp, "twinset-run-"));
  // What is held goes as it is read, and counts until then.
  options.resources.memory_bytes = std::max(left, kMinimumMemoryBytes);
  TWINSET_TRY(RunIn(folder.path(), options, held, sink, &summary, &delivering));
  summary.on_disk = true;
  return summary;
}

// Keeps everything.
class Collected : public Sink {
 public:
  Status OnRejected(const RejectedDocument& rejected) override {
    found.rejected.push_back(rejected);
    return {};
  }
  Status OnPairs(std::span<const Pair> pairs) override {
    found.pairs.insert(found.pairs.end(), pairs.begin(), pairs.end());
    return {};
  }
  Status OnMembers(std::span<const ClusterMember> members) override {
    found.members.insert(found.members.end(), members.begin(), members.end());
    return {};
  }
  Status OnDecisions(std::span<const KeepDecision> decisions) override {
    for (const auto& [document, kept] : decisions)
      (kept ? found.kept : found.dropped).push_back(document);
    return {};
  }

  Duplicates found;
};

}  // namespace

Result<CollectionSummary> v1::Dedup(Source& source,
                                    const CollectionOptions& options,
                                    Sink& sink) try {
  std::vector<HeldSource> sources;
  sources.emplace_back(&source);
  return RunCollection(std::move(sources), TakeShared(options), &sink);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<CollectionSummary> v1::Match(Source& a, Source& b,
                                    const CollectionMatchOptions& options,
                                    Sink& sink) try {
  std::vector<HeldSource> sources;
  sources.emplace_back(&a);
  sources.emplace_back(&b);
  return RunCollection(std::move(sources), TakeShared(options), &sink);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<std::vector<std::string>> v1::FieldsOf(
    const CollectionOptions& options) try {
  TWINSET_ASSIGN(PlanScope scope, MakeScope(TakeShared(options)));
  return std::move(scope.fields);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<Duplicates> v1::Dedup(Source& source,
                             const CollectionOptions& options) try {
  Collected sink;
  TWINSET_ASSIGN(sink.found.summary, Dedup(source, options, sink));
  return std::move(sink.found);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<Duplicates> v1::Match(Source& a, Source& b,
                             const CollectionMatchOptions& options) try {
  Collected sink;
  TWINSET_ASSIGN(sink.found.summary, Match(a, b, options, sink));
  return std::move(sink.found);
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
