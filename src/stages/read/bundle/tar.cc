// Tar: POSIX ustar and pax, GNU, and what was before them.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "read/bundle/bundle.h"
#include "read/record_base.h"

namespace twinset {

namespace {

constexpr uint64_t kMostSize = uint64_t{1} << 60;
constexpr size_t kMostHeader = 1 << 20;  // of long names and pax headers
// What a search for the next header looks at in one go.
constexpr size_t kSearch = 64 << 10;

struct TarHeader {
  std::string name;
  uint64_t size = 0;
  char type = '0';
  bool is_extended = false;  // of an old GNU sparse file: its map goes on
};

std::string_view Text(std::string_view field) {
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

// Octal digits with spaces around them, or GNU's base 256. False for what is
// neither, negative or absurd.
bool ParseNumber(std::string_view field, uint64_t* number) {
  *number = 0;
  if (!field.empty() && (static_cast<uint8_t>(field[0]) & 0x80) != 0) {
    if (static_cast<uint8_t>(field[0]) != 0x80) return false;
    for (const char c : field.substr(1)) {
      if (*number > kMostSize >> 8) return false;
      *number = *number << 8 | static_cast<uint8_t>(c);
    }
    return *number <= kMostSize;
  }
  std::string_view digits = Text(field);
  const size_t begin = digits.find_first_not_of(' ');
  if (begin == std::string_view::npos) return true;
  digits = digits.substr(begin);
  digits = digits.substr(0, std::min(digits.find(' '), digits.size()));
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), *number, 8);
  return error == std::errc() && end == digits.data() + digits.size() &&
         *number <= kMostSize;
}

bool IsZero(std::string_view block) {
  return block.find_first_not_of('\0') == std::string_view::npos;
}

// The checksum is over the bytes, which some programs took as signed, with the
// checksum itself as spaces.
bool HasChecksum(std::string_view block) {
  uint64_t told = 0;
  if (!ParseNumber(block.substr(148, 8), &told)) return false;
  uint64_t sum = 0;
  int64_t signed_sum = 0;
  for (size_t i = 0; i < kTarBlock; ++i) {
    const char c = i >= 148 && i < 156 ? ' ' : block[i];
    sum += static_cast<uint8_t>(c);
    signed_sum += static_cast<signed char>(c);
  }
  return told == sum || static_cast<int64_t>(told) == signed_sum;
}

bool ParseHeader(std::string_view block, TarHeader* header) {
  if (block.size() < kTarBlock || IsZero(block) || !HasChecksum(block) ||
      !ParseNumber(block.substr(124, 12), &header->size))
    return false;
  header->type = block[156] == '\0' ? '0' : block[156];
  header->name = Text(block.substr(0, 100));
  header->is_extended = header->type == 'S' && block[482] != '\0';
  const std::string_view prefix = Text(block.substr(345, 155));
  if (block.substr(257, 6) == std::string_view("ustar\0", 6) &&
      !prefix.empty()) {
    header->name.insert(0, std::string(prefix) + "/");
  }
  return true;
}

// What pax headers and long names say of the file behind them.
struct Extension {
  std::string name;
  std::string size;  // digits
  bool is_sparse = false;
};

// Records "LENGTH KEY=VALUE\n". False where they break the rule.
bool ParsePax(std::string_view text, Extension* extension) {
  while (!text.empty() && text[0] != '\0') {
    size_t length = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), length);
    const auto digits = static_cast<size_t>(end - text.data());
    if (error != std::errc() || length > text.size() || length < digits + 3 ||
        text[digits] != ' ' || text[length - 1] != '\n')
      return false;
    const std::string_view record =
        text.substr(digits + 1, length - digits - 2);
    const size_t equals = record.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = record.substr(0, equals);
    const std::string_view value = record.substr(equals + 1);
    if (key == "path") extension->name = value;
    if (key == "size") extension->size = value;
    if (key.starts_with("GNU.sparse.")) extension->is_sparse = true;
    text.remove_prefix(length);
  }
  return true;
}

class Tar : public Bundle {
 public:
  Tar(StreamPtr stream, const ReadOptions& options)
      : stream_(std::move(stream)), max_skip_(options.max_skip_bytes) {}

  uint64_t consumed_bytes() const override {
    return stream_->compressed_offset();
  }

  Result<bool> Next(BundleEntry* entry) override {
    *entry = BundleEntry();
    TWINSET_TRY(FinishMember());
    for (;;) {
      if (is_lost_) return Lost(entry);
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kTarBlock));
      entry->offset = stream_->offset();
      if (view.size() < kTarBlock) return Short(view, entry);
      const std::string_view block = view.substr(0, kTarBlock);
      if (IsZero(block)) {
        // Archives may be joined: what stands behind the mark is read too.
        has_end_ = true;
        stream_->Consume(kTarBlock);
        continue;
      }
      TarHeader header;
      if (!ParseHeader(block, &header)) {
        entry->SetBad("tar-header", has_end_
                                        ? "bytes behind the end of the archive"
                                        : "a header with a wrong checksum");
        is_lost_ = true;
        return true;
      }
      has_end_ = false;
      stream_->Consume(kTarBlock);
      TWINSET_ASSIGN(const bool is_entry, Take(std::move(header), entry));
      if (is_entry) return true;
    }
  }

 private:
  // Passes over what the reader of the member left, and its padding.
  Status FinishMember() {
    if (state_ == nullptr) return {};
    const uint64_t left = state_->left;
    is_lost_ = state_->is_lost || state_->untold.has_value();
    state_.reset();
    return is_lost_ ? Status() : Skip(left + padding_);
  }

  Status Skip(uint64_t bytes) {
    while (bytes > 0) {
      const auto most = static_cast<size_t>(std::min<uint64_t>(bytes, kSearch));
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(most));
      if (view.empty()) return {};  // a gap or the end: the next look tells
      const size_t n = std::min(view.size(), most);
      stream_->Consume(n);
      bytes -= n;
    }
    return {};
  }

  // Fewer bytes than a header has stand in front of a gap or the end.
  Result<bool> Short(std::string_view view, BundleEntry* entry) {
    const bool ends_well = has_end_ && IsZero(view);
    stream_->Consume(view.size());
    if (stream_->AtGap()) {
      const StreamFault fault = stream_->TakeFault();
      is_lost_ = !has_end_ || Cuts(fault);
      entry->SetBad(std::string(FaultReason(fault.kind)), fault.detail);
      return true;
    }
    if (ends_well || is_told_) return false;
    is_told_ = true;
    entry->SetBad("tar-truncated", "the archive ends without its end mark");
    return true;
  }

  // Goes to the next header that can be found.
  Result<bool> Lost(BundleEntry* entry) {
    const uint64_t begin = stream_->offset();
    for (;;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kSearch));
      entry->offset = stream_->offset();
      if (view.size() < kTarBlock) {
        is_lost_ = false;
        is_told_ |= !stream_->AtGap();
        return Short(view, entry);
      }
      size_t at = 0;
      TarHeader header;
      for (; at + kTarBlock <= view.size(); ++at) {
        at = view.find("ustar", at + 257);
        if (at == std::string_view::npos || at - 257 + kTarBlock > view.size())
          break;
        at -= 257;
        if (ParseHeader(view.substr(at, kTarBlock), &header)) {
          stream_->Consume(at);
          is_lost_ = false;
          return Next(entry);
        }
      }
      stream_->Consume(view.size() < kSearch ? view.size()
                                             : view.size() - kTarBlock + 1);
      TWINSET_TRY(CheckSkipped(stream_->offset() - begin, max_skip_));
    }
  }

  // Returns true iff the header, whose bytes are consumed, is an entry.
  Result<bool> Take(TarHeader header, BundleEntry* entry) {
    padding_ = (kTarBlock - header.size % kTarBlock) % kTarBlock;
    switch (header.type) {
      case 'x':
      case 'L':
        return TakeExtension(header, entry);
      case 'g':
      case 'K':
      case 'V':
        TWINSET_TRY(Skip(header.size + padding_));
        return false;
      default:
        break;
    }
    if (!extension_.name.empty()) header.name = std::move(extension_.name);
    bool is_sparse = header.type == 'S' || extension_.is_sparse;
    if (!extension_.size.empty()) {
      TWINSET_ASSIGN(const bool is_right, TakePaxSize(&header));
      if (!is_right) {
        extension_ = {};
        entry->name = std::move(header.name);
        entry->SetBad("tar-header", "a pax header with a wrong size");
        TWINSET_ASSIGN(const bool fits, EndsMember(header.size));
        is_lost_ = !fits;
        if (fits) TWINSET_TRY(Skip(header.size + padding_));
        return true;
      }
    }
    extension_ = {};
    return Give(header, is_sparse, entry);
  }

  // The size that pax gives instead of that of the header: of files that the
  // field of the header cannot tell, or the same. False for one that would
  // swallow the files behind it.
  Result<bool> TakePaxSize(TarHeader* header) {
    const std::string& digits = extension_.size;
    uint64_t size = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc() || end != digits.data() + digits.size() ||
        size > kMostSize)
      return false;
    if (size != header->size) {
      constexpr uint64_t kMostInField = (uint64_t{1} << 33) - 1;
      TWINSET_ASSIGN(const bool field_is_right, EndsMember(header->size));
      TWINSET_ASSIGN(const bool ends, EndsMember(size));
      const bool field_is_full =
          header->size == 0 || header->size == kMostInField;
      if (field_is_right || !(ends || (size > kMostInField && field_is_full)))
        return false;
    }
    header->size = size;
    padding_ = (kTarBlock - size % kTarBlock) % kTarBlock;
    return true;
  }

  // Returns true iff a header, the end mark or the end stands behind `size`
  // bytes and their padding; false beyond what is worth looking ahead.
  Result<bool> EndsMember(uint64_t size) {
    constexpr uint64_t kMostAhead = 8 << 20;
    const uint64_t padded = (size + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (padded > kMostAhead) return false;
    TWINSET_ASSIGN(std::string_view view,
                   stream_->Peek(static_cast<size_t>(padded) + kTarBlock));
    if (view.size() < padded) return false;
    view = view.substr(static_cast<size_t>(padded), kTarBlock);
    TarHeader behind;
    return IsZero(view) || ParseHeader(view, &behind);
  }

  // A name too long for its field, or what pax knows of the next file.
  Result<bool> TakeExtension(const TarHeader& header, BundleEntry* entry) {
    if (header.size > kMostHeader) {
      TWINSET_TRY(Skip(header.size + padding_));
      entry->SetBad("tar-header",
                    "a header of " + std::to_string(header.size) + " bytes");
      return true;
    }
    const auto size = static_cast<size_t>(header.size);
    TWINSET_ASSIGN(const std::string_view view, stream_->Peek(size));
    if (view.size() < size) {
      is_lost_ = true;
      entry->SetBad("tar-truncated", "the archive breaks off inside a header");
      return true;
    }
    const std::string text(view.substr(0, size));
    stream_->Consume(size);
    TWINSET_TRY(Skip(padding_));
    if (header.type == 'L') {
      extension_.name = Text(text);
      return false;
    }
    if (ParsePax(text, &extension_)) return false;
    extension_ = {};
    entry->SetBad("tar-header", "a pax header that breaks its own rules");
    return true;
  }

  Result<bool> Give(const TarHeader& header, bool is_sparse,
                    BundleEntry* entry) {
    entry->name = header.name;
    for (bool more = header.is_extended; more;) {
      TWINSET_ASSIGN(const std::string_view view, stream_->Peek(kTarBlock));
      if (view.size() < kTarBlock) break;
      more = view[504] != '\0';
      stream_->Consume(kTarBlock);
    }
    const bool is_file = header.type == '0' || header.type == '7';
    if (is_file && !is_sparse && !header.name.ends_with('/') &&
        !IsHiddenMember(header.name)) {
      entry->state = state_ = std::make_shared<MemberState>();
      state_->left = header.size;
      entry->bytes = MemberOf(stream_.get(), state_);
      return true;
    }
    // Links and devices have no bytes, whatever their size says.
    const bool has_bytes = header.type < '1' || header.type > '6';
    if (has_bytes) TWINSET_TRY(Skip(header.size + padding_));
    if (header.type == '5' || header.name.ends_with('/')) return false;
    if (is_sparse) {
      entry->SetBad("sparse-member", "a sparse file: extract it first");
      return true;
    }
    entry->kind = BundleEntry::kOther;
    entry->reason = is_file ? "hidden" : "not-a-file";
    return true;
  }

  const StreamPtr stream_;
  const uint64_t max_skip_;
  std::shared_ptr<MemberState> state_;  // of the member being read
  uint64_t padding_ = 0;                // behind it
  Extension extension_;
  bool is_lost_ = false;  // where the next header stands is not known
  bool has_end_ = false;  // behind an end mark
  bool is_told_ = false;  // that the archive is cut
};

}  // namespace

bool IsTar(std::string_view first_bytes) {
  TarHeader header;
  return first_bytes.size() >= kTarBlock &&
         first_bytes.substr(257, 5) == "ustar" &&
         ParseHeader(first_bytes.substr(0, kTarBlock), &header);
}

std::unique_ptr<Bundle> OpenTar(StreamPtr stream, const ReadOptions& options) {
  return std::make_unique<Tar>(std::move(stream), options);
}

bool IsHiddenMember(std::string_view name) {
  for (size_t at = 0; at < name.size();) {
    const std::string_view part =
        name.substr(at, std::min(name.find('/', at), name.size()) - at);
    if (part.starts_with('.') && part != "." && part != "..") return true;
    at += part.size() + 1;
  }
  return false;
}

}  // namespace twinset
