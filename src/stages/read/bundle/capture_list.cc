#include "read/bundle/capture_list.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/bytes.h"
#include "read/bundle/bundle.h"
#include "read/detect.h"
#include "read/record_base.h"
#include "read/rows/address_reader.h"
#include "read/table_helpers.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

constexpr size_t kSha1Base32 = 32, kSha1Base16 = 40, kSha256Base16 = 64;

bool IsBase32(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7');
  });
}

int HexOf(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return HexOf(c) >= 0; });
}

std::string BytesOfHex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(HexOf(hex[i]) * 16 + HexOf(hex[i + 1]));
  return bytes;
}

// Fills what a line says.
void TakeLine(FoundAddress* found, ListedCapture* capture) {
  capture->url = std::move(found->address);
  capture->date = std::move(found->date);
  capture->digest = DigestOfList(found->digest);
  capture->number = found->number;
  capture->offset = found->offset;
  capture->why = std::move(found->why);
  capture->detail.clear();
  if (!capture->why.empty() || !capture->digest.empty()) return;
  const bool is_missing = found->digest.empty() || found->digest == "-";
  capture->why = is_missing ? "no-digest" : "bad-digest";
  if (!is_missing) capture->detail = Printable(found->digest);
}

class LineList : public CaptureList {
 public:
  explicit LineList(std::unique_ptr<AddressReader> lines)
      : lines_(std::move(lines)) {}

  Result<bool> Next(ListedCapture* capture) override {
    TWINSET_ASSIGN(const bool more, lines_->Next(&found_));
    if (more) TakeLine(&found_, capture);
    return more;
  }

 private:
  const std::unique_ptr<AddressReader> lines_;
  FoundAddress found_;
};

class ArchiveLists : public CaptureList {
 public:
  ArchiveLists(std::unique_ptr<Bundle> bundle, std::string path,
               const ReadOptions& options)
      : bundle_(std::move(bundle)), path_(std::move(path)), options_(options) {}

  Result<bool> Next(ListedCapture* capture) override {
    for (;;) {
      if (lines_ != nullptr) {
        TWINSET_ASSIGN(const bool is_line, NextLine(capture));
        if (is_line) return true;
        continue;
      }
      TWINSET_ASSIGN(const bool more, bundle_->Next(&entry_));
      if (!more) return End();
      if (entry_.kind == BundleEntry::kOther) continue;
      has_list_ = true;
      if (entry_.kind == BundleEntry::kBad) {
        TellBad(entry_.reason, entry_.detail, capture);
        return true;
      }
      auto bytes = Decompressed(std::move(entry_.bytes), entry_.name,
                                entry_.state, StreamOptionsOf(options_));
      if (!bytes) {
        TellBad("member-unreadable", bytes.error().message, capture);
        return true;
      }
      lines_ = ReadAddressList(*std::move(bytes), path_ + "!" + entry_.name,
                               options_);
    }
  }

 private:
  Result<bool> End() const {
    if (has_list_) return false;
    return Fail(ErrorCode::kUnsupported,
                "the archive holds no list of captures: a WACZ has one below "
                "indexes/",
                path_, "make one of its WARC files, as by cdxj-indexer");
  }

  // False when the file is done.
  Result<bool> NextLine(ListedCapture* capture) {
    const Result<bool> more = lines_->Next(&found_);
    if (more && *more) {
      TakeLine(&found_, capture);
      capture->file = NameText(entry_.name);
      return true;
    }
    lines_.reset();
    if (!more) {
      if (EndsReading(more.error())) return more;
      TellBad("member-unreadable", more.error().message, capture);
      return true;
    }
    if (entry_.state == nullptr || !entry_.state->untold) return false;
    TellBad(std::string(FaultReason(entry_.state->untold->kind)),
            entry_.state->untold->detail, capture);
    return true;
  }

  void TellBad(std::string why, std::string detail, ListedCapture* capture) {
    *capture = ListedCapture();
    capture->file = NameText(entry_.name);
    capture->offset = entry_.offset;
    capture->why = std::move(why);
    capture->detail = std::move(detail);
    entry_.state.reset();
  }

  const std::unique_ptr<Bundle> bundle_;
  const std::string path_;
  const ReadOptions options_;
  BundleEntry entry_;
  std::unique_ptr<AddressReader> lines_;  // of the entry
  FoundAddress found_;
  bool has_list_ = false;
};

template <typename File>
Result<std::unique_ptr<CaptureList>> OpenOver(StreamPtr stream,
                                              const std::string& path,
                                              const ReadOptions& options,
                                              const File& file) {
  TWINSET_ASSIGN(const std::string_view view, stream->Peek(kDetectFormatBytes));
  const std::string first(view);
  if (BundleOf(first, path) == BundleKind::kZip) {
    TWINSET_ASSIGN(std::unique_ptr<ByteSource> whole, file());
    if (stream->compression() != Compression::kNone || !whole->seekable()) {
      return Fail(ErrorCode::kUnsupported,
                  "a zip archive is read from its end: it must be a file", path,
                  "save it, without further compression, first");
    }
    TWINSET_ASSIGN(auto zip,
                   OpenZip(std::move(whole), options, ZipFiles::kIndexes));
    return std::make_unique<ArchiveLists>(std::move(zip), path, options);
  }
  const InputFormat format = DetectFormat(first, path);
  const bool is_list =
      format == InputFormat::kText || format == InputFormat::kCsv ||
      format == InputFormat::kTsv || Trim(first).starts_with('[');
  if (!is_list) {
    return Fail(ErrorCode::kUnsupported,
                "is no list of captures: CDX, CDXJ or WACZ is read", path,
                "documents are added by twinset index add");
  }
  return std::make_unique<LineList>(
      ReadAddressList(std::move(stream), path, options));
}

}  // namespace

std::string DigestOfList(std::string_view digest) {
  const size_t colon = digest.find(':');
  std::string name, text(digest);
  if (colon != digest.npos) {
    name = ToLowerAscii(digest.substr(0, colon));
    text = digest.substr(colon + 1);
  }
  if (name.empty() || name == "sha1" || name == "sha-1") {
    if (text.size() == kSha1Base32 && IsBase32(text)) return "sha1:" + text;
    const std::string hex = ToLowerAscii(text);
    if (hex.size() == kSha1Base16 && IsHex(hex))
      return "sha1:" + ToBase32(BytesOfHex(hex));
  }
  if (name.empty() || name == "sha256" || name == "sha-256") {
    const std::string hex = ToLowerAscii(text);
    if (hex.size() == kSha256Base16 && IsHex(hex)) return "sha256:" + hex;
  }
  return {};
}

Result<std::unique_ptr<CaptureList>> OpenCaptureList(
    const InputFile& input, const ReadOptions& options) {
  TWINSET_ASSIGN(StreamPtr stream,
                 OpenByteStream(input, StreamOptionsOf(options)));
  return OpenOver(std::move(stream), input.path, options, [&] {
    return OpenByteSource(input, options.stop, options.once);
  });
}

Result<std::unique_ptr<CaptureList>> ReadCaptureListFromMemory(
    std::string bytes, const ReadOptions& options) {
  const std::string copy = IsZip(bytes) ? bytes : std::string();
  return OpenOver(
      ByteStreamFromMemory(std::move(bytes), StreamOptionsOf(options)), "",
      options, [&]() -> Result<std::unique_ptr<ByteSource>> {
        return ByteSourceFromMemory(copy);
      });
}

}  // namespace twinset
