#include "patch/patch_match.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "base/keyed_hash.h"
#include "documents/document_pass.h"
#include "patch/patch_inputs.h"
#include "read/archive/digest.h"
#include "read/table_helpers.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

// An entry or a record, by what the two are found by.
struct Findable {
  Hash128Value key, digest;
  uint64_t rank = 0, number = 0;  // number: of the entry, or of the record
  uint64_t source = 0, ordinal = 0, offset = 0;  // of the record
  uint64_t later = 0;   // its rank once order alone does not pair it
  Hash128Value stored;  // of the record: PatchDigest of its stored payload
  std::array<uint64_t, 6> SortWords() const {
    return {key.high, key.low, digest.high, digest.low, rank, number};
  }
};

// Where an entry was found.
struct Found {
  uint64_t entry = 0, source = 0, ordinal = 0, offset = 0;
  uint64_t matches = 0;  // 0: the payload is another
  uint64_t is_same = 0;  // in an input that is that of the patch
  Hash128Value stored;   // else: PatchDigest of the payload as it is stored
  std::array<uint64_t, 1> SortWords() const { return {entry}; }
};

using Findables = ExternalSorter<Findable>;

// Pairs entries and records that have the same key and digest, in their orders:
// the first with the first. What is left of a side goes to `lone_entry` and
// `lone_record`. Cost: one pass; memory: none.
template <typename Pair, typename LoneEntry, typename LoneRecord>
Status Zip(Findables* entries, Findables* records, const Pair& pair,
           const LoneEntry& lone_entry, const LoneRecord& lone_record) {
  TWINSET_TRY(entries->Finish());
  TWINSET_TRY(records->Finish());
  const auto order = [](const Findable& x) {
    return std::array{x.key.high, x.key.low, x.digest.high, x.digest.low};
  };
  Findable entry, record;
  TWINSET_ASSIGN(bool has_entry, entries->Next(&entry));
  TWINSET_ASSIGN(bool has_record, records->Next(&record));
  while (has_entry || has_record) {
    const bool entry_first =
        has_entry && (!has_record || order(entry) < order(record));
    const bool record_first =
        has_record && (!has_entry || order(record) < order(entry));
    if (entry_first) {
      TWINSET_TRY(lone_entry(entry));
    } else if (record_first) {
      TWINSET_TRY(lone_record(record));
    } else {
      TWINSET_TRY(pair(entry, record));
    }
    if (!record_first) {
      TWINSET_ASSIGN(has_entry, entries->Next(&entry));
    }
    if (!entry_first) {
      TWINSET_ASSIGN(has_record, records->Next(&record));
    }
  }
  return {};
}

bool IsOf(PatchKind kind, std::initializer_list<PatchKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Kinds that stay.
bool IsNamed(PatchKind kind) {
  return IsOf(kind, {PatchKind::kKeep, PatchKind::kAnnotate, PatchKind::kName});
}

std::string_view NameOf(PatchKind kind) {
  constexpr std::string_view kNames[] = {"keep",     "drop", "revisit", "near",
                                         "annotate", "name", "leave"};
  static_assert(std::size(kNames) == kPatchKinds);
  return kNames[static_cast<size_t>(kind)];
}

// What is behind the place of the error would be missing in the copy.
tl::unexpected<Error> Unreadable(Error error) {
  error.message += "; a copy of this input would lose what is behind that";
  error.remedy = "repair the input or leave it out";
  return tl::unexpected(std::move(error));
}

class Matching {
 public:
  Matching(Run* run, PatchReader* patch, PatchMatch by,
           PatchApplyResult* result)
      : run_(run),
        patch_(patch),
        by_(by),
        result_(result),
        found_(run->SortOptions("found", kSorters), &run->budget),
        bits_(run->budget.ReserveUpTo(BytesOfBits(), BytesOfBits())) {}

  Status Do() {
    if (by_ == PatchMatch::kPlace) {
      run_->step = "inputs";
      TWINSET_ASSIGN(pairs_, PairInputs(*run_, patch_->inputs()));
      CountInputs();
    }
    result_->inputs = run_->plan.inputs.files.size();
    TWINSET_TRY(WriteInputRows(*run_, patch_->inputs(), pairs_,
                               run_->plan.options.out + "/inputs.jsonl"));
    TWINSET_TRY(Find());
    TWINSET_TRY(WriteRun<Found>(*run_, "found.run", &found_));
    run_->step = "decide";
    return Decide();
  }

 private:
  static constexpr uint64_t kSorters = 6;

  uint64_t BytesOfBits() const { return patch_->head().entries / 4 + 64; }
  void CountInputs();
  Status Find();
  Status AddEntries(Findables* to);
  Status AddRecords(Findables* to);
  Status AddRecordsOf(uint32_t source, uint64_t* number, Findables* to);
  Status FindOthers(Findables* entries, Findables* records);
  Findable KeyOf(const std::string& id, uint64_t input, uint64_t ordinal,
                 const Hash128Value& digest) const;
  std::string IdOf(const PatchEntry& entry) const;
  Status AddFound(uint64_t entry, const Findable& record, bool matches) {
    return found_.Add({entry, record.source, record.ordinal, record.offset,
                       matches,
                       /*is_same=*/0, record.stored});
  }
  Status Decide();
  Status CheckLink(uint64_t number, const PatchEntry& entry) const;
  Status DecideOne(uint64_t number, const PatchEntry& entry,
                   const Found* found);
  Status Mismatch(const char* reason, const PatchEntry& entry,
                  const Found* found);
  bool IsThere(uint64_t entry) const { return there_[entry]; }

  Run* run_;
  PatchReader* patch_;
  const PatchMatch by_;
  PatchApplyResult* result_;
  PatchInputs pairs_;
  ExternalSorter<Found> found_;
  Reservation bits_;
  // By entry: whether it stays; while deciding, whether the copy has it.
  std::vector<bool> stays_, there_;
  std::optional<ExternalSorter<PatchEdit>> edits_;
  std::optional<BlobWriter> names_;
  OutputFile mismatches_;
  RowText row_{OutputFormat::kJsonl};
};

void Matching::CountInputs() {
  for (size_t i = 0; i < pairs_.of_copy.size(); ++i)
    ++(pairs_.identical[i] ? result_->identical : result_->differing_inputs);
  result_->missing_inputs = static_cast<uint64_t>(std::count(
      pairs_.of_patch.begin(), pairs_.of_patch.end(), PatchInputs::kNone));
}

Findable Matching::KeyOf(const std::string& id, uint64_t input,
                         uint64_t ordinal, const Hash128Value& digest) const {
  Findable made;
  made.key = by_ == PatchMatch::kPlace ? Hash128Value{ordinal, input}
                                       : EqualityHash::OfProcess().Ordered(id);
  made.digest = digest;
  return made;
}

std::string Matching::IdOf(const PatchEntry& entry) const {
  if (!entry.id.empty()) return entry.id;
  return patch_->inputs()[entry.source].name + ":" +
         std::to_string(entry.ordinal);
}

Status Matching::AddEntries(Findables* to) {
  patch_->Rewind();
  stays_.assign(patch_->head().entries, false);
  PatchEntry entry;
  Meter meter(*run_, "records", patch_->head().entries);
  for (uint64_t number = 0;; ++number) {
    TWINSET_ASSIGN(const bool more, patch_->Next(&entry));
    if (!more) return {};
    meter.Add();
    stays_[number] = IsNamed(entry.kind);
    if (by_ == PatchMatch::kPlace) {
      const uint32_t copy = pairs_.of_patch[entry.source];
      if (copy == PatchInputs::kNone) continue;
      if (pairs_.identical[copy]) {
        TWINSET_TRY(found_.Add({number,
                                copy,
                                entry.ordinal,
                                entry.offset,
                                true,
                                /*is_same=*/1,
                                {}}));
        continue;
      }
    }
    Findable made =
        KeyOf(IdOf(entry), entry.source, entry.ordinal, entry.digest);
    made.number = number;
    // Where records are too few for all, those that go are found last.
    made.later = IsNamed(entry.kind) ? 0 : 1;
    TWINSET_TRY(to->Add(made));
  }
}

Status Matching::AddRecords(Findables* to) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < run_->plan.inputs.files.size(); ++i) {
    // What is no input of the patch is read for what is quarantined there.
    const bool is_known = by_ == PatchMatch::kPlace && pairs_.identical[i];
    if (!is_known) TWINSET_TRY(AddRecordsOf(i, &number, to));
  }
  return {};
}

Status Matching::AddRecordsOf(uint32_t source, uint64_t* number,
                              Findables* to) {
  const InputFile input = run_->plan.inputs.files[source];
  TWINSET_ASSIGN(const auto reader,
                 OpenRecordReader(input, source, run_->plan.inputs.read));
  Meter meter(*run_, "records", 0);
  Record record;
  uint64_t quarantined = 0;
  std::string first;
  for (;;) {
    TWINSET_TRY(run_->CheckStop());
    const Result<bool> more = reader->Next(&record);
    if (!more) {
      if (EndsReading(more.error())) return tl::unexpected(more.error());
      if (!run_->plan.options.write.empty()) return Unreadable(more.error());
      run_->warnings.push_back(more.error().ToString());
      break;
    }
    if (!*more) break;
    meter.Add();
    if (record.kind == RecordKind::kQuarantined && ++quarantined == 1)
      first = "record " + std::to_string(record.document.provenance.ordinal) +
              ": " + record.reason;
    if (record.kind != RecordKind::kDocument) continue;
    GiveListedId(input.source, &record);
    const Provenance& place = record.document.provenance;
    const uint64_t in_patch =
        by_ == PatchMatch::kPlace ? pairs_.of_copy[source] : 0;
    const std::string& id =
        record.original_id.empty() ? record.document.id : record.original_id;
    Findable made = KeyOf(id, in_patch, place.ordinal,
                          PatchDigest(record.document.payload));
    made.number = (*number)++;
    made.source = source;
    made.ordinal = place.ordinal;
    made.offset = place.offset;
    if (record.is_stored) made.stored = PatchDigest(record.StoredPayload());
    TWINSET_TRY(to->Add(made));
  }
  if (quarantined > 0)
    run_->warnings.push_back(std::string(input.source) + ": " +
                             std::to_string(quarantined) +
                             " records are quarantined, the first is " + first);
  result_->quarantined += quarantined;
  return CheckUnchanged(input);
}

Status Matching::Find() {
  Findables entries(run_->SortOptions("entries", kSorters), &run_->budget);
  Findables records(run_->SortOptions("records", kSorters), &run_->budget);
  run_->step = "patch";
  TWINSET_TRY(AddEntries(&entries));
  run_->step = "records";
  TWINSET_TRY(AddRecords(&records));
  Findables lone_entries(run_->SortOptions("lone-entries", kSorters),
                         &run_->budget);
  Findables lone_records(run_->SortOptions("lone-records", kSorters),
                         &run_->budget);
  const auto lone = [this](Findables* to) {
    return [this, to](Findable other) {
      if (by_ == PatchMatch::kDigest) other.key = other.digest;
      other.digest = {};
      other.rank = other.later;
      return to->Add(other);
    };
  };
  TWINSET_TRY(Zip(
      &entries, &records,
      [this](const Findable& entry, const Findable& record) {
        return AddFound(entry.number, record, true);
      },
      lone(&lone_entries), lone(&lone_records)));
  return FindOthers(&lone_entries, &lone_records);
}

// By digest: records of another id. Else: records with another payload.
Status Matching::FindOthers(Findables* entries, Findables* records) {
  const auto pass = [](const Findable&) { return Status(); };
  return Zip(
      entries, records,
      [this](const Findable& entry, const Findable& record) {
        return AddFound(entry.number, record, by_ == PatchMatch::kDigest);
      },
      pass, pass);
}

Status Matching::Decide() {
  const uint64_t count = patch_->head().entries;
  there_.assign(count, false);
  TWINSET_TRY(ForEachRecord<Found>(*run_, "found.run", [this](const Found& at) {
    there_[at.entry] = at.matches != 0;
    return Status();
  }));
  edits_.emplace(run_->SortOptions("edits", kSorters), &run_->budget);
  TWINSET_ASSIGN(names_, CreateBlob(*run_, kPatchNames));
  TWINSET_ASSIGN(mismatches_, OutputFile::Create(run_->plan.options.out +
                                                 "/mismatches.jsonl"));
  TWINSET_ASSIGN(auto reader, OpenRun<Found>(*run_, "found.run"));
  Found found;
  TWINSET_ASSIGN(bool more, reader.Next(&found));
  patch_->Rewind();
  PatchEntry entry;
  for (uint64_t number = 0; number < count; ++number) {
    TWINSET_ASSIGN([[maybe_unused]] const bool has, patch_->Next(&entry));
    const bool is_found = more && found.entry == number;
    TWINSET_TRY(DecideOne(number, entry, is_found ? &found : nullptr));
    if (is_found) {
      TWINSET_ASSIGN(more, reader.Next(&found));
    }
  }
  TWINSET_TRY(names_->Finish());
  TWINSET_TRY(mismatches_.Commit());
  TWINSET_TRY(WriteRun<PatchEdit>(*run_, kPatchEdits, &*edits_));
  result_->entries = count;
  result_->changed = edits_->added();
  return RemoveFile(run_->Path("found.run")).map([](bool) {});
}

// A form that this build does not know is none.
uint64_t FormOfEntry(const PatchEntry& entry) {
  const bool is_one = entry.kind == PatchKind::kRevisit &&
                      entry.name.size() == 1 && entry.name[0] > '0' &&
                      entry.name[0] < static_cast<char>('0' + kDigestForms);
  return is_one ? static_cast<uint64_t>(entry.name[0] - '0') : 0;
}

bool GoesForAnother(PatchKind kind) {
  return IsOf(kind, {PatchKind::kDrop, PatchKind::kRevisit, PatchKind::kNear});
}

// What goes for the sake of an entry does so because that stays. Only with
// drop-all documents go for nobody's sake.
Status Matching::CheckLink(uint64_t number, const PatchEntry& entry) const {
  const bool drops_all = patch_->head().action == Action::kDropAll;
  if (!GoesForAnother(entry.kind) || stays_[entry.link] ||
      (drops_all && entry.link == number && entry.kind == PatchKind::kDrop))
    return {};
  return Fail(ErrorCode::kCorrupt,
              "the patch is damaged: record " + std::to_string(number) +
                  " of it goes for the sake of one that goes too",
              patch_->path(), "get it again");
}

Status Matching::DecideOne(uint64_t number, const PatchEntry& entry,
                           const Found* found) {
  TWINSET_TRY(CheckLink(number, entry));
  std::string name;
  if (IsNamed(entry.kind)) {
    const std::string id = IdOf(entry);
    name = EncodePatchName({id, entry.name.empty() ? id : entry.name, entry.url,
                            entry.date,
                            found != nullptr ? found->stored : Hash128Value()});
  }
  TWINSET_TRY(names_->Append(name));
  if (found == nullptr) {
    ++result_->missing;
    return Mismatch("missing", entry, found);
  }
  if (found->matches == 0) {
    ++result_->differing;
    return Mismatch("differs", entry, found);
  }
  if (GoesForAnother(entry.kind) && entry.link != number &&
      !IsThere(entry.link)) {
    ++result_->without_kept;
    return Mismatch("without-kept", entry, found);
  }
  ++result_->matched;
  if (entry.kind == PatchKind::kKeep) return {};
  return edits_->Add({found->source, found->ordinal, entry.digest, number,
                      entry.link, entry.similarity, entry.contained, entry.size,
                      static_cast<uint64_t>(entry.kind), FormOfEntry(entry),
                      found->is_same});
}

Status Matching::Mismatch(const char* reason, const PatchEntry& entry,
                          const Found* found) {
  row_.Text("reason", reason)
      .Text("kind", NameOf(entry.kind))
      .Text("id", IdOf(entry))
      .Text("source", patch_->inputs()[entry.source].name)
      .Integer("ordinal", entry.ordinal)
      .Integer("offset", entry.offset);
  if (found != nullptr)
    row_.Text("found_in", run_->plan.inputs.files[found->source].source)
        .Integer("found_ordinal", found->ordinal)
        .Integer("found_offset", found->offset);
  row_.EndRow();
  TWINSET_TRY(mismatches_.Write(row_.text()));
  row_.Clear();
  return {};
}

}  // namespace

std::string EncodePatchName(const PatchName& name) {
  std::string bytes;
  for (const std::string* part : {&name.id, &name.label, &name.url, &name.date})
    AppendSized(&bytes, *part);
  AppendLE(&bytes, name.stored.low);
  AppendLE(&bytes, name.stored.high);
  return bytes;
}

Result<PatchName> DecodePatchName(std::string_view bytes) {
  ByteReader from(bytes);
  PatchName name;
  for (std::string* part : {&name.id, &name.label, &name.url, &name.date})
    *part = from.ReadSized();
  name.stored.low = from.Read<uint64_t>();
  name.stored.high = from.Read<uint64_t>();
  if (from.ok() && from.AtEnd()) return name;
  return Fail(ErrorCode::kCorrupt,
              "the patch refers to a record of which it says nothing");
}

Status MatchPatch(Run* run, PatchReader* patch, PatchMatch by,
                  PatchApplyResult* result) {
  return Matching(run, patch, by, result).Do();
}

}  // namespace twinset
