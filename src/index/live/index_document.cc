// Single documents of an index, as they are stored.
#include <algorithm>
#include <utility>

#include "live/index_reader.h"
#include "read/archive/digest.h"
#include "twinset/index.h"

namespace twinset {

Result<IndexDocument> IndexReader::Document(uint64_t entry) const {
  StoredRecord stored;
  TWINSET_TRY(store_.Read(entry, &stored));
  const IndexRecord& record = stored.record;
  IndexDocument document;
  document.id = record.Name();
  document.url = record.url;
  document.date = record.date;
  document.digest = record.digest;
  document.seen = SeenText(record.seen);
  document.arrival = record.arrival;
  document.features = record.features;
  document.is_kept = record.is_kept(entry);
  for (std::string& name : TagNames({record.tag}))
    document.tag = std::move(name);
  TWINSET_ASSIGN(document.text, store_.ReadText(record));
  TWINSET_ASSIGN(const ClassNow now, Class(record.of_class));
  document.copies = now.state.documents;
  if (document.is_kept) {
    document.kept_for = document.id;
    return document;
  }
  StoredRecord kept;
  TWINSET_TRY(store_.Read(record.kept_for, &kept));
  TWINSET_ASSIGN(const bool is_there, IsThere(record.kept_for, kept.record));
  if (is_there) document.kept_for = kept.record.Name();
  return document;
}

std::string DigestOfCapture(std::string_view digest) {
  constexpr std::string_view kName = "sha1:";
  const bool is_named =
      digest.size() > kName.size() &&
      std::equal(kName.begin(), kName.end(), digest.begin(),
                 [](char x, char y) { return x == y || x == (y | 0x20); });
  return std::string(is_named ? digest.substr(kName.size()) : digest);
}

std::string v1::CaptureDigest(std::string_view payload) {
  return DigestOfCapture(PayloadDigest(payload, DigestForm::kSha1Base32));
}

Status IndexReader::ForEachCapture(
    IndexKey::Kind kind, std::string_view text,
    const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
    const {
  const bool by_url = kind == IndexKey::kUrl;
  TWINSET_ASSIGN(uint64_t entry, store_.FindLast(IndexKey::OfHash(
                                     kind, features_.HashOfCapture(text))));
  StoredRecord stored;
  while (entry != kNoEntry) {
    TWINSET_TRY(store_.Read(entry, &stored));
    const IndexRecord& record = stored.record;
    if ((by_url ? record.url : record.digest) == text) {
      TWINSET_ASSIGN(const bool is_there, IsThere(entry, record));
      if (is_there) {
        TWINSET_ASSIGN(const bool more, each(entry, record));
        if (!more) return {};
      }
    }
    entry = by_url ? record.before_of_url : record.before_of_digest;
  }
  return {};
}

Result<std::vector<IndexCapture>> IndexReader::Captures(
    const IndexCaptureQuery& query) const {
  std::vector<IndexCapture> captures;
  const std::string digest = DigestOfCapture(query.digest);
  const bool by_url = !query.url.empty();
  TWINSET_TRY(ForEachCapture(
      by_url ? IndexKey::kUrl : IndexKey::kDigest, by_url ? query.url : digest,
      [&](uint64_t entry, const IndexRecord& record) -> Result<bool> {
        if (digest.empty() || record.digest == digest)
          captures.push_back({record.Name(), record.url, record.digest,
                              SeenText(record.seen), record.is_kept(entry)});
        return captures.size() < query.most;
      }));
  std::stable_sort(captures.begin(), captures.end(),
                   [](const IndexCapture& x, const IndexCapture& y) {
                     return x.seen > y.seen;
                   });
  return captures;
}

}  // namespace twinset
