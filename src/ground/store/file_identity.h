// What a path is, whatever its name.
#ifndef TWINSET_SRC_GROUND_STORE_FILE_IDENTITY_H_
#define TWINSET_SRC_GROUND_STORE_FILE_IDENTITY_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "twinset/error.h"

namespace twinset {

// Device and inode: what a path is, whatever its name.
using FileIdentity = std::pair<dev_t, ino_t>;

// `path` absolute and without links, whether it exists or not.
Result<std::string> CanonicalPath(const std::string& path);
std::optional<FileIdentity> FindIdentity(const std::string& path);
// Returns true iff the folder `path` is `folder` or in it, by whatever way.
bool IsBelow(const std::string& path, const FileIdentity& folder);
// Returns true iff `is` holds for the folder `path` or one above it.
bool AnyAbove(const std::string& path,
              const std::function<bool(const FileIdentity&)>& is);

// Gives `to`, in place of what has that name, the content of `from`: as another
// name of the same file, which must not change any more, or as a synced copy.
Status PlaceFile(const std::string& from, const std::string& to);

// A number for an identity. Equal ones may be of different files: rarely, and
// then a place is refused that need not be.
uint64_t HashOf(const FileIdentity& identity);
FileIdentity IdentityOf(const struct stat& info);

// Without and with following a link; none when there is nothing.
std::optional<struct stat> LinkStat(const std::string& path);
std::optional<struct stat> Stat(const std::string& path);
// Returns true iff something is mounted at `path` itself. Unknown (a kernel
// before 5.8) counts as no.
bool IsMountPoint(const std::string& path);
// The path of an input: for "-" that of the file which standard input reads, ""
// when it reads none.
std::string PathOfInput(const std::string& input);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_FILE_IDENTITY_H_
