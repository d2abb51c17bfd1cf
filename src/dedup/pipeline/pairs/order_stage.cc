// The order stage: priority ranks, unique ids, and classes of documents with
// equal features.
// See docs/methods/clusters.md.
#include "pipeline/pairs/order_stage.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/for_each.h"
#include "base/parallel.h"
#include "base/sort_records.h"
#include "documents/id_numbering.h"
#include "pipeline/read/kept_documents.h"
#include "pipeline/read/text_check.h"
#include "pipeline/run/run.h"

namespace twinset {

namespace {

struct PriorityRecord {
  PriorityKeys keys{};
  uint64_t document = 0;
  std::array<uint64_t, kMaxPriorityKeys + 1> SortWords() const {
    std::array<uint64_t, kMaxPriorityKeys + 1> words;
    *std::copy(keys.begin(), keys.end(), words.begin()) = document;
    return words;
  }
  friend bool operator<(const PriorityRecord& x, const PriorityRecord& y) {
    return std::tie(x.keys, x.document) < std::tie(y.keys, y.document);
  }
};

struct RankRecord {
  uint64_t document = 0, rank = 0;
  std::array<uint64_t, 1> SortWords() const { return {document}; }
};

// ranks.run of the records that are kept and those that are sorted.
Status WriteRanks(Run* run, const KeptDocuments& kept,
                  ExternalSorter<PriorityRecord>* by_priority) {
  TWINSET_TRY(by_priority->Finish());
  ExternalSorter<RankRecord> by_document(run->SortOptions("rank", 4),
                                         &run->budget);
  Meter meter(*run, "records", by_priority->added());
  uint64_t rank = kept.end();
  TWINSET_TRY(
      ForEach<PriorityRecord>(by_priority, [&](const PriorityRecord& record) {
        meter.Add();
        return by_document.Add({record.document, rank++});
      }));
  TWINSET_TRY(by_document.Finish());
  TWINSET_ASSIGN(auto writer, CreateRun<uint64_t>(*run, "ranks.run"));
  TWINSET_TRY(ForEachKeptRank(
      kept, [&](uint64_t of_kept) { return writer.Append(of_kept); }));
  TWINSET_TRY(ForEach<RankRecord>(&by_document, [&](const RankRecord& record) {
    return writer.Append(record.rank);
  }));
  return writer.Finish();
}

}  // namespace

Status AssignRanks(Run* run, const EachDocument& each,
                   const std::function<Status()>& beside) {
  ExternalSorter<PriorityRecord> by_priority(run->SortOptions("priority", 4),
                                             &run->budget);
  const Plan& plan = run->plan;
  std::vector<uint64_t> missing(plan.scope.priority.Names().size());
  const Preferences preferences(plan.scope.priority, plan.inputs.files);
  uint64_t file = UINT64_MAX, preference = 0;  // of the document before
  const KeptDocuments kept(*run);
  TWINSET_TRY(ForEachDocument(
      *run, [&](uint64_t document, const DocumentInfo& info) -> Status {
        TWINSET_TRY(each(document, info));
        uint32_t without = 0;
        if (info.provenance.source != file) {
          file = info.provenance.source;
          preference = preferences.Of(plan.inputs.files[file]);
        }
        const PriorityKeys keys = plan.scope.priority.Keys(
            info, preference, plan.scope.field_places, &without);
        for (size_t i = 0; i < missing.size(); ++i)
          missing[i] += without >> i & 1;
        return document < kept.end() ? Status()
                                     : by_priority.Add({keys, document});
      }));
  run->counts.order.keep_missing = std::move(missing);
  return RunBeside(
      plan.machine.threads,
      {[&] { return WriteRanks(run, kept, &by_priority); }, beside});
}

namespace {

// ---- unique ids ----

// A document called `base`, or one called base#number, which takes that number.
struct IdRecord {
  Hash128Value base;
  uint64_t number = 0;  // 0: the document is called base itself
  uint64_t document = 0;
  // Taken numbers come first, ascending; then the documents called base, in
  // input order.
  std::array<uint64_t, 2> SortWords() const { return {base.low, base.high}; }
  friend bool operator<(const IdRecord& x, const IdRecord& y) {
    const bool x_plain = x.number == 0, y_plain = y.number == 0;
    return std::tie(x.base, x_plain, x.number, x.document) <
           std::tie(y.base, y_plain, y.number, y.document);
  }
};

// Which documents share an id with an earlier one, and the number they get.
class RepeatedIds {
 public:
  explicit RepeatedIds(Run* run)
      : run_(run),
        hash_(run->plan.features.key),
        kept_(*run),
        kept_ids_(kept_),
        ids_(run->SortOptions("ids", 4), &run->budget) {}

  Status Add(uint64_t document, const DocumentInfo& info) {
    // Two collections may use the same ids.
    const size_t first_side = run_->plan.inputs.first_side;
    const uint64_t side =
        first_side != 0 && info.provenance.source >= first_side;
    TWINSET_ASSIGN(const std::string id, kept_ids_.Next(info.id));
    TWINSET_TRY(ids_.Add({hash_.Ordered(id, side), 0, document}));
    std::string_view base;
    const auto number = NumberInId(id, &base);
    return number ? ids_.Add({hash_.Ordered(base, side), *number, document})
                  : Status();
  }

  // Writes renames.run.
  Status Finish();

 private:
  Run* const run_;
  const EqualityHash hash_;
  const KeptDocuments kept_;
  KeptIds kept_ids_;
  ExternalSorter<IdRecord> ids_;
};

Status RepeatedIds::Finish() {
  TWINSET_TRY(ids_.Finish());
  ExternalSorter<Rename> renames(run_->SortOptions("renames", 4),
                                 &run_->budget);
  std::vector<uint64_t> taken;
  size_t next_taken = 0;
  IdRecord record, last;
  uint64_t plain = 0, number = 2;
  for (bool first = true;; first = false) {
    TWINSET_ASSIGN(const bool more, ids_.Next(&record));
    if (!more) break;
    if (first || record.base != last.base) {
      taken.clear();
      next_taken = 0;
      plain = 0;
      number = 2;
    }
    last = record;
    if (record.number != 0) {
      taken.push_back(record.number);
    } else if (plain++ > 0) {
      while (next_taken < taken.size() && taken[next_taken] <= number) {
        if (taken[next_taken++] == number) ++number;
      }
      TWINSET_TRY(renames.Add({record.document, number++}));
    }
  }
  uint64_t count = 0;
  TWINSET_TRY(WriteRun<Rename>(*run_, "renames.run", &renames,
                               [&](const Rename&) { ++count; }));
  uint64_t& repeated = run_->counts.order.repeated_ids;
  repeated += count;
  return ForEachKeptCounts(kept_, [&](const RunCounts& counts) {
    repeated += counts.order.repeated_ids;
  });
}

// ids.blob: the final id of each document, in order.
class FinalIds {
 public:
  static Result<FinalIds> Create(const Run& run) {
    TWINSET_ASSIGN(auto writer, CreateBlob(run, "ids.blob"));
    TWINSET_ASSIGN(auto renames, OpenRun<Rename>(run, "renames.run"));
    FinalIds ids(std::move(writer), std::move(renames));
    TWINSET_ASSIGN(ids.more_, ids.renames_.Next(&ids.rename_));
    return ids;
  }

  Status Add(uint64_t document, const std::string& id) {
    if (!more_ || rename_.document != document) return writer_.Append(id);
    TWINSET_TRY(writer_.Append(id + "#" + std::to_string(rename_.number)));
    TWINSET_ASSIGN(more_, renames_.Next(&rename_));
    return {};
  }
  Status Finish() { return writer_.Finish(); }

 private:
  FinalIds(BlobWriter writer, RunReader<Rename> renames)
      : writer_(std::move(writer)), renames_(std::move(renames)) {}
  BlobWriter writer_;
  RunReader<Rename> renames_;
  Rename rename_;
  bool more_ = false;
};

// ---- classes ----

struct ClassRecord {
  Hash128Value fingerprint;  // of the features, mixed with the scope
  uint64_t rank = 0;
  uint64_t document = 0;
  std::array<uint64_t, 3> SortWords() const {
    return {fingerprint.low, fingerprint.high, rank};
  }
};

// Confirms candidates for equality by comparing their features: equal
// fingerprints are only a hint. Takes the records of one fingerprint after
// another, a group; the features of many groups are read at once.
class ClassBuilder {
 public:
  ClassBuilder(Run* run, const BlobReader* features)
      : run_(run),
        is_late_(run->plan.features.late),
        batch_(features, run->Share(4), &run->budget),
        copies_(run->SortOptions("copies", 8), &run->budget),
        by_document_(run->SortOptions("copies-by-document", 8), &run->budget) {}

  Status Add(const ClassRecord& record) {
    if (!has_group_ || record.fingerprint != fingerprint_) {
      fingerprint_ = record.fingerprint;
      has_group_ = true;
      leaders_ = {record};  // read only if a second one comes
      return {};
    }
    if (pending_.size() >= kMostPending) TWINSET_TRY(Compare());
    TWINSET_ASSIGN(bool fits, Request(record));
    if (!fits) {
      TWINSET_TRY(Compare());
      TWINSET_ASSIGN(fits, Request(record));
    }
    if (fits) return {};
    return Fail(
        ErrorCode::kMemory,
        "too little memory to compare documents with equal fingerprints", "",
        "raise --memory");
  }

  Status Finish() {
    TWINSET_TRY(Compare());
    uint64_t classes = 0, copies = 0, last = ~uint64_t{0};
    TWINSET_TRY(
        WriteRun<Copy>(*run_, "copies.run", &copies_, [&](const Copy& copy) {
          ++copies;
          classes += copy.leader != last;
          last = copy.leader;
        }));
    TWINSET_TRY(WriteRun<CopyByDocument>(*run_, "copies-by-document.run",
                                         &by_document_));
    OrderCounts& counts = run_->counts.order;
    counts.classes = classes;
    counts.copies = copies;
    if (run_->plan.checks_texts()) counts.corrected = corrected_;
    return {};
  }

 private:
  struct Pending {
    ClassRecord record;
    bool leads = false;  // known to be no copy
  };
  // Records, of 40 bytes, that wait to be compared.
  static constexpr size_t kMostPending = 1 << 12;

  // The record waits with the leaders that it is compared with; false if they
  // do not fit beside what is waiting.
  Result<bool> Request(const ClassRecord& record) {
    bool fits = true;
    if (is_late_) {
      for (const ClassRecord& leader : std::exchange(leaders_, {}))
        pending_.push_back({leader, true});
      pending_.push_back({record, false});
      return true;
    }
    for (const ClassRecord& leader : leaders_) {
      TWINSET_ASSIGN(const bool ok, batch_.Request(leader.document));
      fits = fits && ok;
    }
    if (fits) {
      TWINSET_ASSIGN(fits, batch_.Request(record.document));
    }
    if (!fits) return false;
    for (const ClassRecord& leader : leaders_)
      pending_.push_back({leader, true});
    leaders_.clear();
    pending_.push_back({record, false});
    return true;
  }

  // Gives every pending record its leader, in order of rank.
  Status Compare() {
    if (pending_.empty()) return {};
    TWINSET_TRY(batch_.Load(run_->plan.machine.threads));
    const std::vector<char> like_first = CompareToFirsts();
    std::vector<ClassRecord> leaders;  // of a group; several only by collision
    for (size_t at = 0; at < pending_.size(); ++at) {
      const auto& [record, leads] = pending_[at];
      if (!leaders.empty() && leaders[0].fingerprint != record.fingerprint)
        leaders.clear();
      bool is_copy = false;
      for (size_t i = 0; !leads && !is_copy && i < leaders.size(); ++i) {
        const uint64_t leader = leaders[i].document;
        if (i == 0 && !like_first[at]) continue;
        TWINSET_ASSIGN(is_copy, IsCopy(leader, record.document, i == 0));
        if (!is_copy) continue;
        TWINSET_TRY(copies_.Add({leader, record.rank, record.document}));
        TWINSET_TRY(by_document_.Add({record.document, leader}));
      }
      if (!is_copy) leaders.push_back(record);
    }
    // More records of the last group may come.
    if (leaders_.empty()) leaders_ = std::move(leaders);
    pending_.clear();
    batch_.Clear();
    return {};
  }
  // Returns for each pending record whether its features are those of the first
  // of its group, which leads in all groups but those of collisions.
  std::vector<char> CompareToFirsts() const {
    std::vector<size_t> first(pending_.size());
    for (size_t i = 1; i < first.size(); ++i) {
      const bool same_group =
          pending_[i].record.fingerprint == pending_[i - 1].record.fingerprint;
      first[i] = same_group ? first[i - 1] : i;
    }
    std::vector<char> like(pending_.size(), 1);
    if (is_late_) return like;
    ParallelFor(like.size(), 64, run_->plan.machine.threads,
                [&](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i)
                    like[i] = batch_.Get(pending_[first[i]].record.document) ==
                              batch_.Get(pending_[i].record.document);
                });
    return like;
  }

  // `alike`: whether their features are known to be equal.
  Result<bool> IsCopy(uint64_t leader, uint64_t document, bool alike) {
    const std::string_view features = batch_.Get(document);
    if (leader == document) return false;
    if (!alike && batch_.Get(leader) != features) return false;
    if (!run_->plan.checks_texts()) return true;
    if (!texts_) {
      TWINSET_ASSIGN(texts_, TextCheck::Open(*run_));
    }
    TWINSET_ASSIGN(const bool same, texts_->IsCopy(leader, document, features));
    corrected_ += !same;
    return same;
  }

  Run* run_;
  const bool is_late_;  // equal fingerprints count, until features are there
  BlobBatch batch_;
  std::optional<TextCheck> texts_;
  uint64_t corrected_ = 0;
  ExternalSorter<Copy> copies_;
  ExternalSorter<CopyByDocument> by_document_;
  Hash128Value fingerprint_;
  bool has_group_ = false;
  // Those of the last record's group, by rank, unless they are pending.
  std::vector<ClassRecord> leaders_;
  std::vector<Pending> pending_;  // requested from batch_, groups in a row
};

// ids.blob, copies.run, copies-by-document.run
Status FindClasses(Run* run) {
  TWINSET_ASSIGN(FinalIds ids, FinalIds::Create(*run));
  const KeptDocuments kept(*run);
  KeptIds kept_ids(kept);
  ExternalSorter<ClassRecord> records(run->SortOptions("classes", 4),
                                      &run->budget);
  TWINSET_ASSIGN(auto ranks, OpenRun<uint64_t>(*run, "ranks.run"));
  TWINSET_TRY(ForEachDocument(
      *run, [&](uint64_t document, const DocumentInfo& info) -> Status {
        TWINSET_ASSIGN(const std::string id, kept_ids.Next(info.id));
        TWINSET_TRY(ids.Add(document, id));
        uint64_t rank = 0;
        TWINSET_TRY(ranks.Next(&rank));
        if (info.empty || !run->plan.has_classes()) return {};
        Hash128Value fingerprint = info.fingerprint;
        MixScope(info.within, &fingerprint);
        return records.Add({fingerprint, rank, document});
      }));
  TWINSET_TRY(ids.Finish());
  TWINSET_TRY(records.Finish());
  TWINSET_ASSIGN(auto features, OpenBlob(*run, run->features_file));
  ClassBuilder builder(run, &features);
  Meter meter(*run, "records", records.added());
  TWINSET_TRY(ForEach<ClassRecord>(&records, [&](const auto& record) {
    meter.Add();
    return builder.Add(record);
  }));
  return builder.Finish();
}

}  // namespace

Status LeadClassesAnew(
    Run* run, RunReader<Copy> ahead, RunReader<Copy> behind,
    const std::function<Status(uint64_t old_leader, uint64_t leader)>& lead) {
  TWINSET_ASSIGN(auto ranks, LoadRanks(run, run->Share(8)));
  ExternalSorter<Copy> copies(run->SortOptions("copies", 8), &run->budget);
  ExternalSorter<CopyByDocument> by_document(
      run->SortOptions("copies-by-document", 8), &run->budget);
  // One reader finds the best of a class while the other waits at its begin.
  Copy next, copy;
  TWINSET_ASSIGN(bool more, ahead.Next(&next));
  while (more) {
    const uint64_t old_leader = next.leader;
    TWINSET_ASSIGN(const uint64_t old_rank, ranks.Get(old_leader));
    uint64_t best = old_leader, best_rank = old_rank, members = 0;
    for (; more && next.leader == old_leader; ++members) {
      TWINSET_ASSIGN(const uint64_t rank, ranks.Get(next.document));
      if (rank < best_rank) {
        best = next.document;
        best_rank = rank;
      }
      TWINSET_ASSIGN(more, ahead.Next(&next));
    }
    if (best != old_leader) TWINSET_TRY(lead(old_leader, best));
    const auto add = [&](uint64_t document, uint64_t rank) -> Status {
      if (document == best) return {};
      TWINSET_TRY(copies.Add({best, rank, document}));
      return by_document.Add({document, best});
    };
    TWINSET_TRY(add(old_leader, old_rank));
    for (uint64_t i = 0; i < members; ++i) {
      TWINSET_TRY(behind.Next(&copy));
      TWINSET_ASSIGN(const uint64_t rank, ranks.Get(copy.document));
      TWINSET_TRY(add(copy.document, rank));
    }
  }
  TWINSET_TRY(WriteRun<Copy>(*run, "copies.run", &copies));
  return WriteRun<CopyByDocument>(*run, "copies-by-document.run", &by_document);
}

Status OrderStage(Run* run) {
  run->step = "ranks";
  {
    RepeatedIds ids(run);
    TWINSET_TRY(AssignRanks(
        run,
        [&ids](uint64_t document, const DocumentInfo& info) {
          return ids.Add(document, info);
        },
        /*beside=*/[&ids] { return ids.Finish(); }));
  }
  run->step = "classes";
  TWINSET_TRY(FindClasses(run));
  return run->FinishStage(
      "order",
      {"ranks.run", "renames.run", "ids.blob", "ids.blob.idx", "copies.run",
       "copies-by-document.run"},
      run->counts.order);
}

}  // namespace twinset
