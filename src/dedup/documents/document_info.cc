#include "documents/document_info.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"

namespace twinset {

Error Gone(const DocumentInfo& info, const std::string& path) {
  return Error{ErrorCode::kIo,
               "document \"" + info.id +
                   "\" is not what it was when it was read first: the file "
                   "was changed while it was in use",
               path, "run the command again when it stays as it is"};
}

Status CheckSame(const DocumentInfo& info, const Document& document,
                 const std::string& path) {
  if (PayloadHash(document) == info.payload_hash) return {};
  return tl::unexpected(Gone(info, path));
}

namespace {

// Writes values one behind the other into room that was measured before: one
// check instead of one per value.
class InfoWriter {
 public:
  explicit InfoWriter(char* at) : at_(at) {}
  void PutHash(const Hash128Value& hash) {
    Put(hash.low);
    Put(hash.high);
  }
  template <typename T>
  void Put(T value) {
    StoreLE(at_, value);
    at_ += sizeof(T);
  }
  void PutSized(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }

 private:
  char* at_;
};

constexpr size_t kHashBytes = 16;
constexpr size_t kFixedBytes =
    4 + 2 * 8 + 5 * 8 + 4 * kHashBytes + 2 + 8 + 1 + 8 + 1;
constexpr size_t kSizeBytes = 4;  // in front of each text
// Bits of the byte that says whether the document is truncated, and whether its
// original id stands in front of the fields.
constexpr uint8_t kTruncated = 1, kHasOriginal = 2;

Hash128Value ReadHash(ByteReader* reader) {
  Hash128Value hash;
  hash.low = reader->Read<uint64_t>();
  hash.high = reader->Read<uint64_t>();
  return hash;
}

}  // namespace

void EncodeDocumentInfo(const DocumentInfo& info, std::string* bytes) {
  const Provenance& place = info.provenance;
  size_t size = kFixedBytes + 4 * kSizeBytes + info.id.size() +
                place.url.size() + place.date.size() + place.digest.size();
  const bool has_original = !info.original_id.empty();
  if (has_original) size += kSizeBytes + info.original_id.size();
  for (const std::string& field : info.fields)
    size += kSizeBytes + field.size();
  bytes->resize(size);
  InfoWriter to(bytes->data());
  to.PutSized(info.id);
  to.Put<uint32_t>(place.source);
  to.Put<uint64_t>(place.ordinal);
  to.Put<uint64_t>(place.offset);
  to.PutSized(place.url);
  to.PutSized(place.date);
  to.PutSized(place.digest);
  to.Put<uint64_t>(info.code_points);
  to.Put<uint64_t>(info.feature_count);
  to.Put<uint64_t>(info.payload_bytes);
  to.Put<uint64_t>(info.tokens);
  to.Put<uint64_t>(info.payload_hash);
  to.PutHash(info.fingerprint);
  to.PutHash(info.stored);
  to.Put<uint8_t>(info.empty);
  to.Put<uint8_t>((info.truncated ? kTruncated : 0) |
                  (has_original ? kHasOriginal : 0));
  to.Put<uint64_t>(info.removed);
  to.Put<uint8_t>(info.mostly_template);
  to.PutHash(info.within);
  to.PutHash(info.across);
  to.Put<int64_t>(info.seconds);
  to.Put(static_cast<uint8_t>(info.canonical));
  if (has_original) to.PutSized(info.original_id);
  for (const std::string& field : info.fields) to.PutSized(field);
}

Status DecodeDocumentInfo(std::string_view bytes, DocumentInfo* info) {
  ByteReader reader(bytes);
  info->id = reader.ReadSized();
  info->provenance.source = reader.Read<uint32_t>();
  info->provenance.ordinal = reader.Read<uint64_t>();
  info->provenance.offset = reader.Read<uint64_t>();
  info->provenance.url = reader.ReadSized();
  info->provenance.date = reader.ReadSized();
  info->provenance.digest = reader.ReadSized();
  info->code_points = reader.Read<uint64_t>();
  info->feature_count = reader.Read<uint64_t>();
  info->payload_bytes = reader.Read<uint64_t>();
  info->tokens = reader.Read<uint64_t>();
  info->payload_hash = reader.Read<uint64_t>();
  info->fingerprint = ReadHash(&reader);
  info->stored = ReadHash(&reader);
  info->empty = reader.Read<uint8_t>() != 0;
  const auto flags = reader.Read<uint8_t>();
  info->truncated = (flags & kTruncated) != 0;
  info->removed = reader.Read<uint64_t>();
  info->mostly_template = reader.Read<uint8_t>() != 0;
  info->within = ReadHash(&reader);
  info->across = ReadHash(&reader);
  info->seconds = reader.Read<int64_t>();
  const auto canonical = reader.Read<uint8_t>();
  info->canonical = static_cast<Canonical>(std::min<uint8_t>(canonical, 2));
  info->original_id.clear();
  if ((flags & kHasOriginal) != 0) info->original_id = reader.ReadSized();
  size_t fields = 0;
  for (; reader.ok() && !reader.AtEnd(); ++fields) {
    if (fields == info->fields.size()) info->fields.emplace_back();
    info->fields[fields] = reader.ReadSized();
  }
  info->fields.resize(fields);
  if (!reader.ok() || !reader.AtEnd()) {
    return Fail(ErrorCode::kCorrupt,
                "a stored document record has the wrong length");
  }
  return {};
}

Result<DocumentInfo> DecodeDocumentInfo(std::string_view bytes) {
  DocumentInfo info;
  TWINSET_TRY(DecodeDocumentInfo(bytes, &info));
  return info;
}

}  // namespace twinset
