#include "store/blob_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/blob_frame.h"

namespace twinset {

namespace {
constexpr size_t kBufferBytes = 64 << 10;
}

uint64_t BlobPageChecksum(const char* page, uint64_t bytes, uint64_t number) {
  return Hash64(std::string_view(page, bytes), number);
}

tl::unexpected<Error> BadBlobFrame(uint64_t number, const std::string& what,
                                   uint64_t offset, const std::string& path) {
  return Fail(ErrorCode::kCorrupt,
              "frame of blob " + std::to_string(number) + " " + what,
              PlaceInFile(path, offset));
}

Status CheckBlobFrame(const char* frame, uint64_t number, uint32_t length,
                      uint64_t offset, const std::string& path) {
  if (LoadLE<uint64_t>(frame) != number ||
      LoadLE<uint32_t>(frame + 8) != length) {
    return BadBlobFrame(number, "has another number or length", offset, path);
  }
  const uint64_t covered = kBlobHeadBytes + length;
  if (LoadLE<uint64_t>(frame + covered) !=
      Hash64(std::string_view(frame, covered))) {
    return BadBlobFrame(number, "fails its checksum", offset, path);
  }
  return {};
}

Result<BlobWriter> BlobWriter::Create(const std::string& path,
                                      uint64_t parameters_hash) {
  BlobWriter writer;
  TWINSET_ASSIGN(writer.data_, File::Create(path));
  TWINSET_ASSIGN(writer.index_, File::Create(BlobIndexPath(path)));
  const auto header = EncodeFileHeader(BlobHeader(parameters_hash));
  TWINSET_TRY(writer.data_.Write({header.data(), header.size()}));
  const auto index_header = EncodeFileHeader(BlobIndexHeader(parameters_hash));
  TWINSET_TRY(writer.index_.Write({index_header.data(), index_header.size()}));
  // So that the names survive a crash, as Checkpoint promises for the content.
  TWINSET_TRY(
      SyncDirectory(std::filesystem::path(path).parent_path().string()));
  AppendLE<uint64_t>(&writer.page_, kFileHeaderBytes);
  writer.data_buffer_.reserve(kBufferBytes);
  return writer;
}

Result<BlobWriter> BlobWriter::Resume(const std::string& path,
                                      uint64_t parameters_hash,
                                      const BlobMark& mark) {
  // Opened for reading first: a missing file is an error and must not be
  // created.
  TWINSET_ASSIGN(const File data, File::OpenRead(path));
  TWINSET_TRY(ReadFileHeader(data, BlobHeader(parameters_hash)));
  TWINSET_ASSIGN(const File index, File::OpenRead(BlobIndexPath(path)));
  TWINSET_TRY(ReadFileHeader(index, BlobIndexHeader(parameters_hash)));
  TWINSET_ASSIGN(const uint64_t data_size, data.Size());
  TWINSET_ASSIGN(const uint64_t index_size, index.Size());
  BlobWriter writer;
  writer.mark_ = mark;
  writer.pages_ = mark.count / kBlobsPerPage;
  const uint64_t index_end = kFileHeaderBytes + writer.pages_ * kBlobPageBytes;
  if (mark.data_bytes > data_size - kFileHeaderBytes ||
      mark.count > mark.data_bytes / kBlobFrameBytes ||
      index_end > index_size) {
    return Fail(ErrorCode::kCorrupt,
                "the files end before the mark to resume from (" +
                    std::to_string(mark.count) + " blobs, " +
                    std::to_string(mark.data_bytes) + " bytes)",
                path);
  }
  TWINSET_ASSIGN(writer.data_, File::OpenReadWrite(path));
  TWINSET_ASSIGN(writer.index_, File::OpenReadWrite(BlobIndexPath(path)));
  TWINSET_TRY(writer.RecoverPage());
  const uint64_t data_end = kFileHeaderBytes + mark.data_bytes;
  TWINSET_TRY(writer.data_.Truncate(data_end));
  TWINSET_TRY(writer.data_.Seek(data_end));
  TWINSET_TRY(writer.index_.Truncate(index_end));
  TWINSET_TRY(writer.index_.Seek(index_end));
  writer.data_buffer_.reserve(kBufferBytes);
  return writer;
}

// Only full pages of the index are on disk, and they are never rewritten, so a
// torn write cannot hurt what a mark covers. The page in progress is found
// again from the frames themselves.
Status BlobWriter::RecoverPage() {
  uint64_t offset = kFileHeaderBytes;
  if (pages_ > 0) {
    const uint64_t page_offset =
        kFileHeaderBytes + (pages_ - 1) * kBlobPageBytes;
    char page[kBlobPageBytes];
    TWINSET_TRY(index_.ReadAt(page_offset, page, sizeof(page)));
    if (LoadLE<uint64_t>(page + kBlobPageBytes - 8) !=
        BlobPageChecksum(page, kBlobPageBytes - 8, pages_ - 1)) {
      return Fail(ErrorCode::kCorrupt, "index page fails its checksum",
                  PlaceInFile(index_.path(), page_offset));
    }
    offset = LoadLE<uint64_t>(page + kBlobPageBytes - 16);
  }
  AppendLE<uint64_t>(&page_, offset);
  const uint64_t end = kFileHeaderBytes + mark_.data_bytes;
  for (uint64_t number = pages_ * kBlobsPerPage; number < mark_.count;
       ++number) {
    if (offset > end || end - offset < kBlobFrameBytes) {
      return BadBlobFrame(number, "lies beyond the mark", offset, data_.path());
    }
    char head[kBlobHeadBytes];
    TWINSET_TRY(data_.ReadAt(offset, head, sizeof(head)));
    if (LoadLE<uint64_t>(head) != number) {
      return BadBlobFrame(number, "has another number", offset, data_.path());
    }
    offset += kBlobFrameBytes + LoadLE<uint32_t>(head + 8);
    AppendLE<uint64_t>(&page_, offset);
  }
  if (offset != end) {
    return BadBlobFrame(mark_.count, "would not begin where the mark ends",
                        offset, data_.path());
  }
  return {};
}

// The mark if `status` is good; else closes the files, so that no later call
// can pretend that everything so far was written.
Result<BlobMark> BlobWriter::Checked(Status status) {
  if (status) return mark_;
  data_ = File();
  index_ = File();
  return tl::unexpected(std::move(status).error());
}

Status BlobWriter::Append(std::string_view bytes) {
  if (!data_.is_open()) {
    return Fail(ErrorCode::kInternal,
                "append to a blob file that is finished or failed");
  }
  if (bytes.size() > std::numeric_limits<uint32_t>::max()) {
    return Fail(
        ErrorCode::kUnsupported,
        "a blob of " + std::to_string(bytes.size()) + " bytes is too large",
        data_.path());
  }
  Status appended = AppendFrame(bytes);
  if (appended) appended = AppendIndex();
  TWINSET_TRY(Checked(std::move(appended)));
  return {};
}

Status BlobWriter::AppendFrame(std::string_view bytes) {
  if (data_buffer_.size() + bytes.size() + kBlobFrameBytes > kBufferBytes) {
    TWINSET_TRY(FlushData());
  }
  const size_t begin = data_buffer_.size();
  AppendLE<uint64_t>(&data_buffer_, mark_.count);
  AppendLE<uint32_t>(&data_buffer_, static_cast<uint32_t>(bytes.size()));
  if (bytes.size() + kBlobFrameBytes <= kBufferBytes) {
    data_buffer_.append(bytes);
    const uint64_t checksum =
        Hash64(std::string_view(data_buffer_).substr(begin));
    AppendLE<uint64_t>(&data_buffer_, checksum);
  } else {  // past the buffer
    Hasher64 hasher;
    hasher.Update(data_buffer_);
    hasher.Update(bytes);
    TWINSET_TRY(FlushData());
    TWINSET_TRY(data_.Write(bytes));
    AppendLE<uint64_t>(&data_buffer_, hasher.Digest());
  }
  ++mark_.count;
  mark_.data_bytes += kBlobFrameBytes + bytes.size();
  return {};
}

Status BlobWriter::AppendIndex() {
  AppendLE<uint64_t>(&page_, kFileHeaderBytes + mark_.data_bytes);
  if (mark_.count % kBlobsPerPage != 0) return {};
  return FlushPage();
}

// Writes the page in progress and begins the next.
Status BlobWriter::FlushPage() {
  AppendLE<uint64_t>(&page_,
                     BlobPageChecksum(page_.data(), page_.size(), pages_++));
  TWINSET_TRY(index_.Write(page_));
  page_.clear();
  AppendLE<uint64_t>(&page_, kFileHeaderBytes + mark_.data_bytes);
  return {};
}

Status BlobWriter::FlushData() {
  TWINSET_TRY(data_.Write(data_buffer_));
  data_buffer_.clear();
  return {};
}

Result<BlobMark> BlobWriter::Checkpoint() {
  if (!data_.is_open()) {
    return Fail(ErrorCode::kInternal,
                "checkpoint of a blob file that is finished or failed");
  }
  Status status = FlushData();
  if (status) status = data_.Sync();
  if (status) status = index_.Sync();
  return Checked(std::move(status));
}

Status BlobWriter::WriteFooters() {
  TWINSET_TRY(FlushData());
  if (mark_.count % kBlobsPerPage != 0) TWINSET_TRY(FlushPage());
  const auto footer = EncodeFileFooter({mark_.count, mark_.data_bytes});
  for (File* file : {&data_, &index_}) {
    TWINSET_TRY(file->Write({footer.data(), footer.size()}));
    TWINSET_TRY(file->Sync());
    TWINSET_TRY(file->Close());
  }
  return {};
}

Status BlobWriter::Finish() {
  if (!data_.is_open()) {
    return Fail(ErrorCode::kInternal,
                "finish of a blob file that is finished or failed");
  }
  TWINSET_TRY(Checked(WriteFooters()));
  return {};
}

Status BlobWriter::Seal(File data, uint64_t parameters_hash,
                        std::span<const uint64_t> ends) {
  BlobWriter writer;
  TWINSET_ASSIGN(writer.index_, File::Create(BlobIndexPath(data.path())));
  const auto header = EncodeFileHeader(BlobIndexHeader(parameters_hash));
  TWINSET_TRY(writer.index_.Write({header.data(), header.size()}));
  AppendLE<uint64_t>(&writer.page_, kFileHeaderBytes);
  for (const uint64_t end : ends) {
    ++writer.mark_.count;
    writer.mark_.data_bytes = end - kFileHeaderBytes;
    TWINSET_TRY(writer.AppendIndex());
  }
  writer.data_ = std::move(data);
  TWINSET_TRY(writer.data_.Seek(kFileHeaderBytes + writer.mark_.data_bytes));
  return writer.WriteFooters();
}

Result<std::shared_ptr<const BlobFile>> BlobFile::Open(
    const std::string& path, uint64_t parameters_hash) {
  const auto file = std::make_shared<BlobFile>();
  TWINSET_ASSIGN(file->data, File::OpenRead(path));
  TWINSET_TRY(ReadFileHeader(file->data, BlobHeader(parameters_hash)));
  TWINSET_ASSIGN(file->index, File::OpenRead(BlobIndexPath(path)));
  TWINSET_TRY(ReadFileHeader(file->index, BlobIndexHeader(parameters_hash)));
  TWINSET_ASSIGN(const uint64_t data_size, file->data.Size());
  TWINSET_ASSIGN(const FileFooter footer,
                 ReadFileFooter(file->data, data_size));
  TWINSET_ASSIGN(const uint64_t index_size, file->index.Size());
  TWINSET_ASSIGN(const FileFooter index_footer,
                 ReadFileFooter(file->index, index_size));
  if (footer != index_footer) {
    return Fail(ErrorCode::kCorrupt, "the index was written for another file",
                file->index.path());
  }
  // The first two conditions keep the third from overflowing.
  const uint64_t data_bytes = data_size - kFileHeaderBytes - kFileFooterBytes;
  const uint64_t rest = footer.count % kBlobsPerPage;
  if (footer.detail != data_bytes ||
      footer.count > data_bytes / kBlobFrameBytes ||
      footer.count / kBlobsPerPage * kBlobPageBytes +
              (rest > 0 ? 16 + 8 * rest : 0) !=
          index_size - kFileHeaderBytes - kFileFooterBytes) {
    return Fail(ErrorCode::kCorrupt,
                std::to_string(footer.count) + " blobs do not make files of " +
                    std::to_string(data_size) + " and " +
                    std::to_string(index_size) + " bytes",
                path);
  }
  file->count = footer.count;
  file->data_end = kFileHeaderBytes + data_bytes;
  return file;
}

Result<BlobReader> BlobReader::Open(const std::string& path,
                                    uint64_t parameters_hash) {
  BlobReader reader;
  TWINSET_ASSIGN(reader.file_, BlobFile::Open(path, parameters_hash));
  reader.count_ = reader.end_ = reader.file_->count;
  reader.next_offset_ = kFileHeaderBytes;
  return reader;
}

BlobReader::BlobReader(std::shared_ptr<const BlobSplice> splice)
    : splice_(std::move(splice)),
      count_(splice_->pieces->count()),
      piece_(~size_t{0}) {}

BlobReader::InFile BlobReader::WhereIs(uint64_t index) const {
  if (splice_ == nullptr) return {0, index};
  const BlobPieces::Piece& piece =
      (*splice_->pieces)[splice_->pieces->PieceOf(index)];
  return {piece.file, piece.begin + (index - piece.first)};
}

uint64_t BlobReader::BytesOfData() const {
  if (splice_ == nullptr) return file_->data_end;
  uint64_t bytes = 0;
  for (const auto& file : splice_->files) bytes += file->data_end;
  return bytes;
}

Status BlobReader::LoadPage(const BlobFile& file, uint64_t number,
                            IndexPage* page) {
  const uint64_t blobs =
      std::min(kBlobsPerPage, file.count - number * kBlobsPerPage);
  const uint64_t covered = 8 + 8 * blobs;
  const uint64_t offset = kFileHeaderBytes + number * kBlobPageBytes;
  page->file = nullptr;
  TWINSET_TRY(file.index.ReadAt(offset, page->bytes, covered + 8));
  if (LoadLE<uint64_t>(page->bytes + covered) !=
      BlobPageChecksum(page->bytes, covered, number)) {
    return Fail(ErrorCode::kCorrupt, "index page fails its checksum",
                PlaceInFile(file.index.path(), offset));
  }
  page->file = &file;
  page->number = number;
  return {};
}

Result<BlobPlace> BlobReader::Find(uint64_t index, IndexPage* page) const {
  if (index >= count_) {
    return Fail(
        ErrorCode::kInternal,
        "blob " + std::to_string(index) + " of " + std::to_string(count_),
        FileAt(0).data.path());
  }
  const InFile at = WhereIs(index);
  const BlobFile& file = FileAt(at.file);
  const uint64_t number = at.number / kBlobsPerPage;
  if (page->file != &file || page->number != number)
    TWINSET_TRY(LoadPage(file, number, page));
  const char* entry = page->bytes + at.number % kBlobsPerPage * 8;
  const uint64_t begin = LoadLE<uint64_t>(entry);
  const uint64_t end = LoadLE<uint64_t>(entry + 8);
  if (begin < kFileHeaderBytes || end > file.data_end || begin > end ||
      end - begin < kBlobFrameBytes ||
      end - begin - kBlobFrameBytes > std::numeric_limits<uint32_t>::max()) {
    return Fail(
        ErrorCode::kCorrupt,
        "index entry of blob " + std::to_string(at.number) + " is impossible",
        PlaceInFile(file.index.path(),
                    kFileHeaderBytes + number * kBlobPageBytes));
  }
  return BlobPlace{begin, static_cast<uint32_t>(end - begin - kBlobFrameBytes),
                   at.file};
}

// Next is blob `next` of a piece's file, which is in the piece or its end.
Status BlobReader::EnterPiece(size_t piece, uint64_t next) {
  const BlobPieces& pieces = *splice_->pieces;
  const auto& file = splice_->files[pieces[piece].file];
  if (file != file_) buffer_.clear();
  file_ = file;
  piece_ = piece;
  next_ = next;
  end_ = pieces[piece].begin + (pieces.EndOf(piece) - pieces[piece].first);
  next_offset_ = file_->data_end;
  if (next_ == end_) return {};
  IndexPage page;
  TWINSET_ASSIGN(
      const BlobPlace place,
      Find(pieces[piece].first + (next - pieces[piece].begin), &page));
  next_offset_ = place.offset;
  return {};
}

// Goes into the next piece at the end of one.
Result<bool> BlobReader::HasNext() {
  if (next_ < end_) return true;
  if (splice_ == nullptr) return false;
  const size_t piece = piece_ + 1;  // 0 at the begin
  if (piece >= splice_->pieces->size()) return false;
  TWINSET_TRY(EnterPiece(piece, (*splice_->pieces)[piece].begin));
  return true;
}

// Makes buffer_ hold `bytes` bytes of the file from next_offset_ on.
Status BlobReader::Fill(uint64_t bytes) {
  if (next_offset_ >= buffer_offset_ &&
      next_offset_ - buffer_offset_ <= buffer_.size() &&
      buffer_.size() - (next_offset_ - buffer_offset_) >= bytes) {
    return {};
  }
  const uint64_t size = std::max<uint64_t>(
      bytes, std::min<uint64_t>(kBufferBytes, file_->data_end - next_offset_));
  if (buffer_.capacity() > 2 * kBufferBytes && size <= kBufferBytes)
    std::string().swap(buffer_);
  // Else resize would fill, and copy what is about to be overwritten.
  if (buffer_.size() != size) {
    buffer_.clear();
    buffer_.resize(size);
  }
  buffer_offset_ = next_offset_;
  Status read = file_->data.ReadAt(next_offset_, buffer_.data(), size);
  if (!read) buffer_.clear();
  return read;
}

Result<uint32_t> BlobReader::NextLength() {
  TWINSET_ASSIGN(const bool more, HasNext());
  if (!more) return 0;
  const std::string& path = file_->data.path();
  const uint64_t room = file_->data_end - next_offset_;
  if (room < kBlobFrameBytes)
    return BadBlobFrame(next_, "lies beyond the end", next_offset_, path);
  TWINSET_TRY(Fill(kBlobHeadBytes));
  const char* head = buffer_.data() + (next_offset_ - buffer_offset_);
  const uint32_t length = LoadLE<uint32_t>(head + 8);
  if (LoadLE<uint64_t>(head) != next_ || length > room - kBlobFrameBytes) {
    return BadBlobFrame(next_, "has another number or an impossible length",
                        next_offset_, path);
  }
  if (next_ + 1 == file_->count &&
      next_offset_ + kBlobFrameBytes + length != file_->data_end) {
    return BadBlobFrame(next_, "is the last but does not end the data",
                        next_offset_, path);
  }
  return length;
}

Result<bool> BlobReader::Next(std::string_view* bytes) {
  TWINSET_ASSIGN(const bool more, HasNext());
  if (!more) return false;
  TWINSET_ASSIGN(const uint32_t length, NextLength());
  TWINSET_TRY(Fill(kBlobFrameBytes + length));
  const char* frame = buffer_.data() + (next_offset_ - buffer_offset_);
  TWINSET_TRY(
      CheckBlobFrame(frame, next_, length, next_offset_, file_->data.path()));
  *bytes = std::string_view(frame + kBlobHeadBytes, length);
  ++next_;
  next_offset_ += kBlobFrameBytes + length;
  return true;
}

Result<bool> BlobReader::AppendNext(std::string* bytes) {
  TWINSET_ASSIGN(const uint32_t length, NextLength());
  if (kBlobFrameBytes + length <= kBufferBytes) {
    std::string_view next;
    TWINSET_ASSIGN(const bool more, Next(&next));
    if (more) bytes->append(next);
    return more;
  }
  TWINSET_TRY(AppendFrame(*file_, next_, {next_offset_, length}, bytes));
  return Skip();
}

Result<bool> BlobReader::Skip() {
  TWINSET_ASSIGN(const bool more, HasNext());
  if (!more) return false;
  TWINSET_ASSIGN(const uint32_t length, NextLength());
  ++next_;
  next_offset_ += kBlobFrameBytes + length;
  return true;
}

Status BlobReader::Seek(uint64_t index) {
  if (splice_ != nullptr) {
    if (count_ == 0) return {};
    const BlobPieces& pieces = *splice_->pieces;
    const size_t piece =
        index == count_ ? pieces.size() - 1 : pieces.PieceOf(index);
    return EnterPiece(piece,
                      pieces[piece].begin + (index - pieces[piece].first));
  }
  uint64_t offset = file_->data_end;
  if (index != count_) {
    IndexPage page;
    TWINSET_ASSIGN(const BlobPlace place, Find(index, &page));
    offset = place.offset;
  }
  next_ = index;
  next_offset_ = offset;
  return {};
}

// On an error *bytes has anything behind what it held.
Status BlobReader::AppendFrame(const BlobFile& file, uint64_t number,
                               const BlobPlace& place, std::string* bytes) {
  const size_t begin = bytes->size();
  bytes->resize(begin + kBlobFrameBytes + place.length);
  char* const frame = bytes->data() + begin;
  TWINSET_TRY(
      file.data.ReadAt(place.offset, frame, kBlobFrameBytes + place.length));
  TWINSET_TRY(CheckBlobFrame(frame, number, place.length, place.offset,
                             file.data.path()));
  bytes->erase(begin, kBlobHeadBytes);
  bytes->resize(begin + place.length);
  return {};
}

Status BlobReader::ReadOne(uint64_t index, std::string* bytes) const {
  IndexPage page;
  TWINSET_ASSIGN(const BlobPlace place, Find(index, &page));
  bytes->clear();
  return AppendFrame(FileAt(place.file), WhereIs(index).number, place, bytes);
}

Result<uint32_t> BlobReader::Length(uint64_t index) const {
  IndexPage page;
  TWINSET_ASSIGN(const BlobPlace place, Find(index, &page));
  return place.length;
}

}  // namespace twinset
