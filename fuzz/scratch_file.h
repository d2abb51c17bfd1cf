// For fuzz targets of file formats: bytes as a file, in memory where the system
// has a place for that.
#ifndef TWINSET_FUZZ_SCRATCH_FILE_H_
#define TWINSET_FUZZ_SCRATCH_FILE_H_

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/file.h"

namespace twinset {

// A folder of this process, removed at its end.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    const std::filesystem::path shared = "/dev/shm";
    const bool in_memory = ::access(shared.c_str(), W_OK) == 0;
    const std::filesystem::path parent =
        in_memory ? shared : std::filesystem::temp_directory_path();
    path_ = parent / ("twinset-fuzz-" + std::to_string(::getpid()));
    if (!MakeDirectories(path_)) std::abort();
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() { (void)RemoveTree(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline const std::string& ScratchFolder() {
  static const ScratchDirectory directory;
  return directory.path();
}

inline void WriteScratch(const std::string& path, std::string_view bytes) {
  Result<File> file = File::Create(path);
  if (!file || !file->Write(bytes)) std::abort();
}

inline std::string ReadScratch(const std::string& path) {
  Result<std::string> bytes = ReadWholeFile(path);
  if (!bytes) std::abort();
  return *bytes;
}

// Takes values off the front of the fuzzer's input; zero when it is used up.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}
  uint64_t Number(size_t bytes) {
    uint64_t value = 0;
    for (const unsigned char byte : Take(bytes)) value = value << 8 | byte;
    return value;
  }
  std::string_view Take(size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view Rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// Changes, cuts or extends `bytes` as the input says.
inline void Damage(FuzzInput* input, std::string* bytes) {
  while (!input->empty()) {
    const uint64_t kind = input->Number(1);
    const uint64_t at = bytes->empty() ? 0 : input->Number(3) % bytes->size();
    if (kind < 200 && !bytes->empty()) {
      (*bytes)[at] = static_cast<char>((*bytes)[at] ^ static_cast<char>(kind));
    } else if (kind < 220) {
      bytes->resize(at);
    } else {
      bytes->append(input->Take(kind - 220));
    }
  }
}

inline void Require(bool condition) {
  if (!condition) std::abort();
}

// Returns true iff a list was read. Lists are read whatever their bytes are,
// but for those of UTF-16 and UTF-32.
template <typename Read>
bool IsReadAsList(const Read& read) {
  Require(read.has_value() || read.error().message.starts_with("is UTF-"));
  return read.has_value();
}

}  // namespace twinset

#endif  // TWINSET_FUZZ_SCRATCH_FILE_H_
