#include "segments/index_record.h"

#include <zstd.h>

#include <memory>
#include <new>
#include <utility>

#include "base/bytes.h"

namespace twinset {

namespace {

// Most entries refer to themselves or to nothing, which takes a byte.
void AppendEntry(std::string* bytes, uint64_t entry, uint64_t number) {
  AppendVarint(bytes, number == kNoEntry ? 0 : entry - number + 1);
}

void AppendSigned(std::string* bytes, int64_t value) {
  AppendVarint(bytes, static_cast<uint64_t>(value) << 1 ^
                          static_cast<uint64_t>(value >> 63));
}

void AppendText(std::string* bytes, std::string_view text) {
  AppendVarint(bytes, text.size());
  bytes->append(text);
}

void AppendState(std::string* bytes, uint64_t entry, const ClassState& state) {
  AppendVarint(bytes, state.documents);
  AppendEntry(bytes, entry, state.kept);
  AppendEntry(bytes, entry, state.text);
  AppendSigned(bytes, state.first_seen);
  // Modulo 2^64, as it is read: times are any numbers.
  AppendSigned(bytes,
               static_cast<int64_t>(static_cast<uint64_t>(state.last_seen) -
                                    static_cast<uint64_t>(state.first_seen)));
  AppendVarint(bytes, state.tags.size());
  for (const uint32_t tag : state.tags) AppendVarint(bytes, tag);
  AppendEntry(bytes, entry, state.removal);
}

class RecordReader {
 public:
  RecordReader(std::string_view bytes, uint64_t entry)
      : bytes_(bytes), entry_(entry) {}

  uint64_t Number() { return bytes_.ReadVarint(); }
  uint64_t Entry() {
    const uint64_t back = Number();
    if (back == 0) return kNoEntry;
    if (back - 1 > entry_) is_good_ = false;
    return entry_ - (back - 1);
  }
  // An earlier entry, so that what goes from one to the next comes to an end.
  uint64_t Before() {
    const uint64_t number = Entry();
    if (number == entry_) is_good_ = false;
    return number;
  }
  int64_t Signed() {
    const uint64_t value = Number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  std::string_view Text() { return bytes_.ReadBytes(Number()); }
  template <typename T>
  T Fixed() {
    return bytes_.Read<T>();
  }
  uint32_t Tag() {
    const uint64_t tag = Number();
    if (tag > UINT32_MAX) is_good_ = false;
    return static_cast<uint32_t>(tag);
  }
  // A count of things of a byte or more.
  uint64_t Count() {
    const uint64_t count = Number();
    if (count > total_) is_good_ = false;
    return is_good_ && bytes_.ok() ? count : 0;
  }
  ClassState State() {
    ClassState state;
    state.documents = Number();
    state.kept = Entry();
    state.text = Entry();
    state.first_seen = Signed();
    state.last_seen =
        static_cast<int64_t>(static_cast<uint64_t>(state.first_seen) +
                             static_cast<uint64_t>(Signed()));
    for (uint64_t i = Count(); i > 0 && bytes_.ok(); --i)
      state.tags.push_back(Tag());
    state.removal = Entry();
    return state;
  }
  bool AtEnd() const { return is_good_ && bytes_.ok() && bytes_.AtEnd(); }
  bool ok() const { return is_good_ && bytes_.ok(); }

 private:
  ByteReader bytes_;
  const uint64_t total_ = uint64_t{1} << 32;  // a frame has fewer bytes
  const uint64_t entry_;
  bool is_good_ = true;
};

void AppendDocument(const IndexRecord& record, uint64_t entry,
                    std::string* bytes) {
  AppendEntry(bytes, entry, record.kept_for);
  AppendEntry(bytes, entry, record.before_dropped);
  AppendEntry(bytes, entry, record.before_of_id);
  AppendLE<uint64_t>(bytes, record.id_hash);
  AppendLE<uint64_t>(bytes, record.content_hash);
  AppendVarint(bytes, record.arrival);
  AppendVarint(bytes, record.features);
  AppendSigned(bytes, record.seen);
  AppendVarint(bytes, record.tag);
  *bytes += record.has_id ? '\1' : '\0';
  AppendVarint(bytes, record.same_id);
  AppendText(bytes, record.id);
  AppendText(bytes, record.url);
  AppendText(bytes, record.date);
  AppendVarint(bytes, record.text_bytes);
  AppendText(bytes, record.packed);
  if (!record.is_capture()) return;
  AppendLE<uint64_t>(bytes, record.url_hash);
  AppendEntry(bytes, entry, record.before_of_url);
  AppendLE<uint64_t>(bytes, record.digest_hash);
  AppendEntry(bytes, entry, record.before_of_digest);
  AppendText(bytes, record.digest);
  if (record.payload_hash == Hash128Value()) return;
  AppendLE<uint64_t>(bytes, record.payload_hash.low);
  AppendLE<uint64_t>(bytes, record.payload_hash.high);
}

void ReadDocument(RecordReader* from, IndexRecord* record) {
  record->kept_for = from->Entry();
  record->before_dropped = from->Before();
  record->before_of_id = from->Before();
  record->id_hash = from->Fixed<uint64_t>();
  record->content_hash = from->Fixed<uint64_t>();
  record->arrival = from->Number();
  record->features = from->Number();
  record->seen = from->Signed();
  record->tag = from->Tag();
  record->has_id = from->Fixed<uint8_t>() != 0;
  record->same_id = from->Number();
  record->id = from->Text();
  record->url = from->Text();
  record->date = from->Text();
  record->text_bytes = from->Number();
  record->packed = from->Text();
}

void AppendDeclared(const IndexRecord& record, uint64_t entry,
                    std::string* bytes) {
  AppendVarint(bytes, record.tag);
  if (record.type == RecordType::kUndeclared) return;
  AppendLE<uint64_t>(bytes, record.digest_hash);
  AppendEntry(bytes, entry, record.before_of_digest);
  AppendSigned(bytes, record.seen);
  AppendText(bytes, record.url);
  AppendText(bytes, record.date);
  AppendText(bytes, record.digest);
}

void ReadDeclared(RecordReader* from, IndexRecord* record) {
  record->tag = from->Tag();
  if (record->type == RecordType::kUndeclared) return;
  record->digest_hash = from->Fixed<uint64_t>();
  record->before_of_digest = from->Before();
  record->seen = from->Signed();
  record->url = from->Text();
  record->date = from->Text();
  record->digest = from->Text();
}

void ReadCapture(RecordReader* from, IndexRecord* record) {
  record->url_hash = from->Fixed<uint64_t>();
  record->before_of_url = from->Before();
  record->digest_hash = from->Fixed<uint64_t>();
  record->before_of_digest = from->Before();
  record->digest = from->Text();
  if (from->AtEnd()) return;
  record->payload_hash.low = from->Fixed<uint64_t>();
  record->payload_hash.high = from->Fixed<uint64_t>();
}

// As it stands in the log: whether a document is a capture, and a removal is
// part of a replacement.
RecordType LoggedType(const IndexRecord& record) {
  if (record.is_replacement) return RecordType::kReplacement;
  if (!record.is_document() || !record.is_capture()) return record.type;
  return record.type == RecordType::kDocument ? RecordType::kCapture
                                              : RecordType::kRemovedCapture;
}

}  // namespace

std::string IndexRecord::Name() const {
  return same_id <= 1 ? id : id + "#" + std::to_string(same_id);
}

void EncodeIndexRecord(const IndexRecord& record, uint64_t entry,
                       std::string* bytes) {
  *bytes += static_cast<char>(LoggedType(record));
  if (record.type == RecordType::kTag) return AppendText(bytes, record.id);
  if (!record.is_of_class()) return AppendDeclared(record, entry, bytes);
  AppendEntry(bytes, entry, record.of_class);
  AppendEntry(bytes, entry, record.before_in_class);
  AppendState(bytes, entry, record.state);
  if (record.is_document()) return AppendDocument(record, entry, bytes);
  AppendVarint(bytes, record.removed_kept);
  AppendVarint(bytes, record.removed_empty);
  AppendEntry(bytes, entry, record.before_removal);
  AppendVarint(bytes, record.removed.size());
  for (const uint64_t number : record.removed)
    AppendEntry(bytes, entry, number);
}

Result<IndexRecord> DecodeIndexRecord(std::string_view bytes, uint64_t entry) {
  RecordReader from(bytes, entry);
  IndexRecord record;
  const auto type = from.Fixed<uint8_t>();
  record.type = static_cast<RecordType>(type);
  const bool is_capture = record.type == RecordType::kCapture ||
                          record.type == RecordType::kRemovedCapture;
  if (is_capture)
    record.type = record.type == RecordType::kCapture ? RecordType::kDocument
                                                      : RecordType::kRemoved;
  if (record.type == RecordType::kReplacement) {
    record.type = RecordType::kRemoval;
    record.is_replacement = true;
  }
  if (record.type == RecordType::kTag) {
    record.id = from.Text();
  } else if (record.type == RecordType::kDeclared ||
             record.type == RecordType::kUndeclared) {
    ReadDeclared(&from, &record);
  } else if (record.is_of_class()) {
    record.of_class = from.Entry();
    record.before_in_class = from.Before();
    record.state = from.State();
    if (record.is_document()) {
      ReadDocument(&from, &record);
      if (is_capture) ReadCapture(&from, &record);
    } else {
      record.removed_kept = from.Number();
      record.removed_empty = from.Number();
      record.before_removal = from.Before();
      for (uint64_t i = from.Count(); i > 0 && from.ok(); --i)
        record.removed.push_back(from.Entry());
    }
  } else {
    record.type = RecordType::kTag;
    (void)from.Text();
  }
  const bool is_known =
      type >= 1 && type <= 9 &&
      (!record.is_document() || is_capture == record.is_capture());
  const bool refers = !record.is_of_class() || record.of_class != kNoEntry;
  if (is_known && refers && from.AtEnd() &&
      (!record.is_document() || record.kept_for != kNoEntry))
    return record;
  return Fail(ErrorCode::kCorrupt,
              "record " + std::to_string(entry) + " of the log is impossible");
}

std::string PackText(std::string_view text) {
  // A context takes longer to make than a short text to pack.
  thread_local const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(
      ZSTD_createCCtx(), ZSTD_freeCCtx);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const size_t size =
      context == nullptr
          ? ZSTD_compress(packed.data(), packed.size(), text.data(),
                          text.size(), 1)
          : ZSTD_compressCCtx(context.get(), packed.data(), packed.size(),
                              text.data(), text.size(), 1);
  if (ZSTD_isError(size)) throw std::bad_alloc();  // the one reason there is
  packed.resize(size);
  return packed;
}

Result<std::string> UnpackText(std::string_view packed, uint64_t text_bytes) {
  thread_local const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(
      ZSTD_createDCtx(), ZSTD_freeDCtx);
  const unsigned long long declared =
      ZSTD_getFrameContentSize(packed.data(), packed.size());
  // A block of zstd takes three bytes and gives 128 KiB at most: what was told
  // is not taken before it can be true.
  constexpr uint64_t kMostABlock = 128 << 10;
  if (declared != text_bytes || text_bytes / kMostABlock > packed.size() / 3)
    return Fail(ErrorCode::kCorrupt, "a text of the log has another length");
  std::string text(text_bytes, '\0');
  const size_t size =
      context == nullptr
          ? ZSTD_decompress(text.data(), text.size(), packed.data(),
                            packed.size())
          : ZSTD_decompressDCtx(context.get(), text.data(), text.size(),
                                packed.data(), packed.size());
  if (ZSTD_isError(size) || size != text_bytes)
    return Fail(ErrorCode::kCorrupt, "a text of the log cannot be unpacked");
  return text;
}

}  // namespace twinset
