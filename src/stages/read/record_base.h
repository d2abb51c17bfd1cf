// What the readers of this folder share: numbering records, quarantine, damage
// of the stream.
#ifndef TWINSET_SRC_STAGES_READ_RECORD_BASE_H_
#define TWINSET_SRC_STAGES_READ_RECORD_BASE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "read/formats.h"

namespace twinset {

// How far readers of rows look ahead for a gap. Rows of a member whose checksum
// turns out wrong are held back if the member yields no more than this.
inline constexpr size_t kHoldBack = 256 << 10;

// A longer row is parsed by its reader: to hold it costs more than to parse it,
// as most of it may be fields that nobody asks for.
inline constexpr size_t kMostDeferredBytes = 1 << 20;

// "compression-checksum", "-data", "-truncated", "-ratio", "-junk".
std::string_view FaultReason(StreamFault::Kind kind);

// Returns true iff bytes that end at stream offset `end`, in front of the gap
// of `fault`, cannot be trusted: they reach into a member whose checksum or
// structure is wrong.
bool Poisons(const StreamFault& fault, uint64_t end);

// Returns true iff something unfinished in front of the gap of `fault` was cut
// by it. Junk behind the last member cuts nothing.
inline bool Cuts(const StreamFault& fault) {
  return fault.kind != StreamFault::kTrailingJunk;
}

// Skipping a record that is too large has come to `bytes`: an Error beyond
// `max_skip_bytes`, which gives up the source.
Status CheckSkipped(uint64_t bytes, uint64_t max_skip_bytes);

// `options` with a document limit that leaves room for arithmetic.
inline ReadOptions Bounded(ReadOptions options) {
  constexpr uint64_t kMost = uint64_t{1} << 40;
  if (options.max_document_bytes > kMost) options.max_document_bytes = kMost;
  return options;
}

// Longest raw form of a row whose decoded text may have `max_document_bytes`.
inline uint64_t MaxRawBytes(const ReadOptions& options) {
  return 2 * options.max_document_bytes + (64 << 10);
}

void QuarantineRecord(Record* record, std::string reason, std::string detail);
// Makes a document of a record that is filled: "too-large" if its payload is.
void FinishDocument(const ReadOptions& options, Record* record);

// A record carries no more beside its payload than `limit` bytes a field: a
// longer value is dropped, and a record that would need it is quarantined.
void BoundFields(uint64_t limit, Record* record);

// A reader over a stream that numbers its records.
class ReaderBase : public RowReader {
 public:
  ReaderBase(StreamPtr stream, const InputFile& input, uint32_t source,
             const ReadOptions& options, InputFormat format)
      : stream_(std::move(stream)),
        input_(input),
        options_(Bounded(options)),
        source_(source),
        format_(format) {}
  InputFormat format() const override { return format_; }
  std::vector<std::string> FieldNames() const override { return {}; }
  uint64_t consumed_bytes() const override {
    return stream_->compressed_offset();
  }

 protected:
  // Empties `record` and gives it the next ordinal.
  void Begin(Record* record, uint64_t offset);
  // The record begun last is not handed on: another one gets its ordinal.
  void TakeBack() { --ordinal_; }
  void Quarantine(Record* record, std::string reason, std::string detail) {
    QuarantineRecord(record, std::move(reason), std::move(detail));
  }
  // The record of a gap, `swallowed` being the bytes in front of it that go
  // with it.
  void BeginFault(Record* record, const StreamFault& fault,
                  std::string_view swallowed);
  // Makes a record of everything unread in front of the gap right behind the
  // last view.
  Status TakeFaultRegion(Record* record);
  void Finish(Record* record) { FinishDocument(options_, record); }

  StreamPtr stream_;
  const InputFile input_;
  const ReadOptions options_;

 private:
  const uint32_t source_;
  const InputFormat format_;
  uint64_t ordinal_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_RECORD_BASE_H_
