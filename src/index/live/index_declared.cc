// Captures that lists declare: digests of payloads that nobody here has seen.
// They are told beside an answer and decide nothing by themselves
// (docs/methods/index.md).
#include <algorithm>
#include <utility>

#include "documents/priority.h"
#include "live/index_parts.h"
#include "read/archive/digest.h"
#include "read/bundle/capture_list.h"
#include "read/utf8.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

tl::unexpected<Error> NoDigest(const std::string& digest) {
  return Fail(ErrorCode::kUsage,
              "no digest of a payload: '" + Printable(digest) + "'", "",
              "SHA-1 in base 32 or hexadecimal, and SHA-256 are read");
}

}  // namespace

std::vector<std::string> DeclaredDigestsOf(std::string_view payload) {
  std::vector<std::string> digests;
  for (const DigestForm form :
       {DigestForm::kSha1Base32, DigestForm::kSha256Base16})
    digests.push_back(PayloadDigest(payload, form));
  return digests;
}

bool IndexStore::has_declared() const {
  return std::any_of(counts_.declared.begin(), counts_.declared.end(),
                     [](const auto& of) { return of.second.captures > 0; });
}

Status IndexReader::ForEachDeclared(
    std::string_view digest,
    const std::function<Result<bool>(uint64_t, const IndexRecord&)>& each)
    const {
  TWINSET_ASSIGN(uint64_t entry,
                 store_.FindLast(IndexKey::OfHash(
                     IndexKey::kDeclared, features_.HashOfCapture(digest))));
  StoredRecord stored;
  while (entry != kNoEntry) {
    TWINSET_TRY(store_.Read(entry, &stored));
    const IndexRecord& record = stored.record;
    if (record.digest == digest && store_.IsDeclared(entry, record)) {
      TWINSET_ASSIGN(const bool more, each(entry, record));
      if (!more) return {};
    }
    entry = record.before_of_digest;
  }
  return {};
}

Result<std::optional<IndexDeclaration>> IndexReader::FindDeclared(
    std::span<const std::string> digests, const TagFilter& filter) const {
  std::optional<IndexDeclaration> found;
  for (const std::string& digest : digests) {
    if (found) break;
    TWINSET_TRY(ForEachDeclared(
        digest, [&](uint64_t, const IndexRecord& record) -> Result<bool> {
          if (!filter.Passes(record.tag)) return true;
          found = {record.url, record.date, record.digest, "",
                   SeenText(record.seen)};
          for (std::string& name : TagNames({record.tag}))
            found->tag = std::move(name);
          return false;
        }));
  }
  return found;
}

Result<bool> IndexWriter::Declare(const IndexDeclaration& declared) {
  IndexRecord record;
  record.type = RecordType::kDeclared;
  record.digest = DigestOfList(declared.digest);
  if (record.digest.empty()) return NoDigest(declared.digest);
  TWINSET_ASSIGN(
      record.tag,
      TagNumber(IsUtf8(declared.tag) ? declared.tag
                                     : ReplaceMalformedUtf8(declared.tag)));
  bool is_there = false;
  TWINSET_TRY(reader_.ForEachDeclared(
      record.digest, [&](uint64_t, const IndexRecord& other) -> Result<bool> {
        is_there = other.tag == record.tag;
        return !is_there;
      }));
  if (is_there) return false;
  record.digest_hash = features_.HashOfCapture(record.digest);
  TWINSET_ASSIGN(record.before_of_digest,
                 store_.FindLast(IndexKey::OfHash(IndexKey::kDeclared,
                                                  record.digest_hash)));
  record.url = declared.url;
  record.date = declared.date;
  const int64_t seen = ParseDate(declared.date);
  record.seen = seen == kNoDate ? 0 : seen;
  TWINSET_TRY(store_.Append(record, {}));
  return true;
}

Status IndexWriter::RemoveDeclared(uint32_t tag, uint64_t* removed) {
  const auto& declared = store_.counts().declared;
  const auto of_tag = declared.find(tag);
  if (of_tag == declared.end() || of_tag->second.captures == 0) return {};
  *removed += of_tag->second.captures;
  IndexRecord record;
  record.type = RecordType::kUndeclared;
  record.tag = tag;
  return store_.Append(record, {});
}

Result<uint64_t> Index::Declare(
    std::span<const IndexDeclaration> captures) try {
  for (const IndexDeclaration& capture : captures)
    if (DigestOfList(capture.digest).empty()) return NoDigest(capture.digest);
  uint64_t entries = 0, stored = 0;
  TWINSET_TRY(parts_->Write(
      [&]() -> Status {
        IndexWriter writer(parts_->store.get(), &parts_->features);
        for (const IndexDeclaration& capture : captures) {
          TWINSET_ASSIGN(const bool is_new, writer.Declare(capture));
          stored += is_new;
        }
        return {};
      },
      &entries));
  TWINSET_TRY(parts_->Acknowledge(entries));
  TWINSET_TRY(parts_->MergeRuns());
  return stored;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
