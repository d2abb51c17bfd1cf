// WARC records as documents (docs/formats/warc.md).
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "read/archive/warc_record.h"
#include "read/formats.h"
#include "read/http_document.h"

namespace twinset {
namespace {

bool IsPayloadType(std::string_view type) {
  return type == "response" || type == "resource" || type == "conversion";
}

// wget and wpull file what they say of themselves (arguments, log) as resources
// at addresses of their own; no page is there.
bool IsOfCrawler(const WarcRecord& warc) {
  const std::string uri = ToLowerAscii(warc.target_uri);
  return warc.type == "resource" &&
         (uri.starts_with("metadata://") || uri.starts_with("urn:x-wpull:"));
}

FramerOptions MakeFramerOptions(const ReadOptions& options) {
  FramerOptions framer;
  framer.max_block_bytes = MaxBlockBytes(options);
  framer.keep_raw = options.keep_raw;
  framer.want_block = [](std::string_view header) {
    const HeaderFields fields = ParseWarcFields(header);
    const std::string* type = fields.Find("WARC-Type");
    if (type == nullptr) return false;
    const std::string lower = ToLowerAscii(*type);
    return IsPayloadType(lower) || lower == "revisit";
  };
  return framer;
}

class WarcReader : public RecordReader {
 public:
  WarcReader(StreamPtr stream, uint32_t source, const ReadOptions& options)
      : parser_(std::move(stream), MakeFramerOptions(options)),
        source_(source),
        options_(options) {}

  Result<bool> Next(Record* record) override {
    *record = Record{};
    WarcRecord warc;
    TWINSET_ASSIGN(const bool more, parser_.Next(&warc));
    if (!more) return false;
    FillIdentity(warc, record);
    Judge(&warc, record);
    record->raw = std::move(warc.frame.raw);
    return true;
  }
  InputFormat format() const override { return InputFormat::kWarc; }
  uint64_t consumed_bytes() const override {
    return parser_.stream().compressed_offset();
  }

 private:
  void FillIdentity(const WarcRecord& warc, Record* record) const {
    Document* document = &record->document;
    for (const char* name :
         {"WARC-TREC-ID", "ClueWeb22-ID", "WARC-Record-ID"}) {
      document->id = warc.Get(name);
      if (!document->id.empty()) break;
    }
    Provenance* provenance = &document->provenance;
    provenance->source = source_;
    provenance->ordinal = warc.frame.ordinal;
    provenance->offset = warc.frame.offset;
    provenance->url = warc.target_uri;
    provenance->date = warc.Get("WARC-Date");
  }

  void Judge(WarcRecord* warc, Record* record) const {
    record->document.truncated =
        options_.keep_truncated &&
        warc->frame.damage == "compression-truncated" &&
        !warc->frame.block.empty();
    if (!warc->frame.damage.empty() && !record->document.truncated) {
      record->kind = RecordKind::kQuarantined;
      record->reason = warc->frame.damage;
      record->detail = warc->frame.detail;
    } else if (warc->type == "revisit") {
      record->kind = RecordKind::kRevisit;
      record->refers_to_id = warc->Get("WARC-Refers-To");
      record->refers_to_url = warc->Get("WARC-Refers-To-Target-URI");
      record->refers_to_date = warc->Get("WARC-Refers-To-Date");
      record->refers_to_digest = warc->Get("WARC-Payload-Digest");
      JudgeRevisit(warc->frame.block, options_, record);
    } else if (IsOfCrawler(*warc)) {
      record->kind = RecordKind::kSkipped;
      record->reason = "crawler";
    } else if (IsPayloadType(warc->type)) {
      JudgePayload(warc, record);
    } else {
      const bool known = warc->type == "request" || warc->type == "metadata" ||
                         warc->type == "warcinfo" ||
                         warc->type == "continuation";
      record->kind = RecordKind::kSkipped;
      record->reason = known ? warc->type : "type";
    }
  }

  void JudgePayload(WarcRecord* warc, Record* record) const {
    ArchivedBlock block;
    block.bytes = std::move(warc->frame.block);
    block.real_bytes = warc->frame.block_bytes;
    block.content_type = warc->Get("Content-Type");
    block.is_conversion = warc->type == "conversion";
    // A resource is its block; some writers archive responses under that type
    // all the same.
    block.may_be_http =
        warc->type == "response" ||
        ParseMediaType(block.content_type).mime == "application/http";
    JudgeBlock(std::move(block), options_, record);
    // Revisits may refer to it, also where it is no document. It is that of the
    // whole payload.
    if (!record->document.truncated)
      record->document.provenance.digest = warc->Get("WARC-Payload-Digest");
    if (record->kind != RecordKind::kDocument) return;
    for (const std::string& name : options_.fields) {
      const std::string* value = warc->fields.Find(name);
      // A missing one keeps its place: fields are known by the asked order.
      record->document.fields.emplace_back(
          name, value != nullptr ? *value : std::string());
    }
  }

  WarcRecordParser parser_;
  const uint32_t source_;
  const ReadOptions options_;
};

}  // namespace

ReaderPtr MakeWarcReader(StreamPtr stream, const InputFile&, uint32_t source,
                         const ReadOptions& options) {
  return std::make_unique<WarcReader>(std::move(stream), source, options);
}

}  // namespace twinset
