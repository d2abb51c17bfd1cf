// Written corpora: the records that stay, in the format and compression of
// their source.
#ifndef TWINSET_SRC_STAGES_REPORT_CORPUS_WRITER_H_
#define TWINSET_SRC_STAGES_REPORT_CORPUS_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"
#include "twinset/error.h"

namespace twinset {

// By the last suffix of a file name: .gz .zst .bz2 .xz .lz4, else none.
enum class OutputCompression { kNone, kGzip, kZstd, kBzip2, kXz, kLz4 };
OutputCompression CompressionOf(std::string_view path);

// Compresses `bytes` as one whole member, so that equal content gives equal
// bytes with one version of the library. `level`: 1 to 9; 0: 3 for gzip and
// zstd, 9 for bzip2, 6 for xz, the fast one for lz4.
Result<std::string> CompressMember(OutputCompression compression,
                                   std::string_view bytes, int level = 0);

// A member to be written.
struct WrittenMember {
  std::string bytes;  // to be compressed
  // Where the same bytes stand compressed in the source, as one or several
  // whole members; both 0: nowhere.
  uint64_t packed_begin = 0, packed_end = 0;
  bool is_copy() const { return packed_end > 0; }
};

// The bytes that stay of a source, cut into members: one of each record (WARC,
// ARC: so that readers can seek), or of about 1 MB; or those of the source,
// where all that they hold stays as it is. Not thread-safe.
class MemberCutter {
 public:
  // `copies`: the source is compressed as its output is to be.
  MemberCutter(OutputCompression compression, bool member_per_record,
               bool copies = false)
      : per_record_(member_per_record &&
                    compression != OutputCompression::kNone),
        copies_(copies && compression != OutputCompression::kNone) {}
  // What is added from now on are the elements of a JSON array: `*begun` says
  // whether one stands before them, also in other members.
  void MakeArray(bool* begun) { array_begun_ = begun; }
  void Add(std::string_view record);
  // The same of the bytes of a record as they stand in the source.
  void AddRaw(const Record& record);
  // Behind the last element.
  void CloseArray();
  // Returns true iff it is time to take the members: the last one is whole, and
  // there are 1 MB.
  bool full() const { return bytes_ >= kMemberBytes && !packed_begin_; }
  // All bytes added since the last call. Members are compressed one by one.
  std::vector<WrittenMember> Take();

 private:
  static constexpr uint64_t kMemberBytes = 1 << 20;
  // A member of the source is followed no further: it is compressed again.
  static constexpr uint64_t kMostFollowedBytes = 4 << 20;
  void Append(std::string_view bytes);
  void StopFollowing();
  bool per_record_, copies_;
  bool* array_begun_ = nullptr;
  std::vector<WrittenMember> members_;
  uint64_t bytes_ = 0;  // of all members, and of what is followed
  // The begin of a member of the source whose records have all stayed so far:
  // these, which are in no member yet.
  std::optional<uint64_t> packed_begin_;
  std::vector<std::string> followed_;
  uint64_t followed_bytes_ = 0;
  uint64_t next_ordinal_ = 0;
};

// What a new WARC record says of the document it stands for and of the one that
// is kept.
struct WarcReference {
  std::string record_id, url, date, digest;  // of the document left out
  std::string kept_id, kept_url, kept_date;  // of the one kept
  double similarity = 1;
  std::optional<double> contained;  // none where nothing was verified
};

// A revisit record with profile identical-payload-digest of the version of
// `raw`, the response record it replaces; its HTTP headers are kept. Record id:
// UUIDv5 of (spec, original id); date: the original's.
std::string MakeRevisitRecord(std::string_view raw,
                              const WarcReference& reference);
// A metadata record that says why a near-duplicate was left out or is one.
std::string MakeNearDuplicateRecord(std::string_view raw,
                                    const WarcReference& reference,
                                    bool left_out);
// The record of `raw`, which breaks off inside its block, as a whole one: its
// length is that of the bytes that are there. In a WARC, digests of the whole
// block and payload give way to "WARC-Truncated: unspecified" and the digest of
// this block (WARC 1.1, 5.13).
std::string CloseTruncatedWarcRecord(std::string_view raw);
std::string CloseTruncatedArcRecord(std::string_view raw);
// "urn:uuid:..." of version 5 (RFC 9562) for `name` in the namespace of this
// spec.
std::string NameUuid(std::string_view name);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_CORPUS_WRITER_H_
