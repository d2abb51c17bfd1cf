#include "live/index_writer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "documents/priority.h"
#include "read/utf8.h"

namespace twinset {

namespace {

// Their names are in memory and in the manifest.
constexpr size_t kMostTags = 1 << 16;

void AddTag(uint32_t tag, std::vector<uint32_t>* tags) {
  if (tag == 0) return;
  const auto at = std::lower_bound(tags->begin(), tags->end(), tag);
  if (at == tags->end() || *at != tag) tags->insert(at, tag);
}

// What a class comes to with one document more.
void AddToState(const IndexRecord& record, uint64_t entry, ClassState* state) {
  if (state->documents == 0) {
    state->first_seen = state->last_seen = record.seen;
    state->text = entry;
  }
  ++state->documents;
  if (record.is_kept(entry)) state->kept = entry;
  state->first_seen = std::min(state->first_seen, record.seen);
  state->last_seen = std::max(state->last_seen, record.seen);
  AddTag(record.tag, &state->tags);
}

// The same document seen from itself.
ClassHit HitOf(const IndexRecord& record) {
  ClassHit hit;
  hit.number = record.of_class;
  hit.state = record.state;
  hit.similarity = 1;
  hit.shared = {1, 1, 1};
  return hit;
}

}  // namespace

namespace {

IndexArrival ArrivalOf(IndexInput* input) {
  IndexArrival arrival;
  Document& document = input->document;
  arrival.id = document.id;
  arrival.url = document.provenance.url;
  arrival.date = document.provenance.date;
  arrival.digest = DigestOfCapture(document.provenance.digest);
  // The manifest, which is JSON, has the names of tags.
  arrival.tag = IsUtf8(input->tag) ? std::move(input->tag)
                                   : ReplaceMalformedUtf8(input->tag);
  return arrival;
}

// Once its text is taken.
void Pack(const IndexFeatures& features, bool has_id, IndexArrival* arrival) {
  arrival->packed = PackText(arrival->text.text);
  if (has_id)
    arrival->content_hash =
        features.HashOfContent(arrival->id, arrival->text.text);
}

}  // namespace

IndexArrival MakeStoredArrival(const IndexFeatures& features,
                               const IndexOrigin& origin, int64_t seen,
                               IndexInput* input) {
  IndexArrival arrival = ArrivalOf(input);
  arrival.origin = origin;
  arrival.seen = seen;
  arrival.text = features.TakeStored(std::move(input->document.payload));
  if (arrival.text.rejected.empty()) Pack(features, origin.has_id, &arrival);
  return arrival;
}

IndexArrival MakeArrival(const IndexFeatures& features, int64_t now,
                         bool with_digests, IndexInput* input) {
  IndexArrival arrival = ArrivalOf(input);
  arrival.seen = ParseDate(arrival.date);
  if (arrival.seen == kNoDate) arrival.seen = now;
  const std::string& payload =
      input->stored.empty() ? input->document.payload : input->stored;
  if (input->is_stored) arrival.payload_hash = features.HashOfPayload(payload);
  if (with_digests) arrival.declared_digests = DeclaredDigestsOf(payload);
  arrival.text = features.Take(&input->document);
  if (arrival.text.rejected.empty())
    Pack(features, !arrival.id.empty(), &arrival);
  return arrival;
}

Result<uint32_t> IndexWriter::TagNumber(const std::string& tag) {
  if (tag.empty()) return 0;
  const auto& tags = store_.tags();
  const auto at = std::find(tags.begin(), tags.end(), tag);
  if (at != tags.end()) return static_cast<uint32_t>(at - tags.begin()) + 1;
  if (tags.size() >= kMostTags) {
    return Fail(ErrorCode::kUsage,
                "an index has at most " + std::to_string(kMostTags) + " tags",
                store_.folder(), "give documents of one source the same tag");
  }
  IndexRecord record;
  record.type = RecordType::kTag;
  record.id = tag;
  TWINSET_TRY(store_.Append(record, {}));
  return static_cast<uint32_t>(store_.tags().size());
}

// Returns true iff the record is a document of this id and with this text.
Result<bool> IndexWriter::IsSame(const IndexArrival& arrival,
                                 const IndexRecord& record) const {
  if (!record.has_id || record.id != arrival.id ||
      record.text_bytes != arrival.text.text.size())
    return false;
  TWINSET_ASSIGN(const std::string text, store_.ReadText(record));
  return text == arrival.text.text;
}

// Looks for documents of the same id. If one has the same content too,
// *answer is what to say; else record->same_id becomes the number among them.
// However many versions of an id there are, two of them are read: the newest,
// which has the highest number, and the one of this content.
Result<bool> IndexWriter::FindRepeated(const IndexArrival& arrival,
                                       IndexRecord* record,
                                       IndexAnswer* answer) const {
  bool reads_all = false;
  if (record->has_id) {
    TWINSET_ASSIGN(const uint64_t entry,
                   store_.FindLast(IndexKey::OfHash(IndexKey::kContent,
                                                    record->content_hash)));
    if (entry != kNoEntry) {
      StoredRecord stored;
      TWINSET_TRY(store_.Read(entry, &stored));
      TWINSET_ASSIGN(const bool is_same, IsSame(arrival, stored.record));
      if (is_same) {
        TWINSET_ASSIGN(const bool is_there,
                       reader_.IsThere(entry, stored.record));
        if (is_there) {
          TWINSET_ASSIGN(*answer, Repeated(arrival, entry, stored.record));
          return true;
        }
      }
      // Another document has the hash, so that this one may be hidden.
      reads_all = !is_same;
    }
  }
  bool is_repeated = false;
  TWINSET_TRY(reader_.ForEachOfId(
      record->id,
      [&](uint64_t entry, const IndexRecord& other) -> Result<bool> {
        record->same_id = std::max(record->same_id, other.same_id + 1);
        if (!reads_all) return false;
        TWINSET_ASSIGN(is_repeated, IsSame(arrival, other));
        if (!is_repeated) return true;
        TWINSET_ASSIGN(*answer, Repeated(arrival, entry, other));
        return false;
      }));
  return is_repeated;
}

Result<IndexAnswer> IndexWriter::Repeated(const IndexArrival& arrival,
                                          uint64_t entry,
                                          const IndexRecord& record) const {
  IndexAnswer answer;
  answer.id = record.Name();
  answer.is_repeated = true;
  answer.is_empty = arrival.text.features.empty();
  TWINSET_ASSIGN(const SimilarClasses found,
                 reader_.Similar(arrival.text, true));
  answer.is_bounded = found.is_bounded;
  if (const ClassHit* best = IndexReader::MostSimilarKept(found)) {
    TWINSET_TRY(TellKept(arrival, *best, best->state.kept, &answer));
    return answer;
  }
  // Without features, or dropped for one that was removed since.
  ClassHit hit = HitOf(record);
  TWINSET_ASSIGN(static_cast<ClassNow&>(hit), reader_.Class(record.of_class));
  TWINSET_TRY(TellKept(arrival, hit, entry, &answer));
  return answer;
}

Status IndexWriter::TellKept(const IndexArrival& arrival, const ClassHit& hit,
                             uint64_t entry, IndexAnswer* answer) const {
  Hash128Value payload;
  TWINSET_ASSIGN(answer->kept, reader_.Match(hit, entry, &payload));
  answer->is_same_payload =
      payload != Hash128Value() && payload == arrival.payload_hash;
  return {};
}

Status IndexWriter::SetCapture(const IndexArrival& arrival,
                               IndexRecord* record) const {
  const auto find = [&](IndexKey::Kind kind, const std::string& text,
                        uint64_t* hash, uint64_t* before) -> Status {
    if (text.empty()) return {};
    *hash = features_.HashOfCapture(text);
    TWINSET_ASSIGN(*before, store_.FindLast(IndexKey::OfHash(kind, *hash)));
    return {};
  };
  record->digest = arrival.digest;
  record->payload_hash = arrival.payload_hash;
  TWINSET_TRY(find(IndexKey::kUrl, arrival.url, &record->url_hash,
                   &record->before_of_url));
  return find(IndexKey::kDigest, arrival.digest, &record->digest_hash,
              &record->before_of_digest);
}

Result<IndexAnswer> IndexWriter::Add(const IndexArrival& arrival,
                                     const IndexAddOptions& options) {
  IndexAnswer answer;
  const IndexedText& text = arrival.text;
  if (!text.rejected.empty()) {
    answer.id = arrival.id;
    answer.rejected = text.rejected;
    answer.detail = text.detail;
    return answer;
  }
  answer.is_empty = text.features.empty();
  IndexRecord record;
  record.content_hash = arrival.content_hash;
  if (const auto& origin = arrival.origin) {
    record.arrival = origin->arrival;
    record.has_id = origin->has_id;
    record.same_id = origin->same_id;
    record.id = arrival.id;
  } else {
    record.arrival = store_.counts().arrivals;
    record.has_id = !arrival.id.empty();
    record.id = record.has_id ? arrival.id : std::to_string(record.arrival);
    TWINSET_ASSIGN(const bool is_repeated,
                   FindRepeated(arrival, &record, &answer));
    if (is_repeated) return answer;
    if (options.replaces && record.has_id && record.same_id > 1)
      TWINSET_TRY(Replace(arrival, &record, &answer));
  }
  TWINSET_ASSIGN(SimilarClasses found, reader_.Similar(text, true));
  const ClassHit* best = IndexReader::MostSimilarKept(found);
  if (best == nullptr && !arrival.declared_digests.empty()) {
    TWINSET_ASSIGN(answer.declared,
                   reader_.FindDeclared(arrival.declared_digests, {}));
    answer.id = record.Name();
    // What has replaced another document is stored.
    if (options.trusts_declared && answer.declared && answer.replaced.empty())
      return answer;
  }
  const auto equal =
      std::find_if(found.hits.begin(), found.hits.end(),
                   [](const ClassHit& hit) { return hit.is_equal; });
  record.id_hash = features_.HashOfId(record.id);
  TWINSET_ASSIGN(record.before_of_id, store_.FindLast(IndexKey::OfHash(
                                          IndexKey::kId, record.id_hash)));
  if (best != nullptr) {
    TWINSET_ASSIGN(record.before_dropped,
                   store_.FindLast(IndexKey::OfNumber(IndexKey::kDropped,
                                                      best->state.kept)));
  }
  TWINSET_TRY(SetCapture(arrival, &record));
  TWINSET_ASSIGN(record.tag, TagNumber(arrival.tag));
  // Nothing is read, and nothing fails, from here on.
  const uint64_t entry = store_.entries();
  record.kept_for = best != nullptr ? best->state.kept : entry;
  record.seen = arrival.seen;
  record.url = arrival.url;
  record.date = arrival.date;
  record.features = text.features.empty() ? 0 : text.feature_count;
  record.text_bytes = text.text.size();
  record.packed = arrival.packed;
  record.of_class = entry;
  if (equal != found.hits.end()) {
    record.of_class = equal->number;
    record.before_in_class = equal->newest;
    record.state = equal->state;
  }
  AddToState(record, entry, &record.state);
  TWINSET_TRY(store_.Append(record, text.keys));
  answer.id = record.Name();
  answer.is_bounded = found.is_bounded;
  answer.is_new = best == nullptr;
  if (best == nullptr) {
    TWINSET_TRY(TellKept(arrival, HitOf(record), entry, &answer));
    return answer;
  }
  ClassHit hit = *best;
  if (hit.is_equal) hit.state = record.state;
  TWINSET_TRY(TellKept(arrival, hit, hit.state.kept, &answer));
  return answer;
}

Status IndexWriter::Replace(const IndexArrival& arrival, IndexRecord* record,
                            IndexAnswer* answer) {
  std::map<uint64_t, std::vector<uint64_t>> by_class;
  record->same_id = 1;
  TWINSET_TRY(reader_.ForEachOfId(
      record->id,
      [&](uint64_t entry, const IndexRecord& other) -> Result<bool> {
        if (other.has_id) {
          by_class[other.of_class].push_back(entry);
          answer->replaced.push_back(other.Name());
        } else {
          record->same_id = std::max(record->same_id, other.same_id + 1);
        }
        // The first of an id has no other one before it.
        return other.same_id > 1;
      }));
  // Nothing but removals stands in front of the document that replaces.
  TWINSET_TRY(TagNumber(arrival.tag));
  for (auto& [of_class, entries] : by_class)
    TWINSET_TRY(RemoveOfClass(of_class, std::move(entries), true));
  return {};
}

Status IndexWriter::RemoveOfClass(uint64_t of_class,
                                  std::vector<uint64_t> entries,
                                  bool is_replacement) {
  TWINSET_ASSIGN(const ClassNow now, reader_.Class(of_class));
  IndexRecord record;
  record.type = RecordType::kRemoval;
  record.is_replacement = is_replacement;
  record.of_class = of_class;
  record.before_in_class = now.newest;
  record.before_removal = now.state.removal;
  std::sort(entries.begin(), entries.end());
  // The state of those that stay: the first that was kept is kept.
  uint64_t first = kNoEntry;
  TWINSET_TRY(reader_.ForEachMember(
      now, [&](uint64_t entry, const IndexRecord& member) -> Result<bool> {
        if (std::binary_search(entries.begin(), entries.end(), entry)) {
          record.removed_kept += member.is_kept(entry);
          record.removed_empty += member.features == 0;
        } else {
          AddToState(member, entry, &record.state);
          first = entry;
        }
        return true;
      }));
  record.state.text = first;
  record.state.removal = store_.entries();
  record.removed = std::move(entries);
  return store_.Append(record, {});
}

Status IndexWriter::Remove(std::vector<uint64_t> entries,
                           const IndexRemovalSink& sink) {
  std::map<uint64_t, std::vector<uint64_t>> by_class;
  std::vector<std::string> names;
  StoredRecord stored;
  for (const uint64_t entry : entries) {
    TWINSET_TRY(store_.Read(entry, &stored));
    by_class[stored.record.of_class].push_back(entry);
    names.push_back(stored.record.Name());
  }
  for (auto& [of_class, members] : by_class)
    TWINSET_TRY(RemoveOfClass(of_class, std::move(members)));
  if (!sink) return {};
  for (size_t i = 0; i < entries.size(); ++i) {
    sink({names[i], ""});
    TWINSET_TRY(reader_.ForEachDropped(
        entries[i], [&](uint64_t, const IndexRecord& dropped) -> Status {
          sink({names[i], dropped.Name()});
          return {};
        }));
  }
  return {};
}

Result<std::vector<uint64_t>> IndexWriter::WithTag(uint32_t tag, size_t most,
                                                   uint64_t* from) const {
  std::vector<uint64_t> found;
  StoredRecord stored;
  for (; *from < store_.entries() && found.size() < most; ++*from) {
    TWINSET_TRY(store_.Read(*from, &stored));
    if (stored.record.type != RecordType::kDocument || stored.record.tag != tag)
      continue;
    TWINSET_ASSIGN(const bool is_there, reader_.IsThere(*from, stored.record));
    if (is_there) found.push_back(*from);
  }
  return found;
}

}  // namespace twinset
