#include "documents/document_info.h"

#include <algorithm>

#include "base/bytes.h"

namespace twinset::inline v1 {

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

void EncodeDocumentInfo(const DocumentInfo& info, std::string* bytes) {
  bytes->clear();
  AppendSized(bytes, info.id);
  AppendLE(bytes, info.provenance.source);
  AppendLE(bytes, info.provenance.ordinal);
  AppendLE(bytes, info.provenance.offset);
  AppendSized(bytes, info.provenance.url);
  AppendSized(bytes, info.provenance.date);
  AppendSized(bytes, info.provenance.digest);
  AppendLE(bytes, info.code_points);
  AppendLE(bytes, info.feature_count);
  AppendLE(bytes, info.payload_hash);
  AppendLE(bytes, info.fingerprint.low);
  AppendLE(bytes, info.fingerprint.high);
  AppendLE<uint8_t>(bytes, info.empty);
  AppendLE<uint8_t>(bytes, info.truncated);
  AppendLE(bytes, info.removed);
  AppendLE<uint8_t>(bytes, info.mostly_template);
  AppendLE(bytes, info.within);
  AppendLE(bytes, info.across);
  AppendLE(bytes, info.seconds);
  AppendLE(bytes, static_cast<uint8_t>(info.canonical));
  for (const std::string& field : info.fields) AppendSized(bytes, field);
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
  info->payload_hash = reader.Read<uint64_t>();
  info->fingerprint.low = reader.Read<uint64_t>();
  info->fingerprint.high = reader.Read<uint64_t>();
  info->empty = reader.Read<uint8_t>() != 0;
  info->truncated = reader.Read<uint8_t>() != 0;
  info->removed = reader.Read<uint64_t>();
  info->mostly_template = reader.Read<uint8_t>() != 0;
  info->within = reader.Read<uint64_t>();
  info->across = reader.Read<uint64_t>();
  info->seconds = reader.Read<int64_t>();
  const auto canonical = reader.Read<uint8_t>();
  info->canonical = static_cast<Canonical>(std::min<uint8_t>(canonical, 2));
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

}  // namespace twinset::inline v1
