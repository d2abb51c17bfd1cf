#include "pipeline/read/captures.h"

#include "base/bytes.h"
#include "base/for_each.h"

namespace twinset {

Result<Capture> DecodeCapture(std::string_view bytes) {
  ByteReader reader(bytes);
  Capture capture;
  capture.source = reader.Read<uint32_t>();
  capture.ordinal = reader.Read<uint64_t>();
  for (std::string* part :
       {&capture.skipped, &capture.id, &capture.url, &capture.date,
        &capture.digest, &capture.refers_to_id, &capture.refers_to_url,
        &capture.refers_to_date, &capture.refers_to_digest}) {
    *part = reader.ReadSized();
  }
  if (!reader.ok() || !reader.AtEnd()) {
    return Fail(ErrorCode::kCorrupt,
                "a stored revisit record has the wrong length");
  }
  return capture;
}

Status ForEachCapture(const Run& run,
                      const std::function<Status(const Capture&)>& body) {
  TWINSET_ASSIGN(auto reader, OpenBlob(run, "revisits.blob"));
  return ForEach<std::string_view>(
      &reader, [&](std::string_view bytes) -> Status {
        TWINSET_ASSIGN(const Capture capture, DecodeCapture(bytes));
        return body(capture);
      });
}

void EncodeCapture(const Capture& capture, std::string* bytes) {
  bytes->clear();
  AppendLE(bytes, capture.source);
  AppendLE(bytes, capture.ordinal);
  for (const std::string* part :
       {&capture.skipped, &capture.id, &capture.url, &capture.date,
        &capture.digest, &capture.refers_to_id, &capture.refers_to_url,
        &capture.refers_to_date, &capture.refers_to_digest}) {
    AppendSized(bytes, *part);
  }
}

void EncodeCapture(const Record& record, const std::string& skipped,
                   std::string* bytes) {
  const Provenance& place = record.document.provenance;
  EncodeCapture(
      {skipped, place.source, place.ordinal, record.document.id, place.url,
       place.date, place.digest, record.refers_to_id, record.refers_to_url,
       record.refers_to_date, record.refers_to_digest},
      bytes);
}

}  // namespace twinset
