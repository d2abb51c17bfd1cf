// Archives of files: which files they hold, one after the other.
#ifndef TWINSET_SRC_STAGES_READ_BUNDLE_BUNDLE_H_
#define TWINSET_SRC_STAGES_READ_BUNDLE_BUNDLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "read/bundle/member_bytes.h"
#include "read/formats.h"

namespace twinset {

// What stands next in an archive.
struct BundleEntry {
  enum Kind {
    kFile,
    kOther,  // a link, a device, a hidden file: `reason` is why it is skipped
    kBad     // damage: `reason` and `detail`
  } kind = kFile;
  std::string name;    // any bytes
  std::string reason;  // a slug
  std::string detail;
  uint64_t offset = 0;                 // in the archive
  std::unique_ptr<ByteStream> bytes;   // kFile: not decompressed
  std::shared_ptr<MemberState> state;  // kFile

  void SetBad(std::string why, std::string how) {
    kind = kBad;
    reason = std::move(why);
    detail = std::move(how);
  }
};

// An archive from front to back, whatever is damaged in it. An Error means that
// the source itself failed. Memory: buffers and one member's header. The bytes
// of an entry are gone when the next one is asked for.
class Bundle {
 public:
  virtual ~Bundle() = default;
  // False at the end.
  virtual Result<bool> Next(BundleEntry* entry) = 0;
  virtual uint64_t consumed_bytes() const = 0;
  // Files that a list in the archive names as pages or texts, where all that it
  // names are; else 0.
  virtual uint64_t listed_pages() const { return 0; }
};

// Returns true iff the bytes begin a tar archive: a header whose checksum is
// right.
bool IsTar(std::string_view first_bytes);
inline constexpr size_t kTarBlock = 512;
std::unique_ptr<Bundle> OpenTar(StreamPtr stream, const ReadOptions& options);

// Returns true iff they begin a zip archive.
bool IsZip(std::string_view first_bytes);
enum class ZipFiles {
  kDocuments,  // of a web archive in a zip file (WACZ) its WARC files only
  kIndexes     // CDX and CDXJ files of a WACZ
};
// `source` can be sought.
Result<std::unique_ptr<Bundle>> OpenZip(std::unique_ptr<ByteSource> source,
                                        const ReadOptions& options,
                                        ZipFiles files = ZipFiles::kDocuments);

// Returns true iff a part of the path begins with a dot, as of files that a
// folder given as an input leaves out.
bool IsHiddenMember(std::string_view name);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_BUNDLE_BUNDLE_H_
