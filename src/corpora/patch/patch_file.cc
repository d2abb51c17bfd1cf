#include "patch/patch_file.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "read/codec.h"
#include "report/corpus_writer.h"

namespace twinset {

namespace {

constexpr uint8_t kHeadTag = 1, kInputsTag = 2, kEntriesTag = 3,
                  kSignatureTag = 4;
constexpr size_t kFrameHeadBytes = 9;
constexpr uint64_t kFrameBytes = 256 << 10;  // about, of a frame
// Twice the texts that one may hold, so that all that is written is read.
constexpr uint64_t kMostRawBytes = 2 * kMostFrameText;
constexpr std::string_view kSigned = "twinset patch 1\n";

std::string MessageOf(const Sha256Value& digest) {
  return std::string(kSigned) + std::string(digest.data(), digest.size());
}

// What an entry takes in a frame beside its texts, about.
constexpr uint64_t kEntryBytes = 40;
static_assert(kFrameBytes / kEntryBytes < kMostFrameEntries);

Result<std::string> Unzstd(std::string_view packed, size_t raw_bytes) {
  std::string raw(raw_bytes, '\0');
  const auto codec = MakeCodec(Compression::kZstd);
  if (codec == nullptr || !codec->Reset())
    return Fail(ErrorCode::kMemory, "there is no memory to decompress");
  size_t done = 0;
  for (;;) {
    const Codec::Step step =
        codec->Decode(packed, raw.data() + done, raw.size() - done);
    packed.remove_prefix(step.consumed);
    done += step.produced;
    if (step.state == Codec::State::kEnd) break;
    if (step.state != Codec::State::kMore ||
        (step.consumed == 0 && step.produced == 0))
      return Fail(ErrorCode::kCorrupt, "a part of the patch is damaged");
  }
  if (done != raw.size() || !packed.empty())
    return Fail(ErrorCode::kCorrupt, "a part of the patch is damaged");
  return raw;
}

}  // namespace

Result<PatchWriter> PatchWriter::Create(const std::string& path,
                                        const PatchHead& head) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  PatchWriter writer(std::move(file));
  const auto header = EncodeFileHeader(kPatchHeader);
  TWINSET_TRY(writer.Write({header.data(), header.size()}));
  TWINSET_TRY(writer.WriteFrame(kHeadTag, EncodePatchHead(head)));
  return writer;
}

Status PatchWriter::Write(std::string_view bytes) {
  sha_.Update(bytes);
  return file_.Write(bytes);
}

Status PatchWriter::WriteFrame(uint8_t tag, std::string_view raw) {
  TWINSET_ASSIGN(const std::string packed,
                 CompressMember(OutputCompression::kZstd, raw));
  std::string frame(1, static_cast<char>(tag));
  AppendLE(&frame, static_cast<uint32_t>(raw.size()));
  AppendSized(&frame, packed);
  return Write(frame);
}

Status PatchWriter::Flush() {
  if (!inputs_.empty())
    TWINSET_TRY(WriteFrame(kInputsTag, EncodePatchInputs(inputs_)));
  if (!entries_.empty())
    TWINSET_TRY(WriteFrame(kEntriesTag, EncodePatchEntries(first_, entries_)));
  first_ += entries_.size();
  inputs_.clear();
  entries_.clear();
  pending_bytes_ = 0;
  return {};
}

Status PatchWriter::AddInput(PatchInput input) {
  pending_bytes_ += kEntryBytes + input.name.size();
  inputs_.push_back(std::move(input));
  return pending_bytes_ < kFrameBytes ? Status() : Flush();
}

Status PatchWriter::AddEntry(PatchEntry entry) {
  if (!inputs_.empty()) TWINSET_TRY(Flush());
  if (entry.text_bytes() > kMostFrameText / 2)
    return Fail(ErrorCode::kUnsupported,
                "id and address of a document are too long for a patch");
  pending_bytes_ += kEntryBytes + entry.text_bytes();
  entries_.push_back(std::move(entry));
  return pending_bytes_ < kFrameBytes ? Status() : Flush();
}

Status PatchWriter::Finish(const SigningKey* key) {
  TWINSET_TRY(Flush());
  if (key != nullptr) {
    const std::string signature = key->Sign(MessageOf(sha_.Digest()));
    std::string frame(1, static_cast<char>(kSignatureTag));
    const std::string raw = key->public_key() + signature;
    AppendLE(&frame, static_cast<uint32_t>(raw.size()));
    AppendSized(&frame, raw);
    TWINSET_TRY(file_.Write(frame));
  }
  const auto footer = EncodeFileFooter({first_, file_.hash()});
  TWINSET_TRY(file_.Write({footer.data(), footer.size()}));
  return file_.Commit();
}

Result<PatchReader> PatchReader::Open(const std::string& path,
                                      uint64_t memory_bytes) {
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  PatchReader reader(std::move(file));
  TWINSET_TRY(reader.CheckWhole());
  TWINSET_TRY(reader.ReadFrames(memory_bytes));
  reader.Rewind();
  return reader;
}

tl::unexpected<Error> PatchReader::Damaged(uint64_t offset) const {
  return Fail(ErrorCode::kCorrupt, "the patch is damaged",
              PlaceInFile(file_.path(), offset), "get it again");
}

Status PatchReader::CheckWhole() {
  TWINSET_ASSIGN(const uint64_t size, file_.Size());
  constexpr std::string_view kMagic = "twinset\n";
  std::string magic(kMagic.size(), '\0');
  if (size >= magic.size())
    TWINSET_TRY(file_.ReadAt(0, magic.data(), magic.size()));
  if (magic != kMagic)
    return Fail(ErrorCode::kUsage, "the file is no patch", file_.path(),
                "give what twinset patch make has written");
  TWINSET_ASSIGN(const FileFooter footer, ReadFileFooter(file_, size));
  TWINSET_TRY(ReadFileHeader(file_, kPatchHeader));
  end_ = size - kFileFooterBytes;
  Hasher64 hash;
  std::string buffer(64 << 10, '\0');
  for (uint64_t at = 0; at < end_;) {
    const auto bytes =
        static_cast<size_t>(std::min<uint64_t>(buffer.size(), end_ - at));
    TWINSET_TRY(file_.ReadAt(at, buffer.data(), bytes));
    hash.Update(std::string_view(buffer).substr(0, bytes));
    at += bytes;
  }
  if (hash.Digest() != footer.detail)
    return Fail(ErrorCode::kCorrupt, "the checksum of the patch is wrong",
                file_.path(), "get it again");
  head_.entries = footer.count;
  return {};
}

Result<PatchReader::Frame> PatchReader::FrameAt(uint64_t offset) const {
  char head[kFrameHeadBytes];
  if (end_ - offset < sizeof head) return Damaged(offset);
  TWINSET_TRY(file_.ReadAt(offset, head, sizeof head));
  Frame frame;
  frame.tag = static_cast<uint8_t>(head[0]);
  frame.raw_bytes = LoadLE<uint32_t>(head + 1);
  frame.packed_bytes = LoadLE<uint32_t>(head + 5);
  // zstd adds less than 1 KB and a 256th.
  if (frame.raw_bytes > kMostRawBytes ||
      frame.packed_bytes > kMostRawBytes + (kMostRawBytes >> 7) ||
      frame.packed_bytes > end_ - offset - sizeof head)
    return Damaged(offset);
  return frame;
}

Result<std::string> PatchReader::Unpacked(uint64_t offset, const Frame& frame,
                                          Sha256Stream* sha) const {
  std::string packed(kFrameHeadBytes + frame.packed_bytes, '\0');
  TWINSET_TRY(file_.ReadAt(offset, packed.data(), packed.size()));
  if (sha != nullptr) sha->Update(packed);
  auto raw =
      Unzstd(std::string_view(packed).substr(kFrameHeadBytes), frame.raw_bytes);
  if (!raw && raw.error().code == ErrorCode::kCorrupt) return Damaged(offset);
  return raw;
}

// Head, inputs, entries, signature, in this order. Entries are counted, so that
// nobody makes room for more than there are, and looked at no further.
Status PatchReader::ReadFrames(uint64_t memory_bytes) {
  const uint64_t entries = head_.entries;
  Sha256Stream sha;
  const auto header = EncodeFileHeader(kPatchHeader);
  sha.Update({header.data(), header.size()});
  uint8_t last = 0;
  uint64_t at = kFileHeaderBytes, counted = 0;
  while (at < end_) {
    TWINSET_ASSIGN(const Frame frame, FrameAt(at));
    const bool repeats = frame.tag == kInputsTag || frame.tag == kEntriesTag;
    if (frame.tag < last || frame.tag > kSignatureTag ||
        (frame.tag == last && !repeats) || (last == 0 && frame.tag != kHeadTag))
      return Damaged(at);
    if (frame.tag == kEntriesTag && last != kEntriesTag) entries_begin_ = at;
    if (frame.tag == kSignatureTag) {
      digest_ = sha.Digest();
      TWINSET_TRY(TakeSignature(at, frame));
    } else {
      TWINSET_ASSIGN(const std::string raw, Unpacked(at, frame, &sha));
      if (frame.tag == kHeadTag) {
        auto head = DecodePatchHead(raw);
        if (!head) return Damaged(at);
        head_ = *std::move(head);
      } else if (frame.tag == kEntriesTag) {
        const auto count = CountPatchEntries(raw);
        if (!count) return Damaged(at);
        counted += *count;
      } else if (frame.tag == kInputsTag) {
        if (!TakeInputs(raw, memory_bytes)) return Damaged(at);
        if (inputs_bytes_ > memory_bytes)
          return Fail(ErrorCode::kMemory,
                      "the inputs that the patch names do not fit", {},
                      "give more --memory");
      }
    }
    last = frame.tag;
    at += kFrameHeadBytes + frame.packed_bytes;
    if (frame.tag == kEntriesTag) entries_end_ = at;
  }
  if (last == 0 || head_.entries != entries || counted != entries ||
      head_.inputs != inputs_.size())
    return Damaged(kFileHeaderBytes);
  if (last != kSignatureTag) digest_ = sha.Digest();
  return {};
}

Status PatchReader::TakeInputs(std::string_view raw, uint64_t memory_bytes) {
  const size_t before = inputs_.size();
  TWINSET_TRY(DecodePatchInputs(raw, &inputs_));
  for (size_t i = before; i < inputs_.size(); ++i)
    inputs_bytes_ += sizeof(PatchInput) + inputs_[i].name.size();
  if (inputs_bytes_ > memory_bytes) inputs_.clear();
  return {};
}

Status PatchReader::TakeSignature(uint64_t offset, const Frame& frame) {
  std::string raw(kPublicKeyBytes + kSignatureBytes, '\0');
  if (frame.packed_bytes != raw.size() || frame.raw_bytes != raw.size())
    return Damaged(offset);
  TWINSET_TRY(file_.ReadAt(offset + kFrameHeadBytes, raw.data(), raw.size()));
  signed_by_ = raw.substr(0, kPublicKeyBytes);
  if (IsSignedBy(signed_by_, MessageOf(digest_), raw.substr(kPublicKeyBytes)))
    return {};
  return Fail(ErrorCode::kCorrupt,
              "the signature is not that of the patch: somebody has changed it",
              file_.path(), "get it again from who has signed it");
}

void PatchReader::Rewind() {
  next_frame_ = entries_begin_;
  number_ = 0;
  at_ = 0;
  frame_.clear();
  last_source_ = 0;
  next_ordinal_ = 0;
}

Status PatchReader::NextFrame() {
  const uint64_t offset = next_frame_;
  TWINSET_ASSIGN(const Frame frame, FrameAt(offset));
  TWINSET_ASSIGN(const std::string raw, Unpacked(offset, frame, nullptr));
  if (!DecodePatchEntries(number_, raw, &frame_)) return Damaged(offset);
  at_ = 0;
  next_frame_ += kFrameHeadBytes + frame.packed_bytes;
  return {};
}

Status PatchReader::Check(const PatchEntry& entry) const {
  const bool ascends =
      entry.source > last_source_ ||
      (entry.source == last_source_ && entry.ordinal >= next_ordinal_);
  if (ascends && entry.source < inputs_.size() && entry.link < head_.entries)
    return {};
  return Damaged(next_frame_);
}

Result<bool> PatchReader::Next(PatchEntry* entry) {
  while (at_ == frame_.size()) {
    if (next_frame_ == entries_end_) {
      if (number_ != head_.entries) return Damaged(next_frame_);
      return false;
    }
    TWINSET_TRY(NextFrame());
  }
  TWINSET_TRY(Check(frame_[at_]));
  *entry = std::move(frame_[at_]);
  ++at_;
  ++number_;
  last_source_ = entry->source;
  next_ordinal_ = entry->ordinal + 1;
  return true;
}

}  // namespace twinset
