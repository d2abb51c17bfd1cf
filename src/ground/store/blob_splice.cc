#include "store/blob_splice.h"

#include <algorithm>

#include "store/blob_frame.h"

namespace twinset {

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

void BlobPieces::Add(uint32_t file, uint64_t count) {
  if (count == 0) return;
  if (file >= used_.size()) used_.resize(file + 1);
  if (pieces_.empty() || pieces_.back().file != file)
    pieces_.push_back({count_, used_[file], file});
  used_[file] += count;
  count_ += count;
}

size_t BlobPieces::PieceOf(uint64_t index) const {
  const auto behind = std::upper_bound(
      pieces_.begin(), pieces_.end(), index,
      [](uint64_t i, const Piece& piece) { return i < piece.first; });
  return static_cast<size_t>(behind - pieces_.begin()) - 1;
}

}  // namespace twinset
