#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/ascii.h"
#include "base/memory_folder.h"
#include "base/narrow_modes.h"

namespace twinset {

namespace {

FileFault& Fault() {
  static FileFault fault;
  return fault;
}

int InjectedError(const std::string& path, size_t bytes) {
  return Fault() ? Fault()(path, bytes) : 0;
}

std::string Remedy(const std::string& path, int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: {
      const std::string folder =
          std::filesystem::path(path).parent_path().string();
      return "free some space in " + (folder.empty() ? "." : folder) +
             " or choose another place for it, then run it again, with "
             "--resume if it has that";
    }
    case EFBIG:
      return "raise the limit of the size of files (ulimit -f), then run it "
             "again, with --resume if it has that";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions";
    case ENOENT:
      return "check the path";
    case ELOOP:
      return "name the file itself, not a link to it";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return "";
  }
}

constexpr uint64_t kWritebackBytes = 8 << 20;

}  // namespace

void SetFileFault(FileFault fault) { Fault() = std::move(fault); }

std::string_view SchemeOf(std::string_view path) {
  if (MemoryFolder::Names(path)) return {};
  const size_t end = path.find("://");
  if (end == path.npos || end == 0) return {};
  const std::string_view scheme = path.substr(0, end);
  const bool is_scheme = std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '+' || c == '-' ||
           c == '.';
  });
  return is_scheme ? scheme : std::string_view();
}

std::string UsualAddress(const std::string& address) {
  const std::string_view scheme = SchemeOf(address);
  std::string usual = ToLowerAscii(scheme);
  if (usual == "s3a" || usual == "s3n") usual = "s3";
  return usual + address.substr(scheme.size());
}

Status RefuseAddress(const std::string& path, const std::string& flag,
                     bool is_file) {
  if (SchemeOf(path).empty()) return {};
  const std::string address = UsualAddress(path);
  const std::string_view scheme = SchemeOf(address);
  std::string copy = "copy it with rclone";
  if (scheme == "s3")
    copy =
        "aws s3 cp " + std::string(is_file ? "FILE " : "--recursive FOLDER ");
  if (scheme == "gs")
    copy = "gcloud storage cp " + std::string(is_file ? "FILE " : "-r FOLDER ");
  if (copy.ends_with(' ')) copy += address;
  const std::string what = is_file ? "a file" : "a folder";
  return Fail(ErrorCode::kUsage,
              flag + " is " + what + " of this machine, and this is an address",
              path, "name " + what + ", and then: " + copy);
}

std::string WayFromAddress(const std::string& path) {
  const std::string address = UsualAddress(path);
  const std::string_view scheme = SchemeOf(address);
  if (scheme == "file") return "give the path without file://";
  std::string reader;
  if (scheme == "s3") reader = "aws s3 cp '" + address + "' -";
  if (scheme == "gs") reader = "gcloud storage cat '" + address + "'";
  if (scheme == "hdfs") reader = "hdfs dfs -cat '" + address + "'";
  if (scheme == "http" || scheme == "https" || scheme == "ftp")
    reader = "curl -L '" + address + "'";
  return reader.empty()
             ? "download it, and give the file"
             : "download it, or pipe it: " + reader + " | twinset ... -";
}

Error IoError(const std::string& action, const std::string& path, int error) {
  if (error == ENOENT && !SchemeOf(path).empty()) {
    return Error{
        ErrorCode::kIo,
        "is an address, and this is read from a file of this machine alone",
        path, WayFromAddress(path)};
  }
  return Error{
      ErrorCode::kIo,
      "cannot " + action + ": " + std::generic_category().message(error), path,
      Remedy(path, error)};
}

File::File(File&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      memory_(std::move(other.memory_)),
      at_(other.at_),
      unsynced_bytes_(other.unsynced_bytes_),
      path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(memory_, other.memory_);
  std::swap(at_, other.at_);
  std::swap(unsynced_bytes_, other.unsynced_bytes_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

namespace {

// The stat of what the path names; all zero if there is nothing.
struct stat StatOfInput(const std::string& path) {
  struct stat info = {};
  const int found =
      path == "-" ? ::fstat(STDIN_FILENO, &info) : ::stat(path.c_str(), &info);
  return found == 0 ? info : (struct stat){};
}

Status RefuseDevice(const std::string& path, const struct stat& info) {
  if (!S_ISCHR(info.st_mode) && !S_ISBLK(info.st_mode)) return {};
  const bool is_input = path == "-";
  const bool is_null = S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);
  if (is_input && (is_null || ::isatty(STDIN_FILENO) != 0)) return {};
  return Fail(ErrorCode::kUsage, "is a device and not a file", path,
              "read it through a pipe if you mean it");
}

}  // namespace

Status RefuseDevice(const std::string& path) {
  return RefuseDevice(path, StatOfInput(path));
}

Result<File> File::InMemory(std::shared_ptr<MemoryFile> memory,
                            const std::string& path) {
  if (memory == nullptr) return tl::unexpected(IoError("open", path, ENOENT));
  File file(-1, path);
  file.memory_ = std::move(memory);
  return file;
}

Result<File> File::OpenRead(const std::string& path) {
  if (MemoryFolder::Names(path))
    return InMemory(MemoryFolder::Find(path), path);
  // Before it is opened: to open some devices is to use them.
  const struct stat info = StatOfInput(path);
  TWINSET_TRY(RefuseDevice(path, info));
  if (S_ISDIR(info.st_mode))
    return tl::unexpected(IoError("read", path, EISDIR));
  if (path == "-") return File(STDIN_FILENO, path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return tl::unexpected(IoError("open", path, errno));
  return File(fd, path);
}

Result<File> File::Create(const std::string& path, mode_t mode) {
  if (MemoryFolder::Names(path))
    return InMemory(MemoryFolder::Make(path), path);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return tl::unexpected(IoError("create", path, errno));
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                        NarrowMode(path, mode));
  if (fd < 0) return tl::unexpected(IoError("create", path, errno));
  return File(fd, path);
}

Result<File> File::OpenToLock(const std::string& path) {
  if (MemoryFolder::Names(path)) {
    auto found = MemoryFolder::Find(path);
    return InMemory(found != nullptr ? found : MemoryFolder::Make(path), path);
  }
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                        NarrowMode(path, kResultMode));
  if (fd < 0) return tl::unexpected(IoError("open", path, errno));
  return File(fd, path);
}

Result<File> File::OpenReadWrite(const std::string& path) {
  TWINSET_ASSIGN(File file, OpenToLock(path));
  TWINSET_TRY(file.Unshare());
  return file;
}

namespace {

Status CopyBytes(int from, File* to) {
  std::string step(1 << 20, '\0');
  for (uint64_t offset = 0;;) {
    const ssize_t n =
        ::pread(from, step.data(), step.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return tl::unexpected(IoError("read", to->path(), errno));
    if (n == 0) return to->Sync();
    TWINSET_TRY(to->Write({step.data(), static_cast<size_t>(n)}));
    offset += static_cast<uint64_t>(n);
  }
}

}  // namespace

Result<File> File::CreateBeside(const std::string& path) {
  for (int i = 0; i < 1000; ++i) {
    const std::string name = path + ".copy" + std::to_string(i);
    const int fd =
        ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) return File(fd, name);
    if (errno != EEXIST) return tl::unexpected(IoError("create", name, errno));
  }
  return tl::unexpected(IoError("create", path + ".copy", EEXIST));
}

Status File::Unshare(bool lock) {
  if (memory_ != nullptr) return {};
  struct stat info;
  if (::fstat(fd_, &info) != 0)
    return tl::unexpected(IoError("look at", path_, errno));
  if (info.st_nlink < 2) return {};
  TWINSET_ASSIGN(File copy, CreateBeside(path_));
  const std::string name = copy.path_;
  Status made = CopyBytes(fd_, &copy);
  if (made) made = copy.Seek(0);
  // The owner is kept where the system allows it.
  const bool owned = ::fchown(copy.fd_, info.st_uid, info.st_gid) == 0;
  if (made && ::fchmod(copy.fd_, info.st_mode & (owned ? 07777 : 0777)) != 0)
    made = tl::unexpected(IoError("set the mode of", name, errno));
  if (made && lock) {
    const auto locked = copy.Lock();
    if (!locked || !*locked)
      made = tl::unexpected(IoError("lock", name, EWOULDBLOCK));
  }
  if (made && ::rename(name.c_str(), path_.c_str()) != 0)
    made = tl::unexpected(IoError("rename", name, errno));
  if (!made) {
    ::unlink(name.c_str());
    return made;
  }
  copy.path_ = path_;
  *this = std::move(copy);
  return {};
}

bool File::HasName() const {
  if (memory_ != nullptr) return MemoryFolder::Find(path_) == memory_;
  struct stat named, opened;
  return ::lstat(path_.c_str(), &named) == 0 && ::fstat(fd_, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

Result<size_t> File::Read(char* to, size_t size) {
  if (memory_ != nullptr) {
    const size_t n = memory_->ReadAt(at_, to, size);
    at_ += n;
    return n;
  }
  for (;;) {
    const ssize_t n = ::read(fd_, to, size);
    if (n >= 0) return static_cast<size_t>(n);
    if (errno != EINTR) return tl::unexpected(IoError("read", path_, errno));
  }
}

Status File::ReadAt(uint64_t offset, char* to, size_t size) const {
  while (size > 0) {
    const ssize_t n =
        memory_ != nullptr
            ? static_cast<ssize_t>(memory_->ReadAt(offset, to, size))
            : ::pread(fd_, to, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return tl::unexpected(IoError("read", path_, errno));
    if (n == 0) {
      return Fail(ErrorCode::kCorrupt,
                  "file ends before offset " + std::to_string(offset + size),
                  path_);
    }
    to += n;
    offset += static_cast<uint64_t>(n);
    size -= static_cast<size_t>(n);
  }
  return {};
}

void File::WillReadAt(uint64_t offset, uint64_t size) const {
  if (memory_ != nullptr) return;
  // Only advice: ReadAt tells what is wrong with the file.
  (void)::posix_fadvise(fd_, static_cast<off_t>(offset),
                        static_cast<off_t>(size), POSIX_FADV_WILLNEED);
}

namespace {

Status MemoryFull() {
  return Fail(ErrorCode::kMemory,
              "the work files do not fit into the memory that they were given");
}

}  // namespace

Status File::Write(std::string_view bytes) {
  if (const int error = InjectedError(path_, bytes.size())) {
    return tl::unexpected(IoError("write", path_, error));
  }
  if (memory_ != nullptr) {
    if (!memory_->WriteAt(at_, bytes)) return MemoryFull();
    at_ += bytes.size();
    return {};
  }
  unsynced_bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return tl::unexpected(IoError("write", path_, errno));
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  if (unsynced_bytes_ >= kWritebackBytes) {
    // Starts the disk while the caller goes on, so that a later Sync has little
    // left to wait for. Only advice: Sync reports what goes wrong.
    ::sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE);
    unsynced_bytes_ = 0;
  }
  return {};
}

Status File::WriteAt(uint64_t offset, std::string_view bytes) {
  if (const int error = InjectedError(path_, bytes.size())) {
    return tl::unexpected(IoError("write", path_, error));
  }
  if (memory_ != nullptr)
    return memory_->WriteAt(offset, bytes) ? Status() : MemoryFull();
  while (!bytes.empty()) {
    const ssize_t n =
        ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return tl::unexpected(IoError("write", path_, errno));
    bytes.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return {};
}

Status File::Truncate(uint64_t size) {
  if (memory_ != nullptr) {
    memory_->Truncate(size);
    return {};
  }
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) {
    return tl::unexpected(IoError("truncate", path_, errno));
  }
  return {};
}

namespace {

Result<bool> TakeLock(int file, int kind, const std::string& path) {
  while (::flock(file, kind | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return tl::unexpected(IoError("lock", path, errno));
  }
  return true;
}

}  // namespace

// Nobody else knows a file of a memory folder.
Result<bool> File::Lock() const {
  return memory_ != nullptr ? true : TakeLock(fd_, LOCK_EX, path_);
}

Result<bool> File::LockShared() const {
  return memory_ != nullptr ? true : TakeLock(fd_, LOCK_SH, path_);
}

Status File::Seek(uint64_t offset) {
  if (memory_ != nullptr) {
    at_ = offset;
    return {};
  }
  if (::lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0) {
    return tl::unexpected(IoError("seek in", path_, errno));
  }
  return {};
}

Status File::Sync() {
  if (memory_ != nullptr) return {};
  if (::fsync(fd_) != 0 && errno != EINVAL)
    return tl::unexpected(IoError("sync", path_, errno));
  return {};
}

Status File::Close() {
  memory_.reset();
  const int fd = std::exchange(fd_, -1);
  if (fd > STDIN_FILENO && ::close(fd) != 0)
    return tl::unexpected(IoError("close", path_, errno));
  return {};
}

Result<uint64_t> File::Size() const {
  if (memory_ != nullptr) return memory_->size();
  struct stat info;
  if (::fstat(fd_, &info) != 0)
    return tl::unexpected(IoError("stat", path_, errno));
  return static_cast<uint64_t>(info.st_size);
}

namespace {
constexpr size_t kOutputBufferBytes = 64 << 10;
}

mode_t ModeOfWritten(const std::string& input) {
  struct stat info;
  const int failed = input == "-" ? ::fstat(STDIN_FILENO, &info)
                                  : ::stat(input.c_str(), &info);
  if (failed != 0 || !S_ISREG(info.st_mode)) return 0644;
  return 0600 | (info.st_mode & 0044);
}

Result<OutputFile> OutputFile::Create(const std::string& path, mode_t mode) {
  OutputFile output;
  output.path_ = path;
  TWINSET_ASSIGN(output.file_, File::Create(path + ".part", mode));
  output.buffer_.reserve(kOutputBufferBytes);
  return output;
}

Result<OutputFile> OutputFile::Resume(const std::string& path, uint64_t bytes,
                                      uint64_t hash) {
  OutputFile output;
  output.path_ = path;
  // A missing file is an error and must not be created.
  TWINSET_ASSIGN(File there, File::OpenRead(path + ".part"));
  TWINSET_TRY(HashFile(&there, bytes, &output.hash_));
  if (output.hash() != hash)
    return Fail(ErrorCode::kCorrupt, "the file was changed meanwhile", path);
  TWINSET_ASSIGN(output.file_, File::OpenReadWrite(path + ".part"));
  TWINSET_TRY(output.file_.Truncate(bytes));
  TWINSET_TRY(output.file_.Seek(bytes));
  output.buffer_.reserve(kOutputBufferBytes);
  output.written_bytes_ = bytes;
  return output;
}

Status OutputFile::Write(std::string_view bytes) {
  written_bytes_ += bytes.size();
  hash_.Update(bytes);
  if (buffer_.size() + bytes.size() > kOutputBufferBytes) {
    TWINSET_TRY(file_.Write(buffer_));
    buffer_.clear();
    if (bytes.size() >= kOutputBufferBytes) return file_.Write(bytes);
  }
  buffer_.append(bytes);
  return {};
}

Status OutputFile::Checkpoint() {
  TWINSET_TRY(file_.Write(buffer_));
  buffer_.clear();
  return file_.Sync();
}

Status OutputFile::Commit() {
  TWINSET_TRY(Checkpoint());
  TWINSET_TRY(file_.Close());
  TWINSET_TRY(RenameFile(path_ + ".part", path_));
  return SyncDirectory(std::filesystem::path(path_).parent_path().string());
}

Status HashFile(File* file, uint64_t bytes, Hasher64* hash) {
  std::string buffer(std::min<uint64_t>(bytes, 1 << 20), '\0');
  for (uint64_t at = 0; at < bytes;) {
    const size_t step =
        static_cast<size_t>(std::min<uint64_t>(bytes - at, buffer.size()));
    TWINSET_TRY(file->ReadAt(at, buffer.data(), step));
    hash->Update({buffer.data(), step});
    at += step;
  }
  return {};
}

Result<std::string> ReadWholeFile(const std::string& path, uint64_t max_bytes) {
  TWINSET_ASSIGN(File file, File::OpenRead(path));
  std::string bytes;
  for (;;) {
    const size_t before = bytes.size();
    if (before > max_bytes) {
      return Fail(ErrorCode::kUnsupported,
                  "file is larger than " + std::to_string(max_bytes) + " bytes",
                  path);
    }
    bytes.resize(before + std::max<size_t>(64 << 10, before / 2));
    TWINSET_ASSIGN(const size_t n,
                   file.Read(bytes.data() + before, bytes.size() - before));
    bytes.resize(before + n);
    if (n == 0) return bytes;
  }
}

Status WriteWholeFile(const std::string& path, std::string_view bytes) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  TWINSET_TRY(file.Write(bytes));
  return file.Commit();
}

Status CopyFile(const std::string& from, const std::string& to) {
  TWINSET_ASSIGN(const File source, File::OpenRead(from));
  TWINSET_ASSIGN(File copy, File::Create(to, ModeOfWritten(from)));
  return CopyBytes(source.fd(), &copy);
}

Result<bool> RemoveFile(const std::string& path) {
  if (MemoryFolder::Names(path)) return MemoryFolder::Remove(path);
  if (::unlink(path.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return tl::unexpected(IoError("remove", path, errno));
}

Status RenameFile(const std::string& from, const std::string& to) {
  if (MemoryFolder::Names(from)) {
    if (MemoryFolder::Rename(from, to)) return {};
    return tl::unexpected(IoError("rename", from, ENOENT));
  }
  if (::rename(from.c_str(), to.c_str()) != 0)
    return tl::unexpected(IoError("rename", from, errno));
  return {};
}

Result<uint64_t> FileSize(const std::string& path) {
  if (MemoryFolder::Names(path)) {
    const auto found = MemoryFolder::Find(path);
    if (found == nullptr) return tl::unexpected(IoError("stat", path, ENOENT));
    return found->size();
  }
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) return tl::unexpected(IoError("stat", path, error.value()));
  return size;
}

Status MakeDirectories(const std::string& path) {
  if (MemoryFolder::Names(path)) return {};
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return tl::unexpected(IoError("create folder", path, error.value()));
  return {};
}

Status RemoveTree(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) return tl::unexpected(IoError("remove", path, error.value()));
  return {};
}

Status SyncDirectory(const std::string& path) {
  if (MemoryFolder::Names(path)) return {};
  const int fd = ::open(path.empty() ? "." : path.c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return tl::unexpected(IoError("open", path, errno));
  const int failed = ::fsync(fd);
  const int error = errno;
  ::close(fd);
  if (failed != 0 && error != EINVAL)
    return tl::unexpected(IoError("sync", path, error));
  return {};
}

bool FileExists(const std::string& path) {
  if (MemoryFolder::Names(path)) return MemoryFolder::Find(path) != nullptr;
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace twinset
