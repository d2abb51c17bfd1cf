#include "pipeline/decisions.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/json_text.h"

namespace twinset {

Result<Decisions> Decisions::Open(const Run& run) {
  TWINSET_ASSIGN(auto rows,
                 RunReader<ClusterRow>::Open(run.Path("clusters.run"),
                                             run.plan.parameters_hash));
  Decisions decisions(std::move(rows), run.plan.options.action);
  TWINSET_ASSIGN(decisions.more_, decisions.rows_.Next(&decisions.row_));
  return decisions;
}

Result<Decision> Decisions::Next() {
  Decision decision;
  if (more_ && row_.document == document_) {
    decision.clustered = true;
    decision.row = row_;
    const bool is_member = row_.document != row_.representative;
    decision.dropped =
        (action_ == "drop" && is_member) || action_ == "drop-all";
    TWINSET_ASSIGN(more_, rows_.Next(&row_));
  }
  ++document_;
  return decision;
}

namespace {

// A way to name a capture, held by a document or asked for by a revisit.
struct RevisitKey {
  Hash128Value key;
  bool is_query = false;
  uint64_t revisit = 0;  // of a query: its number
  friend bool operator<(const RevisitKey& x, const RevisitKey& y) {
    return std::tie(x.key, x.is_query, x.revisit) <
           std::tie(y.key, y.is_query, y.revisit);
  }
};

struct Revisit {
  uint32_t source = 0;
  uint64_t ordinal = 0;
  std::string id, url, date, refers_to_id, refers_to_url, refers_to_date,
      refers_to_digest;
};

Result<Revisit> DecodeRevisit(std::string_view bytes) {
  ByteReader reader(bytes);
  Revisit revisit;
  revisit.source = reader.Read<uint32_t>();
  revisit.ordinal = reader.Read<uint64_t>();
  for (std::string* part :
       {&revisit.id, &revisit.url, &revisit.date, &revisit.refers_to_id,
        &revisit.refers_to_url, &revisit.refers_to_date,
        &revisit.refers_to_digest}) {
    *part = reader.ReadSized();
  }
  if (!reader.ok() || !reader.AtEnd()) {
    return Fail(ErrorCode::kCorrupt,
                "a stored revisit record has the wrong length");
  }
  return revisit;
}

Status ForEachRevisit(
    const Run& run,
    const std::function<Status(uint64_t, const Revisit&)>& body) {
  TWINSET_ASSIGN(auto reader, BlobReader::Open(run.Path("revisits.blob"),
                                               run.plan.parameters_hash));
  std::string_view bytes;
  for (uint64_t number = 0;; ++number) {
    TWINSET_ASSIGN(const bool more, reader.Next(&bytes));
    if (!more) return {};
    TWINSET_ASSIGN(const Revisit revisit, DecodeRevisit(bytes));
    TWINSET_TRY(body(number, revisit));
  }
}

Status AddKeys(ExternalSorter<RevisitKey>* keys, const std::string& id,
               const std::string& url, const std::string& date,
               const std::string& digest, bool is_query, uint64_t number) {
  if (!id.empty())
    TWINSET_TRY(keys->Add({Hash128("i" + id), is_query, number}));
  if (!url.empty() && !date.empty()) {
    TWINSET_TRY(
        keys->Add({Hash128("u" + url + "\n" + date), is_query, number}));
  }
  if (!digest.empty())
    TWINSET_TRY(keys->Add({Hash128("d" + digest), is_query, number}));
  return {};
}

}  // namespace

Status WriteQuarantine(const Run& run) {
  TWINSET_ASSIGN(auto rows, BlobReader::Open(run.Path("quarantine.blob"),
                                             run.plan.parameters_hash));
  TWINSET_ASSIGN(auto file, OutputFile::Create(run.plan.options.out +
                                               "/quarantine.jsonl"));
  std::string_view row;
  for (;;) {
    TWINSET_ASSIGN(const bool more, rows.Next(&row));
    if (!more) return file.Commit();
    TWINSET_TRY(file.Write(std::string(row) + "\n"));
  }
}

Status WriteRevisits(Run* run) {
  TWINSET_ASSIGN(auto file,
                 OutputFile::Create(run->plan.options.out + "/revisits.jsonl"));
  ExternalSorter<RevisitKey> keys(run->SortOptions("revisit-keys", 8),
                                  &run->budget);
  ExternalSortOptions options = run->SortOptions("revisits-resolved", 8);
  options.unique = true;
  ExternalSorter<uint64_t> resolved(options, &run->budget);
  uint64_t total = 0, resolved_count = 0;
  if (run->counts["read"]["revisits"] != 0) {
    TWINSET_TRY(ForEachRevisit(*run, [&](uint64_t number, const Revisit& r) {
      return AddKeys(&keys, r.refers_to_id, r.refers_to_url, r.refers_to_date,
                     r.refers_to_digest, true, number);
    }));
    TWINSET_TRY(ForEachDocument(*run, [&](uint64_t, const DocumentInfo& info) {
      const Provenance& place = info.provenance;
      return AddKeys(&keys, info.id, place.url, place.date, place.digest, false,
                     0);
    }));
  }
  TWINSET_TRY(keys.Finish());
  RevisitKey key;
  Hash128Value held;
  bool has_held = false;
  for (;;) {
    TWINSET_ASSIGN(const bool more, keys.Next(&key));
    if (!more) break;
    if (!key.is_query) {
      held = key.key;
      has_held = true;
    } else if (has_held && held == key.key) {
      TWINSET_TRY(resolved.Add(key.revisit));
    }
  }
  TWINSET_TRY(resolved.Finish());
  uint64_t next = 0;
  TWINSET_ASSIGN(bool more, resolved.Next(&next));
  TWINSET_TRY(
      ForEachRevisit(*run, [&](uint64_t number, const Revisit& r) -> Status {
        const bool is_resolved = more && next == number;
        ++total;
        if (is_resolved) {
          ++resolved_count;
          TWINSET_ASSIGN(more, resolved.Next(&next));
        }
        JsonRow row;
        row.Text("id", r.id)
            .Text("source", run->plan.inputs[r.source].source)
            .Integer("ordinal", r.ordinal)
            .Text("url", r.url)
            .Text("date", r.date)
            .Text("refers_to_id", r.refers_to_id)
            .Text("refers_to_url", r.refers_to_url)
            .Text("refers_to_date", r.refers_to_date)
            .Text("refers_to_digest", r.refers_to_digest)
            .Bool("resolved", is_resolved);
        return file.Write(row.Take() + "\n");
      }));
  run->counts["result"]["revisit"] = {{"resolved", resolved_count},
                                      {"unresolved", total - resolved_count}};
  return file.Commit();
}

}  // namespace twinset
