// Zip and zip64 (APPNOTE 6.3.10), read by the list at the end of the file and,
// where that is damaged or cut off, by what stands in front of each file.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "read/bundle/bundle.h"
#include "read/bundle/zip_bytes.h"
#include "read/codec.h"
#include "read/member_stream.h"

namespace twinset {

namespace {

constexpr std::string_view kLocalMagic("PK\3\4", 4);
constexpr std::string_view kCentralMagic("PK\1\2", 4);
constexpr std::string_view kEndMagic("PK\5\6", 4);
constexpr std::string_view kEnd64Magic("PK\6\6", 4);
constexpr std::string_view kLocatorMagic("PK\6\7", 4);
constexpr std::string_view kDescriptorMagic("PK\7\10", 4);
constexpr size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
constexpr size_t kEnd64Bytes = 56, kLocatorBytes = 20;
constexpr uint64_t kNo32 = 0xffffffff;

uint32_t Get32(std::string_view bytes, size_t at) {
  return LoadLE<uint32_t>(bytes.data() + at);
}
uint16_t Get16(std::string_view bytes, size_t at) {
  return LoadLE<uint16_t>(bytes.data() + at);
}
uint64_t Get64(std::string_view bytes, size_t at) {
  return LoadLE<uint64_t>(bytes.data() + at);
}

// Sizes beyond 32 bits stand in the extra field, in this order, where the
// 32-bit ones are all ones.
void TakeZip64(std::string_view extra, ZipFile* file) {
  while (extra.size() >= 4) {
    const size_t size = Get16(extra, 2);
    if (extra.size() - 4 < size) return;
    if (Get16(extra, 0) == 1) {
      std::string_view values = extra.substr(4, size);
      for (uint64_t* value : {&file->size, &file->packed, &file->header}) {
        if (*value != kNo32 || values.size() < 8) continue;
        *value = Get64(values, 0);
        values.remove_prefix(8);
      }
      return;
    }
    extra.remove_prefix(4 + size);
  }
}

bool IsPageName(std::string_view name) {
  return name.ends_with(".html") || name.ends_with(".htm") ||
         name.ends_with(".xhtml") || name.ends_with(".txt");
}

class Zip : public Bundle {
 public:
  Zip(std::unique_ptr<ByteSource> source, uint64_t size,
      const ReadOptions& options, ZipFiles files)
      : source_(std::move(source)),
        size_(size),
        files_(files),
        stream_options_(StreamOptionsOf(options)) {}

  // Finds the list at the end, and what kind of archive this is.
  Status Begin() {
    TWINSET_TRY(FindList());
    if (has_list_) TWINSET_TRY(LookAtNames());
    return {};
  }

  uint64_t consumed_bytes() const override { return consumed_; }
  uint64_t listed_pages() const override {
    return is_wacz_ || is_document_ || has_others_ ? 0 : pages_;
  }

  Result<bool> Next(BundleEntry* entry) override {
    *entry = BundleEntry();
    if (is_document_) {
      entry->kind = BundleEntry::kOther;
      entry->reason = "mime";
      return !std::exchange(is_told_, true);
    }
    for (;;) {
      ZipFile file;
      bool is_found = false;
      if (has_list_) {
        TWINSET_ASSIGN(is_found, NextListed(&list_at_, &file));
        if (!is_found && list_at_ < list_end_) {
          has_list_ = false;
          scan_at_ = furthest_;
          entry->SetBad("zip-list", "the list of files at the end is damaged");
          entry->offset = list_at_;
          return true;
        }
        if (!is_found) return false;
      } else {
        const uint64_t begin = scan_at_;
        TWINSET_ASSIGN(is_found, Scan(&file));
        if (!std::exchange(is_told_, true) && furthest_ == 0 &&
            (is_found || !has_end_)) {
          scan_at_ = begin;
          entry->SetBad("zip-list",
                        has_end_ ? "the list of files at the end names none"
                                 : "the list of files at the end is missing");
          return true;
        }
        if (!is_found) return false;
      }
      TWINSET_ASSIGN(const bool is_entry, Give(file, entry));
      if (is_entry) return true;
    }
  }

 private:
  // At least `size` bytes at `offset`, fewer only at the end. Small reads near
  // each other cost one of the file.
  Result<std::string_view> ReadAt(uint64_t offset, size_t size) {
    constexpr size_t kWindow = 64 << 10;
    if (offset >= size_) return std::string_view();
    const bool is_held =
        offset >= window_at_ && offset + size <= window_at_ + window_.size();
    if (!is_held) {
      window_at_ = offset;
      window_.resize(static_cast<size_t>(
          std::min<uint64_t>(std::max(size, kWindow), size_ - offset)));
      TWINSET_TRY(source_->Seek(offset));
      size_t read = 0;
      while (read < window_.size()) {
        TWINSET_ASSIGN(const size_t n, source_->Read(window_.data() + read,
                                                     window_.size() - read));
        if (n == 0) break;
        read += n;
      }
      window_.resize(read);
    }
    return std::string_view(window_).substr(
        static_cast<size_t>(offset - window_at_));
  }

  // The end record stands in front of a comment of up to 64 KB.
  Status FindList() {
    const uint64_t tail = std::min<uint64_t>(size_, kEndBytes + 0xffff);
    TWINSET_ASSIGN(const std::string_view read,
                   ReadAt(size_ - tail, static_cast<size_t>(tail)));
    const std::string held(read);
    const std::string_view view = held;
    for (size_t at = view.rfind(kEndMagic); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos
                      : view.rfind(kEndMagic, at - 1)) {
      const std::string_view end = view.substr(at);
      if (end.size() < kEndBytes || end.size() - kEndBytes < Get16(end, 20))
        continue;
      TWINSET_ASSIGN(has_list_, TakeEnd(view, at, size_ - tail + at));
      if (has_list_) return {};
    }
    return {};
  }

  // Returns true iff the end record at `at` of `view`, which stands at `place`
  // of the file, leads to a list. A false one may stand in the comment of the
  // archive; one without a list is that of an archive without files.
  Result<bool> TakeEnd(std::string_view view, size_t at, uint64_t place) {
    const std::string_view end = view.substr(at);
    const uint64_t bytes = Get32(end, 12), begin = Get32(end, 16);
    has_end_ = true;
    const std::string_view locator =
        at < kLocatorBytes ? std::string_view()
                           : view.substr(at - kLocatorBytes, kLocatorBytes);
    if (!locator.starts_with(kLocatorMagic))
      return TakeList(bytes, begin, place);
    // Bytes in front of the archive move the record, which stands right before
    // what locates it.
    const uint64_t behind = place - kLocatorBytes;
    for (const uint64_t at64 :
         {Get64(locator, 8),
          behind - std::min<uint64_t>(behind, kEnd64Bytes)}) {
      TWINSET_ASSIGN(const std::string_view read, ReadAt(at64, kEnd64Bytes));
      if (read.size() < kEnd64Bytes || !read.starts_with(kEnd64Magic)) continue;
      const uint64_t bytes64 = Get64(read, 40), begin64 = Get64(read, 48);
      TWINSET_ASSIGN(bool is_list, TakeList(bytes64, begin64, at64));
      if (!is_list) {
        TWINSET_ASSIGN(is_list, TakeList(bytes, begin, at64));
      }
      if (is_list) return true;
    }
    return false;
  }

  // A list of so many bytes that ends at `end`; `begin` is where it begins in
  // the archive, and what stands in front of that moves all its places.
  Result<bool> TakeList(uint64_t bytes, uint64_t begin, uint64_t end) {
    if (bytes < kCentralBytes || bytes > end || begin > end - bytes)
      return false;
    TWINSET_ASSIGN(const std::string_view first,
                   ReadAt(end - bytes, kCentralMagic.size()));
    if (!first.starts_with(kCentralMagic)) return false;
    moved_ = end - bytes - begin;
    list_at_ = end - bytes;
    list_end_ = end;
    return true;
  }

  // A web archive names itself, and so does what is no archive of files but a
  // document of some office.
  Status LookAtNames() {
    uint64_t at = list_at_;
    bool has_package = false, has_warcs = false;
    while (at < list_end_) {
      ZipFile file;
      TWINSET_ASSIGN(const bool more, NextListed(&at, &file));
      if (!more) break;
      has_package |= file.name == "datapackage.json";
      has_warcs |= file.name.starts_with("archive/");
      is_document_ |= file.name == "[Content_Types].xml" ||
                      file.name == "mimetype" ||
                      file.name == "META-INF/MANIFEST.MF";
      if (file.name.ends_with('/') || IsHiddenMember(file.name)) continue;
      const bool is_page = IsPageName(file.name);
      pages_ += is_page;
      has_others_ |= !is_page;
    }
    is_wacz_ = has_package && has_warcs;
    return {};
  }

  Result<bool> NextListed(uint64_t* at, ZipFile* file) {
    if (*at >= list_end_) return false;
    TWINSET_ASSIGN(std::string_view view, ReadAt(*at, kCentralBytes));
    if (view.size() < kCentralBytes || !view.starts_with(kCentralMagic))
      return false;
    file->flags = Get16(view, 8);
    file->method = Get16(view, 10);
    file->crc = Get32(view, 16);
    file->packed = Get32(view, 20);
    file->size = Get32(view, 24);
    const size_t name = Get16(view, 28), extra = Get16(view, 30);
    const size_t comment = Get16(view, 32);
    file->header = Get32(view, 42);
    TWINSET_ASSIGN(view, ReadAt(*at + kCentralBytes, name + extra));
    if (view.size() < name + extra) return false;
    file->name = view.substr(0, name);
    TakeZip64(view.substr(name, extra), file);
    file->header += moved_;
    const uint64_t end = *at + kCentralBytes + name + extra + comment;
    if (end > list_end_) return false;
    *at = end;
    return true;
  }

  // The local header at `at`; false if none stands there. Sets where the data
  // begin.
  Result<bool> Local(uint64_t at, ZipFile* file, uint64_t* data) {
    TWINSET_ASSIGN(std::string_view view, ReadAt(at, kLocalBytes));
    if (view.size() < kLocalBytes || !view.starts_with(kLocalMagic))
      return false;
    file->flags = Get16(view, 6);
    file->method = Get16(view, 8);
    file->crc = Get32(view, 14);
    file->packed = Get32(view, 18);
    file->size = Get32(view, 22);
    file->header = at;
    const size_t name = Get16(view, 26), extra = Get16(view, 28);
    // Whoever looks for files among any bytes finds many that are none.
    constexpr size_t kLongest = 8 << 10;
    if (!has_list_ && name + extra > kLongest) return false;
    TWINSET_ASSIGN(view, ReadAt(at + kLocalBytes, name + extra));
    if (view.size() < name + extra) return false;
    file->name = view.substr(0, name);
    TakeZip64(view.substr(name, extra), file);
    *data = at + kLocalBytes + name + extra;
    return true;
  }

  // The next local header from scan_at_ on. Of a file whose sizes stand behind
  // it they are looked for there.
  Result<bool> Scan(ZipFile* file) {
    for (;;) {
      TWINSET_ASSIGN(const bool found, Find(kLocalMagic, &scan_at_));
      if (!found) return false;
      uint64_t data = 0;
      TWINSET_ASSIGN(const bool is_file, Local(scan_at_, file, &data));
      scan_at_ += kLocalMagic.size();
      if (!is_file || (CompressionOfZip(file->method) == Compression::kNone &&
                       (file->flags & 1) == 0))
        continue;
      if ((file->flags & 8) != 0 && file->packed == 0)
        TWINSET_TRY(FindDescriptor(data, file));
      if (file->packed <= size_ - std::min(size_, data))
        scan_at_ = data + file->packed;
      return true;
    }
  }

  Status FindDescriptor(uint64_t data, ZipFile* file) {
    for (uint64_t at = data;; ++at) {
      // Linear, whatever the headers claim.
      if (scanned_ > 8 * size_) break;
      TWINSET_ASSIGN(const bool found, Find(kDescriptorMagic, &at));
      if (!found) break;
      TWINSET_ASSIGN(const std::string_view view, ReadAt(at, 24));
      const bool is_short = view.size() >= 16 && Get32(view, 8) == at - data;
      const bool is_long = view.size() >= 24 && Get64(view, 8) == at - data;
      if (!is_short && !is_long) continue;
      file->crc = Get32(view, 4);
      file->packed = at - data;
      file->size = is_long ? Get64(view, 16) : Get32(view, 12);
      return {};
    }
    file->packed = size_ - std::min(size_, data);  // cut off: as it stands
    return {};
  }

  // Moves *at to the next place where `magic` stands.
  Result<bool> Find(std::string_view magic, uint64_t* at) {
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, ReadAt(*at, magic.size()));
      if (view.size() < magic.size()) return false;
      const size_t found = view.find(magic);
      scanned_ += std::min(found, view.size());
      if (found != std::string_view::npos) {
        *at += found;
        return true;
      }
      *at += view.size() - magic.size() + 1;
    }
  }

  bool IsLeftOut(std::string_view name) const {
    if (files_ == ZipFiles::kDocuments)
      return is_wacz_ && !name.starts_with("archive/");
    name = WithoutCompressionSuffix(name);
    return !name.starts_with("indexes/") ||
           (!name.ends_with(".cdx") && !name.ends_with(".cdxj"));
  }

  Result<bool> Give(ZipFile file, BundleEntry* entry) {
    entry->name = file.name;
    entry->offset = file.header;
    if (file.name.ends_with('/')) return false;
    if (IsHiddenMember(file.name) || IsLeftOut(file.name)) {
      entry->kind = BundleEntry::kOther;
      entry->reason = is_wacz_ ? "wacz" : "hidden";
      return true;
    }
    const Compression compression = CompressionOfZip(file.method);
    if ((file.flags & 1) != 0 || compression == Compression::kNone) {
      entry->SetBad("zip-method",
                    (file.flags & 1) != 0
                        ? "the file is encrypted"
                        : "compressed by method " +
                              std::to_string(file.method) +
                              ", which is not read: extract it first");
      return true;
    }
    ZipFile local;
    uint64_t data = 0;
    TWINSET_ASSIGN(bool has_local, Local(file.header, &local, &data));
    // Bytes in front of the archive that are none: the end record is damaged.
    if (!has_local && moved_ > 0) {
      TWINSET_ASSIGN(has_local, Local(file.header - moved_, &local, &data));
    }
    const uint64_t rest = size_ - std::min(size_, data);
    if (!has_local || (has_list_ && file.packed > rest)) {
      entry->SetBad("zip-header",
                    has_local
                        ? "the list gives the file more bytes than there are"
                        : "no file stands where the list says");
      return true;
    }
    // Cut off: what there is of it, which its checksum then tells.
    file.packed = std::min(file.packed, rest);
    // Files that share their bytes make a small archive a large one.
    given_ += file.packed;
    if (given_ > 2 * size_) {
      entry->SetBad("zip-overlap", "the files of the archive overlap");
      has_list_ = false;
      is_told_ = true;
      scan_at_ = size_;
      return true;
    }
    furthest_ = std::max(furthest_, data + file.packed);
    consumed_ = std::min(size_, data + file.packed);
    entry->kind = BundleEntry::kFile;
    entry->state = std::make_shared<MemberState>();
    entry->bytes =
        MakeMemberStream(SourceWindow(ZipBytes(source_.get(), data, file)),
                         compression, stream_options_);
    return true;
  }

  const std::unique_ptr<ByteSource> source_;
  const uint64_t size_;
  const ZipFiles files_;
  ByteStreamOptions stream_options_;
  std::string window_;
  uint64_t window_at_ = 0;
  bool has_list_ = false, is_wacz_ = false, is_told_ = false;
  bool is_document_ = false, has_others_ = false;
  uint64_t pages_ = 0;    // that the list names
  bool has_end_ = false;  // some record at the end, perhaps without a list
  uint64_t moved_ = 0;    // bytes in front of the archive
  uint64_t list_at_ = 0, list_end_ = 0;
  uint64_t scan_at_ = 0, furthest_ = 0, given_ = 0, consumed_ = 0;
  uint64_t scanned_ = 0;
};

}  // namespace

bool IsZip(std::string_view first_bytes) {
  return first_bytes.starts_with(kLocalMagic) ||
         first_bytes.starts_with(kEndMagic);
}

Result<std::unique_ptr<Bundle>> OpenZip(std::unique_ptr<ByteSource> source,
                                        const ReadOptions& options,
                                        ZipFiles files) {
  TWINSET_ASSIGN(const uint64_t size, source->Size());
  auto zip = std::make_unique<Zip>(std::move(source), size, options, files);
  TWINSET_TRY(zip->Begin());
  return std::unique_ptr<Bundle>(std::move(zip));
}

}  // namespace twinset
