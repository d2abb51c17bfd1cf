#include "live/index_reader.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <limits>
#include <utility>

namespace twinset {

namespace {

// So many members of a bucket beyond its limit are compared: the first of those
// that were kept when they came, which are its leaders.
constexpr size_t kMostLeaders = 64;

}  // namespace

std::string SeenText(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts = {};
  char text[64];
  if (::gmtime_r(&time, &parts) == nullptr ||
      std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
    return {};
  return text;
}

bool TagFilter::Passes(uint32_t tag) const {
  const auto has = [&](const std::vector<uint32_t>& tags) {
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  return (within.empty() || has(within)) && !has(without);
}

bool TagFilter::MayPass(const std::vector<uint32_t>& tags) const {
  return within.empty() ||
         std::any_of(tags.begin(), tags.end(),
                     [&](uint32_t tag) { return Passes(tag); });
}

Result<ClassNow> IndexReader::Class(uint64_t number) const {
  TWINSET_ASSIGN(const uint64_t last,
                 store_.FindLast(IndexKey::OfNumber(IndexKey::kClass, number)));
  ClassNow now;
  now.number = number;
  now.newest = last == kNoEntry ? number : last;
  StoredRecord stored;
  TWINSET_TRY(store_.Read(now.newest, &stored));
  now.state = std::move(stored.record.state);
  return now;
}

// Classes that share a key with the asked document, ascending.
Status IndexReader::Collect(const IndexedText& asked,
                            std::vector<uint64_t>* classes,
                            bool* is_bounded) const {
  const uint64_t limit = features_.options().method.bucket_limit;
  const size_t most = limit == 0 ? std::numeric_limits<size_t>::max()
                                 : static_cast<size_t>(limit) + 1;
  const auto add = [&](const std::vector<uint64_t>& values) {
    const bool is_hot = values.size() == most;
    *is_bounded |= is_hot;
    size_t leaders = 0;
    for (const uint64_t value : values) {
      if (is_hot && (!ClassValue::IsKept(value) || leaders++ >= kMostLeaders))
        continue;
      classes->push_back(ClassValue::Number(value));
    }
  };
  TWINSET_TRY(store_.FindEach(asked.keys, most, add));
  std::sort(classes->begin(), classes->end());
  classes->erase(std::unique(classes->begin(), classes->end()), classes->end());
  return {};
}

Result<std::optional<ClassHit>> IndexReader::Look(const IndexedText& asked,
                                                  uint64_t number,
                                                  bool kept_or_equal) const {
  std::optional<ClassHit> none;
  TWINSET_ASSIGN(const uint64_t last,
                 store_.FindLast(IndexKey::OfNumber(IndexKey::kClass, number)));
  thread_local StoredRecord stored;
  ClassHit hit;
  hit.number = number;
  hit.newest = last == kNoEntry ? number : last;
  TWINSET_TRY(store_.Read(hit.newest, &stored));
  hit.state = stored.record.state;
  if (hit.state.documents == 0) return none;
  if (hit.state.text != hit.newest)
    TWINSET_TRY(store_.Read(hit.state.text, &stored));
  const IndexRecord& record = stored.record;
  const bool may_be_equal = record.features == asked.feature_count;
  if (kept_or_equal && hit.state.kept == kNoEntry && !may_be_equal) return none;
  if (!may_be_equal &&
      !features_.CanReach(asked.feature_count, record.features))
    return none;
  TWINSET_ASSIGN(const std::string text, store_.ReadText(record));
  std::string features;
  TWINSET_ASSIGN(const Verifier::Verdict verdict,
                 features_.Compare(asked, text, &features));
  if (!verdict.accepted) return none;
  hit.similarity = verdict.score;
  hit.shared = verdict.shared;
  hit.is_equal = features == asked.features;
  if (kept_or_equal && hit.state.kept == kNoEntry && !hit.is_equal) return none;
  return hit;
}

Result<SimilarClasses> IndexReader::Similar(const IndexedText& asked,
                                            bool for_decision) const {
  SimilarClasses found;
  if (asked.features.empty()) return found;
  std::vector<uint64_t> classes;
  if (for_decision) {
    // However many copies there are, they are one class.
    std::vector<uint64_t> equal;
    TWINSET_TRY(store_.Find(asked.equality_key, kMostLeaders, &equal));
    for (const uint64_t value : equal) {
      TWINSET_ASSIGN(auto hit, Look(asked, ClassValue::Number(value), true));
      if (!hit || !hit->is_equal || hit->state.kept == kNoEntry) continue;
      found.hits.push_back(std::move(*hit));
      return found;
    }
  }
  TWINSET_TRY(Collect(asked, &classes, &found.is_bounded));
  for (const uint64_t number : classes) {
    TWINSET_ASSIGN(auto hit, Look(asked, number, for_decision));
    if (hit) found.hits.push_back(std::move(*hit));
  }
  return found;
}

const ClassHit* IndexReader::MostSimilarKept(const SimilarClasses& found) {
  const ClassHit* best = nullptr;
  for (const ClassHit& hit : found.hits) {
    if (hit.state.kept == kNoEntry) continue;
    if (best == nullptr || hit.similarity > best->similarity ||
        (hit.similarity == best->similarity &&
         hit.state.kept < best->state.kept))
      best = &hit;
  }
  return best;
}

Status IndexReader::ForEachMember(
    const ClassNow& of,
    const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
    const {
  std::vector<uint64_t> removed;  // in later entries
  StoredRecord stored;
  for (uint64_t entry = of.newest; entry != kNoEntry;) {
    TWINSET_TRY(store_.Read(entry, &stored));
    const IndexRecord& record = stored.record;
    if (!record.is_document()) {
      removed.insert(removed.end(), record.removed.begin(),
                     record.removed.end());
      std::sort(removed.begin(), removed.end());
    } else if (!std::binary_search(removed.begin(), removed.end(), entry)) {
      TWINSET_ASSIGN(const bool more, each(entry, record));
      if (!more) return {};
    }
    entry = record.before_in_class;
  }
  return {};
}

Result<bool> IndexReader::IsThere(uint64_t entry,
                                  const IndexRecord& record) const {
  if (record.type != RecordType::kDocument) return false;
  TWINSET_ASSIGN(const ClassNow now, Class(record.of_class));
  StoredRecord removal;
  for (uint64_t at = now.state.removal; at != kNoEntry;
       at = removal.record.before_removal) {
    TWINSET_TRY(store_.Read(at, &removal));
    if (std::binary_search(removal.record.removed.begin(),
                           removal.record.removed.end(), entry))
      return false;
  }
  return true;
}

std::vector<std::string> IndexReader::TagNames(
    const std::vector<uint32_t>& tags) const {
  std::vector<std::string> names;
  for (const uint32_t tag : tags)
    if (tag > 0 && tag <= store_.tags().size())
      names.push_back(store_.tags()[tag - 1]);
  std::sort(names.begin(), names.end());
  return names;
}

Result<IndexMatch> IndexReader::Match(const ClassHit& hit, uint64_t entry,
                                      Hash128Value* payload) const {
  StoredRecord stored;
  TWINSET_TRY(store_.Read(entry, &stored));
  IndexMatch match;
  match.id = stored.record.Name();
  match.url = stored.record.url;
  match.date = stored.record.date;
  if (payload != nullptr) *payload = stored.record.payload_hash;
  match.similarity = hit.similarity;
  match.contained = hit.shared.Contained();
  match.contains = hit.shared.Swapped().Contained();
  match.is_kept = stored.record.is_kept(entry);
  match.copies = hit.state.documents;
  match.first_seen = SeenText(hit.state.first_seen);
  match.last_seen = SeenText(hit.state.last_seen);
  match.tags = TagNames(hit.state.tags);
  return match;
}

Result<TagFilter> IndexReader::FilterOf(const IndexQuery& query) const {
  TagFilter filter;
  const auto number = [&](const std::vector<std::string>& names,
                          std::vector<uint32_t>* tags) -> Status {
    for (const std::string& name : names) {
      TWINSET_ASSIGN(const uint32_t tag, store_.FindTag(name));
      tags->push_back(tag);
    }
    return {};
  };
  TWINSET_TRY(number(query.within_tags, &filter.within));
  TWINSET_TRY(number(query.without_tags, &filter.without));
  return filter;
}

// Members of a class that the query asks for, the kept one first.
Status IndexReader::ForEachAsked(
    const ClassHit& hit, const IndexQuery& query, const TagFilter& filter,
    const std::function<Result<bool>(uint64_t)>& each) const {
  const uint64_t kept = hit.state.kept;
  if (kept != kNoEntry) {
    StoredRecord stored;
    if (filter.is_set()) TWINSET_TRY(store_.Read(kept, &stored));
    if (filter.Passes(stored.record.tag)) {
      TWINSET_ASSIGN(const bool more, each(kept));
      if (!more || query.one_of_equal) return {};
    }
  }
  if (query.kept_only || (query.one_of_equal && !filter.is_set())) return {};
  return ForEachMember(
      hit, [&](uint64_t entry, const IndexRecord& record) -> Result<bool> {
        if (entry == kept || !filter.Passes(record.tag)) return true;
        TWINSET_ASSIGN(const bool more, each(entry));
        return more && !query.one_of_equal;
      });
}

Result<IndexFound> IndexReader::Query(const IndexedText& asked,
                                      const IndexQuery& query) const {
  IndexFound found;
  TWINSET_ASSIGN(const TagFilter filter, FilterOf(query));
  TWINSET_ASSIGN(SimilarClasses similar, Similar(asked, false));
  found.is_bounded = similar.is_bounded;
  std::erase_if(similar.hits, [&](const ClassHit& hit) {
    return !filter.MayPass(hit.state.tags);
  });
  std::sort(similar.hits.begin(), similar.hits.end(),
            [](const ClassHit& x, const ClassHit& y) {
              if (x.similarity != y.similarity)
                return x.similarity > y.similarity;
              return std::min(x.state.kept, x.number) <
                     std::min(y.state.kept, y.number);
            });
  const auto is_full = [&] {
    return query.limit > 0 && found.matches.size() >= query.limit;
  };
  for (const ClassHit& hit : similar.hits) {
    if (is_full()) break;
    TWINSET_TRY(
        ForEachAsked(hit, query, filter, [&](uint64_t entry) -> Result<bool> {
          TWINSET_ASSIGN(IndexMatch match, Match(hit, entry));
          if (query.why && found.matches.empty())
            TWINSET_TRY(Explain(asked.text, entry, &match));
          found.matches.push_back(std::move(match));
          return !is_full();
        }));
  }
  return found;
}

Status IndexReader::Explain(std::string_view asked, uint64_t entry,
                            IndexMatch* match) const {
  StoredRecord stored;
  TWINSET_TRY(store_.Read(entry, &stored));
  TWINSET_ASSIGN(const std::string text, store_.ReadText(stored.record));
  features_.Explain(asked, text, match);
  return {};
}

Status IndexReader::ForEachOfId(
    std::string_view id,
    const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
    const {
  TWINSET_ASSIGN(uint64_t entry, store_.FindLast(IndexKey::OfHash(
                                     IndexKey::kId, features_.HashOfId(id))));
  StoredRecord stored;
  while (entry != kNoEntry) {
    TWINSET_TRY(store_.Read(entry, &stored));
    if (stored.record.id == id) {
      TWINSET_ASSIGN(const bool is_there, IsThere(entry, stored.record));
      if (is_there) {
        TWINSET_ASSIGN(const bool more, each(entry, stored.record));
        if (!more) return {};
      }
    }
    entry = stored.record.before_of_id;
  }
  return {};
}

Result<uint64_t> IndexReader::FindNamed(const std::string& name) const {
  uint64_t found = kNoEntry;
  const auto look = [&](std::string_view id, uint64_t number) {
    return ForEachOfId(
        id, [&](uint64_t entry, const IndexRecord& record) -> Result<bool> {
          if (record.same_id != number) return true;
          found = entry;
          return false;
        });
  };
  TWINSET_TRY(look(name, 1));
  const size_t mark = name.rfind('#');
  if (found != kNoEntry || mark == std::string::npos) return found;
  uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + mark + 1, end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number > 1)
    TWINSET_TRY(look(std::string_view(name).substr(0, mark), number));
  return found;
}

Status IndexReader::ForEachDropped(
    uint64_t kept,
    const std::function<Status(uint64_t, const IndexRecord&)>& each) const {
  TWINSET_ASSIGN(uint64_t entry,
                 store_.FindLast(IndexKey::OfNumber(IndexKey::kDropped, kept)));
  StoredRecord stored;
  while (entry != kNoEntry) {
    TWINSET_TRY(store_.Read(entry, &stored));
    TWINSET_ASSIGN(const bool is_there, IsThere(entry, stored.record));
    if (is_there) TWINSET_TRY(each(entry, stored.record));
    entry = stored.record.before_dropped;
  }
  return {};
}

}  // namespace twinset
