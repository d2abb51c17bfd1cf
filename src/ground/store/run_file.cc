#include "store/run_file.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"

namespace twinset {

namespace {

constexpr uint32_t kRunVersion = 1;
constexpr size_t kChecksumBytes = 8;

FileHeader RunHeader(uint32_t element_bytes, uint64_t parameters_hash) {
  return {"run", kRunVersion, element_bytes, parameters_hash};
}

Status CheckElementBytes(uint32_t element_bytes, const std::string& path) {
  if (element_bytes > 0 && element_bytes <= kRunMaxElementBytes) return {};
  return Fail(ErrorCode::kInternal,
              "a run cannot hold records of " + std::to_string(element_bytes) +
                  " bytes",
              path);
}

// The block number is the seed: a block in another's place is damage.
uint64_t BlockChecksum(std::string_view payload, uint64_t block) {
  return Hash64(payload, block);
}

uint64_t Chain(uint64_t chain, uint64_t block_checksum) {
  char bytes[kChecksumBytes];
  StoreLE(bytes, block_checksum);
  return Hash64(std::string_view(bytes, sizeof(bytes)), chain);
}

}  // namespace

Result<RawRunWriter> RawRunWriter::Create(const std::string& path,
                                          uint32_t element_bytes,
                                          uint64_t parameters_hash) {
  TWINSET_TRY(CheckElementBytes(element_bytes, path));
  RawRunWriter writer;
  TWINSET_ASSIGN(writer.file_, File::Create(path));
  writer.element_bytes_ = element_bytes;
  writer.payload_bytes_ = kRunMaxElementBytes / element_bytes * element_bytes;
  writer.block_.reserve(writer.payload_bytes_ + kChecksumBytes);
  const auto header =
      EncodeFileHeader(RunHeader(element_bytes, parameters_hash));
  TWINSET_TRY(writer.Write({header.data(), header.size()}));
  return writer;
}

Status RawRunWriter::Write(std::string_view bytes) {
  Status written = file_.Write(bytes);
  if (!written) file_ = File();
  return written;
}

Status RawRunWriter::AppendMany(const void* records, size_t count) {
  if (!file_.is_open()) {
    return Fail(ErrorCode::kInternal,
                "append to a run that is finished or failed");
  }
  const char* from = static_cast<const char*>(records);
  for (size_t bytes = count * element_bytes_; bytes > 0;) {
    const size_t part = std::min(bytes, payload_bytes_ - block_.size());
    block_.append(from, part);
    from += part;
    bytes -= part;
    count_ += part / element_bytes_;
    if (block_.size() == payload_bytes_) TWINSET_TRY(FlushBlock());
  }
  return {};
}

Status RawRunWriter::FlushBlock() {
  const uint64_t checksum = BlockChecksum(block_, blocks_++);
  chain_ = Chain(chain_, checksum);
  AppendLE(&block_, checksum);
  TWINSET_TRY(Write(block_));
  block_.clear();
  return {};
}

Status RawRunWriter::Finish(bool sync) {
  if (!file_.is_open()) {
    return Fail(ErrorCode::kInternal,
                "finish of a run that is finished or failed");
  }
  if (!block_.empty()) TWINSET_TRY(FlushBlock());
  const auto footer = EncodeFileFooter({count_, chain_});
  TWINSET_TRY(Write({footer.data(), footer.size()}));
  std::string().swap(block_);
  File file = std::move(file_);
  if (sync) TWINSET_TRY(file.Sync());
  return file.Close();
}

Result<RawRunReader> RawRunReader::Open(const std::string& path,
                                        uint32_t element_bytes,
                                        uint64_t parameters_hash) {
  TWINSET_TRY(CheckElementBytes(element_bytes, path));
  RawRunReader reader;
  TWINSET_ASSIGN(reader.file_, File::OpenRead(path));
  TWINSET_TRY(
      ReadFileHeader(reader.file_, RunHeader(element_bytes, parameters_hash)));
  TWINSET_ASSIGN(const uint64_t size, reader.file_.Size());
  TWINSET_ASSIGN(const FileFooter footer, ReadFileFooter(reader.file_, size));
  const uint64_t body = size - kFileHeaderBytes - kFileFooterBytes;
  reader.element_bytes_ = element_bytes;
  reader.per_block_ = kRunMaxElementBytes / element_bytes;
  reader.count_ = footer.count;
  reader.footer_chain_ = footer.detail;
  // count <= body / element_bytes keeps the products below from overflowing.
  reader.blocks_ = footer.count / reader.per_block_ +
                   (footer.count % reader.per_block_ != 0);
  if (footer.count > body / element_bytes ||
      footer.count * element_bytes + reader.blocks_ * kChecksumBytes != body) {
    return Fail(ErrorCode::kCorrupt,
                std::to_string(footer.count) +
                    " records do not make a file of " + std::to_string(size) +
                    " bytes",
                PlaceInFile(path, size - kFileFooterBytes));
  }
  if (reader.blocks_ > 0) {
    reader.block_.resize(reader.PayloadBytes(0) + kChecksumBytes);
  }
  return reader;
}

uint64_t RawRunReader::PayloadBytes(uint64_t block) const {
  return std::min(per_block_, count_ - block * per_block_) * element_bytes_;
}

Status RawRunReader::LoadBlock(uint64_t block) {
  position_ = end_ = 0;  // nothing of the old block after an error
  const uint64_t offset =
      kFileHeaderBytes + block * (per_block_ * element_bytes_ + kChecksumBytes);
  const size_t payload = PayloadBytes(block);
  TWINSET_TRY(file_.ReadAt(offset, block_.data(), payload + kChecksumBytes));
  const uint64_t checksum = LoadLE<uint64_t>(block_.data() + payload);
  if (checksum !=
      BlockChecksum(std::string_view(block_.data(), payload), block)) {
    return Fail(ErrorCode::kCorrupt,
                "block " + std::to_string(block) + " fails its checksum",
                PlaceInFile(file_.path(), offset));
  }
  if (block == 0) chain_ = chained_blocks_ = 0;
  if (block == chained_blocks_) {
    chain_ = Chain(chain_, checksum);
    if (++chained_blocks_ == blocks_ && chain_ != footer_chain_) {
      return Fail(ErrorCode::kCorrupt,
                  "the blocks are not those the footer was written for",
                  PlaceInFile(file_.path(), offset));
    }
  }
  next_block_ = block + 1;
  end_ = payload;
  return {};
}

Result<bool> RawRunReader::ReadBlock() {
  if (next_block_ == blocks_) return false;
  TWINSET_TRY(LoadBlock(next_block_));
  return true;
}

Result<const void*> RawRunReader::NextBlock(size_t* bytes) {
  *bytes = 0;
  if (position_ == end_) {
    TWINSET_ASSIGN(const bool more, ReadBlock());
    if (!more) return nullptr;
  }
  *bytes = end_ - position_;
  return block_.data() + std::exchange(position_, end_);
}

Status RawRunReader::Seek(uint64_t index) {
  if (index > count_) {
    return Fail(ErrorCode::kInternal,
                "seek to record " + std::to_string(index) + " of " +
                    std::to_string(count_),
                file_.path());
  }
  if (index == count_) {
    next_block_ = blocks_;
    position_ = end_ = 0;
    return {};
  }
  const uint64_t block = index / per_block_;
  if (end_ == 0 || next_block_ != block + 1) TWINSET_TRY(LoadBlock(block));
  position_ = index % per_block_ * element_bytes_;
  return {};
}

}  // namespace twinset
