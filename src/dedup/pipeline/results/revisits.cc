#include "pipeline/results/revisits.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/file.h"
#include "base/for_each.h"
#include "base/json_text.h"
#include "base/keyed_hash.h"
#include "base/sort_records.h"
#include "pipeline/read/captures.h"
#include "pipeline/read/stored_documents.h"

namespace twinset {

namespace {

// A way to name a capture, held by one of the input or asked for by a revisit.
struct RevisitKey {
  Hash128Value key;
  bool is_query = false;
  // For a query, the number of the revisit; for a document, 0, so that it comes
  // first; for a skipped record, 1 + the number of the reason.
  uint64_t number = 0;
  std::array<uint64_t, 2> SortWords() const { return {key.low, key.high}; }
  friend bool operator<(const RevisitKey& x, const RevisitKey& y) {
    return std::tie(x.key, x.is_query, x.number) <
           std::tie(y.key, y.is_query, y.number);
  }
};

// A revisit that refers to a skipped record.
struct SkippedTarget {
  uint64_t revisit = 0, reason = 0;
  std::array<uint64_t, 2> SortWords() const { return {revisit, reason}; }
};

Status AddKeys(const EqualityHash& hash, ExternalSorter<RevisitKey>* keys,
               const std::string& id, const std::string& url,
               const std::string& date, const std::string& digest,
               bool is_query, uint64_t number) {
  if (!id.empty())
    TWINSET_TRY(keys->Add({hash.Long("i" + id), is_query, number}));
  if (!url.empty() && !date.empty()) {
    TWINSET_TRY(
        keys->Add({hash.Long("u" + url + "\n" + date), is_query, number}));
  }
  if (!digest.empty())
    TWINSET_TRY(keys->Add({hash.Long("d" + digest), is_query, number}));
  return {};
}

// What the revisits of a run refer to.
class RevisitTargets {
 public:
  explicit RevisitTargets(Run* run)
      : run_(run),
        hash_(run->plan.features.key),
        keys_(run->SortOptions("revisit-keys", 8), &run->budget),
        resolved_(Unique("revisits-resolved"), &run->budget),
        skipped_(Unique("revisits-skipped"), &run->budget) {}

  Status Find() {
    if (run_->counts.read.revisits != 0) TWINSET_TRY(Collect());
    TWINSET_TRY(keys_.Finish());
    RevisitKey key, held;
    bool has_held = false;
    for (;;) {
      TWINSET_ASSIGN(const bool more, keys_.Next(&key));
      if (!more) break;
      const bool same = has_held && held.key == key.key;
      if (!key.is_query) {
        if (!same) held = key;  // the first one: a document, if there is one
        has_held = true;
      } else if (same && held.number == 0) {
        TWINSET_TRY(resolved_.Add(key.number));
      } else if (same) {
        TWINSET_TRY(skipped_.Add({key.number, held.number - 1}));
      }
    }
    TWINSET_TRY(resolved_.Finish());
    TWINSET_TRY(skipped_.Finish());
    TWINSET_ASSIGN(more_resolved_, resolved_.Next(&next_resolved_));
    TWINSET_ASSIGN(more_skipped_, skipped_.Next(&next_skipped_));
    return {};
  }

  // Tells of one revisit after the other whether it is resolved, and if not,
  // why its target was skipped, or empty.
  Status Next(bool* resolved, std::string* skipped) {
    *resolved = more_resolved_ && next_resolved_ == number_;
    if (*resolved) {
      TWINSET_ASSIGN(more_resolved_, resolved_.Next(&next_resolved_));
    }
    skipped->clear();
    while (more_skipped_ && next_skipped_.revisit == number_) {
      if (!*resolved && skipped->empty())
        *skipped = reasons_[next_skipped_.reason];
      TWINSET_ASSIGN(more_skipped_, skipped_.Next(&next_skipped_));
    }
    ++number_;
    return {};
  }

 private:
  ExternalSortOptions Unique(const std::string& name) const {
    ExternalSortOptions options = run_->SortOptions(name, 8);
    options.unique = true;
    return options;
  }

  Status Collect() {
    uint64_t number = 0;
    TWINSET_TRY(ForEachCapture(*run_, [&](const Capture& c) {
      if (c.skipped.empty()) {
        return AddKeys(hash_, &keys_, c.refers_to_id, c.refers_to_url,
                       c.refers_to_date, c.refers_to_digest, true, number++);
      }
      const auto at = std::find(reasons_.begin(), reasons_.end(), c.skipped);
      const auto reason = static_cast<uint64_t>(at - reasons_.begin());
      if (at == reasons_.end()) reasons_.push_back(c.skipped);
      return AddKeys(hash_, &keys_, c.id, c.url, c.date, c.digest, false,
                     reason + 1);
    }));
    const StoredInputs* asked = run_->plan.inputs.asked();
    TWINSET_TRY(ForEachDocument(
        *run_, [&](uint64_t, const DocumentInfo& info) -> Status {
          if (asked != nullptr && asked->Holds(info.provenance.source))
            return {};
          return AddDocument(info);
        }));
    return asked != nullptr ? CollectStored(*asked) : Status();
  }

  Status AddDocument(const DocumentInfo& info) {
    const Provenance& place = info.provenance;
    const std::string& id =
        info.original_id.empty() ? info.id : info.original_id;
    return AddKeys(hash_, &keys_, id, place.url, place.date, place.digest,
                   false, 0);
  }

  // The work files have only some documents of a saved run that is asked.
  Status CollectStored(const StoredInputs& stored) {
    TWINSET_ASSIGN(
        auto documents,
        OpenStored(stored, read_file::kNames[read_file::kDocuments]));
    return ForEach<std::string_view>(
        &documents, [&](std::string_view bytes) -> Status {
          TWINSET_ASSIGN(const DocumentInfo info, DecodeDocumentInfo(bytes));
          return AddDocument(info);
        });
  }

  Run* run_;
  const EqualityHash hash_;
  ExternalSorter<RevisitKey> keys_;
  ExternalSorter<uint64_t> resolved_;
  ExternalSorter<SkippedTarget> skipped_;
  std::vector<std::string> reasons_;
  uint64_t number_ = 0, next_resolved_ = 0;
  SkippedTarget next_skipped_;
  bool more_resolved_ = false, more_skipped_ = false;
};

}  // namespace

Status WriteQuarantine(const Run& run) {
  TWINSET_ASSIGN(auto rows, OpenBlob(run, "quarantine.blob"));
  TWINSET_ASSIGN(auto file, OutputFile::Create(run.plan.options.out +
                                               "/quarantine.jsonl"));
  TWINSET_TRY(ForEach<std::string_view>(&rows, [&](std::string_view row) {
    return file.Write(std::string(row) + "\n");
  }));
  return file.Commit();
}

Status WriteRevisits(Run* run, RevisitCounts* counts) {
  TWINSET_ASSIGN(auto file,
                 OutputFile::Create(run->plan.options.out + "/revisits.jsonl"));
  RevisitTargets targets(run);
  TWINSET_TRY(targets.Find());
  uint64_t total = 0, resolved_count = 0, skipped_count = 0;
  bool resolved = false;
  std::string skipped;
  SourceNames sources;
  TWINSET_TRY(ForEachCapture(*run, [&](const Capture& r) -> Status {
    if (!r.skipped.empty()) return {};
    TWINSET_TRY(targets.Next(&resolved, &skipped));
    ++total;
    resolved_count += resolved;
    skipped_count += !skipped.empty();
    JsonRow row;
    row.Text("id", r.id)
        .Text("source", sources.Of(run->plan.inputs.files, r.source))
        .Integer("ordinal", r.ordinal)
        .Text("url", r.url)
        .Text("date", r.date)
        .Text("refers_to_id", r.refers_to_id)
        .Text("refers_to_url", r.refers_to_url)
        .Text("refers_to_date", r.refers_to_date)
        .Text("refers_to_digest", r.refers_to_digest)
        .Bool("resolved", resolved);
    if (!skipped.empty()) row.Text("target_skipped", skipped);
    return file.Write(row.Take() + "\n");
  }));
  *counts = {resolved_count, total - resolved_count, {}};
  if (skipped_count > 0) counts->target_skipped = skipped_count;
  return file.Commit();
}

}  // namespace twinset
