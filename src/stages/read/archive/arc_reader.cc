// ARC records as documents (docs/formats/warc.md).
#include <memory>
#include <utility>

#include "read/archive/arc_record.h"
#include "read/formats.h"
#include "read/http_document.h"

namespace twinset {
namespace {

class ArcReader : public RecordReader {
 public:
  ArcReader(StreamPtr stream, uint32_t source, const ReadOptions& options)
      : parser_(std::move(stream),
                FramerOptions{MaxBlockBytes(options), options.keep_raw, {}}),
        source_(source),
        options_(options) {}

  Result<bool> Next(Record* record) override {
    *record = Record{};
    ArcRecord arc;
    TWINSET_ASSIGN(const bool more, parser_.Next(&arc));
    if (!more) return false;
    Provenance* provenance = &record->document.provenance;
    provenance->source = source_;
    provenance->ordinal = arc.frame.ordinal;
    provenance->offset = arc.frame.offset;
    provenance->url = arc.header.url;
    provenance->date = ArcDate(arc.header.date);
    Judge(&arc, record);
    record->raw = std::move(arc.frame.raw);
    return true;
  }
  InputFormat format() const override { return InputFormat::kArc; }
  uint64_t consumed_bytes() const override {
    return parser_.stream().compressed_offset();
  }

 private:
  void Judge(ArcRecord* arc, Record* record) const {
    record->document.truncated = options_.keep_truncated &&
                                 arc->frame.damage == "compression-truncated" &&
                                 !arc->frame.block.empty();
    if (!arc->frame.damage.empty() && !record->document.truncated) {
      record->kind = RecordKind::kQuarantined;
      record->reason = arc->frame.damage;
      record->detail = arc->frame.detail;
      return;
    }
    if (arc->is_filedesc) {
      record->kind = RecordKind::kSkipped;
      record->reason = "warcinfo";
      return;
    }
    ArchivedBlock block;
    block.bytes = std::move(arc->frame.block);
    block.real_bytes = arc->frame.block_bytes;
    block.content_type = arc->header.mime;
    block.status = arc->header.status;
    JudgeBlock(std::move(block), options_, record);
  }

  ArcRecordParser parser_;
  const uint32_t source_;
  const ReadOptions options_;
};

}  // namespace

ReaderPtr MakeArcReader(StreamPtr stream, const InputFile&, uint32_t source,
                        const ReadOptions& options) {
  return std::make_unique<ArcReader>(std::move(stream), source, options);
}

}  // namespace twinset
