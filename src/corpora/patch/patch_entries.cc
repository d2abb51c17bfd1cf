#include "patch/patch_entries.h"

#include <algorithm>
#include <utility>

#include "base/keyed_hash.h"
#include "documents/document_pass.h"
#include "patch/patch_inputs.h"
#include "read/archive/digest.h"
#include "read/table_helpers.h"
#include "text/page/language.h"

namespace twinset {

namespace {

// A clustered document as it is before clusters are looked up whole.
PatchKind KindOf(Action action, bool is_representative) {
  if (action == Action::kAnnotate) return PatchKind::kAnnotate;
  if (action == Action::kDropAll) return PatchKind::kDrop;
  return is_representative ? PatchKind::kKeep : PatchKind::kDrop;
}

tl::unexpected<Error> Changed(const std::string& path, const Record& record) {
  return Fail(ErrorCode::kIo,
              "the input is not what the run has read: record " +
                  std::to_string(record.document.provenance.ordinal) +
                  " is not the document that the run lists there",
              path, "give the inputs as they were, or run dedup again");
}

}  // namespace

PatchEntries::PatchEntries(const std::string& run, const Plan& plan,
                           const ScratchFolder& work, MemoryBudget* budget)
    : run_(run),
      plan_(plan),
      work_(work),
      budget_(budget),
      facts_(SortOptions("facts"), budget),
      links_(SortOptions("links"), budget) {}

ExternalSortOptions PatchEntries::SortOptions(const std::string& name) const {
  ExternalSortOptions options;
  options.directory = work_.path();
  options.name = name;
  options.memory_bytes =
      std::max(kExternalSortMinimumBytes, budget_->limit_bytes() / 6);
  options.unique = name == "links";
  options.threads = plan_.machine.threads;
  return options;
}

Status PatchEntries::Read(const std::atomic<bool>* stop,
                          PassProgress* progress) {
  TWINSET_TRY(CopyClusters(run_, plan_.inputs.files, work_ / "clusters.run"));
  TWINSET_TRY(CopyRefused(run_, plan_.inputs.files, work_ / "refused.run"));
  TWINSET_ASSIGN(clusters_,
                 PlaceReader<ClusteredPlace>::Open(work_ / "clusters.run"));
  TWINSET_ASSIGN(refused_,
                 PlaceReader<RefusedPlace>::Open(work_ / "refused.run"));
  TWINSET_ASSIGN(keep_, IdList::Open(run_ + "/keep.txt"));
  TWINSET_ASSIGN(drop_, IdList::Open(run_ + "/drop.txt"));
  if (!plan_.scope.languages.empty() || !plan_.scope.page_kinds.empty()) {
    TWINSET_ASSIGN(text_, TextStage::Make(plan_.options.input,
                                          plan_.options.features, {}));
  }
  TWINSET_ASSIGN(inputs_, BlobWriter::Create(work_ / "inputs.blob", 0));
  TWINSET_ASSIGN(entries_, BlobWriter::Create(work_ / "entries.blob", 0));
  for (uint32_t i = 0; i < plan_.inputs.files.size(); ++i)
    TWINSET_TRY(ReadSource(i, stop, progress));
  TWINSET_ASSIGN(const bool kept_all, keep_->AtEnd());
  TWINSET_ASSIGN(const bool dropped_all, drop_->AtEnd());
  if (!kept_all || !dropped_all || !clusters_->AtEnd())
    return Fail(ErrorCode::kIo,
                "the run lists documents that are not in the inputs", run_,
                "give the inputs as they were, or run dedup again");
  TWINSET_TRY(inputs_->Finish());
  TWINSET_TRY(entries_->Finish());
  head.inputs = plan_.inputs.files.size();
  return Link();
}

Status PatchEntries::ReadSource(uint32_t source, const std::atomic<bool>* stop,
                                PassProgress* progress) {
  const InputFile input = plan_.inputs.files[source];
  PatchInput named;
  named.name = input.source;
  named.bytes = input.state.size;
  TWINSET_ASSIGN(named.digest, DigestOfInput(input, stop));
  TWINSET_TRY(inputs_->Append(EncodePatchInputs({&named, 1})));
  ReadOptions read = plan_.inputs.read;
  read.keep_stored = true;
  TWINSET_ASSIGN(const auto reader, OpenRecordReader(input, source, read));
  Record record;
  for (;;) {
    if (stop != nullptr && *stop)
      return Fail(ErrorCode::kInterrupted, "stopped; nothing was written");
    const Result<bool> more = reader->Next(&record);
    if (!more) {
      if (EndsReading(more.error())) return tl::unexpected(more.error());
      // The run has met the same end; else the lists show it.
      warnings.push_back(more.error().ToString());
      break;
    }
    if (!*more) break;
    progress->Add();
    if (record.kind != RecordKind::kDocument) continue;
    TWINSET_TRY(
        AddDocument(&record, input, reader->format() == InputFormat::kWarc));
  }
  return CheckUnchanged(input);
}

Status PatchEntries::AddDocument(Record* record, const InputFile& input,
                                 bool is_warc) {
  Document& document = record->document;
  const Provenance& place = document.provenance;
  PatchEntry entry;
  entry.source = place.source;
  entry.ordinal = place.ordinal;
  entry.offset = place.offset;
  entry.id = document.id;
  GiveListedId(input.source, record);
  TWINSET_ASSIGN(const bool is_refused, IsRefused(*record, input.source));
  if (is_refused) {
    entry.kind = PatchKind::kLeave;
    ++head.left_out;
    entry.digest = PatchDigest(document.payload);
    return AddEntry(std::move(entry));
  }
  ClusteredPlace row;
  TWINSET_ASSIGN(const bool is_clustered,
                 clusters_->Take(place.source, place.ordinal, &row));
  entry.kind = KindOf(head.action, row.is_representative != 0);
  const bool drops = is_clustered && entry.kind == PatchKind::kDrop;
  std::string name;
  TWINSET_ASSIGN(const bool is_listed,
                 (drops ? *drop_ : *keep_).Take(document.id, &name));
  if (!is_listed) return Changed(input.path, *record);
  ++head.documents;
  head.dropped += drops;
  if (head.action == Action::kAnnotate) entry.name = std::move(name);
  if (!is_clustered) {
    if (entry.name.empty()) return {};
    entry.kind = PatchKind::kName;
  } else if (head.action != Action::kDropAll) {
    entry.size = entry.kind == PatchKind::kAnnotate ? row.size : 0;
    entry.similarity = row.similarity;
    entry.contained = row.contained;
    entry.url = place.url;
    entry.date = place.date;
    PatchFact fact;
    fact.cluster = row.cluster;
    fact.is_member = row.is_representative == 0;
    fact.entry = head.entries;
    if (record->is_stored)
      fact.stored = EqualityHash::OfProcess().Long(record->StoredPayload());
    fact.form = static_cast<uint64_t>(FormOfDigest(place.digest));
    fact.is_warc = is_warc;
    TWINSET_TRY(facts_.Add(fact));
  }
  entry.digest = PatchDigest(document.payload);
  return AddEntry(std::move(entry));
}

Result<bool> PatchEntries::IsRefused(const Record& record,
                                     const std::string& source) {
  const Provenance& place = record.document.provenance;
  RefusedPlace refused;
  TWINSET_ASSIGN(const bool is_listed,
                 refused_->Take(place.source, place.ordinal, &refused));
  if (is_listed || !text_) return is_listed;
  DocumentText text;
  RejectedRecord rejected;
  if (text_->Show(record, source, &text, &rejected)) return false;
  // Without text, and not quarantined: its bytes were compared.
  return !rejected.quarantined ||
         !LanguageInRanges(std::string(kUnknownLanguage),
                           plan_.scope.languages);
}

Status PatchEntries::AddEntry(PatchEntry entry) {
  entry.link = head.entries;
  TWINSET_TRY(entries_->Append(EncodePatchEntries(head.entries, {&entry, 1})));
  ++head.entries;
  return {};
}

// From each member to its representative, which may come behind it.
Status PatchEntries::Link() {
  TWINSET_TRY(facts_.Finish());
  PatchFact kept, fact;
  bool is_first = true;
  for (;;) {
    TWINSET_ASSIGN(const bool more, facts_.Next(&fact));
    if (!more) break;
    if (is_first || fact.cluster != kept.cluster) {
      if (fact.is_member != 0)
        return Fail(ErrorCode::kCorrupt,
                    "a cluster of the run has no representative", run_,
                    "run dedup again");
      kept = fact;
    } else {
      TWINSET_TRY(LinkMember(kept, fact));
    }
    is_first = false;
  }
  return links_.Finish();
}

Status PatchEntries::LinkMember(const PatchFact& kept,
                                const PatchFact& member) {
  // As the write stage decides it (RecordEditor::Replace).
  PatchLink::What what = PatchLink::kMember;
  if (head.action == Action::kDrop && member.is_warc != 0) {
    if (member.stored != Hash128Value() && member.stored == kept.stored) {
      what = PatchLink::kRevisit;
    } else if (head.near != NearRule::kDrop) {
      what = PatchLink::kNear;
    }
  }
  TWINSET_TRY(links_.Add({member.entry, kept.entry, what, kept.form}));
  return what == PatchLink::kMember
             ? Status()
             : links_.Add({kept.entry, kept.entry, PatchLink::kNamed, 0});
}

Status PatchEntries::Write(PatchWriter* writer) {
  TWINSET_ASSIGN(auto inputs, BlobReader::Open(work_ / "inputs.blob", 0));
  TWINSET_ASSIGN(auto entries, BlobReader::Open(work_ / "entries.blob", 0));
  std::string_view bytes;
  for (;;) {
    TWINSET_ASSIGN(const bool more, inputs.Next(&bytes));
    if (!more) break;
    std::vector<PatchInput> input;
    TWINSET_TRY(DecodePatchInputs(bytes, &input));
    TWINSET_TRY(writer->AddInput(std::move(input.front())));
  }
  PatchLink link;
  TWINSET_ASSIGN(bool linked, links_.Next(&link));
  std::vector<PatchEntry> decoded;
  for (uint64_t number = 0;; ++number) {
    TWINSET_ASSIGN(const bool more, entries.Next(&bytes));
    if (!more) return {};
    TWINSET_TRY(DecodePatchEntries(number, bytes, &decoded));
    PatchEntry& entry = decoded.front();
    bool is_named = false;
    while (linked && link.entry == number) {
      if (link.what == PatchLink::kNamed) {
        is_named = true;
      } else {
        entry.link = link.target;
      }
      if (link.what == PatchLink::kRevisit) {
        entry.kind = PatchKind::kRevisit;
        if (link.form != 0) entry.name = std::to_string(link.form);
      }
      if (link.what == PatchLink::kNear) entry.kind = PatchKind::kNear;
      TWINSET_ASSIGN(linked, links_.Next(&link));
    }
    if (!is_named) entry.url = entry.date = "";
    if (entry.kind != PatchKind::kNear && entry.kind != PatchKind::kAnnotate)
      entry.similarity = entry.contained = 1;
    TWINSET_TRY(writer->AddEntry(std::move(entry)));
  }
}

}  // namespace twinset
