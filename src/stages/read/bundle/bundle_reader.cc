// The records of all files of an archive.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "read/bundle/bundle.h"
#include "read/codec.h"
#include "read/record_base.h"
#include "read/table_helpers.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

class BundleReader : public RecordReader {
 public:
  BundleReader(std::unique_ptr<Bundle> bundle, const InputFile& input,
               uint32_t source, const ReadOptions& options, OpenMember open)
      : bundle_(std::move(bundle)),
        input_(input),
        source_(source),
        options_(options),
        open_(open),
        stream_options_(StreamOptionsOf(options)) {}

  Result<bool> Next(Record* record) override {
    for (;;) {
      if (reader_ != nullptr) {
        TWINSET_ASSIGN(const bool is_record, NextOfMember(record));
        if (is_record) return true;
        continue;
      }
      TWINSET_ASSIGN(const bool more, bundle_->Next(&entry_));
      if (!more) return false;
      // tar -C FOLDER . puts it in front of every name.
      while (entry_.name.starts_with("./")) entry_.name.erase(0, 2);
      name_ = NameText(entry_.name);
      if (entry_.kind == BundleEntry::kFile) {
        Status opened = OpenEntry();
        if (opened) continue;
        if (EndsReading(opened.error())) return tl::unexpected(opened.error());
        Tell("member-unreadable", opened.error().message, record);
        return true;
      }
      if (entry_.kind == BundleEntry::kBad) {
        Tell(entry_.reason, entry_.detail, record);
      } else {
        Begin(record);
        record->kind = RecordKind::kSkipped;
        record->reason = entry_.reason;
      }
      return true;
    }
  }

  // Its members may have any format.
  InputFormat format() const override { return InputFormat::kAuto; }
  uint64_t consumed_bytes() const override { return bundle_->consumed_bytes(); }

 private:
  std::string NameOf(const std::string& archive) const {
    return name_.empty() ? archive : archive + "!" + name_;
  }

  void Begin(Record* record) {
    *record = Record();
    Provenance& place = record->document.provenance;
    place.source = source_;
    place.ordinal = ordinal_++;
    place.offset = entry_.offset;
    record->document.id =
        NameOf(std::string(WithoutCompressionSuffix(input_.relative)));
  }

  void Tell(std::string reason, const std::string& detail, Record* record) {
    Begin(record);
    record->kind = RecordKind::kQuarantined;
    record->reason = std::move(reason);
    record->detail = detail;
    entry_.state.reset();
  }

  Status OpenEntry() {
    TWINSET_ASSIGN(StreamPtr bytes,
                   Decompressed(std::move(entry_.bytes), entry_.name,
                                entry_.state, stream_options_));
    InputFile member;
    member.path = input_.path + "!" + entry_.name;
    member.source = NameOf(input_.source);
    member.relative =
        NameOf(std::string(WithoutCompressionSuffix(input_.relative)));
    TWINSET_ASSIGN(reader_, open_(std::move(bytes), member, source_, options_));
    return {};
  }

  // False when the member is done.
  Result<bool> NextOfMember(Record* record) {
    const Result<bool> more = reader_->Next(record);
    if (more && *more) {
      record->member_begin = record->member_end = std::nullopt;
      Provenance& place = record->document.provenance;
      // Its own number and its place are those within the member.
      if (record->document.id.empty())
        record->document.id =
            NameOf(input_.source) + ":" + std::to_string(place.ordinal);
      if (record->kind == RecordKind::kQuarantined)
        record->detail += (record->detail.empty() ? "in " : "; in ") + name_;
      place.ordinal = ordinal_++;
      return true;
    }
    reader_.reset();
    if (!more) {
      if (EndsReading(more.error())) return more;
      const Error& error = more.error();
      Tell("member-unreadable",
           error.message + (error.remedy.empty() ? "" : "; " + error.remedy),
           record);
      return true;
    }
    if (entry_.state == nullptr || !entry_.state->untold) return false;
    const StreamFault fault = *entry_.state->untold;
    Tell(std::string(FaultReason(fault.kind)), fault.detail, record);
    return true;
  }

  const std::unique_ptr<Bundle> bundle_;
  const InputFile input_;
  const uint32_t source_;
  const ReadOptions options_;
  const OpenMember open_;
  ByteStreamOptions stream_options_;
  BundleEntry entry_;
  std::string name_;  // of the entry, as text
  ReaderPtr reader_;  // of the entry
  uint64_t ordinal_ = 0;
};

}  // namespace

BundleKind BundleOf(std::string_view first_bytes, std::string_view path) {
  constexpr size_t kMagicAt = 257;
  constexpr std::string_view kTarNames[] = {".tar", ".tgz", ".tbz2", ".txz"};
  if (IsTar(first_bytes)) return BundleKind::kTar;
  if (IsZip(first_bytes)) return BundleKind::kZip;
  // With one header damaged the others can be read.
  if (first_bytes.size() < kTarBlock ||
      first_bytes.substr(0, kTarBlock).find('\0') == std::string_view::npos)
    return BundleKind::kNone;
  const std::string name = ToLowerAscii(WithoutCompressionSuffix(path));
  const bool is_named =
      std::any_of(std::begin(kTarNames), std::end(kTarNames),
                  [&](std::string_view end) { return name.ends_with(end); });
  if (is_named || first_bytes.substr(kMagicAt, 5) == "ustar")
    return BundleKind::kTar;
  return name.ends_with(".zip") || name.ends_with(".wacz") ? BundleKind::kZip
                                                           : BundleKind::kNone;
}

ReaderPtr MakeTarReader(StreamPtr stream, const InputFile& input,
                        uint32_t source, const ReadOptions& options,
                        OpenMember open) {
  return std::make_unique<BundleReader>(OpenTar(std::move(stream), options),
                                        input, source, options, open);
}

Result<ReaderPtr> MakeZipReader(std::unique_ptr<ByteSource> file,
                                const InputFile& input, uint32_t source,
                                const ReadOptions& options, OpenMember open) {
  TWINSET_ASSIGN(auto zip, OpenZip(std::move(file), options));
  return std::make_unique<BundleReader>(std::move(zip), input, source, options,
                                        open);
}

}  // namespace twinset
