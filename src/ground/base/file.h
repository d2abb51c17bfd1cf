// Files with errors as values. Every write of the product goes through here, so
// a test can make any of them fail (SetFileFault).
#ifndef TWINSET_SRC_GROUND_BASE_FILE_H_
#define TWINSET_SRC_GROUND_BASE_FILE_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "twinset/error.h"

namespace twinset {

class MemoryFile;

// An open file, closed on destruction: a descriptor, or a file of a
// MemoryFolder. Movable; one thread at a time, except ReadAt and WillReadAt,
// which any number of threads may call together.
class File {
 public:
  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  // "-" is standard input; RefuseDevice.
  static Result<File> OpenRead(const std::string& path);
  // A new, empty file. What had the name loses it first: neither what a link
  // leads to nor a file that has other names too is ever written.
  static Result<File> Create(const std::string& path, mode_t mode = 0644);
  // Creates it or keeps its content; a link is refused. A file that has other
  // names too (hard links) is copied first, so that those never change.
  static Result<File> OpenReadWrite(const std::string& path);
  // The same without that copy: for who locks the file before Unshare.
  static Result<File> OpenToLock(const std::string& path);

  bool is_open() const { return fd_ >= 0 || memory_ != nullptr; }
  int fd() const { return fd_; }  // -1: of a memory folder
  const std::string& path() const { return path_; }

  // Reads up to `size` bytes at the current position; 0 only at the end.
  Result<size_t> Read(char* to, size_t size);
  // Reads exactly `size` bytes at `offset`; a short file is kCorrupt.
  Status ReadAt(uint64_t offset, char* to, size_t size) const;
  // Says that ReadAt will ask for these bytes, which the system may begin to
  // read from the disk. Costs a system call, and never waits for a disk that
  // has room in its queue.
  void WillReadAt(uint64_t offset, uint64_t size) const;
  Status Write(std::string_view bytes);
  Status WriteAt(uint64_t offset, std::string_view bytes);
  Status Truncate(uint64_t size);
  // Gives the name to a copy, of the same mode and owner, if the file has other
  // names too. `lock`: the copy is locked before it takes the name.
  Status Unshare(bool lock = false);
  // Returns true iff the path still names this file.
  bool HasName() const;
  // Takes the lock of the file until it is closed, however that happens; false
  // when somebody else has it.
  Result<bool> Lock() const;
  // The same for who only reads: others may have it so too.
  Result<bool> LockShared() const;
  Status Seek(uint64_t offset);
  Status Sync();
  Status Close();
  Result<uint64_t> Size() const;

 private:
  // A new, empty file of a name that nothing has.
  static Result<File> CreateBeside(const std::string& path);
  File(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  // A file of a memory folder; null is one that there is not.
  static Result<File> InMemory(std::shared_ptr<MemoryFile> file,
                               const std::string& path);
  int fd_ = -1;
  std::shared_ptr<MemoryFile> memory_;
  uint64_t at_ = 0;              // position in memory_
  uint64_t unsynced_bytes_ = 0;  // written since the disk was last started
  std::string path_;
};

// kUsage for a device: it never ends, or ends a machine's peace (/dev/zero, a
// disk). As standard input ("-") a terminal may be typed on, and /dev/null is
// how nothing is given.
Status RefuseDevice(const std::string& path);

// The mode of a file that is made of `input` ("-": of what standard input is):
// 0644, without what the input denies. The umask may take more.
mode_t ModeOfWritten(const std::string& input);

// Buffered writer of NAME.part that becomes NAME on Commit: written, fsynced,
// renamed, folder fsynced. What had the name NAME.part before loses it; who
// may do so is for ResultFolder and ResultFile to say. Destroyed without Commit
// it leaves the .part file. Buffer: 64 KB.
class OutputFile {
 public:
  static Result<OutputFile> Create(const std::string& path, mode_t mode = 0644);
  // Goes on with NAME.part behind its first `bytes` bytes, which hashed to
  // `hash` (Hash64); kCorrupt when they do not.
  static Result<OutputFile> Resume(const std::string& path, uint64_t bytes,
                                   uint64_t hash);
  Status Write(std::string_view bytes);
  // What was written so far survives a crash.
  Status Checkpoint();
  Status Commit();
  // Hash64 of all that was written, also before Resume.
  uint64_t hash() const { return hash_.Digest(); }
  uint64_t written_bytes() const { return written_bytes_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  File file_;
  std::string buffer_;
  Hasher64 hash_;
  uint64_t written_bytes_ = 0;
};

// Adds what stands in `file` from its beginning on, `bytes` bytes, to a hash.
// kCorrupt when the file is shorter.
Status HashFile(File* file, uint64_t bytes, Hasher64* hash);
Result<std::string> ReadWholeFile(const std::string& path,
                                  uint64_t max_bytes = uint64_t{1} << 32);
Status WriteWholeFile(const std::string& path,
                      std::string_view bytes);  // through OutputFile
// Makes `to` a synced copy of a file on the disk. std::filesystem::copy_file
// would bring the standard library's streams and locales into a program.
Status CopyFile(const std::string& from, const std::string& to);
// False when there was no such file.
Result<bool> RemoveFile(const std::string& path);
// `from` gets the name `to`, in place of what has it.
Status RenameFile(const std::string& from, const std::string& to);
Result<uint64_t> FileSize(const std::string& path);
// The scheme of an address as "s3://...", as it is written; empty for what may
// be a path.
std::string_view SchemeOf(std::string_view path);
// An address with its scheme in small letters, and s3:// for the names that
// Hadoop has for it: "s3://lake" for "S3A://lake".
std::string UsualAddress(const std::string& address);
// What to do about an address where a file is wanted.
std::string WayFromAddress(const std::string& path);
// kUsage when what is to be written would stand at an address ("s3://...").
Status RefuseAddress(const std::string& path, const std::string& flag,
                     bool is_file = false);
Status MakeDirectories(const std::string& path);
Status RemoveTree(const std::string& path);
Status SyncDirectory(const std::string& path);
bool FileExists(const std::string& path);

// Test hook: called before each write with the path and the number of bytes; a
// non-zero return is the errno that the write then fails with. Empty removes
// it. Not thread-safe to set.
using FileFault = std::function<int(const std::string& path, size_t bytes)>;
void SetFileFault(FileFault fault);

// The message of errno value `error`, and an Error of code kIo about `path`.
Error IoError(const std::string& action, const std::string& path, int error);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_FILE_H_
